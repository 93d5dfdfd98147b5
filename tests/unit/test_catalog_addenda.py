"""What an addendum deletes, replaces or changes is in force no more; what it does not touch stays as it was."""

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

from bidproof.catalog.building import build_rules, diff_rfps, mined_id
from bidproof.catalog.versions.addenda import apply_addenda
from bidproof.catalog.versions.places import file_rank
from bidproof.params import CatalogParams


@pytest.mark.parametrize(
    "words",
    ["Clause 3.1 is deleted.", "Delete Section 3.1.", "Clause 3.1 (Warranty) is hereby deleted in its entirety.",
     "L'article 3.1 est supprimé.", "Supprimer l'article 3.1.", "Les dispositions de l'article 3.1 sont annulées."],
)  # fmt: skip
def test_a_clause_that_is_deleted_binds_no_one(words: str) -> None:
    result = amended(words)
    assert texts(result) == [*OLD[:3], OLD[4]]
    (one,) = result.superseded
    assert (one.old.text, one.new, one.why) == (
        OLD[3],
        None,
        f"addendum_1.pdf p. 1: {words.rstrip('.').split(' in its')[0]}",
    )
    assert result.conflicts == ()


@pytest.mark.parametrize(
    "words",
    ["Clause 3.1 remains in force.", "Clause 3.1 is hereby reinstated.", "Clause 3.1 is not deleted.",
     "L'article 3.1 demeure applicable."],
)  # fmt: skip
def test_a_later_addendum_puts_back_what_an_earlier_one_deleted(words: str) -> None:
    result = amended("Clause 3.1 is deleted.", addendum_2__pdf=[("", words)])
    assert sorted(texts(result)) == sorted(OLD)
    assert result.superseded == ()
    assert texts(amended("Clause 3.1 is deleted.", words)) == [
        *OLD[:3],
        OLD[4],
    ]  # one that contradicts itself


@pytest.mark.parametrize(
    "words",
    ["Addendum 1 replaces clause 3.1 by the following:", "Clause 3.1 is hereby replaced by the following:",
     "Clause 3.1 (Warranty) is deleted and replaced with the following:", "Delete clause 3.1 and replace it with:",
     "Clause 3.1 is amended to read as follows:", "Clause 3.1 shall now read:"],
)  # fmt: skip
def test_a_clause_that_is_replaced_is_in_force_in_its_new_words(words: str) -> None:
    new = "The supplier shall grant a warranty of at least 60 months on all parts."
    result = amended(words, new)
    assert texts(result) == changed(3, new)
    rule = result.rules[3]
    assert (rule.clause_ref, [s.file_name for s in rule.sources]) == (
        "3 Supply > 3.1 Warranty", ["addendum_1.pdf", "rfp.pdf"],
    )  # fmt: skip
    assert (rule.source_page, rule.source_quote) == (1, new)
    assert [(one.old.text, one.new and one.new.text) for one in result.superseded] == [(OLD[3], new)]


@pytest.mark.parametrize(
    "words",
    ["L'article 2.1 est remplacé par les dispositions suivantes :", "L'article 2.1 est modifié comme suit :",
     "Le présent additif annule et remplace l'article 2.1 :"],
)  # fmt: skip
def test_an_article_that_is_replaced_is_in_force_in_its_new_words(words: str) -> None:
    new = "Le soumissionnaire doit maintenir son offre pendant 120 jours."
    result = amended(words, new, rfp=FRENCH, name="additif_1__pdf")
    assert texts(result) == [new, FRENCH[1][1]]


def test_a_replacement_without_a_rule_keeps_the_old_one_and_is_named() -> None:
    result = amended("Clause 3.1 is replaced by the following:", "Warranty: see the buyer's web site.")
    assert texts(result) == OLD
    assert "no rule was found in its new words" in result.conflicts[0]


def test_a_clause_that_the_rfp_has_not_is_named() -> None:
    result = amended("Clause 9.9 is deleted.")
    assert texts(result) == OLD
    assert result.conflicts == ("addendum_1.pdf p. 1: Clause 9.9 is deleted: the RFP has no clause 9.9",)


def test_a_clause_number_of_two_documents_is_a_conflict_unless_one_is_named() -> None:
    contract = [
        ("3 Conditions > 3.1 Penalties", "The supplier shall pay 0.1% of the price per day of delay.")
    ]
    both = amended("Clause 3.1 is deleted.", CCAP__pdf=contract)
    assert texts(both) == [contract[0][1], *OLD] or texts(both) == [*OLD, contract[0][1]]
    assert "CCAP.pdf and rfp.pdf have such a clause" in both.conflicts[0]
    named = amended("L'article 3.1 du CCAP est supprimé.", CCAP__pdf=contract)
    assert texts(named) == OLD


def test_a_whole_clause_takes_its_subclauses_with_it() -> None:
    assert texts(amended("Section 3 is deleted.")) == OLD[:3]
    assert texts(amended("Clause 2.10 is deleted.")) == OLD


@pytest.mark.parametrize(
    "words",
    ["The last sentence of clause 3.1 is deleted.", "Clause 3.1(b) is deleted.", "Clause 3.1, second paragraph, is deleted.",
     "Le deuxième alinéa de l'article 3.1 est supprimé.", "Items a) and b) of clause 3.1 are deleted.",
     "The word “all” in clause 3.1 is deleted."],
)  # fmt: skip
def test_a_part_of_a_clause_that_is_deleted_takes_no_rule_with_it_and_is_named(words: str) -> None:
    result = amended(words)
    assert texts(result) == OLD
    assert [line.rpartition(": ")[2] for line in result.conflicts] == [
        "a part of the clause only; which rule is meant is for a person"
    ]


@pytest.mark.parametrize(
    "words", ["Section 2 is amended as follows:", "La section 2 est modifiée comme suit :"]
)
def test_a_section_that_is_amended_keeps_what_the_new_words_do_not_touch(words: str) -> None:
    new = OLD[1].replace("2%", "3%")
    result = amended(words, new)
    assert texts(result) == changed(1, new)
    replaced = amended("Section 2 is replaced by the following:", new)
    assert texts(replaced) == [new, *OLD[3:]]


def test_clauses_of_a_range_are_deleted_from_its_first_to_its_last() -> None:
    assert texts(amended("Clauses 2.1 to 2.3 are deleted.")) == OLD[3:]
    assert texts(amended("Les articles 2.1 à 2.3 sont supprimés.")) == OLD[3:]


def test_the_second_addendum_acts_on_what_the_first_left() -> None:
    first = [("", "Clause 2.1 is replaced by the following:"), ("", OLD[0].replace("120", "150"))]
    second = [("", "In clause 2.1, replace “150 calendar days” with “180 calendar days”.")]
    blocks = blocks_of(rfp__pdf=RFP, addendum_2__pdf=second, addendum_1__pdf=first)
    result = apply_addenda(
        rules_of(blocks), blocks, documents_of(blocks, addendum_1__pdf="addendum_2__pdf"), mined_id
    )
    assert OLD[0].replace("120", "180") in texts(result)
    assert not any("120" in text or "150" in text for text in texts(result))
    assert len(result.superseded) == 2


def test_the_mandatory_mark_of_a_clause_stays_unless_the_new_words_are_softer() -> None:
    soft = "The supplier should grant a warranty of at least 60 months."
    result = amended("Clause 3.1 is replaced by the following:", soft)
    assert [rule.mandatory for rule in result.rules if rule.text == soft] == [False]


def test_a_later_edition_supersedes_what_it_leaves_out_and_what_it_changes() -> None:
    second = [(path, text.replace("36", "60")) for path, text in RFP[:4]]
    blocks = blocks_of(rfp_v1__pdf=RFP, rfp_v2__pdf=second)
    result = apply_addenda(
        rules_of(blocks), blocks, documents_of(blocks, rfp_v1__pdf="rfp_v2__pdf"), mined_id
    )
    assert texts(result) == [*OLD[:3], OLD[3].replace("36", "60")]
    assert [(one.old.text, one.new and one.new.text) for one in result.superseded] == [
        (OLD[3], OLD[3].replace("36", "60")),
        (OLD[4], None),
    ]


def test_a_later_file_that_states_few_of_the_rules_is_no_later_edition() -> None:
    blocks = blocks_of(rfp_v1__pdf=RFP, rfp_v2__pdf=RFP[:1])
    result = apply_addenda(
        rules_of(blocks), blocks, documents_of(blocks, rfp_v1__pdf="rfp_v2__pdf"), mined_id
    )
    assert texts(result) == OLD
    assert "states few of its rules" in result.conflicts[0]


def test_a_file_is_an_addendum_by_its_name_or_its_title() -> None:
    blocks = blocks_of(
        rfp__pdf=RFP, letter__pdf=[("Addendum No. 2", "Addendum No. 2")], Avenant_1__pdf=[("", "Bonjour.")],
        contract__pdf=[("", "Each amendment shall be in writing.")],
    )  # fmt: skip
    assert file_rank(blocks, documents_of(blocks)) == {
        "Avenant_1.pdf": 1, "contract.pdf": 0, "letter.pdf": 2, "rfp.pdf": 0,
    }  # fmt: skip


def test_a_rule_of_two_clauses_stays_in_force_by_the_other_when_one_is_deleted() -> None:
    twice = [*RFP, ("4 Delivery > 4.1 Guarantee", OLD[3])]
    result = amended("Clause 3.1 is deleted.", rfp=twice)
    assert texts(result) == OLD
    rule = result.rules[3]
    assert [source.heading_path for source in rule.sources] == ["4 Delivery > 4.1 Guarantee"]
    assert rule.clause_ref == "4 Delivery > 4.1 Guarantee"


def test_the_diff_of_an_rfp_and_its_addendum_shows_exactly_the_changes() -> None:
    addendum: list[Line] = [
        ("Addendum No. 1", "Addendum No. 1"),
        ("Addendum No. 1", "Clause 2.2 is replaced by the following:"),
        ("Addendum No. 1", "The bidder shall furnish a bid security of 3% of the total bid price."),
        ("Addendum No. 1", "In clause 2.1, replace “120 calendar days” with “150 calendar days”."),
        ("Addendum No. 1", "Clause 3.2 is deleted."),
        ("Addendum No. 1", "The bidder shall visit the substation before the submission of its bid."),
    ]
    before = blocks_of(rfp__pdf=RFP)
    after = blocks_of(rfp__pdf=RFP, addendum_1__pdf=addendum)
    params = CatalogParams()
    diff = diff_rfps((documents_of(before), before), (documents_of(after), after), params)
    assert [one.text for one in diff.added] == [addendum[5][1]]
    assert (diff.dropped, diff.changed) == ((), ())
    assert sorted((one.old.text, one.new.text if one.new else "") for one in diff.superseded) == sorted([
        (OLD[0], OLD[0].replace("120", "150")), (OLD[1], OLD[1].replace("2%", "3%")), (OLD[4], ""),
    ])  # fmt: skip
    kept = {rule.rule_id: rule.text for rule in build_rules(None, documents_of(before), before, params).rules}
    assert all(name == mined_id(text) for name, text in kept.items())
    assert sorted(kept[name] for name in diff.unchanged) == sorted([OLD[2], OLD[3]])


def test_what_a_bidder_asks_for_changes_no_rule_and_is_named() -> None:
    result = amended("Question 4: Please delete clause 3.1.", "Answer: No.")
    assert texts(result) == OLD
    assert result.conflicts == (
        "addendum_1.pdf p. 1: Question 4: Please delete clause 3.1: a bidder asks for it; what the answer changes is "
        "for a person",
    )
