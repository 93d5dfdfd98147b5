"""A tender's rules and their record, from its catalog file or, where there is none, mined from the RFP.

Chooses the source, lets addenda act on what was mined and derives what the source leaves out; how files are read,
predicates derived, rules mined and addenda followed stands in the modules beside it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.formats.given import folded_space
from bidproof.catalog.frames import (
    catalog_version,
    catalogs_table,
    requirements_from_table,
    requirements_table,
)
from bidproof.catalog.mining.merging import conflicts
from bidproof.catalog.mining.rules import LeftOut, mine, stated_submission_date
from bidproof.catalog.predicates.derivation import derive
from bidproof.catalog.versions.addenda import apply_addenda
from bidproof.catalog.versions.deadlines import deadline_clauses, names_deadline, without_questions
from bidproof.catalog.versions.diff import CatalogDiff, Superseded, diff_catalogs, place
from bidproof.catalog.versions.places import file_rank
from bidproof.catalog.versions.superseded import from_file, superseded_line
from bidproof.facts import find_facts, fold
from bidproof.params import CatalogParams
from bidproof.records import Requirement

_SOONER = re.compile(r"\b(?:brought forward|advanced to|avancee? au|anticipee?)\b")


@dataclass(frozen=True)
class Built:
    """The rules of a tender in catalog order, derived, and all that a person should know of their making.

    `left_out` and `conflicts` are one line each, with page and reason; `omitted` has what was left out as records.
    """

    rules: tuple[Requirement, ...]
    source: CatalogFile | None
    left_out: tuple[str, ...] = ()
    superseded: tuple[Superseded, ...] = ()
    conflicts: tuple[str, ...] = ()
    omitted: tuple[LeftOut, ...] = ()

    @property
    def version(self) -> str:
        """Content digest of the rules."""
        return catalog_version(self.rules)

    @property
    def draft(self) -> bool:
        """Whether no person has accepted the rules yet: mined, or a file that calls itself a draft."""
        return self.source is None or self.source.draft


def build_rules(
    path: Path | None, rfp_documents: pl.DataFrame, rfp_blocks: pl.DataFrame, params: CatalogParams
) -> Built:
    """The rules of a tender: those of its catalog file, or those mined from the RFP with its addenda followed.

    Raises:
        CatalogError: the catalog file breaks its contract.
    """
    if path is not None:
        file = load_catalog(path)
        rules = tuple(derive(rule, submission_date=file.submission_date) for rule in file.rules)
        return Built(rules, file, superseded=from_file(file, rules), conflicts=file.conflicts)
    mined = mine(rfp_blocks, rfp_documents, params)
    amended = apply_addenda(mined.rules, rfp_blocks, rfp_documents, mined_id)
    date = submission_date(rfp_blocks, rfp_documents)
    # Conflicts between two places are told anew: an addendum may have settled them.
    omitted = tuple(one for one in mined.left_out if not one.why.startswith("conflict"))
    apart = (
        folded_space(f"{_said(pair.first)} and {_said(pair.second)} contradict one another")
        for pair in conflicts(amended.rules)
    )
    return Built(
        tuple(derive(rule, submission_date=date) for rule in amended.rules), None,
        tuple(f"p. {one.page} ({one.why}): {' '.join(one.text.split())[:160]}" for one in omitted),
        amended.superseded, (*map(folded_space, amended.conflicts), *apart), omitted,
    )  # fmt: skip


def _said(rule: Requirement) -> str:
    where = place(rule.sources[0]) if rule.sources else f"p. {rule.source_page}"
    return f"{rule.rule_id} ({where}: “{rule.text[:100]}”)"


def mined_id(text: str) -> str:
    """Id of a mined rule by its words: it survives a new edition of the RFP."""
    return "M-" + hashlib.sha256(fold(text).rstrip(" .;:").encode()).hexdigest()[:6]


def submission_date(rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame) -> str:
    """ISO date of bid submission by the latest file of the RFP that states one; empty where none does."""
    ranks = file_rank(rfp_blocks, rfp_documents)
    for name in sorted((name for name in ranks if ranks[name]), key=lambda name: -ranks[name]):
        if date := _moved_date(rfp_blocks.filter(pl.col("file_name") == name)):
            return date
    first = [name for name in ranks if not ranks[name]]
    return stated_submission_date(rfp_blocks.filter(pl.col("file_name").is_in(first)))


def _moved_date(blocks: pl.DataFrame) -> str:
    """Date of submission that an addendum sets; where it names the old one beside it, the later of both.

    Of a text that dates other things too, only the clauses about the deadline count, where they hold a date.
    """
    for written in blocks.sort("page", "block_no")["text"]:
        text = without_questions(written or "")
        dates = [fact for fact in find_facts(text) if fact.kind == "date" and fact.date]
        clauses = deadline_clauses(text) if dates else ""
        named = names_deadline(clauses) or names_deadline(text)
        if dates and (named or any(fact.role == "submission" for fact in dates)):
            own = [fact for fact in find_facts(clauses) if fact.kind == "date" and fact.date]
            found = sorted(fact.date for fact in own or dates)
            return found[0] if _SOONER.search(fold(clauses if own else text)) else found[-1]
    return ""


def build_requirements(
    path: Path | None,
    rfp_documents: pl.DataFrame,
    rfp_blocks: pl.DataFrame,
    params: CatalogParams,
    *,
    tender: str,
) -> pl.DataFrame:
    """Rules of a tender as `tables.REQUIREMENTS`; those that no person has accepted are marked as a draft.

    Raises:
        CatalogError: the catalog file breaks its contract.
    """
    return rules_table(build_rules(path, rfp_documents, rfp_blocks, params), tender=tender)


def rules_table(built: Built, *, tender: str) -> pl.DataFrame:
    """Built rules as `tables.REQUIREMENTS`."""
    return requirements_table(built.rules, tender=tender, version=built.version, draft=built.draft)


def build_catalog(
    requirements: pl.DataFrame,
    rfp_documents: pl.DataFrame,
    rfp_blocks: pl.DataFrame,
    path: Path | None,
    *,
    tender: str,
    params: CatalogParams | None = None,
    parameters: Mapping[str, Any] | None = None,
    built: Built | None = None,
) -> pl.DataFrame:
    """The record of a catalog version as `tables.CATALOGS`: its digest, the RFP's hash, origin, author, acceptance.

    Args:
        requirements: its rules.
        rfp_documents: files of the RFP.
        rfp_blocks: their blocks.
        path: its file; None where it was mined.
        tender: tender slug.
        params: how it was mined, for what addenda superseded; defaults when left out.
        parameters: all parameters of mining and derivation by group, as they are recorded.
        built: what `build_rules` gave for the same; made anew when left out.

    Raises:
        CatalogError: the catalog file breaks its contract.
    """
    built = built or build_rules(path, rfp_documents, rfp_blocks, params or CatalogParams())
    rules = requirements_from_table(requirements)
    return catalogs_table(
        rules, rfp_blocks, rfp_documents, tender=tender, version=catalog_version(rules), source=built.source,
        parameters=parameters, superseded=[superseded_line(one) for one in built.superseded],
        conflicts=built.conflicts,
    )  # fmt: skip


def diff_rfps(
    old: tuple[pl.DataFrame, pl.DataFrame], new: tuple[pl.DataFrame, pl.DataFrame], params: CatalogParams
) -> CatalogDiff:
    """Differences between two revisions of an RFP, through the rules mined from each.

    Args:
        old: documents and blocks of the earlier revision.
        new: those of the later one, its addenda included.
        params: how both are mined.
    """
    before, after = (build_rules(None, documents, blocks, params) for documents, blocks in (old, new))
    return diff_catalogs(before.rules, after.rules, superseded=after.superseded)


def catalog_version_of(requirements: pl.DataFrame) -> str:
    """Catalog version that rows of `tables.REQUIREMENTS` carry; empty for no rows."""
    return str(next(iter(requirements["catalog_version"]), ""))
