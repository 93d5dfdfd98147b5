"""Statements that look as if they met a rule and do not, each kind with an honest one that needs no reviewer."""

from __future__ import annotations

import pytest
from trap_bench import finding_on

from bidproof.judging.frequency import slower_in
from bidproof.judging.residue import left_over
from bidproof.judging.words import words_of


def _looked_at(rule: str, *statements: str) -> bool:
    found = finding_on(rule, *statements)
    return found["status"] != "Pass" or found["needs_review"]


def test_round_the_clock_has_its_place_and_not_the_whole_sentence() -> None:
    text = "The bridge is watched 24/7 in the flood season."
    (word,) = [w for w in words_of(text) if w.stem == "24x7"]
    assert text[word.start : word.end] == "24/7"


def test_round_the_clock_for_some_or_for_a_time_needs_a_reviewer() -> None:
    rule = "The ferry terminal shall be open 24/7."
    assert not _looked_at(rule, "The ferry terminal is open 24/7.")
    assert _looked_at(rule, "The ferry terminal is open 24/7 for lorries.")
    assert _looked_at(rule, "The ferry terminal is open 24/7 during the fair.")


@pytest.mark.parametrize(
    ("rule", "said", "left"),
    [
        ("Eight electric mowers shall be used.", "Eight mowers are used, of which one is electric.", "of which"),
        ("Le titulaire affecte six jardiniers diplômés.", "Le titulaire affecte six jardiniers, dont deux diplômés.", "dont deux"),
        ("The policy shall cover the silo.", "The policy covers the silo; the conveyor is not insured.", "not insured"),
        ("The surveyor shall have a degree in geodesy.", "The surveyor has a degree in history.", "history"),
        ("The labels shall be in Dutch.", "The labels are in Polish, with a summary in Dutch.", "polish"),
        ("Goods shall be delivered DDP.", "Goods are delivered FCA, with a quotation for DDP.", "FCA"),
        ("The kennels shall be in Ghent.", "The kennels are in Bruges, close to Ghent.", "bruges"),
        ("Wells shall be sealed by a licensed driller.", "Wells are sealed by our gardener.", "our gardener"),
        ("Boats shall be washed on land.", "Boats are rinsed at sea and washed on land.", "rinsed"),
        ("Bread shall be baked on site.", "Bread is baked in Ypres and warmed on site.", "warmed"),
        ("Annex 4 shall be accepted.", "Annex 5 is accepted.", "Annex 5"),
        ("The bidder shall have orders of EUR 9,000.", "The bidder has orders and enquiries of EUR 9,000.", "enquiries"),
        ("The crew shall wash all boats and trailers.", "The crew washes all boats and the trailers at the quay.", "quay"),
        ("The lease shall be accepted.", "The lease is accepted in our wording.", "in our wording"),
        ("The dyke shall be accepted.", "The dyke is accepted with the remarks of our letter.", "with the remarks"),
        ("Seven porters shall be on the ferry.", "Seven porters are on the quay and twelve on the ferry.", "twelve"),
        ("The gardener shall mow the lawn.", "The gardener rents mowers to mow the lawn.", "to mow"),
        ("The price shall not exceed EUR 900.", "The price is EUR 850 plus assembly.", "850 plus assembly"),
        ("The ferry shall run from March 2027.", "The ferry runs from May 2027.", "may"),
        ("The archive shall be kept for the court.", "The archive is kept in your cellar.", "in your cellar"),
        ("The pilot shall hold a licence.", "The pilots together hold in total two licences.", "in total"),
    ],
)  # fmt: skip
def test_shapes_that_make_a_statement_less_are_left_over(rule: str, said: str, left: str) -> None:
    assert any(left in word for word in left_over(said, rule).words)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "The policy shall cover the silo.",
            "The policy covers the silo and is not subject to any further limit.",
        ),
        ("The surveyor shall have a degree in geodesy.", "The surveyor has a degree in geodesy."),
        ("The labels shall be in Dutch.", "The labels are in Dutch."),
        ("The kennels shall be in Ghent.", "The kennels are in Ghent, at our farm in Wetteren."),
        ("Wells shall be sealed by a licensed driller.", "Wells are sealed by our licensed driller."),
        ("Annex 4 shall be accepted.", "Annex 4 is accepted."),
        ("The ferry shall be tested by 31 March 2027.", "The ferry is tested by 20 March 2027."),
        ("A quality manual shall be provided.", "A quality manual is provided; there are no others."),
    ],
)
def test_the_same_shapes_take_nothing_from_what_is_as_asked(rule: str, said: str) -> None:
    assert left_over(said, rule).narrowing == ()


@pytest.mark.parametrize(
    "said",
    [
        "Our firm, which has looked after public gardens since 1990, prunes pear trees every winter in the county.",
        "As in all our contracts with public bodies of the region, trees lower than four metres are pruned by our crew.",
    ],
)
def test_a_long_sentence_hides_no_word_right_at_a_word_of_the_rule(said: str) -> None:
    assert left_over(said, "The contractor shall prune trees.").narrowing


def test_a_greater_sum_beside_the_one_read_narrows_nothing() -> None:
    rule = "Cover shall be at least EUR 2,000,000 per claim."
    said = "Cover is EUR 2,500,000 per claim and EUR 5,000,000 per year."
    read = [(9, 22)]
    assert (
        left_over(said, rule, decided=read).narrowing == ("year",)
        or not left_over(said, rule, decided=read).narrowing
    )
    assert "1,000,000" in left_over(said.replace("5,000", "1,000"), rule, decided=read).narrowing


def test_a_rhythm_slower_than_any_asked_is_told() -> None:
    assert slower_in("inside every month and outside every year", "every month") == 365
    assert not slower_in("every week", "every month")
    assert _looked_at(
        "Gutters shall be cleared every three months.",
        "The crew clears the gutters every three months at the front and every nine months at the back.",
    )


@pytest.mark.parametrize(
    ("rule", "statements"),
    [
        ("The contractor shall provide tools.", ("We provide tools. Ladders are lent by the client.",)),
        ("The contractor shall provide tools.", ("We provide tools. Ladders, however, are to be hired.",)),
        ("The landlord shall heat the hall.", ("The landlord heats the hall. Water is charged by the litre.",)),
        ("Le prestataire fournit le sel.", ("Nous fournissons le sel. Le sable incombe à la commune.",)),
        ("The contractor shall empty bins daily.", ("We empty bins daily. Bins in the park are emptied weekly.",)),
        ("The keeper shall sign the logbook.", ("The keeper signs the logbook.", "The keeper has left our company.")),
        ("The fee shall be fixed.", ("The fee is fixed.", "From year 2 on the fee follows an index.")),
    ],
)  # fmt: skip
def test_what_the_next_sentence_takes_back_needs_a_reviewer(rule: str, statements: tuple[str, ...]) -> None:
    assert not _looked_at(rule, statements[0].split(". ")[0].rstrip(".") + ".")
    assert _looked_at(rule, *statements)


@pytest.mark.parametrize(
    ("rule", "proof", "narrower"),
    [
        (
            "The supplier shall repair defective boilers.",
            "The supplier repairs defective boilers.",
            "Most defective boilers are repaired.",
        ),
        (
            "The boatyard shall be guarded 24/7.",
            "The boatyard is guarded 24/7.",
            "The boatyard is guarded 24/7 in winter.",
        ),
    ],
)
def test_another_sentence_that_says_as_much_and_narrows_it_needs_a_reviewer(
    rule: str, proof: str, narrower: str
) -> None:
    assert not _looked_at(rule, proof)
    found = finding_on(rule, proof, narrower)
    assert found["needs_review"]
    assert "narrows" in found["review_reason"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "The vendor shall migrate the archive.",
            "The vendor supports your team as it migrates the archive.",
        ),
        ("The caterer shall peel potatoes.", "The caterer provides devices to peel potatoes."),
        ("Divers shall hold a rescue badge.", "One diver holds a rescue badge."),
        ("Hydrants shall be tested.", "Hydrants are tested in every second street."),
        ("The supplier shall store the masts.", "The masts are stored in your depot."),
    ],
)
def test_help_one_of_them_every_second_and_the_buyers_place_need_a_reviewer(rule: str, said: str) -> None:
    assert _looked_at(rule, said)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("The radio link carries 300 Mbit/s.", "Pass"),
        ("The radio link carries 300 kbit/s.", "Fail"),
    ],
)
def test_rates_of_data_are_compared_by_their_prefix(said: str, status: str) -> None:
    assert finding_on("The radio link shall carry at least 200 Mbit/s.", said)["status"] == status


@pytest.mark.parametrize(
    ("rule", "said", "status"),
    [
        ("No ferry shall be older than nine years.", "No ferry is older than eight years.", "Pass"),
        ("No ferry shall be older than nine years.", "No ferry is older than ten years.", "Fail"),
        ("Les bacs ont au plus cinq ans.", "Aucun bac n'a plus de quatre ans.", "Pass"),
        ("The cellar shall be older than 20 years.", "No cellar is older than 20 years.", "Fail"),
    ],
)
def test_an_age_that_nothing_exceeds_is_a_limit_and_no_denial(rule: str, said: str, status: str) -> None:
    assert finding_on(rule, said)["status"] == status


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("The dam shall be inspected by a sworn surveyor.", "The dam is inspected by the owner of the mill."),
        ("The firm shall remove all ice.", "We remove all ice. Icicles are not touched by our crew."),
    ],
)
def test_another_agent_and_what_is_left_undone_need_a_reviewer(rule: str, said: str) -> None:
    assert _looked_at(rule, said)
