"""Duties that only their place tells, the bidder under a trade's own name, and parts that hang on a clause."""

from __future__ import annotations

import pytest
from rfp_builder import prose, subjects_of

from bidproof.catalog.mining.acting_parties import acting_parties
from bidproof.catalog.mining.splitting import sentence_parts


@pytest.mark.parametrize(
    "sentence",
    [
        "Moorings get fresh paint before the season.",
        "Buoys stay lit from dusk to dawn.",
        "Radio checks with the harbour master before each tow.",
        "Le balisage figure sur les cartes remises aux plaisanciers.",
        "Une vedette de secours mouille à moins de 2 milles du chenal.",
    ],
)
def test_what_stands_among_duties_is_the_bidders(sentence: str) -> None:
    frame = prose(
        "The contractor shall dredge the channel twice a year.",
        sentence,
        heading="Part B > 4 Upkeep of the channel",
    )
    assert subjects_of(frame) == ["bidder", "bidder"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Roughly 40 yachts lie in the basin.",
        "The channel has two bends.",
        "Anglers often use the mole.",
        "Le port compte 212 anneaux.",
        "Les pontons A et B ont déjà été refaits.",
        "Either side may call a meeting.",
        "These figures come from the log.",
        "Name of vessel ........",
    ],
)
def test_what_is_there_among_duties_is_no_duty(sentence: str) -> None:
    frame = prose(
        "The contractor shall dredge the channel twice a year.",
        sentence,
        heading="Part B > 4 Upkeep of the channel",
    )
    assert subjects_of(frame)[1] != "bidder"


def test_nothing_is_presumed_where_no_duty_was_told() -> None:
    frame = prose("Moorings get fresh paint before the season.", heading="Part B > 4 Channel")
    assert subjects_of(frame) == ["none"]


def test_an_insurer_that_does_and_bears_is_the_bidder_where_no_usual_word_is() -> None:
    frame = prose(
        "L'assureur garantit les pontons contre la tempête.",
        "L'assureur désigne un gestionnaire de sinistres.",
        "Les quittances sont émises par l'assureur.",
        heading="2 Garanties",
    )
    assert ("assureur", "Contractor") in acting_parties(frame).words
    assert subjects_of(frame) == ["bidder"] * 3


def test_a_tribunal_that_invites_and_hears_is_the_buyer() -> None:
    frame = prose(
        "The Tribunal hears appeals of seamen.",
        "The Tribunal invites tenders for stenography.",
        "The rooms are provided by the Tribunal.",
        heading="2 Rooms",
    )
    assert ("Tribunal", "Employer") in acting_parties(frame).words


def test_an_insurer_among_contractors_stays_a_third_party() -> None:
    frame = prose(
        "The contractor shall tell the insurer.",
        "The contractor shall keep the insurer informed.",
        "The contractor shall pay the insurer.",
        "The insurer shall warn the buyer.",
        heading="2 Cover",
    )
    assert acting_parties(frame).words == ()


@pytest.mark.parametrize(
    ("sentence", "slices"),
    [
        (
            "Les vedettes sont équipées d'un radar, d'une sonde et d'un projecteur.",
            ["Les vedettes sont équipées d'un radar", "d'une sonde", "d'un projecteur."],
        ),
        (
            "Two skippers with a coastal licence, both trained within the last five years.",
            ["Two skippers with a coastal licence", "both trained within the last five years."],
        ),
        (
            "Les bouées sont relevées chaque mois, les écarts de plus de 10 m étant corrigés sous 48 heures.",
            [
                "Les bouées sont relevées chaque mois",
                "les écarts de plus de 10 m étant corrigés sous 48 heures.",
            ],
        ),
        (
            "Each crew is issued two ropes, six fenders and one pump.",
            ["Each crew is issued two ropes", "six fenders", "one pump."],
        ),
        (
            "Paint that lasts 24 months for hulls and 12 months for decks.",
            ["Paint that lasts 24 months for hulls", "12 months for decks."],
        ),
        (
            "Les digues sont âgées de moins de dix ans et répondent à la norme NF P 94.",
            ["Les digues sont âgées de moins de dix ans", "répondent à la norme NF P 94."],
        ),
    ],
)
def test_parts_that_hang_on_a_clause_stand_alone(sentence: str, slices: list[str]) -> None:
    assert [part.slice for part in sentence_parts(sentence)] == slices
