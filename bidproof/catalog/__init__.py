"""Catalog: requirements, typed predicates, catalog files and versions, and mining of an RFP.

Knows the tender's side only. Bidders, their documents and their verdicts are not known here.
"""

from bidproof.catalog.derivation import derive, section_hints, tag_pools
from bidproof.catalog.files import CatalogFile, load_catalog
from bidproof.catalog.frames import (
    catalog_version,
    catalogs_table,
    requirements_from_table,
    requirements_table,
    rfp_digest,
)
from bidproof.catalog.lexicon import area_of, synonyms_of

__all__ = [
    "CatalogFile",
    "area_of",
    "catalog_version",
    "catalogs_table",
    "derive",
    "load_catalog",
    "requirements_from_table",
    "requirements_table",
    "rfp_digest",
    "section_hints",
    "synonyms_of",
    "tag_pools",
]
