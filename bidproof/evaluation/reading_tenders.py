"""Gold of tenders: rules with verdict and evidence beside the files of an RFP and of the bids.

A gold file is one JSON record a rule. The files that it speaks of stand beside it, or in an inbox in which the
tender has the name of the gold's folder and the bidder that of the gold file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bidproof.catalog import derive, load_catalog
from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import (
    GoldSpan,
    LabelledDocument,
    LabelledItem,
    LabelledPack,
    LabelledSet,
)
from bidproof.evaluation.set_lines import Line, asked, read_lines
from bidproof.intake.inbox import scan_inbox
from bidproof.records import Requirement, Status

_PLACES = ("*.jsonl", "*/*.jsonl", "gold/*.jsonl", "gold/*/*.jsonl")
_NEEDED = {"id", "text", "verdict", "evidence"}
_VERDICTS = tuple(status.value for status in Status)


def gold_files(folder: Path) -> list[Path]:
    """JSON Lines files of a folder, or of the folders in it, whose first record is a labelled rule of a tender."""
    for pattern in _PLACES:
        found = [path for path in sorted(folder.glob(pattern)) if _is_gold(path)]
        if found:
            return found
    return []


def _is_gold(path: Path) -> bool:
    try:
        return set(next(iter(read_lines(path)), {})) >= _NEEDED
    except BadInputError:
        # A broken line is reported when the set is read; here a file that begins like gold must not be passed over.
        return path.is_file() and b'"verdict"' in path.read_bytes()[:4096]


@dataclass(frozen=True)
class _Files:
    """Files that a gold file speaks of, and the rules of the tender's catalog by id."""

    bid: tuple[LabelledDocument, ...]
    rfp: tuple[LabelledDocument, ...]
    rules: dict[str, Requirement]


def read_tenders(folder: Path) -> LabelledSet:
    """One pack a gold file.

    Raises:
        BadInputError: a line is broken, or a file that it names is missing.
    """
    packs, items = [], []
    for path in gold_files(folder):
        name = path.stem if path.parent == folder else f"{path.parent.name}--{path.stem}"
        lines = read_lines(path)
        files = _in_inbox(path) or _beside(path, lines)
        packs.append(LabelledPack(name=name, documents=files.bid, rfp=files.rfp))
        items += [_item(name, line, files) for line in lines]
    return LabelledSet(
        name=folder.name, format="tender", packs=tuple(packs), items=tuple(items), recall_by="rule"
    )


def _item(pack: str, line: Line, files: _Files) -> LabelledItem:
    verdicts = [line.text("verdict"), *([line.text("alt_verdict")] if line.get("alt_verdict") else [])]
    for verdict in verdicts:
        if verdict not in _VERDICTS:
            raise BadInputError(line.where, f"unknown verdict {verdict}", f"use {', '.join(_VERDICTS)}")
    names = {document.name for document in files.bid}
    gold = []
    for one in line.lines("evidence"):
        if one.text("file") not in names:
            raise BadInputError(one.where, f"{one['file']} is not among the bid's files", "add the file")
        gold.append(GoldSpan(document=one.text("file"), page=one.number("page"), text=one.text("snippet")))
    rule = line.text("id")
    requirement = files.rules.get(rule) or asked(
        rule, line.text("text"), bool(line.get("mandatory")), str(line.get("clause_ref") or ""),
        str(line.get("area") or ""),
    )  # fmt: skip
    return LabelledItem(
        item_id=f"{pack}:{rule}",
        pack=pack,
        requirement=requirement,
        gold=tuple(gold),
        verdicts=tuple(verdicts),
    )


def _beside(path: Path, lines: Iterable[Line]) -> _Files:
    """Files in the gold's own folder, as its evidence names them."""
    bid, rfp = dict[str, str](), dict[str, str]()
    for line in lines:
        for one in line.lines("evidence"):
            bid.setdefault(one.text("file"), one.where)
        if line.get("rfp_file"):
            rfp.setdefault(line.text("rfp_file"), line.where)
    if not bid:
        raise BadInputError(str(path), "names no file of the bid", "give evidence, or an inbox with the bid")
    return _Files(_documents(path.parent, bid), _documents(path.parent, rfp), {})


def _documents(folder: Path, names: dict[str, str]) -> tuple[LabelledDocument, ...]:
    for name, where in names.items():
        if not (folder / name).is_file():
            raise BadInputError(where, f"names {name}, which is not beside it", "add the file")
    return tuple(LabelledDocument(name=name, path=folder / name) for name in sorted(names))


def _in_inbox(path: Path) -> _Files | None:
    """Files of the inbox that stands beside the gold's folder or above it."""
    tender = path.parent.name
    for above in path.absolute().parents[1:4]:
        if (above / "inbox" / tender / "bids" / path.stem).is_dir():
            found = scan_inbox(above / "inbox", tender=tender, bidder=path.stem).tenders[0]
            rules = {}
            if found.catalog_path is not None:
                catalog = load_catalog(found.catalog_path)
                rules = {
                    rule.rule_id: derive(rule, submission_date=catalog.submission_date)
                    for rule in catalog.rules
                }
            return _Files(
                tuple(LabelledDocument(name=file.file_name, path=file.path) for file in found.bids[0].files),
                tuple(LabelledDocument(name=file.file_name, path=file.path) for file in found.rfp_files),
                rules,
            )
    return None
