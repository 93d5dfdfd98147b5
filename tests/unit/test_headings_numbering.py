"""Numbers of headings: what they are read as, and under which heading each one stands."""

from __future__ import annotations

import pytest

from bidproof.documents.structure.headings import HeadingStack, Look, is_heading_text
from bidproof.documents.structure.numbering import comes_next, parse_number

BOLD = Look(11, bold=True)


@pytest.mark.parametrize(
    ("line", "family", "parts", "title"),
    [
        ("3.2.1 Form of bond", "decimal", ("3", "2", "1"), "Form of bond"),
        ("45.0 Debriefing", "decimal", ("45",), "Debriefing"),
        ("4) Prices", "decimal", ("4",), "Prices"),
        ("1° Objet du marché", "decimal", ("1",), "Objet du marché"),
        ("1-LE DOSSIER ADMINISTRATIF", "decimal", ("1",), "LE DOSSIER ADMINISTRATIF"),
        ("2.Objet du marché", "decimal", ("2",), "Objet du marché"),
        ("III. Scope of supply", "roman", ("III",), "Scope of supply"),
        ("I.1) Objet", "roman", ("I", "1"), "Objet"),
        ("II.2 Durée", "roman", ("II", "2"), "Durée"),
        ("A. General", "letter", ("A",), "General"),
        ("A/ Présentation", "letter", ("A",), "Présentation"),
        ("B - Partie du concurrent", "letter", ("B",), "Partie du concurrent"),
        ("A GENERAL PROVISIONS", "letter", ("A",), "GENERAL PROVISIONS"),
        ("B2.3 Staff", "letter", ("B", "2", "3"), "Staff"),
        ("(a) Sole proprietor", "small", ("a",), "Sole proprietor"),
        ("Section III - Evaluation", "section", ("III",), "Evaluation"),
        ("PART1: TENDERING PROCEDURES", "part", ("1",), "TENDERING PROCEDURES"),
        ("Part One: Procedures", "part", ("1",), "Procedures"),
        ("ARTICLE16 : EXAMEN", "article", ("16",), "EXAMEN"),
        ("Article 4 - Objet", "article", ("4",), "Objet"),
        ("Chapitre II", "chapitre", ("II",), ""),
        ("Lot n° 2 : gardiennage", "lot", ("2",), "gardiennage"),
        ("Annex G", "annex", ("G",), ""),
        ("Item 1A. Risk Factors", "item", ("1A",), "Risk Factors"),
        ("Note 7 - Debt", "note", ("7",), "Debt"),
        ("FORM No. 6- PERFORMANCE SECURITY", "form", ("6",), "PERFORMANCE SECURITY"),
        ("Abschnitt 4.2 Preise", "abschnitt", ("4", "2"), "Preise"),
        ("§ 5 Haftung", "§", ("5",), "Haftung"),
        ("Anlage 3: Preisblatt", "anlage", ("3",), "Preisblatt"),
        ("Artículo 12. Plazo", "artículo", ("12",), "Plazo"),
        ("Capítulo IV Garantías", "capítulo", ("IV",), "Garantías"),
        ("Mẫu số 04 (webform)", "mẫu", ("04",), "(webform)"),
    ],
)
def test_numbers_of_many_kinds_are_read(line, family, parts, title):
    number = parse_number(line)
    assert (number.family, number.parts, number.title) == (family, parts, title)


@pytest.mark.parametrize(
    "line",
    [
        "5-Year Services",
        "V-Model of delivery",
        "FORM 10-K",
        "Partial delivery",
        "24-hour service",
        "I have read it",
    ],
)
def test_words_that_look_like_numbers_are_none(line):
    assert parse_number(line) is None


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        ("3.2 One", "3.3 Two", True),
        ("3.2 One", "3.4 Two", False),
        ("Section IV - One", "Section V - Two", True),
        ("Section 1 - One", "Section IV - Two", False),
        ("Item 1. One", "Item 1A. Two", True),
        ("Item 1A. One", "Item 2. Two", True),
        ("B. One", "C. Two", True),
    ],
)
def test_the_next_number_is_known_in_each_style(one, other, follows):
    assert comes_next(parse_number(one), parse_number(other)) is follows


def paths(*lines: str | tuple[str, Look]) -> list[str]:
    """Heading path after each line; all bold at one size unless a look is given."""
    stack, found = HeadingStack(), []
    for line in lines:
        text, look = line if isinstance(line, tuple) else (line, BOLD)
        stack.push(text, parse_number(text), look)
        found.append(stack.path)
    return found


def test_letters_hold_decimals_and_the_next_letter_closes_them():
    # T03
    found = paths(
        "Section I - Instructions", "A. General", "1. Scope", "B. Contents", "6. Sections", "6.1 List"
    )
    assert found[3:] == [
        "Section I - Instructions > B. Contents",
        "Section I - Instructions > B. Contents > 6. Sections",
        "Section I - Instructions > B. Contents > 6. Sections > 6.1 List",
    ]


def test_roman_and_letter_numbers_restart_under_each_section():
    found = paths("1. First", "I. One", "a) Small", "II. Two", "2. Second", "I. One again", "a) Small again")
    assert found[4:] == ["2. Second", "2. Second > I. One again", "2. Second > I. One again > a) Small again"]


def test_i_after_h_is_a_letter_and_i_on_its_own_a_roman_one():
    found = paths("Note 1. Policies", "G. Currency", "H. Revenue", "I. Arrangements", "J. Stock")
    assert found[3:] == ["Note 1. Policies > I. Arrangements", "Note 1. Policies > J. Stock"]
    assert paths("A. Law", "I. Scope", "II. Term", "B. Price")[1:] == [
        "A. Law > I. Scope", "A. Law > II. Term", "B. Price",
    ]  # fmt: skip


def test_notes_stand_below_the_title_of_the_notes_and_hold_plain_headings():
    title = Look(11, bold=True, caps=True, centred=True)
    found = paths(
        "Item 8. Statements",
        ("NOTES TO THE STATEMENTS", title),
        "Note 1 - Policies",
        "Leases",
        "Note 2 - Debt",
    )
    assert found[3:] == [
        "Item 8. Statements > NOTES TO THE STATEMENTS > Note 1 - Policies > Leases",
        "Item 8. Statements > NOTES TO THE STATEMENTS > Note 2 - Debt",
    ]


def test_items_with_letters_are_siblings():
    assert paths("Part I", "Item 1. Business", "General", "Item 1A. Risk Factors", "Item 1B. Comments")[3:] == [
        "Part I > Item 1A. Risk Factors", "Part I > Item 1B. Comments",
    ]  # fmt: skip


def test_a_section_returns_to_its_part_after_forms_with_numbers_of_their_own():
    found = paths("Part 1 - Tendering", "Section IV - Forms", "Form 1", "Form 2", "Section V - Criteria")
    assert found[-1] == "Part 1 - Tendering > Section V - Criteria"


def test_contracts_number_sections_within_articles():
    assert paths("Article II. Transfer", "Section 2.01. Sale", "Section 2.02. Assets", "Article III. Price")[2:] == [
        "Article II. Transfer > Section 2.02. Assets", "Article III. Price",
    ]  # fmt: skip


def test_type_ranks_headings_without_numbers():
    capitals, bold, slanted = (
        Look(10, bold=True, caps=True), Look(10, bold=True), Look(10, bold=True, upright=False),
    )  # fmt: skip
    found = paths(("MATTERS", capitals), ("Tax Matters", bold), ("Credits", slanted), ("Legal Matters", bold))
    assert found[2:] == ["MATTERS > Tax Matters > Credits", "MATTERS > Legal Matters"]


def test_a_centred_title_on_a_new_page_leaves_the_article_above_it():
    stack = HeadingStack()
    stack.push("Article 19: Languages", parse_number("Article 19: Languages"), BOLD)
    stack.push("Declaration on Honour", None, BOLD._replace(centred=True), opens=True)
    assert stack.path == "Declaration on Honour"


def test_a_bookmark_decides_where_number_and_type_say_nothing():
    stack = HeadingStack()
    stack.push("Approach", None, BOLD, outline=1)
    stack.push("Staff", None, BOLD, outline=2)
    stack.push("Tools", None, BOLD, outline=2)
    assert stack.path == "Approach > Tools"


@pytest.mark.parametrize(
    "text",
    [
        "12.1 The Contractor shall complete the works in ninety days.",
        "12. Award. The option may be exercised when the term is over",
        "7.5 applies to spare parts",
        "Section 13 or 15(d) of the Act",
        "(to be filled in by the bidder)",
        "P = A + B Im/Io",
        "/s/ John Smith LLP",
        "25 000 EUR",
    ],
)
def test_sentences_references_and_remarks_are_no_headings_even_in_bold(text):
    # T05
    assert is_heading_text(text, parse_number(text), True, frozenset({"12", "7"})) is False


def test_what_is_set_alike_stands_at_one_depth_below_a_centred_title_too():
    left, centred = Look(10, bold=True), Look(10, bold=True, centred=True)
    found = paths(
        "Item 7. Analysis",
        ("Guarantors", left),
        ("Balance Sheet of Guarantors", centred),
        ("Liquidity", left),
    )
    assert found[-1] == "Item 7. Analysis > Liquidity"


def test_a_mark_of_an_item_holds_no_form():
    assert (
        paths("Section V - Bills", "Bills", "(a) Preambles", "Bill No. 1 - Items")[-1]
        == "Section V - Bills > Bill No. 1 - Items"
    )
