"""Scans as they come: askew, pale, with a word only, with figures crossed out by hand. Each is built here."""

from __future__ import annotations

import io

import numpy as np
import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf
from PIL import Image, ImageDraw

from bidproof.documents import parse_file
from bidproof.documents.parsed import ParsedFile
from bidproof.documents.scans.recognition import Recognition
from bidproof.documents.scans.skew import askew, skew_of, straightened
from bidproof.documents.scans.strikes import find_strikes
from bidproof.documents.sheets import reading
from bidproof.documents.sheets.condition import is_blank
from bidproof.params import DocumentParams

PROSE = ["The bidder has read the tender documents and submits this offer in full knowledge."] * 6
ROWS = [["Item", "Quantity", "Price"], ["Meter", "400", "61.50"], ["Modem", "20", "88.10"]]
DPI = 200
SCALE = 72 / DPI


def picture(pdf: Pdf) -> Image.Image:
    drawn = pdf.document[0].get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY, alpha=False)
    return Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)


def page_of(image: Image.Image) -> pymupdf.Document:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=stream.getvalue())
    return document


def read(image: Image.Image) -> ParsedFile:
    return parse_file(page_of(image).tobytes(), DocumentParams(), workers=0)


def crossed(pdf: Pdf, word: str, width: float = 1.0) -> Pdf:
    page = pdf._page
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        if text == word:
            page.draw_line((x0, (y0 + y1) / 2 + 1), (x1, (y0 + y1) / 2 + 1), width=width)
    return pdf


def gray(pdf: Pdf) -> np.ndarray:
    return np.array(picture(pdf))


@pytest.mark.parametrize("angle", [-6.0, -1.0, 0.5, 2.0])
def test_a_scan_askew_is_measured_and_laid_straight(angle: float):
    # PIL turns against the clock: rows then climb to the right.
    leaning = np.array(
        picture(Pdf().page().lines(PROSE)).rotate(-angle, fillcolor=255, resample=Image.BICUBIC)
    )
    assert skew_of(leaning, SCALE) == pytest.approx(angle, abs=0.2)
    straight = straightened(leaning, skew_of(leaning, SCALE))
    assert skew_of(straight.gray, SCALE) == 0.0
    # No corner may be cut off with what stands in it.
    assert straight.gray.shape[0] >= leaning.shape[0]
    assert straight.gray.shape[1] >= leaning.shape[1]


def test_level_pages_and_pages_without_rows_are_not_turned():
    assert skew_of(gray(Pdf().page().lines(PROSE)), SCALE) == 0.0
    assert skew_of(np.full((800, 600), 255, np.uint8), SCALE) == 0.0
    noise = np.random.default_rng(1).integers(0, 255, (800, 600)).astype(np.uint8)
    assert skew_of(noise, SCALE) == 0.0


def test_the_way_back_to_the_page_leans_the_way_the_page_does():
    a, b, _, _, _, _ = askew(600, 800, 2.0)
    assert b / a == pytest.approx(np.tan(np.radians(2.0)))


def test_the_ruled_table_of_a_scan_askew_keeps_its_rows_and_their_places():
    # Without a turn the rules are not found, the engine sees a drawing, and no price of the schedule is read.
    pdf = Pdf().page().lines(PROSE).table(ROWS, x=72, y=300, height=30)
    parsed = read(picture(pdf).rotate(-2, fillcolor=255, resample=Image.BICUBIC))
    cells = parsed.table_cells.filter(~pl.col("is_header"))
    assert cells.filter(pl.col("row_no") == 1)["text"].to_list() == ["Meter", "400", "61.50"]
    price = cells.filter(pl.col("text") == "88.10").to_dicts()[0]
    assert price["header_path"] == "Price"
    # The box lies where the page shows the figure: on the leaning page, not on the straightened one.
    at = next(word for word in pdf.document[0].get_text("words") if word[4] == "88.10")
    x, y = (at[0] + at[2]) / 2, (at[1] + at[3]) / 2
    a, b, c, d, e, f = askew(595, 842, 2.0)
    x, y = a * x + c * y + e, b * x + d * y + f
    assert price["x0"] - 2 <= x <= price["x1"] + 2
    assert price["y0"] - 2 <= y <= price["y1"] + 2
    assert "the scan lies askew" in parsed.pages["note"][0]


@pytest.mark.parametrize("width", [0.6, 1.0, 2.0])
def test_a_figure_crossed_out_on_a_scan_is_no_live_text(width: float):
    # Left in, the stroke reads as `68 90 days` or `60-90 days`; wiped, as `60 90 days`.
    pdf = Pdf().page().lines(PROSE).text(72, 400, "The bid is valid for 60 90 days.", size=12)
    parsed = read(picture(crossed(pdf, "60", width)))
    live = " ".join(parsed.blocks.filter(~pl.col("struck"))["text"])
    assert "The bid is valid for 90 days." in live
    assert "crossed out on the scan" in parsed.pages["note"][0]


def test_a_sentence_crossed_out_on_a_scan_is_struck_text_with_a_remark():
    pdf = Pdf().page().lines(PROSE).text(72, 400, "We accept the terms of payment.", size=12)
    page = pdf._page
    page.draw_line(
        (71, 396.5), (72 + pymupdf.get_text_length("We accept the terms of payment.", fontsize=12), 396.5)
    )
    parsed = read(picture(pdf))
    assert "accept" not in " ".join(parsed.blocks.filter(~pl.col("struck"))["text"])
    # The letters lose what the stroke covers: read for the remark only.
    assert "the terms of payment." in parsed.blocks.filter(pl.col("struck"))["text"].to_list()[0]
    assert "struck_text" in parsed.integrity["kind"].to_list()


def test_bars_of_letters_underlines_and_rules_of_tables_cross_nothing_out():
    # Each of these has a level stroke with ink above and below; taken for a strike, live figures would be lost.
    words = ["HEAT METERS AHEAD", "4 H A E 8 B 44 fee week quarter", "A - B + C = 60-90 days"]
    pdf = Pdf().page()
    for number, line in enumerate(words):
        for row, size in enumerate((8, 11, 14, 24)):
            pdf.text(72, 60 + 160 * number + 36 * row, line, size=size)
    pdf._page.draw_line((72, 62), (200, 62))
    assert find_strikes(gray(pdf), SCALE) == []
    assert find_strikes(gray(Pdf().page().table(ROWS, height=14)), SCALE) == []


@pytest.mark.parametrize("word", ["NO", "60 days", "Accepted"])
def test_a_scan_with_one_word_is_not_blank(word: str):
    parsed = read(picture(Pdf().page().text(300, 400, word, size=11)))
    assert parsed.pages["status"].to_list() == ["ocr"]
    assert parsed.blocks["text"].to_list() == [word]


@pytest.mark.parametrize("ink", [0.12, 0.3])
def test_a_pale_scan_is_read(ink: float):
    # A page at a third of its contrast was called blank, and all of it lost without a word.
    pdf = Pdf().page().lines(PROSE).text(72, 400, "Our bid is valid for 120 days.")
    parsed = read(picture(pdf).point(lambda value: int(255 - (255 - value) * ink)))
    assert parsed.pages["status"].to_list() == ["ocr"]
    assert "valid for 120 days" in " ".join(parsed.blocks["text"])


def test_a_page_full_of_heavy_grey_print_is_not_blank():
    # The ink of a full page counted as the grain of its paper: the page was called blank, with coverage 1.
    page = Pdf().page()._page
    for at in range(55):
        page.insert_text((30, 40 + at * 14), PROSE[0], fontsize=14, fontname="hebo", color=(0.5, 0.5, 0.5))
    drawn = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples)
    assert not is_blank(page_of(image)[0])


def test_specks_edges_holes_and_noise_are_blank():
    rng = np.random.default_rng(7)
    paper = np.clip(rng.normal(238, 2.0, (2339, 1654)), 0, 255).astype(np.uint8)
    image = Image.fromarray(paper)
    draw = ImageDraw.Draw(image)
    for x, y in rng.integers(60, 1600, (40, 2)).tolist():
        draw.rectangle((x, y, x + 3, y + 3), fill=60)
    draw.rectangle((0, 0, 12, 2339), fill=20)
    for y in (1000, 1400):
        draw.ellipse((60, y, 108, y + 48), fill=30)
    assert is_blank(page_of(image)[0])


def test_a_mark_that_cannot_be_read_is_not_blank():
    image = Image.new("L", (1654, 2339), 255)
    draw = ImageDraw.Draw(image)
    draw.arc((700, 900, 900, 1000), 0, 300, fill=0, width=4)
    draw.arc((760, 880, 980, 1020), 90, 330, fill=0, width=4)
    parsed = read(image)
    assert parsed.pages["status"].to_list() != ["blank"]
    assert parsed.pages["note"][0]


def test_a_figure_crossed_out_between_live_words_is_found_alone():
    # A stroke that sticks out into the gap must not take the next word along, nor be lost because of it.
    pdf = Pdf().page().text(72, 400, "Fixed for five years 120 90 days or 60 weeks.", size=11)
    for word in ("120",):
        for x0, y0, x1, y1, text, *_ in pdf._page.get_text("words"):
            if text == word:
                pdf._page.draw_line((x0 - 1, (y0 + y1) / 2 + 1), (x1 + 1, (y0 + y1) / 2 + 1))
    found = sorted(strike.letters for strike in find_strikes(gray(pdf), SCALE))
    words = {word[4]: word for word in pdf.document[0].get_text("words")}
    assert [round(box[0]) for box in found] == [round(words[each][0] - 1) for each in ("120",)]
    assert all(box[2] < words["90"][0] for box in found[:1])


def test_grain_alone_is_not_made_darker_and_read():
    # Stretched, the noise of blank paper came back as a page of letters.
    rng = np.random.default_rng(3)
    image = Image.fromarray(np.clip(rng.normal(225, 8, (1754, 1240)), 0, 255).astype(np.uint8))
    parsed = read(image)
    assert parsed.pages["status"].to_list() == ["blank"]
    assert parsed.blocks.is_empty()


def test_a_scan_that_reads_as_noise_under_a_typed_footer_is_not_read_in_full():
    # The footer was taken for the whole page, with coverage 1: what the picture holds was lost without a word.
    noise = Pdf().page().lines(["xqzt bvnr kjhg wrtp mnbv zxcv hjkl pqrs"] * 14, size=12)
    document = page_of(picture(noise))
    document[0].insert_text((72, 820), "Offer of ACME Works, printed on both sides")
    parsed = parse_file(document.tobytes(), DocumentParams(), workers=0)
    page = parsed.pages.to_dicts()[0]
    assert page["coverage"] < 0.5
    assert "only the text layer was read" in page["note"]
    assert parsed.integrity.filter(pl.col("kind") == "unread_picture")["severity"].to_list() == ["warn"]


def test_a_word_typed_over_a_scan_that_cannot_be_read_is_not_the_whole_page(monkeypatch: pytest.MonkeyPatch):
    # OCR found nothing in the picture, and the page counted as read in full for the one word typed over it.
    nothing = Recognition({"width": 595, "height": 842, "blocks": []})
    monkeypatch.setattr(reading, "recognise_page", lambda *_: nothing)
    document = page_of(picture(Pdf().page().lines(PROSE)))
    document[0].insert_text((72, 820), "ORIGINAL")
    parsed = parse_file(document.tobytes(), DocumentParams(), workers=0)
    assert parsed.pages["status"].to_list() == ["text"]
    assert parsed.pages["coverage"][0] < 0.5
    assert parsed.integrity["kind"].to_list() == ["unread_picture"]
    # Over a blank sheet the word is all there is.
    document = page_of(Image.new("L", (1654, 2339), 255))
    document[0].insert_text((72, 820), "ORIGINAL")
    parsed = parse_file(document.tobytes(), DocumentParams(), workers=0)
    assert parsed.pages["coverage"].to_list() == [1.0]
    assert parsed.integrity.is_empty()


def test_a_hatched_scan_says_that_crossed_out_words_could_not_be_told():
    pdf = Pdf().page().lines(PROSE[:4])
    image = picture(pdf)
    draw = ImageDraw.Draw(image)
    for y in range(900, 2200, 9):
        for x in range(100, 1500, 30):
            draw.line((x, y, x + 20, y), fill=0, width=2)
    assert find_strikes(np.array(image), SCALE) is None
    assert "nothing crossed out could be told" in read(image).pages["note"][0]


@pytest.mark.parametrize("rise", [0.0, 0.6, -0.6])
def test_a_slanting_stroke_through_a_figure_is_found_and_the_words_beside_it_stay_live(rise: float):
    # A fine pen that climbs left 60 live, and the offer read as valid for 60 days.
    pdf = Pdf().page().lines(PROSE).text(72, 400, "Our offer is valid for 60 90 days.", size=11)
    words = {word[4]: word for word in pdf._page.get_text("words")}
    x0, _, x1, _ = words["60"][:4]
    pdf._page.draw_line((x0 - 1, 396 + rise), (x1 + 1, 396 - rise), width=0.8)
    found = find_strikes(gray(pdf), SCALE) or []
    assert len(found) == 1
    left, top, right, bottom = found[0].letters
    assert left < (x0 + x1) / 2 < right
    assert top < 396 < bottom
    assert words["for"][2] < left
    assert right < words["90"][0]


def test_a_stroke_in_a_wavering_hand_is_found():
    pdf = Pdf().page().lines(PROSE).text(72, 400, "Delivery takes 120 weeks in all.", size=11)
    x0, _, x1, _ = next(word for word in pdf._page.get_text("words") if word[4] == "120")[:4]
    steps = [(x0 - 2 + (x1 - x0 + 4) * at / 30, 396 + 0.7 * np.sin(at / 3)) for at in range(31)]
    pdf._page.draw_polyline(steps, width=0.8)
    found = find_strikes(gray(pdf), SCALE) or []
    assert [strike.letters[0] < (x0 + x1) / 2 < strike.letters[2] for strike in found] == [True]


@pytest.mark.parametrize("font", ["helv", "tiro", "cour"])
def test_figures_with_bars_that_touch_are_not_crossed_out(font: str):
    pdf = Pdf().page()
    for at, size in enumerate((8, 9, 11, 14)):
        line = "144 of 447, 4-H, 8-K, fifty ft of AT-HE e+f = 44"
        pdf._page.insert_text((72, 200 + 40 * at), line, fontsize=size, fontname=font)
    assert find_strikes(gray(pdf), SCALE) == []


def test_noise_and_scans_too_coarse_to_read_are_no_text_that_was_read():
    # Counted as read, they made a missing proof a Fail where nobody could know.
    from bidproof.documents.scans.recognition import is_rubbish

    assert is_rubbish("ee eee ee an ee oe ol ee — | ae a oe ee")
    assert is_rubbish("gm bes Rep eA nae Aga ete ee Bt pee ES ras SOS ae is pat RER")
    assert not is_rubbish("120 450.00 3 12 77 800 19 4500 210 33")
    # Forms of short answers, lists of parts and schedules of single pieces.
    assert not is_rubbish(" ".join(f"{chr(65 + n)} Yes" for n in range(14)))
    assert not is_rubbish(" ".join(f"{chr(65 + n)}{n % 9} Oui" for n in range(14)))
    assert not is_rubbish("M8 M6 A2 B4 C3 DN B1 X7 F5 R3 K9 L2 P4 Q8 S6 T1")
    assert not is_rubbish("1 Tee pc 5 Box pc 6 Rod pc 7 Nut pc 8 Cap pc 9 Tap pc")
    assert not is_rubbish("Nha thau cam ket giao hang va bao hanh may bom ong thep van be to")
    assert not is_rubbish("Meter type CX-40 rated 230 V 5(60) A class 1 made by ACME")
    assert not is_rubbish("The bid is valid for ninety days and no more than that")


def test_a_scan_at_eighteen_dots_an_inch_is_unreadable():
    pdf = Pdf()
    for number in range(12):
        pdf = pdf if number else pdf.page()
        pdf.text(
            72, 80 + 40 * number, "The warranty is thirty six months from delivery of the meters.", size=11
        )
    coarse = Pdf().scan_of(pdf, dpi=18)
    parsed = parse_file(coarse.bytes(), DocumentParams(), workers=0)
    assert parsed.pages["status"].to_list() == ["unreadable"]
