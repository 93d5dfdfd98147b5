"""Reading real mixed pages with two processes, paired with a bare script with two; and peak memory.

    python benchmarks/reading_speed.py FOLDER [FOLDER ...] [--pages 500] [--pairs 5] [--json FILE]
    python benchmarks/reading_speed.py FOLDER [FOLDER ...] --memory [--pages 2000]

The pages are taken from the PDFs below the folders, ten from each in turn, again from the start when all are used.
Pages with under 200 characters are left out (scans, blanks), since the bare script recognises none, and OCR is off.
Both sides are whole processes, imports included. The bare script is `bare_script.py`: text of each page by PyMuPDF,
Camelot's lattice with the vector engine on the ruled ones. Read the median ratio, which must be 1.5 at most.
`--memory` reads once and prints the peak of the memory of all processes added up, which must be under 2 GB: resident
(what several processes share counts once for each) and proportional (it counts once).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pymupdf

RANGE = 10
TEXT = 200
BARE = Path(__file__).with_name("bare_script.py")
OURS = """
import sys
from pathlib import Path
from bidproof.documents import parse_file
from bidproof.params import DocumentParams
parsed = parse_file(Path(sys.argv[1]), DocumentParams(ocr=False), workers=2)
tables = parsed.table_cells.unique(["table_no"]).height
rows = parsed.table_cells.unique(["table_no", "row_no"]).height
lost = parsed.pages.filter(parsed.pages["status"] == "unreadable").height
print(f"{sum(parsed.pages['chars'])} characters, {tables} tables, {rows} rows, {lost} pages unreadable")
"""


def runs(pages: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of pages: put in together they share fonts and images, as in a real file."""
    found: list[tuple[int, int]] = []
    for page in pages:
        if found and page == found[-1][1] + 1:
            found[-1] = (found[-1][0], page)
        else:
            found.append((page, page))
    return found


def mix(folders: list[Path], count: int, out: Path) -> int:
    """Write `count` pages with text, ten of each file in turn; returns how many files gave some."""
    paths = sorted({path for folder in folders for path in folder.rglob("*.pdf")})
    if not paths:
        sys.exit(f"no PDFs below {', '.join(map(str, folders))}")
    sources = [pymupdf.open(path) for path in paths]
    texts = [[n for n, page in enumerate(source) if len(page.get_text()) >= TEXT] for source in sources]
    used, at = set(), 0
    with pymupdf.open() as mixed:
        while mixed.page_count < count:
            before = mixed.page_count
            for number, (source, pages) in enumerate(zip(sources, texts, strict=True)):
                chosen = pages[at : at + RANGE][: count - mixed.page_count]
                for first, last in runs(chosen):
                    mixed.insert_pdf(source, from_page=first, to_page=last, links=False, widgets=False)
                    used.add(number)
            at = at + RANGE if mixed.page_count > before else 0
            if not used:
                sys.exit("no page has text")
        mixed.save(out, garbage=3, deflate=True, no_new_id=True)
    return len(used)


def timed(command: list[str]) -> tuple[float, str]:
    """Seconds of a whole process, and what it printed.

    Raises:
        SystemExit: it failed.
    """
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return time.monotonic() - started, done.stdout.strip()


def below(root: int) -> list[int]:
    """A process and all below it."""
    parents: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = Path(entry.path, "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, open_ = [], [root]
    while open_:
        found.append(open_.pop())
        open_.extend(parents.get(found[-1], ()))
    return found


def memory(root: int) -> tuple[int, int]:
    """Bytes of memory of a process and all below it, added up: resident and proportional."""
    resident = proportional = 0
    for process in below(root):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines[1:]}
        resident += sizes.get("Rss", 0) * 1024
        proportional += sizes.get("Pss", 0) * 1024
    return resident, proportional


def peak_memory(path: Path) -> tuple[int, int, float, str]:
    """Peak bytes, resident and proportional, seconds, and what was printed, of one reading."""
    started, resident, proportional = time.monotonic(), 0, 0
    with subprocess.Popen(
        [sys.executable, "-c", OURS, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            now = memory(process.pid)
            resident, proportional = max(resident, now[0]), max(proportional, now[1])
            time.sleep(0.1)
        printed = process.stdout.read().strip() if process.stdout else ""
    if process.returncode:
        sys.exit("the reading failed")
    return resident, proportional, time.monotonic() - started, printed


def main() -> None:
    """Put the pages together and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=int)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    count = options.pages or (2000 if options.memory else 500)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mixed.pdf"
        files = mix(options.folders, count, path)
        print(f"{count} pages with text of {files} files, {path.stat().st_size / 1e6:.1f} MB")
        if options.memory:
            resident, proportional, seconds, printed = peak_memory(path)
            print(f"{printed}\n{seconds:.1f} s; peak memory of all processes: ", end="")
            print(f"{resident / 1e6:.0f} MB resident, {proportional / 1e6:.0f} MB proportional")
            content: dict[str, object] = {"pages": count, "seconds": seconds}
            content |= {"resident_mb": resident / 1e6, "proportional_mb": proportional / 1e6}
        else:
            ratios = []
            for _ in range(options.pairs):
                bare, found = timed([sys.executable, str(BARE), str(path), "2"])
                ours, printed = timed([sys.executable, "-c", OURS, str(path)])
                ratios.append(ours / bare)
                print(
                    f"bare script {bare:6.2f} s   Bidproof {ours:6.2f} s   ratio {ours / bare:.2f}",
                    flush=True,
                )
            print(f"bare script: {found}\nBidproof: {printed}\nmedian ratio {statistics.median(ratios):.2f}")
            content = {"pages": count, "ratios": ratios, "median": statistics.median(ratios)}
    if options.json:
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
