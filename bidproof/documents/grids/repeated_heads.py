"""Header rows printed again where a table runs on over a page: what counts as the same header.

Compares texts only. Holds no grids and numbers no tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

MOST_HEADS = 3
# Letters that a header must have before its rows may be set otherwise and still count as the same.
_TELLING = 8
_LONGEST_TITLE = 20
_MARK = r"continued|cont['’]?d|suite(?: et fin)?|fin|fortsetzung|continuaci[oó]n|continua[cç][aã]o|segue|ti[eế]p theo"
_CONTINUED = re.compile(
    rf"\s*(?:[(\[]\s*(?:{_MARK})\.?\s*[)\]]|[-–—,:]\s*(?:{_MARK})\.?$|^(?:continued|cont['’]?d)\.?$)\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")

# Texts of a row's cells, one a column, blanks where a column says nothing.
Texts = Sequence[str]


def fold(text: str) -> str:
    """Letters and digits of a cell without case, spaces, hyphens and a note that it goes on; signs if it has no others."""
    plain = _CONTINUED.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()
    return "".join(letter for letter in plain if letter.isalnum()) or "".join(plain.split())


def row_key(row: Texts) -> tuple[str, ...]:
    """What a row says, cell by cell: columns that say nothing are left out, as merged cells are cut at will."""
    return tuple(word for word in map(fold, row) if word)


def heads_again(heads: Sequence[Texts], rows: Sequence[Texts]) -> int:
    """Number of `rows` on top that print header rows again: all of them or some, in their order.

    A title that says that the table goes on may stand before them. The same words in other rows and cells are the
    same header: a page may cut merged cells otherwise.
    """
    keys = [row_key(head) for head in heads]
    count = at = 0
    titled = 0
    for number, row in enumerate(rows):
        key = row_key(row)
        if key and key in keys[at:]:
            at = keys.index(key, at) + 1
            count = number + 1
        elif number == titled and is_continued(row):
            titled += 1
        else:
            break
    count = max(count, titled)
    if at < len(keys):
        whole = _letters(heads)
        for height in range(count + 1, min(titled + MOST_HEADS, len(rows)) + 1):
            if whole is not None and _letters(rows[titled:height]) == whole:
                return height
    return count


def shared_heads(rows: Sequence[Texts], below: Sequence[Texts], titles: int) -> tuple[int, int]:
    """Which rows on top of a table stand on top of the next page too: (the first, the one behind the last).

    Before the first there may be `titles` rows that the next page does not repeat. (0, 0) where none is the same.
    """
    skipped = next((n for n, row in enumerate(below) if not is_continued(row)), len(below))
    keys, again = [row_key(row) for row in rows], [row_key(row) for row in below[skipped:]]
    if not again:
        return 0, 0
    for first in range(min(titles, len(keys) - 1) + 1):
        if keys[first] and keys[first] == again[0] and (first == 0 or len(keys[first]) > 1):
            count = 1
            while count < min(len(again), len(keys) - first) and keys[first + count] == again[count]:
                count += 1
            return first, first + count
    for height in range(1, min(MOST_HEADS, len(rows) - 1) + 1):
        whole = _letters(rows[:height])
        for other in range(1, min(MOST_HEADS, len(again)) + 1):
            if whole is not None and _letters(below[skipped : skipped + other]) == whole:
                return 0, height
    return 0, 0


def is_continued(row: Texts) -> bool:
    """A row of one text that says that the table goes on from the page before."""
    said = [unicodedata.normalize("NFKC", text).strip() for text in row if text]
    if len(said) != 1 or len(said[0].split()) > _LONGEST_TITLE:
        return False
    return any(mark.end() == len(said[0]) for mark in _CONTINUED.finditer(said[0]))


def counts_columns(row: Texts) -> bool:
    """The columns' numbers, 1 and onward, as forms print them above or below the heads."""
    said = [fold(text) for text in row if text]
    return len(said) > 1 and said in (
        [str(number + 1) for number in range(len(said))],
        [chr(ord("a") + number) for number in range(len(said))],
    )


def _letters(rows: Sequence[Texts]) -> tuple[Counter[str], tuple[str, ...]] | None:
    """Letters of the rows in no order, and their words with digits: how cells and lines are cut does not show."""
    letters: Counter[str] = Counter()
    figures = []
    for text in (text for row in rows for text in row):
        for word in _WORD.findall(_CONTINUED.sub(" ", unicodedata.normalize("NFKC", text)).casefold()):
            if any(map(str.isdigit, word)):
                figures.append(word)
            else:
                letters.update(word)
    return (letters, tuple(sorted(figures))) if letters.total() >= _TELLING else None
