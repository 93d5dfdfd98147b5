"""Archives that are not unpacked and text with commands: named as what they are, never read as something else."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest
from pdf_builder import Pdf

from bidproof.documents import inspect_files
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.params import DocumentParams


def one(path):
    file = SourceFile(path=path, file_name=path.name, size=path.stat().st_size, sha256=hash_file(path))
    frame = inspect_files(
        [file], pack="t--a", tender="t", bidder="a", tender_name="T", bidder_name="A", role="bid",
        params=DocumentParams(ocr=False),
    )  # fmt: skip
    return frame.row(0, named=True)


def packed_without_compression(content: bytes) -> bytes:
    stored = io.BytesIO()
    with gzip.GzipFile("offer.pdf", "wb", 0, stored, 0) as archive:
        archive.write(content)
    return stored.getvalue()


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_tar_of_pdfs_is_an_archive_and_not_its_last_pdf(tmp_path, form):
    # Its first bytes hold "%PDF-"; repaired as a PDF it would give one of its files and lose the others silently.
    Pdf().page().text(72, 100, "Offer A").save(tmp_path / "a.pdf")
    Pdf().page().text(72, 100, "Offer B").save(tmp_path / "b.pdf")
    with tarfile.open(tmp_path / "offer.tar", "w", format=form) as archive:
        for name in ("a.pdf", "b.pdf"):
            archive.add(tmp_path / name, name)
    row = one(tmp_path / "offer.tar")
    assert (row["kind"], row["status"]) == ("other", "unreadable")
    assert row["warnings"] == [
        "offer.tar: is a tar archive; it is not unpacked; pack its files as .zip or put them beside it"
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("offer.tar.gz", packed_without_compression(b"%PDF-1.7 offer"), "a gzip archive; it is not unpacked"),
        ("offer.7z", b"7z\xbc\xaf\x27\x1c" + b"\0" * 40, "a 7z archive; it is not unpacked"),
        ("offer.tbz", b"BZh91AY&SY" + b"\0" * 40, "a bzip2 archive; it is not unpacked"),
        ("offer.txz", b"\xfd7zXZ\0" + b"\0" * 40, "a packed (xz) archive; it is not unpacked"),
        ("offer.cab", b"MSCF\0\0\0\0" + b"\0" * 40, "a cabinet (cab) archive; it is not unpacked"),
        (
            "offer.rtf",
            rb"{\rtf1 Valid {\strike 60} {\v we accept} days}",
            "a rich text file (RTF); it is not read; save",
        ),
        (
            "offer.doc",
            rb"{\rtf1 Valid {\deleted we accept} 90 days}",
            "a rich text file (RTF); it is not read; save",
        ),
        (
            "offer.ps",
            b"%!PS-Adobe-3.0\n(60 days) show\n",
            "a PostScript file; it is not read; print it to PDF",
        ),
        (
            "offer.xml",
            b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>',
            "an Office file in one piece of XML; it is not read; save",
        ),
    ],
)
def test_archives_and_marked_up_files_are_named_and_not_read_as_something_else(
    tmp_path, name, content, words
):
    # Read as plain text, the hidden and deleted words of an RTF would be cited; a stored archive passes for a PDF.
    (tmp_path / name).write_bytes(content)
    row = one(tmp_path / name)
    assert (row["kind"], row["status"], row["encrypted"]) == ("other", "unreadable", False)
    assert words in row["warnings"][0]
