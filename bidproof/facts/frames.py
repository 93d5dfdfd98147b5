"""Facts and tags of chunks as warehouse tables. Finds nothing itself."""

from __future__ import annotations

import re

import polars as pl

from bidproof.facts.finder import find_facts
from bidproof.params import FactParams
from bidproof.records import Fact
from bidproof.tables import FACTS, TAGS

_DOCUMENT = ("tender", "bidder", "pack", "doc_id", "file_name")
_BOND = re.compile(
    r"\b(?:(?:bid|tender|proposal|performance|advance payment|retention|parent company|bank|"
    r"payment)[\s-]+(?:bonds?|securit(?:y|ies)|guarantees?|suret(?:y|ies))"
    r"|surety bonds?|bid[\s-]securing|earnest money|EMD|cautions?|cautionnements?|garanties? (?:de "
    r"soumission|d['’]offre|de bonne ex[ée]cution|bancaires?|[àa] premi[èe]re demande)|retenue de "
    r"garantie)\b",
    re.IGNORECASE,
)
_TAG_OF_KIND = {
    "money": "money",
    "percent": "percent",
    "days": "days",
    "standard": "iso",
    "form": "form",
    "date": "date",
    "obligation": "must",
}


def facts_table(chunks: pl.DataFrame, params: FactParams) -> pl.DataFrame:
    """Facts of all chunks, one row each, shape `tables.FACTS`, in order of chunk and offset.

    The page is that of the chunk's span in which the fact starts; a repeated table header, which no span
    covers, counts as the chunk's first page. The language of the chunk settles decimal commas.
    """
    rows: list[dict[str, object]] = []
    seen: dict[tuple[str, str], list[Fact]] = {}
    columns = [*_DOCUMENT, "chunk_id", "page", "text", "language", "spans"]
    for chunk in chunks.sort("pack", "chunk_id").select(columns).iter_rows(named=True):
        key = (chunk["text"] or "", chunk["language"] or "")
        if key not in seen:
            seen[key] = find_facts(key[0], language=key[1], day_first=params.day_first)
        for number, fact in enumerate(seen[key]):
            row: dict[str, object] = {name: chunk[name] for name in _DOCUMENT}
            row.update(
                chunk_id=chunk["chunk_id"],
                fact_no=number,
                page=page_at(chunk["spans"] or [], fact.start, chunk["page"]),
            )
            row.update(fact.model_dump())
            row["readings"] = list(fact.readings)
            rows.append(row)
    return FACTS.frame(rows)


def page_at(spans: list[dict[str, int]], offset: int, default: int) -> int:
    """Physical page of the character at `offset` of a chunk's text."""
    for span in spans:
        if span["start"] <= offset < span["end"]:
            return span["page"]
    return default


def fact_of_row(row: dict[str, object]) -> Fact:
    """The fact of one row of `tables.FACTS`."""
    values = {name: row[name] for name in Fact.model_fields if name in row}
    readings = row.get("readings")
    values["readings"] = tuple(readings) if isinstance(readings, list | tuple) else ()
    return Fact.model_validate({name: value for name, value in values.items() if value is not None})


def tags_table(chunks: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """Tags of all chunks, one row a chunk and tag, shape `tables.TAGS`, with the number of facts behind each.

    money, percent, days, iso (any standard), form, date and must (any obligation) are views of the facts;
    `bond` counts the words for securities and `table` marks row chunks.
    """
    counts: dict[tuple[str, str, str], int] = {}
    for pack, chunk_id, kind in facts.select("pack", "chunk_id", "kind").iter_rows():
        if tag := _TAG_OF_KIND.get(kind):
            counts[pack, chunk_id, tag] = counts.get((pack, chunk_id, tag), 0) + 1
    rows: list[dict[str, object]] = []
    for chunk in chunks.select(*_DOCUMENT, "chunk_id", "kind", "text").iter_rows(named=True):
        pack, chunk_id = chunk["pack"], chunk["chunk_id"]
        if bonds := bond_mentions(chunk["text"] or ""):
            counts[pack, chunk_id, "bond"] = bonds
        if chunk["kind"] == "row":
            counts[pack, chunk_id, "table"] = 1
        owner = {name: chunk[name] for name in _DOCUMENT}
        tagged = [(tag, counts[pack, chunk_id, tag]) for tag in TAG_NAMES if (pack, chunk_id, tag) in counts]
        rows.extend({**owner, "chunk_id": chunk_id, "tag": tag, "hits": hits} for tag, hits in tagged)
    return TAGS.frame(rows).sort("pack", "chunk_id", "tag")


def bond_mentions(text: str) -> int:
    """How often `text` names a bid, performance or other financial security, never "information security"."""
    return sum(1 for _ in _BOND.finditer(text))


TAG_NAMES = ("money", "percent", "days", "bond", "iso", "form", "date", "must", "table")
