"""A catalog as YAML for people: a head that explains, the status, one rule a block, predicates in words.

Text is quoted wherever YAML or a reader could take it for something else. Same catalog, same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from bidproof.catalog.formats.alternatives import gathered
from bidproof.catalog.formats.contract import HEADER
from bidproof.catalog.formats.files import CatalogFile
from bidproof.catalog.formats.given import folded_space
from bidproof.catalog.formats.other_columns import by_rule
from bidproof.catalog.formats.predicate_lines import (
    WHOLE_RULE,
    PredicateLineError,
    parse_words,
    predicate_words,
)
from bidproof.catalog.formats.rfp_record import filled
from bidproof.catalog.formats.sheet_rows import own_date
from bidproof.records import Predicate, Requirement, Source

_EXPLAINED = """\
# Rule catalog: what a bid must show, one entry a rule. Edit it, then run `bidproof catalog check FILE`.
#
#   id               short and stable; verdicts, overrides and reports refer to it
#   area             chapter of the compliance matrix
#   mandatory        yes: a Fail or Missing closes the gate for the bidder
#   scored           yes: the RFP gives points for it
#   obligation       the RFP's words that make it mandatory, scored or optional
#   text             the requirement, one that can be checked on its own, with figures and units
#   clause_ref       heading path in the RFP, outermost heading first, " > " between levels
#   weight           weight in the score, 1 where it is left out
#   predicates       what code tests, with the words of the text that each came `from`:
#                      quantity: bid security >= 2 percent of total bid price
#                      quantity: repair time is 4 to 8 hour
#                      standard: ISO/IEC 27001:2022; valid on submission
#                      form: BS-1
#                      date: power of attorney >= 2026-09-17
#                      presence: maintenance plan / schedule
#                    All must hold. Those with the same `alternative: 1`, `2`, ... are one way to comply, and
#                    one way is enough; those without hold in each of them. Leave the list out and it is
#                    derived from the text again.
#   sentry_terms     words and numbers that evidence must not miss; derived where left out
#   synonyms, section_hints   other words for it, and where it usually stands; derived where left out
#   flags            deadline, exclusion, intellectual_property, sovereignty, insurance
#   question_id      the RFP's question that the rule asks
#   references, definitions   what the rule refers to, and defined terms that it uses, as the RFP has them
#   submission_date  where it is not the catalog's own: the day on which certificates must be valid
#   sources          every place of the RFP that states it: page, and the words as they stand there
#   keep             drop: the rule leaves the catalog
#   remark           what you want to say about it
#   other            your own columns, kept as they are
#
# conflicts and superseded, above the rules, say what the RFP's own files make of one another: which places contradict,
# and which rules an addendum replaced or deleted. They stay in the record. Mend the rules of a conflict, then write
# ` => settled: which one holds` behind it.
#
"""
_PLAIN = re.compile(r"[^\W\d_](?:[\w ,;()/%<>=+'’.&-]*[\w)%])?")
_LIKE_OTHER = re.compile(
    r"(?:y|n|yes|no|on|off|true|false|null|none|nan|inf|oui|non|vrai|faux)", re.IGNORECASE
)
_LISTED = ("sentry_terms", "synonyms", "section_hints", "references", "definitions")


def to_yaml(catalog: CatalogFile) -> bytes:
    """The catalog as the bytes of a YAML file."""
    lines = [_EXPLAINED.rstrip("\n"), *status_lines(catalog)]
    lines += [head_line(name, getattr(catalog, name)) for name in HEADER if getattr(catalog, name)]
    lines += _record_lines(catalog)
    lines.append("rules:")
    said = by_rule(catalog.other)
    for area, rules in groupby(catalog.rules, key=lambda rule: rule.area):
        lines += ["", f"  # {'=' * 8} {folded_space(area)[:80]} {'=' * 8}"]
        for rule in rules:
            lines += ["", *_rule_lines(rule, catalog)]
            if others := said.get(rule.rule_id):
                lines.append("    other:")
                lines += [f"      {_quoted(name)}: {_quoted(text)}" for name, text in others.items()]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def status_lines(catalog: CatalogFile) -> Iterator[str]:
    """Comment lines that say who accepted the catalog, or that nobody has."""
    mandatory = sum(rule.mandatory for rule in catalog.rules)
    counts = f"{len(catalog.rules)} rules, {mandatory} mandatory"
    if catalog.status == "draft":
        yield f"# STATUS: DRAFT, {counts}. No person has accepted it yet:"
        yield "#   bidproof catalog accept FILE --by NAME"
    elif catalog.status == "accepted":
        by = f" by {folded_space(catalog.accepted_by)[:80]}" if catalog.accepted_by else ""
        on = f" on {folded_space(catalog.accepted_on)[:40]}" if catalog.accepted_on else ""
        yield f"# STATUS: accepted{by}{on}, {counts}."
    else:
        yield f"# {counts}."


def head_line(name: str, value: str) -> str:
    """A field of the head as a line of YAML."""
    return f"{name}: {_scalar(value)}"


def _record_lines(catalog: CatalogFile) -> Iterator[str]:
    """Places of the RFP that contradict one another, and rules that it superseded."""
    if catalog.conflicts:
        yield "conflicts:"
    yield from (f"  - {_quoted(said)}" for said in catalog.conflicts)
    if catalog.superseded:
        yield "superseded:"
    for one in catalog.superseded:
        mark = "  - "
        for name, value in filled(one).items():
            yield f"{mark}{name}: {_quoted(value) if isinstance(value, str) else json.dumps(value)}"
            mark = "    "


def _quoted(text: str) -> str:
    """Text in double quotes, with everything that does not print escaped."""
    shown = json.dumps(text, ensure_ascii=False)
    return "".join(
        char
        if char.isprintable()
        else f"\\u{ord(char):04x}"
        if ord(char) < 0x10000
        else f"\\U{ord(char):08x}"
        for char in shown
    )


def _scalar(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and not _LIKE_OTHER.fullmatch(text) and text == text.strip()
    return text if plain and len(text) < 100 and text.isprintable() else _quoted(text)


def _rule_lines(rule: Requirement, catalog: CatalogFile) -> Iterator[str]:
    yield f"  - id: {_scalar(rule.rule_id)}"
    fields: list[tuple[str, Any]] = [
        ("area", _scalar(rule.area)),
        ("mandatory", "yes" if rule.mandatory else "no"),
        ("scored", "yes" if rule.scored else ""),
        ("obligation", _quoted(rule.obligation) if rule.obligation else ""),
        ("text", _quoted(rule.text)),
        ("clause_ref", _quoted(rule.clause_ref) if rule.clause_ref else ""),
        ("weight", "" if rule.weight == 1.0 else repr(rule.weight).removesuffix(".0")),
    ]
    yield from (f"    {name}: {value}" for name, value in fields if value)
    yield from _predicate_lines(rule)
    for name in _LISTED:
        yield from _list_lines(name, getattr(rule, name), flow=name not in ("references", "definitions"))
    yield from _list_lines("flags", rule.flags, flow=True)
    date = own_date(rule, catalog.submission_date)
    remark = catalog.remark(rule.rule_id)
    rest = (("question_id", rule.question_id), ("submission_date", date), ("remark", remark))
    yield from (f"    {name}: {_scalar(value)}" for name, value in rest if value)
    yield from _source_lines(rule)


def _list_lines(name: str, values: tuple[str, ...], *, flow: bool) -> Iterator[str]:
    if not values:
        return
    items = [_scalar(value) if not set(value) & set(",[]{}") else _quoted(value) for value in values]
    line = f"    {name}: [{', '.join(items)}]"
    if flow and len(line) <= 200:
        yield line
    else:
        yield f"    {name}:"
        yield from (f"      - {item}" for item in items)


def _predicate_lines(rule: Requirement) -> Iterator[str]:
    if not rule.predicates:
        return
    yield "    predicates:"
    for predicate, marked in gathered(rule.predicates):
        words = predicate_words(predicate)
        if words.startswith("{") or not _reads_back(predicate, words, rule.text):
            yield from _field_lines(predicate, marked)
            continue
        kind, _, body = words.partition(": ")
        yield f"      - {kind}: {_scalar(body)}"
        if predicate.text == rule.text:
            yield f"        from: {WHOLE_RULE}"
        elif predicate.text:
            yield f"        from: {_quoted(predicate.text)}"
        if marked:
            yield f"        alternative: {predicate.group}"


def _reads_back(predicate: Predicate, words: str, rule_text: str) -> bool:
    kind, _, body = words.partition(": ")
    if predicate.text == WHOLE_RULE != rule_text:
        return False
    try:
        return parse_words(kind, body, group=predicate.group, text=predicate.text) == predicate
    except PredicateLineError:
        return False


def _field_lines(predicate: Predicate, marked: bool) -> Iterator[str]:
    """A predicate by its own fields, where words cannot carry it."""
    mark = "      - "
    fields = {"kind": predicate.kind, **predicate.model_dump(exclude_defaults=True)}
    if marked:
        fields["group"] = predicate.group
    for name, value in fields.items():
        if isinstance(value, tuple | list):
            shown = f"[{', '.join(_quoted(str(item)) for item in value)}]"
        else:
            shown = _quoted(value) if isinstance(value, str) else json.dumps(value)
        yield f"{mark}{name}: {shown}"
        mark = "        "


def _source_lines(rule: Requirement) -> Iterator[str]:
    first: Source | None = rule.sources[0] if rule.sources else None
    if rule.source_page != (first.page if first else None):
        yield f"    source_page: {'' if rule.source_page is None else rule.source_page}".rstrip()
    if rule.source_quote != (first.quote if first else ""):
        yield f"    source_quote: {_quoted(rule.source_quote)}"
    if rule.sources:
        yield "    sources:"
    for source in rule.sources:
        yield f"      - page: {source.page}"
        for name in ("page_label", "file_name", "heading_path"):
            if value := getattr(source, name):
                yield f"        {name}: {_scalar(value) if name != 'page_label' else _quoted(value)}"
        yield f"        quote: {_quoted(source.quote)}"
