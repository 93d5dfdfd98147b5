"""Signature fields: signed or empty, and what the signature says of itself. Verifies no cryptography."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from bidproof.documents.sheets import pdf_objects as pdf

_DATE = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?")
# The object identifier 2.5.4.3, common name, as it stands in a certificate, and the string types after it.
_COMMON_NAME = b"\x06\x03\x55\x04\x03"
_STRING_TYPES = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1E: "utf-16-be"}


class Signing(NamedTuple):
    """What a signature says: who, when (ISO date), why, names in its certificates, and whether the file grew since."""

    name: str
    date: str
    reason: str
    certified: tuple[str, ...]
    grown: bool

    @property
    def line(self) -> str:
        """One line, as far as it says anything."""
        who = self.name or ", ".join(self.certified)
        parts = [f"signed by {who}" if who else "signed", f"on {self.date}" if self.date else ""]
        return ", ".join(part for part in (" ".join(p for p in parts if p), self.reason) if part)


def read_signing(document: Any, xref: int) -> Signing | None:
    """The signature of a field; None for a field that is not signed."""
    kind, text = pdf.inherited(document, xref, "V")
    if kind == "xref":
        at = int(text.split()[0])

        def string(key: str) -> str:
            return " ".join(pdf.string(document, at, key).split())

        contents = pdf.value(document, at, "Contents")[1]
        ranges = pdf.numbers(document, at, "ByteRange")
    elif kind == "dict":
        holder = _holder(document, xref)

        def string(key: str) -> str:
            return " ".join(pdf.string(document, holder, f"V/{key}").split())

        contents = pdf.value(document, holder, "V/Contents")[1]
        ranges = pdf.numbers(document, holder, "V/ByteRange")
    else:
        return None
    if not (contents or string("Filter") or ranges):
        return None
    reason = "; ".join(part for part in (string("Reason"), string("Location")) if part)
    return Signing(
        string("Name"), _iso(string("M")), reason, common_names(contents), _grown(document, ranges)
    )


def _holder(document: Any, xref: int) -> int:
    while document.xref_get_key(xref, "V")[0] == "null":
        xref = int(document.xref_get_key(xref, "Parent")[1].split()[0])
    return xref


def _iso(text: str) -> str:
    found = _DATE.match(text)
    if not found:
        return text
    year, month, day, hour, minute = found.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date} {hour}:{minute}" if minute else date


def common_names(contents: str) -> tuple[str, ...]:
    """Common names in a signature's certificates, each once, in their order. A guess at the bytes, no proof."""
    data = contents.encode("latin-1", "ignore")
    names: dict[str, None] = {}
    at = data.find(_COMMON_NAME)
    while at >= 0:
        start = at + len(_COMMON_NAME)
        if start + 2 <= len(data) and data[start] in _STRING_TYPES and data[start + 1] < 0x80:
            text = data[start + 2 : start + 2 + data[start + 1]].decode(_STRING_TYPES[data[start]], "ignore")
            if text.isprintable() and text.strip():
                names[text.strip()] = None
        at = data.find(_COMMON_NAME, start)
    return tuple(names)


def _grown(document: Any, ranges: list[float]) -> bool:
    """The file goes on behind what was signed: something was added since."""
    if len(ranges) != 4 or not document.name:
        return False
    try:
        size = Path(document.name).stat().st_size
    except OSError:
        return False
    # A line end or two after the last byte signed is no addition.
    return size > ranges[2] + ranges[3] + 2
