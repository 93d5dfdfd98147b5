"""What hangs on a clause and can be missed by itself: participles with figures, things that something is equipped with.

Each function gives the slices of a piece, or the piece alone. Verbs in a row stand in `parallels`, documents and features in
`enumerations`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.coordination import inside_brackets
from bidproof.catalog.mining.parallels import NUMBER
from bidproof.catalog.mining.sentences import level

_FITTED = re.compile(
    r"(?<![a-z])(?:equipee?s?|munie?s?|dotee?s?|pourvue?s?|garnie?s?|titulaires?|assortie?s?|accompagnee?s?|"
    r"dispos(?:e|ent|er|era|eront)|benefici(?:e|ent|er)|justifi(?:e|ent|er)) (?=d(?:e |u |es |'))"
)
_OF_TOO = re.compile(
    r"(?:,\s+(?:et\s+|ainsi que\s+)?|\s+(?:et|ainsi que)\s+)(?=d(?:e (?:la |l')?|u |es |')(?!au moins)[a-z0-9])"
)
_WITH = re.compile(
    r"(?<![a-z])(?:(?:equipped|fitted|provided|supplied|furnished|delivered|issued|packed|labelled|marked) with|(?:come|comes) with) "
)
_THING_TOO = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_CLAUSE = re.compile(
    r"(?<![a-z'])(?:that|which|who|whose|where|if|when|unless|including|such as|for|between|qui|que|dont|ou|si|lorsque|notamment|y compris|is|are|"
    r"shall|must|will|est|sont|entre|pour|afin)(?![a-z])"
)


def fitted_with(piece: str) -> list[str]:
    """Things that something has, each named with its preposition: "sont équipés de A, d'un B et d'un C", "is fitted with A, B and C"."""
    plain = level(piece)
    if (found := _FITTED.search(plain)) is not None:
        joints = [m for m in _OF_TOO.finditer(plain, found.end()) if not inside_brackets(plain, m.start())]
        least = 1
    elif (found := _WITH.search(plain)) is not None:
        joints = [m for m in _THING_TOO.finditer(plain, found.end()) if not inside_brackets(plain, m.start())]
        least = 2
    else:
        return [piece]
    kept: list[re.Match[str]] = []
    start = found.end()
    for joint in joints:
        between = plain[start : joint.start()]
        if _CLAUSE.search(between) or not 1 <= len(between.split()) <= 9:
            break
        kept.append(joint)
        start = joint.end()
    last = next((n for n in reversed(range(len(kept))) if re.search(r"and|et|ainsi", kept[n].group())), None)
    bare = found.re is _FITTED and not _ARTICLE.search(plain[found.end() :])
    if last is None or last + 1 < least or bare or _WEAK.match(plain[kept[0].end() :]):
        return [piece]
    return cut(piece, kept[: last + 1])


_ARTICLE = re.compile(rf"(?<![a-z'])d(?:'une? |u |e (?:la |l'|{NUMBER}))")
"""Something that can be counted or pointed at, not one of several qualities ("de rigueur et de patience")."""
_WEAK = re.compile(r"d(?:e |')(?:[a-z]+er|[a-z]+ir|[a-z]+re) ")
"""Infinitives: one act's several aims."""

_PARTICIPLE = re.compile(
    r",\s+(?=(?:both |each |all |tous |toutes |chacune? )?(?:(?P<english>[a-z]{3,}ed|due|held|sent|drawn|given|not (?:more|less|older|later) than|"
    r"no (?:more|less|older|later|earlier) than|older|younger|presente?s?|disponibles?|joignables?)|(?P<french>[a-z]{3,}(?:e|ee|es|ees|i|ie|"
    r"is|ies|u|ue|us|ues))) "
    rf"(?:[a-z'-]+ ){{0,6}}?(?:{NUMBER}|(?:first|second|third|fifth|tenth) ))"
)
_INTERVAL = re.compile(
    rf"\s+(?=(?:at|with) (?:regular )?intervals? (?:of |not |no )[^,;]{{0,30}}{NUMBER}|(?:a|avec un) intervalles? (?:de |maxim|n'))"
)
_ABSOLUTE = re.compile(
    rf",\s+(?=(?:les? |la |l'|the |any |all )[^,;]{{3,60}} (?:etant|being) [^,;]*{NUMBER})"
)
"""A clause with its participle: ", the values above 30 ohms being reported within a week"."""
_ACCENTED = re.compile(r"[a-zà-ÿ]{2,}(?:ée?s?|ies?|is|ises?|ues?|us)$", re.IGNORECASE)


def with_limit(piece: str) -> list[str]:
    """A participle behind a comma, or an interval, with a figure of its own: ", both dated within the last three years"."""
    plain = level(piece)
    cuts = []
    for joint in _PARTICIPLE.finditer(plain):
        if inside_brackets(plain, joint.start()) or len(plain[: joint.start()].split()) < 3:
            continue
        if joint["french"] and not _ACCENTED.match(piece[joint.start("french") : joint.end("french")]):
            continue
        if re.match(
            r"(?:based|located|situated|including|needed|measured|calcul)",
            joint["english"] or joint["french"] or "",
        ):
            continue
        cuts.append(joint)
    cuts += [m for m in _ABSOLUTE.finditer(plain) if not inside_brackets(plain, m.start())]
    cuts += [
        m
        for m in _INTERVAL.finditer(plain)
        if re.search(NUMBER, plain[: m.start()]) and not inside_brackets(plain, m.start())
    ]
    return cut(piece, sorted(cuts, key=lambda joint: joint.start()))


_COUNT = (
    rf"(?:{NUMBER}|\d)[\d.,]*(?: x)? (?!%|percent|hours?|days?|weeks?|months?|years?|heures?|jours?|mois|ans|to |a |of |and |or |et |ou )"
    r"[a-z]{3,}"
)
_COUNTED_TOO = re.compile(rf"(?:,\s+(?:and\s+|et\s+)?|\s+(?:and|et)\s+)(?={_COUNT})")
_COUNTED_FIRST = re.compile(rf"(?:^|[a-z:,] )(?={_COUNT})")


def counted_list(piece: str) -> list[str]:
    """Three and more counted things in a row: "is issued eleven shirts, eleven pairs of trousers and two jackets"."""
    plain = level(piece)
    first = _COUNTED_FIRST.search(plain)
    if first is None:
        return [piece]
    kept: list[re.Match[str]] = []
    start = first.end()
    for joint in _COUNTED_TOO.finditer(plain, first.end()):
        if inside_brackets(plain, joint.start()):
            return [piece]
        between = plain[start : joint.start()]
        if _CLAUSE.search(between) or "," in between or len(between.split()) > 7:
            break
        kept.append(joint)
        start = joint.end()
    if len(kept) < 2 or not re.search(r"and|et", kept[-1].group()):
        return [piece]
    return cut(piece, kept)


def cut(piece: str, joints: list[re.Match[str]]) -> list[str]:
    """Slices of the piece between the joints."""
    slices, start = [], 0
    for joint in joints:
        slices.append(piece[start : joint.start()].strip())
        start = joint.end()
    slices.append(piece[start:].strip())
    return [one for one in slices if one]
