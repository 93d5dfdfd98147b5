"""Rows of an RFP's tables: what each row names, asks and how strongly, read by heading, header and cells.

Reads rows as the documents stage joins them (cells by ` | `). What a table is for is decided in `table_purposes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from bidproof.catalog.formats.contract import parse_mandatory
from bidproof.catalog.mining.sentences import level, one_line
from bidproof.catalog.mining.table_purposes import ANSWERS, REQUIREMENT, Purpose, purpose_of

_REFERENCE = re.compile(
    r"(?:req(?:uirement)?\.? ?)?(?:id|no\.?|nos\.?|ref(?:erence)?\.?|n°|nr|item(?: no\.?)?|#|s/? ?n(?:o\.?)?|sl\.? ?no\.?|s\.?r?\.? ?no\.?|code|"
    r"numero|"
    r"article|clause(?: no\.?)?|lot)"
)
_CODE = re.compile(
    r"^(?:[a-z]{1,6}[-. ]?)?\d[\d.]*[a-z]?\.?$|^[a-z]{2,6}[-_]\d+$|^(?:itt|itb|tds|bds|gcc|scc) ?\d"
)
_REFERRING = re.compile(r"(?<![a-z])(?:ref(?:erence)?|clause|article|itt|itb|id)(?![a-z])")
_STRENGTH = re.compile(
    r"^mandatory|^obligatoire|mandatory ?/|priority|m ?/ ?o|^type$|obligatoire|criticality|moscow|m/d|^category$|"
    r"^level$|^m/?o/?d?$|importance|mandatory\?"
)
_OPTIONAL = re.compile(
    r"^(?:o|optional|nice|desirable|should|could|s|d|p3|p4|low|preferred|facultatif|souhaite|non|no)\b"
)
_STRONG = re.compile(
    r"^(?:m|mandatory|must|critical|p0|p1|p2|high|essential|obligatoire|required|yes|oui|shall|medium)\b"
)
_MINIMUM = re.compile(
    r"minimum|minimale?|maximum|maximale?|target|(?<![a-z])slas?(?![a-z])|exigee?s?|requise?s?"
)
_QUALIFIER = re.compile(r"definition|meaning|description|example|exemple|impact|notes?$|severity$|scenario")
_TOTAL = re.compile(r"^(?:sub-?)?total\b")
_COLUMN_NAME = re.compile(
    r"^(?:criteres?|criterion|notation|documents?|description|designation|libelle|item|parameter|parametre|unit|unite|"
    r"quantity|quantite|date|n°|no\.?)(?![a-z])"
)
_POINTS_COLUMN = re.compile(r"points?|marks?|score|bareme|weight|ponderation")


@dataclass(frozen=True)
class Cell:
    """One thing that a row says, under the name of its column (empty without a header)."""

    name: str
    text: str


@dataclass(frozen=True)
class RowContext:
    """One row: its label, what its cells ask, and the table's purpose.

    `values` holds the asked cells: one, or one for each measured column. `note` is what qualifies them and asks nothing.
    """

    label: str
    values: tuple[Cell, ...]
    quote: str
    page: int
    heading_path: str
    purpose: Purpose
    header: str = ""
    note: str = ""
    reference: str = ""
    stated: bool | None = None
    empty: bool = False
    table: str = ""

    @property
    def text(self) -> str:
        """Label and asked words."""
        said = "; ".join(cell.text for cell in self.values)
        return ": ".join(part for part in (self.label, said) if part)


@dataclass(frozen=True)
class _Columns:
    names: list[str]
    shown: list[str]
    reference: int | None
    strength: int | None
    answers: frozenset[int]
    label: int | None
    values: tuple[int, ...]
    separate: bool
    proofs: frozenset[int]
    blank: frozenset[int]


def table_rows(blocks: list[dict[str, Any]], lead: str = "") -> list[RowContext]:
    """Rows of one table in order; header rows, printed-again headers and empty rows are none."""
    rows = _whole_rows(blocks)
    header = next((row for row in rows if row["is_header"]), None) or _unmarked_header(rows)
    heading = level(rows[0]["heading_path"] or "")
    names = [level(cell) for cell in _split(header["text"])] if header else []
    bodies = [row for row in rows if not row["is_header"] and row is not header]
    cells = [_cells(row["text"], len(names)) for row in bodies]
    levelled = [[level(cell) for cell in row] for row in cells]
    again = {tuple(names)} if names else set()
    purpose = purpose_of(heading, names, levelled)
    found: list[RowContext] = []
    band = ""
    columns_of: dict[int, _Columns] = {}
    for row, own, plain in zip(bodies, cells, levelled, strict=True):
        if tuple(plain) in again or not any(own) or _is_header_like(plain, names):
            continue
        if len(own) not in columns_of:
            matching = names if len(names) == len(own) else []
            same = [other for other in levelled if len(other) == len(own)]
            shown = [one_line(cell) for cell in _split(header["text"])] if matching and header else []
            columns_of[len(own)] = _columns(matching, shown, same, purpose)
        columns = columns_of[len(own)]
        hidden = {columns.reference, columns.strength, *columns.answers}
        title = _band([cell for i, cell in enumerate(own) if i not in hidden and i not in columns.blank])
        band = band if title is None else title
        context = _context(row, own, columns, purpose, " | ".join(names))
        if title:
            context = replace(context, empty=True)
        if band and not context.empty:
            context = replace(context, label=", ".join(part for part in (band, context.label) if part))
        if found and _goes_on(found[-1], context, own, columns):
            last = found[-1]
            more = " ".join(cell.text for cell in context.values)
            joined = replace(last.values[-1], text=f"{last.values[-1].text} {more}")
            found[-1] = replace(
                last, values=(*last.values[:-1], joined), quote=f"{last.quote} {context.quote}"
            )
            continue
        found.append(context)
    return found


def _band(cells: list[str]) -> str | None:
    """Title of a row that names the rows below it: one filled cell of several, without a verb or a full stop."""
    filled = [cell for cell in cells if cell]
    if len(cells) < 2 or len(filled) != 1:
        return None
    title = filled[0]
    if not re.search(r"[^\W\d_]{3}", title):
        return None
    if _TOTAL.match(level(title)):
        return ""
    return (
        title
        if len(title.split()) <= 14 and not title.endswith((".", ";", "?")) and not title[:1].islower()
        else None
    )


def _split(text: str) -> list[str]:
    return [one_line(cell) for cell in text.split(" | ")]


def _cells(text: str, expected: int) -> list[str]:
    """Cells of a row; empty ones at its ends may have lost their spaces."""
    cells = _split(text)
    if len(cells) == expected or not expected:
        return cells
    bare = [one_line(cell) for cell in text.split("|")]
    return bare if len(bare) == expected else cells


def _whole_rows(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows whose parts stand on two pages as one, cell by cell; the row stands where it begins."""
    rows: list[dict[str, Any]] = []
    for block in blocks:
        last = rows[-1] if rows else None
        number = block.get("row_no")
        if (
            last
            and number is not None
            and number >= 0
            and last.get("row_no") == number
            and not block["is_header"]
        ):
            mine, more = _split(last["text"]), _split(block["text"])
            if len(mine) == len(more):
                text = " | ".join(one_line(f"{a} {b}") for a, b in zip(mine, more, strict=True))
            else:
                text = f"{last['text']} {block['text']}"
            rows[-1] = {**last, "text": text}
            continue
        rows.append({**block, "text": block["text"] or ""})
    return rows


def _unmarked_header(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """A first row of column names that was not told as a header."""
    for row in rows[:3]:
        cells = [level(cell) for cell in _split(row["text"])]
        hits = sum(
            bool(
                REQUIREMENT.search(c)
                or ANSWERS.search(c)
                or _POINTS_COLUMN.search(c)
                or _COLUMN_NAME.search(c)
            )
            for c in cells
        )
        if len(cells) > 1 and all(cells) and all(len(c.split()) <= 5 for c in cells) and hits >= 2:
            return row
    return None


def _is_header_like(plain: list[str], names: list[str]) -> bool:
    return (
        bool(names)
        and len(plain) == len(names)
        and sum(a == b for a, b in zip(plain, names, strict=True)) > len(names) / 2
    )


def _columns(names: list[str], shown: list[str], rows: list[list[str]], purpose: Purpose) -> _Columns:
    width = len(rows[0])
    used: set[int] = set()
    answers = frozenset(
        i
        for i, name in enumerate(names)
        if ANSWERS.search(name)
        and not REQUIREMENT.search(name)
        and i
        and not _holds_limits([r[i] for r in rows])
    )
    used |= answers
    blank = frozenset(i for i in range(width) if not any(row[i] for row in rows))
    used |= blank
    reference = next(
        (i for i, n in enumerate(names) if _names_reference(n) and _are_codes([row[i] for row in rows])), None
    )
    if reference is None and not names:
        reference = next(
            (
                i
                for i in range(min(2, width))
                if width > 1 and rows and sum(bool(_CODE.match(r[i])) for r in rows) > 0.6 * len(rows)
            ),
            None,
        )
    if reference is not None and width - len(used) > 1:
        used.add(reference)
    else:
        reference = None
    first = next((i for i in range(width) if i not in used), 0)
    strength = next(
        (i for i, n in enumerate(names) if _STRENGTH.search(n) and i not in used and i != first), None
    )
    if strength is not None and not all(_says_strength(row[strength]) for row in rows):
        strength = None
    if strength is not None:
        used.add(strength)
    rest = [i for i in range(width) if i not in used]
    label = rest[0] if len(rest) > 1 else None
    values = tuple(rest[1:] if label is not None else rest)
    values, separate = _asked_columns(values, names, rows, purpose)
    proofs = frozenset(i for i in values if names and _PROOF.search(names[i]) and i != values[0])
    return _Columns(names, shown, reference, strength, answers, label, values, separate, proofs, blank)


def _asked_columns(
    values: tuple[int, ...], names: list[str], rows: list[list[str]], purpose: Purpose
) -> tuple[tuple[int, ...], bool]:
    """Which of the columns ask, and whether each does by itself."""
    if len(values) < 2 or not names or purpose == "points":
        return values, False
    values = tuple(i for i in values if not _PENALTY.search(names[i])) or values
    minima = [i for i in values if _MINIMUM.search(names[i])]
    measured = minima if len(minima) > 1 else [i for i in values if _is_measured([row[i] for row in rows])]
    if len(measured) > 1:
        more = [i for i in values if i not in measured and _asks_too(names[i], [row[i] for row in rows])]
        return tuple(sorted((*measured, *more))), True
    required = [i for i in values if REQUIREMENT.search(names[i])]
    asked = [i for i in values if not (_QUALIFIER.search(names[i]) and any(i != j for j in required))]
    return tuple(asked or values), False


_TIMED = re.compile(r"\d\s?(?:%|min|h|s|ms|sec|day|hour|week|month|year|jour|heure|semaine|mois|an)")


def _holds_limits(cells: list[str]) -> bool:
    """The column, named as one of answers ("Response"), is filled in by the buyer with times or shares."""
    return bool(cells) and sum(bool(_TIMED.search(cell)) for cell in cells) > 0.6 * len(cells)


_BESIDE = re.compile(
    r"penalt|penalit|credit|sanction|recipient|destinataire|remarks?|comments?|observations?|remarques?|contact|owner|responsable|location|lieu|"
    r"type$|"
    r"kind$|nature$|weight|ponderation|points?$|price|prix|total|montant"
)
"""Columns that qualify a limit or settle what it costs to miss it."""


def _asks_too(name: str, cells: list[str]) -> bool:
    """A filled column beside measured ones that asks as they do ("Required diploma"), and does not describe."""
    full = sum(bool(cell) for cell in cells)
    return bool(name) and full > 0.6 * len(cells) and not _QUALIFIER.search(name) and not _BESIDE.search(name)


_PENALTY = re.compile(r"penalt|penalit|credit|sanction|deduct|retenue|malus")
_PROOF = re.compile(
    r"documents?(?: to be)? (?:attached|submitted|provided|required)|proofs?|evidence|supporting|justificati(?:f|ve)s?|pieces? a (?:joindre|"
    r"fournir)|"
    r"preuves?|documentary"
)
_SAME_PAPER = re.compile(
    r"^\W*(?:(?:attested|certified|notari[sz]ed|signed|true|scanned|same|as above|idem) )*(?:copy|copies|copie|"
    r"original)?s?(?: conformes?)?(?:,.*)?$|^\W*(?:copy|"
    r"copie) of (?:the )?\w+(?:,.*)?$|^\W*(?:forms?|formulaires?|annexe?s?|appendix|yes|oui)(?![a-z])"
)


def _other_paper(cell: str) -> bool:
    """The proof names a paper of its own, not a copy of what is asked nor a form of the RFP."""
    return not _SAME_PAPER.match(level(cell))


def _names_reference(name: str) -> bool:
    return bool(re.fullmatch(_REFERENCE, name)) or (len(name.split()) <= 3 and bool(_REFERRING.search(name)))


def _are_codes(cells: list[str]) -> bool:
    """Cells of a column of references: numbers and codes, or nothing."""
    full = [cell for cell in cells if cell]
    coded = sum(
        bool(_CODE.match(cell)) or (len(cell.split()) <= 2 and bool(re.search(r"\d", cell))) for cell in full
    )
    return coded >= 0.6 * len(full)


def _is_measured(cells: list[str]) -> bool:
    full = [cell for cell in cells if cell]
    return bool(full) and sum(bool(re.search(r"\d", c)) and len(c.split()) <= 8 for c in full) > 0.6 * len(
        full
    )


def _says_strength(cell: str) -> bool:
    return (
        not cell or parse_mandatory(cell) is not None or bool(_OPTIONAL.search(cell) or _STRONG.search(cell))
    )


def _context(
    row: dict[str, Any], own: list[str], columns: _Columns, purpose: Purpose, header: str
) -> RowContext:
    label = own[columns.label] if columns.label is not None else ""
    filled = [i for i in columns.values if own[i]]
    shown = columns.shown
    if columns.separate:
        values = tuple(Cell(shown[i] if shown else "", own[i]) for i in filled)
    else:
        proofs = [i for i in filled if i in columns.proofs and _other_paper(own[i]) and i != filled[0]]
        said = [i for i in filled if i not in proofs]
        parts = [own[i] for i in said]
        name = shown[said[0]] if shown and len(said) == 1 and not proofs else ""
        values = (Cell(name, ": ".join(parts)),) if parts else ()
        values = (*values, *(Cell("", own[i]) for i in proofs))
    taken = {columns.label, columns.reference, columns.strength, *columns.values}
    note = " ".join(own[i] for i in range(len(own)) if i not in taken and i not in columns.answers and own[i])
    empty = not values
    if not values and label:
        values, label = (Cell("", label),), ""
    if purpose == "points" and columns.names:
        points = [i for i, name in enumerate(columns.names) if _POINTS_COLUMN.search(name)]
        empty = empty or (bool(points) and not any(re.search(r"\d", own[i]) for i in points))
    stated = _stated(level(own[columns.strength])) if columns.strength is not None else None
    reference = own[columns.reference] if columns.reference is not None else ""
    return RowContext(
        label=label, values=values, quote=row["text"], page=row["page"], heading_path=row["heading_path"] or "", purpose=purpose,
        header=header, note=note, reference=reference, stated=stated, empty=empty or _is_total(label, values),
        table=f"{row['doc_id']}/{row['table_no']}",
    )  # fmt: skip


def _is_total(label: str, values: tuple[Cell, ...]) -> bool:
    return any(bool(_TOTAL.match(level(text))) for text in (label, *(value.text for value in values[:1])))


def _goes_on(last: RowContext, row: RowContext, own: list[str], columns: _Columns) -> bool:
    """The rest of a row that a page break cut in two."""
    first = row.values[0].text if row.values else ""
    lost = (columns.reference is not None and not row.reference) or (
        columns.label is not None and not own[columns.label]
    )
    return lost and bool(last.values) and first[:1].islower()


def _stated(strength: str) -> bool | None:
    parsed = parse_mandatory(strength) if strength else None
    if parsed is not None:
        return parsed
    if _OPTIONAL.search(strength):
        return False
    return True if _STRONG.search(strength) else None
