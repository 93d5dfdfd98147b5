"""Standards, classes, forms, dates and obligations as tenders write them."""

from __future__ import annotations

import pytest

from bidproof.facts import attached_classes, class_label, find_facts, in_series, same_standard, surface
from bidproof.records import Fact


def of_kind(text: str, kind: str, **options: object) -> list[Fact]:
    return [f for f in find_facts(text, **options) if f.kind == kind]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ISO 9001:2015 and ISO/IEC 27001:2013 certificates",
            [("ISO 9001", "2015"), ("ISO/IEC 27001", "2013")],
        ),
        ("IEC 62053-21 Class 1 and 62053-22 Class 0.5S.", [("IEC 62053-21", ""), ("IEC 62053-22", "")]),
        (
            "meters to IEC 62053-21 and transformer meters to IEC 62053-22",
            [("IEC 62053-21", ""), ("IEC 62053-22", "")],
        ),
        ("ISO 9001, 14001 and 45001", [("ISO 9001", ""), ("ISO 14001", ""), ("ISO 45001", "")]),
        ("EN 50470-1/-3", [("EN 50470-1", ""), ("EN 50470-3", "")]),
        ("the IEC 62056 series", [("IEC 62056", "")]),
        ("NF EN ISO 9001 : 2015", [("NF EN ISO 9001", "2015")]),
        ("NF C 15-100", [("NF C 15-100", "")]),
        ("FIPS 140-2 Level 3", [("FIPS 140-2", "")]),
        ("SOC 2 Type II", [("SOC 2", "")]),
        ("NIST CSF", [("NIST CSF", "")]),
        ("PCI-DSS Level 1", [("PCI DSS", "")]),
        ("ISO27001", [("ISO 27001", "")]),
        ("ISO 9001-2015", [("ISO 9001", "2015")]),
        ("3GPP TS 28.530", [("3GPP TS 28.530", "")]),
        ("ISO/IEC\u00a027001:2022", [("ISO/IEC 27001", "2022")]),
        ("IEEE 802.3", [("IEEE 802.3", "")]),
    ],
)
def test_a_standard_has_its_code_and_edition_apart(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(f.code, f.edition) for f in of_kind(text, "standard")] == expected


@pytest.mark.parametrize(
    "text",
    [
        "calendar days",
        "enclosed in English",
        "the event is 5 days",
        "SA is a country",
        "IS 5 fine",
        "clause 62053",
    ],
)
def test_letters_inside_words_are_no_standard(text: str) -> None:
    assert of_kind(text, "standard") == []


def test_the_number_after_a_connective_must_not_be_a_year_or_an_amount() -> None:
    assert [f.code for f in of_kind("ISO 9001 and 2015 was a good year", "standard")] == ["ISO 9001"]
    assert [f.code for f in of_kind("ISO 9001 and 10,000 meters", "standard")] == ["ISO 9001"]


def test_codes_of_joint_bodies_and_adoptions_are_the_same_standard() -> None:
    assert same_standard("ISO 27001", "ISO/IEC 27001")
    assert same_standard("NF EN ISO 9001", "ISO 9001")
    assert same_standard("EN 62053-21", "IEC 62053-21")
    assert not same_standard("IEC 62053-21", "IEC 62053-22")
    assert not same_standard("ISO 9001", "IEEE 9001")
    assert in_series("IEC 62056-5-3", "IEC 62056")
    assert not in_series("IEC 62056", "IEC 62056-5-3")
    assert not in_series("IEC 620561", "IEC 62056")


@pytest.mark.parametrize(
    ("text", "unit", "code", "value", "comparator"),
    [
        ("Class 0.5S", "class", "0.5S", 0.5, ""),
        ("Cl. 1", "class", "1", 1.0, ""),
        ("classe 0,5 S", "class", "0.5S", 0.5, ""),
        ("Class 1 or better", "class", "1", 1.0, "<="),
        ("Level 3", "level", "3", 3.0, ""),
        ("Level 3+", "level", "3", 3.0, ">="),
        ("Level 3 or above", "level", "3", 3.0, ">="),
        ("Type II", "type", "II", 2.0, ""),
        ("Tier-1", "tier", "1", 1.0, ""),
        ("protection degree IP54 or better", "ip", "54", 54.0, ">="),
    ],
)
def test_a_class_keeps_its_scale_and_step(
    text: str, unit: str, code: str, value: float, comparator: str
) -> None:
    (fact,) = of_kind(text, "class")
    assert (fact.unit, fact.code, fact.value, fact.comparator) == (unit, code, value, comparator)


@pytest.mark.parametrize("text", ["a class of meters", "type a letter", "Class action", "level with"])
def test_words_for_scales_without_a_step_are_no_class(text: str) -> None:
    assert of_kind(text, "class") == []


@pytest.mark.parametrize(
    "text",
    [
        "IEC 62053-21 Class 1 and 62053-22 Class 0.5S",
        "accuracy Class 1 of IEC 62053-21; accuracy Class 0.5S according to IEC 62053-22",
    ],
)
def test_a_class_belongs_to_its_own_standard(text: str) -> None:
    owned = attached_classes(find_facts(text), text)
    assert [(s.code, [class_label(c) for c in classes]) for s, classes in owned] == [
        ("IEC 62053-21", ["class 1"]),
        ("IEC 62053-22", ["class 0.5s"]),
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Form BS-1 (Bid Security)", ["BS-1"]),
        ("forms BS-1, PV-2 and EC-4", ["BS-1", "PV-2", "EC-4"]),
        ("Price Schedule PV\u20112", ["PV-2"]),
        ("Form EC\u20134", ["EC-4"]),
        ("form BS 1", ["BS-1"]),
        ("formulaires DC1, DC2", ["DC1", "DC2"]),
        ("Form FIN – 3.2", ["FIN-3.2"]),
        ("FORM No. 5 - PERFORMANCE SECURITY", ["FORM 5"]),
        ("UTF-8, AES-256, SHA-2, OCS-001, RFP-2026, DEC-26, Form PART 2", []),
    ],
)
def test_a_form_is_known_by_its_code_with_any_hyphen(text: str, codes: list[str]) -> None:
    assert [f.code for f in of_kind(text, "form")] == codes


@pytest.mark.parametrize(
    ("text", "date", "role"),
    [
        ("valid to Dec 31, 2026", "2026-12-31", "expiry"),
        ("Expiry date | 2027-05-31", "2027-05-31", "expiry"),
        ("valable jusqu'au 31 décembre 2026", "2026-12-31", "expiry"),
        ("issued on 17th of September, 2025", "2025-09-17", "issued"),
        ("Submission deadline: 17 September 2026", "2026-09-17", "submission"),
        ("à compter du 1er janvier 2027", "2027-01-01", "start"),
        ("28/11/2019", "2019-11-28", ""),
        ("12.05.2025", "2025-05-12", ""),
        ("31-Dec-2026", "2026-12-31", ""),
    ],
)
def test_a_date_with_one_reading_is_decided(text: str, date: str, role: str) -> None:
    (fact,) = of_kind(text, "date")
    assert (fact.date, fact.readings, fact.role) == (date, (), role)


def test_a_date_with_two_readings_stays_undecided_unless_the_locale_is_known() -> None:
    (fact,) = of_kind("valid until 03/04/2027", "date")
    assert (fact.date, fact.readings, fact.role) == ("", ("2027-03-04", "2027-04-03"), "expiry")
    assert of_kind("valid until 03/04/2027", "date", day_first=True)[0].date == "2027-04-03"
    assert of_kind("valid until 03/04/2027", "date", day_first=False)[0].date == "2027-03-04"
    assert of_kind("valable jusqu'au 03/04/2027", "date", language="fr")[0].date == "2027-04-03"


def test_a_month_alone_keeps_its_first_and_last_day() -> None:
    (fact,) = of_kind("certificate valid until Feb 2028", "date")
    assert (fact.date, fact.readings) == ("", ("2028-02-01", "2028-02-29"))


def test_the_end_of_a_period_is_its_expiry() -> None:
    start, end = of_kind("insured from 1 January 2026 to 31 December 2026", "date")
    assert (start.role, end.role, end.date) == ("start", "expiry", "2026-12-31")


def test_an_impossible_day_is_no_date() -> None:
    assert of_kind("31 February 2026 and 2026-13-01 and 45/45/2026", "date") == []


def test_obligations_are_told_apart() -> None:
    found = of_kind(
        "The bid shall be signed and must not be altered; a missing form is a ground for rejection; le candidat doit signer.",
        "obligation",
    )
    assert [f.code for f in found] == ["shall", "shall not", "rejection", "shall"]


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("two percent (2%)", "2%"), ("ninety (90) days", "90 days"), ("90 jours", "90 days"), ("5 business days", "5 working days"), ("1 hour", "1 hour"),
        ("EUR 5 million", "EUR 5,000,000"), ("ISO/IEC 27001:2022", "ISO/IEC 27001:2022"), ("classe 0,5S", "class 0.5S"), ("50M subs", "50,000,000 subscribers"),
        ("0,075 kg", "0.075 kg"), ("EC\u20114", "EC-4"), ("5 to 10 days", "5-10 days"),
    ],
)  # fmt: skip
def test_the_canonical_wording_is_the_same_whatever_the_source_wrote(text: str, spelled: str) -> None:
    assert surface(find_facts(text)[0]) == spelled
