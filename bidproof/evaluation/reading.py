"""Labelled sets from their folders: which kind of set a folder is, told by its files, and its lines as records.

Holds the choice and the reading of JSON lines with one clear line for each fault. What the files of a kind of set mean
stands in `reading_texts`, `reading_filings` and `reading_tenders`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bidproof.catalog import derive
from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import LabelledSet
from bidproof.records import Requirement

_KNOWN = (
    "questions.jsonl with pdfs/; documents.jsonl, rules.jsonl and items.jsonl; items.jsonl with docs/; "
    "queries.jsonl with corpus/; rules.jsonl, items.jsonl and sentences.jsonl; sentences.jsonl; or gold of a tender"
)

Reader = Callable[[Path], LabelledSet]


def read_set(folder: Path) -> LabelledSet:
    """The labelled set of a folder, whatever its name.

    Raises:
        BadInputError: there is no such folder, it is no labelled set, or one of its lines is broken.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise BadInputError(str(folder), what, "name the folder of a labelled set")
    found = _reader(folder)(folder)
    if not found.items and not found.sentences:
        raise BadInputError(str(folder), "holds no labelled items", "add lines to its files")
    return found


def _reader(folder: Path) -> Reader:
    from bidproof.evaluation.reading_filings import read_financebench, read_pure
    from bidproof.evaluation.reading_tenders import gold_files, read_tenders
    from bidproof.evaluation.reading_texts import read_contractnli, read_cuad, read_dpa, read_legalbench

    kinds: tuple[tuple[tuple[str, ...], Reader], ...] = (
        (("questions.jsonl", "pdfs/"), read_financebench),
        (("documents.jsonl", "rules.jsonl", "items.jsonl"), read_contractnli),
        (("items.jsonl", "docs/"), read_cuad),
        (("queries.jsonl", "corpus/"), read_legalbench),
        (("rules.jsonl", "items.jsonl", "sentences.jsonl"), read_dpa),
        (("sentences.jsonl",), read_pure),
    )
    for names, reader in kinds:
        if all(
            (folder / name).is_dir() if name.endswith("/") else (folder / name).is_file() for name in names
        ):
            return reader
    if gold_files(folder):
        return read_tenders
    # What comes nearest, so that a set with one file missing is not called unknown.
    for names, _ in kinds:
        there = [name for name in names if (folder / name).exists()]
        if there and len(names) > 1:
            missing = ", ".join(name for name in names if name not in there)
            raise BadInputError(
                str(folder), f"has {', '.join(there)} but no {missing}", "add what is missing"
            )
    raise BadInputError(str(folder), "is no labelled set", f"a set has {_KNOWN}")


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
