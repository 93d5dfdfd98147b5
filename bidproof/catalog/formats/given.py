"""What a catalog file gives, each value with its line or cell, before it is known to be a rule.

Every reader (YAML, JSON, CSV, XLSX, OCDS) makes these; the contract takes rules from them. Holds no knowledge
of fields and of formats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

CELL_LIMIT = 32_000
"""Characters that a cell of a spreadsheet holds, with room to spare."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85]")


@dataclass(frozen=True)
class Problem:
    """One fault of a catalog file: line or cell, and what is wrong."""

    where: str
    what: str


@dataclass(frozen=True)
class Given:
    """A value with its place: a scalar, a list or a mapping of further ones.

    `exact` says that the value is to be taken as it stands, white space and all: quoted text, or what this
    program wrote beside a cell that could not hold it.
    """

    where: str
    value: Any
    exact: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing is given: null, an empty list, or text of white space."""
        if isinstance(self.value, str):
            return not self.value.strip()
        return self.value is None or self.value == [] or self.value == {}


@dataclass(frozen=True)
class Cells:
    """One rule as read: where it starts, and each field with its place."""

    where: str
    fields: dict[str, Given] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """Where a field stands, or the rule where it has none."""
        return self.fields[name].where if name in self.fields else self.where


@dataclass
class Taken:
    """What a reader has found so far: the head's fields and lists, rules, columns of its own, problems, warnings."""

    head: dict[str, Given] = field(default_factory=dict)
    cells: list[Cells] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    lists: dict[str, list[Given]] = field(default_factory=dict)
    """Fields of the head that are lists, by name."""
    other: dict[str, dict[str, str]] = field(default_factory=dict)
    """Columns that are no fields: what each says, by its name and the rule's id."""

    def fault(self, where: str, what: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(where, what))


def clean(text: str) -> str:
    """`text` without control characters; line ends are line feeds."""
    return _CONTROL.sub("", _LINE_END.sub("\n", text))


def fitting(text: str, note: str = " …") -> str:
    """`text`, cut to what a cell holds, with a note of the cut."""
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - len(note)] + note


def folded_space(text: str) -> str:
    """`text` on one line, runs of white space as one space: how a spreadsheet's user may leave it."""
    return " ".join(clean(text).split())


def plain(given: Given | None) -> str:
    """A scalar as text: trimmed and without control characters unless it is exact; empty for none."""
    if given is None or given.value is None:
        return ""
    if isinstance(given.value, bool):
        return "yes" if given.value else "no"
    if isinstance(given.value, float) and given.value.is_integer() and abs(given.value) < 1e15:
        return str(int(given.value))
    text = str(given.value)
    return text if given.exact else clean(text).strip()


def bare(given: Given) -> Any:
    """The value without places: lists and dicts of text, numbers and None."""
    if isinstance(given.value, list):
        return [bare(item) for item in given.value]
    if isinstance(given.value, dict):
        return {name: bare(item) for name, item in given.value.items()}
    return given.value


def placed(value: Any, where: str, *, exact: bool = False) -> Given:
    """JSON data as values that all stand at one place."""
    if isinstance(value, list | tuple):
        return Given(where, [placed(item, where, exact=exact) for item in value], exact)
    if isinstance(value, dict):
        inner = {str(name): placed(item, where, exact=exact) for name, item in value.items()}
        return Given(where, inner, exact)
    return Given(where, value, exact)
