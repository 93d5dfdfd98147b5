"""`bidproof plan`: tokens, cost and time that a model judge will take, before it is asked anything."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import catalog_version_of
from bidproof.chunking.tokens import token_offsets
from bidproof.cli.output import check_writable, write_text
from bidproof.cli.pack_sizes import rules_of, sizes_of
from bidproof.errors import BadInputError
from bidproof.intake.inbox import Tender, scan_inbox
from bidproof.judging.scheduling.asks import TokenCounter, asks_of, estimated_asks, shown_of
from bidproof.judging.scheduling.packing import Ask, RequestBudget
from bidproof.judging.scheduling.planning import (
    MODEL_JUDGES,
    Forecast,
    PlannedRequest,
    Times,
    forecast,
    further_rounds,
    plan_rows,
    planned_requests,
    settings_of,
    totals,
    whole_document_tokens,
)
from bidproof.judging.scheduling.settings import deadline
from bidproof.judging.scheduling.usage import expected_of, keep_plan, share_escalated
from bidproof.params import Params, load_params
from bidproof.staleness import Sources, stage_states
from bidproof.store import Warehouse
from bidproof.views import build_views

JUDGES = ("predicate", *MODEL_JUDGES)
NO_MODEL = "the predicate judge asks no model: 0 requests, 0 tokens, no cost"


@dataclass
class PackWork:
    """A pack with what asking about it takes."""

    pack: str
    bidder: str
    basis: str
    catalog_version: str
    asks: list[Ask]
    unasked: int
    whole: int
    planned: list[PlannedRequest] = field(default_factory=list)


def plan_command(
    inbox: Path, warehouse: str, tender: str | None, bidder: str | None, overrides: Mapping[str, Any],
    judge: str | None, json: Path | None, now: datetime | None = None,
) -> None:  # fmt: skip
    """Plan, store and print; asks no model and reads no document that the warehouse has read already.

    Raises:
        BadInputError: the inbox, the judge or a file to write is wrong.
    """
    check_writable(json)
    if judge is not None and judge not in JUDGES:
        raise BadInputError("--judge", f"no judge {judge!r}", f"name one of {', '.join(JUDGES)}")
    found, store = scan_inbox(inbox, tender=tender, bidder=bidder), Warehouse(warehouse)
    sources = [Sources(one, load_params(Path("."), one.folder, overrides)) for one in found.tenders]
    planned = [
        _tender_plan(store, one, judge or one.params.judging.judge) for one in sorted(sources, key=_deadline)
    ]
    record = {"tenders": planned, "total": _total(planned, now or datetime.now())}
    _say(record, json)
    if any(one["judge"] in MODEL_JUDGES for one in planned):
        build_views(store)


def _say(record: Mapping[str, Any], json: Path | None) -> None:
    if json is not None:
        text = jsonlib.dumps(record, indent=1, ensure_ascii=False)
        if str(json) == "-":
            print(text)
            return
        write_text(json, text + "\n")
    from bidproof.cli.plan_tables import print_plan

    print_plan(record)


def _deadline(sources: Sources) -> tuple[float, str]:
    """Tenders whose gates are wanted sooner come first, as in a run."""
    return deadline(sources.params.scheduling), sources.tender.tender


def _tender_plan(store: Warehouse, sources: Sources, judge: str) -> dict[str, Any]:
    """Machine-readable plan of one tender; the plan of each pack is stored."""
    params, tender = sources.params, sources.tender
    named = {"tender": tender.tender, "tender_name": tender.name, "judge": judge}
    if judge not in MODEL_JUDGES:
        packs = [{"pack": bid.pack, "bidder": bid.bidder, "passes": totals([])} for bid in tender.bids]
        return {**named, "note": NO_MODEL, "gate_by": "", "packs": packs, "passes": totals([])}
    heeded, limits = settings_of(judge, params.scheduling)
    params, budget = params.model_copy(update={"scheduling": heeded}), RequestBudget.of(heeded, limits)
    usage = store.read_many("usage", store.partitions("usage"))
    expected = expected_of(usage, judge, heeded)
    works = _works(store, sources, params)
    for work in works:
        work.planned = planned_requests(work.asks, heeded, budget, expected)
        keys = {"tender": tender.tender, "bidder": work.bidder, "pack": work.pack}
        keys["catalog_version"] = work.catalog_version
        rows = plan_rows(work.planned, judge, work.basis.split(":")[0], heeded.currency, keys)
        keep_plan(store, work.pack, rows, heeded)
    times = forecast({work.pack: work.asks for work in works}, heeded, limits, budget, expected)
    return {
        **named,
        "gate_by": heeded.gate_by,
        "gate_by_epoch": deadline(heeded) if heeded.gate_by else None,
        "currency": heeded.currency,
        "triage": heeded.triage,
        "limits": {
            "requests_per_minute": limits.requests_per_minute,
            "tokens_per_minute": limits.tokens_per_minute,
            "concurrent": limits.concurrent,
        },
        "measured_requests": expected.measured,
        "escalated_share": share_escalated(usage, judge),
        "packs": [_pack_record(work, times, params, budget) for work in works],
        "passes": totals([one for work in works for one in work.planned]),
        "first_gate_seconds": _seconds(times.first_gate),
        "all_gates_seconds": _latest([times.gates[work.pack] for work in works]),
        "seconds": _seconds(times.total),
    }


def _works(store: Warehouse, sources: Sources, params: Params) -> list[PackWork]:
    """What asking about each pack takes, in the order in which a run takes them."""
    tender, count = sources.tender, TokenCounter(params.scheduling.token_ratio)
    rules: tuple[int, int, str] | None = None
    works = []
    for rank, bid in enumerate(tender.bids):
        work = _from_passages(store, sources, bid.pack, params, count, rank)
        if work is None:
            rules = rules or _rules(store, sources, tender)
            sizes = sizes_of(rules[:2], bid.files)
            basis = f"estimate: {rules[2]}, about {sizes.whole} tokens of documents"
            asks = estimated_asks(sizes, params, pack=bid.pack, rank=rank)
            work = PackWork(bid.pack, bid.bidder, basis, "", asks, 0, sizes.whole)
        works.append(work)
    return works


def _fresh(store: Warehouse, partition: str, sources: Sources, stage: str) -> bool:
    states = {state.stage.name: state.state for state in stage_states(store, partition, sources)}
    return states.get(stage) == "fresh"


def _rules(store: Warehouse, sources: Sources, tender: Tender) -> tuple[int, int, str]:
    if not _fresh(store, tender.tender, sources, "requirements"):
        return rules_of(tender)
    rows = store.read("requirements", tender.tender)
    mandatory = int(rows["mandatory"].sum())
    return mandatory, rows.height - mandatory, f"{rows.height} rules of the warehouse"


def _from_passages(
    store: Warehouse, sources: Sources, pack: str, params: Params, count: TokenCounter, rank: int
) -> PackWork | None:
    """A pack's work by its passages in the warehouse; None where they are not fresh."""
    if not _fresh(store, pack, sources, "passages"):
        return None
    table = store.read("requirements", sources.tender.tender)
    rules = requirements_from_table(table)
    shown = shown_of(rules, store.read("passages", pack), store.read("chunks", pack))
    asks = asks_of(rules, shown, params, count, pack=pack, rank=rank)
    whole = sum(map(len, token_offsets(store.read("blocks", pack)["text"].to_list())))
    bidder = pack.partition("--")[2]
    return PackWork(
        pack, bidder, "passages", catalog_version_of(table), asks, len(rules) - len(asks), whole
    )  # fmt: skip


def _pack_record(work: PackWork, times: Forecast, params: Params, budget: RequestBudget) -> dict[str, Any]:
    requests, tokens = whole_document_tokens(work.asks, work.whole, params.scheduling, budget)
    passes = totals(work.planned)
    sent = passes["all"]["tokens_in"]
    return {
        "pack": work.pack,
        "bidder": work.bidder,
        "basis": work.basis,
        "rules": len(work.asks),
        "mandatory": sum(ask.mandatory for ask in work.asks),
        "unasked": work.unasked,
        "passes": passes,
        "gate_seconds": _seconds(times.gates[work.pack]),
        "seconds": _seconds(times.packs[work.pack]),
        "whole_documents": {
            "tokens": work.whole, "requests": requests, "tokens_in": tokens,
            "saving": round(1 - sent / tokens, 4) if tokens else None,
        },
        "escalation": further_rounds(work.asks, params, budget),
        "refused": dict(times.refused.get(work.pack, {})),
    }  # fmt: skip


def _seconds(times: Times) -> dict[str, float | None]:
    return {"p50": times.p50, "p90": times.p90}


def _latest(times: Sequence[Times]) -> dict[str, float | None]:
    """When the last of several comes; none where one never does."""
    found: dict[str, float | None] = {}
    for name in ("p50", "p90"):
        known = [getattr(one, name) for one in times]
        found[name] = None if None in known or not known else max(known)
    return found


def _total(planned: list[dict[str, Any]], now: datetime) -> dict[str, Any]:
    """Sums over all tenders, one run after the other; says of each whether its gates come in time."""
    total: dict[str, Any] = {}
    for name in ("requests", "tokens_in", "tokens_out", "tokens_in_at_most", "tokens_out_at_most"):
        total[name] = round(sum(one["passes"]["all"][name] for one in planned), 1)
    costs: dict[str, float | None] = {}
    for one in planned:
        if one["judge"] in MODEL_JUDGES:
            sums, cost = costs.get(one["currency"], 0.0), one["passes"]["all"]["cost"]
            costs[one["currency"]] = None if sums is None or cost is None else sums + cost
    total["cost"] = costs
    before = 0.0
    for one in planned:
        if gates := one.get("all_gates_seconds"):
            until = None if gates["p90"] is None else now.timestamp() + before + gates["p90"]
            one["late"] = one["gate_by_epoch"] is not None and (until is None or until > one["gate_by_epoch"])
            before += one["seconds"]["p90"] or 0.0
    total["seconds_p90_at_most"] = round(before, 1)
    return total
