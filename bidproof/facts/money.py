"""Currencies: symbols and codes before or after an amount. Digits without one are never money."""

from __future__ import annotations

import re

from bidproof.facts.view import View

_NAMES = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP",
    "pounds sterling": "GBP", "¥": "JPY",
    "jpy": "JPY", "cny": "CNY", "rmb": "CNY", "us$": "USD", "usd": "USD", "us dollars": "USD",
    "us dollar": "USD",
    "u.s. dollars": "USD", "$": "USD", "dollars": "USD", "dollar": "USD", "c$": "CAD", "ca$": "CAD",
    "cad": "CAD",
    "a$": "AUD", "aud": "AUD", "nzd": "NZD", "chf": "CHF", "₹": "INR", "inr": "INR", "rs.": "INR",
    "rs": "INR",
    "rupees": "INR", "kes": "KES", "ksh": "KES", "kshs": "KES", "ksh.": "KES", "kshs.": "KES",
    "kenya shillings": "KES",
    "kenyan shillings": "KES", "mad": "MAD", "dh": "MAD", "dhs": "MAD", "dirhams": "MAD", "dirham": "MAD",
    "xof": "XOF",
    "fcfa": "XOF", "f cfa": "XOF", "francs cfa": "XOF", "xaf": "XAF", "tnd": "TND", "dzd": "DZD", "da": "DZD",
    "aed": "AED", "sar": "SAR", "qar": "QAR", "egp": "EGP", "ngn": "NGN", "₦": "NGN", "ghs": "GHS",
    "ugx": "UGX",
    "tzs": "TZS", "rwf": "RWF", "zar": "ZAR", "etb": "ETB", "pkr": "PKR", "bdt": "BDT", "lkr": "LKR",
    "npr": "NPR",
    "vnd": "VND", "₫": "VND", "thb": "THB", "php": "PHP", "idr": "IDR", "myr": "MYR", "sgd": "SGD",
    "s$": "SGD",
    "hkd": "HKD", "krw": "KRW", "brl": "BRL", "r$": "BRL", "mxn": "MXN", "ars": "ARS", "clp": "CLP",
    "cop": "COP",
    "pen": "PEN", "try": "TRY", "pln": "PLN", "czk": "CZK", "huf": "HUF", "ron": "RON", "sek": "SEK",
    "nok": "NOK",
    "dkk": "DKK", "rub": "RUB", "uah": "UAH", "ils": "ILS", "mur": "MUR", "mga": "MGA", "mru": "MRU",
    "gnf": "GNF",
}  # fmt: skip
# Lower-case words that are also English or French words count only in capitals, or not glued to a number.
_CAPITALS_ONLY = frozenset({"all", "try", "mad", "pen", "cop", "ron", "php", "da", "dh", "rs", "sar", "mur"})
_ALTERNATIVES = "|".join(re.escape(name) for name in sorted(_NAMES, key=len, reverse=True))
_BEFORE = re.compile(rf"(?:^|(?<![a-z]))({_ALTERNATIVES})[ \n]?(?:(k|m|bn|million|millions)[ ])?$")
_AFTER = re.compile(rf"[ \n]{{0,2}}(?:d'|de )?({_ALTERNATIVES})(?![a-z])")
_MAGNITUDE = re.compile(
    r"[ \n-]{0,2}(?:(?P<word>thousand|millions?|mln|mio|mn|billions?|bn|lakhs?|lacs?|crores?|cr|milliers?|"
    r"milliards?|mds?|mille)(?![a-z])"
    r"|(?P<letter>[kKmMbB])(?![A-Za-z]))"
)
_GLUED = re.compile(r"[ ]?(k|m|M|K|Md)(?=€|EUR|USD|\$|£)")
_SIZES = {
    "k": 1e3, "thousand": 1e3, "millier": 1e3, "milliers": 1e3, "mille": 1e3, "m": 1e6, "million": 1e6,
    "millions": 1e6,
    "mln": 1e6, "mio": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "billions": 1e9, "md": 1e9,
    "mds": 1e9,
    "milliard": 1e9, "milliards": 1e9, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "lacs": 1e5, "crore": 1e7,
    "crores": 1e7, "cr": 1e7,
}  # fmt: skip


def currency_before(view: View, start: int) -> tuple[str, int]:
    """Currency that stands directly before `start` and where it begins, or an empty code."""
    left = view.low[max(0, start - 18) : start]
    match = _BEFORE.search(left)
    if not match:
        return "", start
    begin = start - len(left) + match.start(1)
    written = view.plain[begin : begin + len(match[1])]
    if match[1] in _CAPITALS_ONLY and written.islower():
        return "", start
    return _NAMES[match[1]], begin


def currency_after(view: View, end: int) -> tuple[str, int]:
    """Currency that stands directly after `end` and where it ends, or an empty code."""
    match = _AFTER.match(view.low, end)
    if not match:
        return "", end
    written = view.plain[match.start(1) : match.end(1)]
    if match[1] in _CAPITALS_ONLY and written.islower():
        return "", end
    return _NAMES[match[1]], match.end()


def magnitude_at(view: View, end: int) -> tuple[float, int, bool]:
    """Factor of a magnitude at `end` (million, crore, k), where it ends, and whether it is a lone letter."""
    if match := _GLUED.match(view.plain, end):
        return _SIZES[match[1].lower()], match.end(), False
    match = _MAGNITUDE.match(view.plain, end) or _MAGNITUDE.match(view.low, end)
    if not match:
        return 1.0, end, False
    written = match["word"] or match["letter"]
    return _SIZES[written.lower()], match.end(), match["letter"] is not None
