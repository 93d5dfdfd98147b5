"""Atomic parts of table cells and bare specifications: lists of limits, standards and documents without a verb.

Sentences part in `splitting`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.coordination import PERIOD
from bidproof.catalog.mining.obligations import MODAL
from bidproof.catalog.mining.sentences import inline_items, is_lead, level, without_mark
from bidproof.catalog.mining.splitting import QUANTITY, Part, sentence_parts, top_level

_CODE = re.compile(
    r"(?:iso|iec|en|nf|pci|tls|aes|saml|oauth|gsma|tm forum|fips|itil|soc|cmmi|bs|din|ieee|astm|act|loi)\b.{0,24}\d|"
    r"\b[A-Z]{2,}[ -]?[A-Z.]*\d|\bAct \d{4}"
)
_CERTIFIED = re.compile(r"certif|standard|regulat|security|securite|norme|complian|conform|authenti|accredit")
_COMPLEMENT = re.compile(r"\b(?:for|of|such as|including|in|with|pour|dont)\s+[^,]*$")
_BRACKETED = re.compile(
    r"(?:forms?|documents?|certificates?|certifications?|attachments?|formulaires?|attestations?|pieces?)\s*\(([^()]{12,})\)", re.IGNORECASE
)  # fmt: skip
_SLASHED = re.compile(r"^(.*?)((?:[A-Z]{2,}\.?\d+(?:\.\d+)?)(?:/(?:[A-Z]{2,}\.?\d+(?:\.\d+)?))+)(.*)$")


def cell_parts(text: str, label: str = "", *, listing: bool = False, headings: str = "") -> list[Part]:
    """Atomic parts of a table cell or a bare specification, each with the row's label.

    Args:
        text: words of the cell.
        label: what the row names.
        listing: the cell lists things to deliver, so that commas part them.
        headings: headings above, which tell lists of standards.
    """
    if MODAL.search(level(text)):
        sentences = [
            part
            for sentence in re.split(r"(?<=[a-z0-9)%][.;])\s+(?=[A-Z])", text)
            for item in _items(sentence)
            for part in sentence_parts(item)
        ]
        return [Part(_labelled(part.text, label), part.slice) for part in sentences]
    if bracketed := _BRACKETED.search(text):
        documents = [one.strip() for one in bracketed[1].split(",")]
        if len(documents) >= 3:
            return [Part(_labelled(one, label), one) for one in documents]
    plain = text.strip()
    about = level(f"{label} {headings}")
    found: list[str] = []
    for piece in re.split(r";\s+", plain):
        if not piece.strip():
            continue
        found.extend(_cell_pieces(piece.strip(" ;"), about, listing))
    return [Part(_labelled(piece, label), piece) for piece in found] or [Part(_labelled(plain, label), plain)]


def _items(sentence: str) -> list[str]:
    """Numbered points of one cell, each without its number."""
    points = inline_items(sentence)
    if len(points) < 2:
        return [sentence]
    return [without_mark(point) for point in points if not is_lead(point)]


def _labelled(piece: str, label: str) -> str:
    held = bool(label) and re.search(rf"(?<!\w){re.escape(level(label))}(?!\w)", level(piece))
    return f"{label}: {piece}" if label and not held else piece


def _cell_pieces(piece: str, about: str, listing: bool) -> list[str]:
    head, dash, rest = piece.partition(" — ")
    parts = top_level(rest if dash else piece, ", ")
    if len(parts) > 1 and _commas_part(parts, about, listing):
        parts = [re.sub(r"^(?:and|et)\s+", "", part) for part in parts]
        if dash:
            parts[0] = f"{head} — {parts[0]}"
    else:
        parts = [piece]
    found: list[str] = []
    for part in parts:
        found.extend(_finer(part, about))
    return found


_ROUND_THE_CLOCK = re.compile(r"7 ?(?:j(?:ours)?|d(?:ays)?) ?(?:/|sur|a week|per week) ?7?")
_BOUND = re.compile(
    r"(?:and |et )?(?:at least|at most|not (?:less|more) than|no (?:less|more|later) than|minimum|maximum|min\.?|max\.?|au moins|au plus|"
    r"[<>≤≥])\s?(?:of |de )?\d"
)
"""A limit of its own behind a comma."""


def _commas_part(parts: list[str], about: str, listing: bool) -> bool:
    if any(_ROUND_THE_CLOCK.match(level(part)) for part in parts[1:]):
        return False
    coded = sum(bool(_CODE.search(part)) for part in parts)
    if coded * 2 >= len(parts) and (_CERTIFIED.search(about) or coded == len(parts)):
        return True
    if len(parts[0].split()) >= 3 and all(_BOUND.match(level(part)) for part in parts[1:]):
        return True
    if _COMPLEMENT.search(parts[0]):
        return False
    measured = sum(bool(QUANTITY.search(f"{part} ")) for part in parts)
    if measured >= 2 or (measured >= 1 and len(parts) >= 3):
        return True
    return listing


def _finer(part: str, about: str) -> list[str]:
    """Parts at a plus before a figure, at ` with ` before a figure, at slashes between codes, at a limit after `and`."""
    if slashed := _SLASHED.match(part):
        codes = slashed[2].split("/")
        return [f"{slashed[1]}{code}{slashed[3]}".strip() for code in codes]
    alternatives = part.split(" / ")
    if (
        len(alternatives) > 1
        and sum(bool(re.match(r"[A-Za-z]", a) and re.search(r"\d", a)) for a in alternatives) >= 2
    ):
        return [one.strip() for one in alternatives]
    pieces = re.split(rf"\s+\+\s+(?=\d)|\s+with\s+(?=(?:\d+-(?:min|hour|day|week)\w*|{PERIOD})\s)", part)
    return [piece.strip() for piece in pieces if piece.strip()]
