"""Members of a message saved by Outlook (.msg): its words, its attachments, and those of messages attached to it.

The file is one of Microsoft's old containers, with a stream for each property. Writes nothing.
"""

from __future__ import annotations

import email.parser
import html
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bidproof.intake.container_members import ContainerError, Member, safe_name

# Bytes: attachments are held in memory one at a time; mail servers refuse more than 50 to 150 MB.
_MAX_FILE = 256 << 20
_MAX_ATTACHMENTS = 2000
_DEPTH = 5
_MARK = "__properties_version1.0"
_SUBJECT, _SENDER, _ADDRESS, _TO, _CC, _HEADERS = "0037", "0C1A", "5D01", "0E04", "0E03", "007D"
_BODY, _HTML, _DATA, _LONG_NAME, _SHORT_NAME = "1000", "1013", "3701", "3707", "3704"
_DAMAGED = ("is damaged", "ask the sender for it again")
_LOST = ("is attached as a link or object and not as a file", "ask the sender for it")


def is_outlook(path: Path) -> bool:
    """True for an old container that holds a message."""
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as container:
            return bool(container.exists(_MARK))
    except Exception:
        # Damaged containers raise errors of many kinds; what else they hold is told where files are opened.
        return False


def outlook_members(path: Path) -> Iterator[Member]:
    """The message's words as a file of text or HTML, then its attachments.

    Raises:
        ContainerError: it cannot be unpacked at all.
    """
    import olefile

    if path.stat().st_size > _MAX_FILE:
        raise ContainerError(f"is an e-mail of over {_MAX_FILE >> 20} MB", "ask the sender for the files")
    try:
        with olefile.OleFileIO(str(path)) as container:
            yield from _Message(container, (), "", 1).members()
    except ContainerError:
        raise
    except Exception as error:
        # As above: strangers' files break the reader in many ways.
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise ContainerError(f"is a damaged e-mail ({reason})", "ask the sender for it again") from None


class _TornError(Exception):
    """A stream is shorter than the container says."""


class _Message:
    """One message at a place in the container; `prefix` is the path of the message that it is attached to."""

    def __init__(self, container: Any, place: tuple[str, ...], prefix: str, depth: int) -> None:
        self.container, self.place, self.prefix, self.depth = container, place, prefix, depth

    def members(self) -> Iterator[Member]:
        try:
            yield from list(self._words())
        except _TornError:
            yield Member(f"{self.prefix}message.txt", None, 0, *_DAMAGED)
        holders = sorted(
            {
                entry[len(self.place)]
                for entry in self.container.listdir(streams=True, storages=True)
                if tuple(entry[: len(self.place)]) == self.place
                and len(entry) > len(self.place)
                and entry[len(self.place)].startswith("__attach_version1.0")
            }
        )
        if len(holders) > _MAX_ATTACHMENTS:
            raise ContainerError(
                f"is an e-mail of over {_MAX_ATTACHMENTS} parts", "ask the sender for the files"
            )
        for number, holder in enumerate(holders, 1):
            try:
                yield from list(self._attachment(holder, number))
            except _TornError:
                yield Member(f"{self.prefix}attachment {number}", None, 0, *_DAMAGED)

    def _words(self) -> Iterator[Member]:
        headers = email.parser.HeaderParser().parsestr(self._text(_HEADERS))
        sender = " ".join(
            part for part in (self._text(_SENDER), f"<{self._text(_ADDRESS)}>") if part.strip("<>")
        )
        named = (
            ("From", sender), ("To", self._text(_TO)), ("Cc", self._text(_CC)), ("Date", str(headers["Date"] or "")),
            ("Subject", self._text(_SUBJECT)),
        )  # fmt: skip
        heading = [f"{name}: {' '.join(said.split())}" for name, said in named if said.strip()]
        body, rich = self._text(_BODY), self._rich()
        if body.strip() or not rich:
            yield self._of("message.txt", ("\n".join(heading) + "\n\n" + body).encode("utf-8", "replace"))
        else:
            head = "".join(f"<p>{html.escape(line)}</p>\n" for line in heading)
            yield self._of("message.html", f'<meta charset="utf-8">\n{head}{rich}'.encode("utf-8", "replace"))

    def _rich(self) -> str:
        data = self._stream(f"__substg1.0_{_HTML}0102")
        return _decoded(data) if data else self._text(_HTML)

    def _attachment(self, holder: str, number: int) -> Iterator[Member]:
        inner = _Message(self.container, (*self.place, holder), self.prefix, self.depth)
        name = inner._text(_LONG_NAME) or inner._text(_SHORT_NAME)
        message = (*inner.place, f"__substg1.0_{_DATA}000D")
        data = inner._stream(f"__substg1.0_{_DATA}0102")
        if data is None and self.container.exists("/".join((*message, _MARK))) and self.depth < _DEPTH:
            attached = _Message(self.container, message, "", self.depth + 1)
            title = (attached._text(_SUBJECT) or name or f"message {number}").strip()[:80].replace("/", "-")
            attached.prefix = f"{self.prefix}{safe_name(title)[0]}.msg/"
            yield from attached.members()
            return
        shown, trouble = safe_name(name or f"part {number}")
        trouble = trouble or (_LOST if data is None else None)
        yield Member(self.prefix + shown, None, 0, *trouble) if trouble else self._of(shown, data or b"")

    def _of(self, name: str, data: bytes) -> Member:
        return Member(self.prefix + name, lambda: io.BytesIO(data))

    def _text(self, key: str) -> str:
        wide = self._stream(f"__substg1.0_{key}001F")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream(f"__substg1.0_{key}001E")
        return _decoded(narrow).rstrip("\0") if narrow else ""

    def _stream(self, name: str) -> bytes | None:
        path = "/".join((*self.place, name))
        if not self.container.exists(path) or self.container.get_type(path) != 2:
            return None
        data = bytes(self.container.openstream(path).read())
        if len(data) < self.container.get_size(path):
            # The library gives what it finds of a torn stream and says nothing.
            raise _TornError(path)
        return data


def _decoded(data: bytes) -> str:
    for code in ("utf-8", "cp1252"):
        try:
            return data.decode(code)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
