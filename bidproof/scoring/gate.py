"""The mandatory gate of one bidder: pass, fail, or cannot decide.

Belongs here: which troubles close the gate and when unread pages forbid a decision. Does not belong here:
points (`scores`), how a verdict came about (`bidproof.verification`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

from bidproof.records import Gate, Requirement, Status

READABLE = frozenset({"text", "ocr", "blank"})
_TITLE_CHARS = 60


def _title(text: str) -> str:
    """The rule's text, short enough for one line."""
    words = " ".join(text.split())
    return words if len(words) <= _TITLE_CHARS else words[: words.rfind(" ", 0, _TITLE_CHARS)] + "…"


def page_runs(pages: Iterable[int]) -> str:
    """Page numbers as runs, e.g. '3-5, 9'."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _where(finding: Mapping[str, Any]) -> str:
    if not finding.get("page"):
        return ""
    label = finding.get("page_label") or ""
    if anchor := finding.get("anchor"):
        return str(anchor)
    physical = finding["page"]
    return f"p. {physical}" if label in ("", str(physical)) else f"p. {label} (PDF {physical})"


def _reason(rule: Requirement, finding: Mapping[str, Any] | None) -> str:
    head = f"{rule.rule_id} {_title(rule.text)}: "
    if finding is None:
        return head + "absent — no verdict was reached"
    detail = " ".join((finding.get("rationale") or "").split())
    where = _where(finding)
    said = ", ".join(part.rstrip(".") for part in (detail, where) if part)
    return f"{head}{finding['status']}" + (f" — {said}" if said else "")


def could_stand_unread(finding: Mapping[str, Any], unread: bool) -> bool:
    """The answer to a Missing rule may stand on a page or in a file that nobody could read.

    The absence certificate says so when there is one; without one any unread page may hold the answer.
    """
    certificate = json.loads(finding.get("absence") or "null")
    if isinstance(certificate, dict) and "could_stand_unread" in certificate:
        return bool(certificate["could_stand_unread"])
    return unread


Obstacle = Literal["", "open", "certain"]
"""What one mandatory rule has against a bidder: nothing, nothing that is sure as pages are unread, or a failure."""


def obstacle(finding: Mapping[str, Any] | None, unread: bool) -> Obstacle:
    """What the finding on a mandatory rule has against the bidder; no finding is a failure."""
    if finding is None or finding["status"] == Status.FAIL:
        return "certain"
    if finding["status"] != Status.MISSING:
        return ""
    return "open" if could_stand_unread(finding, unread) else "certain"


def gate_of(against: Collection[Obstacle]) -> Gate:
    """The gate that follows from what all mandatory rules have against a bidder."""
    if "certain" in against:
        return Gate.FAIL
    return Gate.CANNOT_DECIDE if "open" in against else Gate.PASS


def decide_gate(
    rules: Iterable[Requirement], findings: Mapping[str, Mapping[str, Any]], unread: Iterable[str]
) -> tuple[Gate, list[str]]:
    """The gate and its reasons, one line each, in the order of `rules`.

    A catalog without a mandatory rule decides nothing: silence is no pass. Any mandatory rule that is Fail,
    Missing or absent fails the gate; it cannot be decided when all that stands against the bidder are Missing
    rules whose answer may stand on unread pages.

    Args:
        rules: the catalog.
        findings: rows of `findings` by rule id.
        unread: one line for each file or run of pages that could not be read.
    """
    unread_lines = list(unread)
    mandatory = [rule for rule in rules if rule.mandatory]
    if not mandatory:
        return Gate.CANNOT_DECIDE, ["The catalog has no mandatory rule, so nothing was put to the gate"]
    against = {rule.rule_id: obstacle(findings.get(rule.rule_id), bool(unread_lines)) for rule in mandatory}
    reasons = [_reason(rule, findings.get(rule.rule_id)) for rule in mandatory if against[rule.rule_id]]
    gate = gate_of(against.values())
    if gate is Gate.CANNOT_DECIDE:
        reasons += [f"Unread: {line}" for line in unread_lines]
    return gate, reasons
