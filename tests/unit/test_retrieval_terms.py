"""What counts as the same word, number or code when a rule meets a bid."""

from __future__ import annotations

import pytest

from bidproof.records import Predicate, Requirement
from bidproof.retrieval.analysis import analyzer, folded, number_terms, query_terms
from bidproof.retrieval.query import number_words, plain_words, spellings, wide_query


@pytest.mark.parametrize("written", ["BS-1", "BS 1", "bs1", "BS\u20111", "Form BS-1."])
def test_a_form_code_is_one_code_however_it_is_joined(written: str) -> None:
    assert "bs1" in analyzer("en").terms(written)


def test_a_standard_is_found_whole_and_by_its_parts() -> None:
    terms = analyzer("en").terms("meters to IEC 62053-21")
    assert {"62053-21", "62053", "21", "iec62053-21", "iec"} <= set(terms)


@pytest.mark.parametrize(
    "written", ["$1,106,500", "1 106 500 €", "1\u202f106\u202f500", "1.106.500", "11,06,500", "1106500"]
)
def test_an_amount_is_one_number_however_it_is_grouped(written: str) -> None:
    assert "1106500" in analyzer("fr").terms(written)


def test_percent_is_kept_with_its_sign_and_bare() -> None:
    assert analyzer("en").terms("2 %") == analyzer("en").terms("2%") == ["2%", "2"]
    assert analyzer("fr").terms("12,5%") == ["12.5%", "12.5"]


def test_decimals_are_kept_with_and_without_their_unit() -> None:
    assert analyzer("en").terms("0.5s") == ["0.5s", "0.5"]
    assert analyzer("fr").terms("0,075") == ["0.075"]
    assert "0.5" in analyzer("en").terms("class 0.5")


def test_a_lone_group_of_three_is_read_both_ways() -> None:
    assert number_terms("1,200") == ["1200", "1.2"]
    assert number_terms("1.355,90") == ["1355.9"]


def test_a_unit_glued_to_its_number_is_also_a_word() -> None:
    assert {"15", "min"} <= set(analyzer("en").terms("15min"))
    assert "day" in analyzer("en").terms("90days")
    assert "day" in analyzer("en").terms("90\u00a0days")


def test_words_before_a_number_are_no_code() -> None:
    assert analyzer("en").terms("of 90 days") == ["90", "day"]


def test_stems_follow_the_language_and_stop_words_go() -> None:
    assert analyzer("en").terms("The guarantees") == analyzer("en").terms("guarantee")
    assert analyzer("fr").terms("les garanties de l’offre") == analyzer("fr").terms("garantie offre")


def test_accents_ligatures_and_soft_hyphens_do_not_matter() -> None:
    assert folded("Délai de MANŒUVRE, certi\ufb01\u00adcat") == "delai de manoeuvre, certificat"


def test_hyphened_compounds_are_found_in_parts_and_joined() -> None:
    assert {"sub", "contractor", "subcontractor"} == set(analyzer("en").terms("sub-contractor"))


def test_a_query_is_tried_under_the_stems_of_every_language_of_the_pack() -> None:
    both = query_terms("garanties", ("en", "fr"))
    assert set(analyzer("en").terms("garanties")) | set(analyzer("fr").terms("garanties")) == set(both)


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (2, "two", "deux"),
        (21, "twenty-one", "vingt et un"),
        (71, "seventy-one", "soixante et onze"),
        (80, "eighty", "quatre-vingts"),
        (90, "ninety", "quatre-vingt-dix"),
        (99, "ninety-nine", "quatre-vingt-dix-neuf"),
        (120, "one hundred twenty", "cent vingt"),
        (1500, "one thousand five hundred", "mille cinq cent"),
    ],
)
def test_numbers_are_spelled_in_both_languages(number: int, english: str, french: str) -> None:
    assert number_words(number) == (english, french)


def test_two_percent_is_asked_for_in_every_usual_spelling() -> None:
    written = spellings(Predicate(kind="quantity", value=2, unit="percent", text="2%"))
    assert {"2%", "2 percent", "2 per cent", "two percent", "deux pour cent"} <= set(written)


def test_ninety_days_are_asked_for_in_words_and_in_french() -> None:
    written = spellings(Predicate(kind="quantity", value=90, unit="day"))
    assert {"90 days", "ninety days", "90 jours", "quatre-vingt-dix jours"} <= set(written)


def test_two_years_are_asked_for_as_twenty_four_months() -> None:
    assert "24 months" in spellings(Predicate(kind="quantity", value=2, unit="year"))


def test_five_billion_rupees_are_asked_for_as_five_hundred_crore() -> None:
    assert {"5000000000", "500 crore", "5 billion"} <= set(
        spellings(Predicate(kind="quantity", value=5e9, unit="INR"))
    )


def test_a_date_is_asked_for_in_numbers_and_with_its_month() -> None:
    written = spellings(Predicate(kind="date", date="2027-03-15"))
    assert {"15 March 2027", "15 mars 2027", "15/03/2027", "2027-03-15"} <= set(written)


def test_a_standard_is_asked_for_with_and_without_its_edition() -> None:
    written = spellings(Predicate(kind="standard", code="ISO/IEC 27001", edition="2022"))
    assert written == ["ISO/IEC 27001", "ISO/IEC 27001:2022"]


def test_the_words_of_duty_are_not_searched_for() -> None:
    assert plain_words("The bidder shall provide a bank guarantee") == "The a bank guarantee"
    assert plain_words("Bidder shall") == "Bidder shall"


def test_a_wide_query_holds_words_numbers_and_synonyms_apart() -> None:
    rule = Requirement(
        rule_id="R12",
        area="Admin",
        mandatory=True,
        text="Bid security: 2% of total price",
        predicates=(Predicate(kind="quantity", value=2, unit="percent", measure=("bid security",)),),
        sentry_terms=("2%",),
        synonyms=("bid bond",),
        section_hints=("Bid Security",),
    )
    query = wide_query(rule)
    assert query.must == ("Bid security: 2% of total price", "bid security")
    assert {"2%", "two percent"} <= set(query.numbers)
    assert query.synonyms == ("bid bond", "Bid Security")
    assert wide_query(rule) == query
