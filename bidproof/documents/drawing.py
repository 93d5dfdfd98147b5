"""A page drawn as a picture.

Belongs here: drawing, and nothing else. Does not belong here: what is looked for in the picture.
"""

from __future__ import annotations

from typing import Any


def draw(page: Any, colorspace: Any, *, matrix: Any = None, dpi: int | None = None, clip: Any = None) -> Any:
    """What `page` looks like, its notes and form fields included, on white.

    The page is run straight into the picture. `Page.get_pixmap` records it in a display list first, and MuPDF aborts the
    whole process while it records some damaged pages (a double free) that it draws without trouble.

    Args:
        page: a page of PyMuPDF.
        colorspace: `pymupdf.csGRAY` or `pymupdf.csRGB`.
        matrix: what turns points of the page into pixels; `dpi` in its place scales alike both ways.
        dpi: pixels an inch.
        clip: part of the page that is drawn, in points; all of it if None.

    Returns:
        A `pymupdf.Pixmap` without alpha, as `Page.get_pixmap` gives it, pixel by pixel.
    """
    import pymupdf
    from pymupdf import mupdf

    if dpi:
        matrix = pymupdf.Matrix(dpi / 72, dpi / 72)
    given = mupdf.FzMatrix(*(matrix or pymupdf.Identity))
    native = page.this if isinstance(page.this, mupdf.FzPage) else mupdf.FzPage(page.this)
    area = mupdf.fz_bound_page(native)
    if clip is not None:
        area = mupdf.fz_intersect_rect(area, mupdf.FzRect(*pymupdf.Rect(clip)))
    bounds = mupdf.fz_round_rect(mupdf.fz_transform_rect(area, given))
    pixels = mupdf.fz_new_pixmap_with_bbox(colorspace.this, bounds, mupdf.FzSeparations(), 0)
    mupdf.fz_clear_pixmap_with_value(pixels, 0xFF)
    device = mupdf.fz_new_draw_device_with_bbox(given, pixels, bounds)
    mupdf.fz_run_page(native, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    drawn = pymupdf.Pixmap("raw", pixels)
    if dpi:
        drawn.set_dpi(dpi, dpi)
    return drawn
