"""What addenda and later editions of an RFP do to the rules mined from it: which are in force, which are not.

The later word holds: a rule that an addendum deletes or replaces, in so many words or by stating the same duty with
another figure, is in force no more. Where it cannot be told which of two holds, both stay and the conflict is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import polars as pl

from bidproof.catalog.versions.amendments import (
    Action,
    Instruction,
    Position,
    instructions_of,
    is_instruction,
    words_put,
)
from bidproof.catalog.versions.deadlines import lots_of, sets_deadline
from bidproof.catalog.versions.diff import Superseded, place
from bidproof.catalog.versions.likeness import clause_numbers, figures, likeness, same_subject
from bidproof.catalog.versions.pairing import pair_rules
from bidproof.catalog.versions.places import Place, Places, file_rank
from bidproof.catalog.versions.unnumbered import unnumbered
from bidproof.facts import fold
from bidproof.records import Requirement, Source

SAME_DUTY = 0.8
"""Likeness from which an addendum's rule is the older one with another figure."""
LIKE_DUTY = 0.65
"""Likeness from which it may be: a person must say which holds."""
WHOLE_EDITION = 0.5
"""Share of an earlier edition's rules that a later one must state again to count as a whole edition."""
_MORE = re.compile(
    r"\b(?:additional|additionally|in addition|further|extra|supplementaires?|en outre|en plus)\b"
)
_SOFT = re.compile(r"\b(?:should|may|preferably|optional|souhait\w+|facultati\w+|peut|peuvent)\b")


@dataclass(frozen=True)
class Amended:
    """Rules in force in the order given, those that are not any more, and what could not be told."""

    rules: tuple[Requirement, ...]
    superseded: tuple[Superseded, ...] = ()
    conflicts: tuple[str, ...] = ()


@dataclass
class _Book:
    """The rules in force so far, by id."""

    places: Places
    ranks: dict[str, int]
    live: dict[str, Requirement]
    identify: Callable[[str], str]
    superseded: list[Superseded] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    deleted: dict[str, int] = field(default_factory=dict)  # rule id -> rank of the file that struck it out

    def rank(self, rule: Requirement) -> int:
        """Latest file that states a rule: 0 for the RFP itself, 1 for the first addendum."""
        return max((self.ranks.get(s.file_name, 0) for s in self.places.sources(rule)), default=0)

    def first_rank(self, rule: Requirement) -> int:
        """Earliest file that states a rule."""
        return min((self.ranks.get(s.file_name, 0) for s in self.places.sources(rule)), default=0)

    def drop(self, old: Requirement, new: Requirement | None, why: str) -> None:
        """Take `old` out of force; `new` stands in its place."""
        self.live.pop(old.rule_id, None)
        self.superseded.append(Superseded(old=old, new=new, why=why))

    def put(self, old: Requirement, new: Requirement, why: str) -> None:
        """Put `new`, at its place, for `old`: what the clause said of area, weight and duty stays."""
        heir = self.heir(old, new)
        self.live = {
            (heir.rule_id if name == old.rule_id else name): (heir if name == old.rule_id else rule)
            for name, rule in self.live.items()
            if name != new.rule_id or name == old.rule_id
        }
        self.settled.add(heir.rule_id)
        self.superseded.append(Superseded(old=old, new=heir, why=why))

    def heir(self, old: Requirement, new: Requirement) -> Requirement:
        """The later rule under the clause of the older, with the places of both, its own first."""
        sources = tuple(dict.fromkeys((*self.places.sources(new), *self.places.sources(old))))
        first = sources[0] if sources else None
        return new.model_copy(
            update={
                "area": old.area, "weight": old.weight, "clause_ref": old.clause_ref or new.clause_ref,
                "mandatory": new.mandatory or (old.mandatory and not _softer(new)), "sources": sources,
                "source_page": first.page if first else new.source_page,
                "source_quote": first.quote if first else new.source_quote,
            }
        )  # fmt: skip


def apply_addenda(
    rules: Sequence[Requirement],
    rfp_blocks: pl.DataFrame,
    rfp_documents: pl.DataFrame,
    identify: Callable[[str], str],
) -> Amended:
    """Rules in force after all addenda and later editions of the RFP.

    Args:
        rules: rules mined from all files of the RFP, not yet derived.
        rfp_blocks: blocks of all its files.
        rfp_documents: its files; `superseded_by` names the later edition of a file.
        identify: id of a rule by its text, for one whose words an addendum changes.
    """
    ranks = file_rank(rfp_blocks, rfp_documents)
    book = _Book(Places(rfp_blocks), ranks, {rule.rule_id: rule for rule in rules}, identify)
    book.live = {rule.rule_id: rule for rule in sorted(rules, key=book.first_rank)}
    _later_editions(book, rfp_documents)
    for name in sorted((name for name, rank in ranks.items() if rank > 0), key=lambda name: ranks[name]):
        _bare_words(book, name)
        instructions = instructions_of(rfp_blocks.filter(pl.col("file_name") == name))
        for one in instructions:
            _follow(book, one, ranks[name])
        _drop_instructions(book, name)
        _stated_anew(book, ranks[name])
    rules = [rule if rule.rule_id in book.settled else _at_home(book, rule) for rule in book.live.values()]
    return Amended(tuple(rules), tuple(book.superseded), tuple(dict.fromkeys(book.conflicts)))


def _bare_words(book: _Book, file_name: str) -> None:
    """Rules that an addendum alone states, without the `Clause 2.1 is replaced by:` that leads to their words."""
    for rule in list(book.live.values()):
        new = words_put(rule.text)
        if not new or {s.file_name for s in book.places.sources(rule)} != {file_name}:
            continue
        name = book.identify(new)
        if name in book.live:
            continue
        bare = rule.model_copy(
            update={"rule_id": name, "text": new, "predicates": (), "sentry_terms": ()},
        )
        book.live = {
            (name if k == rule.rule_id else k): (bare if k == rule.rule_id else v)
            for k, v in book.live.items()
        }


def _at_home(book: _Book, rule: Requirement) -> Requirement:
    """A rule that the RFP states and an addendum states again, under the clause of the RFP."""
    sources = sorted(rule.sources, key=lambda source: book.ranks.get(source.file_name, 0))
    if not sources or tuple(sources) == rule.sources:
        return rule
    path = sources[0].heading_path
    return rule.model_copy(
        update={
            "sources": tuple(sources), "source_page": sources[0].page, "source_quote": sources[0].quote,
            "clause_ref": path if rule.clause_ref == rule.sources[0].heading_path and path else rule.clause_ref,
        }
    )  # fmt: skip


def _later_editions(book: _Book, documents: pl.DataFrame) -> None:
    """Rules that only an earlier edition of a file states, where the later one is a whole edition."""
    if "superseded_by" not in documents.columns:
        return
    names = dict(documents.select("doc_id", "file_name").iter_rows())
    for file_name, later_id in documents.select("file_name", "superseded_by").sort("file_name").iter_rows():
        later = names.get(later_id or "")
        if not later or book.ranks.get(file_name, 0) > 0:
            continue
        files = {
            rule.rule_id: {s.file_name for s in book.places.sources(rule)} for rule in book.live.values()
        }
        only = [rule for rule in book.live.values() if files[rule.rule_id] == {file_name}]
        both = [rule for rule in book.live.values() if {file_name, later} <= files[rule.rule_id]]
        fresh = [
            r for r in book.live.values() if later in files[r.rule_id] and file_name not in files[r.rule_id]
        ]
        pairs = {old.rule_id: new for old, new in pair_rules(only, fresh)}
        if only and len(both) + len(pairs) < WHOLE_EDITION * (len(both) + len(only)):
            book.conflicts.append(
                f"{later} is named as a later edition of {file_name} but states few of its rules: both are kept"
            )
            continue
        for rule in only:
            why = f"{later} is a later edition of {file_name}"
            if rule.rule_id in pairs:
                book.put(rule, pairs[rule.rule_id], why)
            else:
                book.drop(rule, None, why)


def _follow(book: _Book, one: Instruction, rank: int) -> None:
    """Do to the rules what an instruction says."""
    if one.action is Action.ASKED:
        book.conflicts.append(f"{one.says}: a bidder asks for it; what the answer changes is for a person")
        return
    if one.action is Action.RESTORE:
        _restore(book, one, rank)
        return
    older = [rule for rule in book.live.values() if book.rank(rule) < rank]
    inside = {
        rule.rule_id: [s for s in book.places.sources(rule) if _under(book, rule, s, one)] for rule in older
    }
    touched = [rule for rule in older if inside[rule.rule_id]]
    if one.action is Action.SUBSTITUTE:
        _substitute(book, one, touched if one.clauses else older, older)
        return
    if not touched:
        if one.clauses and not book.places.holds(one.clauses, book.ranks, rank):
            book.conflicts.append(f"{one.says}: the RFP has no clause {', '.join(one.clauses)}")
        return
    files = {source.file_name for rule in touched for source in inside[rule.rule_id]}
    if len(files) > 1 and not one.document:
        book.conflicts.append(f"{one.says}: {' and '.join(sorted(files))} have such a clause; both are kept")
        return
    if one.action is Action.PART:
        book.conflicts.append(f"{one.says}: a part of the clause only; which rule is meant is for a person")
        return
    # What another clause states too stays in force by that clause.
    targets = [rule for rule in touched if len(inside[rule.rule_id]) == len(book.places.sources(rule))]
    for rule in touched:
        if rule not in targets and one.action is not Action.AMEND:
            book.live[rule.rule_id] = _elsewhere(rule, inside[rule.rule_id])
    if one.action is not Action.DELETE:
        _replace(book, one, targets, rank)
        return
    for rule in targets:
        book.drop(rule, None, one.says)
        book.deleted[rule.rule_id] = rank


def _restore(book: _Book, one: Instruction, rank: int) -> None:
    """Put back what an earlier addendum deleted of a clause that is said to be in force."""
    for gone in [gone for gone in book.superseded if gone.new is None]:
        under = any(_under(book, gone.old, source, one) for source in book.places.sources(gone.old))
        if under and book.deleted.get(gone.old.rule_id, rank) < rank:
            book.superseded.remove(gone)
            book.live[gone.old.rule_id] = gone.old


def _under(book: _Book, rule: Requirement, source: Source, one: Instruction) -> bool:
    """Whether a place of a rule stands under one of the clauses of an instruction."""
    paths = (source.heading_path,) if source.heading_path else (rule.clause_ref,)
    numbers = {no for path in paths for no in clause_numbers(path)} | book.places.own_numbers(source)
    named = not one.document or one.document.lower() in fold(source.file_name)
    return named and any(
        no == clause or no.startswith(f"{clause}.") for no in numbers for clause in one.clauses
    )


def _elsewhere(rule: Requirement, gone: list[Source]) -> Requirement:
    """A rule without the places that are in force no more."""
    left = tuple(source for source in rule.sources if source not in gone)
    path = left[0].heading_path or rule.clause_ref
    return rule.model_copy(
        update={
            "sources": left,
            "source_page": left[0].page,
            "source_quote": left[0].quote,
            "clause_ref": path,
        }
    )


def _replace(book: _Book, one: Instruction, targets: list[Requirement], rank: int) -> None:
    """Put the rules that follow a `is replaced by` for those of the clause."""
    stated = [rule for rule in book.live.values() if book.first_rank(rule) == rank]
    fresh = [rule for rule in stated if _within(book, rule, one) and not _instructs(book, rule)]
    if not fresh:
        book.conflicts.append(f"{one.says}: no rule was found in its new words; the old ones are kept")
        return
    pairs = {old.rule_id: new for old, new in pair_rules(targets, fresh)}
    if len(targets) == len(fresh) == 1:
        pairs = {targets[0].rule_id: fresh[0]}
    for rule in targets:
        if rule.rule_id in pairs:
            book.put(rule, pairs[rule.rule_id], one.says)
        elif one.action is Action.REPLACE:
            book.drop(rule, None, one.says)
    book.settled |= {rule.rule_id for rule in fresh}


def _instructs(book: _Book, rule: Requirement) -> bool:
    """Whether all places of a rule do nothing but tell what becomes of a clause."""
    return all(is_instruction(source.quote) for source in book.places.sources(rule))


def _within(book: _Book, rule: Requirement, one: Instruction) -> bool:
    found = [s for s in book.places.sources(rule) if s.file_name == one.file_name]
    return any(_between(one, book.places.position(source)) for source in found)


def _between(one: Instruction, where: Place) -> bool:
    start: Position = (one.start[0], one.start[1], 0)
    return start <= where < one.end


def _substitute(book: _Book, one: Instruction, among: list[Requirement], older: list[Requirement]) -> None:
    """Put some words for others in the one rule, or the rules of the clause, that hold them."""
    pattern = re.compile(
        r"(?<![\w.,])" + r"\s+".join(re.escape(word) for word in one.old_words.split()) + r"(?![\w]|[.,]\d)",
        re.IGNORECASE,
    )
    plain = [rule for rule in among if pattern.search(" ".join(rule.text.split()))]
    if not plain and one.clauses:
        holding = [rule for rule in older if pattern.search(" ".join(rule.text.split()))]
        plain = unnumbered(book.places, one.clauses, one.text, holding)
    if not plain or (len(plain) > 1 and not one.clauses):
        what = "no rule has these words" if not plain else f"{len(plain)} rules have these words"
        book.conflicts.append(f"{one.says}: {what}; nothing is changed")
        return
    for rule in plain:
        text = pattern.sub(lambda _: one.new_words, " ".join(rule.text.split()))
        here = Source(file_name=one.file_name, page=one.page, quote=one.text)
        new = rule.model_copy(
            update={
                "rule_id": book.identify(text), "text": text, "sources": (here,), "predicates": (), "sentry_terms": (),
                "source_page": one.page, "source_quote": one.text,
            }
        )  # fmt: skip
        book.put(rule, new, one.says)


def _drop_instructions(book: _Book, file_name: str) -> None:
    """Leave out what was mined from words that only say what becomes of a clause and that were followed."""
    followed = [one.why for one in book.superseded]
    for rule in list(book.live.values()):
        found = book.places.sources(rule)
        if rule.rule_id in book.settled or {s.file_name for s in found} != {file_name}:
            continue
        words = [" ".join(s.quote.split())[:60].rstrip(" .:;") for s in found]
        if _instructs(book, rule) and all(any(text in why for why in followed) for text in words):
            book.live.pop(rule.rule_id)


def _stated_anew(book: _Book, rank: int) -> None:
    """Rules of an addendum that state an older duty anew without saying so."""
    older = [rule for rule in book.live.values() if book.rank(rule) < rank]
    fresh = [r for r in book.live.values() if book.first_rank(r) == rank and r.rule_id not in book.settled]
    scores = {
        (old.rule_id, new.rule_id): score
        for new in fresh
        for old in older
        if (score := likeness(old.text, new.text)) >= LIKE_DUTY
    }
    for new in fresh:
        near = [old for old in older if (old.rule_id, new.rule_id) in scores and old.rule_id in book.live]
        same = [old for old in near if scores[old.rule_id, new.rule_id] >= SAME_DUTY]
        rivals = [
            r for r in fresh if len(same) == 1 and scores.get((same[0].rule_id, r.rule_id), 0) >= SAME_DUTY
        ]
        where = place(book.places.sources(new)[0])
        moved = [old for old in older if sets_deadline(old.text) and old.rule_id in book.live]
        if len(moved) == 1 and sets_deadline(new.text) and lots_of(moved[0].text) == lots_of(new.text):
            book.put(moved[0], new, f"{where}: the deadline for bids is set anew")
        elif len(same) == len(rivals) == 1 and _takes_the_place(new, same[0]):
            book.put(same[0], new, f"{where}: the same duty with another figure")
        elif near:
            against = _names(book, near)
            book.conflicts.append(
                f"{where}: “{_cut(new.text)}” is like {against}; which holds is for a person"
            )


def _softer(rule: Requirement) -> bool:
    """Whether a rule says itself that it binds nobody."""
    return bool(_SOFT.search(fold(rule.text))) and not rule.mandatory


def _takes_the_place(new: Requirement, old: Requirement) -> bool:
    """Whether a rule gives another figure to the very duty of an older one, and is no weaker kind of rule."""
    more = _MORE.search(fold(new.text)) and not _MORE.search(fold(old.text))
    weaker = old.mandatory and not new.mandatory
    return (
        not more
        and not weaker
        and figures(old.text) != figures(new.text)
        and same_subject(old.text, new.text)
    )


def _names(book: _Book, rules: Iterable[Requirement]) -> str:
    return " and ".join(f"{place(book.places.sources(r)[0])} “{_cut(r.text)}”" for r in list(rules)[:3])


def _cut(text: str, length: int = 80) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
