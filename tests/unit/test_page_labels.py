"""Printed label and physical page, both kept and both shown; links go by the physical page."""

from __future__ import annotations

import polars as pl
import pytest
from pdf_builder import Pdf

from bidproof.chunking import chunk_blocks
from bidproof.documents import ParsedFile, parse_file
from bidproof.params import ChunkingParams, DocumentParams, Params
from bidproof.records import Status
from bidproof.retrieval import LexicalIndex, build_lexical_index, search
from bidproof.review.model import Cell, citation
from bidproof.tables import BLOCKS, PAGES

OWNER = {"tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d", "file_name": "offer.pdf"}
TERMS = [["Term", "Offer"], ["Bid security", "two percent of the bid price"]]


def booklet(labelled: bool) -> ParsedFile:
    """Front matter i to iv, then pages 1 to 46: with labels in the file, or printed at the foot of each page."""
    pdf = Pdf()
    for number in range(50):
        filler = [
            f"Leaf {number} line {line} tells how meters are read and works are done." for line in range(30)
        ]
        pdf.page().lines(["Meters and works"], y=80, bold=True, size=14)
        pdf.table(TERMS) if number == 46 else pdf.lines(filler, y=110)
        label = ("i", "ii", "iii", "iv")[number] if number < 4 else str(number - 3)
        if not labelled:
            pdf.text(290, 800, label)
    if labelled:
        pdf.labels(
            [
                {"startpage": 0, "style": "r", "firstpagenum": 1},
                {"startpage": 4, "style": "D", "firstpagenum": 1},
            ]
        )
    return parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=0)


# T20
@pytest.mark.parametrize("labelled", [True, False])
def test_a_page_after_front_matter_is_cited_by_label_and_linked_by_its_place_in_the_file(labelled):
    parsed = booklet(labelled)
    owned = {
        table.name: table.conform(frame.with_columns(pl.lit(v).alias(k) for k, v in OWNER.items()))
        for table, frame in ((PAGES, parsed.pages), (BLOCKS, parsed.blocks))
    }
    labels = dict(owned["pages"].select("page", "page_label").iter_rows())
    assert (labels[1], labels[4], labels[5], labels[47]) == ("i", "iv", "1", "43")
    chunks = chunk_blocks(owned["blocks"], owned["pages"], ChunkingParams())
    index = LexicalIndex.from_table(build_lexical_index(chunks, Params().retrieval))
    hits = search("bid security two percent", chunks, index, None, None, 5, pages=owned["pages"])
    hit = next(each for each in hits if each.pages == (47,))
    assert hit.text.endswith("Bid security | two percent of the bid price")
    assert (hit.page, hit.page_label) == (47, "43")
    cell = Cell(
        rule_id="R1", bidder="b", status=Status.PASS, file_name=hit.file_name, page=hit.page,
        page_label=hit.page_label, citation=citation(hit.page, hit.page_label),
    )  # fmt: skip
    assert (cell.citation, cell.link) == ("p. 43 (PDF 47)", "offer.pdf#page=47")
