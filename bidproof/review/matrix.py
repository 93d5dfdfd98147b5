"""Builds the compliance matrix of a tender from its tables: rules by bidders, each cell with its proof.

Pure: frames in, one frozen record out, the same whatever the order of files, bidders and rules. It renders
nothing (`html`, `exports`, `workbook`) and judges nothing. What it finds inconsistent it says in `warnings`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl
from pydantic import ValidationError

from bidproof.catalog import other_text
from bidproof.catalog.formats.rfp_record import open_conflicts
from bidproof.errors import StageError
from bidproof.records import Gate, Status
from bidproof.review.cells import Reading, Row, build_cell, read_tables
from bidproof.review.cleaning import clean, clean_tree
from bidproof.review.model import VERIFIED_KINDS, Bidder, Catalog, Cell, Matrix, Provenance, Rule
from bidproof.scoring.gate import READABLE

__all__ = ["Matrix", "build_matrix"]


def _one(values: set[str], what: str) -> str:
    """The only value; empty without any.

    Raises:
        StageError: there are several.
    """
    if len(values) > 1:
        raise StageError(
            f"matrix: the tables hold several {what} ({', '.join(sorted(values))}); pass those of one tender"
        )
    return next(iter(values), "")


def _rules(requirements: pl.DataFrame) -> tuple[Rule, ...]:
    """Mandatory rules first, then in the order of the catalog."""
    rules = [
        Rule(
            rule_id=row["rule_id"],
            number=row["rule_no"] or 0,
            area=clean(row["area"]),
            mandatory=bool(row["mandatory"]),
            text=clean(row["text"]),
            clause_ref=clean(row["clause_ref"]),
            weight=1.0 if row["weight"] is None else row["weight"],
            draft=bool(row["draft"]),
            source_page=row["source_page"],
            source_quote=clean(row["source_quote"]),
        )
        for row in requirements.iter_rows(named=True)
    ]
    twice = sorted(rule_id for rule_id, count in Counter(rule.rule_id for rule in rules).items() if count > 1)
    if twice:
        raise StageError(f"requirements: rule {twice[0]} stands twice; materialize requirements again")
    return tuple(sorted(rules, key=lambda rule: (not rule.mandatory, rule.number, rule.rule_id)))


def _catalog(catalogs: pl.DataFrame, version: str, warnings: list[str]) -> tuple[Catalog, Row]:
    rows = catalogs.filter(pl.col("catalog_version") == version).sort("source_name").to_dicts()
    if not rows:
        warnings.append(
            f"No record of catalog version {version[:12] or '(none)'}: its origin and author are not known"
        )
        return Catalog(version=version), {}
    row = rows[0]
    if said := other_text(row):
        warnings.append(clean(_sentence(said)))
    warnings += [
        clean(_sentence(f"left for a person to settle in the RFP: {said}"))
        for said in open_conflicts(row["conflicts"] or ())
    ]
    catalog = Catalog(
        version=version,
        origin=clean(row["origin"]),
        draft=bool(row["draft"]),
        source_name=clean(row["source_name"]),
        author=clean(row["author"]),
        accepted_by=clean(row["accepted_by"]),
        accepted_on=clean(row["accepted_on"]),
        submission_date=clean(row["submission_date"]),
    )
    return catalog, row


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, 4)


def _sentence(note: str) -> str:
    """`note` with a capital first letter; ids inside keep their case."""
    return note[:1].upper() + note[1:]


def _gate(
    score: Row | None, cells: list[Cell], mandatory: set[str], version: str, read: tuple[int, int]
) -> tuple[Gate, list[str], str]:
    """Gate that may be shown, its reasons, and a warning where scores and cells do not agree."""
    if score is None:
        readable, pages = read
        reasons = ["No scores are stored for this bidder: run the pack again"]
        if readable < pages:
            reasons.insert(0, f"Only {readable} of {pages} pages could be read")
        return Gate.CANNOT_DECIDE, reasons, "no scores are stored"
    gate, reasons = Gate(score["gate"]), [clean(reason) for reason in score["gate_reasons"] or ()]
    if version and score["catalog_version"] and score["catalog_version"] != version:
        note = f"scored under catalog {score['catalog_version'][:12]}, not {version[:12]}"
        return Gate.CANNOT_DECIDE, [f"{_sentence(note)}: run the pack again", *reasons], note
    against = [
        c.rule_id for c in cells if c.rule_id in mandatory and c.status in (Status.FAIL, Status.MISSING)
    ]
    if gate is Gate.PASS and against:
        note = f"the stored gate is pass, yet mandatory rules are not met: {', '.join(against)}"
        return Gate.CANNOT_DECIDE, [_sentence(note), *reasons], note
    return gate, reasons, ""


def _pages_read(slug: str, pages: pl.DataFrame | None) -> tuple[int, int]:
    """Readable pages of a bidder, and all of them; 0 of 0 where they are not at hand."""
    if pages is None:
        return 0, 0
    own = pages.filter(pl.col("bidder") == slug)
    return own.filter(pl.col("status").is_in(list(READABLE))).height, own.height


def _bidder(
    slug: str,
    documents: pl.DataFrame,
    score: Row | None,
    cells: list[Cell],
    gate: tuple[Gate, list[str]],
    read: tuple[int, int],
) -> Bidder:
    files = documents.filter(pl.col("bidder") == slug).sort("file_name", "doc_id").to_dicts()
    unreadable = {clean(row["file_name"]) for row in files if row["status"] == "unreadable"}
    row = score or {}
    unreadable |= {clean(name) for name in row.get("unreadable_files") or ()}
    count = Counter(cell.status for cell in cells)
    names = sorted({clean(file["bidder_name"]) for file in files if file["bidder_name"]})
    return Bidder(
        slug=slug,
        name=names[0] if names else slug,
        gate=gate[0],
        gate_reasons=tuple(gate[1]),
        gate_flips=_flips(row, gate[0]),
        technical=_number(row.get("technical")),
        technical_rules=row.get("technical_rules") or 0,
        commercial=_number(row.get("commercial")),
        commercial_rules=row.get("commercial_rules") or 0,
        overall=_number(row.get("overall")),
        passed=count[Status.PASS],
        partial=count[Status.PARTIAL],
        failed=count[Status.FAIL],
        missing=count[Status.MISSING],
        to_review=sum(cell.needs_review for cell in cells),
        quotes_verified=sum(c.status is not Status.MISSING and c.match_kind in VERIFIED_KINDS for c in cells),
        pages=row.get("pages") or read[1] or sum(file["page_count"] or 0 for file in files),
        pages_readable=row["pages_readable"] if row else read[0],
        unreadable_files=tuple(sorted(unreadable)),
        warnings=tuple(
            f"{clean(f['file_name'])}: {clean(note)}" for f in files for note in f["warnings"] or ()
        ),
    )


def _flips(score: Row, gate: Gate) -> tuple[str, ...]:
    """What would turn the gate, one line each; nothing where the gate shown is not the one that was scored."""
    if not score or score["gate"] != gate.value:
        return ()
    return tuple(
        f"{clean(one['rule_id'])}: {one['status']} → {one['if_status']} makes it {one['gate']}"
        + (" (to review)" if one["needs_review"] else "")
        for one in score.get("gate_flips") or ()
    )


def _with_alerts(bidder: Bidder, integrity: pl.DataFrame | None) -> Bidder:
    """The bidder with one warning for all text of its pack that nobody sees and that speaks to a judge."""
    if integrity is None:
        return bidder
    rows = integrity.filter((pl.col("bidder") == bidder.slug) & (pl.col("severity") == "alert"))
    if not rows.height:
        return bidder
    first = rows.sort("file_name", "doc_id", "entry_no").row(0, named=True)
    where = f"{clean(first['file_name'])} p. {first['page']}" if first["page"] else clean(first["file_name"])
    count = f"{rows.height} integrity alert{'s' * (rows.height > 1)}"
    line = f"{count}: text that nobody sees speaks to the judge, first in {where}: “{clean(first['text'])[:120]}”"
    return bidder.model_copy(update={"warnings": (line, *bidder.warnings)})


def _with_rank(bidder: Bidder, rankings: pl.DataFrame | None) -> Bidder:
    """The bidder with its rank, where its gate as shown is the one that was ranked by."""
    rows = [] if rankings is None else rankings.filter(pl.col("bidder") == bidder.slug).to_dicts()
    if not rows or rows[0]["gate"] != bidder.gate.value:
        return bidder
    found = {"rank": rows[0]["rank"], "ranked_by": rows[0]["ranked_by"]}
    return bidder.model_copy(update={**found, "tied_with": tuple(rows[0]["tied_with"] or ())})


def _provenance(given: Mapping[str, Any], catalog: Row, documents: pl.DataFrame, version: str) -> Provenance:
    """`given`, with what the tables know where it is silent."""
    try:
        told = Provenance.model_validate(clean_tree(dict(given)))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StageError(f"matrix: provenance field {field}: {first['msg'].lower()}") from None
    known = {
        f"{row['bidder'] or 'rfp'}/{clean(row['file_name'])}": row["sha256"] or ""
        for row in documents.sort("bidder", "file_name", "doc_id").iter_rows(named=True)
    }
    return told.model_copy(
        update={
            "catalog_version": told.catalog_version or version,
            "rfp_sha256": told.rfp_sha256 or clean(catalog.get("rfp_sha256")),
            "files": dict(sorted((told.files or known).items())),
            "code_versions": dict(sorted(told.code_versions.items())),
        }
    )


def _strays(reading: Reading, rules: tuple[Rule, ...]) -> list[str]:
    known = {rule.rule_id for rule in rules}
    strays = sorted({(bidder, rule_id) for bidder, rule_id in reading.findings if rule_id not in known})
    return [
        f"{bidder}: a verdict on {rule_id}, which is no rule of this catalog, is left out"
        for bidder, rule_id in strays
    ]


def _columns(
    reading: Reading,
    rules: tuple[Rule, ...],
    version: str,
    documents: pl.DataFrame,
    scores: pl.DataFrame,
    pages: pl.DataFrame | None,
    warnings: list[str],
) -> tuple[list[Bidder], dict[tuple[str, str], Cell]]:
    """Bidders in the order of their names, cells by rule and bidder; doubts are added to `warnings`."""
    found = (documents["bidder"], scores["bidder"])
    slugs = {slug for column in found for slug in column.drop_nulls()} | {
        slug for slug, _ in reading.findings
    }
    score_of = {row["bidder"]: row for row in scores.iter_rows(named=True)}
    mandatory = {rule.rule_id for rule in rules if rule.mandatory}
    bidders: list[Bidder] = []
    cells: dict[tuple[str, str], Cell] = {}
    for slug in sorted(slugs - {""}):
        own = [build_cell(reading, rule, slug, version) for rule in rules]
        read = _pages_read(slug, pages)
        gate, reasons, doubt = _gate(score_of.get(slug), own, mandatory, version, read)
        if doubt:
            warnings.append(f"{slug}: {doubt}")
        bidders.append(_bidder(slug, documents, score_of.get(slug), own, (gate, reasons), read))
        cells |= {(cell.rule_id, slug): cell for cell in own}
    return sorted(bidders, key=lambda bidder: (bidder.name.casefold(), bidder.name, bidder.slug)), cells


def build_matrix(
    requirements: pl.DataFrame,
    catalogs: pl.DataFrame,
    documents: pl.DataFrame,
    candidates: pl.DataFrame,
    passages: pl.DataFrame,
    chunks: pl.DataFrame,
    findings: pl.DataFrame,
    scores: pl.DataFrame,
    provenance: Mapping[str, Any],
    pages: pl.DataFrame | None = None,
    integrity: pl.DataFrame | None = None,
    consistency: pl.DataFrame | None = None,
    rankings: pl.DataFrame | None = None,
    reviews: pl.DataFrame | None = None,
) -> Matrix:
    """The matrix of one tender. Frames follow `bidproof.tables` and may hold several packs.

    Args:
        requirements: rules of one catalog version.
        catalogs: that version's record; missing gives a warning.
        documents: files of the bids; files of the RFP may be there too.
        candidates: all candidates; a cell counts them and shows the best where no passage was chosen.
        passages: passages chosen.
        chunks: chunks of the bids.
        findings: verdicts after all checks.
        scores: gate and scores.
        provenance: fields of `Provenance`, as a mapping; what is left out is taken from the tables.
        pages: optional; gives the printed labels of pages that no finding cites.
        integrity: optional; its alerts stand among the warnings of their bidder.
        consistency: optional; a verdict that contradicts another needs a reviewer.
        rankings: optional; each bidder's rank.
        reviews: optional; says by whom a cell was decided. `findings` must hold these decisions already.

    Raises:
        StageError: several tenders or catalog versions, a rule or finding twice, unknown provenance fields.
    """
    frames = (requirements, catalogs, documents, candidates, passages, chunks, findings, scores)
    tender = _one({name for frame in frames for name in frame["tender"].unique().drop_nulls()}, "tenders")
    version = _one(set(requirements["catalog_version"].drop_nulls()), "catalog versions")
    warnings: list[str] = []
    rules = _rules(requirements)
    catalog, catalog_row = _catalog(catalogs, version, warnings)
    reading = read_tables(candidates, passages, chunks, findings, pages, consistency, reviews)
    bidders, cells = _columns(reading, rules, version, documents, scores, pages, warnings)
    names = sorted({clean(name) for name in documents["tender_name"].drop_nulls() if name})
    return Matrix(
        tender=tender,
        tender_name=names[0] if names else tender,
        catalog=catalog,
        bidders=tuple(_with_rank(_with_alerts(bidder, integrity), rankings) for bidder in bidders),
        rules=rules,
        cells=tuple(cells[rule.rule_id, bidder.slug] for rule in rules for bidder in bidders),
        provenance=_provenance(provenance, catalog_row, documents, version),
        warnings=(*warnings, *_strays(reading, rules), *sorted(reading.warnings)),
    )
