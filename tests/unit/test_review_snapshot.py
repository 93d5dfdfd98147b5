"""Pictures and prints of a page by a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.errors import BadInputError
from bidproof.records import Gate, MatchKind, Status
from bidproof.review import snapshot
from bidproof.review.html import to_html
from bidproof.review.model import Bidder, Catalog, Cell, Matrix, Passage, Provenance, Rule

QUOTE = "valid for 120 days"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    passage = Passage(
        chunk_id="a:1", file_name="offer.pdf", page=47, text=f"The bid is {QUOTE}. We sign for it."
    )
    matrix = Matrix(
        tender="meters", tender_name="Smart meters", catalog=Catalog(version="c1"),
        bidders=(Bidder(slug="acme", name="Acme", gate=Gate.FAIL, gate_reasons=("one", "two", "three", "a fourth reason"), passed=1),),
        rules=(Rule(rule_id="R1", number=0, area="Admin", mandatory=True, text="Bid valid for 90 days."),),
        cells=(Cell(rule_id="R1", bidder="acme", status=Status.PASS, quote=QUOTE, match_kind=MatchKind.EXACT, page=47, citation="PDF 47", evidence=passage),),
        provenance=Provenance(parameters={"selection": {"k_step": 2}}),
    )  # fmt: skip
    path = tmp_path / "matrix.html"
    path.write_text(to_html(matrix), encoding="utf-8")
    return path


@pytest.mark.browser
def test_the_print_holds_watermark_folded_parts_and_the_open_evidence(report: Path, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    pymupdf = pytest.importorskip("pymupdf")
    if snapshot.find_browser() is None:
        pytest.skip("no chromium on the PATH")
    snapshot.print_pdf(report, tmp_path / "matrix.pdf", fragment="rule=R1&bidder=acme")
    with pymupdf.open(tmp_path / "matrix.pdf") as document:
        sheets = [" ".join(sheet.get_text().split()) for sheet in document]
        assert document[0].rect.width > document[0].rect.height
    assert all("Unreviewed" in sheet for sheet in sheets)
    text = " ".join(sheets)
    assert "Mandatory rules" in text
    assert "a fourth reason" in text
    assert "k_step" in text
    assert "We sign for it." in sheets[-1]


@pytest.mark.browser
def test_a_picture_is_as_large_as_asked_and_follows_the_colour_scheme(report: Path, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    pymupdf = pytest.importorskip("pymupdf")
    if snapshot.find_browser() is None:
        pytest.skip("no chromium on the PATH")
    corners = []
    for scheme in ("light", "dark"):
        snapshot.screenshot(
            report, tmp_path / f"{scheme}.png", 800, 600, lambda page: page.keyboard.press("Tab"), scheme
        )
        picture = pymupdf.Pixmap(str(tmp_path / f"{scheme}.png"))
        assert (picture.width, picture.height) == (800, 600)
        corners.append(picture.pixel(2, 200)[0])
    assert corners[0] > 200 > 60 > corners[1]


def test_a_missing_browser_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    monkeypatch.setattr(snapshot, "find_browser", lambda: None)
    with pytest.raises(BadInputError, match="install the chromium package"):
        snapshot.screenshot(tmp_path / "a.html", tmp_path / "a.png")
