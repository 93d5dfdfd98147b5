"""Exports of the matrix: the same bytes each time, nothing lost, and nothing in them that runs."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import io
import json
import random
import re
import zipfile
from html.parser import HTMLParser

import openpyxl
import pytest

from bidproof.records import Gate, MatchKind, Status
from bidproof.review.exports import CSV_COLUMNS, guard, to_csv, to_json, to_xlsx
from bidproof.review.html import locate, quote_in_context, script_json, to_html
from bidproof.review.model import Bidder, Catalog, Cell, Matrix, Passage, Provenance, Rule

FORMULA = '=HYPERLINK("http://example.org","pay")'
ATTACK = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)>"


def _cell(rule_id: str, bidder: str, **more: object) -> Cell:
    base: dict[str, object] = {
        "status": Status.PASS, "quote": "valid for 120 days", "match_kind": MatchKind.EXACT, "file_name": "offer.pdf", "page": 47,
        "page_label": "43", "citation": "p. 43 (PDF 47)", "heading_path": "3 Offer", "checks_passed": ("quote", "page"),
    }  # fmt: skip
    return Cell.model_validate({"rule_id": rule_id, "bidder": bidder, **base, **more})


def _matrix(**more: object) -> Matrix:
    base = {
        "tender": "meters",
        "tender_name": "Smart meters",
        "catalog": Catalog(version="c1" * 8, origin="mined", draft=True, source_name="rfp.pdf"),
        "bidders": (
            Bidder(slug="acme", name="Acme <i>Ltd</i>", gate=Gate.PASS, technical=0.75, technical_rules=2, passed=1, missing=1, pages=50, pages_readable=50),
            Bidder(slug="brig", name=FORMULA, gate=Gate.FAIL, gate_reasons=("R1 fails", "-3 days"), failed=1, partial=1, to_review=1, pages=9, pages_readable=8),
        ),
        "rules": (
            Rule(rule_id="R1", number=0, area="Admin", mandatory=True, text="Bid valid for 90 days.", clause_ref="ITB 18"),
            Rule(rule_id="T1", number=1, area="Technical", mandatory=False, text=f"=1+1 {ATTACK}"),
        ),
        "cells": (
            _cell("R1", "acme", quote=ATTACK, evidence=Passage(chunk_id="a:1", file_name="offer.pdf", page=47, text=f"We say {ATTACK} here")),
            _cell("R1", "brig", status=Status.FAIL, quote="@SUM(A1:A9) 60 days"),
            _cell("T1", "acme", status=Status.MISSING, quote="", match_kind=MatchKind.NONE, page=None, file_name="", citation=""),
            _cell("T1", "brig", status=Status.PARTIAL, needs_review=True, review_reason="in doubt", quote="\tindented, and long " + "x" * 40_000),
        ),
        "provenance": Provenance(catalog_version="c1" * 8, rfp_sha256="ee" * 32, parameters={"selection": {"k": 3}}, files={"acme/offer.pdf": "ab" * 32}),
    }  # fmt: skip
    return Matrix.model_validate({**base, **more})


def _rows(matrix: Matrix) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(matrix))))


def test_csv_has_one_row_a_rule_and_bidder() -> None:
    rows = _rows(_matrix())
    assert tuple(rows[0]) == CSV_COLUMNS
    assert [(row["rule_id"], row["bidder"], row["status"]) for row in rows] == [
        ("R1", "acme", "Pass"), ("R1", "brig", "Fail"), ("T1", "acme", "Missing"), ("T1", "brig", "Partial"),
    ]  # fmt: skip
    assert (rows[0]["page"], rows[0]["page_label"], rows[0]["link"]) == ("47", "43", "offer.pdf#page=47")
    assert (rows[2]["page"], rows[2]["link"]) == ("", "")
    assert {row["review_state"] for row in rows} == {"unreviewed"}


def test_no_csv_cell_starts_like_a_formula() -> None:
    rows = _rows(_matrix())
    assert rows[1]["bidder_name"] == "'" + FORMULA
    assert rows[1]["quote"] == "'@SUM(A1:A9) 60 days"
    assert rows[2]["text"].startswith("'=1+1")
    assert rows[3]["quote"].startswith("'\tindented")
    for row in rows:
        assert not [value for value in row.values() if value.strip().startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90 days", "90 days"), ("-5", "'-5"), ("  =1", "'  =1"), ("＝1", "'＝1"), ("", ""), ("a=b", "a=b")],
)
def test_only_what_looks_like_a_formula_is_guarded(text: str, expected: str) -> None:
    assert guard(text) == expected


def test_json_holds_the_whole_record_and_says_that_it_is_unreviewed() -> None:
    data = json.loads(to_json(_matrix()))
    assert (data["format"], data["review_state"], data["draft"]) == ("bidproof.matrix/1", "unreviewed", True)
    assert (
        Matrix.model_validate({k: v for k, v in data.items() if k not in ("format", "review_state", "draft")})
        == _matrix()
    )


def test_xlsx_reads_back_with_all_sheets_verdicts_and_evidence() -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(_matrix())))
    assert book.sheetnames == ["Matrix", "Evidence", "Gate", "Parameters"]
    sheet = book["Matrix"]
    assert (
        sheet["A2"].value
        == "Machine verdicts, not yet reviewed; DRAFT catalog: mined, not accepted by a person"
    )
    assert [cell.value for cell in sheet[4]] == [
        "Rule",
        "Mandatory",
        "Area",
        "Clause",
        "Requirement",
        "Acme <i>Ltd</i>",
        FORMULA,
    ]
    assert [cell.value for cell in sheet[5]] == [
        "R1",
        "mandatory",
        "Admin",
        "ITB 18",
        "Bid valid for 90 days.",
        "Pass",
        "Fail",
    ]
    assert [cell.value for cell in sheet[6]][5:] == ["Missing", "Partial (review)"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("F5", "A4:G6")
    assert sheet["G5"].hyperlink.location == "'Evidence'!A3"
    assert sheet["G5"].fill.start_color.rgb == "FFA92A1C"
    evidence = book["Evidence"]
    heads = [cell.value for cell in evidence[1]]
    third = dict(zip(heads, [cell.value for cell in evidence[3]], strict=True))
    assert (third["Bidder"], third["Status"], third["Page"], third["Link"]) == (
        FORMULA,
        "Fail",
        47,
        "offer.pdf#page=47",
    )
    assert third["Quote"] == "@SUM(A1:A9) 60 days"
    assert third["Checks passed"] == "quote\npage"
    gate = [[cell.value for cell in row] for row in book["Gate"].iter_rows(min_row=2)]
    assert gate[1][:3] == [FORMULA, "fail", "R1 fails\n-3 days"]
    assert gate[0][3:5] == [0.75, None]
    values = {row[1].value: row[2].value for row in book["Parameters"].iter_rows(min_row=2)}
    assert (values["selection.k"], values["acme/offer.pdf"]) == (3, "ab" * 32)


def test_no_xlsx_cell_is_a_formula_or_a_web_link() -> None:
    with zipfile.ZipFile(io.BytesIO(to_xlsx(_matrix()))) as parts:
        sheets = [parts.read(name).decode() for name in parts.namelist() if name.startswith("xl/worksheets/")]
    assert not [sheet for sheet in sheets if "<f>" in sheet or "<f " in sheet or "r:id=" in sheet]


def test_text_beyond_the_limit_of_a_cell_is_cut_and_says_so() -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(_matrix())))
    quote = book["Evidence"]["H5"].value
    assert len(quote) <= 32_767
    assert quote.endswith("the JSON export has all]")


def test_the_same_matrix_gives_the_same_bytes() -> None:
    assert to_xlsx(_matrix()) == to_xlsx(_matrix())
    assert to_html(_matrix()) == to_html(_matrix())


class _Tags(HTMLParser):
    """Elements of a page with their attributes, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_html_asks_the_network_for_nothing_and_escapes_all_text() -> None:
    page = to_html(_matrix())
    tags = _Tags(page).seen
    names = [tag for tag, _ in tags]
    assert not {"img", "link", "iframe", "object", "embed", "base", "i"} & set(names)
    assert (names.count("script"), names.count("style")) == (2, 1)
    for _, attributes in tags:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("src", "action", "style")
        ]
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] for _, a in tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "Acme &lt;i&gt;Ltd&lt;/i&gt;" in page


def test_the_policy_allows_exactly_the_style_and_script_that_are_there() -> None:
    page = to_html(_matrix())
    for part in (
        re.findall(r"<style>(.*?)</style>", page, re.S),
        re.findall(r"<script>(.*?)</script>", page, re.S),
    ):
        assert len(part) == 1
        digest = base64.b64encode(hashlib.sha256(part[0].encode()).digest()).decode()
        assert f"sha256-{digest}" in html.unescape(page)


def test_embedded_json_cannot_end_its_element_and_reads_back() -> None:
    text = script_json({"a": ATTACK + "\u2028&"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": ATTACK + "\u2028&"}


def test_a_quote_is_found_in_its_passage_across_line_breaks() -> None:
    assert locate("120 days", "valid for 120\n  days from opening") == (10, 20)
    assert locate("150 days", "valid for 120 days") is None
    assert locate("  ", "valid") is None
    assert quote_in_context("120 days", "We are valid for 120 days from the opening", 12) == (
        "… valid for ",
        "120 days",
        " from the …",
    )


WORDS = (
    "guarantee",
    "meter",
    "price",
    "delivery",
    "contract",
    "days",
    "percent",
    "security",
    "bidder",
    "annex",
    "class",
)


def _large(bidders: int, rules: int) -> Matrix:
    chance = random.Random(7)

    def text(count: int) -> str:
        return " ".join(chance.choice(WORDS) + str(chance.randint(1, 99)) for _ in range(count))

    slugs = [f"bidder-{n:02d}" for n in range(bidders)]
    cells = []
    for rule in range(rules):
        for slug in slugs:
            passage = Passage(chunk_id=f"{slug}:{rule}", file_name="offer.pdf", page=rule + 1, text=text(110))
            quote = " ".join(passage.text.split()[40:60])
            cells.append(
                _cell(
                    f"R{rule:03d}",
                    slug,
                    quote=quote,
                    rationale=text(15),
                    evidence=passage,
                    passages=(passage, passage),
                )
            )
    return _matrix(
        bidders=tuple(Bidder(slug=slug, name=slug.title(), gate=Gate.PASS) for slug in slugs),
        rules=tuple(
            Rule(rule_id=f"R{n:03d}", number=n, area="Admin", mandatory=n < 100, text=text(16))
            for n in range(rules)
        ),
        cells=tuple(cells),
    )


def test_twelve_bidders_and_three_hundred_rules_stay_a_file_that_can_be_mailed() -> None:
    page = to_html(_large(12, 300))
    assert 'data-encoding="deflate"' in page
    assert len(page.encode()) < 3_000_000
