"""The review page of a catalog in a real Chromium: it runs under its own policy, by keys, and prints whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidproof.catalog.formats.files import CatalogFile
from bidproof.records import Requirement, Source
from bidproof.review.catalog_page import catalog_html
from bidproof.review.snapshot import browser_page, find_browser

pytest.importorskip("playwright", reason="playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason="no chromium on the PATH"),
]

ATTACK = '</script><script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">'


def rule(number: int, **fields: object) -> Requirement:
    values = {
        "text": f"Validité d'au moins {number} jours",
        "mandatory": number % 2 == 1,
        "area": "Admin",
        **fields,
    }
    source = Source(file_name="rfp.pdf", page=number, quote=str(values["text"]))
    return Requirement.model_validate({"rule_id": f"R{number}", "sources": (source,), **values})


def test_a_reviewer_walks_filters_and_prints_the_draft(tmp_path: Path) -> None:
    rules = (rule(1), rule(2, text=ATTACK), rule(3, flags=("deadline",)), rule(4, area="Technique"))
    page_file = tmp_path / "page.html"
    page_file.write_text(
        catalog_html(CatalogFile(rules=rules, title="Compteurs", status="draft"), ()), "utf-8"
    )
    said: list[str] = []
    with browser_page() as page:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(page_file.as_uri())
        assert page.evaluate("window.hurt") is None
        page.keyboard.press("j")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.id") == "rule-2"
        page.keyboard.press("k")
        assert page.evaluate("document.activeElement.id") == "rule-1"
        page.keyboard.press("/")
        page.keyboard.type("validite 3")
        assert page.inner_text("#shown") == "1 of 4 rules"
        page.keyboard.press("Escape")
        page.select_option("#show", "flag-deadline")
        assert page.locator(".rule:visible").count() == 1
        page.emulate_media(media="print")
        assert not page.locator("#tools").is_visible()
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= 390")
    assert said == []


def test_a_reviewer_marks_rules_by_keys_and_saves_the_marks_for_the_catalog(tmp_path: Path) -> None:
    rules = tuple(rule(number) for number in range(1, 6))
    torn = {"conflicts": ("R4 and R9 contradict one another",), "version": "abc"}
    page_file = tmp_path / "page.html"
    page_file.write_text(catalog_html(CatalogFile(rules=rules, status="draft", **torn), ()), "utf-8")
    with browser_page() as page:
        page.goto(page_file.as_uri())
        assert not page.locator("#save").is_visible()
        for key in ("j", "s", "x", "j", "m", "n"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == "rule-4"
        assert page.inner_text("#seen") == "seen 3 of 5"
        page.select_option("#show", "unseen")
        assert page.locator(".rule:visible").count() == 2
        page.select_option("#show", "conflict")
        assert page.locator(".rule:visible").count() == 1
        with page.expect_download() as saved:
            page.click("#save")
        assert Path(saved.value.path()).read_text("utf-8") == 'id,mark\n"R2",drop\n"R3",optional\n'
        page.reload()
        assert page.inner_text("#save") == "Save 2 marks"
