"""Headings: statements of accounts under any of their names, and titles whose words a rule has."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import LexicalIndex, build_lexical_index, find_candidates, select_passages
from bidproof.retrieval.accounts import (
    Statement,
    statements_entitled,
    statements_measured,
    statements_named,
)
from bidproof.retrieval.headings import PackHeadings
from bidproof.tables import CHUNKS, FACTS, TAGS

BALANCE, INCOME, CASH, EQUITY = Statement.BALANCE, Statement.INCOME, Statement.CASH, Statement.EQUITY


def _chunk(number: int, title: str, text: str, path: str = "") -> dict[str, object]:
    return {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d1", "file_name": "d1.pdf",
        "chunk_id": f"d1:p{number}_c01", "page": number, "pages": [number], "heading_path": path or title,
        "section_no": "", "section_title": title, "kind": "text", "text": text, "tokens": 50, "body_start": 0,
        "spans": [], "language": "en", "references": [], "quality": 80,
    }  # fmt: skip


def _headings(*titles: str) -> PackHeadings:
    chunks = CHUNKS.frame([_chunk(number, title, "works") for number, title in enumerate(titles, 1)])
    index = LexicalIndex.from_table(build_lexical_index(chunks, Params().retrieval))
    return PackHeadings(titles, titles, index)


def _rule(text: str, *hints: str) -> Requirement:
    return Requirement(rule_id="R1", area="Finance", mandatory=True, text=text, section_hints=hints)


def _candidates(rows: Sequence[dict[str, object]], rule: Requirement, **given: object) -> pl.DataFrame:
    chunks = CHUNKS.frame(list(rows))
    params = Params.model_validate({"retrieval": given}).retrieval
    lexical = LexicalIndex.from_table(build_lexical_index(chunks, params))
    return find_candidates(
        [rule], chunks, FACTS.empty(), TAGS.empty(), lexical, None, None, CHUNKS.empty(), params
    )


@pytest.mark.parametrize(
    ("title", "statement"),
    [
        ("CONSOLIDATED BALANCE SHEETS (in millions, except per share data)", BALANCE),
        ("Statement of Financial Position as at 31 December 2025", BALANCE),
        ("Statements of Consolidated Financial Condition", BALANCE),
        ("Bilan", BALANCE),
        ("Acme Ltd and Subsidiaries Consolidated Statements of Operations - (continued)", INCOME),
        ("Consolidated Statements of Income (Loss)", INCOME),
        ("Statement of profit or loss", INCOME),
        ("Profit and loss account for the year ended 31 March 2026", INCOME),
        ("Compte de résultat consolidé", INCOME),
        ("CONSOLIDATED STATEMENTS OF INCOME/(LOSS) Years ended December 31, 2025 and 2024", INCOME),
        ("Consolidated statements of earnings and comprehensive earnings, dollars in millions", INCOME),
        ("Consolidated balance sheets December 31, 2025 and 2024", BALANCE),
        ("Condensed consolidated statements of cash flows (unaudited)", CASH),
        ("Cash flow statement", CASH),
        ("Tableau des flux de trésorerie", CASH),
        ("Consolidated statements of changes in shareholders\u2019 equity", EQUITY),
    ],
)
def test_the_title_of_a_statement_is_known_by_any_of_its_names(title: str, statement: Statement) -> None:
    assert statements_entitled(title) == {statement}


@pytest.mark.parametrize(
    "title",
    [
        "Consolidated statements of comprehensive income",
        "Supplemental balance sheet information",
        "Notes to the consolidated financial statements",
        "Bilan carbone du chantier",
        "Method statement",
        "Balance sheet hedges, amounts in millions",
        "Cash collection",
        "",
    ],
)
def test_a_title_about_accounts_is_no_statement(title: str) -> None:
    assert statements_entitled(title) == frozenset()


def test_a_text_names_statements_and_a_measure_stands_in_one() -> None:
    assert statements_named("Answer from the P&L statement and the balance sheet.") == {INCOME, BALANCE}
    assert statements_named("Joindre le bilan comptable des trois dernières années.") == {BALANCE}
    assert statements_named("Dresser le bilan des visites du site.") == frozenset()
    assert statements_measured("Is the working capital positive?") == {BALANCE}
    assert statements_measured("How high is the inventory turnover?") == {BALANCE, INCOME}
    assert statements_measured("What was the capital expenditure in 2025?") == {CASH}
    assert statements_measured("Who leads the project team?") == frozenset()


def test_only_a_question_is_left_to_the_accounts_for_a_measure() -> None:
    headings = _headings("Consolidated balance sheets", "Financial capacity")
    question, rule = (
        _rule("Is the working capital positive?"),
        _rule("The working capital shall be positive."),
    )
    assert headings.hinted(question).tolist() == [1.0, 0.0]
    assert headings.hinted(rule).tolist() == [0.0, 0.0]
    assert headings.hinted(_rule("The balance sheet shall be audited.")).tolist() == [1.0, 0.0]


def test_a_statement_without_a_word_of_the_question_is_found_and_shown() -> None:
    rows = [_chunk(n, "Letter", f"We plan to hire {n} crews of workers next season.") for n in range(1, 6)]
    rows += [
        _chunk(6, "Risks", "Working capital can be tight; working capital needs vary with the season."),
        _chunk(7, "Consolidated Balance Sheets", "Total current assets 40 Total current liabilities 25"),
    ]
    rule = _rule("Is the working capital positive?")
    found = _candidates(rows, rule)
    hit = found.filter(pl.col("chunk_id") == "d1:p7_c01").row(0, named=True)
    assert (hit["bm25_rank"], hit["clause_rank"], hit["score_section"]) == (None, 1, 1.5)
    chosen = select_passages([rule], found, CHUNKS.frame(rows), FACTS.empty(), Params().selection)
    assert "d1:p7_c01" in chosen["chunk_id"].to_list()


def test_a_title_counts_by_the_share_of_its_words_that_the_rule_has() -> None:
    headings = _headings(
        "Acquisitions", "Acquisitions and divestitures", "Goods to be delivered on site", "3.2"
    )
    assert headings.named(["acquisit"]).tolist() == [1.0, 0.0, 0.0, 0.0]
    rarer = headings.named(["divestitur"]).tolist()
    assert (rarer[0], rarer[2], rarer[3]) == (0.0, 0.0, 0.0)
    assert rarer[1] == pytest.approx(1.2040 / (1.2040 + 0.6931), abs=1e-3)
    assert headings.named(["acquisit", "divestitur", "good"]).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert headings.named([]).tolist() == [0.0] * 4


def test_a_title_adds_only_what_exceeds_a_hint() -> None:
    rows = [
        _chunk(1, "Quality plan", "We work with care."),
        _chunk(2, "Prices", "We work with care."),
        _chunk(3, "Team", "We work with care."),
    ]
    rule = _rule("A quality plan is enclosed with the prices.", "Prices")
    by_id = {row["page_of"]: row for row in _with_pages(_candidates(rows, rule))}
    assert by_id[1]["score_title"] == pytest.approx(0.75)
    assert (by_id[2]["score_section"], by_id[2]["score_title"]) == (1.5, 0.0)
    assert _candidates(rows, rule, score_title=0.0)["score_title"].sum() == 0.0


def _with_pages(found: pl.DataFrame) -> list[dict[str, object]]:
    pages = found["chunk_id"].str.extract(r":p(\d+)_", 1).cast(pl.Int64)
    return found.with_columns(pages.alias("page_of")).to_dicts()


def test_headings_of_an_empty_pack_fit_nothing() -> None:
    headings = _headings()
    assert headings.named(["plan"]).shape == (0,)
    assert np.asarray(headings.hinted(_rule("The balance sheet shall be audited."))).shape == (0,)


def test_the_order_in_which_words_are_hashed_moves_no_share() -> None:
    """A sum in another order differs in its last bits, and with it the bytes of the candidates."""
    program = (
        "from bidproof.params import Params; from bidproof.retrieval import *; from bidproof.tables import CHUNKS;"
        "from bidproof.retrieval.headings import PackHeadings; words = 'alpha beta gamma delta epsilon zeta eta theta'.split();"
        "rows = [dict(chunk_id=f'c{n}', doc_id='d', page=1, text=' '.join(words[n:] + words[:1]), language='en') for n in range(8)];"
        "index = LexicalIndex.from_table(build_lexical_index(CHUNKS.frame(rows), Params().retrieval));"
        "print(PackHeadings([' '.join(words)] * 8, [' '.join(words)] * 8, index).named(words[:6])[0].hex())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert said != {b""}
