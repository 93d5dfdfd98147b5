"""From the text of an answer to its items, however it is dressed up or cut off.

Fences, chatter before and after, trailing commas and a reasoning block do no harm; of an answer that breaks off, each
item that is whole counts. Nothing is ever completed: an item that is cut is gone, and its rule is asked again. Does not
belong here: whether an item is true or even fits the contract.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_CHARS = 2_000_000
_DEEPEST = 40
_OPEN, _CLOSE = {"{": "}", "[": "]"}, {"}", "]"}
_ID = "rule_id"


@dataclass(frozen=True)
class Item:
    """One object of an answer that names a rule, with its text as it stood there."""

    fields: dict[str, Any]
    text: str


def read_items(text: str) -> list[Item]:
    """All whole items of an answer, in order.

    An item is a JSON object with a `rule_id`; it may stand in a list, in an object with a list, alone, or in a value
    that was cut off around it. Objects inside of strings are never items: a quote that holds JSON stays a quote.
    """
    spoken = _without_reasoning(text[:MAX_CHARS])
    found: list[Item] = []
    at = 0
    while (start := _next_open(spoken, at)) >= 0:
        spans, end = _spans(spoken, start)
        items = _items(spoken, spans)
        found += items
        # A bracket in the chatter opens what never ends: then what stands after it is looked at on its own.
        at = end if items or end < len(spoken) else start + 1
    return found


def _without_reasoning(text: str) -> str:
    """What follows the last reasoning block; models think aloud before they answer."""
    spoken = text.rpartition("</think>")[2]
    return "" if spoken.lstrip().startswith("<think>") else spoken  # cut off while it thought: no answer yet


def _next_open(text: str, at: int) -> int:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _spans(text: str, start: int) -> tuple[list[tuple[int, int]], int]:
    """Places of all balanced objects of the value that opens at `start`, outermost last, and where it ends.

    The end is that of the text where the value is cut off. Brackets in strings count for nothing.
    """
    opened: list[tuple[str, int]] = []
    spans: list[tuple[int, int]] = []
    at, quoted = start, False
    while at < len(text):
        char = text[at]
        if quoted:
            if char == "\\":
                at += 1
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char in _OPEN:
            opened.append((char, at))
            if len(opened) > _DEEPEST:
                return spans, at
        elif char in _CLOSE:
            if _OPEN[opened[-1][0]] != char:
                return spans, at + 1  # not JSON from here on
            bracket, began = opened.pop()
            if bracket == "{":
                spans.append((began, at + 1))
            if not opened:
                return spans, at + 1
        at += 1
    return spans, len(text)


def _items(text: str, spans: list[tuple[int, int]]) -> list[Item]:
    """Those objects that name a rule and lie in no other such object, in order."""
    items: list[tuple[int, int, Item]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if items and start < items[-1][1]:
            continue
        fields = _object(text[start:end])
        if fields is not None and _ID in fields:
            items.append((start, end, Item(fields, text[start:end])))
    return [item for _, _, item in items]


def _object(text: str) -> dict[str, Any] | None:
    """The object, trailing commas forgiven; None where it is no JSON or says two things under one name."""
    for attempt in (text, "".join(_without_trailing_commas(text))):
        try:
            value = json.loads(
                attempt, strict=False, object_pairs_hook=_unambiguous, parse_constant=_no_constant
            )
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if any(fields[name] != value for name, value in pairs):
        raise ValueError("a name has two values")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _without_trailing_commas(text: str) -> Iterator[str]:
    quoted = escaped = False
    for at, char in enumerate(text):
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char == "," and text[at + 1 :].lstrip()[:1] in ("}", "]"):
            continue
        yield char
