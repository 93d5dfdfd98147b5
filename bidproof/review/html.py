"""Renders a matrix as one self-contained HTML file that asks the network for nothing.

The table is written out on the server, so it reads and prints without scripts; the drawer, the filters and
deep links are a script over embedded data. Foreign text reaches the page in two ways only: through Jinja's
autoescape, and as JSON in which no character can end the script element. The content policy allows exactly
the one style and the one script of this file, by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bidproof.records import Gate, MatchKind, Status
from bidproof.review.model import Bidder, Cell, Matrix, Passage

STATUS_ORDER = (Status.PASS, Status.PARTIAL, Status.FAIL, Status.MISSING)
STATUS_CLASS = {
    Status.PASS: "pass",
    Status.PARTIAL: "partial",
    Status.FAIL: "fail",
    Status.MISSING: "missing",
}
GATE_CLASS = {Gate.PASS: "pass", Gate.FAIL: "fail", Gate.CANNOT_DECIDE: "undecided"}
GATE_TEXT = {Gate.PASS: "Gate passed", Gate.FAIL: "Gate failed", Gate.CANNOT_DECIDE: "Gate cannot be decided"}
MATCH_TEXT = {
    MatchKind.EXACT: "Exact match with the source",
    MatchKind.TYPOGRAPHIC: "Matches but for typography (quotes, dashes, spaces)",
    MatchKind.DEHYPHENATED: "Matches after joining hyphenated line ends",
    MatchKind.INTERLEAVED: "Words found with others in between: not verified",
    MatchKind.ELIDED: "Words left out of the quote: not verified",
    MatchKind.NONE: "Not found in the source",
}

INLINE_DATA_LIMIT = 1_000_000
"""Bytes of data that are embedded as readable JSON; more is deflated, as 12 bidders by 300 rules."""


@dataclass(frozen=True)
class Trim:
    """How much text of passages is embedded, in characters; the JSON export has all of it."""

    around: int
    passage: int


FULL = Trim(around=700, passage=1400)
SHORT = Trim(around=240, passage=360)
FULL_TRIM_CELLS = 400
"""Cells up to which passages are embedded whole."""


@cache
def environment() -> Environment:
    """The templates of this package, with autoescape."""
    environment = Environment(
        loader=PackageLoader("bidproof.review", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    environment.filters["reflow"] = lambda text: " ".join(str(text).split())
    return environment


@cache
def template_text(name: str) -> str:
    """Text of a style or script beside the templates."""
    return files("bidproof.review").joinpath("templates", name).read_text(encoding="utf-8")


def _percent(share: float | None) -> str:
    """A share as people read it: `92%`, `66.7%`, or `n/a` where there is nothing to measure."""
    if share is None:
        return "n/a"
    return f"{share * 100:.1f}".removesuffix(".0") + "%"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def page_policy(style: str, script: str) -> str:
    """Content policy: nothing may be fetched or sent; one style and one script may run, known by digest."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def script_json(data: Any) -> str:
    """`data` as JSON in which nothing can end a script element or start markup."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[:limit]
    return cut[: cut.rfind(" ")] + " …" if " " in cut[limit // 2 :] else cut + "…"


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, as character offsets; runs of white space count as one."""
    if not quote.strip():
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    found = re.search(r"\s+".join(re.escape(word) for word in quote.split()), text)
    return found.span() if found else None


def quote_in_context(quote: str, text: str, around: int) -> tuple[str, str, str] | None:
    """Text before the quote, the quote as `text` has it, and text after it; None when it is not there."""
    span = locate(quote, text)
    if span is None:
        return None
    before, after = text[: span[0]], text[span[1] :]
    if len(before) > around:
        tail = before[-around:]
        before = "… " + tail[tail.find(" ") + 1 :]
    return before, text[span[0] : span[1]], _shorten(after, around)


def _passage_data(passage: Passage, limit: int) -> dict[str, Any]:
    data = {
        "text": _shorten(passage.text, limit),
        "file": passage.file_name,
        "cite": passage.citation,
        "heading": passage.heading_path,
        "why": passage.why,
        "rank": passage.rank,
        "attempt": passage.attempt if passage.attempt > 1 else None,
        "unseen": list(passage.missing_terms),
    }
    return {name: value for name, value in data.items() if value}


def _cell_data(cell: Cell, trim: Trim) -> dict[str, Any]:
    evidence = cell.evidence
    context = quote_in_context(cell.quote, evidence.text, trim.around) if evidence else None
    data = {
        "status": cell.status.value,
        "judged": cell.judged_status if cell.judged_status != cell.status.value else "",
        "rationale": cell.rationale,
        "risk": cell.risk,
        "judge": cell.judge,
        "quote": cell.quote,
        "match": cell.match_kind.value if cell.quote else "",
        "context": list(context) if context else None,
        "passage": _shorten(evidence.text, trim.passage) if evidence and not context else "",
        "file": cell.file_name,
        "cite": cell.citation,
        "link": cell.link,
        "heading": cell.heading_path,
        "boxes": [[box.page, box.x0, box.y0, box.x1, box.y1] for box in cell.boxes],
        "ok": list(cell.checks_passed),
        "bad": list(cell.checks_failed),
        "review": cell.needs_review,
        "reason": cell.review_reason,
        "decided": cell.decision + (" (reopened)" if cell.reopened else ""),
        "quotes": list(cell.other_quotes),
        "others": [_passage_data(passage, trim.passage) for passage in cell.passages],
        "found": cell.candidates,
        "absence": cell.absence,
    }
    return {name: value for name, value in data.items() if value not in ("", None, [], False)}


def _payload(matrix: Matrix) -> dict[str, Any]:
    trim = FULL if len(matrix.cells) <= FULL_TRIM_CELLS else SHORT
    return {
        "bidders": [{"slug": bidder.slug, "name": bidder.name} for bidder in matrix.bidders],
        "rules": [
            {
                "id": rule.rule_id,
                "area": rule.area,
                "mandatory": rule.mandatory,
                "text": rule.text,
                "clause": rule.clause_ref,
                "page": rule.source_page,
                "source": rule.source_quote,
            }
            for rule in matrix.rules
        ],
        "cells": [_cell_data(cell, trim) for cell in matrix.cells],
        "match": {kind.value: text for kind, text in MATCH_TEXT.items()},
    }


def _embedded(matrix: Matrix) -> tuple[str, str]:
    """The data block and its encoding: readable JSON, or deflated and base64 when it is large."""
    text = script_json(_payload(matrix))
    if len(text) <= INLINE_DATA_LIMIT:
        return text, "json"
    squeeze = zlib.compressobj(level=9, wbits=-15)
    packed = squeeze.compress(text.encode("utf-8")) + squeeze.flush()
    return base64.b64encode(packed).decode("ascii"), "deflate"


def _segments(bidder: Bidder) -> list[tuple[str, str, int, float, float]]:
    """Class, name, count, start and width (percent) of each part of a bidder's bar."""
    counts = (bidder.passed, bidder.partial, bidder.failed, bidder.missing)
    total = sum(counts) or 1
    parts, start = [], 0.0
    for status, count in zip(STATUS_ORDER, counts, strict=True):
        width = 100 * count / total
        parts.append((STATUS_CLASS[status], status.value, count, round(start, 3), round(width, 3)))
        start += width
    return parts


def _sections(matrix: Matrix) -> list[dict[str, Any]]:
    """The matrix in two parts, mandatory rules first, each with rule, cells and place of its rows."""
    rows = [
        (rule.mandatory, {"index": i, "rule": rule, "cells": matrix.row(i)})
        for i, rule in enumerate(matrix.rules)
    ]
    parts = (
        (True, "Mandatory rules", "a Fail or Missing here fails the gate"),
        (False, "Scored rules", "count towards the scores, never towards the gate"),
    )
    sections = [
        {"title": title, "note": note, "rows": [row for kind, row in rows if kind is mandatory]}
        for mandatory, title, note in parts
    ]
    return [section for section in sections if section["rows"]]


def to_html(matrix: Matrix) -> str:
    """The matrix as the text of one HTML file. Same matrix, same bytes."""
    style, script = template_text("matrix.css"), template_text("matrix.js")
    data, encoding = _embedded(matrix)
    counts = {status: sum(cell.status is status for cell in matrix.cells) for status in STATUS_ORDER}
    return (
        environment()
        .get_template("matrix.html.j2")
        .render(
            matrix=matrix,
            style=Markup(style),
            script=Markup(script),
            policy=page_policy(style, script),
            data=Markup(data),
            encoding=encoding,
            sections=_sections(matrix),
            segments={bidder.slug: _segments(bidder) for bidder in matrix.bidders},
            areas=sorted({rule.area for rule in matrix.rules if rule.area}),
            counts=[(STATUS_CLASS[status], status.value, counts[status]) for status in STATUS_ORDER],
            to_review=sum(cell.needs_review for cell in matrix.cells),
            status_class=STATUS_CLASS,
            gate_class=GATE_CLASS,
            gate_text=GATE_TEXT,
            roomy=len(matrix.bidders) <= 3,
            reasons_shown=3 if len(matrix.bidders) <= 4 else 2,
        )
    )
