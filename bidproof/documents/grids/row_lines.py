"""Rows of a table without rules in the making: which words fill which columns on which lines. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from bidproof.documents.sheets.word import Word


@dataclass(slots=True)
class Entry:
    """Words that fill the columns `first` to `last` of one row."""

    first: int
    last: int
    lines: list[list[Word]]

    @property
    def words(self) -> list[Word]:
        """All words, line by line."""
        return [word for line in self.lines for word in line]

    @property
    def text(self) -> str:
        """The words joined by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Left end in points."""
        return min(word.x0 for word in self.words)

    @property
    def width(self) -> float:
        """Width over all lines in points."""
        return max(word.x1 for word in self.words) - min(word.x0 for word in self.words)

    @property
    def middle(self) -> float:
        """Middle between left and right end."""
        return (max(word.x1 for word in self.words) + min(word.x0 for word in self.words)) / 2


@dataclass(slots=True)
class RowLines:
    """A row in the making: the entries of the lines that belong to it."""

    entries: list[Entry]
    base: float
    head: bool = False
    bases: list[float] = field(default_factory=list)

    def at(self, col: int) -> Entry | None:
        """The entry that covers a column."""
        return next((each for each in self.entries if each.first <= col <= each.last), None)

    @property
    def label_only(self) -> bool:
        """Nothing stands beside the first column."""
        return all(each.first == 0 for each in self.entries)


def add_line(row: RowLines, line: RowLines) -> None:
    """Take a line into a row, its words below those of the same columns."""
    for entry in line.entries:
        same = row.at(entry.first)
        if same is None:
            row.entries.append(entry)
        else:
            same.lines += entry.lines
    row.entries.sort(key=lambda each: each.first)
    row.bases.append(line.base)
