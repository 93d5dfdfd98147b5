"""Finds a quote in a passage word for word, and gives back the passage's own characters.

Belongs here: which differences are none: runs of blanks, the shapes of quotes and dashes, soft hyphens. Does not belong
here: the ladder of looser matches and where a quote stands on the page (`verification`).
"""

from __future__ import annotations

import unicodedata

_SAME = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
_NOTHING = {"\u00ad", "\u200b", "\u200c", "\u200d", "\ufeff", "\u2060"}


def _levelled(text: str) -> tuple[str, list[int]]:
    """The text with typographic differences levelled, and the offset in `text` of each character left."""
    level: list[str] = []
    origin: list[int] = []
    blank = True  # leading blanks are dropped
    for at, char in enumerate(text):
        if char in _NOTHING:
            continue
        if char.isspace():
            if not blank:
                level.append(" ")
                origin.append(at)
            blank = True
            continue
        blank = False
        for one in _SAME.get(char) or unicodedata.normalize("NFKC", char):
            level.append(one)
            origin.append(at)
    return "".join(level), origin


def find_verbatim(quote: str, text: str) -> tuple[int, int] | None:
    """Offsets of the first place in `text` where the quote stands word for word; None where it does not.

    Letter case, words and punctuation must be the same, and no word may be cut: `25 days` does not stand in
    `125 days`, nor `compl` in `complies`.
    """
    wanted = _levelled(quote)[0].rstrip()
    level, origin = _levelled(text)
    start = level.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not _cuts(level, start) and not _cuts(level, end):
            return origin[start], origin[end - 1] + 1
        start = level.find(wanted, start + 1)
    return None


def _cuts(text: str, at: int) -> bool:
    """Whether a word or number goes on across this offset."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return True
    # "2" is no quote of "2.5", nor "000" of "1,000".
    inside_number = before in ".," and after.isdigit() and at > 1 and text[at - 2].isdigit()
    before_fraction = before.isdigit() and after in ".," and text[at + 1 : at + 2].isdigit()
    return inside_number or before_fraction
