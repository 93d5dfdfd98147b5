"""A file that crashes, hangs or changes under the reader costs its page or itself, never the run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import inspect_files, parse_file, survey, workers
from bidproof.errors import StageError, UnreadableFileError
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)
SENTENCE = "The bid is valid for ninety days from the date on which bids are opened."

BOOT = """
import json, os, sys, time
sys.path[:] = json.loads(sys.argv[2])
import bidproof.documents.serving as serving
import bidproof.documents.survey as survey
honest, sampled = serving.read_page, survey._language
def read_page(document, number, params, labelled):
    {page}
    return honest(document, number, params, labelled)
def language(document, pages):
    {language}
    return sampled(document, pages)
serving.read_page, survey._language = read_page, language
serving.serve(int(sys.argv[1]))
"""


@pytest.fixture
def bad_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Workers that misbehave as told, as MuPDF does on a damaged page."""

    def install(page: str = "pass", language: str = "pass") -> None:
        workers.end_all()
        monkeypatch.setattr(workers, "_BOOT", BOOT.format(page=page, language=language))

    yield install
    workers.end_all()


def pages_of(count: int, path: Path) -> Path:
    pdf = Pdf()
    for number in range(count):
        pdf.page().text(72, 100, f"{SENTENCE} Page {number + 1}.")
    return pdf.save(path)


def row_of(path: Path, params: DocumentParams = NO_OCR) -> dict[str, object]:
    file = SourceFile(file_name=path.name, path=path, size=path.stat().st_size, sha256=hash_file(path))
    return inspect_files(
        [file],
        pack="t--b",
        tender="t",
        bidder="b",
        tender_name="T",
        bidder_name="B",
        role="bid",
        params=params,
    ).to_dicts()[0]


# T19
@pytest.mark.parametrize(("pages", "at_once"), [(5, 1), (55, 2)])
def test_a_page_that_crashes_the_reader_is_one_unreadable_page(tmp_path, bad_reader, pages, at_once):
    bad_reader("if number == 4: os._exit(1)")
    parsed = parse_file(pages_of(pages, tmp_path / "a.pdf"), NO_OCR, workers=at_once)
    assert parsed.pages["page"].to_list() == list(range(1, pages + 1))
    lost = parsed.pages.filter(pl.col("status") != "text")
    assert lost["page"].to_list() == [4]
    assert "crashed the reader" in lost["note"][0]


@pytest.mark.parametrize(("pages", "at_once"), [(3, 1), (55, 2)])
def test_a_page_that_hangs_is_given_up_as_an_unreadable_page(tmp_path, bad_reader, pages, at_once):
    bad_reader("time.sleep(60 if number == 2 else 0)")
    started = time.monotonic()
    quick = DocumentParams(ocr=False, page_seconds=2)
    parsed = parse_file(pages_of(pages, tmp_path / "a.pdf"), quick, workers=at_once)
    assert time.monotonic() - started < 20
    lost = parsed.pages.filter(pl.col("status") != "text")
    assert lost["page"].to_list() == [2]
    assert "documents.page_seconds" in lost["note"][0]


def test_a_crash_for_want_of_memory_is_tried_once_more_alone(tmp_path, bad_reader):
    mark = tmp_path / "died"
    bad_reader(
        f"(number == 3 and not os.path.exists({str(mark)!r})) and (open({str(mark)!r}, 'w'), os._exit(1))"
    )
    parsed = parse_file(pages_of(4, tmp_path / "a.pdf"), NO_OCR, workers=1)
    assert mark.exists()
    assert parsed.pages["status"].to_list() == ["text"] * 4


def test_a_file_whose_opening_hangs_or_crashes_is_a_row_and_never_an_end(tmp_path, bad_reader):
    path = pages_of(2, tmp_path / "a.pdf")
    bad_reader(language="os._exit(1)")
    assert (row_of(path)["status"], row_of(path)["page_count"]) == ("ok", 2)
    workers.end_all()
    workers._BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv[2])\n" + (
        "import bidproof.documents.serving as s, time\n"
        "def hang(*a):\n    time.sleep(60)\n    yield\n"
        "s.TASKS['survey'] = hang\ns.serve(int(sys.argv[1]))"
    )
    row = row_of(path, DocumentParams(ocr=False, page_seconds=1))
    assert row["status"] == "unreadable"
    assert "keeps the reader for ever" in row["warnings"][0]


def test_a_file_on_whose_opening_the_reader_died_once_is_opened_again(tmp_path, bad_reader):
    path, mark = pages_of(2, tmp_path / "a.pdf"), tmp_path / "died"
    bad_reader()
    workers._BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv[2])\n" + (
        "import bidproof.documents.serving as s, os\n"
        "sound = s.TASKS['survey']\n"
        "def survey(*a):\n"
        f"    if not os.path.exists({str(mark)!r}):\n"
        f"        open({str(mark)!r}, 'w').close()\n"
        "        os._exit(1)\n"
        "    yield from sound(*a)\n"
        "s.TASKS['survey'] = survey\ns.serve(int(sys.argv[1]))"
    )
    row = row_of(path)
    assert mark.exists()
    assert (row["status"], row["page_count"]) == ("ok", 2)


def test_a_reader_that_cannot_start_is_an_error_not_a_pack_of_unreadable_pages(tmp_path, monkeypatch):
    workers.end_all()
    monkeypatch.setattr(workers, "_BOOT", "raise SystemExit(3)")
    with pytest.raises(StageError, match="does not start"):
        parse_file(pages_of(2, tmp_path / "a.pdf"), NO_OCR, workers=1)


def test_pages_that_do_not_fit_together_cost_their_file_not_the_pack(tmp_path, monkeypatch):
    from bidproof.documents import parsing

    monkeypatch.setattr(parsing, "Assembly", lambda *_: 1 / 0)
    with pytest.raises(UnreadableFileError, match="cannot be put together"):
        parse_file(pages_of(2, tmp_path / "a.pdf"), NO_OCR, workers=0)


def test_files_comments_and_forms_inside_a_pdf_are_noticed(tmp_path):
    path = tmp_path / "form.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), SENTENCE)
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "validity"
        widget.field_value, widget.rect = "120 calendar days", pymupdf.Rect(72, 100, 300, 120)
        page.add_widget(widget)
        page.add_text_annot((72, 250), "this price is withdrawn")
        page.add_file_annot((72, 300), b"hello", "prices.xlsx")
        document.embfile_add("terms", b"abc", filename="terms.docx")
        document.save(path)
    said = " | ".join(row_of(path)["warnings"])
    assert "prices.xlsx" in said
    assert "terms.docx" in said
    assert "1 comment" in said
    text = " ".join(parse_file(path, NO_OCR, workers=0).blocks["text"].to_list())
    assert "120 calendar days" in text


def test_text_that_stands_only_outside_the_page_is_hidden_and_named(tmp_path):
    parsed = parse_file(Pdf().page().text(72, -500, SENTENCE).bytes(), NO_OCR, workers=0)
    assert parsed.pages["status"].to_list() == ["blank"]
    assert "cannot be seen on the page" in parsed.pages["note"][0]
    assert parsed.blocks.select("text", "hidden").rows() == [(SENTENCE, True)]


def test_a_sheet_of_five_metres_is_measured_without_filling_the_memory(tmp_path):
    parsed = parse_file(Pdf((14400.0, 14400.0)).page().bytes(), NO_OCR, workers=0)
    assert parsed.pages["status"].to_list() == ["blank"]


def test_a_page_tree_that_bites_its_tail_is_an_unreadable_page(tmp_path):
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R]/Count 1>>"]
    path = tmp_path / "loop.pdf"
    path.write_bytes(
        b"%PDF-1.7\n"
        + b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, body) for number, body in enumerate(bodies, 1))
        + b"trailer<</Size 3/Root 1 0 R>>\n%%EOF"
    )
    assert parse_file(path, NO_OCR, workers=1).pages["status"].to_list() == ["unreadable"]


def form_of(fields: int, pages: int) -> bytes:
    """A form whose fields stand evenly on its pages, written as objects: MuPDF takes minutes to make so many."""
    objects = {1: "", 2: ""}
    sheets, widgets, number = [], [], 3
    for _ in range(pages):
        sheet, own = number, []
        number += 1
        for at in range(fields // pages):
            x, y = 50 + at % 50 * 10, 50 + at // 50 % 70 * 10
            objects[number] = (
                f"<</Type/Annot/Subtype/Widget/FT/Tx/T(f{number})/V(v{at})/Rect[{x} {y} {x + 8} {y + 8}]/F 4"
                f"/P {sheet} 0 R/DA(/Helv 8 Tf 0 g)>>"
            )
            own.append(f"{number} 0 R")
            number += 1
        objects[sheet] = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots[{' '.join(own)}]>>"
        sheets.append(f"{sheet} 0 R")
        widgets += own
    objects[1] = f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{' '.join(widgets)}]>>>>"
    objects[2] = f"<</Type/Pages/Kids[{' '.join(sheets)}]/Count {pages}>>"
    body = "".join(f"{at} 0 obj\n{objects[at]}\nendobj\n" for at in sorted(objects))
    return f"%PDF-1.7\n{body}trailer<</Size {number}/Root 1 0 R>>\n%%EOF".encode()


def test_a_form_of_thousands_of_fields_is_read_in_seconds(tmp_path):
    path = tmp_path / "bomb.pdf"
    path.write_bytes(form_of(6000, 100))
    started = time.monotonic()
    assert row_of(path)["status"] == "ok"
    assert time.monotonic() - started < 10
    path.write_bytes(form_of(2000, 1))
    started = time.monotonic()
    parsed = parse_file(path, DocumentParams(ocr=False, tables=False), workers=0)
    assert time.monotonic() - started < 20
    assert parsed.integrity.filter(pl.col("kind") == "form_field").height == 2000


def test_a_broken_list_of_attachments_still_names_the_files(tmp_path, monkeypatch):
    path = tmp_path / "attached.pdf"
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), SENTENCE)
        document.embfile_add("terms", b"abc", filename="terms.docx")
        document.save(path)

    def broken(_):
        raise RuntimeError("name tree is broken")

    monkeypatch.setattr(pymupdf.Document, "embfile_names", broken)
    parsed = parse_file(path, NO_OCR, workers=0)
    rows = parsed.integrity.filter(pl.col("kind") == "embedded_file").select("text", "severity").rows()
    assert rows == [("terms.docx", "warn"), ("", "warn")]
    [facts] = [piece for piece in survey.survey(str(path), "attached.pdf", 10) if "attachments" in piece]
    assert any("list of files inside the PDF is damaged" in line for line in survey.oddities(facts))


def test_what_a_file_would_run_or_show_in_one_reader_only_is_named(tmp_path):
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), SENTENCE)
        root = document.pdf_catalog()
        document.xref_set_key(root, "OpenAction", "<</S/JavaScript/JS(app.alert\\(1\\))>>")
        document.xref_set_key(root, "AcroForm", "<</Fields[]/XFA(<xdp/>)>>")
        data = document.tobytes()
    parsed = parse_file(data, NO_OCR, workers=0)
    assert parsed.integrity.select("kind", "text", "page").rows() == [
        ("xfa", "", 0), ("active_content", "JavaScript", 0),
    ]  # fmt: skip


def test_a_file_that_launches_a_program_is_named(tmp_path):
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), SENTENCE)
        document.xref_set_key(document.pdf_catalog(), "OpenAction", "<</S/Launch/F(cmd.exe)>>")
        data = document.tobytes()
    parsed = parse_file(data, NO_OCR, workers=0)
    assert parsed.integrity.select("kind", "text").rows() == [("active_content", "Launch")]


def test_a_repaired_file_is_a_remark(tmp_path):
    data = pages_of(3, tmp_path / "a.pdf").read_bytes()
    parsed = parse_file(data[:-60], NO_OCR, workers=0)
    assert parsed.integrity.select("kind", "severity").rows() == [("repaired", "warn")]
