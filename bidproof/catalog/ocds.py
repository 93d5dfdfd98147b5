"""Criteria of the Open Contracting Data Standard's requirements extension as catalog cells.

One criterion is one rule. Its requirement groups are alternatives and all requirements of a group must
hold, which
is the meaning of `Predicate.group` as well (https://extensions.open-
contracting.org/en/extensions/requirements/).
"""

from __future__ import annotations

from typing import Any

from bidproof.catalog.contract import HEADER, Cells, Problem
from bidproof.facts import words_of
from bidproof.facts.units import TIME_WORDS
from bidproof.records import Comparator, Predicate


def is_ocds(data: object) -> bool:
    """Whether JSON data carries OCDS criteria: a release, or a package of one."""
    return _release(data) is not None


def _release(data: object) -> dict[str, Any] | None:
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("releases"), list) and data["releases"]:
        data = data["releases"][0]
    if not isinstance(data, dict):
        return None
    tender = data.get("tender")
    release: dict[str, Any] = data
    return release if isinstance(tender, dict) and isinstance(tender.get("criteria"), list) else None


def cells_of_criteria(data: object, head: dict[str, str], problems: list[Problem]) -> list[Cells]:
    """Rules of an OCDS release as cells; the tender's title and closing date go to `head`."""
    release = _release(data)
    assert release is not None
    tender = release["tender"]
    head.update({name: str(tender.get(name) or "") for name in HEADER if name == "title"})
    head["submission_date"] = str((tender.get("tenderPeriod") or {}).get("endDate") or "")[:10]
    cells: list[Cells] = []
    for number, criterion in enumerate(tender["criteria"], 1):
        where = f"criterion {number}"
        if not isinstance(criterion, dict):
            problems.append(Problem(where, "a criterion is no object"))
            continue
        texts = [str(criterion.get("title") or ""), str(criterion.get("description") or "")]
        predicates: list[Predicate] = []
        for group, alternatives in enumerate(criterion.get("requirementGroups") or []):
            for requirement in alternatives.get("requirements") or []:
                texts.append(str(requirement.get("title") or requirement.get("description") or ""))
                predicates += _predicates(requirement, group)
        words = [text.strip().rstrip(".") for text in dict.fromkeys(texts) if text.strip()]
        values = {
            "id": criterion.get("id") or f"C{number}", "area": criterion.get("relatesTo") or "General",
            "mandatory": "yes",
            "text": ". ".join(words), "predicates": predicates,
        }  # fmt: skip
        cells.append(Cells(where, {name: (where, value) for name, value in values.items()}))
    return cells


def _predicates(requirement: dict[str, Any], group: int) -> list[Predicate]:
    title = str(requirement.get("title") or requirement.get("description") or "")
    low, high, exact = (_number(requirement.get(name)) for name in ("minValue", "maxValue", "expectedValue"))
    asked: tuple[Comparator, float | None, float | None]
    if low is not None and high is not None:
        asked = "=", low, high
    elif low is not None:
        asked = ">=", low, None
    elif high is not None:
        asked = "<=", high, None
    elif exact is not None:
        asked = "=", exact, None
    else:
        words = tuple(dict.fromkeys(words_of(title)))
        return [Predicate(kind="presence", group=group, terms=words, text=title)] if words else []
    comparator, value, value_max = asked
    return [
        Predicate(
            kind="quantity",
            group=group,
            measure=(title,),
            comparator=comparator,
            value=value,
            value_max=value_max,
            unit=_unit(requirement.get("unit")),
            text=title,
        )
    ]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _unit(unit: object) -> str:
    """Currency or name of an OCDS unit, as facts spell it (`days` is `day`)."""
    if isinstance(unit, dict):
        value = unit.get("value")
        currency = value.get("currency") if isinstance(value, dict) else ""
        unit = currency or unit.get("name")
    name = str(unit or "")
    return TIME_WORDS.get(name.lower(), name)
