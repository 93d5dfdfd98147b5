"""How the text of an RFP parts into sentences and list items, in English and French.

Knows punctuation, abbreviations and list marks. What a sentence asks, and of whom, is decided elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple


class _Level(dict[int, str]):
    """One plain lower-case character for each character, so that offsets stay."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        bare = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
        low = bare.casefold()
        self[code] = low if len(low) == 1 else char
        return self[code]


_LEVEL = _Level({0x2019: "'", 0x2018: "'", 0x02BC: "'", 0x201C: '"', 0x201D: '"', 0xA0: " ", 0x202F: " ", 0x2009: " "})  # fmt: skip


def level(text: str) -> str:
    """`text` in lower case without accents, typography plain, each character at its old offset."""
    return text.translate(_LEVEL)


_END = re.compile(
    r"(?<=[.!?;])[\"”»)]?\s+(?=[A-ZÀ-Ý(\"“«•\-–0-9ž])"
    r"|(?<=[.!?])\s+(?=[a-z]\) )"
    r"|\s+(?=(?:NB|N\.B\.|Note|Nota)\s*:)"
    r"|(?<=[a-zà-ÿ)]),\s+(?=(?:Chaque|Tout|Toute|Le|La|Les|Each|Every|All)\s[a-zà-ÿ])"
    r"|(?<=[.;:])\s+(?=(?:\d{1,2}|[A-Z])\s?[-–)]\s?[A-ZÀ-Ý][a-zà-ÿ’'])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nos|e\.g|i\.e|etc|approx|min|max|Min|Max|Art|Sec|Cl|Fig|Ref|Ltd|Pvt|Co|vs|resp|cf|p|pp|art|al|"
    r"n°|Mr|Mrs|Dr|M|Mme|St|Rs|Inc|incl|excl|Rev|Vol|Tel|ex)|\b[A-Z])\.$"
)
_LETTERED = re.compile(r"\b(?:Annexe?|Appendix|Part|Section|Class|Form|Lot|Envelope|Table|Schedule) [A-Z]\.$")
_NUMBER_ONLY = re.compile(r"(?:^|\s)\(?(?:[0-9]{1,2}|[a-zA-Z])[.)]$")
_ITEM_START = re.compile(
    r"(?:(?<=[:;,.])|(?<=[:;,.] and)|(?<=[:;,.] or)|(?<=[:;,.] et)|(?<=[:;,.] ou)|(?<= and)|(?<=;))\s+"
    r"(?=\((?:[a-z]|[ivx]{1,4}|[0-9]{1,2})\)\s|(?:[a-h]|[ivx]{2,4}|[1-9])\)\s|[A-H][-–]\s?(?:Une?|L[ea’']|Copie|The|An?)\b)"
)


def split_sentences(text: str) -> list[str]:
    """Sentences of a block; an abbreviation ("No. 5", "e.g.") does not end one, the number of an item is kept with it."""
    parts: list[str] = []
    for piece in _END.split(text):
        if not piece:
            continue
        if parts and (
            (_ABBREVIATION.search(parts[-1]) and not _LETTERED.search(parts[-1]))
            or (parts[-1].endswith(";") and re.match(r"(?:soit|either|ou bien)\s", piece, re.IGNORECASE))
            or (piece[0] == "(" and parts[-1].endswith(";") is False and _closes(piece))
        ):
            parts[-1] = f"{parts[-1]} {piece}"
        elif parts and _NUMBER_ONLY.search(parts[-1]) and not _LETTERED.search(parts[-1]):
            kept, number = _NUMBER_ONLY.split(parts[-1])[0], _NUMBER_ONLY.search(parts[-1])
            assert number is not None
            if kept.strip():
                parts[-1] = kept.strip()
                parts.append(f"{number.group().strip()} {piece}")
            else:
                parts[-1] = f"{parts[-1]} {piece}"
        else:
            parts.append(piece)
    return [part.strip() for part in parts if part.strip()]


def _closes(piece: str) -> bool:
    """A bracket of its own after a full stop, without a verb of its own, goes with the sentence before."""
    return bool(re.fullmatch(r"\([^)]{0,40}\)[.;]?", piece))


def inline_items(sentence: str) -> list[str]:
    """A sentence that lists `(a) ...; (b) ...` as lead-in and items; a sentence without such marks alone."""
    parts = [part for part in _ITEM_START.split(sentence) if part.strip()]
    if len(parts) < 2 or (len(parts) < 3 and not is_lead(parts[0]) and mark_of(parts[0]) is None):
        return [sentence]
    return [part.strip() for part in parts]


class Mark(NamedTuple):
    """Mark of a list item: its kind ("-", "a)", "1.", "i)"), its rank in the list (0 for bullets) and its length."""

    kind: str
    rank: int
    end: int


_MARK = re.compile(
    r"\s*(?:(?P<bullet>[•▪◦●○■□➢➤►✓✔❖*\-–—]|o(?=\s[A-ZÀ-ÝLl])|[\ue000-\uf8ff])\s+"
    r"|(?P<piece>(?:pi[eè]ces?|document|annexe|item|volet)\s+(?P<number>\d{1,2})\s*[:–-])\s*"
    r"|(?P<open>\(?)(?P<body>[a-zA-Z]|[ivxIVX]{1,5}|\d{1,2}(?:\.\d{1,2}){0,4})(?P<close>[.)°]|\s?[-–](?=\s?[A-ZÀ-Ý]))\s*(?=\S))",
    re.IGNORECASE,
)


def mark_of(text: str) -> Mark | None:
    """The list mark with which `text` starts, or None."""
    match = _MARK.match(text)
    if match is None or match.end() == len(text):
        return None
    if match["bullet"]:
        return Mark(match["bullet"], 0, match.end())
    if match["piece"]:
        return Mark("piece", int(match["number"]), match.end())
    body, close = match["body"], match["close"].strip()
    if close == "." and text[match.end("close") : match.end("close") + 1] not in (" ", "\t", ""):
        return None
    kind = (
        ("(" if match["open"] else "")
        + ("1" if body[0].isdigit() else "A" if body.isupper() else "a")
        + close
    )
    if body[0].isdigit():
        return Mark(kind, int(body.split(".")[-1]), match.end())
    return Mark(kind, ord(body.lower()) - 96 if len(body) == 1 else 0, match.end())


_PRIVATE = re.compile(r"^[\s\ue000-\uf8ff\u2022\u25aa\u27a2]+")


def without_mark(text: str) -> str:
    """`text` without its list mark."""
    mark = mark_of(text)
    bare = text[mark.end :] if mark else text
    return _PRIVATE.sub("", bare).strip()


def one_line(text: str) -> str:
    """`text` with runs of white space as one space."""
    return " ".join(text.split())


def is_lead(text: str) -> bool:
    """The text announces what follows it."""
    return text.rstrip().endswith((":", "：", ":-", ": -"))


_NEXT_GOES_ON = re.compile(r"^[a-zà-ÿ(]")


def goes_on(before: str, after: str) -> bool:
    """A paragraph that a page break cut goes on in `after`."""
    return bool(before) and before.rstrip()[-1] not in ".;:!?…" and bool(_NEXT_GOES_ON.match(after.lstrip()))
