"""Columns of tables: which repeat what the RFP asks, which declare a status, which are the bidder's words.

Belongs here: reading header cells and status words, English and French. Does not belong here: rows as
evidence (`units`).
"""

from __future__ import annotations

import re

_I = re.IGNORECASE
_REQUIREMENT = re.compile(
    r"require|exigence|specification|sp[ée]cification|\brfp\b|\bask|demand|criteri|crit[èe]re|obligation|prescri|target|\bcible|minimum|tender\s+(?:clause|document)|wording\s+of\s+the\s+rfp|cahier|requis",
    _I,
)
_STATUS_HEAD = re.compile(
    r"status|statut|complian|conformit|conforme|comply|\bc\s*/\s*(?:pc|nc|p|n)|yes\s*/\s*no|oui\s*/\s*non|y\s*/\s*n|\bmet\b|fulfil",
    _I,
)
_RESPONSE = re.compile(
    r"remark|comment|response|respon|r[ée]ponse|answer|offer|propos|evidence|detail|observation|justif|vendor|bidder|our\b|solution|commitment|engagement|note|reference|soumission",
    _I,
)
_NUMBER_HEAD = re.compile(
    r"^(?:no\.?|n°|nr\.?|#|ref\.?|r[ée]f\.?|id|item\s*(?:no\.?|#)?|clause|s\.?\s?no\.?|sl\.?\s?no\.?|line|pos\.?|rep[èe]re)$",
    _I,
)

_YES = re.compile(
    r"(?:fully\s+|full\s+|totally\s+)?(?:compliant|complies|comply|complied|compliance|conforme|conformes|yes|oui|y|ok|accepted|agreed?|accept[ée]e?s?|met|c|fc|✓|✔|confirmed|enclosed|attached|included|provided|joint|fourni)\W*",
    _I,
)
NOTED = re.compile(
    r"(?:noted|read\s+and\s+understood|understood|vu|lu|pris\s+note|lu\s+et\s+compris|n\s*/\s*a|not\s+applicable|-|–|—|\.{2,}|_+|tb[acd])\W*",
    _I,
)
_PARTLY = re.compile(
    r"(?:partial(?:ly)?(?:\s+complian[tc]e?)?|p|pc|partiel(?:le)?(?:ment)?(?:\s+conforme)?|in\s+part|with\s+(?:deviations?|exceptions?)|exception|deviation|alternative|r[ée]serve|planned|roadmap|future)\W*",
    _I,
)
_NO = re.compile(
    r"(?:non[- ]?complian[tc]e?|not\s+complian[tc]e?|does\s+not\s+comply|non[- ]?conforme|no|non|n|nc"
    r"|not\s+(?:offered|enclosed|included|available|provided|met|supported|accepted|attached)"
    r"|not\s+(?:acceptable|agreed|possible)|unacceptable|inacceptables?"
    r"|none|missing|absent|(?:refus|rejet)[ée]e?s?|rejected|declined|excluded"
    r"|non[ -](?:fourni|joint|inclu[st]?|offert|(?:accept|support|respect|propos)[ée])e?s?|non[ -]acceptables?)\W*",
    _I,
)
REFERENCE_WORDS = re.compile(
    r"\b(?:see|refer|voir|cf|above|below|part|volume|vol|section|clause|annex|annexe|appendix|chapter|chapitre|form|formulaire|pages?|"
    r"attachment|table|schedule|letter|document|file|partie|pi[èe]ce|certificates?|check-?list|[A-Z]{1,3}-?\d[\w.]*|[A-Z])\b",
    _I,
)
REFERENCE_ONLY = re.compile(
    r"^(?:(?:please\s+)?(?:see|refer\s+to|cf\.?|voir|as\s+per|in|according\s+to)?\s*(?:our\s+|the\s+)?)?"
    r"(?:(?:part|volume|vol\.?|section|clause|annex|annexe|appendix|chapter|chapitre|form|formulaire|pages?|p\.|attachment|table|schedule|letter(?:\s+of\s+\w+)?|document|file|partie|pi[èe]ce|certificates?|check-?list|both)\b[\s,;:/&-]*"
    r"(?:of\s+bid|[A-Z]{0,3}-?\d*(?:\.\d+)*|both|and|et|in\s+french|certificates?)?[\s,;:/&-]*)+\.?$",
    _I,
)

_DEVIATION = r"(?:deviations?|exceptions?|reservations?|departures?|réserves?|d[ée]rogations?)"
_DEVIATION_HEAD = re.compile(rf"\b{_DEVIATION}\b", _I)
_DEVIATION_TITLE = re.compile(
    rf"[\W\d.]*(?:(?:table|list|schedule|statement|tableau|liste|[ée]tat)\s+(?:of|des?)\s+)?(?:\w+\s+(?:and|et)\s+)?{_DEVIATION}"
    r"(?:\s+(?:and|et|to|from|au|aux|sur|list|table|sheet)\b.*)?\W*",
    _I,
)
_NO_DEVIATION = re.compile(
    rf"(?:no|non|n|none|nil|nothing|n[ée]ant|sans\s+objet|(?:no|without|aucune?|sans|pas\s+de)\s+(?:{_DEVIATION}|changes?|remarks?|modifications?)(?:\s+\w+){{0,4}})\W*",
    _I,
)


def deviation_of(header: str, title: str, cell: str) -> str:
    """What a cell under `header`, in a table under the heading `title`, says of deviations.

    `none` or `declared` in a table of deviations; empty in any other.
    """
    text = cell.strip()
    of_deviations = _DEVIATION_HEAD.search(header) or _DEVIATION_TITLE.fullmatch(title)
    if not of_deviations:
        return ""
    agreed = status_of(text) in ("yes", "noted") and text.lower().strip(" .") not in ("yes", "oui", "y")
    silent = not re.search(r"\w", text)
    return "none" if silent or agreed or _NO_DEVIATION.fullmatch(text) else "declared"


def status_of(cell: str) -> str:
    """What the text of a status cell declares: yes, partly, no, noted; empty for anything else."""
    text = cell.strip()
    for name, pattern in (("noted", NOTED), ("no", _NO), ("partly", _PARTLY), ("yes", _YES)):
        if pattern.fullmatch(text):
            return name
    return ""


def is_matrix_header(headers: list[str]) -> bool:
    """The header is that of a compliance matrix: a requirement column beside a status column."""
    roles = [_header_role(header) for header in headers]
    return "status" in roles and "asked" in roles


def _header_role(header: str) -> str:
    if not header:
        return ""
    if _NUMBER_HEAD.match(header.strip()):
        return "number"
    own = bool(_RESPONSE.search(header))
    if _STATUS_HEAD.search(header) and not re.search(r"remark|comment", header, _I):
        return "status"
    if _REQUIREMENT.search(header):
        return "asked"
    return "own" if own else ""


def roles_of(headers: list[str], texts: list[str]) -> list[str]:
    """Role of each cell by its header, and by a bare status word where headers say nothing."""
    roles = [_header_role(header) for header in headers]
    statuses = [status_of(text) for text in texts]
    if "status" not in roles:
        marked = [
            n
            for n, status in enumerate(statuses)
            if status in ("yes", "partly", "no") and len(texts[n].strip()) > 3
        ]
        if (
            marked
            and len(texts) > 2
            and any(re.search(r"compl|conform|partial|exception", texts[n], _I) for n in marked)
        ):
            roles[marked[0]] = "status"
    if "status" in roles:
        at = roles.index("status")
        named = [n for n in range(len(roles)) if roles[n] == "asked"]
        before = [n for n in range(at) if roles[n] not in ("number", "own")]
        for n in named or before[-1:]:
            roles[n] = "asked"
    elif "asked" in roles and "own" not in roles:
        # A column "Target" or "Requirement" alone beside values: only a copy when another column answers it.
        others = [n for n, role in enumerate(roles) if role == ""]
        if len(others) < 2:
            roles = ["" if role == "asked" else role for role in roles]
    first = next((n for n, role in enumerate(roles) if role == ""), None)
    return [("label" if n == first else "own") if role == "" else role for n, role in enumerate(roles)]
