"""Values of cells as a spreadsheet shows them: number formats, dates, percentages, currencies.

Three departures, each against a misread figure: dates are ISO dates, thousands are parted by a no-break space
(`25,000` is 25 in French and 25 000 in English), and a figure never has exactly three decimals. Where the format
rounds a value away, the value itself is shown: 89.6 days in a cell that shows 90 are not 90.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

GENERAL = "General"
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00',
    8: '"$"#,##0.00', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0;-#,##0", 42: '"$"#,##0;-"$"#,##0', 43: "#,##0.00;-#,##0.00",
    44: '"$"#,##0.00;-"$"#,##0.00', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0", 49: "@",
    **dict.fromkeys((*range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
}  # fmt: skip
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]|(?P<number>[0#?][0#?,.]*|\.[0#?]+|,+)|(?P<general>General)'
    r"|(?P<exponent>E[+-]0+)|(?P<date>[ymdhseg]+|AM/PM|A/P)|(?P<other>.)",
    re.I | re.S,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$")
_ELAPSED = re.compile(r"[hms]+$", re.I)
# Share of a value: prices may be rounded to the cent; 89.6 days shown as 90 are not 90.
_TO_THE_CENT, _TO_THE_UNIT = Decimal("0.005"), Decimal("0.000001")
_DAY_ONE = {False: datetime.datetime(1899, 12, 30), True: datetime.datetime(1904, 1, 1)}
_LAST_DAY = 2_958_466
_THOUSANDS = "\u00a0"


@dataclass(frozen=True, slots=True)
class _Section:
    """One part of a number format: text before and after the figure, and how the figure is written."""

    before: str
    after: str
    pattern: str
    percents: int
    scale: int
    exponent: bool
    fraction: bool
    date: str
    elapsed: bool
    general: bool
    text: bool
    condition: tuple[str, float] | None
    empty: bool
    # Digits parted by signs, as in `000-000`: places of digits and, after a null, the signs between.
    mask: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A value as text. `rounded` says that the sheet shows a rounder figure; `blank`, that it shows none."""

    text: str
    rounded: bool = False
    blank: bool = False


def show(value: float, code: str, date1904: bool = False) -> Shown:
    """A number as text under a number format; one that the format makes no sense for, as a plain number."""
    sections = _sections(code or GENERAL)
    numeric = [section for section in sections if not section.text] or [_sections(GENERAL)[0]]
    section, shown = _chosen(numeric, value)
    if section.empty:
        return Shown(plain_number(value), blank=len(sections) > 1 or bool(code.strip(" ;")) is False)
    if section.date:
        dated = _date(value, section, date1904)
        return Shown(dated or plain_number(value))
    if section.general or not section.pattern:
        text = plain_number(shown) if section.general else ""
        return Shown(f"{section.before}{text}{section.after}".strip() or plain_number(value))
    if section.exponent or section.fraction:
        return Shown(plain_number(value))
    if section.mask and shown == int(shown):
        return Shown(_masked(int(shown), section.mask).strip())
    figure, rounded = _figure(shown, section)
    return Shown(f"{section.before}{figure}{section.after}".strip(), rounded)


def _masked(value: int, mask: tuple[str, ...]) -> str:
    """Digits put into the places of a mask from the right; the first places take what is left over."""
    digits, text = str(abs(value)), ""
    places = [at for at, part in enumerate(mask) if part[0] != "\0"]
    first, last = places[0], places[-1]
    for at in range(len(mask) - 1, -1, -1):
        part = mask[at]
        if at not in places:
            # A space between digits parts thousands and must not part the figure.
            text = (_THOUSANDS if part[1:].isspace() and first < at < last else part[1:]) + text
            continue
        count = len(digits) if at == first else min(len(part), len(digits))
        taken, digits = digits[len(digits) - count :], digits[: len(digits) - count]
        text = taken.zfill(part.count("0")) + text if taken or "0" in part else text
    shown = text.strip(_THOUSANDS)
    return f"-{shown}" if value < 0 else shown


def is_hiding(code: str) -> bool:
    """True for a format such as `;;;`, which shows nothing at all."""
    return bool(code) and not code.strip(" ;") and code.count(";") >= 2


def plain_number(value: float) -> str:
    """A number without format, of up to twelve digits that count, never with exactly three decimals."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    text = str(int(value)) if value == int(value) and abs(value) < 1e15 else format(value, ".12g")
    if "e" in text:
        text = format(Decimal(text), "f") if 1e-9 < abs(value) < 1e21 else text
    return _no_three(text)


def _no_three(text: str) -> str:
    """Three decimals could be thousands to a reader of another country: `2.345` becomes `2.3450`."""
    whole, _, decimals = text.partition(".")
    if len(decimals) != 3 or not decimals.isdigit():
        return text
    bare = decimals.rstrip("0")
    return f"{whole}.{bare}" if bare and bare != decimals else whole if not bare else f"{text}0"


def _chosen(sections: list[_Section], value: float) -> tuple[_Section, float]:
    """The section for a value, and the value as that section writes it (without its sign, where it has its own)."""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or _holds(section.condition, value):
                return section, value
        return sections[-1], value
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    if value == 0 and len(sections) > 2:
        return sections[2], value
    return sections[0], value


def _holds(condition: tuple[str, float], value: float) -> bool:
    sign, bound = condition
    return {
        "<": value < bound, ">": value > bound, "<=": value <= bound, ">=": value >= bound, "=": value == bound,
        "<>": value != bound,
    }[sign]  # fmt: skip


@lru_cache(maxsize=4096)
def _sections(code: str) -> tuple[_Section, ...]:
    return tuple(_section(part) for part in _split(code)[:4])


def _split(code: str) -> list[str]:
    """Sections of a format; semicolons in quotes or after a backslash part none."""
    parts, at, quoted = [""], 0, False
    while at < len(code):
        sign = code[at]
        if sign == "\\" and at + 1 < len(code):
            parts[-1] += code[at : at + 2]
            at += 2
            continue
        quoted ^= sign == '"'
        if sign == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
        at += 1
    return parts


def _section(code: str) -> _Section:
    before, after, pattern, date, percents = "", "", "", "", 0
    exponent = fraction = elapsed = general = text = False
    condition: tuple[str, float] | None = None
    parts: list[str] = []
    for found in _TOKEN.finditer(code):
        literal = ""
        if found["bracket"] is not None:
            bracket = found["bracket"]
            if match := _CONDITION.match(bracket):
                condition = (match[1], float(match[2]))
            elif _ELAPSED.match(bracket):
                elapsed, date = True, date + bracket.lower()
            elif bracket.startswith("$"):
                literal = bracket[1:].split("-", 1)[0]
        elif found["number"]:
            pattern += found["number"]
        elif found["general"]:
            general = True
        elif found["date"]:
            date += found["date"].lower()
        elif found["exponent"]:
            exponent = True
        elif found["quoted"] is not None:
            literal = found["quoted"]
        elif found["escaped"]:
            literal = found["escaped"]
        elif found["other"] == "%":
            percents += 1
            literal = "%"
        elif found["other"] == "/" and pattern:
            fraction = True
        elif found["other"] == "@":
            text = True
        elif found["other"]:
            literal = found["other"]
        if found["number"] or literal:
            parts.append(found["number"] or f"\0{literal}")
        if literal and (pattern or general):
            after += literal
        else:
            before += literal
    digits = pattern.rstrip(",")
    masked = sum(part[0] != "\0" for part in parts) > 1
    plain = not re.search(r"[.,]", pattern) and not (percents or exponent or fraction or date)
    date = date if not re.search(r"[0#?]", pattern) or re.search(r"[ymdh]", date) else ""
    return _Section(
        before, after, digits, percents, len(pattern) - len(digits), exponent, fraction, date, elapsed, general, text,
        condition, not code.strip(), tuple(parts) if masked and plain else (),
    )  # fmt: skip


def _figure(value: float, section: _Section) -> tuple[str, bool]:
    """The digits of a figure, and whether the format rounds more of it away than may be."""
    whole, _, decimals = section.pattern.partition(".")
    places = sum(sign in "0#?" for sign in decimals)
    required = sum(sign == "0" for sign in decimals)
    try:
        exact = Decimal(format(value, ".15g")) * 100**section.percents / 1000**section.scale
        rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    except InvalidOperation:
        return plain_number(value), False
    away = abs(rounded - exact) > (_TO_THE_CENT if places >= 2 else _TO_THE_UNIT) * abs(exact)
    text = format(Decimal(format(float(exact), ".6g")) if away else rounded, "f")
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    units, _, fraction = text.partition(".")
    if not away:
        while len(fraction) > required and fraction.endswith("0"):
            fraction = fraction[:-1]
    least = sum(each == "0" for each in whole)
    units = units.zfill(least) if least else units
    if "," in whole:
        units = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", _THOUSANDS, units)
    text = f"{units}.{fraction}" if fraction else units
    sign = "" if not text.strip("0.\u00a0") else sign
    return sign + _no_three(text), away


def _date(value: float, section: _Section, date1904: bool) -> str:
    """An ISO date, a time, or a span of hours; empty for a number that is no date."""
    if section.elapsed:
        minutes = round(value * 1440)
        sign = "-" if minutes < 0 else ""
        return f"{sign}{abs(minutes) // 60}:{abs(minutes) % 60:02d}"
    if not 0 <= value < _LAST_DAY:
        return ""
    dated = any(sign in section.date for sign in "ydeg") or (
        "m" in section.date and "h" not in section.date and "s" not in section.date
    )
    # Excel counts a 29 February 1900 that never was.
    day = value + 1 if not date1904 and 0 < value < 60 else value
    moment = _DAY_ONE[date1904] + datetime.timedelta(seconds=round(day * 86400))
    timed = "h" in section.date or "s" in section.date
    time = moment.strftime("%H:%M:%S" if "s" in section.date and moment.second else "%H:%M")
    if not dated:
        return time
    return f"{moment:%Y-%m-%d}" + (f" {time}" if timed and (value % 1 or "d" not in section.date) else "")
