"""YAML catalogs taken apart: every scalar as it is written, every value with its line.

An id such as 3.10 or NO must not become a number or a truth value, so nothing is resolved. Aliases are
followed within a budget; a file that unfolds to more is refused.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from bidproof.catalog.formats.contract import HEADER, head_field
from bidproof.catalog.formats.given import Cells, Given, Taken
from bidproof.catalog.formats.rfp_record import LISTS as RFP_LISTS

_MOST_VALUES = 500_000
_DEEPEST = 40
_FAST_DEPTH = 200
_DASHES = re.compile(rf"(?:- ?){{{_FAST_DEPTH}}}")


def read_yaml(text: str, taken: Taken) -> None:
    """Head and rules of a YAML text into `taken`, faults included."""
    try:
        root = _composed(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}" if mark else ""
        said = " ".join(part for part in (error.context, error.problem) if part)
        return taken.fault(where, f"malformed YAML: {said}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else 1
        char = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or " ")
        return taken.fault(f"line {line}", f"malformed YAML: the character U+{char:04X} must not stand in it")
    except yaml.YAMLError as error:
        return taken.fault("", f"malformed YAML: {' '.join(str(error).split())[:200]}")
    except RecursionError:
        return taken.fault("", "malformed YAML: nested too deeply")
    try:
        _take(root, taken)
    except _TooMuchError as error:
        taken.cells.clear()
        taken.fault("", f"malformed YAML: {error}")


class _TooMuchError(Exception):
    """Aliases or nesting that no catalog has."""


def _composed(text: str) -> Any:
    """The tree of nodes: by the C parser, or by the slower one where nesting could exhaust the C stack."""
    depth = deepest = 0
    for char in re.findall(r"[\[\]{}]", text):
        depth += 1 if char in "[{" else -1
        deepest = max(deepest, depth)
    odd = any(ord(char) < 32 and char not in "\t\n\r" for char in set(text))
    slow = deepest > _FAST_DEPTH or _DASHES.search(text) or odd or not hasattr(yaml, "CSafeLoader")
    loader: Any = yaml.SafeLoader(text) if slow else yaml.CSafeLoader(text)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


class _Walk:
    """Follows nodes, aliases included, and counts."""

    def __init__(self, taken: Taken) -> None:
        self.taken = taken
        self.left = _MOST_VALUES

    def given(self, node: yaml.Node, where: str, depth: int = 0) -> Given:
        self.left -= 1
        if self.left < 0:
            raise _TooMuchError(f"its aliases unfold to more than {_MOST_VALUES:,} values")
        if depth > _DEEPEST:
            raise _TooMuchError("nested too deeply")
        if isinstance(node, yaml.ScalarNode):
            quoted = node.style in ("'", '"')
            null = not quoted and node.tag.endswith(":null")
            return Given(where, None if null else node.value, quoted)
        if isinstance(node, yaml.SequenceNode):
            return Given(where, [self.given(item, _line(item), depth + 1) for item in node.value])
        return Given(where, self.mapping(node, depth))

    def mapping(self, node: yaml.Node, depth: int = 0) -> dict[str, Given]:
        fields: dict[str, Given] = {}
        for key, value in node.value:
            name, line = _key(key), _line(key)
            if name == "<<":
                self.taken.fault(line, "`<<` is not followed; write the fields out")
                continue
            if name in fields:
                self.taken.fault(line, f"field `{name}` is given twice")
            fields[name] = self.given(value, line, depth + 1)
        return fields


def _line(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"


def _key(node: yaml.Node) -> str:
    return node.value if isinstance(node, yaml.ScalarNode) else "?"


def _take(root: yaml.Node | None, taken: Taken) -> None:
    walk = _Walk(taken)
    if root is None:
        return None
    if isinstance(root, yaml.SequenceNode):
        rules: yaml.Node | None = root
    elif isinstance(root, yaml.MappingNode):
        rules = _head(root, walk, taken)
    else:
        return taken.fault("line 1", "holds no `rules:` list")
    if rules is None or (isinstance(rules, yaml.ScalarNode) and rules.tag.endswith(":null")):
        return None
    if not isinstance(rules, yaml.SequenceNode):
        return taken.fault(_line(rules), "`rules` is no list")
    for item in rules.value:
        if isinstance(item, yaml.MappingNode):
            taken.cells.append(Cells(_line(item), walk.mapping(item)))
        else:
            taken.fault(_line(item), "a rule is no mapping of fields")
    return None


def _head(root: yaml.MappingNode, walk: _Walk, taken: Taken) -> yaml.Node | None:
    rules: yaml.Node | None = None
    for key, value in root.value:
        if _key(key) == "rules":
            if rules is not None:
                taken.fault(_line(key), "field `rules` is given twice")
            rules = value
        else:
            if _key(key) in taken.head:
                taken.fault(_line(key), f"field `{_key(key)}` is given twice")
            # What nobody asked for is not unfolded either.
            known = _key(key) in (*HEADER, *RFP_LISTS)
            head_field(taken, _key(key), walk.given(value, _line(key)) if known else Given(_line(key), None))
    return rules
