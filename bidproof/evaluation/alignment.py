"""Where a chunk stands in the characters of the text that was read: gold is given in offsets of the source.

Reading joins lines and drops signs, so that offsets of a block are not those of its text file. Holds that way back
only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bidproof.evaluation.metrics import merged

_LINE_END = re.compile(r"\r\n|[\r\n\f]")
_LINES = re.compile(r"lines? (\d+)(?: to (\d+))?$")
# Signs in which two texts must agree to be in step again, and how far it is looked for.
_AGREED, _FAR = 6, 40

BlockKey = tuple[int, int]
Range = tuple[int, int]


def line_ranges(text: str) -> list[Range]:
    """Character range of each line of a text, as the reader of text files parts them."""
    starts, ends = [0], []
    for found in _LINE_END.finditer(text):
        ends.append(found.start())
        starts.append(found.end())
    return list(zip(starts, [*ends, len(text)], strict=True))


def source_places(text: str, blocks: Sequence[Mapping[str, Any]]) -> dict[BlockKey, list[int]]:
    """For each block, by page and number: the offset in `text` of each of its characters.

    A character that the source has not, such as a space put between two lines, has the place of the one before it.
    Blocks without line numbers, so not of a text file, are left out.
    """
    lines = line_ranges(text)
    found: dict[BlockKey, list[int]] = {}
    for block in blocks:
        named = _LINES.match(block["anchor"] or "")
        if named is None:
            continue
        first, last = int(named[1]), int(named[2] or named[1])
        start, end = lines[first - 1][0], lines[min(last, len(lines)) - 1][1]
        found[block["page"], block["block_no"]] = _aligned(block["text"], text, start, end)
    return found


def _aligned(block: str, text: str, start: int, end: int) -> list[int]:
    """Offset in `text`, between `start` and `end`, of each character of `block`.

    Both are walked side by side, white space left out. Where they differ, the nearest place is taken from which they
    agree again for a few signs; a sign that the source has not stands at the place before it.
    """
    own = [number for number, sign in enumerate(block) if not sign.isspace()]
    source = [number for number in range(start, end) if not text[number].isspace()]
    one, other = "".join(block[at] for at in own), "".join(text[at] for at in source)
    places, left, right = [-1] * len(block), 0, 0
    while left < len(one) and right < len(other):
        if one[left] == other[right]:
            places[own[left]] = source[right]
            left, right = left + 1, right + 1
        else:
            skip = _agreement(one, other, left, right)
            left, right = left + skip[0], right + skip[1]
    last = start
    for number, place in enumerate(places):
        last = places[number] = place if place >= 0 else last
    return places


def _agreement(one: str, other: str, left: int, right: int) -> tuple[int, int]:
    """The fewest signs to pass over on both sides until they agree again; one on each where they do not soon."""
    for total in range(1, _FAR):
        for passed in range(total + 1):
            ours, theirs = left + passed, right + total - passed
            ahead = one[ours : ours + _AGREED]
            if ahead and ahead == other[theirs : theirs + _AGREED]:
                return passed, total - passed
    return 1, 1


def chunk_ranges(chunk: Mapping[str, Any], places: Mapping[BlockKey, Sequence[int]]) -> list[Range]:
    """Source ranges that a chunk covers, one for each block, in order.

    `chunk` is a row of `tables.CHUNKS`; headings and table headers that lead it count as well.
    """
    found: list[Range] = []
    for span in chunk["spans"]:
        block = places.get((span["page"], span["block_no"]))
        low, high = span["block_start"], span["block_start"] + span["end"] - span["start"]
        if block and low < high <= len(block):
            found.append((block[low], block[high - 1] + 1))
    return merged(found)


class Ink:
    """Counts of the characters of a text that are no white space, so that gaps of spaces do not matter."""

    def __init__(self, text: str) -> None:
        self._before = [0]
        for sign in text:
            self._before.append(self._before[-1] + (not sign.isspace()))

    def __call__(self, ranges: Sequence[Range]) -> int:
        """Characters with ink in all of `ranges` together."""
        last = len(self._before) - 1
        return sum(
            self._before[min(end, last)] - self._before[min(start, last)] for start, end in merged(ranges)
        )

    def holds(self, ranges: Sequence[Range], start: int, end: int) -> bool:
        """Whether every character with ink from `start` to `end` lies in `ranges`."""
        inside = [(max(low, start), min(high, end)) for low, high in ranges]
        return self(inside) == self([(start, end)])
