"""The pack that is planted into, and the rules of its tender: from an inbox, a folder of files, or one PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from bidproof.catalog import derive, language_of, load_catalog
from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import LabelledDocument
from bidproof.intake.inbox import scan_inbox
from bidproof.records import Record, Requirement


class PlantingGround(Record):
    """A bidder's pack with what its tender asks; `rules` is empty where there is no catalog file."""

    name: str
    documents: tuple[LabelledDocument, ...]
    rfp: tuple[LabelledDocument, ...] = ()
    rules: tuple[Requirement, ...] = ()
    french: bool = Field(False, description="the rules are written in French")


def planting_ground(
    path: Path, tender: str | None = None, bidder: str | None = None, catalog: Path | None = None
) -> PlantingGround:
    """What is planted into.

    Args:
        path: an inbox or one tender's folder, a folder of a bidder's files, or one PDF.
        tender: which tender of an inbox; needed where it has several.
        bidder: which bidder; needed where there are several.
        catalog: rules to plant for, in place of those of the inbox.

    Raises:
        BadInputError: nothing is there, more than one pack is, or the catalog cannot be read.
    """
    if not path.exists():
        raise BadInputError(str(path), "no such file or folder", "name an inbox, a bidder's folder or a PDF")
    if _is_inbox(path):
        return _of_inbox(path, tender, bidder, catalog)
    if tender or bidder:
        raise BadInputError(str(path), "is no inbox", "leave --tender and --bidder out")
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if _visible(one, path))
    if not files:
        raise BadInputError(str(path), "holds no file", "name an inbox, a bidder's folder or a PDF")
    root = path.parent if path.is_file() else path
    documents = tuple(LabelledDocument(name=one.relative_to(root).as_posix(), path=one) for one in files)
    rules = _rules(catalog)
    return PlantingGround(name=path.stem, documents=documents, rules=rules, french=_french(rules))


def _is_inbox(path: Path) -> bool:
    folders = [path, *path.iterdir()] if path.is_dir() else []
    return any((one / "bids").is_dir() or (one / "rfp").is_dir() for one in folders)


def _visible(path: Path, root: Path) -> bool:
    return path.is_file() and not any(part.startswith((".", "~$")) for part in path.relative_to(root).parts)


def _of_inbox(path: Path, tender: str | None, bidder: str | None, catalog: Path | None) -> PlantingGround:
    tenders = scan_inbox(path, tender=tender, bidder=bidder).tenders
    packs = [(one, bid) for one in tenders for bid in one.bids if bid.files]
    if len(packs) != 1:
        named = ", ".join(f"{one.name} {bid.name}" for one, bid in packs) or "none"
        raise BadInputError(
            str(path),
            f"plants go into one bidder's pack, here are {len(packs)}: {named}",
            "name it by --tender and --bidder",
        )
    one, bid = packs[0]
    rules = _rules(catalog or one.catalog_path)
    return PlantingGround(
        name=bid.pack,
        documents=tuple(LabelledDocument(name=file.file_name, path=file.path) for file in bid.files),
        rfp=tuple(LabelledDocument(name=file.file_name, path=file.path) for file in one.rfp_files),
        rules=rules,
        french=_french(rules),
    )


def _rules(path: Path | None) -> tuple[Requirement, ...]:
    if path is None:
        return ()
    found = load_catalog(path)
    return tuple(derive(rule, submission_date=found.submission_date) for rule in found.rules)


def _french(rules: Sequence[Requirement]) -> bool:
    french = sum(language_of(rule.text) == "fr" for rule in rules)
    return 2 * french > len(rules)
