"""Which running lines say something that a bid may be held to, and which only name, date or number a page.

A header that states a price or an obligation on each page is evidence; one copy of it must stay citable.
"""

from __future__ import annotations

import re

_FILE_NAME = re.compile(r"\S+\.(?:pdf|docx?|xlsx?|dwg|odt|pptx?)\b", re.I)
_CURRENCY = r"[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|TRY|AED|SAR|ZAR|XOF|XAF|VND|Euros?|euros?)\b"
_UNITS = (
    r"%|‰|percent\b|per ?cent\b|pour ?cent\b|Prozent\b|"
    r"(?:calendar |working |business )?(?:days?|weeks?|months?|years?|hours?|jours?|semaines?|mois|ans|années?|heures?"
    r"|Tagen?|Wochen?|Monaten?|Jahren?|Stunden|d[ií]as|semanas|mes(?:es)?|años|horas|dias|anos)\b|"
    r"(?:mm|cm|km|m²|m³|m2|m3|kg|kV|mV|kVA|MVA|kW|MW|kWh|MWh|Hz|kHz|°C|K|bar|dB|MPa|kPa|kN|ppm|rpm)(?!\w)"
)
_FIGURE = re.compile(rf"\d\s?(?:{_UNITS}|{_CURRENCY})|(?:{_CURRENCY})\s?\d")
# `May` is a month, `Will` a name, `Est.` a date of founding: small letters only.
_VERB = re.compile(
    r"\b(?:shall|must|will|is|are|was|were|has|have|may|can|cannot|agrees?|accepts?|guarantees?|undertakes?|confirms?"
    r"|complies|comply|remains?|expires?|amounts|applies|apply|includes?|excludes?|warrants?"
    r"|doit|doivent|est|sont|sera|seront|garantit|garantissons|acceptons|acceptée?s?|s'engage|reste|demeure|comprend"
    r"|muss|müssen|ist|sind|wird|werden|beträgt|betragen|gilt|gelten|garantier(?:t|en)|verpflichte[tn]?|akzeptieren|bleibt"
    r"|debe|deben|será|serán|está|garantiza|acepta(?:mos)?|deve|devem|são)\b(?!\.)"
)
_MIN_WORDS = 4
_BARS = tuple("|•·–—/")
_LEADS_ON = re.compile(
    r"(?:^|\s)(?:of|on|in|at|to|from|see|the|this|each|per|and|or|for|by|with|is|are|item|than|least|most|until|within"
    r"|de|du|la|le|les|sur|voir|à|auf|der|die|das|siehe|von|in|im|el|en|ver)$",
    re.I,
)


def holds_statement(text: str) -> bool:
    """Whether a line holds a verb, or a figure with its unit, currency or percent sign."""
    bare = _FILE_NAME.sub(" ", text)
    return bool(_FIGURE.search(bare)) or (len(bare.split()) >= _MIN_WORDS and bool(_VERB.search(bare)))


def numbers_page(before: str, after: str, apart: bool) -> bool:
    """Whether a number between `before` and `after` in its line may be that of the page.

    In `Line 4 of sheet 7 tells the rest.` it is a part of the sentence, though it rises with the pages. A number
    that white sets `apart` from the rest is none.
    """
    before, after = before.strip(), after.strip()
    if not before and not after:
        return True
    if _LEADS_ON.search(before):
        return False
    barred = before[-1:] in _BARS or after[:1] in _BARS
    return apart or barred or not _VERB.search(f"{before} {after}")
