"""Numbers, money, durations and quantities as bids write them, English and French."""

from __future__ import annotations

import pytest

from bidproof.facts import find_facts
from bidproof.records import Fact

AMOUNTS = {"percent", "money", "days", "duration", "quantity"}


def amounts(text: str, language: str = "") -> list[Fact]:
    return [f for f in find_facts(text, language=language) if f.kind in AMOUNTS]


def only(text: str, language: str = "") -> Fact:
    found = amounts(text, language)
    assert len(found) == 1, [(f.kind, f.text) for f in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "slice_"),
    [
        ("2%", 2.0, "2%"),
        ("a bond of 2 % is lodged", 2.0, "2 %"),
        ("two percent (2%)", 2.0, "two percent (2%)"),
        ("2 per cent", 2.0, "2 per cent"),
        ("0.1%", 0.1, "0.1%"),
        ("10,5 %", 10.5, "10,5 %"),
        ("12,5%", 12.5, "12,5%"),
        ("2 (two) percent", 2.0, "2 (two) percent"),
        ("ninety (90) percent", 90.0, "ninety (90) percent"),
        ("forty-five per cent", 45.0, "forty-five per cent"),
        ("ﬁfty-one percent (51%)", 51.0, "ﬁfty-one percent (51%)"),
        ("deux pour cent (2 %)", 2.0, "deux pour cent (2 %)"),
    ],
)
def test_a_percentage_is_read_however_it_is_written(text: str, value: float, slice_: str) -> None:
    fact = only(text)
    assert (fact.kind, fact.value, fact.unit, fact.text, fact.conflict) == (
        "percent",
        value,
        "percent",
        slice_,
        False,
    )


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("INR 500 Cr", "INR", 5e9),
        ("$1,106,500", "USD", 1_106_500.0),
        ("1.355,90 €", "EUR", 1355.90),
        ("1\u202f234\u202f567 €", "EUR", 1_234_567.0),
        ("1 234,56 €", "EUR", 1234.56),
        ("EUR 2.4 million", "EUR", 2.4e6),
        ("2.4 M€", "EUR", 2.4e6),
        ("five million euros (EUR 5,000,000)", "EUR", 5e6),
        ("EUR 5,000,000 (five million euros)", "EUR", 5e6),
        ("₹5,00,000/-", "INR", 500_000.0),
        ("KSh. 1,250,000", "KES", 1_250_000.0),
        ("Deux Million Deux-Cent vingt Mille Dirhams (2 220 000,00 Dhs TTC)", "MAD", 2_220_000.0),
        ("INR 43,000+ Crores", "INR", 4.3e11),
        ("CHF 1'234'567.50", "CHF", 1_234_567.5),
    ],
)
def test_money_needs_a_currency_and_keeps_its_magnitude(text: str, unit: str, value: float) -> None:
    fact = only(text)
    assert (fact.kind, fact.unit, fact.value) == ("money", unit, pytest.approx(value))


@pytest.mark.parametrize(
    "text", ["1,106,500", "the year 2026", "Section 3.2", "12 500", "No. 45/2026", "+62-21-5678-9012"]
)
def test_bare_digits_are_never_money(text: str) -> None:
    assert [f for f in find_facts(text) if f.kind == "money"] == []


def test_a_list_of_yearly_amounts_keeps_the_currency_of_its_head() -> None:
    found = amounts("INR 1,480 Cr / 1,690 Cr / 1,920 Cr")
    assert [(f.unit, f.value) for f in found] == [("INR", 1.48e10), ("INR", 1.69e10), ("INR", 1.92e10)]


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("ninety (90) days", "day", 90.0),
        ("90 business days", "working_day", 90.0),
        ("90-day validity", "day", 90.0),
        ("90 jours", "day", 90.0),
        ("90\u00a0days", "day", 90.0),
        ("90\u202fdays", "day", 90.0),
        ("90\ndays", "day", 90.0),
        ("one hundred twenty (120) calendar days", "calendar_day", 120.0),
        ("one hundred and twenty (120) days", "day", 120.0),
        ("quatre-vingt-dix (90) jours", "day", 90.0),
        ("cent vingt (120) jours calendaires", "calendar_day", 120.0),
        ("soixante-quinze (75) jours", "day", 75.0),
        ("5 jours ouvrés", "working_day", 5.0),
        ("5 jours ouvrables", "working_day", 5.0),
        ("dix-huit (18) mois", "month", 18.0),
        ("twenty-five (25) years", "year", 25.0),
        ("4.2 hours", "hour", 4.2),
        ("24h", "hour", 24.0),
        ("15 min", "minute", 15.0),
        ("<38ms", "millisecond", 38.0),
        ("8 wks", "week", 8.0),
        ("36-month", "month", 36.0),
        ("90\u00b9 days", "day", 90.0),
    ],
)
def test_a_period_is_read_with_its_unit(text: str, unit: str, value: float) -> None:
    fact = only(text)
    assert (fact.unit, fact.value) == (unit, value)
    assert fact.kind == ("days" if unit.endswith("day") else "duration")


@pytest.mark.parametrize(
    "text",
    [
        "24x7 support",
        "24/7",
        "at 7h00",
        "the 1990s",
        "Year 1 Year 2 Year 3",
        "5G and 4G",
        "TMF620 at P99",
    ],
)
def test_what_only_looks_like_a_period_is_none(text: str) -> None:
    assert amounts(text) == []


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("de 7h00 à 21h00", 7.0, 21.0),
        ("de 7h30 à 19h", 7.5, 19.0),
        ("from 07:00 to 19:00", 7.0, 19.0),
        ("9 a.m. to 5.30 p.m.", 9.0, 17.5),
        ("18:00 – 06:00", 18.0, 6.0),
    ],
)
def test_hours_of_the_day_are_a_span_and_no_period(text: str, first: float, last: float) -> None:
    (fact,) = amounts(text)
    assert (fact.role, fact.unit, fact.value, fact.value_max) == ("clock", "hour", first, last)


def test_hundreds_of_digits_are_no_number() -> None:
    text = "1" * 400
    assert amounts(f"{text} days") == amounts(f"{text} pods") == []


@pytest.mark.parametrize("text", ["2.30 to 4.50", "page 7 to 21", "4 to 8 hours", "10:30"])
def test_other_spans_are_no_hours_of_the_day(text: str) -> None:
    assert all(fact.role != "clock" for fact in amounts(text))


@pytest.mark.parametrize(
    ("text", "unit", "value", "comparator"),
    [
        ("min. 500 FTE", "fte", 500.0, ">="),
        ("50M+ subscribers", "subscriber", 5e7, ">="),
        ("210+ million subscribers", "subscriber", 2.1e8, ">="),
        ("more than 1M TPS", "tps", 1e6, ">"),
        ("1.5M TPS", "tps", 1.5e6, ""),
        ("10,000 meters", "meter", 10_000.0, ""),
        ("250,000 smart meters", "meter", 250_000.0, ""),
        ("1,200+ dedicated BSS/OSS engineers", "engineer", 1200.0, ">="),
        ("at least 2 live BSS/OSS implementations", "implementation", 2.0, ">="),
        ("two (2) copies", "copy", 2.0, ""),
        ("one (1) original", "original", 1.0, ""),
        ("at least one signed copy", "copy", 1.0, ">="),
        ("two or more copies", "copy", 2.0, ">="),
        ("0,075 kg", "kg", 0.075, ""),
        ("230 V", "V", 230.0, ""),
        ("100 MB", "MB", 100.0, ""),
        ("15000m²", "m2", 15_000.0, ""),
        ("Min. 5 Tier-1 operator references", "reference", 5.0, ">="),
    ],
)
def test_a_counted_thing_keeps_its_noun(text: str, unit: str, value: float, comparator: str) -> None:
    fact = only(text)
    assert (fact.kind, fact.unit, fact.value, fact.comparator) == (
        "quantity",
        unit,
        pytest.approx(value),
        comparator,
    )


def test_in_french_the_first_plural_is_the_noun() -> None:
    assert only("trois références similaires", "fr").unit == "reference"


@pytest.mark.parametrize(
    "text",
    [
        "Section 3 bids",
        "Lot 2 comprises meters",
        "16.0 Documents Comprising",
        "12. Bids are sealed",
        "2026 meters",
        "8.3 To give bidders",
    ],
)
def test_a_number_that_names_a_place_counts_nothing(text: str) -> None:
    assert amounts(text) == []


@pytest.mark.parametrize(
    ("before", "comparator"),
    [
        ("at least", ">="), ("not less than", ">="), ("no less than", ">="), ("shall not be less than", ">="), ("a minimum of", ">="),
        ("minimum validity period:", ">="), (">=", ">="), ("≥", ">="), ("au moins", ">="), ("d'au moins", ">="), ("no fewer than", ">="),
        ("within", "<="), ("not exceeding", "<="), ("shall not exceed", "<="), ("up to", "<="), ("no later than", "<="), ("no more than", "<="),
        ("maximum", "<="), ("≤", "<="), ("au plus", "<="), ("dans un délai de", "<="), ("ne dépasse pas", "<="), ("n'excède pas", "<="),
        ("<", "<"), ("below", "<"), ("under", "<"), ("less than", "<"), ("moins de", "<"), ("more than", ">"), ("over", ">"), ("plus de", ">"),
        ("for", ""), ("->", ""),
    ],
)  # fmt: skip
def test_a_comparator_before_the_number_is_kept(before: str, comparator: str) -> None:
    assert only(f"It is {before} 90 days").comparator == comparator


@pytest.mark.parametrize(
    ("text", "comparator", "slice_"),
    [
        ("90 days or more", ">=", "90 days or more"),
        ("3+ years", ">=", "3+ years"),
        ("5 ans au minimum", ">=", "5 ans au minimum"),
        ("10 days at the latest", "<=", "10 days at the latest"),
        ("5% maximum", "<=", "5% maximum"),
    ],
)
def test_a_comparator_behind_the_number_belongs_to_the_fact(text: str, comparator: str, slice_: str) -> None:
    assert (only(text).comparator, only(text).text) == (comparator, slice_)


def test_a_word_before_a_sign_does_not_negate_it() -> None:
    assert only("No-touch activation < 4 hours").comparator == "<"


def test_a_minimum_behind_overrules_a_period_named_within() -> None:
    assert only("dans un délai de sept (07) jours au moins").comparator == ">="


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("5 to 10 days", 5.0, 10.0, "day"),
        ("5-10 days", 5.0, 10.0, "day"),
        ("between 5 and 10 days", 5.0, 10.0, "day"),
        ("entre 5 et 10 jours", 5.0, 10.0, "day"),
        ("de 5 à 10 jours", 5.0, 10.0, "day"),
        ("2% to 5%", 2.0, 5.0, "percent"),
        ("99.99% – 99.998%", 99.99, 99.998, "percent"),
        ("-10 to 48 degrees Celsius", -10.0, 48.0, "°C"),
    ],
)
def test_a_range_is_one_fact_with_two_ends(text: str, low: float, high: float, unit: str) -> None:
    fact = only(text)
    assert (fact.value, fact.value_max, fact.unit) == (low, high, unit)


def test_words_and_digits_that_disagree_are_a_conflict_with_both_readings() -> None:
    fact = only("valid for ten (15) days")
    assert (fact.conflict, fact.value, fact.readings, fact.unit) == (True, 15.0, ("10", "15"), "day")


def test_a_nickname_in_brackets_is_no_second_spelling() -> None:
    fact = amounts("99.999% (Five-Nines)")[0]
    assert (fact.value, fact.conflict) == (99.999, False)


def test_delay_damages_keep_rate_base_and_cap_apart() -> None:
    rate, cap = amounts(
        "0.1% of the contract price per day of delay, capped at 10% of the contract price, are accepted"
    )
    assert (rate.value, rate.base, rate.per, rate.comparator, rate.role) == (
        0.1,
        "contract price",
        "day",
        "",
        "",
    )
    assert (cap.value, cap.base, cap.per, cap.comparator, cap.role) == (
        10.0,
        "contract price",
        "",
        "<=",
        "cap",
    )


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("2% of the total bid price and shall remain valid", "total bid price"),
        ("two percent (2%) of the total bid price", "total bid price"),
        ("0.1% of monthly invoice per day", "monthly invoice"),
        ("0.5% per week of the contract value", "contract value"),
        ("2 % du montant de l'offre", "montant de l'offre"),
        ("0,1 % par jour de retard", ""),
        ("a margin of 14.2%", ""),
    ],
)
def test_a_percentage_says_what_it_is_of(text: str, base: str) -> None:
    assert only(text).base == base


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("0.1%/day", "day"), ("0.1% per day", "day"), ("0,1 % par jour", "day"), ("4% per annum", "year"), ("0.5% per working day", "working_day"),
        ("annual escalation of 4%", "year"), ("EUR 5,000,000 per occurrence", "occurrence"), ("INR 4 Cr/year", "year"), ("24 hours a day", "day"), ("5 days", ""),
    ],
)  # fmt: skip
def test_a_rate_keeps_its_base_of_time(text: str, per: str) -> None:
    assert only(text).per == per


def test_validity_and_warranty_periods_say_their_role() -> None:
    assert only("Bid validity: 120 days").role == "validity"
    assert only("a warranty of 24 months").role == "warranty"


def test_one_separator_before_three_digits_is_read_by_language() -> None:
    assert only("1,234 kg").value == 1234.0
    assert only("1,234 kg", "fr").value == 1.234
    assert only("1.234 kg", "fr").value == 1234.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Delivery time (days) | 45", [("days", 45.0, "day", "", "45")]),
        ("Response time (max, hours) | 4", []),
        (
            "Item | Price (EUR) | Lead time (weeks)\nMeter | 61.50 | 8",
            [("money", 61.5, "EUR", "", "61.50"), ("duration", 8.0, "week", "", "8")],
        ),
        ("Telecom revenue (INR Cr) | 1,920", [("money", 1.92e10, "INR", "", "1,920")]),
        ("Maximum loss (%) | 2.5", [("percent", 2.5, "percent", "<=", "2.5")]),
        ("Name (short) | 45", []),
        ("Latency (ms) | <38", [("duration", 38.0, "millisecond", "<", "38")]),
        ("Delivery time (days) | 45 days", [("days", 45.0, "day", "", "45 days")]),
    ],
)
def test_a_bare_cell_takes_the_unit_of_its_header_or_label(
    text: str, expected: list[tuple[object, ...]]
) -> None:
    assert [(f.kind, f.value, f.unit, f.comparator, f.text) for f in amounts(text)] == expected
