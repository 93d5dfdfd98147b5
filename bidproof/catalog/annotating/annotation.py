"""Rules with what an RFP says around them: flags, places referred to, defined terms, questions to the respondent.

Puts together what the modules beside it find, once over the blocks of the RFP. Changes no text, no predicate and
no duty of a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from bidproof.catalog.annotating.cross_references import RfpIndex, references_of
from bidproof.catalog.annotating.definitions import (
    DefinedTerm,
    DefinitionFinder,
    citable_blocks,
    definitions_in,
)
from bidproof.catalog.annotating.flags import flags_of
from bidproof.catalog.annotating.respondent_questions import RespondentQuestion, questions_in, with_questions
from bidproof.catalog.annotating.term_roles import Role, role_of_terms
from bidproof.records import Requirement, Source


class Annotator:
    """What is known of an RFP as a whole, and what of it belongs to one rule."""

    def __init__(self, rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame) -> None:
        """Read the definitions, questions and places of an RFP.

        Args:
            rfp_blocks: frame of shape `tables.BLOCKS`.
            rfp_documents: frame of shape `tables.DOCUMENTS`; duplicates of an earlier file are passed over.
        """
        if not rfp_documents.is_empty():
            doubles = rfp_documents.filter(pl.col("duplicate_of").fill_null("") != "")["doc_id"].to_list()
            rfp_blocks = rfp_blocks.filter(~pl.col("doc_id").is_in(doubles))
        blocks = citable_blocks(rfp_blocks)
        self.definitions: tuple[DefinedTerm, ...] = definitions_in(blocks)
        self.questions: tuple[RespondentQuestion, ...] = questions_in(blocks)
        self.roles: dict[str, Role] = role_of_terms(self.definitions)
        self._finder = DefinitionFinder(self.definitions)
        self._index = RfpIndex(blocks, rfp_documents)
        self._doc_ids = {block["file_name"]: block["doc_id"] for block in blocks}

    def annotated(self, rule: Requirement, shares_quote: bool = False) -> Requirement:
        """The rule with its flags, references and definitions; those that it brings along stay as they are.

        Args:
            rule: a mined rule.
            shares_quote: other rules are cut from the same words, which therefore say nothing of this one.
        """
        place = (
            rule.sources[0] if rule.sources else Source(page=rule.source_page or 0, quote=rule.source_quote)
        )
        text = rule.text if shares_quote or place.quote in rule.text else f"{rule.text} |. {place.quote}"
        said = f"{text} |. {rule.obligation}" if rule.obligation else text
        heading = place.heading_path or rule.clause_ref
        return rule.model_copy(
            update={
                "flags": rule.flags or flags_of(said, heading),
                "references": rule.references
                or references_of(text, self._index, self._doc_ids.get(place.file_name, ""), heading),
                "definitions": rule.definitions or self._finder.used(rule.text),
            }
        )


def annotate(
    rules: Sequence[Requirement], rfp_blocks: pl.DataFrame, rfp_documents: pl.DataFrame, default_area: str
) -> list[Requirement]:
    """Mined rules with the RFP's questions among them, each with flags, references and definitions.

    Args:
        rules: mined rules in reading order.
        rfp_blocks: frame of shape `tables.BLOCKS`.
        rfp_documents: frame of shape `tables.DOCUMENTS`.
        default_area: area of a question whose heading and words tell none.
    """
    annotator = Annotator(rfp_blocks, rfp_documents)
    every = with_questions(rules, annotator.questions, default_area)
    quotes = Counter((rule.source_page, rule.source_quote) for rule in every)
    return [annotator.annotated(rule, quotes[rule.source_page, rule.source_quote] > 1) for rule in every]
