"""Bidproof beside a typical retrieval pipeline, on the same files and questions in one run: recall, seconds, memory.

    python benchmarks/rival.py SET_DIR [SET_DIR ...] [--limit N [--largest]] [--turns N] [--repeat N] [--threads N] [--no-warm-up] [--json FILE]

SET_DIR is any labelled set that `bidproof evaluate` reads and whose gold is pages or words. The rival is
`ranking/rival_process.py`, in a virtual environment of its own, made on the first run from `requirements-rival.txt`;
Bidproof is `ranking/bidproof_process.py`. Each side is a whole process from files to ranked candidates, imports and model
included, with an empty cache. A set's packs are dealt into turns; in each turn both run, the first one changing from
turn to turn; then Bidproof once more with its cache kept. Before that each runs once on the smallest pack, uncounted, so
that neither pays for the disk's first reading of libraries. Quality is that of the first repetition, seconds the median
of all. Scoring: `ranking/yardstick.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from peers import peers_python
from ranking.yardstick import characters, measures, sign_test
from reading_speed import memory

from bidproof.evaluation import LabelledSet, read_set
from bidproof.evaluation.labelled import LabelledDocument, LabelledPack
from bidproof.evaluation.metrics import mean_figure

HERE = Path(__file__).resolve().parent
SHOWN = 100
SIDES = ("bidproof", "rival", "bidproof warm")
Run = dict[str, Any]


class Runner:
    """Starts the processes of both sides for packs of one set.

    Args:
        folder: where jobs, answers and warehouses go.
        python: interpreter of the rival.
        bf16: give the rival the short floats that Bidproof takes where the processor has them.
        threads: of torch and FAISS on both sides; 0 for as many as they take.
    """

    def __init__(
        self, set_dir: Path, labelled: LabelledSet, folder: Path, python: Path, bf16: bool, threads: int
    ) -> None:
        self._set, self._labelled, self._folder = set_dir, labelled, folder
        self._python, self._bf16, self._threads = python, bf16, threads

    def run(self, side: str, packs: Iterable[LabelledPack], warehouse: Path) -> Run:
        """Answers of one process with wall and processor seconds and peak memory.

        Raises:
            SystemExit: it failed.
        """
        job, out = self._folder / "job.json", self._folder / "out.json"
        job.write_text(json.dumps(self._job(list(packs), warehouse)), encoding="utf-8")
        script = "rival_process.py" if side == "rival" else "bidproof_process.py"
        python = self._python if side == "rival" else Path(sys.executable)
        command = [str(python), str(HERE / "ranking" / script), str(job), str(out), str(time.time())]
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(HERE.parent)}
        if self._threads:
            environment |= {"OMP_NUM_THREADS": str(self._threads), "OMP_THREAD_LIMIT": str(self._threads)}
        errors = (self._folder / "errors.txt").open("w+", encoding="utf-8")
        began = time.monotonic()
        with errors, subprocess.Popen(command, stdout=errors, stderr=errors, env=environment) as process:
            peak = Peak(process.pid)
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            peak.stop()
            errors.seek(0)
            if process.returncode:
                sys.exit(f"{side} failed:\n{errors.read()[-2000:]}")
        found: Run = json.loads(out.read_text(encoding="utf-8"))
        found |= {"seconds": seconds, "processor": used.ru_utime + used.ru_stime, "memory": peak.bytes}
        return found

    def _job(self, packs: list[LabelledPack], warehouse: Path) -> dict[str, Any]:
        names = {pack.name for pack in packs}
        items = [
            {"key": str(number), "pack": item.pack, "question": item.requirement.text}
            for number, item in enumerate(self._labelled.items)
            if item.pack in names
        ]
        listed = [
            {
                "name": pack.name,
                "documents": [
                    {"name": one.name, "path": str(self._path(one, f"{pack.name}-{number}"))}
                    for number, one in enumerate(pack.documents)
                ],
            }
            for pack in packs
        ]
        return {
            "set": str(self._set.absolute()), "warehouse": str(warehouse), "packs": listed, "items": items,
            "shown": SHOWN, "bf16": self._bf16,
        }  # fmt: skip

    def _path(self, document: LabelledDocument, name: str) -> Path:
        """The document's file; one that is given as text is written down."""
        if document.path is not None:
            return document.path.absolute()
        path = self._folder / f"{name.replace('/', '_')}.txt"
        if not path.exists():
            path.write_text(document.text or "", encoding="utf-8", errors="replace")
        return path


class Peak:
    """Peak memory of a process and all below it, each shared page counted once; looks five times a second."""

    def __init__(self, process: int) -> None:
        self.bytes = 0
        self._process, self._ended = process, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.2):
            self.bytes = max(self.bytes, memory(self._process)[1])

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()
        self._thread.join()


def dealt(packs: tuple[LabelledPack, ...], turns: int) -> list[list[LabelledPack]]:
    """Packs in turns of like number, in order."""
    turns = max(1, min(turns, len(packs)))
    return [list(packs[turn::turns]) for turn in range(turns)]


def added(runs: list[Run]) -> Run:
    """Runs of several turns as one: seconds and counts added up, the highest peak."""
    stages: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        for stage, seconds in run["stages"].items():
            stages[stage] += seconds
    names = ("seconds", "processor", "start_processor", "pages", "chunks")
    whole = {name: sum(run[name] for run in runs) for name in names}
    ranked = {key: found for run in runs for key, found in run["ranked"].items()}
    return {**whole, "memory": max(run["memory"] for run in runs), "stages": dict(stages), "ranked": ranked}


def warm_up(runner: Runner, labelled: LabelledSet, folder: Path) -> None:
    """Each side once on the smallest pack, uncounted."""
    for side in SIDES[:2]:
        runner.run(side, some(labelled, 1), folder / "warehouse-0")


def compared(runner: Runner, labelled: LabelledSet, folder: Path, turns: int, repeat: int) -> dict[str, Run]:
    """Each side's answers with the medians of its seconds."""
    repetitions: dict[str, list[Run]] = {side: [] for side in SIDES}
    number = 0
    for _ in range(repeat):
        runs: dict[str, list[Run]] = {side: [] for side in SIDES}
        for packs in dealt(labelled.packs, turns):
            number += 1
            for side in SIDES[:2] if number % 2 else SIDES[1::-1]:
                runs[side].append(runner.run(side, packs, folder / f"warehouse-{number}"))
                _tell(labelled.name, number, side, runs[side][-1])
            runs[SIDES[2]].append(runner.run(SIDES[2], packs, folder / f"warehouse-{number}"))
            _tell(labelled.name, number, SIDES[2], runs[SIDES[2]][-1])
        for side in SIDES:
            repetitions[side].append(added(runs[side]))
    return {side: _medians(found) for side, found in repetitions.items()}


def some(labelled: LabelledSet, count: int | None, largest: bool = False) -> tuple[LabelledPack, ...]:
    """The `count` packs with the fewest bytes, or the most, in their order; all for None."""
    if count is None:
        return labelled.packs
    chosen = {pack.name for pack in sorted(labelled.packs, key=_size, reverse=largest)[:count]}
    return tuple(pack for pack in labelled.packs if pack.name in chosen)


def _size(pack: LabelledPack) -> int:
    return sum(one.path.stat().st_size if one.path else len(one.text or "") for one in pack.documents)


def _tell(name: str, turn: int, side: str, run: Run) -> None:
    stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in run["stages"].items())
    said = (
        f"{name}, turn {turn}: {side} {run['seconds']:.1f} s, processor {run['processor']:.1f} s ({stages})"
    )
    print(said, file=sys.stderr, flush=True)


def _medians(runs: list[Run]) -> Run:
    found = dict(runs[0])
    for name in ("seconds", "processor", "start_processor", "memory"):
        found[name] = statistics.median(run[name] for run in runs)
    found["stages"] = {
        stage: statistics.median(run["stages"].get(stage, 0.0) for run in runs) for stage in runs[0]["stages"]
    }
    found["each"] = [run["seconds"] for run in runs]
    return found


def scored(labelled: LabelledSet, runs: dict[str, Run]) -> dict[str, Any]:
    """Figures of both sides with intervals, and on how many items which is better."""
    found: dict[str, Any] = {}
    for name, measure in measures(labelled).items():
        values = {
            side: [
                measure(item, runs[side]["ranked"].get(str(n), [])) for n, item in enumerate(labelled.items)
            ]
            for side in SIDES[:2]
        }
        won, lost, chance = sign_test(values["bidproof"], values["rival"])
        figures = {side: mean_figure(one).model_dump() for side, one in values.items()}
        found[name] = {**figures, "better": won, "worse": lost, "chance": chance}
    return found


def show(labelled: LabelledSet, runs: dict[str, Run], figures: dict[str, Any]) -> None:
    """Tables in Markdown: quality, then cost."""
    print(f"\n### {labelled.name}: {len(labelled.packs)} packs\n")
    print("| figure | n | Bidproof | rival | better, worse | by chance |\n|---|---:|---|---|---|---:|")
    for name, one in figures.items():
        cells = [
            f"{one[side]['value']:.3f} ({one[side]['low']:.3f} to {one[side]['high']:.3f})"
            for side in SIDES[:2]
        ]
        counts = f"{one['better']}, {one['worse']} | {one['chance']:.3f}"
        print(f"| {name} | {one['bidproof']['n']} | {' | '.join(cells)} | {counts} |")
    read = {
        side: [characters(found, 30) for found in run["ranked"].values() if found]
        for side, run in runs.items()
    }
    lines: dict[str, list[str]] = {
        "seconds": [f"{run['seconds']:.1f}" for run in runs.values()],
        "processor seconds": [f"{run['processor']:.1f}" for run in runs.values()],
        "of these before the first file": [f"{run['start_processor']:.1f}" for run in runs.values()],
        "peak memory, MB": [f"{run['memory'] / 1e6:.0f}" for run in runs.values()],
        "pages; chunks": [f"{run['pages']}; {run['chunks']}" for run in runs.values()],
        "characters of the first 30": [f"{statistics.mean(read[side] or [0]):.0f}" for side in runs],
    }
    for stage in dict.fromkeys(stage for run in runs.values() for stage in run["stages"]):
        lines[f"seconds: {stage}"] = [f"{run['stages'].get(stage, 0):.1f}" for run in runs.values()]
    print(f"\n| cost | {' | '.join(runs)} |\n|---|" + "---:|" * len(runs))
    for name, cells in lines.items():
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Run the sets one after another and print their tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "bidproof-rival")
    parser.add_argument("--limit", type=int, help="only the smallest packs of each set")
    parser.add_argument("--largest", action="store_true", help="the largest instead, with --limit")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of torch on both sides; 1 on a busy machine")
    parser.add_argument("--no-warm-up", action="store_true")
    parser.add_argument("--rival-bf16", action="store_true", help="short floats for the rival too")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    python, written = peers_python(options.venv, "requirements-rival.txt"), {}
    for set_dir in options.sets:
        labelled = read_set(set_dir)
        packs = some(labelled, options.limit, options.largest)
        # Items keep their places, which are their keys on both sides.
        kept = {pack.name for pack in packs}
        items = tuple(
            item if item.pack in kept else item.model_copy(update={"gold": ()}) for item in labelled.items
        )
        labelled = labelled.model_copy(update={"packs": packs, "items": items})
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            runner = Runner(set_dir, labelled, folder, python, options.rival_bf16, options.threads)
            if set_dir == options.sets[0] and not options.no_warm_up:
                warm_up(runner, labelled, folder)
            runs = compared(runner, labelled, folder, options.turns, options.repeat)
        figures = scored(labelled, runs)
        show(labelled, runs, figures)
        costs = {side: {name: run[name] for name in run if name != "ranked"} for side, run in runs.items()}
        written[labelled.name] = {"figures": figures, "costs": costs}
        # Written after each set, so that a run that is cut short leaves what it has.
        if options.json:
            options.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
