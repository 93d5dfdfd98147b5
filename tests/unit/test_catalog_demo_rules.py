"""The 32 rules of the shipped catalog: what each asks, by which tokens it is looked for, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.catalog import derive, load_catalog, tag_pools
from bidproof.records import Predicate, Requirement

CATALOG = Path(__file__).resolve().parents[2] / "examples" / "make" / "content" / "catalog.yaml"
DATE = "2026-09-17"
_NAMES = ("comparator", "value", "unit", "base", "per", "code", "edition", "valid_on_submission", "terms")

# Each rule with its predicates (kind and the fields that are filled), its sentry terms and its tag pools.
RULES: dict[str, tuple[list[tuple[object, ...]], tuple[str, ...], tuple[str, ...]]] = {
    "R12": ([("quantity", ">=", 2.0, "percent", "total bid price"), ("quantity", ">=", 90.0, "day")], ("2%", "90 days", "bid security", "valid"), ("money", "percent", "days", "bond")),
    "R14": ([("quantity", ">=", 120.0, "calendar_day")], ("120 calendar days", "bid valid"), ("days",)),
    "R21": ([("standard", "ISO 9001", "2015", True), ("standard", "ISO/IEC 27001", "2022", True)], ("ISO 9001:2015", "ISO/IEC 27001:2022"), ("iso", "date")),
    "A01": ([("form", "BS-1"), ("presence", ("bid", "security", "signed"))], ("BS-1", "bid", "security", "signed"), ("money", "percent", "bond", "form")),
    "A02": ([("date", ">=", True), ("presence", ("power", "attorney", "person", "signs", "bid"))], ("power attorney person signs", "power", "attorney", "person", "signs", "bid"), ("date",)),
    "A03": ([("quantity", ">=", 5000000.0, "EUR", "occurrence")], ("EUR 5,000,000", "general liability insurance"), ("money",)),
    "A04": ([("presence", ("signed", "declaration", "conflicts", "interest"))], ("signed", "declaration", "conflicts", "interest"), ("must",)),
    "A05": ([("form", "BS-1"), ("form", "PV-2"), ("form", "EC-4")], ("BS-1", "PV-2", "EC-4"), ("form",)),
    "T05": ([("standard", "IEC 62053-21", ("class 1",)), ("standard", "IEC 62053-22", ("class 0.5s",)), ("presence", ("direct", "connected", "meters", "transformer", "operated"))], ("IEC 62053-21", "class 1", "IEC 62053-22", "class 0.5S", "direct", "connected", "meters", "transformer", "operated"), ("iso",)),
    "T06": ([("presence", ("test", "reports", "independent", "laboratory", "meter", "class"))], ("test", "reports", "independent", "laboratory", "meter", "class"), ("must",)),
    "T07": ([("standard", "IEC 62056"), ("presence", ("head", "end", "system", "supports", "dlms", "cosem"))], ("IEC 62056", "head", "end", "system", "supports", "dlms", "cosem"), ("iso",)),
    "T08": ([("presence", ("firmware", "upgrade", "process", "rollback", "procedure"))], ("firmware", "upgrade", "process", "rollback", "procedure"), ("must",)),
    "T09": ([("presence", ("tamper", "detection", "features", "meters", "verification"))], ("tamper", "detection", "features", "meters", "verification"), ("must",)),
    "T10": ([("presence", ("user", "interfaces", "manuals", "english", "french"))], ("user", "interfaces", "manuals", "english", "french"), ("must",)),
    "S01": ([("standard", "ISO/IEC 27001", True), ("presence", ("information", "security", "management", "system", "certificate", "statement", "applicability"))], ("ISO/IEC 27001", "information", "security", "management", "system", "certificate", "statement", "applicability"), ("iso", "date")),
    "S02": ([("standard", "SOC 2", ("type ii",)), ("presence", ("report", "head", "end", "cloud", "components"))], ("SOC 2", "type II", "report", "head", "end", "cloud", "components"), ("iso",)),
    "S03": ([("standard", "NIST CSF"), ("presence", ("security", "controls", "mapped", "functions", "identify", "id", "protect", "pr", "detect", "de"))], ("NIST CSF", "security", "controls", "mapped", "functions", "identify", "id", "protect", "pr", "detect", "de"), ("iso",)),
    "S04": ([("presence", ("data", "residency", "recovery", "objectives", "rto", "rpo", "backup", "restore"))], ("data", "residency", "recovery", "objectives", "rto", "rpo", "backup", "restore"), ("must",)),
    "S05": ([("presence", ("signed", "data", "processing", "agreement", "subprocessors"))], ("signed", "data", "processing", "agreement", "subprocessors"), ("must",)),
    "SV1": ([("quantity", "<=", 5.0, "working_day")], ("5 working days", "defective meters replaced"), ("days",)),
    "SV2": ([("quantity", "<=", 30.0, "minute"), ("presence", ("24x7",))], ("24 hours", "7 days", "severity 1", "30 minutes", "responds incidents", "24x7"), ("days",)),
    "SV3": ([("presence", ("preventive", "maintenance", "plan", "schedule"))], ("preventive", "maintenance", "plan", "schedule"), ("must",)),
    "C08": ([("quantity", "=", 0.1, "percent", "contract price", "day"), ("quantity", "<=", 10.0, "percent", "contract price")], ("0.1%", "10%", "liquidated damages"), ("percent",)),
    "C09": ([("form", "PV-2"), ("presence", ("price", "schedule", "line", "totals", "delivery", "days"))], ("PV-2", "price", "schedule", "line", "totals", "delivery", "days"), ("money", "days", "form", "table")),
    "C10": ([("presence", ("incoterms", "rule", "split", "delivery", "responsibilities"))], ("incoterms", "rule", "split", "delivery", "responsibilities"), ("money", "table")),
    "C11": ([("presence", ("warranty", "terms", "duration", "scope"))], ("warranty", "terms", "duration", "scope"), ("must",)),
    "D01": ([("presence", ("master", "delivery", "plan", "milestones", "lead", "times"))], ("master", "delivery", "plan", "milestones", "lead", "times"), ("days",)),
    "D02": ([("presence", ("resource", "plan", "installation", "teams", "qualifications"))], ("resource", "plan", "installation", "teams", "qualifications"), ("must",)),
    "H01": ([("presence", ("hse", "plan", "local", "regulations", "employer", "policy"))], ("hse", "plan", "local", "regulations", "employer", "policy"), ("must",)),
    "H02": ([("presence", ("quality", "plan", "inspection", "calibration", "handling", "nonconformities"))], ("quality", "plan", "inspection", "calibration", "handling", "nonconformities"), ("must",)),
    "L01": ([("presence", ("deviations", "exceptions", "contract", "terms", "table"))], ("deviations", "exceptions", "contract", "terms", "table"), ("must",)),
    "L02": ([("presence", ("consortium", "special", "purpose", "vehicle", "parent", "company", "guarantee"))], ("consortium", "special", "purpose", "vehicle", "parent", "company", "guarantee"), ("money", "percent", "bond")),
}  # fmt: skip


@pytest.fixture(scope="module")
def shipped() -> dict[str, Requirement]:
    file = load_catalog(CATALOG)
    return {rule.rule_id: derive(rule, submission_date=file.submission_date) for rule in file.rules}


def brief(predicate: Predicate) -> tuple[object, ...]:
    kept = [getattr(predicate, n) for n in _NAMES if getattr(predicate, n) not in ("", None, False, ())]
    return (predicate.kind, *kept)


def test_the_shipped_catalog_has_the_rules_written_out_here(shipped: dict[str, Requirement]) -> None:
    assert list(shipped) == list(RULES)
    assert len(shipped) == 32
    assert sum(rule.mandatory for rule in shipped.values()) == 14


@pytest.mark.parametrize("rule_id", RULES)
def test_a_shipped_rule_asks_for_what_its_words_say(rule_id: str, shipped: dict[str, Requirement]) -> None:
    predicates, sentries, pools = RULES[rule_id]
    rule = shipped[rule_id]
    assert [brief(p) for p in rule.predicates] == predicates
    assert rule.sentry_terms == sentries
    assert tag_pools(rule) == pools


def test_r12_in_full(shipped: dict[str, Requirement]) -> None:
    rule = shipped["R12"]
    assert rule.predicates == (
        Predicate(
            kind="quantity",
            measure=("bid security",),
            comparator=">=",
            value=2.0,
            unit="percent",
            base="total bid price",
            text="2%",
        ),
        Predicate(
            kind="quantity",
            measure=("valid", "bid security"),
            comparator=">=",
            value=90.0,
            unit="day",
            text="90 days",
        ),
    )
    assert rule.sentry_terms == ("2%", "90 days", "bid security", "valid")
    assert rule.section_hints == ("Section III", "3.2", "Bid Security")
    assert {"bid bond", "tender guarantee", "EMD", "caution de soumission", "validité des offres"} <= set(
        rule.synonyms
    )
    assert "bid security" not in rule.synonyms
    assert tag_pools(rule) == ("money", "percent", "days", "bond")


def test_r14_in_full(shipped: dict[str, Requirement]) -> None:
    rule = shipped["R14"]
    assert rule.predicates == (
        Predicate(
            kind="quantity",
            measure=("bid valid",),
            comparator=">=",
            value=120.0,
            unit="calendar_day",
            text="120 calendar days",
        ),
    )
    assert rule.sentry_terms == ("120 calendar days", "bid valid")
    assert rule.section_hints == ("Section III", "3.4", "Bid Validity")
    assert {"bid validity", "validité des offres"} <= set(rule.synonyms)
    assert tag_pools(rule) == ("days",)  # S1: calENdar days are no EN standard


def test_r21_in_full(shipped: dict[str, Requirement]) -> None:
    rule = shipped["R21"]
    assert rule.predicates == tuple(
        Predicate(
            kind="standard",
            code=code,
            edition=edition,
            date=DATE,
            valid_on_submission=True,
            text=f"{code}:{edition}",
        )
        for code, edition in (("ISO 9001", "2015"), ("ISO/IEC 27001", "2022"))
    )
    assert rule.sentry_terms == ("ISO 9001:2015", "ISO/IEC 27001:2022")
    assert rule.section_hints == ("Section III", "3.5", "Certificates")
    assert rule.submission_date == DATE
    assert tag_pools(rule) == ("iso", "date")


def test_t05_in_full(shipped: dict[str, Requirement]) -> None:
    rule = shipped["T05"]
    assert rule.predicates[:2] == (
        Predicate(kind="standard", code="IEC 62053-21", terms=("class 1",), text="IEC 62053-21 Class 1"),
        Predicate(
            kind="standard", code="IEC 62053-22", terms=("class 0.5s",), text="IEC 62053-22 Class 0.5S"
        ),
    )
    assert rule.predicates[2].terms == ("direct", "connected", "meters", "transformer", "operated")
    assert rule.sentry_terms[:4] == ("IEC 62053-21", "class 1", "IEC 62053-22", "class 0.5S")
    assert rule.section_hints == ("Section IV", "4.1", "Meter Performance")
    assert tag_pools(rule) == ("iso",)


def test_c08_in_full(shipped: dict[str, Requirement]) -> None:
    rule = shipped["C08"]
    rate, cap = rule.predicates
    assert rate == Predicate(
        kind="quantity", measure=("liquidated damages",), comparator="=", value=0.1, unit="percent",
        base="contract price", per="day", text="0.1%",
    )  # fmt: skip
    assert cap == Predicate(
        kind="quantity", measure=("liquidated damages",), comparator="<=", value=10.0, unit="percent",
        base="contract price", text="10%",
    )  # fmt: skip
    assert rule.sentry_terms == ("0.1%", "10%", "liquidated damages")
    assert {"LDs", "delay damages", "pénalités de retard"} <= set(rule.synonyms)
    assert rule.section_hints == ("Section VIII", "8.4", "Liquidated Damages")
    assert tag_pools(rule) == ("percent",)
