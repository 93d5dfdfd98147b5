"""Reading a form predicate: is the form there, filled in and signed, or only talked about.

Belongs here: telling a filled form from a blank one, a list entry or a promise. Does not belong here: the
figures inside a form, which are the matter of their own predicates.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bidproof.judging.columns import status_of
from bidproof.judging.evidence import BARE, DECLARED, STRONG, Evidence, Outcome, Reading, State, weigh
from bidproof.judging.passages import has_code
from bidproof.judging.polarity import denies, promise_in
from bidproof.judging.units import Unit
from bidproof.records import Predicate

BLANK = re.compile(
    r"\[\s*[_.…\s]*\]|_{3,}|\.{5,}|…{2,}|\[\s*(?:insert|to\s+be\s+(?:filled|completed)|amount|name|date|à\s+compl[ée]ter|ins[ée]rer)[^\]]*\]"
    r"|\b(?:to\s+be\s+(?:filled\s+in|completed|advised|stated)(?:\s+by\s+the\s+\w+)?|t\.?b\.?[dca]\b|à\s+(?:compl[ée]ter|remplir)(?:\s+par)?)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"\b(?:signed|signature|signatory|sign[ée]e?s?|stamp(?:ed)?|seal(?:ed)?|cachet|/s/)\b", re.IGNORECASE
)
_UNSIGNED = re.compile(r"\b(?:unsigned|not\s+signed|non\s+sign[ée]e?)\b", re.IGNORECASE)
_ASKS_SIGNATURE = re.compile(r"\bsign(?:ed|ature|[ée]e?s?)?\b", re.IGNORECASE)
_ABSENT = re.compile(
    r"\b(?:not\s+(?:enclosed|attached|included|submitted|provided|available|applicable|present)|missing|omitted|non\s+(?:joint|fourni|remis)\w*)\b",
    re.IGNORECASE,
)


def read_form(predicate: Predicate, reading: Reading) -> Outcome:
    """What the passages say about a form, by its code."""
    under = [u for u in reading.units if has_code(u.passage.heading_path, predicate.code)]
    found = [e for group in _by_place(under) if (e := _form_body(predicate, reading, group))]
    for unit in reading.units:
        if unit in under or unit.deviation == "none" or not has_code(unit.text, predicate.code):
            continue
        if reading.echo(unit):
            found.append(Evidence(unit, State.ECHO, 1.0, "only the RFP's own words", "echo"))
        else:
            found.append(_mention(predicate, unit))
    return weigh(predicate, found)


def _by_place(units: list[Unit]) -> list[list[Unit]]:
    """Units grouped by document and heading, in reading order."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        groups.setdefault((unit.passage.doc_id, unit.passage.heading_path), []).append(unit)
    return [
        sorted(group, key=lambda u: (u.passage.page, u.passage.chunk_id, u.start))
        for _, group in sorted(groups.items())
    ]


def _value(unit: Unit) -> str:
    """What is filled in: the cells behind the label, or what follows the colon of a line."""
    if unit.kind == "row" and len(unit.cells) > 1:
        return unit.passage.text[unit.cells[1].start : unit.end].strip()
    label, colon, value = unit.text.partition(":")
    return value.strip() if colon and len(label.split()) <= 12 else ""


def _is_blank(unit: Unit) -> bool:
    if BLANK.search(unit.text):
        return True
    return unit.kind == "row" and len(unit.cells) > 1 and not re.search(r"\w", _value(unit))


_FIELD = re.compile(r"[A-ZÀ-Ý][\w'’()/ -]{2,60}:\s*$")


def left_blank(unit: Unit) -> bool:
    """The unit ends in a blank, or has nothing but labels of fields beside its blanks."""
    text = unit.own_text
    blanks = list(BLANK.finditer(text))
    if not blanks:
        return False
    pieces = [text[a:b] for a, b in pairwise([0, *(e for m in blanks for e in m.span()), len(text)])][::2]
    return not any(re.search(r"\w", piece) for piece in pieces[1:] if not _FIELD.search(piece))


def _form_body(predicate: Predicate, reading: Reading, units: list[Unit]) -> Evidence | None:
    """The form itself, from the units under its heading."""
    rows = [u for u in units if u.kind == "row" or _value(u)]
    blank = [u for u in rows if _is_blank(u)]
    blank += [u for u in units if u not in rows and BLANK.search(u.text)]
    filled = [u for u in rows if u not in blank and _value(u)]
    own = [u for u in filled if not reading.echo(u)]
    if denied := next((u for u in units if _says_absent(u, predicate)), None):
        return Evidence(denied, State.FAILS, 1.0, f"{predicate.code} is said not to be enclosed")
    if blank and len(blank) >= len(own):
        return Evidence(blank[0], State.FAILS, 1.0, f"{predicate.code} is left blank", "blank form")
    if not own:
        return _prose_form(predicate, units)
    wants = bool(_ASKS_SIGNATURE.search(reading.requirement.text))
    signed = next((u for u in units if _is_signed(u)), None)
    if any(_UNSIGNED.search(u.own_text) for u in units):
        return Evidence(own[0], State.FAILS, 1.0, f"{predicate.code} is not signed")
    doubt = f"{len(blank)} field(s) left blank" if blank else ""
    if wants and signed is None:
        return Evidence(
            own[0],
            State.UNCLEAR,
            0.9,
            f"{predicate.code} filled in, no signature seen",
            "no signature seen",
            support=tuple(own[1:2]),
        )
    best = signed if wants and signed is not None else own[0]
    note = f"{predicate.code} filled in" + (" and signed" if wants else "")
    return Evidence(best, State.HOLDS, 1.0, note, doubt, support=tuple(u for u in own if u is not best)[:1])


def _says_absent(unit: Unit, predicate: Predicate) -> bool:
    return has_code(unit.text, predicate.code) and bool(_ABSENT.search(unit.own_text))


def _is_signed(unit: Unit) -> bool:
    value = _value(unit) or unit.own_text
    return (
        bool(_SIGNED.search(unit.own_text))
        and not _is_blank(unit)
        and bool(re.search(r"\w{3}", value))
        and not _UNSIGNED.search(unit.own_text)
    )


def _prose_form(predicate: Predicate, units: list[Unit]) -> Evidence | None:
    """A form without fields: its heading stands there with text, which only a person can accept."""
    text = [u for u in units if u.own_text.strip()]
    if not text:
        return None
    return Evidence(
        text[0],
        State.UNCLEAR,
        DECLARED,
        f"{predicate.code} has a heading, but no filled field was seen",
        "no filled field seen",
    )


def _mention(predicate: Predicate, unit: Unit) -> Evidence:
    """A list entry, reference or promise: never the form itself."""
    statuses = {status_of(unit.passage.text[c.start : c.end]) for c in unit.cells}
    places = [(w.start, w.end) for w in unit.own_words]
    if _ABSENT.search(unit.text) or "no" in statuses or denies(unit.own_text, places):
        return Evidence(unit, State.FAILS, 1.0, f"{predicate.code} is said not to be enclosed")
    if "partly" in statuses:
        return Evidence(
            unit, State.UNCLEAR, DECLARED, "declared partly compliant", "declared partly compliant"
        )
    if promise := promise_in(unit.own_text, paper=True):
        return Evidence(
            unit,
            State.FAILS,
            STRONG,
            f"{predicate.code} is only announced ({promise})",
            "form announced for later",
        )
    note = f"{predicate.code} is referred to, the form itself was not seen"
    return Evidence(unit, State.UNCLEAR, BARE, note, "form only referred to")
