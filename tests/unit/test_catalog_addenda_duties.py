"""A duty that an addendum states anew: the same with another figure takes the place of the old one, any other does not."""

from __future__ import annotations

import pytest
from addendum_builder import OLD, RFP, amended, blocks_of, changed, documents_of, rules_of, texts

from bidproof.catalog.building import build_rules, mined_id, submission_date
from bidproof.catalog.versions.addenda import apply_addenda
from bidproof.params import CatalogParams
from bidproof.records import Requirement, Source


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
    assert (result.superseded, result.conflicts) == ((), ())


def test_something_more_takes_nothing_away() -> None:
    new = "The supplier shall train five additional operators on site."
    result = amended(new)
    assert texts(result) == [*OLD, new]
    assert len(result.conflicts) == 1


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
        # Other days that the same words name are none of submission.
        ("The submission deadline is extended to 15 April 2026, the contract starting on 1 September 2026.", "2026-04-15"),
        ("The submission deadline is extended to Wednesday, April 15, 2026 and the works start on 1 September 2026.", "2026-04-15"),
        ("The contract starts on 1 September 2026, the deadline for bids being 15 April 2026.", "2026-04-15"),
        ("The deadline for submission of bids is 15 April 2026, the bid security being due on 20 April 2026.", "2026-04-15"),
        ("The submission deadline is moved to 15 April 2026; the site visit takes place on 20 May 2026.", "2026-04-15"),
        ("The submission deadline was 31 March 2026; it is now 15 April 2026. Works start on 1 June 2026.", "2026-04-15"),
        ("The submission deadline, previously 31 March 2026, is extended to 15 April 2026; works start on 1 June 2026.", "2026-04-15"),
        ("The submission deadline and the opening of bids are moved to 15 April 2026.", "2026-04-15"),
        ("La date limite de remise des offres est reportée au 15 avril 2026, le marché débutant le 1er septembre 2026.", "2026-04-15"),
        ("La date limite de remise des offres, initialement fixée au 31 mars 2026, est reportée au 15 avril 2026 et le marché "
         "débute le 1er septembre 2026.", "2026-04-15"),
        ("La date limite de remise des offres était le 31 mars 2026 ; elle est désormais le mercredi 15 avril 2026 ; les travaux "
         "commencent le 1er juin 2026.", "2026-04-15"),
    ],
)  # fmt: skip
def test_the_submission_date_is_that_of_the_last_addendum(words: str, date: str) -> None:
    blocks = blocks_of(
        rfp__pdf=[("", "The deadline for submission of bids is 31 March 2026.")],
        addendum_1__pdf=[("", words)],
    )
    assert submission_date(blocks, documents_of(blocks)) == date


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


def test_a_deadline_that_is_moved_leaves_one_rule_of_it() -> None:
    old = "The last date on which bids shall arrive is 15 October 2026."
    new = "The deadline for submission of bids shall be extended to 5 November 2026."
    rfp = [*RFP, ("1 Dates", old)]
    result = amended(new, rfp=rfp)
    assert texts(result) == [*OLD, new]
    assert [one.old.text for one in result.superseded] == [old]
    assert result.conflicts == ()
    # The deadline of one lot is none of another, and the last day for questions or samples is none for bids.
    for other in ("The deadline for bids for lot 2 shall be 5 November 2026.",
                  "The deadline for submission of the bid security shall be 5 November 2026.",
                  "The last date for submission of samples shall be 5 November 2026.",
                  "The deadline for questions on the bids shall be 5 November 2026."):  # fmt: skip
        assert old in texts(amended(other, rfp=rfp))


@pytest.mark.parametrize(
    "words",
    ["For lot 2, the bidder shall keep its bid valid for at least 60 calendar days.",
     "The bidder shall keep its bid valid for at least 60 calendar days if it is a start-up.",
     "Unless bonded, the bidder shall keep its bid valid for at least 60 calendar days.",
     "The bidder shall not keep its bid valid for at least 60 calendar days.",
     "The bidder shall keep its bid valid for at most 60 calendar days.",
     "The bidder shall keep its alternative bid valid for at least 60 calendar days.",
     "The bidder should keep its bid valid for at least 60 calendar days.",
     "Question 2: shall the bidder keep its bid valid for at least 60 calendar days?"],
)  # fmt: skip
def test_a_duty_of_another_case_or_kind_and_a_question_supersede_nothing(words: str) -> None:
    # Each is like clause 2.1 but for a lot, a condition, a denial ...: a bid of 60 days would pass everywhere.
    blocks = blocks_of(rfp__pdf=RFP, addendum_1__pdf=[("", words)])
    asked = Requirement(
        rule_id="NEW", area="A", mandatory=" should " not in words, text=words,
        sources=(Source(file_name="addendum_1.pdf", page=1, quote=words),),
    )  # fmt: skip
    old = [one for one in rules_of(blocks) if one.text in OLD]
    result = apply_addenda([*old, asked], blocks, documents_of(blocks), mined_id)
    assert texts(result) == [*OLD, words]
    assert result.superseded == ()
    assert [OLD[0] in line for line in result.conflicts] == [True]


def test_a_general_rule_of_an_addendum_leaves_the_narrower_one_of_the_rfp() -> None:
    narrow = [
        ("3.1 Warranty", "The supplier shall grant a warranty of the battery cells of at least 36 months.")
    ]
    new = "The supplier shall grant a warranty of the cells of at least 24 months."
    result = amended(new, rfp=narrow)
    assert texts(result) == [narrow[0][1], new]
    assert len(result.conflicts) == 1


def test_a_time_for_zone_b_is_none_for_zone_a() -> None:
    zone = [("3.1 Service", "The supplier shall respond within 4 hours in zone A.")]
    for other in ("The supplier shall respond within 8 hours in zone B.",
                  "The supplier shall respond within 8 hours in Zone III."):  # fmt: skip
        result = amended(other, rfp=zone)
        assert (texts(result), result.superseded) == ([zone[0][1], other], ())
    same = "The supplier shall respond within 8 hours in zone A."
    assert texts(amended(same, rfp=zone)) == [same]


@pytest.mark.parametrize(
    "new",
    ["The supplier shall grant a warranty of minimum 48 months.", "The supplier shall grant a warranty of at least 4 years.",
     "The supplier shall now grant a warranty of at least 48 months."],
)  # fmt: skip
def test_the_same_duty_in_other_units_or_another_word_for_its_bound_is_the_same(new: str) -> None:
    assert OLD[3] not in texts(amended(new))


def test_a_deadline_that_a_bidder_asks_for_is_not_set() -> None:
    old = "The deadline for submission of bids shall be 15 October 2026."
    asked = "Question 1: shall the deadline for submission of bids be 5 November 2026? Answer: No."
    rfp = [*RFP, ("1 Dates", "The deadline for submission of bids is 15 October 2026.")]
    for question in (asked, "Is the deadline for submission of bids 5 November 2026?"):
        blocks = blocks_of(rfp__pdf=rfp, addendum_1__pdf=[("", question)])
        assert submission_date(blocks, documents_of(blocks)) == "2026-10-15"
    assert old in texts(amended(asked, rfp=[*RFP, ("1 Dates", old)]))
    answered = "Q1: shall the deadline for submission of bids be later? A1: The deadline for bids is 5 November 2026."
    blocks = blocks_of(rfp__pdf=rfp, addendum_1__pdf=[("", answered)])
    assert submission_date(blocks, documents_of(blocks)) == "2026-11-05"
