"""Predicates as a catalog file gives them: a line, a mapping of kind and words, or the record's own fields.

Makes records and names what is no predicate, each with its place. The words themselves are read in
`predicate_lines`; whether predicates make sense is told in `predicate_faults`.
"""

from __future__ import annotations

import difflib
import json
from typing import Any

from pydantic import ValidationError

from bidproof.catalog.formats.alternatives import spread
from bidproof.catalog.formats.given import Cells, Given, Problem, bare, plain
from bidproof.catalog.formats.predicate_faults import faults_of, units_of_text, unmeetable
from bidproof.catalog.formats.predicate_lines import (
    ALTERNATIVE,
    KINDS,
    WHOLE_RULE,
    PredicateLineError,
    parse_line,
    parse_words,
)
from bidproof.facts.units import TIME_WORDS
from bidproof.records import Predicate

_BESIDE = ("from", "alternative")


def predicates_of(row: Cells, rule_text: str, problems: list[Problem]) -> tuple[Predicate, ...]:
    """Predicates of a rule; each fault is added to `problems` with its place."""
    given = row.fields.get("predicates")
    if given is None or given.empty:
        return ()
    found: list[tuple[int, str, Predicate]] = []
    marks: list[bool] = []
    for number, item in enumerate(_items(given, problems), 1):
        try:
            found.append((number, item.where, _predicate(item, rule_text)))
            marks.append(_marked(item))
        except PredicateLineError as error:
            problems.append(Problem(item.where, f"predicate {number}: {error}"))
    known = units_of_text(rule_text) if any(p.unit or p.per for *_, p in found) else frozenset()
    for number, where, predicate in found:
        for fault in faults_of(predicate, known):
            problems.append(Problem(where, f"predicate {number}: {fault}"))
    predicates = spread(list(zip((predicate for *_, predicate in found), marks, strict=True)))
    for fault in unmeetable(predicates):
        problems.append(Problem(given.where, f"predicates: {fault}"))
    return predicates


def _marked(item: Given) -> bool:
    """Whether a predicate says of which alternative it is; records that this program wrote always do."""
    if isinstance(item.value, str):
        return _names_alternative(item.value.strip())
    if not isinstance(item.value, dict) or item.exact:
        return True
    return any(name in item.value and not item.value[name].empty for name in ("alternative", "group"))


def _names_alternative(line: str) -> bool:
    """Whether a line says of which alternative it is; one that does not holds in each of them."""
    if not line.startswith("{"):
        return ALTERNATIVE.match(line) is not None
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "group" in data


def _items(given: Given, problems: list[Problem]) -> list[Given]:
    if isinstance(given.value, list):
        return list(given.value)
    if isinstance(given.value, dict):
        return [given]
    if isinstance(given.value, str):
        lines = [line for line in given.value.replace("\r", "\n").split("\n") if line.strip()]
        return [Given(given.where, line.strip(), given.exact) for line in lines]
    problems.append(Problem(given.where, "predicates is no list"))
    return []


def _predicate(item: Given, rule_text: str) -> Predicate:
    if isinstance(item.value, Predicate):
        return item.value
    if isinstance(item.value, str):
        return parse_line(item.value, rule_text)
    if not isinstance(item.value, dict):
        raise PredicateLineError("is neither a line nor a mapping of fields")
    named = [name for name in item.value if name in KINDS]
    if len(named) == 1 and "kind" not in item.value:
        return _in_words(named[0], item.value, rule_text)
    if "kind" in item.value:
        return _fields(item.value)
    names = ", ".join(item.value)
    close = next((m for n in item.value for m in difflib.get_close_matches(n, KINDS, 1)), "")
    hint = f"did you mean `{close}`?" if close else f"one of {', '.join(KINDS)} is its first"
    raise PredicateLineError(f"kind: fields `{names}` name no single kind; {hint}")


def _in_words(kind: str, fields: dict[str, Given], rule_text: str) -> Predicate:
    for name in fields:
        if name != kind and name not in _BESIDE:
            close = difflib.get_close_matches(name, _BESIDE, 1)
            hint = f"; did you mean `{close[0]}`?" if close else f"; beside {kind} stand {', '.join(_BESIDE)}"
            raise PredicateLineError(f"unknown field `{name}`{hint}")
    source = fields.get("from")
    text = plain(source)
    if source is not None and text == WHOLE_RULE:
        text = rule_text
    group = plain(fields.get("alternative")) or "0"
    try:
        number = int(group)
    except ValueError:
        raise PredicateLineError(f"alternative `{group}` is no whole number") from None
    words = fields[kind]
    if isinstance(words.value, list | dict):
        raise PredicateLineError(f"{kind}: is no plain text")
    return parse_words(kind, plain(words), group=number, text=text)


def _fields(fields: dict[str, Given]) -> Predicate:
    """A predicate given by the record's own field names, scalars as text or as typed JSON."""
    values: dict[str, Any] = {}
    for name, given in fields.items():
        value = bare(given)
        known = Predicate.model_fields.get(name)
        if known is None:
            close = difflib.get_close_matches(name, Predicate.model_fields, 1)
            hint = (
                f"did you mean `{close[0]}`?" if close else f"known are {', '.join(Predicate.model_fields)}"
            )
            raise PredicateLineError(f"unknown field `{name}`; {hint}")
        if value is None or (value == "" and not isinstance(known.default, str)):
            continue
        if isinstance(known.default, tuple) and isinstance(value, str):
            value = [value]
        if name in ("unit", "per") and isinstance(value, str) and not given.exact:
            value = TIME_WORDS.get(value.strip().lower(), value.strip())
        values[name] = value
    try:
        return Predicate.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise PredicateLineError(f"{name or 'value'}: {first['msg'].lower()}") from None
