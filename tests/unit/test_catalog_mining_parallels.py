"""Sentences that hold several rules: acts, passives, limits, documents and features that run parallel; and what stays one."""

from __future__ import annotations

import pytest

from bidproof.catalog.mining.splitting import sentence_parts


def parts_of(sentence: str) -> list[str]:
    return [part.text.rstrip(".") for part in sentence_parts(sentence)]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "The supplier answers every call within 30 seconds and resolves at least 80% of incidents at first contact.",
            [
                "The supplier answers every call within 30 seconds",
                "The supplier resolves at least 80% of incidents at first contact",
            ],
        ),
        (
            "At the end of the term the supplier hands over every record in a readable format, keeps a copy for 30 days "
            "and then destroys it.",
            [
                "At the end of the term the supplier hands over every record in a readable format",
                "At the end of the term the supplier keeps a copy for 30 days",
                "At the end of the term the supplier then destroys it",
            ],
        ),
        (
            "Le titulaire nettoie les vitres chaque trimestre, vide les corbeilles tous les jours et désinfecte les sanitaires "
            "deux fois par jour.",
            [
                "Le titulaire nettoie les vitres chaque trimestre",
                "Le titulaire vide les corbeilles tous les jours",
                "Le titulaire désinfecte les sanitaires deux fois par jour",
            ],
        ),
        (
            "Les véhicules répondent à la norme Euro 6, ont moins de quatre ans et sont géolocalisés.",
            [
                "Les véhicules répondent à la norme Euro 6",
                "Les véhicules: ont moins de quatre ans",
                "Les véhicules sont géolocalisés",
            ],
        ),
    ],
)
def test_acts_of_one_subject_in_the_present_are_rules_of_their_own(sentence: str, parts: list[str]) -> None:
    assert parts_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "7.1 The hall and its annex shall be swept every evening and shall be aired by a caretaker.",
            [
                "7.1 The hall and its annex shall be swept every evening",
                "The hall and its annex shall be aired by a caretaker",
            ],
        ),
        (
            "The hatches are inspected before each voyage and kept shut for two hours after loading.",
            [
                "The hatches are inspected before each voyage",
                "The hatches are kept shut for two hours after loading",
            ],
        ),
        (
            "Les données sont hébergées en France, chiffrées au repos et sauvegardées quotidiennement.",
            [
                "Les données sont hébergées en France",
                "Les données sont chiffrées au repos",
                "Les données sont sauvegardées quotidiennement",
            ],
        ),
        (
            "La visite est obligatoire pour le lot 3 et se fait sur rendez-vous.",
            ["La visite est obligatoire pour le lot 3", "La visite se fait sur rendez-vous"],
        ),
    ],
)
def test_a_second_verb_or_participle_of_one_subject_is_a_rule_of_its_own(
    sentence: str, parts: list[str]
) -> None:
    assert parts_of(sentence) == parts


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        (
            "Half of the chairs are to be delivered within 10 days of the order and the rest within 40 days.",
            ["order", "40 days"],
        ),
        ("Faults rated severe are repaired within 7 hours, others within 3 days.", ["7 hours", "3 days"]),
        (
            "Le hangar dispose d'une surface de 400 m² et d'une hauteur libre de 6 m.",
            ["400 m²", "hauteur libre de 6 m"],
        ),
        (
            "La chambre froide est maintenue à 4 °C et l'hygrométrie ne dépasse pas 60 %.",
            ["4 °C", "ne dépasse pas 60 %"],
        ),
        (
            "The vendor will train 12 clerks before the launch and 300 users within two months.",
            ["before the launch", "within two months"],
        ),
        (
            "Each bidder shall lodge a security of 2% of its price, valid for 150 days.",
            ["of its price", "valid for 150 days"],
        ),
        (
            "Le titulaire dépose ses relevés chaque mois, accompagnés des tickets de pesée.",
            ["chaque mois", "tickets de pesée"],
        ),
        (
            "Les fruits comptent 40 % de produits locaux, dont 15 % issus de fermes du canton.",
            ["locaux", "du canton"],
        ),
        (
            "The lawns are mown every 10 days and the hedges trimmed twice in each 12 months.",
            ["10 days", "12 months"],
        ),
        (
            "Le candidat devra justifier d'un bilan d'au moins 3 M€ et de deux chantiers comparables.",
            ["3 M€", "deux chantiers comparables"],
        ),
        (
            "Les plats sont servis entre 11 h et 14 h, à une température d'au moins 63 °C.",
            ["14 h", "63 °C"],
        ),
    ],
)
def test_limits_with_figures_of_their_own_are_rules_of_their_own(sentence: str, ends: list[str]) -> None:
    found = parts_of(sentence)
    assert len(found) == len(ends), found
    assert all(part.endswith(end) for part, end in zip(found, ends, strict=True)), found


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        (
            "The candidate encloses a cash-flow forecast, the deeds of the company and a lease of the premises.",
            3,
        ),
        ("Le candidat joint le dessin du mât, les calculs de charge et l'avis du géotechnicien.", 3),
        (
            "The supplier shall ensure that tapes are not taken abroad and that couriers are vetted in advance.",
            2,
        ),
        ("Le prestataire s'engage à tenir un stock de filtres et à remplacer les pompes.", 2),
        ("Le titulaire produit ses bulletins ainsi que la liste des chauffeurs.", 2),
        (
            "The portal shall support guest check-out, saved shopping lists, and automatic stock alerts.",
            3,
        ),
        (
            "The kiosk must provide a help desk with remote screen sharing, priority call routing, and spoken step guidance.",
            3,
        ),
        ("The cladding must be frost-proof, fully recyclable, and compliant with EN 13501.", 3),
    ],
)
def test_documents_features_and_qualities_in_a_row_are_rules_of_their_own(sentence: str, count: int) -> None:
    assert len(parts_of(sentence)) == count, parts_of(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The bid shall be signed and stamped on every page.",
        "Bidders must submit one original and three copies, all clearly marked.",
        "Un carnet est tenu au poste et rempli à chaque ronde.",
        "The tenderer shall provide a minimum of three and a maximum of five references.",
        "The shelter shall be open between 6 and 9 in the morning.",
        "The monthly report covers the number of calls, the causes and the costs.",
        "90 % des appels devront être pris en moins de 20 secondes.",
        "The platform supports English, French, and Dutch.",
        "Les personnes qui ont réglé leurs impôts et souscrit leurs déclarations sont admises.",
    ],
)
def test_a_thing_with_its_qualifiers_and_a_pair_under_one_verb_stay_one_rule(sentence: str) -> None:
    assert parts_of(sentence) == [sentence.rstrip(".")]


@pytest.mark.parametrize(
    ("sentence", "last"),
    [
        ("The bidder shall submit a signed declaration, a tax clearance and audited accounts in envelope A.",
         "The bidder shall submit audited accounts in envelope A"),
        ("The bidder shall submit an audited report; signed copies of all licences.",
         "The bidder shall submit signed copies of all licences"),
        ("Documents shall be printed in colour; signed and dated forms.", "Documents: signed and dated forms"),
        ("Documents shall be printed in colour; signed and dated by the director.",
         "Documents shall be signed and dated by the director"),
        ("Documents shall be printed in colour; kept confidential.", "Documents shall be kept confidential"),
        ("Documents shall be printed in colour; numbered consecutively.", "Documents shall be numbered consecutively"),
        ("Documents shall be printed in colour; signed.", "Documents shall be signed"),
        ("Le titulaire doit remettre un rapport ; données chiffrées à l'appui.",
         "Le titulaire doit remettre données chiffrées à l'appui"),
        ("Les documents doivent être imprimés en couleur ; données chiffrées comprises.",
         "Les documents: données chiffrées comprises"),
        ("Les documents doivent être imprimés en couleur ; signés et datés par le gérant.",
         "Les documents doivent être signés et datés par le gérant"),
        ("Les documents doivent être imprimés en couleur ; tenus secrets.", "Les documents doivent être tenus secrets"),
    ],
)  # fmt: skip
def test_a_participle_before_a_noun_is_no_verb(sentence: str, last: str) -> None:
    assert parts_of(sentence)[-1] == last
