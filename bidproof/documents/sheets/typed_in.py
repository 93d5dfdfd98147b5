"""What was typed into the blanks of a form: set where it stands, not behind the line that holds the blank.

A form's line is one run of text; what is typed into its blanks comes later in the file, as text of its own or as a
note. Behind the line, `We accept [ ] We do not accept [ ]` and an X say the opposite of what the page shows. Knows no
fields, columns or tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bidproof.documents.sheets.direction import runs_leftward
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment

# How far above or below the form's baseline what is typed may stand, in sizes of the form's type.
_ABOVE, _BELOW = 0.6, 0.35
# Parts of a size: what may overlap, what parts two runs of typed words, what parts columns.
_TOUCH, _APART, _WIDE = 0.3, 0.45, 1.5
_SAME_BASELINE = 0.4
_BLANK = re.compile(
    r"[_.…·‗]{2,}|…|[-–—]{3,}|(?<!\w)_(?!\w)|(?<=[\[({|])[-._·–—](?=[\])}|])|(?<=\[)(?=\])|(?<=\()(?=\))|[☐□◻○]"
)
_LEADER = re.compile(r"[.…·]+")
_PAGE_NUMBER = re.compile(r"\d{1,4}|[ivxlc]{1,7}", re.I)
_TICKS = dict.fromkeys("xX×✗✘☓☒", "☒") | dict.fromkeys("vV✓✔√☑", "☑")


def set_in_place(fragments: list[Fragment]) -> list[Fragment]:
    """Fragments with each that stands in a blank or gap of another put there; no word is lost or doubled.

    A blank of underscores or dots that is filled gives way to what fills it. Order is else as it was.
    """
    hosts = _hosts(fragments)
    if not hosts:
        return fragments
    gone: set[int] = set()
    parts: dict[int, list[Fragment]] = {}
    for guest, host in sorted(hosts, key=lambda pair: pair[0].box[2] - pair[0].box[0]):
        pieces, own = parts.get(id(host), [host]), parts.get(id(guest), [guest])
        runs = [Fragment(run) for piece in own for run in _runs(piece)]
        filled = _placed(pieces, [(run, [run]) for run in runs]) if len(runs) > 1 else None
        filled = filled or _placed(pieces, [(guest, own)])
        if filled is not None:
            parts[id(host)] = filled
            gone.add(id(guest))
    return [
        piece
        for fragment in fragments
        if id(fragment) not in gone
        for piece in parts.get(id(fragment), [fragment])
    ]


def _runs(part: Fragment) -> Iterator[list[Word]]:
    """Words of a part that stand close together: what was typed into several blanks may be one part."""
    run: list[Word] = []
    for word in part.words:
        if run and word.x0 - run[-1].x1 > _APART * part.size:
            yield run
            run = []
        run.append(word)
    yield run


def _placed(pieces: list[Fragment], guests: list[tuple[Fragment, list[Fragment]]]) -> list[Fragment] | None:
    """The pieces of a line with all guests put among them, or None where one of them has no place there."""
    for guest, own in guests:
        for at, piece in enumerate(pieces):
            filled = _filled(piece, guest, own)
            if filled is not None:
                pieces = [*pieces[:at], *filled, *pieces[at + 1 :]]
                break
        else:
            return None
    return pieces


def _hosts(fragments: list[Fragment]) -> list[tuple[Fragment, Fragment]]:
    """Fragments that stand within the width of another on about its line, each with the nearest such other."""
    level = sorted((part for part in fragments if part.level), key=lambda part: part.base)
    best: dict[int, tuple[float, Fragment, Fragment]] = {}
    for at, one in enumerate(level):
        for other in level[at + 1 :]:
            if other.base - one.base > 2 * _ABOVE * max(one.size, other.size):
                break
            if one.box[2] <= other.box[0] or other.box[2] <= one.box[0]:
                continue
            wide = one.box[2] - one.box[0] >= other.box[2] - other.box[0]
            host, guest = (one, other) if wide else (other, one)
            middle, above = (guest.box[0] + guest.box[2]) / 2, host.base - guest.base
            if not host.box[0] < middle < host.box[2] or host.text == guest.text:
                continue
            if -_BELOW * host.size <= above <= _ABOVE * host.size and not runs_leftward(host.text):
                held = best.get(id(guest))
                if held is None or abs(above) < held[0]:
                    best[id(guest)] = (abs(above), guest, host)
    return [(guest, host) for _, guest, host in best.values()]


def _filled(host: Fragment, guest: Fragment, pieces: list[Fragment]) -> list[Fragment] | None:
    """The host with the guest in its blank or gap; None where it stands over print, or in no place of its own."""
    x0, _, x1, _ = guest.box
    typed = [word for piece in pieces for word in piece.words]
    slack = _TOUCH * min(host.size, guest.size)
    over = [at for at, word in enumerate(host.words) if word.x0 < x1 - slack and x0 + slack < word.x1]
    blank = max((found for at in over for found in _blanks(host, at, x0, x1)), default=None)
    if blank is not None:
        return _in_blank(host, guest, typed, blank[1], blank[2], blank[3])
    if over and guest.text not in _TICKS:
        return None
    if over:
        # A cross on a printed word: what it does to the word is for the reader, and it stands with that word.
        return [Fragment([*host.words[: over[0]], *typed, *host.words[over[0] :]])]
    middle = (x0 + x1) / 2
    at = sum((word.x0 + word.x1) / 2 < middle for word in host.words)
    if not 0 < at < len(host.words):
        return None
    before, after = host.words[at - 1], host.words[at]
    wide = min(x0 - before.x1, after.x0 - x1) > _WIDE * host.size
    near = abs(guest.base - host.base) <= _SAME_BASELINE * min(guest.size, host.size)
    if wide and near:
        # Columns set apart by spaces: what stands between them stays a part of its own.
        return [Fragment(host.words[:at]), *pieces, Fragment(host.words[at:])]
    return [Fragment([*host.words[:at], *typed, *host.words[at:]])]


def _blanks(host: Fragment, at: int, x0: float, x1: float) -> Iterator[tuple[float, int, int, int]]:
    """Blanks of one word that lie under `x0` to `x1`: how much they share, the word, and their letters."""
    word = host.words[at]
    step = (word.x1 - word.x0) / len(word.text)
    for found in _BLANK.finditer(word.text):
        left, right = word.x0 + found.start() * step, word.x0 + found.end() * step
        if found.start() == found.end():
            left, right = left - step, right + step
        shared = min(right, x1) - max(left, x0)
        # What begins well before the blank was not typed into it.
        if (
            shared > 0
            and x0 >= left - host.size
            and (shared >= 0.5 * min(right - left, x1 - x0) or left <= x0 <= right)
        ):
            yield shared, at, found.start(), found.end()


def _in_blank(
    host: Fragment, guest: Fragment, typed: list[Word], at: int, start: int, end: int
) -> list[Fragment] | None:
    word, blank = host.words[at], host.words[at].text[start:end]
    last = at == len(host.words) - 1 and end == len(word.text)
    if last and _LEADER.fullmatch(blank) and _PAGE_NUMBER.fullmatch(guest.text):
        # An entry of a list of contents: its number stands behind the leader already.
        return None
    seen = not any(each.hidden or each.struck for each in typed)
    if blank and blank in "☐□◻○" and seen and guest.text in _TICKS:
        typed = [typed[0]._replace(text=_TICKS[guest.text])]
    step = (word.x1 - word.x0) / len(word.text)
    left, right = word.x0 + start * step, word.x0 + end * step
    pieces = [word._replace(text=word.text[:start], x1=left)] if start else []
    if blank and not seen:
        # What cannot be seen fills no blank.
        pieces.append(word._replace(text=blank, x0=left, x1=right))
    pieces += typed
    if end < len(word.text):
        pieces.append(word._replace(text=word.text[end:], x0=right))
    return [Fragment([*host.words[:at], *pieces, *host.words[at + 1 :]])]
