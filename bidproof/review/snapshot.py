"""Pictures of a rendered page, taken with a real Chromium. For tests and for the documentation.

Playwright is a development dependency and is imported here only when a picture is taken.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bidproof.errors import BadInputError

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSER_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_browser() -> str | None:
    """Path of an installed Chromium, or None."""
    return next((path for name in BROWSER_NAMES if (path := shutil.which(name))), None)


@contextmanager
def browser_page(
    width: int = 1440, height: int = 900, scheme: Literal["light", "dark"] = "light"
) -> Iterator[Page]:
    """A blank page of `width` by `height` CSS pixels in a fresh headless Chromium.

    Raises:
        BadInputError: no Chromium is installed.
        ImportError: playwright is not installed.
    """
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        raise BadInputError("chromium", "no Chromium on the PATH", "install the chromium package")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(BROWSER_ARGUMENTS))
        try:
            yield browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        finally:
            browser.close()


def _show(page: Page, path: Path, fragment: str) -> None:
    """Opens a file and waits for the script of a report, which marks the page when its data is read."""
    page.goto(path.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
    page.locator("html[data-ready], html:not(:has(#data))").wait_for(state="attached")


def screenshot(
    html_path: Path,
    png_path: Path,
    width: int = 1440,
    height: int = 900,
    actions: Callable[[Page], None] | None = None,
    scheme: Literal["light", "dark"] = "light",
    fragment: str = "",
) -> None:
    """Writes `png_path`, a picture of `html_path` as a window of `width` by `height` CSS pixels shows it.

    Args:
        html_path: file to open; its deep link may be given as `fragment`, e.g. `rule=R12&bidder=acme`.
        png_path: picture to write.
        width: CSS pixels.
        height: CSS pixels.
        actions: called with the page before the picture is taken, to click or to scroll.
        scheme: preferred colour scheme.
        fragment: what stands after `#` in the address.

    Raises:
        BadInputError: no Chromium is installed.
        ImportError: playwright is not installed.
    """
    with browser_page(width, height, scheme) as page:
        _show(page, html_path, fragment)
        if actions is not None:
            actions(page)
        page.screenshot(path=str(png_path), animations="disabled")


def print_pdf(html_path: Path, pdf_path: Path, fragment: str = "") -> None:
    """Writes `pdf_path`, `html_path` as Chromium prints it with the page size of its style sheet.

    Raises:
        BadInputError: no Chromium is installed.
        ImportError: playwright is not installed.
    """
    with browser_page() as page:
        _show(page, html_path, fragment)
        page.pdf(path=str(pdf_path), prefer_css_page_size=True, print_background=True)
