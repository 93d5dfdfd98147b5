"""Pictures in files without pages: a scan pasted into a Word file or a sheet is read by OCR like a page.

Decides nothing about where the text stands in its file.
"""

from __future__ import annotations

from bidproof.documents.assembly import assemble
from bidproof.documents.opening import open_image
from bidproof.documents.sheets.reading import read_page
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams

# Pixels: smaller ones are logos, rules and bullets; a stamp or signature has little more.
_MIN_WIDTH, _MIN_HEIGHT, _MIN_AREA = 300, 100, 120_000


def read_picture(data: bytes, params: DocumentParams, lacking: set[str]) -> tuple[list[str], str]:
    """Texts of a picture from top to bottom, and what is wrong: both empty for one that is too small for text.

    Recognition data that it would have needed is added to `lacking`.
    """
    try:
        document = open_image(data, "picture")
    except UnreadableFileError as error:
        return [], error.what
    try:
        width, height = max(
            ((each["width"], each["height"]) for each in document[0].get_image_info()), default=(0, 0)
        )
        if width < _MIN_WIDTH or height < _MIN_HEIGHT or width * height < _MIN_AREA:
            return [], ""
        raw = read_page(document, 1, params)
        lacking.update(raw.lacking)
        if raw.status not in ("ocr", "text"):
            return [], "" if raw.status == "blank" else "; ".join(raw.notes) or raw.status
        rows = assemble([raw], params)
        kept = [row for row in rows["blocks"] if not row["struck"] and not row["hidden"]]
        return [row["text"] for row in kept], ""
    except Exception as error:
        # As with pages: one picture must not take the file along.
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        return [], f"it cannot be read ({reason})"
    finally:
        document.close()
