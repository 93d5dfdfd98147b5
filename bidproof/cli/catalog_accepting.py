"""`bidproof catalog accept` and `convert`: a catalog file written anew, as accepted or in another format."""

from __future__ import annotations

import re
from pathlib import Path

from bidproof.catalog.formats.checking import warnings_of
from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.workbook_reading import left_out_in
from bidproof.catalog.formats.workbook_signing import signed_workbook
from bidproof.catalog.formats.writing import check_suffix, not_carried, write_catalog
from bidproof.catalog.formats.yaml_writing import head_line, status_lines
from bidproof.catalog.frames import catalog_version
from bidproof.catalog.predicates.derivation import derive
from bidproof.cli.catalog_mining import check_day
from bidproof.cli.output import check_writable, keep_file, say, write_text
from bidproof.errors import BadInputError

_HEAD = ("status", "accepted_by", "accepted_on", "version")


def accept_command(file: Path, by: str, on: str, output: Path | None, *, force: bool = False) -> None:
    """Accept a catalog and say so.

    Raises:
        BadInputError: it has problems, is accepted already, or cannot be written, or another file would be lost.
    """
    target = output or file
    check_suffix(target.suffix, str(target))
    check_writable(target)
    if not (target.exists() and target.samefile(file)):
        keep_file(target, force=force)
    check_day(on, "--on")
    name = " ".join(by.split())
    if not name:
        raise BadInputError("--by", "is empty", "name the person who accepts the catalog")
    catalog = load_catalog(file)
    version = catalog_version([derive(r, submission_date=catalog.submission_date) for r in catalog.rules])
    if catalog.status == "accepted" and catalog.version in ("", version) and catalog.accepted_by:
        when = f" on {catalog.accepted_on}" if catalog.accepted_on else ""
        raise BadInputError(
            str(file), f"is accepted already by {catalog.accepted_by}{when}", "edit it, or leave it as it is"
        )
    head = {"status": "accepted", "accepted_by": name, "accepted_on": on, "version": version}
    accepted = catalog.model_copy(update=head)
    if not _mended_in_place(file, target, accepted):
        write_catalog(target, accepted, left_out_in(file))
        _say_lost(accepted, target)
        if file.suffix.lower() in (".yaml", ".yml", ".xlsx"):
            own = "comments" if file.suffix.lower() != ".xlsx" else "sheets, comments and formulas"
            say(f"{target}: written anew, so that your own {own} are not in it")
    mandatory = sum(rule.mandatory for rule in accepted.rules)
    say(
        f"{target}: accepted by {name} on {on}, version {version}, {len(accepted.rules)} rules, {mandatory} mandatory"
    )
    for said in catalog.warnings:
        say(f"warning: {said}")
    for one in warnings_of(accepted):
        say(f"warning: {one.where}: {one.what}")


def _say_lost(catalog: CatalogFile, target: Path) -> None:
    for lost in not_carried(catalog, target.suffix):
        say(f"warning: {target}: {lost}")


def _mended_in_place(file: Path, target: Path, accepted: CatalogFile) -> bool:
    """Whether a file could be accepted by its head alone, so that all else of it stays: comments, layout, sheets."""
    kinds = {path.suffix.lower().replace(".yml", ".yaml") for path in (file, target)}
    if kinds == {".yaml"}:
        new = _signed_yaml(file, accepted)
    elif kinds == {".xlsx"}:
        new = signed_workbook(file, {name: getattr(accepted, name) for name in _HEAD})
    else:
        return False
    if new is None:
        return False
    half = target.with_name(f".{target.stem}.part{target.suffix}")
    try:
        half.write_bytes(new)
        found = load_catalog(half)
        same = found.model_copy(update={"source_name": accepted.source_name, "warnings": accepted.warnings})
        if same != accepted:
            return False
        half.replace(target)
    except (OSError, BadInputError):
        return False
    finally:
        half.unlink(missing_ok=True)
    return True


def _signed_yaml(file: Path, accepted: CatalogFile) -> bytes | None:
    """A YAML catalog's bytes with the lines of its status exchanged; None where its head is not told from its rules."""
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    start = re.search(r"^rules\s*:", text, re.MULTILINE)
    if start is None:
        return None
    head, rest = (_without_status(part) for part in (text[: start.start()], text[start.start() :]))
    lines = [*status_lines(accepted), *(head_line(name, getattr(accepted, name)) for name in _HEAD)]
    return (head + "\n".join(lines) + "\n" + rest).encode("utf-8")


def _without_status(text: str) -> str:
    """Lines of a YAML catalog without those that say its status; its head may stand before its rules or after."""
    for name in _HEAD:
        text = re.sub(rf"^{name}[ \t]*:.*(?:\n|\Z)", "", text, flags=re.MULTILINE)
    return re.sub(r"^# STATUS:.*\n(?:#   bidproof catalog accept .*\n)?", "", text, flags=re.MULTILINE)


def convert_command(file: Path, output: Path, *, force: bool = False) -> None:
    """Write a catalog in the format of another ending, or as a page to read.

    Raises:
        BadInputError: it has problems, or the file is there already or cannot be written.
    """
    page = output.suffix.lower() in (".html", ".htm")
    if not page:
        check_suffix(output.suffix, str(output))
    check_writable(output)
    keep_file(output, force=force)
    catalog = load_catalog(file)
    if page:
        from bidproof.review.catalog_page import catalog_html

        derived = [derive(rule, submission_date=catalog.submission_date) for rule in catalog.rules]
        write_text(output, catalog_html(catalog.model_copy(update={"rules": tuple(derived)}), ()))
    else:
        write_catalog(output, catalog, left_out_in(file))
        _say_lost(catalog, output)
    for said in catalog.warnings:
        say(f"warning: {said}")
    say(f"{output}: {len(catalog.rules)} rules")
