"""Raised runs (superscript) in files without pages: exponents stay, note marks must not change a figure."""

from __future__ import annotations

from bidproof.documents.sheets.raised import raised_text


def glue_raised(before: str, text: str) -> tuple[str, bool]:
    """`before` with raised `text` after it, and whether the text was a note mark that is left out.

    `90` and a raised `1` is 90 and not 901; `m` and a raised `2` is m².
    """
    if not before.strip() or not text.strip():
        return before + text, False
    near = not before[-1].isspace()
    raised, apart = raised_text(before.split()[-1], text.strip(), near)
    space = " " if apart and near and raised else ""
    return before + space + raised + (" " if text[-1].isspace() else ""), not raised
