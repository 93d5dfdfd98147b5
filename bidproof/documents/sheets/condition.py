"""Whether a page's text can be trusted: blank, readable, garbled, or only a picture.

Measures; reads no text itself. Thresholds stand here with their reasons; those that a user may turn are
in `DocumentParams`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bidproof.documents.drawing import draw
from bidproof.documents.page import Rect

# Share of word-like tokens under which a text layer is taken for noise. Real pages of six languages,
# price schedules and code lists among them, stay above .75; shifted or mangled encodings below .5.
WORDLIKE = 0.55
_MIN_TOKENS = 20
_SAMPLED = 300
_UNDECODED = 0.1
_INK_DPI = 100
# A plan of a metre by a half at that density; larger pages are drawn coarser.
_INK_PIXELS = 4_000_000
# Darker paper, or that share of black inside the edges: no paper, whatever it holds.
_INK_DARK, _BLACK, _BLACK_AREA = 160, 90, 0.02
_MANY_LETTERS = 10_000
# Ink is darker than what lies around it by so much of 255: noise and the weave of paper are not.
_NEAR, _PALEST, _GRAIN, _EDGE = 21, 9, 3.5, 0.03
# Pixels apart at which the weave of paper is no longer alike.
_WEAVE = 5
# Points: the least height or width of a letter; rules are thinner and longer.
_LETTER, _THIN, _RULE = 3.5, 2.5, 28.0
_HOLE, _UNROUND, _BESIDE = (11.0, 28.0), 3.0, 60.0
_WHOLE = 0.6
SCAN_COVER = 0.5
_PICTURE = 0.05
_VOWELS = frozenset("aeiouy")
_CODE = re.compile(r"[A-Za-z]{0,6}[-./]?\d[\w.,/%:°-]*|\d[\d.,/%:-]*[A-Za-z]{0,3}")
_RUNS = re.compile(r"[A-Za-z]{4,}")
_EDGES = "()[]{}<>\"'«»“”‘’.,;:!?…*•-–—_/\\|=+&%$€£#@~^`©®™°§"
_PARTS = re.compile(r"[-/'’.&@_+:,;()]")
_BRACKETED = re.compile(r"[(\[][^)\]]{0,8}[)\]]")


def wordlike_share(text: str) -> tuple[float, int]:
    """Share of tokens that look like words, numbers or codes, and the number of tokens with letters.

    Of a long text some three hundred tokens, evenly spread, are looked at.
    """
    good = lettered = 0
    every = text.split()
    for token in every[:: 1 + len(every) // _SAMPLED]:
        fit = _looks_right(token)
        if fit is not None:
            lettered += 1
            good += fit
    return (good / lettered if lettered else 1.0), lettered


@lru_cache(maxsize=1 << 16)
def _looks_right(token: str) -> bool | None:
    """Whether a token looks like a word, number or code; None for one without letters. Tokens recur: kept."""
    core = _BRACKETED.sub("", token).strip(_EDGES)
    if not any(letter.isalpha() for letter in core):
        return None
    return all(_wordlike(part) for part in _PARTS.split(core) if part)


def _wordlike(part: str) -> bool:
    if part.isdigit() or _CODE.fullmatch(part):
        return not any(_humps(run) > 1 for run in _RUNS.findall(part))
    if not part.isalpha() and not unicodedata.category(part[-1]).startswith("M"):
        return False
    if not (part.islower() or part.isupper() or part[1:].islower() or not part.isascii()):
        # camelCase of two humps is a name; more humps are noise.
        return _humps(part) <= 1 and len(part) > 3
    if len(part) <= 3 or (part.isupper() and len(part) <= 6):
        return True
    base = unicodedata.normalize("NFD", part.lower())
    return not part.isascii() or any(letter in _VOWELS for letter in base)


def _humps(run: str) -> int:
    """Capitals after small letters."""
    return sum(a.islower() and b.isupper() for a, b in pairwise(run))


_PRIVATE = re.compile("[\ue000-\uf8ff]")


def is_garbled(text: str, undecoded: int, dropped: int) -> bool:
    """True when a text layer is noise: characters that stand for nothing, or words that are none."""
    letters = sum(map(len, text.split()))
    private = 0 if text.isascii() else len(_PRIVATE.findall(text))
    lost = undecoded + dropped + private
    if letters and lost > _UNDECODED * (letters + dropped) and (letters > 40 or lost > 0.5 * letters):
        return True
    share, tokens = wordlike_share(text)
    return tokens >= _MIN_TOKENS and share < WORDLIKE


def letters_drawn(page: Any) -> int:
    """How many marks of the size of a letter the page shows, however pale; 0 for a page that is blank.

    Specks, rules alone, punched holes and the shadows along the edges of a scan are no letters. What cannot be
    taken apart (a dark page, a large dark area) counts as many.
    """
    import cv2
    import numpy as np
    import pymupdf

    area = max(abs(page.rect.width * page.rect.height), 1.0)
    dpi = max(1, min(_INK_DPI, int(72 * (_INK_PIXELS / area) ** 0.5)))
    drawn = draw(page, pymupdf.csGRAY, dpi=dpi)
    gray = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width]
    point, edge = dpi / 72, max(round(_EDGE * min(gray.shape)), 1)
    inner = gray[edge:-edge, edge:-edge] if min(gray.shape) > 4 * edge else gray
    paper = int(np.median(inner))
    if paper < _INK_DARK or float((inner < _BLACK).mean()) > _BLACK_AREA:
        return _MANY_LETTERS
    near = cv2.blur(gray, (_NEAR, _NEAR)).astype(np.int16)
    ink = (near - gray > max(_PALEST, _GRAIN * grain_of(gray))).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    boxes = stats[1:].astype(np.float64)
    x, y, width, height, pixels = boxes.T
    long, short = np.maximum(width, height) / point, np.minimum(width, height) / point
    letter = (long >= _LETTER) & (pixels >= _LETTER * point) & ~((short <= _THIN) & (long > _RULE))
    # Shadows touch the edge of the picture.
    letter &= (x > 0) & (y > 0) & (x + width < gray.shape[1]) & (y + height < gray.shape[0])
    return int((letter & ~_is_hole(boxes, point, gray.shape)).sum())


def grain_of(gray: Any) -> float:
    """How far paper strays from its own shade, in parts of 255: by how much two points near each other differ.

    The median knows no ink, however much of the page it covers: most points beside ink are ink, and others paper.
    """
    import numpy as np

    apart = np.abs(gray[::4, _WEAVE:].astype(np.int16) - gray[::4, :-_WEAVE])
    return float(np.median(apart)) if apart.size else 0.0


def _is_hole(boxes: Any, point: float, shape: tuple[int, int]) -> Any:
    """Which marks are holes punched beside the edge: round, and filled or ringed."""
    import numpy as np

    x, y, width, height, _ = boxes.T
    middle_x, middle_y = x + width / 2, y + height / 2
    beside = np.minimum.reduce([middle_x, middle_y, shape[1] - middle_x, shape[0] - middle_y]) / point
    size = np.maximum(width, height) / point
    round_ = np.abs(width - height) / point <= _UNROUND
    return round_ & (size >= _HOLE[0]) & (size <= _HOLE[1]) & (beside <= _BESIDE)


def is_blank(page: Any) -> bool:
    """True when the page shows nothing of the size of a letter."""
    return letters_drawn(page) == 0


def is_whole(text: str, page: Any) -> bool:
    """Whether a short recognised text is all that the page shows: about as many signs as there are marks."""
    signs = sum(letter.isalnum() for letter in text)
    return signs > 0 and signs >= _WHOLE * letters_drawn(page)


def readable_share(page: Rect, pictures: Iterable[Rect], texts: list[Rect]) -> float:
    """Area of text over area of text and of pictures without text on them, 0 to 1.

    Small pictures (logos, stamps) and pictures behind text (letterheads, scans that carry a text layer)
    hold nothing that is not read.
    """
    whole = max((page[2] - page[0]) * (page[3] - page[1]), 1.0)
    unread = 0.0
    for box in pictures:
        area = overlap(box, page)
        if area < _PICTURE * whole:
            continue
        unread += area if sum(overlap(box, text) for text in texts) < 0.02 * area else 0.0
    read = sum((box[2] - box[0]) * (box[3] - box[1]) for box in texts)
    return round(read / (read + unread), 3) if read + unread > 0 else 0.0


def cover(page: Rect, pictures: Iterable[Rect]) -> float:
    """Share of the page that its largest picture covers."""
    whole = max((page[2] - page[0]) * (page[3] - page[1]), 1.0)
    return max((overlap(box, page) / whole for box in pictures), default=0.0)


def overlap(one: Rect, other: Rect) -> float:
    """Area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)
