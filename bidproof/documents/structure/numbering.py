"""The numbering at the start of a heading: `3.2.1`, `III.`, `A/`, `Annex G`, `Section III`, `Article 4`, `Lot n° 2`.

Reads one line and says what number it bears, and whether one number comes right after another. Whether the
line is a heading at all is settled elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

# How far down a worded part of a document stands: a part holds chapters, a section holds articles.
CONTAINERS: dict[str, float] = {
    word: rank
    for rank, words in {
        0: "part partie parte teil deel volume tome tomo book libro livre title titre título titolo phần",
        1: "chapter chapitre kapitel capítulo capitulo capitolo hoofdstuk chương",
        1.5: "section sección seccion sezione secção seção abschnitt annex annexe annexure anhang anlage anexo"
        " allegato bijlage bilaga appendix appendice apéndice schedule exhibit attachment enclosure addendum"
        " lot los lote lotto perceel",
        1.7: "form formulaire formular formblatt formulario modello bill mẫu",
        1.9: "item",
        2: "article artikel artículo articulo articolo artigo clause cláusula clausula điều mục §",
        3: "note",
    }.items()
    for word in words.split()
}
_SPELLED = {
    word: str(value)
    for value, words in enumerate(
        ("one première premier première", "two deux deuxième", "three trois troisième", "four quatre",
         "five cinq", "six", "seven sept", "eight huit", "nine neuf", "ten dix"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_ORDINAL = (
    r"(?:[IVXLC]{1,7}(?:-\d{1,2})?|\d{1,3}[A-Z]?(?:\.\d{1,3})*|[A-Z](?:[-.]?\d{1,3})*"
    rf"|[A-Z]{{1,3}}-\d{{1,3}}|(?:n[°ºo]|no|nr|số)\.?\s*\d{{1,3}}[A-Z]?|{'|'.join(_SPELLED)})"
)
_PREFIX = re.compile(r"^(?:n[°ºo]|no|nr|số)\.?\s*(?=\d)", re.I)
_WORD = "|".join(sorted(CONTAINERS, key=len, reverse=True))
_WORDED = re.compile(
    rf"^(?P<word>{_WORD})(?:\s+|(?=\d))(?P<number>{_ORDINAL})(?=$|[\s:.)–—]|-(?![A-Z]{{1,2}}\b))[\s:.)–—-]*(?P<title>.*)$",
    re.I | re.S,
)
LEADING_WORD = re.compile(rf"(?:{_WORD})\s*{_ORDINAL}\s*[-–—:.)]*", re.I)
# Between a number and its title: a space with or without a dash. A dash alone parts `1-LE DOSSIER`, not `5-Year`.
_GAP = r"(?:\s+[-–—:]?\s*|[-–—:]\s+|[-–—](?=[A-ZÀ-Þ]{2}))"
_DECIMAL = re.compile(
    rf"^(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)(?:(?P<end>[.)°/]{{1,2}})(?:{_GAP}|(?=[A-ZÀ-Þ][^\W\d_]))|{_GAP})"
    r"(?P<title>\S.*)$",
    re.S,
)
_MARKED = rf"(?:[.)/°]{{1,2}}(?:{_GAP}|(?=[A-ZÀ-Þ][^\W\d_]))|\s+[-–—:]\s*|[-–—:]\s+|[-–—](?=[A-ZÀ-Þ]{{2}}))"
_CAPITALS = r"\s+(?=[A-ZÀ-Þ][A-ZÀ-Þ'’.,&/() -]{4,}$)"
_ROMAN = re.compile(
    rf"^(?P<number>[IVXLC]{{1,7}}(?:[.-]\d{{1,2}})*)(?:{_MARKED}|{_CAPITALS})(?P<title>\S.*)$", re.S
)
_ROMAN_PART = re.compile(r"^(?P<number>[IVX]{1,5}(?:[.-]\d{1,2})+)\s+(?P<title>\S.*)$", re.S)
_LETTER = re.compile(
    rf"^(?P<number>[A-Z](?:[.-]?\d{{1,2}}(?:\.\d{{1,3}})*)?)(?:{_MARKED}|{_CAPITALS})(?P<title>\S.*)$", re.S
)
_CODED = re.compile(r"^(?P<number>[A-Z][.-]?\d{1,2}(?:\.\d{1,3})*)[.:)]?\s+(?P<title>\S.*)$", re.S)
_SMALL = re.compile(r"^\(?(?P<number>[a-z]|[ivx]{1,5})(?:\)|\.|/|\s?[-–—])\s+(?P<title>\S.*)$", re.S)
_BRACED = re.compile(r"^\((?P<number>\d{1,2}|[A-Z])\)\s+(?P<title>\S.*)$", re.S)
_TABLE = str.maketrans("-", ".")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_NATURAL = re.compile(r"(\d+)(.*)", re.S)


@dataclass(frozen=True, slots=True)
class Number:
    """The numbering of a heading: its family, its parts (`3.2.1` is ("3", "2", "1")) and its title."""

    family: str
    parts: tuple[str, ...]
    title: str
    dotted: bool = False

    @property
    def depth(self) -> int:
        """Number of parts."""
        return len(self.parts)

    @property
    def rank(self) -> float | None:
        """Rank of a worded part (a part of the document has 0), None for a bare number."""
        return CONTAINERS.get(self.family)

    @property
    def first(self) -> bool:
        """Whether it begins a count: 1, I, A, a."""
        return all(_value(self.family, part)[0] == 1 for part in self.parts)


def parse_number(text: str) -> Number | None:
    """The numbering at the start of a line, or None."""
    first = text[:1]
    if not first.isalnum() and first not in ("(", "§"):
        return None
    if first.isdecimal():
        return _decimal(text)
    worded = _WORDED.match(text) if first != "(" else None
    if worded:
        number = _PREFIX.sub("", worded["number"])
        number = _SPELLED.get(number.lower(), number)
        return Number(worded["word"].lower(), tuple(number.upper().split(".")), worded["title"].strip())
    for family, pattern in _LETTERED:
        found = pattern.match(text)
        if found and not (family == "roman" and found["number"] in "CLD"):
            return Number(family, _parts(family, found["number"]), found["title"].strip(), True)
    return None


_LETTERED = (
    ("roman", _ROMAN_PART), ("roman", _ROMAN), ("letter", _LETTER), ("letter", _CODED), ("small", _SMALL),
    ("braced", _BRACED),
)  # fmt: skip


def _decimal(text: str) -> Number | None:
    found = _DECIMAL.match(text)
    if found is None:
        return None
    parts = tuple(found["number"].split("."))
    # "45.0" heads the chapter whose clauses are 45.1 and 45.2.
    zero = len(parts) == 2 and parts[1] == "0"
    return Number("decimal", parts[:1] if zero else parts, found["title"].strip(), bool(found["end"]) or zero)


def _parts(family: str, number: str) -> tuple[str, ...]:
    if family == "letter" and len(number) > 1:
        return (number[0], *number[1:].translate(_TABLE).strip(".").split("."))
    return tuple(number.translate(_TABLE).split("."))


def settle(number: Number, before: Number | None) -> Number:
    """`number` read in the light of the last lettered one: `I.` after `H.` is a letter, `(i)` a small roman."""
    if number.family not in ("roman", "small"):
        return number
    mark = number.parts[0]
    lettered, roman = ("small", "small roman") if number.family == "small" else ("letter", "roman")
    if len(mark) == 1 and mark not in "ivxIVX":
        return replace(number, family=lettered)
    follows = before is not None and before.family == lettered and ord(before.parts[0][0]) == ord(mark[0]) - 1
    return replace(number, family=lettered if follows and len(mark) == 1 else roman)


def _value(family: str, part: str) -> tuple[int, str]:
    """A part of a number as something that can be counted: 7A is (7, "A"), IV is (4, "")."""
    digits = _NATURAL.fullmatch(part)
    if digits:
        return int(digits[1]), digits[2]
    low = part.lower()
    roman = "roman" in family or (family in CONTAINERS and (len(low) > 1 or low in "ivx"))
    if roman and all(letter in _ROMAN_VALUES for letter in low):
        values = [_ROMAN_VALUES[letter] for letter in low]
        return sum(-v if any(w > v for w in values[i + 1 : i + 2]) else v for i, v in enumerate(values)), ""
    return (ord(low) - 96 if len(low) == 1 else 0), low


def comes_next(last: Number, number: Number) -> bool:
    """Whether a number is the very next of the same numbering and depth: 3.3 after 3.2, 2 after 1A."""
    if last.depth != number.depth or last.parts[:-1] != number.parts[:-1]:
        return False
    (one, tail), (other, mark) = _value(last.family, last.parts[-1]), _value(number.family, number.parts[-1])
    return other == one + 1 or (other == one and mark > tail)


def counts_on(last: Number, number: Number) -> bool:
    """Whether a number comes after another of the same numbering, as 5 and 4.9 do after 4.8."""
    for one, other in zip(last.parts, number.parts, strict=False):
        if one != other:
            return _value(number.family, other) > _value(last.family, one)
    return number.depth > last.depth
