"""Paragraphs of a Word file as pieces of text: what is read, what is struck or hidden, and what hangs on them.

Knows no headings, lists or tables; those are in `word`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal
from xml.etree.ElementTree import SubElement

from bidproof.documents.office.equations import equation, is_apart
from bidproof.documents.office.office_package import Element, child
from bidproof.documents.office.word_styles import (
    Look,
    Styles,
    flag,
    ground_of,
    is_out_of_sight,
    look_of,
    value,
)
from bidproof.documents.office.word_symbols import TICKED, UNTICKED, plain, symbol
from bidproof.documents.raised_runs import Run, join_runs

State = Literal["live", "struck", "hidden"]

_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_WRAPPERS = frozenset({
    "w:hyperlink", "w:smartTag", "w:fldSimple", "w:ins", "w:moveTo", "w:customXml", "w:dir", "w:bdo", "w:sdtContent",
})  # fmt: skip
_GONE = frozenset({"w:del", "w:moveFrom"})
_ENTRY = re.compile(r"(?:^|[\s.…])(?:\d{1,4}|[ivxlc]{1,7})$", re.I)
_TOC = re.compile(r"\s*TO[CAF]\b")
_HIDING = re.compile(r"visibility\s*:\s*hidden|display\s*:\s*none|mso-hide\s*:\s*all", re.I)


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
class Aside:
    """A text box or note that is struck or hidden: not read as text."""

    state: State
    box: Element | None = None
    note: tuple[str, str] = ("", "")


@dataclass(slots=True)
class Paragraph:
    """One paragraph: its pieces, and what hangs on it."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
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
        text, dropped = join_runs(Run(piece.text, piece.look.place) for piece in pieces)
        self.marks_dropped += dropped
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
        self._equation = False

    def read(self, element: Element, ground: str = "") -> Paragraph:
        """A `w:p`. `ground` is the colour that it stands on: that of its cell or text box, if any."""
        properties = element.find("w:pPr")
        style = self.styles.paragraph(value(properties, "w:pStyle"))
        look = style.look
        if own := ground_of(properties) or look.ground or ground:
            look = replace(look, ground=own)
        if is_out_of_sight(properties):
            look = replace(look, vanish=True)
        for held in self._fields:
            # A field code that never ends must not swallow the rest of the file.
            held[0] = False
        if flag(properties, "w:pageBreakBefore"):
            self.pages.demanded()
        self._into = into = Paragraph(contents=style.part == "contents")
        self._base, self._opens_line, self._equation = look, False, False
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
                self._equations(each, state)

    def _equations(self, element: Element, state: State) -> None:
        """An equation as text; what is deleted or hidden in it stands apart, as elsewhere."""
        gone = {id(run) for each in element.iter() if each.tag in _GONE for run in each.iter("m:r")}
        states = {
            id(run): self._state(look_of(run.find("w:rPr"), self._base), state) for run in element.iter("m:r")
        }
        said: tuple[State, ...] = ("live", "struck", "hidden")
        for each in said:
            if each == "struck" and gone:
                self.counts["deleted"] += 1
                deleted = (run.itertext() for run in element.iter("m:r") if id(run) in gone)
                self._add(" ".join("".join(part) for part in deleted), each, self._base)
            if each not in states.values():
                continue
            text = equation(element, lambda run, each=each: states[id(run)] == each)  # type: ignore[misc]
            before = next((piece.text for piece in reversed(self._into.pieces) if piece.text), "")
            self._add(f" {text}" if is_apart(before, text) else text, each, replace(self._base, place=0))
        self._equation = True

    @staticmethod
    def _state(look: Look, state: State) -> State:
        if state != "live":
            return state
        return "struck" if look.struck else "hidden" if look.hidden else "live"

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
        self._run_parts(run, self._state(look, state), look)

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
                self._note((tag[2:].removesuffix("Reference"), part.get("id", "")), state)
            elif tag == "w:fldChar":
                self._field(part, state, look)
            elif tag == "w:instrText" and self._fields and self._fields[-1][0]:
                self._fields[-1][1] |= bool(_TOC.match(part.text or ""))
            elif tag == "mc:AlternateContent":
                self._run_parts(chosen(part), state, look)
            elif tag in ("w:drawing", "w:pict", "w:object"):
                self._drawing(part, state)
            elif tag == "w:ruby":
                base, above = part.find("w:rubyBase"), part.find("w:rt")
                self._children(base if base is not None else (), state)
                self._into.readings += ["".join(above.itertext())] if above is not None else []

    def _note(self, note: tuple[str, str], state: State) -> None:
        if state == "live":
            self._into.notes.append(note)
        else:
            self._into.aside.append(Aside(state, note=note))

    def _add(self, text: str, state: State, look: Look) -> None:
        if not text or any(reading_code for reading_code, _ in self._fields):
            return
        opens, self._opens_line = self._opens_line, False
        if self._equation and self._into.pieces and is_apart(self._into.pieces[-1].text, text):
            text = f" {text}"
        self._equation = False
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

    def _drawing(self, part: Iterable[Element], state: State) -> None:
        """Text boxes, pictures and charts; of the two forms in which Word writes a drawing, the newer one."""
        parts = list(part)
        if state == "live" and any(_is_unseen(each) for each in parts):
            state = "hidden"
        for each in parts:
            if each.tag == "mc:AlternateContent":
                self._drawing(chosen(each), state)
            elif each.tag == "w:txbxContent":
                self._box(each, state)
            else:
                self._drawn(each, state)
                self._drawing(each, "hidden" if state == "live" and _is_unseen(each) else state)

    def _box(self, box: Element, state: State) -> None:
        if state == "live":
            self._into.boxes.append(box)
        else:
            self._into.aside.append(Aside(state, box))

    def _drawn(self, each: Element, state: State) -> None:
        if each.tag == "v:textpath" and each.get("string"):
            self._box(_worded(each.get("string", "")), state)
        elif state != "live":
            self.counts["unseen_drawings"] += each.tag in ("a:blip", "v:imagedata", "dgm:relIds", "c:chart")
        elif each.tag in ("a:blip", "v:imagedata"):
            self._into.pictures.append(each.get("r:embed") or each.get("r:id") or "")
        elif each.tag == "dgm:relIds":
            self._into.diagrams.append(each.get("r:dm", ""))
        elif each.tag == "c:chart":
            self.counts["charts"] += 1


def joined(elements: Iterable[Element]) -> Iterator[Element]:
    """`elements`, with paragraphs whose mark is deleted made one with the paragraph that follows, as Word shows them.

    The attribute `joins` of such a paragraph is the number of others in it.
    """
    held: list[Element] = []
    for each in elements:
        if each.tag == "w:p" and any(
            child(each, f"w:pPr/w:rPr/{mark}") is not None for mark in ("w:del", "w:moveFrom")
        ):
            held.append(each)
            continue
        if held and each.tag == "w:p":
            whole = Element("w:p", {"joins": str(len(held))})
            properties = each.find("w:pPr")
            whole.extend([properties] if properties is not None else [])
            whole.extend(part for one in (*held, each) for part in one if part.tag != "w:pPr")
            each, held = whole, []
        yield from held
        held = []
        yield each
    yield from held


def _is_unseen(drawn: Element) -> bool:
    """Whether a drawing, or a shape in it, is switched off."""
    if drawn.tag in ("wp:docPr", "wps:cNvPr", "pic:cNvPr"):
        return drawn.get("hidden") in ("1", "true", "on")
    return drawn.tag.startswith("v:") and bool(_HIDING.search(drawn.get("style", "")))


def _worded(text: str) -> Element:
    """The words of a watermark as the content of a text box."""
    box = Element("w:txbxContent")
    run = SubElement(SubElement(box, "w:p"), "w:r")
    SubElement(run, "w:t").text = text
    return box


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
