"""Sets of plain-text documents whose gold is characters: ContractNLI, CUAD, LegalBench-RAG and agreements under GDPR.

Offsets that do not fit their text are mended where the words stand elsewhere once, and named in the notes where not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import (
    GoldSpan,
    LabelledDocument,
    LabelledItem,
    LabelledPack,
    LabelledSet,
)
from bidproof.evaluation.set_lines import Line, asked, read_document, read_lines

_NLI = {"Entailment": "Pass", "Contradiction": "Fail", "NotMentioned": "Missing"}
_PRESENT = {"present": "Pass", "missing": "Missing"}


def _label(line: Line, names: dict[str, str]) -> str:
    label = line.text("label")
    if label not in names:
        raise BadInputError(line.where, f"unknown label {label}", f"use {', '.join(names)}")
    return names[label]


def _known(line: Line, name: str, known: Mapping[str, object]) -> str:
    value = line.text(name)
    if value not in known:
        raise BadInputError(line.where, f"{name} {value} is not in the set", "add it, or drop the line")
    return value


def _packs(documents: Iterable[LabelledDocument]) -> tuple[LabelledPack, ...]:
    return tuple(LabelledPack(name=one.name, documents=(one,)) for one in documents)


def read_contractnli(folder: Path) -> LabelledSet:
    """Contracts and hypotheses; the units are the spans that annotators chose among."""
    documents: dict[str, LabelledDocument] = {}
    for line in read_lines(folder / "documents.jsonl"):
        spans = line["spans"]
        try:
            units = tuple((int(start), int(end)) for start, end in spans)
        except (TypeError, ValueError):
            raise BadInputError(
                line.where, "field spans is no list of pairs", "write [[start, end], ...]"
            ) from None
        name = line.text("doc_id")
        documents[name] = LabelledDocument(name=name, text=line.text("text"), units=units)
    rules = {line.text("rule_id"): line for line in read_lines(folder / "rules.jsonl")}
    items = []
    for line in read_lines(folder / "items.jsonl"):
        name, rule = _known(line, "doc_id", documents), _known(line, "rule_id", rules)
        units = documents[name].units
        gold = []
        for one in line.lines("evidence"):
            unit = one.number("span")
            if unit >= len(units):
                raise BadInputError(one.where, f"span {unit} is not in the document", "number spans from 0")
            start, end = units[unit]
            gold.append(
                GoldSpan(document=name, start=start, end=end, unit=unit, text=str(one.get("text", "")))
            )
        requirement = asked(rule, rules[rule].text("hypothesis"))
        items.append(LabelledItem(
            item_id=f"{name}:{rule}", pack=name, requirement=requirement, gold=tuple(gold),
            verdicts=(_label(line, _NLI),),
        ))  # fmt: skip
    return LabelledSet(
        name=folder.name, format="contractnli", packs=_packs(documents.values()), items=tuple(items)
    )


def read_cuad(folder: Path) -> LabelledSet:
    """Contracts and types of clause; present is a Pass, absent is Missing."""
    mender = _Mender(lambda name, where: read_document(folder / "docs" / name, where))
    items = []
    for line in read_lines(folder / "items.jsonl"):
        name, category = line.text("doc_id"), line.text("category")
        mender.text(name, line)
        gold = tuple(mender.span(name, one) for one in line.lines("evidence"))
        items.append(LabelledItem(
            item_id=f"{name}:{category}", pack=name, requirement=asked(category, category), gold=gold,
            verdicts=("Pass" if line["present"] else "Missing",),
        ))  # fmt: skip
    return LabelledSet(
        name=folder.name,
        format="cuad",
        packs=_packs(mender.documents()),
        items=tuple(items),
        notes=mender.notes(),
    )


def read_legalbench(folder: Path) -> LabelledSet:
    """Questions that name their document; each document is searched by itself."""
    mender = _Mender(lambda name, where: read_document(folder / "corpus" / name, where))
    items, notes = [], []
    for line in read_lines(folder / "queries.jsonl"):
        snippets = line.lines("snippets")
        names = {one.text("doc") for one in snippets}
        if len(names) != 1:
            notes.append(f"{line.text('id')}: names {len(names)} documents; left out")
            continue
        name = names.pop()
        gold = tuple(mender.span(name, one) for one in snippets)
        query = line.text("id")
        items.append(
            LabelledItem(item_id=query, pack=name, requirement=asked(query, line.text("query")), gold=gold)
        )
    return LabelledSet(
        name=folder.name, format="legalbenchrag", packs=_packs(mender.documents()), items=tuple(items),
        notes=(*notes, *mender.notes()),
    )  # fmt: skip


def read_dpa(folder: Path) -> LabelledSet:
    """Processing agreements and rules of GDPR; the units are the agreements' sentences."""
    sentences: dict[str, dict[int, str]] = defaultdict(dict)
    for line in read_lines(folder / "sentences.jsonl"):
        sentences[line.text("doc_id")][line.number("idx")] = line.text("text")
    documents, places = {}, {}
    for name, texts in sentences.items():
        units, parts, at = [], [], 0
        for number, index in enumerate(sorted(texts)):
            places[name, index] = number
            units.append((at, at + len(texts[index])))
            parts.append(texts[index])
            at += len(texts[index]) + 1
        documents[name] = LabelledDocument(name=name, text="\n".join(parts), units=tuple(units))
    rules = {line.text("rule_id"): line for line in read_lines(folder / "rules.jsonl")}
    items = []
    for line in read_lines(folder / "items.jsonl"):
        name, rule = _known(line, "doc_id", documents), _known(line, "rule_id", rules)
        gold = []
        for one in line.lines("evidence"):
            unit = places.get((name, one.number("idx")))
            if unit is None:
                raise BadInputError(one.where, f"sentence {one['idx']} is not in the set", "add it")
            start, end = documents[name].units[unit]
            gold.append(
                GoldSpan(document=name, start=start, end=end, unit=unit, text=str(one.get("text", "")))
            )
        items.append(LabelledItem(
            item_id=f"{name}:{rule}", pack=name, requirement=asked(rule, rules[rule].text("text")), gold=tuple(gold),
            verdicts=(_label(line, _PRESENT),),
        ))  # fmt: skip
    return LabelledSet(
        name=folder.name, format="dpa_gdpr", packs=_packs(documents.values()), items=tuple(items)
    )


class _Mender:
    """Texts of a set, read once each, and gold spans held against them."""

    def __init__(self, read: Callable[[str, str], str]) -> None:
        self._read = read
        self._texts: dict[str, str] = {}
        self._mended = 0
        self._lost: list[str] = []

    def text(self, name: str, line: Line) -> str:
        """Text of a document, which is of the set from now on even if no gold stands in it."""
        if name not in self._texts:
            self._texts[name] = self._read(name, line.where)
        return self._texts[name]

    def span(self, name: str, line: Line) -> GoldSpan:
        """The gold span of a line; moved to where its words stand if its offsets are of another copy."""
        text, start, end = self.text(name, line), line.number("start"), line.number("end")
        words = str(line.get("text") or "")
        if words and text[start:end] != words:
            if text.count(words) == 1:
                start = text.index(words)
                end = start + len(words)
                self._mended += 1
            elif " ".join(text[start:end].split()) != " ".join(words.split()):
                self._lost.append(f"{line.where}: its words do not stand at {start} to {end}")
        return GoldSpan(document=name, start=start, end=max(start, min(end, len(text))), text=words)

    def documents(self) -> list[LabelledDocument]:
        """Documents in order of their first use."""
        return [LabelledDocument(name=name, text=text) for name, text in self._texts.items()]

    def notes(self) -> tuple[str, ...]:
        """What was mended and what was not."""
        mended = [f"{self._mended} gold spans moved to where their words stand"] if self._mended else []
        return (
            *mended,
            *self._lost[:20],
            *([f"and {len(self._lost) - 20} more"] if len(self._lost) > 20 else []),
        )
