"""Reading one page of an open PDF into a `RawPage`. Sees no other page.

A page that cannot be read is a `RawPage` that says so; nothing is raised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from bidproof.documents.grids.ruled_tables import find_grids, too_dense
from bidproof.documents.grids.rules import Rules, find_rules
from bidproof.documents.grids.unruled_tables import find_unruled
from bidproof.documents.language import guess_language
from bidproof.documents.page import Affine, Grid, Line, RawPage, Rect, Remark, transform
from bidproof.documents.scans.ocr import OcrError
from bidproof.documents.scans.recognition import is_rubbish, recognise_page
from bidproof.documents.scans.scanned_rules import rules_of_scan, without_strokes
from bidproof.documents.scans.skew import askew
from bidproof.documents.sheets import condition
from bidproof.documents.sheets.clipping import Doubts, find_doubts, hide_under_masked, hide_unseen
from bidproof.documents.sheets.combs import join_combs
from bidproof.documents.sheets.context import Context, all_layers
from bidproof.documents.sheets.covering import ground_fills, hide_covered, may_cover, show_on_dark
from bidproof.documents.sheets.laying_over import inside_any, lay_over, lay_over_scan
from bidproof.documents.sheets.loose_print import add_loose_print
from bidproof.documents.sheets.overlays import Overlay, read_overlays
from bidproof.documents.sheets.picture_text import add_picture_text, by_picture
from bidproof.documents.sheets.pictures import is_see_through, may_hold_pictures
from bidproof.documents.sheets.replaced_text import may_replace, shown_text
from bidproof.documents.sheets.sight import (
    remark_on_trust,
    remarks_on_layer,
    remarks_on_marks,
    remarks_on_sight,
)
from bidproof.documents.sheets.stream import Stream, read_stream
from bidproof.documents.sheets.strokes import drawn_marks, mark_struck
from bidproof.documents.sheets.ticks import name_ticks
from bidproof.documents.sheets.typed_in import set_in_place
from bidproof.documents.sheets.unmapped import Inkless, clear_inkless, remarks_on_characters
from bidproof.documents.sheets.word import Hidden
from bidproof.documents.sheets.words import Fragment, PageWords, Visibility, read_words
from bidproof.documents.structure.boxes import box_rows
from bidproof.documents.structure.columns import order_lines
from bidproof.params import DocumentParams

_SPARSE = 300
_OCR_GAIN = 1.5
# Upright rules beside two level ones: the one row of a wide table that a page may hold.
_SINGLE_ROW = 4


def read_page(document: Any, number: int, params: DocumentParams, context: Context | None = None) -> RawPage:
    """Physical page `number` (from 1) of an open document, of which `context` says what its pages share."""
    raw = RawPage(page=number)
    context = context or Context()
    try:
        page = document[number - 1]
        raw.width, raw.height, raw.rotation = page.rect.width, page.rect.height, page.rotation
        if context.labelled:
            raw.label = page.get_label()
        _Reader(page, raw, params, context).read()
    except Exception as error:
        # One page that MuPDF cannot stand must not take the others along; it stays as a row.
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raw.status, raw.coverage, raw.chars = "unreadable", 0.0, 0
        raw.lines, raw.grids = [], []
        raw.notes.append(f"page {number} cannot be read ({reason}); ask for a sound copy")
    return raw


class _Reader:
    def __init__(self, page: Any, raw: RawPage, params: DocumentParams, context: Context) -> None:
        self.page, self.raw, self.params, self.context = page, raw, params, context
        self.read_pictures: list[Rect] = []
        self.told = ""
        self.overlays: list[Overlay] = []
        self.contents = b""
        self.unread = 0.0
        self.inkless = Inkless()

    def read(self) -> None:
        import pymupdf

        drawings = self.page.get_cdrawings(extended=True)
        doubts = find_doubts(drawings)
        drawings = [drawing for drawing in drawings if drawing["type"] not in ("clip", "group")]
        stream = self._stream(may_cover(drawings))
        text = stream.text
        has_text = bool(text["blocks"])
        pictures = self._pictures(has_text)
        area = tuple(self.page.rect * self.page.derotation_matrix)
        area = (min(area[0], area[2]), min(area[1], area[3]), max(area[0], area[2]), max(area[1], area[3]))
        scanned = condition.cover(area, pictures) >= condition.SCAN_COVER
        rules = find_rules(drawings, tuple(self._frame(text)))
        visible = Visibility(area, rules.fills + pictures, scanned, ground_fills(drawings))
        words = read_words(text, self._matrix, visible)
        words.dropped_controls += self.inkless.number
        doubts.letters = visible.drawings
        mark_struck(words.fragments, rules, drawings, self._matrix)
        self.raw.remarks += remarks_on_marks(self.raw, words.fragments, drawn_marks(drawings, self._matrix))
        if not scanned:
            doubts.boxes += self.veils
        self._look(words, stream, doubts, scanned, visible.pale)
        live, all_live = _live_text(words)
        if not all_live:
            self.raw.remarks += remarks_on_sight(self.raw, words.fragments)
        garbled = condition.is_garbled(live, words.undecoded, words.dropped_controls)
        sparse = len(live) < self.params.min_page_chars or (scanned and len(live) < _SPARSE)
        if garbled or sparse:
            self._recognise(words, live, garbled, has_text or bool(live))
        else:
            self.told = guess_language(live)
            hint = self.told or self.context.language
            if pictures:
                places = (self._matrix, area, pictures)
                self.read_pictures = add_picture_text(self.page, self.raw, words, *places, self.params, hint)
            seen = self.read_pictures
            with self._checking("print beside the text"):
                signs = None if scanned else drawings
                args = (self.raw, words, self._matrix, self.params, hint, seen, signs)
                self.unread = add_loose_print(self.page, *args)
            self._accept(words, rules, "text")
            if scanned:
                self.raw.remarks.append(remark_on_trust(self.raw.page, live))
            back: Affine = tuple(~pymupdf.Matrix(self._matrix))
            boxes = [line.box for line in self.raw.lines]
            boxes += [cell.box for grid in self.raw.grids for cell in grid.cells if cell.lines]
            texts = [transform(box, back) for box in boxes]
            share = condition.readable_share(area, pictures, texts)
            self.raw.coverage = round(share * (1 - self.unread), 3)
        self._note_oddities(words)

    def _stream(self, fills_too: bool) -> Stream:
        """The page's text as it is shown, with a remark where the file says otherwise."""
        stream = read_stream(self.page, fills_too)
        with self._checking("text that stands for other text"):
            self.contents = self.page.read_contents()
            if may_replace(self.page, self.contents):
                stream, remark = shown_text(self.page, stream, fills_too)
                self.raw.remarks += [remark] if remark else []
            name_ticks(self.page, stream.text)
        with self._checking("characters that stand for none"):
            self.inkless = clear_inkless(self.page, stream.text)
        return stream

    def _look(self, words: PageWords, stream: Stream, doubts: Doubts, scanned: bool, pale: int) -> None:
        """Settle what the eye sees: layers, covers, fields and notes, each with its remarks."""
        raw, page = self.raw, self.page
        if self.context.layers:
            with self._checking("layers that are off"):
                words.fragments += self._switched_off(words)
        if pale:
            with self._checking("light text on dark ground"):
                show_on_dark(page, words, raw.to_page)
        # Where these break, text that nobody sees could be cited: the page is then not read at all.
        # Text under or over the picture of a whole page is what a scanner read there.
        masks = [] if scanned else self.masks
        hide_covered(page, words, self._matrix, raw.to_page, stream, masks)
        hide_unseen(page, words, self._matrix, raw.to_page, doubts, stream)
        hide_under_masked(page, words, self._matrix, [] if scanned else self.veils)
        with self._checking("form fields and notes"):
            self.overlays, left_out = read_overlays(page)
            lay_over(words, self.overlays, self._matrix, raw)
            if left_out:
                detail = (
                    f"{left_out} form fields and notes were left out (too many, or broken); look at the page"
                )
                raw.notes.append(detail)
                raw.remarks.append(Remark(raw.page, "unchecked", "", detail, "warn"))
        counts = words.dropped_controls, words.undecoded, self.inkless
        raw.remarks += remarks_on_characters(raw.page, *counts)

    @contextmanager
    def _checking(self, what: str) -> Iterator[None]:
        """A check that a broken object may fail: it costs a remark, not the page."""
        try:
            yield
        except Exception as error:
            reason = " ".join(str(error).split())[:120] or type(error).__name__
            detail = f"{what} could not be checked ({reason}); look at the page"
            self.raw.notes.append(detail)
            self.raw.remarks.append(Remark(self.raw.page, "unchecked", "", detail, "warn"))

    def _switched_off(self, words: PageWords) -> list[Fragment]:
        """What the page would say with all its layers on, less what it says: hidden, each word of it."""
        import pymupdf

        flags = pymupdf.TEXT_PRESERVE_WHITESPACE
        with all_layers(self.page.parent, self.context.layers):
            text = self.page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT())
        everywhere = Visibility((-1e6, -1e6, 1e6, 1e6), [], scanned=True)
        seen = {
            (word.text, round(word.x0), round(word.base)) for part in words.fragments for word in part.words
        }
        found = []
        for part in read_words(text, self._matrix, everywhere).fragments:
            part.words = [
                word._replace(hidden=Hidden.LAYER)
                for word in part.words
                if (word.text, round(word.x0), round(word.base)) not in seen
            ]
            if part.words:
                found.append(part)
        return found

    def _pictures(self, has_text: bool) -> list[Rect]:
        self.masks: list[Rect] = []
        self.veils: list[Rect] = []
        if has_text and not may_hold_pictures(self.page, self.contents):
            return []
        found = self.page.get_image_info()
        self.masks = [tuple(info["bbox"]) for info in found if not is_see_through(info)]
        self.veils = [tuple(info["bbox"]) for info in found if is_see_through(info)]
        return [tuple(info["bbox"]) for info in found]

    def _frame(self, text: dict[str, Any]) -> Any:
        """Matrix from MuPDF's page space to the reading frame, in which most text runs left to right."""
        import pymupdf

        shown = self.page.rotation_matrix
        directions: Counter[tuple[int, int]] = Counter()
        for block in text["blocks"]:
            for line in block.get("lines", ()):
                dx, dy = line["dir"]
                dx, dy = shown.a * dx + shown.c * dy, shown.b * dx + shown.d * dy
                directions[round(dx), round(dy)] += sum(len(span["chars"]) for span in line["spans"])
        width, height = self.page.rect.width, self.page.rect.height
        turns = {
            (0, -1): pymupdf.Matrix(0, 1, -1, 0, height, 0),
            (0, 1): pymupdf.Matrix(0, -1, 1, 0, 0, width),
            (-1, 0): pymupdf.Matrix(-1, 0, 0, -1, width, height),
        }
        way = max(sorted(directions), key=lambda each: directions[each], default=(1, 0))
        turn = turns.get(way, pymupdf.Matrix(1, 0, 0, 1, 0, 0))
        self._matrix: Affine = tuple(shown * turn)
        self.raw.to_page = tuple(~turn)
        sideways = way in ((0, -1), (0, 1))
        self.raw.frame = (0.0, 0.0, height, width) if sideways else (0.0, 0.0, width, height)
        return self._matrix

    def _accept(self, words: PageWords, rules: Rules, status: str) -> None:
        raw = self.raw
        fragments, rules = join_combs(set_in_place(words.fragments), rules)
        raw.ruled = (
            rules.horizontals >= self.params.min_horizontal_rules
            and rules.verticals >= self.params.min_vertical_rules
        ) or (rules.horizontals >= 2 and rules.verticals >= _SINGLE_ROW)
        if raw.ruled and self.params.tables and fragments:
            if too_dense(rules):
                raw.notes.append("too many ruling lines for a table search; the page was read as plain text")
            else:
                raw.grids, fragments = find_grids(rules, fragments, raw.frame)
        if self.params.tables and fragments:
            # Labels of a chart stand beside the text around it in no common row.
            rest: list[Fragment] = []
            for part in by_picture(fragments, self.read_pictures):
                unruled, left = find_unruled(part, rules.levels)
                raw.grids += unruled
                rest += left
            fragments = rest
        raw.lines = order_lines(fragments, box_rows(rules.horizontal, rules.vertical))
        if status == "ocr":
            raw.lines = _even_sizes(raw.lines)
        text = _page_text(raw.lines, raw.grids)
        raw.status, raw.chars = status, len(text)
        raw.language = self.told or guess_language(text)

    def _recognise(self, words: PageWords, live: str, garbled: bool, has_text: bool) -> None:
        raw = self.raw
        if not garbled and not has_text and condition.is_blank(self.page):
            raw.status, raw.coverage = "blank", 1.0
            return
        why = "text layer is garbled" if garbled else "no text layer"
        # Recognition turns the reading frame to what it read.
        frames, to_page = (raw.to_page, raw.frame, self._matrix), raw.to_page
        laid = [transform(overlay.box, self._matrix) for overlay in self.overlays]
        layer = [word for part in words.fragments for word in part.words if not inside_any(word, laid)]
        found, problem = self._ocr() if self.params.ocr else (None, "OCR is off; switch documents.ocr on")
        noise = False
        if found is not None:
            text, _ = _live_text(found)
            enough = len(text) > (0 if garbled else _OCR_GAIN * len(live)) and (
                len(text) >= self.params.min_page_chars or condition.is_whole(text, self.page)
            )
            garbage = is_rubbish(text) or condition.is_garbled(text, found.undecoded, found.dropped_controls)
            if enough and not garbage:
                rules = Rules()
                if self.params.tables:
                    rules = rules_of_scan(self.page, raw.to_page, self.skew, self.struck)
                raw.remarks += remarks_on_sight(raw, found.fragments)
                found.fragments = without_strokes(found.fragments, rules)
                raw.remarks += remarks_on_layer(raw.page, layer, text, to_page)
                lay_over_scan(found, self.overlays, self._matrix)
                self._accept(found, rules, "ocr")
                raw.coverage = 1.0
                raw.notes.append(f"{why}; recognised by OCR")
                return
            problem = "OCR found no text that can be trusted; look at the page"
            noise = enough
        raw.to_page, raw.frame, self._matrix = frames
        if garbled:
            raw.status, raw.chars = "garbled", 0
            raw.notes.append(f"{why}; {problem}")
        elif live and (problem is None or found is not None or not self._is_scan()):
            self._accept(words, Rules(), "text")
            raw.coverage = 1.0
            if noise or (self._is_scan() and not condition.is_whole(live, self.page)):
                self._remark_on_unread(problem)
        elif condition.is_blank(self.page):
            # Text that nobody can see stays in sight as hidden blocks; the page shows nothing.
            self._accept(words, Rules(), "blank")
            raw.coverage = 1.0
        else:
            self._accept(words, Rules(), "unreadable")
            raw.notes.append(f"{why}; {problem}")

    def _remark_on_unread(self, problem: str) -> None:
        """A page with little text of its own whose picture holds more that cannot be read: it is not read in full."""
        raw = self.raw
        raw.coverage = round(min(0.99, raw.chars / _SPARSE), 3)
        detail = f"only the text layer was read; {problem}"
        raw.notes.append(detail)
        raw.remarks.append(Remark(raw.page, "unread_picture", "", detail, "warn"))

    def _is_scan(self) -> bool:
        area = self.page.rect * self.page.derotation_matrix
        return condition.cover(tuple(area.normalize()), self._pictures(False)) >= condition.SCAN_COVER

    def _ocr(self) -> tuple[PageWords | None, str]:
        try:
            found = recognise_page(self.page, self.params, self.context.language)
        except OcrError as error:
            return None, str(error)
        self.raw.notes += found.notes
        self.raw.lacking = found.lacking
        if found.lacking:
            remark = Remark(self.raw.page, "language_data", "", found.notes[0], "warn", citable=True)
            self.raw.remarks.append(remark)
        text = found.text
        self._frame(text)
        everything = Visibility((-1e6, -1e6, 1e6, 1e6), [], scanned=True)
        words = read_words(text, self._matrix, everything, printed=False)
        self._lean(found.skew, found.struck)
        return words, ""

    def _lean(self, skew: float, struck: Sequence[Rect]) -> None:
        """Let the way from the page to the reading frame, and back, go through the turn that laid a scan straight."""
        import pymupdf

        self.skew, self.struck = skew, [transform(box, self._matrix) for box in struck]
        if skew:
            shown, lying = self.page.rect, (self.page.rect * self.page.derotation_matrix).normalize()
            straight = ~pymupdf.Matrix(askew(lying.width, lying.height, skew))
            self._matrix = tuple(straight * pymupdf.Matrix(self._matrix))
            lean = pymupdf.Matrix(askew(shown.width, shown.height, skew))
            self.raw.to_page = tuple(pymupdf.Matrix(self.raw.to_page) * lean)

    def _note_oddities(self, words: PageWords) -> None:
        raw = self.raw
        if words.dropped_controls:
            raw.notes.append(f"{words.dropped_controls} control characters were dropped")
        if words.dropped_marks:
            raw.notes.append(f"{words.dropped_marks} raised note marks after figures were left out")
        hidden = sum(len(line.text) for line in raw.lines if line.hidden)
        if hidden:
            raw.notes.append(
                f"{hidden} characters cannot be seen on the page (white, tiny, covered, or outside it)"
            )
        struck = sum(len(line.text) for line in raw.lines if line.struck)
        if struck:
            raw.notes.append(f"{struck} characters are crossed out")


def _even_sizes(lines: list[Line]) -> list[Line]:
    """Recognised sizes waver by a fifth from line to line; only a size far above the usual one is a sign."""
    if not lines:
        return lines
    usual = median(line.size for line in lines)
    return [line._replace(size=line.size if line.size > 1.6 * usual else usual, bold=False) for line in lines]


def _live_text(words: PageWords) -> tuple[str, bool]:
    """The words that are seen and not crossed out, and whether all are such."""
    live = [
        word.text for part in words.fragments for word in part.words if not word.struck and not word.hidden
    ]
    return " ".join(live), len(live) == sum(len(part.words) for part in words.fragments)


def _page_text(lines: list[Line], grids: list[Grid]) -> str:
    texts = [line.text for line in lines if not line.struck and not line.hidden]
    texts += [line.text for grid in grids for cell in grid.cells for line in cell.lines]
    return " ".join(texts)
