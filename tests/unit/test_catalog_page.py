"""The review page of a catalog: each rule beside its source, self-contained, safe, marked as a draft."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidproof.catalog.formats.files import CatalogFile
from bidproof.records import Predicate, Requirement, Source
from bidproof.review.catalog_page import catalog_html

ATTACK = '</script><script>window.hurt = 1</script><img src="http://x.example/a.png" onerror="hurt()">'


@dataclass(frozen=True)
class Omitted:
    page: int
    text: str
    why: str


RULE = Requirement(
    rule_id="R12", area="Admin", mandatory=True, scored=True, obligation="grounds for rejection",
    text="The bid security is at least 2% of the total bid price, or Form BS-1 is signed.", clause_ref="3.2 Bid Security",
    predicates=(
        Predicate(kind="quantity", measure=("bid security",), comparator=">=", value=2.0, unit="percent",
                  base="total bid price", text="at least 2% of the total bid price"),
        Predicate(kind="form", group=1, code="BS-1", text="Form BS-1"),
    ),
    sentry_terms=("2%", "bid security"), flags=("exclusion",),
    sources=(Source(file_name="rfp.pdf", page=12, page_label="10", quote="A bid security of two percent (2%)"),),
)  # fmt: skip
CATALOG = CatalogFile(rules=(RULE,), title="Meters", status="draft", rfp="rfp.pdf", version="abcd1234")
LEFT_OUT = (
    Omitted(14, "The Employer shall pay in 30 days.", "a duty of the buyer"),
    Omitted(15, ATTACK, "too long; cut"),
)


def text_of(html: str) -> str:
    bare = re.sub(r"<(style|script)>.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", bare).replace("&gt;", ">").split())


def test_each_rule_stands_beside_its_source_with_page_predicates_flags_and_sentry_terms() -> None:
    said = text_of(catalog_html(CATALOG, LEFT_OUT))
    assert (
        "R12 mandatory scored exclusion Admin The bid security is at least 2% of the total bid price" in said
    )
    assert (
        "Either quantity: bid security >= 2 percent of total bid price at least 2% of the total bid price"
        " or form: BS-1 Form BS-1 how bids are searched Must not miss 2% bid security"
    ) in said
    assert "A bid security of two percent (2%) p. 12 (printed 10) Mandatory by grounds for rejection" in said


def test_what_was_left_out_is_listed_with_page_and_reason() -> None:
    said = text_of(catalog_html(CATALOG, LEFT_OUT))
    assert "Left out: no rules 2 1 a duty of the buyer; 1 too long." in said
    assert "p. 14 a duty of the buyer The Employer shall pay in 30 days." in said


def test_the_page_asks_the_network_for_nothing_and_runs_nothing_foreign() -> None:
    html = catalog_html(
        CATALOG.model_copy(
            update={"title": ATTACK, "rules": (RULE.model_copy(update={"text": ATTACK, "area": ATTACK}),)}
        ),
        LEFT_OUT,
    )
    assert html.count("<script>") == 1
    assert "<img" not in html
    assert not re.search(r'(?:src|href)="(?!#)', html)
    assert "default-src 'none'; style-src 'sha256-" in html.replace("&#39;", "'")


def test_a_draft_is_marked_and_an_accepted_catalog_names_who_accepted_it() -> None:
    draft = catalog_html(CATALOG, ())
    assert "DRAFT: no person has accepted it" in text_of(draft)
    signed = CATALOG.model_copy(
        update={"status": "accepted", "accepted_by": "Ana Díaz", "accepted_on": "2026-12-01"}
    )
    said = text_of(catalog_html(signed, ()))
    assert "Accepted by Ana Díaz on 2026-12-01" in said
    assert "DRAFT" not in said
    assert catalog_html(CATALOG, LEFT_OUT) == catalog_html(CATALOG, LEFT_OUT)


def test_words_and_digits_that_disagree_and_contradictions_are_shown_to_be_decided() -> None:
    doubtful = RULE.model_copy(
        update={
            "text": "Bids are valid for ten (15) days",
            "predicates": (
                Predicate(
                    kind="quantity",
                    comparator=">=",
                    value=15.0,
                    unit="day",
                    readings=("10", "15"),
                    text="ten (15) days",
                ),
            ),
        }
    )
    said = text_of(catalog_html(CATALOG.model_copy(update={"rules": (doubtful,)}), ()))
    assert (
        "words and digits of `ten (15) days` disagree (10 or 15); a bid passes only where both hold" in said
    )
    assert "1 to decide" in said


def test_control_characters_of_an_rfp_do_not_reach_the_page() -> None:
    rule = RULE.model_copy(update={"text": "Sign\x00ed \x1bhere\u202e"})
    assert "\x00" not in catalog_html(CATALOG.model_copy(update={"rules": (rule,)}), ())


def test_what_was_not_read_stands_before_the_rules() -> None:
    said = text_of(catalog_html(CATALOG, (), ("not read: rfp.pdf p. 7: garbled",)))
    assert said.index("Before you accept it not read: rfp.pdf p. 7: garbled") < said.index("R12 mandatory")


def test_documents_that_rules_name_are_listed_once_with_their_rules() -> None:
    asked = RULE.model_copy(
        update={"rule_id": "R13", "text": "The bidder encloses a tax clearance certificate and Form BS-1."}
    )
    html = catalog_html(CatalogFile(rules=(RULE, asked), title="Meters", status="draft"), ())
    said = text_of(html)
    assert "3 documents named" in said
    listed = said.partition("Documents that the rules name")[2]
    assert "certificate tax clearance certificate R13" in listed
    assert "form Form BS-1 R12 , R13" in listed
    assert "guarantee bid security R12" in listed
    assert 'href="#rule-2"' in html


def rule(
    number: int, text: str, *, page: int, quote: str = "", path: str = "", **fields: object
) -> Requirement:
    source = Source(file_name="rfp.pdf", page=page, quote=quote or text, heading_path=path)
    values = {
        "rule_id": f"R{number}",
        "area": "Admin",
        "mandatory": True,
        "text": text,
        "sources": (source,),
        **fields,
    }
    return Requirement.model_validate(values)


def page_of(*rules: Requirement, links: dict[str, str] | None = None, **head: object) -> str:
    catalog = CatalogFile.model_validate({"rules": rules, "title": "Meters", "status": "draft", **head})
    return catalog_html(catalog, (), links=links)


def test_rules_stand_in_the_order_of_the_rfp_under_their_headings() -> None:
    html = page_of(
        rule(1, "Bids are signed.", page=3, path="2 Bids"),
        rule(2, "Meters are blue.", page=4, path="3 Supply", area="Technical"),
        rule(3, "Bids are stamped.", page=9, path="4 Annex"),
        rule(4, "Bids are bound.", page=11, path="4 Annex"),
    )
    said = text_of(html).partition("find")[2]
    order = ["2 Bids p. 3", "Bids are signed", "3 Supply p. 4", "Meters are blue", "4 Annex p. 9–11; 2 rules"]
    assert [said.index(words) for words in order] == sorted(said.index(words) for words in order)


def test_rules_of_one_sentence_stand_beside_its_words_once() -> None:
    whole = "The bidder encloses a bond and a power of attorney."
    html = page_of(
        rule(1, "The bidder encloses a bond.", page=3, quote=whole),
        rule(2, "The bidder encloses a power of attorney.", page=3, quote=whole),
    )
    assert html.count(f"<blockquote><bdi>{whole}") == 1
    assert html.count('<div class="pair">') == 1


def test_conflicts_stand_first_and_their_rules_can_be_filtered() -> None:
    told = ("R9 is settled => settled: R1 holds", "R1 (p. 3) and R12 (p. 4) contradict one another")
    html = page_of(rule(1, "Bids are signed.", page=3), rule(2, "Bids are sealed.", page=4), conflicts=told)
    said = text_of(html)
    assert said.index("conflict, to be settled: R1 (p. 3)") < said.index("conflict: R9 is settled")
    assert "in conflict (1)" in said
    assert (
        html.count('data-kinds="mandatory conflict look"') == 1
    )  # not R2, whose id is the beginning of none


def test_superseded_rules_are_listed_with_the_rule_that_holds_now() -> None:
    gone = [
        {"id": "R0", "by": "R1", "why": "addendum p. 1", "text": "Bids are signed twice.", "page": 2},
        {"id": "R8", "why": "addendum p. 2", "text": "Bids are typed."},
    ]
    html = page_of(rule(1, "Bids are signed.", page=3), superseded=gone)
    said = text_of(html)
    assert "2 rules are in force no more" in said
    assert "R0 Bids are signed twice. p. 2 R1 addendum p. 1" in said
    assert "R8 Bids are typed. deleted addendum p. 2" in said
    assert '<a href="#rule-1"><bdi>R1</bdi></a></td>' in html


def test_a_page_number_opens_the_rfp_where_its_file_is_known() -> None:
    one = rule(1, "Bids are signed.", page=12)
    assert 'href="../my%20rfp/rfp.pdf#page=12">p. 12</a>' in page_of(
        one, links={"rfp.pdf": "../my%20rfp/rfp.pdf"}
    )
    assert 'class="page">p. 12</span>' in page_of(one)


def test_it_is_said_why_a_rule_is_mandatory_and_what_to_look_at_first() -> None:
    plain = "The current landscape was built between two thousand twelve and eighteen and is fragmented."
    html = page_of(
        rule(1, "Bids are signed.", page=3, obligation="must"),
        rule(2, "Bond of 3%", page=3, quote="Bond of three percent"),
        rule(3, plain, page=4),
        rule(4, "Bids are sealed.", page=4, obligation="should", mandatory=False),
    )
    said = text_of(html)
    assert "Mandatory by must" in said
    assert "Its weight by should" in said
    assert "Mandatory by where it stands, no word says so" in said
    assert "not in the words of the RFP: 3" in said
    assert "a sentence without a word of duty: does it ask for anything?" in said
    assert "2 to look at first" in said
