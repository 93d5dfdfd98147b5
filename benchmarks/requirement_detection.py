"""Requirement detection on isolated sentences, against a baseline of keywords.

    python benchmarks/requirement_detection.py FILE [--json OUT]

FILE is JSON Lines with `doc`, `text` and `label` (`req` or not). Prints precision, recall and F1 of
`bidproof.catalog.mining.requirement_language.is_requirement` and of the baseline (shall, must, should, is required to), over all
sentences and for each document, and the lowest F1 that is left when any one document is taken out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bidproof.catalog.mining.requirement_language import is_requirement

KEYWORDS = re.compile(r"\b(?:shall|must|should|is required to|are required to)\b", re.IGNORECASE)


@dataclass
class Counts:
    """Sentences by what was said and what is so."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __sub__(self, other: Counts) -> Counts:
        return Counts(self.right - other.right, self.wrong - other.wrong, self.missed - other.missed)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)

    def __str__(self) -> str:
        return f"P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}"


def counted(rows: list[dict[str, str]], says: Callable[[str], bool]) -> dict[str, Counts]:
    """Counts by document, and of all under ``."""
    found: dict[str, Counts] = defaultdict(Counts)
    for row in rows:
        said, so = says(row["text"]), row["label"] == "req"
        for name in ("", row["doc"]):
            found[name].right += said and so
            found[name].wrong += said and not so
            found[name].missed += so and not said
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines() if line]
    mined = counted(rows, is_requirement)
    plain = counted(rows, lambda text: bool(KEYWORDS.search(text)))
    documents = sorted(set(mined) - {""})
    lowest = min((mined[""] - mined[name]).f1 for name in documents)
    print(f"{len(rows)} sentences of {len(documents)} documents")
    print(f"keywords     {plain['']}")
    print(f"rules        {mined['']}   lowest without one document {lowest:.3f}")
    for name in documents:
        print(f"  {name:<22} {mined[name]}   keywords F1 {plain[name].f1:.3f}")
    if options.json:
        figures = {name or "all": vars(counts) for name, counts in mined.items()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
