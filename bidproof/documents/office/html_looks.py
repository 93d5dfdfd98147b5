"""What a page's styles do to the look of its text: hidden, crossed out, of one colour with its ground.

Knows the rules in the page's own `<style>` and `style=`, and old attributes such as `color` and `bgcolor`. Style
sheets beside the page are not at hand. Reads no text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bidproof.documents.office.colours import INK, PAGE, SOME, hex_of, is_seen

_SHEET = re.compile(r"<style\b([^>]*)>(.*?)(?:</style\s*>|\Z)", re.S | re.I)
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.S)
_PART = re.compile(r"(?P<sign>[.#]?)(?P<name>[A-Za-z_*][\w-]*|\*)")
_SIMPLE = re.compile(r"(?:\*|[A-Za-z][\w-]*)?(?:[.#][A-Za-z_][\w-]*)*$")
_NUMBER = re.compile(r"-?\d*\.?\d+")
# Rules beyond this are of a program's making; a page that has more is told of, and its first ones count.
_MAX_RULES = 5000
# Pixels: smaller type than this nobody reads, and text moved further than this is off the screen.
_TINY, _FAR = 3.0, 900.0
_UNITS = {
    "px": 1.0,
    "": 1.0,
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "mm": 3.78,
    "cm": 37.8,
    "in": 96.0,
    "%": 0.16,
}
_NAMES = {
    "white": "FFFFFF", "black": "000000", "red": "FF0000", "green": "008000", "lime": "00FF00", "blue": "0000FF",
    "yellow": "FFFF00", "aqua": "00FFFF", "cyan": "00FFFF", "fuchsia": "FF00FF", "magenta": "FF00FF",
    "gray": "808080", "grey": "808080", "silver": "C0C0C0", "maroon": "800000", "navy": "000080", "olive": "808000",
    "purple": "800080", "teal": "008080", "orange": "FFA500", "snow": "FFFAFA", "ivory": "FFFFF0",
    "whitesmoke": "F5F5F5", "ghostwhite": "F8F8FF", "windowtext": "000000", "window": "FFFFFF",
}  # fmt: skip
# A colour of letters that lets everything through.
_CLEAR = "clear"
_STRUCK = frozenset({"del", "s", "strike"})
_NEVER_SHOWN = frozenset({"template", "noscript", "datalist"})


@dataclass(frozen=True, slots=True)
class Element:
    """What a rule can ask of an element."""

    tag: str
    classes: frozenset[str] = frozenset()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of text: `gone` with all that stands in it, `unseen` until something in it is shown again."""

    gone: bool = False
    unseen: bool = False
    struck: bool = False
    color: str = INK
    ground: str = PAGE
    size: float = 16.0

    @property
    def state(self) -> str:
        """`struck`, `hidden` or nothing."""
        if self.struck:
            return "struck"
        faint = self.size < _TINY or self.color == _CLEAR or not is_seen(self.color, self.ground)
        return "hidden" if self.gone or self.unseen or faint else ""


@dataclass(frozen=True, slots=True)
class _Rule:
    steps: tuple[Element, ...]
    said: tuple[tuple[str, str, bool], ...]
    weight: tuple[int, int, int, int]


class StyleSheet:
    """The rules that a page brings along."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self.count = 0
        for attributes, sheet in _SHEET.findall(text):
            if not re.search(r"media\s*=\s*[\"']?\s*(?!all|screen)\w", attributes, re.I):
                self._add(_COMMENT.sub(" ", sheet))

    def _add(self, sheet: str) -> None:
        for head, body in _blocks(sheet):
            if head.startswith("@"):
                # Rules for printers and telephones do not hold here.
                if re.fullmatch(r"@media\s+(?:only\s+)?(?:screen|all)|@layer.*|@supports.*", head, re.I):
                    self._add(body)
                continue
            said = _declared(body)
            for selector in head.split(","):
                rule = _rule(selector.strip(), said, self.count)
                if rule is not None and self.count < _MAX_RULES:
                    self.count += 1
                    self._rules.setdefault(_filed(rule.steps[-1]), []).append(rule)

    def said_of(self, element: Element, around: list[Element], inline: str) -> dict[str, str]:
        """Properties that hold for an element inside others, its own `style` last."""
        keys = [f".{name}" for name in element.classes] + [f"#{element.key}", element.tag, "*"]
        rules = [rule for key in keys for rule in self._rules.get(key, ()) if _holds(rule, element, around)]
        found: dict[str, str] = {}
        pressing: dict[str, str] = {}
        for rule in sorted(rules, key=lambda rule: rule.weight):
            for name, value, important in rule.said:
                (pressing if important else found)[name] = value
        mine = _declared(inline)
        found |= {name: value for name, value, important in mine if not important} | pressing
        return found | {name: value for name, value, important in mine if important}


def _blocks(sheet: str) -> list[tuple[str, str]]:
    """Heads and bodies of the outermost blocks of a style sheet."""
    found, depth, start, head = [], 0, 0, ""
    for at, sign in enumerate(sheet):
        if sign == "{":
            if not depth:
                head, start = sheet[start:at].rpartition(";")[2].strip(), at + 1
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if not depth:
                found.append((head, sheet[start:at]))
                start = at + 1
    return found


def _declared(body: str) -> tuple[tuple[str, str, bool], ...]:
    found = []
    for part in body.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            bare = re.sub(r"\s*!\s*important\s*$", "", value, flags=re.I)
            found.append((name.strip().lower(), bare.strip().lower(), bare != value))
    return tuple(found)


def _rule(selector: str, said: tuple[tuple[str, str, bool], ...], number: int) -> _Rule | None:
    steps = re.sub(r"\s*>\s*", " ", selector).split()
    # What hangs on the pointer, on a neighbour or on an attribute is not judged.
    if not steps or not all(_SIMPLE.match(step) for step in steps):
        return None
    made = []
    for step in steps:
        parts = [(found["sign"], found["name"]) for found in _PART.finditer(step)]
        tag = next((name.lower() for sign, name in parts if not sign), "")
        classes = frozenset(name for sign, name in parts if sign == ".")
        made.append(Element("" if tag == "*" else tag, classes, next((n for s, n in parts if s == "#"), "")))
    weight = (
        sum(bool(each.key) for each in made),
        sum(len(each.classes) for each in made),
        sum(bool(each.tag) for each in made),
        number,
    )
    return _Rule(tuple(made), said, weight)


def _filed(step: Element) -> str:
    if step.key:
        return f"#{step.key}"
    return f".{min(step.classes)}" if step.classes else step.tag or "*"


def _matches(step: Element, element: Element) -> bool:
    return (
        (not step.tag or step.tag == element.tag)
        and step.classes <= element.classes
        and (not step.key or step.key == element.key)
    )


def _holds(rule: _Rule, element: Element, around: list[Element]) -> bool:
    if not _matches(rule.steps[-1], element):
        return False
    wanted = list(rule.steps[:-1])
    for each in reversed(around):
        if not wanted:
            return True
        if _matches(wanted[-1], each):
            wanted.pop()
    return not wanted


def looked(before: Look, element: Element, named: dict[str, str], said: dict[str, str]) -> Look:
    """The look of an element's text, inside an element that looks like `before`."""
    look = replace(
        before,
        struck=before.struck or element.tag in _STRUCK or "line-through" in _joined(said, "text-decoration"),
        gone=before.gone or element.tag in _NEVER_SHOWN or _is_gone(named, said),
    )
    if shown := said.get("visibility"):
        look = replace(look, unseen=shown in ("hidden", "collapse"))
    color = said.get("color") or named.get("text" if element.tag == "body" else "color", "")
    ground = said.get("background-color") or said.get("background") or named.get("bgcolor", "")
    picture = named.get("background") or said.get("background-image", "none") != "none"
    if color:
        look = replace(look, color=_color(color, look.color))
    if ground or picture:
        look = replace(look, ground=SOME if picture else _color(ground, look.ground, ground=True))
    size = _pixels(said.get("font-size", ""), look.size)
    return replace(look, size=size) if size is not None else look


def _joined(said: dict[str, str], prefix: str) -> str:
    return " ".join(value for name, value in said.items() if name.startswith(prefix))


def _is_gone(named: dict[str, str], said: dict[str, str]) -> bool:
    if said.get("display") == "none":
        return True
    if "hidden" in named and "display" not in said:
        return True
    opacity = _NUMBER.match(said.get("opacity", ""))
    if opacity and float(opacity[0]) < 0.1:
        return True
    flat = "hidden" in said.get("overflow", "") and any(
        _pixels(said.get(name, ""), 16.0) in (0.0, 1.0)
        for name in ("height", "max-height", "width", "max-width")
    )
    moved = [said.get("text-indent", "")]
    if said.get("position") in ("absolute", "fixed"):
        moved += [said.get("left", ""), said.get("top", "")]
        flat |= bool(re.search(r"rect\(\s*[01](?:px)?[ ,]+[01](?:px)?[ ,]+[01]", said.get("clip", "")))
    flat |= bool(re.search(r"scale\(\s*0(?:\.0\d*)?\s*[,)]", said.get("transform", "")))
    return flat or any((_pixels(each, 16.0) or 0.0) < -_FAR for each in moved)


def _pixels(text: str, size: float) -> float | None:
    """A length in pixels; None for one that is not given or not a number."""
    found = re.match(r"(-?\d*\.?\d+)\s*([a-z%]*)", text)
    if found is None or found[2] not in _UNITS or (not found[2] and float(found[1])):
        # A length without a unit is none, but for nothing at all.
        return None
    factor = size if found[2] == "em" else size / 100 if found[2] == "%" else _UNITS[found[2]]
    return float(found[1]) * factor


def _color(text: str, before: str, ground: bool = False) -> str:
    """Six hex digits of a colour; `?` for one that is not known, and for what shines through."""
    text = text.strip().lower()
    if ground and ("url(" in text or "gradient" in text):
        return SOME
    clear = before if ground else ""
    if text in ("transparent", "none", "initial", "unset") and ground:
        return before
    if text in ("inherit", "currentcolor"):
        return before
    if text == "transparent":
        return _CLEAR
    if found := re.search(r"rgba?\(([^)]*)\)", text):
        parts = [float(each) for each in _NUMBER.findall(found[1])]
        if len(parts) > 3 and parts[3] < 0.1:
            return clear or _CLEAR
        if len(parts) < 3:
            return SOME
        scale = 2.55 if "%" in found[1] else 1.0
        return "".join(f"{min(255, max(0, round(each * scale))):02X}" for each in parts[:3])
    if found := re.search(r"#([0-9a-f]{3,8})\b", text):
        digits = found[1] if len(found[1]) > 4 else "".join(2 * each for each in found[1])
        if len(digits) == 8 and int(digits[6:], 16) < 26:
            return clear or _CLEAR
        return hex_of(digits[:6]) or SOME
    words = [_NAMES[word] for word in re.findall(r"[a-z]+", text) if word in _NAMES]
    return words[0] if words else hex_of(text) or SOME
