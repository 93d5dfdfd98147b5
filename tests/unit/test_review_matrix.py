"""What the compliance matrix says of bids: order, proof, doubt, and what it refuses to show as met."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from bidproof import tables
from bidproof.errors import StageError
from bidproof.records import Gate, MatchKind, Status
from bidproof.review.matrix import Matrix, build_matrix
from bidproof.review.model import citation

TENDER, CATALOG = "meters", "c1" * 16
QUOTE = "valid for one hundred twenty (120) days"
MADE = {
    "product_version": "0.1.0",
    "parameters": {"selection": {"k": 3}},
    "code_versions": {"findings": "2", "chunks": "1"},
}


def _key(bidder: str) -> dict[str, str]:
    return {"tender": TENDER, "bidder": bidder, "pack": f"{TENDER}--{bidder}"}


def _rule(rule_id: str, number: int, mandatory: bool, **more: Any) -> dict[str, Any]:
    base = {
        "tender": TENDER,
        "bidder": "",
        "pack": TENDER,
        "catalog_version": CATALOG,
        "area": "Admin",
        "text": f"Rule {rule_id}.",
    }
    return {
        **base,
        "rule_id": rule_id,
        "rule_no": number,
        "mandatory": mandatory,
        "weight": 1.0,
        "draft": False,
        **more,
    }


def _finding(bidder: str, rule_id: str, **more: Any) -> dict[str, Any]:
    base = {
        "catalog_version": CATALOG, "area": "Admin", "mandatory": True, "status": "Pass", "judged_status": "Pass", "quote": QUOTE,
        "match_kind": "exact", "chunk_id": f"{bidder}:c1", "doc_id": f"d-{bidder}", "file_name": "offer.pdf", "page": 47, "page_label": "43",
        "heading_path": "3 Offer", "boxes": [{"page": 47, "x0": 72.04, "y0": 100.0, "x1": 300.0, "y1": 112.0}], "checks_passed": ["quote"],
        "checks_failed": [], "needs_review": False, "review_reason": "", "risk": "Low", "judge": "predicate", "rationale": "120 is over 90.",
    }  # fmt: skip
    return {**_key(bidder), "rule_id": rule_id, **base, **more}


def _missing(bidder: str, rule_id: str, **more: Any) -> dict[str, Any]:
    empty = {
        "status": "Missing",
        "quote": "",
        "match_kind": "none",
        "chunk_id": "",
        "file_name": "",
        "page": None,
        "page_label": "",
        "boxes": [],
    }
    return _finding(bidder, rule_id, **{**empty, **more})


def _chunk(bidder: str, number: int, text: str, page: int = 47) -> dict[str, Any]:
    return {
        **_key(bidder), "doc_id": f"d-{bidder}", "file_name": "offer.pdf", "chunk_id": f"{bidder}:c{number}", "page": page, "pages": [page],
        "heading_path": "3 Offer", "text": text,
    }  # fmt: skip


def _document(bidder: str, name: str, **more: Any) -> dict[str, Any]:
    base = {
        "doc_id": f"d-{bidder}",
        "file_name": "offer.pdf",
        "tender_name": "Smart meters",
        "bidder_name": name,
        "role": "bid",
        "sha256": "ab" * 32,
        "page_count": 50,
        "status": "ok",
        "warnings": [],
    }
    return {**_key(bidder), **base, **more}


def _score(bidder: str, **more: Any) -> dict[str, Any]:
    base = {
        "catalog_version": CATALOG,
        "gate": "pass",
        "gate_reasons": [],
        "technical": 0.5,
        "technical_rules": 2,
        "overall": 0.75,
        "pages": 50,
        "pages_readable": 50,
        "unreadable_files": [],
    }
    return {**_key(bidder), **base, **more}


def _chosen(bidder: str, rule_id: str, order: int, number: int) -> dict[str, Any]:
    return {
        **_key(bidder),
        "rule_id": rule_id,
        "catalog_version": CATALOG,
        "order_no": order,
        "chunk_id": f"{bidder}:c{number}",
        "why": "best",
        "attempt": 1,
        "missing_terms": [],
    }


def _ranked(bidder: str, rule_id: str, rank: int, number: int) -> dict[str, Any]:
    return {
        **_key(bidder),
        "rule_id": rule_id,
        "catalog_version": CATALOG,
        "rank": rank,
        "chunk_id": f"{bidder}:c{number}",
        "evidence_score": 9.0 - rank,
    }


def _frames(**rows: list[dict[str, Any]]) -> dict[str, pl.DataFrame]:
    """Frames of one bidder with one mandatory rule that is met; `rows` replace those of a table."""
    base: dict[str, list[dict[str, Any]]] = {
        "requirements": [_rule("R1", 0, True)],
        "catalogs": [{"tender": TENDER, "catalog_version": CATALOG, "origin": "file", "draft": False, "source_name": "catalog.yaml", "rfp_sha256": "ee" * 32, "author": "buyer"}],
        "documents": [_document("acme", "Acme")],
        "candidates": [_ranked("acme", "R1", 1, 1), _ranked("acme", "R1", 2, 2)],
        "passages": [_chosen("acme", "R1", 1, 1), _chosen("acme", "R1", 2, 2)],
        "chunks": [_chunk("acme", 1, f"Our bid is {QUOTE} from opening."), _chunk("acme", 2, "Another clause.", page=12)],
        "findings": [_finding("acme", "R1")],
        "scores": [_score("acme")],
    }  # fmt: skip
    return {name: tables.TABLES[name].frame(rows.get(name, default)) for name, default in base.items()}


def _matrix(**rows: list[dict[str, Any]]) -> Matrix:
    return build_matrix(**_frames(**rows), provenance=MADE)


def test_a_verdict_carries_its_quote_page_and_passages() -> None:
    cell = _matrix().cell("R1", "acme")
    assert (cell.status, cell.quote, cell.citation, cell.link) == (
        Status.PASS,
        QUOTE,
        "p. 43 (PDF 47)",
        "offer.pdf#page=47",
    )
    assert cell.evidence is not None
    assert cell.evidence.text == f"Our bid is {QUOTE} from opening."
    assert (cell.evidence.citation, cell.evidence.rank, cell.evidence.evidence_score) == (
        "p. 43 (PDF 47)",
        1,
        8.0,
    )
    assert [(p.text, p.citation, p.why) for p in cell.passages] == [("Another clause.", "PDF 12", "best")]
    assert (cell.candidates, cell.boxes[0].x0) == (2, 72.0)


def test_pages_are_cited_by_printed_label_and_place_in_the_file() -> None:
    assert citation(47, "43") == "p. 43 (PDF 47)"
    assert citation(4, "iv") == "p. iv (PDF 4)"
    assert citation(47, "") == "PDF 47"
    assert citation(None, "43") == ""


def test_mandatory_rules_come_first_then_the_order_of_the_catalog() -> None:
    rules = [_rule("T1", 0, False), _rule("R2", 2, True), _rule("R1", 1, True), _rule("T0", 3, False)]
    assert [rule.rule_id for rule in _matrix(requirements=rules).rules] == ["R1", "R2", "T1", "T0"]


def test_bidders_stand_in_the_order_of_their_names_not_of_their_files() -> None:
    documents = [
        _document("a1", "zenith"),
        _document("b2", "Acme"),
        _document("c3", "Écho"),
        _document("d4", ""),
    ]
    matrix = _matrix(documents=documents, scores=[], findings=[])
    assert [bidder.name for bidder in matrix.bidders] == ["Acme", "d4", "zenith", "Écho"]


def test_the_order_of_rows_changes_nothing() -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        "requirements": [_rule("R1", 0, True), _rule("R2", 1, False)],
        "documents": [_document("acme", "Acme"), _document("brig", "Brig")],
        "findings": [_finding(b, r) for b in ("acme", "brig") for r in ("R1", "R2")],
        "scores": [_score("acme"), _score("brig")],
    }
    there, back = _frames(**rows), {name: frame.reverse() for name, frame in _frames(**rows).items()}
    assert build_matrix(**there, provenance=MADE) == build_matrix(**back, provenance=MADE)


def test_a_rule_without_a_finding_is_missing_and_goes_to_a_reviewer() -> None:
    matrix = _matrix(findings=[], scores=[_score("acme", gate="fail")])
    cell = matrix.cell("R1", "acme")
    assert (cell.status, cell.needs_review) == (Status.MISSING, True)
    assert cell.checks_failed == ("judged: no finding is stored",)
    assert matrix.bidders[0].missing == 1


@pytest.mark.parametrize("status", ["Pass", "Partial", "Fail"])
def test_a_verdict_without_a_quote_is_shown_as_missing(status: str) -> None:
    cell = _matrix(findings=[_finding("acme", "R1", status=status, quote=" \x00")]).cell("R1", "acme")
    assert (cell.status, cell.needs_review) == (Status.MISSING, True)
    assert cell.checks_failed == (f"quote: {status} without a quote",)


def test_a_verdict_of_another_catalog_version_is_no_verdict() -> None:
    matrix = _matrix(findings=[_finding("acme", "R1", catalog_version="old" * 10)])
    cell = matrix.cell("R1", "acme")
    assert (cell.status, cell.review_reason) == (
        Status.MISSING,
        "judged under catalog oldoldoldold, not c1c1c1c1c1c1",
    )
    assert matrix.bidders[0].gate is Gate.CANNOT_DECIDE


@pytest.mark.parametrize("kind", ["interleaved", "elided", "none", "guessed"])
def test_a_quote_that_is_not_verbatim_always_needs_a_reviewer(kind: str) -> None:
    cell = _matrix(findings=[_finding("acme", "R1", match_kind=kind)]).cell("R1", "acme")
    assert cell.status is Status.PASS
    assert cell.needs_review
    assert cell.match_kind is (MatchKind.NONE if kind == "guessed" else MatchKind(kind))


def test_a_passed_gate_over_an_unmet_mandatory_rule_cannot_stand() -> None:
    matrix = _matrix(findings=[_missing("acme", "R1")])
    assert matrix.bidders[0].gate is Gate.CANNOT_DECIDE
    assert matrix.bidders[0].gate_reasons == ("The stored gate is pass, yet mandatory rules are not met: R1",)
    assert matrix.warnings == ("acme: the stored gate is pass, yet mandatory rules are not met: R1",)


def test_a_bidder_without_scores_has_no_gate_and_no_points() -> None:
    bidder = _matrix(scores=[]).bidders[0]
    assert (bidder.gate, bidder.technical, bidder.pages) == (Gate.CANNOT_DECIDE, None, 50)


def test_counts_are_those_of_the_cells_shown() -> None:
    rules = [_rule("R1", 0, True), _rule("R2", 1, True), _rule("R3", 2, False), _rule("R4", 3, False)]
    findings = [
        _finding("acme", "R1"), _finding("acme", "R2", status="Partial", needs_review=True), _finding("acme", "R3", status="Fail", match_kind="elided"),
        _missing("acme", "R4"),
    ]  # fmt: skip
    bidder = _matrix(requirements=rules, findings=findings).bidders[0]
    assert (bidder.passed, bidder.partial, bidder.failed, bidder.missing) == (1, 1, 1, 1)
    assert (bidder.to_review, bidder.quotes_verified) == (2, 2)


def test_an_unreadable_file_is_named_even_when_the_scores_do_not_know_it() -> None:
    broken = _document(
        "acme",
        "Acme",
        doc_id="d2",
        file_name="annex.doc",
        status="unreadable",
        warnings=["an Office binary; save it as PDF"],
    )
    bidder = _matrix(documents=[_document("acme", "Acme"), broken]).bidders[0]
    assert bidder.unreadable_files == ("annex.doc",)
    assert bidder.warnings == ("annex.doc: an Office binary; save it as PDF",)


def test_a_missing_rule_shows_the_nearest_candidates_and_its_certificate() -> None:
    certificate = {"looked_in": ["annex A\x07"], "nearest_miss": {"page": 12}}
    cell = _matrix(passages=[], findings=[_missing("acme", "R1", absence=json.dumps(certificate))]).cell(
        "R1", "acme"
    )
    assert [(p.text, p.why, p.rank) for p in cell.passages] == [
        (f"Our bid is {QUOTE} from opening.", "candidate", 1),
        ("Another clause.", "candidate", 2),
    ]
    assert cell.absence == {"looked_in": ["annex A"], "nearest_miss": {"page": 12}}
    assert _matrix(findings=[_missing("acme", "R1", absence="not json")]).cell("R1", "acme").absence == {
        "note": "not json"
    }


def test_a_quote_outside_the_chosen_passages_still_shows_its_context() -> None:
    cell = _matrix(passages=[_chosen("acme", "R1", 1, 2)]).cell("R1", "acme")
    assert cell.evidence is not None
    assert cell.evidence.chunk_id == "acme:c1"
    assert [p.chunk_id for p in cell.passages] == ["acme:c2"]


def test_a_passage_whose_chunk_is_gone_is_reported_not_dropped_quietly() -> None:
    matrix = _matrix(passages=[_chosen("acme", "R1", 1, 1), _chosen("acme", "R1", 2, 9)])
    assert matrix.warnings == ("acme: passage acme:c9 of rule R1 has no chunk: its text is not shown",)


def test_a_verdict_on_a_rule_that_is_not_in_the_catalog_is_reported() -> None:
    matrix = _matrix(findings=[_finding("acme", "R1"), _finding("acme", "R9")])
    assert matrix.warnings == ("acme: a verdict on R9, which is no rule of this catalog, is left out",)


def test_control_characters_are_taken_out_and_reported() -> None:
    matrix = _matrix(
        findings=[_finding("acme", "R1", quote="OK\x00\x16 and signed by hand", rationale="a\r\nb\x1b")]
    )
    cell = matrix.cell("R1", "acme")
    assert (cell.quote, cell.rationale) == ("OK and signed by hand", "a\nb")
    assert matrix.warnings == ("acme: control characters were taken out of the quote for rule R1",)


def test_a_mined_catalog_is_a_draft() -> None:
    assert not _matrix().draft
    assert _matrix(requirements=[_rule("R1", 0, True, draft=True)]).draft


def test_provenance_is_filled_from_the_tables_where_it_is_silent() -> None:
    made = _matrix().provenance
    assert (made.catalog_version, made.rfp_sha256) == (CATALOG, "ee" * 32)
    assert made.files == {"acme/offer.pdf": "ab" * 32}
    assert list(made.code_versions) == ["chunks", "findings"]


def test_unknown_provenance_several_tenders_and_doubled_rows_are_refused() -> None:
    with pytest.raises(StageError, match="provenance field run_id"):
        build_matrix(**_frames(), provenance={"run_id": "x"})
    with pytest.raises(StageError, match="several tenders \\(meters, other\\)"):
        _matrix(scores=[_score("acme", tender="other")])
    with pytest.raises(StageError, match="rule R1 stands twice"):
        _matrix(requirements=[_rule("R1", 0, True), _rule("R1", 1, True)])
    with pytest.raises(StageError, match="two rows for rule R1 of bidder acme"):
        _matrix(findings=[_finding("acme", "R1"), _finding("acme", "R1")])


def test_labels_of_other_pages_come_from_the_pages_table() -> None:
    pages = tables.PAGES.frame([{**_key("acme"), "doc_id": "d-acme", "page": 12, "page_label": "8"}])
    matrix = build_matrix(**_frames(), provenance=MADE, pages=pages)
    assert [p.citation for p in matrix.cell("R1", "acme").passages] == ["p. 8 (PDF 12)"]


def test_a_tender_without_bids_or_rules_makes_an_empty_matrix() -> None:
    matrix = build_matrix(**{name: tables.TABLES[name].empty() for name in _frames()}, provenance={})
    assert (matrix.rules, matrix.bidders, matrix.cells) == ((), (), ())


def test_a_matrix_says_that_the_rfp_is_another_than_its_catalog_was_made_of() -> None:
    # An addendum beside an accepted catalog is in no rule: the verdicts would read as if they followed it.
    record = {
        "tender": TENDER, "catalog_version": CATALOG, "origin": "file", "draft": False,
        "rfp_sha256": "ee" * 32, "rfp_files": [f"addendum-1.pdf {'aa' * 32}", f"rfp.pdf {'bb' * 32}"],
    }  # fmt: skip
    (said,) = _matrix(catalogs=[{**record, "made_of_rfp_sha256": "dd" * 32}]).warnings
    assert said == (
        "The catalog was made of another RFP text (dddddddddddd) than the one in the folder now (eeeeeeeeeeee: "
        "addendum-1.pdf, rfp.pdf): what an addendum changes is not in these rules"
    )
    assert _matrix(catalogs=[{**record, "made_of_rfp_sha256": "ee" * 32}]).warnings == ()
    assert _matrix(catalogs=[{**record, "made_of_rfp_sha256": ""}]).warnings == ()  # it says none


def test_a_matrix_says_what_of_the_rfp_a_person_must_settle() -> None:
    # Two rules that cannot both be meant stand in the matrix as if both were.
    conflict = "addendum-1.pdf p. 1: “For lot 2 ...” is like rfp.pdf p. 2 “...”; which holds is for a person"
    record = {
        "tender": TENDER,
        "catalog_version": CATALOG,
        "origin": "mined",
        "draft": True,
        "conflicts": [conflict],
    }
    assert _matrix(catalogs=[record]).warnings == (f"Left for a person to settle in the RFP: {conflict}",)
