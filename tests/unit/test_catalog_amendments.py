"""Instructions of an addendum are told from duties that use the same words."""

from __future__ import annotations

import polars as pl
import pytest

from bidproof.catalog.versions.amendments import Action, instructions_of, is_instruction
from bidproof.tables import BLOCKS


def blocks(*texts: str) -> pl.DataFrame:
    return BLOCKS.frame([
        {"doc_id": "a", "file_name": "addendum.pdf", "page": 1, "block_no": n, "kind": "paragraph", "text": text, "heading_path": ""}
        for n, text in enumerate(texts)
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "action", "clauses"),
    [
        ("Clause 3.2 is deleted.", Action.DELETE, ("3.2",)),
        ("Clauses 3.2, 3.4 and 5 are deleted.", Action.DELETE, ("3.2", "3.4", "5")),
        ("Clauses 3.2 to 3.4 are hereby deleted.", Action.DELETE, ("3.2", "3.4", "3.3")),
        ("Section III, 3.4 Bid Validity is deleted.", Action.DELETE, ("3.4",)),
        ("L'article 12 du CCAP est supprimé.", Action.DELETE, ("12",)),
        ("Addendum 2 replaces clause 3.2.", Action.REPLACE, ("3.2",)),
        ("Le présent additif annule et remplace l'article 4.", Action.REPLACE, ("4",)),
        ("Clause 3.2 is amended to read as follows:", Action.REPLACE, ("3.2",)),
        ("Section 3 is amended as follows:", Action.AMEND, ("3",)),
        ("The second sentence of clause 3.2 is replaced by the following:", Action.AMEND, ("3.2",)),
        ("Clause 3.2 (b) is deleted.", Action.PART, ("3.2",)),
        ("Annex 4 to clause 3.2 is deleted.", Action.PART, ("3.2",)),
        ("In clause 3.2 replace “90 days” by “120 days”.", Action.SUBSTITUTE, ("3.2",)),
        ("La durée prévue à l'article 5 est portée de 90 jours à 120 jours.", Action.SUBSTITUTE, ("5",)),
    ],
)
def test_an_instruction_says_what_is_done_to_which_clause(
    text: str, action: Action, clauses: tuple[str, ...]
) -> None:
    (one,) = instructions_of(blocks(text))
    assert (one.action, one.clauses) == (action, clauses)


@pytest.mark.parametrize(
    "text",
    ["Defective meters shall be replaced by the supplier under clause 4.1.", "The Employer may amend clause 3.2.",
     "Section 3.2 Meters that fail in service are replaced by the supplier within 5 days.",
     "Batteries are replaced every five years.", "The bidder shall delete personal data after award."],
)  # fmt: skip
def test_a_duty_to_replace_is_no_instruction(text: str) -> None:
    assert instructions_of(blocks(text)) == []
    assert not is_instruction(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Question 2: Please replace “36 months” with “24 months”.", Action.ASKED),
        ("Could you replace “36 months” with “24 months” in clause 3.1?", Action.ASKED),
        ("Q3: Delete clause 3.1. A3: Not accepted.", Action.ASKED),
        ("Demande n° 4 : supprimer l'article 3.1. Réponse : non.", Action.ASKED),
        ("Q3: Is 3 years enough? A3: Clause 3.1 is deleted.", Action.DELETE),
        ("Question 1: May it be less? Answer: In clause 3.1 replace “36 months” with “24 months”.", Action.SUBSTITUTE),
    ],
)  # fmt: skip
def test_what_a_bidder_asks_for_is_told_from_what_the_answer_changes(text: str, action: Action) -> None:
    assert [one.action for one in instructions_of(blocks(text))] == [action]
