"""Numbers whose unit stands in another cell of their table row: "Delivery time (days) | 45".

Reads texts whose cells are joined by ` | `, with or without a header line above. Cells that carry their own
unit are
read in `measures`.
"""

from __future__ import annotations

import re

from bidproof.facts.measures import find_measures
from bidproof.facts.money import currency_before
from bidproof.facts.rates import rate_at
from bidproof.facts.view import View
from bidproof.records import Fact

_NUMBER = re.compile(r"(?P<sign>[<>\u2264\u2265~]?\s*)(?P<number>[0-9][0-9.,' ]*\+?)")
_UNIT = re.compile(
    r"[(\[]\s*(?:in\s+|en\s+)?(?P<unit>%|[a-z\u20ac$\u00a3\u20b9][a-z0-9\u20ac$\u00a3\u20b9%.²³/ ]{0,"
    r"24}?)\s*[)\]]",
    re.IGNORECASE,
)
_RATE = re.compile(r"\s*\b(?:per|par|each|every|any\s+one|in\s+(?:the\s+)?aggregate|annual)\b", re.IGNORECASE)
_COUNT_OF = frozenset({"days", "duration", "percent", "money", "quantity"})


def find_headed(view: View, language: str = "") -> list[Fact]:
    """Facts of bare numbers in cells whose column header or row label names the unit in brackets."""
    if " | " not in view.plain or not _UNIT.search(view.plain):
        return []
    lines = _lines(view.plain)
    while len(lines) > 2 and len(lines[0]) == 1 < len(lines[-1]):
        lines = lines[1:]  # a heading or caption that stands above the table's header
    header = [text for _, text in lines[0]] if len(lines) > 1 else []
    facts: list[Fact] = []
    for cells in lines[1:] or lines:
        columns = header if len(header) == len(cells) else []
        for index, (start, text) in enumerate(cells):
            match = _NUMBER.fullmatch(text)
            labels = [columns[index] if columns else "", cells[0][1] if index else ""]
            found = next((u for u in map(_UNIT.search, labels) if u), None)
            if match and found:
                label = found.string[: found.start()].strip()
                facts.extend(_read(view, start, match, label, found["unit"], language))
    return facts


def _lines(plain: str) -> list[list[tuple[int, str]]]:
    """Cells of each line with their offsets."""
    lines, position = [], 0
    for line in plain.split("\n"):
        cells, at = [], position
        for cell in line.split("|"):
            text = cell.strip()
            cells.append((at + (len(cell) - len(cell.lstrip()) if text else 0), text))
            at += len(cell) + 1
        if line.strip():
            lines.append(cells)
        position += len(line) + 1
    return lines


def _read(view: View, start: int, match: re.Match[str], label: str, unit: str, language: str) -> list[Fact]:
    """The cell's number read as if its unit stood beside it; the fact keeps the cell's own slice."""
    sign, number = match["sign"].strip(), match["number"].strip()
    words = unit.split()
    money = currency_before(View.of(f"{words[0]} "), len(words[0]) + 1)[0]
    spelled = f"{words[0]} {number} {' '.join(words[1:])}" if money else f"{number} {unit}"
    lead = f"{label}: {sign}"
    read = [
        f
        for f in find_measures(View.of(lead + spelled), language)
        if f.kind in _COUNT_OF and f.start >= len(label)
    ]
    if len(read) != 1:
        return []
    begin = start + match.start("number")
    end = begin + len(number)
    per = read[0].per or rate_at(View.of(label), 0, _rate_start(label), percentage=False)[0]
    return [read[0].model_copy(update={"start": begin, "end": end, "text": view.raw[begin:end], "per": per})]


def _rate_start(label: str) -> int:
    """Where a rate may stand in a label: at "per occurrence" in "Limit per occurrence"."""
    found = _RATE.search(label)
    return found.start() if found else len(label)
