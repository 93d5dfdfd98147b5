"""A pack whose deciding words stand in a sheet's cell and in a Word file inside an archive."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import openpyxl
import pymupdf
import pytest

from bidproof.review import read_matrix, to_csv
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

OFF = {"dense": {"enabled": False}}
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LETTER = (
    "1 Administrative offer",
    "1.1 Bid Validity",
    "Our bid remains valid for 150 calendar days from the submission deadline.",
    "1.2 Bid Security",
    "We enclose a bid security issued by our bank for 2% of the total bid price.",
)
TECHNICAL = [
    "2 Technical offer",
    "All water meters offered comply with ISO 4064:2014, as the attached test report shows.",
]


def letter(path: Path) -> Path:
    rows = []
    for text in LETTER:
        heading = '<w:outlineLvl w:val="0"/>' if text[0].isdigit() else ""
        rows.append(f"<w:p><w:pPr>{heading}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "word/document.xml", f"<w:document {W}><w:body>{''.join(rows)}</w:body></w:document>"
        )
    return path


def technical(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    with pymupdf.open() as document:
        page = document.new_page()
        for row, text in enumerate(TECHNICAL):
            page.insert_text((72, 90 + 30 * row), text, fontsize=13 if row == 0 else 10)
        document.save(path)
    return path


def prices(path: Path) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Terms"
    for row in (
        ["Condition", "Our offer"],
        ["Delivery", "60 days"],
        ["Warranty on every meter", "48 months"],
    ):
        book.active.append(row)
    book.save(path)
    return path


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    folder = tmp_path_factory.mktemp("office")
    pack = small_tender(folder) / "water-meters" / "bids" / "boxed"
    offer = technical(pack / "technical.pdf")
    prices(pack / "prices.xlsx")
    with zipfile.ZipFile(pack / "parts.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(letter(folder / "letter.docx"), "part 1/letter.docx")
        archive.write(offer, "copy/technical.pdf")
    report = run_inbox(folder / "inbox", str(folder / "warehouse"), overrides=OFF, project_root=folder)
    assert report.failed == {}
    return folder


def rows(done: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(done / "warehouse" / "bidproof.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_verdicts_stand_on_a_cell_and_on_a_paragraph_in_an_archive(done):
    found = rows(
        done,
        "select rule_id, status, file_name, anchor from findings where pack = 'water-meters--boxed' order by rule_id",
    )
    assert found == [
        ("C1", "Pass", "prices.xlsx", "Terms!A3:B3"),
        ("T1", "Pass", "parts.zip/copy/technical.pdf", ""),
        ("V1", "Pass", "parts.zip/part 1/letter.docx", "paragraph 3"),
        ("V2", "Pass", "parts.zip/part 1/letter.docx", "paragraph 5"),
    ]


def test_an_archive_is_a_document_without_pages_and_closes_no_gate(done):
    found = rows(
        done,
        "select file_name, kind, status, page_count, duplicate_of <> '' from documents where pack = 'water-meters--boxed'"
        " order by file_name",
    )
    assert found == [
        ("parts.zip", "zip", "ok", 0, False),
        ("parts.zip/copy/technical.pdf", "pdf", "ok", 1, False),
        ("parts.zip/part 1/letter.docx", "docx", "ok", 1, False),
        ("prices.xlsx", "xlsx", "ok", 1, False),
        ("technical.pdf", "pdf", "ok", 1, True),
    ]
    assert rows(done, "select gate, unreadable_files from scores where pack = 'water-meters--boxed'") == [
        ("pass", [])
    ]
    assert rows(done, "select count(*) from pages where pack = 'water-meters--boxed'") == [(3,)]


def test_the_matrix_names_the_place_where_there_is_no_page_to_show(done):
    matrix = read_matrix(Warehouse(done / "warehouse"), "water-meters")
    cell = matrix.cell("C1", "boxed")
    assert (cell.citation, cell.link, cell.boxes) == ("Terms!A3:B3", "prices.xlsx#Terms!A3:B3", ())
    assert cell.evidence.citation == "Terms!A3:B3"
    word = matrix.cell("V1", "boxed")
    assert (word.citation, word.link) == ("paragraph 3", "parts.zip/part 1/letter.docx")
    assert "Terms!A3:B3" in to_csv(matrix)


def test_a_second_run_finds_nothing_to_do(done):
    report = run_inbox(done / "inbox", str(done / "warehouse"), overrides=OFF, project_root=done)
    assert report.failed == {}
    assert report.computed == []
