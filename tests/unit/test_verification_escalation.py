"""What becomes of a mandatory rule whose verdict does not survive its checks: further rounds on wider passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from bidproof.catalog import derive
from bidproof.facts import facts_table
from bidproof.judging import Judge, Passage, PredicateJudge, RfpShingles
from bidproof.params import EscalationParams, FactParams, JudgingParams, Params, VerificationParams
from bidproof.records import Judgement, Requirement, Status
from bidproof.tables import BLOCKS, CANDIDATES, CHUNKS, DOCUMENTS, ESCALATIONS, JUDGEMENTS, PAGES, PASSAGES
from bidproof.verification import escalate, verify_findings

PACK = {"tender": "meters", "bidder": "acme", "pack": "meters--acme"}
DOC = {**PACK, "doc_id": "doc", "file_name": "bid.pdf"}
TITLE = "The bidder has read the tender documents and accepts them in full."
OFFER = "Our bid remains valid for 150 calendar days from the submission date."
SHORT = "Our bid remains valid for 60 calendar days from the submission date."
ROW = "Bid validity | 150 calendar days from the submission date"
RULE = "The bid remains valid for at least 120 calendar days from the submission date."
INVENTED = "We promise a validity of one hundred and fifty days of our whole bid."


def rule(text: str = RULE, mandatory: bool = True, rule_id: str = "R14") -> Requirement:
    made = Requirement(rule_id=rule_id, area="Admin", mandatory=mandatory, text=text)
    return derive(made, submission_date="2026-09-17")


class Scripted:
    """A judge that gives the verdicts it was told, one a round, and remembers what it was shown."""

    name, model = "scripted", "1"

    def __init__(self, *answers: tuple[str, str, int]) -> None:
        self.answers, self.shown = list(answers), []
        self.shown: list[list[str]] = []

    def judge(
        self,
        requirement: Requirement,
        passages: Sequence[Passage],
        rfp: RfpShingles | None,
        weights: Mapping[str, float] | None = None,
    ) -> Judgement:
        self.shown.append([passage.chunk_id for passage in passages])
        status, quote, page = self.answers.pop(0)
        return Judgement(
            rule_id=requirement.rule_id, status=Status(status), rationale=f"{status} on p. {page}", quote=quote,
            chunk_id=f"doc:p{page}_c01", pages=(page,), risk="Low",
        )  # fmt: skip


class Pack:
    """A bid of one block a page, each a chunk of its own; texts with a bar are table rows."""

    def __init__(self, *texts: str) -> None:
        self.ids = [f"doc:p{p}_c01" for p in range(1, len(texts) + 1)]
        self.pages = PAGES.frame(
            [{**DOC, "page": p, "page_label": "", "status": "text"} for p in range(1, len(texts) + 1)]
        )
        self.documents = DOCUMENTS.frame(
            [{**DOC, "status": "ok", "page_count": len(texts), "duplicate_of": ""}]
        )
        self.blocks = BLOCKS.frame([
            {**DOC, "page": p, "block_no": 0, "kind": "paragraph", "text": t, "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0,
             "heading_path": f"{p} Part", "struck": False, "hidden": False, "is_header": False,
             "lines": [{"start": 0, "end": len(t), "x0": 50.0, "y0": 100.0, "x1": 400.0, "y1": 112.0}]}
            for p, t in enumerate(texts, 1)
        ])  # fmt: skip
        self.chunks = CHUNKS.frame([
            {**DOC, "chunk_id": i, "page": p, "pages": [p], "heading_path": f"{p} Part", "kind": "row" if "|" in t else "text",
             "text": t, "body_start": 0, "spans": [{"start": 0, "end": len(t), "page": p, "block_no": 0, "block_start": 0}]}
            for p, (i, t) in enumerate(zip(self.ids, texts, strict=True), 1)
        ])  # fmt: skip
        self.facts = facts_table(self.chunks, FactParams())
        self.rfp = CHUNKS.empty()

    def frames(
        self, rules: Sequence[Requirement], chosen: Sequence[int], ranked: Sequence[int]
    ) -> tuple[pl.DataFrame, ...]:
        key = {**PACK, "catalog_version": "v1"}
        passages = PASSAGES.frame([
            {**key, "rule_id": r.rule_id, "order_no": n, "chunk_id": self.ids[p - 1], "why": "best", "attempt": 1}
            for r in rules for n, p in enumerate(chosen, 1)
        ])  # fmt: skip
        candidates = CANDIDATES.frame([
            {**key, "rule_id": r.rule_id, "chunk_id": self.ids[p - 1], "rank": n}
            for r in rules for n, p in enumerate(ranked, 1)
        ])  # fmt: skip
        return candidates, passages

    def run(
        self,
        said: dict[str, Any],
        judge: Judge,
        requirement: Requirement | None = None,
        *,
        chosen: Sequence[int] = (1,),
        ranked: Sequence[int] | None = None,
        params: EscalationParams | None = None,
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Rounds and finding of one rule on which the first judgement was `said`."""
        asked = requirement or rule()
        ranked = ranked if ranked is not None else range(1, len(self.ids) + 1)
        candidates, passages = self.frames([asked], chosen, ranked)
        judgements = JUDGEMENTS.frame([{
            **PACK, "rule_id": asked.rule_id, "catalog_version": "v1", "attempt": 1, "judge": "scripted", "status": "Pass",
            "rationale": "said so", "quote": INVENTED, "chunk_id": self.ids[0], "pages": [1], "risk": "Low", "needs_review": False,
            "review_reason": "", "other_quotes": [], "shown": [{"chunk_id": self.ids[p - 1], "context": False} for p in chosen],
            **said,
        }])  # fmt: skip
        knobs = Params(escalation=params or EscalationParams())
        base = (
            self.rfp,
            self.documents,
            self.pages,
            self.blocks,
            self.chunks,
            self.facts,
            candidates,
            passages,
            judgements,
        )
        rounds = escalate([asked], *base, knobs, lambda: judge)
        found = verify_findings([asked], *base, VerificationParams(), escalations=rounds)
        return rounds.to_dicts(), found.row(0, named=True)


def never() -> Judge:
    raise AssertionError("nobody is to be asked")


def test_an_invented_quote_is_tried_again_and_the_valid_answer_takes_its_place() -> None:
    judge = Scripted(("Pass", OFFER, 3))
    rounds, found = Pack(TITLE, "Contents.", OFFER).run({}, judge)
    assert [(row["round_no"], row["outcome"], row["status"], row["quote"]) for row in rounds] == [
        (1, "settled", "Pass", OFFER)
    ]
    assert rounds[0]["trigger"].startswith("quote_found: not in the pack")
    assert (rounds[0]["added"], rounds[0]["judge"]) == (["doc:p2_c01", "doc:p3_c01"], "scripted")
    assert (found["status"], found["quote"], found["page"]) == ("Pass", OFFER, 3)
    assert (found["judged_status"], found["checks_failed"]) == ("Pass", [])
    # Code has found the figure in the new quote: nobody need look.
    assert (found["needs_review"], found["review_reason"]) == (False, "")


def test_a_rule_without_figures_that_was_settled_in_a_further_round_goes_to_a_reviewer() -> None:
    asked = rule("A power of attorney for the person who signs is enclosed.")
    proof = "A power of attorney for the person who signs is enclosed as Annex 4 of our bid."
    _, found = Pack(TITLE, proof).run({}, Scripted(("Pass", proof, 2)), asked)
    assert found["status"] == "Pass"
    assert found["needs_review"] is True
    assert found["review_reason"].startswith("escalated: settled in round 1, after quote_found")


def test_two_rounds_at_most_then_a_person_is_asked() -> None:
    judge = Scripted(
        ("Pass", INVENTED, 2), ("Pass", "Another promise that nobody has made here.", 2), ("Pass", OFFER, 9)
    )
    texts = [TITLE, *(f"Page {n} of the offer speaks of something else." for n in range(2, 20)), OFFER]
    rounds, found = Pack(*texts).run({}, judge)
    assert [(row["round_no"], row["outcome"], len(row["added"])) for row in rounds] == [
        (1, "open", 4),
        (2, "open", 8),
    ]
    assert len(judge.answers) == 1
    assert (found["status"], found["needs_review"]) == ("Missing", True)
    assert found["review_reason"].startswith(
        "escalate; escalated: 2 further rounds proved nothing; quote_found"
    )
    assert '"attempts": 3' in found["absence"]


def test_each_round_is_wider_and_shows_table_rows_first_and_the_neighbours_of_the_best() -> None:
    texts = [f"Page {n} of the offer speaks of something else." for n in range(1, 13)]
    texts[9] = "Bid security | 50,000 EUR"
    judge = Scripted(("Missing", "", 1), ("Missing", "", 1))
    knobs = EscalationParams(k_step=2, neighbours=1)
    rounds, _ = Pack(*texts).run(
        {"chunk_id": "doc:p5_c01"}, judge, chosen=(5,), ranked=(5, 1, 2, 10, 12, 11), params=knobs
    )
    first, second = (row["added"] for row in rounds)
    assert first == ["doc:p10_c01", "doc:p1_c01", "doc:p6_c01", "doc:p4_c01"]
    assert second == ["doc:p2_c01", "doc:p12_c01", "doc:p11_c01", "doc:p7_c01", "doc:p3_c01"]
    assert judge.shown[0][:2] == ["doc:p10_c01", "doc:p5_c01"]


def test_an_optional_rule_goes_to_a_reviewer_at_once() -> None:
    pack, asked = Pack(TITLE, OFFER), rule(mandatory=False)
    candidates, passages = pack.frames([asked], (1,), (1, 2))
    judgements = JUDGEMENTS.frame([{
        **PACK, "rule_id": "R14", "attempt": 1, "status": "Pass", "quote": INVENTED, "chunk_id": "doc:p1_c01", "pages": [1],
        "risk": "Low", "needs_review": False, "other_quotes": [],
    }])  # fmt: skip
    base = (
        pack.rfp,
        pack.documents,
        pack.pages,
        pack.blocks,
        pack.chunks,
        pack.facts,
        candidates,
        passages,
        judgements,
    )
    rounds = escalate([asked], *base, Params(), never)
    assert rounds.equals(ESCALATIONS.empty())
    found = verify_findings([asked], *base, VerificationParams(), escalations=rounds).row(0, named=True)
    assert (found["status"], found["review_reason"].split(";")[0]) == ("Missing", "needs reviewer")


@pytest.mark.parametrize(
    ("said", "params"),
    [
        ({"status": "Missing", "quote": ""}, EscalationParams()),
        ({"quote": OFFER, "chunk_id": "doc:p2_c01", "pages": [2]}, EscalationParams()),
        ({}, EscalationParams(rounds=0)),
        ({}, EscalationParams(k_step=0, neighbours=0)),
    ],
    ids=["missing", "valid", "no rounds", "nothing new to show"],
)
def test_nobody_is_asked_where_there_is_no_need(said: dict[str, Any], params: EscalationParams) -> None:
    rounds, _ = Pack(TITLE, OFFER).run(said, Scripted(), chosen=(1, 2), params=params)
    assert rounds == []


def test_a_pass_whose_quote_does_not_show_the_figure_is_settled_by_the_quote_that_does() -> None:
    vague = "The validity of our bid is as the tender documents ask for it."
    said = {"quote": vague, "pages": [1]}
    rounds, found = Pack(vague, TITLE, ROW).run(said, Scripted(("Pass", ROW, 3)))
    assert rounds[0]["trigger"].startswith("predicates_recomputed: not shown by the quotes")
    assert (rounds[0]["outcome"], found["status"], found["page"], found["needs_review"]) == (
        "settled",
        "Pass",
        3,
        False,
    )


def test_a_figure_that_plainly_fails_stands_whatever_a_further_round_finds_to_pass() -> None:
    said = {"quote": SHORT, "pages": [1]}
    rounds, found = Pack(SHORT, TITLE, OFFER).run(said, Scripted(("Pass", OFFER, 3)))
    assert [row["outcome"] for row in rounds] == ["contrary"]
    assert (found["status"], found["quote"], found["needs_review"]) == ("Fail", SHORT, True)
    assert f"escalated: round 1 finds Pass on p. 3: “{OFFER[:80]}”" in found["review_reason"]


def test_a_fail_by_code_that_a_further_round_confirms_is_that_fail() -> None:
    other = SHORT.replace("60", "45")
    rounds, found = Pack(SHORT, TITLE, other).run(
        {"quote": SHORT, "pages": [1]}, Scripted(("Fail", other, 3))
    )
    assert ([row["outcome"] for row in rounds], found["status"], found["quote"]) == (
        ["settled"],
        "Fail",
        other,
    )


def test_an_echoed_or_forged_quote_in_a_further_round_settles_nothing() -> None:
    pack = Pack(TITLE, RULE, OFFER)
    pack.rfp = CHUNKS.frame(
        [{**PACK, "bidder": "", "doc_id": "rfp", "chunk_id": "rfp:p1_c01", "page": 1, "text": RULE}]
    )
    judge = Scripted(("Pass", RULE, 2), ("Pass", "120", 2))
    rounds, found = pack.run({}, judge, params=EscalationParams(k_step=1, neighbours=0))
    assert [row["outcome"] for row in rounds] == ["open", "open"]
    assert [row["checks_failed"][0].split(":")[0] for row in rounds] == ["not_echo", "minimum_information"]
    assert rounds[1]["trigger"].startswith("not_echo")
    assert found["status"] == "Missing"


def test_the_predicate_judge_finds_in_the_wider_search_what_a_forged_quote_had_claimed() -> None:
    judge = PredicateJudge(JudgingParams())
    rounds, found = Pack(TITLE, "Contents of this volume.", ROW, OFFER).run({}, judge)
    assert (rounds[-1]["outcome"], rounds[-1]["judge"], found["status"]) == ("settled", "predicate", "Pass")
    assert found["quote"] in (ROW, OFFER)
    again, same = Pack(TITLE, "Contents of this volume.", ROW, OFFER).run({}, PredicateJudge(JudgingParams()))
    assert (again, same) == (rounds, found)
