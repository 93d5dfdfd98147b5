"""Scans are read in their own language and the right way up; data that is lacking is named, never silent."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pymupdf
import pytest
from pdf_builder import A4, Pdf

from bidproof import recognition_data
from bidproof.documents import ParsedFile, parse_file, read_once
from bidproof.documents.language import guess_language, plain_words
from bidproof.documents.scans import ocr, recognition
from bidproof.documents.scans.recognition import is_legible
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams
from bidproof.recognition_data import find_data, installed, package

AUTO = DocumentParams()
ENGLISH_ONLY = DocumentParams(ocr_data=())
FRENCH = "fra" in installed(AUTO.ocr_data)
needs_french = pytest.mark.skipif(not FRENCH, reason="tesseract's French data is not installed")
EN = [
    "The bidder shall keep its bid valid for ninety days from the date",
    "on which bids are opened. The bid security of 25 000 EUR must be",
    "issued by a bank of good standing and be valid for 118 days.",
]
FR = [
    "Le soumissionnaire s'engage à maintenir son offre pendant une durée",
    "de quatre-vingt-dix jours à compter de la date limite de réception",
    "des offres. La garantie de soumission est de 25 000 EUR. Les délais",
    "d'exécution sont fixés à trente semaines à compter du marché.",
]


def page_of(lines: list[str]) -> Pdf:
    return Pdf().page().lines(lines, size=13, step=22)


def scan(lines: list[str], turned: int = 0) -> Pdf:
    """A scan of a page, laid on its sheet turned by so many degrees clockwise, without /Rotate."""
    picture = page_of(lines).document[0].get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
    pdf = Pdf(A4 if turned % 180 == 0 else (A4[1], A4[0])).page()
    pdf._page.insert_image(pdf._page.rect, pixmap=picture, rotate=-turned % 360)
    return pdf


def read(pdf: Pdf, params: DocumentParams = AUTO) -> ParsedFile:
    return parse_file(pdf.bytes(), params, workers=0)


def text(parsed: ParsedFile) -> str:
    return " ".join(parsed.blocks["text"])


def language_rows(parsed: ParsedFile) -> list[tuple[int, str, str]]:
    rows = parsed.integrity.filter(pl.col("kind") == "language_data")
    return rows.select("page", "severity", "detail").rows()


@needs_french
def test_a_french_scan_is_read_with_french_data_and_keeps_its_accents():
    parsed = read(scan(FR))
    assert parsed.pages.select("status", "language").rows() == [("ocr", "fr")]
    assert "à maintenir son offre pendant une durée" in text(parsed)
    assert "25 000 EUR" in text(parsed)
    assert language_rows(parsed) == []


@needs_french
def test_the_language_of_the_files_other_pages_is_tried_first(monkeypatch):
    tried = []
    honest = ocr.recognise
    monkeypatch.setattr(
        "bidproof.documents.scans.recognition.recognise",
        lambda *given, **named: tried.append(given[1]) or honest(*given, **named),
    )
    pdf = page_of(FR * 4)
    picture = page_of(FR).document[0].get_pixmap(dpi=150)
    pdf.page()._page.insert_image(pdf._page.rect, pixmap=picture)
    assert read(pdf).pages["status"].to_list() == ["text", "ocr"]
    assert tried == ["fra"]


def test_without_data_of_its_language_a_page_says_so_and_names_the_package():
    parsed = read(scan(FR), ENGLISH_ONLY)
    assert parsed.pages["status"].to_list() == ["ocr"]
    assert "25 000 EUR" in text(parsed)
    assert parsed.lacking == ("fra",)
    [(page, severity, detail)] = language_rows(parsed)
    assert (page, severity) == (1, "warn")
    assert "in French" in detail
    assert "apt-get install tesseract-ocr-fra" in detail
    assert detail in parsed.pages["note"][0]


def test_an_english_scan_needs_nothing_more():
    parsed = read(scan(EN), ENGLISH_ONLY)
    assert parsed.lacking == ()
    assert language_rows(parsed) == []
    assert "118 days" in text(parsed)


def test_named_languages_that_are_missing_in_part_are_noted():
    parsed = read(scan(EN), DocumentParams(ocr_languages=("eng", "xyz")))
    assert parsed.pages["status"].to_list() == ["ocr"]
    assert "without the recognition data of xyz" in parsed.pages["note"][0]
    assert parsed.lacking == ("xyz",)


def test_a_file_is_read_again_once_the_data_that_it_lacked_is_there(tmp_path, monkeypatch):
    path = scan(FR).save(tmp_path / "offre.pdf")
    source = SourceFile(file_name="offre.pdf", path=path, size=1, sha256=hash_file(path))
    kept: dict[str, bytes] = {}

    class Cache:
        def get(self, key: str) -> bytes | None:
            return kept.get(key)

        def put(self, key: str, content: bytes) -> None:
            kept[key] = content

    first = read_once(source, ENGLISH_ONLY, Cache())
    assert first is not None
    assert first.lacking == ("fra",)
    calls: list[Path] = []
    monkeypatch.setattr(
        "bidproof.documents.reading_once.parse_file",
        lambda path, *_, **__: calls.append(path) or first,
    )
    read_once(source, ENGLISH_ONLY, Cache())
    assert calls == []
    monkeypatch.setattr("bidproof.documents.reading_once.installed", lambda _: ("eng", "fra"))
    read_once(source, ENGLISH_ONLY, Cache())
    assert calls == [path]


@pytest.mark.parametrize(("program", "turned"), [(True, 90), (True, 180), (False, 180)])
def test_a_scan_that_lies_on_its_side_or_head_is_turned(program, turned, monkeypatch):
    if program and ocr.bearing(scan(EN * 4).document[0], AUTO.ocr_data) is None:
        pytest.skip("tesseract's program is not installed")
    if not program:
        monkeypatch.setattr("bidproof.documents.scans.recognition.bearing", lambda *_: None)
    parsed = read(scan(EN * 4, turned), ENGLISH_ONLY)
    assert "bid security of 25 000 EUR must be issued by a bank" in text(parsed)
    assert f"lies {turned} degrees off" in parsed.pages["note"][0]
    # The first line stands where it is printed on the sheet as it lies.
    box = parsed.blocks.row(0, named=True)
    width, height = parsed.pages.select("width", "height").row(0)
    edge = {90: width - box["x1"], 180: height - box["y1"]}[turned]
    assert edge == pytest.approx(88, abs=8)


def test_what_tesseract_says_of_a_page_is_believed_where_it_is_sure():
    said = "Page number: 0\nOrientation in degrees: 270\nRotate: 90\nOrientation confidence: {}\nScript: {}\nScript confidence: 8.0\n"
    assert ocr._bearing_of(said.format("12.4", "Latin")) == ocr.Bearing(90, "")
    assert ocr._bearing_of(said.format("0.4", "Cyrillic")) == ocr.Bearing(0, "ru")
    assert ocr._bearing_of("Too few characters. Skipping this page") is None


def test_data_is_found_by_folder_and_named_by_package(tmp_path):
    (tmp_path / "xyz.traineddata").write_bytes(b"")
    folders = (str(tmp_path), str(tmp_path / "nowhere"))
    assert find_data(("xyz",), folders) == (str(tmp_path), ("xyz",), ())
    assert find_data(("eng", "abc"), ())[1:] == (("eng",), ("abc",))
    assert {"eng", "xyz"} <= set(installed(folders))
    assert package("chi_sim") == "tesseract-ocr-chi-sim"


def test_without_its_program_the_data_that_tells_scripts_counts_as_absent(monkeypatch):
    monkeypatch.setattr(recognition_data.shutil, "which", lambda _: None)
    assert "osd" not in installed(AUTO.ocr_data)


@pytest.mark.parametrize(
    ("said", "legible"),
    [
        (" ".join(EN), True),
        (" ".join(FR), True),
        ("JEpso ay Jo syeem AYIA UILYIM apew aq jim Alaaljaq Buipuejs poob jo yueg aq panss aq jsnw", False),
        ("an an an an 3S 22 o o e a as fe Lo Fee oo oa qs oO so", False),
        ("Annex G Forms", True),
        (
            "Участник должен внести обеспечение заявки в размере двух процентов от цены договора на поставку",
            True,
        ),
    ],
)
def test_upright_text_is_told_from_noise(said, legible):
    assert is_legible(said) is legible


def test_plain_words_of_a_text():
    share, kinds, words = plain_words("The bid is valid for the period of the contract")
    assert (round(share, 2), kinds, words) == (0.42, 4, 10)
    assert guess_language(" ".join(FR)) == "fr"


def test_a_scanned_table_between_paragraphs_is_read_in_its_place():
    rows = [
        "Item        Quantity     Unit price",
        "Meter single      400        61.50",
        "Meter triple      120        98.20",
    ]
    picture = Pdf((440.0, 200.0)).page().lines(rows, x=20, y=40, step=36, size=13)
    pdf = Pdf().page().lines(["We offer the following prices for the meters and for delivery."] * 4, y=80)
    pdf._page.insert_image((72, 250, 512, 450), pixmap=picture.document[0].get_pixmap(dpi=200))
    pdf.lines(["Prices are firm for one hundred and twenty days from the opening."] * 4, y=500)
    parsed = read(pdf, ENGLISH_ONLY)
    said = text(parsed)
    assert re.search(r"400\W+61\.50", said)
    assert said.index("We offer") < said.index("61.50") < said.index("Prices are firm")
    assert parsed.pages.select("status", "coverage").rows() == [("text", 1.0)]
    assert "recognised by OCR" in parsed.pages["note"][0]
    row = parsed.integrity.filter(pl.col("kind") == "picture_text").row(0, named=True)
    assert (row["citable"], round(row["x0"]), round(row["y1"])) == (True, 72, 450)
    off = read(pdf, DocumentParams(ocr=False))
    assert off.pages["coverage"][0] < 0.5
    assert "was not read: OCR is off" in off.pages["note"][0]
    assert off.integrity.select("kind", "severity").rows() == [("unread_picture", "warn")]


def test_a_photograph_is_not_searched_for_text_and_stays_in_sight():
    values = bytes((37 * x * y + 11 * x + 5 * y) % 140 + 60 for y in range(90) for x in range(120))
    pdf = Pdf().page().lines(EN, y=80)
    pdf._page.insert_image((72, 250, 472, 550), pixmap=pymupdf.Pixmap(pymupdf.csGRAY, 120, 90, values, False))
    parsed = read(pdf)
    assert parsed.integrity.select("kind", "severity").rows() == [("unread_picture", "info")]
    assert "photograph" in parsed.integrity["detail"][0]


def test_bars_of_joined_scripts_are_no_strokes(monkeypatch):
    # Letters of Arabic run together on a bar; read as strokes, they hid the page's own words.
    looked = []
    honest = ocr.find_strikes
    monkeypatch.setattr(ocr, "find_strikes", lambda *given: looked.append(1) or honest(*given))
    picture = page_of(FR)._page
    folder = find_data(("eng",), ())[0]
    found = ocr.recognise(picture, "eng", folder, 100, joined=True)
    assert (looked, found["strikes"], found["hatched"]) == ([], [], True)
    ocr.recognise(picture, "eng", folder, 100)
    assert looked == [1]


@pytest.mark.parametrize(("told", "again"), [("ar", True), ("en", False)])
def test_bars_of_joined_scripts_are_no_strokes_where_the_language_is_named(monkeypatch, told, again):
    # Whoever named `ara` in documents.ocr_languages had whole lines of Arabic taken for crossed out.
    looked = []
    honest = recognition.recognise

    def recognise(*given, joined=False):
        looked.append(joined)
        return honest(*given, joined=joined) | {"strikes": [] if joined else [(72.0, 72.0, 90.0, 80.0)]}

    monkeypatch.setattr(recognition, "recognise", recognise)
    monkeypatch.setattr(recognition, "guess_language", lambda _: told)
    found = recognition.recognise_page(page_of(FR)._page, DocumentParams(ocr_languages=("eng",)), "")
    assert looked == ([False, True] if again else [False])
    assert len(found.struck) == (0 if again else 1)
