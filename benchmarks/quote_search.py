"""How long the search for one quote takes in a text of 50,000 characters, rung by rung and at its worst.

    python benchmarks/quote_search.py [--characters 50000] [--limit 50] [--repeat 5]

Texts are made here, none is read. Each case is a quote and a text that end on a known rung, or on none: a quote that
stands nowhere goes down the whole ladder. Cold: the first search in a text, whose glyphs must be folded; warm: the
next one in the same text, as for all other rules of a pack. Exit code 1 where a median is above the limit (ms).
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from bidproof.verification import quotes
from bidproof.verification.quotes import match_quote

LINE = (
    "the bidder supplies meters with a communication module and reads them at night over the grid while every "
    "certificate of the plant remains valid under the contract terms for each lot of the works"
)
WORDS = LINE.split()
QUOTE = "Our offer remains valid for one hundred and fifty calendar days from the submission date of the bid."


@dataclass(frozen=True)
class Case:
    """A quote, a text, and the rung on which the search must end."""

    name: str
    kind: str
    quote: str
    text: str


def prose(characters: int, end: str, seed: int = 1) -> str:
    """Sentences of common words, `characters` long, with `end` as the last one."""
    chance, parts, size = random.Random(seed), [], 0
    while size < characters - len(end):
        sentence = " ".join(chance.choices(WORDS, k=14)).capitalize() + ". "
        parts.append(sentence)
        size += len(sentence)
    return "".join(parts)[: characters - len(end) - 1] + " " + end


def repeated(unit: str, characters: int, end: str = "") -> str:
    """`unit` over and over, then `end`; `characters` long."""
    room = characters - len(end)
    return (unit * (room // len(unit) + 1))[:room] + end


def cases(size: int) -> list[Case]:
    """One case for each rung and the worst ones known, on texts of `size` characters."""
    typed = QUOTE.replace(" calendar", "\u00a0calendar").replace("Our", "\u201cOur")
    broken = QUOTE.replace("submission", "submis-\nsion")
    between = QUOTE.replace("remains valid", "then remains, as said above, valid")
    words = " ".join(WORDS[:40] * 2)[:240]
    spread = " zzz yyy xxx ".join(QUOTE.split())
    return [
        Case("exact, at the end", "exact", QUOTE, prose(size, QUOTE)),
        Case("typographic, at the end", "typographic", QUOTE, prose(size, typed)),
        Case("typographic, text of special glyphs", "typographic", QUOTE, repeated("\u201c\u2011\u00a0\ufb01\u201d ", size, " " + typed)),
        Case("de-hyphenated, at the end", "dehyphenated", QUOTE, prose(size, broken)),
        Case("de-hyphenated, a break in every word", "dehyphenated", QUOTE, repeated("me-\nter of con-\nnection ", size, " " + broken)),
        Case("elided, at the end", "elided", "Our offer remains ... of the bid.", prose(size, QUOTE)),
        Case("interleaved, at the end", "interleaved", QUOTE, prose(size, between)),
        Case("absent, prose", "none", QUOTE.replace("fifty", "eighty"), prose(size, QUOTE)),
        Case("absent, every word common", "none", "Works " + words, prose(size, QUOTE)),
        Case("absent, one word repeated", "none", "meter " * 40 + "zone", repeated("meter ", size)),
        Case("absent, repeated to the last word", "none", "meter " * 39 + "meters", repeated("meter ", size, "zone")),
        Case("absent, repeated before its last word", "none", "meter " * 39 + "zone", repeated("meter ", size, "grid " * 599 + "zone")),
        Case("absent, repeated behind its last word", "none", "meter " * 39 + "zone", "zone " + repeated("meter ", size - 5)),
        Case("absent, two words by turns", "none", "meter zone zone meter " * 9 + "grid meter", repeated("meter zone ", size - 500) + "grid " * 100),
        Case("absent, other script", "none", "招标文件 要求 投标人 提供", repeated("本投标文件有效期为一百五十天。", size)),
        Case("absent, accents", "none", "délai de validité échéance", repeated("la garantie est délivrée à l’échéance ", size)),
        Case("absent, repeated and spread too wide", "none", QUOTE, repeated(spread + " ", size)),
        Case("absent, cut inside words", "none", "eter meter mete", repeated("meter ", size)),
        Case("absent, one letter without a space", "none", "aaaa aaa aaaa", "a" * size),
        Case("absent, many parts of an ellipsis", "none", " ... ".join(["the bidder"] * 30 + ["zone"]), prose(size, QUOTE)),
        Case("absent, hyphens everywhere", "none", "a-b a-b c-d e", repeated("a-b", size)),
    ]  # fmt: skip


def _forget() -> None:
    quotes._folded.cache_clear()


def timed(call: Callable[[], object], repeat: int, before: Callable[[], None] | None = None) -> float:
    """Median milliseconds of CPU of a call."""
    taken = []
    for _ in range(repeat):
        if before:
            before()
        start = time.process_time()
        call()
        taken.append(1000 * (time.process_time() - start))
    return statistics.median(taken)


def measure(size: int, repeat: int) -> list[tuple[Case, str, float, float]]:
    """Each case with the rung it ended on and its median times, cold and warm."""
    found = []
    for case in cases(size):
        kind = match_quote(case.quote, case.text).kind.value
        cold = timed(lambda case=case: match_quote(case.quote, case.text), repeat, _forget)
        warm = timed(lambda case=case: match_quote(case.quote, case.text), repeat)
        found.append((case, kind, cold, warm))
    return found


def main() -> int:
    """Print the table; 1 where a case takes longer than the limit or ends on another rung."""
    options = argparse.ArgumentParser(description="Time of one quote search")
    options.add_argument("--characters", type=int, default=50_000)
    options.add_argument("--limit", type=float, default=50.0, help="milliseconds")
    options.add_argument("--repeat", type=int, default=5)
    given = options.parse_args()
    rows = measure(given.characters, given.repeat)
    print(
        f"| case ({given.characters:,} characters) | ends on | first search, ms | next search, ms |\n|---|---|---|---|"
    )
    for case, kind, cold, warm in rows:
        print(f"| {case.name} | {kind} | {cold:.1f} | {warm:.1f} |")
    slow = [case.name for case, _, cold, warm in rows if max(cold, warm) > given.limit]
    wrong = [f"{case.name}: {kind}, not {case.kind}" for case, kind, _, _ in rows if kind != case.kind]
    for said in (*(f"over {given.limit:g} ms: {name}" for name in slow), *wrong):
        print(said, file=sys.stderr)
    return 1 if slow or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
