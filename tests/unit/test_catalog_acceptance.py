"""What an auditor asks of a catalog version, point by point: what holds, and what does not and for which rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.frames import catalog_version, catalogs_table, rfp_digest
from bidproof.catalog.predicates.derivation import derive
from bidproof.catalog.versions.acceptance import POINTS, AuditPoint, audit_points
from bidproof.records import Requirement, Source
from bidproof.tables import BLOCKS, DOCUMENTS

LINES = (
    "Bids are valid for at least 120 calendar days.",
    "The bid security is 2% of the",
    "total bid price.",
    "Availability | 99.9 %",
)


def blocks(*texts: str) -> pl.DataFrame:
    return BLOCKS.frame([
        {"doc_id": "d", "file_name": "rfp.pdf", "page": 3, "block_no": n, "kind": "paragraph", "text": text, "heading_path": ""}
        for n, text in enumerate(texts)
    ])  # fmt: skip


def rule(rule_id: str, text: str, *quotes: str, page: int = 3) -> Requirement:
    sources = tuple(Source(file_name="rfp.pdf", page=page, quote=quote) for quote in quotes)
    return derive(Requirement(rule_id=rule_id, area="A", mandatory=True, text=text, sources=sources))


RULES = [
    rule("R1", LINES[0], LINES[0]),
    rule(
        "R2",
        "The bid security is 2% of the total bid price.",
        "The bid security is 2% of the total bid price.",
    ),
    rule("R3", "Availability of 99.9 %.", "Availability  99.9 %"),
]


PARAMETERS = {"catalog": {"min_rule_words": 5}}


def points(
    rules: list[Requirement] = RULES,
    rfp: pl.DataFrame | None = None,
    *,
    version: str | None = None,
    parameters: Mapping[str, Any] = PARAMETERS,
    conflicts: Sequence[str] = (),
    **told: str,
) -> dict[str, AuditPoint]:
    """The audit points by name; `told` are fields of the catalog's head."""
    made_of = blocks(*LINES)
    head = {
        "author": "J. Doe", "created": "2026-01-05", "status": "accepted", "accepted_by": "M. Roe",
        "accepted_on": "2026-01-07", "rfp_sha256": rfp_digest(made_of),
    }  # fmt: skip
    file = CatalogFile.model_validate({"rules": rules, "source_name": "catalog.yaml", **head, **told})
    record = catalogs_table(
        rules, made_of, DOCUMENTS.empty(), tender="t", source=file, parameters=parameters, conflicts=conflicts,
        version=catalog_version(rules) if version is None else version,
    )  # fmt: skip
    found = audit_points(rules, record.row(0, named=True), made_of if rfp is None else rfp)
    assert [point.name for point in found] == list(POINTS)
    return {point.name: point for point in found}


def short(found: dict[str, AuditPoint]) -> dict[str, str]:
    return {point.name: point.found for point in found.values() if not point.holds}


def test_all_points_hold_of_an_accepted_catalog_whose_sources_stand() -> None:
    assert short(points()) == {}


@pytest.mark.parametrize(
    ("what", "name", "found"),
    [
        ({"author": ""}, "author", "no author is named"),
        ({"created": ""}, "created", "the file names no day"),
        ({"accepted_by": ""}, "acceptance", "no person, 2026-01-07"),
        ({"accepted_on": ""}, "acceptance", "M. Roe, no day"),
        ({"rfp_sha256": ""}, "rfp_hash", "the catalog does not say which RFP text it was made from"),
        ({"parameters": {}}, "parameters", "no parameters are stored"),
        ({"conflicts": ["p. 3 against p. 9"]}, "no_conflicts", "p. 3 against p. 9"),
    ],
)
def test_a_point_that_does_not_hold_is_named(what: dict[str, Any], name: str, found: str) -> None:
    assert short(points(**what)) == {name: found}


def test_a_draft_is_neither_accepted_nor_free_of_drafts() -> None:
    assert set(short(points(status="draft"))) == {"acceptance", "no_draft"}


def test_an_rfp_that_changed_since_is_seen_by_its_hash_and_by_quotes_that_no_longer_stand() -> None:
    found = points(rfp=blocks(LINES[0].replace("120", "150"), *LINES[1:]))
    assert set(short(found)) == {"rfp_hash", "sources"}
    assert found["sources"].says == "sources: the words of 1 rules do not stand on the page named (R1)"


def test_rules_without_words_of_the_rfp_or_with_words_of_another_page_are_named() -> None:
    rules = [*RULES, rule("R4", "Bids are in English."), rule("R5", LINES[0], LINES[0], page=7)]
    assert points(rules)["sources"].rules == ("R4", "R5")


def test_a_record_of_other_rules_is_found_out() -> None:
    assert set(short(points(version="00000000"))) == {"version"}
