"""The statements of a pack that prove a rule: found by taking them away, changed, taken out, or put in anew.

Knows blocks and the finding on them. What is changed into what stands with the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from bidproof.errors import StageError
from bidproof.evaluation.trust.red_team.pack import Blocks, Finding, RedPack
from bidproof.tables import BLOCKS

BlockKey = tuple[str, int, int]
"""Document, page and number of a block."""
_MOST = 12


def level(text: str) -> str:
    """`text` with single spaces: quotes and blocks break their lines in different places."""
    return " ".join(text.split())


def proving_blocks(pack: RedPack, finding: Finding) -> list[BlockKey]:
    """Blocks that hold the quote of a finding: on its page, the quote or the block whole in the other."""
    quote = level(finding["quote"])
    if not quote:
        return []
    pages = {box["page"] for box in finding["boxes"]} | {finding["page"]}
    rows = pack.of_document(finding["doc_id"]).filter(pl.col("page").is_in(list(pages)))
    return [
        (row["doc_id"], row["page"], row["block_no"])
        for row in rows.iter_rows(named=True)
        if quote in level(row["text"]) or (len(row["text"]) > 3 and level(row["text"]) in quote)
    ]


def without(pack: RedPack, keys: Sequence[BlockKey]) -> Blocks:
    """Blocks of the documents concerned, less those of `keys`."""
    gone, found = set(keys), {}
    for doc_id in dict.fromkeys(key[0] for key in keys):
        rows = pack.of_document(doc_id)
        kept = [
            (doc_id, page, number) not in gone for page, number in rows.select("page", "block_no").iter_rows()
        ]
        found[doc_id] = rows.filter(pl.Series(kept, dtype=pl.Boolean))
    return found


def proof_of(pack: RedPack, rule_id: str) -> tuple[list[BlockKey], list[BlockKey]]:
    """Blocks without any one of which the rule is no Pass, and all blocks that prove it, in order of being found.

    What the product quotes is taken away until it finds no Pass; then each block comes back that is not needed.

    Raises:
        StageError: the rule is no Pass in the pack, or its quote stands in no block.
    """
    taken: list[BlockKey] = []
    for _ in range(_MOST):
        found = pack.finding(rule_id, without(pack, taken) or None)
        if found["status"] != "Pass":
            break
        new = [key for key in proving_blocks(pack, found) if key not in taken]
        if not new:
            raise StageError(f"{rule_id}: its quote stands in no block of {found['file_name']}")
        taken += new
    else:
        raise StageError(f"{rule_id}: is proven in more than {_MOST} places, too many to take away")
    if not taken:
        raise StageError(f"{rule_id}: is no Pass in {pack.labelled.name}")
    spare: list[BlockKey] = []
    for key in reversed(taken):
        if pack.finding(rule_id, without(pack, [*spare, key]))["status"] == "Pass":
            spare.append(key)
    return [key for key in taken if key not in spare], taken


def rewritten(row: dict[str, Any], text: str) -> dict[str, Any]:
    """A block that says `text` in the place where it stood."""
    box = {name: row[name] for name in ("x0", "y0", "x1", "y1")}
    line = {"start": 0, "end": len(text), **box, "anchor": row["anchor"]}
    return {**row, "text": text, "lines": [line]}


def with_texts(pack: RedPack, taken: Sequence[BlockKey], texts: dict[BlockKey, str]) -> Blocks:
    """The pack less the blocks `taken`, but for those that say `texts` now."""
    gone = without(pack, [key for key in taken if key not in texts])
    found = {}
    for doc_id in dict.fromkeys([*gone, *(key[0] for key in texts)]):
        rows = gone.get(doc_id, pack.of_document(doc_id)).to_dicts()
        kept = [
            rewritten(row, texts[key]) if (key := (row["doc_id"], row["page"], row["block_no"])) in texts else row
            for row in rows
        ]  # fmt: skip
        found[doc_id] = pl.DataFrame(kept, schema=BLOCKS.schema)
    return found


def paragraph_at(pack: RedPack, key: BlockKey, text: str, blocks: Blocks) -> Blocks:
    """`blocks` with a paragraph that says `text` after the block `key`, whether that is still there or not."""
    doc_id, page, number = key
    rows = blocks.get(doc_id, pack.of_document(doc_id)).to_dicts()
    like = next(
        row for row in pack.of_document(doc_id).iter_rows(named=True) if (row["page"], row["block_no"]) == (page, number)
    )  # fmt: skip
    own = {"kind": "paragraph", "table_no": -1, "row_no": -1, "is_header": False, "level": 0}
    new = {**rewritten(like, text), **own, "block_no": number}
    if like["kind"] == "heading":
        new["heading_path"] = like["heading_path"]
    before = [row for row in rows if (row["page"], row["block_no"]) <= (page, number)]
    after = [row for row in rows if (row["page"], row["block_no"]) > (page, number)]
    return {**blocks, doc_id: _numbered([*before, new, *after])}


def _numbered(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Blocks numbered anew page by page."""
    counts: dict[int, int] = {}
    found = []
    for row in rows:
        number = counts.get(row["page"], 0)
        counts[row["page"]] = number + 1
        found.append({**row, "block_no": number})
    return pl.DataFrame(found, schema=BLOCKS.schema)
