"""Plants each error, follows it to the finding on its rule, and tells the catch rate by kind.

Holds which way an error is planted and how a result is counted. How words, print and judgements are changed stands in
the modules beside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from bidproof.errors import StageError
from bidproof.evaluation.labelled import LabelledDocument, LabelledPack
from bidproof.evaluation.metrics import Figure, mean_figure
from bidproof.evaluation.pack_frames import read_pack
from bidproof.evaluation.trust.red_team.errors import KINDS, Hiding, PlantedError
from bidproof.evaluation.trust.red_team.false_judges import AnsweringJudge, false_row, first_shown
from bidproof.evaluation.trust.red_team.pack import Blocks, Finding, RedPack, finding_in, stands
from bidproof.evaluation.trust.red_team.printing import blanked, changed_words, hidden
from bidproof.evaluation.trust.red_team.statements import (
    BlockKey,
    level,
    paragraph_at,
    proof_of,
    with_texts,
    without,
)
from bidproof.facts import terms_of
from bidproof.judging.asking.cases import Case
from bidproof.records import Record

_SENTENCE = re.compile(r"(?<=[.;])\s+")
Proof = tuple[list[BlockKey], list[BlockKey]]


class Result(Record):
    """What became of an error.

    `control` tells whether the right statement in the same place is a Pass that stands by itself; where it is not, the
    error is caught cheaply. It is always true of a judge's errors, which need none: their rule is not proven, or their
    evidence is false.
    """

    error: PlantedError
    status: str
    needs_review: bool
    why: str
    quote: str
    control: bool

    @property
    def missed(self) -> bool:
        """A Pass that nobody would look at."""
        return self.status == "Pass" and not self.needs_review

    @property
    def line(self) -> str:
        """The result in one line."""
        flag = ", review" if self.needs_review else ""
        one = self.error
        return f"{one.kind} [{one.language}] {one.rule} of {one.bidder}: {one.words} -> {self.status}{flag}: {self.why or self.quote}"


@dataclass
class RedTeam:
    """The packs that errors are planted in, by bidder, and a folder for PDFs that are changed."""

    packs: dict[str, RedPack]
    folder: Path
    _proofs: dict[tuple[str, str], Proof] = field(default_factory=dict)
    _controls: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def results(
        self, errors: Sequence[PlantedError], tell: Callable[[int, Result], None] | None = None
    ) -> list[Result]:  # fmt: skip
        """What became of each error, in their order."""
        found = []
        for number, error in enumerate(errors, start=1):
            found.append(self.result(error))
            if tell:
                tell(number, found[-1])
        return found

    def result(self, error: PlantedError) -> Result:
        """What became of one error.

        Raises:
            StageError: the words that it changes do not stand in the pack, or its rule is not proven there.
        """
        pack = self.packs[error.bidder]
        if error.by_judge:
            finding, control = self._by_judge(pack, error), True
        elif error.in_print:
            finding, control = self._in_print(pack, error), self._control(pack, error)
        else:
            finding, control = self._in_words(pack, error), self._control(pack, error)
        return Result(
            error=error, status=finding["status"], needs_review=finding["needs_review"], quote=finding["quote"][:160],
            why=(finding["review_reason"] or "; ".join(finding["checks_failed"]))[:200], control=control,
        )  # fmt: skip

    def _proof(self, pack: RedPack, rule: str) -> Proof:
        key = (pack.labelled.name, rule)
        if key not in self._proofs:
            needed, taken = proof_of(pack, rule)
            self._proofs[key] = (needed or taken[:1], taken)
        return self._proofs[key]

    def _control(self, pack: RedPack, error: PlantedError) -> bool:
        """The right statement alone, where the error is put, is a Pass that stands by itself."""
        key = (error.bidder, error.rule, error.right)
        if key not in self._controls:
            blocks = self._right(pack, error)
            self._controls[key] = stands(pack.finding(error.rule, blocks))
        return self._controls[key]

    def _right(self, pack: RedPack, error: PlantedError) -> Blocks:
        """The pack with the right statement alone: its own, or the one that the error brings with it."""
        needed, taken = self._proof(pack, error.rule)
        if error.right:
            return self._said(pack, error, error.right)
        return without(pack, [key for key in taken if key not in needed]) or {}

    def _said(self, pack: RedPack, error: PlantedError, text: str) -> Blocks:
        """The pack less all that proves the rule, with a paragraph in the place of the first of it."""
        _, taken = self._proof(pack, error.rule)
        return paragraph_at(pack, taken[0], text, without(pack, taken))

    def _in_words(self, pack: RedPack, error: PlantedError) -> Finding:
        return pack.finding(error.rule, self._wrong(pack, error))

    def _wrong(self, pack: RedPack, error: PlantedError) -> Blocks:
        if error.beside:
            right = self._said(pack, error, error.right) if error.right else {}
            return paragraph_at(pack, self._elsewhere(pack, error), error.beside, right)
        if error.echo:
            words = self._tender_words(pack, error)
            return self._said(pack, error, f"{error.lead} {words}".strip())
        if error.say:
            return self._said(pack, error, error.say)
        needed, taken = self._proof(pack, error.rule)
        gone = [key for key in taken if key not in needed]
        return with_texts(pack, gone, self._swapped(pack, error, set(gone)))

    def _swapped(self, pack: RedPack, error: PlantedError, gone: set[BlockKey]) -> dict[BlockKey, str]:
        """Texts of the blocks that other words stand in, by block."""
        found: dict[BlockKey, str] = {}
        used = set()
        for row in pack.frames.blocks.iter_rows(named=True):
            text = level(row["text"])
            for old, new in error.swap.items():
                if old in text:
                    text = text.replace(old, new)
                    used.add(old)
            if text != level(row["text"]):
                found[row["doc_id"], row["page"], row["block_no"]] = text
        if lost := sorted(set(error.swap) - used):
            raise StageError(f"{error.rule} of {error.bidder}: “{lost[0]}” stands nowhere in the pack")
        return {key: text for key, text in found.items() if key not in gone}

    def _elsewhere(self, pack: RedPack, error: PlantedError) -> BlockKey:
        """A paragraph of the pack that does not stand on a page of the proof."""
        _, taken = self._proof(pack, error.rule)
        pages = {key[:2] for key in taken}
        rows = pack.frames.blocks.filter(pl.col("kind") == "paragraph").iter_rows(named=True)
        found = [
            key for row in rows if (key := (row["doc_id"], row["page"], row["block_no"]))[:2] not in pages
        ]
        return found[len(found) // 2]

    def _tender_words(self, pack: RedPack, error: PlantedError) -> str:
        """The rule, or the sentence of the tender that is most like it."""
        rule = pack.rules[error.rule].text
        if error.echo == "rule":
            return rule
        wanted = set(terms_of(rule))
        texts = [level(text) for text in pack.frames.rfp_chunks["text"]]
        sentences = [one for text in texts for one in _SENTENCE.split(text) if len(one.split()) < 60]
        return max(sentences, key=lambda one: (len(wanted & set(terms_of(one))), -len(one), one))

    def _in_print(self, pack: RedPack, error: PlantedError) -> Finding:
        """The finding after one file was changed as a file: what else proves the rule is taken from the blocks."""
        needed, taken = self._proof(pack, error.rule)
        doc_id, page, _ = needed[0]
        name = pack.frames.names[doc_id]
        source = next(one.path for one in pack.labelled.documents if one.name == name)
        assert source is not None
        texts = {
            (row["doc_id"], row["page"], row["block_no"]): level(row["text"])
            for row in pack.of_document(doc_id).iter_rows(named=True)
        }
        out = self.folder / f"{len(list(self.folder.iterdir())):04}-{source.name}"
        if error.hide:
            hiding: Hiding = error.hide
            hidden(source, out, page, _printed(texts[needed[0]]), hiding)
        elif error.blank:
            blanked(source, out, page, error.blank)
        else:
            changed_words(source, out, error.later)
        documents = _with_file(pack.labelled, name, out, later=bool(error.later))
        changed = read_pack(pack.labelled.model_copy(update={"documents": documents}), pack.tools, False)
        spare = [key for key in taken if key not in needed]
        other = RedPack(pack.labelled, changed, pack.rules, pack.tools)
        blocks = _less(other, {texts[key] for key in spare if key in texts})
        return (
            other.finding(error.rule, blocks)
            if blocks
            else finding_in(changed, pack.rules[error.rule], pack.tools)
        )

    def _by_judge(self, pack: RedPack, error: PlantedError) -> Finding:
        """The finding after a judge's error, by the way that it names."""
        rule = error.rule
        own = pack.finding(error.of or rule)
        quote = error.quote or own["quote"]
        chunk, page = own["chunk_id"], own["page"]
        if error.route == "model":
            return pack.finding(rule, judge=AnsweringJudge(pack.params, _answering(quote, page, error)))

        def alter(row: Finding, chunks: pl.DataFrame) -> Finding:
            if error.of or error.page:
                return false_row(row, quote=quote, chunk_id=chunk, pages=[page + error.page])
            shown = [one["chunk_id"] for one in row["shown"]]
            first = row["chunk_id"] or next(iter(shown), "")
            pages = chunks.filter(pl.col("chunk_id") == first)["pages"].to_list()
            return false_row(row, quote=quote, chunk_id=first, pages=pages[0] if pages else [1])

        return pack.finding(rule, alter=alter)


def _answering(quote: str, page: int | None, error: PlantedError) -> Callable[[Case], str]:
    """A model's answer: Pass, the quote, and the page; of a forged quote the page of what is shown first."""

    def answer(case: Case) -> str:
        pages = (
            [page + error.page]
            if page is not None and not error.quote
            else list(first_shown(case.passages)[1])
        )
        item = {
            "rule_id": case.rule_id, "status": "Pass", "evidence_quote": quote, "page_refs": pages or [1],
            "rationale": "The bid states it.", "risk_level": "Low",
        }  # fmt: skip
        return json.dumps({"answers": [item]})

    return answer


def _printed(text: str) -> str:
    """Words of a block as they stand in the print of one line: of a row its last cell that says something."""
    return text.split(" | ")[-1] if " | " in text else _SENTENCE.split(text)[0]


def _with_file(labelled: LabelledPack, name: str, path: Path, later: bool) -> tuple[LabelledDocument, ...]:
    """Documents of a pack with `path` in the place of a file, or as its later version beside it."""
    if later:
        stem, _, ending = name.rpartition(".")
        return (*labelled.documents, LabelledDocument(name=f"{stem}_v2.{ending}", path=path))
    return tuple(
        one.model_copy(update={"path": path}) if one.name == name else one for one in labelled.documents
    )


def _less(pack: RedPack, texts: set[str]) -> Blocks:
    """Blocks of the documents in which some say one of `texts`, less those."""
    rows = pack.frames.blocks.iter_rows(named=True)
    keys = [(row["doc_id"], row["page"], row["block_no"]) for row in rows if level(row["text"]) in texts]
    return without(pack, keys)


def catch_rates(results: Sequence[Result]) -> dict[str, Figure]:
    """Share of errors that were caught, kind by kind in the order of `KINDS`, and of all under `all`."""
    found: dict[str, Figure] = {}
    for kind in KINDS:
        group = [one for one in results if one.error.kind == kind]
        if group:
            found[kind] = mean_figure(float(not one.missed) for one in group)
    return {**found, "all": mean_figure(float(not one.missed) for one in results)}
