"""Service clauses in the indicative: what the bidder, its people and its work are bound to without a verb that obliges."""

from __future__ import annotations

import pytest

from bidproof.catalog.mining.clause_parties import Context
from bidproof.catalog.mining.splitting import sentence_parts
from bidproof.catalog.mining.subjects import classify

SERVICE = Context("Cahier des clauses techniques > 3 Prestations et moyens")
TASKS = Context("Statement of work > 3 Specific tasks")


@pytest.mark.parametrize(
    "sentence",
    [
        "Le titulaire remplace chaque jour les sacs des corbeilles du hall.",
        "Le prestataire du marché affecte deux jardiniers au parc.",
        "Un registre des passages est tenu dans chaque bâtiment.",
        "Les tontes débuteront en avril.",
        "L'agent consignera ses rondes sur la main courante.",
        "Le bruit des souffleurs n'excède pas 70 dB.",
        "Les peintures répondent à la norme NF EN 13300.",
        "L'emploi de désherbants de synthèse est proscrit.",
        "Il est formellement interdit aux jardiniers de fumer dans les serres.",
    ],
)
def test_french_service_clauses_in_the_indicative_are_the_bidders(sentence):
    assert classify(sentence, SERVICE).subject == "bidder"


@pytest.mark.parametrize(
    "sentence",
    [
        "The Contractor staffs the gatehouse on every day of the year.",
        "Lessons are delivered to groups of ten or fewer.",
        "All pages conform to WCAG 2.2 level AA.",
        "The service desk answers urgent calls within ten minutes.",
    ],
)
def test_english_service_clauses_in_the_indicative_are_the_bidders(sentence):
    assert classify(sentence, TASKS).subject == "bidder"


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("Le parc compte 280 arbres.", "Cahier des clauses techniques > 3 Prestations"),
        ("La serre a été rénovée en 2019.", "Cahier des clauses techniques > 3 Prestations"),
        ("Les consignes du site seront communiquées au titulaire.", "CCTP > 3 Prestations"),
        ("La liste des clés est tenue à jour par le service des espaces verts.", "CCTP > 3 Prestations"),
        ("Toute tenue négligée sera considérée comme une mauvaise exécution.", "CCTP > 3 Prestations"),
        ("The Council's gardeners prune the hedges in March.", "Statement of work > 3 Tasks"),
        ("Scores are moderated by a panel.", "Statement of work > 7 Evaluation"),
    ],
)
def test_what_is_there_or_others_do_is_not_asked_of_the_bidder(sentence, heading):
    assert classify(sentence, Context(heading)).subject != "bidder"


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Le titulaire :", "bidder"),
        ("Le musée mettra à disposition du titulaire :", "buyer"),
    ],
)
def test_a_lead_in_that_ends_with_the_bidder_gives_it_to_the_items(sentence, parts):
    item = Context("CCTP > 3 Entretien", sentence, "item", buyer_names=frozenset({"le musée"}))
    assert (classify("un vestiaire chauffé ;", item).subject == "bidder") == (parts == "bidder")


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("The Supplier will move the archive, reconcile the boxes and hand over a signed list.", 3),
        ("The hall is to be cleaned by noon and spills are to be removed within one hour.", 2),
        ("The desk answers calls within a minute and provides hourly news of each fault.", 2),
        ("Les peintures répondent aux normes NF EN 13300 et NF EN 71-3.", 2),
        ("Volume I shall not exceed 40 pages; pages beyond will be removed and not read.", 1),
        ("The original and all copies of the bid shall be typed in ink.", 1),
    ],
)
def test_acts_with_verbs_of_their_own_are_parts(sentence, count):
    assert len(sentence_parts(sentence)) == count


def test_the_bidder_speaks_in_its_own_forms():
    form = Context("Section IV > Form of Tender")
    assert classify("We undertake to complete the jetty within ten months.", form).subject == "bidder"
    assert classify("We reserve the right to cancel.", Context("1 General")).subject != "bidder"


def test_what_a_breach_brings_after_award_is_no_rule():
    after = Context("General Conditions > 15.4 Payment after Termination")
    assert classify("The Contractor shall then leave the quay.", after).subject == "contract"


def test_who_asks_for_a_paper_does_not_hand_it_in():
    said = classify("Drawings requested by the Purchaser shall be handed in with the tender.")
    assert said.subject == "bidder"


@pytest.mark.parametrize(
    "sentence",
    [
        "Drivers hold an enhanced certificate.",
        "Buses are less than eight years old.",
        "Each vehicle is inspected every ten weeks.",
        "Aucun repas de substitution ne contient de porc.",
        "Les vitrages sont de type 4/16/4.",
        "Les menus sont élaborés par un diététicien diplômé.",
    ],
)
def test_what_people_and_things_of_the_service_are_like_is_asked_of_the_bidder(sentence):
    assert classify(sentence, Context("Specification > 3 Services")).subject == "bidder"


def test_what_stands_in_a_subordinate_clause_asks_nothing():
    said = classify("An offer is low where it raises doubts.", Context("Specification > 3 Services"))
    assert said.subject != "bidder"


def test_people_with_numbers_of_their_own_are_parts():
    found = sentence_parts("L'équipe comprend un chef de projet, deux soudeurs et un magasinier.")
    assert [part.slice for part in found][1:] == ["deux soudeurs", "un magasinier"]


def test_each_act_of_a_french_list_of_infinitives_is_a_part_that_stands_alone():
    found = sentence_parts("Le titulaire se devra de prendre connaissance des consignes et de les respecter.")
    assert [part.text for part in found][1:] == ["Le titulaire se devra de les respecter."]
