"""Planted evidence: facts of one's own put into a copy of a pack, so that recall is known without labels.

Holds rules and the sentences that answer them, how they are drawn into PDFs, and what became of each. The pipeline's
own stages are called as for any labelled set; nothing here is read by production paths.
"""

from bidproof.evaluation.planting.finding import PlantedResult, find_planted
from bidproof.evaluation.planting.placing import planted_copy
from bidproof.evaluation.planting.plants import FORMS, Plant
from bidproof.evaluation.planting.sources import PlantingGround, planting_ground
from bidproof.evaluation.planting.stating import make_plants

__all__ = [
    "FORMS", "Plant", "PlantedResult", "PlantingGround", "find_planted", "make_plants", "planted_copy", "planting_ground",
]  # fmt: skip
