"""The live checks on one verdict, each by its name.

Belongs here: what each check asks and why it fails. Does not belong here: what follows from a failed check
(`findings`), and the quote ladder (`quotes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bidproof.judging import Outcome, Passage, Reading, RfpShingles, State, outcomes_of
from bidproof.judging.concept import asks_absence
from bidproof.judging.polarity import denied
from bidproof.judging.predicate_judge import concept_stems
from bidproof.judging.units import Unit, units_of
from bidproof.params import JudgingParams, VerificationParams
from bidproof.records import Box, MatchKind, Requirement, Status
from bidproof.verification.quotes import NO_MATCH, Match, match_quote
from bidproof.verification.source import CITABLE_PAGES, Source

# A verdict that fails one of these is Missing; the other checks call for a person.
_PERSONS = re.compile(
    r"\b(?:personnel|staff|team|person|people|expert|manager|engineer|leader|director|technician|consultant|trainer"
    r"|cvs?|curriculum|resume|key|qualified|experience|years? of|chef|équipe|ingénieurs?|expérience|intervenants?)s?\b",
    re.I,
)
FATAL = frozenset({
    "schema", "rationale_length", "quote_found", "quote_in_passages", "minimum_information", "page_located",
    "page_readable", "citable", "not_echo", "not_negated",
})  # fmt: skip
_STATUSES = frozenset(status.value for status in Status)
_RISKS = frozenset({"Low", "Medium", "High"})
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_MIN_WORDS = 3


@dataclass(frozen=True)
class Check:
    """One check: its name, and why it failed; an empty reason means that it holds."""

    name: str
    reason: str = ""

    @property
    def line(self) -> str:
        """`name: reason`, as stored."""
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class Claim:
    """What a judge said of a rule, as stored; nothing of it is trusted yet."""

    status: str
    rationale: str
    quote: str
    chunk_id: str
    pages: tuple[int, ...]
    risk: str
    other_quotes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Located:
    """A quote found in a passage: the slice, its pages and boxes."""

    passage: Passage | None = None
    match: Match = NO_MATCH
    pages: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    shown: bool = False
    anchor: str = ""

    @property
    def text(self) -> str:
        """The source's own slice."""
        return (
            self.passage.text[self.match.start : self.match.end]
            if self.passage and self.match.start >= 0
            else ""
        )


@dataclass(frozen=True)
class Desk:
    """All that the checks of one rule need."""

    requirement: Requirement
    shown: tuple[Passage, ...]
    source: Source
    rfp: RfpShingles
    params: VerificationParams
    judging: JudgingParams = field(default_factory=JudgingParams)


def _best(quote: str, passages: Iterable[Passage]) -> tuple[Passage | None, Match]:
    """The passage that matches best: by rung, then in the given order."""
    rungs = list(MatchKind)
    best: tuple[Passage | None, Match] = (None, NO_MATCH)
    for passage in passages:
        match = match_quote(quote, passage.text)
        if rungs.index(match.kind) < rungs.index(best[1].kind):
            best = (passage, match)
        if match.kind is MatchKind.EXACT:
            break
    return best


def locate_quote(quote: str, chunk_id: str, desk: Desk) -> Located:
    """Where the quote stands: in the passage that the judge named, another shown one, or elsewhere."""
    ordered = sorted(desk.shown, key=lambda passage: passage.chunk_id != chunk_id)
    passage, match = _best(quote, ordered)
    shown = match.kind is not MatchKind.NONE
    if not match.verified and quote.strip():
        seen = {p.chunk_id for p in desk.shown}
        others = (desk.source.shelf.passage(c) for c in desk.source.chunk_ids() if c not in seen)
        elsewhere = next(((p, m) for p in others if (m := match_quote(quote, p.text)).verified), None)
        if elsewhere:
            (passage, match), shown = elsewhere, False
    if passage is None:
        return Located()
    start = max(match.start, passage.body_start) if match.end > passage.body_start else match.start
    boxes = tuple(desk.source.boxes(passage, start, match.end))
    anchor = desk.source.anchor(passage, start, match.end)
    return Located(passage, match, passage.pages_of(start, match.end), boxes, shown, anchor)


def check_schema(claim: Claim) -> Check:
    """Status and risk are of the contract's values, and a verdict comes with a quote."""
    if claim.status not in _STATUSES:
        return Check("schema", f"status {claim.status!r} is none of Pass, Partial, Fail, Missing")
    if claim.risk not in _RISKS:
        return Check("schema", f"risk {claim.risk!r} is none of Low, Medium, High")
    return Check("schema", "" if claim.quote.strip() else "no quote")


def check_rationale(claim: Claim, params: VerificationParams) -> Check:
    """The rationale is short enough to be read."""
    size = len(claim.rationale)
    return Check("rationale_length", f"{size} characters" if size > params.max_rationale_chars else "")


def check_found(claim: Claim, found: Located) -> Check:
    """The quote stands in the pack, word for word."""
    if found.match.verified:
        return Check("quote_found")
    kind = found.match.kind
    reason = (
        "not in the pack"
        if kind is MatchKind.NONE
        else f"only {kind.value}: words of the source were left out"
    )
    return Check("quote_found", f"{reason}: “{claim.quote[:80]}”")


def check_shown(found: Located) -> Check:
    """The quote stands in the very passages that were judged."""
    return Check(
        "quote_in_passages",
        "" if found.shown and found.match.verified else "not in the passages that were judged",
    )


def check_information(quote: str, params: VerificationParams) -> Check:
    """The quote is long enough to say something: "2%" confirms anything."""
    text = " ".join(quote.split())
    words = re.findall(r"\w+", text)
    if len(text) < params.min_quote_chars or len(words) < _MIN_WORDS or not _LETTERS.search(text):
        return Check("minimum_information", f"“{text}” is too short to confirm anything")
    if len(text.split()) > params.max_quote_words:
        return Check("minimum_information", f"{len(text.split())} words are no quote")
    return Check("minimum_information")


def check_page(claim: Claim, found: Located, desk: Desk) -> Check:
    """The page follows from the quote, exists, and is among those that the judge named."""
    if found.passage is None or not found.match.verified:
        return Check("page_located", "no quote to locate")
    pages = [page for page in found.pages if (found.passage.doc_id, page) in desk.source.pages]
    if not pages:
        return Check("page_located", f"page {found.pages[0]} is not in {found.passage.file_name}")
    if not found.boxes:
        return Check("page_located", "the quote has no place on its page")
    if not set(claim.pages) & set(pages):
        named = ", ".join(map(str, claim.pages)) or "none"
        return Check("page_located", f"the quote stands on page {pages[0]}, the judge named {named}")
    return Check("page_located")


def check_readable(found: Located, desk: Desk) -> Check:
    """The page's text can be cited."""
    if found.passage is None or not found.pages:
        return Check("page_readable", "no page")
    row = desk.source.pages.get((found.passage.doc_id, found.pages[0]))
    status = row["status"] if row else "unknown"
    return Check("page_readable", "" if status in CITABLE_PAGES else f"page {found.pages[0]} is {status}")


def check_citable(found: Located, desk: Desk) -> Check:
    """The text is neither crossed out nor hidden."""
    passage = found.passage
    bad = passage is not None and desk.source.struck_or_hidden(passage, found.match.start, found.match.end)
    return Check("citable", "the text is crossed out or hidden" if bad else "")


def check_current(found: Located, desk: Desk) -> Check:
    """The file is not superseded by a later version in the pack. Not fatal: the later one may repeat the words."""
    passage = found.passage
    later = desk.source.later_version(passage.doc_id) if passage is not None else ""
    return Check("current_file", f"{passage.file_name} is superseded by {later}" if passage and later else "")


def check_figures(found: Located, desk: Desk) -> Check:
    """Figures were printed as text, not recognised from a picture.

    Not fatal: recognition is mostly right. But it reads a currency sign as a digit, and does not always see a
    figure crossed out by hand; a person compares the figure with the picture.
    """
    row = (
        desk.source.pages.get((found.passage.doc_id, found.pages[0]))
        if found.passage and found.pages
        else None
    )
    doubtful = row is not None and row["status"] == "ocr" and any(map(str.isdigit, found.text))
    return Check(
        "figures_printed",
        f"the figures of page {found.pages[0]} were recognised from a picture: compare them"
        if doubtful
        else "",
    )


def check_speaker(found: Located, desk: Desk) -> Check:
    """What proves a duty of the firm is not a person's CV. Not fatal: some rules ask for what people have done."""
    passage, asked = found.passage, desk.requirement.text
    alone = passage is not None and desk.source.is_of_a_person(passage.doc_id) and not _PERSONS.search(asked)
    return Check(
        "speaker", f"{passage.file_name} is a CV and the rule is the bidder's" if passage and alone else ""
    )


def units_under(found: Located) -> list[Unit]:
    """The whole sentences or rows that the quote touches."""
    if found.passage is None or not found.match.verified:
        return []
    return [u for u in units_of(found.passage) if u.start < found.match.end and found.match.start < u.end]


def check_echo(found: Located, desk: Desk) -> Check:
    """A Pass does not rest on the RFP's own words."""
    for unit in units_under(found):
        own = " ".join(unit.own_text.split())
        if own and not desk.rfp.echoes(own):
            return Check("not_echo")
        if unit.is_matrix and unit.status == "yes" and unit.substance:
            return Check("not_echo")
    why = desk.rfp.echoes(" ".join(found.text.split()))
    return Check("not_echo", why or "it repeats what the RFP asks")


def check_negation(found: Located, desk: Desk) -> Check:
    """What a Pass quotes is affirmed by the sentence that it was cut from."""
    if found.passage is None:
        return Check("not_negated", "no quote")
    if asks_absence(desk.requirement):
        return Check("not_negated")
    for unit in units_under(found):
        start, end = (
            max(found.match.start, unit.start) - unit.start,
            min(found.match.end, unit.end) - unit.start,
        )
        words = [w for w in unit.own_words if start <= w.start < end]
        hit = sum(any(a <= w.start < b for a, b in denied(unit.own_text)) for w in words)
        if words and hit * 2 >= len(words):
            return Check("not_negated", f"the sentence denies it: “{unit.text[:120]}”")
    return Check("not_negated")


def recompute(found: Sequence[Located], desk: Desk) -> list[list[Outcome]]:
    """Outcomes of the rule's predicates on the quotes alone, with the rows that they belong to."""
    units = [unit for one in found for unit in units_under(one)]
    weights = desk.source.shelf.weights(concept_stems(desk.requirement))
    whole = Reading.of(desk.requirement, desk.shown, desk.judging, desk.rfp, weights)
    context = [u for unit in units if unit.kind == "row" for u in whole.record(unit)]
    chosen = tuple(dict.fromkeys([*units, *context]))
    return outcomes_of(replace(whole, units=chosen))


def check_predicates(status: str, groups: list[list[Outcome]]) -> tuple[Check, bool]:
    """Whether typed predicates agree with the verdict on its own quotes, and whether one plainly fails.

    Presence has no figure to recompute and is left out.
    """
    typed = [[o for o in group if o.predicate.kind != "presence"] for group in groups]
    if not any(typed) or any(not group for group in typed):
        return Check("predicates_recomputed"), False
    failing = [next((o for o in group if o.state is State.FAILS), None) for group in typed]
    fails_all = all(failing)
    if status == Status.FAIL:
        ok = any(o.state is not State.HOLDS for group in groups for o in group)
        return Check("predicates_recomputed", "" if ok else "every predicate holds on the quote"), False
    if fails_all and failing[0] is not None:
        return Check("predicates_recomputed", f"by code the quote fails: {failing[0].note}"), True
    if status == Status.PASS and not any(all(o.state is State.HOLDS for o in group) for group in typed):
        unmet = next(o for group in typed for o in group if o.state is not State.HOLDS)
        return Check("predicates_recomputed", f"not shown by the quotes: {unmet.note}"), False
    return Check("predicates_recomputed"), False
