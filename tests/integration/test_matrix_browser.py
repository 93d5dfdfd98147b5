"""The compliance matrix in a real Chromium: what a reviewer sees, clicks, filters and may trust."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from matrix_tender import ATTACK, CATALOG, HEBREW, PROVENANCE, RFP_SHA, RULES, VERDICTS, frames

from bidproof.review.html import to_html
from bidproof.review.matrix import build_matrix
from bidproof.review.snapshot import browser_page, find_browser

pytest.importorskip("playwright", reason="playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason="no chromium on the PATH"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("matrix") / "matrix.html"
    path.write_text(to_html(build_matrix(**frames(), provenance=PROVENANCE)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browser_page() as page:
        yield page.context.browser


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The report in a fresh window. On leaving: no error was logged and nothing was asked of the network."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(5000)
    errors: list[str] = []
    asked: list[str] = []
    page.on(
        "console",
        lambda message: errors.append(message.text) if message.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.locator("html[data-ready]").wait_for()
    yield page
    hurt = page.evaluate("window.hurt === undefined")
    page.close()
    assert errors == []
    assert {url.split("#")[0] for url in asked} == {report.as_uri()}
    assert hurt


def _cell(page: Any, rule: str, bidder: str) -> Any:
    column = {"aster": 0, "brig": 1}[bidder]
    return page.locator("tr.r", has=page.locator(".rid", has_text=rule)).locator("button.cell").nth(column)


def _shown(page: Any) -> list[str]:
    return page.locator("tr.r:visible .rid").all_inner_texts()


def test_every_pill_says_its_verdict_in_words_and_mandatory_rules_stand_first(page: Any) -> None:
    assert _shown(page) == [rule[0] for rule in RULES]
    dividers = page.locator("tr.divider").all_inner_texts()
    assert [d.split(" 4 ")[0] for d in dividers] == ["Mandatory rules", "Scored rules"]
    for (bidder, rule), verdict in VERDICTS.items():
        assert _cell(page, rule, bidder).locator(".pill").inner_text().strip() == verdict[0]
    assert _cell(page, "R01", "aster").locator(".cite").inner_text() == "p. 43 (PDF 47)"
    assert _cell(page, "R02", "brig").locator(".cite").inner_text() == "PDF 14"


def test_the_badges_say_that_nothing_was_reviewed_and_that_the_catalog_is_a_draft(page: Any) -> None:
    assert page.locator("#review-badge").inner_text() == "Machine verdicts, not yet reviewed"
    assert page.locator("#draft-badge").inner_text() == "DRAFT catalog"


def test_a_bidder_card_shows_gate_reasons_counts_scores_and_unread_pages(page: Any) -> None:
    card = page.locator("article.bidder").nth(1)
    words = card.inner_text()
    assert card.locator("h2").inner_text() == "Brig & Søn <b>A/S</b>"
    assert card.locator(".gate").inner_text().strip() == "Gate cannot be decided"
    assert "R01 fails: 60 days against 90" in words
    assert "498 of 500 pages readable; 1 file could not be opened: annex <c>.pdf" in words
    assert "75%" in words
    assert [" ".join(c.split()) for c in card.locator(".counts li").all_inner_texts()] == [
        "5 Pass",
        "1 Partial",
        "1 Fail",
        "1 Missing",
    ]


def test_a_click_shows_the_quote_in_its_passage_with_page_file_and_checks(page: Any) -> None:
    _cell(page, "R01", "aster").click()
    drawer = page.locator("#drawer")
    assert drawer.is_visible()
    assert page.locator("#d-where").inner_text() == "Aster Metering"
    quote = drawer.locator(".d-proof blockquote")
    assert quote.locator("mark").inner_text() == VERDICTS["aster", "R01"][1]
    assert quote.inner_text().startswith("This part of our offer answers")
    assert quote.inner_text().endswith("We sign for it.")
    assert drawer.locator(".d-proof .source").inner_text() == "p. 43 (PDF 47) · technical/offer.pdf"
    assert drawer.locator(".d-proof .path").inner_text() == "3 Commercial offer › 3.2 Conditions"
    assert [" ".join(t.split()) for t in drawer.locator(".checks li.pass").all_inner_texts()] == [
        "passed: schema",
        "passed: quote located",
    ]
    assert "61.50" in drawer.locator(".passages").inner_text()
    assert "table guard, rank 2" in drawer.locator(".passages").inner_text()
    assert "Reading of R01 for aster." in drawer.inner_text()


def test_a_missing_cell_shows_its_absence_certificate_and_what_the_judge_said(page: Any) -> None:
    _cell(page, "R04", "aster").click()
    certificate = page.locator(".certificate").inner_text()
    assert "Form BS-2 is attached" in certificate
    assert "annexes A to H" in certificate
    assert "no quote was found in the passages" in page.locator(".checks li.fail").inner_text()
    assert "The judge said Pass" in page.locator(".d-head").inner_text()


def test_a_quote_that_is_not_verbatim_is_marked_for_review(page: Any) -> None:
    cell = _cell(page, "T01", "brig")
    assert cell.locator(".needs").is_visible()
    cell.click()
    assert "not verified" in page.locator(".match").inner_text()
    assert "elided" in page.locator(".reason").inner_text()


def test_text_of_a_bid_never_becomes_markup(page: Any) -> None:
    _cell(page, "T02", "aster").click()
    assert page.locator(".d-proof mark").inner_text() == f"We offer {ATTACK} as asked"
    assert page.locator(".d-text").inner_text() == f"Text that attacks: {ATTACK}"
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_hebrew_runs_right_to_left_and_long_words_stay_inside_the_drawer(page: Any) -> None:
    _cell(page, "D01", "aster").click()
    block = page.locator(".d-proof blockquote")
    assert block.locator("mark").inner_text() == HEBREW
    _cell(page, "T01", "aster").click()
    assert page.evaluate(
        "document.getElementById('d-body').scrollWidth <= document.getElementById('d-body').clientWidth"
    )


def test_control_characters_are_gone_and_the_reader_is_told(page: Any) -> None:
    _cell(page, "D01", "brig").click()
    assert page.locator(".d-proof mark").inner_text() == "OK within 45 days"
    assert (
        "brig: control characters were taken out of the quote for rule D01"
        in page.locator("#warnings").inner_text()
    )


def test_filters_keep_the_rules_that_fit_and_dim_the_cells_that_do_not(page: Any) -> None:
    page.locator(".chip.fail").click()
    assert _shown(page) == ["R01", "C01"]
    assert page.locator("#f-count").inner_text() == "2 of 8 rules"
    assert "dim" in (_cell(page, "R01", "aster").get_attribute("class") or "")
    assert "dim" not in (_cell(page, "R01", "brig").get_attribute("class") or "")
    page.locator("#f-mandatory").select_option("no")
    assert _shown(page) == ["C01"]
    page.locator("#f-reset").click()
    assert len(_shown(page)) == 8
    page.locator("#f-area").select_option("Security")
    assert _shown(page) == ["R03"]
    page.locator("#f-reset").click()
    page.locator("#f-review").click()
    assert _shown(page) == ["R03", "T01", "T02"]
    page.locator("#f-reset").click()
    page.locator("#f-text").fill("okafor bs-1")
    assert _shown(page) == ["R04"]
    page.locator("#f-text").fill("nothing of the kind")
    assert page.locator("#nothing").is_visible()
    assert page.locator("tr.divider:visible").count() == 0


def test_the_matrix_is_walked_by_arrow_keys_opened_by_enter_and_closed_by_escape(page: Any) -> None:
    _cell(page, "R01", "aster").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.url.endswith("#rule=R02&bidder=brig")
    assert page.locator("#d-where").inner_text() == "Brig & Søn <b>A/S</b>"
    page.keyboard.press("j")
    assert page.url.endswith("#rule=R03&bidder=brig")
    page.keyboard.press("h")
    assert page.url.endswith("#rule=R03&bidder=aster")
    page.keyboard.press("Escape")
    assert page.locator("#drawer").is_hidden()
    assert "#" not in page.url
    assert page.evaluate("document.activeElement.dataset.cell") == "4"
    assert page.locator("button.cell[tabindex='0']").count() == 1


def test_a_deep_link_opens_its_cell_and_an_unknown_one_opens_none(browser: Any, report: Path) -> None:
    page = browser.new_page()
    page.goto(report.as_uri() + "#rule=R03&bidder=brig")
    page.locator("#drawer:visible").wait_for()
    assert page.locator(".d-proof mark").inner_text() == "ISO/IEC 27001:2022, valid to 2027-05-31"
    page.goto("about:blank")
    page.goto(report.as_uri() + "#rule=R99&bidder=brig")
    page.locator("html[data-ready]").wait_for()
    assert page.locator("#drawer").is_hidden()
    page.close()


def test_head_row_and_first_column_stay_in_view_while_scrolling(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 700})
    page.evaluate(
        "document.getElementById('app').scrollTo(120, document.getElementById('matrix').offsetTop + 400)"
    )
    head = page.locator("#matrix thead th.rule").bounding_box()
    assert head["x"] == 0
    assert 0 <= head["y"] < 120
    assert page.locator("tr.r th.rule").nth(4).bounding_box()["x"] == 0


def test_the_footer_names_catalog_hash_parameters_and_files(page: Any) -> None:
    words = page.locator("footer").inner_text()
    assert CATALOG in words
    assert RFP_SHA in words
    page.locator("footer summary", has_text="Parameters").click()
    assert "guard_table" in page.locator("footer .params").first.inner_text()
    page.locator("footer summary", has_text="input files").click()
    assert "aster/technical/offer.pdf" in page.locator(".hashes").inner_text()


def _luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


CONTRAST = """() => {
  const seen = [];
  for (const node of document.querySelectorAll('.pill, .badge, .gate, .cite, .area, .excerpt, .counts li, .of, .coverage, .divider span, .chip .n, .fine, .reason, .quiet, .path, blockquote, mark, .match, .checks li, .needs-text, .placeholder')) {
    if (!node.offsetParent) continue;
    let back = node;
    while (back && getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;
    seen.push([node.className, getComputedStyle(node).color, getComputedStyle(back || document.body).backgroundColor]);
  }
  return seen;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_by_4_5_to_1(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    for rule, bidder in (("R03", "aster"), ("R04", "aster"), ("T01", "brig")):
        _cell(page, rule, bidder).click()
        for name, ink, ground in page.evaluate(CONTRAST):
            light, dark = sorted((_luminance(ink), _luminance(ground)), reverse=True)
            ratio = (light + 0.05) / (dark + 0.05)
            assert ratio >= 4.5, f"{scheme}: {name} has {ratio:.2f} to 1 ({ink} on {ground})"
