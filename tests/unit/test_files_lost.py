"""A file that cannot be read as a whole: its pages are rows that say why, and the next run tries again."""

from __future__ import annotations

import hashlib

from bidproof.documents import ParsedFile, pages_table, read_once
from bidproof.intake.inbox import SourceFile
from bidproof.params import DocumentParams
from bidproof.tables import DOCUMENTS


class Kept(dict):
    def put(self, key, content):
        self[key] = content


def document(**facts):
    row = {
        "pack": "t--b",
        "doc_id": "d1",
        "file_name": "offer.pdf",
        "kind": "pdf",
        "status": "ok",
        "page_count": 3,
    }
    return DOCUMENTS.frame([{**row, "duplicate_of": "", "warnings": [], **facts}])


def test_the_pages_of_a_file_that_fails_while_it_is_read_say_why():
    failed = ParsedFile.of({}, ("offer.pdf: its pages cannot be put together; print it to PDF again",))
    pages = pages_table(document(), {"d1": failed})
    assert pages["page"].to_list() == [1, 2, 3]
    assert pages["status"].unique().to_list() == ["unreadable"]
    assert pages["note"].unique().to_list() == [
        "offer.pdf: its pages cannot be put together; print it to PDF again"
    ]


def test_a_failure_to_read_a_file_is_not_kept(tmp_path):
    path = tmp_path / "offer.pdf"
    path.write_bytes(b"%PDF-1.7 and nothing that is one")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    source = SourceFile(file_name="offer.pdf", path=path, size=path.stat().st_size, sha256=digest)
    kept = Kept()
    parsed = read_once(source, DocumentParams(), kept)
    assert parsed.pages.height == 0
    assert parsed.warnings[0].startswith("offer.pdf: the PDF is damaged beyond repair")
    assert kept == {}
