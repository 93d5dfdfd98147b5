"""What a bid states against what a rule asks."""

from __future__ import annotations

import pytest

from bidproof.facts import compare, convert, find_facts, fold, same_base, same_measure, terms_of, words_of
from bidproof.records import Fact, Predicate


def stated(text: str) -> Fact:
    return next(f for f in find_facts(text) if f.kind not in ("obligation",))


def asked(comparator: str, value: float, unit: str, **more: object) -> Predicate:
    return Predicate(kind="quantity", comparator=comparator, value=value, unit=unit, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "rule", "answer"),
    [
        ("60 days", asked(">=", 90, "day"), "fails"),
        ("at least 120 days", asked(">=", 90, "day"), "holds"),
        ("90 days", asked(">=", 90, "day"), "holds"),
        ("at least 60 days", asked(">=", 90, "day"), "fails"),
        ("up to 120 days", asked(">=", 90, "day"), "unlike"),
        ("up to 60 days", asked(">=", 90, "day"), "fails"),
        ("90 days", asked(">", 90, "day"), "fails"),
        ("more than 90 days", asked(">", 90, "day"), "holds"),
        ("4%", asked("<=", 5, "percent"), "holds"),
        ("6%", asked("<=", 5, "percent"), "fails"),
        ("at least 3%", asked("<=", 5, "percent"), "unlike"),
        ("at least 7%", asked("<=", 5, "percent"), "fails"),
        ("2%", asked("=", 2, "percent"), "holds"),
        ("3%", asked("=", 2, "percent"), "fails"),
        ("at least 2%", asked("=", 2, "percent"), "holds"),
        ("up to 2%", asked("=", 2, "percent"), "unlike"),
        ("<38ms", asked("<", 50, "millisecond"), "holds"),
        ("<50ms", asked("<", 50, "millisecond"), "holds"),
        ("50 ms", asked("<", 50, "millisecond"), "fails"),
        ("<8 hours", asked("<", 2, "hour"), "fails"),
        ("<90 minutes", asked("<", 2, "hour"), "holds"),
        ("2 to 3 working days", asked("<=", 5, "working_day"), "holds"),
        ("3 to 8 working days", asked("<=", 5, "working_day"), "fails"),
        ("5 days", asked("<=", 5, "working_day"), "unlike"),
        ("2 weeks", asked("<=", 10, "day"), "fails"),
        ("2 years", asked(">=", 24, "month"), "holds"),
        ("90 days", asked(">=", 3, "month"), "unlike"),
        ("INR 1,480 Cr", asked(">=", 5e9, "INR"), "holds"),
        ("EUR 5,000,000", asked(">=", 5e6, "USD"), "unlike"),
        ("1,200+ FTE", asked(">=", 500, "fte"), "holds"),
        ("1,200 engineers", asked(">=", 500, "fte"), "unlike"),
        ("-10 to 48 °C", asked("=", -5, "°C", value_max=40), "unlike"),
        ("0 to 30 °C", asked("=", -5, "°C", value_max=40), "holds"),
        ("Level 4", asked(">=", 3, "level"), "holds"),
        ("Level 2", asked(">=", 3, "level"), "fails"),
        ("Class 1", asked("", 1, "class"), "holds"),
        ("Class 2", asked("", 1, "class"), "fails"),
        ("Class 0.5", asked("", 1, "class"), "unlike"),
    ],
)
def test_a_statement_holds_fails_or_is_unlike(text: str, rule: Predicate, answer: str) -> None:
    assert compare(stated(text), rule) == answer


def test_words_and_digits_that_disagree_decide_only_when_both_readings_agree() -> None:
    assert compare(stated("ten (15) days"), asked(">=", 12, "day")) == "unlike"
    assert compare(stated("ten (15) days"), asked(">=", 20, "day")) == "fails"
    assert compare(stated("ten (15) days"), asked(">=", 5, "day")) == "holds"


def test_a_percentage_of_something_else_is_unlike() -> None:
    rule = asked("=", 2, "percent", base="total bid price")
    assert compare(stated("2% of the total price"), rule) == "holds"
    assert compare(stated("2% of our offer price"), rule) == "holds"
    assert compare(stated("2%"), rule) == "holds"
    assert compare(stated("2% of the contract price"), rule) == "unlike"
    assert (
        compare(stated("0.1% of monthly invoice per day"), asked("=", 0.1, "percent", per="day")) == "unlike"
    )
    assert same_base("contract price", "montant du marché")
    assert not same_base("monthly invoice", "total price")


def test_a_rate_per_day_is_no_rate_per_week_and_no_cap() -> None:
    rule = asked("=", 0.1, "percent", per="day")
    assert compare(stated("0.1%/day"), rule) == "holds"
    assert compare(stated("0.1% per week"), rule) == "unlike"
    assert compare(stated("capped at 10%"), rule) == "unlike"
    assert compare(stated("EUR 5 million per occurrence"), asked(">=", 5e6, "EUR")) == "holds"


def test_a_standard_holds_by_code_and_edition() -> None:
    rule = Predicate(kind="standard", code="ISO/IEC 27001", edition="2022")
    assert compare(stated("ISO 27001:2022"), rule) == "holds"
    assert compare(stated("ISO/IEC 27001:2013"), rule) == "fails"
    assert compare(stated("ISO/IEC 27001"), rule) == "unlike"
    assert compare(stated("ISO 9001:2022"), rule) == "unlike"
    newer = Predicate(kind="standard", code="ISO/IEC 27001", edition="2013")
    assert compare(stated("ISO/IEC 27001:2022"), newer) == "unlike"
    series = Predicate(kind="standard", code="IEC 62056")
    assert compare(stated("IEC 62056-5-3"), series) == "holds"


def test_a_form_holds_by_its_code() -> None:
    assert compare(stated("Form BS\u20111"), Predicate(kind="form", code="BS-1")) == "holds"
    assert compare(stated("Form PV-2"), Predicate(kind="form", code="BS-1")) == "unlike"


def test_an_expiry_must_reach_the_day_and_an_undecided_date_must_agree_with_itself() -> None:
    rule = Predicate(kind="date", comparator=">=", date="2026-09-17", valid_on_submission=True)
    assert compare(stated("valid to Dec 31, 2026"), rule) == "holds"
    assert compare(stated("valid to 17 September 2026"), rule) == "holds"
    assert compare(stated("valid to 16 September 2026"), rule) == "fails"
    assert compare(stated("valid until 03/10/2026"), rule) == "unlike"
    assert compare(stated("valid until 03/04/2027"), rule) == "holds"
    assert compare(stated("valid until September 2026"), rule) == "unlike"


def test_units_convert_only_by_a_fixed_factor() -> None:
    assert convert(2.0, "week", "day") == 14.0
    assert convert(90.0, "minute", "hour") == 1.5
    assert convert(1.0, "day", "calendar_day") == 1.0
    assert convert(2.0, "year", "month") == 24.0
    assert convert(1.0, "month", "day") is None
    assert convert(5.0, "working_day", "day") is None
    assert convert(1.5, "GB", "MB") == 1500.0
    assert same_measure("hour", "day")
    assert not same_measure("EUR", "USD")
    assert not same_measure("", "")


def test_folding_flattens_typography_and_accents() -> None:
    assert (
        fold("  Cau\u00adtion de l\u2019OFFRE : man\u0153uvre \ufb01nale\u00a0! ")
        == "caution de l'offre : manoeuvre finale !"
    )


def test_terms_meet_over_number_and_keep_codes() -> None:
    assert terms_of("Certificates of the bidders") == terms_of("certificate, bidder")
    assert terms_of("garanties") == terms_of("garantie")
    assert words_of("ISO/IEC 27001:2022 and IEC 62053-21, form BS-1 for 2026") == [
        "iso",
        "iec",
        "27001",
        "iec",
        "62053-21",
        "form",
        "bs-1",
    ]
    assert words_of("mapped to ID, PR and DE") == ["mapped", "id", "pr", "de"]
    assert words_of("FORM OF TENDER") == ["form", "tender"]


@pytest.mark.parametrize(
    "text", ["24x7", "24/7", "24 hours a day and 7 days a week", "24 h/24", "24 x 7 x 365"]
)
def test_round_the_clock_is_one_term_in_every_spelling(text: str) -> None:
    assert words_of(f"desk open {text}") == ["desk", "open", "24x7"]
