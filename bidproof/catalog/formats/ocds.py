"""Criteria of the Open Contracting Data Standard's requirements extension, read as catalog rules.

One criterion is one rule. Its requirement groups are alternatives and all requirements of a group must hold,
which is the meaning of `Predicate.group` as well. What the standard has no place for stands in blocks named
`x_bidproof` and only there (https://extensions.open-contracting.org/en/extensions/requirements/).
"""

from __future__ import annotations

import difflib
from typing import Any

from bidproof.catalog.formats.contract import FIELDS, HEADER
from bidproof.catalog.formats.given import Cells, Given, Taken, placed
from bidproof.catalog.formats.other_columns import BLOCK as OTHER
from bidproof.catalog.formats.rfp_record import LISTS as RFP_LISTS
from bidproof.catalog.formats.rfp_record import take_list
from bidproof.facts import words_of
from bidproof.facts.units import TIME_WORDS
from bidproof.records import Comparator, Predicate

BLOCK = "x_bidproof"
FORMAT = "bidproof.catalog/1"
CRITERION = (
    "id", "title", "description", "source", "relatesTo", "relatedItem", "classification", "requirementGroups",
)  # fmt: skip
GROUP = ("id", "description", "requirements")
REQUIREMENT = (
    "id", "title", "description", "status", "dataType", "pattern", "expectedValue", "minValue", "maxValue",
    "period", "unit", "datePublished", "eligibleEvidences",
)  # fmt: skip
_RELEASE = ("tag", "initiationType", "tender", "language")
_TENDER = ("id", "title", "tenderPeriod", "criteria")
DATA_TYPES = ("string", "date-time", "number", "integer", "boolean")


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


def take_criteria(data: object, taken: Taken) -> None:
    """Rules of an OCDS release, the tender's title and closing date, and faults of its shape into `taken`."""
    release = _release(data)
    assert release is not None
    tender = release["tender"]
    block = tender.get(BLOCK)
    ours = isinstance(block, dict)
    releases = data.get("releases") if isinstance(data, dict) else None
    if isinstance(releases, list) and len(releases) > 1:
        taken.warnings.append(f"holds {len(releases)} releases; only the first is read")
    _take_head(tender, block if ours else {}, ours, taken)
    beyond = [name for name in release if name not in _RELEASE]
    beyond += [f"tender.{name}" for name in tender if name not in (*_TENDER, BLOCK)]
    if beyond:
        taken.warnings.append(f"holds more than a catalog does, and that is not read: {', '.join(beyond)}")
    for number, criterion in enumerate(tender["criteria"], 1):
        where = f"criterion {number}"
        if not isinstance(criterion, dict):
            taken.fault(where, "a criterion is no object")
            continue
        _check_names(criterion, CRITERION, where, taken, kept=True)
        taken.cells.append(Cells(where, _fields(criterion, number, where, ours, taken)))


def _take_head(tender: dict[str, Any], block: dict[str, Any], ours: bool, taken: Taken) -> None:
    period = tender.get("tenderPeriod")
    end = str(period.get("endDate") or "")[:10] if isinstance(period, dict) else ""
    values: dict[str, Any] = {"title": tender.get("title") or "", "submission_date": end}
    if ours:
        values["tender"] = tender.get("id") or ""
        values.update({name: value for name, value in block.items() if name in HEADER})
        for name in RFP_LISTS:
            if name in block:
                take_list(taken, name, placed(block[name], f"tender.{BLOCK}", exact=True))
        for name in sorted(set(block) - {*HEADER, *RFP_LISTS, "format"}):
            taken.fault(f"tender.{BLOCK}", f"unknown field `{name}`; known are {', '.join(HEADER)}")
    taken.head.update({n: Given(f"tender.{n}", str(v), ours) for n, v in values.items() if v})


def _check_names(
    data: dict[str, Any], known: tuple[str, ...], where: str, taken: Taken, *, kept: bool = False
) -> None:
    """Misspelt fields of the standard are faults; fields of other extensions are said where they are not kept."""
    for name in data:
        if name in known or name == BLOCK:
            continue
        if close := difflib.get_close_matches(name, known, 1, 0.8):
            taken.fault(where, f"unknown field `{name}`; did you mean `{close[0]}`?")
        elif not kept:
            taken.warnings.append(
                f"{where}: field `{name}` is none of the requirements extension and is not read"
            )


def _fields(criterion: dict[str, Any], number: int, where: str, ours: bool, taken: Taken) -> dict[str, Given]:
    texts = [str(criterion.get("title") or ""), str(criterion.get("description") or "")]
    found: list[tuple[int, int, Predicate]] = []
    for group, alternative in enumerate(_objects(criterion, "requirementGroups", where, taken)):
        place = f"{where}, group {group + 1}"
        _check_names(alternative, GROUP, place, taken)
        for index, requirement in enumerate(_objects(alternative, "requirements", place, taken), 1):
            spot = f"{place}, requirement {index}"
            _check_names(requirement, REQUIREMENT, spot, taken)
            texts.append(str(requirement.get("title") or requirement.get("description") or ""))
            if (predicate := _predicate(requirement, group, spot, taken)) is not None:
                found.append((_position(requirement, len(found)), len(found), predicate))
    predicates = [predicate for *_, predicate in sorted(found, key=lambda one: one[:2])]
    words = [text.strip().rstrip(".") for text in dict.fromkeys(texts) if text.strip()]
    values: dict[str, Any] = {
        "id": str(criterion.get("id") or f"C{number}"),
        "area": criterion.get("relatesTo") or "General",
        "mandatory": "yes",
        "text": texts[1] if ours and texts[1].strip() else ". ".join(words),
    }
    fields = {name: Given(where, value, ours) for name, value in values.items()}
    fields["predicates"] = Given(where, [Given(where, predicate, True) for predicate in predicates], True)
    block = criterion.get(BLOCK)
    # What others write beside the standard's fields is kept like a column of the buyer's own.
    others = {
        name: value
        for name, value in criterion.items()
        if name not in (*CRITERION, BLOCK) and value not in (None, "")
    }
    if isinstance(block, dict) and isinstance(block.get(OTHER), dict):
        others.update(block[OTHER])
    if others:
        fields[OTHER] = placed(others, where)
    for name, value in block.items() if isinstance(block, dict) else ():
        if name == OTHER and isinstance(value, dict):
            continue
        if name in FIELDS and name not in ("predicates",):
            fields[name] = placed(value, where, exact=True)
        else:
            taken.fault(where, f"{BLOCK}: unknown field `{name}`; known are {', '.join(FIELDS)}")
    return fields


def _objects(data: dict[str, Any], name: str, where: str, taken: Taken) -> list[dict[str, Any]]:
    items = data.get(name) or []
    if not isinstance(items, list) or any(not isinstance(item, dict) for item in items):
        taken.fault(where, f"{name} is no list of objects")
        return []
    return items


def _position(requirement: dict[str, Any], default: int) -> int:
    block = requirement.get(BLOCK)
    position = block.get("position") if isinstance(block, dict) else None
    return position if isinstance(position, int) else default


def _predicate(requirement: dict[str, Any], group: int, where: str, taken: Taken) -> Predicate | None:
    """The predicate of a requirement: what the standard's fields say, then what the block adds."""
    _check_values(requirement, where, taken)
    said = plain_predicate(requirement, group)
    block = requirement.get(BLOCK)
    if not isinstance(block, dict):
        return said
    values = said.model_dump(mode="json") if said is not None else {"group": group}
    try:
        return Predicate.model_validate({**values, **{n: v for n, v in block.items() if n != "position"}})
    except ValueError as error:
        first = error.errors()[0] if hasattr(error, "errors") else {"loc": (), "msg": str(error)}
        name = ".".join(str(part) for part in first["loc"])
        taken.fault(where, f"{BLOCK}: {name or 'value'}: {str(first['msg']).lower()}")
        return None


def _check_values(requirement: dict[str, Any], where: str, taken: Taken) -> None:
    kind = requirement.get("dataType")
    if kind is not None and kind not in DATA_TYPES:
        close = difflib.get_close_matches(str(kind), DATA_TYPES, 1)
        hint = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(DATA_TYPES)}"
        taken.fault(where, f"dataType `{kind}` is unknown; {hint}")
    for name in ("minValue", "maxValue"):
        if requirement.get(name) is not None and number_of(requirement[name]) is None:
            taken.fault(where, f"{name} `{str(requirement[name])[:40]}` is no number")


def plain_predicate(requirement: dict[str, Any], group: int) -> Predicate | None:
    """What the standard's own fields of a requirement say; None where they say nothing that can be tested."""
    title = str(requirement.get("title") or requirement.get("description") or "")
    low, high, exact = (number_of(requirement.get(n)) for n in ("minValue", "maxValue", "expectedValue"))
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
        return Predicate(kind="presence", group=group, terms=words, text=title) if words else None
    comparator, value, value_max = asked
    return Predicate(
        kind="quantity", group=group, measure=(title,) if title else (), comparator=comparator, value=value,
        value_max=value_max, unit=_unit(requirement.get("unit")), text=title,
    )  # fmt: skip


def number_of(value: object) -> float | None:
    """A JSON number; None for truth values and text."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _unit(unit: object) -> str:
    """Currency or name of an OCDS unit, as facts spell it (`days` is `day`)."""
    if isinstance(unit, dict):
        value = unit.get("value")
        currency = value.get("currency") if isinstance(value, dict) else ""
        unit = currency or unit.get("name")
    name = str(unit or "")
    return TIME_WORDS.get(name.lower(), name)
