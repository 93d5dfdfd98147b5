"""Horizontal rules through and under words: what is crossed out, and what is underlined."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from bidproof.documents.page import Rect
from bidproof.documents.sheets.words import Fragment, Word

# A stroke through a word runs between these shares of its size above the baseline.
_STRIKE_LOW, _STRIKE_HIGH = 0.12, 0.5
# Underlines run down to this share of the size below the lowest stroke.
_UNDER = 0.45


def mark_struck(fragments: list[Fragment], rules: Iterable[Rect]) -> None:
    """Mark the words that a horizontal rule crosses out or underlines.

    A rule that runs on past the words on both sides borders a table and strikes nothing.
    """
    levels = sorted(rules, key=lambda rule: rule[1])
    heights = [rule[1] for rule in levels]
    for fragment in fragments if levels else ():
        if not fragment.level:
            continue
        left, _, right, _ = fragment.box
        words = fragment.words
        low = min(word.base - _STRIKE_HIGH * word.size for word in words)
        high = max(word.base - _STRIKE_LOW * word.size for word in words)
        em = words[0].size
        near = levels[bisect_left(heights, low) : bisect_right(heights, high + _UNDER * em)]
        strokes = [rule for rule in near if rule[0] >= left - em and rule[2] <= right + em]
        if strokes:
            fragment.words = [
                word._replace(struck=True)
                if _is_struck(word, strokes)
                else word._replace(underlined=True)
                if _is_underlined(word, strokes)
                else word
                for word in words
            ]


def _is_struck(word: Word, strokes: list[Rect]) -> bool:
    return any(
        word.base - _STRIKE_HIGH * word.size <= y <= word.base - _STRIKE_LOW * word.size
        and min(x1, word.x1) - max(x0, word.x0) >= 0.6 * (word.x1 - word.x0)
        for x0, y, x1, _ in strokes
    ) and any(letter.isalnum() for letter in word.text)


def _is_underlined(word: Word, strokes: list[Rect]) -> bool:
    return any(
        word.base - 0.05 * word.size <= y <= word.base + (_UNDER - _STRIKE_LOW) * word.size
        and min(x1, word.x1) - max(x0, word.x0) >= 0.8 * (word.x1 - word.x0)
        for x0, y, x1, _ in strokes
    )
