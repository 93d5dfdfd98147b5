"""Facts and tags of chunks as tables."""

from __future__ import annotations

import polars as pl

from bidproof.facts import TAG_NAMES, fact_of_row, facts_table, find_facts, tags_table
from bidproof.params import FactParams
from bidproof.tables import CHUNKS, FACTS, TAGS


def chunk(chunk_id: str, text: str, kind: str = "text", **more: object) -> dict[str, object]:
    spans = [{"start": 0, "end": len(text), "page": 1, "block_no": 0, "block_start": 0}]
    row: dict[str, object] = {
        "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d", "file_name": "offer.pdf", "chunk_id": chunk_id, "page": 1, "pages": [1],
        "kind": kind, "text": text, "language": "en", "spans": spans,
    }  # fmt: skip
    return {**row, **more}


def frame(*rows: dict[str, object]) -> pl.DataFrame:
    return CHUNKS.frame(list(rows))


def test_a_fact_is_on_the_page_of_its_own_span() -> None:
    text = "Validity begins on page two and lasts\n120 calendar days."
    spans = [
        {"start": 0, "end": 37, "page": 2, "block_no": 9, "block_start": 0},
        {"start": 38, "end": len(text), "page": 3, "block_no": 0, "block_start": 0},
    ]
    facts = facts_table(frame(chunk("d:p2_c01", text, page=2, pages=[2, 3], spans=spans)), FactParams())
    assert facts.select("kind", "page", "value", "unit").rows() == [("days", 3, 120.0, "calendar_day")]
    assert facts.schema == FACTS.schema


def test_rows_keep_chunk_order_and_offsets_and_turn_back_into_facts() -> None:
    late, early = (
        chunk("d:p1_c02", "2% of the contract price"),
        chunk("d:p1_c01", "valid until 03/04/2027 for ten (15) days"),
    )
    facts = facts_table(frame(late, early), FactParams())
    assert facts["chunk_id"].to_list() == ["d:p1_c01", "d:p1_c01", "d:p1_c02"]
    assert facts["fact_no"].to_list() == [0, 1, 0]
    again = [fact_of_row(row) for row in facts.filter(pl.col("chunk_id") == "d:p1_c01").iter_rows(named=True)]
    assert again == find_facts(str(early["text"]), language="en")
    assert facts.equals(facts_table(frame(early, late), FactParams()))


def test_the_reading_of_dates_follows_the_parameter_and_the_language_of_the_chunk() -> None:
    rows = frame(
        chunk("d:p1_c01", "until 03/04/2027"),
        chunk("d:p1_c02", "jusqu'au 03/04/2027, 1,234 kg", language="fr"),
    )
    assert facts_table(rows, FactParams())["date"].to_list() == ["", "2027-04-03", ""]
    assert facts_table(rows, FactParams(day_first=False))["date"].to_list() == [
        "2027-03-04",
        "2027-03-04",
        "",
    ]
    assert facts_table(rows, FactParams())["value"].to_list() == [None, None, 1.234]


def test_tags_are_views_of_facts_with_their_number() -> None:
    rows = frame(
        chunk(
            "d:p1_c01",
            "The bid security shall be 2% or EUR 500,000 for 90 days on Form BS-1 until 2026-12-31.",
        ),
        chunk("d:p1_c02", "Item | Price\nMeter | EUR 61.50", kind="row"),
        chunk("d:p1_c03", "Information security to ISO/IEC 27001 and ISO 9001."),
        chunk("d:p1_c04", "Calendar of events, 1,106,500 pieces."),
        chunk("d:p1_c05", "La garantie de soumission doit rester valable."),
    )
    tags = tags_table(rows, facts_table(rows, FactParams()))
    by_chunk = {
        c: dict(zip(g["tag"], g["hits"], strict=True))
        for (c,), g in tags.group_by("chunk_id", maintain_order=True)
    }
    assert by_chunk == {
        "d:p1_c01": {"bond": 1, "date": 1, "days": 1, "form": 1, "money": 1, "must": 1, "percent": 1},
        "d:p1_c02": {"money": 1, "table": 1},
        "d:p1_c03": {"iso": 2},
        "d:p1_c05": {"bond": 1, "must": 1},
    }
    assert tags.schema == TAGS.schema
    assert set(tags["tag"]) <= set(TAG_NAMES)


def test_no_chunks_give_empty_tables() -> None:
    facts = facts_table(CHUNKS.empty(), FactParams())
    assert facts.is_empty()
    assert tags_table(CHUNKS.empty(), facts).is_empty()


def test_every_chunk_of_a_long_dense_pack_gives_all_its_facts() -> None:
    text = (
        "The bidder shall lodge a bid security of two percent (2%) of the total bid price, valid for ninety (90) days after bid validity. "
        "Certificates to ISO 9001:2015 are valid to Dec 31, 2026. Prices are stated in EUR 1,234,567.00 for 250,000 meters. "
    )
    rows = frame(*[chunk(f"d:p{i}_c01", f"{text}{i} {text[:600]}") for i in range(1500)])
    facts = facts_table(rows, FactParams())
    assert facts.height > 1500 * 10
    assert facts["chunk_id"].n_unique() == 1500


def test_a_sum_in_a_column_per_occurrence_and_one_per_year_are_told_apart() -> None:
    text = "Nature des dommages | Par sinistre (EUR) | Par année (EUR)\nDommages corporels | 6 500 000,00 | 13 000 000,00"
    assert [(f.value, f.per) for f in find_facts(text, language="fr")] == [
        (6.5e6, "occurrence"),
        (1.3e7, "year"),
    ]


def test_a_number_below_a_table_header_is_not_the_number_of_the_header() -> None:
    found = find_facts("Requirement | Vendor Notes\n2 live implementations of the suite | yes")
    assert [(f.value, f.unit) for f in found] == [(2.0, "implementation")]


def test_the_annual_aggregate_is_a_rate_and_a_base_ends_before_the_next_field() -> None:
    sums = find_facts("EUR 5,000,000 any one occurrence and EUR 10,000,000 in the annual aggregate")
    assert [f.per for f in sums] == ["occurrence", "year"]
    assert find_facts("Amount: 2% of total price Validity: 90 days")[0].base == "total price"
    assert find_facts("Severity 1 | Head-end down")[0].text == "Severity 1"


def test_a_heading_above_a_tables_header_does_not_part_the_figures_from_their_units() -> None:
    row = "Item | Delay (days)\nMeters | 45"
    for lead in ("", "4.2 Delivery\n", "4.2 Delivery\nTable 3: Delays\n"):
        facts = facts_table(frame(chunk("d:p1_c01", lead + row, "row")), FactParams())
        found = facts.filter(pl.col("kind") == "days").select("value", "text").rows()
        assert found == [(45.0, "45")], lead
