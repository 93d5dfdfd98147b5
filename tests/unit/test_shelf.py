"""Pages kept on disk while a file is read, and the document put together of them page by page."""

import polars as pl
from pdf_builder import Pdf

from bidproof.documents import parse_file
from bidproof.documents import shelf as shelf_module
from bidproof.documents.assembly import Assembly
from bidproof.documents.page import Grid, GridCell, Line, RawPage
from bidproof.documents.shelf import PageShelf
from bidproof.params import DocumentParams

PARAMS = DocumentParams(ocr=False)


def page(number: int, *texts: str) -> RawPage:
    lines = [Line(text, (72, 80 + 20 * at, 400, 92 + 20 * at), 11, False) for at, text in enumerate(texts)]
    return RawPage(number, 595, 842, frame=(0, 0, 595, 842), lines=lines, status="text")


def test_pages_come_back_in_page_order_as_often_as_asked():
    with PageShelf() as shelf:
        for number in (3, 1, 2):
            shelf.put(page(number, f"The guarantee of lot {number}."))
        assert len(shelf) == 3
        for _ in range(2):
            assert [each.lines[0].text for each in shelf] == [f"The guarantee of lot {n}." for n in (1, 2, 3)]


def test_a_page_read_again_takes_the_place_of_the_first():
    with PageShelf() as shelf:
        shelf.put(page(1, "too slow"))
        shelf.put(page(1, "read at last"))
        assert [each.lines[0].text for each in shelf] == ["read at last"]


def test_pages_beyond_what_memory_may_hold_lie_on_disk(monkeypatch):
    monkeypatch.setattr(shelf_module, "_IN_MEMORY", 2000)
    with PageShelf() as shelf:
        for number in range(1, 31):
            shelf.put(page(number, "The bidder keeps spare parts for ten years. " * 5))
        assert shelf._file._rolled  # type: ignore[attr-defined]
        assert [each.page for each in shelf] == list(range(1, 31))


def held_at_once(pages: int) -> int:
    """The most pages alive while a document of so many is put together."""
    import gc

    with PageShelf() as shelf:
        for number in range(1, pages + 1):
            shelf.put(page(number, f"{number}. Spare parts", "The bidder keeps spare parts for ten years."))
        most = 0
        for _ in Assembly(shelf, PARAMS).pieces():
            most = max(most, sum(isinstance(each, RawPage) for each in gc.get_objects()))
        return most


def test_a_longer_file_holds_no_more_pages_in_memory():
    # Read as a whole, the 300 pages of the second would be alive at once.
    assert held_at_once(300) <= held_at_once(70) + 2 <= 8


def row_of_two(number: int, y: float, left: str, right: str) -> list[GridCell]:
    places = ((72.0, 200.0), (200.0, 400.0))
    return [
        GridCell(number, col, (a, y, b, y + 20), [Line(text, (a + 2, y + 4, b - 2, y + 15), 10, False)] if text else [])
        for col, ((a, b), text) in enumerate(zip(places, (left, right), strict=True))
    ]  # fmt: skip


def test_a_row_that_goes_on_behind_the_rows_that_became_frames_is_still_completed():
    # Page 64 ends a piece of the frames; its last row ends in mid-sentence.
    pages = [page(number, "The bidder keeps spare parts.") for number in range(1, 66)]
    pages[63].lines, pages[64].lines = [], []
    head = row_of_two(0, 680, "Item", "Answer of the bidder")
    first = row_of_two(1, 700, "Spare parts", "kept in a store of our own in the capital for at least")
    pages[63].grids = [Grid((72, 680, 400, 720), 2, (72, 200, 400), [*head, *first], heads=1)]
    rest = row_of_two(0, 72, "", "ten years after delivery")
    pages[64].grids = [Grid((72, 72, 400, 92), 1, (72, 200, 400), rest)]
    pieces = list(Assembly(pages, PARAMS).pieces())
    assert len(pieces) == 2
    cells = [cell for piece in pieces for cell in piece["table_cells"]]
    answer = next(cell for cell in cells if cell["row_no"] == 1 and cell["col_no"] == 1)
    assert answer["text"] == "kept in a store of our own in the capital for at least ten years after delivery"


def test_pieces_make_the_same_file_whatever_their_size(monkeypatch):
    pdf = Pdf()
    for number in range(1, 9):
        pdf.page().text(72, 40, f"Offer of the bidder, page {number}").text(
            72, 120, f"{number}. Chapter", bold=True
        )
        pdf.lines([f"The warranty of lot {number} is {number} years."], y=160)
    whole = parse_file(pdf.bytes(), PARAMS, workers=0)
    monkeypatch.setattr("bidproof.documents.assembly._PIECE", 3)
    parts = parse_file(pdf.bytes(), PARAMS, workers=0)
    for name in ("pages", "blocks", "table_cells", "integrity"):
        assert getattr(whole, name).equals(getattr(parts, name))
    assert whole.blocks.filter(pl.col("kind") == "furniture").height == 8
