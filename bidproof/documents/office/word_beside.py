"""What stands beside the body of a Word file: notes, comments, running headers and footers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bidproof.documents.office.office_package import Element, Package
from bidproof.documents.office.word_styles import Styles
from bidproof.documents.office.word_text import Pages, ParagraphReader, chosen, joined

_APART = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Notes:
    """Footnotes and endnotes, numbered in the order in which the text refers to them."""

    def __init__(self, roots: Mapping[str, Element | None], styles: Styles) -> None:
        self._styles = styles
        self._elements = {
            (kind, each.get("id", "")): each
            for kind, root in roots.items()
            for each in (root if root is not None else ())
            if each.tag == f"w:{kind}" and each.get("type", "normal") not in _APART
        }
        self._counts: dict[str, int] = {}

    def text(self, kind: str, key: str) -> Iterator[tuple[str, str]]:
        """Text of a note with its number, and its anchor; nothing for a note that is not there."""
        element = self._elements.get((kind, key))
        if element is None:
            return
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        text = " ".join(paragraph_texts(element, self._styles))
        if text:
            yield f"{count} {text}", f"{kind} {count}"

    def unseen(self, kind: str, key: str) -> list[str]:
        """Text of a note whose mark is deleted or hidden, without a number."""
        element = self._elements.get((kind, key))
        return paragraph_texts(element, self._styles) if element is not None else []


def paragraph_texts(root: Iterable[Element], styles: Styles) -> list[str]:
    """Live text of each paragraph below `root`, those of tables and text boxes too."""
    reader = ParagraphReader(styles, Pages(False))
    texts: list[str] = []

    def walk(elements: Iterable[Element]) -> None:
        for each in joined(elements):
            if each.tag == "w:p":
                paragraph = reader.read(each)
                texts.append(paragraph.text())
                for box in paragraph.boxes:
                    walk(box)
            elif each.tag == "mc:AlternateContent":
                walk(chosen(each))
            else:
                walk(each)

    walk(root)
    return [text for text in texts if text]


def comments(root: Element | None, styles: Styles) -> list[tuple[str, str]]:
    """Text and author of each comment."""
    found = []
    for each in root if root is not None else ():
        if text := " ".join(paragraph_texts(each, styles)):
            found.append((text, each.get("author", "")))
    return found


class Running:
    """Headers and footers, section by section; a section that names none has those of the one before."""

    def __init__(self, package: Package, related: Mapping[str, tuple[str, str]], styles: Styles) -> None:
        self._package, self._related, self._styles = package, related, styles
        self._parts: dict[tuple[str, str], str] = {}
        self._read: dict[str, list[str]] = {}

    def enter(self, section: Element) -> None:
        """Take over what the properties of a section say."""
        for each in section:
            if each.tag in ("w:headerReference", "w:footerReference"):
                key = (each.tag, each.get("type", "default"))
                self._parts[key] = self._related.get(each.get("r:id", ""), ("", ""))[1]

    def texts(self) -> tuple[str, str]:
        """Header and footer of the section, those of its first and even pages too."""
        found = []
        for tag in ("w:headerReference", "w:footerReference"):
            texts = [
                text
                for (kind, _), part in sorted(self._parts.items())
                if kind == tag
                for text in self._of(part)
            ]
            found.append(" / ".join(dict.fromkeys(texts)))
        return found[0], found[1]

    def _of(self, part: str) -> list[str]:
        if part not in self._read:
            root = self._package.aside(part) if part else None
            words = [path.get("string", "") for path in root.iter("v:textpath")] if root is not None else []
            texts = paragraph_texts(root, self._styles) if root is not None else []
            self._read[part] = [text for text in (*words, *texts) if text]
        return self._read[part]
