"""`bidproof catalog mark`: what a reviewer marked on the review page, applied to the catalog file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.workbook_reading import left_out_in
from bidproof.catalog.formats.writing import check_suffix, write_catalog
from bidproof.cli.output import check_writable, keep_file, say
from bidproof.errors import BadInputError

MARKS = ("drop", "mandatory", "optional")
_MEND = "save the marks on the page of this catalog, or write lines such as `R12,drop`"


def mark_command(file: Path, marks_file: Path, output: Path | None, *, force: bool = False) -> None:
    """Apply marks, write and say what changed. A catalog that was accepted is a draft again.

    Raises:
        BadInputError: the marks name no rule or say nothing that there is, or a file cannot be read or written.
    """
    target = output or file
    check_suffix(target.suffix, str(target))
    check_writable(target)
    if not (target.exists() and target.samefile(file)):
        keep_file(target, force=force)
    catalog = load_catalog(file)
    marks = read_marks(marks_file, {rule.rule_id for rule in catalog.rules})
    marked = with_marks(catalog, marks)
    if not marked.rules:
        raise BadInputError(str(marks_file), "drops all rules", "a catalog holds at least one")
    write_catalog(target, marked, left_out_in(file))
    if file.suffix.lower() in (".yaml", ".yml", ".xlsx"):
        own = "comments" if file.suffix.lower() != ".xlsx" else "sheets, comments and formulas"
        say(f"{target}: written anew, so that your own {own} are not in it")
    counts = {mark: sum(said == mark for said in marks.values()) for mark in MARKS}
    told = ", ".join(
        f"{count} {'dropped' if mark == 'drop' else mark}" for mark, count in counts.items() if count
    )
    say(f"{target}: {told or 'nothing marked'}; {len(marked.rules)} rules")
    if catalog.status == "accepted" and marked.status == "draft":
        say(f"{target}: a draft again, as its rules are no more those that were accepted")


def read_marks(path: Path, known: set[str]) -> dict[str, str]:
    """Marks by rule id from a file of two columns, as the review page saves it.

    Raises:
        BadInputError: it cannot be read, or a line names no rule of the catalog or no mark.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(
            str(path), f"cannot be read ({error})", "name the file that the page saved"
        ) from None
    found: dict[str, str] = {}
    for number, cells in enumerate(csv.reader(io.StringIO(text, newline="")), 1):
        cells = [cell.strip() for cell in cells]
        if not any(cells) or cells[:2] == ["id", "mark"]:
            continue
        where = f"{path}:line {number}"
        if cells[0] not in known:
            raise BadInputError(where, f"the catalog has no rule {cells[0]}", _MEND)
        if len(cells) < 2 or cells[1] not in MARKS:
            raise BadInputError(where, f"no mark for {cells[0]}; known are {', '.join(MARKS)}", _MEND)
        found[cells[0]] = cells[1]
    return found


def with_marks(catalog: CatalogFile, marks: dict[str, str]) -> CatalogFile:
    """The catalog with its rules as they were marked, a draft again where it was accepted and a rule changed."""
    rules = tuple(
        rule.model_copy(update={"mandatory": marks[rule.rule_id] == "mandatory"})
        if rule.rule_id in marks
        else rule
        for rule in catalog.rules
        if marks.get(rule.rule_id) != "drop"
    )
    kept = {rule.rule_id for rule in rules}
    back = (
        {"status": "draft", "accepted_by": "", "accepted_on": ""}
        if catalog.status == "accepted" and rules != catalog.rules
        else {}
    )
    other = tuple(
        column.model_copy(update={"values": tuple(one for one in column.values if one[0] in kept)})
        for column in catalog.other
    )
    remarks = tuple(one for one in catalog.remarks if one[0] in kept)
    return catalog.model_copy(update={"rules": rules, "remarks": remarks, "other": other, **back})
