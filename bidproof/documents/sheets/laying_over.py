"""Overlays and words brought together: what a field or note shows becomes words, what it does not is a remark."""

from __future__ import annotations

import re

from bidproof.documents.integrity import speaks_to_a_judge
from bidproof.documents.page import Affine, RawPage, Rect, Remark, transform
from bidproof.documents.sheets.overlays import Overlay
from bidproof.documents.sheets.word import Hidden, Word
from bidproof.documents.sheets.words import Fragment, PageWords

_MARKS = {True: "☑", False: "☐"}
_BESIDE = 60.0
_FIELD_SIZE = 10.0
_QUAD = 0.6


def lay_over(words: PageWords, overlays: list[Overlay], matrix: Affine, raw: RawPage) -> None:
    """Bring `words` of the page to what its overlays show, and add their remarks to `raw`.

    Args:
        words: words in the reading frame.
        overlays: what lies on the page.
        matrix: from MuPDF's page space to the reading frame.
        raw: the page; its `to_page` maps the reading frame to the page as displayed.
    """
    for overlay in overlays:
        box = transform(overlay.box, matrix)
        place = raw.place(box)
        if overlay.kind in ("check", "radio"):
            _lay_button(words, overlay, box)
        elif overlay.kind in ("text", "list"):
            raw.remarks.append(_lay_field(words, overlay, box, raw.page, place))
            continue
        elif overlay.kind == "typed" and overlay.shown and not overlay.printed:
            _hide(words, box, overlay.value)
        elif overlay.kind == "strike" and overlay.visible:
            _strike(words, [transform(quad, matrix) for quad in overlay.quads])
        remark = _remark(overlay, words, box, raw.page, place)
        if remark is not None:
            raw.remarks.append(remark)


def lay_over_scan(words: PageWords, overlays: list[Overlay], matrix: Affine) -> None:
    """Put what fields and typed notes hold in the place of what was recognised of them. Adds no remarks."""
    for overlay in overlays:
        box = transform(overlay.box, matrix)
        if overlay.kind in ("check", "radio"):
            _lay_button(words, overlay, box)
        elif overlay.kind in ("text", "list", "typed") and overlay.visible and overlay.value:
            _change(words, {id(word) for word in _within(words, box)})
            _add_lines(words, overlay.value, box)


def inside_any(word: Word, boxes: list[Rect]) -> bool:
    """The middle of a word lies in one of the boxes."""
    return any(_inside(word, box) for box in boxes)


def _inside(word: Word, box: Rect) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _within(words: PageWords, box: Rect) -> list[Word]:
    return [word for part in words.fragments for word in part.words if _inside(word, box)]


def _change(words: PageWords, chosen: set[int], **values: object) -> None:
    """The chosen words, by identity, with other values; without values they go."""
    for part in words.fragments:
        if any(id(word) in chosen for word in part.words):
            part.words = [
                word._replace(**values) if id(word) in chosen else word  # type: ignore[arg-type]
                for word in part.words
                if values or id(word) not in chosen
            ]
    words.fragments = [part for part in words.fragments if part.words]


def _hide(words: PageWords, box: Rect, text: str) -> None:
    own = set(text.split())
    chosen = {id(word) for word in _within(words, box) if word.text in own}
    _change(words, chosen, hidden=Hidden.SCREEN_ONLY)


def _strike(words: PageWords, quads: list[Rect]) -> None:
    chosen = set()
    for quad in quads:
        for part in words.fragments:
            for word in part.words:
                shared = min(word.x1, quad[2]) - max(word.x0, quad[0])
                middle = (word.y0 + word.y1) / 2
                if quad[1] <= middle <= quad[3] and shared >= _QUAD * (word.x1 - word.x0):
                    chosen.add(id(word))
    _change(words, chosen, struck=True)


def _lay_button(words: PageWords, overlay: Overlay, box: Rect) -> None:
    """A check box reads as its state, not as the letter of the sign font that draws it (a tick is a 3 there)."""
    _change(words, {id(word) for word in _within(words, box)})
    if not overlay.visible:
        return
    text = _MARKS[overlay.on]
    beside = _beside(words, box)
    if beside is None and overlay.name:
        text += f" {overlay.name}: {'on' if overlay.on else 'off'}"
    size = beside.size if beside else min(max(box[3] - box[1], 4.0), _FIELD_SIZE)
    base = beside.base if beside else box[3] - 0.2 * (box[3] - box[1])
    _add(words, text, box, base, size)


def _beside(words: PageWords, box: Rect) -> Word | None:
    """The live word printed nearest on the same line, right or left of a box."""
    middle, best = (box[1] + box[3]) / 2, None
    for part in words.fragments:
        if not part.level:
            continue
        for word in part.words:
            if word.y0 <= middle <= word.y1 and not word.hidden and not word.struck:
                gap = max(word.x0 - box[2], box[0] - word.x1)
                if gap <= _BESIDE and (best is None or gap < best[0]):
                    best = (gap, word)
    return best[1] if best else None


def _add(words: PageWords, text: str, box: Rect, base: float, size: float) -> None:
    parts = text.split()
    width = (box[2] - box[0]) / max(len(parts), 1)
    made = [
        Word(part, box[0] + at * width, max(box[1], base - size), box[0] + (at + 1) * width, base + 0.3 * size,
             base, size, False, False, Hidden.SEEN)
        for at, part in enumerate(parts)
    ]  # fmt: skip
    if made:
        words.fragments.append(Fragment(made))


def _squashed(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def _lay_field(words: PageWords, overlay: Overlay, box: Rect, page: int, place: Rect) -> Remark:
    """A text or choice field: its value is text where the field shows it or would show it when opened."""
    said = f"{overlay.name} = {' '.join(overlay.value.split())}" if overlay.name else overlay.value
    if not overlay.visible:
        severity = "alert" if speaks_to_a_judge(overlay.value) else "warn" if overlay.value else "info"
        _hide(words, box, overlay.value)
        detail = "a form field that does not print: its value is no part of the page"
        return Remark(page, "form_field", said, detail, severity, False, place)
    within = _within(words, box)
    if overlay.kind == "list":
        # A list shows all that could be chosen; what is chosen is marked by colour only.
        _change(words, {id(word) for word in within})
        within = []
    shown = " ".join(word.text for word in within)
    if not overlay.value:
        detail = "an empty form field" if not shown else "an empty form field over printed text"
        return Remark(page, "form_field", said, detail, "info", True, place)
    if not within:
        _add_lines(words, overlay.value, box)
    elif not _agree(overlay.value, shown):
        detail = f"the field shows “{shown[:120]}” but holds another value; only what it shows is read"
        return Remark(page, "form_field", said, detail, "warn", False, place)
    elif len(within) > 2 and "".join(word.text for word in within) == overlay.value:
        # A comb shows one digit a box; its value is one figure.
        first, last = within[0], within[-1]
        _change(words, {id(word) for word in within[1:]})
        _change(words, {id(first)}, text=overlay.value, x1=last.x1)
    return Remark(page, "form_field", said, "value of a form field", "info", True, place)


def _agree(value: str, shown: str) -> bool:
    """The value stands in what is shown; a figure may be shown with separators and decimals of its own."""
    one, other = _squashed(value), _squashed(shown)
    if one in other or other in one:
        return True
    digits, shown_digits = re.sub(r"\D", "", one), re.sub(r"\D", "", other)
    return bool(digits) and not re.search(r"[^\W\d]", one) and shown_digits.startswith(digits)


def _add_lines(words: PageWords, value: str, box: Rect) -> None:
    lines = [line for line in value.split("\n") if line.strip()]
    pitch = (box[3] - box[1]) / max(len(lines), 1)
    size = min(_FIELD_SIZE, max(0.8 * pitch, 4.0))
    for number, line in enumerate(lines):
        top = box[1] + number * pitch
        _add(words, line, (box[0], top, box[2], top + pitch), top + 0.5 * pitch + 0.35 * size, size)


def _remark(overlay: Overlay, words: PageWords, box: Rect, page: int, place: Rect) -> Remark | None:
    by = f" by {overlay.author}" if overlay.author else ""
    aside = "alert" if speaks_to_a_judge(overlay.value, claims=False) else "info"
    if overlay.kind in ("check", "radio"):
        said = f"{overlay.name} = {'on' if overlay.on else 'off'}"
        what = "check box" if overlay.kind == "check" else "radio button"
        detail = f"a {what}" if overlay.visible else f"a {what} that does not print"
        return Remark(page, "form_field", said, detail, "info", overlay.visible, place)
    if overlay.kind == "signature":
        return _signature(overlay, page, place)
    if overlay.kind == "strike":
        if not overlay.value and overlay.visible:
            return None
        return Remark(page, "annotation", overlay.value, f"note on text crossed out{by}", aside, False, place)
    if overlay.kind == "redaction":
        detail = "marked to be blacked out, yet the text is still there and is read; ask for the final copy"
        return Remark(page, "annotation", overlay.value, detail, "warn", False, place)
    if overlay.kind == "comment":
        detail = f"a comment{by}, no part of the page; look at it"
        return Remark(page, "annotation", overlay.value, detail, aside, False, place)
    text = overlay.value or " ".join(word.text for word in _within(words, box))
    if overlay.visible:
        return Remark(page, "annotation", text, f"typed or stamped on the page{by}", "info", True, place)
    severity = "alert" if speaks_to_a_judge(text) else "warn" if text else "info"
    return Remark(page, "annotation", text, f"a note{by} that does not print", severity, False, place)


def _signature(overlay: Overlay, page: int, place: Rect) -> Remark:
    signing = overlay.signing
    named = f"{overlay.name}: " if overlay.name else ""
    if signing is None:
        return Remark(
            page, "signature", f"{named}not signed", "an empty signature field", "warn", True, place
        )
    detail = (
        "an electronic signature; that it is valid was not verified: open it in a PDF reader that checks it"
    )
    if signing.grown:
        detail = f"something was added to the file after it was signed; {detail}"
    severity = "warn" if signing.grown else "info"
    return Remark(page, "signature", f"{named}{signing.line}", detail, severity, True, place)
