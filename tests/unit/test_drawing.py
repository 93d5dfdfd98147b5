"""A page is drawn as PyMuPDF draws it, and never by way of a display list, on which MuPDF can abort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest

import bidproof.documents
from bidproof.documents.drawing import draw


def page(rotation: int = 0) -> Any:
    made = pymupdf.open().new_page(width=300, height=400)
    made.insert_text((40, 60), "Bid security: EUR 12,000", fontsize=14)
    made.draw_rect((50, 100, 200, 150), color=(1, 0, 0), fill=(0.2, 0.4, 0.9))
    made.add_freetext_annot((60, 200, 220, 240), "a note on the page", fontsize=11)
    field = pymupdf.Widget()
    field.rect, field.field_name, field.field_value = pymupdf.Rect(60, 260, 200, 280), "sum", "12,000"
    field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
    made.add_widget(field)
    made.set_rotation(rotation)
    return made


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("colorspace", [pymupdf.csGRAY, pymupdf.csRGB])
@pytest.mark.parametrize(
    "how",
    [{"dpi": 100}, {"dpi": 72, "clip": (40, 40, 220, 290)}, {"matrix": pymupdf.Matrix(1.5, 1.5).prerotate(90)}, {}],
)  # fmt: skip
def test_a_page_is_drawn_pixel_by_pixel_as_pymupdf_draws_it(
    rotation: int, colorspace: Any, how: dict[str, Any]
) -> None:
    one = page(rotation)
    known = one.get_pixmap(colorspace=colorspace, alpha=False, **how)
    drawn = draw(one, colorspace, **how)
    assert (drawn.width, drawn.height, drawn.x, drawn.y, drawn.xres, drawn.n) == (
        known.width, known.height, known.x, known.y, known.xres, known.n,
    )  # fmt: skip
    assert drawn.samples == known.samples
    assert min(drawn.samples) < 255


def test_no_reader_records_a_page_before_it_draws_it() -> None:
    sources = Path(bidproof.documents.__file__).parent.rglob("*.py")
    assert not [
        path.name
        for path in sources
        if ".get_pixmap(" in path.read_text() or ".get_displaylist(" in path.read_text()
    ]
