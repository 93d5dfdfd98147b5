"""Verdicts that contradict each other: inside a bid over its rules, and over bidders on the same words.

Belongs here: finding such pairs over all packs of a tender. Does not belong here: which of the two is wrong, which is
for a person; no verdict is changed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from bidproof.records import Requirement, Status
from bidproof.verdict_tables import CONSISTENCY
from bidproof.verification.glyphs import fold_glyphs
from bidproof.verification.implication import asks_no_more, same_matter

SAME_BID, OTHER_BIDDER, NOT_FOUND = "same bid", "other bidder", "not found"
_OUTER = re.compile(r"^\W+|\W+$")
_PLAIN = re.compile(r"(?<![a-z0-9_\x80-\U0010ffff])[a-z]{4,}(?![a-z0-9_\x80-\U0010ffff])")
"""Words that no accent touches: in whatever encoding, they are in the text as they are here."""
_LEAST_NAME = 4  # letters of a bidder's name that is taken out of its own words

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """A verdict, and the words that it rests on in one spelling; no words where nothing was found."""

    row: Row
    words: str
    beside: tuple[str, ...]

    @property
    def status(self) -> str:
        """Verdict."""
        return str(self.row["status"])

    @property
    def key(self) -> tuple[str, str]:
        """Pack and rule."""
        return str(self.row["pack"]), str(self.row["rule_id"])


class Spelling:
    """One spelling for the words of all bidders: small letters, plain glyphs, single spaces, no bidder's own name."""

    def __init__(self, documents: pl.DataFrame) -> None:
        names: dict[str, set[str]] = {}
        for bidder, name in documents.select("bidder", "bidder_name").unique().iter_rows():
            spoken = [name or "", (bidder or "").replace("-", " ")]
            names.setdefault(bidder or "", set()).update(self._plain(one) for one in spoken)
        self._own = {
            bidder: re.compile(r"\b(?:" + "|".join(map(re.escape, known)) + r")\b")
            for bidder, all_names in names.items()
            if (known := sorted((n for n in all_names if len(n) >= _LEAST_NAME), key=lambda n: (-len(n), n)))
        }

    @staticmethod
    def _plain(text: str) -> str:
        return " ".join(fold_glyphs(text).text.casefold().split())

    def of(self, text: str, bidder: str) -> str:
        """The words of `text`, said by `bidder`."""
        plain = self._plain(text)
        if bidder in self._own:
            plain = self._own[bidder].sub("the bidder", plain)
        return _OUTER.sub("", plain)


class Text:
    """A bidder's text, put in the one spelling only where it may hold what is looked for."""

    def __init__(self, text: str, bidder: str, spelling: Spelling) -> None:
        self._text, self._bidder, self._spelling = text, bidder, spelling

    @cached_property
    def _small(self) -> str:
        return self._text.casefold().replace("œ", "oe").replace("æ", "ae")

    @cached_property
    def spelled(self) -> str:
        """In the one spelling."""
        return self._spelling.of(self._text, self._bidder)

    def may_hold(self, plain: Iterable[str]) -> bool:
        """All these words of plain letters are in it; no spelling changes them."""
        return all(word in self._small for word in plain)


def find_contradictions(
    requirements: Sequence[Requirement],
    findings: pl.DataFrame,
    candidates: pl.DataFrame,
    chunks: pl.DataFrame,
    documents: pl.DataFrame,
) -> pl.DataFrame:
    """Rows of `consistency`, in order of pack and rule; frames hold all packs of one tender, in any order.

    Same bid: a rule that asks no more than one that passes does not pass, on the same words or, where both rules speak
    of the same things, on any. Other bidder: one rule, the same words, another verdict. Not found: words on which the
    rule was judged for another bidder stand in this one's candidates, and the verdict is Missing. Both verdicts of a
    pair have a row, for either may be the wrong one.
    """
    rules = {rule.rule_id: rule for rule in requirements}
    spelling = Spelling(documents)
    cells = [
        _cell(row, spelling)
        for row in findings.sort("pack", "rule_id").iter_rows(named=True)
        if row["rule_id"] in rules
    ]
    pairs = [
        *_same_bid(cells, rules),
        *_other_bidders(cells),
        *_not_found(cells, candidates, chunks, spelling),
    ]
    both = [*pairs, *((other, one, kind, words) for one, other, kind, words in pairs)]
    return CONSISTENCY.frame(_rows(both)).sort("pack", "rule_id", "kind", "other_pack", "other_rule_id")


Pair = tuple[Cell, Cell, str, str]
"""A verdict, one that it contradicts, the kind, and the words that both rest on."""


def _cell(row: Row, spelling: Spelling) -> Cell:
    if row["status"] == Status.MISSING:
        return Cell(row, "", ())
    said = [spelling.of(quote, row["bidder"]) for quote in (row["quote"] or "", *(row["other_quotes"] or ()))]
    return Cell(row, said[0], tuple(sorted(set(said[1:]))))


def _same_bid(cells: Iterable[Cell], rules: Mapping[str, Requirement]) -> Iterator[Pair]:
    packs: dict[str, list[Cell]] = {}
    for cell in cells:
        packs.setdefault(cell.key[0], []).append(cell)
    weaker = _weaker(rules)
    for own in packs.values():
        by_rule = {cell.key[1]: cell for cell in own}
        for passed in own:
            for rule_id, alike in weaker.get(passed.key[1], ()) if passed.status == Status.PASS else ():
                other = by_rule.get(rule_id)
                if other is None or other.status == Status.PASS:
                    continue
                if words := _shared(passed, other):
                    yield passed, other, SAME_BID, words
                elif alike:
                    yield passed, other, SAME_BID, ""


def _weaker(rules: Mapping[str, Requirement]) -> dict[str, list[tuple[str, bool]]]:
    """For each rule those that ask no more, and whether they speak of the same things throughout."""
    listed = [rule for _, rule in sorted(rules.items())]
    return {
        strong.rule_id: [
            (weak.rule_id, same_matter(weak, strong))
            for weak in listed
            if weak.rule_id != strong.rule_id and asks_no_more(weak, strong)
        ]
        for strong in listed
    }


def _holds(text: str, words: str) -> bool:
    """`words` stand in `text` and cut no word of it."""
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(words, at + 1)
    return False


def _shared(one: Cell, other: Cell) -> str:
    """The words of the shorter quote where one quote holds the other; empty where they rest on other words."""
    short, long = sorted((one.words, other.words), key=len)
    return short if short and _holds(long, short) else ""


def _other_bidders(cells: Iterable[Cell]) -> Iterator[Pair]:
    same: dict[tuple[str, str, tuple[str, ...]], list[Cell]] = {}
    for cell in cells:
        if cell.words:
            same.setdefault((cell.key[1], cell.words, cell.beside), []).append(cell)
    for group in same.values():
        for n, one in enumerate(group):
            for other in group[n + 1 :]:
                if one.status != other.status and one.key[0] != other.key[0]:
                    yield one, other, OTHER_BIDDER, one.words


def _not_found(
    cells: Sequence[Cell], candidates: pl.DataFrame, chunks: pl.DataFrame, spelling: Spelling
) -> Iterator[Pair]:
    """Missing verdicts of bidders that say the very words on which another one was judged."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.words:
            found.setdefault(cell.key[1], []).append(cell)
    missing = [cell for cell in cells if cell.status == Status.MISSING and cell.key[1] in found]
    wanted = pl.DataFrame(
        [{"pack": pack, "rule_id": rule} for pack, rule in (cell.key for cell in missing)],
        schema={"pack": pl.String, "rule_id": pl.String},
    )
    texts: dict[tuple[str, str], list[Text]] = {}
    known: dict[str, Text] = {}
    text_of = chunks.select("pack", "chunk_id", "text", "bidder")
    for row in candidates.join(wanted, on=["pack", "rule_id"], how="semi").select(
        "pack", "rule_id", "chunk_id"
    ).join(text_of, on=["pack", "chunk_id"]).iter_rows(named=True):  # fmt: skip
        text = known.setdefault(row["chunk_id"], Text(row["text"], row["bidder"], spelling))
        texts.setdefault((row["pack"], row["rule_id"]), []).append(text)
    for cell in missing:
        said = texts.get(cell.key, [])
        for other in found[cell.key[1]]:
            if other.key[0] == cell.key[0]:
                continue
            plain = [word for word in _PLAIN.findall(other.words) if word != "bidder"]
            if any(text.may_hold(plain) and _holds(text.spelled, other.words) for text in said):
                yield cell, other, NOT_FOUND, other.words


def _rows(pairs: Iterable[Pair]) -> list[dict[str, object]]:
    """One row for each verdict and kind: the first that it contradicts, and how many there are."""
    groups: dict[tuple[str, str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((*pair[0].key, pair[2], pair[1].status), []).append(pair)
    return [_row(min(group, key=lambda pair: pair[1].key), len(group)) for group in groups.values()]


def _row(pair: Pair, others: int) -> dict[str, object]:
    one, other, kind, words = pair
    return {
        **{name: one.row[name] for name in ("tender", "bidder", "pack", "rule_id", "catalog_version", "status", "page")},
        "kind": kind, "other_bidder": other.row["bidder"], "other_pack": other.key[0], "other_rule_id": other.key[1],
        "other_status": other.status, "other_page": other.row["page"], "others": others, "evidence": words,
        "reason": _reason(one, other, kind, words, others),
    }  # fmt: skip


def _reason(one: Cell, other: Cell, kind: str, words: str, others: int) -> str:
    place = f", p. {other.row['page']}" if other.row["page"] else ""
    more = f" and {others - 1} more" if others > 1 else ""
    if kind == SAME_BID:
        asks = "asks no less" if other.status == Status.PASS else "asks no more"
        on = "on the same words" if words else "on other words"
        return f"consistency: {other.key[1]} {asks} of the same and is {other.status} {on}{place}{more}"
    what = (
        "has the same words" if kind == OTHER_BIDDER or one.status == Status.MISSING else "says these words"
    )
    return (
        f"consistency: {other.row['bidder']} {what} and {other.key[1]} is {other.status} there{place}{more}"
    )
