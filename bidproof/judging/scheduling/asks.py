"""What each rule of a pack costs to ask: from its passages in the warehouse, or estimated where there are none yet.

Belongs here: counting tokens of rules and passages. Does not belong here: filling requests with them (`packing`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from bidproof.chunking.tokens import token_offsets
from bidproof.judging.counter import form_codes
from bidproof.judging.passages import Passage, PassageShelf, chosen_ids
from bidproof.judging.scheduling.packing import Ask
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.tables import FACTS

RULE_MARKS = 30
"""Tokens around a rule's words: marks, its id, the names of its passages."""


class TokenCounter:
    """Tokens of texts as a model counts them, by the packaged vocabulary and a ratio; each text counted once."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, rounded up."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, offsets in zip(new, token_offsets(new), strict=True):
            self._known[text] = math.ceil(len(offsets) * self._ratio)
        return [self._known[text] for text in texts]


def asks_of(
    requirements: Sequence[Requirement],
    shown: Mapping[str, Sequence[Passage]],
    params: Params,
    count: TokenCounter,
    *,
    pack: str,
    rank: int = 0,
) -> list[Ask]:
    """An ask for each rule with the passages that it is shown, best first; one without passages is not asked about.

    Args:
        requirements: the catalog's rules.
        shown: passages by rule id, as `counter.shown_passages` gives them.
        params: tokens of an answer.
        count: how tokens are counted.
        pack: partition key.
        rank: place of the pack in the order of packs.
    """
    asks = []
    for rule in sorted(requirements, key=lambda rule: rule.rule_id):
        passages = shown.get(rule.rule_id, ())
        if not passages:
            continue
        words, *texts = count([rule.text, *(f"{p.heading_path} {p.text}" for p in passages)])
        sized = tuple(zip((p.chunk_id for p in passages), texts, strict=True))
        answer = params.scheduling.answer_tokens
        asks.append(Ask(rule.rule_id, pack, rule.mandatory, words + RULE_MARKS, sized, answer, rank))
    return asks


def shown_of(
    requirements: Sequence[Requirement], passages: pl.DataFrame, chunks: pl.DataFrame
) -> dict[str, tuple[Passage, ...]]:
    """The chosen passages of each rule with what is read beside them, by rule id.

    Candidates that speak against a rule are not looked for, which would be judging; they are few.
    """
    shelf, chosen = PassageShelf(chunks, FACTS.empty()), chosen_ids(passages)
    return {
        rule.rule_id: shelf.chosen(chosen[rule.rule_id], form_codes(rule))
        for rule in requirements
        if rule.rule_id in chosen
    }


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is known of a pack that was not read yet.

    Attributes:
        mandatory: rules that decide the gate.
        others: all further rules.
        whole: tokens of all its documents.
    """

    mandatory: int
    others: int
    whole: int


def estimated_asks(sizes: Sizes, params: Params, *, pack: str, rank: int = 0) -> list[Ask]:
    """Asks of so many rules with as many tokens of passages as the knobs of selection and chunking bring about.

    No more passages than the pack has, and shared by two rules only where it has no others.
    """
    ratio, length = params.scheduling.token_ratio, params.chunking.target_tokens
    chosen = max(params.selection.k * length, params.selection.budget_tokens)
    best = math.ceil(min(length, sizes.whole) * ratio)
    beside = max(0, math.ceil(min(chosen * BESIDE, sizes.whole) * ratio) - best)
    row, rows = math.ceil(_ROW_TOKENS * ratio), max(1, sizes.whole // _ROW_TOKENS)
    pieces = max(1, sizes.whole // length)
    rule = math.ceil(_RULE_TOKENS * ratio) + RULE_MARKS
    return [
        Ask(
            f"{number:05d}", pack, number <= sizes.mandatory, rule,
            (
                (f"best-{number % pieces}", best),
                *((f"{(number * beside // row + at // row) % rows}", row) for at in range(0, beside, row)),
            ),
            params.scheduling.answer_tokens, rank,
        )
        for number in range(1, sizes.mandatory + sizes.others + 1)
    ]  # fmt: skip


BESIDE = 1.65
"""Tokens shown for a rule over those chosen: rows of the same form or table are read beside a chosen one."""
_ROW_TOKENS = 50  # of what is read beside a passage: most of it are rows
_RULE_TOKENS = 35  # of a rule's words: the mean of mined and written catalogs
