"""Raised and lowered runs in files without pages: exponents stay, note marks must not change a figure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bidproof.documents.sheets.raised import raised_text

_LOWERED = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_OVER = ("/", "⁄")
_MONEY = r"(?:EUR|USD|GBP|CHF|VND|MAD|TND|XOF|XAF|INR|JPY|CNY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|[€$£¥₹])"
_MONEY_AFTER, _MONEY_BEFORE = re.compile(rf"\s*{_MONEY}", re.I), re.compile(rf"{_MONEY}\s*\d+$", re.I)


class Run(NamedTuple):
    """A piece of a line: its text, and whether it is raised (1), lowered (-1) or neither (0)."""

    text: str
    place: int = 0


def glue_raised(before: str, text: str) -> tuple[str, bool]:
    """`before` with raised `text` after it, and whether the text was a note mark that is left out.

    `90` and a raised `1` is 90 and not 901; `m` and a raised `2` is m².
    """
    if not before.strip() or not text.strip():
        return before + text, False
    near = not before[-1].isspace()
    raised, apart = raised_text(before.split()[-1], text.strip(), near)
    space = " " if apart and near and raised else ""
    return before + space + raised + (" " if text[-1].isspace() else ""), not raised


def join_runs(runs: Iterable[Run]) -> tuple[str, int]:
    """The text of a line, and the number of note marks that were left out of it.

    Neighbours at one height are one run, however often the file parts them. `3`, raised `1`, `/2` is 3 1/2.
    """
    groups: list[Run] = []
    for run in runs:
        if groups and groups[-1].place == run.place:
            groups[-1] = Run(groups[-1].text + run.text, run.place)
        elif run.text:
            groups.append(run)
    text, dropped = "", 0
    for at, (said, place) in enumerate(groups):
        after = groups[at + 1].text if at + 1 < len(groups) else ""
        figure, digits = text[-1:].isdigit(), said.strip().isdecimal()
        if place > 0 and digits and after.lstrip().startswith(_OVER):
            text += f" {said.strip()}" if figure else said
        elif place > 0 and figure and digits and len(said.strip()) == 2 and _is_money(text, after):
            # Cents are often set small: 12 and a raised 50 are twelve and a half.
            text += f".{said.strip()}" if not re.search(r"\d[.,]\d+$", text) else f" {said.strip()}"
        elif place > 0:
            text, mark = glue_raised(text, said)
            dropped += mark
        elif place < 0 and figure and digits:
            text += said.translate(_LOWERED)
        else:
            text += said
    return text, dropped


def _is_money(before: str, after: str) -> bool:
    return bool(_MONEY_AFTER.match(after) or _MONEY_BEFORE.search(before))
