"""What the words of a rule make of its figures, dates and standards, in English and in French."""

from __future__ import annotations

import pytest

from bidproof.catalog import derive
from bidproof.catalog.formats.predicate_faults import faults_of
from bidproof.catalog.formats.predicate_lines import parse_line, predicate_line
from bidproof.facts import compare, find_facts
from bidproof.judging.quantity import in_words
from bidproof.records import Fact, Predicate, Requirement


def rule(text: str, context: str = "") -> Requirement:
    return derive(Requirement(rule_id="X", area="Admin", mandatory=True, text=text), context=context)


def all_of(text: str, kind: str = "quantity", context: str = "") -> list[Predicate]:
    return [p for p in rule(text, context).predicates if p.kind == kind]


def asked(text: str, kind: str = "quantity", context: str = "") -> Predicate:
    (found,) = all_of(text, kind, context)
    return found


def offered(text: str, language: str = "") -> Fact:
    return next(
        f for f in find_facts(text, language=language) if f.kind not in ("obligation", "standard", "class")
    )


@pytest.mark.parametrize(
    ("text", "comparator", "value", "unit"),
    [
        ("The warranty is no less than 24 months.", ">=", 24, "month"),
        ("The price is not exceeding EUR 2.5 million.", "<=", 2.5e6, "EUR"),
        ("Le montant ne dépassant pas 1 234 567,50 € HT.", "<=", 1_234_567.5, "EUR"),
        ("Au moins trois (3) références.", ">=", 3, "reference"),
        ("Intervention sous 4 heures.", "<=", 4, "hour"),
        ("Livraison dans un délai de 30 jours ouvrés.", "<=", 30, "working_day"),
        ("La demande est remise au plus tard 10 jours après la notification.", "<=", 10, "day"),
        ("L'attestation date de moins d'un an.", "<", 1, "year"),
        ("The certificate must not be older than 6 months.", "<=", 6, "month"),
        ("Answers come within an hour.", "<=", 1, "hour"),
        ("Latency <50ms.", "<", 50, "millisecond"),
        ("Operators of 50M+ subscribers.", ">=", 5e7, "subscriber"),
        ("At least 12 gizmos.", ">=", 12, "gizmo"),
        ("A file of 100 MB per file at most.", "<=", 100, "MB"),
        ("Max File Size | 100 MB per file", "<=", 100, "MB"),
        ("2 M€ de chiffre d'affaires minimum.", ">=", 2e6, "EUR"),
        ("Font min. 11pt.", ">=", 11, "point"),
        ("Turnover of INR 500 Cr.", ">=", 5e9, "INR"),
        ("Un chiffre d'affaires de 3 milliards de FCFA.", ">=", 3e9, "XOF"),
        ("Assets of Rs. 25 lakhs.", ">=", 2.5e6, "INR"),
        ("En un seul exemplaire.", "=", 1, "exemplaire"),
        ("Ce pli contient trois enveloppes distinctes.", "=", 3, "enveloppe"),
        ("Prices stay firm for 180 days from submission.", ">=", 180, "day"),
        ("Les concurrents restent engagés par leurs offres pendant un délai de 75 jours.", ">=", 75, "day"),
        ("A hypercare of 90 days.", ">=", 90, "day"),
        ("P1 - Critical | 15 minutes", "<=", 15, "minute"),
        ("GTI de 4 h.", "<=", 4, "hour"),
        ("The camera has 4 MP.", "=", 4, "MP"),
        ("Deux couches de peinture.", ">=", 2, "couche"),
    ],
)
def test_a_figure_bounds_the_side_that_its_words_say(
    text: str, comparator: str, value: float, unit: str
) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.unit) == (comparator, pytest.approx(value), unit)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Thickness of 10 mm +/- 1 mm.", 9, 11, "mm"),
        ("Thickness of 10 mm +/- 1.", 9, 11, "mm"),
        ("Épaisseur de 10 ± 1 mm.", 9, 11, "mm"),
        ("A voltage of 230 V ± 10 %.", 207, 253, "V"),
        ("From -10 °C to +55 °C.", -10, 55, "°C"),
        ("Delivery in 2 to 4 weeks.", 2, 4, "week"),
        ("Entre 5 et 10 jours.", 5, 10, "day"),
    ],
)
def test_a_range_and_a_tolerance_have_two_ends(text: str, low: float, high: float, unit: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.value_max) == ("", low, high)
    assert predicate.unit == unit


@pytest.mark.parametrize("text", ["An accuracy of ± 0.5 %.", "Une précision de ±0,5 %."])
def test_a_tolerance_alone_is_an_upper_limit(text: str) -> None:
    # ">= 0.5 %" would let the coarser meter pass
    predicate = asked(text)
    assert (predicate.comparator, predicate.value) == ("<=", 0.5)
    assert compare(offered("accuracy of ± 0.2 %"), predicate) == "holds"
    assert compare(offered("accuracy of ± 1 %"), predicate) == "fails"


@pytest.mark.parametrize(
    "text",
    [
        "Damages of 0.1% per day capped at 10%.",
        "Pénalités de 0,1 % par jour de retard, plafonnées à 10 %.",
        "Pénalité de 1/1000 par jour de retard, plafonnée à 10 %.",
    ],
)
def test_a_rate_and_its_cap_are_two_predicates(text: str) -> None:
    assert [(p.comparator, p.value, p.per) for p in all_of(text)] == [("=", 0.1, "day"), ("<=", 10.0, "")]


@pytest.mark.parametrize(
    ("text", "value", "unit", "per"),
    [
        ("The vendor sends a monthly service report.", 1, "report", "month"),
        ("Quarterly DR drills are held.", 1, "drill", "quarter"),
        ("Twice a year the vendor runs a test.", 2, "test", "year"),
        ("Meetings every three months.", 1, "meeting", "quarter"),
        ("Pen testing | bi-annual", 2, "testing", "year"),
        ("Un rapport trimestriel est transmis.", 1, "rapport", "quarter"),
        ("Un rapport d'activité mensuel est transmis.", 1, "rapport", "month"),
        ("Deux fois par an, un audit est réalisé.", 2, "audit", "year"),
        ("Les sauvegardes sont testées tous les six mois.", 2, "sauvegarde", "year"),
    ],
)
def test_what_recurs_is_asked_so_many_times_a_period(text: str, value: float, unit: str, per: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.value, predicate.unit, predicate.per) == (">=", value, unit, per)


@pytest.mark.parametrize(
    "text", ["A monthly fee is stated.", "Le tarif annuel est indiqué.", "The annual price list."]
)
def test_a_sum_of_a_period_is_no_rhythm(text: str) -> None:
    assert all_of(text) == []


@pytest.mark.parametrize(
    "text", ["The bidder replies within ten (15) days.", "Le candidat répond sous dix (15) jours."]
)
def test_words_and_digits_that_disagree_are_both_kept_and_pass_by_neither_alone(text: str) -> None:
    predicate = asked(text)
    assert (predicate.comparator, predicate.readings) == ("<=", ("10", "15"))
    assert predicate.text.endswith(("ten (15) days", "dix (15) jours"))  # shown beside
    assert in_words(predicate) == "<= 10 or 15 day"
    assert {"10 days", "15 days"} <= set(rule(text).sentry_terms)
    assert compare(offered("within 12 days"), predicate) == "unlike"
    assert compare(offered("within 15 days"), predicate) == "unlike"
    assert compare(offered("within 20 days"), predicate) == "fails"
    assert compare(offered("within 8 days"), predicate) == "holds"


@pytest.mark.parametrize(
    ("text", "context", "comparator", "value"),
    [
        ("Bids of more than 50 pages will be rejected.", "", "<=", 50),
        ("Les offres de plus de 50 pages seront rejetées.", "", "<=", 50),
        ("One expert may not be proposed for more than two lots.", "", "<=", 2),
        ("Un intervenant ne peut pas être présenté pour deux profils ou plus.", "", "<", 2),
        (
            "Les personnes qui représentent plus d'un concurrent.",
            "Ne sont pas admises à participer : Les personnes qui représentent plus d'un concurrent.",
            "<=",
            1,
        ),
        ("Bids are rejected unless they hold at least 3 references.", "", ">=", 3),
    ],
)
def test_what_gets_a_bid_refused_turns_its_limit_round(
    text: str, context: str, comparator: str, value: float
) -> None:
    # read as it stands, the limit would pass the very bids that the rule refuses
    predicate = asked(text, context=context)
    assert (predicate.comparator, predicate.value) == (comparator, value)


@pytest.mark.parametrize(
    ("text", "comparator", "date"),
    [
        ("Delivery no later than 30 June 2027.", "<=", "2027-06-30"),
        ("Livraison au plus tard le 30 juin 2027.", "<=", "2027-06-30"),
        ("The policy is valid until 30 June 2027.", ">=", "2027-06-30"),
        ("La police est valable jusqu'au 30 juin 2027.", ">=", "2027-06-30"),
        ("Prestations à compter du 1er mars 2027.", ">=", "2027-03-01"),
        ("Works done since 1 January 2020.", ">=", "2020-01-01"),
        ("Go-live — Aug 2026", "<=", "2026-08-31"),
        ("Bids received after 30 June 2027 will be returned unopened.", "<=", "2027-06-30"),
        ("Toute offre parvenue après le 30 juin 2027 sera rejetée.", "<=", "2027-06-30"),
    ],
)
def test_a_date_is_bounded_on_the_side_that_its_words_say(text: str, comparator: str, date: str) -> None:
    predicate = asked(text, "date")
    assert (predicate.comparator, predicate.date) == (comparator, date)


@pytest.mark.parametrize(
    "text",
    [
        "Une attestation au sens de l'article 24 du décret n° 2-12-349 du 20 mars 2013 est jointe.",
        "A declaration under section 4 of the Public Works Act 2015 is enclosed.",
        "The declaration of the circular dated 3 May 2019 is signed.",
    ],
)
def test_a_law_that_is_only_cited_is_no_test(text: str) -> None:
    assert all_of(text, "date") == []
    assert all_of(text, "standard") == []


@pytest.mark.parametrize(
    ("text", "comparator", "code", "edition"),
    [
        ("Data in transit uses TLS 1.2 or higher.", ">=", "TLS", "1.2"),
        ("Les échanges utilisent TLS 1.2 ou supérieur.", ">=", "TLS", "1.2"),
        ("Certified to ISO 9001:2015 or later.", ">=", "ISO 9001", "2015"),
        ("SSO runs over SAML 2.0.", "", "SAML", "2.0"),
        ("Full compliance with the Data Protection Act 2019.", "", "Data Protection Act", "2019"),
        ("La solution est conforme au RGPD.", "", "GDPR", ""),
        ("The cloud is STQC-certified.", "", "STQC", ""),
        ("L'hébergeur est certifié HDS.", "", "HDS", ""),
    ],
)
def test_a_standard_may_go_by_its_name(text: str, comparator: str, code: str, edition: str) -> None:
    predicate = asked(text, "standard")
    assert (predicate.comparator, predicate.code, predicate.edition) == (comparator, code, edition)


def test_a_later_version_does_where_the_rule_says_so() -> None:
    at_least = asked("TLS 1.2 or higher is used.", "standard")
    exact = asked("TLS 1.2 is used.", "standard")
    newer, older = (next(iter(find_facts(f"over TLS {v}."))) for v in ("1.3", "1.1"))
    assert (compare(newer, at_least), compare(newer, exact)) == ("holds", "unlike")
    assert compare(older, at_least) == compare(older, exact) == "fails"
    ten = next(iter(find_facts("over TLS 1.10.")))
    assert compare(ten, at_least) == "holds"  # numbers, not letters


@pytest.mark.parametrize(
    "text",
    [
        "TLS 1.0 and SSL 3.0 must be disabled.",
        "TLS 1.0 et SSL 3.0 sont interdits.",
        "Telnet and SSL 3.0 shall not be used.",
    ],
)
def test_a_protocol_that_must_not_be_is_not_asked_for(text: str) -> None:
    assert all_of(text, "standard") == []


def test_a_level_of_a_standard_says_whether_a_higher_one_does() -> None:
    predicate = asked("TM Forum Frameworx certification at Level 3 or above.", "standard")
    assert (predicate.code, predicate.terms, predicate.comparator) == (
        "TM Forum Frameworx",
        ("level 3",),
        ">=",
    )
    assert asked("HSM to FIPS 140-2 Level 3.", "standard").terms == ("level 3",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A certificate to ISO 9001 or equivalent.", "ISO 9001 or equivalent"),
        ("Une certification ISO 9001 ou équivalente.", "ISO 9001 ou équivalente"),
    ],
)
def test_or_equivalent_stands_beside_the_standard(text: str, shown: str) -> None:
    assert asked(text, "standard").text == shown


@pytest.mark.parametrize("text", ["Either ISO 9001 or ISO 14001.", "ISO 9001 ou ISO 14001."])
def test_alternatives_are_groups_and_what_is_joined_is_one_group(text: str) -> None:
    assert [(p.group, p.code) for p in all_of(text, "standard")] == [(0, "ISO 9001"), (1, "ISO 14001")]
    assert {p.group for p in all_of("ISO 9001 and ISO 14001.", "standard")} == {0}
    assert {p.group for p in all_of("ISO 9001 et ISO 14001.", "standard")} == {0}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Le certificat du registre de commerce (modèle 9) est joint.", "MODELE 9"),
        ("Les CV suivent le modèle présenté en annexe 1.", "ANNEXE 1"),
        ("CVs use the template in Annex 3.", "ANNEX 3"),
        ("Form TECH-5 is signed.", "TECH-5"),
        ("Le formulaire DC1 est signé.", "DC1"),
    ],
)
def test_a_form_goes_by_its_code_model_or_annex(text: str, code: str) -> None:
    assert asked(text, "form").code == code


@pytest.mark.parametrize(
    "text",
    [
        "Prior works in the last 3 years are listed.",
        "The desk is open 24 hours a day, 7 days a week.",
        "L'astreinte est joignable 24h/24 et 7j/7.",
        "A plan that is well made and detailed: 10 points",
        "Billing for consumers (20M subs) is planned.",
        "99.999% (five nines)",
    ],
)
def test_windows_loads_and_points_are_no_tests(text: str) -> None:
    assert [p for p in all_of(text) if p.unit != "percent"] == []


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("At least 2 contracts of a value of KES 50 million each.", (">=", 5e7, "KES")),
        ("Au moins deux marchés d'un montant de 500 000 DH chacun.", (">=", 5e5, "MAD")),
        ("The bid security is KES 2,000,000.", (">=", 2e6, "KES")),  # more security is no breach
    ],
)
def test_what_each_reference_is_worth_is_a_lower_limit(text: str, money: tuple[object, ...]) -> None:
    predicate = next(p for p in all_of(text) if p.unit in ("KES", "MAD"))
    assert (predicate.comparator, predicate.value, predicate.unit) == money


def test_a_thin_slice_takes_its_measure_from_the_row_it_was_cut_from() -> None:
    predicate = asked("15 minutes", context="P1 - Critical | 15 minutes | 4 hours")
    assert (predicate.comparator, predicate.value) == ("<=", 15.0)


def test_figures_of_one_list_are_points_and_not_limits() -> None:
    tiers = all_of("Prices for 200M / 250M / 300M subscribers.")
    assert [(p.comparator, p.value, p.unit) for p in tiers] == [
        ("=", v * 1e6, "subscriber") for v in (200, 250, 300)
    ]


def test_a_figure_after_a_label_measures_what_the_label_says() -> None:
    first, second = all_of("Response time: 2h maximum, resolution: 1 business day.")
    assert first.measure == ("response time",)
    assert second.measure == ("resolution", "response time")


def test_the_sum_of_a_year_answers_annual_turnover_without_per_year() -> None:
    predicate = asked("An annual turnover of at least EUR 5 million.")
    assert predicate.per == "year"
    assert compare(offered("Turnover: EUR 6,000,000"), predicate) == "holds"
    assert compare(offered("EUR 6,000,000 per month"), predicate) == "unlike"


@pytest.mark.parametrize(
    "text", ["The bond is valid until 03/04/2027.", "The bidder replies within ten (15) days."]
)
def test_a_predicate_with_two_readings_is_written_and_read_again_without_a_fault(text: str) -> None:
    for predicate in rule(text).predicates:
        assert parse_line(predicate_line(predicate, text), text) == predicate
        assert list(faults_of(predicate)) == []
