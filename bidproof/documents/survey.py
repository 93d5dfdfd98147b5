"""What a PDF is before its pages are read: how many, which language, what it carries beside its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bidproof.documents.language import guess_language, main_language
from bidproof.documents.opening import open_pdf

_SAMPLED = 12
_SMALL = 50
_NAMED = 5
# PDF_ANNOT_TEXT and PDF_ANNOT_FILE_ATTACHMENT of pymupdf
_COMMENT, _PINNED = 0, 17


def survey(path: str, name: str, max_pages: int) -> Iterator[dict[str, Any]]:
    """Facts of a file in pieces, the surest first: what a later piece breaks on does not lose the earlier.

    Keys: `pages`, `repaired`; then `scanned` (pages without fonts among the first); then `xfa`, `attachments`
    (names) and `comments`; then `language`.

    Raises:
        UnreadableFileError: the file cannot be opened.
    """
    document = open_pdf(Path(path), name)
    try:
        pages = document.page_count
        yield {"pages": pages, "repaired": bool(document.is_repaired)}
        if pages > max_pages:
            return
        yield {"scanned": _scanned(document, pages)}
        yield {"xfa": _is_xfa(document), **_beside_the_pages(document, pages)}
        yield {"language": _language(document, pages)}
    finally:
        document.close()


def _scanned(document: Any, pages: int) -> int:
    """Pages of a small file that will need OCR, roughly: those without any font."""
    found = 0
    for number in range(min(pages, _SMALL)):
        try:
            found += not document.get_page_fonts(number)
        except Exception:
            # The page's own row will say that it cannot be read.
            continue
    return found


def _beside_the_pages(document: Any, pages: int) -> dict[str, Any]:
    """Names of files that lie inside the PDF, on their own or pinned to a page, and comments with words."""
    names, comments = [], 0
    try:
        names = [str(document.embfile_info(name)["filename"] or name) for name in document.embfile_names()]
    except Exception:
        # A broken name tree: what is pinned to pages may still be found.
        names = []
    for number in range(pages):
        try:
            if not any(annot[1] in (_COMMENT, _PINNED) for annot in document.page_annot_xrefs(number)):
                continue
            for annot in document[number].annots(types=[_COMMENT, _PINNED]):
                if annot.type[0] == _PINNED:
                    names.append(str(annot.file_info.get("filename") or "without a name"))
                else:
                    comments += bool(str(annot.info.get("content", "")).strip())
        except Exception:
            continue
    return {"attachments": sorted(set(names)), "comments": comments}


def _is_xfa(document: Any) -> bool:
    """True for a form whose pages are made by a program that only Adobe's reader runs."""
    try:
        kind, value = document.xref_get_key(document.pdf_catalog(), "AcroForm/XFA")
    except Exception:
        return False
    return kind not in ("null", "undefined") and bool(value)


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
    names = facts.get("attachments", [])
    if names:
        listed = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        found.append(f"files inside the PDF are not read ({listed}); put them beside it")
    if comments := facts.get("comments", 0):
        found.append(
            f"{comments} comment{'s' * (comments > 1)} pinned to pages are not read; look at them in the PDF"
        )
    if facts.get("xfa"):
        found.append("is an XFA form, whose pages only Adobe's reader shows in full; print it to PDF")
    return found
