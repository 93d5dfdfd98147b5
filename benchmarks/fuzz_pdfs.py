"""Damages the example PDFs in many ways and reads what is left: counts crashes, hangs and lost files.

    python benchmarks/fuzz_pdfs.py [--count 300] [--seconds 600] [--seed 1] [--keep DIR]

Each round flips, cuts, inserts, swaps or repeats bytes of a few pages of an example, surveys the result and
reads it through the same worker processes as the pipeline. A page or a file may be unreadable; the program
may not raise, and a worker should neither die nor overstay its limit. Exit code 1 where one did.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pymupdf

from bidproof.documents import inspect_files, parse_file
from bidproof.errors import UnreadableFileError
from bidproof.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "inbox"
PAGES = 3
LIMIT = 20.0
WORDS = [
    b"obj",
    b"endobj",
    b"stream",
    b"endstream",
    b"xref",
    b"trailer",
    b"/Length",
    b"/Kids",
    b"/Count",
    b"/Type",
]


def sources(random_: random.Random) -> list[bytes]:
    """A few pages of each example, plain and compressed, so that damage reaches structure and content."""
    found = []
    for path in sorted(EXAMPLES.rglob("*.pdf")):
        with pymupdf.open(path) as document:
            first = random_.randrange(max(1, document.page_count - PAGES))
            document.select(range(first, min(first + PAGES, document.page_count)))
            found.append(document.tobytes(garbage=3, expand=255))
            found.append(document.tobytes(garbage=3, deflate=True, use_objstms=True))
    return found


def flip(data: bytearray, rnd: random.Random) -> None:
    """Bits of a few bytes."""
    for _ in range(rnd.choice((1, 5, 50, 500))):
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)


def cut(data: bytearray, rnd: random.Random) -> None:
    """A piece taken out, or the end."""
    at = rnd.randrange(len(data))
    del data[at : at + rnd.choice((1, 100, 10_000, len(data)))]


def insert(data: bytearray, rnd: random.Random) -> None:
    """Random bytes or words of the format put in."""
    at = rnd.randrange(len(data))
    data[at:at] = rnd.choice((rnd.randbytes(rnd.choice((1, 64, 4096))), rnd.choice(WORDS) + b" "))


def number(data: bytearray, rnd: random.Random) -> None:
    """Numbers replaced: lengths, references, boxes, sizes."""
    places = [found.span() for found in re.finditer(rb"-?\d+(\.\d+)?", bytes(data))]
    for start, end in sorted(rnd.sample(places, min(len(places), rnd.choice((1, 4, 20)))), reverse=True):
        data[start:end] = rnd.choice(
            (b"0", b"-1", b"1", b"4294967296", b"99999999999999999999", b"1e9", b"0.0001")
        )


def repeat(data: bytearray, rnd: random.Random) -> None:
    """A piece written over another."""
    at, to, size = rnd.randrange(len(data)), rnd.randrange(len(data)), rnd.choice((16, 256, 4096))
    data[to : to + size] = data[at : at + size]


def rename(data: bytearray, rnd: random.Random) -> None:
    """A word of the format put in another's place."""
    old, new = rnd.sample(WORDS, 2)
    data[:] = bytes(data).replace(old, new, rnd.choice((1, 3, -1)))


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (flip, cut, insert, number, repeat, rename)


def read(path: Path, params: DocumentParams) -> str:
    """What became of a file: read, partly, unreadable, or a fault."""
    file = SourceFile(file_name=path.name, path=path, size=path.stat().st_size, sha256=hash_file(path))
    try:
        row = inspect_files(
            [file],
            pack="f--f",
            tender="f",
            bidder="f",
            tender_name="f",
            bidder_name="f",
            role="bid",
            params=params,
        ).to_dicts()[0]
        notes = " ".join(row["warnings"])
        if row["status"] == "ok":
            pages = parse_file(path, params).pages
            notes += " ".join(pages["note"])
    except UnreadableFileError as error:
        return (
            "FAULT: sound when surveyed, unreadable when read"
            if "put together" in str(error)
            else "unreadable"
        )
    except Exception as error:
        return f"FAULT: {type(error).__name__}: {error}"
    if "crash" in notes:
        return "CRASH"
    if "page_seconds" in notes or "for ever" in notes:
        return "HANG"
    if row["status"] != "ok":
        return "unreadable"
    return "partly" if set(pages["status"]) & {"unreadable", "garbled"} else "read"


def main() -> int:
    """Run the rounds and print what became of the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the files on which something broke")
    given = parser.parse_args()
    rnd = random.Random(given.seed)
    pool = sources(rnd)
    params = DocumentParams(ocr=False, page_seconds=LIMIT, workers=1)
    seen: Counter[str] = Counter()
    slowest, until = 0.0, time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.pdf"
        for round_ in range(given.count):
            if time.monotonic() > until:
                break
            data = bytearray(rnd.choice(pool))
            for damage in rnd.choices(DAMAGES, k=rnd.choice((1, 1, 2, 3))):
                if data:
                    damage(data, rnd)
            path.write_bytes(data)
            started = time.monotonic()
            became = read(path, params)
            slowest = max(slowest, time.monotonic() - started)
            seen[became] += 1
            if became.isupper() or became.startswith("FAULT"):
                print(f"round {round_}: {became}", flush=True)
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{given.seed}-{round_}.pdf").write_bytes(data)
    print(", ".join(f"{count} {name}" for name, count in seen.most_common()), f"; slowest {slowest:.1f} s")
    return int(any(name.isupper() or name.startswith("FAULT") for name in seen))


if __name__ == "__main__":
    sys.exit(main())
