"""Rules that ask for one thing or the other, and what of it a bid must show."""

from __future__ import annotations

import pytest
from verdict_builder import judge, rule, said

EITHER = "The bidder shall hold either ISO 14001 or EMAS."
SECURITY = "The guarantee shall be either a bank letter or a certified cheque."
SOIT = "Le candidat fournit soit une caution bancaire, soit un chèque certifié."


def groups(text: str) -> list[int]:
    return sorted({p.group for p in rule(text).predicates})


@pytest.mark.parametrize("text", [EITHER, SECURITY, SOIT, "Le candidat est certifié ISO 9001 ou Qualibat."])
def test_each_side_is_an_alternative(text: str) -> None:
    assert groups(text) == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "The bidder shall not employ either minors or prisoners.",
        "Either party may end the contract or suspend it.",
        "The crane is either owned or leased and lifts 50 tonnes or more.",
        "The bidder shall hold ISO 14001 and EMAS.",
        "The security shall be either a bank guarantee or a surety bond issued by a local bank.",
    ],
)
def test_what_is_not_plainly_one_of_two_stays_one_rule(text: str) -> None:
    assert groups(text) == [0]


@pytest.mark.parametrize(
    ("text", "answer", "status"),
    [
        (EITHER, "We hold EMAS registration FR-000231.", "Pass"),
        (EITHER, "We hold ISO 14001 certification.", "Pass"),
        (EITHER, "We hold neither ISO 14001 nor EMAS.", "Fail"),
        (EITHER, "We hold ISO 9001 certification.", "Missing"),
        (SOIT, "Le candidat fournit un chèque certifié.", "Pass"),
        (SOIT, "Le candidat ne fournit ni caution bancaire ni chèque certifié.", "Fail"),
        ("The file holds either a site report or photographs, and a method statement.", "The file holds photographs.", "Partial"),
    ],
)  # fmt: skip
def test_one_side_is_enough_and_what_stands_beside_both_is_asked_still(
    text: str, answer: str, status: str
) -> None:
    assert judge(text, said(answer)).status == status
