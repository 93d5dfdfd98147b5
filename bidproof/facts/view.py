"""A text as the finders read it: typography flattened, offsets unchanged.

Holds the character-for-character flattening only. What a number, a unit or a standard is stands in the
finders. Every character maps to exactly one character, so that an offset found here is an offset in the
source: a quote is always a slice of the source's own words.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r\x0b"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u2043"
_QUOTES = "\u2018\u2019\u02bc\u2032\u201b"


def _flattening() -> dict[int, str]:
    table = {ord(c): " " for c in _SPACES}
    table.update({ord(c): "-" for c in _HYPHENS})
    table.update({ord(c): "'" for c in _QUOTES})
    table.update(
        {ord("\uff05"): "%", ord("\u2264"): "\u2264", ord("\u2265"): "\u2265", ord("\u2a7e"): "\u2265"}
    )
    table[ord("\u2a7d")] = "\u2264"
    for code in range(0x00C0, 0x0250):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base
    return table


_FLAT = _flattening()


@dataclass(frozen=True, slots=True)
class View:
    """A text in three spellings of equal length.

    Args:
        raw: the source.
        plain: accents dropped, every space, hyphen and apostrophe in its plain form, case kept.
        low: `plain` in lower case.
    """

    raw: str
    plain: str
    low: str

    @classmethod
    def of(cls, text: str) -> View:
        """The view of `text`."""
        plain = text.translate(_FLAT)
        low = plain.lower()
        if len(low) != len(plain):  # a few capitals, such as the dotted I, grow when lowered
            low = "".join(c.lower() if len(c.lower()) == 1 else c for c in plain)
        return cls(text, plain, low)

    def without(self, spans: list[tuple[int, int]]) -> View:
        """The view with `spans` blanked out, so that a later finder cannot read into them.

        The blank is a control character rather than a space: two numbers around a blanked date must not
        join into one.
        """
        if not spans:
            return self
        plain, low = list(self.plain), list(self.low)
        for start, end in spans:
            plain[start:end] = low[start:end] = "\x01" * (end - start)
        return View(self.raw, "".join(plain), "".join(low))
