"""How well the pipeline does on labelled sets. Changes nothing that production paths read."""

from bidproof.evaluation.ablation import LabelledQuery, leg_ablation
from bidproof.evaluation.evaluating import Evaluation, Options, evaluate
from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.pack_frames import Tools
from bidproof.evaluation.reading import read_set
from bidproof.evaluation.regression import recall_check, regression

__all__ = [
    "Evaluation",
    "LabelledQuery",
    "LabelledSet",
    "Options",
    "Tools",
    "evaluate",
    "leg_ablation",
    "read_set",
    "recall_check",
    "regression",
]
