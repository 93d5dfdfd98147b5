"""Lists within one sentence whose members are things of their own: documents handed in, features offered, qualities.

Each function gives the slices of a piece, or the piece alone. Verbs in a row stand in `parallels`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.coordination import inside_brackets
from bidproof.catalog.mining.obligations import MODAL
from bidproof.catalog.mining.sentences import level

_HAND_IN = re.compile(
    r"(?<![a-z])(?:(?:submit|provide|furnish|enclose|attache?|present|deliver|hand)s?(?: over| in)?|suppl(?:y|ies)|record|state|contains?|"
    r"comprises?|carries|carry|"
    r"contien(?:t|nent)|compren(?:d|nent)|comport(?:e|ent)|accompanied by|presente(?:r|nt|ra|ront)?|"
    r"fourni(?:r|t|ra|ront|ssent)|produi(?:re|t|sent|ra|ront)|joi(?:ndre|nt|gnent|ndra|ndront)|reme(?:ttre|t|ttra|ttent)|transme(?:ttre|t|ttra)|"
    r"depose(?:r|ra|nt|ront)?|transcrire|consigne(?:r|ra|nt|ront)?|accompagnee?s? d[e'])\s"
)
_DETERMINER = (
    r"(?:an?|the|its|their|his|each|all|any|every|une?|les?|la|l'|des|sa|son|ses|leurs?|toute?s? les?|toutes?|two|three|deux|"
    r"trois)(?:\s|(?<='))"
)
_JOINT = re.compile(
    rf"(?:,\s+(?:and |et |ainsi que |as well as )?|\s+(?:and|et|ainsi que|as well as)\s+)(?:s'il y a lieu, |if any, |"
    rf"where applicable, )?(?={_DETERMINER})"
)
_LAST = re.compile(r"(?<![a-z])(?:and|et|ainsi que|as well as)(?![a-z])")
_CLAUSE = re.compile(
    r"(?<![a-z])(?:shall|must|may|will|is|are|doi(?:t|vent)|peu(?:t|vent)|est|sont|ser(?:a|ont)|that|which|who|qui|que|dont|auquel)(?![a-z])"
)
_WITHIN = re.compile(
    r"(?<![a-z])(?:including|such as|covering|of|for|via|across|through|between|under|to|in|on|with|by|de|du|des|pour|par|sur|avec|dans|a|au|aux|"
    r"notamment|y compris|concernant|indiquant|mentionnant|stating|showing)$"
)


_ACCOUNT = re.compile(
    r"(?<![a-z])(?:reports?|notes?|memoires?|minutes|rapports?|comptes? rendus?|sections?|letters?|plans?|programmes?|notices?|lettres?|prices?|"
    r"prix|rates?)(?![a-z])"
)
"""What tells of several topics: they are one thing to give."""


def handed_in(piece: str) -> list[str]:
    """Things given or recorded, each with its article: three and more, or a further one behind "as well as", one by one."""
    plain = level(piece)
    verb = _HAND_IN.search(plain)
    if (
        verb is None
        or _ACCOUNT.search(plain[: verb.start()])
        or re.match(r"(?:to|que)\s", plain[verb.end() :])
    ):
        return [piece]
    joints = [m for m in _JOINT.finditer(plain, verb.end()) if not inside_brackets(plain, m.start())]
    end = len(plain)
    kept: list[re.Match[str]] = []
    start = verb.end()
    for joint in joints:
        between = plain[start : joint.start()]
        if (
            _CLAUSE.search(between)
            or not between.strip()
            or _WITHIN.search(between)
            or _INNER.search(between)
        ):
            break
        kept.append(joint)
        start = joint.end()
    if not kept or _CLAUSE.search(plain[kept[-1].end() : end]):
        return [piece]
    also = [m for m in kept if re.search(r"ainsi que|as well as", m.group())]
    if len(kept) < 2:
        kept = also
    if not kept or not _LAST.search(kept[-1].group()):
        return [piece]
    return _sliced(piece, kept)


_INNER = re.compile(
    r"(?<![a-z])(?:including|such as|covering|showing|to (?!the|each|all|a )[a-z]+|in order|so that|notamment|y compris|afin)(?![a-z])"
)


_OFFER = re.compile(
    r"(?<![a-z])(?:provide|support|include|implement|offer|feature|comprise|with|avec|assurer|prevoir|comprendre|inclure|proposer)\s"
)
_FEW = re.compile(r"(?<![a-z])(?:covering|showing|stating|detailing|listing|describing|including|such as|e\.g|like|across|between|either|via|or|"
    r"ou|notamment|tels? que|y compris|for both)(?![a-z])")  # fmt: skip


def features(piece: str) -> list[str]:
    """Three and more things that an offer has, each in two words at least and without a verb, one by one."""
    plain = level(piece)
    modal = MODAL.search(plain)
    if modal is None:
        return [piece]
    for verb in _OFFER.finditer(plain, modal.end()):
        if inside_brackets(plain, verb.start()):
            continue
        joints = [
            m
            for m in re.finditer(r",\s+(?:and |et )?", plain)
            if m.start() > verb.end() and not inside_brackets(plain, m.start())
        ]
        if len(joints) < 2 or not re.search(r"and|et", joints[-1].group()):
            continue
        bounds = [verb.end(), *[at for m in joints for at in (m.start(), m.end())], len(plain)]
        members = [plain[bounds[n] : bounds[n + 1]] for n in range(0, len(bounds), 2)]
        if all(_is_thing(member) for member in members[:-1]) and _is_thing(members[-1], last=True):
            return _sliced(piece, joints)
    return [piece]


def _is_thing(member: str, *, last: bool = False) -> bool:
    words = re.sub(r"\([^)]*\)", " ", member).split()
    most = 14 if last else 7
    return (
        2 <= len(words) <= most
        and not _CLAUSE.search(member)
        and not _FEW.search(member)
        and not re.match(
            r"(?:to|by|for|in|on|from|of|de|pour|par|dans|the|its|their|les?|la)(?![a-z])", member
        )
        and (last or not re.search(r"(?<![a-z])(?:and|et|of|for|across|with|to|de|pour)(?![a-z])", member))
    )


_QUALITIES = re.compile(
    r"(?:must|shall|doi(?:t|vent)|devr(?:a|ont)) (?:be|etre) (?P<list>(?!an? |the |un |une )[^,;:]{3,40}(?:, [^,;:]{3,40})*,? (?:and|et) [^;]+)"
)


def qualities(piece: str) -> list[str]:
    """Three and more qualities that something must have: "must be modular, fire-resistant and compliant with EN 1"."""
    plain = level(piece)
    found = _QUALITIES.search(plain)
    if found is None:
        return [piece]
    start = found.start("list")
    joints = [
        m
        for m in re.finditer(r",\s+(?:and |et )?|\s+(?:and|et)\s+", plain)
        if m.start() > start and not inside_brackets(plain, m.start())
    ]
    ends = next((n for n, m in enumerate(joints) if re.search(r"and|et", m.group())), None)
    if ends is None or ends < 1:
        return [piece]
    joints = joints[: ends + 1]
    heads = [piece[start : joints[0].start()], *[piece[m.end() :] for m in joints]]
    ends_at = [*[m.start() for m in joints], len(piece)]
    members = [
        plain[begin:end].strip(" .")
        for begin, end in zip([start, *[m.end() for m in joints]], ends_at, strict=True)
    ]
    plainly = all(" " not in member for member in members[:-1]) or any(
        _REACHING.search(one) for one in members[:-1]
    )
    if plainly or not all(_is_quality(head) for head in heads):
        return [piece]
    return _sliced(piece, joints)


_REACHING = re.compile(r"(?<![a-z])(?:for|to|of|in|on|by|with|from|at|pour|de|a|en|dans|par)(?![a-z])")


def _is_quality(head: str) -> bool:
    """An adjective, not one of several participles that a single act has in common."""
    word = re.sub(r"^(?:[a-z]+ly|[a-z]+ment|très|very) ", "", head.strip())
    first = word.split()[0] if word.split() else ""
    return bool(first) and not re.match(
        r"(?:an?|the|its|to|by|in|on|at|for|with|from|of|l[ea]s?|une?|de|du|des|a|au|par|pour|\d)(?![a-z])|[a-z]+(?<!-sign)(?<!-bas)ed(?![a-z-])|"
        r"[a-zà-ÿ]+(?:ée?|is|it|u)s?(?![a-z-])",
        first,
    )


def _sliced(piece: str, joints: list[re.Match[str]]) -> list[str]:
    slices, start = [], 0
    for joint in joints:
        slices.append(piece[start : joint.start()].strip())
        start = joint.end()
    slices.append(piece[start:].strip())
    return [one for one in slices if one]
