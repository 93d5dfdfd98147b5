"""Word files as strangers send them: damaged, locked, under another name, with other files inside; none stops a pack."""

from __future__ import annotations

import pytest
from office_builder import STYLES, docx, live, p, r, tbl

from bidproof.documents import ParsedFile, inspect_files, parse_file
from bidproof.errors import UnreadableFileError
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)


@pytest.fixture
def read(tmp_path):
    def go(body: str, params: DocumentParams = NO_OCR, **more) -> ParsedFile:
        return parse_file(docx(tmp_path / "offer.docx", body, **more), params, workers=0)

    return go


def inspected(path, name=None):
    file = SourceFile(
        file_name=name or path.name, path=path, size=path.stat().st_size, sha256=hash_file(path)
    )
    frame = inspect_files(
        [file],
        pack="t--b",
        tender="t",
        bidder="b",
        tender_name="T",
        bidder_name="B",
        role="bid",
        params=NO_OCR,
    )
    return frame.row(0, named=True)


def test_a_word_file_under_a_pdf_name_is_read_and_said(tmp_path):
    path = docx(
        tmp_path / "offer.pdf", p("Our bid is valid for 150 days from the date of opening of the bids.")
    )
    row = inspected(path)
    assert (row["kind"], row["status"], row["page_count"], row["language"]) == ("docx", "ok", 1, "en")
    assert row["warnings"] == ["offer.pdf: is a Word document under another name; it is read as one"]
    assert parse_file(path, NO_OCR).blocks["anchor"].to_list() == ["paragraph 1"]


def test_a_word_file_is_the_same_read_here_or_apart(tmp_path):
    path = docx(tmp_path / "offer.docx", p("One.") + tbl(("Item", "Price"), ("Meter", "12")))
    here, apart = parse_file(path, NO_OCR, workers=0), parse_file(path, NO_OCR, workers=1)
    assert here.to_bytes() == apart.to_bytes()


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        ("EncryptedPackage", "asks for a password"),
        ("WordDocument", "save it as .docx"),
        ("Workbook", "save it as .xlsx"),
        ("PowerPoint Document", "print it to PDF"),
    ],
)
def test_old_and_locked_office_files_say_what_to_do(tmp_path, stream, words):
    path = tmp_path / "old.pdf"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + stream.encode("utf-16-le"))
    row = inspected(path)
    assert (row["status"], row["encrypted"]) == ("unreadable", stream == "EncryptedPackage")
    assert words in row["warnings"][0]


def test_a_word_file_that_is_a_bomb_is_refused_in_one_line(tmp_path):
    path = docx(tmp_path / "bomb.docx", p("x"), parts={"media/image1.bin": b"\0" * (3 << 20)})
    with pytest.raises(
        UnreadableFileError, match=r"unpacks to 3 MB, more than documents.max_unpacked_mb \(1\)"
    ):
        parse_file(path, NO_OCR.model_copy(update={"max_unpacked_mb": 1}))


@pytest.mark.parametrize("damage", ["<w:p>", "<!DOCTYPE a [<!ENTITY b 'c'>]>"])
def test_a_damaged_word_file_is_refused_in_one_line(tmp_path, damage):
    path = docx(tmp_path / "bad.docx", damage)
    row = inspected(path)
    assert row["status"] == "unreadable"
    assert "damaged" in row["warnings"][0]


def test_styles_that_inherit_from_each_other_in_a_circle_end(read):
    loop = STYLES.replace('<w:name w:val="Normal"/>', '<w:name w:val="Normal"/><w:basedOn w:val="Heading1"/>')
    assert live(read(p("One."), parts={"styles.xml": loop})) == ["One."]


def test_damaged_notes_do_not_take_the_text_along(read):
    parsed = read(p("The offer is valid for 90 days."), parts={"footnotes.xml": "<w:footnotes>"})
    assert live(parsed) == ["The offer is valid for 90 days."]
    assert "word/footnotes.xml is damaged" in parsed.warnings[0]


def test_files_and_macros_inside_a_word_file_are_told(read):
    parsed = read(p("One."), parts={"embeddings/annex.pdf": b"%PDF-1.7", "vbaProject.bin": b"x"})
    assert "1 file inside it is not read (annex.pdf)" in parsed.warnings[0]
    assert sorted(parsed.integrity["kind"].to_list()) == ["active_content", "embedded_file"]


def test_a_list_of_contents_that_never_ends_swallows_no_text(read):
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    parsed = read(
        p("", runs=field + r("3.2 Bid security") + "<w:r><w:tab/></w:r>" + r("47"))
        + p("Our bid is valid for 90 days.")
    )
    assert parsed.blocks.select("kind", "text").rows() == [
        ("contents", "3.2 Bid security 47"), ("paragraph", "Our bid is valid for 90 days."),
    ]  # fmt: skip
