"""Equations as text on one line, those of Word (OMML) and of HTML (MathML): fractions and exponents stay apart.

`402`, seven over two and ten to the sixth is `402 7/2 10⁶`; run together it would be another figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bidproof.documents.office.office_package import Element, child

_RAISED = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_LOWERED = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_SMALL = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉₊₋^_")
# Equations nest; one deeper than this is made to break the reader.
_DEEPEST = 60
_SKIPPED = frozenset({
    "w:del", "w:moveFrom", "w:rPr", "w:bookmarkStart", "w:bookmarkEnd", "annotation", "annotation-xml", "mphantom",
    "none", "mprescripts",
})  # fmt: skip
Shown = Callable[[Element], bool]


def equation(element: Element, shown: Shown = lambda run: True) -> str:
    """The text of an equation; runs that are not `shown` are left out."""
    return " ".join(_spoken(element, shown, 0).split())


def is_apart(before: str, after: str) -> bool:
    """Whether two pieces, one of them more than plain text, would read as one figure or word when run together."""
    return before[-1:].isalnum() and (after[:1].isalnum() or after[:1] in "√∑∏∫") and after[:1] not in _SMALL


def _row(parts: Iterable[Element], shown: Shown, depth: int) -> str:
    text, plain = "", True
    for part in parts:
        said = _spoken(part, shown, depth)
        if not said:
            continue
        bare = part.tag in ("m:r", "w:ins", "mi", "mo", "mtext", "mrow")
        apart = not (bare and plain) or (text[-1:].isdigit() and said[0].isdigit() and part.tag == "mn")
        text += f" {said}" if apart and is_apart(text, said) else said
        plain = bare
    return text


def _spoken(element: Element, shown: Shown, depth: int) -> str:
    tag, depth = element.tag, depth + 1
    if depth > _DEEPEST or tag in _SKIPPED or tag.endswith("Pr"):
        return ""
    if tag == "m:r":
        return "".join(each.text or "" for each in element.iter("m:t")) if shown(element) else ""
    if tag in ("mi", "mn", "mo", "mtext", "ms"):
        return " ".join("".join(element.itertext()).split())
    if tag == "mspace":
        return " "
    if tag == "m:phant" and _said(element, "m:phantPr", "m:show") in ("0", "off", "false"):
        return ""
    made = _WORD.get(tag, _HTML.get(tag))
    if made is None:
        return _row(element, shown, depth)
    names, put = made
    parts = [each for each in element if each.tag not in _SKIPPED and not each.tag.endswith("Pr")]
    if names:
        texts = [" ; ".join(_row(each, shown, depth) for each in parts if each.tag == name) for name in names]
    else:
        texts = [_spoken(each, shown, depth) for each in parts]
    return put(texts, element)


def _said(element: Element, properties: str, name: str, default: str = "") -> str:
    """The value of a property of a Word equation's part."""
    found = child(element, f"{properties}/{name}")
    return default if found is None else found.get("val", default)


def _held(text: str) -> str:
    """Text of several parts in brackets."""
    text = text.strip()
    closed = text.startswith("(") and text.endswith(")") and ")" not in text[:-1]
    single = all(each.isalnum() or each in ".,\u00a0" or each in _SMALL for each in text)
    return text if single or closed else f"({text})"


def _fraction(texts: list[str], element: Element) -> str:
    over, under = [*texts, "", ""][:2]
    bare = _said(element, "m:fPr", "m:type") == "noBar" or element.get("linethickness") in ("0", "0pt", "0px")
    return f"({over}; {under})" if bare else f"{_held(over)}/{_held(under)}"


def raised(text: str) -> str:
    """An exponent: in small figures, or after a `^`."""
    text = text.strip()
    if not text:
        return ""
    small = text.replace("\u2212", "-")
    return small.translate(_RAISED) if all(each in "0123456789+-n" for each in small) else f"^{_held(text)}"


def _lowered(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    return text.translate(_LOWERED) if all(each in "0123456789+-" for each in text) else f"_{_held(text)}"


def _power(texts: list[str], element: Element) -> str:
    base, up = [*texts, "", ""][:2]
    return (_held(base) if base.strip() else "") + raised(up)


def _index(texts: list[str], element: Element) -> str:
    base, down = [*texts, "", ""][:2]
    return base.strip() + _lowered(down)


def _both(texts: list[str], element: Element) -> str:
    base, down, up = [*texts, "", "", ""][:3]
    return base.strip() + _lowered(down) + raised(up)


def _root(texts: list[str], element: Element) -> str:
    degree, inner = [*texts, "", ""][:2]
    return f"{raised(degree) if degree.strip() not in ('', '2') else ''}√{_held(inner)}"


def _square(texts: list[str], element: Element) -> str:
    return f"√{_held(''.join(texts))}"


def _sum(texts: list[str], element: Element) -> str:
    down, up, inner = texts
    return f"{_said(element, 'm:naryPr', 'm:chr', '∫')}{_lowered(down)}{raised(up)} {inner}"


def _brackets(texts: list[str], element: Element) -> str:
    left, right = (
        _said(element, "m:dPr", name, usual) for name, usual in (("m:begChr", "("), ("m:endChr", ")"))
    )
    return f"{left}{texts[0]}{right}"


def _fenced(texts: list[str], element: Element) -> str:
    return element.get("open", "(") + ", ".join(texts) + element.get("close", ")")


def _spaced(texts: list[str], element: Element) -> str:
    return " ".join(text for text in texts if text)


def _listed(texts: list[str], element: Element) -> str:
    return "; ".join(text for text in texts if text)


_Put = Callable[[list[str], Element], str]
_WORD: dict[str, tuple[tuple[str, ...], _Put]] = {
    "m:f": (("m:num", "m:den"), _fraction), "m:sSup": (("m:e", "m:sup"), _power), "m:sSub": (("m:e", "m:sub"), _index),
    "m:sSubSup": (("m:e", "m:sub", "m:sup"), _both), "m:sPre": (("m:e", "m:sub", "m:sup"), _both),
    "m:rad": (("m:deg", "m:e"), _root), "m:nary": (("m:sub", "m:sup", "m:e"), _sum), "m:d": (("m:e",), _brackets),
    "m:func": (("m:fName", "m:e"), _spaced), "m:limLow": (("m:e", "m:lim"), _index),
    "m:limUpp": (("m:e", "m:lim"), _power), "m:eqArr": ((), _listed), "m:m": ((), _listed), "m:mr": ((), _spaced),
}  # fmt: skip
_HTML: dict[str, tuple[tuple[str, ...], _Put]] = {
    "mfrac": ((), _fraction), "msup": ((), _power), "msub": ((), _index), "msubsup": ((), _both),
    "msqrt": ((), _square), "mroot": ((), lambda texts, element: _root(texts[::-1][:2], element)),
    "munder": ((), _index), "mover": ((), _power), "munderover": ((), _both), "mfenced": ((), _fenced),
    "mtable": ((), _listed), "mtr": ((), _spaced), "mlabeledtr": ((), _spaced), "mmultiscripts": ((), _spaced),
}  # fmt: skip
