"""On which single verdicts a gate hangs: those that would turn it if they alone were another.

Belongs here: the search over single verdicts. Does not belong here: the gate itself (`gate`), and whether a verdict
is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bidproof.records import Gate, Requirement, Status
from bidproof.scoring.gate import gate_of, obstacle

Findings = Mapping[str, Mapping[str, Any]]

_READ = json.dumps({"could_stand_unread": False})


def gate_flips(
    rules: Iterable[Requirement],
    findings: Findings,
    unread: bool,
    settled: Callable[[Gate], Gate] = lambda gate: gate,
) -> list[dict[str, object]]:
    """Single verdicts that would turn the gate: rows of `scores.gate_flips`.

    A mandatory rule that is met is tried as Fail, one that is failed as Pass, one that is Missing as both. Each is tried
    alone, under the very rule that decides the gate. Those that a person is still to look at come first: there the
    gate may yet turn. The others follow by rule id.

    Args:
        rules: the catalog.
        findings: rows of `findings` by rule id.
        unread: pages or files of the pack could not be read.
        settled: what else bears on the gate, e.g. that too little was read.
    """
    mandatory = [rule.rule_id for rule in rules if rule.mandatory]
    against = {rule_id: obstacle(findings.get(rule_id), unread) for rule_id in mandatory}
    now = settled(gate_of(against.values()))
    rows: list[dict[str, object]] = []
    for rule_id in mandatory:
        finding = findings.get(rule_id, {"status": Status.MISSING.value, "needs_review": True})
        for other in _others(finding["status"]):
            alone = obstacle({**finding, "status": other.value, "absence": _READ}, unread)
            then = settled(gate_of({**against, rule_id: alone}.values()))
            if then is not now:
                rows.append({
                    "rule_id": rule_id, "status": finding["status"], "if_status": other.value, "gate": then.value,
                    "needs_review": bool(finding["needs_review"]),
                })  # fmt: skip
    return sorted(rows, key=lambda row: (not row["needs_review"], str(row["rule_id"]), str(row["if_status"])))


def _others(status: str) -> tuple[Status, ...]:
    if status == Status.MISSING:
        return (Status.FAIL, Status.PASS)
    return (Status.PASS,) if status == Status.FAIL else (Status.FAIL,)
