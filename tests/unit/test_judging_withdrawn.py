"""What another place of the bid takes back is seen, and left to a person; what it says of other things is not."""

from __future__ import annotations

import pytest
from trap_bench import finding_on

CERTIFICATE = "The bidder shall hold a valid ISO 9001 certificate on the day of submission."
HOLDS = "Our ISO 9001 certificate is valid from 1 June 2023 to 31 May 2029."
REPORTS = "The bidder shall provide test reports of an accredited laboratory for each pump."
GIVEN = "We provide test reports of an accredited laboratory for each pump."
DESK = "The help desk shall be available 24 hours a day, 7 days a week."
OPEN = "The help desk is available 24 hours a day, 7 days a week."
VALID = "The bid shall remain valid for at least 120 calendar days from the submission date."
STAYS = "Our bid remains valid for 150 calendar days from the submission date."
COVER = "The bidder shall have fire insurance of at least EUR 2,000,000."
COVERED = "We have fire insurance of EUR 3,000,000."


@pytest.mark.parametrize(
    ("rule", "proof", "elsewhere"),
    [
        (CERTIFICATE, HOLDS, "The certificate to ISO 9001 was suspended on 3 August 2026."),
        (CERTIFICATE, HOLDS, "Le certificat ISO 9001 a été retiré en août 2026."),
        (REPORTS, GIVEN, "Test reports of an accredited laboratory are not provided."),
        (REPORTS, GIVEN, "We are not able to provide test reports of an accredited laboratory."),
        (DESK, OPEN, "The help desk is open 8 hours a day on 5 days a week."),
        (DESK, OPEN, "Outside office hours the help desk is not staffed."),
        (COVER, COVERED, "The fire insurance was cancelled on 1 September 2026."),
        (COVER, COVERED, "The policy against fire was terminated in August."),
        (VALID, STAYS, "We may withdraw our bid at any time."),
        (VALID, STAYS, "Prices and conditions of this bid lapse after 60 calendar days."),
    ],
)
def test_a_proof_that_another_place_takes_back_is_left_to_a_person(
    rule: str, proof: str, elsewhere: str
) -> None:
    finding = finding_on(rule, proof, elsewhere)
    assert (finding["status"] == "Pass") <= bool(finding["needs_review"])


@pytest.mark.parametrize(
    ("rule", "proof", "elsewhere"),
    [
        (CERTIFICATE, HOLDS, "The licence of the old software expired in 2019."),
        (REPORTS, GIVEN, "The workshop does not lie in a flood zone."),
        (DESK, OPEN, "Our head office is open 8 hours a day on 5 days a week."),
        (COVER, COVERED, "The lease of the old depot expired in 2020."),
    ],
)
def test_what_is_withdrawn_of_another_thing_takes_no_proof_back(
    rule: str, proof: str, elsewhere: str
) -> None:
    alone, beside = finding_on(rule, proof), finding_on(rule, proof, elsewhere)
    assert (alone["status"], alone["needs_review"]) == ("Pass", False)
    assert (beside["status"], beside["needs_review"]) == ("Pass", False)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [("11 June 2026", "2 March 2028", "Fail"), ("11 June 2028", "2 March 2026", "Fail"), ("11 June 2028", "2 March 2028", "Pass")],
)  # fmt: skip
def test_each_of_two_certificates_in_a_sentence_has_its_own_end(first: str, second: str, status: str) -> None:
    rule = "Valid certificates to ISO 9001:2015 and ISO/IEC 27001:2022 shall be enclosed."
    said = f"Certificates enclosed: ISO 9001:2015, valid until {first}, and ISO/IEC 27001:2022, valid until {second}."
    assert finding_on(rule, said)["status"] == status


@pytest.mark.parametrize(
    ("dates", "status"),
    [
        ("valid until 11 June 2026 and 2 March 2028 respectively", "Fail"),
        ("valid until 11 June 2028 and until 2 March 2026", "Fail"),
        ("valid until 11 June 2028 and until 2 March 2028", "Pass"),
        ("both valid until 2 March 2028", "Pass"),
        ("both valid until 2 March 2026", "Fail"),
    ],
)
def test_ends_told_after_all_certificates_are_held_each_to_its_own(dates: str, status: str) -> None:
    rule = "Valid certificates to ISO 9001:2015 and ISO/IEC 27001:2022 shall be enclosed."
    said = f"Certificates to ISO 9001:2015 and ISO/IEC 27001:2022 are enclosed, {dates}."
    assert finding_on(rule, said)["status"] == status


@pytest.mark.parametrize(
    "said",
    [
        "We are not able to declare that we have no conflict of interest.",
        "We cannot confirm that there is no conflict of interest.",
        "Nous ne pouvons pas certifier l'absence de conflit d'intérêts.",
    ],
)
def test_what_cannot_be_declared_is_not_declared(said: str) -> None:
    rule = "The bidder shall declare that it has no conflict of interest."
    finding = finding_on(rule, said)
    assert (finding["status"] == "Pass") <= bool(finding["needs_review"])
