"""An RFP is mined once: what the stage of the rules found serves the stage of their record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bidproof.catalog.building as building
from bidproof.catalog.building import build_rules
from bidproof.catalog.mined_record import built_bytes, built_of
from bidproof.cli.rfp_reading import read_rfp
from bidproof.params import CatalogParams, DocumentParams
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

OFF = {"dense": {"enabled": False}}
TENDER = "water-meters"
ADDENDUM = [
    "Addendum No. 1", "Clause 2.2 is replaced by the following:",
    "The bidder shall furnish a bid security of 3% of the total bid price.", "Clause 9.9 is deleted.",
]  # fmt: skip


@pytest.fixture
def mined(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many blocks each mining read."""
    asked: list[int] = []
    mine = building.mine

    def noted(blocks: pl.DataFrame, *rest: Any) -> Any:
        asked.append(blocks.height)
        return mine(blocks, *rest)

    monkeypatch.setattr(building, "mine", noted)
    return asked


@pytest.fixture
def inbox(tmp_path: Path, small_tender: Callable[[Path], Path], pdf_writer: Callable[..., Path]) -> Path:
    """The small tender with an addendum and without a catalog."""
    inbox = small_tender(tmp_path)
    (inbox / TENDER / "catalog.yaml").unlink()
    pdf_writer(inbox / TENDER / "rfp" / "addendum_1.pdf", ADDENDUM)
    return inbox


def run(inbox: Path, warehouse: str = "warehouse", **overrides: object) -> Warehouse:
    folder = inbox.parent
    report = run_inbox(
        inbox, str(folder / warehouse), bidder="good", overrides={**OFF, **overrides}, project_root=folder
    )
    assert report.failed == {}
    return Warehouse(folder / warehouse)


def contents(store: Warehouse) -> list[str]:
    found = [store.manifest(table, TENDER) for table in ("requirements", "catalogs")]
    return [manifest.content for manifest in found if manifest]


def test_two_stages_mine_an_rfp_once_and_another_rfp_anew(
    inbox: Path, mined: list[int], pdf_writer: Callable[..., Path]
) -> None:
    store = run(inbox)
    assert len(mined) == 1
    (row,) = store.read("catalogs", TENDER).to_dicts()
    assert len(row["superseded"]) == 1
    assert "the RFP has no clause 9.9" in row["conflicts"][0]
    run(inbox)
    assert len(mined) == 1
    pdf_writer(inbox / TENDER / "rfp" / "addendum_1.pdf", [*ADDENDUM, "Clause 8.8 is deleted."])
    run(inbox)
    assert len(mined) == 2
    assert len(store.read("catalogs", TENDER)["conflicts"][0]) == 2
    run(inbox, catalog={"mined_area": "General"})
    assert len(mined) == 3


def test_rows_are_the_same_whether_mining_was_kept_or_its_record_is_damaged(
    inbox: Path, mined: list[int]
) -> None:
    first = contents(run(inbox))
    (kept,) = [path for path in (inbox.parent / "warehouse/cache/mined").rglob("*") if path.is_file()]
    (there,) = [inbox.parent / "other/cache/mined" / kept.parent.name / kept.name]
    there.parent.mkdir(parents=True)
    there.write_bytes(kept.read_bytes()[:-40])
    assert contents(run(inbox, "other")) == first
    assert len(mined) == 2
    assert there.read_bytes() == kept.read_bytes()


def test_what_mining_found_is_written_and_read_without_loss(inbox: Path) -> None:
    read = read_rfp([inbox / TENDER / "rfp"], DocumentParams())
    built = build_rules(None, read.documents, read.blocks, CatalogParams())
    assert built.superseded
    assert built.conflicts
    assert built_of(built_bytes(built)) == built
    assert built_of(b'{"rules": 3}') is built_of(b"") is None
