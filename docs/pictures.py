"""Makes the README's picture of the matrix from a warehouse that `make demo` filled. Usage: pictures.py [WAREHOUSE]."""

from __future__ import annotations

import sys
from pathlib import Path

from bidproof.review.snapshot import screenshot

HERE = Path(__file__).resolve().parent


def matrix_picture(warehouse: Path) -> None:
    """The example's matrix with one cell opened."""
    page = warehouse / "reports/smart-meters/matrix.html"
    screenshot(page, HERE / "matrix.png", 1440, 900, fragment="rule=R14&bidder=bluefern-grid")


if __name__ == "__main__":
    matrix_picture(Path(sys.argv[1] if len(sys.argv) > 1 else "warehouse"))
