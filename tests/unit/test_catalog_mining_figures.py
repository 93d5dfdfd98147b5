"""Figures that no rule took are listed, and duties of defined terms find their owner."""

from __future__ import annotations

import polars as pl
import pytest

from bidproof.catalog import mine, units
from bidproof.params import CatalogParams
from bidproof.tables import BLOCKS, DOCUMENTS


def prose(*texts: str, heading: str = "1 Background") -> pl.DataFrame:
    return BLOCKS.frame([
        {
            "doc_id": "d", "file_name": "rfp.pdf", "page": 1, "block_no": n, "kind": "paragraph", "text": text,
            "heading_path": heading, "table_no": -1, "row_no": -1, "is_header": False, "struck": False, "hidden": False,
            "lines": [],
        }
        for n, text in enumerate(texts)
    ])  # fmt: skip


def left_out(frame: pl.DataFrame) -> dict[str, str]:
    return {left.text: left.why for left in mine(frame, DOCUMENTS.empty(), CatalogParams()).left_out}


@pytest.mark.parametrize(
    "sentence",
    [
        "The present fleet covers 900 km a day.",
        "La flotte actuelle compte 12 véhicules et roule 900 km.",
        "The last audit followed ISO 9001.",
    ],
)
def test_a_figure_that_binds_nobody_is_left_out_and_not_lost(sentence: str) -> None:
    # Without this a limit worded in a way that mining does not know would vanish, and no reviewer could miss it.
    assert left_out(prose(sentence)) == {sentence: "states a figure, binds nobody"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The fleet is old and worn.",
        "The agreement was announced on 12 March 2025.",
        "Scope of the services ........ 12",
    ],
)
def test_words_without_a_figure_and_lines_of_contents_are_not_listed(sentence: str) -> None:
    # Otherwise the list of what was left out would be the whole RFP, and nobody would read it.
    assert left_out(prose(sentence)) == {}


def test_units_stay_as_they_are_where_a_figure_binds_nobody() -> None:
    # Whose duty a unit is must not change because its figure is listed.
    (unit,) = units(prose("The present fleet covers 900 km a day."), DOCUMENTS.empty(), CatalogParams())
    assert (unit.subject, unit.left_out) == ("none", "")
