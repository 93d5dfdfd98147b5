"""Turns a transcription of real pages into digests, so that the gold holds no third-party text.

    python benchmarks/gold/seal.py TRANSCRIPTION [--check ROOT] [--out DIR]

TRANSCRIPTION is a folder with `tables*.txt` and `headings.txt`, typed from page images; it stays outside the
repository. Writes `tables.json` and `headings.json` beside this script or into DIR. `--check ROOT` also looks each cell up
in the text layer of its pages under ROOT, and prints those that are not there in one piece: typing faults.

A table: `== id`, then `file:`, `pages:`, `kind:`, `headers:` (rows), `scan:` (dots per inch of an image-only copy),
then one line a row with cells parted by ` | `. `<` is merged with the cell to the left, `^` with the cell above,
`?` is not judged, `a || b` takes either. Headings: `== file`, `titles:` (pages of the title), then
`page | heading | parent`, where the parent may be TOP or `?`.

A digest is the first ten hex digits of the SHA-256 of the letters and digits of the text, NFKC and casefolded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MARKS = ("", "<", "^", "?")


def plain(text: str) -> str:
    """Letters and digits of `text`, NFKC, casefolded."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def digest(text: str) -> str:
    """Ten hex digits for a text; empty for a text without letters and digits."""
    letters = plain(text)
    return hashlib.sha256(letters.encode()).hexdigest()[:10] if letters else ""


def digests(text: str) -> str:
    """Digests of the readings of `a || b`, joined by `|`."""
    return "|".join(dict.fromkeys(digest(part) for part in text.split("||")))


def cells(line: str) -> list[str]:
    """Cells of a row as typed."""
    return [cell.strip() for cell in re.split(r"(?<!\|)\|(?!\|)", line)]


def tables(text: str) -> list[dict[str, Any]]:
    """Tables as typed, with rows of equal length."""
    found = []
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        lines = [line for line in part.splitlines() if line.strip()]
        table: dict[str, Any] = {"id": lines[0].strip()}
        names = [line.split(":")[0] for line in lines[1:6]]
        head = 1 + max(
            n for n, name in enumerate(names, 1) if name in ("file", "pages", "scan", "kind", "headers")
        )
        for line in lines[1:head]:
            name, _, value = line.partition(":")
            table[name] = value.strip()
        table["pages"] = [int(page) for page in table["pages"].split()]
        table["headers"] = int(table["headers"])
        table["rows"] = [cells(line) for line in lines[head:]]
        width = max(len(row) for row in table["rows"])
        for row in table["rows"]:
            row.extend([""] * (width - len(row)))
        found.append(table)
    return found


def headings(text: str) -> list[dict[str, Any]]:
    """Files with their headings as typed."""
    found = []
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        lines = [line for line in part.splitlines() if line.strip()]
        titles = [int(page) for page in lines[1].partition(":")[2].split()]
        rows = [cells(line) for line in lines[2:]]
        found.append({"file": lines[0].strip(), "titles": titles, "headings": rows})
    return found


def seal_table(table: dict[str, Any]) -> dict[str, Any]:
    """The table with digests for cells."""
    rows = [[cell if cell in MARKS else digests(cell) for cell in row] for row in table["rows"]]
    return {**table, "rows": rows}


def seal_headings(file: dict[str, Any]) -> dict[str, Any]:
    """The file's headings as page, digest and parents; parents null where not judged, "" at the top."""
    sealed = []
    for page, heading, parent in file["headings"]:
        above = [name.strip() for name in parent.split("||")]
        parents = None if above == ["?"] else ["" if name == "TOP" else digest(name) for name in above]
        sealed.append({"page": int(page), "text": digests(heading), "parents": parents})
    return {**file, "headings": sealed}


def check(found: list[dict[str, Any]], files: list[dict[str, Any]], root: Path) -> None:
    """Print the cells and headings that the text layer of their pages does not hold in one piece."""
    import pymupdf

    def letters(file: str, pages: list[int]) -> str:
        with pymupdf.open(root / file) as document:
            return plain("".join(document[page - 1].get_text() for page in pages))

    for table in found:
        text = letters(table["file"], table["pages"])
        for number, row in enumerate(table["rows"]):
            for cell in row:
                if cell not in MARKS and not any(plain(part) in text for part in cell.split("||")):
                    print(f"{table['id']} row {number}: {cell}")
    for file in files:
        for page, heading, _ in file["headings"]:
            text = letters(file["file"], [int(page)])
            if not any(plain(part) in text for part in heading.split("||")):
                print(f"{file['file']} page {page}: {heading}")


def write(path: Path, content: list[dict[str, Any]]) -> None:
    """One line a row, so that a change shows as one."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    text = re.sub(
        r"\[\s+((?:\"[^\"]*\",?\s*|\d+,?\s*)*)\]", lambda m: "[" + " ".join(m[1].split()) + "]", text
    )
    path.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Seal a transcription."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("transcription", type=Path)
    parser.add_argument("--check", type=Path, metavar="ROOT")
    parser.add_argument("--out", type=Path, default=HERE, metavar="DIR")
    options = parser.parse_args()
    parts = sorted(options.transcription.glob("tables*.txt"))
    found = tables("\n".join(part.read_text(encoding="utf-8") for part in parts))
    files = headings((options.transcription / "headings.txt").read_text(encoding="utf-8"))
    if options.check:
        check(found, files, options.check)
    write(options.out / "tables.json", [seal_table(table) for table in found])
    write(options.out / "headings.json", [seal_headings(file) for file in files])
    count = sum(len(file["headings"]) for file in files)
    print(
        f"{len(found)} tables, {sum(len(t['rows']) for t in found)} rows; {count} headings of {len(files)} files"
    )


if __name__ == "__main__":
    main()
