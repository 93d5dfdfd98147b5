"""What a sentence carries behind its main clause is a rule of its own, and so is each of several acts in a row; what only describes is not."""

from __future__ import annotations

import pytest

from bidproof.catalog.mining.splitting import sentence_parts


def parts_of(sentence: str) -> list[str]:
    return [part.slice.rstrip(".") for part in sentence_parts(sentence)]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Photographs of each job, uploaded the same day.",
            ["Photographs of each job", "uploaded the same day"],
        ),
        ("Nightly backups, kept for 35 days.", ["Nightly backups", "kept for 35 days"]),
        ("Weekly tallies in CSV format, sent overnight.", ["Weekly tallies in CSV format", "sent overnight"]),
        ("Plan de charge mensuel, transmis le 5.", ["Plan de charge mensuel", "transmis le 5"]),
        (
            "Camions frigorifiques, mis en service il y a moins de cinq ans.",
            ["Camions frigorifiques", "mis en service il y a moins de cinq ans"],
        ),
    ],
)
def test_when_something_is_done_with_a_thing_is_a_rule_beside_the_thing(
    sentence: str, parts: list[str]
) -> None:
    assert parts_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Les gravats sont triés sur place, bons de pesée à l'appui.",
            ["Les gravats sont triés sur place", "bons de pesée à l'appui"],
        ),
        (
            "Une réunion se tient chaque quinzaine, compte rendu adressé sous trois jours.",
            ["Une réunion se tient chaque quinzaine", "compte rendu adressé sous trois jours"],
        ),
        (
            "Les filtres sont changés tous les mois, les relevés étant consignés au registre.",
            ["Les filtres sont changés tous les mois", "les relevés étant consignés au registre"],
        ),
        (
            "Lifts are inspected monthly, with a report sent to the Estate within five days.",
            ["Lifts are inspected monthly", "a report sent to the Estate within five days"],
        ),
        (
            "New tenants get their keys within two days, and a welcome pack on arrival.",
            ["New tenants get their keys within two days", "a welcome pack on arrival"],
        ),
        (
            "An introductory course for ten users and a refresher every year.",
            ["An introductory course for ten users", "a refresher every year"],
        ),
    ],
)
def test_a_further_thing_behind_a_clause_is_a_rule_of_its_own(sentence: str, parts: list[str]) -> None:
    assert parts_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Le centre d'appels est géré par le prestataire, qui lui transmet un bilan sous cinq jours.",
            ["Le centre d'appels est géré par le prestataire", "qui lui transmet un bilan sous cinq jours"],
        ),
        (
            "The keys stay with the contractor, who returns them within one day of the end of the contract.",
            [
                "The keys stay with the contractor",
                "who returns them within one day of the end of the contract",
            ],
        ),
        (
            "Guards arrive ten minutes before the shift, carry a torch and sign the register.",
            ["Guards arrive ten minutes before the shift", "carry a torch", "sign the register"],
        ),
        (
            "En cas de fuite, le technicien coupe l'eau, pose un panneau et prévient le gardien dans l'heure.",
            [
                "En cas de fuite, le technicien coupe l'eau",
                "pose un panneau",
                "prévient le gardien dans l'heure",
            ],
        ),
        (
            "Le linge est trié, lavé, séché et repassé selon le protocole d'hygiène.",
            ["Le linge est trié", "lavé", "séché", "repassé selon le protocole d'hygiène"],
        ),
    ],
)
def test_acts_in_a_row_are_rules_each(sentence: str, parts: list[str]) -> None:
    assert parts_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "La dépose, le transport et la mise en décharge des gravats sont inclus.",
            ["La dépose", "le transport", "la mise en décharge des gravats sont inclus"],
        ),
        (
            "Sont également dus la pose des bornes, le marquage au sol et le nettoyage du chantier.",
            ["Sont également dus la pose des bornes", "le marquage au sol", "le nettoyage du chantier"],
        ),
        (
            "The removal of the old units, the making good of the walls and the disposal of waste are included.",
            [
                "The removal of the old units",
                "the making good of the walls",
                "the disposal of waste are included",
            ],
        ),
        (
            "The works are covered by ISO 9001 as well as by ISO 45001.",
            ["The works are covered by ISO 9001", "ISO 45001"],
        ),
    ],
)
def test_things_that_are_all_included_are_rules_each(sentence: str, parts: list[str]) -> None:
    assert parts_of(sentence) == parts


def test_a_second_act_of_several_people_names_them_again() -> None:
    parts = [part.text for part in sentence_parts("Guards carry a torch at night and sign the register.")]
    assert parts == ["Guards carry a torch at night", "Guards sign the register."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Staff trained in first aid.",
        "Rapports signés par le chef de projet.",
        "The team includes a surveyor, who has ten years of experience.",
        "Vehicles, including vans, are washed weekly.",
        "Les documents, rédigés en français, sont remis au format PDF.",
        "Le prestataire, titulaire d'un agrément, assure la collecte.",
        "Ils doivent se présenter à l'accueil, vêtus de la tenue fournie par la société.",
        "Le prestataire sera tenu d'assurer sans interruption, les tournées prévues au présent cahier.",
        "the schedule duly filled, stamped and initialled on each page",
        "Les draps sont propres et secs.",
        "The floor is swept and mopped daily.",
        "Recettes des trois derniers exercices, qui ne saurait être inférieur à 90 000 € par an",
    ],
)
def test_what_describes_the_same_thing_is_no_second_rule(sentence: str) -> None:
    assert parts_of(sentence) == [sentence.rstrip(".")]
