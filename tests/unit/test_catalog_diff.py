"""What differs between two catalogs is said rule by rule and field by field, and nothing else is said."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bidproof.catalog.formats.files import load_catalog
from bidproof.catalog.predicates.derivation import derive
from bidproof.catalog.versions.diff import CatalogDiff, Superseded, diff_catalogs
from bidproof.catalog.versions.likeness import figures, likeness
from bidproof.records import Requirement, Source


def rule(rule_id: str, text: str, clause: str = "", **more: object) -> Requirement:
    return derive(
        Requirement(rule_id=rule_id, area="Admin", mandatory=True, text=text, clause_ref=clause, **more)
    )


VALIDITY = rule("R1", "The bid shall remain valid for at least 120 calendar days.", "2 Bids > 2.1 Validity")
SECURITY = rule(
    "R2", "The bidder shall furnish a bid security of 2% of the total bid price.", "2 Bids > 2.2 Security"
)
WARRANTY = rule(
    "R3", "The supplier shall grant a warranty of at least 36 months.", "4 Commercial > 4.1 Warranty"
)
TRAINING = rule("R4", "The supplier shall train ten operators on site.", "4 Commercial > 4.2 Training")
CATALOG = [VALIDITY, SECURITY, WARRANTY, TRAINING]


def test_a_catalog_does_not_differ_from_itself_in_another_order() -> None:
    diff = diff_catalogs(CATALOG, CATALOG[::-1])
    assert diff.empty
    assert diff.unchanged == ("R1", "R2", "R3", "R4")


def test_a_changed_figure_is_a_change_of_text_and_predicate() -> None:
    stricter = rule(
        "R1", "The bid shall remain valid for at least 150 calendar days.", "2 Bids > 2.1 Validity"
    )
    diff = diff_catalogs(CATALOG, [stricter, *CATALOG[1:]])
    (change,) = diff.changed
    values = {one.field: (one.old, one.new) for one in change.fields}
    assert values["text"] == (VALIDITY.text, stricter.text)
    assert (values["predicates"][0][0]["value"], values["predicates"][1][0]["value"]) == (120.0, 150.0)
    assert diff.counts == {
        "added": 0,
        "dropped": 0,
        "changed": 1,
        "moved": 0,
        "superseded": 0,
        "redated": 0,
        "unchanged": 3,
    }


def test_mined_rules_whose_ids_follow_their_words_are_paired_by_their_words() -> None:
    old = [rule("M-1a", VALIDITY.text, "2 Bids > 2.1 Validity"), rule("M-2b", SECURITY.text)]
    new = [
        rule("M-9f", "The bid shall remain valid for at least 150 calendar days.", "3 Offers > 3.1 Validity"),
        rule("M-2b", SECURITY.text),
    ]
    diff = diff_catalogs(old, new)
    assert [(change.old.rule_id, change.rule_id) for change in diff.changed] == [("M-1a", "M-9f")]
    assert (diff.added, diff.dropped, diff.unchanged) == ((), (), ("M-2b",))


def test_rules_numbered_anew_are_the_same_rules() -> None:
    inserted = rule("R1", "The bidder shall name a project manager.", "1 Team")
    renumbered = [
        one.model_copy(update={"rule_id": f"R{number}"}) for number, one in enumerate(CATALOG, start=2)
    ]
    diff = diff_catalogs(CATALOG, [inserted, *renumbered])
    assert [one.text for one in diff.added] == [inserted.text]
    assert not diff.dropped
    assert [[one.field for one in change.fields] for change in diff.changed] == [["rule_id"]] * 4


def test_a_rule_on_another_page_or_under_another_clause_has_moved() -> None:
    moved = WARRANTY.model_copy(update={"clause_ref": "5 Guarantees > 5.3 Warranty", "source_page": 9})
    diff = diff_catalogs(CATALOG, [VALIDITY, SECURITY, moved, TRAINING])
    assert [(change.rule_id, [one.field for one in change.fields]) for change in diff.moved] == [
        ("R3", ["clause_ref", "source_page"])
    ]
    assert diff.changed == ()


def test_another_apostrophe_is_no_other_rule_and_another_letter_is() -> None:
    old = rule("R1", "L\u2019offre reste valable 90 jours.", "2.1")
    assert diff_catalogs([old], [rule("R1", "L'offre reste valable 90 jours.", "2.1")]).counts["moved"] == 1
    assert (
        diff_catalogs([old], [rule("R1", "L'offre restera valable 90 jours.", "2.1")]).counts["changed"] == 1
    )


def test_a_tender_that_is_put_off_changes_the_rules_that_hang_on_the_day_and_redates_the_others() -> None:
    texts = {"R1": VALIDITY.text, "R2": "The ISO 9001 certificate is valid on the submission date."}
    old, new = (
        [
            derive(Requirement(rule_id=name, area="A", mandatory=True, text=text), submission_date=date)
            for name, text in texts.items()
        ]
        for date in ("2026-03-31", "2026-04-30")
    )
    diff = diff_catalogs(old, new)
    assert [one.rule_id for one in diff.redated] == ["R1"]
    assert [one.rule_id for one in diff.changed] == ["R2"]
    assert not diff.empty


def test_a_warranty_of_lot_2_is_no_new_figure_for_that_of_lot_1() -> None:
    first = rule("A", "For lot 1 the warranty shall be at least 36 months.", "4.1 Warranty")
    second = rule("B", "For lot 2 the warranty shall be at least 24 months.", "4.1 Warranty")
    diff = diff_catalogs([first], [second])
    assert ([r.rule_id for r in diff.dropped], [r.rule_id for r in diff.added]) == (["A"], ["B"])
    assert (
        likeness("L'offre reste valable 90 jours", "L'offre reste valable quatre-vingt-dix (90) jours") > 0.8
    )


def test_a_rule_that_an_addendum_states_anew_is_superseded() -> None:
    places = (
        Source(file_name="rfp.pdf", page=4, quote="..."),
        Source(file_name="addendum_1.pdf", page=2, quote="..."),
    )
    old = rule("M-1", "The bid security shall be 2% of the bid price.", sources=places[:1])
    new = rule("M-2", "The bid security shall be 3% of the bid price.", sources=(places[1], places[0]))
    diff = diff_catalogs([old, SECURITY], [new, SECURITY])
    (one,) = diff.superseded
    assert (one.old.rule_id, one.new.rule_id if one.new else "", one.why) == (
        "M-1",
        "M-2",
        "addendum_1.pdf p. 2: stated anew",
    )
    assert diff.changed == diff.dropped == diff.added == ()


def test_a_rule_that_an_addendum_deleted_is_superseded_not_dropped() -> None:
    told = Superseded(old=WARRANTY, why="addendum_1.pdf p. 1: clause 4.1 is deleted")
    diff = diff_catalogs(CATALOG, [VALIDITY, SECURITY, TRAINING], superseded=[told])
    assert diff.superseded == (told,)
    assert diff.dropped == ()


def test_two_files_are_compared_with_their_own_record(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "title: Meters\nstatus: draft\nrules:\n"
        '  - {id: V1, area: Admin, mandatory: true, text: "Bids are valid for 90 days.", clause_ref: "2"}\n'
    )
    (tmp_path / "b.csv").write_text(
        "id,area,mandatory,text,clause_ref\nV1,Admin,no,Bids are valid for 90 days.,2\n"
    )
    diff = diff_catalogs(load_catalog(tmp_path / "a.yaml"), load_catalog(tmp_path / "b.csv"))
    assert [(one.field, one.old, one.new) for one in diff.head] == [
        ("title", "Meters", ""),
        ("status", "draft", ""),
    ]
    (change,) = diff.changed
    assert [(one.field, one.old, one.new) for one in change.fields] == [("mandatory", True, False)]


def test_figures_are_read_without_their_grouping() -> None:
    assert figures("EUR 2,000,000 or 15 % of 1.5") == ("1.5", "15", "2000000")


WORDS = st.sampled_from(
    [
        "bidder",
        "supplier",
        "warranty",
        "security",
        "months",
        "days",
        "meter",
        "report",
        "annex",
        "drawing",
        "staff",
        "price",
    ]
)
RULES = st.dictionaries(
    st.sampled_from([f"R{n}" for n in range(6)]),
    st.tuples(st.lists(WORDS, min_size=2, max_size=6), st.integers(1, 99), st.booleans(), st.integers(1, 3)),
    max_size=6,
)


def catalog(content: dict[str, tuple[list[str], int, bool, int]]) -> list[Requirement]:
    return [
        Requirement(
            rule_id=name,
            area="A",
            mandatory=must,
            text=f"The {' '.join(words)} {figure}.",
            clause_ref=f"{clause}",
        )
        for name, (words, figure, must, clause) in content.items()
    ]


def both_sides(diff: CatalogDiff) -> tuple[list[str], list[str]]:
    pairs = [*diff.changed, *diff.moved, *diff.redated]
    stands = [one.new.rule_id for one in diff.superseded if one.new]
    after = [*(r.rule_id for r in diff.added), *(one.new.rule_id for one in pairs), *stands, *diff.unchanged]
    before = [*(r.rule_id for r in diff.dropped), *(one.old.rule_id for one in pairs), *diff.unchanged]
    return sorted([*before, *(one.old.rule_id for one in diff.superseded)]), sorted(after)


@settings(max_examples=150, deadline=None)
@given(RULES, RULES, st.randoms())
def test_every_rule_of_both_catalogs_is_counted_once_whatever_their_order(old, new, chance) -> None:
    before, after = catalog(old), catalog(new)
    diff = diff_catalogs(before, after)
    assert both_sides(diff) == (sorted(old), sorted(new))
    chance.shuffle(before)
    chance.shuffle(after)
    assert diff_catalogs(before, after) == diff
