"""Rows of a stage do not change under the same version."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import golden_stages as stages


def test_a_stage_whose_rows_change_has_a_new_version():
    kept = json.loads(stages.FILE.read_text())
    made = stages.made()
    changed = [name for name in made if made[name]["rows"] != kept[name]["rows"]]
    unnamed = [name for name in changed if made[name]["code"] == kept[name]["code"]]
    assert not unnamed, (
        f"bump the versions of {unnamed} in bidproof/stages.py, then run tests/golden/golden_stages.py"
    )
    assert not changed, "the rows are new and so are the versions: run tests/golden/golden_stages.py"
