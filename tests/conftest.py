"""Fixtures that several tests share: a small tender of text PDFs, made afresh each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

RULES = """\
tender: water-meters
title: Water meters
submission_date: 2026-03-31
rules:
  - {id: V1, area: Admin, mandatory: true, text: "Bid validity of at least 120 calendar days from the submission deadline.", clause_ref: "2 Bids > 2.1 Bid Validity"}
  - {id: V2, area: Admin, mandatory: true, text: "Bid security of 2% of the total bid price.", clause_ref: "2 Bids > 2.2 Bid Security"}
  - {id: T1, area: Technical, mandatory: false, text: "Water meters comply with ISO 4064.", clause_ref: "3 Technical"}
  - {id: C1, area: Commercial, mandatory: false, text: "Warranty of at least 36 months.", clause_ref: "4 Commercial > 4.1 Warranty"}
"""

RFP = [
    "2 Bids", "2.1 Bid Validity",
    "The bidder shall keep its bid valid for at least 120 calendar days from the submission deadline.",
    "2.2 Bid Security", "The bidder shall furnish a bid security of 2% of the total bid price.",
    "3 Technical", "Water meters shall comply with ISO 4064.",
    "4 Commercial", "4.1 Warranty", "The supplier shall grant a warranty of at least 36 months.",
]  # fmt: skip

GOOD = [
    "1 Administrative offer", "1.1 Bid Validity",
    "Our bid remains valid for 150 calendar days from the submission deadline.",
    "1.2 Bid Security", "We enclose a bid security issued by our bank for 2% of the total bid price.",
    "2 Technical offer", "All water meters offered comply with ISO 4064:2014, as the attached test report shows.",
    "3 Commercial offer", "3.1 Warranty", "We grant a warranty of 48 months on every meter from delivery.",
]  # fmt: skip

BAD = [
    "1 Administrative offer", "1.1 Bid Validity",
    "Our bid remains valid for 60 calendar days from the submission deadline.",
    "1.2 Bid Security", "We enclose a bid security issued by our bank for 2% of the total bid price.",
    "2 Technical offer", "All water meters offered comply with ISO 4064:2014, as the attached test report shows.",
    "3 Commercial offer", "3.1 Warranty", "We grant a warranty of 24 months on every meter from delivery.",
]  # fmt: skip


def write_pdf(path: Path, lines: list[str], pages: int = 1) -> Path:
    """A PDF of `pages` pages; the lines stand on the first, filler on the others."""
    import pymupdf

    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for number in range(pages):
            page = document.new_page()
            texts = (
                lines
                if number == 0
                else [
                    f"{number + 4} Method statement",
                    f"Team {number} installs the meters street by street.",
                ]
            )
            for row, text in enumerate(texts):
                heading = text[0].isdigit() and len(text) < 40
                page.insert_text(
                    (72, 90 + 30 * row),
                    text,
                    fontsize=13 if heading else 10,
                    fontname="hebo" if heading else "helv",
                )
        document.save(path)
    return path


@pytest.fixture(scope="session")
def pdf_writer() -> Callable[..., Path]:
    """Writes a PDF: path, lines, pages."""
    return write_pdf


def make_small_tender(folder: Path) -> Path:
    """Inbox of one tender with two bidders: `good` meets every rule, `bad` has a short validity and warranty."""
    tender = folder / "inbox" / "water-meters"
    write_pdf(tender / "rfp" / "rfp.pdf", RFP)
    write_pdf(tender / "bids" / "good" / "offer.pdf", GOOD, pages=3)
    write_pdf(tender / "bids" / "bad" / "offer.pdf", BAD, pages=3)
    (tender / "catalog.yaml").write_text(RULES, encoding="utf-8")
    return folder / "inbox"


@pytest.fixture(scope="session")
def small_tender() -> Callable[[Path], Path]:
    """Makes the small tender's inbox in a folder."""
    return make_small_tender


@pytest.fixture
def small_inbox(tmp_path: Path) -> Path:
    """The small tender's inbox, never run."""
    return make_small_tender(tmp_path)
