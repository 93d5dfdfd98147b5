"""Ticks and boxes set in a font of signs: ZapfDingbats and Wingdings give letters and figures for them.

A tick that reads `4` is a figure that nobody wrote, and an answer that is lost.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_ZAPF = {
    0x33: "✓", 0x34: "✔", 0x35: "✗", 0x36: "✗", 0x37: "✗", 0x38: "✘", 0x6C: "●", 0x6D: "○", 0x6E: "■",
    0x6F: "☐", 0x70: "☐", 0x71: "☐", 0x72: "☐", 0x75: "◆", 0x76: "❖",
}  # fmt: skip
_WING = {
    0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "☐", 0x72: "☐", 0xA8: "☐", 0x78: "☒", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑", 0xA1: "○", 0xA7: "▪", 0x75: "◆", 0x76: "❖", 0xE0: "→", 0xD8: "➢",
}  # fmt: skip
_WING2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x56: "☒", 0xA3: "☐", 0x2A: "☐",
}  # fmt: skip
# Any other sign: it marks something, and is no letter and no figure.
_SIGN = "•"


def name_ticks(page: Any, text: dict[str, Any]) -> None:
    """Put signs in the place of letters and figures that fonts of signs gave, in MuPDF's raw dictionary `text`."""
    spans = [
        (span, signs)
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if (signs := _signs_of(span["font"])) is not None
    ]
    if not spans:
        return
    codes = _codes(page)
    bare = _bare_codes() if _is_bare(page) else {}
    for span, signs in spans:
        for char in span["chars"]:
            if char["c"].isspace() or char.get("synthetic"):
                continue
            if signs is _ZAPF and char["c"] in bare:
                char["c"] = signs.get(bare[char["c"]], _SIGN)
                continue
            if char["c"] != "\ufffd" and 0x2000 <= ord(char["c"]) < 0xE000:
                continue
            code = codes.get(_place(char), ord(char["c"])) & 0xFF
            char["c"] = signs.get(code, _SIGN)


def _signs_of(font: str) -> dict[int, str] | None:
    name = font.lower().replace(" ", "")
    if "dingbats" in name:
        return _ZAPF
    if "wingdings" not in name:
        return None
    return _WING2 if "wingdings2" in name else {} if "wingdings3" in name else _WING


def _codes(page: Any) -> dict[tuple[float, float], int]:
    """Codes of the characters by their places: without an encoding MuPDF gives numbers of glyphs."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    text = page.get_text("rawdict", flags=flags, clip=pymupdf.INFINITE_RECT())
    return {
        _place(char): ord(char["c"])
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if _signs_of(span["font"]) is not None
        for char in span["chars"]
        if not char["c"].isspace()
    }


def _is_bare(page: Any) -> bool:
    """A ZapfDingbats of the page is neither embedded nor says what its codes stand for."""
    document = page.parent
    return any(
        "dingbats" in font[3].lower()
        and font[1] == "n/a"
        and all(document.xref_get_key(font[0], key)[0] == "null" for key in ("Encoding", "ToUnicode"))
        for font in page.get_fonts()
    )


@lru_cache(maxsize=1)
def _bare_codes() -> dict[str, int]:
    """What MuPDF gives for each code of such a font, asked of MuPDF: numbers of its own order of glyphs."""
    import pymupdf

    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "4", fontname="zadb")
    document.xref_set_key(page.get_fonts()[0][0], "Encoding", "null")
    places = {code: (30 + 30 * (code % 16), 30 + 40 * (code // 16)) for code in range(0x21, 0xFF)}
    orders = [f"BT /zadb 9 Tf {x} {y} Td <{code:02x}> Tj ET" for code, (x, y) in places.items()]
    document.update_stream(page.get_contents()[0], "\n".join(orders).encode())
    text = document.reload_page(page).get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)
    height = document[0].rect.height
    found = {
        (round(char["origin"][0]), round(height - char["origin"][1])): char["c"]
        for block in text["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
    }
    return {found[at]: code for code, at in reversed(places.items()) if at in found}


def _place(char: dict[str, Any]) -> tuple[float, float]:
    x, y = char["origin"]
    return round(x, 1), round(y, 1)
