"""The area of a mined rule is told by its headings, in English and in French, the innermost that tells one first."""

from __future__ import annotations

import pytest

from bidproof.catalog import area_of

NOTHING = "It is stamped on each page."


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("Part I > Instructions to Bidders > 4. Language", "Admin"),
        ("C. Preparation of Tenders > 12 Copies", "Admin"),
        ("Section V > Bills of Quantities > Preambles", "Commercial"),
        ("7 Scope of Works > 7.1 General", "Technical"),
        ("Terms and Conditions", "Legal"),
        ("CHAPITRE 2 : MISSIONS > 2.1 Généralités", "Service"),
        ("Chapitre 3 > 3.2. MOYENS HUMAINS", "Delivery"),
        ("Chapitre 3 > 3.3. Moyens matériels", "Technical"),
        ("ARTICLE 12 : DÉPÔT DES PLIS DES CONCURRENTS", "Admin"),
        ("ARTICLE 9 : OFFRE FINANCIÈRE", "Commercial"),
        ("Article 4 : Hygiène et développement durable", "HSE"),
        ("Conditions générales > Droit applicable", "Legal"),
    ],
)
def test_a_heading_tells_the_area_in_both_languages(path: str, area: str) -> None:
    assert area_of(path, NOTHING, "Mined") == area


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("Qualification et compétences de l'équipe", "Admin"),  # the stem of équipe is that of équipement
        ("Insurance of the Contractor's Equipment", "Admin"),
        ("Prestations > Assurance et garantie > Prix", "Commercial"),
        ("Informations générales > Format", "Mined"),  # no training
    ],
)
def test_the_surer_word_of_a_heading_and_the_inner_heading_win(path: str, area: str) -> None:
    assert area_of(path, NOTHING, "Mined") == area


@pytest.mark.parametrize("text", ["Les candidats signent la première page.", "The language is on page 3."])
def test_words_that_tell_an_area_in_a_heading_tell_none_in_a_sentence(text: str) -> None:
    assert area_of("", text, "Mined") == "Mined"
