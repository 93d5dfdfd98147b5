"""Questions to the respondent: what asks, under which id, and which of a bid are the RFP's."""

from __future__ import annotations

import pytest
from block_builder import PARAMS, block, chunked, prose, row

from bidproof.chunking import chunk_blocks, questions_asked
from bidproof.chunking.questions import asks_respondent, find_questions, question_words
from bidproof.judging.polarity import hedge_in
from bidproof.tables import BLOCKS, PAGES


def asked(*blocks: dict) -> list[tuple[str, str, str]]:
    found = find_questions(blocks, {})
    return [(each.id, each.label, each.text) for questions in found.values() for each in questions]


def of(text: str, **more: object) -> list[tuple[str, str, str]]:
    return asked(block(text, **more))


@pytest.mark.parametrize(
    "text",
    [
        "Please describe the procedure for calibration.",
        "Describe your approach to data migration.",
        "Explain how faults are reported.",
        "State whether the meters are certified.",
        "What is the delivery time of spare parts?",
        "If yes, please provide details of the incident.",
        "Bidders are invited to outline their method of work.",
        "The tenderer should describe its quality system.",
        "Décrivez votre organisation.",
        "Veuillez préciser les délais de livraison.",
        "Merci de joindre le certificat.",
        "Expliquer comment votre équipe est formée.",
        "Le candidat précisera les moyens affectés au chantier.",
        "Quelles sont les références de votre société ?",
        "Beschreiben Sie Ihr Vorgehen.",
        "Describa su experiencia en obras similares.",
    ],
)
def test_what_asks_the_respondent_is_a_question(text):
    assert [each[2] for each in of(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "We describe our approach below.",
        "Please find attached our certificate.",
        "Please note that prices are net.",
        "Provide, erect and maintain all necessary scaffolding.",
        "List of notices given under clause 2.5 to the Contractor",
        "Name of Tenderer: ____",
        "Submit via the portal by 5 p.m.",
        "Why us?",
        "[insert the name that you bear]",
        "Veuillez agréer, Madame, l'expression de nos sentiments distingués.",
        "Veuillez trouver ci-joint notre offre.",
        "The supplier provides meters to you.",
        "See https://bids.example/search?q=meters for more",
    ],
)
def test_what_states_instructs_or_greets_is_none(text):
    assert of(text) == []


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("Q12. Describe your quality system.", "Q12", "Q12"),
        ("Question 4: Describe your quality system.", "Q4", "Question 4"),
        ("QUESTION N° 7 - Describe your quality system.", "Q7", "QUESTION N° 7"),
        ("4.2.1 Describe your quality system.", "4.2.1", "4.2.1"),
        ("OCS-009 Describe your quality system.", "OCS-009", "OCS-009"),
        ("• 4.2.1) Describe your quality system.", "4.2.1", "4.2.1"),
    ],
)
def test_a_printed_number_is_the_id(text, name, label):
    assert of(text) == [(name, label, "Describe your quality system.")]


def test_a_question_without_number_has_an_id_made_from_its_words_alone():
    (one,), (two,) = (
        of("Describe your  quality system."),
        of("3. DESCRIBE YOUR QUALITY SYSTEM", number=7, page=9),
    )
    assert one[0] == two[0]
    assert one[0].startswith("q-")
    assert (one[1], two[1]) == ("", "3")
    (other,) = of("Describe your safety system.")
    assert other[0] != one[0]


def test_a_number_may_stand_on_the_line_above_or_in_the_cell_before():
    assert asked(block("Question 4", 1, 0, "heading"), block("Describe your quality system.", 1, 1)) == [
        ("Q4", "Question 4", "Describe your quality system.")
    ]
    assert asked(row("Q12 | Describe your quality system. | We hold ISO 9001.", 1, 0)) == [
        ("Q12", "Q12", "Describe your quality system.")
    ]
    assert (
        asked(
            block("Question 4", 1, 0), block("Our answer is yes.", 1, 1), block("What is your price?", 1, 2)
        )[0][1]
        == ""
    )


def test_a_cell_under_a_head_that_says_question_is_one_question_whatever_its_words():
    head = row("No | Question | Answer", 1, 0, header=True, row_no=0)
    rows = [
        row("Q1 | State that all meters comply with ISO 4064. Name the laboratory. | They do", 1, 1),
        row("2 | Number of staff on site | 12", 1, 2),
    ]
    assert [each[:3] for each in asked(head, *rows)] == [
        ("Q1", "Q1", "State that all meters comply with ISO 4064. Name the laboratory."),
        (asked(head, rows[1])[0][0], "2", "Number of staff on site"),
    ]
    assert asked(*rows) == []
    assert asked({**head, "text": head["text"].replace("Question ", "Quantity")}, *rows) == []


def test_a_request_says_nothing_of_the_bid_and_an_answer_beside_it_does():
    assert asks_respondent("Q4. Please confirm a warranty of 48 months.")
    assert asks_respondent("Veuillez confirmer une garantie de 48 mois.")
    assert not asks_respondent("We confirm a warranty of 48 months.")
    assert not asks_respondent("Please confirm a warranty of 48 months: confirmed.")
    assert hedge_in("Please confirm a warranty of 48 months on every meter.") == "a question"
    assert hedge_in("Please confirm a warranty of 48 months | Confirmed") == ""
    assert hedge_in("We grant a warranty of 48 months.") == ""


def test_sentences_under_one_printed_number_are_one_question_and_others_each_their_own():
    together = of(
        "Q3. Describe your quality system. Explain how it is audited. Q4. State whether you hold ISO 9001."
    )
    assert [(each[0], each[2]) for each in together] == [
        ("Q3", "Describe your quality system. Explain how it is audited."),
        ("Q4", "State whether you hold ISO 9001."),
    ]
    assert len({each[0] for each in of("Describe your quality system. Explain how it is audited.")}) == 2


def test_two_questions_under_the_same_number_keep_ids_apart_whatever_their_order():
    blocks = [block("1.1 Describe your stock.", 1, 0), block("1.1 Describe your fleet.", 2, 0)]
    ids = {text: name for name, _, text in asked(*blocks)}
    assert len(set(ids.values())) == 2
    assert all(name.startswith("1.1~") for name in ids.values())
    assert ids == {text: name for name, _, text in asked(*reversed(blocks))}
    # The same question printed twice under its number is one.
    assert {each[0] for each in asked(blocks[0], {**blocks[0], "page": 9})} == {"1.1"}


def test_a_bid_that_repeats_the_question_has_the_id_of_the_rfp():
    rfp = chunked(
        [block("Q12. Describe your approach to data migration and the tests that prove it complete.")]
    )
    known = questions_asked(rfp)
    assert known == {
        question_words(
            "Describe your approach to data migration and the tests that prove it complete."
        ): "Q12"
    }
    bid = chunked(
        [
            block("DESCRIBE your approach to data migration, and the tests that prove it complete", 3, 0),
            block("We migrate in three waves.", 3, 1),
            row(
                "7 | Describe your approach to data migration and the tests that prove it is complete. | See 4.2",
                4,
                0,
            ),
            block("Describe your approach to staff training and the tests that prove it complete.", 5, 0),
        ],
        asked=known,
    ).to_dicts()
    ids = {
        page: chunk["question_ids"] for chunk in bid for page in chunk["pages"] if len(chunk["pages"]) == 1
    }
    assert ids[4] == ["Q12"]
    assert bid[0]["question_ids"] == ["Q12"]
    assert ids[5][0].startswith("q-")


def test_a_question_with_another_figure_is_another_question():
    known = {
        question_words(
            "Explain how you keep the response time below 90 minutes in all regions of the country."
        ): "Q5"
    }
    (same,) = find_questions(
        [block("Explain how you keep the response time below 90 minutes in all the regions of the country.")],
        known,
    ).values()
    (other,) = find_questions(
        [block("Explain how you keep the response time below 60 minutes in all regions of the country.")],
        known,
    ).values()
    assert same[0].id == "Q5"
    assert other[0].id != "Q5"


def test_a_chunk_holds_the_questions_that_begin_in_it_at_their_place_in_its_text():
    blocks = [
        block("4 Quality", 1, 0, "heading", "4 Quality"),
        block("Q1. Describe your quality system. Q2. Who audits it each year?", 1, 1, path="4 Quality"),
    ]
    (chunk,) = chunked(blocks).to_dicts()
    assert chunk["question_ids"] == ["Q1", "Q2"]
    for question in chunk["questions"]:
        assert chunk["text"][question["start"] : question["end"]] == question["text"]
    assert [each["text"] for each in chunk["questions"]] == [
        "Describe your quality system.",
        "Who audits it each year?",
    ]


def test_a_question_in_the_overlap_stands_in_both_chunks_under_one_id():
    text = prose(12) + " Describe your quality system and its audits. " + prose(12)
    chunks = chunked([block(text)])
    held = [chunk["question_ids"] for chunk in chunks.to_dicts() if chunk["question_ids"]]
    assert 1 <= len(held) <= 2
    assert len({each[0] for each in held}) == 1


def test_a_pack_without_questions_has_none():
    assert questions_asked(chunk_blocks(BLOCKS.empty(), PAGES.empty(), PARAMS)) == {}
