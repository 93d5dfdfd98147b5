"""What lies on a page beside its own print: form fields, typed notes, stamps, comments, signatures.

Reads them from the page's objects and lays them over its words: what prints is text, what does not print is
no evidence, and each is a remark of the integrity manifest. Decides nothing about the page's own print.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from bidproof.documents.page import Rect
from bidproof.documents.sheets import pdf_objects as pdf
from bidproof.documents.sheets.signatures import Signing, read_signing

Kind = Literal["text", "list", "check", "radio", "signature", "typed", "strike", "redaction", "comment"]

_LINK, _TYPED, _STRUCK, _REDACT, _STAMP, _POPUP, _FIELD = 1, 2, 11, 12, 13, 16, 21
_HIDDEN, _PRINT, _NO_VIEW = 2, 4, 32
_PASSWORD, _RADIO, _PUSH, _COMBO = 1 << 13, 1 << 15, 1 << 16, 1 << 17
# More fields than any form has, and few enough to be read in a second.
MOST = 5000
_LABEL_CHARS = 80


class Overlay(NamedTuple):
    """One annotation or field. Boxes are in MuPDF's unrotated page space.

    `shown` is on the screen, `printed` on paper too; `on` is the state of a check box or radio button.
    """

    kind: Kind
    box: Rect
    value: str
    name: str = ""
    shown: bool = True
    printed: bool = True
    on: bool = False
    quads: tuple[Rect, ...] = ()
    author: str = ""
    signing: Signing | None = None

    @property
    def visible(self) -> bool:
        """It is seen on the screen and in print."""
        return self.shown and self.printed


def read_overlays(page: Any) -> tuple[list[Overlay], int]:
    """Overlays of a page in their order, and how many were left out: too many, or broken."""
    annotations = [each for each in page.annot_xrefs() if each[1] not in (_LINK, _POPUP)]
    document = page.parent
    found, lost = [], max(len(annotations) - MOST, 0)
    for xref, kind, _ in annotations[:MOST]:
        try:
            overlay = (
                _field(page, document, xref) if kind == _FIELD else _annotation(page, document, xref, kind)
            )
        except Exception:
            # One broken object must not take the others along; it is counted.
            lost += 1
            continue
        if overlay is not None:
            found.append(overlay)
    return found, lost


def _box(page: Any, corners: list[float]) -> Rect:
    import pymupdf

    if len(corners) != 4:
        return 0.0, 0.0, 0.0, 0.0
    x0, y0, x1, y1 = corners
    box = pymupdf.Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)) * page.transformation_matrix
    return box.x0, box.y0, box.x1, box.y1


def _flags(document: Any, xref: int) -> tuple[bool, bool]:
    flags = pdf.number(document, xref, "F")
    return not flags & (_HIDDEN | _NO_VIEW), bool(flags & _PRINT)


def _annotation(page: Any, document: Any, xref: int, kind: int) -> Overlay | None:
    shown, printed = _flags(document, xref)
    corners = pdf.numbers(document, xref, "QuadPoints")
    quads = tuple(
        _box(page, [min(q[0::2]), min(q[1::2]), max(q[0::2]), max(q[1::2])])
        for at in range(0, len(corners) - 7, 8)
        if (q := corners[at : at + 8])
    )
    text = _clean(pdf.string(document, xref, "Contents"))
    kinds: dict[int, Kind] = {_TYPED: "typed", _STAMP: "typed", _STRUCK: "strike", _REDACT: "redaction"}
    what = kinds.get(kind, "comment")
    if what == "comment" and not text:
        return None
    box = _box(page, pdf.numbers(document, xref, "Rect"))
    author = _clean(pdf.string(document, xref, "T"))
    return Overlay(what, box, text, "", shown, printed, quads=quads, author=author)


def _field(page: Any, document: Any, xref: int) -> Overlay | None:
    kind = pdf.inherited(document, xref, "FT")[1]
    flags = pdf.number(document, xref, "Ff")
    shown, printed = _flags(document, xref)
    box, name = _box(page, pdf.numbers(document, xref, "Rect")), field_name(document, xref)
    if kind == "/Btn":
        if flags & _PUSH:
            return None
        state = pdf.string(document, xref, "AS") or _chosen(document, xref)
        on = state not in ("", "Off")
        if flags & _RADIO:
            # Buttons of one choice share their field's name: what tells them apart is the state each stands for.
            option = next((each for each in _states(document, xref) if each != "Off"), "")
            name = f"{name} {option}".strip() if option not in ("", "Yes", "On", "1") else name
        return Overlay("radio" if flags & _RADIO else "check", box, state, name, shown, printed, on)
    if kind == "/Sig":
        signing = read_signing(document, xref)
        return Overlay(
            "signature", box, signing.line if signing else "", name, shown, printed, signing=signing
        )
    if kind not in ("/Tx", "/Ch"):
        return None
    held, text = pdf.inherited(document, xref, "V")
    values = [text] if held == "string" else pdf.strings(text) if held == "array" else []
    if kind == "/Ch":
        values = _displayed(document, xref, values)
    value = "" if kind == "/Tx" and flags & _PASSWORD else _clean("\n".join(values))
    what: Kind = "list" if kind == "/Ch" and not flags & _COMBO else "text"
    return Overlay(what, box, value, name, shown, printed)


def _chosen(document: Any, xref: int) -> str:
    """State of a button that does not say its own: that of its field, where one of its pictures is of it."""
    kind, text = pdf.inherited(document, xref, "V")
    state = text.removeprefix("/") if kind in ("name", "string") else ""
    return state if state in _states(document, xref) else ""


def _states(document: Any, xref: int) -> list[str]:
    """Names of the pictures of a button, one a state."""
    kind, text = pdf.value(document, xref, "AP/N")
    if kind == "xref":
        text = document.xref_object(int(text.split()[0]), compressed=True)
    return [name for name in re.findall(r"/([^\s/<>\[\]()]+)\s*(?:\d+ \d+ R|<<|null)", text) if "<<" in text]


def _displayed(document: Any, xref: int, values: list[str]) -> list[str]:
    """What a choice field shows for the values that it holds."""
    pairs = re.findall(
        r"\[\s*(\((?:\\.|[^\\()])*\)|<[^>]*>)\s*(\((?:\\.|[^\\()])*\)|<[^>]*>)\s*\]",
        pdf.inherited(document, xref, "Opt")[1][1:-1],
    )
    shown = {pdf.strings(held)[0]: pdf.strings(said)[0] for held, said in pairs}
    return [shown.get(value, value) for value in values]


def field_name(document: Any, xref: int) -> str:
    """What a field is called: its tooltip, or its name with those of its parents."""
    kind, label = pdf.inherited(document, xref, "TU")
    if kind == "string" and _clean(label):
        return _clean(label)[:_LABEL_CHARS]
    names: list[str] = []
    for _ in range(12):
        if name := pdf.string(document, xref, "T"):
            names.insert(0, name)
        kind, parent = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(parent.split()[0])
    return _clean(".".join(names))[:_LABEL_CHARS]


def _clean(text: str) -> str:
    """Text without control characters; line ends stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in text if letter == "\n" or letter.isprintable()).strip()
