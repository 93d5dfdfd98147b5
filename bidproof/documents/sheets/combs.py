"""Combs of forms: one figure written with a digit in each of a row of small boxes.

Digit by digit it would read as a row of a table, and the figure as many.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from bidproof.documents.grids.rules import Rules
from bidproof.documents.page import Rect, around
from bidproof.documents.sheets.word import Word
from bidproof.documents.sheets.words import Fragment

_TOOTH = re.compile(r"[0-9.,]")
_MIN_DIGITS, _EVEN, _PITCH, _HIGH = 4, 0.15, 2.6, 3.0


def join_combs(fragments: list[Fragment], rules: Rules) -> tuple[list[Fragment], Rules]:
    """Fragments with the digits of each ruled comb as one word, and the rules less those of combs."""
    if len(rules.vertical) < _MIN_DIGITS - 1:
        return fragments, rules
    teeth = [word for part in fragments if part.level for word in part.words if _TOOTH.fullmatch(word.text)]
    if len(teeth) < _MIN_DIGITS:
        return fragments, rules
    joined: dict[int, Word | None] = {}
    gone: set[Rect] = set()
    for run in _runs(teeth, rules.vertical):
        text = "".join(word.text for word in run)
        steps = {int(b) - int(a) for a, b in pairwise(text)} if text.isdecimal() else set()
        if sum(map(str.isdigit, text)) < _MIN_DIGITS or steps in ({1}, {-1}):
            # 1 2 3 4 5 in boxes is a scale to choose from.
            continue
        box = around([word[1:5] for word in run])
        joined |= {id(word): None for word in run}
        joined[id(run[0])] = run[0]._replace(text=text, x0=box[0], y0=box[1], x1=box[2], y1=box[3])
        reach = run[1].x0 - run[0].x0
        gone |= {
            rule
            for rule in rules.vertical
            if box[0] - reach <= rule[0] <= box[2] + reach and rule[1] < box[3] and rule[3] > box[1]
        }
    if not joined:
        return fragments, rules
    parts = []
    for part in fragments:
        if not any(id(word) in joined for word in part.words):
            parts.append(part)
            continue
        words = [kept for word in part.words if (kept := joined.get(id(word), word)) is not None]
        if words:
            parts.append(Fragment(words, part.level))
    return parts, replace(rules, vertical=[rule for rule in rules.vertical if rule not in gone])


def _runs(teeth: list[Word], vertical: list[Rect]) -> list[list[Word]]:
    """Digits side by side at one pitch, with a short upright rule between each two."""
    runs: list[list[Word]] = []
    for word in sorted(teeth, key=lambda word: (round(word.base), word.x0)):
        before = runs[-1][-1] if runs else None
        if before is not None and round(before.base) == round(word.base) and _parted(before, word, vertical):
            pitch = _centre(word) - _centre(before)
            first = _centre(runs[-1][1]) - _centre(runs[-1][0]) if len(runs[-1]) > 1 else pitch
            if pitch <= _PITCH * word.size and abs(pitch - first) <= _EVEN * first + 0.5:
                runs[-1].append(word)
                continue
        runs.append([word])
    return [run for run in runs if len(run) >= _MIN_DIGITS]


def _centre(word: Word) -> float:
    return (word.x0 + word.x1) / 2


def _parted(before: Word, word: Word, vertical: list[Rect]) -> bool:
    """Whether a rule no higher than a box for one digit stands between, and none goes on above or below it."""
    middle = word.base - 0.35 * word.size
    between = [rule for rule in vertical if before.x1 - 1 <= rule[0] <= word.x0 + 1]
    here = [rule for rule in between if rule[1] <= middle <= rule[3] or rule[1] <= word.base <= rule[3] + 1]
    return bool(here) and max(r[3] for r in between) - min(r[1] for r in between) <= _HIGH * word.size
