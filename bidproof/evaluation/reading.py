"""Labelled sets from their folders: which kind of set a folder is, told by its files.

Holds the choice. What the files of a kind of set mean stands in `reading_texts`, `reading_filings` and `reading_tenders`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.evaluation.labelled import LabelledSet
from bidproof.evaluation.reading_filings import read_financebench, read_pure
from bidproof.evaluation.reading_tenders import gold_files, read_tenders
from bidproof.evaluation.reading_texts import read_contractnli, read_cuad, read_dpa, read_legalbench

_KNOWN = (
    "questions.jsonl with pdfs/; documents.jsonl, rules.jsonl and items.jsonl; items.jsonl with docs/; "
    "queries.jsonl with corpus/; rules.jsonl, items.jsonl and sentences.jsonl; sentences.jsonl; or gold of a tender"
)

Reader = Callable[[Path], LabelledSet]


def read_set(folder: Path) -> LabelledSet:
    """The labelled set of a folder, whatever its name.

    Raises:
        BadInputError: there is no such folder, it is no labelled set, or one of its lines is broken.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise BadInputError(str(folder), what, "name the folder of a labelled set")
    found = _reader(folder)(folder)
    if not found.items and not found.sentences:
        raise BadInputError(str(folder), "holds no labelled items", "add lines to its files")
    return found


def _reader(folder: Path) -> Reader:
    kinds: tuple[tuple[tuple[str, ...], Reader], ...] = (
        (("questions.jsonl", "pdfs/"), read_financebench),
        (("documents.jsonl", "rules.jsonl", "items.jsonl"), read_contractnli),
        (("items.jsonl", "docs/"), read_cuad),
        (("queries.jsonl", "corpus/"), read_legalbench),
        (("rules.jsonl", "items.jsonl", "sentences.jsonl"), read_dpa),
        (("sentences.jsonl",), read_pure),
    )
    for names, reader in kinds:
        if all(
            (folder / name).is_dir() if name.endswith("/") else (folder / name).is_file() for name in names
        ):
            return reader
    if gold_files(folder):
        return read_tenders
    # What comes nearest, so that a set with one file missing is not called unknown.
    for names, _ in kinds:
        there = [name for name in names if (folder / name).exists()]
        if there and len(names) > 1:
            missing = ", ".join(name for name in names if name not in there)
            raise BadInputError(
                str(folder), f"has {', '.join(there)} but no {missing}", "add what is missing"
            )
    raise BadInputError(str(folder), "is no labelled set", f"a set has {_KNOWN}")
