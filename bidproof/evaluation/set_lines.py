"""Lines of labelled sets: records of JSON Lines files and texts, with one clear line for each fault.

What the fields of a kind of set mean stands in `reading_texts`, `reading_filings` and `reading_tenders`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bidproof.catalog import derive
from bidproof.errors import BadInputError
from bidproof.records import Requirement


class Line(Mapping[str, Any]):
    """A record of a JSON Lines file that says where it stands when a field is missing."""

    def __init__(self, values: dict[str, Any], where: str) -> None:
        self._values, self.where = values, where

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise BadInputError(self.where, f"has no field {name}", "add it, or give a sound copy of the set")
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field, `default` where the line has none."""
        return self._values.get(name, default)

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def text(self, name: str) -> str:
        """A field that must be text.

        Raises:
            BadInputError: it is missing, empty or of another kind.
        """
        value = self[name]
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            raise BadInputError(self.where, f"field {name} is no text", "write it as a string")
        return value

    def number(self, name: str) -> int:
        """A field that must be a whole number, not negative.

        Raises:
            BadInputError: it is missing or of another kind.
        """
        value = self[name]
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise BadInputError(self.where, f"field {name} is no whole number", "write it as 0, 1, 2 ...")
        return value

    def lines(self, name: str) -> list[Line]:
        """A field that must be a list of records; an empty one where it is null.

        Raises:
            BadInputError: it is missing or of another kind.
        """
        value = self[name]
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise BadInputError(self.where, f"field {name} is no list of records", "write it as [{...}]")
        return [Line(one, f"{self.where}, {name}") for one in value]


def read_lines(path: Path) -> list[Line]:
    """Records of a JSON Lines file, empty lines passed over.

    Raises:
        BadInputError: the file cannot be read, or a line is no record.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise BadInputError(str(path), reason, "give a sound copy of the set") from None
    except UnicodeDecodeError:
        raise BadInputError(str(path), "is not UTF-8", "save it as UTF-8") from None
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            raise BadInputError(where, "is no JSON", "write one record a line") from None
        if not isinstance(values, dict):
            raise BadInputError(where, "is no record", 'write {"field": value, ...}')
        found.append(Line(values, where))
    return found


def read_document(path: Path, named_by: str) -> str:
    """Text of a document of a set.

    Raises:
        BadInputError: it is missing or is no UTF-8 text.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError:
        raise BadInputError(named_by, f"names {path.name}, which cannot be read", "add the file") from None
    except UnicodeDecodeError:
        raise BadInputError(str(path), "is not UTF-8", "save it as UTF-8") from None


def asked(
    rule_id: str, text: str, mandatory: bool = False, clause_ref: str = "", area: str = ""
) -> Requirement:
    """A rule of a set as the catalog would hold it."""
    return derive(
        Requirement(rule_id=rule_id, area=area, mandatory=mandatory, text=text, clause_ref=clause_ref)
    )
