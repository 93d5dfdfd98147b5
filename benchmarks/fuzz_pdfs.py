"""Damages PDFs in many ways and reads what is left: counts crashes, hangs and lost files.

    python benchmarks/fuzz_pdfs.py [--more FOLDER ...] [--count 500] [--seconds 900] [--seed 1] [--keep DIR]

The seeds are a few pages of each of the example's PDFs and of those below the folders of `--more`, each written in
three ways (plain, compressed, and for others to open with a password). Each round flips, cuts, inserts, swaps or
repeats bytes of a seed, or changes its objects, surveys the result and reads it through the same worker processes as
the pipeline. A page or a file may be unreadable; the program may not raise, and a worker should neither die nor
overstay its limit. Exit code 1 where one did, or where time ran out before all rounds were done.
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

from bidproof.documents import inspect_files, read_once
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.intake.unpacking import CONTAINER_KINDS, unpack_all
from bidproof.params import DocumentParams

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "inbox"
PAGES = 3
LIMIT = 20.0
LOCKED = pymupdf.PDF_ENCRYPT_RC4_128
KEYS = (
    "Kids",
    "Count",
    "MediaBox",
    "Rotate",
    "Contents",
    "Resources",
    "Parent",
    "Length",
    "Filter",
    "Type",
    "W",
)
VALUES = ("null", "0", "-1", "[]", "<<>>", "99999 0 R", "1 0 R", "[0 0 0 0]", "[0 0 1e9 1e9]", "(text)", "45")
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


def sources(folders: list[Path], random_: random.Random) -> list[bytes]:
    """A few pages of each file, plain and compressed, so that damage reaches structure and content."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.pdf")):
        with pymupdf.open(path) as document:
            if document.needs_pass:
                continue
            first = random_.randrange(max(1, document.page_count - PAGES))
            document.select(range(first, min(first + PAGES, document.page_count)))
            found.append(document.tobytes(garbage=3, expand=255))
            found.append(document.tobytes(garbage=3, deflate=True, use_objstms=True))
            found.append(
                document.tobytes(garbage=3, deflate=True, encryption=LOCKED, owner_pw="o", user_pw="")
            )
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


def change(data: bytearray, rnd: random.Random) -> None:
    """Objects changed by key, which leaves the file sound to look at: trees that bite their tail, odd boxes."""
    try:
        with pymupdf.open(stream=bytes(data), filetype="pdf") as document:
            for _ in range(rnd.choice((1, 3, 10))):
                xref = rnd.randrange(1, max(2, document.xref_length()))
                document.xref_set_key(xref, rnd.choice(KEYS), rnd.choice(VALUES))
            data[:] = document.tobytes(expand=255 * rnd.randrange(2))
    except Exception:
        flip(data, rnd)


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    cut,
    insert,
    number,
    repeat,
    rename,
    change,
)


class NoCache:
    """Keeps nothing, so that every file is read."""

    def get(self, key: str) -> None:
        """Nothing."""

    def put(self, key: str, content: bytes) -> None:
        """Let it go."""


def read(path: Path, params: DocumentParams, store: Path) -> str:
    """What became of a file, members and all: read, partly, unreadable, or a fault."""
    file = SourceFile(file_name=path.name, path=path, size=path.stat().st_size, sha256=hash_file(path))
    names = {"tender": "f", "bidder": "f", "tender_name": "f", "bidder_name": "f", "role": "bid"}
    notes, states = [], []
    try:
        files = {each.file_name: each for each in unpack_all([file], store)}
        rows = inspect_files(list(files.values()), pack="f--f", params=params, **names).to_dicts()
        for row in rows:
            notes += row["warnings"]
            states.append(row["status"])
            if row["status"] != "ok" or row["kind"] in CONTAINER_KINDS or row["duplicate_of"]:
                continue
            parsed = read_once(files[row["file_name"]], params, NoCache())
            if parsed is None:
                return "FAULT: sound when surveyed, unreadable when read"
            notes += [*parsed.warnings, *parsed.pages["note"]]
            states += parsed.pages["status"].to_list()
    except Exception as error:
        return f"FAULT: {type(error).__name__}: {error}"
    said = " ".join(notes)
    if "crash" in said:
        return "CRASH"
    if "page_seconds" in said or "for ever" in said:
        return "HANG"
    if "ok" not in states:
        return "unreadable"
    return "partly" if set(states) & {"unreadable", "garbled"} else "read"


def arguments(text: str) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--more", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the files on which something broke")
    return parser.parse_args()


Seed = tuple[str, bytes]
Damage = Callable[[bytearray, random.Random], None]


def rounds(pool: list[Seed], damages: tuple[Damage, ...], given: argparse.Namespace) -> int:
    """Damage and read; print what became of the files. Returns 1 where something broke or time ran out."""
    rnd = random.Random(given.seed)
    params = DocumentParams(ocr=False, page_seconds=LIMIT, workers=1)
    seen: Counter[str] = Counter()
    slowest, until = 0.0, time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as temporary:
        for round_ in range(given.count):
            if time.monotonic() > until:
                break
            suffix, seed = rnd.choice(pool)
            data = bytearray(seed)
            for damage in rnd.choices(damages, k=rnd.choice((1, 1, 2, 3))):
                if data:
                    damage(data, rnd)
            path = Path(temporary) / f"damaged{suffix}"
            path.write_bytes(data)
            started = time.monotonic()
            became = read(path, params, Path(temporary) / "store")
            slowest = max(slowest, time.monotonic() - started)
            seen[became] += 1
            if became.isupper() or became.startswith("FAULT"):
                print(f"round {round_}, {suffix}: {became}", flush=True)
                if given.keep:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{given.seed}-{round_}{suffix}").write_bytes(data)
    done = sum(seen.values())
    counts = ", ".join(f"{count} {name}" for name, count in seen.most_common())
    print(f"{done} of {given.count} files from {len(pool)} seeds: {counts}; slowest {slowest:.1f} s")
    return int(done < given.count or any(name.isupper() or name.startswith("FAULT") for name in seen))


def main() -> int:
    """Run the rounds on PDFs."""
    given = arguments(str(__doc__))
    pool = [(".pdf", data) for data in sources([EXAMPLES, *given.more], random.Random(given.seed))]
    return rounds(pool, DAMAGES, given)


if __name__ == "__main__":
    sys.exit(main())
