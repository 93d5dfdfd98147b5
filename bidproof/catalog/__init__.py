"""Catalog: requirements, typed predicates, catalog files and versions, and mining of an RFP.

Knows the tender's side only. Bidders, their documents and their verdicts are not known here.
"""

from bidproof.catalog.building import build_catalog, build_requirements, catalog_version_of
from bidproof.catalog.formats.files import CatalogFile, load_catalog
from bidproof.catalog.frames import (
    catalog_version,
    catalogs_table,
    other_text,
    requirements_from_table,
    requirements_table,
    rfp_digest,
)
from bidproof.catalog.lexicon import (
    area_of,
    language_of,
    linked_phrases,
    synonyms_of,
    translated,
    translations,
)
from bidproof.catalog.mining.clause_parties import Context, Subject, Verdict
from bidproof.catalog.mining.rules import (
    LeftOut,
    Mined,
    Unit,
    mine,
    mine_rules,
    stated_submission_date,
    units,
)
from bidproof.catalog.mining.subjects import classify, subject_of
from bidproof.catalog.predicates.derivation import derive, section_hints, tag_pools

__all__ = [
    "CatalogFile",
    "Context",
    "LeftOut",
    "Mined",
    "Subject",
    "Unit",
    "Verdict",
    "area_of",
    "build_catalog",
    "build_requirements",
    "catalog_version",
    "catalog_version_of",
    "catalogs_table",
    "classify",
    "derive",
    "language_of",
    "linked_phrases",
    "load_catalog",
    "mine",
    "mine_rules",
    "other_text",
    "requirements_from_table",
    "requirements_table",
    "rfp_digest",
    "section_hints",
    "stated_submission_date",
    "subject_of",
    "synonyms_of",
    "tag_pools",
    "translated",
    "translations",
    "units",
]
