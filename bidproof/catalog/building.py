"""A tender's rules and their record, from its catalog file or, where there is none, mined from the RFP.

Chooses the source and derives what the file leaves out; how files are read, predicates derived and rules
mined stands in the modules beside it.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from bidproof.catalog.derivation import derive
from bidproof.catalog.files import CatalogFile, load_catalog
from bidproof.catalog.frames import (
    catalog_version,
    catalogs_table,
    requirements_from_table,
    requirements_table,
)
from bidproof.catalog.mining import mine, mine_rules, stated_submission_date
from bidproof.params import CatalogParams


def build_requirements(
    path: Path | None,
    rfp_documents: pl.DataFrame,
    rfp_blocks: pl.DataFrame,
    params: CatalogParams,
    *,
    tender: str,
) -> pl.DataFrame:
    """Rules of a tender as `tables.REQUIREMENTS`; mined ones are marked as a draft.

    Raises:
        CatalogError: the catalog file breaks its contract.
    """
    if path is None:
        date = stated_submission_date(rfp_blocks)
        rules = [derive(rule, submission_date=date) for rule in mine_rules(rfp_blocks, rfp_documents, params)]
    else:
        file = load_catalog(path)
        rules = [derive(rule, submission_date=file.submission_date) for rule in file.rules]
    return requirements_table(rules, tender=tender, version=catalog_version(rules), draft=path is None)


def left_out(
    path: Path | None, rfp_documents: pl.DataFrame, rfp_blocks: pl.DataFrame, params: CatalogParams
) -> list[str]:
    """Obligations that mining found in the RFP and made no rule of, one line each with page and reason.

    None where the rules come from a catalog file: there a person has chosen.
    """
    if path is not None:
        return []
    found = mine(rfp_blocks, rfp_documents, params).left_out
    return [f"p. {one.page} ({one.why}): {' '.join(one.text.split())[:160]}" for one in found]


def build_catalog(
    requirements: pl.DataFrame,
    rfp_documents: pl.DataFrame,
    rfp_blocks: pl.DataFrame,
    path: Path | None,
    *,
    tender: str,
) -> pl.DataFrame:
    """The record of a catalog version as `tables.CATALOGS`: its digest, the RFP's hash, origin and author.

    Raises:
        CatalogError: the catalog file breaks its contract.
    """
    source: CatalogFile | None = load_catalog(path) if path is not None else None
    rules = requirements_from_table(requirements)
    version = catalog_version(rules)
    return catalogs_table(rules, rfp_blocks, rfp_documents, tender=tender, version=version, source=source)


def catalog_version_of(requirements: pl.DataFrame) -> str:
    """Catalog version that rows of `tables.REQUIREMENTS` carry; empty for no rows."""
    return str(next(iter(requirements["catalog_version"]), ""))
