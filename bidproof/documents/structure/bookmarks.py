"""Bookmarks of a PDF (its outline) as a third source for headings, after numbering and type.

A bookmark confirms a line that its page prints and says how deep it stands; it never adds text of its own. Files
with a broken outline are read as if they had none.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

_MAX = 5000
_MAX_TITLE = 300


class Bookmark(NamedTuple):
    """A bookmark: its level from 1, its title, its physical page from 1, and the height it points to, if any."""

    level: int
    title: str
    page: int
    y: float | None = None


def read_bookmarks(document: Any) -> list[Bookmark]:
    """Bookmarks of an open PDF in their order; those that point to no page are left out.

    Outlines of real files are often broken: whatever is wrong with one, the rest or nothing is returned.
    """
    try:
        entries = document.get_toc(simple=False)
    except Exception:
        # A damaged outline says nothing of the pages.
        return []
    found: list[Bookmark] = []
    for entry in entries[:_MAX]:
        with contextlib.suppress(Exception):
            level, title, page, target = int(entry[0]), str(entry[1]), int(entry[2]), entry[3]
            if level < 1 or not 1 <= page <= document.page_count or not title.strip():
                continue
            point = target.get("to") if isinstance(target, dict) else None
            y = float(point.y) if point is not None else None
            found.append(Bookmark(level, " ".join(title.split())[:_MAX_TITLE], page, y))
    return found


class Outline:
    """Bookmarks by page, to be asked for the level of a printed line."""

    def __init__(self, bookmarks: Iterable[Bookmark] = ()) -> None:
        self._pages: dict[int, dict[str, int]] = defaultdict(dict)
        levels = set()
        for bookmark in bookmarks:
            key = title_key(bookmark.title)
            if len(key) > 2:
                self._pages[bookmark.page].setdefault(key, bookmark.level)
                levels.add(bookmark.level)
        # An outline of one level confirms headings but says nothing of their depth.
        self._nested = len(levels) > 1

    def on(self, page: int) -> dict[str, int]:
        """Level of each bookmark that points to a page, by the `title_key` of its title; 0 for no level."""
        found = self._pages.get(page, {})
        return found if self._nested else dict.fromkeys(found, 0)


def title_key(text: str) -> str:
    """Letters and digits of a title in lower case, ligatures and accents folded: titles are typed anew."""
    folded = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in folded if letter.isalnum()).lower()
