"""Plants put into a copy of a bidder's pack: which page each gets, and the files that come of it.

The bidder's own files are only read. What is drawn is for `drawing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import LabelledDocument
from bidproof.evaluation.planting.drawing import PageMaker, PagePair, draw_in_room, height_of, paragraphs
from bidproof.evaluation.planting.plants import Place, Plant
from bidproof.evaluation.planting.rooms import Room, rooms_of

_IN_LINES = ("digits", "words", "french", "french words", "bullet")
# Plants that share a new page, and page breaks that follow one another.
_TOGETHER = {"table": 2, "page break": 4, "footnote": 2}
_LINES = 3
_LEAST_ROOM = 30.0


def planted_copy(
    documents: Sequence[LabelledDocument], plants: Sequence[Plant], folder: Path, seed: int
) -> tuple[tuple[LabelledDocument, ...], list[Place]]:
    """The pack with all plants in it, its PDFs written into `folder`, and the place of each plant in their order.

    Lines go into the free room of the bidder's own pages, at most one plant a page; tables, footnotes and sentences
    over a page break, and lines without room, onto new pages between those. The same input gives the same bytes.

    Raises:
        BadInputError: the pack has no PDF that can be written into.
    """
    copies = [copy for copy in map(_Copy.of, documents) if copy is not None]
    if not copies:
        raise BadInputError("the pack", "has no sound PDF to plant into", "name a bidder with PDFs")
    _distribute(copies, plants, Random(f"places {seed}"))
    written, places = {}, dict[int, Place]()
    for copy in copies:
        name = copy.document.name
        written[name], placed = copy.write(folder, seed)
        places |= placed
    return tuple(written.get(one.name, one) for one in documents), [places[one.number] for one in plants]


class _Copy:
    """One PDF of the pack, open, with what was put where."""

    def __init__(self, document: LabelledDocument, opened: Any) -> None:
        self.document, self.opened = document, opened
        self.own_pages: int = opened.page_count
        self._pages: dict[int, PagePair] = {}
        self._new: dict[int, list[list[Plant]]] = defaultdict(list)

    @classmethod
    def of(cls, document: LabelledDocument) -> _Copy | None:
        """The document as a copy to plant into; None where it is no PDF, locked, or damaged."""
        import pymupdf

        if document.path is None or document.path.suffix.lower() != ".pdf":
            return None
        try:
            opened = pymupdf.open(document.path)
        except (RuntimeError, ValueError):
            return None
        sound = opened.is_pdf and not opened.needs_pass and not opened.is_repaired and opened.page_count
        return cls(document, opened) if sound else None

    def put_in_room(self, plant: Plant, room: Room, texts: Sequence[str]) -> None:
        """Write a plant into a page of the bidder's own."""
        page = self.opened[room.page]
        draw_in_room(page, room, texts)
        self._pages[plant.number] = (page.xref, page.xref)

    def put_on_new_page(self, plants: list[Plant], before: int) -> None:
        """Have these plants stand on a new page, or on a run of them, before one of the bidder's own."""
        self._new[before].append(plants)

    def write(self, folder: Path, seed: int) -> tuple[LabelledDocument, dict[int, Place]]:
        """Make the new pages and save; the places by number of plant."""
        added: set[int] = set()
        for before in sorted(self._new, reverse=True):
            # Behind all own pages first, so that the numbers of those in front still hold.
            maker = PageMaker(self.opened, before, Random(f"pages {seed} {self.document.name} {before}"))
            for plants in self._new[before]:
                maker.make(plants)
                added |= {one.number for one in plants}
            self._pages |= maker.pages
        at = {self.opened.page_xref(number): number + 1 for number in range(self.opened.page_count)}
        name = self.document.name
        places = {
            number: Place(file_name=name, page=at[first], last_page=at[last], new_page=number in added)
            for number, (first, last) in self._pages.items()
        }
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.opened.save(path, garbage=3, deflate=True, no_new_id=True)
        self.opened.close()
        return self.document.model_copy(update={"path": path}), places


def _distribute(copies: Sequence[_Copy], plants: Sequence[Plant], chance: Random) -> None:
    """Give each plant its page."""
    rooms = [(copy, room) for copy in copies for room in rooms_of(copy.opened, _LEAST_ROOM)]
    chance.shuffle(rooms)
    left: dict[str, list[Plant]] = defaultdict(list)
    for plant in plants:
        if plant.form not in _IN_LINES:
            left[f"{plant.form} {plant.language}"].append(plant)
            continue
        texts = paragraphs(plant, chance)
        fits = (at for at, (_, room) in enumerate(rooms) if height_of(texts, room.width) <= room.height)
        at = next(fits, None)
        if at is None:
            left[f"lines {plant.language}"].append(plant)
        else:
            copy, room = rooms.pop(at)
            copy.put_in_room(plant, room, texts)
    gaps = [(copy, page) for copy in copies for page in range(copy.own_pages + 1)]
    for group in left.values():
        pages = -(-len(group) // _TOGETHER.get(group[0].form, _LINES))
        for number in range(pages):
            # Evenly: no page break is left alone on its own two pages.
            copy, before = chance.choice(gaps)
            copy.put_on_new_page(group[number::pages], before)
