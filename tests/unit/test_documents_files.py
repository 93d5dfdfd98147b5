"""Bad files, scans, garbled pages, workers: nothing vanishes, everything says why and the mend."""

from __future__ import annotations

import zipfile
from pathlib import Path

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf

from bidproof.documents import (
    ParsedFile,
    blocks_table,
    inspect_files,
    pages_table,
    parse_file,
    parse_key,
    table_cells_table,
)
from bidproof.errors import UnreadableFileError, WarehouseError
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams
from bidproof.tables import BLOCKS, DOCUMENTS, PAGES, TABLE_CELLS

NO_OCR = DocumentParams(ocr=False)
PACKS = Path(__file__).resolve().parents[3] / "shared" / "packs"
SENTENCE = "The bid is valid for ninety days from the date on which bids are opened."


def source(path: Path, name: str | None = None) -> SourceFile:
    exists = path.is_file()
    return SourceFile(
        file_name=name or path.name,
        path=path,
        size=path.stat().st_size if exists else 0,
        sha256=hash_file(path) if exists else "0" * 64,
    )


def inspect(*files: SourceFile, params: DocumentParams = NO_OCR) -> pl.DataFrame:
    return inspect_files(
        files,
        pack="t--b",
        tender="t",
        bidder="b",
        tender_name="T",
        bidder_name="B",
        role="bid",
        params=params,
    )


def one(path: Path, params: DocumentParams = NO_OCR) -> dict[str, object]:
    return inspect(source(path), params=params).to_dicts()[0]


def sound(path: Path) -> Path:
    return Pdf().page().text(72, 100, SENTENCE).save(path)


def test_a_sound_file_is_a_row_without_warnings(tmp_path):
    row = one(sound(tmp_path / "offer.pdf"))
    assert (row["kind"], row["status"], row["page_count"], row["encrypted"], row["warnings"]) == (
        "pdf", "ok", 1, False, [],
    )  # fmt: skip
    assert (row["language"], len(row["doc_id"]), row["duplicate_of"]) == ("en", 10, "")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.pdf", b"", "empty"),
        ("notes.pdf", b"just some notes\n", "plain text"),
        ("error.docx", b"<html><body>404</body></html>", "ask the sender for the file itself"),
        ("notes.rar", b"Rar!\x1a\x07\x01\0" + b"\0" * 40, "RAR archive"),
        ("old.pdf", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "old Office binary"),
        ("photo.pdf", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "picture cannot be read"),
        ("noise.bin", bytes(range(256)), "data of an unknown kind"),
        (
            "offer.pdf.p7m",
            b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" + b"\0" * 90,
            "signed envelope",
        ),
        ("stub.pdf", b"%PDF-1.7\nnothing here", "damaged beyond repair"),
    ],
)
def test_a_file_that_is_no_pdf_is_a_row_that_says_so(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    row = one(path)
    assert row["status"] == "unreadable"
    assert len(row["warnings"]) == 1
    assert row["warnings"][0].startswith(f"{name}: ")
    assert words in row["warnings"][0]
    assert "; " in row["warnings"][0]


def test_a_zip_under_a_pdf_name_is_told_from_a_word_file(tmp_path):
    for name, member, words in [
        ("a.pdf", "x.txt", "zip archive under another name"),
        ("b.docx", "word/document.xml", "Office file is damaged"),
    ]:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, "x")
        assert words in one(tmp_path / name)["warnings"][0]
    assert one(tmp_path / "b.docx")["kind"] == "docx"
    row = one(tmp_path / "a.pdf")
    assert (row["kind"], row["status"], row["page_count"]) == ("zip", "ok", 0)


def test_a_picture_is_a_page_read_by_ocr(tmp_path):
    path = tmp_path / "certificate.png"
    with pymupdf.open() as document:
        document.new_page(width=400, height=200).insert_text(
            (20, 60), "Valid until 31 December 2027", fontsize=18
        )
        path.write_bytes(document[0].get_pixmap(dpi=150).tobytes("png"))
    row = one(path, DocumentParams())
    assert (row["kind"], row["status"], row["page_count"], row["warnings"]) == ("image", "ok", 1, [])
    parsed = parse_file(path, DocumentParams(), workers=1)
    assert parsed.pages["status"].to_list() == ["ocr"]
    assert "December 2027" in " ".join(parsed.blocks["text"].to_list())


def test_a_missing_file_is_a_row(tmp_path):
    assert one(tmp_path / "gone.pdf")["warnings"] == ["gone.pdf: the file is missing; put it back"]


@pytest.mark.parametrize("method", [pymupdf.PDF_ENCRYPT_RC4_128, pymupdf.PDF_ENCRYPT_AES_256])
def test_an_empty_user_password_opens_and_a_real_one_does_not(tmp_path, method):
    pdf = Pdf().page().text(72, 100, SENTENCE)
    open_file = pdf.save(tmp_path / "open.pdf", encryption=method, owner_pw="secret", user_pw="")
    assert one(open_file)["status"] == "ok"
    assert parse_file(open_file, NO_OCR, workers=1).blocks["text"].to_list() == [SENTENCE]
    row = one(pdf.save(tmp_path / "shut.pdf", encryption=method, owner_pw="secret", user_pw="key"))
    assert (row["status"], row["encrypted"]) == ("unreadable", True)
    assert row["warnings"] == ["shut.pdf: the file asks for a password; ask the sender for an open copy"]


def test_a_truncated_pdf_is_read_with_a_warning(tmp_path):
    data = Pdf().page().text(72, 100, SENTENCE).page().text(72, 100, "Second page of the offer.").bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(data[: data.rfind(b"xref")])
    row = one(path)
    assert row["status"] == "ok"
    assert "repaired" in row["warnings"][0]
    assert SENTENCE in parse_file(path, NO_OCR, workers=1).blocks["text"].to_list()


def test_too_many_pages_are_refused_in_words(tmp_path):
    pdf = Pdf().page().page().page()
    path = pdf.save(tmp_path / "long.pdf")
    params = DocumentParams(max_pages=2)
    assert "has 3 pages, more than documents.max_pages (2)" in one(path, params)["warnings"][0]
    with pytest.raises(UnreadableFileError, match="max_pages"):
        parse_file(path, params)


def test_the_same_bytes_twice_are_one_document_and_its_duplicate(tmp_path):
    path = sound(tmp_path / "a.pdf")
    frame = inspect(source(path, "z.pdf"), source(path, "a.pdf"))
    assert frame["file_name"].to_list() == ["a.pdf", "z.pdf"]
    assert frame["duplicate_of"].to_list() == ["", frame["doc_id"][0]]
    assert frame["doc_id"].n_unique() == 2


def test_the_order_of_files_changes_nothing(tmp_path):
    files = [source(sound(tmp_path / "a.pdf")), source(Pdf().page().save(tmp_path / "b.pdf"))]
    assert inspect(*files).equals(inspect(*reversed(files)))


# T11
def test_pages_that_are_pictures_are_listed_when_ocr_is_off():
    picture = Pdf().page().lines([SENTENCE] * 8)
    pdf = Pdf()
    for number in range(10):
        if number % 5 < 2:
            pdf.page().text(72, 100, SENTENCE)
        else:
            pdf.scan_of(picture, dpi=60)
    parsed = parse_file(pdf.bytes(), NO_OCR, workers=1)
    readable = parsed.pages["status"].is_in(["text", "ocr"])
    assert readable.sum() / len(parsed.pages) == 0.4
    assert parsed.pages.filter(~readable)["page"].to_list() == [3, 4, 5, 8, 9, 10]
    assert all("OCR is off" in note for note in parsed.pages.filter(~readable)["note"])
    assert parsed.warnings == ("6 of 10 pages are unreadable (pages 3-5, 8-10); see their notes",)


def test_a_scanned_page_is_recognised_with_its_boxes():
    picture = (
        Pdf().page().lines(["The bid security is 25 000 EUR", "and valid for 118 days."], size=14, step=20)
    )
    parsed = parse_file(Pdf().scan_of(picture).bytes(), DocumentParams(), workers=1)
    assert parsed.pages.select("status", "coverage").rows() == [("ocr", 1.0)]
    text = " ".join(parsed.blocks["text"])
    assert "25 000 EUR" in text
    assert "118 days" in text
    box = parsed.blocks.to_dicts()[0]
    assert box["x0"] == pytest.approx(72, abs=3)
    assert box["y0"] == pytest.approx(90, abs=8)


def test_a_language_without_data_is_named_in_the_note():
    picture = Pdf().page().lines([SENTENCE] * 3)
    parsed = parse_file(Pdf().scan_of(picture).bytes(), DocumentParams(ocr_languages=("xyz",)), workers=1)
    assert parsed.pages["status"].to_list() == ["unreadable"]
    assert "no recognition data for xyz" in parsed.pages["note"][0]


def test_an_empty_page_and_an_empty_scan_are_blank():
    pdf = Pdf().page().scan_of(Pdf().page())
    assert parse_file(pdf.bytes(), NO_OCR, workers=1).pages["status"].to_list() == ["blank", "blank"]


def test_a_garbled_text_layer_is_not_taken_for_text():
    noise = [
        "8VceZWZTReV sYRcVeYV tW7eRi rSdfV3tS kpQrX4w zVbTq9",
        "rRdVTfceZj xWZgVeY bRjd vTRpZeR2 qFgVzz XkPwQm",
    ]
    pdf = Pdf().page().text(72, 100, SENTENCE).page().lines(noise * 8)
    parsed = parse_file(pdf.bytes(), NO_OCR, workers=1)
    assert parsed.pages["status"].to_list() == ["text", "garbled"]
    assert parsed.blocks["page"].to_list() == [1]
    assert "garbled" in parsed.warnings[0]


# T10
def test_one_page_of_shifted_letters_is_listed_as_unreadable_and_costs_no_other_page():
    pdf = Pdf()
    for number in range(1, 7):
        pdf.page().lines(["8VceZWZTReV " * 6] * 10 if number == 5 else [SENTENCE] * 4)
    parsed = parse_file(pdf.bytes(), NO_OCR, workers=0)
    assert parsed.pages["status"].to_list() == ["text"] * 4 + ["garbled"] + ["text"]
    assert parsed.pages.select("coverage", "chars").row(4) == (0.0, 0)
    assert parsed.pages["note"][4].startswith("text layer is garbled")
    assert parsed.warnings == ("1 of 6 pages are garbled (pages 5); see their notes",)
    assert 5 not in parsed.blocks["page"].to_list()


def test_codes_prices_and_names_are_not_garbled():
    rows = ["BS-1 62053-21 IEC 27001:2022 4,250.00 EUR OCS-001 McKinsey eSIM ISO/IEC PO4711"] * 6
    assert parse_file(Pdf().page().lines(rows).bytes(), NO_OCR, workers=1).pages["status"].to_list() == [
        "text"
    ]


def test_the_number_of_workers_changes_no_byte(tmp_path):
    pdf = Pdf()
    for number in range(60):
        pdf.page().text(72, 100, f"{number + 1} Clause on page", bold=True).lines([SENTENCE] * 4, y=140)
    path = pdf.save(tmp_path / "long.pdf")
    seen: list[tuple[int, int]] = []
    apart = parse_file(path, NO_OCR, workers=2, progress=lambda done, total: seen.append((done, total)))
    assert apart.to_bytes() == parse_file(path, NO_OCR, workers=1).to_bytes()
    assert apart.to_bytes() == parse_file(path, NO_OCR, workers=0).to_bytes()
    assert apart.to_bytes() == parse_file(path.read_bytes(), NO_OCR, workers=2).to_bytes()
    assert seen[-1] == (60, 60)


def test_a_page_that_raises_does_not_take_the_others_along(monkeypatch):
    from bidproof.documents.sheets import reading

    honest = reading.find_rules
    calls = []

    def fail_once(*args):
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("broken content stream")
        return honest(*args)

    monkeypatch.setattr(reading, "find_rules", fail_once)
    pdf = Pdf()
    for _ in range(3):
        pdf.page().text(72, 100, SENTENCE)
    parsed = parse_file(pdf.bytes(), NO_OCR, workers=0)
    assert parsed.pages["status"].to_list() == ["text", "unreadable", "text"]
    assert parsed.pages["note"][1] == "page 2 cannot be read (broken content stream); ask for a sound copy"
    assert parsed.blocks["page"].to_list() == [1, 3]


def test_a_parsed_file_survives_being_stored():
    parsed = parse_file(Pdf().page().table([["Item", "Qty"], ["Meter", "4"]]).bytes(), NO_OCR, workers=1)
    data = parsed.to_bytes()
    again = ParsedFile.from_bytes(data)
    assert again.blocks.equals(parsed.blocks)
    assert again.table_cells.equals(parsed.table_cells)
    assert again.to_bytes() == data
    for broken in (b"", b"nonsense", data[:-20]):
        with pytest.raises(WarehouseError):
            ParsedFile.from_bytes(broken)


def test_the_key_covers_what_changes_the_result_and_nothing_else():
    key = parse_key("a" * 64, NO_OCR)
    assert key == parse_key("a" * 64, NO_OCR.model_copy(update={"workers": 9}))
    assert key != parse_key("b" * 64, NO_OCR)
    assert key != parse_key("a" * 64, NO_OCR.model_copy(update={"ocr_dpi": 300}))


def test_tables_of_a_pack_keep_unreadable_files_in_sight(tmp_path):
    good = sound(tmp_path / "a.pdf")
    bad = tmp_path / "b.pdf"
    bad.write_bytes(bytes(range(256)))
    documents = inspect(source(good), source(bad))
    parsed = {documents["doc_id"][0]: parse_file(good, NO_OCR, workers=1)}
    pages = pages_table(documents, parsed)
    assert pages.select("file_name", "page", "status").rows() == [
        ("a.pdf", 1, "text"),
        ("b.pdf", 1, "unreadable"),
    ]
    assert "data of an unknown kind" in pages["note"][1]
    blocks, cells = blocks_table(documents, parsed), table_cells_table(documents, parsed)
    assert blocks["doc_id"].to_list() == [documents["doc_id"][0]]
    for table, frame in ((DOCUMENTS, documents), (PAGES, pages), (BLOCKS, blocks), (TABLE_CELLS, cells)):
        assert frame.schema == table.schema


def test_a_file_that_failed_while_parsing_counts_all_its_pages(tmp_path):
    documents = inspect(source(Pdf().page().page().page().save(tmp_path / "a.pdf")))
    pages = pages_table(documents, {})
    assert pages.select("page", "status").rows() == [(1, "unreadable"), (2, "unreadable"), (3, "unreadable")]


@pytest.mark.shared
@pytest.mark.skipif(not PACKS.is_dir(), reason="the third-party packs are not beside the checkout")
def test_a_real_bid_is_read_with_its_table_figures():
    path = PACKS / "dagarwal18__Vi_BSS_RFP_2026_VendorResponse.pdf"
    parsed = parse_file(path, NO_OCR, workers=1)
    assert parsed.pages["status"].unique().to_list() == ["text"]
    assert parsed.pages["header"].n_unique() == 1
    texts = parsed.blocks.filter(pl.col("kind") == "table_row")["text"].to_list()
    assert any("5% per year" in text for text in texts)
    assert (
        "Section 9: Support & Managed Services Model"
        in parsed.blocks.filter(pl.col("kind") == "heading")["text"].to_list()
    )


@pytest.mark.shared
@pytest.mark.skipif(not PACKS.is_dir(), reason="the third-party packs are not beside the checkout")
@pytest.mark.parametrize(
    "name",
    ["dagarwal18__Vi_BSS_RFP_2026_Full.pdf", "Teina-max__BPU-gardiennage.pdf", "Hajji-ahmed__RCnew.pdf"],
)
def test_no_letter_of_a_real_page_is_lost_or_made_up(name):
    parsed = parse_file(PACKS / name, NO_OCR, workers=1)
    document = pymupdf.open(PACKS / name)
    for page in parsed.pages.filter(pl.col("status") == "text").to_dicts():
        raw = document[page["page"] - 1].get_text(
            "text", clip=pymupdf.INFINITE_RECT(), flags=pymupdf.TEXT_PRESERVE_WHITESPACE
        )
        blocks = parsed.blocks.filter(pl.col("page") == page["page"])["text"].to_list()
        read = "".join(blocks)
        # The bar that stretches an Arabic word for the eye is no letter.
        raw = raw.replace("\u0640", "")
        # A cell merged down stands in each row beside it.
        cells = parsed.table_cells.filter((pl.col("page") == page["page"]) & (pl.col("text") != ""))
        merged = cells.group_by("text", "x0", "y0", "x1", "y1").len().filter(pl.col("len") > 1)
        raw += "".join(text * (count - 1) for text, count in merged.select("text", "len").rows())
        assert sorted(filter(str.isalnum, read)) == sorted(filter(str.isalnum, raw)), page["page"]
