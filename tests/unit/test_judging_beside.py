"""A Pass is heard beside all that stands around its proof: what takes it back, narrows it or costs extra."""

from __future__ import annotations

import pytest
from trap_bench import finding_on

WARRANTY = "The warranty of the pumps must be at least 24 months."
OFFERED = "The pumps are delivered with a warranty of 36 months from delivery."


def unseen_pass(rule: str, *statements: str) -> bool:
    found = finding_on(rule, *statements)
    return found["status"] == "Pass" and not found["needs_review"]


@pytest.mark.parametrize(
    "words",
    [
        "This warranty is not offered.", "However, we do not offer this warranty.", "We do not comply with this requirement.",
        "We cannot meet this requirement.", "The pumps are not included in our offer.",
        "The warranty does not apply to this tender.", "The warranty of the pumps is not offered.", "Not compliant.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("apart", [False, True])
def test_a_sentence_that_takes_the_proof_back_is_heard(words: str, apart: bool) -> None:
    assert unseen_pass(WARRANTY, OFFERED)
    assert not (
        unseen_pass(WARRANTY, OFFERED, words) if apart else unseen_pass(WARRANTY, f"{OFFERED} {words}")
    )


@pytest.mark.parametrize(
    ("rule", "statements"),
    [
        ("The bidder holds an ISO 27001 certificate.",
         ["We hold an ISO 27001 certificate.", "Our ISO 27001 certificate was withdrawn in March 2026."]),
        ("The bidder holds an ISO 27001 certificate.",
         ["We hold an ISO 27001 certificate.", "Our ISO 27001 certificate is suspended."]),
        ("The warranty period is at least 24 months.",
         ["The warranty period is 24 months.", "The warranty period of 24 months is at extra charge."]),
        ("The warranty period is at least 24 months.",
         ["The warranty period is 24 months.", "The warranty period of 24 months is planned for 2028."]),
        ("All meters are tested before delivery.",
         ["We test all our meters before delivery.", "Most meters are tested before delivery."]),
        ("The warranty period is at least 24 months.",
         ["The warranty period is 24 months. This applies only to the pump housing."]),
        ("The bidder holds an ISO 27001 certificate.", ["We hold an ISO 27001 certificate. Its scope is our canteen."]),
        ("The delivery time is at most 30 days.", ["The delivery time is 30 days. This excludes customs clearance."]),
        ("A preventive maintenance plan must be submitted.",
         ["A preventive maintenance plan is submitted. It covers pumps only."]),
        ("The bid must remain valid for at least 120 days.",
         ["Our bid remains valid for 150 days. We do not comply with this requirement."]),
        ("The warranty period is at least 24 months.",
         ["The warranty period is 24 months.", "The warranty does not cover batteries and displays."]),
        ("Accounts for 2023, 2024 and 2025 are enclosed.", ["Our accounts for 2023 to 2025 are enclosed without 2024."]),
        ("Accounts for 2023, 2024 and 2025 are enclosed.", ["Our accounts for 2023 to 2025 are enclosed, 2024 missing."]),
    ],
)  # fmt: skip
def test_another_statement_that_keeps_something_back_is_heard(rule: str, statements: list[str]) -> None:
    assert not unseen_pass(rule, *statements)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("All data is hosted in France.", "All data is hosted in France and Ireland."),
        ("Les données sont hébergées en France.", "Les données sont hébergées en France et au Maroc."),
        ("All data is hosted within the European Union.",
         "All data is hosted within the European Union, the United Kingdom and Switzerland."),
        ("The warranty period is at least 24 months.", "The warranty period is 24 months; the pumps have none."),
        ("The warranty period is at least 24 months.", "The warranty period is 24 months; labour is invoiced."),
        ("The pump is made of stainless steel.", "The pump is made of stainless steel; its impeller is brass."),
        ("The warranty period is at least 24 months.", "A limited warranty period of 24 months is given."),
        ("The warranty period is at least 24 months.", "The workmanship warranty period is 24 months."),
        ("The warranty period is at least 24 months.", "The warranty period is 24 months at cost."),
        ("The warranty period is at least 24 months.", "The warranty period of 24 months comes with a charge."),
        ("Vehicles carrying waste shall have a noise level of 70 dB.", "Vehicles carrying waste have a noise level of 90 dB."),
        ("The lifting platform shall have a mass of 450 kg.", "The lifting platform has a mass of 950 kg."),
        ("The fridge shall hold a temperature of 5 °C.", "The fridge holds a temperature of 12 °C."),
        ("The trolley supports a basket and has a weight of 12 kg.", "The trolley supports a basket and has a weight of 40 kg."),
        ("The shelf carries books and weighs 20 kg.", "The shelf carries books and weighs 60 kg."),
        ("The unit supports a load with a sag of 5 mm.", "The unit supports a load with a sag of 50 mm."),
        ("The professional liability insurance shall have a deductible of EUR 5,000.",
         "The professional liability insurance has a deductible of EUR 50,000."),
        ("The insurance policy shall have an excess of 2%.", "The insurance policy has an excess of 12%."),
        ("L'assurance comporte une franchise de 5 000 EUR.", "L'assurance comporte une franchise de 50 000 EUR."),
        ("The cost of the insurance is EUR 5,000.", "The cost of the insurance is EUR 50,000."),
        ("The bidder shall hold ISO 9001 or Equivalent.", "We hold our annual meeting in Oslo."),
    ],
)  # fmt: skip
def test_a_worse_or_narrower_offer_is_no_unseen_pass(rule: str, said: str) -> None:
    assert not unseen_pass(rule, said)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("The platform shall carry 500 kg.", "The platform carries 600 kg."),
        ("The crane shall have a lifting capacity of 5 t.", "The crane has a lifting capacity of 6 t."),
        ("The bid security shall be 2% of the bid price.", "The bid security is 3% of the bid price."),
    ],
)  # fmt: skip
def test_more_of_what_is_carried_or_secured_is_no_breach(rule: str, said: str) -> None:
    assert finding_on(rule, said)["status"] == "Pass"
