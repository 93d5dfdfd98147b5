"""Words that an addendum puts for others change the one rule that holds them, and no other."""

from __future__ import annotations

import pytest
from addendum_builder import (
    FRENCH,
    OLD,
    RFP,
    Line,
    amended,
    blocks_of,
    changed,
    documents_of,
    rules_of,
    texts,
)

from bidproof.catalog.building import mined_id
from bidproof.catalog.versions.addenda import apply_addenda
from bidproof.catalog.versions.amendments import words_put
from bidproof.records import Requirement, Source

TABLE: list[Line] = [
    *RFP,
    ("3 Supply", "Payload shall be min. 900 kg"),  # a row of a table under 3.3, whose number it does not show
]


FRENCH_TABLE: list[Line] = [*FRENCH, ("3 Véhicules", "La charge utile doit être de 900 kg au moins")]


@pytest.mark.parametrize(
    ("words", "place", "text"),
    [
        (
            "In clause 2.1, replace “120 calendar days” with “150 calendar days”.",
            0,
            OLD[0].replace("120", "150"),
        ),
        ('Clause 2.2: for "2%" read "3%".', 1, OLD[1].replace("2%", "3%")),
        (
            "The warranty of clause 3.1 is extended from 36 months to 60 months.",
            3,
            OLD[3].replace("36", "60"),
        ),
        ("Article 3.1 : au lieu de « 36 months », lire « 48 months ».", 3, OLD[3].replace("36", "48")),
        ("“ten operators” is replaced by “twelve operators”.", 4, OLD[4].replace("ten", "twelve")),
    ],
)
def test_words_put_for_others_change_the_rule_that_holds_them(words: str, place: int, text: str) -> None:
    result = amended(words)
    assert texts(result) == changed(place, text)
    rule = result.rules[place]
    assert rule.rule_id == mined_id(text)
    assert [s.file_name for s in rule.sources] == ["addendum_1.pdf", "rfp.pdf"]
    assert result.conflicts == ()


def test_words_that_no_rule_has_or_two_rules_have_change_nothing_and_are_named() -> None:
    result = amended('For "99 days" read "100 days".', 'For "at least" read "more than".')
    assert texts(result) == OLD
    assert [line.rpartition(": ")[2] for line in result.conflicts] == [
        "no rule has these words; nothing is changed",
        "2 rules have these words; nothing is changed",
    ]


def test_2_days_are_not_put_for_the_2_of_22_days() -> None:
    result = amended('Clause 2.1: for "20 calendar days" read "30 calendar days".')
    assert texts(result) == OLD
    assert len(result.conflicts) == 1


@pytest.mark.parametrize(
    ("rfp", "words", "text"),
    [
        (TABLE, "3. In clause 3.3, the minimum payload is changed from 900 kg to 1,100 kg.", "Payload shall be min. 1,100 kg"),
        (TABLE, "For the payload of clause 3.3, instead of 900 kg, read 1,100 kg.", "Payload shall be min. 1,100 kg"),
        (FRENCH_TABLE, "À l'article 3.3, la charge utile est portée de 900 kg à 1 100 kg.", "La charge utile doit être de 1 100 kg au moins"),
        (FRENCH_TABLE, "Article 3.3, charge utile : au lieu de 900 kg, lire 1 100 kg.", "La charge utile doit être de 1 100 kg au moins"),
    ],
)  # fmt: skip
def test_a_figure_of_a_table_row_is_changed_although_the_row_shows_no_clause(
    rfp: list[Line], words: str, text: str
) -> None:
    # Left as it was, a bid of 900 kg would pass the rule that the addendum raised.
    result = amended(words, rfp=rfp)
    assert texts(result) == [*(old for _, old in rfp[:-1]), text]
    assert result.conflicts == ()


def test_a_figure_that_another_clause_or_another_subject_holds_is_not_changed() -> None:
    for words in ("In clause 3.3, the payload is changed from 36 months to 48 months.",  # 3.1 has them
                  "In clause 3.3, the towing mass is changed from 900 kg to 1,100 kg."):  # fmt: skip
        result = amended(words, rfp=TABLE)
        assert texts(result) == [old for _, old in TABLE]
        assert "nothing is changed" in result.conflicts[0]


@pytest.mark.parametrize(
    ("words", "place", "text"),
    [
        ('In clause 3.1, "36 months" shall read "48 months".', 3, OLD[3].replace("36", "48")),
        ("À l'article 3.1, « 36 months » doit se lire « 48 months ».", 3, OLD[3].replace("36", "48")),
        ('In clause 2.3 "English" shall read "French".', 2, OLD[2].replace("English", "French")),
    ],
)
def test_words_that_shall_read_otherwise_are_put_for_the_old_ones(words: str, place: int, text: str) -> None:
    result = amended(words)
    assert texts(result) == changed(place, text)
    assert result.conflicts == ()


@pytest.mark.parametrize(
    "words",
    ['Clause 3.1 is replaced by: "{}"', "Clause 3.1 is replaced by: {}", "Clause 3.1 shall read: “{}”",
     'Clause 3.1 "Warranty" shall read "{}"'],
)  # fmt: skip
def test_the_new_words_of_a_clause_stand_without_the_instruction_before_them(words: str) -> None:
    # `Clause 3.1 is replaced by: "...` would be shown to the judge as what the bid must say.
    new = "3.1 The supplier shall grant a warranty of at least 60 months."
    rule = Requirement(
        rule_id="X", area="A", mandatory=True, text=words.format(new), clause_ref="",
        sources=(Source(file_name="addendum_1.pdf", page=1, quote=words.format(new)),),
    )  # fmt: skip
    blocks = blocks_of(rfp__pdf=RFP, addendum_1__pdf=[("", words.format(new))])
    old = [one for one in rules_of(blocks) if one.text in OLD]
    result = apply_addenda([*old, rule], blocks, documents_of(blocks), mined_id)
    assert texts(result) == changed(3, new)
    assert result.rules[3].rule_id == mined_id(new)


def test_a_clause_that_is_added_is_a_rule_in_its_own_words() -> None:
    assert words_put('A new clause 3.6 is added: "3.6 Each van shall have a siren."') == (
        "3.6 Each van shall have a siren."
    )
    assert words_put("Un nouvel article 3.6 est ajouté : « Chaque véhicule doit avoir une sirène. »") == (
        "Chaque véhicule doit avoir une sirène."
    )
    for whole in (
        "The bidder shall replace the parts: none is exempt.",
        "Clause 3.1 may be replaced by: another one.",
    ):
        assert words_put(whole) == ""
