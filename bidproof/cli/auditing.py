"""`bidproof audit`: what its commands do and say."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.cli.audit_sheets import check_ending, read_sheet, sheet_of
from bidproof.cli.output import check_writable, keep_file, say, write_text
from bidproof.errors import BadInputError
from bidproof.evaluation.trust.audit_record import current_lot, plan_audit, record_audit
from bidproof.evaluation.trust.auditing import AuditPlan, drawn
from bidproof.evaluation.trust.sampling import sampling_plan
from bidproof.intake.inbox import slug
from bidproof.store import Warehouse
from bidproof.views import build_views

_ALTERNATIVES = (0, 1, 2)


def plan_command(
    warehouse: str, tenders: Sequence[str], plan: AuditPlan, output: Path | None, force: bool, json: Path | None
) -> None:  # fmt: skip
    """Say how many Passes to audit; draw them and write the sheet where `output` names one.

    Raises:
        BadInputError: a tender or number is wrong, there is nothing to audit, or a file cannot be written.
    """
    if not (0 < plan.bound < 1 and 0 < plan.confidence < 1):
        raise BadInputError("--bound, --confidence", "are no shares", "write e.g. 0.02 and 0.95")
    if output is not None:
        check_ending(output)
        keep_file(output, force=force)
    for path in (output, json):
        check_writable(path)
    store = Warehouse(warehouse)
    names = _tenders(store, tenders)
    if output is None:
        _, bounds = drawn(current_lot(store, names), plan, "planned")
    else:
        rows, bounds = plan_audit(store, names, plan)
        try:
            output.write_bytes(sheet_of(rows, output.suffix))
        except OSError as error:
            raise BadInputError(
                str(output), f"cannot be written ({error.strerror})", "name another file"
            ) from None
        build_views(store)
    if _written({"audit": "" if output is None else bounds["audit"][0], "lots": bounds.to_dicts()}, json):
        return
    for row in bounds.iter_rows(named=True):
        _say_plan(row)
    if output is not None:
        say(f"{output}: {sum(bounds['sample'])} Passes to look at, audit {bounds['audit'][0]}")


def _tenders(store: Warehouse, asked: Sequence[str]) -> list[str]:
    known = store.partitions("requirements")
    names = [one if one in known else slug(one) for one in asked] or known
    if unknown := [one for one, name in zip(asked, names, strict=False) if name not in known]:
        raise BadInputError(unknown[0], "no such tender", f"known are {', '.join(known) or 'none'}")
    if not names:
        raise BadInputError("the warehouse", "has no tender yet", "run `bidproof run INBOX` first")
    return sorted(set(names))


def _say_plan(row: Mapping[str, Any]) -> None:
    lot, sample = row["passes"], row["sample"]
    how = "all of them" if sample == lot else f"{sample} of them"
    print(
        f"{row['lot']}: {lot} Passes without a flag; audit {how}. With at most {row['allowed']} wrong, at most "
        f"{row['bound']:.1%} of the lot are wrong ({row['confidence']:.0%} confidence)"
    )
    plans = [sampling_plan(lot, row["bound"], row["confidence"], allowed) for allowed in _ALTERNATIVES]
    others = [f"{one.allowed} wrong: {one.sample}" for one in dict.fromkeys(plans)]
    print(f"  to look at, by the number of wrong ones allowed: {', '.join(others)}")


def record_command(warehouse: str, sheet: Path, json: Path | None) -> int:
    """Record an auditor's sheet and say what follows; 1 where a lot is refused or still open.

    Raises:
        BadInputError: the sheet is wrong, or its audit is not of this warehouse.
    """
    check_writable(json)
    audit, answers = read_sheet(sheet)
    store = Warehouse(warehouse)
    rows, bounds, changed = record_audit(store, audit, answers)
    build_views(store)
    wrong = rows.filter(~pl.col("right"))
    record = {
        "audit": audit, "lots": bounds.to_dicts(), "changed": changed,
        "wrong": wrong.select("number", "pack", "rule_id", "note").to_dicts(),
    }  # fmt: skip
    held = all(bounds["accepted"].fill_null(False).to_list())
    if _written(record, json):
        return 0 if held else 1
    for row in bounds.iter_rows(named=True):
        said = {True: "accepted", False: "refused", None: "open"}[row["accepted"]]
        left = row["sample"] - row["audited"]
        open_ = f", {left} not looked at yet (counted as wrong)" if left else ""
        print(
            f"{row['lot']}: {said}. {row['wrong']} wrong of {row['audited']}{open_}; at most {row['upper']:.2%} of its "
            f"{row['passes']} Passes are wrong ({row['confidence']:.0%} confidence)"
        )
    for number, pack, rule, note in wrong.select("number", "pack", "rule_id", "note").iter_rows():
        say(f"  wrong: {number}, {pack}, {rule}{': ' + note if note else ''}")
    for line in changed:
        say(f"  {line}")
    return 0 if held else 1


def _written(record: Mapping[str, Any], json: Path | None) -> bool:
    """Write the result as JSON where that is asked for; True where it went to standard output."""
    if json is None:
        return False
    text = jsonlib.dumps(record, indent=1, ensure_ascii=False)
    if str(json) == "-":
        print(text)
        return True
    write_text(json, text + "\n")
    return False
