"""The two dynamic partition sets. Rules are rows, never partitions."""

from __future__ import annotations

import dagster as dg

TENDERS = dg.DynamicPartitionsDefinition(name="tenders")
"""One key a tender: its slug."""

PACKS = dg.DynamicPartitionsDefinition(name="packs")
"""One key a bid pack: `tender--bidder`."""
