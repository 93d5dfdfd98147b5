"""A whole run over a generated pack, paired with a bare reading script. Usage: pipeline_500.py [--pages N] [--runs N]"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def timed(command: list[str]) -> float:
    """Seconds of a whole process.

    Raises:
        SystemExit: it failed.
    """
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return time.monotonic() - started


def stages(warehouse: Path) -> list[tuple[str, float, int]]:
    """Stage, seconds and rows of each manifest of a warehouse."""
    manifests = [json.loads(path.read_text()) for path in sorted((warehouse / "manifests").rglob("*.json"))]
    return sorted(((m["stage"], m["seconds"], m["rows"]) for m in manifests), key=lambda row: -row[1])


def main() -> None:
    """Make the pack, run both in turn, print seconds, ratios, stages and peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        inbox = Path(folder) / "made" / "inbox"
        timed(
            [
                sys.executable,
                str(ROOT / "examples/make_example.py"),
                "--pages",
                str(options.pages),
                "--out",
                str(inbox.parent),
            ]
        )
        pdf = next(inbox.glob("*/bids/*/*.pdf"))
        ratios = []
        for number in range(options.runs):
            warehouse = Path(folder) / f"warehouse{number}"
            bare = timed([sys.executable, str(ROOT / "benchmarks/bare_script.py"), str(pdf)])
            whole = timed(
                [
                    sys.executable,
                    "-m",
                    "bidproof.cli",
                    "run",
                    str(inbox),
                    "--no-dense",
                    "--warehouse",
                    str(warehouse),
                ]
            )
            ratios.append(whole / bare)
            print(f"bare script {bare:6.2f} s   bidproof run {whole:6.2f} s   ratio {whole / bare:.2f}")
        print(f"median ratio {statistics.median(ratios):.2f}")
        for stage, seconds, rows in stages(warehouse):
            print(f"  {stage:<16} {seconds:7.2f} s {rows:>8} rows")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory of the largest process {peak:.0f} MB")


if __name__ == "__main__":
    main()
