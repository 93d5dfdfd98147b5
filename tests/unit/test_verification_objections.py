"""Statements that speak against a Pass in other words: found by likeness, and shown to a person."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import polars as pl
import pytest

from bidproof.catalog import derive
from bidproof.chunking import chunk_blocks
from bidproof.facts import facts_table
from bidproof.judging import RfpShingles, judge_pack
from bidproof.params import Params, VerificationParams
from bidproof.records import Requirement
from bidproof.retrieval import DenseIndex, KeptVectors, PackagedMiniLM, build_dense_index
from bidproof.tables import BLOCKS, CANDIDATES, CHUNKS, DOCUMENTS, PAGES, PASSAGES
from bidproof.verdict_tables import ESCALATIONS
from bidproof.verification import find_objections, verify_findings

PACK = {"tender": "meters", "bidder": "acme", "pack": "meters--acme"}
DOC = {**PACK, "doc_id": "doc", "file_name": "bid.pdf"}
RULE = "Defective meters are replaced within 5 working days of notification."
PROOF = "Defective meters are replaced within 4 working days of notification."
SWAP = "Swapping a faulty meter takes ten working days."
NOTHING = VerificationParams(objection_likeness=0.0)
TOPICS = (
    "The crew wears helmets and gloves at every site.", "Invoices are sent at the end of each quarter.",
    "Our company was founded in a small town by the sea.", "Two trucks carry the goods from the port.",
    "The training room has seats for twenty people.", "A steering committee meets every month.",
    "The ledger is kept by our accountant.", "Cables are laid in a trench of sand.",
    "Visitors sign the book at the gate.", "The software runs on two servers in our data centre.",
    "Paper is recycled in all our offices.", "The kitchen is cleaned each evening.",
    "A lawyer reads all contracts before they are signed.", "Our trainees come from three universities.",
    "The fleet is insured against theft.", "Spare keys are held by the concierge.",
    "Samples are weighed on a calibrated scale.", "The brochure shows our latest work.",
    "Complaints are filed under a number.", "The roof of the depot was renewed.",
    "Engineers travel by train where they can.", "Reports are written in plain language.",
    "The warehouse is lit by daylight.", "Batteries are stored in a cool place.",
    "The payroll is run by a partner.", "Noise is measured at the fence.",
    "The archive holds ten years of drawings.", "A nurse visits the works twice a week.",
    "Tools are counted at the end of a shift.", "Photographs are taken before work begins.",
    "The canteen serves two dishes a day.", "Permits are asked for by our planner.",
)  # fmt: skip


@cache
def model() -> PackagedMiniLM:
    return PackagedMiniLM()


class Bid:
    """A bid of a paragraph a page, all of it candidates of the rule, its proof the one passage chosen."""

    def __init__(
        self, *statements: str, rule: str = RULE, proof: str = PROOF, topics: Sequence[str] = TOPICS
    ) -> None:
        params = Params()
        texts = [proof, *topics, *statements]
        self.rule = derive(Requirement(rule_id="R1", area="Service", mandatory=True, text=rule))
        self.pages = PAGES.frame([{**DOC, "page": n, "status": "text"} for n in range(1, len(texts) + 1)])
        self.documents = DOCUMENTS.frame(
            [{**DOC, "status": "ok", "page_count": len(texts), "duplicate_of": ""}]
        )
        self.blocks = BLOCKS.frame([
            {**DOC, "page": n, "block_no": 0, "kind": "paragraph", "text": text, "x0": 50.0, "y0": 100.0, "x1": 400.0,
             "y1": 112.0, "heading_path": "", "struck": False, "hidden": False, "is_header": False, "table_no": -1,
             "row_no": -1, "lines": [{"start": 0, "end": len(text), "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0}]}
            for n, text in enumerate(texts, 1)
        ])  # fmt: skip
        self.chunks = pl.concat([
            chunk_blocks(self.blocks.filter(page=n), self.pages.filter(page=n), params.chunking)
            for n in range(1, len(texts) + 1)
        ])  # fmt: skip
        self.facts = facts_table(self.chunks, params.facts)
        ids = self.chunks["chunk_id"].to_list()
        self.candidates = CANDIDATES.frame(
            [{**PACK, "rule_id": "R1", "chunk_id": one, "rank": n} for n, one in enumerate(ids, 1)]
        )
        self.passages = PASSAGES.frame([
            {**PACK, "rule_id": "R1", "catalog_version": "v1", "order_no": 1, "chunk_id": ids[0], "why": "best", "attempt": 1}
        ])  # fmt: skip
        self.judged = judge_pack(
            [self.rule],
            self.passages,
            self.chunks,
            self.facts,
            CHUNKS.empty(),
            params,
            candidates=self.candidates,
        )
        self.dense = DenseIndex.from_table(build_dense_index(self.chunks, model(), params.dense))

    def objections(self, params: VerificationParams | None = None, rfp: Sequence[str] = ()) -> pl.DataFrame:
        kept = KeptVectors(model(), None, "m", model().dimensions)
        return find_objections(
            [self.rule], RfpShingles(rfp, 6, 0.6), self.chunks, self.facts, self.candidates, self.judged,
            ESCALATIONS.empty(), self.dense, kept, params or VerificationParams(), "v1",
        )  # fmt: skip

    def finding(self, objections: pl.DataFrame) -> dict[str, object]:
        found = verify_findings(
            [self.rule], CHUNKS.empty(), self.documents, self.pages, self.blocks, self.chunks, self.facts, self.candidates,
            self.passages, self.judged, VerificationParams(), objections=objections,
        )  # fmt: skip
        return found.row(0, named=True)


@pytest.fixture(scope="module")
def bid() -> Bid:
    return Bid(SWAP)


def test_a_figure_that_fails_in_other_words_flags_the_pass(bid: Bid) -> None:
    assert bid.judged["status"].to_list() == ["Pass"]
    alone = bid.finding(bid.objections(NOTHING))
    assert alone["status"] == "Pass"
    assert not alone["needs_review"]
    objections = bid.objections()
    assert objections.select("kind", "text", "page", "order_no").rows() == [
        ("figure", SWAP, len(TOPICS) + 2, 1)
    ]
    found = bid.finding(objections)
    assert found["status"] == "Pass"
    assert found["needs_review"]
    assert SWAP in str(found["review_reason"])


def test_a_denial_in_other_words_flags_the_pass() -> None:
    said = "The handbooks exist in English only."
    manuals = "Manuals are provided in English and in French."
    found = Bid(said, rule=manuals, proof=manuals).objections()
    assert found.select("kind", "said", "text").rows() == [("denial", "only", said)]


def test_other_matters_and_figures_that_hold_do_not() -> None:
    bid = Bid(
        "A broken meter is exchanged in three working days.",
        "The paint of the door dries in ten working days.",
    )
    assert bid.objections().is_empty()


def test_the_words_of_the_tender_are_no_objection(bid: Bid) -> None:
    assert bid.objections(rfp=[SWAP]).is_empty()


def test_none_are_sought_where_the_pack_is_small_or_the_dense_leg_is_off(bid: Bid) -> None:
    assert Bid(SWAP, topics=TOPICS[:8]).objections().is_empty()
    found = find_objections(
        [bid.rule], RfpShingles((), 6, 0.6), bid.chunks, bid.facts, bid.candidates, bid.judged, ESCALATIONS.empty(),
        DenseIndex([], None, {}), None, VerificationParams(), "v1",
    )  # fmt: skip
    assert found.is_empty()


def test_any_verdict_but_a_pass_stays_as_it_is(bid: Bid) -> None:
    other = Bid(SWAP, proof="Defective meters are replaced within 9 working days of notification.")
    assert other.judged["status"].to_list() == ["Fail"]
    assert other.objections().is_empty()
    assert (
        other.finding(bid.objections())["review_reason"]
        == other.finding(bid.objections(NOTHING))["review_reason"]
    )
