"""Defined terms of an RFP: what it says that they mean, who they are, and which of them a rule uses."""

from __future__ import annotations

import pytest
from block_builder import block, row

from bidproof.catalog.annotating.definitions import DefinedTerm, definitions_of, used_definitions
from bidproof.catalog.annotating.term_roles import role_of_terms
from bidproof.tables import BLOCKS

UNDER = "Section I > 1.1 Definitions"


def defined(*texts: str, path: str = "") -> dict[str, str]:
    blocks = [block(text, number=n, path=path) for n, text in enumerate(texts)]
    return {each.term: each.meaning for each in definitions_of(BLOCKS.frame(blocks))}


@pytest.mark.parametrize(
    ("text", "term", "meaning"),
    [
        ('"Works" means the building of the pump house.', "Works", "the building of the pump house."),
        ("“Site” shall mean the land shown in drawing 4.", "Site", "the land shown in drawing 4."),
        ('The term "Day" refers to a calendar day.', "Day", "a calendar day."),
        ('a) "Plant" has the meaning of machinery to be built in.', "Plant", "of machinery to be built in."),
        ("« Prestations » désigne les services du lot 2.", "Prestations", "les services du lot 2."),
        ("On entend par « jour ouvré » : tout jour sauf le dimanche.", "jour ouvré", "tout jour sauf le dimanche."),
        ("Par « Marché », on entend le contrat et ses annexes.", "Marché", "le contrat et ses annexes."),
        ("La commune de Valbrune, ci-après dénommée « la Ville », achète.", "Ville", "La commune de Valbrune"),
        ("La société Orval SA (ci-après le Titulaire) répond.", "Titulaire", "La société Orval SA"),
        ('Acme Power Ltd (hereinafter referred to as "the Employer") invites bids.', "Employer", "Acme Power Ltd"),
        ("Acme Power Ltd (the “Buyer”) invites bids.", "Buyer", "Acme Power Ltd"),
        ("The replacement Online Charging System (OCS) is in scope.", "OCS", "Online Charging System"),
        ("Le cahier des clauses administratives particulières (CCAP) prime.", "CCAP",
         "cahier des clauses administratives particulières"),
    ],
)  # fmt: skip
def test_a_sentence_defines_a_term(text: str, term: str, meaning: str) -> None:
    assert defined(text) == {term: meaning}


@pytest.mark.parametrize(
    "text",
    [
        "This means that all bids are read.",
        "Bids are opened after the Closing Date.",
        'The bidder fills in "Form A" and signs it.',
        "[Name of bidder] (hereinafter called “the Principal”) is bound.",
        "The supplier (ISO 9001 certified) delivers.",
        "Price (EUR) of the goods",
        "See the note: all prices are net.",
    ],
)
def test_what_only_looks_like_a_definition_is_none(text: str) -> None:
    assert defined(text) == {}


def test_two_terms_with_one_meaning_are_two_definitions() -> None:
    assert defined("“Start Date” or “Commencement Date” is the day of the order.", path=UNDER) == {
        "Start Date": "the day of the order.",
        "Commencement Date": "the day of the order.",
    }


def test_below_a_heading_of_definitions_quotes_and_verbs_may_be_missing() -> None:
    found = defined(
        "RTO: recovery time objective", "Engineer is the person named in the data sheet.", path=UNDER
    )
    assert found == {"RTO": "recovery time objective", "Engineer": "the person named in the data sheet."}
    assert defined("RTO: recovery time objective", path="3 Service") == {}


def test_a_table_of_terms_defines_them_and_a_table_of_priorities_does_not() -> None:
    terms = [
        row("Term | Meaning", 4, 0, header=True),
        row("MDM | Meter data management", 4, 1, row_no=2),
        row("Field Team | Staff of the supplier on site", 4, 2, row_no=3),
    ]
    found = definitions_of(BLOCKS.frame(terms))
    assert [(each.term, each.meaning, each.page) for each in found] == [
        ("MDM", "Meter data management", 4),
        ("Field Team", "Staff of the supplier on site", 4),
    ]
    priorities = [row("Priority | Definition", 4, 0, header=True), row("P1 | Total outage", 4, 1, row_no=2)]
    assert definitions_of(BLOCKS.frame(priorities)) == ()


def test_a_meaning_goes_on_behind_a_page_break_and_through_its_list() -> None:
    parted = [
        block("“Tests” means the tests that are made in", page=1, path=UNDER),
        block("the presence of the Engineer.", page=2, path=UNDER),
        block("“Goods” means:", page=2, number=1, path=UNDER),
        block("a) meters;", page=2, number=2, kind="list_item", path=UNDER),
        block("b) tools.", page=2, number=3, kind="list_item", path=UNDER),
    ]
    found = {each.term: each.meaning for each in definitions_of(BLOCKS.frame(parted))}
    assert found["Tests"] == "the tests that are made in the presence of the Engineer."
    assert found["Goods"].endswith("a) meters; b) tools.") or "a) meters;" in found["Goods"]


def test_struck_text_defines_nothing() -> None:
    assert definitions_of(BLOCKS.frame([block('"Works" means the bridge.', struck=True)])) == ()


def term(name: str, meaning: str, sentence: str = "") -> DefinedTerm:
    return DefinedTerm(name, meaning, "rfp.pdf", 1, "", sentence or f"{name} means {meaning}")


BIDS = (
    term("Bid", "the offer of a bidder."),
    term("Bid Security", "the bond of chapter 4."),
    term("Works", "the building of the pump house."),
    term("day", "a calendar day."),
)


def test_a_rule_uses_the_longest_term_that_fits() -> None:
    assert used_definitions("The Bid Security stays valid.", BIDS) == (
        "Bid Security: the bond of chapter 4.",
    )
    assert used_definitions("The Bid and the Bid Security are sealed.", BIDS) == (
        "Bid: the offer of a bidder.",
        "Bid Security: the bond of chapter 4.",
    )


def test_a_capital_tells_a_term_from_the_plain_word() -> None:
    assert used_definitions("The system works in the field.", BIDS) == ()
    assert used_definitions("Bids are sealed.", BIDS) == ("Bid: the offer of a bidder.",)
    assert used_definitions("Delivery in 30 Days.", BIDS) == ("day: a calendar day.",)
    assert used_definitions("Forbidden and rebid, Works-related.", BIDS) == ()


def test_long_meanings_are_cut_at_a_word() -> None:
    used = used_definitions("The Works begin.", (term("Works", "the building of the pump house, " * 20),))
    assert len(used[0]) < 260
    assert used[0].endswith("…")


def test_the_order_of_the_blocks_changes_nothing() -> None:
    blocks = [
        block('"Works" means the bridge.', page=1),
        block('"Works" means the dam.', page=2),
        block('"Site" means the bank of the river.', page=2, number=1),
    ]
    forward, backward = BLOCKS.frame(blocks), BLOCKS.frame(blocks[::-1])
    assert definitions_of(forward) == definitions_of(backward)
    assert definitions_of(forward)[0].meaning == "the bridge."


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ('"Provider" means the successful bidder.', "Provider", "bidder"),
        ('"Employer" means the party named in the data sheet who employs the Contractor.', "Employer", "buyer"),
        ('"Contractor" means the person whose tender has been accepted by the Employer.', "Contractor", "bidder"),
        ('"Project Manager" means the person appointed by the Employer to supervise the works.', "Project Manager",
         "buyer"),
        ('"Partner" means any legal entity that submits a proposal.', "Partner", "bidder"),
        ('"Integrator" means the company to whom the contract is awarded.', "Integrator", "bidder"),
        ('"Client" means the organisation receiving services from the Provider.', "Client", "buyer"),
        ('"Adjudicator" means the person appointed jointly by the Employer and the Contractor.', "Adjudicator",
         "third_party"),
        ("« Opérateur » désigne l'opérateur économique qui a remis une offre.", "Opérateur", "bidder"),
        ("« Acheteur » désigne la personne publique qui passe le marché.", "Acheteur", "buyer"),
        ("La société retenue, ci-après dénommée « le Titulaire », exécute le marché.", "Titulaire", "bidder"),
        ("La commune de Valbrune, ci-après « la Collectivité », lance une consultation.", "Collectivité", "buyer"),
        ('Zeta Grid Corporation ("Zeta") invites proposals for meters.', "Zeta", "buyer"),
    ],
)  # fmt: skip
def test_a_defined_person_is_bidder_buyer_or_third_party(text: str, name: str, role: str) -> None:
    found = definitions_of(BLOCKS.frame([block(text)]))
    assert role_of_terms(found) == {name: role}


@pytest.mark.parametrize(
    "text",
    [
        '"Works" means what the Contract requires the Contractor to build.',
        '"Bid" means the offer submitted by the bidder.',
        '"Equipment" means all machinery of the bidder.',
        '"Party" means the Employer or the Contractor.',
        '"Start Date" means the date when the Contractor begins.',
        '"Contract" means the agreement between the Employer and the Contractor.',
        '"Affiliate" means any company that controls a party.',
    ],
)
def test_things_and_undecided_persons_have_no_role(text: str) -> None:
    assert role_of_terms(definitions_of(BLOCKS.frame([block(text)]))) == {}


def test_a_term_that_means_another_term_has_its_role() -> None:
    terms = (term("Partner", "the Provider and its staff."), term("Provider", "the successful tenderer."))
    assert role_of_terms(terms) == {"Partner": "bidder", "Provider": "bidder"}
    circle = (term("One", "the Other."), term("Other", "the One."))
    assert role_of_terms(circle) == {}
