"""What confirmed evidence of a rule looks like: the mean of its passages' unit vectors, its prototype.

Holds how prototypes are made, stored and asked. Must not hold who confirms evidence or whether learning from it helps
(`evaluation`), nor what likeness to a prototype is worth (`second_look`). Nothing is trained: a prototype is evidence
itself, and each row names what confirmed it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bidproof.learning_tables import PROTOTYPES
from bidproof.records import Record
from bidproof.retrieval.embedding import Cache, Embedder, Vectors, encode_documents


class ConfirmedPassage(Record):
    """A passage that a person confirmed as evidence of a rule.

    `pack` is the pack that holds it, `source` what confirmed it: a labelled item or an override event.
    """

    rule_id: str
    rule_text: str
    pack: str
    text: str
    source: str


def rule_digest(text: str) -> str:
    """SHA-256 (hex) of a rule's words, spaces apart: what was learned for a rule holds as long as it reads the same."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def prototype_rows(
    confirmed: Iterable[ConfirmedPassage],
    embedder: Embedder,
    tender: str = "",
    catalog_version: str = "",
    cache: Cache | None = None,
) -> pl.DataFrame:
    """Rows of `tables.PROTOTYPES`, one a rule and pack, in that order. One passage counts once in a pack.

    Each text is encoded alone, so that a row does not depend on what else was confirmed.
    """
    texts: dict[tuple[str, str, str], dict[str, set[str]]] = {}
    for one in confirmed:
        words = " ".join(one.text.split())
        if words:
            key = one.rule_id, rule_digest(one.rule_text), one.pack
            texts.setdefault(key, {}).setdefault(words, set()).add(one.source)
    every = sorted(set().union(*texts.values()))
    vectors = dict(zip(every, encode_documents([[text] for text in every], embedder, cache), strict=True))
    rows: list[dict[str, Any]] = []
    for (rule_id, digest, pack), passages in sorted(texts.items()):
        total = np.sum([vectors[text] for text in sorted(passages)], axis=0, dtype=np.float32)
        rows.append({
            "tender": tender, "bidder": "", "pack": tender, "rule_id": rule_id, "catalog_version": catalog_version,
            "rule_sha256": digest, "evidence_pack": pack, "passages": len(passages),
            "sources": sorted(set().union(*passages.values())), "embedder": embedder.fingerprint, "vector": total.tolist(),
        })  # fmt: skip
    return PROTOTYPES.frame(rows)


@dataclass(frozen=True)
class Prototype:
    """Unit vector along the mean of a rule's confirmed passages, and the number of packs that they are of."""

    vector: Vectors
    packs: int


class Prototypes:
    """Prototypes of a catalog's rules, ready to be asked.

    Args:
        rows: rows of `tables.PROTOTYPES`.
    """

    def __init__(self, rows: pl.DataFrame) -> None:
        self._sums: dict[str, list[tuple[str, Vectors]]] = {}
        self.embedder = ""
        columns = ("rule_sha256", "evidence_pack", "vector", "embedder")
        for digest, pack, vector, embedder in (
            rows.sort("rule_id", "evidence_pack").select(columns).iter_rows()
        ):
            self._sums.setdefault(digest, []).append((pack, np.asarray(vector, dtype=np.float32)))
            self.embedder = embedder

    def __bool__(self) -> bool:
        return bool(self._sums)

    def of(self, rule_text: str, without: str = "") -> Prototype | None:
        """Prototype of a rule's evidence in all packs but `without`; None where no other pack has any.

        A pack is never ranked by what was confirmed in itself: that would only repeat the reviewer's own click.
        """
        kept = [one for one in self._sums.get(rule_digest(rule_text), []) if one[0] != without]
        total = np.sum([one for _, one in kept], axis=0) if kept else np.zeros(0, dtype=np.float32)
        length = float(np.linalg.norm(total))
        if not np.isfinite(length) or length <= 1e-6:
            return None
        # Two rules of the same words have a row each of the same pack.
        packs = len({pack for pack, _ in kept})
        return Prototype((total / length).astype(np.float32), packs)


def sources_of(rows: pl.DataFrame, rule_ids: Sequence[str]) -> list[str]:
    """What confirmed the evidence behind some rules, sorted: for whoever asks why a passage was ranked up."""
    named = rows.filter(pl.col("rule_id").is_in(list(rule_ids)))["sources"].explode()
    return sorted(set(named.drop_nulls().to_list()))
