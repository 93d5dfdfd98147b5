"""The packaged encoder in whole numbers: near the full encoder, and the same bytes whatever stands beside a text."""

from __future__ import annotations

import numpy as np
import pytest

from bidproof.params import Params
from bidproof.retrieval import PackagedMiniLM, build_dense_index
from bidproof.retrieval import embedding as embedding_module
from bidproof.retrieval.embedding import encode_documents
from bidproof.retrieval.minilm import cut_to_limit
from bidproof.retrieval.packed import blocks
from bidproof.tables import CHUNKS

TEXTS = [
    "The bid security is 2% of the total price and stays valid for 120 days.",
    "Meters comply with IEC 62053-21, class 1, and carry a type test report of an accredited laboratory. "
    * 4,
    "Warranty",
    "Item | Unit price | Quantity\nTransformer 630 kVA | 14,250.00 | 12",
    "The bidder trains twenty operators on site before acceptance. " * 40,
    "",
    "Signature: " + "_" * 120,
]


@pytest.fixture(scope="module")
def whole_numbers() -> PackagedMiniLM:
    return PackagedMiniLM("int8")


def test_whole_numbers_stay_near_the_full_encoder(whole_numbers: PackagedMiniLM) -> None:
    found, full = whole_numbers.encode(TEXTS), PackagedMiniLM("fp32").encode(TEXTS)
    assert ((found * full).sum(1) > 0.99).all()
    assert (found * full).sum(1)[[2, 5, 6]] == pytest.approx(
        1, abs=1e-5
    )  # of few different pieces: encoded in full
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_vector_in_whole_numbers_depends_on_its_text_alone(whole_numbers: PackagedMiniLM) -> None:
    together = whole_numbers.encode(TEXTS * 3)
    alone = np.concatenate([whole_numbers.encode([text]) for text in TEXTS])
    assert np.array_equal(together, np.tile(alone, (3, 1)))
    assert np.array_equal(whole_numbers.encode(TEXTS[::-1]), alone[::-1])


def test_the_same_text_in_two_documents_has_the_same_vector(whole_numbers: PackagedMiniLM) -> None:
    vectors = encode_documents([TEXTS, ["another", *TEXTS[:2]]], whole_numbers, None)
    assert np.array_equal(vectors[8:], vectors[:2])


def test_a_query_is_encoded_in_full(whole_numbers: PackagedMiniLM) -> None:
    full = PackagedMiniLM("fp32").encode(TEXTS[:2], "query")
    assert np.array_equal(whole_numbers.encode(TEXTS[:2], "query"), full)


def test_texts_are_laid_end_to_end_up_to_a_limit() -> None:
    assert list(blocks([3, 4, 5, 20, 1], 8)) == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]
    assert list(blocks([], 8)) == []


def test_a_long_text_keeps_its_closing_piece() -> None:
    assert cut_to_limit([101, *range(400), 102])[-2:] == [253, 102]
    assert len(cut_to_limit([101, *range(400), 102])) == 256


def test_no_text_is_cut_into_pieces_twice(
    whole_numbers: PackagedMiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = whole_numbers._loaded
    read, cut = [], model.token_ids
    monkeypatch.setattr(model, "token_ids", lambda texts: read.extend(texts) or cut(texts))
    rows = [
        {
            "tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "d", "file_name": "d.pdf",
            "chunk_id": f"d:p1_c{number:02}", "page": 1, "pages": [1], "heading_path": title, "section_no": "",
            "section_title": title, "kind": "text", "text": text, "tokens": 1, "body_start": 0, "spans": [],
            "language": "en", "references": [], "quality": 80,
        }
        for number, (title, text) in enumerate([("Title one", "alpha"), ("Long title " * 20, "beta " * 240)])
    ]  # fmt: skip
    build_dense_index(CHUNKS.frame(rows), whole_numbers, Params().dense)
    assert len(read) == len(set(read)) == 3


def test_whole_numbers_are_only_taken_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for half, expected in ((True, "bf16"), (False, "fp32")):
        monkeypatch.setattr(embedding_module, "cpu_has_bf16", lambda half=half: half)
        assert PackagedMiniLM("auto").precision == expected


def test_the_fingerprint_in_whole_numbers_knows_no_batch() -> None:
    assert PackagedMiniLM("int8", 8).fingerprint == PackagedMiniLM("int8", 32).fingerprint
    assert PackagedMiniLM("int8").fingerprint != PackagedMiniLM("bf16").fingerprint
