"""Things of which a rule asks for one or the other: "either a bank guarantee or a surety bond", "ISO 14001 or EMAS".

Belongs here: finding the two sides, and the rule as it reads with one of them. Does not belong here: what either side
asks (`derivation`), and "or" between two standards, which are told apart there.
"""

from __future__ import annotations

import re

from bidproof.facts import fold
from bidproof.records import Fact

_SIDE = r"(?:(?!\b(?:either|or|soit|ou|and|et|nor|shall|must|will|which|that|who|where|if|qui|que|si)\b)[^,;.:()|]){2,70}?"
_EITHER = re.compile(
    rf"\beither[ ](?P<one>{_SIDE}),?[ ]or[ ](?P<other>{_SIDE})(?=[,;.:()|]|$)", re.IGNORECASE
)
_SOIT = re.compile(rf"\bsoit[ ](?P<one>{_SIDE}),?[ ]soit[ ](?P<other>{_SIDE})(?=[,;.:()|]|$)", re.IGNORECASE)
_NAME = r"(?:[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z][a-z]{3,})(?:[ ](?:registration|certification|certificate|certified|label))?"
_MORE = re.compile(r"[ ]+(?:or|ou)[ ]+", re.IGNORECASE)
# What is forbidden is forbidden on both sides, and so is what "each" or "both" is asked of.
_ALL = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|prohibited|forbidden|interdit\w*|ne|pas|aucun\w*|sans|both|party|parties|case|way)\b"
)


_GOES_ON = re.compile(
    r"\b(?:by|from|with|for|in|at|on|within|as|par|pour|dans|avec|sur|issued|valid|that|to)\b"
)


def sides_of(text: str, facts: list[Fact]) -> tuple[str, ...]:
    """The rule as it reads with each of its two alternatives; empty where it has none, or not plainly two."""
    if _ALL.search(fold(text)) or len(_MORE.findall(text)) > 1:
        return ()
    found = _EITHER.search(text) or _SOIT.search(text)
    if found:
        spans = (found.span("one"), found.span("other"))
        whole = found.span()
    elif pair := _standard_or_name(text, facts):
        spans, whole = pair, (pair[0][0], pair[1][1])
    else:
        return ()
    one, other = (text[a:b].split() for a, b in spans)
    if len(other) > len(one) + 2 or (
        _GOES_ON.search(fold(" ".join(other))) and not _GOES_ON.search(fold(" ".join(one)))
    ):
        return ()  # "a bank guarantee or a surety bond issued by a local bank": of which is it said
    named = [[f.code for f in facts if f.kind == "standard" and a <= f.start < b] for a, b in spans]
    if all(named) or any(
        f.kind not in ("standard", "obligation") for f in facts if whole[0] <= f.start < whole[1]
    ):
        return ()  # figures keep their place in the rule
    return tuple(f"{text[: whole[0]]}{text[a:b].strip()}{text[whole[1] :]}" for a, b in spans)


_OR_SO = re.compile(r"(?:equivalent|similar|similaire|better|higher|comparable|other|autre|superieur)e?s?\b")
"""Words that name no scheme: "ISO 9001 or Equivalent" asks for that standard or its like."""


def _standard_or_name(text: str, facts: list[Fact]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """A standard and a scheme known by its name alone, on the two sides of "or"."""
    for fact in facts:
        if fact.kind != "standard":
            continue
        behind = re.compile(
            rf"(?P<one>(?:[ ](?:certification|certified|certificate))?)(?:[ ])(?:or|ou)[ ](?P<other>{_NAME})(?=[,;.]|$)"
        ).match(text, fact.end)
        if behind and not _OR_SO.match(fold(behind["other"])):
            return (fact.start, behind.end("one")), behind.span("other")
    return None
