"""The zip package of an Office file: its parts as XML, with their relations, and what it may unpack to.

Knows no words and no cells. Namespaces become the usual short prefixes (`w:p`), whichever of the two dialects
of Office Open XML a file speaks, and attributes lose theirs, but for relation ids (`r:id`).
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO
from xml.etree import ElementTree

from bidproof.errors import UnreadableFileError

Element = ElementTree.Element

# A part is parsed in one piece; its tree takes some ten times its size, and a process may hold five gigabytes.
MAX_PART = 200 << 20
# Office files of a thousand pages hold under ten thousand parts (pictures, for the most part).
_MAX_PARTS = 50_000
_MEND = "ask the sender for a sound copy, or print it to PDF"

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "x",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "x",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
    "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing": "xdr",
    "http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing": "xdr",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.openxmlformats.org/drawingml/2006/picture": "pic",
    "http://purl.oclc.org/ooxml/drawingml/picture": "pic",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
}  # fmt: skip


class Package:
    """An open Office file.

    Raises:
        UnreadableFileError: it is no sound zip, or would unpack to more than `max_bytes`.
    """

    def __init__(self, path: Path, name: str, max_bytes: int) -> None:
        self.name = name
        self._names: dict[str, str] = {}
        self.damaged: list[str] = []
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise _damaged(name, error) from None
        parts = self._zip.infolist()
        # zipfile unpacks no more of a part than its directory says, so the directory can be believed.
        total = sum(part.file_size for part in parts)
        if total > max_bytes or len(parts) > _MAX_PARTS:
            self._zip.close()
            size = f"{len(parts)} parts" if total <= max_bytes else f"{total / (1 << 20):,.0f} MB"
            limit = _MAX_PARTS if total <= max_bytes else f"documents.max_unpacked_mb ({max_bytes >> 20})"
            raise UnreadableFileError(name, f"unpacks to {size}, more than {limit}", _MEND)
        for part in parts:
            self._names.setdefault(part.filename.lstrip("/").lower(), part.filename)

    def __enter__(self) -> Package:
        """The package itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._zip.close()

    def __contains__(self, part: str) -> bool:
        """Whether a part of that name is there; case does not matter."""
        return part.lower() in self._names

    def names(self, prefix: str) -> list[str]:
        """Names of the parts below a folder, in lower case, in order."""
        return sorted(name for name in self._names if name.startswith(prefix.lower()))

    def open(self, part: str) -> IO[bytes]:
        """A stream over a part's bytes.

        Raises:
            UnreadableFileError: the part is missing or damaged.
        """
        try:
            return self._zip.open(self._names[part.lower()])
        except KeyError:
            raise UnreadableFileError(self.name, f"its part {part} is missing", _MEND) from None
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
            raise _damaged(self.name, error) from None

    def read(self, part: str) -> bytes:
        """A part's bytes.

        Raises:
            UnreadableFileError: the part is missing, damaged, or too large to be read in one piece.
        """
        with self.open(part) as stream:
            try:
                data = stream.read(MAX_PART + 1)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
                raise _damaged(self.name, error) from None
        if len(data) > MAX_PART:
            raise UnreadableFileError(self.name, f"its part {part} has over {MAX_PART >> 20} MB", _MEND)
        return data

    def xml(self, part: str) -> Element | None:
        """A part's root element; None where the file has no such part.

        Raises:
            UnreadableFileError: the part is damaged.
        """
        if part not in self:
            return None
        try:
            root = ElementTree.fromstring(self.read(part))
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise _damaged(self.name, error) from None
        for element in root.iter():
            shorten(element)
        return root

    def aside(self, part: str) -> Element | None:
        """As `xml`, for a part without which the rest can be read: a damaged one is named in `damaged`."""
        try:
            return self.xml(part)
        except UnreadableFileError:
            if part not in self.damaged:
                self.damaged.append(part)
            return None

    def rows(self, part: str, wanted: frozenset[str]) -> Iterator[Element]:
        """Elements of a part by tag, one at a time as they end, so that a part of any size takes little memory.

        Raises:
            UnreadableFileError: the part is missing or damaged.
        """
        with self.open(part) as stream:
            try:
                depth, root = 0, None
                for event, element in ElementTree.iterparse(stream, ("start", "end")):
                    if event == "start":
                        root = element if root is None else root
                        depth += 1
                        continue
                    depth -= 1
                    tag = _tag(element.tag)
                    if tag in wanted:
                        for each in element.iter():
                            shorten(each)
                        yield element
                        element.clear()
                    if depth == 1 and root is not None:
                        root.clear()
            except (ElementTree.ParseError, zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
                raise _damaged(self.name, error) from None

    def main(self, usual: str) -> str:
        """Name of the part that holds the document itself; `usual` where the package does not say."""
        parts = (
            part for kind, part in self.related("").values() if kind == "officeDocument" and part in self
        )
        return next(parts, usual)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Relations of a part by id: the last word of the kind (`image`, `footnotes`), and the part meant.

        What lies outside the file has an empty part.
        """
        folder, base = posixpath.split(part)
        root = self.xml(f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels")
        found: dict[str, tuple[str, str]] = {}
        for each in root if root is not None else ():
            kind, target = each.get("Type", "").rsplit("/", 1)[-1], each.get("Target", "")
            inside = each.get("TargetMode", "") != "External"
            place = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/") if inside else ""
            found[each.get("Id", "")] = (kind, place)
        return found


def _damaged(name: str, error: Exception) -> UnreadableFileError:
    reason = " ".join(str(error).split())[:120] or type(error).__name__
    return UnreadableFileError(name, f"the Office file is damaged ({reason})", _MEND)


_tags: dict[str, str] = {}


def _tag(tag: str) -> str:
    short = _tags.get(tag)
    if short is None:
        space, _, local = tag.rpartition("}")
        prefix = _PREFIXES.get(space[1:], "") if space else ""
        short = f"{prefix}:{local}" if prefix else local
        if len(_tags) < 20_000:
            _tags[tag] = short
    return short


def child(parent: Element | None, path: str) -> Element | None:
    """The element at a path of short names below `parent`; ElementTree takes none with colons."""
    for step in path.split("/"):
        if parent is None:
            return None
        parent = parent.find(step)
    return parent


def children(parent: Element | None, path: str) -> list[Element]:
    """The elements of the last name of a path below `parent`."""
    folder, _, last = path.rpartition("/")
    holder = child(parent, folder) if folder else parent
    return holder.findall(last) if holder is not None else []


def shorten(element: Element) -> None:
    """Give an element and its attributes their short names, in place."""
    element.tag = _tag(element.tag)
    if any("}" in name for name in element.attrib):
        named = {}
        for name, value in element.attrib.items():
            short = _tag(name)
            named[short if short.startswith("r:") else short.rpartition(":")[2]] = value
        element.attrib.clear()
        element.attrib.update(named)
