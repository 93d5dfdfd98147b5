"""Sets beside contracts: questions on filings whose gold is a page, and sentences of requirement documents."""

from __future__ import annotations

from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import (
    GoldSpan,
    LabelledDocument,
    LabelledItem,
    LabelledPack,
    LabelledSentence,
    LabelledSet,
)
from bidproof.evaluation.set_lines import asked, read_lines


def read_financebench(folder: Path) -> LabelledSet:
    """Questions on filings; the document is known, the gold is the page with its text."""
    packs: dict[str, LabelledPack] = {}
    items, notes = [], []
    for line in read_lines(folder / "questions.jsonl"):
        name, query = line.text("doc_id"), line.text("id")
        if name not in packs:
            path = folder / "pdfs" / f"{name}.pdf"
            if not path.is_file():
                raise BadInputError(line.where, f"names {path.name}, which is not in pdfs/", "add the file")
            packs[name] = LabelledPack(name=name, documents=(LabelledDocument(name=path.name, path=path),))
        gold = []
        for one in line.lines("evidence"):
            page = one.number("page1") if "page1" in one else one.number("page0") + 1
            other = str(one.get("doc_id", name))
            if other == name:
                gold.append(GoldSpan(document=f"{name}.pdf", page=page, text=str(one.get("text") or "")))
            else:
                notes.append(f"{query}: evidence in {other}, which is not the filing asked; left out")
        requirement = asked(query, line.text("question"))
        items.append(LabelledItem(item_id=query, pack=name, requirement=requirement, gold=tuple(gold)))
    return LabelledSet(
        name=folder.name, format="financebench", packs=tuple(packs.values()), items=tuple(items), by_page=True,
        notes=tuple(notes),
    )  # fmt: skip


def read_pure(folder: Path) -> LabelledSet:
    """Sentences, each a requirement (`req`) or not (`not_req`)."""
    found = []
    for number, line in enumerate(read_lines(folder / "sentences.jsonl")):
        label = line.text("label")
        if label not in ("req", "not_req"):
            raise BadInputError(line.where, f"unknown label {label}", "use req, not_req")
        found.append(LabelledSentence(
            item_id=str(number), document=str(line.get("doc", "")), text=line.text("text"),
            is_requirement=label == "req",
        ))  # fmt: skip
    return LabelledSet(name=folder.name, format="pure_req", sentences=tuple(found))
