"""Text that a file puts in the place of what its glyphs show (/ActualText): compared, and where it differs not trusted.

Producers use it to spell out ligatures and signs; a forged one says another figure than the eye sees.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from bidproof.documents.page import Remark
from bidproof.documents.sheets.stream import Stream, read_stream

_MARK = b"ActualText"
_SAID = re.compile(rb"/ActualText\s*(\([^()\\]*\)|<[0-9A-Fa-f\s]*>)")
# A blank or a no-break space, as letters or as UTF-16.
_BLANK = re.compile(rb"\(\s*\)|<\s*(?:FEFF)?(?:00(?:20|A0)|20|A0)*\s*>", re.IGNORECASE)
_NOTHING = "\ufffd"


def may_replace(page: Any, contents: bytes) -> bool:
    """The page's orders, those of its forms, or what they name may carry text for other text."""
    if _MARK in contents and not _all_blank(contents):
        return True
    document = page.parent
    if _MARK.decode() in _properties(document, page.xref):
        return True
    return any(_MARK in (document.xref_stream(form[0]) or b"") for form in page.get_xobjects())


def _all_blank(contents: bytes) -> bool:
    """All that the orders put in the place of glyphs is blanks: some producers say so at each gap."""
    said = _SAID.findall(contents)
    return len(said) == contents.count(_MARK) and all(_BLANK.fullmatch(each) for each in said)


def _properties(document: Any, xref: int) -> str:
    """The named properties of a page, spelled out."""
    kind, value = document.xref_get_key(xref, "Resources/Properties")
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]), compressed=True)
    elif kind != "dict":
        return ""
    parts = value.split()
    for at in range(len(parts) - 2):
        if parts[at + 1] == "0" and parts[at + 2].startswith("R"):
            number = "".join(letter for letter in parts[at] if not letter.isspace()).rpartition("/")[2]
            digits = number[len(number.rstrip("0123456789")) :]
            if digits:
                value += document.xref_object(int(digits), compressed=True)
    return str(value)


def shown_text(page: Any, stream: Stream, fills_too: bool) -> tuple[Stream, Remark | None]:
    """The stream as its glyphs show it where that differs from what it says, with a remark; else as it is.

    Where the glyphs stand for no characters, what the file says is all there is: it stays, with a remark.
    """
    glyphs = read_stream(page, fills_too, glyphs=True)
    said, shown = _words(stream), _words(glyphs)
    if _letters(said) == _letters(shown):
        return stream, None
    only = " ".join((Counter(said) - Counter(shown)).elements())
    seen = " ".join((Counter(shown) - Counter(said)).elements())
    page_no = page.number + 1
    if _NOTHING in seen or not _letters(seen.split()):
        detail = "the file says this for signs that stand for no characters; compare it with the page"
        return stream, Remark(page_no, "hidden_text", only, detail, "info", True)
    if not any(letter.isdigit() for letter in only + seen) and len(only) < len(seen) + 3:
        # A word for its abbreviation or a ligature: the glyphs are read, nothing was put over on the reader.
        return glyphs, None
    detail = f"the file says this where the page shows \u201c{seen}\u201d; what is shown is read"
    return glyphs, Remark(page_no, "hidden_text", only, detail, "alert", False)


def _words(stream: Stream) -> list[str]:
    return [
        word
        for line in stream.lines
        for word in "".join(char["c"] for span in line["spans"] for char in span["chars"]).split()
    ]


def _letters(words: list[str]) -> str:
    return "".join(letter for word in words for letter in word if letter.isalnum())
