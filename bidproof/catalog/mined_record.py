"""What mining made of an RFP, as bytes: mined once, it serves each stage that asks.

Writes and reads; mines nothing.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from bidproof.catalog.building import Built
from bidproof.catalog.mining.rules import LeftOut
from bidproof.catalog.versions.diff import Superseded
from bidproof.records import Requirement


def built_bytes(built: Built) -> bytes:
    """Mined rules with all that is said of their making. Same rules, same bytes."""
    data = {
        "rules": [rule.model_dump(mode="json") for rule in built.rules],
        "left_out": built.left_out,
        "superseded": [one.model_dump(mode="json") for one in built.superseded],
        "conflicts": built.conflicts,
        "omitted": [asdict(one) for one in built.omitted],
    }
    return json.dumps(data, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")


def built_of(raw: bytes) -> Built | None:
    """The inverse of `built_bytes`; None where the bytes are damaged, or of another make."""
    try:
        data = json.loads(raw.decode("utf-8", "surrogatepass"))
        return Built(
            rules=tuple(Requirement.model_validate(one) for one in data["rules"]),
            source=None,
            left_out=tuple(data["left_out"]),
            superseded=tuple(Superseded.model_validate(one) for one in data["superseded"]),
            conflicts=tuple(data["conflicts"]),
            omitted=tuple(LeftOut(**one) for one in data["omitted"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
