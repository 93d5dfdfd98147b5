"""Which adapter a file is read with, and why: by parameter, by name, else by its opening lines.

Decides per file, since a bid pack holds CVs and annual reports beside the offer. Reads no file.
"""

from __future__ import annotations

import re
import unicodedata
from fnmatch import fnmatchcase

from bidproof.adapters.cv import CV
from bidproof.adapters.report import REPORT
from bidproof.adapters.rules import Adapter, AdapterName, title_key
from bidproof.adapters.tender import TENDER
from bidproof.params import DocumentParams
from bidproof.records import Record

_ALL: tuple[Adapter, ...] = (TENDER, CV, REPORT)
# A CV or report is believed from here on: one name, or three weaker signs.
_ENOUGH = 3
_TITLE_POINTS = 1
# A tender's name may stand in a folder above a CV; the file's own name weighs more.
_FOLDER_SHARE = 0.75
_MAX_LINE = 90
_LEADERS = re.compile(r"\.{4,}|…{2,}|(?:\s\.){4,}|\s\d{1,3}$")


class AdapterChoice(Record):
    """The adapter of a file and the evidence for it in words."""

    name: AdapterName
    why: str


class _Score(Record):
    points: float
    signs: tuple[str, ...]


def choose_adapter(file_name: str, opening: str, pages: int, params: DocumentParams) -> AdapterChoice:
    """The adapter of one file.

    Args:
        file_name: path inside the pack's folder.
        opening: text of the first pages, line by line; empty where it is not known.
        pages: physical pages; 0 where not known.
        params: `adapter` and `adapter_names` decide first.
    """
    set_by = _by_parameter(file_name, params)
    if set_by is not None:
        return set_by
    scores = {}
    for adapter in _ALL:
        name, lines = _name_score(adapter, file_name), _opening_score(adapter, opening, pages)
        scores[adapter.name] = _Score(points=name.points + lines.points, signs=(*name.signs, *lines.signs))
    best = max((CV, REPORT), key=lambda each: scores[each.name].points)
    found, tender = scores[best.name], scores[TENDER.name]
    if found.points >= _ENOUGH and found.points > tender.points:
        return AdapterChoice(name=best.name, why="; ".join(found.signs))
    return AdapterChoice(name=TENDER.name, why="; ".join(tender.signs) or "nothing speaks for another kind")


def name_evidence(file_name: str, params: DocumentParams) -> str:
    """What the name alone says: two names with the same evidence give the same reading of the same content."""
    set_by = _by_parameter(file_name, params)
    if set_by is not None:
        return set_by.name
    return " ".join(f"{each.name}={_name_score(each, file_name).points:g}" for each in _ALL)


def _by_parameter(file_name: str, params: DocumentParams) -> AdapterChoice | None:
    for pattern, name in params.adapter_names.items():
        if fnmatchcase(file_name.casefold(), pattern.casefold()):
            return AdapterChoice(name=name, why=f"documents.adapter_names: {pattern}")
    if params.adapter != "auto":
        return AdapterChoice(name=params.adapter, why="documents.adapter")
    return None


def _name_score(adapter: Adapter, file_name: str) -> _Score:
    """The strongest sign in the name, and a point more where it says so twice: `technical offer`."""
    folder, _, own = file_name.rpartition("/")
    best = _Score(points=0, signs=())
    for name, share, where in (
        (re.sub(r"\.\w{2,4}$", "", own), 1.0, "file name"),
        (folder, _FOLDER_SHARE, "folder"),
    ):
        words = _words(name)
        for mark in adapter.file_marks:
            found = sorted(set(re.findall(mark.pattern, words)))
            points = (mark.points + (len(found) > 1)) * share if found else 0
            if points > best.points:
                best = _Score(points=points, signs=(f"{where}: {mark.says} ({', '.join(found)})",))
    return best


def _words(name: str) -> str:
    """Lower-case words of a name: `CV_JeanDupont-2024` is `cv jean dupont 2024`."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain)
    return " ".join(re.findall(r"[a-z]+|\d+", apart.lower()))


def _opening_score(adapter: Adapter, opening: str, pages: int) -> _Score:
    if adapter.max_pages and pages > adapter.max_pages:
        return _Score(points=0, signs=())
    lines = [line.strip() for line in opening.splitlines()]
    lines = [line for line in lines if line and len(line) <= _MAX_LINE and not _LEADERS.search(line)]
    points, signs = 0.0, []
    for mark in adapter.opening_marks:
        found = next((line for line in lines if re.search(mark.pattern, line, re.I)), None)
        if found is not None:
            points += mark.points
            signs.append(f"{mark.says}: {found[:40]}")
    if adapter.titles:
        kinds = {
            adapter.section_types[key]: key for line in lines if (key := title_key(line)) in adapter.titles
        }
        if len(kinds) >= 2:
            points += _TITLE_POINTS * len(kinds) + 1
            signs.append(f"titles: {', '.join(sorted(kinds.values()))}")
    return _Score(points=points, signs=tuple(signs))
