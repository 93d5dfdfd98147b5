"""What other parameters would change in the packs of a warehouse, without a model call and without writing a table."""

from bidproof.evaluation.replay.differences import UNKNOWN, ChunkChange, RuleReplay
from bidproof.evaluation.replay.recomputing import Tools
from bidproof.evaluation.replay.replaying import PackReplay, Replay, Totals, chosen_packs, totals

__all__ = [
    "UNKNOWN",
    "ChunkChange",
    "PackReplay",
    "Replay",
    "RuleReplay",
    "Tools",
    "Totals",
    "chosen_packs",
    "totals",
]
