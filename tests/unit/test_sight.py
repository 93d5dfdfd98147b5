"""What leaves no ink on the page is no evidence: clipped, buried and faded words, and text that says other than it shows."""

from __future__ import annotations

import polars as pl
import pymupdf
import pytest

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)
SENTENCE = "The bid is valid for ninety days from the date on which bids are opened."
SECRET = b"BT /helv 12 Tf 72 400 Td (Warranty 301 days here.) Tj ET\n"
WHITE_SHADE = (
    "<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 600 0]/Extend[true true]"
    "/Function<</FunctionType 2/N 1/Domain[0 1]/C0[1]/C1[1]>>>>>>"
)


def drawn(orders: bytes, **resources: str) -> pymupdf.Document:
    """A page of ordinary text followed by `orders`; `resources` are put into its resource dictionary."""
    document = pymupdf.open()
    page = document.new_page()
    for number in range(5):
        page.insert_text((72, 80 + 14 * number), SENTENCE, fontsize=10)
    page.clean_contents()
    stream = page.get_contents()[0]
    for name, value in resources.items():
        document.xref_set_key(page.xref, f"Resources/{name}", value)
    document.update_stream(stream, document.xref_stream(stream) + b"\n" + orders)
    return document


def read(document: pymupdf.Document, params: DocumentParams = NO_OCR) -> ParsedFile:
    return parse_file(document.tobytes(), params, workers=0)


def live(parsed: ParsedFile) -> str:
    shown = parsed.blocks.filter(~pl.col("struck") & ~pl.col("hidden"))
    return " ".join(shown["text"].to_list())


def hidden(parsed: ParsedFile) -> str:
    return " ".join(parsed.blocks.filter(pl.col("hidden"))["text"].to_list())


def struck(parsed: ParsedFile) -> str:
    return " ".join(parsed.blocks.filter(pl.col("struck"))["text"].to_list())


# A value that the page never shows would be quoted as the offer.
@pytest.mark.parametrize(
    ("orders", "resources"),
    [
        (b"q 0 0 1 1 re W n " + SECRET + b"Q", {}),
        (SECRET + b"q 300 0 0 30 60 390 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q", {}),
        (SECRET + b"q 1 g 300 0 0 30 60 390 cm BI /W 8 /H 1 /IM true /D[1 0] ID \xff EI Q", {}),
        (SECRET + b"q 1 G 30 w 60 404 m 360 404 l S Q", {}),
        (SECRET + b"q 60 390 300 30 re W n /S sh Q", {"Shading": WHITE_SHADE}),
        (b"q /G gs " + SECRET + b"Q", {"ExtGState": "<</G<</ca 0.02/CA 0.02>>>>"}),
    ],
    ids=["clipped away", "inline picture", "stencil", "thick white line", "shading", "two percent of ink"],
)
def test_text_that_leaves_no_ink_is_hidden_by_whatever_means(orders, resources):
    parsed = read(drawn(orders, **resources))
    assert hidden(parsed) == "Warranty 301 days here."
    assert "301" not in live(parsed)
    assert live(parsed).count(SENTENCE) == 5
    # A thick white line both buries and crosses out: one remark, whichever it is.
    assert parsed.integrity.select("text", "citable").rows() == [("Warranty 301 days here.", False)]


def test_of_a_line_half_cut_away_only_what_is_shown_is_read():
    # Else the unseen end of the line is cited.
    parsed = read(drawn(b"q 60 390 80 30 re W n " + SECRET + b"Q"))
    assert hidden(parsed) == "days here."
    assert live(parsed).endswith("Warranty 301")


@pytest.mark.parametrize("alpha", [255, 250])
def test_text_under_the_opaque_part_of_a_picture_with_a_mask_is_hidden(alpha):
    # A PNG with an alpha channel buries text as well as one without; print in it is not the text's ink.
    document = drawn(SECRET)
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 20), True)
    pixels.set_rect(pixels.irect, (255, 255, 255, alpha))
    pixels.set_rect(pymupdf.IRect(4, 4, 40, 14), (0, 0, 0, alpha))
    document[0].insert_image((60, 420, 360, 460), stream=pixels.tobytes("png"), keep_proportion=False)
    assert hidden(read(document)) == "Warranty 301 days here."


def test_text_under_a_watermark_picture_stays_evidence():
    # The see-through picture over a page must not take its text away.
    document = drawn(SECRET)
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 20), True)
    pixels.set_rect(pixels.irect, (200, 200, 200, 60))
    document[0].insert_image((60, 420, 360, 460), stream=pixels.tobytes("png"), keep_proportion=False)
    parsed = read(document)
    assert (hidden(parsed), "Warranty 301 days here." in live(parsed)) == ("", True)


def test_what_the_glyphs_show_is_read_where_the_file_says_another_figure():
    # /ActualText is what copying gives; a forged one would be cited as the offer.
    said = b"/Span<</ActualText(Valid 303 days)>> BDC BT /helv 12 Tf 72 400 Td (Valid 30 days) Tj ET EMC"
    parsed = read(drawn(said))
    assert live(parsed).endswith("Valid 30 days")
    row = parsed.integrity.row(0, named=True)
    assert (row["kind"], row["severity"], row["text"], row["citable"]) == (
        "hidden_text",
        "alert",
        "303",
        False,
    )


def test_a_shown_figure_stays_when_a_clip_cuts_something_else_of_the_page():
    # The shown glyphs were compared with the file's replacement, and live words counted as cut away.
    said = (
        b"q 0 0 1 1 re W n BT /helv 12 Tf 72 300 Td (Secret 180 days) Tj ET Q "
        b"/Span<</ActualText(Valid 303 weeks)>> BDC BT /helv 12 Tf 72 400 Td (Valid 45 days) Tj ET EMC"
    )
    parsed = read(drawn(said))
    assert live(parsed).endswith("Valid 45 days")
    assert "Secret 180 days" in hidden(parsed)


def test_replaced_text_that_says_what_is_shown_makes_no_remark():
    # Tagged files spell out ligatures and hyphens; an alert on each would bury the forged one.
    said = b"/Span<</ActualText(Valid 30 days)>> BDC BT /helv 12 Tf 72 400 Td (Valid 30 days) Tj ET EMC"
    parsed = read(drawn(said))
    assert live(parsed).endswith("Valid 30 days")
    assert parsed.integrity.height == 0


def with_strokes(*orders: bytes) -> ParsedFile:
    """A page that says `Valid for 60 90 days.`; 60 stands at 130 to 145, its base line at 400."""
    text = b"BT /helv 12 Tf 72 400 Td (Valid for) Tj 58 0 Td (60) Tj 22 0 Td (90 days.) Tj ET\n"
    return read(drawn(text + b" ".join(orders)))


# The struck figure beside the new one would be cited as the offer.
@pytest.mark.parametrize(
    "orders",
    [
        b"130 399 m 144 409 l S",
        b"130 399 m 144 409 l S 130 409 m 144 399 l S",
        b"130 404 m 134.5 404 l S 134.8 404 m 139.3 404 l S 139.6 404 m 144 404 l S",
        b"130 402 m 134 407 139 400 144 406 c S",
    ],
    ids=["slanting", "cross", "in pieces", "by hand"],
)
def test_a_word_that_a_stroke_of_any_kind_runs_over_is_crossed_out(orders):
    parsed = with_strokes(orders)
    assert struck(parsed) == "60"
    assert live(parsed).endswith("Valid for 90 days.")


def test_a_line_that_runs_past_both_ends_of_the_text_crosses_it_out_unless_it_borders_a_table():
    # Long strikes are drawn over the whole measure; borders of rows with low letters must strike nothing.
    assert struck(with_strokes(b"40 403.5 m 560 403.5 l S")) == "Valid for 60 90 days."
    table = b"40 403.5 m 560 403.5 l S 40 383 m 560 383 l S 40 383 m 40 403.5 l S 560 383 m 560 403.5 l S"
    assert struck(with_strokes(table)) == ""


def test_a_paragraph_under_a_cross_is_crossed_out_and_the_text_around_it_is_not():
    # A clause crossed out from corner to corner was withdrawn.
    lines = b"BT /helv 10 Tf 72 400 Td 14 TL (We accept clause 7) Tj T* (without deviation) Tj ET "
    parsed = read(drawn(lines + b"70 412 m 200 380 l S 70 380 m 200 412 l S"))
    assert struck(parsed) == "We accept clause 7 without deviation"
    assert live(parsed).count(SENTENCE) == 5


@pytest.mark.parametrize(
    "orders",
    [
        b"100 380 m 180 430 l S",
        b"147 399 m 151 396 l S 151 396 m 158 409 l S",
    ],
    ids=["line of a drawing", "tick between words"],
)
def test_slanting_lines_of_drawings_and_ticks_cross_nothing_out(orders):
    # Else a plan or a tick takes the words beside it out of evidence.
    assert struck(with_strokes(orders)) == ""


def print_of(*lines: str, size: float = 12, width: float = 400, step: float = 24) -> pymupdf.Page:
    page = pymupdf.open().new_page(width=width, height=20 + step * len(lines))
    for number, line in enumerate(lines):
        page.insert_text((10, 20 + step * number), line, fontsize=size)
    return page


def outlined(page: pymupdf.Page) -> pymupdf.Document:
    """The page with its text turned to curves."""
    drawing = pymupdf.open("svg", page.get_svg_image(text_as_path=True).encode())
    return pymupdf.open("pdf", drawing.convert_to_pdf())


OFFER = (
    "The guaranteed efficiency is 98.7 percent at rated load.",
    "The warranty lasts 36 months from delivery.",
)


def test_text_turned_to_curves_beside_live_text_is_recognised():
    # It has no characters: the page would count as fully read without it.
    document = drawn(b"")
    box = pymupdf.Rect(72, 400, 472, 468)
    document[0].show_pdf_page(box, outlined(print_of(*OFFER)), 0)
    parsed = read(document, DocumentParams())
    assert all(line in live(parsed) for line in OFFER)
    assert "2 lines of print beside the text layer were recognised by OCR" in parsed.pages["note"][0]


def test_text_turned_to_curves_is_no_full_coverage_where_it_is_not_recognised():
    document = drawn(b"")
    document[0].show_pdf_page(pymupdf.Rect(72, 400, 472, 468), outlined(print_of(*OFFER)), 0)
    parsed = read(document)
    assert parsed.pages["coverage"][0] < 0.9
    assert (
        "2 lines of print lie beside the text layer and were not read: OCR is off" in parsed.pages["note"][0]
    )
    assert parsed.integrity.select("kind", "severity").rows() == [("unread_picture", "warn")]


def test_a_scan_under_a_long_typed_footer_is_recognised_all_the_same():
    # Three hundred typed characters made the scan pass for one with a text layer: its offer was lost.
    document = pymupdf.open()
    page = document.new_page()
    scan = pymupdf.open().new_page()
    for number, line in enumerate((SENTENCE, *OFFER) * 3):
        scan.insert_text((60, 150 + 20 * number), line, fontsize=12)
    page.insert_image(page.rect, pixmap=scan.get_pixmap(dpi=150))
    for number in range(5):
        page.insert_text((40, 770 + 11 * number), SENTENCE, fontsize=9)
    parsed = read(document, DocumentParams())
    assert live(parsed).count("98.7 percent") == 3


def test_a_line_pasted_as_a_small_picture_is_recognised_and_a_plain_logo_is_passed_by():
    # A signature block or a price pasted as a picture covers less than a hundredth of the page.
    document = drawn(b"")
    page = document[0]
    pasted = print_of("Bid validity: 180 days", width=160, step=10).get_pixmap(dpi=200)
    page.insert_image((72, 300, 232, 330), pixmap=pasted)
    logo = pymupdf.open().new_page(width=80, height=40)
    logo.draw_circle((40, 20), 15, fill=(0.8, 0, 0))
    page.insert_image((450, 30, 530, 70), pixmap=logo.get_pixmap(dpi=150))
    parsed = read(document, DocumentParams())
    assert "Bid validity: 180 days" in live(parsed)
    assert parsed.integrity["kind"].to_list() == ["picture_text"]


@pytest.mark.parametrize(
    ("font", "orders", "said"),
    [
        ("/Type1/BaseFont/ZapfDingbats", b"(4) Tj ( ) Tj (8) Tj ( ) Tj (o) Tj", "✔ ✘ ☐"),
        ("/Type1/BaseFont/ZapfDingbats/Encoding/WinAnsiEncoding", b"(4 8 n) Tj", "✔ ✘ ■"),
        ("/TrueType/BaseFont/ABCDEF+Wingdings-Regular", b"(\374 o \376 4) Tj", "✓ ☐ ☑ •"),
    ],
    ids=["without an encoding", "with one", "Wingdings"],
)
def test_ticks_of_a_font_of_signs_are_ticks_and_no_figures(font, orders, said):
    # A ticked box that reads `4` is a figure nobody wrote, and one that reads as nothing is a lost answer.
    document = drawn(b"BT /helv 12 Tf 72 400 Td (Comply ) Tj /ZZ 12 Tf " + orders + b" ET")
    xref = document.get_new_xref()
    document.update_object(xref, f"<</Type/Font/Subtype{font}>>")
    document.xref_set_key(document[0].xref, "Resources/Font/ZZ", f"{xref} 0 R")
    parsed = read(document)
    assert live(parsed).endswith(f"Comply {said}")


def test_a_tick_drawn_with_two_strokes_is_a_remark():
    # The answer is in no text: silent, it would read as a form left blank.
    parsed = with_strokes(b"300 400 10 10 re S 301 404 m 304 401 l S 304 401 m 311 412 l S")
    marks = parsed.integrity.filter(pl.col("kind") == "drawn_mark")
    assert marks.select("page", "severity", "citable").rows() == [(1, "warn", False)]
    assert (round(marks["x0"][0]), round(marks["x1"][0])) == (301, 311)


@pytest.mark.parametrize(
    ("glyph", "hidden"), [(b"600 0 d0 0 .6 0 rg 50 0 500 700 re f", 0), (b"600 0 d0", 1)]
)
def test_letters_that_bring_their_own_colours_are_seen_and_empty_ones_are_not(glyph, hidden):
    # Browsers print a green tick so: MuPDF tells no ink of it, and the bidder's "yes" was hidden text.
    document = drawn(b"BT /helv 12 Tf 72 400 Td (Quarterly drills ) Tj /ZZ 12 Tf (AB) Tj ET")
    drawing, font = document.get_new_xref(), document.get_new_xref()
    document.update_object(drawing, "<<>>")
    document.update_stream(drawing, glyph)
    document.update_object(
        font,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 65/LastChar 66"
        f"/Widths[600 600]/Encoding<</Type/Encoding/Differences[65/A/B]>>/CharProcs<</A {drawing} 0 R/B {drawing} 0 R>>>>",
    )
    document.xref_set_key(document[0].xref, "Resources/Font/ZZ", f"{font} 0 R")
    parsed = read(document, DocumentParams(ocr=False))
    assert ("AB" in live(parsed).split()) is not bool(hidden)
    assert parsed.blocks.filter(pl.col("hidden") & pl.col("text").str.contains("AB")).height == hidden
