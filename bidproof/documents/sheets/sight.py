"""Remarks on words that nobody sees or that are crossed out, one a run of lines, with what it means and the mend."""

from __future__ import annotations

from collections.abc import Iterator

from bidproof.documents.integrity import speaks_to_a_judge
from bidproof.documents.page import Affine, RawPage, Rect, Remark, around, transform
from bidproof.documents.sheets.word import Hidden, Word
from bidproof.documents.sheets.words import Fragment

_WHY = {
    Hidden.OUTSIDE: "lies outside the page's box",
    Hidden.TINY: "is printed too small to be seen",
    Hidden.UNPAINTED: "is drawn without ink",
    Hidden.PALE: "has the colour of its ground",
    Hidden.ALIKE: "has the colour of its ground",
    Hidden.COVERED: "is covered by what is drawn over it",
    Hidden.CLIPPED: "is cut away by a clipping path",
    Hidden.LAYER: "is on a layer that is switched off",
    Hidden.SCREEN_ONLY: "shows on the screen but not in print",
}
_STRUCK = 100
_LINES = 2.5
_FEW, _SHARE = 4, 0.3


def remarks_on_sight(raw: RawPage, fragments: list[Fragment]) -> Iterator[Remark]:
    """Remarks on the hidden and struck words of a page, in the order in which they are drawn."""
    for why, words in _runs(fragments):
        text = " ".join(word.text for word in words)
        box = raw.place(around([(word.x0, word.y0, word.x1, word.y1) for word in words]))
        yield _remark(raw.page, why, text, box)


def remarks_on_layer(page: int, layer: list[Word], read: str, to_page: Affine) -> Iterator[Remark]:
    """What the text layer of a scan says and its picture does not show; the layer itself is not read.

    A few words more are slips of recognition. `to_page` maps the words' frame to the page as displayed.
    """
    seen = set(map(_folded, read.split()))
    live = [word for word in layer if not word.hidden and not word.struck]
    unseen = [word for word in live if len(_folded(word.text)) > 1 and _folded(word.text) not in seen]
    text = " ".join(word.text for word in unseen)
    alert = speaks_to_a_judge(text)
    if not alert and (len(unseen) < _FEW or len(unseen) < _SHARE * len(live)):
        return
    box = transform(around([(word.x0, word.y0, word.x1, word.y1) for word in unseen]), to_page)
    detail = "stands in the text layer, but the picture of the page does not show it; the picture is read"
    yield Remark(page, "hidden_text", text, detail, "alert" if alert else "warn", False, box)


def _folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def remarks_on_marks(raw: RawPage, fragments: list[Fragment], marks: list[Rect]) -> Iterator[Remark]:
    """Drawn ticks and crosses that lie on no word: the text does not hold what they answer."""
    words = [word for part in fragments for word in part.words if word.struck] if marks else []
    for box in sorted(marks, key=lambda each: (each[1], each[0])):
        if any(box[0] < w.x1 and box[2] > w.x0 and box[1] < w.y1 and box[3] > w.y0 for w in words):
            continue
        detail = "a tick or cross is drawn here and is in no text; look at the page for what it answers"
        yield Remark(raw.page, "drawn_mark", "", detail, "warn", False, raw.place(box))
        if detail not in raw.notes:
            raw.notes.append(detail)


def remark_on_trust(page: int, live: str) -> Remark:
    """A scan whose text layer is read without a look at its picture."""
    detail = "the text layer under a scan is read on trust; compare it with the picture where it decides"
    if speaks_to_a_judge(live, claims=False):
        said = next((line for line in live.split(". ") if speaks_to_a_judge(line, claims=False)), live)
        return Remark(page, "text_layer", said, f"speaks to whoever judges the bid; {detail}", "alert", True)
    return Remark(page, "text_layer", "", detail, "info", True)


def _runs(fragments: list[Fragment]) -> Iterator[tuple[int, list[Word]]]:
    """Words of one reason that follow one another, over lines as long as these are near."""
    reason, run = 0, list[Word]()
    for part in fragments:
        for word in part.words:
            why = _STRUCK if word.struck else int(word.hidden)
            near = not run or abs(word.base - run[-1].base) <= _LINES * max(word.size, run[-1].size)
            if why != reason or not near:
                if reason:
                    yield reason, run
                reason, run = why, []
            if why:
                run.append(word)
    if reason:
        yield reason, run


def _remark(page: int, why: int, text: str, box: Rect) -> Remark:
    if why == _STRUCK:
        detail = "crossed out on the page; no evidence"
        return Remark(page, "struck_text", text, detail, "info", False, box)
    kind = "off_page_text" if why == Hidden.OUTSIDE else "hidden_text"
    if speaks_to_a_judge(text):
        detail = f"{_WHY[Hidden(why)]} and speaks to whoever judges the bid; ask the bidder what it is for"
        return Remark(page, kind, text, detail, "alert", False, box)
    worded = any(letter.isalnum() for letter in text)
    detail = f"{_WHY[Hidden(why)]}; no evidence"
    return Remark(page, kind, text, detail, "warn" if worded else "info", False, box)
