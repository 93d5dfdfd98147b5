"""The contract of a catalog's rules: which fields there are, what values they take, which faults are named.

Works on what a reader has taken apart, whatever the format. Predicates are read in `predicate_fields`,
sources in `source_lines`.
"""

from __future__ import annotations

import difflib
import re
from typing import Any, get_args

from bidproof.catalog.formats.given import Cells, Given, Problem, Taken, folded_space, plain
from bidproof.catalog.formats.other_columns import BLOCK as OTHER
from bidproof.catalog.formats.other_columns import take_other
from bidproof.catalog.formats.predicate_faults import is_date
from bidproof.catalog.formats.predicate_fields import predicates_of
from bidproof.catalog.formats.rfp_record import LISTS as RFP_LISTS
from bidproof.catalog.formats.rfp_record import take_list
from bidproof.catalog.formats.source_lines import sources_of
from bidproof.facts.terms import word_set
from bidproof.records import Requirement, RuleFlag

HEADER = (
    "tender", "title", "rfp", "rfp_sha256", "author", "created", "status", "accepted_by", "accepted_on",
    "version", "submission_date",
)  # fmt: skip
STATUSES = ("draft", "accepted")
FLAGS: tuple[str, ...] = get_args(RuleFlag)
REQUIRED_COLUMNS = ("id", "area", "mandatory", "text", "clause_ref")
LISTS = ("sentry_terms", "synonyms", "section_hints", "references", "definitions")
REVIEW = ("keep", "remark")
FIELDS = (
    *REQUIRED_COLUMNS, "scored", "obligation", "weight", "predicates", *LISTS, "submission_date", "flags",
    "question_id", "sources", "source_page", "source_quote", *REVIEW,
)  # fmt: skip
NO_DATE = "none"
"""Says of a rule that it has no submission date, although its catalog has one."""
_TRUE = word_set("yes y true 1 m mandatory oui vrai obligatoire x must")
_FALSE = word_set("no n false 0 optional non f faux facultatif nice desirable")
_KEPT = word_set("keep kept garder gardee garde conserver") | _TRUE | {""}
_DROPPED = word_set("drop dropped delete deleted remove removed supprimer supprimee retirer") | _FALSE


def rules_of(taken: Taken) -> tuple[list[Requirement], list[tuple[str, str]], list[str]]:
    """Rules of a file with remarks of its reviewer (id and text) and ids of rows marked to be dropped.

    Each fault is added to `taken.problems` and its rule left out.
    """
    date = submission_date_of(taken)
    rules: list[Requirement] = []
    remarks: list[tuple[str, str]] = []
    dropped: list[str] = []
    seen: dict[str, str] = {}
    letter_o = _meaning_of_o(taken.cells)
    for row in taken.cells:
        before = len(taken.problems)
        if _keep(row, taken.problems) is False:
            dropped.append(plain(row.fields.get("id")) or row.where)
            continue
        rule = _rule(row, date, letter_o, taken.problems)
        if rule is not None and rule.rule_id in seen:
            taken.fault(row.place("id"), f"id `{rule.rule_id}` is used twice, first in {seen[rule.rule_id]}")
        if rule is None or len(taken.problems) > before:
            continue
        seen[rule.rule_id] = row.place("id")
        take_other(row, rule.rule_id, taken)
        rules.append(rule)
        if remark := plain(row.fields.get("remark")):
            remarks.append((rule.rule_id, remark))
    return rules, remarks, dropped


def submission_date_of(taken: Taken) -> str:
    """The catalog's own submission date; one that is no date is a problem."""
    given = taken.head.get("submission_date")
    date = plain(given)
    if given is not None and date and not is_date(date):
        taken.fault(given.where, f"submission_date `{date}` is no date; write 2026-09-17")
    return date


def _meaning_of_o(cells: list[Cells]) -> bool | None:
    """What `O` stands for in this file: optional beside M, oui beside N, undecided alone."""
    given = (row.fields.get("mandatory") for row in cells)
    said = {plain(one).lower() for one in given if one is None or not isinstance(one.value, list | dict)}
    if "m" in said and "n" not in said:
        return False
    return True if "n" in said and "m" not in said else None


def unknown_field(name: str, known: tuple[str, ...]) -> str:
    """What to say of a field that no rule has."""
    close = difflib.get_close_matches(name, known, 1)
    return f"unknown field `{name}`" + (
        f"; did you mean `{close[0]}`?" if close else f"; known are {', '.join(known)}"
    )


def _rule(row: Cells, date: str, letter_o: bool | None, problems: list[Problem]) -> Requirement | None:
    for name, given in row.fields.items():
        if name not in FIELDS and name != OTHER:
            what = unknown_field(name, FIELDS)
            own = "" if "did you mean" in what else f"; put what is your own below `{OTHER}:`"
            problems.append(Problem(given.where, what + own))
    said = _scalar(row, "mandatory", problems)
    rule_id, text = _scalar(row, "id", problems), _rule_text(row, problems)
    if not rule_id.strip():
        problems.append(Problem(row.place("id"), "a rule has no id"))
    if not text.strip():
        problems.append(Problem(row.place("text"), f"rule {rule_id or '?'} has no text"))
    mandatory = parse_mandatory(said, letter_o)
    if mandatory is None:
        what = f"`{said}`" if said.strip() else "missing"
        problems.append(Problem(row.place("mandatory"), f"mandatory is {what}; write yes or no"))
    values = _other_values(row, text, date, problems)
    if mandatory is None or not rule_id.strip() or not text.strip():
        return None
    return Requirement(rule_id=rule_id, mandatory=mandatory, text=text, **values)


def _other_values(row: Cells, text: str, date: str, problems: list[Problem]) -> dict[str, Any]:
    sources = sources_of(row, problems)
    first = sources[0] if sources else None
    page = _page(row, problems) if "source_page" in row.fields else first.page if first else None
    quote = (
        _scalar(row, "source_quote", problems)
        if "source_quote" in row.fields
        else first.quote
        if first
        else ""
    )
    return {
        "area": _scalar(row, "area", problems) or "General",
        "scored": _yes_or_no(row, "scored", problems),
        "obligation": _scalar(row, "obligation", problems),
        "clause_ref": _scalar(row, "clause_ref", problems),
        "weight": _weight(row, problems),
        "predicates": predicates_of(row, text, problems),
        "submission_date": _own_date(row, date, problems),
        "flags": _flags(row, problems),
        "question_id": _scalar(row, "question_id", problems),
        "sources": sources,
        "source_page": page,
        "source_quote": quote,
        **{name: _words(row, name, problems) for name in LISTS},
    }


def _scalar(row: Cells, name: str, problems: list[Problem]) -> str:
    given = row.fields.get(name)
    if given is not None and isinstance(given.value, list | dict):
        problems.append(Problem(given.where, f"{name} is no plain text"))
        return ""
    return plain(given)


def _rule_text(row: Cells, problems: list[Problem]) -> str:
    given = row.fields.get("text")
    text = _scalar(row, "text", problems)
    return text if given is not None and given.exact else folded_ascii(text)


_SPACES = re.compile(r"[ \t\n]+")


def folded_ascii(text: str) -> str:
    """Wrapped lines joined; no-break and thin spaces stay, they belong to numbers."""
    return _SPACES.sub(" ", text).strip()


def parse_mandatory(text: str, letter_o: bool | None = None) -> bool | None:
    """Truth value of a `mandatory` cell in English or French (yes, M, oui, 1 ...); None for neither.

    `letter_o` says what the letter O means: optional, oui, or nothing certain.
    """
    word = text.strip().lower()
    if word == "o":
        return letter_o
    return True if word in _TRUE else False if word in _FALSE else None


def _yes_or_no(row: Cells, name: str, problems: list[Problem]) -> bool:
    said = _scalar(row, name, problems)
    answer = parse_mandatory(said) if said.strip() else False
    if answer is None:
        problems.append(Problem(row.place(name), f"{name} is `{said}`; write yes or no"))
    return bool(answer)


def _keep(row: Cells, problems: list[Problem]) -> bool:
    said = folded_space(_scalar(row, "keep", problems)).lower()
    if said in _KEPT:
        return True
    if said not in _DROPPED:
        problems.append(Problem(row.place("keep"), f"keep is `{said}`; write keep or drop"))
    return said not in _DROPPED


def _weight(row: Cells, problems: list[Problem]) -> float:
    written = _scalar(row, "weight", problems).strip()
    if not written:
        return 1.0
    try:
        weight = float(written.replace(",", "."))
    except ValueError:
        weight = -1.0
    if not 0 <= weight < float("inf"):
        problems.append(Problem(row.place("weight"), f"weight `{written}` is no number from 0 up"))
        return 1.0
    return weight


def _page(row: Cells, problems: list[Problem]) -> int | None:
    written = _scalar(row, "source_page", problems).strip()
    if not written:
        return None
    try:
        return int(written)
    except ValueError:
        problems.append(Problem(row.place("source_page"), f"source_page `{written}` is no whole number"))
        return None


def _own_date(row: Cells, date: str, problems: list[Problem]) -> str:
    own = _scalar(row, "submission_date", problems).strip()
    if own.lower() == NO_DATE:
        return ""
    if own and not is_date(own):
        what = f"submission_date `{own}` is no date; write 2026-09-17"
        problems.append(Problem(row.place("submission_date"), what))
    return own or date


def _words(row: Cells, name: str, problems: list[Problem]) -> tuple[str, ...]:
    given = row.fields.get(name)
    if given is None or given.value is None:
        return ()
    if isinstance(given.value, dict):
        problems.append(Problem(given.where, f"{name} is no list of words"))
        return ()
    if isinstance(given.value, list):
        if any(isinstance(item.value, list | dict) for item in given.value):
            problems.append(Problem(given.where, f"{name} holds something that is no word"))
            return ()
        return tuple(plain(item) for item in given.value if item.exact or not item.empty)
    # References and definitions hold semicolons of their own: one a line.
    parts = re.split(r"\n" if name in ("references", "definitions") else r"[;|\n]", plain(given))
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _flags(row: Cells, problems: list[Problem]) -> tuple[Any, ...]:
    found = []
    for said in _words(row, "flags", problems):
        flag = re.sub(r"[\s-]+", "_", said.strip().lower())
        if flag in FLAGS:
            found.append(flag)
            continue
        close = difflib.get_close_matches(flag, FLAGS, 1)
        hint = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(FLAGS)}"
        problems.append(Problem(row.place("flags"), f"flag `{said}` is unknown; {hint}"))
    return tuple(found)


def head_of(taken: Taken) -> dict[str, str]:
    """The catalog's own fields as text, status in lower case; faults go to `taken.problems`."""
    values = {name: plain(taken.head.get(name)) for name in HEADER}
    values["status"] = values["status"].strip().lower()
    if values["status"] not in ("", *STATUSES):
        where = taken.head["status"].where
        close = difflib.get_close_matches(values["status"], STATUSES, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        taken.fault(where, f"status is `{values['status']}`; write draft or accepted{hint}")
    for name in ("created", "accepted_on"):
        day = values[name][:10]
        if values[name] and not is_date(day):
            taken.fault(taken.head[name].where, f"{name} `{values[name]}` is no date; write 2026-09-17")
    return values


def head_field(taken: Taken, name: str, given: Given) -> None:
    """Take a field of the head, or name it as unknown."""
    if name in RFP_LISTS:
        take_list(taken, name, given)
    elif name not in HEADER:
        taken.fault(given.where, unknown_field(name, (*HEADER, *RFP_LISTS, "rules")))
    elif isinstance(given.value, list | dict):
        taken.fault(given.where, f"`{name}` is no plain value")
    else:
        taken.head[name] = given
