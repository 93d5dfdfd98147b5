"""Seconds of single stages on the chunks of a warehouse. Usage: stage_speed.py WAREHOUSE PACK

Run a pack first, e.g. the 500 pages that `examples/make_example.py --pages 500 --out DIR` makes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from bidproof.catalog import requirements_from_table
from bidproof.chunking import chunk_blocks, prove_coverage
from bidproof.facts import facts_table
from bidproof.judging import judge_pack
from bidproof.params import Params
from bidproof.retrieval import LexicalIndex, build_lexical_index, find_candidates, select_passages
from bidproof.store import Warehouse
from bidproof.verification import match_quote


def timed(name: str, call: Callable[[], Any]) -> Any:
    """Print the seconds of `call` and return what it gives."""
    started = time.perf_counter()
    result = call()
    print(f"{name:<44} {time.perf_counter() - started:7.3f} s")
    return result


def main(root: str, pack: str) -> None:
    """Time the stages that work in this process."""
    warehouse, params = Warehouse(root), Params()
    tender = pack.split("--")[0]
    rules = requirements_from_table(warehouse.read("requirements", tender))
    rfp = warehouse.read("chunks", tender)
    blocks, pages, chunks = (warehouse.read(name, pack) for name in ("blocks", "pages", "chunks"))
    facts, tags = warehouse.read("facts", pack), warehouse.read("tags", pack)
    timed("chunks", lambda: chunk_blocks(blocks, pages, params.chunking))
    timed("coverage proof", lambda: prove_coverage(blocks, chunks, params.chunking))
    timed("facts", lambda: facts_table(chunks, params.facts))
    table = timed("lexical index", lambda: build_lexical_index(chunks, params.retrieval))
    many = [rule.model_copy(update={"rule_id": f"{rule.rule_id}-{n}"}) for n in range(4) for rule in rules][
        :100
    ]
    index = LexicalIndex.from_table(table)
    found = timed(
        f"candidates of {len(many)} rules, no dense leg",
        lambda: find_candidates(many, chunks, facts, tags, index, None, None, rfp, params.retrieval),
    )
    chosen = timed(
        f"passages of {len(many)} rules",
        lambda: select_passages(many, found, chunks, facts, params.selection),
    )
    timed(
        f"judgements of {len(many)} rules",
        lambda: judge_pack(many, chosen, chunks, facts, rfp, params, candidates=found),
    )
    source = " ".join(chunks["text"].to_list())[:50_000]
    quote = " ".join(source.split()[-60:-20]).replace("'", "\u2019")
    timed("quote of 40 words in 50,000 characters", lambda: match_quote(quote, source))


if __name__ == "__main__":
    main(*sys.argv[1:3])
