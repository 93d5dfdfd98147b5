"""Whose duty it is where somebody is named beside the point: who receives, owns or uses what a sentence asks for is not its subject."""

from __future__ import annotations

import pytest
from rfp_builder import prose, units_of

from bidproof.catalog.mining.clause_parties import Context
from bidproof.catalog.mining.subjects import classify


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("Deposit interest is paid quarterly at no less than 2%.", "3 Specification > 3.1 Accounts"),
        ("Card files are accepted until 9 p.m. on weekdays.", "3 Specification > 3.2 Payments"),
        ("Experience with other councils would be an advantage.", "3 Specification > 3.3 Staff"),
        ("The slips are sent to the Cold Room Office a day before.", "3 Specification > 3.3 Dispatch"),
        ("No change to the price form.", "4 Submitting a tender"),
        ("One original, three copies and a memory stick.", "1 General information"),
        ("Public liability of £5,000,000 per event.", "5 Terms"),
        ("L'assurance couvre les dommages causés aux passagers.", "6 Clauses financières"),
        ("Les pièces d'usure sont à la charge de l'exploitant.", "3 Exploitation"),
        ("The issuing bank shall have a branch in the capital.", "2 Tender security"),
        ("Evidence of employer's liability cover of £10 million.", "4 Submitting a tender"),
    ],
)
def test_the_head_of_the_sentence_tells_and_not_who_is_named_beside_it(sentence: str, heading: str) -> None:
    assert classify(sentence, Context(f"Part B > {heading}")).subject == "bidder"


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("Staff of the Council clean the hall.", "3 Specification > 3.1 Halls"),
        ("The Council's finance team enters the orders.", "3 Specification > 3.1 Desk"),
        ("Un vestiaire sera mis à disposition des agents.", "3 Exécution"),
        ("The bidder's attention is drawn to the Finance Act.", "3 Works"),
        ("Interest is paid on late invoices.", "6 Payment"),
        ("Orders by post have fallen by half in ten years.", "3 Specification > 3.1 Desk"),
        ("The bank shall open the letter in public.", "2 Opening"),
        ("No bids had come in by May.", "2 Background"),
    ],
)
def test_what_others_do_or_get_stays_theirs(sentence: str, heading: str) -> None:
    assert classify(sentence, Context(f"Part B > {heading}")).subject != "bidder"


def test_among_duties_a_thing_for_the_buyer_is_asked_of_the_bidder() -> None:
    asked = [
        "Web tickets, available to registered Council users at night.",
        "The Council's phone numbers stay the same.",
        "A link with the Council's ledger runs every hour.",
        "Double approval applies to every transfer.",
    ]
    others = [
        "The Council's finance team enters the orders.",
        "Errors by the bank are made good with interest.",
    ]
    frame = prose(
        "The supplier shall staff the desk.",
        "The supplier shall keep a log.",
        "The supplier shall train its staff.",
        *asked,
        *others,
        heading="Part B > 3 Specification > 3.1 Desk",
    )
    found = {unit.text: unit.subject for unit in units_of(frame)}
    assert [found[text] for text in asked] == ["bidder"] * len(asked)
    assert all(found[text] != "bidder" for text in others)


@pytest.mark.parametrize("lead", ["Each boat has:", "Every cabin is fitted with:", "Chaque salle comporte :"])
def test_what_each_thing_has_is_asked_item_by_item(lead: str) -> None:
    frame = prose(
        lead, "- two spotlights;", "- a thermal lamp.", heading="Part B > 3 Technical specification"
    )
    assert [unit.subject for unit in units_of(frame)][1:] == ["bidder", "bidder"]
    described = prose(lead, "- two spotlights;", "- a thermal lamp.", heading="Part B > 2 Background")
    assert "bidder" not in [unit.subject for unit in units_of(described)][1:]
