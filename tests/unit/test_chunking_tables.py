"""Chunks of tables: what stands above or below a table goes with its rows and is no chunk of its own."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
from block_builder import PARAMS, block, chunked, pages_of, prose, row

from bidproof.chunking import chunk_blocks
from bidproof.judging.passages import passage_of
from bidproof.params import ChunkingParams
from bidproof.tables import BLOCKS

PATH = "4 Prices > 4.2 Meters"


def heading(text: str, number: int, path: str = PATH) -> dict:
    return block(text, 1, number, "heading", path)


def rows_under(path: str = PATH, first: int = 2) -> list[dict]:
    head = {**row("Item | Price", 1, first, header=True, row_no=0), "heading_path": path}
    return [
        head,
        {**row("Meter 1ph | 21.00", 1, first + 1, row_no=1), "heading_path": path},
        {**row("Meter 3ph | 61.50", 1, first + 2, row_no=2), "heading_path": path},
    ]


def test_a_heading_directly_above_a_table_goes_with_its_first_row_and_is_no_chunk_of_its_own():
    chunks = chunked([heading("4 Prices", 0, "4 Prices"), heading("4.2 Meters", 1), *rows_under()])
    assert chunks["text"].to_list() == [
        "4 Prices\n4.2 Meters\nItem | Price\nMeter 1ph | 21.00",
        "Item | Price\nMeter 3ph | 61.50",
    ]
    assert chunks["heading_path"].to_list() == [PATH, PATH]
    assert chunks["content_type"].to_list() == ["table_row", "table_row"]
    first = chunks.to_dicts()[0]
    assert first["text"][first["header_start"] : first["body_start"]].strip() == "Item | Price"
    assert first["text"][first["body_start"] :] == "Meter 1ph | 21.00"
    # A judge reads the header without the heading, so that each cell keeps its column's name.
    assert passage_of(first).headers == ("Item", "Price")


def test_a_heading_with_text_below_it_stays_with_the_text():
    chunks = chunked([heading("4.2 Meters", 0), block("All prices are net.", 1, 1, path=PATH), *rows_under()])
    assert chunks["text"][0] == "4.2 Meters\nAll prices are net."
    assert chunks["text"][1] == "Item | Price\nMeter 1ph | 21.00"


def test_a_heading_of_another_section_does_not_go_with_the_table():
    chunks = chunked([heading("4.1 Terms", 0, "4 Prices > 4.1 Terms"), *rows_under()])
    assert chunks["text"].to_list()[:2] == ["4.1 Terms", "Item | Price\nMeter 1ph | 21.00"]
    assert chunks["content_type"][0] == "heading"
    assert chunks["quality"][0] == 55


def test_a_caption_and_its_units_above_a_table_stand_with_every_row():
    chunks = chunked([
        block("Table 3: Prices of meters", 1, 0, "caption", PATH), block("(in thousands of EUR)", 1, 1, path=PATH), *rows_under(),
    ])  # fmt: skip
    lead = "Table 3: Prices of meters\n(in thousands of EUR)\nItem | Price\n"
    assert chunks["text"].to_list() == [f"{lead}Meter 1ph | 21.00", f"{lead}Meter 3ph | 61.50"]


def test_a_caption_below_a_table_belongs_to_it_unless_the_next_table_claims_it():
    below = block("Table 3: Prices of meters", 1, 5, "caption", PATH)
    chunks = chunked([*rows_under(), below, block("Prices hold for a year.", 1, 6, path=PATH)])
    assert chunks["text"].to_list() == [
        "Table 3: Prices of meters\nItem | Price\nMeter 1ph | 21.00",
        "Table 3: Prices of meters\nItem | Price\nMeter 3ph | 61.50",
        "Prices hold for a year.",
    ]
    other = {**row("Cable | 9.10", 1, 6, table=1, row_no=0), "heading_path": PATH}
    chunks = chunked([*rows_under(), below, other])
    assert chunks["text"].to_list()[1:] == [
        "Item | Price\nMeter 3ph | 61.50",
        "Table 3: Prices of meters\nCable | 9.10",
    ]


def test_the_caption_of_a_figure_stays_in_the_text():
    chunks = chunked([block("Figure 3: Network", 1, 0, "caption", PATH), *rows_under()])
    assert chunks["text"].to_list()[:2] == ["Figure 3: Network", "Item | Price\nMeter 1ph | 21.00"]
    assert chunks["content_type"][0] == "caption"


def test_a_sentence_that_only_begins_like_a_line_of_units_stays_text():
    sentence = "In thousands of cases the meters were read twice."
    chunks = chunked([block(sentence, 1, 0, path=PATH), *rows_under()])
    assert chunks["text"][0] == sentence


def test_a_heading_for_which_a_long_row_leaves_no_room_is_kept_as_text():
    long = {**row("A | " + prose(14), 1, 2), "heading_path": PATH}
    chunks = chunked([heading("4.2 Meters", 1), long])
    assert chunks["text"][0] == "4.2 Meters"
    assert chunks["tokens"].max() <= PARAMS.max_tokens


def test_a_table_that_runs_over_pages_keeps_its_caption_and_each_row_its_page():
    blocks = [
        block("Table 3: Prices", 1, 0, "caption"),
        *[row(f"Meter {n} | {n}.50", n, 1, row_no=n) for n in (1, 2, 3)],
    ]
    chunks = chunked(blocks)
    assert chunks["pages"].to_list() == [[1], [2], [3]]
    assert chunks["text"][2] == "Table 3: Prices\nMeter 3 | 3.50"
    assert chunks["spans"][2].to_list()[0]["page"] == 1


def test_short_sections_are_joined_under_a_least_size_and_kept_apart_without():
    blocks = []
    for number in range(1, 6):
        path = f"3 Terms > 3.{number} Term {number}"
        blocks.append(block(f"3.{number} Term {number}", 1, 2 * number, "heading", path))
        blocks.append(block(f"The bid holds for {number} months.", 1, 2 * number + 1, path=path))
    assert chunked(blocks).height == 5
    joined = chunked(blocks, ChunkingParams(min_tokens=40))
    assert joined.height < 5
    assert joined["heading_path"][0] == "3 Terms"
    assert joined["text"][0].startswith("3.1 Term 1\nThe bid holds for 1 months.\n3.2 Term 2")


def test_the_large_profile_is_reached_by_name_or_by_its_numbers():
    large = ChunkingParams(profile="large")
    assert (large.target_tokens, large.max_tokens, large.overlap, large.min_tokens) == (800, 800, 0.5, 100)
    numbers = {"target_tokens": 800, "max_tokens": 800, "overlap": 0.5, "span_tokens": 300, "min_tokens": 100}
    blocks = [block(prose(150))]
    by_name, by_number = chunked(blocks, large), chunked(blocks, ChunkingParams(**numbers))
    assert by_name["text"].to_list() == by_number["text"].to_list()
    assert all(720 <= size <= 800 for size in by_name["tokens"].to_list()[:-1])
    spans = [each[0]["block_start"] for each in by_name["spans"].to_list()]
    steps = [after - before for before, after in pairwise(spans)]
    # Half of each chunk comes again in the next, but for the end of a sentence.
    assert all(abs(step / len(by_name["text"][0]) - 0.5) < 0.06 for step in steps)
    assert ChunkingParams(profile="large", overlap=0.25).overlap == 0.25


def test_contents_lines_are_in_no_chunk_and_the_clause_itself_is():
    # T25
    blocks = [
        block("3.2 Bid security ..... 47", 2, 0, "contents"),
        block("The bid security is 2%.", 47, 0, path="3.2 Bid security"),
    ]
    chunks = chunk_blocks(BLOCKS.frame(blocks), pages_of(blocks), PARAMS)
    assert chunks.select("page", "text").rows() == [(47, "The bid security is 2%.")]
    assert chunks.filter(pl.col("text").str.contains("....", literal=True)).height == 0


def test_the_title_of_a_group_of_rows_stands_with_each_row_below_it():
    chunks = chunked([
        row("Item | Qty | Price", 1, 0, header=True, row_no=0),
        row("Lot A Meters |  | ", 1, 1, row_no=1),
        row("Meter 3ph | 400 | 61.50", 1, 2, row_no=2),
        row("Lot B Services |  | ", 1, 3, row_no=3),
        row("Installation | 400 | 12.00", 1, 4, row_no=4),
        row("Training | 2 | 900.00", 1, 5, row_no=5),
    ])  # fmt: skip
    texts = chunks["text"].to_list()
    assert texts[1] == "Lot A Meters\nItem | Qty | Price\nMeter 3ph | 400 | 61.50"
    assert texts[3] == "Lot B Services\nItem | Qty | Price\nInstallation | 400 | 12.00"
    assert texts[4] == "Lot B Services\nItem | Qty | Price\nTraining | 2 | 900.00"
    # The judge reads the columns' names without the title.
    assert passage_of(chunks.to_dicts()[3]).headers == ("Item", "Qty", "Price")
