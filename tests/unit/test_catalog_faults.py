"""Catalog files that are broken as files: each is refused in one line, none is half read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidproof.catalog import load_catalog
from bidproof.errors import CatalogError

HEAD = "id,area,mandatory,text,clause_ref\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("open_quote.csv", (HEAD + 'A1,Admin,yes,"A bid of 120 days,1\n').encode(), "malformed CSV"),
        ("cut.csv", (HEAD + "A1,Admin,yes,A bid,1\n").encode("utf-16")[:-1], "broken UTF-16"),
        ("twice.json", b'{"rules": [{"id": "R1", "text": "a b", "mandatory": "yes", "text": "c d"}]}', "field `text` is given twice"),
        ("head.json", b'{"status": "draft", "status": "accepted", "rules": []}', "field `status` is given twice"),
        ("comma.csv", (HEAD + "A1,Admin,yes,A bid, valid for 90 days,1\n").encode(), "stands right of the last column"),
        ("deep.yaml", b"[" * 5000, "nested too deeply"),
    ],
)  # fmt: skip
def test_a_file_that_is_cut_or_says_two_things_at_once_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=said):
        load_catalog(path)


def test_a_package_of_several_releases_says_that_one_is_read(tmp_path: Path) -> None:
    one = {
        "tender": {
            "criteria": [{"id": "C1", "description": "The bid is in English", "relatesTo": "tenderer"}]
        }
    }
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"releases": [one, one]}))
    assert any("holds 2 releases; only the first is read" in said for said in load_catalog(path).warnings)
