"""Opening files: what kind a file is by its content, and a PDF as a document or one clear line why not.

Reads no page text.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from bidproof.errors import UnreadableFileError

PDF, DOCX, XLSX, OTHER = "pdf", "docx", "xlsx", "other"
_HEAD = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IMAGES = (
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
)


def kind_of(path: Path) -> tuple[str, str]:
    """Kind by content (pdf, docx, xlsx, other) and what the content is in words; the name tells nothing.

    Raises:
        UnreadableFileError: the file is missing, empty or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except FileNotFoundError:
        raise UnreadableFileError(path.name, "the file is missing", "put it back") from None
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UnreadableFileError(path.name, reason, "make the file readable") from None
    if not head:
        raise UnreadableFileError(path.name, "the file is empty", "ask the sender for it again")
    if b"%PDF-" in head[:1024]:
        return PDF, "PDF"
    if head.startswith(_OLE):
        return OTHER, "old Office binary (doc, xls or ppt)"
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(path)
    for magic, words in _IMAGES:
        if head.startswith(magic):
            return OTHER, words
    return OTHER, "plain text" if _is_text(head) else "data of an unknown kind"


def _kind_of_zip(path: Path) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return OTHER, "damaged zip archive"
    if "word/document.xml" in names:
        return DOCX, "Word document"
    if "xl/workbook.xml" in names:
        return XLSX, "Excel workbook"
    return OTHER, "zip archive"


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:
            return False
        text = head[: error.start].decode("utf-8")
    return not any(ord(letter) < 32 and letter not in "\t\r\n\f" for letter in text)


def _is_unicode(path: Path) -> bool:
    """False for a name in an old encoding, which MuPDF cannot open."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def open_pdf(source: Path | bytes, name: str) -> Any:
    """The PDF as an open `pymupdf.Document` with at least one page; an empty user password is tried.

    Raises:
        UnreadableFileError: it asks for a password, is damaged beyond repair, or holds no page.
    """
    import pymupdf

    # MuPDF prints each oddity of a damaged file; ours are rows of a table instead.
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        if isinstance(source, Path) and not _is_unicode(source):
            source = source.read_bytes()
        opened = {"stream": source} if isinstance(source, bytes) else {"filename": str(source)}
        document = pymupdf.open(filetype="pdf", **opened)
        if document.needs_pass and not document.authenticate(""):
            raise UnreadableFileError(name, "the file asks for a password", "ask the sender for an open copy")
        if document.page_count < 1:
            raise UnreadableFileError(name, "the PDF holds no pages", "ask the sender for it again")
    except UnreadableFileError:
        raise
    except FileNotFoundError:
        raise UnreadableFileError(name, "the file is missing", "put it back") from None
    except Exception as error:
        # MuPDF's errors are of many kinds, and a damaged file can raise any of them.
        reason = " ".join(str(error).split()) or type(error).__name__
        what = f"the PDF is damaged beyond repair ({reason[:120]})"
        raise UnreadableFileError(name, what, "ask the sender for it again") from None
    return document
