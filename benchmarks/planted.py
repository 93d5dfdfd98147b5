"""Planted evidence on a 500-page pack: how many of 200 facts reach the candidates, and where the others are lost.

    python benchmarks/planted.py [FOLDER ...] [--pages 500] [--plants 200] [--seeds 1] [--no-dense] [--json FILE]

The pages are taken from the PDFs below the folders, as `reading_speed.py` mixes them; without a folder they are those of
`examples/make_example.py --pages 500`. Plants are made for the rules of the example's catalog, and for made rules
beyond those. Exit code 1 where a seed has fewer than 99 of 100 plants among the candidates. `--warehouse DIR` keeps what
was read and encoded for the next run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reading_speed import mix

from bidproof.cli.evaluate_planted import Planting, evaluate_planted

ROOT = Path(__file__).resolve().parents[1]
CATALOG = ROOT / "examples/inbox/smart-meters/catalog.yaml"
LEAST = 0.99


def made_pack(pages: int, out: Path) -> Path:
    """A bidder's folder of the generated tender."""
    command = [
        sys.executable,
        str(ROOT / "examples/make_example.py"),
        "--pages",
        str(pages),
        "--out",
        str(out),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return next(path.parent for path in sorted(out.glob("inbox/*/bids/*/*.pdf")))


def main() -> None:
    """Put the pack together, plant and find with each seed, print the tables and the verdict."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--plants", type=int, default=200)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--no-dense", action="store_true")
    parser.add_argument("--warehouse")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    records, held = [], True
    with tempfile.TemporaryDirectory() as folder:
        if options.folders:
            pack = Path(folder) / "mixed.pdf"
            print(f"{options.pages} pages of {mix(options.folders, options.pages, pack)} files")
        else:
            pack = made_pack(options.pages, Path(folder) / "made")
        layer = {"dense": {"enabled": False}} if options.no_dense else {}
        for seed in options.seeds:
            started = time.monotonic()
            planting = Planting(options.plants, seed, catalog=CATALOG)
            warehouse = options.warehouse or f"{folder}/warehouse"
            done = evaluate_planted(pack, planting, warehouse, (layer, []), None, None)
            figure = done.stages["candidates"]
            found = round((figure.value or 0.0) * figure.n)
            held = held and found >= LEAST * figure.n
            print(
                f"seed {seed}: {found} of {figure.n} in the candidates, {time.monotonic() - started:.0f} s",
                flush=True,
            )
            records.append(done.record())
    if options.json:
        options.json.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
