"""Bidproof's own stages in one process on the packs of a job, from files to ranked candidates, each stage timed.

    python bidproof_process.py JOB.json OUT.json STARTED

The same calls as `bidproof evaluate`, default parameters, without judging and without comparing with gold. The cache is
the warehouse that the job names: an empty folder is a cold run. Holds nothing of the rival.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bidproof.cli.evaluate import WarehouseCache
from bidproof.evaluation import LabelledSet, Tools, pack_frames, read_set
from bidproof.evaluation.labelled import LabelledItem
from bidproof.evaluation.pack_frames import PackFrames, read_pack
from bidproof.evaluation.searching import QueryVectors
from bidproof.intake.source_files import SourceFile
from bidproof.params import Params
from bidproof.retrieval import find_candidates, make_embedder
from bidproof.store import Warehouse

_STAGES = {
    "inspect_files": "reading", "pages_table": "reading", "blocks_table": "reading", "source_places": "reading",
    "chunk_blocks": "chunks", "questions_asked": "chunks", "facts_table": "facts", "tags_table": "facts",
    "build_lexical_index": "lexical index", "build_dense_index": "vectors",
}  # fmt: skip


class Stages:
    """Seconds by stage, added up over the packs; counts calls of the product's stages where `read_pack` makes them."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.rfp: set[str] = set()
        for name, stage in _STAGES.items():
            setattr(pack_frames, name, self._timed(getattr(pack_frames, name), stage))
        read_once = getattr(pack_frames, "read_once")  # noqa: B009
        bid, rfp = self._timed(read_once, "reading"), self._timed(read_once, "reading the tender")

        def read(file: SourceFile, *given: Any) -> Any:
            return (rfp if str(file.path) in self.rfp else bid)(file, *given)

        setattr(pack_frames, "read_once", read)  # noqa: B010

    def _timed(self, call: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            began = time.monotonic()
            try:
                return call(*given, **named)
            finally:
                self.seconds[stage] += time.monotonic() - began

        return run

    def search(
        self, items: Sequence[LabelledItem], frames: PackFrames, vectors: QueryVectors, params: Params
    ) -> Any:
        """Candidates of a pack's items, their rule ids being their places."""
        rules = [item.requirement.model_copy(update={"rule_id": f"{n:06}"}) for n, item in enumerate(items)]
        return self._timed(
            lambda: find_candidates(
                rules, frames.chunks, frames.facts, frames.tags, frames.lexical, frames.dense, vectors.of(rules),
                frames.rfp_chunks, params.retrieval,
            ),
            "search",
        )()  # fmt: skip


def answered(job: dict[str, Any], labelled: LabelledSet, tools: Tools, stages: Stages) -> dict[str, Any]:
    """Ranked chunks of each item, with counts of pages and chunks."""
    vectors = QueryVectors(tools.embedder)
    ranked: dict[str, list[dict[str, Any]]] = {}
    counts = {"pages": 0, "chunks": 0}
    wanted = {pack["name"] for pack in job["packs"]}
    for pack in labelled.packs:
        if pack.name not in wanted:
            continue
        stages.rfp = {str(document.path) for document in pack.rfp}
        keyed = [(str(n), item) for n, item in enumerate(labelled.items) if item.pack == pack.name]
        frames = read_pack(pack, tools, False)
        counts["pages"] += frames.pages.height
        counts["chunks"] += frames.chunks.height
        found = stages.search([item for _, item in keyed], frames, vectors, tools.params)
        chunks = {row["chunk_id"]: row for row in frames.chunks.with_row_index("place").iter_rows(named=True)}
        for place, (key, _) in enumerate(keyed):
            ids = found.filter(found["rule_id"] == f"{place:06}").sort("rank")["chunk_id"].to_list()
            ranked[key] = [
                {
                    "document": frames.names[chunks[one]["doc_id"]], "pages": list(chunks[one]["pages"]),
                    "text": chunks[one]["text"], "own": chunks[one]["text"][chunks[one]["body_start"] :],
                    "place": chunks[one]["place"],
                }
                for one in ids[: job["shown"]]
            ]  # fmt: skip
    return {"ranked": ranked, **counts}


def main() -> None:
    """Run the job and write what was found."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    stages, params, store = Stages(), Params(), Warehouse(job["warehouse"])
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(
            params, make_embedder(params.dense), WarehouseCache(store, "parsed"), WarehouseCache(store, "embeddings"),
            Path(folder),
        )  # fmt: skip
        labelled = read_set(Path(job["set"]))
        if tools.embedder:
            # The model is loaded at its first use: that is part of the start, as it is on the other side.
            tools.embedder.encode(["start"], "query")
        stages.seconds["start"], begun = time.time() - float(sys.argv[3]), time.process_time()
        found = answered(job, labelled, tools, stages)
    found |= {"stages": dict(stages.seconds), "start_processor": begun}
    Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
