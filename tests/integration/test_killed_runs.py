"""A run may be killed at any moment; the next one ends with the same contents, nothing lost, nothing doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

KILLS = int(os.environ.get("BIDPROOF_KILLS", "3"))


def command(inbox: Path, warehouse: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "bidproof.cli",
        "run",
        str(inbox),
        "--warehouse",
        str(warehouse),
        "--no-dense",
    ]


def contents(warehouse: Path) -> dict[str, tuple[str, str]]:
    """Fingerprint and content digest of every manifest."""
    found = {}
    for path in sorted((warehouse / "manifests").rglob("[!.]*.json")):
        manifest = json.loads(path.read_text())
        found[str(path.relative_to(warehouse))] = (manifest["fingerprint"], manifest["content"])
    return found


@pytest.mark.slow
def test_a_run_killed_at_a_random_moment_leaves_nothing_lost_and_nothing_done_twice(
    small_inbox: Path, tmp_path: Path
) -> None:
    started = time.monotonic()
    subprocess.run(command(small_inbox, tmp_path / "calm"), check=True, capture_output=True)
    seconds = time.monotonic() - started
    expected = contents(tmp_path / "calm")
    moments = random.Random(20260331)
    for number in range(KILLS):
        warehouse = tmp_path / f"killed{number}"
        process = subprocess.Popen(
            command(small_inbox, warehouse),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(moments.uniform(0.3, 1.0) * seconds)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        subprocess.run(command(small_inbox, warehouse), check=True, capture_output=True)
        assert contents(warehouse) == expected
        assert not list((warehouse / "manifests").rglob("*.tmp"))
