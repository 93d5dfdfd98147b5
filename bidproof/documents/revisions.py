"""Later versions of a file in a pack, told by name: rev A and rev B, v1 and v2, draft and final, dated names.

The rule, in one sentence: two files of the same kind whose names are the same once their version marks are
taken out are versions of one another, and the one with the higher mark is the later. Looks into no file: that
a document says of itself what it supersedes is not read here. The earlier file is still read; what rests on it
goes to a person.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

# Marks of a version, each after a word that names it or as `v2`: a bare number is a part, a lot or a year.
_REVISION = re.compile(
    r"\b(?:rev(?:ision)?|rév(?:ision)?|indice|ind|issue|édition|edition|version|ver|v)[ .:n°]{0,3}"
    r"(?P<mark>\d{1,3}(?:[.]\d{1,3}){0,2}|[a-z])\b"
)
_ADDENDUM = re.compile(
    r"\b(?P<word>addendum|addenda|amendment|amendement|avenant|corrigendum|erratum|additif)[ .:n°]{0,4}(?P<mark>\d{1,2})\b"
)
_AMENDS = re.compile(
    r"\b(?:add?end(?:um|a)s?|amendments?|amendements?|avenants?|corrigend(?:um|a)|errat(?:um|a)|additifs?|rectificatifs?|"
    r"clarifications?|corrections?|modificatifs?)\b"
)
_STATES = (
    (re.compile(r"\b(?:draft|projet|brouillon|provisoire|preliminary|wip)\b"), -1),
    (re.compile(r"\b(?:final|finale|definitive|definitif|signed|signe|signee)\b"), 1),
)
_DATE = re.compile(
    r"\b(?P<y>20\d\d)[ ._-]?(?P<m>0[1-9]|1[0-2])[ ._-]?(?P<d>0[1-9]|[12]\d|3[01])\b"
    r"|\b(?P<d2>0[1-9]|[12]\d|3[01])[ ._-]?(?P<m2>0[1-9]|1[0-2])[ ._-]?(?P<y2>20\d\d)\b"
)
# Files of one name and several dates that are all in force: each month has its own.
_PERIODIC = re.compile(
    r"\b(?:invoice|statement|minutes|report|payslip|receipt|certificate|facture|releve|rapport|attestation|bulletin|"
    r"recu|certificat|proces verbal|pv)s?\b"
)
_NUMBERED = re.compile(
    r"\b(?:lot|part|partie|volume|vol|tranche|package|section|phase)[ .n°]{0,3}(\d{1,3}|[ivx]+|[a-z])\b"
)
_OLD_FOLDER = re.compile(r"\b(?:old|archive[sd]?|superseded|obsolete|ancien(?:ne)?s?|perime[es]*)\b")


class Version(NamedTuple):
    """What the name of a file says of its version: revision, state (draft, none, final) and date."""

    revision: tuple[int, ...]
    state: int
    date: str
    lettered: bool


def superseded(files: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """For each earlier version the doc_id of the latest, by doc_id.

    The original stands for a file that is there twice, whatever the names. Where marks contradict one another
    (`v3` beside `v2 final`, letters beside figures) nothing is said of the group.

    Args:
        files: rows with doc_id, file_name, kind and duplicate_of.
    """
    groups: dict[tuple[str, str, tuple[str, ...]], list[tuple[Version, str, str]]] = defaultdict(list)
    for file in files:
        base, parts, version = split_name(file["file_name"])
        base = base or file["file_name"].rpartition("/")[0] + "/"
        doc_id = file["duplicate_of"] or file["doc_id"]
        groups[base, file["kind"], parts].append((version, file["file_name"], doc_id))
    later: dict[str, str] = {}
    for (base, _, _), group in groups.items():
        latest = _latest(group, bool(_PERIODIC.search(base)))
        if latest is not None:
            later |= {
                doc_id: latest[2]
                for version, _, doc_id in group
                if version != latest[0] and doc_id != latest[2]
            }
    return later


def is_addendum(file_name: str) -> bool:
    """Whether a file's own name says that it amends others: `addendum_1.pdf`, `Avenant n°2.docx`, `Rectificatif.pdf`."""
    stem = file_name.rpartition("/")[2]
    return bool(_AMENDS.search(_plain(stem.rpartition(".")[0] or stem)))


def split_name(file_name: str) -> tuple[str, tuple[str, ...], Version]:
    """A file's name without its version marks, the numbered parts among its folders, and its version."""
    folder, _, name = file_name.rpartition("/")
    stem = name.rpartition(".")[0] or name
    text = _plain(stem)
    revision: tuple[int, ...] = ()
    state, date, lettered = 0, "", False
    if found := _DATE.search(text):
        year, month, day = (found["y"] or found["y2"], found["m"] or found["m2"], found["d"] or found["d2"])
        date, text = f"{year}-{month}-{day}", text[: found.start()] + " " + text[found.end() :]
    if found := _ADDENDUM.search(text):
        revision = (int(found["mark"]),)
        text = f"{text[: found.start()]} {found['word']} {text[found.end() :]}"
    elif found := _REVISION.search(text):
        lettered = found["mark"].isalpha()
        revision = (ord(found["mark"]) - 96,) if lettered else tuple(int(n) for n in found["mark"].split("."))
        text = text[: found.start()] + " " + text[found.end() :]
    for word, rank in _STATES:
        if found := word.search(text):
            state, text = rank, text[: found.start()] + " " + text[found.end() :]
    if state == 0 and _OLD_FOLDER.search(_plain(folder)):
        state = -1
    base = " ".join(re.sub(r"[^\w]+", " ", text).split())
    # Lot 1 and lot 2 lie in folders of their own and are no versions of one another.
    parts = tuple(found[0] for found in _NUMBERED.finditer(_plain(folder)))
    return base, parts, Version(revision, state, date, lettered)


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    # `OfferV2` and `offer_v2` say the same; a dot stays between figures.
    bare = re.sub(r"(?<=[a-z])(?=(?:v|rev)\d)", " ", bare)
    return " ".join(re.sub(r"[_()\[\]+,;&-]+|(?<!\d)\.|\.(?!\d)", " ", bare).split())


def _latest(group: list[tuple[Version, str, str]], periodic: bool) -> tuple[Version, str, str] | None:
    """The one version that comes after all others by every mark that they differ in; None where there is none."""
    versions = {version for version, _, _ in group}
    if len(versions) < 2:
        return None
    dated = {version.date for version in versions}
    marked = {version[:2] for version in versions}
    if len(marked) == 1 and (periodic or "" in dated):
        return None
    if len({version.lettered for version in versions if version.revision}) > 1:
        return None
    # A file without a mark is the first of its kind.
    best = max(sorted(group, key=lambda each: each[1]), key=lambda each: each[0][:3])
    for version in versions - {best[0]}:
        ahead = (best[0].revision >= version.revision, best[0].state >= version.state)
        dates = best[0].date >= version.date or not best[0].date or not version.date
        if not (all(ahead) and dates):
            return None
    return best
