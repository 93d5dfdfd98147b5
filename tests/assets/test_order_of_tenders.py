"""A run takes tenders in the order of the deadlines of their gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.intake.inbox import Tender
from pipelines import execute


def test_the_tender_whose_gates_are_wanted_first_is_run_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {
        "a-open": "",
        "b-late": "scheduling: {gate_by: '2027-03-02T00:30:00+03:00'}",
        "c-soon": "scheduling: {gate_by: '2027-03-01T12:00:00+00:00'}",
        "d-wrong": "scheduling: {gate_by: soon}",
    }
    for name, params in wanted.items():
        (tmp_path / "inbox" / name / "bids" / "acme").mkdir(parents=True)
        (tmp_path / "inbox" / name / "bids" / "acme" / "bid.txt").write_text("We comply.", encoding="utf-8")
        if params:
            (tmp_path / "inbox" / name / "params.yaml").write_text(params, encoding="utf-8")
    seen: list[str] = []
    monkeypatch.setattr(execute.ReadAhead, "start", lambda self, tenders, sources: None)

    def noting(self: object, tender: Tender, only: set[str]) -> None:
        seen.append(tender.tender)

    monkeypatch.setattr(execute._Runner, "tender", noting)
    execute.run_inbox(tmp_path / "inbox", str(tmp_path / "w"), project_root=tmp_path)
    assert seen == ["c-soon", "b-late", "a-open", "d-wrong"]
