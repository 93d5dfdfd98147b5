"""What other parameters would change in the packs of a warehouse, without a model call and without writing a table."""

from bidproof.evaluation.replay.differences import UNKNOWN, ChunkChange, RuleReplay
from bidproof.evaluation.replay.gold import Gold
from bidproof.evaluation.replay.recomputing import Tools
from bidproof.evaluation.replay.replaying import PackReplay, Replay, Totals, chosen_packs, totals
from bidproof.evaluation.replay.sweeping import Grid, in_order, sweep, table_bytes

__all__ = [
    "UNKNOWN",
    "ChunkChange",
    "Gold",
    "Grid",
    "PackReplay",
    "Replay",
    "RuleReplay",
    "Tools",
    "Totals",
    "chosen_packs",
    "in_order",
    "sweep",
    "table_bytes",
    "totals",
]
