"""The warehouse: what is visible, when, and that the same rows are the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from bidproof.errors import WarehouseError
from bidproof.store import CheckRecord, Manifest, Warehouse, fingerprint, parquet_bytes
from bidproof.tables import SCORES, TABLES
from bidproof.views import build_views


def scores(gate: str, pack: str = "t--b") -> pl.DataFrame:
    return SCORES.frame(
        [{"tender": "t", "bidder": "b", "pack": pack, "gate": gate, "gate_reasons": ["one", "two"]}]
    )


def commit(warehouse: Warehouse, gate: str, version: str, partition: str = "t--b") -> Manifest:
    content = warehouse.stage_rows("scores", partition, version, scores(gate, partition))
    manifest = Manifest(
        "scores", partition, "scores", version, content, 1, "1", {"findings@t--b": "aa"}, {"scoring": {}},
        checks=(CheckRecord("schema", True),), created=f"2026-01-0{version[-1]}",
    )  # fmt: skip
    return warehouse.commit(manifest)


def test_rows_are_invisible_until_their_manifest_is_written(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.stage_rows("scores", "t--b", "f1", scores("pass"))
    assert warehouse.read("scores", "t--b").height == 0
    assert warehouse.partitions("scores") == []
    commit(warehouse, "pass", "f1")
    assert warehouse.read("scores", "t--b")["gate"].to_list() == ["pass"]


def test_a_new_version_replaces_the_old_one_and_the_old_one_stays_in_history(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    manifest = commit(warehouse, "fail", "f2")
    assert warehouse.read("scores", "t--b")["gate"].to_list() == ["fail"]
    assert [v.fingerprint for v in manifest.history] == ["f1"]
    build_views(warehouse)
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute("select gate from scores").fetchall() == [("fail",)]
        history = connection.execute(
            "select gate, fingerprint, created from scores_history order by 2"
        ).fetchall()
    assert history == [("pass", "f1", "2026-01-01"), ("fail", "f2", "2026-01-02")]


def test_committing_the_same_version_again_does_not_grow_the_history(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    assert commit(warehouse, "pass", "f1").history == ()


def test_a_kill_between_rows_and_manifest_leaves_the_old_version_readable(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    warehouse.stage_rows("scores", "t--b", "f2", scores("fail"))
    (tmp_path / "data/scores/t--b/.f3.parquet.0.tmp").write_bytes(b"half")
    assert warehouse.read("scores", "t--b")["gate"].to_list() == ["pass"]
    assert warehouse.partitions("scores") == ["t--b"]


def test_the_same_rows_are_the_same_bytes_whatever_their_chunking() -> None:
    one = pl.concat([scores("pass", "a"), scores("fail", "b")], rechunk=True)
    two = pl.concat([scores("pass", "a"), scores("fail", "b")], rechunk=False)
    assert parquet_bytes(SCORES, one) == parquet_bytes(SCORES, two)
    assert parquet_bytes(SCORES, one) != parquet_bytes(SCORES, scores("pass", "a"))


def test_a_fingerprint_changes_with_stage_code_inputs_and_parameters() -> None:
    base = fingerprint("chunks", "1", {"blocks@t": "a"}, {"chunking": {"k": 1}})
    assert base == fingerprint("chunks", "1", {"blocks@t": "a"}, {"chunking": {"k": 1}})
    others = {
        fingerprint("facts", "1", {"blocks@t": "a"}, {"chunking": {"k": 1}}),
        fingerprint("chunks", "2", {"blocks@t": "a"}, {"chunking": {"k": 1}}),
        fingerprint("chunks", "1", {"blocks@t": "b"}, {"chunking": {"k": 1}}),
        fingerprint("chunks", "1", {"blocks@t": "a"}, {"chunking": {"k": 2}}),
    }
    assert base not in others
    assert len(others) == 4


def test_a_frame_with_a_missing_or_unknown_column_is_refused(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    with pytest.raises(ValueError, match="missing columns \\['gate'\\]"):
        warehouse.stage_rows("scores", "t--b", "f1", scores("pass").drop("gate"))
    with pytest.raises(ValueError, match="no column colour"):
        SCORES.frame([{"pack": "t--b", "colour": "red"}])


def test_a_manifest_of_a_later_format_is_refused_with_the_mend(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    path = tmp_path / "manifests/scores/t--b.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(WarehouseError, match="format 99"):
        warehouse.read("scores", "t--b")


def test_a_manifest_whose_file_is_gone_is_an_error_not_an_empty_table(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    (tmp_path / "data/scores/t--b/f1.parquet").unlink()
    with pytest.raises(WarehouseError, match="is gone"):
        warehouse.read("scores", "t--b")


def test_a_pack_named_2024_stays_text_in_duckdb(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1", "2024")
    build_views(warehouse)
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute("select pack, typeof(pack) from scores").fetchall() == [("2024", "VARCHAR")]


def test_every_table_is_a_view_with_commented_columns_even_when_empty(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    build_views(warehouse)
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as connection:
        for table in TABLES.values():
            assert connection.execute(f"select count(*) from {table.name}").fetchone() == (0,)
        found = connection.execute(
            "select column_name, comment from duckdb_columns() where table_name = 'findings'"
        ).fetchall()
        for view in ("v_matrix", "v_gate", "v_evidence", "v_candidates"):
            assert connection.execute(f"select count(*) from {view}").fetchone() == (0,)
    assert dict(found) == TABLES["findings"].comments


def test_a_reader_keeps_the_file_it_opened_while_a_new_one_is_swapped_in(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    build_views(warehouse)
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as reader:
        commit(warehouse, "fail", "f2")
        build_views(warehouse)
        assert reader.execute("select gate from scores").fetchall() == [("pass",)]
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as reader:
        assert reader.execute("select gate from scores").fetchall() == [("fail",)]
    assert [p.name for p in tmp_path.glob(".bidproof*")] == []


def test_a_warehouse_of_its_own_views_wins_over_the_products(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    (tmp_path / "views").mkdir()
    (tmp_path / "views/v_mine.sql").write_text("select pack, gate from scores;")
    build_views(warehouse)
    with duckdb.connect(str(tmp_path / "bidproof.duckdb"), read_only=True) as connection:
        assert connection.execute("select * from v_mine").fetchall() == [("t--b", "pass")]


def test_prune_deletes_old_versions_and_keeps_the_current_one(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    commit(warehouse, "pass", "f1")
    commit(warehouse, "fail", "f2")
    gone = warehouse.prune()
    assert [path.rsplit("/", 1)[-1] for path in gone] == ["f1.parquet"]
    assert warehouse.read("scores", "t--b")["gate"].to_list() == ["fail"]
    manifest = warehouse.manifest("scores", "t--b")
    assert manifest is not None
    assert manifest.history == ()


def test_any_fsspec_url_is_a_root() -> None:
    warehouse = Warehouse("memory://bids/warehouse")
    commit(warehouse, "pass", "f1")
    assert Warehouse("memory://bids/warehouse").read("scores", "t--b")["gate"].to_list() == ["pass"]
    path = build_views(warehouse)
    assert warehouse.fs.exists(path)


def test_the_cache_gives_back_what_was_put(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    assert warehouse.cache_get("parsed", "abcd") is None
    warehouse.cache_put("parsed", "abcd", b"pages")
    assert warehouse.cache_get("parsed", "abcd") == b"pages"
    assert warehouse.cache_get("embeddings", "abcd") is None


@pytest.mark.parametrize("damage", ["cut", "zeros", "one bit", "nothing left", "written by another program"])
def test_a_damaged_cache_entry_counts_as_none(tmp_path: Path, damage: str) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.cache_put("embeddings", "abcd", b"vectors " * 50)
    (entry,) = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    whole = entry.read_bytes()
    entry.write_bytes(
        {
            "cut": whole[:-9],
            "zeros": whole[:60] + bytes(len(whole) - 60),
            "one bit": whole[:-1] + bytes([whole[-1] ^ 1]),
            "nothing left": b"",
            "written by another program": b"vectors",
        }[damage]
    )
    assert warehouse.cache_get("embeddings", "abcd") is None
    warehouse.cache_put("embeddings", "abcd", b"vectors")
    assert warehouse.cache_get("embeddings", "abcd") == b"vectors"
