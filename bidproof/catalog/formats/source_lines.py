"""Places of the RFP that state a rule, as a catalog file gives them: mappings, or one line each in a cell.

`rfp.pdf | p. 12 | xii | Section III > 3.2 | the words as they stand there`. A place whose words hold a bar or
a line end is written as JSON instead.
"""

from __future__ import annotations

import difflib
import json
import re
from typing import Any

from pydantic import ValidationError

from bidproof.catalog.formats.given import Cells, Given, Problem, plain
from bidproof.records import Source

_FIELDS = tuple(Source.model_fields)
_BAR = " | "
_PAGE = re.compile(r"(?:p(?:age)?\.?\s*)?(-?\d+)", re.IGNORECASE)


def source_line(source: Source) -> str:
    """A place on one line."""
    parts = [source.file_name, f"p. {source.page}", source.page_label, source.heading_path, source.quote]
    line = _BAR.join(parts)
    try:
        if "\n" not in line and "\r" not in line and _parsed(line) == source:
            return line
    except ValueError:
        pass
    return json.dumps(
        source.model_dump(mode="json", exclude_defaults=True), ensure_ascii=True, sort_keys=True
    )


def sources_of(row: Cells, problems: list[Problem]) -> tuple[Source, ...]:
    """Places of a rule; each fault is added to `problems` with its place in the file."""
    given = row.fields.get("sources")
    if given is None or given.empty:
        return ()
    if isinstance(given.value, str):
        lines = [line for line in given.value.split("\n") if line.strip()]
        items = [Given(given.where, line, given.exact) for line in lines]
    elif isinstance(given.value, list):
        items = given.value
    else:
        items = [given]
    found = []
    for number, item in enumerate(items, 1):
        try:
            found.append(_source(item))
        except ValueError as error:
            problems.append(Problem(item.where, f"source {number}: {error}"))
    return tuple(found)


def _source(item: Given) -> Source:
    if isinstance(item.value, str):
        return _parsed(item.value)
    if not isinstance(item.value, dict):
        raise ValueError("is neither a line nor a mapping of fields")
    values: dict[str, Any] = {}
    for name, given in item.value.items():
        if name not in _FIELDS:
            close = difflib.get_close_matches(name, _FIELDS, 1)
            hint = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(_FIELDS)}"
            raise ValueError(f"unknown field `{name}`; {hint}")
        values[name] = plain(given)
    return _validated(values)


def _validated(values: dict[str, Any]) -> Source:
    page = _PAGE.fullmatch(str(values.get("page", "")).strip())
    if page is None:
        raise ValueError(f"page `{values.get('page', '')}` is no whole number")
    try:
        return Source.model_validate({**values, "page": int(page[1])})
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(str(p) for p in first['loc'])}: {first['msg'].lower()}") from None


def _parsed(line: str) -> Source:
    if line.lstrip().startswith("{"):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError(f"`{line[:60]}` is no JSON") from None
        return _validated(data)
    parts = line.split(_BAR)
    if len(parts) != len(_FIELDS):
        raise ValueError(f"`{line[:60]}` is not file | page | label | heading | words")
    return _validated(
        dict(zip(("file_name", "page", "page_label", "heading_path", "quote"), parts, strict=True))
    )
