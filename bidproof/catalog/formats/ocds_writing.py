"""A catalog as an OCDS release with criteria of the requirements extension.

The standard's own fields say all they can; `x_bidproof` blocks hold only what reading those fields would not
give back, so that an edit of a standard field is an edit of the rule. The release has no `ocid` and no date:
whoever publishes it gives them.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from bidproof.catalog.formats.contract import HEADER
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.ocds import BLOCK, FORMAT, plain_predicate
from bidproof.catalog.formats.other_columns import BLOCK as OTHER
from bidproof.catalog.formats.other_columns import by_rule
from bidproof.catalog.formats.predicate_lines import predicate_words
from bidproof.catalog.formats.rfp_record import filled
from bidproof.catalog.formats.sheet_rows import fields_of
from bidproof.records import Predicate, Requirement

EXTENSION = (
    "https://raw.githubusercontent.com/open-contracting-extensions/ocds_requirements_extension/master/"
    "extension.json"
)


def to_ocds(catalog: CatalogFile) -> bytes:
    """The catalog as JSON: a release package with one release. Same catalog, same bytes."""
    head = {name: getattr(catalog, name) for name in HEADER if getattr(catalog, name)}
    tender: dict[str, Any] = {}
    if catalog.tender:
        tender["id"] = head.pop("tender")
    if catalog.title:
        tender["title"] = head.pop("title")
    if catalog.submission_date:
        tender["tenderPeriod"] = {"endDate": f"{head.pop('submission_date')}T00:00:00Z"}
    said = by_rule(catalog.other)
    tender["criteria"] = [
        _criterion(rule, catalog.submission_date, catalog.remark(rule.rule_id), said.get(rule.rule_id, {}))
        for rule in catalog.rules
    ]
    record = {
        "conflicts": list(catalog.conflicts),
        "superseded": [filled(one) for one in catalog.superseded],
    }
    tender[BLOCK] = {"format": FORMAT, **head, **{name: listed for name, listed in record.items() if listed}}
    release = {"tag": ["tender"], "initiationType": "tender", "tender": tender}
    package = {"version": "1.1", "extensions": [EXTENSION], "releases": [release]}
    return (json.dumps(package, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _criterion(rule: Requirement, date: str, remark: str, other: dict[str, str]) -> dict[str, Any]:
    last = rule.clause_ref.split(">")[-1].strip()
    criterion: dict[str, Any] = {
        "id": rule.rule_id,
        "title": last or rule.area,
        "description": rule.text,
        "source": "tenderer",
        "relatesTo": "tenderer",
    }
    groups = _groups(rule)
    if groups:
        criterion["requirementGroups"] = groups
    block = {**_block(rule, date, remark), **({OTHER: other} if other else {})}
    if block:
        criterion[BLOCK] = block
    return criterion


def _block(rule: Requirement, date: str, remark: str) -> dict[str, Any]:
    """Fields of a rule that the criterion has no place for."""
    values = fields_of(rule, date, remark)
    values = {
        n: v for n, v in values.items() if n not in ("id", "text", "predicates") and v not in ("", (), None)
    }
    if rule.mandatory:
        values.pop("mandatory")
    if not rule.scored:
        values.pop("scored")
    if "sources" in values:
        values["sources"] = [s.model_dump(mode="json", exclude_defaults=True) for s in rule.sources]
        first = rule.sources[0]
        if rule.source_page == first.page:
            values.pop("source_page", None)
        else:
            values["source_page"] = rule.source_page
        if rule.source_quote == first.quote:
            values.pop("source_quote", None)
        else:
            values["source_quote"] = rule.source_quote
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _groups(rule: Requirement) -> list[dict[str, Any]]:
    numbers = list(dict.fromkeys(p.group for p in rule.predicates))
    order = [i for number in numbers for i, p in enumerate(rule.predicates) if p.group == number]
    groups = []
    for place, number in enumerate(numbers):
        members = [(i, p) for i, p in enumerate(rule.predicates) if p.group == number]
        requirements = []
        for count, (index, predicate) in enumerate(members, 1):
            name = f"{rule.rule_id}-{place + 1}-{count}"
            position = None if order == sorted(order) else index
            requirements.append(_requirement(predicate, name, place, position))
        groups.append({"id": f"{rule.rule_id}-{place + 1}", "requirements": requirements})
    return groups


def _requirement(predicate: Predicate, name: str, group: int, position: int | None) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": name,
        "title": _title(predicate),
        "description": predicate_words(predicate),
    }
    values.update(_tests(predicate))
    said = plain_predicate(values, group)
    known = said.model_dump(mode="json") if said is not None else {}
    full = predicate.model_dump(mode="json")
    block = {n: v for n, v in full.items() if n not in known or known[n] != v}
    if said is None:
        default = Predicate(kind=predicate.kind, group=group).model_dump(mode="json")
        block = {n: v for n, v in full.items() if n == "kind" or v != default[n]}
    if position is not None:
        block["position"] = position
    return {**values, **({BLOCK: block} if block else {})}


def _title(predicate: Predicate) -> str:
    said = predicate.measure[:1] or ((predicate.code,) if predicate.code else ()) or predicate.terms
    return " ".join(said) or predicate.text


def _tests(predicate: Predicate) -> dict[str, Any]:
    if predicate.kind == "quantity" and predicate.value is not None and math.isfinite(predicate.value):
        return {**_bounds(predicate), **({"unit": _unit(predicate.unit)} if predicate.unit else {})}
    if predicate.kind in ("standard", "form") and predicate.code:
        edition = f":{predicate.edition}" if predicate.edition else ""
        pattern = r"\s*".join(re.escape(part) for part in predicate.code.split()) + edition
        return {"dataType": "string", "pattern": pattern, "expectedValue": predicate.code + edition}
    if predicate.kind == "date":
        period = {"period": {"endDate": f"{predicate.date}T00:00:00Z"}} if predicate.date else {}
        return {"dataType": "date-time", **period}
    return {"dataType": "boolean", "expectedValue": True}


def _bounds(predicate: Predicate) -> dict[str, Any]:
    value, top = _number(predicate.value), _number(predicate.value_max)
    whole = all(isinstance(number, int) for number in (value, top) if number is not None)
    kind = {"dataType": "integer" if whole and predicate.unit != "percent" else "number"}
    if top is not None:
        return {**kind, "minValue": value, "maxValue": top}
    if predicate.comparator in (">=", ">"):
        return {**kind, "minValue": value}
    if predicate.comparator in ("<=", "<"):
        return {**kind, "maxValue": value}
    return {**kind, "expectedValue": value}


def _number(value: float | None) -> int | float | None:
    if value is None or not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _unit(unit: str) -> dict[str, Any]:
    if re.fullmatch(r"[A-Z]{3}", unit):
        return {"name": unit, "value": {"currency": unit}}
    return {"name": unit}
