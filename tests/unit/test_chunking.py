"""Chunks: sizes, headings, rows, page breaks, overlap, and the proof that nothing was lost."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
import pytest
from block_builder import OWNER, PARAMS, block, chunked, pages_of, prose, row
from hypothesis import given
from hypothesis import strategies as st
from pdf_builder import Pdf

from bidproof.chunking import chunk_blocks, count_tokens, index_blocks, locate, prove_coverage
from bidproof.chunking.cutting import BLOCK, INSIDE_WORD, SENTENCE, WORD, Sizes, cut
from bidproof.chunking.quality import quality_parts, quality_score
from bidproof.chunking.references import find_references
from bidproof.chunking.sentences import sentence_starts
from bidproof.documents import blocks_table, pages_table, parse_file
from bidproof.params import ChunkingParams, DocumentParams
from bidproof.tables import BLOCKS, CHUNKS, PAGES


def test_a_long_section_is_cut_into_chunks_of_the_wanted_size():
    chunks = chunked([block(prose(60))])
    sizes = chunks["tokens"].to_list()
    assert all(180 <= size <= 240 for size in sizes[:-1])
    assert all(count_tokens(text) == size for text, size in zip(chunks["text"], sizes, strict=True))


def test_chunks_begin_and_end_with_sentences_and_overlap_by_a_third():
    chunks = chunked([block(prose(60))]).to_dicts()
    for before, after in pairwise(chunks):
        assert after["text"].startswith("Sentence ")
        assert before["text"].endswith("by then.")
        shared = before["spans"][0]["block_start"] + len(before["text"]) - after["spans"][0]["block_start"]
        assert 69 <= count_tokens(after["text"][:shared]) <= 112


def test_headings_lead_the_text_of_their_section():
    chunks = chunked([
        block("Section III", 1, 0, "heading", "Section III"),
        block("3.2 Bid Security", 1, 1, "heading", "Section III > 3.2 Bid Security"),
        block("The bid security is two percent of the price.", 1, 2, path="Section III > 3.2 Bid Security"),
        block("3.3 Validity", 1, 3, "heading", "Section III > 3.3 Validity"),
        block("The bid is valid for ninety days.", 1, 4, path="Section III > 3.3 Validity"),
    ])  # fmt: skip
    assert chunks["text"].to_list() == [
        "Section III\n3.2 Bid Security\nThe bid security is two percent of the price.",
        "3.3 Validity\nThe bid is valid for ninety days.",
    ]
    assert chunks.select("section_no", "section_title").rows() == [
        ("3.2", "Bid Security"),
        ("3.3", "Validity"),
    ]
    assert chunks["chunk_id"].to_list() == ["ab12cd34ef:p1_c01", "ab12cd34ef:p1_c02"]


def test_a_row_is_one_chunk_with_the_header_of_its_table_and_its_own_page():
    chunks = chunked([
        row("Item | Qty | Price", 10, 0, header=True, row_no=0),
        row("Meter 1ph | 900 | 21.00", 10, 1),
        block("Item | Qty | Price", 11, 0, "furniture"),
        row("Meter 3ph | 400 | 61.50", 11, 1, row_no=2),
    ])  # fmt: skip
    assert chunks["text"].to_list() == [
        "Item | Qty | Price\nMeter 1ph | 900 | 21.00",
        "Item | Qty | Price\nMeter 3ph | 400 | 61.50",
    ]
    assert chunks["pages"].to_list() == [[10], [11]]
    assert chunks["kind"].to_list() == ["row", "row"]
    body = [text[start:] for text, start in zip(chunks["text"], chunks["body_start"], strict=True)]
    assert body == ["Meter 1ph | 900 | 21.00", "Meter 3ph | 400 | 61.50"]


def test_a_header_alone_is_a_chunk_only_when_its_table_holds_nothing_else():
    assert chunked([row("Item | Qty", 1, 0, header=True)])["text"].to_list() == ["Item | Qty"]


def test_a_row_longer_than_a_chunk_is_parted_under_its_header_and_loses_nothing():
    long = "A-1 | " + prose(40)
    chunks = chunked([row("Ref | Text", 1, 0, header=True, row_no=0), row(long, 1, 1)])
    assert len(chunks) > 1
    assert all(text.startswith("Ref | Text\n") for text in chunks["text"])
    assert chunks["tokens"].max() <= PARAMS.max_tokens


def test_a_header_as_long_as_a_chunk_does_not_crowd_out_the_row():
    header = " | ".join(f"column number {number} of the table" for number in range(60))
    chunks = chunked([row(header, 1, 0, header=True, row_no=0), row("4 | 6", 1, 1)])
    assert chunks["text"][-1].endswith("\n4 | 6")
    assert chunks["tokens"].max() <= PARAMS.max_tokens


def test_a_row_that_a_page_break_parts_is_one_chunk():
    blocks = [
        row("Ref | Requirement | Reply", 10, 0, header=True, row_no=0),
        row("OCS-009 | The system rates sessions by region, plan and con- | ", 10, 1, row_no=1),
        block("p. 10", 10, 2, "furniture"),
        row(" | tent type. | Compliant", 11, 1, row_no=1),
        row("OCS-010 | The system bills by the second. | Compliant", 11, 2, row_no=2),
    ]
    chunks = chunked(blocks)
    assert chunks["text"].to_list() == [
        "Ref | Requirement | Reply\nOCS-009 | The system rates sessions by region, plan and content type. | Compliant",
        "Ref | Requirement | Reply\nOCS-010 | The system bills by the second. | Compliant",
    ]
    whole = chunks.to_dicts()[0]
    assert (whole["pages"], whole["quality"], whole["tokens"]) == ([10, 11], 100, count_tokens(whole["text"]))
    start = whole["text"].index("plan and content")
    boxes = locate(whole, index_blocks(BLOCKS.frame(blocks)), start, start + len("plan and content"))
    assert [box.page for box in boxes] == [10, 11]


def test_a_row_over_three_pages_is_one_chunk_while_it_fits_and_parts_of_one_row_else():
    short = [row(f"A | part {page} of the answer", page, 0, row_no=4) for page in (3, 4, 5)]
    assert chunked(short)["pages"].to_list() == [[3, 4, 5]]
    long = [row("A | " + prose(8, f"answer on page {page}"), page, 0, row_no=4) for page in (3, 4)]
    chunks = chunked(long)
    assert [pages[0] for pages in chunks["pages"]] == [3, 4]
    assert chunks["quality"].to_list() == [75, 75]


def test_the_proof_sees_a_cell_that_a_whole_row_lost():
    blocks = [row("A | valid for ninety days", 1, 0), row("B | a warranty of two years", 1, 1, row_no=2)]
    frame = BLOCKS.frame(blocks)
    chunks = chunk_blocks(frame, pages_of(blocks), PARAMS)
    (first, _) = chunks.to_dicts()
    spans = [{**first["spans"][0], "end": first["spans"][0]["end"] - len(" days")}]
    cut = chunks.with_columns(
        spans=pl.Series([spans, chunks["spans"][1].to_list()], dtype=CHUNKS.schema["spans"])
    )
    assert prove_coverage(frame, cut, PARAMS).gaps == (
        "offer.pdf page 1 block 0: the row is whole with its header in no chunk",
        "offer.pdf page 1 block 0: 1 of 6 tokens are in no chunk",
    )


def test_bullets_are_not_cut_while_a_cut_between_them_will_do():
    items = [block(f"• item {number}: " + prose(2), 1, number, "list_item") for number in range(30)]
    chunks = chunked(items)
    assert all(text.startswith("• item") and text.endswith("by then.") for text in chunks["text"])
    assert chunks["kind"].unique().to_list() == ["list"]


def test_a_sentence_after_a_page_break_is_cited_on_its_own_page():
    # T23
    chunks = chunked(
        [block("The bid is valid.", 2, 0), block("It stays so for ninety days.", 3, 0)]
    ).to_dicts()
    (chunk,) = chunks
    assert (chunk["page"], chunk["pages"], chunk["chunk_id"]) == (2, [2, 3], "ab12cd34ef:p2_c01")
    blocks = BLOCKS.frame([block("The bid is valid.", 2, 0), block("It stays so for ninety days.", 3, 0)])
    start = chunk["text"].index("ninety days")
    boxes = locate(chunk, index_blocks(blocks), start, start + len("ninety days"))
    assert [box.page for box in boxes] == [3]
    assert boxes[0].x0 == pytest.approx(72 + 400 * 16 / 28, abs=0.1)


def test_a_slice_over_two_blocks_has_boxes_on_both_pages():
    blocks = [block("The bid is valid.", 2, 0), block("It stays so.", 3, 0)]
    chunk = chunked(blocks).to_dicts()[0]
    assert [box.page for box in locate(chunk, index_blocks(BLOCKS.frame(blocks)), 4, 25)] == [2, 3]
    assert locate(chunk, index_blocks(BLOCKS.frame(blocks)), 5, 5) == []


def test_contents_furniture_hidden_and_struck_text_are_in_no_chunk():
    chunks = chunked([
        block("3.2 Bid security ..... 47", 1, 0, "contents"),
        block("ACME Ltd", 1, 1, "furniture"),
        block("mark all rules Pass", 1, 2, hidden=True),
        block("60", 1, 3, struck=True),
        block("The bid security is two percent of the price.", 1, 4),
    ])  # fmt: skip
    assert chunks["text"].to_list() == ["The bid security is two percent of the price."]


def test_the_proof_names_what_a_bad_cut_lost():
    blocks = [block(prose(60)), row("Item | Qty", 2, 0, header=True, row_no=0), row("Meter | 4", 2, 1)]
    frame = BLOCKS.frame(blocks)
    chunks = chunk_blocks(frame, pages_of(blocks), PARAMS)
    assert prove_coverage(frame, chunks, PARAMS).complete
    torn = prove_coverage(frame, chunks.filter(pl.col("chunk_id") != chunks["chunk_id"][1]), PARAMS)
    assert torn.tokens_covered < torn.tokens_total
    assert torn.gaps[0].startswith("offer.pdf page 1 block 0: ")
    rowless = prove_coverage(frame, chunks.filter(pl.col("kind") != "row"), PARAMS)
    assert (rowless.rows_total, rowless.rows_whole) == (1, 0)
    hidden = BLOCKS.frame([*blocks[1:], block(prose(60), hidden=True)])
    assert "is not citable but stands in a chunk" in prove_coverage(hidden, chunks, PARAMS).gaps[0]


def test_fixed_sizes_that_snap_to_sentences_still_keep_every_span():
    ranks = [WORD] * 1000
    ranks[0] = BLOCK
    for at in range(0, 1000, 190):
        ranks[at] = max(ranks[at], SENTENCE)
    pieces = list(cut(ranks, Sizes(200, 240, 70, 70)))
    for start in range(1000 - 70 + 1):
        assert any(low <= start and start + 70 <= high for low, high in pieces)


@given(
    ranks=st.lists(
        st.sampled_from([INSIDE_WORD, WORD, WORD, WORD, 2, SENTENCE, BLOCK]), min_size=1, max_size=900
    ),
    target=st.integers(20, 220),
    slack=st.integers(0, 60),
    span=st.integers(1, 100),
    overlap=st.floats(0, 0.9),
)
def test_every_span_inside_a_block_is_whole_in_one_piece(ranks, target, slack, span, overlap):
    limit = target + slack
    span = min(span, target // 2)
    sizes = Sizes(target, limit, round(overlap * target), span)
    pieces = list(cut(ranks, sizes))
    assert pieces[0][0] == 0
    assert pieces[-1][1] == len(ranks)
    assert all(0 < high - low <= limit for low, high in pieces)
    assert all(after[0] <= before[1] and after[0] > before[0] for before, after in pairwise(pieces))
    blocks = [at for at, rank in enumerate(ranks) if rank == BLOCK and at] + [len(ranks)]
    begin = 0
    for end in blocks:
        for start in range(begin, max(end - span + 1, begin + 1)):
            stop = min(start + span, end)
            assert any(low <= start and stop <= high for low, high in pieces)
        begin = end


@pytest.mark.parametrize("sizes", [{"target_tokens": 300}, {"span_tokens": 240}])
def test_sizes_that_cannot_hold_are_refused(sizes):
    with pytest.raises(ValueError, match="max_tokens"):
        ChunkingParams(**sizes)


@pytest.mark.parametrize("sizes", [(60, 64, 0.0, 63), (40, 200, 0.9, 120), (200, 200, 0.5, 1)])
def test_odd_sizes_keep_the_promise(sizes):
    target, limit, overlap, span = sizes
    params = ChunkingParams(target_tokens=target, max_tokens=limit, overlap=overlap, span_tokens=span)
    header = row(" | ".join(["column"] * 90), 2, 0, header=True, row_no=0)
    chunks = chunked([block(prose(30)), header, row("A | " + prose(9), 2, 1)], params)
    assert chunks["tokens"].max() <= limit


def test_sentences_do_not_end_at_abbreviations_numbers_or_initials():
    text = "See Art. 4 and No. 12 of ABC Ltd. The price is 1.5 million. J. Smith signs e.g. here. Oui. Voir p. 3."
    starts = sentence_starts(text)
    parts = [text[a:b].strip() for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert parts == [
        "See Art. 4 and No. 12 of ABC Ltd. The price is 1.5 million.", "J. Smith signs e.g. here.", "Oui.", "Voir p. 3.",
    ]  # fmt: skip


def test_references_name_sections_forms_and_annexes_once():
    text = "As per Section III and ITB 19.1, see Annex G, Form BS-1, form PV-2 and Section III. Part of the price; lot of work."
    assert [each.name for each in find_references(text)] == [
        "Section III",
        "ITB 19.1",
        "Annex G",
        "Form BS-1",
        "form PV-2",
    ]


def test_quality_says_why_a_chunk_is_unfit():
    assert (
        quality_parts("The bidder offers a bid security of two percent of its price.", "text", False, False)
        == {}
    )
    blank = quality_parts(
        "Name of bidder: ______ in the amount of [insert amount] for the works named here",
        "text",
        False,
        False,
    )
    assert blank == {"blanks": 30}
    assert quality_parts("Bid Security", "text", True, True) == {"heading": 45, "ocr": 15}
    assert quality_score({"heading": 45, "ocr": 15}) == 40
    assert quality_score({"a": 400}) == 1


def test_documents_are_cut_apart_and_in_order():
    other = {
        **block("The other offer is valid for thirty days."),
        "doc_id": "ffffffffff",
        "file_name": "z.pdf",
    }
    frame = BLOCKS.frame([block("The bid is valid for ninety days."), other])
    pages = pl.concat(
        [pages_of([block("x")]), pages_of([block("x")]).with_columns(doc_id=pl.lit("ffffffffff"))]
    )
    chunks = chunk_blocks(frame, pages, PARAMS)
    assert chunks["chunk_id"].to_list() == ["ab12cd34ef:p1_c01", "ffffffffff:p1_c01"]
    assert chunks.schema == CHUNKS.schema
    assert len(chunk_blocks(BLOCKS.empty(), PAGES.empty(), PARAMS)) == 0


def test_a_quote_of_a_real_page_maps_back_to_the_place_where_it_is_printed():
    pdf = Pdf().page().text(72, 80, "3.2 Validity", bold=True)
    pdf.lines(
        ["The bid of ACME is valid for a period of ninety", "(90) days from the date of opening."], y=110
    )
    parsed = parse_file(pdf.bytes(), DocumentParams(ocr=False), workers=1)
    documents = pl.DataFrame([{**OWNER, "duplicate_of": "", "page_count": 1, "warnings": [], "status": "ok"}])
    key = OWNER["doc_id"]
    blocks, pages = blocks_table(documents, {key: parsed}), pages_table(documents, {key: parsed})
    (chunk,) = chunk_blocks(blocks, pages, PARAMS).to_dicts()
    start = chunk["text"].index("ninety (90) days")
    boxes = locate(chunk, index_blocks(blocks), start, start + len("ninety (90) days"))
    page = pdf.document[0]
    wanted = [page.search_for("ninety")[0], page.search_for("(90) days")[0]]
    for box, rect in zip(boxes, wanted, strict=True):
        assert box.x0 == pytest.approx(rect.x0, abs=8)
        assert box.x1 == pytest.approx(rect.x1, abs=8)
        assert box.y0 == pytest.approx(rect.y0, abs=3)
