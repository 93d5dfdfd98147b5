"""`bidproof override`: what it does and says."""

from __future__ import annotations

import json as jsonlib
from dataclasses import replace
from pathlib import Path

from bidproof.cli.output import check_writable, write_text
from bidproof.cli.running import Display, load_runner
from bidproof.errors import BidproofError
from bidproof.intake.inbox import slug
from bidproof.review.deciding import Decision, decide
from bidproof.stages import downstream
from bidproof.staleness import find_sources, known_packs, stale_stages
from bidproof.store import Warehouse

_FOLLOWS = frozenset({"reviews", *downstream("reviews")})
"""All that a decision touches: seconds of work, and no model is asked."""


def override_command(warehouse: str, decision: Decision, json: Path | None) -> None:
    """Put a decision in the log and bring scores, ranks and matrix up to date, where nothing else is stale.

    Raises:
        BadInputError: the decision cannot be taken, or a file cannot be written.
    """
    check_writable(json)
    store = Warehouse(warehouse)
    if decision.tender not in store.sources():
        decision = replace(decision, tender=slug(decision.tender))
    event = decide(store, decision)
    said = _bring_in(store, warehouse, decision.tender)
    record = {**event, "matrix": said}
    if json is not None and str(json) == "-":
        print(jsonlib.dumps(record, indent=1, ensure_ascii=False))
        return
    if json is not None:
        write_text(json, jsonlib.dumps(record, indent=1, ensure_ascii=False) + "\n")
    what = event["to_status"] or "withdrawn"
    print(
        f"{event['pack']}, {event['rule_id']}: {event['from_status']} -> {what}, {event['action']} by {event['reviewer']}"
    )
    print(said)


def _bring_in(store: Warehouse, warehouse: str, tender: str) -> str:
    """Run what follows from the decision; one line on how that went, as the decision itself is kept in any case."""
    later = "kept; the matrix has it after the next `bidproof run`"
    try:
        sources = find_sources(store, tender, Path("."))
        stale = {
            state.stage.name
            for partition in (tender, *known_packs(store, tender))
            for state in stale_stages(store, partition, sources)
        }
        if not stale <= _FOLLOWS:
            return f"{later}, as {sorted(stale - _FOLLOWS)[0]} is stale too"
        with Display() as display:
            report = load_runner()(Path(store.sources()[tender]), warehouse, tender=tender, tell=display.tell)
    except BidproofError as error:
        return f"{later} ({error})"
    return later if report.failed else f"{store.root}/reports/{tender}/matrix.html"
