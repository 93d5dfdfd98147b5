"""Members of one archive or e-mail, as names and streams: nothing is written, no member is read further.

A member that must not or cannot be unpacked comes with the reason instead of a stream. What becomes of members
is decided in `unpacking`.
"""

from __future__ import annotations

import email
import email.policy
import html
import io
import mimetypes
import re
import stat
import struct
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage, Message
from pathlib import Path
from typing import IO, Any

from bidproof.intake.container_members import ContainerError, Member, safe_name
from bidproof.intake.outlook import is_outlook, outlook_members

ZIP, EMAIL = "zip", "email"
CONTAINER_KINDS = frozenset({ZIP, EMAIL})

_HEAD = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_HEADS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# Bytes: the directory of a zip is read whole; a hundred bytes a member are usual.
_MAX_DIRECTORY = 16 << 20
# Bytes: an e-mail is parsed in memory, at some three times its size. Servers refuse more than 50 to 150 MB.
_MAX_EMAIL = 256 << 20
_MAX_PARTS = 2000
_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|mime-version|content-type|received|message-id|return-path|delivered-to)[ \t]*:",
    re.I | re.M,
)
_SURE_HEADERS = frozenset({b"mime-version", b"received", b"message-id"})
_OFFICE_SUFFIXES = frozenset({".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".odt", ".ods", ".odp"})
_OFFICE_PARTS = frozenset({"[Content_Types].xml", "word/document.xml", "xl/workbook.xml"})
_LEFT_BEHIND = frozenset({"thumbs.db", "desktop.ini", ".ds_store"})
_TAGS = re.compile(r"<(style|script|head)\b.*?</\1\s*>|<[^>]*>", re.S | re.I)
_PASSWORD = ("asks for a password", "ask the sender for an open copy")
_DAMAGED = ("is damaged", "ask the sender for it again")


def container_kind(path: Path) -> str:
    """`zip`, `email` or empty, by content; Office files, which are zips too, are no containers.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    # A PDF may have up to a kilobyte before it; an archive that begins with one stored as it is, is none.
    if head.startswith(_ZIP_HEADS):
        return "" if _is_document(path) else ZIP
    if head.startswith(_OLE):
        return EMAIL if is_outlook(path) else ""
    first = head.lstrip(b"\xef\xbb\xbf\r\n").split(b"\n", 1)[0]
    if re.match(rb"[A-Za-z][A-Za-z0-9-]*[ \t]*:", first) and b"\0" not in head:
        seen = {found[1].lower() for found in _HEADER.finditer(head.split(b"\r\n\r\n")[0].split(b"\n\n")[0])}
        named = path.suffix.lower() == ".eml"
        if len(seen) >= 2 and (named or seen & _SURE_HEADERS):
            return EMAIL
    return ""


def _is_document(path: Path) -> bool:
    """True for a zip that is an Office or OpenDocument file."""
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (ContainerError, zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return path.suffix.lower() in _OFFICE_SUFFIXES
    return bool(_OFFICE_PARTS & set(names)) or names[:1] == ["mimetype"]


def members_of(path: Path, kind: str) -> Iterator[Member]:
    """Members of a container in its own order.

    Raises:
        ContainerError: it cannot be unpacked at all.
    """
    try:
        yield from _zip_members(path) if kind == ZIP else _email_members(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, UnicodeError) as error:
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise ContainerError(f"is a damaged {kind} file ({reason})", "ask the sender for it again") from None
    except RecursionError:
        raise ContainerError(
            "is an e-mail of parts nested too deep", "ask the sender for the files"
        ) from None


def _check_directory(path: Path) -> None:
    """Refuse a zip whose directory would fill memory, before anything reads it.

    Raises:
        ContainerError: it is larger than any honest one.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        stream.seek(max(0, size - (1 << 16) - 22))
        tail = stream.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            return
        (directory,) = struct.unpack_from("<I", tail, at + 12)
        locator = tail.rfind(b"PK\x06\x07", 0, at)
        if locator >= 0 and len(tail) >= locator + 16:
            (place,) = struct.unpack_from("<Q", tail, locator + 8)
            if place + 56 <= size:
                stream.seek(place)
                record = stream.read(56)
                if record.startswith(b"PK\x06\x06"):
                    directory = max(
                        directory if directory < 0xFFFFFFFF else 0, struct.unpack_from("<Q", record, 40)[0]
                    )
    if directory > _MAX_DIRECTORY:
        what = f"is a zip file with a directory of {directory >> 20} MB"
        raise ContainerError(what, "pack fewer files into one archive")


def _zip_members(path: Path) -> Iterator[Member]:
    _check_directory(path)
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = _decoded(info)
            if info.is_dir() or _is_left_behind(name):
                continue
            shown, trouble = safe_name(name)
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind not in (0, stat.S_IFREG):
                trouble = trouble or ("is a link or device and no file", "pack the file itself")
            if info.flag_bits & 0x2041:
                trouble = trouble or _PASSWORD
            if trouble:
                yield Member(shown, None, 0, *trouble)
                continue

            def opened(info: zipfile.ZipInfo = info) -> IO[bytes]:
                return archive.open(info)

            yield Member(shown, opened, max(info.compress_size, 1))


def _decoded(info: zipfile.ZipInfo) -> str:
    """The name of a zip's member. Many programs write UTF-8 and do not say so, which zipfile takes for code page 437."""
    name = info.orig_filename.split("\0", 1)[0]
    if info.flag_bits & 0x800 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _is_left_behind(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "__MACOSX" or parts[-1].lower() in _LEFT_BEHIND or parts[-1].startswith(("~$", "._"))


def _email_members(path: Path) -> Iterator[Member]:
    with path.open("rb") as stream:
        outlook = stream.read(len(_OLE)) == _OLE
    if outlook:
        yield from outlook_members(path)
        return
    if path.stat().st_size > _MAX_EMAIL:
        raise ContainerError(f"is an e-mail of over {_MAX_EMAIL >> 20} MB", "ask the sender for the files")
    try:
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        bodies = _bodies(message)
        texts = list(_texts(message, bodies))
        parts = list(_leaves(message))
    except (OSError, RecursionError):
        raise
    except Exception as error:
        # E-mails come from strangers, and the parser breaks on damaged ones in many ways.
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise ContainerError(f"is a damaged e-mail ({reason})", "ask the sender for it again") from None
    yield from texts
    taken = {id(part) for part in bodies}
    for number, part in enumerate((part for part in parts if id(part) not in taken), 1):
        if number > _MAX_PARTS:
            raise ContainerError(f"is an e-mail of over {_MAX_PARTS} parts", "ask the sender for the files")
        yield _attachment(part, number)


def _leaves(message: Message) -> Iterator[Message]:
    """Parts without parts; an e-mail inside an e-mail is one of them."""
    if message.get_content_type() == "message/rfc822" or not message.is_multipart():
        yield message
        return
    for part in message.get_payload():
        if isinstance(part, Message):
            yield from _leaves(part)


def _bodies(message: Message) -> list[Message]:
    """The parts that are the e-mail's own words: the plain one, and the formatted one where it says more."""
    if not isinstance(message, EmailMessage):
        return []
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    if plain is None or rich is None:
        return [part for part in (plain, rich) if part is not None]
    words = len(_TAGS.sub(" ", _text(rich)).split())
    return [plain, rich] if len(_text(plain).split()) < 0.7 * words else [plain]


def _text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return str(part.get_payload())
    for code in (part.get_content_charset() or "utf-8", "utf-8", "cp1252"):
        try:
            return data.decode(code)
        except (LookupError, UnicodeError):
            continue
    return data.decode("latin-1")


def _texts(message: Message, bodies: list[Message]) -> Iterator[Member]:
    """The e-mail's heading and words as a file of text, or of HTML where there is no plain text."""
    heading = [
        f"{name}: {message[name]}" for name in ("From", "To", "Cc", "Date", "Subject") if message[name]
    ]
    lines = [" ".join(str(line).split()) for line in heading]
    plain = [part for part in bodies if part.get_content_type() != "text/html"]
    rich = [part for part in bodies if part.get_content_type() == "text/html"]
    if plain or not rich:
        text = "\n".join(lines) + "\n\n" + "\n\n".join(_text(part) for part in plain)
        yield _of_bytes("message.txt", text.encode("utf-8", "replace"))
    for part in rich:
        head = "" if plain else "".join(f"<p>{html.escape(line)}</p>\n" for line in lines)
        text = f'<meta charset="utf-8">\n{head}{_text(part)}'
        yield _of_bytes("message.html", text.encode("utf-8", "replace"))


def _attachment(part: Message, number: int) -> Member:
    try:
        kind = part.get_content_type()
        if kind == "message/rfc822":
            inner: Any = part.get_payload()
            inner = inner[0] if isinstance(inner, list) and inner else inner
            name = f"{str(inner['subject'] or f'message {number}').strip()[:80].replace('/', '-')}.eml"
            data = inner.as_bytes()
        else:
            given = part.get_filename()
            name = str(given) if given else f"part {number}{mimetypes.guess_extension(kind) or ''}"
            payload = part.get_payload(decode=True)
            data = (
                payload if isinstance(payload, bytes) else str(part.get_payload()).encode("utf-8", "replace")
            )
    except Exception:
        # A broken part must not take the others along.
        return Member(f"part {number}", None, 0, *_DAMAGED)
    shown, trouble = safe_name(name)
    return Member(shown, None, 0, *trouble) if trouble else _of_bytes(shown, data)


def _of_bytes(name: str, data: bytes) -> Member:
    return Member(name, lambda: io.BytesIO(data))
