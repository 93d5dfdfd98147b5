"""Writing what a command has to say: to a file that the user named, or to a terminal that may be gone."""

from __future__ import annotations

import os
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.intake.source_files import printable


def say(line: str) -> None:
    """Print a line in which foreign text can neither break the line nor command the terminal."""
    print(printable(line))


def check_writable(path: Path | None) -> None:
    """Refuse a file that cannot be written before minutes of work are spent on what should stand in it.

    Raises:
        BadInputError: it is a folder, or its folder is missing or closed to us.
    """
    if path is None or str(path) == "-":
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise BadInputError(str(path), "is a folder", "name a file")
    if not folder.is_dir():
        raise BadInputError(str(path), "its folder does not exist", "make the folder or name another file")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadInputError(str(path), "cannot be written", "name a file in a folder you can write")


def keep_file(path: Path, *, force: bool) -> None:
    """Refuse to write over a file that is there already, unless that is wanted.

    Raises:
        BadInputError: it is there and `force` is not set.
    """
    if path.exists() and not force:
        raise BadInputError(str(path), "is there already", "name another file, or give --force")


def write_text(path: Path, text: str) -> None:
    """Write a report.

    Raises:
        BadInputError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInputError(
            str(path), f"cannot be written ({error.strerror})", "name a file in a folder you can write"
        ) from None
