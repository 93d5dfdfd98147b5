"""Archives and e-mails of a pack, unpacked into files of the pack: safely, once, and with nothing left out unsaid.

Members are written under numbers into a folder named for the container's content, outside the inbox; no name
out of an archive ever becomes a path on disk. What must not or cannot be unpacked is a file with its trouble.
Reads no member further; what a container holds is told by `containers`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bidproof.intake.container_members import ContainerError, Member
from bidproof.intake.containers import CONTAINER_KINDS, container_kind, members_of
from bidproof.intake.source_files import SourceFile

__all__ = ["CONTAINER_KINDS", "Limits", "container_kind", "default_store", "unpack_all"]

# A new number where what is unpacked, or how, changes: folders of earlier versions are left alone.
_FORMAT = "1"
_INDEX = "members.json"
_PIECE = 1 << 20
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_NOT_WRITTEN = ("cannot be unpacked", "free space in the folder for temporary files, or unpack it by hand")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file of the pack may unpack to, its inner archives included.

    A pack of 500 pages has tens of files and under one gigabyte; scans pack by a tenth at most, text and tables
    thirtyfold, and only made-up files two hundredfold.
    """

    depth: int = 3
    members: int = 2_000
    total: int = 4 << 30
    ratio: int = 200
    small: int = 32 << 20


def default_store() -> Path:
    """A folder of this user's own among the system's temporary ones; nobody else can write to it."""
    path = Path(tempfile.gettempdir()) / f"bidproof-unpacked-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
    about = path.lstat()
    if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077:
        return path
    # Somebody else was there first: what lies in it cannot be trusted.
    return _fallback()


@functools.cache
def _fallback() -> Path:
    """A folder of this process alone."""
    return Path(tempfile.mkdtemp(prefix="bidproof-unpacked-"))


def unpack_all(
    files: Iterable[SourceFile], store: Path | None = None, limits: Limits | None = None
) -> list[SourceFile]:
    """`files` with the members of each archive and e-mail after it, in the order of names.

    Args:
        files: files of one pack.
        store: folder in which members are kept, by content; `default_store` when left out.
        limits: how much a file may unpack to.
    """
    found: list[SourceFile] = []
    for file in files:
        kind = _kind(file)
        if not kind:
            found.append(file)
            continue
        store = store or default_store()
        found += _unpacked(file, kind, store, limits or Limits())
    return _told_apart(sorted(found, key=lambda file: file.file_name))


def _kind(file: SourceFile) -> str:
    if file.trouble:
        return ""
    try:
        return container_kind(file.path)
    except OSError:
        return ""


def _unpacked(file: SourceFile, kind: str, store: Path, limits: Limits) -> list[SourceFile]:
    """The container, and its members from the store or, the first time, from itself."""
    settled = hashlib.sha256(f"{_FORMAT}\0{limits}\0{kind}\0{file.sha256}".encode()).hexdigest()
    folder = store / settled
    members = _kept(file, folder)
    if members is None:
        try:
            _fill(file, kind, folder, store, limits)
        except OSError as error:
            what, mend = _NOT_WRITTEN
            reason = (error.strerror or "unknown reason").lower()
            return [_troubled(file, f"{what} ({reason})", mend)]
        members = _kept(file, folder)
    if members is None:
        return [_troubled(file, *_NOT_WRITTEN)]
    return members


def _troubled(file: SourceFile, what: str, mend: str) -> SourceFile:
    return file.model_copy(update={"trouble": what, "mend": mend})


def _kept(file: SourceFile, folder: Path) -> list[SourceFile] | None:
    """The container and its members as they lie in the store; None where they are not there in full."""
    try:
        rows = json.loads((folder / _INDEX).read_text("utf-8"))
        found = [file if not rows["trouble"] else _troubled(file, rows["trouble"], rows["mend"])]
        for row in rows["members"]:
            path = folder / row["stored"] if row["stored"] else file.path
            if row["stored"] and path.stat().st_size != row["size"]:
                return None
            found.append(
                SourceFile(
                    file_name=f"{file.file_name}/{row['name']}", path=path, size=row["size"],
                    sha256=row["sha256"], trouble=row["trouble"], mend=row["mend"],
                )
            )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found


def _fill(file: SourceFile, kind: str, folder: Path, store: Path, limits: Limits) -> None:
    """Unpack into the store. Whoever comes second, finds the folder of the first."""
    store.mkdir(parents=True, exist_ok=True, mode=0o700)
    work = Path(tempfile.mkdtemp(prefix="unpacking-", dir=store))
    try:
        desk = _Desk(work, limits)
        trouble = desk.unpack(file.path, kind, "", 1) or ("", "")
        if not desk.rows and not trouble[0]:
            trouble = (f"is a {kind} file without files in it", "ask the sender for it again")
        rows = {"trouble": trouble[0], "mend": trouble[1], "members": desk.rows}
        (work / _INDEX).write_text(json.dumps(rows, ensure_ascii=True), "utf-8")
        if folder.exists() and _kept(file, folder) is None:
            shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


@dataclass(slots=True)
class _Desk:
    """Unpacks one file of the pack and what lies in it, within one budget."""

    work: Path
    limits: Limits
    rows: list[dict[str, object]] = field(default_factory=list)
    written: int = 0

    def unpack(self, path: Path, kind: str, prefix: str, depth: int) -> tuple[str, str] | None:
        """Members of a container, and of containers in it. Gives the trouble of one that cannot be unpacked."""
        try:
            for member in members_of(path, kind):
                if len(self.rows) >= self.limits.members:
                    self._add(
                        f"{prefix}further files", trouble=f"are more than {self.limits.members} and not unpacked",
                        mend="put them into the pack's folder, or pack fewer into one archive",
                    )  # fmt: skip
                    return None
                self._take(member, prefix, depth)
        except ContainerError as error:
            return error.what, error.mend
        return None

    def _add(
        self, name: str, stored: str = "", size: int = 0, sha256: str = "", trouble: str = "", mend: str = ""
    ) -> None:
        self.rows.append(
            {"name": name, "stored": stored, "size": size, "sha256": sha256, "trouble": trouble, "mend": mend}
        )

    def _take(self, member: Member, prefix: str, depth: int) -> None:
        name = prefix + member.name
        if member.open is None:
            self._add(name, trouble=member.trouble, mend=member.mend)
            return
        suffix = _SUFFIX.search(member.name)
        stored = f"{len(self.rows) + 1:05d}{suffix[0].lower() if suffix else ''}"
        path = self.work / stored
        try:
            size, digest = self._write(member, path)
        except _RefusedError as error:
            path.unlink(missing_ok=True)
            self._add(name, trouble=error.what, mend=error.mend)
            return
        at = len(self.rows)
        self._add(name, stored, size, digest)
        kind = container_kind(path)
        if not kind:
            return
        if depth >= self.limits.depth:
            trouble: tuple[str, str] | None = (
                f"is a {kind} file nested more than {self.limits.depth} deep", "put its files into the pack's folder"
            )  # fmt: skip
        else:
            trouble = self.unpack(path, kind, f"{name}/", depth + 1)
        if trouble:
            self.rows[at] |= {"trouble": trouble[0], "mend": trouble[1]}

    def _write(self, member: Member, path: Path) -> tuple[int, str]:
        """Write a member's bytes; returns their number and SHA-256. Sizes are counted, whatever headers say.

        Raises:
            _RefusedError: it is damaged, or grows beyond what is allowed.
            OSError: it cannot be written.
        """
        assert member.open is not None
        digest, size = hashlib.sha256(), 0
        try:
            source = member.open()
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
            raise _unread(error) from None
        with source, path.open("wb") as target:
            while True:
                try:
                    piece = source.read(_PIECE)
                except (
                    zipfile.BadZipFile,
                    NotImplementedError,
                    RuntimeError,
                    ValueError,
                    EOFError,
                    zlib.error,
                ) as error:
                    raise _unread(error) from None
                if not piece:
                    return size, digest.hexdigest()
                size += len(piece)
                self.written += len(piece)
                if member.packed and size > max(self.limits.small, self.limits.ratio * member.packed):
                    what = f"unpacks to more than {self.limits.ratio} times its size, as no honest file does"
                    raise _RefusedError(what, "ask the sender for the file itself")
                if self.written > self.limits.total:
                    what = f"is not unpacked: its archive holds more than {self.limits.total >> 20} MB"
                    raise _RefusedError(what, "put the files into the pack's folder")
                digest.update(piece)
                target.write(piece)


class _RefusedError(Exception):
    """A member that is not unpacked: what is wrong, and the mend."""

    def __init__(self, what: str, mend: str) -> None:
        self.what, self.mend = what, mend
        super().__init__(what)


def _unread(error: Exception) -> _RefusedError:
    reason = " ".join(str(error).split())[:100] or type(error).__name__
    if "password" in reason.lower():
        return _RefusedError("asks for a password", "ask the sender for an open copy")
    if isinstance(error, NotImplementedError):
        return _RefusedError(
            f"is packed in a way that is not read ({reason})", "pack it again as a plain zip"
        )
    return _RefusedError(f"is damaged in its archive ({reason})", "ask the sender for it again")


def _told_apart(files: list[SourceFile]) -> list[SourceFile]:
    """`files` with a number added to names that occur twice, as archives allow; each stays a row of its own."""
    seen: set[str] = set()
    found = []
    for file in files:
        name, count = file.file_name, 1
        while name in seen:
            count += 1
            suffix = _SUFFIX.search(file.file_name)
            stem = file.file_name[: suffix.start()] if suffix else file.file_name
            name = f"{stem} ({count}){suffix[0] if suffix else ''}"
        seen.add(name)
        if count > 1:
            note = f"one of several files of the name {file.file_name} in one archive; all are read"
            file = file.model_copy(update={"file_name": name, "note": note})
        found.append(file)
    return found
