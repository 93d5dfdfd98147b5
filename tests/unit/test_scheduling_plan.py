"""Plans: tokens, cost and time before a run, and what was used beside what was planned."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from bidproof.cli.pack_sizes import whole_tokens
from bidproof.cli.plan_tables import cost_words, count, span, tender_lines
from bidproof.cli.planning import plan_command
from bidproof.errors import BadInputError
from bidproof.intake.inbox import scan_inbox
from bidproof.judging.passages import Passage
from bidproof.judging.scheduling import Ask, Kind, Outcome, RateLimits, Request, RequestBudget, Result
from bidproof.judging.scheduling.asks import RULE_MARKS, Sizes, TokenCounter, asks_of, estimated_asks
from bidproof.judging.scheduling.packing import packed
from bidproof.judging.scheduling.planning import (
    Expected,
    cost_of,
    forecast,
    further_rounds,
    plan_rows,
    planned_requests,
    settings_of,
    totals,
    whole_document_tokens,
)
from bidproof.judging.scheduling.settings import deadline
from bidproof.judging.scheduling.simulation import Latency
from bidproof.judging.scheduling.usage import (
    expected_of,
    keep_plan,
    keep_usage,
    share_escalated,
    usage_rows,
)
from bidproof.params import EscalationParams, Params, SchedulingParams, load_params
from bidproof.records import Requirement
from bidproof.store import Warehouse
from bidproof.tables import USAGE
from bidproof.views import build_views

BUDGET = RequestBudget(overhead=300, per_passage=10, max_rules=5, max_in=6000, max_out=2000)
KEYS = {"tender": "t", "bidder": "a", "pack": "t--a", "catalog_version": "v1"}
PRICED = SchedulingParams(price_in=1.0, price_out=4.0)


def asks(rules: int, mandatory: int = 0, pack: str = "t--a", rank: int = 0) -> list[Ask]:
    return [
        Ask(f"R{n:03d}", pack, n < mandatory, 30, ((f"b{n}", 200), (f"c{n}", 400)), 250, rank)
        for n in range(rules)
    ]


def expected(settles: float = 0.4) -> Expected:
    return Expected(Latency(4.0, 12.0), settles)


def test_an_ask_counts_the_rule_and_each_passage_with_its_headings() -> None:
    rule = Requirement(rule_id="R1", area="Technical", mandatory=True, text="one two three")
    passage = Passage(
        chunk_id="c1", doc_id="d", file_name="f.pdf", page=1, pages=(1,), heading_path="four", kind="text",
        text="five six",
    )  # fmt: skip
    count = TokenCounter(1.0)
    (ask,) = asks_of([rule], {"R1": [passage]}, Params(), count, pack="t--a")
    assert ask.tokens_rule == 3 + RULE_MARKS
    assert ask.passages == (("c1", 3),)
    assert TokenCounter(1.5)(["one two three"]) == [5]
    assert asks_of([rule], {}, Params(), count, pack="t--a") == []


def test_a_pack_that_was_not_read_is_estimated_within_its_own_size() -> None:
    small = estimated_asks(Sizes(2, 1, whole=80), Params(), pack="t--a")
    assert [ask.mandatory for ask in small] == [True, True, False]
    assert sum(tokens for _, tokens in small[0].passages) <= 80 * 1.15 + 50 * 1.15
    large = estimated_asks(Sizes(2, 1, whole=100_000), Params(), pack="t--a")
    assert sum(tokens for _, tokens in large[0].passages) == pytest.approx(600 * 1.65 * 1.15, rel=0.05)
    names = [name for ask in large for name, _ in ask.passages]
    assert len(set(names)) == len(names)
    crowd = estimated_asks(Sizes(50, 50, whole=800), Params(), pack="t--a")
    shown = {name: tokens for ask in crowd for name, tokens in ask.passages}
    assert sum(shown.values()) <= 2.2 * 800 * 1.15


def test_a_plan_counts_triage_for_sure_and_the_full_pass_by_what_triage_leaves() -> None:
    planned = planned_requests(asks(10), PRICED, BUDGET, expected(0.4))
    found = totals(planned)
    assert found["triage"]["requests"] == 2
    assert found["triage"]["tokens_in"] == 2 * (300 + 5 * (30 + 210))
    assert found["full"]["requests_at_most"] == 2
    assert found["full"]["requests"] == round(2 * (1 - 0.4**5), 1)
    assert found["full"]["tokens_in_at_most"] == 2 * (300 + 5 * (30 + 210 + 410))
    instructions = 2 * (1 - 0.4**5) * 300
    assert found["full"]["tokens_in"] == pytest.approx(instructions + 0.6 * 10 * (30 + 210 + 410), abs=1)
    assert found["all"]["tokens_in"] == found["triage"]["tokens_in"] + found["full"]["tokens_in"]
    share = found["all"]["tokens_in"] * 1.0 + found["all"]["tokens_out"] * 4.0
    assert found["all"]["cost"] == pytest.approx(share / 1e6, rel=1e-3)


def test_a_cost_without_a_price_is_unknown_and_never_nothing() -> None:
    assert cost_of(SchedulingParams(price_in=1.0), 10, 10) is None
    assert totals(planned_requests(asks(3), SchedulingParams(), BUDGET, expected()))["all"]["cost"] is None
    assert cost_words(None, "USD") == "unknown"
    assert cost_of(SchedulingParams(price_in=0.0, price_out=0.0), 10, 10) == 0.0


def test_whole_documents_take_the_packs_tokens_with_each_request() -> None:
    params = SchedulingParams(token_ratio=1.0)
    budget = RequestBudget(300, 10, 5, 6000, 2000)
    requests, tokens = whole_document_tokens(asks(12), 50_000, params, budget)
    assert requests == 3
    assert tokens == 3 * (50_000 + 300) + 12 * 30


def test_at_most_further_rounds_ask_every_mandatory_rule_on_more_passages() -> None:
    found = further_rounds(asks(10, mandatory=3), Params(scheduling=PRICED), BUDGET)
    assert (found["rules"], found["rounds"]) == (3, 2)
    first = sum(request.tokens_in_estimate for request in packed(asks(3, mandatory=3), "full", BUDGET))
    assert found["tokens_in_at_most"] > 2 * first + 3 * (4 + 12) * 300
    assert found["cost_at_most"] == cost_of(PRICED, found["tokens_in_at_most"], found["tokens_out_at_most"])
    never = Params(escalation=EscalationParams(rounds=0))
    assert further_rounds(asks(10, mandatory=3), never, BUDGET)["requests_at_most"] == 0
    assert further_rounds(asks(10), Params(), BUDGET)["requests_at_most"] == 0


def test_the_share_of_rules_asked_again_is_that_of_the_log() -> None:
    log = [usage_rows(results(count=n, stage=stage), PRICED, judge="openai", model="m", keys=KEYS)
           for n, stage in ((8, "triage"), (5, "full"), (2, "escalation"))]  # fmt: skip
    assert share_escalated(pl.concat(log), "openai") == 2 / 8
    assert share_escalated(pl.concat(log), "llama") is None


def test_a_forecast_keeps_to_the_rate_limit() -> None:
    work = {"t--a": asks(50, mandatory=20)}
    params = SchedulingParams(triage=False)
    limits = RateLimits(tokens_per_minute=10_000, concurrent=50)
    times = forecast(work, params, limits, BUDGET, expected(), runs=20)
    tokens = sum(
        one.request.tokens_in_estimate + one.tokens_out
        for one in planned_requests(work["t--a"], params, BUDGET, expected())
    )
    fewest = (tokens / 10_000 - 1) * 60
    assert times.total.p50 is not None
    assert fewest <= times.total.p50 <= fewest + 150
    unlimited = forecast(work, params, RateLimits(concurrent=50), BUDGET, expected(), runs=20)
    assert unlimited.total.p90 is not None
    assert unlimited.total.p90 < 60


def test_the_gate_stands_before_the_optional_rules_are_read_and_the_first_bidders_before_the_seconds() -> (
    None
):
    work = {"t--a": asks(40, 10), "t--b": asks(40, 10, "t--b", 1)}
    times = forecast(work, SchedulingParams(), RateLimits(concurrent=2), BUDGET, expected(), runs=20)
    a, b = times.gates["t--a"], times.gates["t--b"]
    assert a.p50 is not None
    assert a.p90 is not None
    assert b.p50 is not None
    assert a.p50 < (times.packs["t--a"].p50 or 0) < b.p50
    assert times.first_gate == a
    assert a.p50 < a.p90
    assert forecast(work, SchedulingParams(), RateLimits(concurrent=2), BUDGET, expected(), runs=20) == times


def test_a_mandatory_rule_above_the_window_means_that_the_gate_never_comes() -> None:
    large = Ask("BIG", "t--a", True, 30, (("b", 20_000),), 250)
    params, limits = SchedulingParams(triage=False), RateLimits(tokens_per_minute=5_000)
    budget = RequestBudget.of(params, limits)
    times = forecast({"t--a": [large, *asks(3, 3)]}, params, limits, budget, expected(), runs=3)
    assert times.gates["t--a"].p50 is None
    assert list(times.refused["t--a"]) == ["BIG"]
    assert "5000" in times.refused["t--a"]["BIG"]
    assert span(None) == "never"


def test_a_model_in_this_process_is_asked_one_rule_at_a_time_without_limits() -> None:
    params, limits = settings_of("llama", SchedulingParams())
    assert (params.rules_per_request, params.triage) == (1, False)
    assert (limits.tokens, limits.concurrent) == (float("inf"), 1)


def results(seconds: float = 2.0, count: int = 1, stage: str = "full", failed: str = "") -> list[Result]:
    return [
        Result(
            Request(f"r{n}", 900, 300, rules=(f"R{n}",), pack="t--a", stage=stage), Outcome(Kind.OK, 1000, 150), failed,
            2, 1.0, seconds, 10.0 + seconds, 2000, 150,
        )
        for n in range(count)
    ]  # fmt: skip


def test_what_was_used_is_logged_run_by_run_and_never_rewritten(tmp_path: Path) -> None:
    store = Warehouse(tmp_path)
    rows = usage_rows(results(), PRICED, judge="openai", model="m", keys=KEYS)
    assert keep_usage(store, "t--a", rows) is not None
    keep_usage(store, "t--a", rows)
    kept = store.read("usage", "t--a")
    assert kept["run_no"].to_list() == [1, 2]
    assert kept.row(0, named=True) | {"rules": None} == {
        **KEYS, "judge": "openai", "model": "m", "run_no": 1, "plan_no": 0, "request_no": 1, "pass_name": "full", "rules": None,
        "attempts": 2, "outcome": "ok", "failed": "", "tokens_planned": 900, "tokens_out_max": 300, "tokens_in": 2000,
        "tokens_out": 150, "cost": 0.0026, "currency": "USD", "waited_seconds": 1.0, "seconds": 2.0,
        "finished_seconds": 3.0,
    }  # fmt: skip
    assert keep_usage(store, "t--a", USAGE.empty()) is None
    never_sent = [Result(results()[0].request, None, "not sent")]
    assert usage_rows(never_sent, PRICED, judge="openai", model="m", keys=KEYS).is_empty()


def test_a_damaged_log_begins_anew_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Warehouse(tmp_path)
    params = SchedulingParams()
    rows = usage_rows(results(), params, judge="openai", model="m", keys=KEYS)
    keep_usage(store, "t--a", rows)
    for file in tmp_path.rglob("*.parquet"):
        file.write_bytes(b"no table")
    assert keep_usage(store, "t--a", rows) is not None
    assert store.read("usage", "t--a").height == rows.height
    assert "usage of t--a" in caplog.text


def test_plan_and_use_stand_side_by_side_in_the_view(tmp_path: Path) -> None:
    store = Warehouse(tmp_path)
    params = PRICED.model_copy(update={"triage": False})
    planned = planned_requests(asks(1), params, BUDGET, expected())
    keep_plan(store, "t--a", plan_rows(planned, "openai", "passages", "USD", KEYS), params)
    for _ in range(2):
        keep_usage(store, "t--a", usage_rows(results(), params, judge="openai", model="m", keys=KEYS))
    with duckdb.connect(build_views(store), read_only=True) as connection:
        found = connection.execute("select * from v_token_plan_vs_actual")
        names = [column[0] for column in found.description]
        (row,) = [dict(zip(names, values, strict=True)) for values in found.fetchall()]
    assert row["planned_requests"] == row["actual_requests"] == 1
    assert row["planned_tokens_in"] == 300 + 30 + 210 + 410
    assert row["actual_tokens_in"] == 2000
    assert row["tokens_in_ratio"] == pytest.approx(2000 / 950)
    assert row["actual_cost"] == pytest.approx(0.0026)
    assert row["cost_of_all_runs"] == pytest.approx(0.0052)
    assert row["tokens_of_all_runs"] == 4300


def test_a_run_is_held_against_the_plan_that_stood_when_it_ran(tmp_path: Path) -> None:
    store, params = Warehouse(tmp_path), PRICED.model_copy(update={"triage": False})

    def plan(rules: int) -> None:
        planned = planned_requests(asks(rules), params, BUDGET, expected())
        keep_plan(store, "t--a", plan_rows(planned, "openai", "passages", "USD", KEYS), params)

    for rules in (1, 1, 2, 3):  # the second is the first again; nobody ran under either
        plan(rules)
    assert store.read("token_plan", "t--a")["plan_no"].unique().to_list() == [3]
    keep_usage(store, "t--a", usage_rows(results(), params, judge="openai", model="m", keys=KEYS))
    plan(4)
    with duckdb.connect(build_views(store), read_only=True) as connection:
        rows = connection.execute(
            "select plan_no, planned_tokens_in, actual_tokens_in from v_token_plan_vs_actual"
        ).fetchall()
    assert rows == [(4, 300 + 4 * 650, None), (3, 300 + 3 * 650, 2000)]


def test_a_plan_without_prices_shows_an_empty_cost_in_the_view(tmp_path: Path) -> None:
    store, params = Warehouse(tmp_path), SchedulingParams()
    planned = planned_requests(asks(1), params, BUDGET, expected())
    keep_plan(store, "t--a", plan_rows(planned, "openai", "estimate", "USD", KEYS), params)
    with duckdb.connect(build_views(store), read_only=True) as connection:
        rows = connection.execute("select planned_cost, actual_cost from v_token_plan_vs_actual").fetchall()
    assert rows == [(None, None), (None, None)]


def test_times_and_shares_that_were_measured_take_the_place_of_the_knobs() -> None:
    few = usage_rows(results(count=19), PRICED, judge="openai", model="m", keys=KEYS)
    assert expected_of(few, "openai", PRICED).measured == 0
    triage = usage_rows(results(2.0, 40, "triage"), PRICED, judge="openai", model="m", keys=KEYS)
    full = usage_rows(results(6.0, 10), PRICED, judge="openai", model="m", keys=KEYS)
    found = expected_of(pl.concat([triage, full]), "openai", PRICED)
    assert found.measured == 50
    assert found.settles == pytest.approx(0.75)
    assert found.answer_share == pytest.approx(0.5)
    assert found.latency == Latency(2.0, 6.0)
    assert expected_of(triage, "llama", PRICED).measured == 0


def inbox(folder: Path, params: str = "") -> Path:
    tender = folder / "inbox" / "Bridge"
    for bidder in ("Alpha", "Beta"):
        (tender / "bids" / bidder).mkdir(parents=True)
        (tender / "bids" / bidder / "bid.txt").write_text(
            "The bridge opens in June. " * 400, encoding="utf-8"
        )
    (tender / "rfp").mkdir()
    (tender / "rfp" / "rfp.txt").write_text("The bidder shall build a bridge.", encoding="utf-8")
    (tender / "catalog.csv").write_text(
        "id,area,mandatory,text,clause_ref\nR1,Technical,yes,The bridge opens in June.,1\nR2,Technical,no,The bridge is blue.,2\n",
        encoding="utf-8",
    )
    if params:
        (tender / "params.yaml").write_text(params, encoding="utf-8")
    return folder / "inbox"


def test_plan_says_what_a_model_will_cost_and_that_it_is_an_estimate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = tmp_path / "plan.json"
    plan_command(
        inbox(tmp_path, "scheduling: {price_in: 1.0, price_out: 2.0}"),
        str(tmp_path / "w"),
        None,
        None,
        {},
        "openai",
        where,
    )
    record = json.loads(where.read_text())
    (tender,) = record["tenders"]
    assert [pack["rules"] for pack in tender["packs"]] == [2, 2]
    assert tender["packs"][0]["basis"].startswith("estimate: 2 rules of catalog.csv")
    assert tender["passes"]["all"]["cost"] > 0
    assert record["total"]["cost"] == {"USD": tender["passes"]["all"]["cost"]}
    assert tender["packs"][0]["whole_documents"]["saving"] > 0
    assert (
        Warehouse(tmp_path / "w").read("token_plan", "bridge--alpha")["pass_name"].to_list()
        == ["triage"] * 2 + ["full"] * 2
    )
    said = capsys.readouterr().out
    assert "judge openai" in said
    assert "again   at most" in said
    assert "none measured yet" in said
    assert "estimate: 2 rules" in said
    assert "unknown" not in said


def test_plan_of_the_predicate_judge_says_that_no_model_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan_command(inbox(tmp_path), str(tmp_path / "w"), None, None, {}, None, None)
    assert "0 requests, 0 tokens, no cost" in capsys.readouterr().out
    assert not (tmp_path / "w").exists()


def test_plan_says_which_gates_come_too_late(tmp_path: Path) -> None:
    found = inbox(tmp_path, "scheduling: {gate_by: '2027-03-01T12:00'}")
    late: list[bool] = []
    for hour in (9, 13):
        where = tmp_path / f"{hour}.json"
        now = datetime(2027, 3, 1, hour)
        plan_command(found, str(tmp_path / "w"), None, None, {}, "openai", where, now)
        (tender,) = json.loads(where.read_text())["tenders"]
        late.append(tender["late"])
        assert any("wanted by" in line for line in tender_lines(tender)) is tender["late"]
    assert late == [False, True]


def test_plan_of_an_unknown_judge_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no judge 'oracle'"):
        plan_command(inbox(tmp_path), str(tmp_path / "w"), None, None, {}, "oracle", None)


@pytest.mark.parametrize(
    "written", ["2027-03-01", "2027-03-01T12:00", "2027-03-01T12:00:00", "'2027-03-01 12:00'"]
)
def test_a_deadline_may_be_written_as_any_date_of_yaml(tmp_path: Path, written: str) -> None:
    (tmp_path / "params.yaml").write_text(f"scheduling: {{gate_by: {written}}}", encoding="utf-8")
    found = deadline(load_params(tmp_path).scheduling)
    assert found == datetime(2027, 3, 1, 0 if written == "2027-03-01" else 12).timestamp()


def test_a_deadline_that_is_no_date_is_refused() -> None:
    with pytest.raises(ValueError, match="tomorrow"):
        SchedulingParams(gate_by="tomorrow")


def test_whole_packs_are_estimated_by_pages_or_bytes(tmp_path: Path) -> None:
    import pymupdf

    root = inbox(tmp_path)
    with pymupdf.open() as document:
        for _ in range(3):
            document.new_page()
        document.save(root / "Bridge/bids/Alpha/bid.pdf")
    alpha, beta = scan_inbox(root).tenders[0].bids
    assert whole_tokens(beta.files) == len("The bridge opens in June. " * 400) // 4
    assert whole_tokens(alpha.files) == 3 * 600 + whole_tokens(beta.files)


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (999, "999"), (1000, "1k"), (37_812, "37.8k"), (250_000, "250k"), (2.5e6, "2.5M")],
)
def test_tokens_are_said_in_three_digits(number: float, said: str) -> None:
    assert count(number) == said
