"""Opening files: what kind a file is by its content, and a PDF or image as a document or one clear line why not.

Reads no page text.
"""

from __future__ import annotations

import mmap
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

from bidproof.errors import UnreadableFileError
from bidproof.intake.containers import EMAIL, ZIP, container_kind

PDF, DOCX, XLSX, TEXT, CSV, HTML, IMAGE, OTHER = (
    "pdf",
    "docx",
    "xlsx",
    "text",
    "csv",
    "html",
    "image",
    "other",
)
# Files that are pages to MuPDF, and files that are read without pages.
PAGED = frozenset({PDF, IMAGE})
UNPAGED = frozenset({DOCX, XLSX, TEXT, CSV, HTML})
SUFFIXES = {
    PDF: (".pdf",), DOCX: (".docx", ".docm", ".dotx", ".dotm"), XLSX: (".xlsx", ".xlsm", ".xltx", ".xltm"),
    IMAGE: (".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff"), HTML: (".html", ".htm", ".xhtml"),
    ZIP: (".zip",), EMAIL: (".eml", ".msg"),
}  # fmt: skip

_HEAD = 4096
_TYPES = 1 << 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IMAGES = (
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
)
_ARCHIVES = (
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"\x1f\x9d", "compress (Z) archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "packed (xz) archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"MSCF\0\0\0\0", "cabinet (cab) archive"),
    (b"LZIP", "lzip archive"),
    (b"\x60\xea", "packed (ARJ) archive"),
)
# Plain text in which a text stands among its commands; read as text, hidden and deleted words would be cited.
_MARKED_UP = (
    (re.compile(rb"\s*\{\\rtf"), "rich text file (RTF)"),
    (re.compile(rb"\s*%!PS"), "PostScript file"),
    (re.compile(rb"\s*<\?xml[^>]*>\s*<\?mso-application|.*<w:wordDocument|.*schemas-microsoft-com:office:spreadsheet",
                re.S), "Office file in one piece of XML"),
)  # fmt: skip
# The object identifier of signed data (PKCS #7), at the beginning of a signature's envelope.
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_TEXT_WORDS = "plain text file"
_SIGNED = "signed envelope"
# Streams of an old Office file, by which its kind is told; names are UTF-16 in its directory.
_STREAMS = (
    ("EncryptedPackage", "Office file", "asks for a password; ask the sender for an open copy"),
    ("__substg1.0_", "Outlook message (msg)", "is not read; save it as .eml, or its attachments beside it"),
    ("WordDocument", "old Office binary (doc)", "is not read; save it as .docx or print it to PDF"),
    ("Workbook", "old Office binary (xls)", "is not read; save it as .xlsx or print it to PDF"),
    ("PowerPoint Document", "old Office binary (ppt)", "is not read; print it to PDF"),
)
_HTML = re.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|meta|p|div|table)\b",
    re.I | re.S,
)


def kind_of(path: Path) -> tuple[str, str]:
    """Kind by content and what the content is in words; only kinds of plain text are told apart by the name.

    Raises:
        UnreadableFileError: the file is missing, empty or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
        container = container_kind(path) if head else ""
    except FileNotFoundError:
        raise UnreadableFileError(path.name, "the file is missing", "put it back") from None
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UnreadableFileError(path.name, reason, "make the file readable") from None
    if not head:
        raise UnreadableFileError(path.name, "the file is empty", "ask the sender for it again")
    if container:
        return container, "zip archive" if container == ZIP else "e-mail"
    if head.startswith(_OLE):
        return OTHER, _old_office(path)[0]
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(path)
    # An archive that packs nothing smaller shows the beginning of the first PDF in it.
    if archive := _archive(head):
        return OTHER, archive
    if b"%PDF-" in head[:1024]:
        return PDF, "PDF"
    for magic, words in _IMAGES:
        if head.startswith(magic):
            return IMAGE, words
    if _SIGNED_DATA in head[:64]:
        return OTHER, f"{_SIGNED} (p7m)"
    if not _is_text(head):
        return OTHER, "data of an unknown kind"
    for pattern, words in _MARKED_UP:
        if pattern.match(head.lstrip(b"\xef\xbb\xbf")):
            return OTHER, words
    named, suffix = named_kind(path.name), path.suffix.lower()
    if any(suffix in SUFFIXES[kind] for kind in (PDF, DOCX, XLSX, IMAGE, ZIP)):
        # An error page or a torn upload, most likely: the file itself was never had.
        return OTHER, _TEXT_WORDS
    if _HTML.match(head.lstrip(b"\xef\xbb\xbf")) or named == HTML:
        return HTML, "HTML page"
    return (CSV, "CSV table") if named == CSV else (TEXT, _TEXT_WORDS)


def _archive(head: bytes) -> str:
    """What an archive is that is not unpacked; empty for anything else."""
    for magic, words in _ARCHIVES:
        if head.startswith(magic):
            return words
    if head[2:5] == b"-lh" and head[6:7] == b"-":
        return "packed (LHA) archive"
    # Old tar archives have no mark but the sum of their header's bytes, that of the sum itself taken as spaces.
    block, written = head[:512], head[148:156].strip(b" \0")
    if len(block) == 512 and re.fullmatch(rb"[0-7]{1,7}", written):
        bare = block[:148] + b" " * 8 + block[156:]
        return "tar archive" if sum(bare) == int(written, 8) else ""
    return ""


def named_kind(name: str) -> str:
    """What a name says of a file of plain text: `csv`, `html` or nothing; the one case in which a name counts."""
    suffix = Path(name).suffix.lower()
    return CSV if suffix in (".csv", ".tsv") else HTML if suffix in SUFFIXES[HTML] else ""


def mend_of(path: Path, words: str) -> str:
    """What to say of a file that is not read, and the mend."""
    if words.startswith(("old Office", "Outlook")) or words == "Office file":
        return _old_office(path)[1]
    if words.endswith("archive"):
        return "is not unpacked; pack its files as .zip or put them beside it"
    if words.startswith(("rich text", "Office file in one piece")):
        return "is not read; save it as .docx or .xlsx, or print it to PDF"
    if words == _TEXT_WORDS:
        return "is no such file; ask the sender for the file itself, or rename it if it is meant as text"
    if words.startswith(_SIGNED):
        return "is not opened; take the file out of it with the signing program and put it beside it"
    if words.startswith(("OpenDocument", "binary Excel")):
        return "is not read; save it as .docx or .xlsx, or print it to PDF"
    return "is not read; print it to PDF"


def _old_office(path: Path) -> tuple[str, str]:
    """What a file in Microsoft's old container is, and what to do about it."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as held:
        for name, words, mend in _STREAMS:
            if held.find(name.encode("utf-16-le")) >= 0:
                return words, mend
    return "old Office binary (doc, xls or ppt)", "is not read; save it as .docx or .xlsx, or print it to PDF"


def _kind_of_zip(path: Path) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            kinds = archive.read("[Content_Types].xml")[:_TYPES] if "[Content_Types].xml" in names else b""
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error):
        return OTHER, "damaged Office file"
    if b"wordprocessingml.document" in kinds or b"ms-word.document" in kinds or "word/document.xml" in names:
        return DOCX, "Word document"
    if "xl/workbook.bin" in names:
        return OTHER, "binary Excel workbook (xlsb)"
    if b"spreadsheetml.sheet" in kinds or b"ms-excel.sheet" in kinds or "xl/workbook.xml" in names:
        return XLSX, "Excel workbook"
    if any(name.startswith("ppt/") for name in names):
        return OTHER, "PowerPoint presentation"
    return OTHER, "OpenDocument file" if "mimetype" in names else "Office file of an unknown kind"


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4 and not _is_western(head):
            return False
        text = head.decode("cp1252", "replace")
    return not any(ord(letter) < 32 and letter not in "\t\r\n\f" for letter in text)


def _is_western(head: bytes) -> bool:
    """Text in an old one-byte encoding: letters for the most part, and none of the bytes that such text lacks."""
    plain = sum(32 <= byte < 127 or byte in b"\t\r\n\f" for byte in head)
    return plain >= 0.7 * len(head) and not any(byte < 32 and byte not in b"\t\r\n\f" for byte in head)


def _is_unicode(path: Path) -> bool:
    """False for a name in an old encoding, which MuPDF cannot open."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def open_image(source: Path | bytes, name: str) -> Any:
    """The image as an open PDF with one page a picture, each as large as its resolution says.

    Raises:
        UnreadableFileError: it is damaged or of a kind that MuPDF does not know.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        data = source.read_bytes() if isinstance(source, Path) else source
        with pymupdf.open(stream=data) as image:
            if image.is_pdf or not image.page_count:
                raise ValueError("no picture in it")
            return pymupdf.open(stream=image.convert_to_pdf(), filetype="pdf")
    except FileNotFoundError:
        raise UnreadableFileError(name, "the file is missing", "put it back") from None
    except Exception as error:
        # As with PDFs: a damaged picture can raise anything.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UnreadableFileError(
            name, f"the picture cannot be read ({reason[:120]})", "ask the sender for it again"
        ) from None


def _is_image(source: Path | bytes) -> bool:
    if isinstance(source, bytes):
        head = source[:8]
    else:
        try:
            with source.open("rb") as stream:
                head = stream.read(8)
        except OSError:
            return False
    return head.startswith(tuple(magic for magic, _ in _IMAGES))


def open_pdf(source: Path | bytes, name: str) -> Any:
    """The PDF, or the image as one, as an open `pymupdf.Document` with at least one page.

    An empty user password is tried.

    Raises:
        UnreadableFileError: it asks for a password, is damaged beyond repair, or holds no page.
    """
    import pymupdf

    if _is_image(source):
        return open_image(source, name)
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
