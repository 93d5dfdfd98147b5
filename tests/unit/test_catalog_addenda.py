"""What an addendum deletes, replaces or changes is in force no more; what it does not touch stays as it was."""

from __future__ import annotations

import polars as pl
import pytest

from bidproof.catalog.building import build_rules, diff_rfps, mined_id, submission_date
from bidproof.catalog.versions.addenda import Amended, apply_addenda
from bidproof.catalog.versions.amendments import words_put
from bidproof.catalog.versions.places import file_rank
from bidproof.params import CatalogParams
from bidproof.records import Requirement, Source
from bidproof.tables import BLOCKS, DOCUMENTS

Line = tuple[str, str]  # heading path, text; a text that is the last heading is that heading

RFP: list[Line] = [
    ("2 Bids > 2.1 Bid Validity", "The bidder shall keep its bid valid for at least 120 calendar days."),
    ("2 Bids > 2.2 Bid Security", "The bidder shall furnish a bid security of 2% of the total bid price."),
    ("2 Bids > 2.3 Language", "The bidder shall submit all documents in English."),
    ("3 Supply > 3.1 Warranty", "The supplier shall grant a warranty of at least 36 months."),
    ("3 Supply > 3.2 Training", "The supplier shall train ten operators on site."),
]


def blocks_of(**files: list[Line]) -> pl.DataFrame:
    rows = []
    for name, lines in files.items():
        file_name = name.replace("__", ".")
        for number, (path, text) in enumerate(lines):
            heading = path.endswith(text) and bool(text)
            rows.append({
                "doc_id": name, "file_name": file_name, "page": 1 + number // 10, "block_no": number % 10, "text": text,
                "kind": "heading" if heading else "paragraph", "heading_path": path, "table_no": -1, "row_no": -1,
                "is_header": False, "struck": False, "hidden": False,
            })  # fmt: skip
    return BLOCKS.frame(rows)


def documents_of(blocks: pl.DataFrame, **later: str) -> pl.DataFrame:
    rows = []
    for doc_id, file_name in blocks.select("doc_id", "file_name").unique().sort("file_name").iter_rows():
        rows.append({
            "doc_id": doc_id, "file_name": file_name, "role": "rfp", "sha256": doc_id, "duplicate_of": "",
            "superseded_by": later.get(doc_id, ""),
        })  # fmt: skip
    return DOCUMENTS.frame(rows)


def rules_of(blocks: pl.DataFrame) -> list[Requirement]:
    """One rule a sentence that says shall or doit, as mining would find it."""
    rules: dict[str, Requirement] = {}
    for row in blocks.filter(pl.col("kind") == "paragraph").iter_rows(named=True):
        text = row["text"].rpartition(": ")[2]
        if not any(word in f" {text} " for word in (" shall ", " should ", " doit ")):
            continue
        source = Source(
            file_name=row["file_name"], page=row["page"], heading_path=row["heading_path"], quote=text
        )
        rule = Requirement(
            rule_id=mined_id(text), area="Admin", mandatory=" should " not in text, text=text,
            clause_ref=row["heading_path"], sources=(source,), source_page=source.page, source_quote=text,
        )  # fmt: skip
        if rule.rule_id in rules:
            known = rules[rule.rule_id]
            rule = known.model_copy(update={"sources": (*known.sources, source)})
        rules[rule.rule_id] = rule
    return list(rules.values())


def amended(
    *addendum: str, rfp: list[Line] = RFP, name: str = "addendum_1__pdf", **more: list[Line]
) -> Amended:
    blocks = blocks_of(rfp__pdf=rfp, **{name: [("", text) for text in addendum]}, **more)
    return apply_addenda(rules_of(blocks), blocks, documents_of(blocks), mined_id)


def texts(result: Amended) -> list[str]:
    return [rule.text for rule in result.rules]


OLD = [text for _, text in RFP]


def changed(place: int, text: str) -> list[str]:
    return [*OLD[:place], text, *OLD[place + 1 :]]


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


FRENCH: list[Line] = [
    ("2 Offres > 2.1 Validité", "Le soumissionnaire doit maintenir son offre pendant 90 jours."),
    ("2 Offres > 2.2 Caution", "Le soumissionnaire doit fournir une caution de 2 % du montant."),
]


@pytest.mark.parametrize(
    "words",
    ["L'article 2.1 est remplacé par les dispositions suivantes :", "L'article 2.1 est modifié comme suit :",
     "Le présent additif annule et remplace l'article 2.1 :"],
)  # fmt: skip
def test_an_article_that_is_replaced_is_in_force_in_its_new_words(words: str) -> None:
    new = "Le soumissionnaire doit maintenir son offre pendant 120 jours."
    result = amended(words, new, rfp=FRENCH, name="additif_1__pdf")
    assert texts(result) == [new, FRENCH[1][1]]


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


def test_the_same_duty_with_another_figure_supersedes_without_a_word_of_it() -> None:
    new = "The bidder shall furnish a bid security of 3% of the total bid price."
    result = amended(new)
    assert texts(result) == changed(1, new)
    assert result.superseded[0].why == "addendum_1.pdf p. 1: the same duty with another figure"


def test_what_may_be_the_same_duty_stays_beside_the_old_one_and_is_named() -> None:
    new = "The bidder shall submit all technical documents and certificates in English or French."
    result = amended(new)
    assert texts(result) == [*OLD, new]
    assert len(result.conflicts) == 1
    assert OLD[2] in result.conflicts[0]


def test_a_figure_for_lot_2_does_not_touch_lot_1() -> None:
    lot = [("3.1 Warranty", "For lot 1 the supplier shall grant a warranty of 36 months.")]
    new = "For lot 2 the supplier shall grant a warranty of 24 months."
    assert texts(amended(new, rfp=lot)) == [lot[0][1], new]


def test_a_new_duty_is_added_and_one_stated_again_stays_one_rule() -> None:
    new = "The bidder shall visit the substation before bidding."
    result = amended(new, OLD[1])
    assert texts(result) == [*OLD, new]
    assert result.superseded == result.conflicts == ()


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


def test_something_more_takes_nothing_away() -> None:
    new = "The supplier shall train five additional operators on site."
    result = amended(new)
    assert texts(result) == [*OLD, new]
    assert len(result.conflicts) == 1


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


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("The deadline for submission of bids is 30 April 2026.", "2026-04-30"),
        ("The submission deadline is extended from 31 March 2026 to 30 April 2026.", "2026-04-30"),
        ("The closing date for tenders is extended to 30 April 2026 instead of 31 March 2026.", "2026-04-30"),
        ("The submission deadline is brought forward from 31 March 2026 to 20 March 2026.", "2026-03-20"),
        ("La date limite de remise des offres est reportée du 31 mars 2026 au 30 avril 2026.", "2026-04-30"),
        ("The last date for questions on bids is 1 March 2026.", "2026-03-31"),
        ("Works start on 1 June 2026.", "2026-03-31"),
    ],
)
def test_the_submission_date_is_that_of_the_last_addendum(words: str, date: str) -> None:
    blocks = blocks_of(
        rfp__pdf=[("", "The deadline for submission of bids is 31 March 2026.")],
        addendum_1__pdf=[("", words)],
    )
    assert submission_date(blocks, documents_of(blocks)) == date


def test_a_rule_of_two_clauses_stays_in_force_by_the_other_when_one_is_deleted() -> None:
    twice = [*RFP, ("4 Delivery > 4.1 Guarantee", OLD[3])]
    result = amended("Clause 3.1 is deleted.", rfp=twice)
    assert texts(result) == OLD
    rule = result.rules[3]
    assert [source.heading_path for source in rule.sources] == ["4 Delivery > 4.1 Guarantee"]
    assert rule.clause_ref == "4 Delivery > 4.1 Guarantee"


def test_what_an_addendum_states_again_stays_under_the_clause_of_the_rfp() -> None:
    result = amended(OLD[3])
    assert [(rule.text, rule.clause_ref) for rule in result.rules] == [(text, path) for path, text in RFP]
    assert [source.file_name for source in result.rules[3].sources] == ["rfp.pdf", "addendum_1.pdf"]


def test_two_places_of_one_rfp_that_contradict_one_another_are_named_until_an_addendum_settles_it() -> None:
    again = ("5 Annex > 5.1 Warranty", OLD[3].replace("36", "24"))
    params = CatalogParams()
    blocks = blocks_of(rfp__pdf=[*RFP, again])
    (conflict,) = build_rules(None, documents_of(blocks), blocks, params).conflicts
    assert "36 months" in conflict
    assert "24 months" in conflict
    settled = blocks_of(rfp__pdf=[*RFP, again], addendum_1__pdf=[("", "Clause 5.1 is deleted.")])
    assert build_rules(None, documents_of(settled), settled, params).conflicts == ()


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
    assert diff.dropped == diff.changed == ()
    assert sorted((one.old.text, one.new.text if one.new else "") for one in diff.superseded) == sorted([
        (OLD[0], OLD[0].replace("120", "150")), (OLD[1], OLD[1].replace("2%", "3%")), (OLD[4], ""),
    ])  # fmt: skip
    kept = {rule.rule_id: rule.text for rule in build_rules(None, documents_of(before), before, params).rules}
    assert all(name == mined_id(text) for name, text in kept.items())
    assert sorted(kept[name] for name in diff.unchanged) == sorted([OLD[2], OLD[3]])


TABLE: list[Line] = [
    *RFP,
    ("3 Supply", "Payload shall be min. 900 kg"),  # a row of a table under 3.3, whose number it does not show
]
FRENCH_TABLE: list[Line] = [*FRENCH, ("3 Véhicules", "La charge utile doit être de 900 kg au moins")]


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


def test_a_deadline_that_is_moved_leaves_one_rule_of_it() -> None:
    old = "The last date on which bids shall arrive is 15 October 2026."
    new = "The deadline for submission of bids shall be extended to 5 November 2026."
    rfp = [*RFP, ("1 Dates", old)]
    result = amended(new, rfp=rfp)
    assert texts(result) == [*OLD, new]
    assert [one.old.text for one in result.superseded] == [old]
    assert result.conflicts == ()
    # The deadline of one lot is none of another, and the last day for questions is none for bids.
    for other in ("The deadline for bids for lot 2 shall be 5 November 2026.",
                  "The deadline for questions on the bids shall be 5 November 2026."):  # fmt: skip
        assert old in texts(amended(other, rfp=rfp))
