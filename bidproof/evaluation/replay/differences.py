"""What two versions of a pack's tables differ in, rule by rule: candidates, passages, verdicts and tokens.

Holds the comparison and the shape of its result, which scripts rely on. Computes no stage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bidproof.evaluation.replay.pack_at import PackAt
from bidproof.records import Record, Status

UNKNOWN = "unknown"
"""Expected verdict of a rule that a model would have to be asked about."""

ABSENT = "none"
"""Verdict of a rule that the catalog does not have."""

Place = tuple[str, int, int]
Words = dict[Place, list[tuple[int, int]]]


class ChunkChange(Record):
    """A chunk whose place changed; `before` and `after` are ranks, or places among the passages, none where it has none.

    `chunk_id` is that of the side on which it has a place, the later one where it has two.
    """

    chunk_id: str
    file_name: str
    page: int | None
    before: int | None = None
    after: int | None = None
    why: str = ""


class RuleReplay(Record):
    """What changes for one rule.

    `words_kept` is the share of the earlier passages' characters that the later ones show too, `tokens_...` the tokens
    of all its passages. `review_lifted` says that a Pass that a person was to look at stays a Pass, and nobody is.
    """

    rule_id: str
    area: str
    mandatory: bool
    candidates_before: int
    candidates_after: int
    candidates_added: tuple[ChunkChange, ...] = ()
    candidates_dropped: tuple[ChunkChange, ...] = ()
    candidates_moved: tuple[ChunkChange, ...] = ()
    passages_added: tuple[ChunkChange, ...] = ()
    passages_dropped: tuple[ChunkChange, ...] = ()
    words_kept: float = 1.0
    verdict_before: str
    verdict_after: str
    tokens_before: int
    tokens_after: int
    review_lifted: bool = False

    @property
    def flip(self) -> bool:
        """Whether another verdict is expected. One that is unknown is none yet."""
        return (
            UNKNOWN not in (self.verdict_before, self.verdict_after)
            and self.verdict_before != self.verdict_after
        )

    @property
    def unknown(self) -> bool:
        """Whether a model would have to be asked."""
        return self.verdict_after == UNKNOWN

    @property
    def changed(self) -> bool:
        """Whether a judge would see something else or say something else, or a Pass need no person any more."""
        return (
            bool(self.passages_added or self.passages_dropped)
            or self.verdict_before != self.verdict_after
            or self.review_lifted
        )


@dataclass(frozen=True)
class _Side:
    """One version of a pack, by rule; `plain` are the rules with a Pass that no person is to look at."""

    chunks: Mapping[str, Mapping[str, Any]]
    same_cut: bool
    candidates: Mapping[str, list[tuple[str, int]]]
    passages: Mapping[str, list[tuple[str, int, str]]]
    verdicts: Mapping[str, str]
    plain: frozenset[str]
    rules: Mapping[str, Mapping[str, Any]]

    def key(self, chunk_id: str) -> str:
        """What a chunk is known by: its id as long as both versions are cut alike, else where it stands and says what."""
        if self.same_cut:
            return chunk_id
        chunk = self.chunks[chunk_id]
        return f"{chunk['doc_id']}\0{chunk['page']}\0{chunk['text']}"

    def change(self, chunk_id: str, before: int | None, after: int | None, why: str = "") -> ChunkChange:
        chunk = self.chunks[chunk_id]
        return ChunkChange(
            chunk_id=chunk_id,
            file_name=chunk["file_name"],
            page=chunk["page"],
            before=before,
            after=after,
            why=why,
        )

    def tokens(self, rule_id: str) -> int:
        return sum(int(self.chunks[chunk]["tokens"] or 0) for chunk, _, _ in self.passages.get(rule_id, ()))

    def words(self, rule_id: str) -> Words:
        """Characters of the blocks that a rule's passages show."""
        found: Words = {}
        for chunk_id, _, _ in self.passages.get(rule_id, ()):
            chunk = self.chunks[chunk_id]
            for span in chunk["spans"] or ():
                start = span["block_start"]
                place = (chunk["doc_id"], span["page"], span["block_no"])
                found.setdefault(place, []).append((start, start + span["end"] - span["start"]))
        return found


_CHUNK = ("chunk_id", "doc_id", "file_name", "page", "text", "tokens", "spans")


def _side(at: PackAt, used: Iterable[str], same_cut: bool) -> _Side:
    wanted = at["chunks"].select(_CHUNK).filter(pl.col("chunk_id").is_in(sorted(used)))
    judged = set(at["judgements"]["rule_id"])
    rules = {
        row["rule_id"]: row for row in at["requirements"].select("rule_id", "area", "mandatory").to_dicts()
    }
    found = dict(at["findings"].select("rule_id", "status").iter_rows())
    verdicts = {rule: found.get(rule, UNKNOWN) if rule in judged else UNKNOWN for rule in rules}
    unflagged = at["findings"].filter(~pl.col("needs_review").fill_null(True))["rule_id"]
    return _Side(
        {row["chunk_id"]: row for row in wanted.iter_rows(named=True)}, same_cut,
        _grouped(at["candidates"].sort("rule_id", "rank").select("rule_id", "chunk_id", "rank")),
        _grouped(at["passages"].sort("rule_id", "order_no").select("rule_id", "chunk_id", "order_no", "why")),
        verdicts, frozenset(rule for rule in unflagged if verdicts.get(rule) == Status.PASS), rules,
    )  # fmt: skip


def _grouped(frame: pl.DataFrame) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for rule_id, *rest in frame.iter_rows():
        found.setdefault(rule_id, []).append(tuple(rest))
    return found


def compare_rules(before: PackAt, after: PackAt) -> tuple[RuleReplay, ...]:
    """What changes for each rule of both catalogs, in order of rule id."""
    same_cut = before.token("chunks") == after.token("chunks")
    sides = [
        _side(at, {*at["candidates"]["chunk_id"], *at["passages"]["chunk_id"]}, same_cut)
        for at in (before, after)
    ]
    return tuple(_rule(rule, sides[0], sides[1]) for rule in sorted({*sides[0].rules, *sides[1].rules}))


def _rule(rule_id: str, old: _Side, new: _Side) -> RuleReplay:
    known = new.rules.get(rule_id) or old.rules[rule_id]
    ranks = _changes(old, new, old.candidates.get(rule_id, ()), new.candidates.get(rule_id, ()))
    chosen = _changes(old, new, old.passages.get(rule_id, ()), new.passages.get(rule_id, ()))
    differs = bool(chosen[0] or chosen[1])
    flagged_before = old.verdicts.get(rule_id) == Status.PASS and rule_id not in old.plain
    return RuleReplay(
        rule_id=rule_id, area=known["area"] or "", mandatory=bool(known["mandatory"]),
        candidates_before=len(old.candidates.get(rule_id, ())), candidates_after=len(new.candidates.get(rule_id, ())),
        candidates_added=ranks[0], candidates_dropped=ranks[1], candidates_moved=ranks[2],
        passages_added=chosen[0], passages_dropped=chosen[1],
        words_kept=round(share_kept(old.words(rule_id), new.words(rule_id)), 4) if differs else 1.0,
        verdict_before=old.verdicts.get(rule_id, ABSENT), verdict_after=new.verdicts.get(rule_id, ABSENT),
        tokens_before=old.tokens(rule_id), tokens_after=new.tokens(rule_id),
        review_lifted=flagged_before and rule_id in new.plain,
    )  # fmt: skip


Changes = tuple[tuple[ChunkChange, ...], tuple[ChunkChange, ...], tuple[ChunkChange, ...]]


def _changes(old: _Side, new: _Side, before: Sequence[Any], after: Sequence[Any]) -> Changes:
    """Chunks that came, that went, and that stand elsewhere than before.

    Two chunks may say the same on one page: the first of them before is then the first of them after.
    """
    was, now = _numbered(old, before), _numbered(new, after)
    added = tuple(new.change(one[0], None, one[1], *one[2:]) for key, one in now.items() if key not in was)
    dropped = tuple(old.change(one[0], one[1], None, *one[2:]) for key, one in was.items() if key not in now)
    moved = tuple(
        new.change(one[0], was[key][1], one[1], *one[2:])
        for key, one in now.items()
        if key in was and was[key][1] != one[1]
    )
    return added, dropped, moved


def _numbered(side: _Side, chunks: Sequence[Any]) -> dict[tuple[str, int], Any]:
    seen: Counter[str] = Counter()
    found = {}
    for one in chunks:
        key = side.key(one[0])
        found[key, seen[key]] = one
        seen[key] += 1
    return found


def share_kept(before: Words, after: Words) -> float:
    """Share of the characters of `before` that stand in `after` too; 1 where there were none."""
    total = kept = 0
    for place, ranges in before.items():
        shown = _merged(after.get(place, ()))
        for start, end in _merged(ranges):
            total += end - start
            kept += sum(max(0, min(end, high) - max(start, low)) for low, high in shown)
    return kept / total if total else 1.0


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
