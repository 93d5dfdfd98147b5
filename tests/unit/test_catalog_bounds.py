"""Which way a rule's figures bound, what its words of duty leave as terms, and the years that it names."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.catalog.predicates.named_years import years_named
from bidproof.facts import compare, find_facts
from bidproof.records import Predicate, Requirement


def rule(text: str) -> Requirement:
    return derive(Requirement(rule_id="X", area="Admin", mandatory=True, text=text))


def limits(text: str) -> list[tuple[str, float | None, str]]:
    return [(p.comparator, p.value, p.unit) for p in rule(text).predicates if p.kind == "quantity"]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        # Read without its refusal, each of these passed the very bid that it turns away.
        ("Il est interdit de sous-traiter plus de 30 % du marché.", ("<=", 30, "percent")),
        ("Il est interdit, sauf accord écrit, de sous-traiter plus de 30 %.", ("<=", 30, "percent")),
        ("Toute sous-traitance de plus de 30 % est interdite.", ("<=", 30, "percent")),
        ("La sous-traitance ne peut excéder 30 %.", ("<=", 30, "percent")),
        ("Le candidat ne peut sous-traiter plus de 30 %.", ("<=", 30, "percent")),
        ("Le candidat ne peut en aucun cas sous-traiter plus de 30 %.", ("<=", 30, "percent")),
        ("Le délai n'est pas inférieur à 30 jours.", (">=", 30, "day")),
        ("Le délai ne saurait dépasser 30 jours.", ("<=", 30, "day")),
        ("Pas plus de 20 pages.", ("<=", 20, "page")),
        ("Il livre sans que le délai de remplacement des pièces usées dépasse 30 jours.", ("<=", 30, "day")),
        ("Il est interdit de proposer moins de 3 experts.", (">=", 3, "expert")),
        ("It is forbidden to subcontract more than 30%.", ("<=", 30, "percent")),
        ("Subcontracting of more than 30% is prohibited.", ("<=", 30, "percent")),
        ("Bidders are not permitted to subcontract more than 30% of the work.", ("<=", 30, "percent")),
        ("The downtime is not permitted to exceed 4 hours.", ("<=", 4, "hour")),
        ("Downtime of more than 4 hours is unacceptable.", ("<=", 4, "hour")),
        ("Une garantie inférieure à 24 mois n'est pas recevable.", (">=", 24, "month")),
        ("Une garantie inférieure à 24 mois est éliminatoire.", (">=", 24, "month")),
        ("No bidder with a turnover of less than EUR 5 million will be admitted.", (">=", 5e6, "EUR")),
        (
            "Bidders who do not have a turnover of more than EUR 5 million will be rejected.",
            (">", 5e6, "EUR"),
        ),
        ("Latency: not > 50 ms", ("<=", 50, "millisecond")),
        # Nothing is forbidden of these figures.
        ("Bids may not be withdrawn for 90 days.", (">=", 90, "day")),
        ("A bid that does not include a bid security of 2% will be rejected.", (">=", 2, "percent")),
        ("Smoking is forbidden and the team must have more than 3 engineers.", (">", 3, "engineer")),
        ("There is no delay and more than 3 experts.", (">", 3, "expert")),
        ("Not only more than 5 years of experience.", (">", 5, "year")),
    ],
)
def test_a_refusal_turns_the_limit_round(text: str, limit: tuple[str, float, str]) -> None:
    assert limits(text) == [limit]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("The stretcher has to carry 350 kg.", (">=", 350, "kg")),  # 400 kg failed
        ("La civière doit supporter 350 kg.", (">=", 350, "kg")),
        ("The fuel consumption is 11 l/100 km.", ("<=", 11, "l")),
        ("The casing is 350 mm wide.", ("=", 350, "mm")),
        ("A bid security of 1.5% of the bid price.", (">=", 1.5, "percent")),  # 2% was a breach
        ("Une caution de soumission de 1,5 % du montant.", (">=", 1.5, "percent")),
        ("A 5% performance guarantee.", (">=", 5, "percent")),
        ("A bid security of EUR 50,000.", (">=", 50000, "EUR")),
        # Fixed rates stay fixed, also beside a security.
        ("A penalty of 0.1% per day of delay.", ("=", 0.1, "percent")),
        ("An advance payment of 20% against a bank guarantee.", ("=", 20, "percent")),
        ("Une retenue de garantie de 5 %.", ("=", 5, "percent")),
        ("Bid security: 2% of total price.", ("=", 2, "percent")),
    ],
)
def test_what_a_bare_figure_is_for_says_how_it_bounds(text: str, limit: tuple[str, float, str]) -> None:
    assert limits(text) == [limit]


@pytest.mark.parametrize(
    "text",
    [
        "The vehicle has a warranty of at least 36 months or 100,000 km.",
        "La garantie est d'au moins 36 mois ou 100 000 km.",
        "The warranty is 36 months or 100,000 km, whichever comes first.",
    ],
)
def test_a_list_keeps_its_comparator(text: str) -> None:
    # As exactly 100,000 km the second limit failed a longer warranty.
    assert limits(text) == [(">=", 36, "month"), (">=", 100000, "km")]


def test_within_is_of_its_own_figure() -> None:
    # Carried over, "within" would ask for at most three copies.
    assert limits("Within 5 days and 3 copies.") == [("<=", 5, "day"), ("=", 3, "copy")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # A bid does not repeat these; asked for as terms they made a sound bid look incomplete.
        ("The bidder has no fewer than 4 similar contracts.", set()),
        ("Il fournira : a) un plan de maintenance", {"plan", "maintenance"}),
        ("Experience in Africa is desirable.", {"experience", "africa"}),
        ("Use of subcontractors is permitted.", {"subcontractors"}),
        ("The delivery is no longer than 90 days.", {"delivery"}),
        ("Le délai n'est pas inférieur à 30 jours.", {"delai"}),
    ],
)
def test_words_of_duty_and_comparison_are_no_terms(text: str, words: set[str]) -> None:
    asked = {w for p in rule(text).predicates for phrase in (*p.measure, *p.terms) for w in phrase.split()}
    assert asked == words


@pytest.mark.parametrize(
    ("text", "years"),
    [
        # Without its years the rule was met by the accounts of any others.
        ("Audited accounts for 2023, 2024 and 2025.", ("2023", "2024", "2025")),
        ("Les bilans des exercices 2023 à 2025.", ("2023", "2024", "2025")),
        ("The annual report of 2024.", ("2024",)),
    ],
)
def test_years_of_a_rule_are_terms_and_sentries(text: str, years: tuple[str, ...]) -> None:
    found = rule(text)
    (presence,) = (p for p in found.predicates if p.kind == "presence")
    assert presence.terms[-len(years) :] == years
    assert found.sentry_terms[-len(years) :] == years


@pytest.mark.parametrize(
    "text",
    [
        "Prices follow Incoterms 2020.",
        "Le candidat respecte la loi de 2015.",
        "Certified to ISO 9001:2015.",
        "The bid is handed in on 15 June 2026.",
        "In accordance with Regulation 2016/679.",
        "The plant serves at least 2000 users.",
    ],
)
def test_years_of_names_dates_and_amounts_ask_for_nothing(text: str) -> None:
    assert years_named(text, find_facts(text)) == ()


def test_a_bid_over_a_forbidden_share_fails() -> None:
    limit: Predicate = next(p for p in rule("Il est interdit de sous-traiter plus de 30 %.").predicates)
    assert compare(find_facts("Nous sous-traitons 40 %.", language="fr")[0], limit) == "fails"


@pytest.mark.parametrize(
    "text",
    ["The unit shall not weigh 40 kg.", "The voltage must not be 400 V.", "La validité n'est pas de 90 jours.", "The unit isn't 40 kg."],
)  # fmt: skip
def test_a_value_that_is_denied_is_no_value_asked_for(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    "text", ["The bidder is among the top 5 suppliers.", "At least one in three staff is certified."]
)
def test_a_place_in_an_order_and_the_whole_of_a_share_are_no_counts(text: str) -> None:
    assert limits(text) == []
