"""What a PDF is before its pages are read: how many, which language, what it carries beside its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bidproof.documents.language import guess_language, main_language
from bidproof.documents.opening import open_pdf
from bidproof.documents.page import Remark
from bidproof.documents.sheets.pdf_objects import string, strings, value
from bidproof.documents.structure.bookmarks import read_bookmarks

_SAMPLED = 12
_SMALL = 50
_NAMED = 5
_OPENING_PAGES, _OPENING_CHARS = 2, 8_000
# PDF_ANNOT_TEXT and PDF_ANNOT_FILE_ATTACHMENT of pymupdf
_COMMENT, _PINNED = 0, 17
# Objects of a file with a broken list of attachments that are looked at one by one: a second at most.
_SEARCHED = 100_000
_NAMED_FILE = re.compile(r"/U?F\s*(\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>)")
_ACTIONS = ("JavaScript", "Launch", "ImportData", "SubmitForm", "RichMediaExecute")


def survey(path: str, name: str, max_pages: int) -> Iterator[dict[str, Any]]:
    """Facts of a file in pieces, the surest first: what a later piece breaks on does not lose the earlier.

    Keys: `pages`, `repaired`; then `scanned` and `scans` (pages without fonts among the first, their numbers); then `xfa`, `attachments`
    (names), `attachments_unsure` (their list is broken), `comments` and `active` (what the file would run);
    then `language` and `opening` (the text of the first pages, by which an adapter is chosen); then `bookmarks`.

    Raises:
        UnreadableFileError: the file cannot be opened.
    """
    document = open_pdf(Path(path), name)
    try:
        yield from survey_document(document, max_pages)
    finally:
        document.close()


def survey_document(document: Any, max_pages: int) -> Iterator[dict[str, Any]]:
    """`survey` of an open document."""
    pages = document.page_count
    yield {"pages": pages, "repaired": bool(document.is_repaired)}
    if pages > max_pages:
        return
    scans = _scans(document, pages)
    yield {"scanned": len(scans), "scans": scans}
    yield {"xfa": _is_xfa(document), "active": _active(document), **_beside_the_pages(document, pages)}
    yield {"language": _language(document, pages), "opening": _opening(document, pages)}
    # Last, as an outline may be broken in ways that a reader does not live through.
    yield {"bookmarks": read_bookmarks(document)}


def _scans(document: Any, pages: int) -> list[int]:
    """Numbers of the pages that will need OCR, roughly: those without any font, among the first of the file."""
    found = []
    for number in range(min(pages, _SMALL)):
        try:
            if not document.get_page_fonts(number):
                found.append(number + 1)
        except Exception:
            # The page's own row will say that it cannot be read.
            continue
    return found


def _beside_the_pages(document: Any, pages: int) -> dict[str, Any]:
    """Names of files that lie inside the PDF, on their own or pinned to a page, and comments with words."""
    names: list[str] = []
    comments, unsure = 0, False
    try:
        names = [str(document.embfile_info(name)["filename"] or name) for name in document.embfile_names()]
    except Exception:
        # A broken name tree: the objects of the attached files are still there.
        unsure = True
        names = _attached_objects(document)
    for number in range(pages):
        try:
            for xref, kind, _ in document.page_annot_xrefs(number):
                if kind == _PINNED:
                    names.append(_file_name(document, xref, "FS/"))
                elif kind == _COMMENT:
                    comments += bool(string(document, xref, "Contents").strip())
        except Exception:
            continue
    return {"attachments": sorted(set(names)), "attachments_unsure": unsure, "comments": comments}


def _file_name(document: Any, xref: int, at: str = "") -> str:
    return string(document, xref, f"{at}UF") or string(document, xref, f"{at}F") or "without a name"


def _attached_objects(document: Any) -> list[str]:
    """Names of the attached files of a PDF whose list of them is broken."""
    names, held = set[str](), False
    for xref in range(1, min(document.xref_length(), _SEARCHED)):
        try:
            written = document.xref_object(xref, compressed=True)
        except Exception:
            continue
        if "/EF" in written:
            names.update(name for found in _NAMED_FILE.findall(written) for name in strings(found))
        held = held or "/EmbeddedFile" in written
    return sorted(names) or (["without a name"] if held else [])


def _is_xfa(document: Any) -> bool:
    """True for a form whose pages are made by a program that only Adobe's reader runs."""
    try:
        kind, text = document.xref_get_key(document.pdf_catalog(), "AcroForm/XFA")
    except Exception:
        return False
    return kind not in ("null", "undefined") and bool(text)


def _active(document: Any) -> list[str]:
    """What the file would run by itself when it is opened: names of action types, sorted."""
    found = set()
    try:
        root = document.pdf_catalog()
        if value(document, root, "Names/JavaScript")[0] != "null":
            found.add("JavaScript")
        written = document.xref_object(root, compressed=True)
        action = value(document, root, "OpenAction")
        if action[0] in ("xref", "dict"):
            kind = string(document, root, "OpenAction/S")
            found.update({kind} & set(_ACTIONS))
        found.update(name for name in _ACTIONS if f"/{name}" in written and "/AA" in written)
        for moment in ("WC", "WS", "DS", "WP", "DP"):
            found.update({string(document, root, f"AA/{moment}/S")} & set(_ACTIONS))
    except Exception:
        return sorted(found)
    return sorted(found)


def _opening(document: Any, pages: int) -> str:
    """Text of the first pages, line by line."""
    found = []
    for number in range(min(pages, _OPENING_PAGES)):
        try:
            found.append(document[number].get_text())
        except Exception:
            # The page's own row will say that it cannot be read.
            continue
    return "\n".join(found)[:_OPENING_CHARS]


def _language(document: Any, pages: int) -> str:
    """Main language of up to a dozen pages spread over the file."""
    step = max(pages // _SAMPLED, 1)
    weighed: list[tuple[str, int]] = []
    for number in range(0, pages, step):
        try:
            text = document[number].get_text()
        except Exception:
            # The page's own row will say that it cannot be read.
            continue
        weighed.append((guess_language(text), len(text)))
    return main_language(weighed)


def oddities(facts: dict[str, Any]) -> list[str]:
    """What a reader of the file's row must know, one line each with the mend."""
    found = []
    if facts.get("repaired"):
        found.append("the PDF was damaged and has been repaired; check its page count")
    if names := facts.get("attachments", []):
        listed = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        found.append(f"files inside the PDF are not read ({listed}); put them beside it")
    if facts.get("attachments_unsure"):
        found.append("the list of files inside the PDF is damaged; look for attachments in a PDF viewer")
    if comments := facts.get("comments", 0):
        found.append(
            f"{comments} comment{'s' * (comments > 1)} pinned to pages are not read; look at them in the PDF"
        )
    if facts.get("xfa"):
        found.append("is an XFA form, whose pages only Adobe's reader shows in full; print it to PDF")
    if active := facts.get("active", []):
        found.append(f"would run something when opened ({', '.join(active)}); open it in a safe viewer only")
    return found


def file_remarks(facts: dict[str, Any]) -> list[Remark]:
    """The same as remarks of the integrity manifest, one a file inside the PDF."""
    found = []
    if facts.get("repaired"):
        detail = "the PDF was damaged and has been repaired; check its page count against the sender's"
        found.append(Remark(0, "repaired", "", detail, "warn"))
    for name in facts.get("attachments", []):
        detail = "lies inside the PDF and is not read; put it beside the PDF"
        found.append(Remark(0, "embedded_file", name, detail, "warn"))
    if facts.get("attachments_unsure"):
        detail = "the list of files inside the PDF is damaged; look for attachments in a PDF viewer"
        found.append(Remark(0, "embedded_file", "", detail, "warn"))
    if facts.get("xfa"):
        detail = "an XFA form: only Adobe's reader shows its pages in full; print it to PDF"
        found.append(Remark(0, "xfa", "", detail, "warn"))
    for action in facts.get("active", []):
        detail = "the file would run this when it is opened; it was not run here"
        found.append(Remark(0, "active_content", action, detail, "warn"))
    return found
