"""A page as a scanner would deliver it: an image without a text layer."""

from __future__ import annotations

import io

import pymupdf
from PIL import Image, ImageFilter

SCAN_DPI = 170
TILT_DEGREES = 0.55
JPEG_QUALITY = 42


def scan_page(pdf: bytes) -> bytes:
    """Render page 1 of `pdf` as a slightly tilted, slightly soft grey JPEG."""
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        pixmap = document[0].get_pixmap(dpi=SCAN_DPI, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)
    image = image.rotate(TILT_DEGREES, resample=Image.Resampling.BICUBIC, fillcolor=244)
    image = image.filter(ImageFilter.GaussianBlur(0.6)).point(lambda level: min(level, 246))
    out = io.BytesIO()
    image.save(out, format="JPEG", quality=JPEG_QUALITY)
    return out.getvalue()
