"""Laws of chunks, over random documents: nothing lost, rows whole, in order, the same whatever the order of rows."""

from __future__ import annotations

import random

import polars as pl
from block_builder import OWNER, PARAMS, block, chunked, pages_of, row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bidproof.chunking import chunk_blocks, count_tokens
from bidproof.chunking.tokens import token_offsets
from bidproof.params import ChunkingParams
from bidproof.tables import BLOCKS

WORDS = st.sampled_from([
    "bid", "security", "2.5%", "ISO/IEC", "27001:2022", "garantie", "(90)", "days.", "Le", "soumissionnaire", "OCS-001",
    "_" * 40, "€", "•", "\u00e9t\u00e9", "x" * 30, "No.", "62053-21", "1\u202f234", "shall", "furnish;", "A.", "2019 – 2023",
    "العطاء", "保证金", "\U0001f4c4", "e\u0301", "\u00a0", "Q4.", "Describe your", "see Annex G,", "\ufb01nal", "co-", "…", "x" * 3000,
])  # fmt: skip
# Repeated, as short lists are what is drawn most and long texts are what is cut.
TEXTS = st.tuples(st.lists(WORDS, max_size=40), st.sampled_from([1, 1, 1, 8, 30])).map(
    lambda drawn: " ".join(drawn[0] * drawn[1])
)
KINDS = st.sampled_from([
    "paragraph", "paragraph", "list_item", "heading", "caption", "footnote", "row", "row", "header", "rest", "contents", "furniture",
    "hidden",
])  # fmt: skip
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def documents(draw: st.DrawFn) -> list[dict]:
    """Blocks of one document over several pages, tables and sections."""
    blocks: list[dict] = []
    table, row_no, path, page = 0, 0, "", 1
    for number, (kind, text) in enumerate(draw(st.lists(st.tuples(KINDS, TEXTS), min_size=1, max_size=10))):
        page += draw(st.integers(0, 1))
        if kind in ("row", "header", "rest"):
            if kind == "header":
                table, row_no = table + 1, 0
            elif kind == "row":
                row_no += 1
            made = row(text.replace("bid", "|"), page, number, table, row_no, kind == "header")
            blocks.append({**made, "heading_path": path})
            continue
        if kind == "heading":
            path = f"{number} {text[:20].strip()}"
        shown = {"kind": "paragraph", "hidden": True} if kind == "hidden" else {"kind": kind}
        caption = "Table 3: " if kind == "caption" else ""
        blocks.append({**block(caption + text, page, number, path=path), **shown})
    return blocks


def live(blocks: list[dict]) -> list[dict]:
    return [
        each for each in blocks
        if each["kind"] not in ("contents", "furniture") and not each["hidden"] and each["text"].strip()
    ]  # fmt: skip


@SLOW
@given(documents(), st.sampled_from(["tender", "cv", "report"]), st.sampled_from([0, 60]))
def test_no_token_span_or_row_is_ever_lost(blocks, adapter, least):
    params = ChunkingParams(min_tokens=least)
    chunks = chunked(blocks, params, adapters={OWNER["doc_id"]: adapter})
    if not live(blocks):
        assert chunks.height == 0
        return
    assert chunks["tokens"].max() <= params.max_tokens
    assert chunks["chunk_id"].n_unique() == chunks.height
    assert all(count_tokens(text) <= params.max_tokens for text in chunks["text"])
    assert chunks["quality"].min() >= 1


@SLOW
@given(documents())
def test_every_short_span_of_a_block_is_read_whole_in_some_chunk(blocks):
    """The promise again, told by text alone and without the proof's own bookkeeping."""
    texts = chunked(blocks)["text"].to_list()
    for each in live(blocks):
        if each["kind"] == "table_row":
            continue
        tokens = token_offsets([each["text"]])[0]
        for first in range(0, max(len(tokens) - PARAMS.span_tokens, 0) + 1, 7):
            part = tokens[first : first + PARAMS.span_tokens]
            if part:
                span = each["text"][part[0][0] : part[-1][1]]
                assert any(span in text for text in texts)


@SLOW
@given(documents())
def test_every_cell_of_a_row_that_fits_stands_in_one_chunk_under_its_header(blocks):
    chunks = chunked(blocks).filter(pl.col("kind") == "row")
    heads = {each["table_no"]: each["text"] for each in reversed(live(blocks)) if each["is_header"]}
    for each in live(blocks):
        head = heads.get(each["table_no"], "")
        if each["kind"] != "table_row" or each["is_header"] or count_tokens(f"{head}\n{each['text']}") > 200:
            continue
        cells = [
            each["text"][cell["start"] : cell["end"]].strip().removesuffix("-") for cell in each["lines"]
        ]
        assert any(
            all(cell in text[start:] for cell in cells) and head[:20] in text[:start]
            for text, start in chunks.select("text", "body_start").iter_rows()
        )


@SLOW
@given(documents(), st.randoms(use_true_random=False))
def test_chunks_are_the_same_whatever_the_order_of_blocks_and_again(blocks, shuffler: random.Random):
    pages = pages_of(blocks)
    once = chunk_blocks(BLOCKS.frame(blocks), pages, PARAMS)
    shuffled = list(blocks)
    shuffler.shuffle(shuffled)
    assert chunk_blocks(BLOCKS.frame(shuffled), pages, PARAMS).equals(once)
    assert chunk_blocks(BLOCKS.frame(blocks), pages, PARAMS).equals(once)


@SLOW
@given(documents())
def test_chunks_stand_in_reading_order(blocks):
    chunks = chunked(blocks, adapters={OWNER["doc_id"]: "cv"})
    places = []
    for spans, start in chunks.select("spans", "body_start").iter_rows():
        body = next(span for span in spans if span["start"] >= start)
        places.append((body["page"], body["block_no"], body["block_start"]))
    assert places == sorted(places)


@SLOW
@given(documents())
def test_a_second_file_changes_no_chunk_of_the_first(blocks):
    other = [
        {**block("The other offer is valid for thirty days."), "doc_id": "ffffffffff", "file_name": "z.pdf"}
    ]
    alone = chunk_blocks(BLOCKS.frame(blocks), pages_of(blocks), PARAMS)
    pages = pl.concat([pages_of(blocks), pages_of(other[:1]).with_columns(doc_id=pl.lit("ffffffffff"))])
    both = chunk_blocks(BLOCKS.frame([*other, *blocks]), pages, PARAMS)
    columns = ["chunk_id", "text", "spans", "tokens", "kind", "heading_path"]
    assert both.filter(pl.col("doc_id") == OWNER["doc_id"]).select(columns).equals(alone.select(columns))
