"""Text that runs from right to left (Arabic, Hebrew): from places on the page to the order in which it is read.

PDFs print such text in pieces, in the order of the eye or of the reader, with letters of one ligature turned
about. Places on the page are what can be trusted: letters run to the left, figures and Latin words within them to
the right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bidproof.documents.page import around

if TYPE_CHECKING:
    from bidproof.documents.sheets.word import Word

_LETTER = re.compile(r"[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_FORMS = re.compile(r"[\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
# A bar that stretches a word for the eye, and marks that turn the direction.
_STRETCH = re.compile(r"[\u0640\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TOUCHING = 0.1
# Marks that stand within a figure or a reference.
_INNER = ".,/:-%"


def runs_leftward(text: str) -> bool:
    """True for text that holds letters written from right to left."""
    return not text.isascii() and _LETTER.search(text) is not None


def one_way_runs(text: str, chars: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Pieces of a run without spaces that hold letters of one direction only, each in reading order.

    Args:
        text: the run.
        chars: MuPDF's characters of it, one for each letter of `text`.
    """
    pieces: list[list[int]] = []
    for at in range(len(text)):
        if not pieces or _turns(text[pieces[-1][-1]], text[at]):
            pieces.append([])
        pieces[-1].append(at)
    for piece in pieces:
        yield from _settled(text, chars, piece)


def _turns(before: str, letter: str) -> bool:
    left, right = _LETTER.match(before) is not None, _LETTER.match(letter) is not None
    return left != right and (before.isalnum() or letter.isalnum())


def _settled(
    text: str, chars: Sequence[dict[str, Any]], piece: list[int]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The letters of a piece by their places, cut where one stands apart from the rest."""
    leftward = any(_LETTER.match(text[at]) for at in piece)
    # A vowel sign has no place of its own: it goes with its letter.
    groups: list[list[int]] = []
    for at in piece:
        if groups and unicodedata.category(text[at]) == "Mn":
            groups[-1].append(at)
        else:
            groups.append([at])
    turn = -1 if leftward else 1
    groups.sort(key=lambda group: turn * (chars[group[0]]["bbox"][0] + chars[group[0]]["bbox"][2]))
    parts: list[list[int]] = []
    end = 0.0
    for group in groups:
        left, top, right, bottom = chars[group[0]]["bbox"]
        if not parts or turn * ((left if turn > 0 else right) - end) > _TOUCHING * (bottom - top):
            parts.append([])
        parts[-1].extend(group)
        end = right if turn > 0 else left
    for part in parts:
        order = _ligatures(text, chars, part) if leftward else part
        letters = "".join(text[at] for at in order)
        if leftward:
            letters = _STRETCH.sub(
                "", _FORMS.sub(lambda form: unicodedata.normalize("NFKC", form[0]), letters)
            )
        yield letters, [chars[at] for at in order]


def _ligatures(text: str, chars: Sequence[dict[str, Any]], piece: list[int]) -> list[int]:
    """Letters of a ligature take the place of one and come turned about: those without width before the one."""
    settled: list[int] = []
    held: list[int] = []
    for at in piece:
        left, _, right, _ = chars[at]["bbox"]
        if right - left < 0.01 and unicodedata.category(text[at]) == "Lo":
            held.append(at)
            continue
        settled.append(at)
        settled.extend(reversed(held))
        held = []
    return settled + held


def in_reading_order(words: list[Word]) -> list[Word]:
    """Words of one line with letters written leftward, from the right; pieces of one word are put together."""
    joined = _rightward_pieces(sorted(words, key=lambda word: word.x0))
    ordered = sorted(joined, key=lambda word: -word.x1)
    line: list[Word] = []
    for word in ordered:
        if line and line[-1].x0 - word.x1 <= _TOUCHING * word.size:
            line[-1] = _together(line[-1], word, line[-1].text + word.text)
        else:
            line.append(word)
    return _latin_turned(line)


def _rightward_pieces(words: list[Word]) -> list[Word]:
    """Pieces of one figure or Latin word put together from the left."""
    joined: list[Word] = []
    for word in words:
        before = joined[-1] if joined else None
        if (
            before is not None
            and not runs_leftward(before.text + word.text)
            and word.x0 - before.x1 <= _TOUCHING * word.size
            and (before.text[-1].isalnum() or (len(before.text) > 1 and before.text[-1] in _INNER))
            and (word.text[0].isalnum() or word.text[0] in _INNER)
        ):
            joined[-1] = _together(before, word, before.text + word.text)
        else:
            joined.append(word)
    return joined


def _together(one: Word, other: Word, text: str) -> Word:
    box = around([one[1:5], other[1:5]])
    return one._replace(text=text, x0=box[0], y0=box[1], x1=box[2], y1=box[3])


def _latin_turned(words: list[Word]) -> list[Word]:
    """Several Latin words in a row read from the left."""
    turned: list[Word] = []
    run: list[Word] = []
    for word in [*words, None]:
        if word is not None and not runs_leftward(word.text) and _LATIN.search(word.text):
            run.append(word)
            continue
        turned.extend(reversed(run))
        run = []
        if word is not None:
            turned.append(word)
    return turned
