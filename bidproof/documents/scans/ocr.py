"""The recognition engine inside PyMuPDF: one page or a part of it, in one language, turned as asked.

Which language a page is in is settled in `recognition`, which data is at hand in `bidproof.recognition_data`. No
system package is needed for English; other languages come from tesseract's data folders.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, NamedTuple

from bidproof.documents.drawing import draw
from bidproof.documents.page import Rect, transform
from bidproof.documents.scans.scanned_rules import gray_of, without_rules
from bidproof.documents.scans.skew import skew_of, straightened
from bidproof.documents.scans.strikes import find_strikes, parted
from bidproof.documents.sheets.condition import grain_of
from bidproof.recognition_data import find_data

# A1 at 150 dots per inch takes 17 million; larger pages are drawn coarser, as the engine would run out of memory.
_MOST_PIXELS = 60_000_000
_COARSEST = 20
# Under 200 dots per inch the program that tells which way up a page is guesses wrong half of the time.
_OSD_DPI = 200
_OSD_SECONDS = 60
# Ink that is paler than paper by less than that is made darker; under the least, or so many times the grain of the
# paper, there is noise only.
_FAINT, _FAINTEST, _BLACKEST, _CLEAR = 130, 10, 0.02, 6
_SURE_TURN, _SURE_SCRIPT = 2.0, 1.0

CODES = {
    "en": "eng", "fr": "fra", "es": "spa", "pt": "por", "it": "ita", "de": "deu", "nl": "nld", "vi": "vie",
    "ro": "ron", "pl": "pol", "ar": "ara", "he": "heb", "hi": "hin", "el": "ell", "ru": "rus", "ko": "kor",
    "ja": "jpn", "zh": "chi_sim", "th": "tha", "bn": "ben", "ta": "tam",
}  # fmt: skip
"""Tesseract's code of each language that is told from text, by ISO 639-1."""

NAMES = {
    "en": "English", "fr": "French", "es": "Spanish", "pt": "Portuguese", "it": "Italian", "de": "German",
    "nl": "Dutch", "vi": "Vietnamese", "ro": "Romanian", "pl": "Polish", "ar": "Arabic", "he": "Hebrew",
    "hi": "Hindi", "el": "Greek", "ru": "Russian", "ko": "Korean", "ja": "Japanese", "zh": "Chinese",
    "th": "Thai", "bn": "Bengali", "ta": "Tamil",
}  # fmt: skip
_SCRIPTS = {
    "Cyrillic": "ru", "Han": "zh", "Japanese": "ja", "Hangul": "ko", "Korean": "ko", "Arabic": "ar", "Hebrew": "he",
    "Greek": "el", "Devanagari": "hi", "Bengali": "bn", "Tamil": "ta", "Thai": "th",
}  # fmt: skip


class OcrError(Exception):
    """The page could not be recognised; the message says why and the mend."""


class Bearing(NamedTuple):
    """Which way up a page is (degrees clockwise to turn it by) and the language of its script; "" for Latin."""

    turn: int
    language: str


def recognise(
    page: Any,
    language: str,
    folder: str,
    dpi: int,
    turn: int = 0,
    clip: Rect | None = None,
    joined: bool = False,
) -> dict[str, Any]:
    """MuPDF's raw dictionary of the recognised text, in its unrotated page space laid straight. In one thread.

    Entries are added: `skew`, the degrees by which the rows of the page fall to the right (`skew.askew` leads back);
    `strikes`, boxes of what is crossed out, whose spans have `struck` set; `hatched`, true where so many strokes are
    drawn that nothing crossed out could be told.

    Args:
        page: the open page.
        language: tesseract codes, joined by `+`.
        folder: where their data lies.
        dpi: dots per inch.
        turn: degrees clockwise by which the page is turned first.
        clip: part of the page as displayed, where not all of it.
        joined: letters of the script run together in a bar, which would pass for a stroke: none is looked for.

    Raises:
        OcrError: the engine failed.
    """
    import pymupdf

    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(_COARSEST, min(dpi, int(72 * (_MOST_PIXELS / area) ** 0.5)))
    matrix = pymupdf.Matrix(dpi / 72, dpi / 72).prerotate(turn)
    try:
        drawn = draw(page, pymupdf.csGRAY, matrix=matrix, clip=clip)
        scale = 72 / dpi
        gray = _stretched(gray_of(drawn))
        skew = skew_of(gray, scale)
        gray, left, top = straightened(gray, skew)
        sought = None if joined else find_strikes(gray, scale)
        strikes = sought or []
        live, struck = parted(gray, strikes, scale) if strikes else (gray, None)
        origin = pymupdf.Matrix(1, 0, 0, 1, drawn.x - left, drawn.y - top)
        back = origin * ~matrix * page.derotation_matrix
        raw = _read(without_rules(live, scale), dpi, language, folder, back)
        raw["skew"], raw["hatched"] = skew, sought is None
        pixels = pymupdf.Matrix(1 / scale, 1 / scale) * back
        raw["strikes"] = [transform(strike.letters, tuple(pixels)) for strike in strikes]
        if struck is not None:
            crossed_out = _read(struck, dpi, language, folder, back)
            for span in _spans(crossed_out):
                span["struck"] = True
            raw["blocks"] += crossed_out["blocks"]
        return raw
    except (RuntimeError, ValueError, OSError) as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise OcrError(f"recognition failed ({reason}); scan the page again") from None


def _read(gray: Any, dpi: int, language: str, folder: str, back: Any) -> dict[str, Any]:
    """What the engine reads in a gray picture; `back` maps its pixels to where the words shall stand."""
    import pymupdf

    height, width = gray.shape
    picture = pymupdf.Pixmap(pymupdf.csGRAY, width, height, gray.tobytes(), False)
    # The engine reads nothing at all on gray pictures.
    picture = pymupdf.Pixmap(pymupdf.csRGB, picture)
    picture.set_dpi(dpi, dpi)
    read = pymupdf.open(stream=picture.pdfocr_tobytes(compress=False, language=language, tessdata=folder))
    with read:
        found = read[0]
        size = width / found.rect.width
        place = pymupdf.Matrix(size, size) * back
        raw: dict[str, Any] = found.get_textpage(pymupdf.INFINITE_RECT(), 0, place).extractRAWDICT()
        return raw


def _stretched(gray: Any) -> Any:
    """A pale picture with its darkest ink made black; others as they are."""
    import numpy as np

    # Print covers a few hundredths of a page: its blackest part is looked at.
    dark, light = np.percentile(gray[::2, ::2], (_BLACKEST, 50))
    if not max(_FAINTEST, _CLEAR * grain_of(gray)) <= light - dark < _FAINT:
        return gray
    return np.clip((gray.astype(np.float32) - dark) * (light / (light - dark)), 0, 255).astype(np.uint8)


def _spans(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            yield from line["spans"]


def text_of(raw: dict[str, Any]) -> str:
    """The characters of a raw dictionary, a line of the page a line."""
    return "\n".join(
        "".join(char["c"] for span in line["spans"] for char in span["chars"])
        for block in raw["blocks"]
        if block.get("type", 0) == 0
        for line in block["lines"]
    )


def bearing(page: Any, folders: tuple[str, ...]) -> Bearing | None:
    """Which way up a page is and in which script, as tesseract's program sees it; None where that is not sure."""
    folder, present, _ = find_data(("osd",), folders)
    program = shutil.which("tesseract")
    if not present or program is None:
        return None
    import pymupdf

    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(_COARSEST, min(_OSD_DPI, int(72 * (_MOST_PIXELS / area) ** 0.5)))
    picture = draw(page, pymupdf.csGRAY, dpi=dpi).tobytes("png")
    command = [program, "-", "-", "--psm", "0", "-l", "osd", "--dpi", str(dpi), "--tessdata-dir", folder]
    try:
        done = subprocess.run(
            command, input=picture, capture_output=True, timeout=_OSD_SECONDS, check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return _bearing_of(done.stdout.decode("utf-8", "replace"))


def _bearing_of(said: str) -> Bearing | None:
    facts = {
        name.strip(): rest.strip() for name, _, rest in (line.partition(":") for line in said.splitlines())
    }
    try:
        turn, sure = int(facts["Rotate"]), float(facts["Orientation confidence"])
        script, plain = facts["Script"], float(facts["Script confidence"])
    except (KeyError, ValueError):
        return None
    language = _SCRIPTS.get(script, "") if plain >= _SURE_SCRIPT else ""
    return Bearing(turn if sure >= _SURE_TURN else 0, language)
