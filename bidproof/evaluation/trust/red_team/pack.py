"""A bidder's pack whose words can be changed block by block, and the finding on one rule in what then is there.

Runs the product's own stages from blocks on. Plants nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from bidproof.chunking import chunk_blocks, questions_asked
from bidproof.evaluation.labelled import LabelledPack
from bidproof.evaluation.pack_frames import PackFrames, Tools, dense_index, read_pack
from bidproof.facts import facts_table, tags_table
from bidproof.judging import judge_pack, rfp_shingles
from bidproof.judging.asking.judges import judge_named
from bidproof.judging.predicate_judge import Judge
from bidproof.params import Params
from bidproof.records import Requirement
from bidproof.retrieval import (
    LexicalIndex,
    build_lexical_index,
    find_candidates,
    query_vectors,
    select_passages,
)
from bidproof.verdict_tables import ESCALATIONS
from bidproof.verification import escalate, find_objections, verify_findings

Finding = dict[str, Any]
"""A row of `findings`."""
Alter = Callable[[Finding, pl.DataFrame], Finding]
"""Puts a false judgement in the place of a row of `judgements`; it is given the pack's chunks."""
Blocks = Mapping[str, pl.DataFrame]
"""Blocks of the documents that were changed, by document id."""


@dataclass
class RedPack:
    """One bidder's pack as it was read, and its chunks and facts document by document.

    Args:
        labelled: its files and those of the RFP.
        frames: the pack as it was read.
        rules: the catalog, by rule id.
        tools: parameters, and the cache of parsed files.
    """

    labelled: LabelledPack
    frames: PackFrames
    rules: Mapping[str, Requirement]
    tools: Tools
    _known: dict[str, tuple[pl.DataFrame, pl.DataFrame]] = field(default_factory=dict)

    @classmethod
    def read(cls, labelled: LabelledPack, rules: Mapping[str, Requirement], tools: Tools) -> RedPack:
        """Read the pack's files.

        Raises:
            BadInputError: a file changed while it was read.
        """
        return cls(labelled, read_pack(labelled, tools, False), rules, tools)

    @property
    def params(self) -> Params:
        """Parameters of all stages."""
        return self.tools.params

    def changed(self, blocks: Blocks) -> PackFrames:
        """The pack with other blocks in some of its documents."""
        ids = self.frames.documents["doc_id"].to_list()
        parts = [self._cut(one, blocks[one]) if one in blocks else self._whole(one) for one in ids]
        chunks, facts = pl.concat([one for one, _ in parts]), pl.concat([one for _, one in parts])
        texts = [blocks.get(one, self.of_document(one)) for one in ids]
        lexical = LexicalIndex.from_table(build_lexical_index(chunks, self.params.retrieval))
        return replace(
            self.frames, blocks=pl.concat(texts), chunks=chunks, facts=facts, tags=tags_table(chunks, facts), lexical=lexical,
            dense=dense_index(chunks, self.tools),
        )  # fmt: skip

    def of_document(self, doc_id: str) -> pl.DataFrame:
        """Blocks of a document as it was read."""
        return self.frames.blocks.filter(pl.col("doc_id") == doc_id)

    def _whole(self, doc_id: str) -> tuple[pl.DataFrame, pl.DataFrame]:
        if doc_id not in self._known:
            self._known[doc_id] = self._cut(doc_id, self.of_document(doc_id))
        return self._known[doc_id]

    def _cut(self, doc_id: str, blocks: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        pages = self.frames.pages.filter(pl.col("doc_id") == doc_id)
        adapters = dict(self.frames.documents.select("doc_id", "adapter").iter_rows())
        asked = questions_asked(self.frames.rfp_chunks)
        chunks = chunk_blocks(blocks, pages, self.params.chunking, adapters=adapters, asked=asked)
        return chunks, facts_table(chunks, self.params.facts)

    def finding(
        self, rule_id: str, blocks: Blocks | None = None, judge: Judge | None = None, alter: Alter | None = None
    ) -> Finding:  # fmt: skip
        """The finding on a rule, with other blocks, another judge, or another judgement where they are given."""
        frames = self.changed(blocks) if blocks else self.frames
        return finding_in(frames, self.rules[rule_id], self.tools, judge, alter)


def finding_in(
    frames: PackFrames, rule: Requirement, tools: Tools, judge: Judge | None = None, alter: Alter | None = None
) -> Finding:  # fmt: skip
    """The finding on one rule in a pack, further rounds and checks included; with objections where it has a dense leg."""
    params, dense = tools.params, frames.dense
    kept = dense.kept_vectors(tools.embedder, tools.embeddings) if dense else None
    candidates = find_candidates(
        [rule], frames.chunks, frames.facts, frames.tags, frames.lexical, dense, query_vectors([rule], kept),
        frames.rfp_chunks, params.retrieval,
    )  # fmt: skip
    passages = select_passages([rule], candidates, frames.chunks, frames.facts, params.selection)
    judged = judge_pack(
        [rule], passages, frames.chunks, frames.facts, frames.rfp_chunks, params, judge, candidates=candidates
    )  # fmt: skip
    if alter:
        row = judged.row(0, named=True)
        judged = pl.DataFrame([{**row, **alter(row, frames.chunks)}], schema=judged.schema)
    escalations = escalate(
        [rule], frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts, candidates,
        passages, judged, params, lambda: judge or judge_named(params),
    )  # fmt: skip
    # A false judge stays false: a further round by a true one would hide what the checks let through.
    escalations = ESCALATIONS.empty()
    if judge is None and alter is None:
        escalations = escalate(
            [rule], frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts,
            candidates, passages, judged, params, lambda: judge_named(params),
        )  # fmt: skip
    objections = None
    if dense:
        shingles = rfp_shingles(frames.rfp_chunks, params.verification)
        objections = find_objections(
            [rule], shingles, frames.chunks, frames.facts, candidates, judged, escalations, dense, kept, params.verification
        )  # fmt: skip
    found = verify_findings(
        [rule], frames.rfp_chunks, frames.documents, frames.pages, frames.blocks, frames.chunks, frames.facts, candidates,
        passages, judged, params.verification, escalations=escalations, objections=objections,
    )  # fmt: skip
    return found.row(0, named=True)


def stands(finding: Finding) -> bool:
    """The finding is a Pass that nobody would look at."""
    return bool(finding["status"] == "Pass" and not finding["needs_review"])
