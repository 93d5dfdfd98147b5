"""The small mark-up in which the example documents are written.

A source starts with YAML between two `---` lines (title, header, font, seed), then, line by line:
`= Chapter`, `== 3.2 Clause`, `=== Sub-clause`; `- bullet`; `| cell | cell |` rows of a ruled table
(first row is its header); `Label :: value` rows of a ruled form; `!name arguments` directives;
`!include name` takes in another source;
every other line is a paragraph. Nothing here knows about PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Heading:
    """A chapter (level 1), clause (2) or sub-clause (3) heading."""

    level: int
    text: str


@dataclass(frozen=True)
class Para:
    """A paragraph of running text."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """Consecutive bullet items."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A ruled table; `rows[0]` is the header that repeats on each page; `widths` are relative."""

    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()
    total_rows: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Form:
    """A ruled form of label and value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Directive:
    """An instruction to the layout, such as a page break or generated prose."""

    name: str
    args: tuple[str, ...]


Node = Heading | Para | Bullets | Table | Form | Directive


@dataclass(frozen=True)
class Source:
    """One document before layout."""

    meta: dict[str, str]
    nodes: tuple[Node, ...] = field(default=())


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Replace `{{name}}` by its value; an unknown name raises KeyError."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match.group(1)], text)


def read_source(path: Path, values: Mapping[str, str]) -> Source:
    """Parse the mark-up file at `path` after filling in `values`."""
    text = re.sub(
        r"(?m)^!include (\w+)$", lambda match: _text(path.with_name(f"{match.group(1)}.txt")), _text(path)
    )
    text = substitute(text, values)
    head, body = {}, text
    if text.startswith("---\n"):
        _, front, body = text.split("---\n", 2)
        head = {str(key): str(value) for key, value in yaml.safe_load(front).items()}
    return Source(head, tuple(_nodes(body)))


def _text(path: Path) -> str:
    """Content of a source file."""
    return path.read_text(encoding="utf-8")


def _kind(line: str) -> str:
    """Class of a line: heading, bullet, table, form, directive, blank or para."""
    if not line.strip():
        return "blank"
    for pattern, kind in (
        (r"={1,3} ", "heading"),
        (r"- ", "bullet"),
        (r"\|", "table"),
        (r"!\w", "directive"),
    ):
        if re.match(pattern, line):
            return kind
    return "form" if " :: " in line else "para"


def _nodes(body: str) -> Iterator[Node]:
    """Group lines of one kind into nodes."""
    run: list[str] = []
    kind = "blank"
    widths: tuple[float, ...] = ()
    for line in [*body.splitlines(), ""]:
        this = _kind(line)
        if run and (this != kind or kind in {"heading", "directive", "para"}):
            node = _node(kind, run, widths)
            if isinstance(node, Directive) and node.name == "widths":
                widths = tuple(float(arg) for arg in node.args)
            else:
                widths = ()
                yield node
            run = []
        kind = this
        if this != "blank":
            run.append(line.strip())


def _node(kind: str, lines: list[str], widths: tuple[float, ...]) -> Node:
    """Build the node for a group of lines."""
    if kind == "heading":
        marks, _, text = lines[0].partition(" ")
        return Heading(len(marks), text)
    if kind == "bullet":
        return Bullets(tuple(line[2:] for line in lines))
    if kind == "table":
        rows = tuple(tuple(cell.strip() for cell in line[1:].split("|")) for line in lines)
        if len({len(row) for row in rows}) != 1:
            raise ValueError(f"ragged table: {lines[0]}")
        return Table(rows, widths)
    if kind == "form":
        pairs = [line.partition(" :: ") for line in lines]
        return Form(tuple((label.strip(), value.strip()) for label, _, value in pairs))
    if kind == "directive":
        name, *args = lines[0][1:].split(" ")
        return Directive(name, tuple(args))
    return Para(lines[0])
