"""Archives and e-mails of a pack: what lies in them is read, what must not be unpacked is a row that says so."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from email.message import EmailMessage

import pytest

from bidproof.intake.inbox import scan_inbox
from bidproof.intake.source_files import SourceFile, hash_file
from bidproof.intake.unpacking import Limits, container_kind, default_store, unpack_all

PDF = b"%PDF-1.7 the technical offer"


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def unpack(tmp_path):
    def go(content: bytes, name: str = "offer.zip", limits: Limits | None = None) -> dict[str, SourceFile]:
        path = tmp_path / "pack" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        file = SourceFile(file_name=name, path=path, size=len(content), sha256=hash_file(path))
        return {each.file_name: each for each in unpack_all([file], tmp_path / "store", limits)}

    return go


def test_files_of_an_archive_are_files_of_the_pack(unpack, tmp_path):
    found = unpack(
        zipped({"part 1/tech.pdf": PDF, "prices.csv": b"a;b", "empty/": b"", "__MACOSX/._x": b"."})
    )
    assert list(found) == ["offer.zip", "offer.zip/part 1/tech.pdf", "offer.zip/prices.csv"]
    tech = found["offer.zip/part 1/tech.pdf"]
    assert tech.path.read_bytes() == PDF
    assert (tech.trouble, tech.size, tech.sha256) == ("", len(PDF), hash_file(tech.path))
    assert tech.path.is_relative_to(tmp_path / "store")
    assert tech.path.suffix == ".pdf"


def test_an_archive_is_unpacked_once(unpack):
    content = zipped({"tech.pdf": PDF})
    first = unpack(content)["offer.zip/tech.pdf"]
    before = first.path.stat().st_mtime_ns
    assert unpack(content, "copy.zip")["copy.zip/tech.pdf"].path == first.path
    assert first.path.stat().st_mtime_ns == before
    first.path.unlink()
    assert unpack(content)["offer.zip/tech.pdf"].path.read_bytes() == PDF


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../../escaped.pdf", "leads out of its archive"),
        ("a/../../escaped.pdf", "leads out of its archive"),
        ("..\\escaped.pdf", "leads out of its archive"),
        ("/tmp/escaped.pdf", "absolute path"),
        ("C:\\Windows\\escaped.pdf", "absolute path"),
    ],
)
def test_a_name_that_leads_out_of_the_archive_is_refused_and_said(unpack, tmp_path, name, words):
    found = unpack(zipped({name: PDF, "sound.pdf": PDF}))
    refused = [file for file in found.values() if file.trouble]
    assert len(refused) == 1
    assert words in refused[0].trouble
    assert refused[0].sha256 == ""
    assert found["offer.zip/sound.pdf"].path.read_bytes() == PDF
    assert not list(tmp_path.rglob("escaped*"))


def test_a_link_in_an_archive_is_refused(unpack):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("passwd.pdf")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "is a link" in unpack(buffer.getvalue())["offer.zip/passwd.pdf"].trouble


def test_a_bomb_is_stopped_while_it_unpacks(unpack, tmp_path):
    limits = Limits(small=1 << 20)
    found = unpack(zipped({"bomb.txt": b"\0" * (30 << 20), "sound.pdf": PDF}), limits=limits)
    assert "200 times its size" in found["offer.zip/bomb.txt"].trouble
    assert found["offer.zip/sound.pdf"].trouble == ""
    assert sum(path.stat().st_size for path in (tmp_path / "store").rglob("*") if path.is_file()) < 10_000


def test_a_bomb_that_lies_about_its_size_is_damaged_and_not_unpacked_further(unpack):
    content = bytearray(zipped({"bomb.txt": b"a" * 5_000_000}))
    at = content.rfind(b"PK\x01\x02")
    struct.pack_into("<I", content, at + 24, 100)
    found = unpack(bytes(content))
    assert "damaged in its archive" in found["offer.zip/bomb.txt"].trouble


def test_an_archive_may_unpack_to_so_much_in_all(unpack):
    content = zipped({f"{n}.bin": bytes([n]) * 1000 for n in range(4)})
    found = unpack(content, limits=Limits(total=2500))
    troubles = [file.trouble for name, file in found.items() if name != "offer.zip"]
    assert troubles[:2] == ["", ""]
    assert all("holds more than" in trouble for trouble in troubles[2:])


def test_the_files_of_an_overfull_archive_are_cut_off_with_one_row(unpack):
    found = unpack(zipped({f"{n}.txt": b"x" for n in range(9)}), limits=Limits(members=5))
    assert len(found) == 7
    assert "more than 5 and not unpacked" in found["offer.zip/further files"].trouble


def test_archives_in_archives_are_unpacked_to_a_depth(unpack):
    content = zipped({"tech.pdf": PDF})
    for level in ("three", "two", "one"):
        content = zipped({f"{level}.zip": content})
    found = unpack(content)
    assert list(found) == [
        "offer.zip", "offer.zip/one.zip", "offer.zip/one.zip/two.zip", "offer.zip/one.zip/two.zip/three.zip",
    ]  # fmt: skip
    assert "nested more than 3 deep" in found["offer.zip/one.zip/two.zip/three.zip"].trouble
    assert found["offer.zip/one.zip"].trouble == ""


def test_encrypted_members_say_so(unpack):
    content = bytearray(zipped({"secret.pdf": PDF, "open.pdf": PDF}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(signature)
        content[at + offset] |= 1
    found = unpack(bytes(content))
    assert found["offer.zip/secret.pdf"].trouble == "asks for a password"
    assert found["offer.zip/open.pdf"].trouble == ""


def test_a_damaged_archive_is_a_row_with_the_reason(unpack):
    content = zipped({"tech.pdf": PDF})
    (file,) = unpack(content[:-30]).values()
    assert "damaged zip file" in file.trouble


def test_a_damaged_member_does_not_take_the_others_along(unpack):
    content = bytearray(zipped({"a.pdf": bytes(range(256)) * 40, "b.pdf": PDF}))
    content[60:80] = b"\xff" * 20
    found = unpack(bytes(content))
    assert "damaged in its archive" in found["offer.zip/a.pdf"].trouble
    assert found["offer.zip/b.pdf"].trouble == ""


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_stay_two_files(unpack):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("offer.pdf", "first")
        archive.writestr("offer.pdf", "second")
    found = unpack(buffer.getvalue())
    assert list(found) == ["offer.zip", "offer.zip/offer.pdf", "offer.zip/offer (2).pdf"]
    assert found["offer.zip/offer (2).pdf"].path.read_bytes() == b"second"
    assert "all are read" in found["offer.zip/offer (2).pdf"].note


def test_names_are_read_in_the_encoding_that_they_are_written_in(unpack):
    content = zipped({"Réponse technique.pdf": PDF})
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(signature)
        flags = struct.unpack_from("<H", content, at + offset)[0] & ~0x800
        content = content[: at + offset] + struct.pack("<H", flags) + content[at + offset + 2 :]
    assert "offer.zip/Réponse technique.pdf" in unpack(content)


def test_direction_marks_and_control_characters_in_names_are_shown(unpack):
    assert "offer.zip/a\\u202efdp.exe" in unpack(zipped({"a\u202efdp.exe": b"x"}))


def test_an_archive_whose_first_file_is_a_pdf_stored_as_it_is_is_an_archive(unpack):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("tech.pdf", PDF)
    assert list(unpack(buffer.getvalue())) == ["offer.zip", "offer.zip/tech.pdf"]


def test_an_archive_without_files_is_no_silent_nothing(unpack):
    (file,) = unpack(zipped({".DS_Store": b"x", "empty/": b""})).values()
    assert "without files" in file.trouble


def test_office_files_are_no_archives(tmp_path):
    for name, member in (("a.docx", "[Content_Types].xml"), ("b.odt", "mimetype")):
        (tmp_path / name).write_bytes(zipped({member: b"x", "word/document.xml": b"x"}))
        assert container_kind(tmp_path / name) == ""


def test_a_store_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = default_store()
    assert own.parent == tmp_path
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert default_store() == own
    own.chmod(0o777)
    assert default_store() != own


def mail(**parts: bytes) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = (
        "sales@acme.example",
        "buyer@city.example",
        "Our offer",
    )
    message["Message-ID"] = "<1@acme.example>"
    message.set_content("Our bid is valid for 150 days.\n")
    for name, content in parts.items():
        message.add_attachment(content, maintype="application", subtype="pdf", filename=f"{name}.pdf")
    return message


def test_an_e_mail_gives_its_words_and_its_attachments(unpack):
    found = unpack(mail(offer=PDF).as_bytes(), "mail.eml")
    assert list(found) == ["mail.eml", "mail.eml/message.txt", "mail.eml/offer.pdf"]
    text = found["mail.eml/message.txt"].path.read_text("utf-8")
    assert "Subject: Our offer" in text
    assert "Our bid is valid for 150 days." in text
    assert found["mail.eml/offer.pdf"].path.read_bytes() == PDF


def test_an_e_mail_in_an_e_mail_in_an_archive_is_unpacked(unpack):
    outer = EmailMessage()
    outer["From"], outer["Subject"], outer["Message-ID"] = "a@b.example", "Fwd", "<2@b.example>"
    outer.set_content("See below.")
    outer.add_attachment(mail(offer=PDF))
    found = unpack(zipped({"mails/fwd.eml": outer.as_bytes()}))
    assert found["offer.zip/mails/fwd.eml/Our offer.eml/offer.pdf"].path.read_bytes() == PDF


def test_an_e_mail_of_formatted_text_only_keeps_its_heading(unpack):
    message = EmailMessage()
    message["From"], message["Subject"], message["Message-ID"] = "a@b.example", "Offre <1>", "<3@b.example>"
    message.set_content("<p>Validité de <b>120 jours</b></p>", subtype="html")
    found = unpack(message.as_bytes(), "mail.eml")
    text = found["mail.eml/message.html"].path.read_text("utf-8")
    assert "Subject: Offre &lt;1&gt;" in text
    assert "<b>120 jours</b>" in text


def test_an_attachment_named_as_a_path_is_refused(unpack):
    message = mail()
    message.add_attachment(PDF, maintype="application", subtype="pdf", filename="../../x.pdf")
    refused = [file for file in unpack(message.as_bytes(), "mail.eml").values() if file.trouble]
    assert ["leads out of its archive" in file.trouble for file in refused] == [True]


def test_the_inbox_holds_what_its_archives_hold(tmp_path):
    inbox = tmp_path / "inbox" / "meters"
    for place, members in (("rfp/rfp.zip", {"rfp.pdf": PDF}), ("bids/acme/offer.zip", {"a/offer.pdf": PDF})):
        (inbox / place).parent.mkdir(parents=True)
        (inbox / place).write_bytes(zipped(members))
    (tender,) = scan_inbox(tmp_path / "inbox", unpacked=tmp_path / "store").tenders
    assert [file.file_name for file in tender.rfp_files] == ["rfp.zip", "rfp.zip/rfp.pdf"]
    assert [file.file_name for file in tender.bids[0].files] == ["offer.zip", "offer.zip/a/offer.pdf"]
    assert sorted(path.name for path in inbox.rglob("*") if path.is_file()) == ["offer.zip", "rfp.zip"]


class OldContainer:
    """A container of Microsoft's old kind: streams and storages by path, one sector chain each."""

    def __init__(self) -> None:
        self.streams: dict[tuple[str, ...], bytes] = {}

    def put(self, *path: str, content: bytes | str) -> OldContainer:
        data = content.encode("utf-16-le") if isinstance(content, str) else content
        self.streams[path] = data
        return self

    def bytes(self) -> bytes:
        paths = {path[:depth] for path in self.streams for depth in range(1, len(path) + 1)}
        order = [(), *sorted(paths)]
        number = {path: at for at, path in enumerate(order)}
        sectors: list[bytes] = []
        fat: list[int] = []
        starts: dict[tuple[str, ...], int] = {}

        def chain(data: bytes) -> int:
            pieces = [data[at : at + 512].ljust(512, b"\0") for at in range(0, len(data), 512)] or [
                b"\0" * 512
            ]
            first = len(sectors)
            for count, piece in enumerate(pieces, 1):
                sectors.append(piece)
                fat.append(len(sectors) if count < len(pieces) else 0xFFFFFFFE)
            return first

        short, short_fat = b"", []
        for path, data in self.streams.items():
            starts[path] = len(short_fat)
            count = max(1, -(-len(data) // 64))
            short += data.ljust(64 * count, b"\0")
            short_fat += [*range(starts[path] + 1, starts[path] + count), 0xFFFFFFFE]
        starts[()] = chain(short)
        self.short = len(short)
        packed = b"".join(struct.pack("<I", each) for each in short_fat)
        shorts = chain(packed.ljust(-(-len(packed) // 512) * 512, b"\xff"))
        entries = b"".join(self._entry(path, order, number, starts) for path in order)
        directory = chain(entries.ljust(-(-len(entries) // 512) * 512, b"\0"))
        at = len(sectors)
        fat.append(0xFFFFFFFD)
        sectors.append(b"".join(struct.pack("<I", each) for each in fat).ljust(512, b"\xff"))
        head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
        numbers = (0, 1, directory, 0, 4096, shorts, len(packed) // 512 + 1, 0xFFFFFFFE, 0)
        head += struct.pack("<HHHHH6x9I", 0x3E, 3, 0xFFFE, 9, 6, *numbers)
        return head + struct.pack("<I", at) + b"\xff\xff\xff\xff" * 108 + b"".join(sectors)

    def _entry(self, path, order, number, starts) -> bytes:
        name = (path[-1] if path else "Root Entry").encode("utf-16-le")
        siblings = [each for each in order if path and len(each) == len(path) and each[:-1] == path[:-1]]
        after = siblings.index(path) + 1 if path else 0
        right = number[siblings[after]] if after < len(siblings) else 0xFFFFFFFF
        children = [each for each in order if len(each) == len(path) + 1 and each[: len(path)] == path]
        kind = 5 if not path else 2 if path in self.streams else 1
        start, size = starts.get(path, 0), self.short if kind == 5 else len(self.streams.get(path, b""))
        child = number[children[0]] if children else 0xFFFFFFFF
        return name.ljust(64, b"\0") + struct.pack(
            "<HBBIII16s4sQQIQ", len(name) + 2, kind, 1, 0xFFFFFFFF, right, child, b"", b"", 0, 0, start, size
        )


def outlook() -> OldContainer:
    attached = "__attach_version1.0_#00000000"
    return (
        OldContainer()
        .put("__properties_version1.0", content=b"\0" * 32)
        .put("__substg1.0_0037001F", content="Our offer")
        .put("__substg1.0_0C1A001F", content="Acme sales")
        .put("__substg1.0_1000001F", content="Our bid is valid for 150 days.")
        .put(attached, "__substg1.0_3707001F", content="offer.pdf")
        .put(attached, "__substg1.0_37010102", content=PDF)
    )


def test_an_outlook_message_gives_its_words_and_its_attachments(unpack):
    found = unpack(outlook().bytes(), "mail.msg")
    assert list(found) == ["mail.msg", "mail.msg/message.txt", "mail.msg/offer.pdf"]
    assert found["mail.msg"].trouble == ""
    text = found["mail.msg/message.txt"].path.read_text("utf-8")
    assert text.startswith("From: Acme sales\nSubject: Our offer\n")
    assert "valid for 150 days" in text
    assert found["mail.msg/offer.pdf"].path.read_bytes() == PDF


def test_a_message_attached_to_an_outlook_message_is_unpacked_too(unpack):
    inner = "__substg1.0_3701000D"
    message = outlook()
    for path, content in outlook().streams.items():
        message.put("__attach_version1.0_#00000001", inner, *path, content=content)
    message.put("__attach_version1.0_#00000002", "__substg1.0_3707001F", content="link.pdf")
    found = unpack(message.bytes(), "mail.msg")
    assert found["mail.msg/Our offer.msg/offer.pdf"].path.read_bytes() == PDF
    assert "link or object" in found["mail.msg/link.pdf"].trouble


def test_a_damaged_outlook_message_breaks_nothing(unpack):
    content = outlook().bytes()
    for size in (600, 1200, 2400, len(content) - 700):
        assert "mail.msg" in unpack(content[:size], "mail.msg")
    torn = content.replace(struct.pack("<Q", len(PDF)), struct.pack("<Q", 3000))
    assert unpack(torn, "mail.msg")["mail.msg/attachment 1"].trouble == "is damaged"


def test_an_e_mail_that_names_little_but_its_content_type_is_unpacked(unpack):
    # Read as plain text, its attachments would stand there as letters and its HTML with all that it hides.
    content = b"From: a@b.c\nContent-Type: text/html\n\n<p hidden>We accept</p><p>120 days</p>\n"
    assert list(unpack(content, "mail.eml")) == ["mail.eml", "mail.eml/message.html"]
