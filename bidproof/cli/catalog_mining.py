"""`bidproof catalog mine`: an RFP read, mined and derived into a draft catalog, with what was left out."""

from __future__ import annotations

import json as jsonlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bidproof.catalog.building import Built, build_rules
from bidproof.catalog.formats.checking import warnings_of
from bidproof.catalog.formats.contract import head_of
from bidproof.catalog.formats.files import CatalogFile, read_catalog
from bidproof.catalog.formats.given import Given, Taken
from bidproof.catalog.formats.predicate_faults import unmeetable
from bidproof.catalog.formats.writing import catalog_bytes, check_suffix, write_catalog
from bidproof.catalog.frames import AUTHOR, catalog_version, rfp_digest
from bidproof.catalog.mining.rules import LeftOut
from bidproof.catalog.versions.places import file_rank
from bidproof.catalog.versions.superseded import for_file
from bidproof.cli.output import check_writable, say, write_text
from bidproof.cli.rfp_reading import ReadRfp, params_with, read_rfp
from bidproof.cli.running import Display
from bidproof.errors import BadInputError


@dataclass(frozen=True)
class Outputs:
    """Where the results go, and what is said."""

    catalog: Path
    html: Path | None
    json: Path | None
    left_out: bool
    force: bool


def mine_command(
    rfp: Sequence[Path], outputs: Outputs, title: str, created: str, params_file: Path | None
) -> int:
    """Mine, write, print, and return the exit code.

    Raises:
        BadInputError: the RFP cannot be read, states no rules, or a file must not be written.
    """
    check_suffix(outputs.catalog.suffix, str(outputs.catalog))
    for path in (outputs.catalog, outputs.html, outputs.json):
        check_writable(path)
    check_day(created, "--on")
    if not outputs.force:
        _keep_work(outputs.catalog)
    params = params_with(params_file)
    started = time.monotonic()
    with Display() as display:
        read = read_rfp(
            rfp, params.documents, lambda name, done, total: display.tell("read", name, done, total)
        )
    read_in = time.monotonic() - started
    built = build_rules(None, read.documents, read.blocks, params.catalog)
    mined_in = time.monotonic() - started - read_in
    if not built.rules:
        raise _nothing_found(rfp, built, listed=outputs.left_out)
    catalog = draft_of(built, read, title, created)
    write_catalog(outputs.catalog, catalog, built.omitted)
    if outputs.html is not None:
        from bidproof.review.catalog_page import catalog_html

        unread = [f"not read: {said}" for said in read.unread]
        links = _links(read, outputs.html)
        write_text(outputs.html, catalog_html(catalog, built.omitted, unread, links))
    result = _result(outputs, catalog, built, read, round(read_in, 2), round(mined_in, 2))
    if outputs.json is not None:
        text = jsonlib.dumps(result, indent=1, ensure_ascii=False)
        if str(outputs.json) == "-":
            print(text)
            return 0
        write_text(outputs.json, text + "\n")
    _print(result, listed=outputs.left_out)
    return 0


def _links(read: ReadRfp, page: Path) -> dict[str, str]:
    """Addresses of the RFP's PDF files, from where the page lies: they hold as long as both stay there."""
    folder = page.absolute().parent
    try:
        return {
            name: quote(Path(os.path.relpath(path.absolute(), folder)).as_posix())
            for name, path in read.paths.items()
            if path.suffix.lower() == ".pdf"
        }
    except ValueError:  # on another drive
        return {}


def _nothing_found(rfp: Sequence[Path], built: Built, *, listed: bool) -> BadInputError:
    """What to say of an RFP without rules: how many statements were left out and why."""
    omitted = [_omitted(one) for one in built.omitted]
    if listed:
        _print_left_out(omitted)
    reasons = ", ".join(f"{n} {why}" for why, n in _reasons(omitted).items()) or "none"
    what = f"no rules found; statements left out: {reasons}"
    return BadInputError(
        ", ".join(str(p) for p in rfp), what, "give the file that states what bids must show"
    )


def _omitted(one: LeftOut) -> dict[str, Any]:
    return {"file": one.file_name, "page": one.page, "why": one.why, "text": one.text}


def _reasons(omitted: Sequence[dict[str, Any]]) -> dict[str, int]:
    return dict(Counter(str(one["why"]).split(";")[0] for one in omitted).most_common())


def _print_left_out(omitted: Sequence[dict[str, Any]]) -> None:
    for one in omitted:
        where = f"{one['file']} p. {one['page']}".strip()
        say(f"left out: {where} ({one['why']}): {' '.join(one['text'].split())[:200]}")


def check_day(day: str, option: str) -> None:
    """Refuse a date that is none.

    Raises:
        BadInputError: it is no ISO date.
    """
    taken = Taken({"created": Given(option, day)})
    head_of(taken)
    if taken.problems:
        raise BadInputError(option, f"`{day}` is no date", "write 2026-09-17")


def draft_of(built: Built, read: ReadRfp, title: str, created: str) -> CatalogFile:
    """The draft catalog of what was mined: its head says of which RFP text it is."""
    files = [str(name) for name in read.documents["file_name"]]
    ranks = file_rank(read.blocks, read.documents)
    main = min(files, key=lambda name: ranks.get(name, 0), default="")  # an addendum names no tender
    dates = Counter(rule.submission_date for rule in built.rules if rule.submission_date)
    return CatalogFile(
        rules=built.rules,
        title=title or Path(main).stem,
        rfp=", ".join(files),
        rfp_sha256=rfp_digest(read.blocks),
        author=AUTHOR,
        created=created,
        status="draft",
        version=catalog_version(built.rules),
        submission_date=dates.most_common(1)[0][0] if dates else "",
        superseded=tuple(for_file(one) for one in built.superseded),
        conflicts=built.conflicts,
    )


def notes_of(built: Built, read: ReadRfp) -> list[str]:
    """What a reviewer must know of the mining, one line each: pages not read, conflicts, superseded rules."""
    notes = [f"not read: {said}" for said in read.unread]
    notes += [f"conflict: {said}" for said in built.conflicts]
    for one in built.superseded:
        by = f" by {one.new.rule_id}" if one.new else ""
        notes.append(f"superseded: {one.old.rule_id}{by} ({one.why})")
    return notes


def _keep_work(path: Path) -> None:
    """Refuse to write over what a person may have put work into.

    Raises:
        BadInputError: the file is there and is not a draft just as it was mined.
    """
    if not path.exists():
        return
    found = read_catalog(path).catalog
    untouched = (
        found is not None
        and found.draft
        and found.author == AUTHOR
        and not found.remarks
        and not found.dropped
        and not any(w.where == "version" for w in warnings_of(found))
        and _as_written(path, found)
    )
    if not untouched:
        raise BadInputError(
            str(path), "is there already and is no untouched draft", "name another file, or give --force"
        )


def _as_written(path: Path, catalog: CatalogFile) -> bool:
    """Whether a file holds its catalog and nothing else: no comment, no other layout. A workbook is not compared."""
    return path.suffix.lower() == ".xlsx" or catalog_bytes(catalog, path.suffix) == path.read_bytes()


def _result(
    outputs: Outputs, catalog: CatalogFile, built: Built, read: ReadRfp, read_in: float, mined_in: float
) -> dict[str, Any]:
    rules = catalog.rules
    omitted = [_omitted(one) for one in built.omitted]
    odd = [rule.rule_id for rule in rules if list(unmeetable(rule.predicates))]
    return {
        "catalog": str(outputs.catalog),
        "html": str(outputs.html) if outputs.html else "",
        "title": catalog.title,
        "rfp_files": [str(name) for name in read.documents["file_name"]],
        "pages": read.pages.height,
        "version": catalog.version,
        "rules": len(rules),
        "mandatory": sum(rule.mandatory for rule in rules),
        "scored": sum(rule.scored for rule in rules),
        "areas": dict(sorted(Counter(rule.area for rule in rules).items())),
        "left_out": omitted,
        "left_out_by_reason": _reasons(omitted),
        "superseded": [
            {"id": one.old.rule_id, "by": one.new.rule_id if one.new else "", "why": one.why}
            for one in built.superseded
        ],
        "conflicts": list(built.conflicts),
        "notes": notes_of(built, read),
        "cannot_be_met": odd,
        "to_decide": [rule.rule_id for rule in rules if any(p.readings for p in rule.predicates)],
        "unread": list(read.unread),
        "seconds_reading": read_in,
        "seconds_mining": mined_in,
    }


def _print(result: dict[str, Any], *, listed: bool) -> None:
    page_word = "page" if result["pages"] == 1 else "pages"
    say(
        f"{result['catalog']}: DRAFT, {result['rules']} rules, {result['mandatory']} mandatory, "
        f"{result['scored']} scored; {len(result['left_out'])} statements left out"
    )
    for area, count in result["areas"].items():
        say(f"  {count:>4}  {' '.join(area.split())[:70]}")
    if result["html"]:
        say(f"{result['html']}: each rule beside its source text")
    say(
        f"{result['pages']} {page_word} read in {result['seconds_reading']:.1f} s, "
        f"mined in {result['seconds_mining']:.1f} s"
    )
    for note in result["notes"]:
        say(note)
    if result["cannot_be_met"]:
        say(f"mend before use, nothing can meet their predicates: {', '.join(result['cannot_be_met'])}")
    if result["to_decide"]:
        say(f"words and digits disagree, to be decided: {', '.join(result['to_decide'])}")
    if listed:
        _print_left_out(result["left_out"])
    elif result["left_out"]:
        reasons = [f"{count} {why}" for why, count in list(result["left_out_by_reason"].items())[:6]]
        say(f"left out: {'; '.join(reasons)} (--left-out lists them)")
    say(f"next: read it, mend it, then `bidproof catalog accept {result['catalog']} --by NAME`")
