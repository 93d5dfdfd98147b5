"""The integrity manifest: what the eye sees against what the text says, one row a remark.

Gathers remarks of pages and of the file as a whole into rows, and rows of a pack into its table. Finds nothing
itself: text that nobody sees is found where words are read, fields and comments in `overlays`, what lies beside
the pages in `survey`, later versions in `revisions`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from bidproof.documents.page import Remark
from bidproof.documents.parsed import ParsedFile
from bidproof.tables import INTEGRITY

_OWNER = ("tender", "bidder", "pack", "doc_id", "file_name")
_SEVERITIES = ("info", "warn", "alert")
MAX_TEXT = 2000

# Words to a judge, and words that state compliance, in the languages that the rules are written in. What nobody
# sees has no business saying either.
_TO_A_JUDGE = re.compile(
    r"ignore (?:all |any |the )*(?:previous|prior|above|other|earlier)|disregard (?:all |any |the )*(?:previous|prior|above|rules)"
    r"|(?:mark|rate|score|grade|judge|evaluate|assess|treat|consider|return|answer|output|respond)\b[^.]{0,60}"
    r"\b(?:pass(?:ed)?|compliant|full marks?|maximum|highest|10/10|100 ?%|yes|met|fulfilled|accepted|best)\b"
    r"|system prompt|language model|as an ai\b|\b(?:llm|chatgpt|gpt)\b|\binstructions? (?:to|for) (?:the )?(?:evaluator|judge|model|reviewer|ai)"
    r"|ignore[rz]? (?:toutes? )?(?:les |l')?(?:instructions?|regles?|consignes?)"
    r"|(?:marque[rz]?|note[rz]?|evalue[rz]?|considere[rz]?|repond(?:re|ez))\b[^.]{0,60}\b(?:conformes?|reussi|maximum|oui|accepte)\b"
)
_COMPLIANCE = re.compile(
    r"\b(?:fully |full |100 ?% )?(?:compliant|complies|comply|conforms?|compliance|meets? all|satisf(?:y|ies) all|accepted without)\b"
    r"|\bpass\b|\b(?:conforme|conformite|satisfait|respecte toutes)\b"
)


def speaks_to_a_judge(text: str, claims: bool = True) -> bool:
    """True for text that tells whoever judges the bid what to find, or (with `claims`) that states compliance.

    Meant for text that nobody sees; in plain sight such words are what bids are made of.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    plain = " ".join(plain.split())
    return bool(_TO_A_JUDGE.search(plain) or (claims and _COMPLIANCE.search(plain)))


def integrity_rows(found: list[Remark], file_remarks: Iterable[Remark] = ()) -> list[dict[str, Any]]:
    """Rows of a file's remarks: the file's own first, then those `found` on its pages."""
    trusted = [remark.page for remark in found if _is_trust(remark)]
    remarks = [*file_remarks, *_trust(trusted), *(remark for remark in found if not _is_trust(remark))]
    return [remark_row(number, remark) for number, remark in enumerate(remarks)]


def _is_trust(remark: Remark) -> bool:
    return remark.kind == "text_layer" and not remark.text


def _trust(pages: list[int]) -> list[Remark]:
    """One remark for all scans of a file whose text layers are read: they are mostly all of its pages."""
    if not pages:
        return []
    where = (
        f"{len(pages)} pages, first {pages[0]}, last {pages[-1]}" if len(pages) > 1 else f"page {pages[0]}"
    )
    detail = (
        f"the text layer under scans is read on trust ({where}); compare it with the picture where it decides"
    )
    return [Remark(0, "text_layer", "", detail, "info", True)]


def remark_row(number: int, remark: Remark) -> dict[str, Any]:
    """One remark as a row of `integrity`, without the columns of pack and document.

    Raises:
        ValueError: the severity is none of info, warn and alert.
    """
    if remark.severity not in _SEVERITIES:
        raise ValueError(f"severity {remark.severity!r} is none of {', '.join(_SEVERITIES)}")
    text = remark.text if len(remark.text) <= MAX_TEXT else remark.text[: MAX_TEXT - 1] + "…"
    return {
        "entry_no": number, "page": remark.page, "kind": remark.kind, "text": text, "citable": remark.citable,
        "severity": remark.severity, "detail": remark.detail,
        **dict(zip(("x0", "y0", "x1", "y1"), (round(side, 2) for side in remark.box), strict=True)),
    }  # fmt: skip


def integrity_table(documents: pl.DataFrame, parsed: Mapping[str, ParsedFile]) -> pl.DataFrame:
    """`integrity` of a pack, in order of documents and remarks.

    Args:
        documents: rows of `documents`.
        parsed: parsed files by doc_id; what the row of a document says of copies and later versions is added.
    """
    names = dict(documents.select("doc_id", "file_name").iter_rows())
    frames = []
    for row in documents.to_dicts():
        own = [remark_row(number, remark) for number, remark in enumerate(_of_row(row, names))]
        frame = pl.DataFrame(own, schema={name: INTEGRITY.schema[name] for name in _content_columns()})
        if row["doc_id"] in parsed:
            read = parsed[row["doc_id"]].integrity
            frame = pl.concat([frame, read.with_columns(pl.col("entry_no") + frame.height)])
        owner = [pl.lit(row[name], dtype=pl.String).alias(name) for name in _OWNER]
        frames.append(INTEGRITY.conform(frame.with_columns(owner)))
    return pl.concat(frames) if frames else INTEGRITY.empty()


def _content_columns() -> list[str]:
    return [name for name in INTEGRITY.columns if name not in _OWNER]


def _of_row(row: Mapping[str, Any], names: Mapping[str, str]) -> list[Remark]:
    """What a pack says of one of its files: it is there twice, or a later version is."""
    found = []
    if original := row["duplicate_of"]:
        detail = f"same bytes as {names.get(original, original)}; read once, under that name"
        found.append(Remark(0, "duplicate", "", detail))
    if later := row["superseded_by"]:
        detail = (
            f"by its name {names.get(later, later)} is a later version; evidence from here goes to a reviewer"
        )
        found.append(Remark(0, "superseded", "", detail, "warn"))
    return found
