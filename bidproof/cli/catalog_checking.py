"""`bidproof catalog check`: every problem and warning of a catalog file, its sources looked up in the RFP."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bidproof.catalog.formats.checking import sources_astray, unsourced, warnings_of
from bidproof.catalog.formats.files import CatalogFile, CatalogReading, read_catalog
from bidproof.catalog.formats.given import Problem
from bidproof.catalog.frames import rfp_digest
from bidproof.cli.output import check_writable, say, write_text
from bidproof.cli.rfp_reading import params_with, read_rfp
from bidproof.cli.running import Display


def check_command(file: Path, rfp: Sequence[Path], params_file: Path | None, json: Path | None) -> int:
    """Check, print, and return the exit code: 2 where there are problems, 0 where there are none.

    Raises:
        BadInputError: the file or the RFP cannot be opened.
    """
    check_writable(json)
    read = read_catalog(file)
    warnings = [Problem("", said) for said in read.warnings]
    astray: list[Problem] = []
    looked_at = read.catalog or read.partial
    if looked_at is not None:
        warnings += warnings_of(looked_at, read.places)
        if rfp:
            astray, more = _against(looked_at, read.places, rfp, params_file)
            warnings += more
    result = _result(file, read, [*read.problems, *astray], warnings)
    if json is not None:
        text = jsonlib.dumps(result, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
            return 2 if result["problems"] else 0
        write_text(json, text + "\n")
    _print(result)
    return 2 if result["problems"] else 0


def _against(
    catalog: CatalogFile, places: Mapping[str, str], rfp: Sequence[Path], params_file: Path | None
) -> tuple[list[Problem], list[Problem]]:
    """Problems and warnings that the RFP shows."""
    params = params_with(params_file)
    with Display() as display:
        found = read_rfp(
            rfp, params.documents, lambda name, done, total: display.tell("read", name, done, total)
        )
    warnings = [Problem("RFP", f"could not be read: {said}") for said in found.unread]
    stated, now = catalog.rfp_sha256, rfp_digest(found.blocks)
    if stated and stated != now:
        warnings.append(
            Problem(
                "rfp_sha256",
                f"the catalog was made of another text ({stated[:12]}) than this RFP's ({now[:12]})",
            )
        )
    return sources_astray(catalog, found.blocks, places), warnings + unsourced(catalog, places)


def _result(
    file: Path, read: CatalogReading, problems: Sequence[Problem], warnings: Sequence[Problem]
) -> dict[str, Any]:
    catalog = read.catalog
    rules = catalog.rules if catalog else ()
    return {
        "file": str(file),
        "ok": not problems,
        "problems": [{"where": p.where, "what": p.what} for p in problems],
        "warnings": [{"where": p.where, "what": p.what} for p in warnings],
        "rules": len(rules),
        "mandatory": sum(rule.mandatory for rule in rules),
        "scored": sum(rule.scored for rule in rules),
        "dropped": list(catalog.dropped) if catalog else [],
        "remarks": [{"id": name, "remark": said} for name, said in catalog.remarks] if catalog else [],
        "status": catalog.status if catalog else "",
        "accepted_by": catalog.accepted_by if catalog else "",
        "version": catalog.version if catalog else "",
    }


def _print(result: dict[str, Any]) -> None:
    file = Path(result["file"]).name
    for kind in ("problems", "warnings"):
        for one in result[kind]:
            where = f"{one['where']}: " if one["where"] and not one["what"].startswith(file) else ""
            said = " ".join(one["what"].removeprefix(f"{file}: ").split())
            say(f"{file}:{where}{'' if where else ' '}{'warning: ' if kind == 'warnings' else ''}{said}")
    counts = f"{len(result['problems'])} problems, {len(result['warnings'])} warnings"
    if result["ok"]:
        # What a person should look at first is not called sound.
        sound = "can be run, but see the warnings" if result["warnings"] else "sound"
        state = {"draft": "DRAFT", "accepted": f"accepted by {result['accepted_by']}"}.get(
            result["status"], sound
        )
        say(f"{result['file']}: {state}, {result['rules']} rules, {result['mandatory']} mandatory; {counts}")
    else:
        say(f"{result['file']}: {counts}")
