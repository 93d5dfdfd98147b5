"""A file of a pack: its name, its place on disk, its hash. Finds none and opens none for its content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from bidproof.records import Record

_READ_SIZE = 1 << 20
# Control characters, line ends, and marks that turn the direction of the text around them.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class SourceFile(Record):
    """One file of a pack or of an RFP. `file_name` is its POSIX path inside the pack's folder.

    What lies there but cannot be had (no permission, a dead link, a pipe) is a file too, with `trouble` as the
    reason and no hash, so that it becomes a row and not an absence. A file out of an archive or e-mail has the
    archive's name before its own (`offer.zip/part 1/tech.pdf`). `note` is what a reader must know of a sound file.
    """

    file_name: str
    path: Path
    size: int
    sha256: str
    trouble: str = ""
    mend: str = ""
    note: str = ""


def printable(name: str) -> str:
    """`name` on one line and in valid Unicode: control and direction characters and stray bytes as escapes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def files_digest(files: Iterable[SourceFile]) -> str:
    """Digest over names and contents, independent of order; sizes and places on disk do not count."""
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda each: (each.file_name, each.sha256)):
        digest.update(f"{file.file_name}\0{file.sha256 or file.trouble}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def hash_file(path: Path) -> str:
    """SHA-256 of a file's bytes in hex, read in pieces of one megabyte."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_READ_SIZE):
            digest.update(piece)
    return digest.hexdigest()
