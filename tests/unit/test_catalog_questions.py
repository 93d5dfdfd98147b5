"""Questions of an RFP to the respondent, and the documents that it asks for."""

from __future__ import annotations

import pytest
from block_builder import block, row

from bidproof.catalog.annotating.asked_documents import asked_documents
from bidproof.catalog.annotating.respondent_questions import RespondentQuestion, questions_of, with_questions
from bidproof.records import Requirement, Source
from bidproof.tables import BLOCKS


def asked(*blocks: dict) -> tuple[RespondentQuestion, ...]:
    return questions_of(BLOCKS.frame(list(blocks)))


def rule(text: str, rule_id: str = "M-1", **more: object) -> Requirement:
    return Requirement(rule_id=rule_id, area="Service", mandatory=True, text=text, **more)


ESCALATION = "Q 3.2 Describe your escalation process."


def test_a_question_has_its_id_place_and_words() -> None:
    (found,) = asked(block(ESCALATION, page=7, path="3 Support"))
    assert (found.id, found.label, found.text) == ("Q3.2", "Q 3.2", "Describe your escalation process.")
    assert (found.file_name, found.page, found.heading_path) == ("offer.pdf", 7, "3 Support")
    assert (found.mandatory, found.scored, found.obligation) == (None, False, "")


@pytest.mark.parametrize(
    ("text", "mandatory", "scored", "obligation"),
    [
        ("Q1. Describe your escalation process (mandatory).", True, False, "mandatory"),
        ("Q1. Describe your escalation process (optional).", False, False, "optional"),
        ("Q1. Describe your escalation process (10 points).", None, True, "10 points"),
        ("Q1. Décrivez votre processus d'escalade (obligatoire).", True, False, "obligatoire"),
        ("Q1. Décrivez votre processus d'escalade (facultatif).", False, False, "facultatif"),
    ],
)
def test_words_beside_a_question_say_its_weight(
    text: str, mandatory: bool | None, scored: bool, obligation: str
) -> None:
    (found,) = asked(block(text))
    assert (found.mandatory, found.scored, found.obligation) == (mandatory, scored, obligation)


def test_the_row_of_a_question_says_its_weight() -> None:
    (found,) = asked(
        row("No | Question | Type | Points", 1, 0, header=True),
        row("Q7 | Describe your test laboratory | Mandatory | 5 points", 1, 1, row_no=2),
    )
    assert (found.id, found.mandatory, found.scored, found.obligation) == ("Q7", True, True, "mandatory")


def test_questions_that_the_buyer_has_answered_are_none_of_the_respondent() -> None:
    rows = [
        row("No | Question | Answer", 1, 0, header=True),
        row("1 | Can bidders submit in French? | Yes, in English or French.", 1, 1, row_no=2),
    ]
    assert asked(*rows) == ()
    blank = [rows[0], row("1 | Can you deliver in four weeks? | ", 1, 1, row_no=2)]
    assert [each.text for each in asked(*blank)] == ["Can you deliver in four weeks?"]
    assert asked(block("Can bidders submit in French?", path="Clarifications issued")) == ()


def test_a_question_becomes_a_rule_with_its_id() -> None:
    (made,) = with_questions([], asked(block(ESCALATION, page=7, path="3 Support")), "Mined")
    assert made.question_id == "Q3.2"
    assert made.text == made.source_quote == "Describe your escalation process."
    assert (made.mandatory, made.scored, made.area, made.source_page) == (True, False, "Service", 7)
    assert made.clause_ref == "3 Support > Q 3.2"
    assert made.sources[0].page == 7
    assert made.rule_id.startswith("M-")


def test_a_question_with_points_is_scored_and_not_mandatory() -> None:
    (made,) = with_questions([], asked(block("Q1. Describe your escalation process (10 points).")), "Mined")
    assert (made.mandatory, made.scored, made.obligation) == (False, True, "10 points")


def test_a_question_joins_the_rule_that_says_the_same() -> None:
    known = rule("Describe your escalation process", obligation="shall")
    (made,) = with_questions([known], asked(block(ESCALATION, page=7)), "Mined")
    assert (made.rule_id, made.question_id, made.obligation) == ("M-1", "Q3.2", "shall")
    assert [source.page for source in made.sources] == [7]


def test_a_rule_mined_from_the_question_itself_gains_no_second_source() -> None:
    place = Source(file_name="offer.pdf", page=7, quote=ESCALATION)
    known = rule(
        "Describe your escalation process.", sources=(place,), source_page=7, source_quote=ESCALATION
    )
    (made,) = with_questions([known], asked(block(ESCALATION, page=7)), "Mined")
    assert made.sources == (place,)
    assert made.question_id == "Q3.2"


def test_other_figures_make_another_question() -> None:
    known = rule("Describe how you would replace 50 meters in a day at the site of the buyer.")
    other = "Describe how you would replace 90 meters in a day at the site of the buyer."
    made = with_questions([known], asked(block(other)), "Mined")
    assert [each.question_id != "" for each in made] == [False, True]


def test_the_same_question_twice_is_one_rule_and_the_order_of_blocks_changes_nothing() -> None:
    blocks = [
        block(ESCALATION, page=7),
        block(ESCALATION, page=9),
        block("Q4. Explain how you train staff.", page=8),
    ]
    forward = with_questions([], asked(*blocks), "Mined")
    assert [each.question_id for each in forward] == ["Q3.2", "Q4"] or len(forward) == 2
    assert with_questions([], asked(*blocks[::-1]), "Mined") == forward


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Submit Form PV-2 and a valid tax clearance certificate.", ["Form PV-2", "tax clearance certificate"]),
        ("The power of attorney is notarised.", ["power of attorney"]),
        ("Le candidat joint une attestation fiscale, un extrait Kbis et un relevé d'identité bancaire.",
         ["attestation fiscale", "extrait Kbis", "relevé d'identité bancaire"]),
        ("A certified copy of the certificate of incorporation and of the wireman licence",
         ["certificate of incorporation", "wireman licence"]),
        ("Joindre l'attestation de régularité sociale délivrée par la caisse et le formulaire DC1",
         ["attestation de régularité sociale", "formulaire DC1"]),
        ("Hold a pressure test certificate for each valve.", ["pressure test certificate"]),
        ("Audited financial statements and a bid security are enclosed.",
         ["Audited financial statements", "bid security"]),
        ("Trois échantillons et le mémoire technique", ["échantillons", "mémoire technique"]),
        ("A cover letter, the compliance matrix and a non-collusion declaration",
         ["cover letter", "compliance matrix", "non-collusion declaration"]),
        ("Une copie de l’agrément préfectoral est jointe.", ["agrément préfectoral"]),
        ("The tax clearance certificate, or a TAX CLEARANCE CERTIFICATE applied for",
         ["tax clearance certificate"]),
    ],
)  # fmt: skip
def test_documents_asked_for_are_named(text: str, names: list[str]) -> None:
    assert [each.name for each in asked_documents(text)] == names
    assert all(" ".join(text[each.start : each.end].split()) == each.name for each in asked_documents(text))


@pytest.mark.parametrize(
    "text",
    [
        "Payment certificates are issued each month.",
        "Servers use TLS certificates.",
        "The meter samples the voltage at a sampling rate of 1 kHz.",
        "Fifty concurrent user licences are needed.",
        "The bidder certifies that it is solvent.",
        "Un extrait de la loi figure au dossier.",
        "The Bid Data Sheet prevails.",
        "Cribs and ribbons are not needed.",
    ],
)
def test_what_is_no_paper_of_a_bidder_is_not_named(text: str) -> None:
    assert asked_documents(text) == ()


def test_a_form_keeps_the_code_of_the_facts() -> None:
    (form,) = asked_documents("on Form BS-1")
    assert (form.kind, form.code) == ("form", "BS-1")
