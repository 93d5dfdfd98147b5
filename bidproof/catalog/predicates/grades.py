"""Grades of one criterion with their points ("5 years or more: 4 points; 3 to 4 years: 3 points").

The one with the most points is what is asked; the figures of the others are no limits beside it.
"""

from __future__ import annotations

import re

_POINTS = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?)\s?(?:points?|pts)\b", re.IGNORECASE)
_LEAST_GRADES = 3


def top_grade(text: str) -> tuple[int, int] | None:
    """Where the words of the grade with the most points stand; None for fewer than three grades, or grades without points of their own."""
    found = list(_POINTS.finditer(text))
    if len(found) < _LEAST_GRADES:
        return None
    starts = [0, *[match.end() for match in found[:-1]]]
    grades = [
        (float(match[1].replace(",", ".")), start, match.start())
        for start, match in zip(starts, found, strict=True)
    ]
    if not all(re.search(r"\d", text[start:end]) for _, start, end in grades):
        return None
    best = max(points for points, _, _ in grades)
    tops = [(start, end) for points, start, end in grades if points == best]
    return tops[0] if len(tops) == 1 else None
