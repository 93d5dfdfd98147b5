"""What is found in an inbox, and what is said of what is wrong in it."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidproof.errors import BadInputError
from bidproof.intake.inbox import files_digest, hash_file, pack_key, scan_inbox, slug


def put(path, content=b"x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.fixture
def inbox(tmp_path):
    put(tmp_path / "Grid Meters 2026" / "rfp" / "rfp.pdf")
    put(tmp_path / "Grid Meters 2026" / "catalog.yaml")
    put(tmp_path / "Grid Meters 2026" / "bids" / "Société Élan" / "offre.pdf", b"offre")
    put(tmp_path / "Grid Meters 2026" / "bids" / "ACME Ltd" / "annexes" / "price list.pdf", b"prices")
    put(tmp_path / "Grid Meters 2026" / "bids" / "ACME Ltd" / "bid.pdf", b"bid")
    return tmp_path


def test_the_whole_inbox_is_found_in_order(inbox):
    found = scan_inbox(inbox)
    assert found.problems == ()
    (tender,) = found.tenders
    assert (tender.tender, tender.name) == ("grid-meters-2026", "Grid Meters 2026")
    assert [file.file_name for file in tender.rfp_files] == ["rfp.pdf"]
    assert (tender.catalog_path.name, tender.params_path) == ("catalog.yaml", None)
    assert [bid.name for bid in tender.bids] == ["ACME Ltd", "Société Élan"]
    acme = tender.bids[0]
    assert acme.pack == "grid-meters-2026--acme-ltd"
    assert [(file.file_name, file.size) for file in acme.files] == [
        ("annexes/price list.pdf", 6),
        ("bid.pdf", 3),
    ]
    assert acme.files[1].sha256 == hashlib.sha256(b"bid").hexdigest()


def test_a_tender_folder_can_be_named_directly(inbox):
    found = scan_inbox(inbox / "Grid Meters 2026")
    assert [tender.tender for tender in found.tenders] == ["grid-meters-2026"]
    assert len(found.tenders[0].bids) == 2


@pytest.mark.parametrize("name", ["Société Élan", slug("Société Élan")])
def test_one_bidder_is_chosen_by_name_or_slug(inbox, name):
    found = scan_inbox(inbox, tender="grid-meters-2026", bidder=name)
    assert [bid.name for bid in found.tenders[0].bids] == ["Société Élan"]


def test_unknown_names_are_answered_with_the_known_ones(inbox):
    with pytest.raises(BadInputError, match=r"no tender 'water'; name one of: Grid Meters 2026"):
        scan_inbox(inbox, tender="water")
    with pytest.raises(BadInputError, match=r"no bidder 'bolt'; name one of: ACME Ltd, Société Élan"):
        scan_inbox(inbox, bidder="bolt")


def test_a_missing_or_empty_inbox_is_refused_in_one_line(tmp_path):
    with pytest.raises(BadInputError, match="no such inbox folder"):
        scan_inbox(tmp_path / "nowhere")
    with pytest.raises(BadInputError, match="holds no tender folder"):
        scan_inbox(tmp_path)


def test_what_is_incomplete_is_a_problem_and_the_rest_is_found(inbox):
    put(inbox / "readme.txt")
    (inbox / "Empty tender").mkdir()
    (inbox / "Grid Meters 2026" / "bids" / "Nobody").mkdir()
    put(inbox / "Grid Meters 2026" / "bids" / "stray.pdf")
    found = scan_inbox(inbox)
    assert [(problem.where, problem.what) for problem in found.problems] == [
        ("Empty tender", "no RFP files"),
        ("Empty tender", "no bids"),
        ("Grid Meters 2026/bids/Nobody", "bidder's folder is empty"),
        ("Grid Meters 2026/bids/stray.pdf", "loose file where a bidder's folder is expected"),
        ("readme.txt", "loose file where a tender's folder is expected"),
    ]
    assert [len(tender.bids) for tender in found.tenders] == [0, 3]


def test_system_files_are_passed_over_and_empty_files_are_kept(inbox):
    folder = inbox / "Grid Meters 2026" / "bids" / "ACME Ltd"
    for name in (".DS_Store", "Thumbs.db", "~$bid.docx", ".hidden/x.pdf"):
        put(folder / name)
    put(folder / "empty.pdf", b"")
    acme = scan_inbox(inbox).tenders[0].bids[0]
    assert [file.file_name for file in acme.files] == ["annexes/price list.pdf", "bid.pdf", "empty.pdf"]


def test_a_link_out_of_the_inbox_is_not_followed(inbox, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    put(outside / "secret.pdf")
    bids = inbox / "Grid Meters 2026" / "bids"
    (bids / "Linked").symlink_to(outside)
    (bids / "ACME Ltd" / "secret.pdf").symlink_to(outside / "secret.pdf")
    found = scan_inbox(inbox)
    said = ["link leads out of its own pack", "link leads out of the inbox"]
    assert [problem.what for problem in found.problems] == said
    assert [bid.name for bid in found.tenders[0].bids] == ["ACME Ltd", "Société Élan"]
    secret = next(f for f in found.tenders[0].bids[0].files if f.file_name == "secret.pdf")
    assert (secret.sha256, secret.trouble) == ("", "link leads out of its own pack")


def test_two_folders_with_one_key_are_refused(inbox):
    put(inbox / "grid-meters 2026" / "rfp" / "rfp.pdf")
    with pytest.raises(BadInputError, match="has the same key as"):
        scan_inbox(inbox)


def test_names_that_a_slug_would_mix_up_stay_apart():
    assert slug("ACME Ltd") == slug("acme  ltd") == "acme-ltd"
    names = [
        "Émile & Co",
        "Emile Co",
        "Emile/Co",
        "Emile. Co",
        "西門子",
        "三菱",
        "",
        "---",
        "a" * 200,
        "a" * 201,
    ]
    assert len({slug(name) for name in names}) == len(names)
    assert slug("Émile & Co").startswith("emile-co-")


@given(st.text(max_size=120))
def test_a_slug_is_always_a_safe_key(name):
    key = slug(name)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)
    assert len(key) <= 60
    assert slug(key) == key


def test_a_pack_key_parts_into_its_slugs():
    assert pack_key(slug("A -- B"), slug("C")).split("--") == [slug("A -- B"), "c"]


def test_the_digest_of_files_heeds_names_and_content_not_order(inbox):
    files = scan_inbox(inbox).tenders[0].bids[0].files
    assert files_digest(files) == files_digest(reversed(files))
    assert files_digest(files) != files_digest(files[:1])
    renamed = files[0].model_copy(update={"file_name": "other.pdf"})
    assert files_digest([renamed, files[1]]) != files_digest(files)


def test_a_large_file_is_hashed_in_pieces(tmp_path):
    put(tmp_path / "big.bin", b"ab" * 1_500_000)
    assert hash_file(tmp_path / "big.bin") == hashlib.sha256(b"ab" * 1_500_000).hexdigest()
