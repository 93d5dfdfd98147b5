"""The echo guard: is a text the RFP's own words handed back.

Belongs here: runs of words shared with the RFP, and the decision that a text is only such a copy. Shared by
judging and verification. Does not belong here: what an echo does to a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bidproof.facts import fold
from bidproof.judging.polarity import has_duty_verb, orders_bidder, own_words

_WORD = re.compile(r"[^\W_]+|%")
_PLAIN_COPY = 0.9  # a text without "shall" is a copy only when nearly every word of it is


@dataclass(frozen=True)
class Shared:
    """Words of a text that stand in runs shared with the RFP."""

    share: float
    places: tuple[tuple[int, int], ...]


def words_for_echo(text: str) -> list[str]:
    """The words of a text as runs are made of them: folded, per cent signs among them."""
    return [fold(match.group()) for match in _WORD.finditer(text)]


class RfpShingles:
    """Runs of words of an RFP, for finding what a bid copied from it."""

    def __init__(self, texts: Iterable[str], size: int, share: float) -> None:
        """Runs of `size` words of `texts`; a text is a copy from `share` of its words in such runs on."""
        self.size, self.share = size, share
        self._runs: set[str] = set()
        for text in texts:
            words = words_for_echo(text)
            self._runs.update(" ".join(words[i : i + size]) for i in range(len(words) - size + 1))

    def shared(self, text: str) -> Shared:
        """How much of `text` stands in runs shared with the RFP, and where."""
        found = list(_WORD.finditer(text))
        words = [fold(m.group()) for m in found]
        inside = [False] * len(words)
        for i in range(len(words) - self.size + 1):
            if " ".join(words[i : i + self.size]) in self._runs:
                inside[i : i + self.size] = [True] * self.size
        places = tuple(m.span() for m, copied in zip(found, inside, strict=True) if copied)
        return Shared(sum(inside) / len(inside) if inside else 0.0, places)

    def echoes(self, text: str) -> str:
        """Why `text` is an echo of the RFP; empty when it is the bidder's own statement.

        Copied words carry nothing unless the writer speaks for itself outside them; a duty laid on "the
        bidder" is the RFP's voice whoever wrote it down.
        """
        shared = self.shared(text)
        own = [span for span in own_words(text) if span not in shared.places]
        if own:
            return ""
        if orders_bidder(text):
            return "it says what the bidder shall do, not what this bidder does"
        if shared.share >= _PLAIN_COPY or (shared.share >= self.share and has_duty_verb(text)):
            return "it repeats the RFP's own words"
        return ""
