"""What a chunk is about by its form: a question, a blank form, an address, a requirement, a list, prose.

Decides nothing about a rule. The sections of CVs and reports are named by their adapter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bidproof.adapters import Adapter
from bidproof.chunking.quality import BLANKS
from bidproof.records import BlockKind

_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}")
_PHONE = re.compile(
    r"(?:\b(?:tel|t[ée]l|telephone|t[ée]l[ée]phone|phone|mobile|fax|cell|gsm|portable)\b\W{0,6}|\+)\(?\d[\d\s().-]{6,}", re.I
)  # fmt: skip
_PLACE = re.compile(
    r"\b(?:address|adresse|street|avenue|boulevard|rue de|rue des|road|p\.?\s?o\.? box|b\.?p\.?\s?\d|postal code|code postal"
    r"|www\.\S+|https?://\S+|attn|attention|à l'attention)\b",
    re.I,
)
_BOXES = re.compile(r"[☐□☑☒]|\[\s\]")
_SIGNING = re.compile(
    r"\b(?:signature|signed|date|name|title|capacity|stamp|nom|qualité|cachet|fait à)\s*:\s*(?:$|\n|\|)", re.I
)
_MAX_CONTACT_WORDS = 90
# A chunk is a question when questions make up this much of it.
_QUESTION_SHARE = 0.4


def content_type(
    body: str, kind: str, blocks: Sequence[str], asked: int, section: str, adapter: Adapter
) -> str:
    """The content type of a chunk, as listed at `chunks.content_type`.

    Args:
        body: the text without a repeated header.
        kind: text, list or row.
        blocks: kinds of the blocks that it holds.
        asked: letters of it that belong to questions.
        section: type of the section above, as the adapter names it; empty for any other.
        adapter: how the document is read.
    """
    kinds = set(blocks)
    if kinds == {BlockKind.HEADING.value}:
        return "heading"
    if asked and (kind == "row" or asked >= _QUESTION_SHARE * len(body)):
        return "question"
    if kinds <= {BlockKind.CAPTION.value, BlockKind.HEADING.value}:
        return "caption"
    named = section or adapter.passage_type(body)
    if named and named != "requirement":
        return named
    if (
        BLANKS.search(body)
        or len(_BOXES.findall(body)) >= 2
        or (":" in body and len(_SIGNING.findall(body)) >= 2)
    ):
        return "form"
    if _is_contact(body):
        return "contact"
    if kind == "row":
        return "table_row"
    if named:
        return named
    if kinds <= {BlockKind.FOOTNOTE.value}:
        return "footnote"
    return "list" if kind == "list" else "paragraph"


def _is_contact(body: str) -> bool:
    if len(body.split()) > _MAX_CONTACT_WORDS:
        return False
    reached = bool("@" in body and _MAIL.search(body)) + bool(_PHONE.search(body))
    return reached == 2 or bool(reached and _PLACE.search(body))
