"""What lies in the inbox: tenders, their RFP files, and each bidder's pack.

Layout: `<inbox>/<tender>/rfp/*`, `<inbox>/<tender>/catalog.{yaml,yml,csv,xlsx,json}` (optional),
`<inbox>/<tender>/params.yaml` (optional), `<inbox>/<tender>/bids/<bidder>/**`. Finds files and their
hashes, those in archives and e-mails too (`unpacking`); never decides what a file is worth.
"""

from __future__ import annotations

import hashlib
import re
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from bidproof.errors import BadInputError
from bidproof.intake.source_files import SourceFile, files_digest, hash_file, printable
from bidproof.intake.unpacking import unpack_all
from bidproof.records import Record

__all__ = [
    "CATALOG_NAMES", "PARAMS_NAME", "Bid", "Inbox", "Problem", "SourceFile", "Tender", "files_digest", "hash_file",
    "pack_key", "printable", "scan_inbox", "slug",
]  # fmt: skip

CATALOG_NAMES = ("catalog.yaml", "catalog.yml", "catalog.csv", "catalog.xlsx", "catalog.json")
PARAMS_NAME = "params.yaml"
MAX_SLUG = 60
_HASH_CHARS = 6
_IGNORED_NAMES = {"thumbs.db", "desktop.ini", ".ds_store", ".gitkeep", ".gitignore"}
_LEFT_BEHIND = ("._", ".~lock.")
_OUTSIDE = ("link leads out of the inbox", "copy what it points to here")
_ASTRAY = ("link leads out of its own pack", "copy what it points to here")
_CIRCLE = ("link leads in a circle", "replace it by the file")
_NO_FILE = ("is a pipe, socket or device, no file", "replace it by the file")


class Bid(Record):
    """One bidder's pack: `bidder` is the slug, `name` the folder's name, `pack` the partition key."""

    bidder: str
    name: str
    pack: str
    folder: Path
    files: tuple[SourceFile, ...]


class Tender(Record):
    """One tender: `tender` is the slug, `name` the folder's name."""

    tender: str
    name: str
    folder: Path
    rfp_files: tuple[SourceFile, ...]
    catalog_path: Path | None
    params_path: Path | None
    bids: tuple[Bid, ...]


class Problem(Record):
    """Something in the inbox that was passed over or is incomplete, and the mend."""

    where: str
    what: str
    mend: str


class Inbox(Record):
    """Everything found, tenders and bids in slug order."""

    root: Path
    tenders: tuple[Tender, ...]
    problems: tuple[Problem, ...]


def slug(name: str) -> str:
    """A key for `name`: lower-case a-z0-9 with single hyphens, at most 60 characters, never empty.

    Case, and spaces or hyphens between words, are dropped freely: they tell no two bidders apart. When
    anything else was lost (accents, punctuation, length), six hex digits of the name's hash follow, so
    that "Émile & Co" and "Emile Co" stay two bidders.
    """
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    plain = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    faithful = re.sub(r"[ -]+", "-", name.lower()).strip("-")
    if plain == faithful and plain and len(plain) <= MAX_SLUG:
        return plain
    digest = hashlib.sha256(unicodedata.normalize("NFC", name).encode("utf-8", "surrogatepass")).hexdigest()
    stem = plain[: MAX_SLUG - _HASH_CHARS - 1].strip("-")
    return f"{stem}-{digest[:_HASH_CHARS]}".lstrip("-")


def pack_key(tender: str, bidder: str) -> str:
    """Partition key of a bidder's pack, of two slugs. Slugs never hold `--`, so it splits one way only."""
    return f"{tender}--{bidder}"


def scan_inbox(
    root: Path, tender: str | None = None, bidder: str | None = None, unpacked: Path | None = None
) -> Inbox:
    """The inbox at `root`, narrowed to one tender or bidder by name or slug where given.

    `root` may also be one tender's folder (one that holds `rfp/` or `bids/`). Archives and e-mails are unpacked
    into the folder `unpacked`, or one among the system's temporary folders, and read from there.

    Raises:
        BadInputError: the inbox is missing or holds no tender, or the named tender or bidder is unknown.
    """
    if not root.is_dir():
        raise BadInputError(str(root), "no such inbox folder", "name a folder that holds one folder a tender")
    problems: list[Problem] = []
    single = _is_tender_folder(root)
    try:
        folders = [root.resolve()] if single else _folders(root, root, problems, "a tender's folder")
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise BadInputError(str(root), reason, "make the folder readable") from None
    if not folders:
        raise BadInputError(
            str(root), "holds no tender folder", "put files under <tender>/rfp and <tender>/bids/<bidder>"
        )
    limit = folders[0] if single else root
    chosen = _pick(folders, tender, "tender", root)
    tenders = [_unpacked(_tender(folder, limit, bidder, problems), unpacked) for folder in chosen]
    if bidder is not None and not any(each.bids for each in tenders):
        known = sorted(printable(child.name) for folder in chosen for child in _bidder_folders(folder))
        raise BadInputError(
            str(root), f"no bidder {bidder!r}", f"name one of: {', '.join(known) or 'none yet'}"
        )
    _refuse_clashes(tenders)
    return Inbox(
        root=root,
        tenders=tuple(sorted(tenders, key=lambda each: each.tender)),
        problems=tuple(sorted(problems, key=lambda each: (each.where, each.what))),
    )


def _is_tender_folder(folder: Path) -> bool:
    return (folder / "rfp").is_dir() or (folder / "bids").is_dir()


def _ignored(path: Path) -> bool:
    name = path.name
    return name.startswith((".", "~$")) or name.lower() in _IGNORED_NAMES


def _visible(folder: Path) -> list[Path]:
    return sorted((child for child in folder.iterdir() if not _ignored(child)), key=lambda child: child.name)


def _trouble(path: Path, limit: Path, outside: tuple[str, str] = _OUTSIDE) -> tuple[str, str] | None:
    """Why a path must not be followed and the mend, or None."""
    if not path.is_symlink():
        return None
    try:
        inside = path.resolve().is_relative_to(limit.resolve())
    except (OSError, RuntimeError):
        return _CIRCLE
    return None if inside else outside


def _problem(where: Path, limit: Path, what: str, mend: str) -> Problem:
    """A problem whose place is named relative to the inbox, so that rows say the same on each machine."""
    inside = where != limit and where.is_relative_to(limit)
    place = where.relative_to(limit).as_posix() if inside else where.name
    return Problem(where=printable(place), what=what, mend=mend)


def _folders(folder: Path, limit: Path, problems: list[Problem], wanted: str) -> list[Path]:
    found: list[Path] = []
    for child in _visible(folder):
        if trouble := _trouble(child, limit):
            problems.append(_problem(child, limit, *trouble))
        elif child.is_dir():
            found.append(child)
        else:
            what = f"loose file where {wanted} is expected"
            problems.append(_problem(child, limit, what, "move it into the folder that it belongs to"))
    return found


def _pick(folders: list[Path], wanted: str | None, kind: str, where: Path) -> list[Path]:
    if wanted is None:
        return folders
    chosen = [folder for folder in folders if folder.name == wanted]
    chosen = chosen or [folder for folder in folders if slug(folder.name) == wanted]
    if not chosen:
        known = ", ".join(printable(folder.name) for folder in folders)
        raise BadInputError(str(where), f"no {kind} {wanted!r}", f"name one of: {known}")
    return chosen


def _bidder_folders(tender_folder: Path) -> list[Path]:
    bids = tender_folder / "bids"
    return [child for child in _visible(bids) if child.is_dir()] if bids.is_dir() else []


def _tender(folder: Path, limit: Path, bidder: str | None, problems: list[Problem]) -> Tender:
    key = slug(folder.name)
    rfp_folder = folder / "rfp"
    rfp_files = _files(rfp_folder, limit, problems) if rfp_folder.is_dir() else ()
    if not rfp_files:
        problems.append(_problem(folder, limit, "no RFP files", "put the RFP into its rfp/ folder"))
    # A folder of that name counts: it is refused with a clear line where it is read, and not mined instead.
    catalogs = [folder / name for name in CATALOG_NAMES if (folder / name).exists()]
    if len(catalogs) > 1:
        names = ", ".join(path.name for path in catalogs[1:])
        problems.append(
            _problem(folder, limit, f"several catalogs; {catalogs[0].name} is used, not {names}", "keep one")
        )
    _note_strays(folder, limit, problems)
    params = folder / PARAMS_NAME
    return Tender(
        tender=key,
        name=printable(folder.name),
        folder=folder,
        rfp_files=rfp_files,
        catalog_path=catalogs[0] if catalogs else None,
        params_path=params if params.exists() else None,
        bids=_bids(folder, key, limit, bidder, problems),
    )


def _unpacked(tender: Tender, store: Path | None) -> Tender:
    """The tender with what lies in its archives and e-mails."""
    bids = [bid.model_copy(update={"files": tuple(unpack_all(bid.files, store))}) for bid in tender.bids]
    rfp_files = tuple(unpack_all(tender.rfp_files, store))
    return tender.model_copy(update={"rfp_files": rfp_files, "bids": tuple(bids)})


def _note_strays(folder: Path, limit: Path, problems: list[Problem]) -> None:
    """Name what lies in a tender's folder and is not read: a `Catalogue.csv` must not be mined over in silence."""
    known = {"rfp", "bids", PARAMS_NAME, *CATALOG_NAMES}
    for child in _visible(folder):
        if child.name not in known:
            what = "is none of rfp/, bids/, catalog.yaml (.csv, .xlsx, .json) and params.yaml; it is not read"
            problems.append(_problem(child, limit, what, "rename or move it"))


def _bids(
    folder: Path, tender: str, limit: Path, bidder: str | None, problems: list[Problem]
) -> tuple[Bid, ...]:
    place = folder / "bids"
    folders = _folders(place, limit, problems, "a bidder's folder") if place.is_dir() else []
    if not folders:
        problems.append(_problem(folder, limit, "no bids", "put each bidder's files into bids/<bidder>/"))
    found: list[Bid] = []
    for child in folders:
        key = slug(child.name)
        if bidder is not None and bidder not in (child.name, key):
            continue
        files = _files(child, limit, problems)
        if not files:
            problems.append(_problem(child, limit, "bidder's folder is empty", "put the bid's files into it"))
        found.append(
            Bid(bidder=key, name=printable(child.name), pack=pack_key(tender, key), folder=child, files=files)
        )
    return tuple(sorted(found, key=lambda bid: bid.bidder))


def _files(folder: Path, limit: Path, problems: list[Problem]) -> tuple[SourceFile, ...]:
    found: list[SourceFile] = []
    pending, seen = [folder], {folder.resolve()}

    def lose(path: Path, what: str, mend: str) -> None:
        problems.append(_problem(path, limit, what, mend))
        name = _inside(path, folder)
        found.append(SourceFile(file_name=name, path=path, size=0, sha256="", trouble=what, mend=mend))

    while pending:
        place = pending.pop()
        try:
            children = _visible(place)
            _note_hidden(place, limit, problems)
        except OSError as error:
            lose(place, (error.strerror or "cannot be read").lower(), "make the folder readable")
            continue
        for child in children:
            # Packs come from strangers: a link into another bidder's folder would lend its papers.
            if trouble := _trouble(child, folder, _ASTRAY):
                lose(child, *trouble)
            elif child.is_dir():
                if child.resolve() not in seen:
                    seen.add(child.resolve())
                    pending.append(child)
            else:
                try:
                    found.append(_source_file(child, folder))
                except OSError as error:
                    lose(child, (error.strerror or "cannot be read").lower(), "make the file readable")
                except ValueError:
                    lose(child, *_NO_FILE)
    return tuple(sorted(found, key=lambda file: file.file_name))


def _inside(path: Path, folder: Path) -> str:
    return printable(path.relative_to(folder).as_posix())


def _source_file(path: Path, folder: Path) -> SourceFile:
    """The file at `path` with its hash.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no regular file, so that reading it might never end.
    """
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError(path)
    return SourceFile(file_name=_inside(path, folder), path=path, size=about.st_size, sha256=hash_file(path))


def _note_hidden(folder: Path, limit: Path, problems: list[Problem]) -> None:
    """Name hidden files that no system or office program leaves behind: one may be a bid's own."""
    for child in folder.iterdir():
        name = child.name.lower()
        if name.startswith(".") and name not in _IGNORED_NAMES and not name.startswith(_LEFT_BEHIND):
            problems.append(
                _problem(child, limit, "is hidden and not read", "rename it if it belongs to the bid")
            )


def _refuse_clashes(tenders: Iterable[Tender]) -> None:
    """Two folders with one slug ("ACME Ltd" and "acme-ltd") would write over each other's rows.

    Raises:
        BadInputError: two folders have the same key.
    """
    keys: dict[str, Path] = {}
    for tender in tenders:
        named = [(tender.tender, tender.folder), *((bid.pack, bid.folder) for bid in tender.bids)]
        for key, folder in named:
            if key in keys:
                raise BadInputError(
                    printable(str(folder)),
                    f"has the same key as {printable(keys[key].name)} ({key})",
                    "rename one of them",
                )
            keys[key] = folder
