"""The contract of a catalog's rows: which fields there are, what values they take, which faults are named.

Works on cells that a reader of `files` has taken apart, whatever the format.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bidproof.facts.terms import word_set
from bidproof.records import Predicate, Requirement

HEADER = (
    "tender", "title", "rfp", "rfp_sha256", "author", "created", "status", "accepted_by", "accepted_on",
    "version", "submission_date",
)  # fmt: skip
STATUSES = ("draft", "accepted")
REQUIRED_COLUMNS = ("id", "area", "mandatory", "text", "clause_ref")
FIELDS = (
    *REQUIRED_COLUMNS,
    "weight",
    "synonyms",
    "section_hints",
    "sentry_terms",
    "predicates",
    "submission_date",
)
_TRUE = word_set("yes y true 1 m mandatory oui vrai obligatoire x must")
_FALSE = word_set("no n false 0 optional non f faux facultatif nice desirable")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]")


@dataclass(frozen=True)
class Problem:
    """One fault of a catalog file: line or cell, and what is wrong."""

    where: str
    what: str


@dataclass(frozen=True)
class Cells:
    """One rule as read: where it starts, and each field with its place."""

    where: str
    fields: dict[str, tuple[str, Any]]


def rules_from_cells(cells: list[Cells], submission_date: str, problems: list[Problem]) -> list[Requirement]:
    """Rules of `cells`; each fault is added to `problems` and its rule left out."""
    if submission_date and not _is_date(submission_date):
        problems.append(Problem("", f"submission_date `{submission_date}` is no date; write 2026-09-17"))
    rules: list[Requirement] = []
    seen: dict[str, str] = {}
    letter_o = _meaning_of_o(cells)
    for row in cells:
        before = len(problems)
        rule = _rule(row, submission_date, letter_o, problems)
        if rule is None or len(problems) > before:
            continue
        if rule.rule_id in seen:
            problems.append(
                Problem(
                    _place(row, "id"), f"id `{rule.rule_id}` is used twice, first in {seen[rule.rule_id]}"
                )
            )
            continue
        seen[rule.rule_id] = _place(row, "id")
        rules.append(rule)
    return rules


def _place(row: Cells, name: str) -> str:
    return row.fields[name][0] if name in row.fields else row.where


def _text(row: Cells, name: str) -> str:
    value = row.fields.get(name, ("", ""))[1]
    return "" if value is None else _CONTROL.sub("", str(value)).strip()


def _meaning_of_o(cells: list[Cells]) -> bool | None:
    """What `O` stands for in this file: optional beside M, oui beside N, undecided alone."""
    said = {_text(row, "mandatory").lower() for row in cells}
    if "m" in said and "n" not in said:
        return False
    return True if "n" in said and "m" not in said else None


def _rule(
    row: Cells, submission_date: str, letter_o: bool | None, problems: list[Problem]
) -> Requirement | None:
    for name, (where, _) in row.fields.items():
        if name not in FIELDS:
            close = difflib.get_close_matches(name, FIELDS, 1)
            problems.append(
                Problem(
                    where,
                    f"unknown field `{name}`"
                    + (f"; did you mean `{close[0]}`?" if close else f"; known are {', '.join(FIELDS)}"),
                )
            )
    if not _text(row, "id"):
        problems.append(Problem(_place(row, "id"), "a rule has no id"))
    if not _text(row, "text"):
        problems.append(Problem(_place(row, "text"), f"rule {_text(row, 'id') or '?'} has no text"))
    mandatory = parse_mandatory(_text(row, "mandatory"), letter_o)
    if mandatory is None:
        problems.append(
            Problem(_place(row, "mandatory"), f"mandatory is `{_text(row, 'mandatory')}`; write yes or no")
        )
    weight = _weight(row, problems)
    own_date = _text(row, "submission_date")
    if own_date and not _is_date(own_date):
        problems.append(
            Problem(
                _place(row, "submission_date"), f"submission_date `{own_date}` is no date; write 2026-09-17"
            )
        )
    predicates = _predicates(row, problems)
    if mandatory is None or not _text(row, "id") or not _text(row, "text"):
        return None
    return Requirement(
        rule_id=_text(row, "id"), area=_text(row, "area") or "General", mandatory=mandatory,
        text=" ".join(_text(row, "text").split()),
        clause_ref=_text(row, "clause_ref"), weight=weight, predicates=predicates, synonyms=_words(row,
        "synonyms"),
        section_hints=_words(row, "section_hints"), sentry_terms=_words(row, "sentry_terms"),
        submission_date=own_date or submission_date,
    )  # fmt: skip


def parse_mandatory(text: str, letter_o: bool | None = None) -> bool | None:
    """Truth value of a `mandatory` cell in English or French (yes, M, oui, 1 ...); None for neither.

    `letter_o` says what the letter O means: optional, oui, or nothing certain.
    """
    word = text.strip().lower()
    if word == "o":
        return letter_o
    return True if word in _TRUE else False if word in _FALSE else None


def _weight(row: Cells, problems: list[Problem]) -> float:
    written = _text(row, "weight").replace(",", ".")
    if not written:
        return 1.0
    try:
        weight = float(written)
    except ValueError:
        weight = -1.0
    if not 0 <= weight < float("inf"):
        problems.append(
            Problem(_place(row, "weight"), f"weight `{_text(row, 'weight')}` is no number from 0 up")
        )
        return 1.0
    return weight


def _words(row: Cells, name: str) -> tuple[str, ...]:
    value = row.fields.get(name, ("", ()))[1] or ()
    parts = re.split(r"[;|\n]", value) if isinstance(value, str) else [str(v) for v in value]
    return tuple(dict.fromkeys(_CONTROL.sub("", part).strip() for part in parts if part.strip()))


def _predicates(row: Cells, problems: list[Problem]) -> tuple[Predicate, ...]:
    where, value = row.fields.get("predicates", ("", None))
    if not value:
        return ()
    if not isinstance(value, list):
        problems.append(Problem(where, "predicates is no list"))
        return ()
    found = []
    for number, item in enumerate(value, 1):
        try:
            found.append(item if isinstance(item, Predicate) else Predicate.model_validate(item))
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(p) for p in first["loc"])
            problems.append(Problem(where, f"predicate {number}: {name or 'value'}: {first['msg'].lower()}"))
    return tuple(found)


def _is_date(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
