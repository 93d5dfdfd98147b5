"""One verdict through all live checks.

Belongs here: the order of the checks, and the status that they leave. Does not belong here: the checks themselves
(`checks`), and what a finding says of them (`findings`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bidproof.judging import Outcome
from bidproof.records import Status
from bidproof.verification import checks as live
from bidproof.verification.checks import FATAL, Check, Claim, Desk, Located


@dataclass(frozen=True)
class Verified:
    """A verdict after its checks."""

    status: Status
    found: Located
    others: tuple[str, ...]
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()


def verify_claim(claim: Claim, desk: Desk) -> Verified:
    """All checks on a verdict other than Missing.

    One failed fatal check makes it Missing. A typed predicate that fails by code on the verdict's own quote
    turns a Pass or Partial into a Fail: the figure is there for everyone to see.
    """
    found = live.locate_quote(claim.quote, claim.chunk_id, desk)
    done = [
        live.check_schema(claim),
        live.check_rationale(claim, desk.params),
        live.check_found(claim, found),
        live.check_shown(found),
        live.check_information(found.text or claim.quote, desk.params),
        live.check_page(claim, found, desk),
        live.check_readable(found, desk),
        live.check_citable(found, desk),
        live.check_current(found, desk),
        live.check_figures(found, desk),
        live.check_speaker(found, desk),
    ]
    if claim.status == Status.PASS and found.match.verified:
        done += [live.check_echo(found, desk), live.check_negation(found, desk)]
    others = [live.locate_quote(quote, claim.chunk_id, desk) for quote in claim.other_quotes]
    kept = [one for one in others if one.match.verified and one.shown]
    done.append(
        Check(
            "other_quotes_found", "" if len(kept) == len(others) else "a further quote is not in the passages"
        )
    )
    if any(check.reason and check.name in FATAL for check in done):
        return Verified(Status.MISSING, found, (), tuple(done))
    groups: list[list[Outcome]] = live.recompute([found, *kept], desk)
    predicates, fails = live.check_predicates(claim.status, groups)
    done.append(predicates)
    status = Status.FAIL if fails else Status(claim.status)
    return Verified(status, found, tuple(dict.fromkeys(one.text for one in kept)), tuple(done))
