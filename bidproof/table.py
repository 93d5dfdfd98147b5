"""What a warehouse table is: its name, grain, key and commented columns, and the shapes of nested values.

A comment reaches Parquet field metadata, DuckDB's `COMMENT ON COLUMN` and Dagster's column schema. Which tables there
are stands in `tables`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl
import pyarrow as pa

BOX = pl.Struct({"page": pl.Int32, "x0": pl.Float32, "y0": pl.Float32, "x1": pl.Float32, "y1": pl.Float32})
LINE = pl.Struct(
    {
        "start": pl.Int32,
        "end": pl.Int32,
        "x0": pl.Float32,
        "y0": pl.Float32,
        "x1": pl.Float32,
        "y1": pl.Float32,
        "anchor": pl.String,
    }
)
SPAN = pl.Struct(
    {"start": pl.Int32, "end": pl.Int32, "page": pl.Int32, "block_no": pl.Int32, "block_start": pl.Int32}
)

QUESTION = pl.Struct(
    {"id": pl.String, "label": pl.String, "text": pl.String, "start": pl.Int32, "end": pl.Int32}
)
REFERENCE = pl.Struct(
    {
        "name": pl.String,
        "kind": pl.String,
        "doc_id": pl.String,
        "file_name": pl.String,
        "heading_path": pl.String,
        "page": pl.Int32,
    }
)

SOURCE = pl.Struct(
    {
        "file_name": pl.String,
        "page": pl.Int32,
        "page_label": pl.String,
        "heading_path": pl.String,
        "quote": pl.String,
    }
)

SHOWN = pl.Struct({"chunk_id": pl.String, "context": pl.Boolean})

ColumnType = pl.DataType | type[pl.DataType]

PACK_COLUMNS: dict[str, tuple[ColumnType, str]] = {
    "tender": (pl.String, "Tender slug"),
    "bidder": (pl.String, "Bidder slug; empty on the tender's own side"),
    "pack": (pl.String, "Partition key: tender slug, or tender--bidder"),
}
"""First columns of every table of packs and tenders."""

RULE_COLUMNS: dict[str, tuple[ColumnType, str]] = {
    **PACK_COLUMNS,
    "rule_id": (pl.String, "Rule id, unique in its catalog"),
    "catalog_version": (pl.String, "Content digest of the catalog that the rule belongs to"),
}
"""First columns of every table of rules."""


@dataclass(frozen=True)
class Table:
    """A warehouse table: its grain in words, its key, and (type, comment) for each column."""

    name: str
    comment: str
    key: tuple[str, ...]
    columns: dict[str, tuple[ColumnType, str]]

    @cached_property
    def schema(self) -> pl.Schema:
        """Polars schema, columns in order."""
        return pl.Schema({name: kind for name, (kind, _) in self.columns.items()})

    @property
    def comments(self) -> dict[str, str]:
        """Comment of each column."""
        return {name: comment for name, (_, comment) in self.columns.items()}

    def empty(self) -> pl.DataFrame:
        """A frame of no rows with this table's columns."""
        return pl.DataFrame(schema=self.schema)

    def frame(self, rows: list[dict[str, object]]) -> pl.DataFrame:
        """A frame of `rows`; a row may leave columns out, never add one.

        Raises:
            ValueError: a row has a column that the table has not.
        """
        extra = {name for row in rows for name in row} - set(self.columns)
        if extra:
            raise ValueError(f"table {self.name} has no column {', '.join(sorted(extra))}")
        return pl.DataFrame(rows, schema=self.schema)

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`frame` cast to the schema, columns in order.

        Raises:
            ValueError: columns are missing or unknown.
        """
        missing, extra = set(self.columns) - set(frame.columns), set(frame.columns) - set(self.columns)
        if missing or extra:
            raise ValueError(
                f"table {self.name}: missing columns {sorted(missing)}, unknown columns {sorted(extra)}"
            )
        return frame.select(list(self.columns)).cast(self.schema)

    def completed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`frame` with the columns that the table has got since it was written, empty."""
        absent = [name for name in self.columns if name not in frame.columns]
        return frame.with_columns(pl.lit(None, dtype=self.schema[name]).alias(name) for name in absent)

    def arrow(self, frame: pl.DataFrame) -> pa.Table:
        """`frame` as an Arrow table whose fields carry the column comments."""
        table = self.conform(frame).rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
        fields = [f.with_metadata({"comment": self.comments[f.name]}) for f in table.schema]
        return table.cast(pa.schema(fields, metadata={"table": self.name, "comment": self.comment}))
