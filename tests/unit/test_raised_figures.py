"""Raised and lowered digits that are parts of a figure: fractions, cents, degrees."""

from __future__ import annotations

import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.params import DocumentParams

UP, DOWN = "up", "down"


def shown(*parts: tuple[str, str] | str) -> str:
    """The text of a page with one line of these parts, raised and lowered ones set small."""
    pdf = Pdf().page()
    pdf.end = 72
    for part in parts:
        text, place = (part, "") if isinstance(part, str) else part
        shift = {UP: -4, DOWN: 2, "": 0}[place]
        pdf.text(pdf.end, 100 + shift, text, size=7 if place else 11)
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0).blocks["text"].to_list()[0]


@pytest.mark.parametrize(
    "parts",
    [
        ("A hose of 3", ("1", UP), "/", ("2", DOWN), " inches"),
        ("A hose of 3", ("1/2", UP), " inches"),
        ("A hose of 3", ("1", UP), "/2 inches"),
        ("A hose of 3 ", ("1", UP), "/", ("2", DOWN), " inches"),
    ],
)
def test_a_fraction_keeps_its_numerator(parts: tuple[tuple[str, str] | str, ...]) -> None:
    # The raised 1 taken for the mark of a note leaves 3/2: less than half of what is offered.
    assert shown(*parts) == "A hose of 3 1/2 inches"


def test_a_fraction_alone_is_read_in_one() -> None:
    assert shown("Pipes of ", ("3", UP), "/", ("4", DOWN), " inch") == "Pipes of 3/4 inch"


def test_cents_set_small_stay_with_the_price() -> None:
    # Taken for the mark of a note, they leave a price that is too low.
    assert shown("Price 12", ("50", UP), " EUR a piece") == "Price 12.50 EUR a piece"
    assert shown("Price EUR 1.250", ("50", UP), " a piece") == "Price EUR 1.250,50 a piece"


def test_a_raised_nought_is_no_mark_of_a_note() -> None:
    # Dropped, it may make 12 of what was meant as more; no note has the number 0.
    assert shown("At 20", ("0", UP), "C and valid 12", ("0", UP), " days") == "At 20°C and valid 12 ⁰ days"


def test_marks_of_notes_still_change_no_figure() -> None:
    # T14
    assert shown("Valid 90", ("1", UP), " days at 12", ("1", UP), "/20 kV") == "Valid 90 days at 12/20 kV"
    assert shown("In 3", ("2", UP), " years, 12.50", ("10", UP), " EUR") == "In 3 years, 12.50 EUR"
