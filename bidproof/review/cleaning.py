"""Making foreign text fit to be shown and exported: characters that break files are taken out.

Text of bids comes from strangers. Control characters abort an XLSX and corrupt a CSV, so they are removed
once, when the matrix is built, and every export says the same. Escaping for a format is done by that format.
"""

from __future__ import annotations

import re
from typing import Any

# C0 and C1 controls but tab and line feed, lone surrogates, and the two code points that XML forbids.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85]")


def clean(text: object) -> str:
    """`text` without control characters; other line ends become line feeds. None is the empty string."""
    if text is None:
        return ""
    return _UNFIT.sub("", _LINE_END.sub("\n", str(text)))


def has_controls(text: object) -> bool:
    """True when `clean` would take characters out."""
    return text is not None and bool(_UNFIT.search(_LINE_END.sub("\n", str(text))))


def clean_tree(value: Any) -> Any:
    """`value` (JSON data) with every string in it cleaned, names included."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): clean_tree(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [clean_tree(part) for part in value]
    return value
