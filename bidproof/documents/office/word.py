"""A Word file as blocks in the order of its body: headings, paragraphs, lists, tables, boxes and notes.

Puts together what `word_text`, `word_numbering`, `word_outline` and `word_tables` read. A page is one of Word's
last layout, where the file keeps it; else of the breaks that the author set.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bidproof.adapters import adapter_named, choose_adapter, title_key
from bidproof.documents.office.colours import SOME
from bidproof.documents.office.office_beside import note_beside
from bidproof.documents.office.office_package import Element, Package
from bidproof.documents.office.office_pictures import read_picture
from bidproof.documents.office.office_rows import OfficeRows, Read
from bidproof.documents.office.word_beside import Notes, Running, comments, paragraph_texts
from bidproof.documents.office.word_numbering import Numbering
from bidproof.documents.office.word_outline import Outline, is_distinct, is_heading
from bidproof.documents.office.word_styles import Style, Styles, flag, ground_of, value
from bidproof.documents.office.word_symbols import clean
from bidproof.documents.office.word_tables import Held, read_table, rows_of
from bidproof.documents.office.word_text import (
    Aside,
    Pages,
    Paragraph,
    ParagraphReader,
    State,
    chosen,
    joined,
)
from bidproof.errors import UnreadableFileError
from bidproof.params import DocumentParams
from bidproof.records import BlockKind

_ITEM = re.compile(
    r"(?:[•●▪■◦‣○□▫➢➤✓❖]|[-–—*](?=\s)|\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-Z])\)|(?:[a-z]|[ivx]{1,5}|\d{1,2})[.)])\s*\S"
)
_CLAUSE = re.compile(r"\d{1,3}(?:\.\d{1,3})+[.)]?\s")
_BREAKS_EVERY = 200
_OPENING = 60
_TITLE_SIZE = 1.25


def read_word(path: Path, name: str, params: DocumentParams) -> Iterator[Read | None]:
    """Rows and warnings of a Word file, last; before that None now and then, as a sign of life.

    Raises:
        UnreadableFileError: the file is damaged, too large, or holds no document.
    """
    with Package(path, name, params.max_unpacked_mb << 20) as package:
        reader = _Reader(package, params)
        yield from reader.read()
        yield reader.rows.finish()


class _Reader:
    def __init__(self, package: Package, params: DocumentParams) -> None:
        self.package, self.params = package, params
        self.main = package.main("word/document.xml")
        self.folder = self.main.rpartition("/")[0]
        root = package.xml(self.main)
        body = root.find("w:body") if root is not None else None
        if body is None:
            raise UnreadableFileError(
                package.name, "the Word file holds no document", "ask the sender for it again"
            )
        self.body: Element = body
        self.related = package.related(self.main)
        self.styles = Styles(package.xml(self._part("styles")))
        self.numbering = Numbering(package.xml(self._part("numbering")))
        self.pages = Pages(any(True for _ in body.iter("w:lastRenderedPageBreak")))
        self.text = ParagraphReader(self.styles, self.pages)
        self.notes = Notes(
            {k: package.aside(self._part(f"{k}s")) for k in ("footnote", "endnote")}, self.styles
        )
        self.running = Running(package, self.related, self.styles)
        self.rows, self.outline = OfficeRows(), Outline()
        chosen = choose_adapter(package.name, _opening(body), 0, params)
        self.titles = adapter_named(chosen.name).titles
        former = {id(old) for each in body.iter("w:sectPrChange") for old in each.iter("w:sectPr")}
        self.sections = [each for each in body.iter("w:sectPr") if id(each) not in former]
        self.section, self.section_page = 0, 1
        self.paragraphs = self.tables = self.read_pictures = 0
        self.seen_pictures: dict[str, str] = {}
        # Text of any colour may be seen on a page, frame or text box that has a colour of its own.
        self.ground = SOME if root is not None and root.find("w:background") is not None else ""

    def _part(self, kind: str) -> str:
        return next(
            (part for each, part in self.related.values() if each == kind), f"{self.folder}/{kind}.xml"
        )

    def read(self) -> Iterator[None]:
        """Read the body, with a sign of life after each stretch that may take long."""
        for count, element in enumerate(joined(self.body)):
            pictures = self.read_pictures
            self._block(element)
            if self.pages.number > self.params.max_pages:
                what = f"has over {self.params.max_pages} pages (documents.max_pages)"
                raise UnreadableFileError(self.package.name, what, "split the file or raise the limit")
            if self.read_pictures > pictures or count % _BREAKS_EVERY == _BREAKS_EVERY - 1:
                yield None
        self._end_section()
        self._finish()

    def _block(self, element: Element, place: str = "") -> None:
        tag = element.tag
        if tag == "w:p":
            self._paragraph(element, place)
        elif tag == "w:tbl":
            self._table(element, place)
        elif tag == "w:sdt":
            self._blocks(element.find("w:sdtContent") or (), place)
        elif tag in ("w:customXml", "w:ins", "w:moveTo", "w:sdtContent"):
            self._blocks(element, place)
        elif tag == "mc:AlternateContent":
            self._blocks(chosen(element), place)
        elif tag == "w:altChunk":
            self.rows.warn("a file embedded in the text is not read; open it in Word and save it again")
            self.rows.page(self.pages.number).unread += 1

    def _blocks(self, elements: Iterable[Element], place: str) -> None:
        for each in joined(elements):
            self._block(each, place)

    def _paragraph(self, element: Element, place: str = "") -> None:
        if not place:
            self.paragraphs += int(element.get("joins", "0")) + 1
        anchor = place or f"paragraph {self.paragraphs}"
        paragraph = self.text.read(element, self.ground)
        properties = element.find("w:pPr")
        style = self.styles.paragraph(value(properties, "w:pStyle"))
        marker = self.marker(element, paragraph, style)
        self.rows.page(self.pages.number)
        if paragraph.marks_dropped:
            self.rows.note(paragraph.page, "raised note marks after figures were left out")
        self._live(paragraph, properties, style, marker, anchor, place)
        path = self.outline.path
        states: tuple[State, ...] = ("struck", "hidden")
        for state in states:
            text = paragraph.text(state)
            kind = BlockKind.PARAGRAPH
            struck, hidden = state == "struck", state == "hidden"
            self.rows.block(paragraph.page, kind, text, anchor, path, struck=struck, hidden=hidden)
        self._hung_on(Held.of(paragraph), anchor)
        if properties is not None and properties.find("w:sectPr") is not None:
            self._end_section()

    def marker(self, element: Element, paragraph: Paragraph, style: Style) -> str:
        """The automatic marker of a paragraph, counting it; a deleted or hidden one is not counted."""
        properties = element.find("w:pPr")
        number = value(properties, "w:numPr/w:numId") or style.number_id
        mark = properties.find("w:rPr") if properties is not None else None
        gone = mark is not None and (mark.find("w:del") is not None or flag(mark, "w:vanish"))
        shown = bool(paragraph.text())
        if number in ("", "0") or (gone and not shown):
            return ""
        level = value(properties, "w:numPr/w:ilvl")
        if level.isdigit():
            at = int(level)
        else:
            bound = self.numbering.level_of(number, value(properties, "w:pStyle") or self.styles.default)
            at = bound if bound is not None else style.number_level or 0
        return self.numbering.marker(number, at)

    def _live(
        self,
        paragraph: Paragraph,
        properties: Element | None,
        style: Style,
        marker: str,
        anchor: str,
        place: str,
    ) -> None:
        lines = paragraph.lines()
        if not lines:
            return
        page, size = lines[0][1], lines[0][3]
        whole = paragraph.text()
        outline = value(properties, "w:outlineLvl")
        level = int(outline) if outline.isdigit() and int(outline) < 9 else style.level
        body = self.styles.paragraph("").look
        distinct = is_distinct(all(line[2] for line in lines), size, body.bold, body.size)
        titled = " ".join(part for part in (marker, whole) if part)
        contents = paragraph.contents or style.part in ("contents", "caption")
        if style.part == "title" and not place:
            self.rows.block(page, BlockKind.HEADING, titled, anchor, titled, level=1)
        elif (customary := not place and level is None and title_key(whole) in self.titles) or (
            not contents and not place and is_heading(titled, level, distinct, marker == "•")
        ):
            # A customary title stands above what is merely set in bold under it.
            depth = self.outline.push(
                titled, level, max(size, _TITLE_SIZE * body.size) if customary else size
            )
            self.rows.block(page, BlockKind.HEADING, titled, anchor, self.outline.path, level=depth)
        else:
            for number, (line, line_page) in enumerate(_merged(lines)):
                full = f"{marker} {line}" if marker and number == 0 else line
                kind = self._kind(full, style, paragraph.contents, bool(marker) and number == 0)
                self.rows.block(line_page, kind, full, anchor, self.outline.path)

    def _kind(self, text: str, style: Style, contents: bool, marked: bool) -> BlockKind:
        if contents or style.part == "contents":
            return BlockKind.CONTENTS
        if style.part == "caption":
            return BlockKind.CAPTION
        if (marked and not _CLAUSE.match(text)) or _ITEM.match(text):
            return BlockKind.LIST_ITEM
        return BlockKind.PARAGRAPH

    def _table(self, element: Element, place: str = "") -> None:
        alone = rows_of(element)
        self.tables += 1
        number = self.tables
        if len(alone) == 1 and len(alone[0][1]) == 1:
            # A frame around text and not a table of it.
            cell = alone[0][1][0]
            self._framed(cell, place or f"table {number}", ground_of(cell.find("w:tcPr")))
            return
        rows, heads, held = read_table(element, number, self)
        self.rows.table(rows, self.outline.path, heads)
        for each, anchor in held:
            self._hung_on(each, anchor)

    def _framed(self, elements: Iterable[Element], place: str, ground: str) -> None:
        before, self.ground = self.ground, ground or self.ground
        self._blocks(elements, place)
        self.ground = before

    def _unseen(self, aside: Aside, anchor: str) -> None:
        """Text of a box or note that is deleted or switched off."""
        if aside.box is not None:
            texts, at = paragraph_texts(aside.box, self.styles), f"{anchor} text box"
        else:
            texts, at = self.notes.unseen(*aside.note), f"{anchor} {aside.note[0]}"
        struck, hidden = aside.state == "struck", aside.state == "hidden"
        self.rows.block(
            self.pages.number,
            BlockKind.PARAGRAPH,
            " ".join(texts),
            at,
            self.outline.path,
            struck=struck,
            hidden=hidden,
        )

    def _diagram(self, key: str, anchor: str) -> None:
        """Words of a diagram (SmartArt), which stand in a part of their own."""
        root = self.package.aside(self.related.get(key, ("", ""))[1])
        for point in root.iter("a:p") if root is not None else ():
            text = clean("".join(each.text or "" for each in point.iter("a:t")))
            self.rows.block(
                self.pages.number, BlockKind.PARAGRAPH, text, f"{anchor} diagram", self.outline.path
            )

    def _hung_on(self, held: Held, anchor: str) -> None:
        """What hangs on a paragraph or a row: text boxes, nested tables, notes, pictures."""
        for box in held.boxes:
            self._framed(box, f"{anchor} text box", SOME)
        for aside in held.aside:
            self._unseen(aside, anchor)
        for reading in held.readings:
            self.rows.remark(
                self.pages.number, "annotation", reading, f"{anchor}: set in small type above a word"
            )
            self.rows.note(self.pages.number, "words set in small type above others are not read")
        for key in held.diagrams:
            self._diagram(key, anchor)
        for table in held.tables:
            self._table(table, "")
        for kind, key in held.notes:
            for text, place in self.notes.text(kind, key):
                self.rows.block(self.pages.number, BlockKind.FOOTNOTE, text, place, self.outline.path)
        for picture in held.pictures:
            self._picture(picture, anchor)

    def _picture(self, key: str, anchor: str) -> None:
        part = self.related.get(key, ("", ""))[1]
        page = self.pages.number
        if part and part not in self.package:
            part = ""
        if part in self.seen_pictures:
            # A logo on each page is read once.
            return
        if not part:
            texts, problem = list[str](), "it is not in the file"
        else:
            self.read_pictures += 1
            texts, problem = self._recognised(part)
            self.seen_pictures[part] = problem
        self.rows.picture(page, anchor, texts, problem, "Word", self.outline.path)

    def _recognised(self, part: str) -> tuple[list[str], str]:
        if not self.params.ocr:
            return [], "OCR is off; switch documents.ocr on"
        return read_picture(self.package.read(part), self.params, self.rows.lacking)

    def _end_section(self) -> None:
        """Header and footer of the section that ends, and the page break before the next one."""
        properties = self.sections[self.section] if self.section < len(self.sections) else None
        if properties is not None:
            self.running.enter(properties)
        header, footer = self.running.texts()
        for page in range(self.section_page, self.pages.number + 1):
            facts = self.rows.page(page)
            for text, place in ((header, "header"), (footer, "footer")):
                self.rows.block(page, BlockKind.FURNITURE, text, place)
            facts.header, facts.footer = facts.header or header, facts.footer or footer
        self.section += properties is not None
        following = self.sections[self.section] if self.section < len(self.sections) else None
        if following is not None and value(following, "w:type") not in ("continuous", "nextColumn"):
            self.pages.demanded()
        self.section_page = self.pages.number + (self.pages.laid_out or 0)

    def _finish(self) -> None:
        rows, counts = self.rows, self.text.counts
        known = self.pages.laid_out or self.pages.number > 1
        for number in range(1, self.pages.number + 1):
            facts = rows.page(number)
            facts.label = str(number) if known else ""
        kept = "of Word's last layout" if self.pages.laid_out else "by the breaks that the author set"
        rows.note(
            1, f"a Word file: pages are {kept}" if known else "a Word file that keeps no pages: all is page 1"
        )
        for count, what in (
            (counts["deleted"], "tracked deletions are not read; accept or reject the changes in Word"),
            (counts["inserted"], "tracked insertions are read as text; accept or reject the changes in Word"),
            (counts["prompts"], "fields were left empty; their prompts are not read as text"),
            (counts["unseen_drawings"], "pictures, charts or diagrams are deleted or hidden and not read"),
            (counts["charts"], "charts are not read; look at them in Word"),
        ):
            if count:
                rows.warn(f"{count} {what}")
        said = comments(self.package.aside(self._part("comments")), self.styles)
        for text, author in said:
            rows.remark(0, "annotation", text, f"comment by {author or 'an unknown author'}")
        if said:
            rows.warn(f"{len(said)} comments are not read as text; look at them in Word")
        note_beside(self.package, rows)


def _opening(body: Element) -> str:
    """Text of the first paragraphs."""
    first = itertools.islice(body.iter("w:p"), _OPENING)
    return "\n".join("".join(part.text or "" for part in each.iter("w:t")) for each in first)


def _merged(lines: list[tuple[str, int, bool, float]]) -> list[tuple[str, int]]:
    """Lines parted by line breaks, those put together again that a break has torn in mid-sentence."""
    merged: list[tuple[str, int]] = []
    for text, page, *_ in lines:
        before = merged[-1][0] if merged else ""
        torn = (
            before
            and not before.endswith((".", ":", ";", "!", "?"))
            and (text[0].islower() or text[0].isdigit())
        )
        if torn and not _ITEM.match(text):
            merged[-1] = (f"{before} {text}", merged[-1][1])
        else:
            merged.append((text, page))
    return merged
