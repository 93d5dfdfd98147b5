"""What is typed into the blanks of a printed form is read where it stands."""

from __future__ import annotations

import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.params import DocumentParams

FORM = "Validity ______ days, warranty ______ months"
CHOICE = "We accept [  ]   We do not accept [  ]"


def width(text: str) -> float:
    return pymupdf.get_text_length(text, fontname="helv", fontsize=11)


def texts(pdf: Pdf) -> list[str]:
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0).blocks["text"].to_list()


def type_in(pdf: Pdf, after: str, y: float, text: str, note: bool) -> None:
    """Text right behind the printed words `after`, as text of the page or as a note laid over it."""
    x = 72 + width(after) + 1
    if note:
        box = (x, y - 10, x + width(text) + 6, y + 4)
        pdf._page.add_freetext_annot(box, text, fontsize=9, text_color=(0, 0, 0))
    else:
        pdf.text(x, y, text, size=9)


@pytest.mark.parametrize("note", [False, True])
@pytest.mark.parametrize("lifted", [0, 2])
def test_figures_typed_into_blanks_stand_before_their_units(note: bool, lifted: int) -> None:
    # Behind the line, 122 days and 36 months become figures of nothing, or change places.
    pdf = Pdf().page().text(72, 100, FORM)
    type_in(pdf, "Validity ______ days, warranty _", 100 - lifted, "36", note)
    type_in(pdf, "Validity _", 100 - lifted, "122", note)
    assert texts(pdf) == ["Validity 122 days, warranty 36 months"]


@pytest.mark.parametrize("note", [False, True])
def test_a_cross_in_the_first_bracket_is_no_cross_in_the_second(note: bool) -> None:
    # Behind the line the X stands beside `We do not accept [ ]`: a Fail read as Pass, or the reverse.
    pdf = Pdf().page().text(72, 100, CHOICE)
    type_in(pdf, "We accept [", 100, "X", note)
    assert texts(pdf) == ["We accept [ X ] We do not accept [ ]"]


def test_a_cross_in_the_second_bracket_stays_there() -> None:
    pdf = Pdf().page().text(72, 100, CHOICE)
    type_in(pdf, CHOICE[:-3], 100, "X", note=False)
    assert texts(pdf) == ["We accept [ ] We do not accept [ X ]"]


def test_brackets_without_space_and_parts_of_a_date_are_parted() -> None:
    pdf = Pdf().page().text(72, 100, "We accept [] or not [] at all").text(72, 130, "On __/__/____ in Brest")
    pdf.text(72 + width("We accept [") - 2, 100, "X", size=6)
    for before, part in (("On ", "12"), ("On __/", "05"), ("On __/__/", "2026")):
        pdf.text(72 + width(before) + 1, 129, part, size=9)
    assert texts(pdf) == ["We accept [ X ] or not [] at all", "On 12 / 05 / 2026 in Brest"]


@pytest.mark.parametrize(("blank", "shown"), [("[_]", "[ X ]"), ("(-)", "( X )"), ("_", "X"), ("o", "X o")])
def test_a_cross_on_a_narrow_blank_or_sign_stands_with_its_choice(blank: str, shown: str) -> None:
    # Behind the line, the cross on `yes` would stand beside `no`.
    pdf = Pdf().page().text(72, 100, f"Accepted: {blank} yes {blank} no")
    pdf.text(72 + width("Accepted: ") + width(blank) / 2 - 3, 100, "X", size=9)
    assert texts(pdf) == [f"Accepted: {shown} yes {blank} no"]


def test_an_amount_over_dots_leaves_the_other_blank_of_the_line_alone() -> None:
    # The first dots go with what fills them: `EUR` and its amount must stand together.
    text = "Bid security of EUR ............ in words ............"
    pdf = Pdf().page().text(72, 100, text)
    type_in(pdf, "Bid security of EUR ..", 100, "25 000", note=False)
    assert texts(pdf) == ["Bid security of EUR 25 000 in words ............"]


def test_white_text_fills_no_blank() -> None:
    # A figure that nobody sees would else take the blank's place and look like the bidder's answer.
    pdf = Pdf().page().text(72, 100, FORM)
    pdf.text(72 + width("Validity _"), 100, "122", size=9, color=(1, 1, 1))
    assert texts(pdf) == [FORM, "122"]


def test_the_page_number_behind_a_leader_leaves_the_leader() -> None:
    # Without its dots an entry of a list of contents would be taken for a heading.
    line = "Price schedule ................................"
    pdf = Pdf().page().text(72, 100, line)
    pdf.text(72 + width(line) - 9, 100, "12")
    assert texts(pdf) == [f"{line} 12"]


def test_text_printed_over_other_text_is_not_mixed_into_it() -> None:
    pdf = Pdf().page().text(72, 100, "The price is 1000 EUR net").text(75, 100, "price of 2000")
    found = " ".join(texts(pdf))
    assert "The price is 1000 EUR net" in found
    assert "price of 2000" in found
