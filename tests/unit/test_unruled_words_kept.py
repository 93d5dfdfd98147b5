"""No word of a table without rules is lost, however its heads lie over each other."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from bidproof.documents import parse_file
from bidproof.params import DocumentParams

# Heads as printed: (left end, base, words). The heads stand at heights of their own, over and between columns.
HEADS = [
    (270, 100, "Twelve months ended June"),
    (520, 96, "Comparable"),
    (524, 104, "constant"),
    (72, 112, "Adjusted results"),
    (255, 112, "2022 in millions"),
    (342, 112, "2023 in millions"),
    (435, 112, "Reported change"),
    (522, 112, "currency"),
]
ROWS = [("Net sales", 14544), ("Operating profit", 2117), ("Income before tax", 1701), ("Net income", 1224)]


@pytest.mark.parametrize("shift", [0, 20, 45, 80])
def test_every_word_of_heads_that_lie_over_each_other_is_in_a_cell(tmp_path: Path, shift: int) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for x, y, text in HEADS:
        page.insert_text((x + (shift if "ended" in text else 0), y), text, fontsize=7)
    for number, (label, figure) in enumerate(ROWS):
        y = 128 + 12 * number
        page.insert_text((72, y), label, fontsize=8)
        for x, value in ((300, figure), (387, figure - 52), (470, number + 3), (545, number + 1)):
            page.insert_text((x, y), f"{value:,}", fontsize=8)
    path = tmp_path / "results.pdf"
    document.save(path)
    parsed = parse_file(path, DocumentParams(), workers=0)
    text = " ".join(parsed.blocks["text"])
    assert parsed.table_cells["table_no"].n_unique() == 1
    for _, _, head in HEADS:
        for word in head.split():
            assert word in text
