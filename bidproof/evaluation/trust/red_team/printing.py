"""Errors in the print of a PDF: words hidden or taken away, and later versions of a file.

Knows files and pages. What is read of them is for the product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bidproof.errors import StageError
from bidproof.evaluation.trust.red_team.errors import Hiding

_SIZE = 9.0
_TINY = 0.4
_FAR = 60.0


def hidden(source: Path, out: Path, page: int, words: str, hiding: Hiding) -> Path:
    """A copy of a PDF in which `words` of a page are text that nobody sees.

    Raises:
        StageError: the words do not stand on the page.
    """
    import pymupdf

    with pymupdf.open(source) as document:
        sheet = document[page - 1]
        places = _taken(sheet, words)
        place = places[0]
        point, size = pymupdf.Point(place.x0, place.y1 - 2), _SIZE
        if hiding == "off page":
            point = pymupdf.Point(sheet.rect.width + _FAR, place.y1)
        if hiding == "tiny":
            size = _TINY
        mode, colour = (3 if hiding == "invisible" else 0), ((1, 1, 1) if hiding == "white" else (0, 0, 0))
        sheet.insert_text(point, words, fontsize=size, render_mode=mode, color=colour)
        if hiding == "covered":
            cover = pymupdf.Rect(place.x0 - 2, place.y0 - 6, sheet.rect.width, place.y1 + 4)
            sheet.draw_rect(cover, color=(1, 1, 1), fill=(1, 1, 1))
        document.save(out)
    return out


def blanked(source: Path, out: Path, page: int, words: Sequence[str]) -> Path:
    """A copy of a PDF from whose page `words` are gone, each at its first place.

    Raises:
        StageError: some of the words do not stand on the page.
    """
    import pymupdf

    with pymupdf.open(source) as document:
        for one in words:
            _taken(document[page - 1], one)
        document.save(out)
    return out


def changed_words(source: Path, out: Path, words: Mapping[str, str]) -> Path:
    """A copy of a PDF with other words in the place of `words`, wherever in it they stand.

    Raises:
        StageError: words stand nowhere in it.
    """
    import pymupdf

    with pymupdf.open(source) as document:
        for old, new in words.items():
            pages = [sheet for sheet in document if sheet.search_for(old)]
            if not pages:
                raise StageError(f"{source.name}: “{old}” stands nowhere in it")
            for sheet in pages:
                place = _taken(sheet, old)[0]
                sheet.insert_text((place.x0, place.y1 - 3), new, fontsize=_SIZE)
        document.save(out)
    return out


def _taken(sheet: Any, words: str) -> list[Any]:
    """Take words from a page, and tell where they stood."""
    places = sheet.search_for(words)
    if not places:
        raise StageError(f"page {sheet.number + 1}: “{words[:60]}” does not stand on it")
    for place in places:
        # The box of a line reaches into its neighbours, whose letters would go with it.
        lower = (place.y1 - place.y0) * 0.25
        sheet.add_redact_annot((place.x0, place.y0 + lower, place.x1, place.y1 - lower), fill=False)
    sheet.apply_redactions(graphics=0)
    return list(places)
