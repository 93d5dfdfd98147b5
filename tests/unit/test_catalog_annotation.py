"""Rules with what the RFP says around them, and the small language of phrases behind it."""

from __future__ import annotations

import time

import pytest
from block_builder import block, prose

from bidproof.catalog.annotating.annotation import Annotator, annotate
from bidproof.catalog.annotating.phrases import PhraseSet
from bidproof.records import Requirement, Source
from bidproof.tables import BLOCKS, DOCUMENTS

RFP = [
    block("1 Terms", 1, 0, "heading", "1 Terms"),
    block('"Provider" means the successful bidder.', 1, 1, path="1 Terms"),
    block("Annex G Forms", 9, 0, "heading", "Annex G Forms"),
    block("Q4. Describe your escalation process.", 5, 0, path="4 Support"),
]
RULE = Requirement(
    rule_id="M-1", area="Admin", mandatory=True,
    text="The Provider shall hand in the insurance certificate of Annex G by 3 May 2027.",
    sources=(Source(file_name="offer.pdf", page=3, quote="shall hand in"),), source_page=3,
)  # fmt: skip


def test_a_rule_gets_flags_references_and_definitions() -> None:
    rules = annotate([RULE], BLOCKS.frame(RFP), DOCUMENTS.empty(), "Mined")
    assert [rule.question_id for rule in rules] == ["", "Q4"]
    assert rules[0].flags == ("deadline", "insurance")
    assert rules[0].references == ("Annex G Forms (p. 9)",)
    assert rules[0].definitions == ("Provider: the successful bidder.",)
    assert rules[0].text == RULE.text
    assert Annotator(BLOCKS.frame(RFP), DOCUMENTS.empty()).roles == {"Provider": "bidder"}


def test_what_a_person_has_written_stays() -> None:
    mended = RULE.model_copy(
        update={"flags": ("exclusion",), "references": ("ours",), "definitions": ("mine",)}
    )
    (kept, _) = annotate([mended], BLOCKS.frame(RFP), DOCUMENTS.empty(), "Mined")
    assert (kept.flags, kept.references, kept.definitions) == (("exclusion",), ("ours",), ("mine",))


def test_rules_cut_from_one_row_are_flagged_by_their_own_words() -> None:
    quote = "Insurance certificate of EUR 5 million; manual in English"
    both = [
        RULE.model_copy(
            update={"rule_id": rule_id, "text": text, "source_quote": quote,
                    "sources": (Source(file_name="offer.pdf", page=3, quote=quote),)}
        )
        for rule_id, text in (("M-1", "Insurance certificate of EUR 5 million"), ("M-2", "Manual in English"))
    ]  # fmt: skip
    made = annotate(both, BLOCKS.frame(RFP), DOCUMENTS.empty(), "Mined")
    assert [rule.flags for rule in made[:2]] == [("insurance",), ()]


def test_words_of_obligation_flag_a_rule() -> None:
    rule = RULE.model_copy(update={"text": "The form is signed.", "obligation": "grounds for rejection"})
    assert annotate([rule], BLOCKS.frame(RFP), DOCUMENTS.empty(), "Mined")[0].flags == ("exclusion",)


def test_an_rfp_without_blocks_annotates_nothing_but_flags() -> None:
    (rule,) = annotate([RULE], BLOCKS.empty(), DOCUMENTS.empty(), "Mined")
    assert rule.flags == ("deadline", "insurance")
    assert rule.references == ("Annex G (not found in the RFP)",)
    assert rule.definitions == ()


def test_the_order_of_blocks_and_rules_changes_no_rule() -> None:
    other = RULE.model_copy(
        update={"rule_id": "M-2", "text": "The bid shall be signed, else it is rejected."}
    )
    forward = annotate([RULE, other], BLOCKS.frame(RFP), DOCUMENTS.empty(), "Mined")
    backward = annotate([other, RULE], BLOCKS.frame(RFP[::-1]), DOCUMENTS.empty(), "Mined")
    assert sorted(forward, key=lambda rule: rule.rule_id) == sorted(backward, key=lambda rule: rule.rule_id)


def test_a_long_rfp_is_annotated_quickly() -> None:
    blocks = [
        block(prose(6, f"clause {page}.{number} of Annex G"), page, number, path=f"{page} Part")
        for page in range(1, 161)
        for number in range(3)
    ]
    rules = [RULE.model_copy(update={"rule_id": f"M-{n}", "text": f"{RULE.text} {n}"}) for n in range(400)]
    frame = BLOCKS.frame(blocks)
    begun = time.process_time()
    annotate(rules, frame, DOCUMENTS.empty(), "Mined")
    # About half a second; the bound leaves room for a busy machine.
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("phrase", "text", "met"),
    [
        ("insur*", "an insurer", True),
        ("insur*", "reinsure", False),
        ("late bid", "late bids", True),
        ("late bid", "translate bids", False),
        ("bid/tender .. rejected", "tender will be rejected", True),
        ("bid .. rejected", "bid is late. rejected", False),
        ("bid ..2 rejected", "bid one two three rejected", False),
        ("within @count @period", "within thirty (30) calendar days", True),
        ("within @count @period", "within reach of days", False),
        ("attestation d'assurance", "attestation d'assurance", True),
        ("bid? security", "security", True),
        ("sous @count @period", "sous 15 jours ouvres", True),
        ("by @time", "by 5 p.m", True),
        ("avant le @date", "avant le 3 mai", True),
        ("@colour car", "red car", True),
        ("@colour car", "car", False),
    ],
)
def test_phrases_are_met_by_whole_words(phrase: str, text: str, met: bool) -> None:
    assert (PhraseSet([phrase], {"colour": ["red", "dark blue"]}).search(text) is not None) == met


def test_a_set_without_phrases_meets_nothing() -> None:
    assert PhraseSet([]).search("anything") is None
    assert PhraseSet(["bid"]).without("a bid here") == "a ### here"
