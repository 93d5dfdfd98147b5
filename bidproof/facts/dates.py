"""Calendar dates in digits and words, English and French; a date with two readings keeps both."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from bidproof.facts.view import View
from bidproof.records import Fact

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan janvier janv", "february feb fevrier fevr fev", "march mar mars",
            "april apr avril avr", "may mai",
            "june jun juin", "july jul juillet juil", "august aug aout", "september sep sept septembre",
            "october oct octobre",
            "november nov novembre", "december dec decembre",
        ), 1,
    )
    for name in names.split()
}  # fmt: skip
_NAME = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_YEAR = r"(?P<year>(?:19|20)[0-9]{2})(?![0-9])"
_WRITTEN = (
    re.compile(
        rf"(?<![0-9a-z.,])(?P<day>[0-3]?[0-9])(?:st|nd|rd|th|er)?[ \n]?(?:day[ \n])?(?:of[ \n]|-|,[ ])?[ "
        rf"\n]?{_NAME}[ \n,-]{{0,2}}{_YEAR}"
    ),
    re.compile(
        rf"(?<![a-z]){_NAME}[ \n-]{{1,2}}(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?[ ]?,?[ \n]{{1,2}}{_YEAR}"
    ),
)
_ISO = re.compile(
    r"(?<![0-9-])(?P<year>(?:19|"
    r"20)[0-9]{2})(?P<link>[-/.])(?P<month>[01]?[0-9])(?P=link)(?P<day>[0-3]?[0-9])(?![0-9-])"
)
_NUMERIC = re.compile(
    r"(?<![0-9./-])(?P<a>[0-3]?[0-9])(?P<link>[/.-])(?P<b>[0-3]?[0-9])(?P=link)(?P<year>(?:19|20)[0-9]{2}|"
    r"(?<=/)[0-9]{2})(?![0-9]|[./-][0-9])"
)
_MONTH_YEAR = re.compile(rf"(?<![a-z0-9-])(?<![0-9][ \n]){_NAME}[ \n-]{{1,2}}(?:of[ ])?{_YEAR}")

_ROLES = (
    ("expiry",
        r"valid(?:ity)?(?: is)?(?: up)?(?: to| until| till| thru| through)|valid(?:ity)?[ :|-]*(?:date)?|"
        r"expir(?:y|es?|ed|ing|ation)(?:[ ]date)?(?: on| is| of)?|"
               r"date d'expiration|fin de validite|valable jusqu'au|jusqu'au|echeance|until|in force (?:to|"
               r"until)|through|not after"),
    ("submission",
        r"(?:submission|submitted|closing|bid due|due)(?:[ ]date|[ ]deadline)?(?: is| on| by)?|deadline(?: "
        r"for submission)?|date limite(?: de (?:remise|depot|reception)(?: des (?:offres|plis))?)?|"
                   r"submission of (?:the )?(?:bids?|tenders?|proposals?|offers?)"),
    ("issued",
        r"issued?(?:[ ]on| date)?|date of issue|issuance(?: date)?|dated|emis(?:e)? le|delivree? le|en "
        r"date du|etablie? le|certified (?:since|on)"),
    ("start",
        r"valid from|effective(?: from| date)?|from|starting|commencing|since|a compter du|a partir du|"
        r"depuis|not before|start date"),
)  # fmt: skip
_ROLE = re.compile(
    "(?:"
    + "|".join(rf"(?P<{role}>(?<![a-z])(?:{words}))" for role, words in _ROLES)
    + r")(?:[ \n:|=(-]|(?:the|le|au|on|is|date|at least|at a minimum|not before|au moins)(?![a-z]))*$"
)
_TO = re.compile(r"[ \n]*(?:to|until|till|-|au|through|/|jusqu'au)[ \n]*$")

# A month in digits is a date only where the words before say so: `2026-11` is often enough a number of a file.
_ISO_MONTH = re.compile(r"(?<![0-9A-Za-z/.-])(?P<year>20[0-9]{2})-(?P<month>0[1-9]|1[0-2])(?![0-9-])")

_YEARED = re.compile(r"(?:19|20)[0-9]{2}|[0-9]/[0-9]")


def find_dates(view: View, *, language: str = "", day_first: bool | None = None) -> list[Fact]:
    """Dates in order. `03/04/2027` keeps both readings unless `day_first` or the language settles it.

    A month with its year alone keeps its first and last day as readings. Impossible days are no dates.
    """
    if not _YEARED.search(view.low):
        return []  # most chunks: spares the costlier patterns
    if day_first is None and language[:2] == "fr":
        day_first = True
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for pattern in (*_WRITTEN, _ISO):
        for match in pattern.finditer(view.low):
            month = _MONTHS.get(match["month"]) or int(match["month"])
            if iso := _iso(int(match["year"]), month, int(match["day"])):
                found.append((match.start(), match.end(), (iso,)))
    for match in _NUMERIC.finditer(view.low):
        readings = _readings(match, day_first)
        if readings:
            found.append((match.start(), match.end(), readings))
    months = [(m, _MONTHS[m["month"]]) for m in _MONTH_YEAR.finditer(view.low)]
    months += [
        (m, int(m["month"]))
        for m in _ISO_MONTH.finditer(view.low)
        if _ROLE.search(view.low[max(0, m.start() - 50) : m.start()])
    ]
    for match, month in months:
        year = int(match["year"])
        last = calendar.monthrange(year, month)[1]
        found.append(
            (match.start(), match.end(), (f"{year:04d}-{month:02d}-01", f"{year:04d}-{month:02d}-{last:02d}"))
        )
    facts: list[Fact] = []
    for start, end, readings in sorted(found, key=lambda f: (f[0], -f[1])):
        if facts and start < facts[-1].end:
            continue
        facts.append(_date(view, start, end, readings, facts))
    return facts


def _date(view: View, start: int, end: int, readings: tuple[str, ...], earlier: list[Fact]) -> Fact:
    left = view.low[max(0, start - 50) : start]
    match = _ROLE.search(left)
    role = match.lastgroup or "" if match else ""
    if earlier and _TO.fullmatch(view.low[earlier[-1].end : start]):
        role = "expiry" if earlier[-1].role in ("", "start", "expiry") else role
    single = readings[0] if len(readings) == 1 else ""
    return Fact(
        kind="date",
        start=start,
        end=end,
        text=view.raw[start:end],
        date=single,
        readings=() if single else readings,
        role=role,
    )


def _readings(match: re.Match[str], day_first: bool | None) -> tuple[str, ...]:
    a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
    year += 2000 if year < 100 else 0
    if match["link"] == ".":
        day_first = True  # dots are written day first wherever they are written
    by_day, by_month = _iso(year, b, a), _iso(year, a, b)
    if by_day and by_month and by_day != by_month:
        if day_first is None:
            return tuple(sorted((by_day, by_month)))
        return (by_day,) if day_first else (by_month,)
    return (by_day or by_month,) if by_day or by_month else ()


def _iso(year: int, month: int, day: int) -> str:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return ""
