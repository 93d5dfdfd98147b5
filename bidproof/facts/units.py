"""Units of measure: their spellings in English and French, and the algebra between them.

Knows which units measure the same thing and how one converts into the other. Where a unit stands next to
its number is read in `measures`.
"""

from __future__ import annotations

import re

from bidproof.facts.terms import singular

_TIME = {
    "microsecond": ("microsecond", "microseconds", "us", "usec", "microseconde", "microsecondes"),
    "millisecond": ("ms", "msec", "msecs", "millisecond", "milliseconds", "milliseconde", "millisecondes"),
    "second": ("s", "sec", "secs", "second", "seconds", "seconde", "secondes"),
    "minute": ("min", "mins", "minute", "minutes", "mn"),
    "hour": ("h", "hr", "hrs", "hour", "hours", "heure", "heures"),
    "day": ("d", "day", "days", "jour", "jours"),
    "week": ("week", "weeks", "wk", "wks", "semaine", "semaines"),
    "month": ("month", "months", "mois", "mth", "mths"),
    "quarter": ("quarter", "quarters", "trimestre", "trimestres"),
    "year": ("year", "years", "yr", "yrs", "an", "ans", "annee", "annees", "annum"),
}
TIME_WORDS: dict[str, str] = {word: unit for unit, words in _TIME.items() for word in words}

# Adjectives that make a working day or a calendar day of a day. `jours ouvrables` counts Saturdays and
# `jours ouvrés` does not; both are read as working days, as "working day" is translated by either.
WORKING = frozenset(
    {
        "working",
        "business",
        "banking",
        "bank",
        "office",
        "work",
        "week",
        "ouvre",
        "ouvres",
        "ouvrable",
        "ouvrables",
    }
)
CALENDAR = frozenset(
    {
        "calendar",
        "consecutive",
        "calendaire",
        "calendaires",
        "civil",
        "civils",
        "consecutifs",
        "solar",
        "natural",
    }
)
FILLERS = frozenset(
    {
        "clear",
        "full",
        "continuous",
        "successive",
        "francs",
        "complete",
        "whole",
        "additional",
        "further",
        "more",
        "entiers",
        "elapsed",
        "last",
        "past",
        "previous",
        "preceding",
        "financial",
        "fiscal",
        "dernieres",
        "derniers",
        "prochains",
        "premiers",
    }
)

# Technical units, matched in this spelling first and in lower case after.
_EXACT = {
    "W": "W", "kW": "kW", "KW": "kW", "MW": "MW", "GW": "GW", "Wh": "Wh", "kWh": "kWh", "KWH": "kWh",
    "kwh": "kWh",
    "MWh": "MWh", "GWh": "GWh", "VA": "VA", "kVA": "kVA", "KVA": "kVA", "MVA": "MVA", "V": "V", "kV": "kV",
    "KV": "kV",
    "mV": "mV", "mA": "mA", "kA": "kA", "A": "A", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "GHz": "GHz",
    "Ω": "ohm",
    "B": "B", "KB": "KB", "kB": "KB", "MB": "MB", "GB": "GB", "TB": "TB", "PB": "PB", "Go": "GB",
    "Mo": "MB", "To": "TB",
    "bps": "bps", "kbps": "kbps", "Kbps": "kbps", "Mbps": "Mbps", "Gbps": "Gbps", "Tbps": "Tbps",
    "mm": "mm", "cm": "cm", "m": "m", "km": "km", "mm2": "mm2", "mm²": "mm2", "m2": "m2", "m²": "m2",
    "m3": "m3",
    "mm3": "mm3", "cm2": "cm2", "cm²": "cm2", "cm3": "cm3", "cm³": "cm3", "km2": "km2", "km²": "km2", "mg": "mg",
    "m³": "m3", "ha": "ha", "g": "g", "kg": "kg", "Kg": "kg", "KG": "kg", "t": "t", "l": "l", "L": "l",
    "ml": "ml",
    "N": "N", "kN": "kN", "Nm": "Nm", "Pa": "Pa", "kPa": "kPa", "MPa": "MPa", "bar": "bar", "mT": "mT",
    "T": "T",
    "°C": "°C", "°F": "°F", "K": "K", "dB": "dB", "dBA": "dB", "dBm": "dBm", "rpm": "rpm", "ppm": "ppm",
    "lux": "lux",
    "lm": "lm", "MP": "MP", "Ah": "Ah", "mAh": "mAh", "kWp": "kWp", "kWc": "kWp", "MWp": "MWp", "MWc": "MWp", "nm": "nm",
}  # fmt: skip
_FOLDED = {
    "tps": "tps", "tpd": "tpd", "rps": "rps", "iops": "iops", "qps": "qps", "eps": "eps", "fte": "fte",
    "ftes": "fte",
    "etp": "fte", "vcpu": "vcpu", "vcpus": "vcpu", "cpu": "cpu", "cpus": "cpu", "gb": "GB", "tb": "TB",
    "mb": "MB",
    "mbps": "Mbps", "gbps": "Gbps", "kbps": "kbps", "kva": "kVA", "mva": "MVA", "hz": "Hz", "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz", "kv": "kV", "kwh": "kWh", "mwh": "MWh", "meter": "m", "meters": "m", "metre": "m",
    "metres": "m",
    "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km", "kms": "km", "mtr": "m",
    "mtrs": "m",
    "kilogram": "kg", "kilograms": "kg", "kilogramme": "kg", "kilogrammes": "kg", "kgs": "kg", "tonne": "t",
    "tonnes": "t", "litre": "l", "litres": "l", "liter": "l", "liters": "l", "volts": "V", "volt": "V",
    "watts": "W",
    "kilowatts": "kW", "megawatts": "MW", "amperes": "A", "amps": "A", "sqm": "m2", "subs": "subscriber",
    "ohm": "ohm", "ohms": "ohm", "personnel": "personnel", "staff": "staff", "people": "people",
    "persons": "person", "pt": "point", "pts": "point", "fps": "fps", "dpi": "dpi", "psi": "psi",
    "decibel": "dB", "decibels": "dB", "bars": "bar", "hectare": "ha", "hectares": "ha", "millimetre": "mm",
    "millimetres": "mm", "millimeter": "mm", "millimeters": "mm", "centimetre": "cm", "centimetres": "cm",
    "centimeter": "cm", "centimeters": "cm", "gram": "g", "grams": "g", "gramme": "g", "grammes": "g",
}  # fmt: skip
_POWER = re.compile(r"\^?([23\u00b2\u00b3])(?!\w|[.,][0-9])")
_LENGTHS = r"(mm|cm|m|km|(?:milli|centi|kilo)?(?:meters?|metres?))"
_SPELT_POWER = re.compile(
    rf"[ \n]{{0,2}}(?:(square|sq\.?|cubic|cu\.?)[ \n-]?{_LENGTHS}|{_LENGTHS}[ \n](carres?|cubes?))(?![a-z0-9])"
)
_RAISED = str.maketrans("\u00b2\u00b3", "23")
_DENOMINATORS = {
    "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "hour": "hour", "heure": "hour",
    "d": "day", "day": "day", "jour": "day", "j": "day", "week": "week", "month": "month", "mois": "month",
    "y": "year", "yr": "year", "year": "year", "an": "year",
}  # fmt: skip
# `meter` counts devices in a metering tender and measures length elsewhere; only this spelling is in doubt.
COUNTED_OR_LENGTH = frozenset({"meter", "meters"})

# Each family: unit to its size in the family's smallest common measure.
_FAMILIES: tuple[dict[str, float], ...] = (
    {"microsecond": 1e-6, "millisecond": 1e-3, "second": 1, "minute": 60, "hour": 3600, "day": 86400,
     "calendar_day": 86400, "week": 604800},
    {"working_day": 1},
    {"month": 1, "quarter": 3, "year": 12},
    {"W": 1, "kW": 1e3, "MW": 1e6, "GW": 1e9},
    {"Wh": 1, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9},
    {"VA": 1, "kVA": 1e3, "MVA": 1e6},
    {"mV": 1e-3, "V": 1, "kV": 1e3},
    {"mA": 1e-3, "A": 1, "kA": 1e3},
    {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15},
    {"bps": 1, "kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12},
    {"mm": 1e-3, "cm": 1e-2, "m": 1, "km": 1e3},
    {"mm2": 1e-6, "cm2": 1e-4, "m2": 1, "ha": 1e4, "km2": 1e6},
    {"mg": 1e-3, "g": 1, "kg": 1e3, "t": 1e6},
    {"mm3": 1e-6, "cm3": 1e-3, "ml": 1e-3, "l": 1, "m3": 1e3},
    {"N": 1, "kN": 1e3},
    {"Pa": 1, "kPa": 1e3, "bar": 1e5, "MPa": 1e6},
    {"mT": 1e-3, "T": 1},
)  # fmt: skip
_FAMILY_OF = {unit: number for number, family in enumerate(_FAMILIES) for unit in family}
UNIT_NAMES = frozenset({*_FAMILY_OF, *_TIME, *_EXACT.values(), *_FOLDED.values()})
"""Canonical names of all units that the table knows."""
DAY_UNITS = frozenset({"day", "calendar_day", "working_day"})
TIME_UNITS = frozenset(_FAMILIES[0]) | frozenset(_FAMILIES[1]) | frozenset(_FAMILIES[2])


def technical_unit(token: str) -> str:
    """Canonical technical unit of a token as printed, or empty."""
    return _EXACT.get(token) or _FOLDED.get(token.lower(), "")


def with_power(unit: str, text: str, end: int) -> tuple[str, int]:
    """A unit with the power that is printed on to it, and where it ends; empty where they make none known.

    Cut after its letters, `25 m2` would be twenty-five metres.
    """
    power = _POWER.match(text, end)
    return (_EXACT.get(unit + power[1].translate(_RAISED), ""), power.end()) if power else (unit, end)


def spelt_power(text: str, start: int) -> tuple[str, int]:
    """The area or volume whose power is a word, as in "square metres" or "metres cubes", and where it ends.

    Read by its length alone, 94 square metres would be 94 metres. `text` is folded; no such unit gives nothing.
    """
    found = _SPELT_POWER.match(text, start)
    if not found:
        return "", start
    length = found[2] or found[3]
    base = technical_unit(length) or technical_unit(length.rstrip("s"))
    power = "2" if (found[1] or found[4]).startswith(("sq", "car")) else "3"
    return _EXACT.get(base + power, ""), found.end()


def denominator(token: str) -> str:
    """What `/h`, `/s` or `/l` behind a unit is a rate of, as the rate base of a fact; empty for no unit."""
    return _DENOMINATORS.get(token) or technical_unit(token)


def counted_noun(token: str, *, french: bool = False) -> str:
    """Canonical unit of a counted noun: lower case, singular (`Subscribers` is `subscriber`, `couches` `couche`)."""
    token = token.lower()
    if french and token.endswith(("ches", "shes", "ies", "xes")):
        return token[:-1]
    return "meter" if token in COUNTED_OR_LENGTH else _FOLDED.get(token, singular(token))


def same_measure(unit_a: str, unit_b: str) -> bool:
    """Whether values in the two units can be compared.

    A working day is no calendar day, and a month is no fixed number of days.
    """
    return bool(unit_a) and convert(1.0, unit_a, unit_b) is not None


def convert(value: float, from_unit: str, to_unit: str) -> float | None:
    """`value` of `from_unit` in `to_unit`; None where no fixed factor joins the two."""
    if from_unit == to_unit:
        return value
    family = _FAMILY_OF.get(from_unit)
    if family is None or family != _FAMILY_OF.get(to_unit):
        return None
    return value * _FAMILIES[family][from_unit] / _FAMILIES[family][to_unit]
