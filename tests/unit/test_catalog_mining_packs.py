"""Mining held against third-party files beside the checkout: rules of a real RFP, sentences of requirement documents."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from bidproof.catalog import mine
from bidproof.catalog.mining.requirement_language import is_requirement
from bidproof.documents import parse_file
from bidproof.params import CatalogParams, DocumentParams
from bidproof.tables import DOCUMENTS

SHARED = Path(__file__).resolve().parents[3] / "shared"
GOLD = SHARED / "packs" / "gold_vi_nexwave.jsonl"
PURE = SHARED / "evalsets" / "pure_req" / "sentences.jsonl"

pytestmark = pytest.mark.shared


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", text.casefold()))


@pytest.mark.slow
@pytest.mark.skipif(not GOLD.exists(), reason="the packs are not beside the checkout")
def test_every_rule_of_the_gold_is_covered_by_mined_rules_of_its_page() -> None:
    gold = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines() if line]
    path = SHARED / "packs" / gold[0]["rfp_file"]
    blocks = parse_file(path, DocumentParams()).blocks.with_columns(
        pl.lit("d").alias("doc_id"), pl.lit(path.name).alias("file_name")
    )
    mined = mine(blocks, DOCUMENTS.empty(), CatalogParams())
    lacking = []
    for rule in gold:
        wanted = words(rule["rfp_snippet"])
        here = [r for r in mined.rules if any(source.page == rule["rfp_page"] for source in r.sources)]
        said = [words(f"{r.text} {r.source_quote}") for r in here]
        held = {word for one in said if len(one & wanted) >= 2 for word in one}
        if len(wanted & held) < 0.8 * len(wanted):
            lacking.append(rule["id"])
    assert len(gold) == 25
    assert lacking == []
    assert mined == mine(blocks.reverse(), DOCUMENTS.empty(), CatalogParams())


@pytest.mark.skipif(not PURE.exists(), reason="the labelled sentences are not beside the checkout")
def test_requirements_are_told_from_isolated_sentences_better_than_by_keywords() -> None:
    rows = [json.loads(line) for line in PURE.read_text(encoding="utf-8").splitlines() if line]
    told = [(is_requirement(row["text"]), row["label"] == "req") for row in rows]
    right, said, so = sum(a and b for a, b in told), sum(a for a, _ in told), sum(b for _, b in told)
    assert 2 * right / (said + so) >= 0.85
