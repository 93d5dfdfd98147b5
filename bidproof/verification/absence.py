"""The absence certificate of a Missing verdict: where one looked, what could be read, what came nearest.

Belongs here: the facts behind "not found". Does not belong here: the verdict itself, and the gate that
follows from it (`bidproof.scoring`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.facts import fold
from bidproof.intake.unpacking import CONTAINER_KINDS
from bidproof.judging import Passage
from bidproof.judging.units import units_of
from bidproof.judging.words import MEASURE_GENERIC, concept_terms, seen_terms, words_of
from bidproof.records import Requirement

UNREADABLE = frozenset({"garbled", "unreadable"})
_EXCERPT = 300


def page_runs(pages: Iterable[int]) -> str:
    """Page numbers as runs, e.g. '3-5, 9'."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


class Readability:
    """What of a pack could be read, and which pages stand under which headings."""

    def __init__(self, documents: pl.DataFrame, pages: pl.DataFrame, chunks: pl.DataFrame) -> None:
        """Index the frames of one pack."""
        self.total = pages.height
        self.names = {r["doc_id"]: r["file_name"] for r in pages.iter_rows(named=True)}
        self.unreadable: dict[str, set[int]] = {}
        for row in pages.filter(pl.col("status").is_in(list(UNREADABLE))).iter_rows(named=True):
            self.unreadable.setdefault(row["doc_id"], set()).add(row["page"])
        self.closed_files = sorted(
            r["file_name"]
            for r in documents.iter_rows(named=True)
            if r["status"] != "ok"
            or (not r["page_count"] and not r["duplicate_of"] and r["kind"] not in CONTAINER_KINDS)
        )
        self._headings: dict[tuple[str, str], set[int]] = {}
        for row in chunks.select("doc_id", "heading_path", "pages").iter_rows(named=True):
            self._headings.setdefault((row["doc_id"], row["heading_path"]), set()).update(row["pages"] or ())

    def section(self, hints: Sequence[str]) -> dict[str, set[int]]:
        """Pages under headings that name all that a hint names, by document, and the pages beside them."""
        wanted = [set(concept_terms([hint.split(">")[-1]], generic=MEASURE_GENERIC)) for hint in hints]
        found: dict[str, set[int]] = {}
        for (doc_id, heading), pages in self._headings.items():
            stems = {word.stem for word in words_of(heading)}
            if pages and any(terms and terms <= stems for terms in wanted):
                found.setdefault(doc_id, set()).update(range(min(pages) - 1, max(pages) + 2))
        return {doc_id: {p for p in pages if p >= 1} for doc_id, pages in found.items()}


def _unseen(requirement: Requirement, shown: Sequence[Passage], missing: Iterable[str]) -> list[str]:
    text = fold(" ".join(passage.text for passage in shown))
    return sorted({*missing, *(term for term in requirement.sentry_terms if fold(term) not in text)})


def nearest_miss(requirement: Requirement, shown: Sequence[Passage]) -> dict[str, Any] | None:
    """The unit of the judged passages that names most of the rule's concepts, if any does."""
    terms = concept_terms([requirement.text], generic=MEASURE_GENERIC)
    best: tuple[float, int, str, int] | None = None
    miss: dict[str, Any] | None = None
    for passage in shown:
        for unit in units_of(passage):
            seen = len(seen_terms(terms, [w.stem for w in unit.words], requirement.synonyms))
            rank = (-seen, len(unit.text), passage.chunk_id, unit.start)
            if seen and (best is None or rank < best):
                best = rank
                miss = {
                    "file_name": passage.file_name,
                    "page": unit.pages[0],
                    "chunk_id": passage.chunk_id,
                    "text": unit.text[:_EXCERPT],
                    "terms_seen": seen,
                    "terms": len(terms),
                }
    return miss


def absence_certificate(
    requirement: Requirement,
    readability: Readability,
    shown: Sequence[Passage],
    candidates: int,
    missing_terms: Iterable[str],
    attempts: int,
) -> Mapping[str, Any]:
    """What backs a Missing verdict, ready for JSON.

    `could_stand_unread` says whether the answer may stand where nobody could read: in a file that could
    not be opened, or on an unreadable page of the hinted section (of the whole pack when no heading
    matches a hint).
    """
    section = readability.section(requirement.section_hints)
    relevant = {
        doc_id: pages & section.get(doc_id, set()) if section else pages
        for doc_id, pages in readability.unreadable.items()
    }
    unread = sum(len(pages) for pages in readability.unreadable.values())
    return {
        "hints": list(requirement.section_hints),
        "section_found": bool(section),
        "section": [
            {
                "file_name": readability.names.get(doc_id, doc_id),
                "pages": page_runs(pages),
                "unreadable": page_runs(relevant.get(doc_id, ())),
            }
            for doc_id, pages in sorted(section.items())
        ],
        "pages_total": readability.total,
        "pages_unreadable": unread,
        "unreadable": [
            {"file_name": readability.names.get(doc_id, doc_id), "pages": page_runs(pages)}
            for doc_id, pages in sorted(readability.unreadable.items())
        ],
        "unreadable_files": readability.closed_files,
        "could_stand_unread": bool(readability.closed_files) or any(relevant.values()),
        "attempts": attempts,
        "candidates": candidates,
        "passages": [passage.chunk_id for passage in shown if not passage.context],
        "terms_unseen": _unseen(requirement, shown, missing_terms),
        "nearest_miss": nearest_miss(requirement, shown),
    }
