"""Encoding the chunks of real pages, paired: whole numbers of eight bits against the other precision.

    python benchmarks/dense_speed.py WAREHOUSE PACK [--against bf16] [--texts 512] [--pairs 3] [--json FILE]

Run the pack first, e.g. the mixed pages that `reading_speed.py` puts together. In each pair both sides encode the
same texts, drawn over the whole pack, one after the other in this process. Printed for each side: seconds and CPU
seconds; then how much of the texts is padding in batches, how much is said twice, and how near the vectors are. Read
the median ratio of CPU seconds: on a machine that others use, seconds say little.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np

from bidproof.retrieval.embedding import WINDOW, PackagedMiniLM, Vectors, embedding_text
from bidproof.store import Warehouse


def texts_of(warehouse: str, pack: str) -> list[str]:
    """What is embedded of each chunk of the pack."""
    chunks = Warehouse(warehouse).read("chunks", pack)
    return [
        embedding_text(title, text)
        for title, text in zip(chunks["section_title"], chunks["text"], strict=True)
    ]


def padded(lengths: list[int], size: int = 8) -> int:
    """Tokens worked on when windows are sorted and cut into batches, padding included."""
    total = 0
    for start in range(0, len(lengths), WINDOW):
        window = sorted(lengths[start : start + WINDOW])
        batches = (window[at : at + size] for at in range(0, len(window), size))
        total += sum(max(batch) * len(batch) for batch in batches)
    return total


def timed(model: PackagedMiniLM, texts: list[str]) -> tuple[float, float, Vectors]:
    """Seconds, CPU seconds and vectors, window by window as the product does."""
    started, cpu = time.perf_counter(), time.process_time()
    blocks = [model.encode(texts[start : start + WINDOW]) for start in range(0, len(texts), WINDOW)]
    return time.perf_counter() - started, time.process_time() - cpu, np.concatenate(blocks)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("warehouse")
    parser.add_argument("pack")
    parser.add_argument("--against", choices=["fp32", "bf16"], default="bf16")
    parser.add_argument("--texts", type=int, default=512)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    texts = texts_of(options.warehouse, options.pack)
    old, new = PackagedMiniLM(options.against), PackagedMiniLM("int8")
    lengths = [min(count, new.max_tokens) for count in PackagedMiniLM("fp32").token_counts(texts)]
    unique = dict(zip(texts, lengths, strict=True))
    tokens = sum(lengths)
    print(
        f"{len(texts)} chunks, {tokens} tokens; said again {1 - sum(unique.values()) / tokens:.1%},", end=" "
    )
    print(f"padding {1 - tokens / padded(lengths):.1%}")
    drawn = texts[:: max(1, len(texts) // options.texts)][: options.texts]
    old.encode(drawn[:8])
    new.encode(drawn[:8])
    ratios, nearness = [], np.ones(1)
    for _ in range(options.pairs):
        (before, cpu_before, was), (after, cpu_after, now) = timed(old, drawn), timed(new, drawn)
        ratios.append(cpu_after / cpu_before)
        nearness = (was * now).sum(1)
        print(
            f"{options.against} {before:6.2f} s, CPU {cpu_before:6.2f}   int8 {after:6.2f} s, CPU {cpu_after:6.2f}"
            f"   ratio {ratios[-1]:.2f}",
            flush=True,
        )
    print(f"cosine at least {nearness.min():.4f}, mean {nearness.mean():.4f}")
    print(f"median ratio of CPU seconds {statistics.median(ratios):.2f}")
    if options.json:
        content = {"chunks": len(texts), "tokens": tokens, "ratios": ratios, "cosine": float(nearness.min())}
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
