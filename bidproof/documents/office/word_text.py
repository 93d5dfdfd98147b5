"""Paragraphs of a Word file as pieces of text: what is read, what is struck or hidden, and what hangs on them.

Knows no headings, lists or tables; those are in `word`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from bidproof.documents.office.office_package import Element, child
from bidproof.documents.office.word_styles import Look, Styles, flag, is_shaded, look_of, value
from bidproof.documents.office.word_symbols import TICKED, UNTICKED, plain, symbol
from bidproof.documents.raised_runs import glue_raised

State = Literal["live", "struck", "hidden"]

_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_WRAPPERS = frozenset({
    "w:hyperlink", "w:smartTag", "w:fldSimple", "w:ins", "w:moveTo", "w:customXml", "w:dir", "w:bdo", "w:sdtContent",
})  # fmt: skip
_GONE = frozenset({"w:del", "w:moveFrom"})
_ENTRY = re.compile(r"(?:^|[\s.…])(?:\d{1,4}|[ivxlc]{1,7})$", re.I)
_TOC = re.compile(r"\s*TO[CAF]\b")


@dataclass(slots=True)
class Pages:
    """The page that has been reached: by the breaks of Word's last layout, or else by those that the author set."""

    laid_out: bool
    number: int = 1

    def rendered(self) -> None:
        """A break that Word's layout left behind."""
        self.number += self.laid_out

    def demanded(self) -> None:
        """A break that the author set; where Word laid the file out, its own mark follows."""
        self.number += not self.laid_out


@dataclass(slots=True)
class Piece:
    """Text of one look. `opens_line` says that a line break stands before it."""

    text: str
    state: State
    look: Look
    page: int
    opens_line: bool = False


@dataclass(slots=True)
class Paragraph:
    """One paragraph: its pieces, and what hangs on it."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    contents: bool = False
    page: int = 1
    marks_dropped: int = 0

    def text(self, state: State = "live") -> str:
        """All its text of one state on one line."""
        return " ".join(line for line, *_ in self.lines(state))

    def lines(self, state: State = "live") -> list[tuple[str, int, bool, float]]:
        """Its lines of one state, as parted by line breaks: text, page, whether all is bold, largest size."""
        groups: list[list[Piece]] = []
        opens = True
        for piece in self.pieces:
            opens |= piece.opens_line
            if piece.state != state or not piece.text:
                continue
            if opens or not groups:
                groups.append([])
                opens = False
            groups[-1].append(piece)
        found = []
        for group in groups:
            text = self._joined(group)
            letters = [piece for piece in group if piece.text.strip()]
            if text and letters:
                bold = all(piece.look.bold for piece in letters)
                found.append((text, letters[0].page, bold, max(piece.look.size for piece in letters)))
        return found

    def _joined(self, pieces: list[Piece]) -> str:
        text = ""
        for piece in pieces:
            if piece.look.raised:
                text, dropped = glue_raised(text, piece.text)
                self.marks_dropped += dropped
            else:
                text += piece.text
        return _SPACES.sub(" ", text).strip()


class ParagraphReader:
    """Reads paragraphs in the order of the file; fields and pages run on from one to the next."""

    def __init__(self, styles: Styles, pages: Pages) -> None:
        self.styles, self.pages = styles, pages
        self.counts: Counter[str] = Counter()
        # Fields that are open: whether their code is still being read, and whether they are a list of contents.
        self._fields: list[list[bool]] = []
        self._into = Paragraph()
        self._base = Look()
        self._opens_line = False

    def read(self, element: Element, shaded: bool = False) -> Paragraph:
        """A `w:p`. `shaded` says that it stands on a coloured ground, where white text can be seen."""
        properties = element.find("w:pPr")
        style = self.styles.paragraph(value(properties, "w:pStyle"))
        look = style.look
        if shaded or is_shaded(properties):
            look = Look(look.bold, look.size, look.vanish, look.struck, look.white, True, look.raised)
        for held in self._fields:
            # A field code that never ends must not swallow the rest of the file.
            held[0] = False
        if flag(properties, "w:pageBreakBefore"):
            self.pages.demanded()
        self._into = into = Paragraph(contents=style.part == "contents")
        self._base, self._opens_line = look, False
        self._children(element, "live")
        into.page = next((p.page for p in into.pieces if p.text.strip()), self.pages.number)
        # A list of contents whose field never ends must not make contents lines of all that follows.
        into.contents |= any(held[1] for held in self._fields) and bool(_ENTRY.search(into.text()))
        return into

    def _children(self, element: Iterable[Element], state: State) -> None:
        for each in element:
            tag = each.tag
            if tag == "w:r":
                self._run(each, state)
            elif tag in _WRAPPERS:
                self.counts["inserted"] += tag in ("w:ins", "w:moveTo")
                self._children(each, state)
            elif tag in _GONE:
                self.counts["deleted"] += 1
                self._children(each, "struck")
            elif tag == "w:sdt":
                self._control(each, state)
            elif tag == "mc:AlternateContent":
                self._children(chosen(each), state)
            elif tag in ("m:oMath", "m:oMathPara"):
                self._add("".join(text.text or "" for text in each.iter("m:t")), state, self._base)

    def _control(self, element: Element, state: State) -> None:
        """A content control; the prompt of one that was left empty is nothing that the bidder wrote."""
        blank = child(element, "w:sdtPr/w:showingPlcHdr") is not None
        self.counts["prompts"] += blank
        content = element.find("w:sdtContent")
        if content is not None:
            self._children(content, "hidden" if blank and state == "live" else state)

    def _run(self, run: Element, state: State) -> None:
        properties = run.find("w:rPr")
        look = self._base
        if properties is not None:
            if key := value(properties, "w:rStyle"):
                look = self.styles.run(key, look)
            look = look_of(properties, look)
        if state == "live" and look.struck:
            state = "struck"
        elif state == "live" and look.hidden:
            state = "hidden"
        self._run_parts(run, state, look)

    def _run_parts(self, parts: Iterable[Element], state: State, look: Look) -> None:
        for part in parts:
            tag = part.tag
            if tag == "w:t":
                self._add(part.text or "", state, look)
            elif tag == "w:delText":
                self._add(part.text or "", "struck", look)
            elif tag in ("w:tab", "w:ptab"):
                self._add(" ", state, look)
            elif tag in ("w:br", "w:cr"):
                self._break(part.get("type", ""))
            elif tag == "w:noBreakHyphen":
                self._add("-", state, look)
            elif tag == "w:sym":
                self._add(symbol(part.get("font", ""), part.get("char", "")), state, look)
            elif tag == "w:lastRenderedPageBreak":
                self.pages.rendered()
            elif tag in ("w:footnoteReference", "w:endnoteReference"):
                self._into.notes.append((tag[2:].removesuffix("Reference"), part.get("id", "")))
            elif tag == "w:fldChar":
                self._field(part, state, look)
            elif tag == "w:instrText" and self._fields and self._fields[-1][0]:
                self._fields[-1][1] |= bool(_TOC.match(part.text or ""))
            elif tag == "mc:AlternateContent":
                self._run_parts(chosen(part), state, look)
            elif tag in ("w:drawing", "w:pict", "w:object"):
                self._drawing(part)

    def _add(self, text: str, state: State, look: Look) -> None:
        if not text or any(reading_code for reading_code, _ in self._fields):
            return
        opens, self._opens_line = self._opens_line, False
        self._into.pieces.append(Piece(plain(text), state, look, self.pages.number, opens))

    def _break(self, kind: str) -> None:
        if kind == "page":
            self.pages.demanded()
        if kind != "column":
            self._opens_line = True

    def _field(self, part: Element, state: State, look: Look) -> None:
        kind = part.get("fldCharType", "")
        if kind == "begin":
            self._add(_form_value(part.find("w:ffData")), state, look)
            self._fields.append([True, False])
        elif kind == "separate" and self._fields:
            self._fields[-1][0] = False
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _drawing(self, part: Element) -> None:
        """Text boxes, pictures and charts; of the two forms in which Word writes a drawing, the newer one."""
        for each in part:
            if each.tag == "mc:AlternateContent":
                self._drawing_of(chosen(each))
            elif each.tag == "w:txbxContent":
                self._into.boxes.append(each)
            else:
                if each.tag in ("a:blip", "v:imagedata"):
                    self._into.pictures.append(each.get("r:embed") or each.get("r:id") or "")
                elif each.tag == "dgm:relIds":
                    self._into.diagrams.append(each.get("r:dm", ""))
                elif each.tag == "c:chart":
                    self.counts["charts"] += 1
                self._drawing(each)

    def _drawing_of(self, parts: Iterable[Element]) -> None:
        for part in parts:
            self._drawing(part)


def chosen(alternatives: Element) -> list[Element]:
    """Content of the first choice of an `mc:AlternateContent`, else of its fallback: they say the same."""
    for tag in ("mc:Choice", "mc:Fallback"):
        found = alternatives.find(tag)
        if found is not None and len(found):
            return list(found)
    return []


def _form_value(data: Element | None) -> str:
    """What an old form field shows that has no text of its own: its check box, or the entry that was chosen."""
    if data is None:
        return ""
    box = data.find("w:checkBox")
    if box is not None:
        ticked = flag(box, "w:checked")
        return TICKED if (flag(box, "w:default") if ticked is None else ticked) else UNTICKED
    choices = data.find("w:ddList")
    if choices is not None:
        entries = [each.get("val", "") for each in choices.findall("w:listEntry")]
        at = value(choices, "w:result") or value(choices, "w:default") or "0"
        return entries[int(at)] if at.isdigit() and int(at) < len(entries) else ""
    return ""
