"""What a sentence carries behind its main clause, or says of one subject in a row without naming it again.

Each function gives the slices of a piece, or the piece alone. Verbs and participles joined by "and" stand in `parallels`,
limits that hang on a thing in `appended`, lists of documents and features in `enumerations`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.appended import cut
from bidproof.catalog.mining.coordination import inside_brackets
from bidproof.catalog.mining.parallels import NUMBER
from bidproof.catalog.mining.sentences import level

_VERB = (
    r"(?<![a-z'])(?:shall|must|will|should|may|can|cannot|is|are|has|have|remains?|doi(?:t|vent)|devr(?:a|ont)|peu(?:t|vent)|est|sont|"
    r"ser(?:a|ont)|ont|comport(?:e|ent)|contien(?:t|nent)|compren(?:d|nent))(?![a-z])"
)
_FINITE = re.compile(_VERB)
_RESUMED = re.compile(rf",\s+(?:[a-z'-]+ ){{0,2}}?{_VERB}")
"""The main clause goes on behind the words between commas."""
_PARTICIPLE = (
    r"(?:[a-z]{3,}ed|kept|sent|held|given|made|written|paid|put|taken|left|shown|built|[a-z]{2,}(?:ee?s?|ies?|ises?|ites?|ues?|is|it|us|u|i)|"
    r"(?:re)?mise?s?)"
)
_WHEN = (
    rf"(?:{NUMBER}|(?:the |on the )?(?:same|next|following) (?:working |business )?(?:day|morning|evening|week|month)|overnight|daily|weekly|"
    r"monthly|quarterly|annually|every|each|on (?:demand|request)|le (?:jour meme|lendemain)|chaque|tous les|toutes les|dans (?:la journee|l'heure)|"
    r"en temps reel|quotidiennement|mensuellement)(?![a-z])"
)
_THING_DONE = re.compile(rf",\s+(?={_PARTICIPLE} (?:[a-z'-]+ ){{0,8}}?{_WHEN})")
_NO_PARTICIPLE = re.compile(
    r"(?:based|located|situated|including|needed|measured|calcul|limit|qui|ou|si|plus|sous|puis|mais|depuis|ainsi|avec)"
)
_ACCENTED = re.compile(r"[\w'’-]*(?:é(?:e|es|s)?|mise?s?|[iu](?:e|es|s|t|te|tes)?|ed)$|kept|sent|held|given|made|written|paid|put|taken|left|"
    r"shown|built", re.IGNORECASE)  # fmt: skip

_DONE = re.compile(r"(?:[a-z]{3,}ed|é(?:e|es|s)?)$")
"""A participle stands before the comma already: one of several in a row."""
_REFERRING = re.compile(
    r"(?:prevu|defini|decrit|vise|mentionn|indiqu|cite|requi|demand|concern|impos|contract|specifi|describ|defin|stat|mention|requir|refer)"
)


def thing_done(piece: str) -> list[str]:
    """A thing without a verb and when something is done with it: "Photographs of each job, uploaded the same day"."""
    plain = level(piece)
    for joint in _THING_DONE.finditer(plain):
        left, right = plain[: joint.start()], plain[joint.end() :]
        written = piece[joint.end() :].split()[0]
        if (
            len(left.split()) < 2
            or _FINITE.search(left)
            or _FINITE.search(right)
            or inside_brackets(plain, joint.start())
            or _NO_PARTICIPLE.match(right)
            or not _ACCENTED.match(written)
            or _DONE.search(piece[: joint.start()])
        ):
            continue
        return cut(piece, [joint])
    return [piece]


_ABSOLUTE = re.compile(
    r",\s+(?:with\s+)?(?="
    r"(?:an? |the |les? |la |l'|un |une |des )?(?:(?!(?:et|and|ou|or)(?![a-z]))[a-z][\w'-]* ){1,6}?"
    r"(?:(?:a l'appui|on hand|ci-jointe?s?|included|attached|enclosed)\W*$|"
    rf"(?:being |etant )?(?P<done>{_PARTICIPLE}) (?:sous|dans|par|within|by|at|to|every|each|a|au|aux) [^,;]*$|"
    rf"(?:being|etant) (?P<being>{_PARTICIPLE})(?![a-z])))"
)
_NO_THING = re.compile(
    r"(?:who|which|that|whose|where|if|when|unless|including|such|as|based|located|or|ou|not|no|without|"
    r"qui|que|dont|si|lorsque|notamment|y|sans|sauf|pour|par|en|dans|sur|sous|selon|au|aux|a|de|du|d'|with|for|in|on|at|by|to|of|under|from|"
    r"after|before|and|et|avec|avant|apres|tel(?:le)?s?|comme|conforme\w*)(?![a-z])"
)


def absolute(piece: str) -> list[str]:
    """A further thing with its participle, behind a clause: ", bons de pesée à l'appui", ", with a report sent within five days"."""
    plain = level(piece)
    joints = []
    for joint in _ABSOLUTE.finditer(plain):
        left, right = plain[: joint.start()], plain[joint.end() :]
        if len(left.split()) < 4 or inside_brackets(plain, joint.start()):
            continue
        if _no_thing(piece, joint.end(), right) or _FINITE.search(right) or not _ends_a_clause(left):
            continue
        if joint["done"] and (_REFERRING.match(joint["done"]) or not _done_word(piece, joint, "done")):
            continue
        if joint["done"] and _ACCENTED.match(piece[joint.end() :].split()[0]):
            continue
        joints.append(joint)
    return cut(piece, joints[-1:]) if joints else [piece]


def _no_thing(piece: str, at: int, right: str) -> bool:
    """What follows begins with a preposition or a conjunction; the English article "a" is neither."""
    return bool(_NO_THING.match(right)) and not piece.startswith("a ", at)


def _ends_a_clause(left: str) -> bool:
    """No list is open: what stands before the comma is a clause of its own and holds no other comma near its end."""
    return ", " not in left or bool(_FINITE.search(left.rpartition(", ")[2]))


def _done_word(piece: str, joint: re.Match[str], name: str) -> bool:
    return bool(_ACCENTED.match(piece[joint.start(name) : joint.end(name)]))


_WHO_DOES = re.compile(
    r",\s+(?="
    r"qui (?:lui |leur |les |le |la |l'|en |y )+(?!est |sont |a |ont |etait )[a-z]{2,}(?:e|ent|it|et|nd|t|ra|ront) |"
    r"(?:who|which) (?!(?:is|has|was|does|includes|comprises|consists|serves|contains|means)(?![a-z]))[a-z]{3,}s (?:them|it|the|an?|its|their) )"
)


def who_does(piece: str) -> list[str]:
    """What the one named last does in turn: "…, qui lui transmet un bilan sous cinq jours", "…, who returns them within a day"."""
    plain = level(piece)
    for joint in _WHO_DOES.finditer(plain):
        left, right = plain[: joint.start()], plain[joint.end() :]
        if len(left.split()) < 5 or len(right.split()) < 4 or inside_brackets(plain, joint.start()):
            continue
        if _RESUMED.search(right) or (right.startswith("wh") and not re.search(NUMBER, right)):
            continue
        return cut(piece, [joint])
    return [piece]


_NO_VERB = (
    r"(?!(?:and|or|for|from|with|within|under|over|into|onto|upon|per|than|that|which|who|where|when|only|also|both|then|not|but|plus|via|during|"
    r"before|after|between|until|all|any|some|such|most|more|other|one|two|three|four|five|six|ten|the|their|our|your|on|in|at|by|to|of|"
    r"including|like|as|if|so|people|staff|personnel)(?![a-z]))"
)
_OBJECT = rf"(?:the|an?|their|its|all|any|each|every|no|them|it|at least|ten|{NUMBER}|until)(?![a-z])"
_BASE = rf"{_NO_VERB}[a-z]{{3,}}(?<!s)(?<!ed)(?<!ing)(?<!ly)"
PLURAL_ACTS = re.compile(
    rf"^(?:the |all |any )?(?:[a-z-]+ ){{0,2}}?(?:[a-z]{{3,}}s|people|staff|personnel|crews) (?:[a-z]+ly )?(?P<verb>{_BASE}) "
    rf"(?:(?:up|out|off|in|at|on) )?{_OBJECT}"
)
_ACT_TOO = re.compile(rf"(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:[a-z]+ly )?{_BASE} {_OBJECT})")
_RELATIVE = re.compile(r"(?<![a-z])(?:that|which|who|whose|where|if|when|unless|whether|to)(?![a-z])")


def plural_acts(piece: str) -> list[str]:
    """What several people do, one act after the other: "Guards arrive before the shift, carry a torch and sign the register"."""
    plain = level(piece)
    first = PLURAL_ACTS.match(plain)
    if first is None or _FINITE.search(plain):
        return [piece]
    kept: list[re.Match[str]] = []
    start = first.end("verb")
    for joint in _ACT_TOO.finditer(plain, first.end("verb")):
        between = plain[start : joint.start()]
        if (
            len(between.split()) < 2
            or _RELATIVE.search(between)
            or "," in between
            or inside_brackets(plain, joint.start())
        ):
            continue
        kept.append(joint)
        start = joint.end()
    while kept and "and" not in kept[-1].group():
        kept.pop()
    return cut(piece, kept)


_RHYTHM = re.compile(
    r"\s+and\s+(?=(?:an? |the )?(?:[a-z-]+ ){1,3}?(?:every|each|once|twice|per) [a-z ]+\W*$)|"
    r"\s+et\s+(?=(?:une? |les? |la |l'|des )?(?:[a-z'-]+ ){1,3}?(?:chaque|tous les|toutes les|(?:une|deux) fois par) [a-z0-9 ]+\W*$)"
)
_BESIDES = re.compile(r",\s+(?:and|et)\s+(?=(?:an? |the |une? |les? |la |l')?[a-z])")


def further_thing(piece: str) -> list[str]:
    """A second thing with a rhythm of its own, or one added behind a limit: "a course for ten users and a refresher every year"."""
    plain = level(piece)
    joint = _RHYTHM.search(plain)
    if (
        joint
        and not _FINITE.search(plain)
        and "," not in plain
        and not re.search(NUMBER, plain[joint.end() :])
    ):
        return cut(piece, [joint] if len(plain[: joint.start()].split()) >= 4 else [])
    joint = _BESIDES.search(plain)
    if joint is None or plain.count(", ") != 1 or not re.search(NUMBER, plain[: joint.start()]):
        return [piece]
    right = plain[joint.end() :]
    if _FINITE.search(right) or not 3 <= len(right.split()) <= 12 or _no_thing(piece, joint.end(), right):
        return [piece]
    return cut(piece, [joint])


_DETERMINED = r"(?:the |an? |les? |la |l'|des |une? )"
_SUBJECT_LIST = re.compile(
    rf"^{_DETERMINED}[^,;:]{{3,70}}?(?:, {_DETERMINED}[^,;:]{{3,70}}?)+,? (?:and|et) {_DETERMINED}[^,;:]{{3,70}}? (?P<verb>(?:is|are|sont|"
    r"shall be|must be|doivent etre|seront) (?:all |tous |toutes |egalement |also )?(?:included|supplied|provided|covered|comprise?s?|incluse?s?|"
    r"due?s?|fournie?s?|a (?:la|sa) charge|prevue?s?)(?![a-z]))"
)
_LISTED_AFTER = re.compile(
    rf"^(?:sont|seront) (?:[a-z]+ment |aussi )?(?:dus?|dues|comprise?s?|incluse?s?|fournie?s?|a (?:la|sa) charge [^,]*?|prevue?s?) (?={_DETERMINED})"
)
"""The same, the verb first: "Sont également dus la dépose, le transport et la remise en état"."""
_SUBJECT_JOINT = re.compile(rf"(?:,\s+(?:(?:and|et)\s+)?|\s+(?:and|et)\s+)(?={_DETERMINED})")


def subject_list(piece: str) -> list[str]:
    """Three and more things, each with its article, that are all included or supplied."""
    plain = level(piece)
    if inverse := _LISTED_AFTER.match(plain):
        joints = list(_SUBJECT_JOINT.finditer(plain, inverse.end()))
        return cut(piece, joints) if len(joints) >= 2 and not _RELATIVE.search(plain) else [piece]
    found = _SUBJECT_LIST.match(plain)
    if found is None or _RELATIVE.search(plain[: found.start("verb")]):
        return [piece]
    joints = [m for m in _SUBJECT_JOINT.finditer(plain, 0, found.start("verb")) if m.start() > 0]
    return cut(piece, joints) if len(joints) >= 2 else [piece]


_STEP = r"(?:[a-z]{3,}ed|kept|[a-z]{2,}(?:es?|is?|it|u)e?s?)"
_STEPS = re.compile(
    rf"(?:is|are|be|est|sont|seront|etre) (?P<list>{_STEP}(?:, {_STEP})+,? (?:and|et) {_STEP})(?![a-z'-])"
)


def steps(piece: str) -> list[str]:
    """Three and more treatments in a row: "est trié, lavé, séché et repassé selon le protocole"."""
    plain = level(piece)
    found = _STEPS.search(plain)
    if found is None:
        return [piece]
    written = re.split(
        r",\s+(?:and\s+|et\s+)?|\s+(?:and|et)\s+", piece[found.start("list") : found.end("list")]
    )
    if not all(word.lower().endswith("ed") or re.search(r"é(?:e|es|s)?$", word) for word in written):
        return [piece]
    joints = [
        m
        for m in re.finditer(r",\s+(?:(?:and|et)\s+)?|\s+(?:and|et)\s+", plain)
        if found.start("list") < m.start() < found.end("list")
    ]
    return cut(piece, joints)
