"""Values of PDF objects by key, through MuPDF's object reader. Knows no pages and no meaning of keys.

MuPDF's own lists of fields and comments walk over all of a page's for each one of them: two thousand fields on a
page take it five seconds. Reading the objects takes milliseconds.
"""

from __future__ import annotations

import re
from typing import Any

_NUMBER = re.compile(r"-?\d*\.?\d+")
_STRINGS = re.compile(r"\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>|/[^\s/()<>\[\]]+")
_ESCAPES = {"n": "\n", "r": "\n", "t": "\t", "b": "", "f": ""}
_DEPTH = 12


def value(document: Any, xref: int, key: str) -> tuple[str, str]:
    """Kind (`null`, `string`, `name`, `array`, `dict`, `xref`, ...) and text of a key; `null` where it is absent.

    A string that is an object of its own is followed.
    """
    kind, text = document.xref_get_key(xref, key)
    if kind != "xref":
        return str(kind), str(text)
    written = str(document.xref_object(int(text.split()[0]), compressed=True)).strip()
    if written.startswith("("):
        return "string", _unescaped(written[1:-1])
    if written.startswith("<") and not written.startswith("<<"):
        return "string", _from_hex(written)
    if written.startswith("["):
        return "array", written
    return "xref", str(text)


def inherited(document: Any, xref: int, key: str) -> tuple[str, str]:
    """`value`, looked for in the parents as well, as fields hand theirs down."""
    for _ in range(_DEPTH):
        found = value(document, xref, key)
        if found[0] != "null":
            return found
        kind, parent = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(parent.split()[0])
    return "null", "null"


def string(document: Any, xref: int, key: str) -> str:
    """A string or name, without its slash; empty for anything else."""
    kind, text = value(document, xref, key)
    return text if kind == "string" else text.removeprefix("/") if kind == "name" else ""


def number(document: Any, xref: int, key: str) -> int:
    """An integer; 0 where there is none."""
    kind, text = inherited(document, xref, key)
    return int(text) if kind == "int" else 0


def numbers(document: Any, xref: int, key: str) -> list[float]:
    """The numbers of an array."""
    kind, text = value(document, xref, key)
    return [float(each) for each in _NUMBER.findall(text)] if kind == "array" else []


def strings(text: str) -> list[str]:
    """The strings and names of an array or dictionary as written, in order."""
    found = []
    for each in _STRINGS.findall(text):
        if each[0] == "(":
            found.append(_unescaped(each[1:-1]))
        elif each[0] == "<":
            found.append(_from_hex(each))
        else:
            found.append(each[1:])
    return found


def _unescaped(text: str) -> str:
    out = re.sub(r"\\([0-7]{1,3})", lambda found: chr(int(found[1], 8) & 255), text)
    out = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), out, flags=re.S)
    return _from_bytes(out.encode("latin-1")) if out.startswith("\xfe\xff") and _is_latin(out) else out


def _is_latin(text: str) -> bool:
    return all(ord(letter) < 256 for letter in text)


def _from_hex(text: str) -> str:
    digits = re.sub(r"[^0-9A-Fa-f]", "", text)
    return _from_bytes(bytes.fromhex(digits + "0" * (len(digits) % 2)))


def _from_bytes(data: bytes) -> str:
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    return data.decode("latin-1")
