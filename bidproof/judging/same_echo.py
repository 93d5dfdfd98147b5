"""Whether another text of the RFP changes anything for a pack: which of the pack's words count as copied from it.

An addendum makes the RFP longer, yet most packs repeat none of its new runs of words; their verdicts then stand as
they are. Decides that and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import polars as pl

from bidproof.judging.echo import words_for_echo
from bidproof.judging.passages import PassageShelf
from bidproof.judging.units import units_of
from bidproof.retrieval.analysis import folded

Words = Callable[[str], list[str]]
Run = tuple[str, ...]

_WORD = re.compile(r"\w+")


def same_echo(
    old_rfp: pl.DataFrame,
    new_rfp: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    *,
    searching: int,
    judging: int,
) -> bool:
    """True where no word of the pack is copied from one text of the RFP and not from the other.

    Args:
        old_rfp: chunks of the RFP before.
        new_rfp: chunks of the RFP now.
        chunks: chunks of the pack.
        facts: their facts.
        searching: words of a run that count as copied in the evidence score (`retrieval.echo_shingle`).
        judging: the same for the echo guard (`verification.echo_shingle`).
    """
    before, after = (sorted(set(frame["text"].fill_null("").to_list())) for frame in (old_rfp, new_rfp))
    if before == after:
        return True
    shelf, ids = PassageShelf(chunks, facts), chunks["chunk_id"].to_list()
    texts = dict(zip(ids, chunks["text"].fill_null("").to_list(), strict=True))

    def judged(chunk_id: str) -> list[str]:
        return [texts[chunk_id], *(unit.own_text for unit in units_of(shelf.passage(chunk_id)))]

    return not _shown(
        _changed(before, after, _searched, searching), _searched, texts, lambda one: [texts[one]]
    ) and (not _shown(_changed(before, after, words_for_echo, judging), words_for_echo, texts, judged))


def _searched(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def _runs(words: Sequence[str], size: int) -> Iterable[Run]:
    return (tuple(words[place : place + size]) for place in range(len(words) - size + 1))


def _changed(before: list[str], after: list[str], words: Words, size: int) -> set[Run]:
    """Runs that only one of two texts of the RFP has."""
    common = set(before) & set(after)
    old, new = (
        {run for text in side if text not in common for run in _runs(words(text), size)}
        for side in (before, after)
    )
    changed = old ^ new
    kept = {run for text in common for run in _runs(words(text), size)} if changed else set()
    return changed - kept


def _shown(changed: set[Run], words: Words, texts: dict[str, str], parts: Callable[[str], list[str]]) -> bool:
    """Whether some text that is looked at holds one of the runs.

    A part of a chunk may leave words out, so each chunk that has all words of a run, in whatever order, is looked
    at part by part.
    """
    if not changed:
        return False
    wanted = {word for run in changed for word in run}
    held = {chunk_id: wanted.intersection(words(text)) for chunk_id, text in texts.items()}
    spread = Counter(word for one in held.values() for word in one)
    by_rarest: dict[str, list[Run]] = defaultdict(list)
    for run in changed:
        by_rarest[min(run, key=lambda word: (spread[word], word))].append(run)
    for chunk_id, own in held.items():
        near = {run for word in own for run in by_rarest.get(word, ()) if own.issuperset(run)}
        if near and any(
            run in near for part in parts(chunk_id) for run in _runs(words(part), len(next(iter(near))))
        ):
            return True
    return False
