"""What the judge without a model must tell apart, point by point, in English and in French."""

from __future__ import annotations

import pytest
from trap_bench import finding_on
from verdict_builder import MATRIX, VALIDITY, judge, row, rule, said

from bidproof.catalog import derive
from bidproof.judging import Passage, PredicateJudge
from bidproof.judging.counter import contrary
from bidproof.params import JudgingParams
from bidproof.records import Judgement, Predicate, Requirement

OFFER = "Our bid remains valid for 150 calendar days from the submission date."
SHORT = "Our bid remains valid for 60 calendar days from the submission date."
VALABLE = "L'offre reste valable au moins 120 jours calendaires."
REPAIR, PANNES = "Faults are repaired within 4 hours.", "Les pannes sont réparées en 4 heures au plus."
WARRANTY, GARANTIE = "The warranty is at least 24 months.", "La garantie est d'au moins 24 mois."
RANGE = "The range of the radio link is at least 2 km."
SECURITY = "The bid security amounts to at least 2% of the total bid price."
CAUTION = "La caution de soumission est d'au moins 2 % du montant total de l'offre."
BOND = "The bond is valid until at least 31 March 2027."
CAUTION_DATE = "La caution est valable au moins jusqu'au 31 mars 2027."
NOISE = "The sound level is at most 65 dB."


def verdict(found: Judgement) -> tuple[str, bool]:
    return found.status.value, found.needs_review


@pytest.mark.parametrize(
    ("text", "statement", "status"),
    [
        (REPAIR, "We repair faults within 180 minutes.", "Pass"),
        (REPAIR, "We repair faults within 300 minutes.", "Fail"),
        (PANNES, "Nous réparons les pannes en 180 minutes.", "Pass"),
        (PANNES, "Nous réparons les pannes en 300 minutes.", "Fail"),
        (RANGE, "The range of our radio link is 2,500 m.", "Pass"),
        (RANGE, "The range of our radio link is 1500 m.", "Fail"),
        (WARRANTY, "Our warranty is 3 years.", "Pass"),
        (WARRANTY, "Our warranty is 1 year.", "Fail"),
        (GARANTIE, "Notre garantie est de 3 ans.", "Pass"),
        (GARANTIE, "Notre garantie est de 1 an.", "Fail"),
    ],
)
def test_a_figure_in_another_unit_is_converted(text: str, statement: str, status: str) -> None:
    assert verdict(judge(text, said(statement))) == (status, False)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (SECURITY, "Our bid security amounts to 2% of the monthly invoice."),
        (CAUTION, "Notre caution de soumission est de 2 % de la facture mensuelle."),
        ("Turnover is at least EUR 5,000,000 per year.", "Our turnover is USD 6,000,000 per year."),
        (WARRANTY, "Our warranty is up to 36 months."),
        (REPAIR, "Faults are repaired in no less than 4 hours."),
        (BOND, "The bond is valid until 03/04/2027."),
        (VALIDITY, "Our bid remains valid for ____ calendar days."),
        (VALIDITY, "Our bid stays valid as long as the tender asks."),
        (VALABLE, "Notre offre reste valable aussi longtemps que demandé."),
        (VALABLE, "Notre offre reste valable quatre mois."),
    ],
)
def test_what_cannot_be_compared_is_left_to_a_person(text: str, statement: str) -> None:
    assert verdict(judge(text, said(statement))) == ("Partial", True)


@pytest.mark.parametrize(
    ("text", "statement", "status"),
    [
        (SECURITY, "Our bid security amounts to 2% of the total bid price.", "Pass"),
        (CAUTION, "Notre caution de soumission est de 2 % du montant total de l'offre.", "Pass"),
        (CAUTION, "Notre caution de soumission est de 1,5 % du montant total de l'offre.", "Fail"),
        (NOISE, "The sound level is 62 dB.", "Pass"),
        (NOISE, "The sound level is 68 dB.", "Fail"),
        (WARRANTY, "Our warranty is less than 24 months.", "Fail"),
        (GARANTIE, "Notre garantie est inférieure à 24 mois.", "Fail"),
        (BOND, "The bond is valid until 30 April 2027.", "Pass"),
        (BOND, "The bond is valid until 28 February 2027.", "Fail"),
        (CAUTION_DATE, "La caution est valable jusqu'au 30 avril 2027.", "Pass"),
        (CAUTION_DATE, "La caution est valable jusqu'au 28 février 2027.", "Fail"),
    ],
)
def test_bases_bounds_and_days_are_held_to(text: str, statement: str, status: str) -> None:
    assert verdict(judge(text, said(statement))) == (status, False)


@pytest.mark.parametrize(
    ("text", "statement", "status"),
    [
        ("Certificates to ISO/IEC 27001:2022 are enclosed.", "Our certificate for 27001:2013, valid to 2026-11, is enclosed.", "Fail"),
        ("A current certificate to ISO/IEC 27001 is enclosed.", "Our certificate for 27001:2013, valid to 2026-11, is enclosed.", "Partial"),
        ("Un certificat ISO/IEC 27001 en cours de validité est joint.", "Notre certificat ISO/IEC 27001:2013, valable jusqu'au 30 novembre 2026, est joint.", "Partial"),
    ],
)  # fmt: skip
def test_an_edition_that_was_replaced_is_told(text: str, statement: str, status: str) -> None:  # T36
    found = finding_on(text, statement)
    assert (found["status"], found["needs_review"], found["quote"]) == (status, True, statement)
    assert "superseded edition" in found["review_reason"]


FORM, FORMULAIRE = "2.1 Form BS-1 - Bid Security", "2.1 Formulaire BS-1 - Caution de soumission"


@pytest.mark.parametrize(
    ("text", "heading", "cells", "status"),
    [
        ("Form BS-1 is filled in and signed.", FORM, ("Guarantor | Bank of Meridor", "Signature | signed A. Quist"), "Pass"),
        ("Form BS-1 is filled in and signed.", FORM, ("Guarantor | Bank of Meridor", "Amount | EUR 20,000", "Signature | ______"), "Partial"),
        ("Form BS-1 is filled in and signed.", FORM, ("Guarantor | ______", "Amount | ______", "Signature | ______"), "Fail"),
        ("Le formulaire BS-1 est complété et signé.", FORMULAIRE, ("Garant | Banque Meridor", "Signature | signé A. Quist"), "Pass"),
        ("Le formulaire BS-1 est complété et signé.", FORMULAIRE, ("Garant | Banque Meridor", "Montant | 20 000 EUR", "Signature | ......"), "Partial"),
        ("Le formulaire BS-1 est complété et signé.", FORMULAIRE, ("Garant | ______", "Montant | ______", "Signature | ______"), "Fail"),
    ],
)  # fmt: skip
def test_a_form_is_signed_unsigned_or_blank(
    text: str, heading: str, cells: tuple[str, ...], status: str
) -> None:
    rows = [row(cell, heading=heading, number=n) for n, cell in enumerate(cells, 1)]
    assert judge(text, *rows).status == status


@pytest.mark.parametrize("statement", ["Form BS-1 is not enclosed.", "Le formulaire BS-1 n'est pas joint."])
def test_a_form_that_is_said_not_to_be_there_fails(statement: str) -> None:
    assert verdict(judge("Form BS-1 is signed.", said(statement))) == ("Fail", False)


def either(*passages: Passage) -> Judgement:
    days = Predicate(kind="quantity", measure=("bond",), comparator=">=", value=120.0, unit="day", group=1)
    sum_ = Predicate(kind="quantity", measure=("deposit",), comparator=">=", value=2e4, unit="EUR", group=2)
    text = "The bid security is a bond of 120 days or a deposit of EUR 20,000."
    requirement = Requirement(rule_id="R1", area="Admin", mandatory=True, text=text, predicates=(days, sum_))
    return PredicateJudge(JudgingParams()).judge(requirement, passages, None)


def test_one_of_two_alternatives_is_enough_and_neither_is_a_fail() -> None:
    bond, deposit = "Our bid security is a bond of 150 days.", "Our bid security is a deposit of EUR 25,000."
    short = "Our bid security is a bond of 60 days."
    assert verdict(either(said(bond))) == ("Pass", False)
    assert verdict(either(said(deposit))) == ("Pass", False)
    assert either(said(short), said(deposit, number=2)).quote == deposit
    assert verdict(either(said(short))) == ("Fail", False)


@pytest.mark.parametrize(
    ("text", "offered", "status"),
    [
        ("The management system is certified to ISO 9001:2015 or ISO 14001:2015.", "Our management system is certified to ISO 14001:2015.", "Pass"),
        ("The management system is certified to ISO 9001:2015 or ISO 14001:2015.", "Our management system is certified to ISO 45001:2018.", "Partial"),
        ("Le système de management est certifié ISO 9001:2015 ou ISO 14001:2015.", "Notre système de management est certifié ISO 14001:2015.", "Pass"),
        ("Le système de management est certifié ISO 9001:2015 ou ISO 14001:2015.", "Notre système de management est certifié ISO 45001:2018.", "Partial"),
    ],
)  # fmt: skip
def test_one_of_two_standards_is_enough_and_a_third_is_not(text: str, offered: str, status: str) -> None:
    assert judge(text, said(offered)).status == status


PLAN = "A preventive maintenance plan with its schedule is provided."
PLAN_FR = "Un plan de maintenance préventive avec son calendrier est fourni."


@pytest.mark.parametrize(
    ("text", "statement", "heading", "expected"),
    [
        (PLAN, "The preventive maintenance plan PM-02 is enclosed with its schedule by equipment.", "2 Our Offer", ("Pass", False)),
        (PLAN, "The plan lists each visit and its schedule for all equipment.", "7.2 Preventive Maintenance Plan", ("Pass", True)),
        (PLAN, "No preventive maintenance plan is provided.", "2 Our Offer", ("Fail", False)),
        (PLAN, "Our team looks after all equipment with good tools.", "7.2 Preventive Maintenance Plan and Schedule", ("Missing", False)),
        (PLAN_FR, "Le plan de maintenance préventive avec son calendrier est joint à notre offre.", "2 Offre", ("Pass", False)),
        (PLAN_FR, "Aucun plan de maintenance préventive n'est fourni.", "2 Offre", ("Fail", False)),
        (PLAN_FR, "Un plan de maintenance préventive avec son calendrier est fourni sur demande.", "2 Offre", ("Partial", True)),
        (PLAN_FR, "Notre équipe soigne tous les équipements.", "7.2 Plan de maintenance préventive et calendrier", ("Partial", True)),
    ],
)  # fmt: skip
def test_a_thing_is_there_by_what_is_said_of_it_and_a_heading_alone_is_not_enough(
    text: str, statement: str, heading: str, expected: tuple[str, bool]
) -> None:
    assert verdict(judge(text, said(statement, heading))) == expected


@pytest.mark.parametrize(
    ("text", "statement", "status"),
    [
        (VALIDITY, "We do not accept a bid validity of 120 calendar days.", "Fail"),
        (VALIDITY, "We accept a bid validity of 120 calendar days subject to a price review.", "Partial"),
        (VALIDITY, "We accept a bid validity of 120 calendar days except where exchange rates change.", "Partial"),
        (VALABLE, "Nous n'acceptons pas une validité de l'offre de 120 jours calendaires.", "Fail"),
        (VALABLE, "Notre offre reste valable 120 jours calendaires, sauf pour le lot 2.", "Partial"),
        (VALABLE, "Notre offre reste valable 120 jours calendaires à condition que les prix soient révisés.", "Partial"),
    ],
)  # fmt: skip
def test_a_refusal_fails_and_an_exception_leaves_it_to_a_person(
    text: str, statement: str, status: str
) -> None:
    found = judge(text, said(statement))
    assert (found.status, found.quote) == (status, statement)
    assert found.needs_review is (status == "Partial")


DAMAGES = "Liquidated damages of 0.1% of the contract price per day of delay are accepted."
DAMAGES_YES = "We accept liquidated damages of 0.1% of the contract price per day of delay."
RETARD = "Les pénalités de retard de 0,1 % du prix du marché par jour sont acceptées."
RETARD_YES = "Nous acceptons les pénalités de retard de 0,1 % du prix du marché par jour."
PAYMENT = "The payment schedule of the draft contract is accepted."
PAYMENT_YES = "We accept the payment schedule of the draft contract."
TABLES = [
    (DAMAGES, DAMAGES_YES, "7.2 | Liquidated damages", "Clause | Subject | Deviation", "9 Table of Deviations"),
    (RETARD, RETARD_YES, "7.2 | Pénalités de retard", "Article | Objet | Réserve", "9 Tableau des réserves"),
    (PAYMENT, PAYMENT_YES, "5.1 | Payment schedule of the draft contract", "Clause | Subject | Deviation", "9 Deviations"),
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=["figure", "French", "no figure"])
@pytest.mark.parametrize(
    "entry",
    ["Not accepted", "Non acceptées", "Rejetées", "Deleted", "To be negotiated", "À négocier", "Replaced by monthly invoices"],
)  # fmt: skip
def test_an_entry_in_a_table_of_deviations_contradicts_the_promise_and_both_are_shown(
    table: tuple[str, str, str, str, str], entry: str
) -> None:
    text, promise, subject, header, heading = table
    found = judge(text, said(promise), row(f"{subject} | {entry}", header, heading, 40, 2))
    assert verdict(found) == ("Partial", True)
    assert {found.quote, *found.other_quotes} == {promise, f"{subject} | {entry}"}
    assert "contradiction" in found.review_reason
    alone = judge(text, row(f"{subject} | {entry}", header, heading, 40, 2))
    assert alone.status in ("Partial", "Fail")
    assert alone.needs_review or alone.status == "Fail"


@pytest.mark.parametrize("table", TABLES, ids=["figure", "French", "no figure"])
@pytest.mark.parametrize("entry", ["None", "No deviation", "Néant", "Aucune réserve", "-", "Accepted"])
def test_a_table_of_deviations_without_one_takes_nothing_back(
    table: tuple[str, str, str, str, str], entry: str
) -> None:
    text, promise, subject, header, heading = table
    found = judge(text, said(promise), row(f"{subject} | {entry}", header, heading, 40, 2))
    assert (verdict(found), found.quote) == (("Pass", False), promise)


LISTED = "Clause | Subject | Deviation"
ISO, ISO_YES = (
    "Certificates to ISO/IEC 27001:2022 are enclosed.",
    "Our certificate to ISO/IEC 27001:2022 is enclosed.",
)
BOND_YES = "The bond is valid until 30 April 2027."
OTHERS = [
    (ISO, (said(ISO_YES),), "4.1 | Certificate ISO/IEC 27001"),
    (BOND, (said(BOND_YES),), "4.2 | Validity of the bond"),
    ("Form BS-1 is filled in and signed.", (row("Guarantor | Bank of Meridor", heading=FORM), row("Signature | signed A. Quist", heading=FORM, number=2)), "4.3 | Form BS-1"),
    (VALIDITY, (said(OFFER),), "4.4 | Validity of the bid"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "proof", "subject"), OTHERS, ids=["standard", "date", "form", "figure"])
def test_a_deviation_from_a_standard_date_form_or_figure_is_heard_chosen_or_not(
    text: str, proof: tuple[Passage, ...], subject: str
) -> None:
    assert verdict(judge(text, *proof)) == ("Pass", False)
    for entry, expected in (("To be agreed", ("Partial", True)), ("None", ("Pass", False))):
        entered = row(f"{subject} | {entry}", LISTED, "9 Table of Deviations", 40, 3)
        assert verdict(judge(text, *proof, entered)) == expected
        beside = contrary(rule(text), [entered], JudgingParams(), None, {})
        assert beside == ((entered,) if expected[0] == "Partial" else ())


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The bond is valid from 1 January 2026 until 30 April 2027.", ("Pass", False)),
        ("The bond is valid from 1 January 2026 until 30 January 2027.", ("Fail", False)),
        ("The bond is valid from 30 April 2027.", ("Partial", True)),
        ("The bond was issued on 30 April 2027.", ("Partial", True)),
    ],
)
def test_a_first_day_does_not_say_until_when(statement: str, expected: tuple[str, bool]) -> None:
    assert verdict(judge("The bond shall remain valid until 31 March 2027.", said(statement))) == expected


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("No warranty is given on meters.", "Partial"),
        ("We reject the warranty on meters.", "Partial"),
        ("The warranty on meters does not cover vandalism.", "Pass"),
    ],
)
def test_a_refusal_elsewhere_contradicts_a_figure_and_a_limit_of_it_is_a_doubt(
    statement: str, status: str
) -> None:
    promise = said("The warranty on all meters is 36 months.")
    found = judge("The warranty on all meters is at least 24 months.", promise, said(statement, number=2))
    assert verdict(found) == (status, True)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (VALIDITY, OFFER, SHORT),
        (VALABLE, "Notre offre reste valable 150 jours calendaires.", "Notre offre reste valable 60 jours calendaires."),
        (NOISE, "The sound level is 62 dB.", "The sound level is 71 dB."),
    ],
)  # fmt: skip
def test_two_values_of_one_measure_are_partial_with_both_quotes(text: str, first: str, second: str) -> None:
    found = judge(text, said(first), said(second, "9 Conditions", 40, 2))
    assert (verdict(found), {found.quote, *found.other_quotes}) == (("Partial", True), {first, second})
    whole = finding_on(text, first, second)
    assert (whole["status"], {whole["quote"], *whole["other_quotes"]}) == ("Partial", {first, second})


GRID = "N° | Exigence | Statut | Remarques"


@pytest.mark.parametrize(
    ("text", "header", "answer", "expected"),
    [
        (VALIDITY, MATRIX, "Compliant |", ("Partial", True)),
        (VALIDITY, MATRIX, " |", ("Missing", False)),
        (VALIDITY, MATRIX, "Compliant | Our bid is valid for 150 calendar days from the submission date", ("Pass", False)),
        (VALIDITY, MATRIX, "Compliant | Our bid is valid for 60 calendar days from the submission date", ("Fail", False)),
        (VALABLE, GRID, "Conforme |", ("Partial", True)),
        (VALABLE, GRID, "Vu |", ("Missing", False)),
        (VALABLE, GRID, "Non conforme |", ("Fail", False)),
        (VALABLE, GRID, "Partiellement conforme | Voir réserves", ("Partial", True)),
        (VALABLE, GRID, "Conforme | Notre offre est valable 150 jours calendaires", ("Pass", False)),
        (VALABLE, GRID, "Conforme | Notre offre est valable 60 jours calendaires", ("Fail", False)),
    ],
)  # fmt: skip
def test_of_a_matrix_row_status_and_remark_count_and_the_repeated_rule_does_not(
    text: str, header: str, answer: str, expected: tuple[str, bool]
) -> None:
    assert verdict(judge(text, row(f"3.4 | {text} | {answer}", header))) == expected


@pytest.mark.parametrize(
    ("text", "header", "cells", "detail"),
    [
        (VALIDITY, MATRIX, "Compliant | See letter", SHORT),
        (
            VALABLE,
            GRID,
            "Conforme | Voir lettre",
            "Notre offre reste valable soixante (60) jours calendaires.",
        ),
    ],
)
def test_a_bare_compliant_never_beats_contrary_detail(
    text: str, header: str, cells: str, detail: str
) -> None:
    found = judge(text, row(f"3.4 | {text} | {cells}", header), said(detail, number=2))
    assert (verdict(found), found.quote) == (("Fail", False), detail)
    assert judge(text, said("We are fully compliant with all requirements."), said(detail)).status == "Fail"


@pytest.mark.parametrize("text", [VALIDITY, VALABLE])
def test_being_compliant_with_everything_proves_no_rule(text: str) -> None:
    for statement in ("We are fully compliant with all requirements of the tender.", "Offre conforme."):
        assert verdict(judge(text, said(statement))) == ("Missing", False)


@pytest.mark.parametrize(
    ("text", "before", "quote", "after"),
    [
        (VALIDITY, "We thank the buyer.", OFFER, "Samples are returned after 200 days. Prices are in euro."),
        (VALABLE, "Nous remercions l'acheteur.", "Notre offre reste valable 150 jours calendaires.", "Les prix sont en euros."),
    ],
)  # fmt: skip
def test_the_quote_is_the_one_sentence_that_decides(text: str, before: str, quote: str, after: str) -> None:
    found = judge(text, said(f"{before} {quote} {after}"))
    assert (found.status, found.quote, found.other_quotes) == ("Pass", quote, ())
    assert judge(text, row("Bid validity | 150 calendar days", "Item | Offered")).quote in (
        "Bid validity | 150 calendar days",
        "",
    )


def test_a_rule_with_one_of_two_things_has_an_alternative_for_each() -> None:
    assert {p.group for p in rule("The bidder shall hold either ISO 14001 or EMAS.").predicates} == {0, 1}
    assert derive(Requirement(rule_id="R1", area="A", mandatory=True, text=VALIDITY)).predicates[0].group == 0
