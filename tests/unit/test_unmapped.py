"""Characters that stand for none that is known: what shows nothing goes, what shows ink stays in sight."""

from __future__ import annotations

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.documents.sheets.unmapped import Inkless, clear_inkless, remarks_on_characters
from bidproof.params import DocumentParams

SENTENCE = "The bid is valid for ninety days from the date on which bids are opened by the entity."
FONT = pymupdf.Font("helv")
MAPPING = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange pairs endcmap end end"""
FIVE, AT_LEAST, BLANK = (f"<{FONT.has_glyph(ord(letter)):04x}>" for letter in "5\u2265 ")


def read(pdf):
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


def written(orders, widths=None, setting="", mapping=None, width=None):
    """A page with a sentence and further text orders: /C is Helvetica, /S a font without a mapping to characters."""
    pdf = Pdf().page().text(72, 60, SENTENCE)
    document, page = pdf.document, pdf._page
    page.insert_font(fontname="S", fontbuffer=FONT.buffer)
    signs = next(font[0] for font in page.get_fonts() if font[4] == "S")
    if mapping is None:
        document.xref_set_key(signs, "ToUnicode", "null")
    else:
        number = int(document.xref_get_key(signs, "ToUnicode")[1].split()[0])
        document.update_stream(number, MAPPING.replace("pairs", mapping).encode())
    if width is not None:
        held = int(document.xref_get_key(signs, "DescendantFonts")[1].strip("[]").split()[0])
        document.xref_set_key(held, "W", f"[0 9999 {width}]")
    plain, more = document.get_new_xref(), document.get_new_xref()
    table = f"/FirstChar 0/LastChar 255/Widths[{' '.join(map(str, widths))}]" if widths else ""
    document.update_object(
        plain, f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding{table}>>"
    )
    document.update_object(more, "<<>>")
    document.update_stream(more, f"{setting} BT {orders} ET".encode("latin-1"))
    helv = next(font[0] for font in page.get_fonts() if font[4] == "helv")
    fonts = f"<</Font<</helv {helv} 0 R/C {plain} 0 R/S {signs} 0 R>>>>"
    document.xref_set_key(page.xref, "Resources", fonts)
    first = page.get_contents()
    document.xref_set_key(
        page.xref, "Contents", "[" + " ".join(f"{xref} 0 R" for xref in (*first, more)) + "]"
    )
    return pdf


def said(parsed):
    return parsed.blocks.filter(pl.col("kind") != "furniture")["text"].to_list()[1:]


def remarks(parsed):
    kept = parsed.integrity.filter(pl.col("kind").is_in(["control_characters", "undecoded_text"]))
    return kept.select("kind", "severity", "detail").rows()


# T21
def test_control_characters_of_a_cell_show_nothing_and_go_with_a_warning():
    pdf = Pdf().page().text(72, 60, SENTENCE).table([["Item", "Result"], ["Meter", "OKZ"], ["Modem", "NO"]])
    for xref in pdf._page.get_contents():
        stream = pdf.document.xref_stream(xref)
        pdf.document.update_stream(xref, stream.replace(b"<4f4b5a>", b"<4f4b0016>"))
    parsed = read(pdf)
    assert parsed.table_cells["text"].to_list() == ["Item", "Result", "Meter", "OK", "Modem", "NO"]
    assert "\ufffd" not in "".join(parsed.blocks["text"])
    (remark,) = remarks(parsed)
    assert remark[:2] == ("control_characters", "warn")
    assert remark[2].startswith(
        "2 control characters, which show nothing on the page, were dropped, after “Meter OK”"
    )
    assert "2 control characters were dropped" in parsed.pages["note"][0]
    row = parsed.integrity.filter(pl.col("kind") == "control_characters").to_dicts()[0]
    assert 297 < row["x0"] < row["x1"] < 340
    assert 120 < row["y0"] < row["y1"] < 140


def test_a_gap_that_a_control_character_leaves_keeps_two_figures_apart():
    assert said(read(written("/C 11 Tf 72 700 Td (12\\0265 days) Tj"))) == ["12 5 days"]


def test_a_control_character_without_a_width_parts_no_word():
    widths = [0 if code < 32 else 500 for code in range(256)]
    parsed = read(written("/C 11 Tf 72 700 Td (guaran\\026tee OK\\000\\026) Tj", widths))
    assert said(parsed) == ["guarantee OK"]
    assert remarks(parsed)[0][2].startswith("2 control characters")


def test_a_sign_without_a_mapping_stays_where_it_shows_ink():
    parsed = read(written(f"/S 11 Tf 72 700 Td {AT_LEAST} Tj /C 11 Tf ( 25 000 EUR) Tj"))
    assert said(parsed) == ["\ufffd 25 000 EUR"]
    (remark,) = remarks(parsed)
    assert remark[:2] == ("undecoded_text", "warn")
    assert remark[2].startswith("1 characters stand for none that is known (shown as \ufffd)")


def test_a_page_with_both_kinds_has_one_remark_on_them():
    parsed = read(
        written(
            f"/C 11 Tf 72 700 Td (Answer) Tj /S 11 Tf {BLANK} Tj {AT_LEAST} Tj {BLANK} Tj /C 11 Tf ( done) Tj"
        )
    )
    assert said(parsed) == ["Answer \ufffd done"]
    (remark,) = remarks(parsed)
    assert remark[:2] == ("undecoded_text", "warn")
    assert remark[2].startswith("1 characters stand for none")
    assert "2 control characters, which show nothing on the page, were dropped, after “Answer”" in remark[2]


def test_a_sign_with_nearly_no_width_stays_as_its_ink_may_be_drawn_over_a_neighbour():
    assert "\ufffd" in said(read(written(f"/C 11 Tf 72 700 Td (25) Tj /S 11 Tf {AT_LEAST} Tj", width=50)))[0]


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_ink_is_looked_for_on_pages_turned_either_way(degrees):
    pdf = written(f"/S 11 Tf 72 700 Td {AT_LEAST} Tj {BLANK} Tj /C 11 Tf (OK\\026) Tj")
    pdf.document[0].set_rotation(degrees)
    assert said(read(pdf)) == ["\ufffd OK"]


def test_a_figure_that_a_wrong_mapping_makes_a_control_character_stays_in_sight():
    pairs = f"1 beginbfchar {FIVE} <0016> endbfchar"
    parsed = read(
        written(f"/C 11 Tf 72 700 Td (Price 2) Tj /S 11 Tf {FIVE} Tj /C 11 Tf ( 000) Tj", mapping=pairs)
    )
    assert said(parsed) == ["Price 2\ufffd 000"]
    assert remarks(parsed)[0][:2] == ("undecoded_text", "warn")


def test_signs_on_a_coloured_ground_are_told_from_nothing():
    dark = "0 0 .4 rg 60 680 300 40 re f 1 g"
    assert said(
        read(written(f"/S 11 Tf 72 700 Td {AT_LEAST} Tj {BLANK} Tj /C 11 Tf (OK\\026) Tj", setting=dark))
    ) == ["\ufffd OK"]


def test_a_pale_sign_is_ink():
    assert said(read(written(f"/S 11 Tf 72 700 Td {AT_LEAST} Tj /C 11 Tf (OK) Tj", setting=".8 g"))) == [
        "\ufffdOK"
    ]


def test_text_that_is_not_painted_keeps_its_unknown_characters():
    pdf = written("3 Tr /C 11 Tf 72 700 Td (OK\\026) Tj")
    text = pdf.document[0].get_text("rawdict")
    assert clear_inkless(pdf.document[0], text) == Inkless()


def test_many_unknown_characters_on_a_page_are_left_as_they_are():
    pdf = written(f"/C 4 Tf 72 700 Td ({'OK' + chr(22) * 401}) Tj")
    text = pdf.document[0].get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
    assert clear_inkless(pdf.document[0], text) == Inkless()


def test_a_page_without_such_characters_has_no_remark():
    assert remarks_on_characters(1, 0, 0, Inkless()) == []
    (remark,) = remarks_on_characters(1, 2, 0, Inkless())
    assert (remark.kind, remark.severity) == ("control_characters", "info")
