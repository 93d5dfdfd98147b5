"""Later versions of a file in a pack, told by name, and what becomes of evidence from the earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdf_builder import Pdf

from bidproof.documents import inspect_files, integrity_table
from bidproof.documents.revisions import superseded
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import DocumentParams


def later(*names: str) -> dict[str, str]:
    files = [
        {"doc_id": name, "file_name": name, "kind": name.rpartition(".")[2], "duplicate_of": ""}
        for name in names
    ]
    assert superseded(files) == superseded(files[::-1])
    return superseded(files)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Method statement rev A.pdf", "Method statement rev B.pdf"),
        ("Drawing-12-RevA.pdf", "Drawing-12-RevB.pdf"),
        ("offer_v1.pdf", "offer_v2.pdf"),
        ("offer_v9.pdf", "OfferV10.pdf"),
        ("offer_v1.2.pdf", "offer_v1.10.pdf"),
        ("offer.pdf", "offer rev.1.pdf"),
        ("Addendum 1.pdf", "Addendum 2.pdf"),
        ("Plan révision B.pdf", "Plan révision C.pdf"),
        ("Plan indice A.pdf", "plans/plan_indice_B.pdf"),
        ("bid draft.pdf", "bid final.pdf"),
        ("CV_Smith_2026-01-02.pdf", "CV_Smith_20260203.pdf"),
        ("Planning 31.03.2026.pdf", "Planning 01.04.2026.pdf"),
        ("old/offer.pdf", "offer.pdf"),
        ("V1.pdf", "V2.pdf"),
    ],
)
def test_the_higher_mark_is_the_later_version(old, new):
    assert later(old, new) == {old: new}


@pytest.mark.parametrize(
    "names",
    [
        ("Annex A.pdf", "Annex B.pdf"),
        ("Part 1.pdf", "Part 2.pdf"),
        ("Accounts 2023.pdf", "Accounts 2024.pdf"),
        ("Bank statement 2025-01-31.pdf", "Bank statement 2025-02-28.pdf"),
        ("Lot 1/Technical v1.pdf", "Lot 2/Technical v2.pdf"),
        ("offer v1.pdf", "offer v2.docx"),
        ("ISO 9001 v2015.pdf", "ISO 9001.pdf"),
        ("bid v2 final.pdf", "bid v3.pdf"),
        ("plan rev A.pdf", "plan rev 2.pdf"),
    ],
)
def test_what_is_no_version_of_another_stays(names):
    assert later(*names) == {}


def test_all_earlier_versions_point_to_the_latest():
    assert later("offer.pdf", "offer_v1.pdf", "offer_v2.pdf", "offer_v3.pdf") == {
        "offer.pdf": "offer_v3.pdf", "offer_v1.pdf": "offer_v3.pdf", "offer_v2.pdf": "offer_v3.pdf",
    }  # fmt: skip


def test_copies_and_superseded_files_of_a_pack_are_rows_of_its_manifest(tmp_path: Path):
    texts = {"offer_v1.pdf": "60 days", "offer_v2.pdf": "90 days", "copy/offer two.pdf": "90 days"}
    files = []
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        path = Pdf().page().text(72, 100, text).save(tmp_path / name)
        files.append(SourceFile(file_name=name, path=path, size=1, sha256=hash_file(path)))
    documents = inspect_files(
        files, pack="t--b", tender="t", bidder="b", tender_name="T", bidder_name="B", role="bid",
        params=DocumentParams(ocr=False),
    )  # fmt: skip
    ids = dict(documents.select("file_name", "doc_id").iter_rows())
    rows = {row["file_name"]: row for row in documents.to_dicts()}
    # Files are taken in order of their names: the copy comes first, and the other of its bytes is the duplicate.
    assert rows["offer_v2.pdf"]["duplicate_of"] == ids["copy/offer two.pdf"]
    assert rows["offer_v1.pdf"]["superseded_by"] == ids["copy/offer two.pdf"]
    table = integrity_table(documents, {})
    assert table.select("file_name", "kind", "page").rows() == [
        ("offer_v1.pdf", "superseded", 0), ("offer_v2.pdf", "duplicate", 0),
    ]  # fmt: skip


def test_a_superseded_file_is_named_in_its_warnings_and_in_the_manifest(tmp_path: Path):
    files = []
    for name in ("offer_v1.pdf", "offer_v2.pdf"):
        path = Pdf().page().text(72, 100, name).save(tmp_path / name)
        files.append(SourceFile(file_name=name, path=path, size=1, sha256=hash_file(path)))
    documents = inspect_files(
        files, pack="t--b", tender="t", bidder="b", tender_name="T", bidder_name="B", role="bid",
        params=DocumentParams(ocr=False),
    )  # fmt: skip
    assert documents["superseded_by"].to_list() == [documents["doc_id"][1], ""]
    assert "offer_v2.pdf is a later version" in documents["warnings"][0][0]
    assert documents["status"].to_list() == ["ok", "ok"]
    table = integrity_table(documents, {})
    assert table.select("file_name", "kind", "severity", "entry_no").rows() == [
        ("offer_v1.pdf", "superseded", "warn", 0)
    ]
