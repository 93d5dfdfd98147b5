"""Service clauses in the indicative: what the bidder, its people and its work are bound to without a verb that obliges."""

from __future__ import annotations

import pytest

from bidproof.catalog.mining.clause_parties import Context
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
