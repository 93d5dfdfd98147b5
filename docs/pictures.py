"""Makes the README's pictures from a warehouse that `make demo` filled. Usage: pictures.py [WAREHOUSE].

The matrix is photographed as written; the asset graph is photographed in the Dagster UI, started for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from bidproof.review.snapshot import browser_page, screenshot

HERE = Path(__file__).resolve().parent
PORT = 3119


def matrix_picture(warehouse: Path) -> None:
    """The example's matrix with one cell opened."""
    page = warehouse / "reports/smart-meters/matrix.html"
    screenshot(page, HERE / "matrix.png", 1440, 900, fragment="rule=R14&bidder=bluefern-grid")


def graph_picture() -> None:
    """The asset graph with all groups expanded."""
    command = [
        sys.executable,
        "-m",
        "dagster_webserver",
        "-m",
        "pipelines.definitions",
        "-p",
        str(PORT),
        "--read-only",
    ]
    server = subprocess.Popen(
        command,
        cwd=HERE.parent,
        env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{PORT}/server_info")
        with browser_page(2200, 1600, "light") as page:
            page.goto(f"http://127.0.0.1:{PORT}/asset-groups")
            page.wait_for_selector("text=retrieval", timeout=60_000)
            page.wait_for_timeout(3_000)
            page.keyboard.press("Alt+e")
            page.wait_for_timeout(5_000)
            # Out by the button, then up with the wheel, until all groups stand in view.
            for _ in range(3):
                page.mouse.click(2172, 1452)
                page.wait_for_timeout(1_000)
            page.mouse.move(1500, 800)
            page.mouse.wheel(0, -60)
            page.wait_for_timeout(2_000)
            page.screenshot(
                path=str(HERE / "assets.png"), clip={"x": 918, "y": 290, "width": 910, "height": 1175}
            )
    finally:
        server.terminate()
        server.wait()


def _wait_for(url: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    raise TimeoutError(f"{url} did not answer in {seconds:.0f} s")


if __name__ == "__main__":
    matrix_picture(Path(sys.argv[1] if len(sys.argv) > 1 else "warehouse"))
    graph_picture()
