"""Catalog versions and the tables of rules. Holds no reading of files and no derivation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.catalog.formats.files import CatalogFile
from bidproof.records import Predicate, Requirement, Source
from bidproof.tables import CATALOGS, REQUIREMENTS

AUTHOR = "mined by Bidproof"
"""Author of a catalog that no person has accepted."""
_LISTS = ("sentry_terms", "synonyms", "section_hints", "flags", "references", "definitions")


def catalog_version(rules: Sequence[Requirement]) -> str:
    """Digest of the rules' content, 8 hex digits; their order and where they were mined play no part."""
    content = [
        r.model_dump(mode="json", exclude={"sources", "source_page", "source_quote"})
        for r in sorted(rules, key=lambda r: r.rule_id)
    ]
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]


def requirements_table(
    rules: Sequence[Requirement], *, tender: str, version: str, draft: bool
) -> pl.DataFrame:
    """Rules as `tables.REQUIREMENTS`, one row each, in the order given."""
    rows: list[dict[str, object]] = []
    for number, rule in enumerate(rules):
        row = rule.model_dump(mode="python", exclude={"predicates"})
        for name in (*_LISTS, "sources"):
            row[name] = list(row[name])
        row["predicates"] = json.dumps(
            [p.model_dump(mode="json", exclude_defaults=True) for p in rule.predicates], ensure_ascii=False
        )
        row.update(
            tender=tender, bidder="", pack=tender, catalog_version=version, rule_no=number, draft=draft
        )
        rows.append(row)
    return REQUIREMENTS.frame(rows)


def requirements_from_table(frame: pl.DataFrame) -> list[Requirement]:
    """Rules of a `tables.REQUIREMENTS` frame in catalog order: the inverse of `requirements_table`."""
    rules = []
    for row in frame.sort("rule_no").iter_rows(named=True):
        values = {name: row[name] for name in Requirement.model_fields if row.get(name) is not None}
        values["predicates"] = tuple(
            Predicate.model_validate(p) for p in json.loads(row["predicates"] or "[]")
        )
        for name in _LISTS:
            values[name] = tuple(row[name] or ())
        values["sources"] = tuple(Source.model_validate(source) for source in row["sources"] or ())
        rules.append(Requirement.model_validate(values))
    return rules


def rfp_digest(rfp_blocks: pl.DataFrame) -> str:
    """SHA-256 over the RFP's text, block after block in reading order; empty for no text."""
    if rfp_blocks.is_empty():
        return ""
    digest = hashlib.sha256()
    for text in rfp_blocks.sort("file_name", "doc_id", "page", "block_no")["text"]:
        digest.update((text or "").encode() + b"\n")
    return digest.hexdigest()


def other_text(record: Mapping[str, Any]) -> str:
    """What to warn of where the RFP's text is not the one that a catalog was made of; empty where it is, or unknown.

    Args:
        record: a row of `tables.CATALOGS`.
    """
    made, now = record.get("made_of_rfp_sha256") or "", record.get("rfp_sha256") or ""
    if not made or not now or made == now:
        return ""
    files = [one.rpartition(" ")[0] for one in record.get("rfp_files") or ()]
    return (
        f"the catalog was made of another RFP text ({made[:12]}) than the one in the folder now ({now[:12]}"
        f"{': ' if files else ''}{', '.join(files)}): what an addendum changes is not in these rules"
    )


def catalogs_table(
    rules: Sequence[Requirement],
    rfp_blocks: pl.DataFrame,
    rfp_documents: pl.DataFrame,
    *,
    tender: str,
    version: str,
    source: CatalogFile | None,
    parameters: Mapping[str, Any] | None = None,
    superseded: Sequence[str] = (),
    conflicts: Sequence[str] = (),
) -> pl.DataFrame:
    """One row of `tables.CATALOGS` for a catalog version.

    Args:
        rules: rules of the version.
        rfp_blocks: blocks of the RFP, for its text digest.
        rfp_documents: its files, listed with their SHA-256.
        tender: tender slug.
        version: digest from `catalog_version`.
        source: catalog file, or None for a mined draft.
        parameters: parameters of mining and derivation, by group.
        superseded: what addenda replaced, one JSON record each.
        conflicts: places of the RFP that contradict one another, one line each.
    """
    files = (
        rfp_documents.filter(pl.col("role") == "rfp").sort("file_name")
        if "role" in rfp_documents.columns
        else rfp_documents
    )
    names = [f"{name} {sha}" for name, sha in files.select("file_name", "sha256").iter_rows()]
    dates = [rule.submission_date for rule in rules if rule.submission_date]
    text = rfp_digest(rfp_blocks)
    origin = _of_file(source) if source else {
        "origin": "mined", "draft": True, "author": AUTHOR, "made_of_rfp_sha256": text,
        "source_name": ", ".join(files["file_name"]), "submission_date": next(iter(dates), ""),
        "title": "", "created_on": "", "accepted_by": "", "accepted_on": "",
    }  # fmt: skip
    return CATALOGS.frame([{
        "tender": tender, "bidder": "", "pack": tender, "catalog_version": version, "rules": len(rules),
        "mandatory": sum(r.mandatory for r in rules), **origin,
        "rfp_sha256": text, "rfp_files": names,
        "parameters": json.dumps(parameters or {}, sort_keys=True, ensure_ascii=False),
        "superseded": list(superseded), "conflicts": list(conflicts),
    }])  # fmt: skip


def _of_file(source: CatalogFile) -> dict[str, object]:
    """What a catalog file says of itself."""
    return {
        "origin": "file",
        "draft": source.draft,
        "title": source.title,
        "source_name": source.source_name,
        "made_of_rfp_sha256": source.rfp_sha256,
        "author": source.author,
        "created_on": source.created,
        "accepted_by": source.accepted_by,
        "accepted_on": source.accepted_on,
        "submission_date": source.submission_date,
    }
