"""An invented tender of eight rules and two bidders as tables: every verdict, foreign scripts, text that attacks."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from bidproof import tables

TENDER, CATALOG, RFP_SHA = "grid-meters", "c0ffee" * 8, "ab" * 32
ATTACK = '</script><script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">'
LONG_WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 3
HEBREW = "המציע מתחייב לתוקף הצעה של 120 ימים"

RULES = [
    # id, area, mandatory, text, clause
    (
        "R01",
        "Admin",
        True,
        "The bid stays valid for at least ninety (90) days after the closing date.",
        "ITB 18.1",
    ),
    (
        "R02",
        "Commercial",
        True,
        "Bid security of at least two percent (2%) of the total bid price.",
        "ITB 19.3",
    ),
    (
        "R03",
        "Security",
        True,
        "A certificate to ISO/IEC 27001:2022 that is valid on the submission date.",
        "Section III, 4.2",
    ),
    ("R04", "Admin", True, "Form BS-1 filled in and signed by an authorised person.", "Annex G"),
    ("T01", "Technical", False, f"Meters reach accuracy class 0.5S under {LONG_WORD}.", "Section V, 2.1"),
    ("T02", "Technical", False, f"Text that attacks: {ATTACK}", "Section V, 2.2"),
    (
        "C01",
        "Commercial",
        False,
        "Delay damages of 0.1% per day, capped at 10% of the contract price.",
        "GCC 27",
    ),
    ("D01", "Delivery", False, "First 1,000 meters delivered within 60 days of signature.", "SCC 12"),
]

# bidder, rule: status, quote, page, label, match kind, review reason
VERDICTS: dict[tuple[str, str], tuple[str, str, int, str, str, str]] = {
    ("aster", "R01"): (
        "Pass",
        "Our offer remains valid for one hundred twenty (120) days",
        47,
        "43",
        "exact",
        "",
    ),
    ("aster", "R02"): ("Pass", "a bank guarantee of 2.5% of the total bid price", 12, "8", "typographic", ""),
    ("aster", "R03"): (
        "Partial",
        "certified to ISO/IEC 27001:2013 until 31 October 2026",
        88,
        "84",
        "exact",
        "superseded edition",
    ),
    ("aster", "R04"): ("Missing", "", 0, "", "none", ""),
    ("aster", "T01"): ("Pass", f"accuracy class 0.5S, see {LONG_WORD}", 101, "97", "dehyphenated", ""),
    ("aster", "T02"): ("Pass", f"We offer {ATTACK} as asked", 102, "98", "exact", ""),
    ("aster", "C01"): ("Fail", "damages are capped at 15% of the monthly invoice", 140, "136", "exact", ""),
    ("aster", "D01"): ("Pass", HEBREW, 150, "146", "exact", ""),
    ("brig", "R01"): ("Fail", "valid for sixty (60) days", 9, "ix", "exact", ""),
    ("brig", "R02"): ("Pass", "security of two percent (2%) of the total bid price", 14, "", "exact", ""),
    ("brig", "R03"): ("Pass", "ISO/IEC 27001:2022, valid to 2027-05-31", 77, "71", "exact", ""),
    ("brig", "R04"): ("Pass", "Form BS-1, signed J. Okafor", 20, "14", "exact", ""),
    ("brig", "T01"): ("Partial", "class 1.0 with class 0.5S as an option", 90, "84", "elided", ""),
    ("brig", "T02"): ("Missing", "", 0, "", "none", "the passage is hard to read"),
    ("brig", "C01"): ("Pass", "0.1% per day, at most 10% of the contract price", 120, "114", "exact", ""),
    ("brig", "D01"): ("Pass", "OK\x00\x16 within 45 days", 121, "115", "exact", ""),
}
ABSENCE = {
    "looked_in": ["bid form", "annexes A to H"], "pages_readable": 498, "pages_total": 500,
    "nearest_miss": {"page": 31, "text": "Form BS-2 is attached", "missing_terms": ["BS-1"]},
}  # fmt: skip


def _pack(bidder: str, **more: Any) -> dict[str, Any]:
    return {"tender": TENDER, "bidder": bidder, "pack": f"{TENDER}--{bidder}", **more}


def _chunk(bidder: str, chunk_id: str, page: int, text: str) -> dict[str, Any]:
    return _pack(
        bidder, doc_id=f"doc-{bidder}", file_name="technical/offer.pdf", chunk_id=chunk_id, page=page, pages=[page],
        heading_path="3 Commercial offer > 3.2 Conditions", text=text, kind="text",
    )  # fmt: skip


def _finding(bidder: str, rule: tuple[str, str, bool, str, str]) -> dict[str, Any]:
    status, quote, page, label, kind, reason = VERDICTS[bidder, rule[0]]
    return _pack(
        bidder, rule_id=rule[0], catalog_version=CATALOG, area=rule[1], mandatory=rule[2], status=status,
        judged_status="Pass" if status == "Missing" else status, quote=quote, match_kind=kind, chunk_id=f"{bidder}:{rule[0]}",
        rationale=f"Reading of {rule[0]} for {bidder}.", doc_id=f"doc-{bidder}", file_name="technical/offer.pdf" if quote else "",
        page=page or None, page_label=label, heading_path="3 Commercial offer > 3.2 Conditions" if quote else "",
        boxes=[{"page": page, "x0": 72.0, "y0": 420.25, "x1": 523.0, "y1": 436.0}] if quote else [],
        checks_passed=["schema", "quote located"] if quote else ["schema"],
        checks_failed=[] if quote else ["quote: no quote was found in the passages"], needs_review=bool(reason), review_reason=reason,
        risk="Low", other_quotes=["the other side says 30 days"] if rule[0] == "C01" else [],
        absence="" if quote else json.dumps(ABSENCE), judge="predicate",
    )  # fmt: skip


def _score(bidder: str, gate: str, reasons: list[str], unreadable: list[str]) -> dict[str, Any]:
    return _pack(
        bidder, catalog_version=CATALOG, gate=gate, gate_reasons=reasons, technical=0.75, technical_rules=3, commercial=0.5,
        commercial_rules=2, overall=0.6875, pages=500, pages_readable=498 if unreadable else 500, unreadable_files=unreadable,
    )  # fmt: skip


def frames() -> dict[str, pl.DataFrame]:
    """All tables of the tender's matrix by name."""
    bidders = ("aster", "brig")
    names = {"aster": "Aster Metering", "brig": "Brig & Søn <b>A/S</b>"}
    chunks, passages, candidates = [], [], []
    for (bidder, rule), (_, quote, page, _, _, _) in VERDICTS.items():
        where = page or 5
        before = "This part of our offer answers the clause named above. "
        chunks.append(
            _chunk(
                bidder,
                f"{bidder}:{rule}",
                where,
                f"{before}{quote or 'Form BS-2 is attached.'}. We sign for it.",
            )
        )
        chunks.append(
            _chunk(
                bidder,
                f"{bidder}:{rule}:b",
                where + 1,
                f"A second passage for {rule}: item | price\n12 | 61.50",
            )
        )
        for order, (suffix, why) in enumerate((("", "best"), (":b", "table guard")), start=1):
            chunk_id = f"{bidder}:{rule}{suffix}"
            key = _pack(bidder, rule_id=rule, catalog_version=CATALOG, chunk_id=chunk_id)
            passages.append({**key, "order_no": order, "why": why, "attempt": 1, "missing_terms": []})
            candidates.append({**key, "rank": order, "evidence_score": 6.5 - order})
    return {
        "requirements": tables.REQUIREMENTS.frame([
            {"tender": TENDER, "bidder": "", "pack": TENDER, "rule_id": r, "catalog_version": CATALOG, "rule_no": n, "area": a,
             "mandatory": m, "text": t, "clause_ref": c, "weight": 1.0, "draft": True, "source_page": 6 + n, "source_quote": f"RFP: {t}"}
            for n, (r, a, m, t, c) in enumerate(RULES)
        ]),
        "catalogs": tables.CATALOGS.frame([{
            "tender": TENDER, "bidder": "", "pack": TENDER, "catalog_version": CATALOG, "rules": len(RULES), "origin": "mined",
            "draft": True, "source_name": "rfp.pdf", "rfp_sha256": RFP_SHA, "author": "miner", "submission_date": "2026-09-30",
        }]),
        "documents": tables.DOCUMENTS.frame([
            _pack(b, doc_id=f"doc-{b}", file_name="technical/offer.pdf", tender_name="Smart meters for the Northern Grid, lot 2",
                  bidder_name=names[b], role="bid", kind="pdf", sha256=("1" if b == "aster" else "2") * 64, page_count=500, status="ok",
                  warnings=["2 pages without usable text"] if b == "brig" else [])
            for b in bidders
        ]),
        "candidates": tables.CANDIDATES.frame(candidates),
        "passages": tables.PASSAGES.frame(passages),
        "chunks": tables.CHUNKS.frame(chunks),
        "findings": tables.FINDINGS.frame([_finding(bidder, rule) for bidder in bidders for rule in RULES]),
        "scores": tables.SCORES.frame([
            _score("aster", "fail", ["R04 is missing: form BS-1 was not found in 500 readable pages"], []),
            _score("brig", "cannot decide", ["R01 fails: 60 days against 90", "2 unreadable pages under the hinted section"], ["annex <c>.pdf"]),
        ]),
    }  # fmt: skip


PROVENANCE = {
    "product_version": "0.1.0", "parameters": {"selection": {"k": 3, "guard_table": True}, "retrieval": {"bm25_top": 30}},
    "code_versions": {"findings": "4", "passages": "2"},
}  # fmt: skip
