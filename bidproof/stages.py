"""The stage graph: what each stage reads, which knobs it heeds and in which table it writes.

Declares; runs nothing. The Dagster assets, the planner and the command line all read this one graph, and
a test holds the Dagster graph against it. `code` is a string that is bumped with a stage's behaviour; it
stands in the stage's own package and is looked up here by module path, so that nothing heavy is imported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Scope = Literal["tender", "pack"]


@dataclass(frozen=True)
class Stage:
    """One stage.

    Args:
        name: name of the stage and of its Dagster asset.
        table: table in which it writes.
        scope: partition set, `tender` or `pack`.
        inputs: stages of which it reads the tables. A pack stage that reads a tender stage gets the
            table of its pack's tender; a tender stage that reads a pack stage gets those of all packs.
        params: parameter groups that change its output.
        source: which files of the inbox it reads itself: `rfp`, `bid`, `catalog` or none.
        code: behaviour version.
        data: data files of the package that change its output, by their path in it; an edit makes it stale.
        by_rule: the rows of a rule follow from that rule, its rows in other by-rule stages, and inputs that all
            rules share: a changed catalog touches the rows of the changed rules only.
        decided: it reads the log of what people decided on its pack.
    """

    name: str
    table: str
    scope: Scope
    inputs: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    source: Literal["", "rfp", "bid", "catalog"] = ""
    code: str = field(default="1")
    data: tuple[str, ...] = ()
    by_rule: bool = False
    decided: bool = False


_READING = "8"
_CHUNKING = "2"
_CATALOG = "13"
_FACTS = "8"
_RETRIEVAL = "9"
_JUDGING = "23"

_LEXICON = ("catalog/lexicon.yaml",)
_RULE_WORDS = (*_LEXICON, "catalog/annotating/annotations.yaml")
_JUDGING_WORDS = (
    *_LEXICON, "judging/instances.yaml", "judging/plainness.yaml", "judging/reservations.yaml",
    "judging/residue.yaml", "judging/supersessions.yaml", "judging/words.yaml",
)  # fmt: skip

STAGES: tuple[Stage, ...] = (
    # The tender's side: RFP to rule catalog.
    Stage("rfp_documents", "documents", "tender", params=("documents",), source="rfp", code=_READING),
    Stage("rfp_pages", "pages", "tender", ("rfp_documents",), ("documents",), code=_READING),
    Stage("rfp_blocks", "blocks", "tender", ("rfp_documents", "rfp_pages"), ("documents",), code=_READING),
    Stage("rfp_table_cells", "table_cells", "tender", ("rfp_documents", "rfp_pages"), ("documents",), code=_READING),
    Stage("rfp_integrity", "integrity", "tender", ("rfp_documents", "rfp_pages"), ("documents",), code=_READING),
    Stage("rfp_chunks", "chunks", "tender", ("rfp_documents", "rfp_pages", "rfp_blocks"), ("chunking",), code=_CHUNKING),
    Stage("requirements", "requirements", "tender", ("rfp_documents", "rfp_blocks"), ("catalog", "facts"), "catalog", _CATALOG, data=_RULE_WORDS),
    Stage(
        "catalogs", "catalogs", "tender", ("rfp_documents", "rfp_blocks", "requirements"), ("catalog", "facts"), "catalog",
        _CATALOG, data=_RULE_WORDS,
    ),
    # The bidder's side: pack to findings.
    Stage("documents", "documents", "pack", params=("documents",), source="bid", code=_READING),
    Stage("pages", "pages", "pack", ("documents",), ("documents",), code=_READING),
    Stage("blocks", "blocks", "pack", ("documents", "pages"), ("documents",), code=_READING),
    Stage("table_cells", "table_cells", "pack", ("documents", "pages"), ("documents",), code=_READING),
    Stage("integrity", "integrity", "pack", ("documents", "pages"), ("documents",), code=_READING),
    Stage("chunks", "chunks", "pack", ("rfp_chunks", "documents", "pages", "blocks"), ("chunking",), code=_CHUNKING),
    Stage("facts", "facts", "pack", ("chunks",), ("facts",), code=_FACTS),
    Stage("tags", "tags", "pack", ("chunks", "facts"), ()),
    Stage("lexical_index", "lexical_index", "pack", ("chunks",), ("retrieval",), code="2"),
    Stage("dense_index", "dense_index", "pack", ("chunks",), ("dense",)),
    Stage(
        "candidates", "candidates", "pack",
        ("requirements", "rfp_chunks", "chunks", "facts", "tags", "lexical_index", "dense_index"),
        ("retrieval", "dense"), code=_RETRIEVAL, data=_LEXICON, by_rule=True,
    ),
    Stage("passages", "passages", "pack", ("requirements", "chunks", "facts", "candidates"), ("selection",), code=_RETRIEVAL, by_rule=True),
    Stage(
        "judgements", "judgements", "pack",
        ("requirements", "rfp_chunks", "chunks", "facts", "candidates", "passages"),
        ("judging", "verification", "asking", "scheduling"), code=_JUDGING, data=_JUDGING_WORDS, by_rule=True,
    ),
    Stage(
        "escalations", "escalations", "pack",
        ("requirements", "rfp_chunks", "documents", "pages", "blocks", "chunks", "facts", "candidates", "passages", "judgements"),
        ("judging", "verification", "escalation", "asking", "scheduling"), code=_JUDGING, data=_JUDGING_WORDS, by_rule=True,
    ),
    Stage(
        "objections", "objections", "pack",
        ("requirements", "rfp_chunks", "chunks", "facts", "candidates", "judgements", "escalations", "dense_index"),
        ("verification", "dense"), code=_JUDGING, data=_JUDGING_WORDS, by_rule=True,
    ),
    Stage(
        "findings", "findings", "pack",
        (
            "requirements", "rfp_chunks", "documents", "pages", "blocks", "chunks", "facts", "candidates", "passages",
            "judgements", "escalations", "objections",
        ),
        ("verification",), code=_JUDGING, data=_JUDGING_WORDS, by_rule=True,
    ),
    Stage("reviews", "reviews", "pack", ("requirements", "documents", "pages", "blocks", "chunks", "facts", "findings"), decided=True),
    Stage("scores", "scores", "pack", ("requirements", "documents", "pages", "findings", "reviews"), ("scoring", "documents"), code="4"),
    # Back on the tender's side: all bidders together.
    Stage("consistency", "consistency", "tender", ("requirements", "documents", "pages", "chunks", "candidates", "findings"), data=_JUDGING_WORDS),
    Stage("rankings", "rankings", "tender", ("pages", "scores"), ("scoring",)),
    Stage(
        "matrix_report", "reports", "tender",
        (
            "requirements", "catalogs", "documents", "pages", "integrity", "candidates", "passages", "chunks", "findings",
            "reviews", "scores", "consistency", "rankings",
        ),
        code="3",
    ),
)  # fmt: skip

BY_NAME: dict[str, Stage] = {stage.name: stage for stage in STAGES}


CLOSING: tuple[str, ...] = tuple(
    stage.name
    for stage in STAGES
    if stage.scope == "tender" and any(BY_NAME[name].scope == "pack" for name in stage.inputs)
)
"""Stages of a tender that read its packs, and so run after them."""


def downstream(name: str) -> tuple[str, ...]:
    """Names of all stages that read `name`, directly or through others, in graph order."""
    reached = {name}
    for stage in STAGES:
        if reached & set(stage.inputs):
            reached.add(stage.name)
    return tuple(stage.name for stage in STAGES if stage.name in reached and stage.name != name)
