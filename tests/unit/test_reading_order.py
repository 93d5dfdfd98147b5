"""Order in which a page is read: columns, tables of prose, and text that runs from right to left."""

from __future__ import annotations

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import ParsedFile, parse_file
from bidproof.documents.sheets.words import Visibility, read_words
from bidproof.documents.structure.columns import order_lines
from bidproof.params import DocumentParams

DELIVERY = [
    "The supplier delivers the",
    "meters to the site within",
    "thirty days of the order",
    "and bears all the costs.",
]
PAYMENT = [
    "payment is made within",
    "forty days of the invoice",
    "which names the order and",
    "carries the stamp of it.",
]
WARRANTY = [
    "warranty runs for two years",
    "from the day of acceptance",
    "and covers all the parts",
    "that fail in normal use.",
]


def texts(pdf: Pdf) -> list[str]:
    return read(pdf).blocks["text"].to_list()


def read(pdf: Pdf) -> ParsedFile:
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


def test_three_columns_are_read_one_after_the_other():
    # T18
    pdf = Pdf().page().lines(DELIVERY, x=50).lines(PAYMENT, x=230).lines(WARRANTY, x=410)
    assert texts(pdf) == [" ".join(DELIVERY), " ".join(PAYMENT), " ".join(WARRANTY)]


def test_columns_of_unequal_length_on_a_landscape_page_stay_apart():
    # T18
    pdf = Pdf((842, 595)).page().lines(DELIVERY, x=50).lines(PAYMENT[:3], x=310).lines(WARRANTY * 2, x=570)
    assert texts(pdf) == [" ".join(DELIVERY), " ".join(PAYMENT[:3]), " ".join(WARRANTY * 2)]


def test_two_lines_left_over_in_the_last_column_stay_apart():
    pdf = (
        Pdf()
        .page()
        .lines(DELIVERY + PAYMENT[:3], x=72)
        .lines(["which is stated in the order", "of the buyer."], x=320)
    )
    assert texts(pdf)[-1] == "which is stated in the order of the buyer."


def test_a_heading_and_a_table_across_the_page_part_the_columns():
    pdf = Pdf().page().lines(DELIVERY, x=72).lines(PAYMENT, x=320)
    pdf.text(72, 190, "4 Terms that hold for all the lots of this tender and of the next one", bold=True)
    pdf.lines(WARRANTY, x=72, y=220).lines(DELIVERY, x=320, y=220)
    pdf.table([["Item", "Price"], ["Meter", "61.50"]], y=300)
    pdf.lines(PAYMENT, x=72, y=380).lines(WARRANTY, x=320, y=380)
    assert [text[:12] for text in texts(pdf)] == [
        "The supplier", "payment is m", "4 Terms that", "warranty run", "The supplier",
        "Item | Price", "Meter | 61.5", "payment is m", "warranty run",
    ]  # fmt: skip


def test_the_short_last_line_of_a_paragraph_above_columns_belongs_to_it():
    pdf = Pdf().page().lines(
        ["This page holds the terms that apply to all of the lots that the tender is made of,", "and annexes."], y=80
    )  # fmt: skip
    pdf.lines(DELIVERY, x=72, y=140).lines(PAYMENT, x=320, y=140)
    assert texts(pdf)[0].endswith("the tender is made of, and annexes.")


def test_an_answer_beside_its_requirement_is_read_after_it():
    pdf = Pdf().page()
    for row, (asked, answer) in enumerate([(DELIVERY[:3], PAYMENT[:3]), (WARRANTY[:2], DELIVERY[:3])]):
        pdf.lines(asked, x=72, y=100 + 70 * row).lines(answer, x=320, y=100 + 70 * row)
    assert texts(pdf) == [
        " ".join(DELIVERY[:3]), " ".join(PAYMENT[:3]), " ".join(WARRANTY[:2]), " ".join(DELIVERY[:3]),
    ]  # fmt: skip


def test_a_ligature_reads_as_its_letters():
    # T09
    pdf = Pdf().page()
    page = pdf.document[0]
    page.insert_font(fontname="f0", fontbuffer=pymupdf.Font("helv").buffer)
    page.insert_text((72, 100), "The certi\ufb01cate names the man\u0153uvre.", fontname="f0", fontsize=11)
    assert texts(pdf) == ["The certificate names the man\u0153uvre."]


def leftward(*pieces: tuple[str, float], width: float = 6.0) -> list[str]:
    """Lines read from pieces of text, each with the place of its right edge; figures and Latin run rightward."""
    lines = []
    for text, right in pieces:
        digits = text.isascii()
        chars = []
        for at, letter in enumerate(text):
            x = right - width * (len(text) - at) if digits else right - width * (at + 1)
            chars.append({"c": letter, "origin": (x, 100.0), "bbox": (x, 90.0, x + width, 102.0)})
        span = {"size": 10.0, "flags": 0, "font": "Test", "color": 0, "chars": chars}
        lines.append({"dir": (1.0, 0.0), "spans": [span]})
    raw = {"blocks": [{"type": 0, "lines": lines}]}
    words = read_words(raw, (1, 0, 0, 1, 0, 0), Visibility((0, 0, 600, 800), [], scanned=False))
    return [line.text for line in order_lines(words.fragments)]


def test_arabic_pieces_are_read_from_the_right_and_figures_keep_their_order():
    assert leftward(("مبلغ", 400), ("الضمان", 370), ("30.000", 320), ("درهم", 270)) == [
        "مبلغ الضمان 30.000 درهم"
    ]


def test_a_figure_printed_in_pieces_within_arabic_stays_one_figure():
    assert leftward(("بمقياس", 400), ("50000", 350), ("/", 320), ("1", 314)) == ["بمقياس 1/50000"]


def test_latin_words_within_arabic_read_from_the_left():
    assert leftward(("بوابة", 400), ("Kingdom", 300), ("United", 250)) == ["بوابة United Kingdom"]


def test_hebrew_stored_as_the_eye_sees_it_is_turned():
    # Letters in the order of the stream, from the left edge on: the first is the last one read.
    word = "שלום"
    chars = [
        {
            "c": letter,
            "origin": (100.0 + 6 * at, 100.0),
            "bbox": (100.0 + 6 * at, 90.0, 106.0 + 6 * at, 102.0),
        }
        for at, letter in enumerate(reversed(word))
    ]
    span = {"size": 10.0, "flags": 0, "font": "Test", "color": 0, "chars": chars}
    raw = {"blocks": [{"type": 0, "lines": [{"dir": (1.0, 0.0), "spans": [span]}]}]}
    words = read_words(raw, (1, 0, 0, 1, 0, 0), Visibility((0, 0, 600, 800), [], scanned=False))
    assert order_lines(words.fragments)[0].text == word


def test_letters_of_an_arabic_ligature_are_turned_back_and_bars_dropped():
    places = [
        ("إ", 112, 118),
        ("ع", 106, 112),
        ("ـ", 102, 106),
        ("ا", 102, 102),
        ("ل", 96, 102),
        ("ن", 90, 96),
    ]
    chars = [{"c": c, "origin": (x0, 100.0), "bbox": (x0, 90.0, x1, 102.0)} for c, x0, x1 in places]
    span = {"size": 10.0, "flags": 0, "font": "Test", "color": 0, "chars": chars}
    raw = {"blocks": [{"type": 0, "lines": [{"dir": (1.0, 0.0), "spans": [span]}]}]}
    words = read_words(raw, (1, 0, 0, 1, 0, 0), Visibility((0, 0, 600, 800), [], scanned=False))
    assert order_lines(words.fragments)[0].text == "إعلان"


def test_a_page_turned_sideways_keeps_its_columns():
    pdf = Pdf().page().lines(DELIVERY, x=72).lines(PAYMENT, x=320).rotate(90)
    parsed = read(pdf)
    assert parsed.blocks["text"].to_list() == [" ".join(DELIVERY), " ".join(PAYMENT)]
    assert parsed.pages.select(pl.col("rotation")).item() == 90


METERS = [
    "These goods carry a warranty of",
    "24 months from their delivery to",
    "the store of the customer, and",
    "all spare parts are free then.",
]
MODEMS = [line.replace("24", "48").replace("store", "house") for line in METERS]


@pytest.mark.parametrize("gap", [16, 20, 21, 24, 28])
@pytest.mark.parametrize("parts", [1, 2])
def test_headings_over_two_columns_go_with_their_own_text(gap: int, parts: int) -> None:
    # Read before both columns, `Modems` would head the text on meters: 24 months for the wrong goods.
    pdf = Pdf().page()
    for part in range(parts):
        top = 100 + 200 * part
        for x, head, lines in ((60, "Meters", METERS), (320, "Modems", MODEMS)):
            pdf.text(x, top, f"{head} {part}", size=12, bold=True)
            pdf.lines(lines, x=x, y=top + gap, step=13, size=10)
    found = read(pdf).blocks.filter(pl.col("kind") == "paragraph").select("heading_path", "text").rows()
    assert [(path, "24" in text, "48" in text) for path, text in found] == [
        each
        for part in range(parts)
        for each in ((f"Meters {part}", True, False), (f"Modems {part}", False, True))
    ]


def test_the_head_of_a_table_of_prose_heads_no_column_alone() -> None:
    # With `Answer of bidder` as the heading above, the requirement itself would count as an answer.
    pdf = Pdf().page().text(60, 100, "Requirement", size=12, bold=True)
    pdf.text(320, 100, "Answer of bidder", size=12, bold=True)
    for row in range(3):
        pdf.lines(METERS, x=60, y=130 + 80 * row, step=13, size=10)
        pdf.lines(MODEMS, x=320, y=130 + 80 * row, step=13, size=10)
    rows = read(pdf).blocks.select("text", "heading_path").rows()
    assert rows[0][0] == "Requirement Answer of bidder"
    assert not any(path.endswith("Answer of bidder") and path != rows[0][0] for _, path in rows)
    assert ["24" in text for text, _ in rows[1:]] == [True, False] * 3
