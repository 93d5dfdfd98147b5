"""Tags of HTML by what they do to the text around them. Holds tables only."""

from __future__ import annotations

SILENT = frozenset({"script", "style", "head"})
CELLS = frozenset({"tr", "td", "th"})
BREAKING = frozenset({
    "p", "div", "li", "ul", "ol", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "tbody", "section", "article",
    "blockquote", "pre", "dt", "dd", "body", "form", "fieldset", "header", "footer", "address", "caption",
})  # fmt: skip
EMPTY = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "col", "area", "base", "wbr", "source", "embed"}
)
GROUPS = frozenset({"thead", "tbody", "tfoot"})
# Tags that a tag ends which are not ended by their own, and those outside of which it ends none.
ENDS = {
    **dict.fromkeys(BREAKING - {"br"}, (frozenset({"p"}), frozenset({"td", "th", "table", "button"}))),
    "table": (frozenset({"p"}), frozenset({"td", "th", "table"})),
    "li": (frozenset({"li", "p"}), frozenset({"ul", "ol", "td", "th", "table"})),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd", "p"}), frozenset({"dl", "td", "th", "table"}))),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), frozenset({"table"}))),
    "tr": (frozenset({"tr", "td", "th"}), frozenset({"table"})),
    **dict.fromkeys(GROUPS, (GROUPS | {"tr", "td", "th"}, frozenset({"table"}))),
}  # fmt: skip
FIELDS = frozenset({"textarea", "button"})
SOURCED = frozenset({"iframe", "frame", "embed"})
