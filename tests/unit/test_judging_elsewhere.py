"""Sentences with the right words and figures that promise nothing of this bid are never a Pass."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.facts import find_facts
from bidproof.judging import PredicateJudge
from bidproof.judging.passages import passage_of
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Requirement, Status


def judged(rule: str, text: str) -> Judgement:
    requirement = derive(Requirement(rule_id="R1", area="Technical", mandatory=True, text=rule))
    chunk = {
        "chunk_id": "d:p1_c01", "doc_id": "d", "file_name": "offer.pdf", "page": 1, "pages": [1], "kind": "text",
        "heading_path": "2 Offer", "text": text, "body_start": 0, "spans": [], "language": "en",
    }  # fmt: skip
    shown = (passage_of(chunk, find_facts(text)),)
    return PredicateJudge(JudgingParams()).judge(requirement, shown, None, {})


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("The bid security is at least 3% of the bid price.", "The bid security of our previous tender in Oslo was 3% of the bid price."),
        ("The bid remains valid for at least 90 days from the submission date.", "Quotations of our sub-suppliers remain valid for 95 days from the submission date."),
        ("The sound power level of each transformer does not exceed 65 dB(A).", "Our competitor's transformers reach a sound power level of 60 dB(A)."),
        ("At least 6 operators are trained on site.", "We trained 12 operators on site for the Port of Oslo in 2021."),
        ("At least 6 operators are trained on site.", "We expect that six operators could be trained on site if the Authority pays the fees."),
        ("The insulating oil is free of PCB.", "The insulating oil was free of PCB in our 2019 deliveries."),
        ("The insulating oil is free of PCB.", "Whether the insulating oil is free of PCB will be tested after delivery."),
        ("The warranty period is at least 36 months from commissioning.", "The warranty period is 36 months from commissioning or 18 months from delivery, whichever ends first."),
        ("The warranty period is at least 36 months from commissioning.", "The warranty period of the paint is 36 months from commissioning."),
        ("The sound power level of each transformer does not exceed 65 dB(A).", "The sound power level of the cooling fans is 58 dB(A)."),
        ("The transformers are delivered within 30 weeks of contract signature.", "Foundation drawings for the transformers are delivered within 20 weeks of contract signature."),
        ("The bid remains valid for at least 90 days from the submission date.", "Our drawings stay valid for 90 days."),
        ("The sound power level of each transformer does not exceed 65 dB(A).", "The sound power level of each transformer is 62 dB(A) at no load; under rated load it is 69 dB(A)."),
        ("The insulating oil is free of PCB.", "The insulating oil of the cable boxes is free of PCB."),
        ("The bidder holds an ISO 14001:2015 certificate.", "Our ISO 14001:2015 certificate expired on 31 March 2026 and its renewal is under way."),
        ("The bidder holds an ISO 14001:2015 certificate.", "An ISO 14001:2015 certificate is held by our sub-supplier Norcoil."),
    ],
)  # fmt: skip
def test_what_holds_of_others_or_only_perhaps_is_no_pass(rule: str, text: str) -> None:
    verdict = judged(rule, text)
    assert verdict.status is not Status.PASS
    assert verdict.needs_review or verdict.status in (Status.MISSING, Status.FAIL)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("The sound power level of each transformer does not exceed 65 dB(A).", "The sound power level of the transformers is 62 dB(A)."),
        ("The bid remains valid for at least 90 days from the submission date.", "The validity of our bid is 120 days from the submission date."),
        ("At least 6 operators are trained on site.", "We train twelve operators on site before the handover."),
        ("The warranty period is at least 36 months from commissioning.", "Our warranty period is 36 months from commissioning."),
        ("The bidder has at least 5 years of experience in metering.", "We have 12 years of experience in metering and supplied our first utility in 2011."),
    ],
)  # fmt: skip
def test_a_plain_promise_and_a_past_that_was_asked_for_still_pass(rule: str, text: str) -> None:
    assert judged(rule, text).status is Status.PASS
