"""A search by a person says where each hit stands and why."""

from __future__ import annotations

import pytest
from bid_pack_builder import PARAMS, BidPack, chunk_row

from bidproof.retrieval import (
    LexicalIndex,
    build_lexical_index,
    search,
    search_chunks,
)
from bidproof.tables import BLOCKS, PAGES


def test_a_search_hit_says_where_it_stands_and_why() -> None:
    chunk = chunk_row(0, "Bid security of 2%.", page=47, heading="3.2 Bid security")
    chunk["spans"] = [{"start": 0, "end": 19, "page": 47, "block_no": 3, "block_start": 0}]
    pack = BidPack([chunk, chunk_row(1, "Weather.")])
    where = {"pack": "t--b", "doc_id": "d1", "page": 47}
    line = {"start": 0, "end": 19, "x0": 10.0, "y0": 20.0, "x1": 110.0, "y1": 30.0}
    blocks = BLOCKS.frame(
        [
            {
                **where,
                "block_no": 3,
                "text": "Bid security of 2%.",
                "x0": 10,
                "y0": 20,
                "x1": 200,
                "y1": 60,
                "lines": [line],
            }
        ]
    )
    pages = PAGES.frame([{**where, "page_label": "43"}])
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, PARAMS.retrieval))
    hit = search_chunks("2% security", pack.chunks, blocks, pages, lexical, None, PARAMS, 5)[0]
    assert (hit["file_name"], hit["page"], hit["page_label"], hit["pack"]) == ("d1.pdf", 47, "43", "t--b")
    assert hit["boxes"] == [{"page": 47, "x0": 10.0, "y0": 20.0, "x1": 110.0, "y1": 30.0}]
    assert hit["scores"]["fused"] == hit["score"] > 0
    assert hit["reasons"][0].startswith("bm25 rank 1")
    assert search("?!", pack.chunks, lexical, None, None, 5) == []
    assert search("zebra", pack.chunks, lexical, None, None, 5) == []


def test_a_search_in_an_index_of_other_chunks_is_refused() -> None:
    pack, other = BidPack([chunk_row(0, "Bid security.")]), BidPack([chunk_row(1, "Bid security.")])
    lexical = LexicalIndex.from_table(build_lexical_index(other.chunks, PARAMS.retrieval))
    with pytest.raises(ValueError, match="other chunks"):
        search("security", pack.chunks, lexical, None, None, 5)


def test_a_search_finds_a_statement_of_accounts_by_its_title() -> None:
    rows = [chunk_row(n, f"We plan {n} crews.", page=n, heading="Letter") for n in range(1, 9)]
    rows.append(chunk_row(9, "Working hours of the office", page=9, heading="Letter"))
    rows.append(chunk_row(10, "Total current assets 40", page=10, heading="Consolidated Balance Sheets"))
    pack = BidPack(rows)
    lexical = LexicalIndex.from_table(build_lexical_index(pack.chunks, PARAMS.retrieval))
    hits = search("Is the working capital positive?", pack.chunks, lexical, None, None, 9)
    found = {hit.chunk_id: hit.reasons[0] for hit in hits}
    assert set(found) == {"d1:p9_c09", "d1:p10_c10"}
    assert found["d1:p10_c10"].startswith("title rank 1")
    assert search("Who leads the office?", pack.chunks, lexical, None, None, 9)[0].chunk_id == "d1:p9_c09"
