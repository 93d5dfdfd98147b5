"""Predicates as people read and write them, one line each, and back without loss.

`quantity: bid security = 2 percent of total bid price`, `standard: ISO/IEC 27001:2022; valid on submission`.
A line that would not come back as the very same predicate is written as JSON instead, so nothing is lost
whatever the words. Whether a predicate makes sense is told in `predicate_faults`.
"""

from __future__ import annotations

import difflib
import json
import re
from typing import Any, get_args

from pydantic import ValidationError

from bidproof.facts.units import TIME_WORDS, counted_noun, technical_unit
from bidproof.records import Comparator, Predicate, PredicateKind

KINDS: tuple[str, ...] = get_args(PredicateKind)
WHOLE_RULE = "whole rule"
"""Stands for a predicate's text where that is the rule's whole text."""

_OPERATORS: dict[str, Comparator] = {
    ">=": ">=",
    "≥": ">=",
    "<=": "<=",
    "≤": "<=",
    "=": "=",
    ">": ">",
    "<": "<",
    "is": "",
}
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|;|(?:>=|<=|[≥≤><=])|[^\s";<>=≥≤]+')
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|[-+]?\d{1,3}(?:,\d{3})+\.\d+")
_COMMA = re.compile(r"[-+]?\d+,\d+")
_PLAIN = re.compile(r"[^\W\d_][\w'’().%&+-]*(?: [\w'’().%&+-]+)*", re.UNICODE)
_RESERVED = frozenset({"is", "to", "per", "of", "/"})
_EDITION = re.compile(r"(?P<code>.*\S):(?P<edition>\d{4})")
ALTERNATIVE = re.compile(r"\[\s*(?:alternative\s+)?(?P<group>-?\d+)\s*\]\s*")
_FROM = " <- "
_UNITS = {"%": "percent", "per cent": "percent", "pct": "percent", "pour cent": "percent"}
_VALID = "valid on submission"


class PredicateLineError(ValueError):
    """A line that is no predicate; says in words why."""


def predicate_line(predicate: Predicate, rule_text: str = "", *, marked: bool | None = None) -> str:
    """A predicate on one line with its group and the text it came from: the form of a cell.

    `marked` says whether its alternative is written; left out, all but 0 are.
    """
    marked = bool(predicate.group) if marked is None else marked
    body = predicate_words(predicate)
    if body.startswith("{"):
        return as_json(predicate, marked=marked)
    group = f"[alternative {predicate.group}] " if marked else ""
    if not predicate.text:
        line = group + body
    elif predicate.text == rule_text:
        line = f"{group}{body}{_FROM}{WHOLE_RULE}"
    else:
        line = f"{group}{body}{_FROM}{_quoted(predicate.text)}"
    try:
        if parse_line(line, rule_text) == predicate:
            return line
    except PredicateLineError:
        pass
    return as_json(predicate, marked=marked)


def parse_line(line: str, rule_text: str = "") -> Predicate:
    """The predicate of a line made by `predicate_line` or by a person.

    Raises:
        PredicateLineError: it is none; the message says why.
    """
    line = line.strip()
    if line.startswith("{"):
        return _from_json(line)
    group = 0
    if match := ALTERNATIVE.match(line):
        group, line = int(match["group"]), line[match.end() :]
    text = ""
    if _FROM in line:
        line, _, said = _split_from(line)
        text = rule_text if said == WHOLE_RULE else _unquoted(said)
    kind, colon, body = line.partition(":")
    if not colon or kind.strip().lower() not in KINDS:
        raise PredicateLineError(f"`{line[:60]}` does not begin with {', '.join(KINDS)} and a colon")
    return parse_words(kind.strip().lower(), body, group=group, text=text)


def predicate_words(predicate: Predicate) -> str:
    """A predicate's test with its kind, without group and text; JSON where words cannot carry it."""
    bare = predicate.model_copy(update={"group": 0, "text": ""})
    for strict in (False, True):
        body = _body(bare, strict)
        try:
            if parse_words(bare.kind, body) == bare:
                return f"{bare.kind}: {body}"
        except PredicateLineError:
            continue
    return as_json(predicate)


def as_json(predicate: Predicate, *, marked: bool = False) -> str:
    """All that differs from the defaults, as JSON on one line; the group too where it is marked."""
    data = predicate.model_dump(mode="json", exclude_defaults=True)
    if marked:
        data["group"] = predicate.group
    return json.dumps({"kind": predicate.kind, **data}, ensure_ascii=True, sort_keys=True)


def parse_words(kind: str, body: str, *, group: int = 0, text: str = "") -> Predicate:
    """The predicate that `body` states in words.

    Raises:
        PredicateLineError: it is none; the message says why.
    """
    segments: list[list[str]] = [[]]
    for token in _tokens(body):
        if token == ";":
            segments.append([])
        else:
            segments[-1].append(token)
    readers = {"quantity": _quantity, "date": _dated, "standard": _standard, "form": _form}
    values = readers.get(kind, _presence)(segments[0])
    for segment in segments[1:]:
        if segment:
            values.update(_option(segment))
    return _validated({"kind": kind, "group": group, "text": text, **values})


def _validated(values: dict[str, Any]) -> Predicate:
    try:
        return Predicate.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise PredicateLineError(f"{name or 'value'}: {first['msg'].lower()}") from None


def _from_json(line: str) -> Predicate:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise PredicateLineError(f"`{line[:60]}` is no JSON") from None
    return _validated(data)


def _split_from(line: str) -> tuple[str, str, str]:
    """Line, mark and text, cut at the last mark that no quotes hold."""
    end = line.rstrip()
    cut = end.rfind(_FROM)
    if end.endswith('"'):
        for start in (m.start() for m in re.finditer(re.escape(_FROM), end)):
            if re.fullmatch(r'"(?:[^"\\]|\\.)*"', end[start + len(_FROM) :].strip()):
                cut = start
                break
    return end[:cut], _FROM, end[cut + len(_FROM) :].strip()


def _tokens(body: str) -> list[str]:
    tokens, position = [], 0
    for match in _TOKEN.finditer(body):
        if body[position : match.start()].strip():
            break
        tokens.append(match[0])
        position = match.end()
    if body[position:].strip():
        raise PredicateLineError(f"a quotation mark is open in `{body.strip()[:80]}`")
    return tokens


def _quoted(text: str) -> str:
    return "".join(
        f"\\u{ord(char):04x}" if not char.isprintable() and ord(char) < 0x10000 else char
        for char in json.dumps(text, ensure_ascii=False)
    )


def _unquoted(token: str) -> str:
    if not (len(token) > 1 and token.startswith('"') and token.endswith('"')):
        return token
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        raise PredicateLineError(f"{token[:60]} is not well quoted") from None


def _word(text: str, strict: bool) -> str:
    safe = _PLAIN.fullmatch(text) and not _RESERVED & set(text.split()) and text.lower() != _VALID
    return text if safe and not strict else _quoted(text)


def _phrases(parts: tuple[str, ...], strict: bool) -> str:
    return " / ".join(_word(part, strict) for part in parts)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _body(predicate: Predicate, strict: bool) -> str:
    """The words of a predicate; every field that its kind has no words for follows as an option."""
    said: set[str] = {"kind", "group", "text"}
    parts: list[str] = []
    if predicate.kind == "quantity" and predicate.value is not None:
        said |= {"measure", "comparator", "value", "value_max", "unit", "per", "base"}
        parts = [_phrases(predicate.measure, strict), predicate.comparator or "is", _number(predicate.value)]
        if predicate.value_max is not None:
            parts += ["to", _number(predicate.value_max)]
        parts += [_word(predicate.unit, strict)] if predicate.unit else []
        parts += ["per", _word(predicate.per, strict)] if predicate.per else []
        parts += ["of", _word(predicate.base, strict)] if predicate.base else []
    elif predicate.kind in ("date", "quantity"):
        said |= {"measure"}
        parts = [_phrases(predicate.measure, strict)]
        if predicate.kind == "date" and _DATE.fullmatch(predicate.date):
            said |= {"comparator", "date"}
            parts += [predicate.comparator or "is", predicate.date]
    elif predicate.kind in ("standard", "form"):
        said |= {"code"}
        code = predicate.code
        if not re.fullmatch(r"[\w/.-]+(?: [\w/.-]+)*", code) or strict:
            code = _quoted(code)
        elif predicate.kind == "standard" and re.fullmatch(r"\d{4}", predicate.edition):
            said |= {"edition"}
            code += f":{predicate.edition}"
        parts = [code]
    else:
        said |= {"terms"}
        parts = [_phrases(predicate.terms, strict)]
    options = [_option_words(name, getattr(predicate, name), strict) for name in _unsaid(predicate, said)]
    return "; ".join([" ".join(part for part in parts if part), *options])


def _unsaid(predicate: Predicate, said: set[str]) -> list[str]:
    defaults = Predicate(kind=predicate.kind)
    return [
        name
        for name in Predicate.model_fields
        if name not in said and getattr(predicate, name) != getattr(defaults, name)
    ]


def _option_words(name: str, value: object, strict: bool) -> str:
    if name == "valid_on_submission":
        return _VALID
    if isinstance(value, tuple) and all(isinstance(part, str) for part in value):
        return f"{name} = {_phrases(value, strict)}"
    if isinstance(value, str):
        return f"{name} = {value if _DATE.fullmatch(value) else _word(value, strict)}"
    return f"{name} = {json.dumps(value)}"


def _option(tokens: list[str]) -> dict[str, Any]:
    if " ".join(tokens).lower() == _VALID:
        return {"valid_on_submission": True}
    cut = tokens.index("=") if "=" in tokens else len(tokens)
    name = "_".join(tokens[:cut]).lower()
    if cut == len(tokens) or name not in Predicate.model_fields or name in ("kind", "group", "text"):
        known = ", ".join(n for n in Predicate.model_fields if n not in ("kind", "group", "text"))
        raise PredicateLineError(
            f"`{' '.join(tokens)[:60]}` is no option; write `{_VALID}` or one of {known} with = and a value"
        )
    value = tokens[cut + 1 :]
    default = Predicate.model_fields[name].default
    if isinstance(default, tuple):
        return {name: _split_phrases(value)}
    if isinstance(default, bool):
        return {name: " ".join(value).lower() in ("true", "yes", "oui", "1")}
    if isinstance(default, str):
        joined = "".join(value) if name == "comparator" else _joined(value)
        return {name: joined}
    return {name: None if value == ["null"] else _value_of(value[0]) if value else None}


def _joined(tokens: list[str]) -> str:
    return " ".join(_unquoted(token) for token in tokens)


def _split_phrases(tokens: list[str]) -> tuple[str, ...]:
    if not tokens:
        return ()
    phrases: list[list[str]] = [[]]
    for token in tokens:
        if token == "/":
            phrases.append([])
        else:
            phrases[-1].append(token)
    if any(not phrase for phrase in phrases):
        raise PredicateLineError("a / has nothing on one side")
    return tuple(_joined(phrase) for phrase in phrases)


def _value_of(token: str) -> float:
    """The number a token states.

    Raises:
        PredicateLineError: it is none, or has two readings.
    """
    if _NUMBER.fullmatch(token):
        return float(token)
    if _GROUPED.fullmatch(token):
        return float(token.replace(",", ""))
    if _COMMA.fullmatch(token):
        if len(token.partition(",")[2]) == 3:
            plain, point = token.replace(",", ""), token.replace(",", ".")
            raise PredicateLineError(f"`{token}` has two readings; write {plain} or {point}")
        return float(token.replace(",", "."))
    raise PredicateLineError(f"`{token[:40]}` is no number")


def _operator_at(tokens: list[str]) -> int:
    """Index of the comparator: the first that a value follows; -1 for none."""
    for index, token in enumerate(tokens):
        if token in _OPERATORS and (token != "is" or _figures(tokens[index + 1 :])):
            return index
    return -1


def _figures(tokens: list[str]) -> bool:
    return bool(tokens) and any(char.isdigit() for char in "".join(tokens[:2]))


def _quantity(tokens: list[str]) -> dict[str, Any]:
    at = _operator_at(tokens)
    if at < 0:
        return {"measure": _split_phrases(tokens)}
    values: dict[str, Any] = {"measure": _split_phrases(tokens[:at]), "comparator": _OPERATORS[tokens[at]]}
    rest = tokens[at + 1 :]
    if len(rest) > 1 and re.fullmatch(r"[A-Z]{3}|[€$£]", rest[0]):  # EUR 5000000
        rest = [rest[1], rest[0], *rest[2:]]
    if not rest:
        return values
    glued = re.fullmatch(r"([-+]?[\d.,]+)([^\d.,eE+-].*)", rest[0])
    if glued:  # 2%, 90days
        rest = [glued[1], glued[2], *rest[1:]]
    values["value"] = _value_of(rest[0])
    rest = rest[1:]
    if rest[:1] == ["to"] and len(rest) > 1:
        values["value_max"], rest = _value_of(rest[1]), rest[2:]
    per = rest.index("per") if "per" in rest and rest[rest.index("per") :][1:2] != ["cent"] else len(rest)
    of = rest.index("of") if "of" in rest else len(rest)
    if per < of:
        values["per"] = _unit(rest[per + 1 : of])
    values["unit"] = _unit(rest[: min(per, of)])
    if of < len(rest):
        values["base"] = _joined(rest[of + 1 :])
    return values


def _unit(tokens: list[str]) -> str:
    """A unit as facts spell it; quoted ones are taken as they stand."""
    if not tokens:
        return ""
    if tokens[0].startswith('"'):
        return _joined(tokens)
    said = " ".join(tokens)
    low = said.lower()
    if low in _UNITS:
        return _UNITS[low]
    if re.fullmatch(r"(working|business|calendar)[ _]days?", low):
        return "calendar_day" if low.startswith("calendar") else "working_day"
    if re.fullmatch(r"[A-Z]{3}", said):
        return said
    known = TIME_WORDS.get(low) or technical_unit(said)
    if known or not said.islower() or difflib.get_close_matches(low, TIME_WORDS, 1, 0.75):
        return known or said
    return counted_noun(said)


def _dated(tokens: list[str]) -> dict[str, Any]:
    at = _operator_at(tokens)
    if at < 0:
        return {"measure": _split_phrases(tokens)}
    day = _joined(tokens[at + 1 :])
    return {"measure": _split_phrases(tokens[:at]), "comparator": _OPERATORS[tokens[at]], "date": day}


def _standard(tokens: list[str]) -> dict[str, Any]:
    said = _joined(tokens)
    if not any(token.startswith('"') for token in tokens) and (match := _EDITION.fullmatch(said)):
        return {"code": match["code"], "edition": match["edition"]}
    return {"code": said}


def _form(tokens: list[str]) -> dict[str, Any]:
    return {"code": _joined(tokens)}


def _presence(tokens: list[str]) -> dict[str, Any]:
    return {"terms": _split_phrases(tokens)}
