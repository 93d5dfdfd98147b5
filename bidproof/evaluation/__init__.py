"""How well the pipeline does on labelled queries. Changes nothing that production paths read."""

from bidproof.evaluation.ablation import LabelledQuery, leg_ablation

__all__ = ["LabelledQuery", "leg_ablation"]
