"""What a container gives: members with a way to their bytes, or with the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from bidproof.intake.source_files import printable


class ContainerError(Exception):
    """The container as a whole cannot be unpacked: what is wrong, and the mend."""

    def __init__(self, what: str, mend: str) -> None:
        self.what, self.mend = what, mend
        super().__init__(f"{what}; {mend}")


@dataclass(frozen=True, slots=True)
class Member:
    """One member: its path inside the container, and a way to its bytes or why there is none.

    `packed` is its size in the container in bytes, against which its unpacked size is held; 0 when it stands
    there as it is.
    """

    name: str
    open: Callable[[], IO[bytes]] | None = None
    packed: int = 0
    trouble: str = ""
    mend: str = ""


def safe_name(name: str) -> tuple[str, tuple[str, str] | None]:
    """A member's path as it may be shown, and why it must not be unpacked, if so."""
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    shown = printable("/".join(parts)) or "without a name"
    if ".." in parts:
        return shown, ("has a name that leads out of its archive", "pack it again under a plain name")
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return shown, ("has a name that is an absolute path", "pack it again under a plain name")
    return shown, None
