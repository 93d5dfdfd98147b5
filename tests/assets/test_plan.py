"""A plan of packs that were read: exact, stored, and without a trace in what a run knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bidproof.cli.planning import plan_command
from bidproof.staleness import find_sources, stage_states
from bidproof.store import Warehouse
from pipelines.execute import run_inbox

NO_DENSE = {"dense": {"enabled": False}}


def test_a_plan_of_packs_that_were_read_counts_their_passages_and_leaves_all_stages_fresh(
    tmp_path: Path, small_tender: Callable[[Path], Path]
) -> None:
    inbox, where = small_tender(tmp_path), str(tmp_path / "warehouse")
    assert run_inbox(inbox, where, overrides=NO_DENSE).failed == {}
    store, seen = Warehouse(where), tmp_path / "plan.json"

    def plan(overrides: dict[str, Any]) -> dict[str, Any]:
        plan_command(inbox, where, None, None, overrides, "openai", seen)
        record: dict[str, Any] = json.loads(seen.read_text())["tenders"][0]
        return record

    tender = plan(NO_DENSE)
    for pack in tender["packs"]:
        assert pack["basis"] == "passages"
        asked = set(store.read("passages", pack["pack"])["rule_id"])
        assert pack["rules"] == len(asked) > 0
        assert pack["rules"] + pack["unasked"] == store.read("requirements", tender["tender"]).height
        rows = store.read("token_plan", pack["pack"])
        assert {rule for rules in rows["rules"] for rule in rules} == asked
        assert set(rows["basis"]) == {"passages"}
        assert set(rows["catalog_version"]) == set(
            store.read("catalogs", tender["tender"])["catalog_version"]
        )
        assert pack["whole_documents"]["tokens"] > 0
    packs = [pack["pack"] for pack in tender["packs"]]
    sources = find_sources(store, tender["tender"], Path("."), NO_DENSE)
    assert all(state.state == "fresh" for pack in packs for state in stage_states(store, pack, sources))
    # With the dense leg other passages may be chosen: those of the warehouse are no longer what would be asked about.
    assert {pack["basis"].split(":")[0] for pack in plan({})["packs"]} == {"estimate"}
