"""Catalog files that are broken as files: each is refused in one line, none is half read."""

from __future__ import annotations

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
        ("deep.yaml", b"[" * 5000, "nested too deeply"),
    ],
)
def test_a_file_that_ends_in_the_middle_of_something_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=said):
        load_catalog(path)
