"""Where parts run parallel in one sentence: second verbs of one subject, second participles, limits each with its own figure.

Each function gives the slices of a piece, or the piece alone. Cuts at semicolons and bare verbs stand in `coordination`,
lists of documents and features in `enumerations`; what a slice needs to stand alone stands in `splitting`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.coordination import inside_brackets
from bidproof.catalog.mining.obligations import MODAL
from bidproof.catalog.mining.sentences import level

NUMBER = (
    r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety|une?|deux|trois|quatre|cinq|"
    r"sept|huit|neuf|dix|douze|quinze|vingt|trente|soixante)(?![a-z]))"
)
_THEN = r"(?:also |then |thereafter |subsequently |always |never |ensuite |egalement |aussi )?"
_JOIN = r",?\s+(?:and|et)\s+"
_AUXILIARY = (
    r"(?:is|are|has|have|remains?|can|cannot|est|sont|ont|ser(?:a|ont)|n'est|ne sont|peut|peuvent|ne peut|"
    r"se (?:fait|font|fera|feront)|fait l'objet|font l'objet|donne(?:nt)? lieu)"
)
_AGAIN = re.compile(rf"(?:{_JOIN}|(?P<comma>,\s+))(?={_THEN}{_AUXILIARY}\s\w)")
"""A second verb that is, has or is done, said of the same subject."""
_VERB = re.compile(
    r"(?<![a-z'])(?:shall|must|will|should|may|can|is|are|has|have|cannot|remains?|doi(?:t|vent)|devr(?:a|ont)|peu(?:t|vent)|est|sont|"
    r"ser(?:a|ont)|comport(?:e|ent)|contien(?:t|nent)|compren(?:d|nent)|respect(?:e|ent)|conforms?|compl(?:y|ies)|meets?|takes?)(?![a-z])"
)
_RELATIVE = re.compile(
    r"(?<![a-z])(?:that|which|who|whose|where|if|when|unless|qui|que|dont|ou|si|lorsque|whether)(?![a-z])|qu'|s'il"
)
_PASSIVE = re.compile(
    r"(?<![a-z'])(?:be|being|is|are|etre|est|sont|ser(?:a|ont)) (?:[a-z]+ly |[a-z]+ment |not |only |pas |aussi |alors )?"
    r"(?:[a-z]{3,}ed|kept|sent|given|held|made|set|put|built|shown|drawn|worn|written|borne|taken|met|mown|cut|swept|driven|run|paid|laid|hung|"
    r"fed|left|read|done|[a-z']{3,}(?:e|ee|es|ees)|"
    r"[a-z']{2,}(?:is|ise|ises|it|ite|its|ites|i|ie|ies|u|ue|us|ues|ert|erte|erts|ertes|oint|ointe|oints|ointes))(?![a-z])"
)
_PREPOSITION = (
    r"(?:to|in|at|on|by|with|from|for|within|before|after|under|every|per|via|using|free|until|against|between|throughout|no later|"
    r"not later|only|once|twice|daily|weekly|monthly|quarterly|annually|at least|a|au|aux|en|dans|par|sur|sous|sans|pour|pendant|avant|"
    r"apres|jusqu'a|tous les|toutes les|chaque|avec|selon|conformement|des|du|au moins|au plus|d'|quotidiennement|[a-z]{3,}ement|[a-z]{3,}ly|"
    rf"{NUMBER})"
)
_DONE_TOO = re.compile(
    rf"(?:{_JOIN}|(?P<comma>,\s+))(?={_THEN}(?:[a-z]+ly )?(?P<part>[a-z]{{3,}}ed|kept|sent|given|held|set|put|drawn|worn|taken|left|"
    rf"[a-z]{{3,}}(?:e|ee|"
    rf"es|ees)|"
    rf"(?:re)?mise?s?|(?:main)?tenue?s?|fournie?s?|etablie?s?|rendue?s?|transmise?s?|soumise?s?|inscrite?s?|detruite?s?|jointe?s?)"
    rf"(?:\s|(?<=[ld]')|(?<=kept|held|left) [a-z]+ ){_PREPOSITION}(?![a-z]))"
)
_REFERRED = re.compile(
    r"(?:described|specified|defined|listed|indicated|mentioned|stated|named|decrit|defini|liste|indique|mentionne)"
)
_HAVING = re.compile(r"(?<![a-z])(?:avoir|ayant|ont|having|have|has)(?![a-z])")
_IRREGULAR = re.compile(
    r"kept|left|sent|given|held|set|put|drawn|worn|taken|(?:re)?mise?s?|(?:main)?tenue?s?|fournie?s?|etablie?s?|rendue?s?|transmise?s?|soumise?s?|"
    r"inscrite?s?|detruite?s?|jointe?s?"
)
_FRENCH_END = re.compile(r"é(?:e|es|s)?$", re.IGNORECASE)


def again(piece: str) -> list[str]:
    """Acts and states of one subject joined by "and": "is fenced and has two gates", "est tenu à jour et fait l'objet d'un contrôle"."""
    plain = level(piece)
    joints = [m for m in _AGAIN.finditer(plain) if _open_subject(plain, m)]
    last = max((n for n, m in enumerate(joints) if not m["comma"]), default=-1)
    return _cut(piece, joints[: last + 1])


def _open_subject(plain: str, joint: re.Match[str]) -> bool:
    left, right = plain[: joint.start()], plain[joint.end() :]
    if inside_brackets(plain, joint.start()) or len(right.split()) < 2 or len(left.split()) < 3:
        return False
    verbs = list(_VERB.finditer(left))
    relatives = list(_RELATIVE.finditer(left))
    if not relatives:
        need = 2 if re.match(r"(?:\w+ )?(?:have|has|ont)\s", right) else 1
        return not verbs or len(left[verbs[-1].end() :].split()) >= need
    return bool(verbs) and relatives[-1].start() < verbs[-1].start() and len(verbs) > len(relatives)


def promised_too(piece: str) -> list[str]:
    """What is ensured or promised besides: "ensure that A and that B", "s'engage à faire A et à faire B"."""
    plain = level(piece)
    cuts = [m for m in _THAT.finditer(plain) if _ENSURING.search(plain[: m.start()])]
    if not cuts and (bound := _ENGAGED.search(plain)):
        cuts = [
            m
            for m in re.finditer(r",?\s+et\s+(?=a [a-z]{3,}(?:er|ir|re)\s)", plain)
            if m.start() > bound.end()
        ]
    return _cut(piece, [m for m in cuts if not inside_brackets(plain, m.start())])


_ENSURING = re.compile(
    r"(?<![a-z])(?:ensur|guarante|demonstrat|confirm|certif|declar|show|warrant|garanti|veill|assur|demontr|atteste)[a-z]* (?:a ce |also |"
    r"such )?(?:that|que|qu')"
)
_THAT = re.compile(r",?\s+(?:and|et)\s+(?=(?:that|que)\s|qu')")
_ENGAGED = re.compile(
    r"(?:engage(?:nt)?|veille(?:nt|ra|ront)?|tenue?s?|astreinte?s?) a [a-z]{3,}(?:er|ir|re)(?![a-z])"
)


_BARE_PASSIVE = re.compile(
    r"(?:[a-z][\w'-]* ){1,6}?(?:held|kept|sent|given|[a-z]{3,}ed)(?= (?:on|in|at|within|by|every|each|for|from|to|after|before|under)(?![a-z]))"
)
"""A thing and what is to be done with it, the verb left out: "Source files held in the EEA"."""


def done_too(piece: str) -> list[str]:
    """Participles of one passive, each with words of its own: "is taken from each batch and kept for five days"."""
    plain = level(piece)
    cuts: list[re.Match[str]] = []
    for joint in _DONE_TOO.finditer(plain):
        part = joint["part"]
        passive = next(iter(reversed(list(_PASSIVE.finditer(plain, 0, joint.start())))), None)
        passive = passive or re.search(
            r"(?<![a-z])(?:shall|must|doi(?:t|vent)) (?:be|etre)(?= )", plain[: joint.start()]
        )
        if (
            passive is None
            and re.search(NUMBER, plain[joint.end() :])
            and not _VERB.search(plain[: joint.start()])
        ):
            passive = _BARE_PASSIVE.match(plain[: joint.start()])
        start = max([passive.end() if passive else 0, *[m.end() for m in cuts]])
        if passive is None or inside_brackets(plain, joint.start()):
            continue
        written = piece[joint.start("part") : joint.end("part")]
        if not (part.endswith("ed") or _FRENCH_END.search(written) or _IRREGULAR.fullmatch(part)):
            continue
        between, right = plain[start : joint.start()], plain[joint.end() :]
        if _REFERRED.match(right):
            continue
        if (
            len(between.split()) >= (1 if re.search(NUMBER, right) else 2)
            and not _RELATIVE.search(between)
            and not _HAVING.search(between)
        ):
            cuts.append(joint)
    last = max((n for n, m in enumerate(cuts) if not m["comma"]), default=-1)
    cuts = cuts[: last + 1]
    if len(cuts) == 1 and not _weighty(plain[cuts[0].end() :]):
        return [piece]
    return _cut(piece, cuts)


def _weighty(right: str) -> bool:
    """A second participle that is missed by itself: it has a figure, or words enough."""
    return bool(re.search(NUMBER, right)) or len(right.split()) >= 6


_SAME = (
    r"(?P<{0}>within|under|by|at|in|for|every|from|after|before|below|above|up to|at least|at most|sous|dans|en|a|apres|avant|pendant|"
    r"tous les|jusqu'a|au moins|au plus|inferieure a|superieure a)"
)
_FIGURE = rf"\s(?:an?\s|the\s|un\s|une\s|les?\s)?{NUMBER}"
_GAPPED = re.compile(
    rf"(?:,\s+(?:and\s+|et\s+)?|\s+(?:and|et)\s+)(?=(?:the |all |any |a |an |les? |la |"
    rf"l')?(?:[a-z][a-z'-]*\s){{1,4}}?{_SAME.format('again')}{_FIGURE})"
)
_OF = re.compile(
    rf"(?:,\s+(?:and\s+|et\s+)?|\s+(?:and|et)\s+)(?!(?:an? |une? |the )?(?:minimum|maximum|total|further)(?![a-z]))(?=(?:an? |une? |the |"
    rf"d'une? )?(?!more|"
    rf"less|\d|to |in |at |of |for |"
    rf"le |la |les |d')(?:[a-z][\w'-]*\s){{1,6}}?(?:of|de|d'|not exceeding|"
    rf"below|above|at least|au moins|"
    rf"inferieure? a|superieure? a) ?(?:at least |not less than |more than |less than |au moins |plus de |moins de |under )?(?:[a-z]{{2,3}} |"
    rf"[€$£] ?)?{NUMBER})"
)


def gapped(piece: str) -> list[str]:
    """Limits of one kind, each of another thing: "half within 10 days and the rest within 30 days"."""
    plain = level(piece)
    cuts = []
    for joint in _GAPPED.finditer(plain):
        left, right = plain[: joint.start()], plain[joint.end() :]
        same = re.escape(joint["again"])
        before = plain[joint.end() : joint.start("again")]
        if (
            re.search(rf"(?<![a-z]){same}{_FIGURE}", left)
            and not inside_brackets(plain, joint.start())
            and not _VERB.search(before)
            and not re.match(r"(?:and|et|or|ou|not|no|pas)\s", right)
        ):
            cuts.append(joint)
    for joint in _OF.finditer(plain):
        left = plain[: joint.start()]
        if joint.group().strip() == "," and plain.startswith("d'", joint.end()):
            continue
        if re.search(
            rf"(?:of|de|d'|than|a|below|above|under|at least|not less than|au moins) (?:[a-z]{{2,3}} |[€$£] ?)?{NUMBER}(?:[^,;]|,\d)*$",
            left,
        ) and not inside_brackets(plain, joint.start()):
            cuts.append(joint)
    cuts += [m for m in _EACH_FOR.finditer(plain) if _FOR_ONE.search(plain[: m.start()])]
    cuts += [m for m in _COUNTED_OF.finditer(plain) if _SHOWN.search(plain[: m.start()])]
    return _cut(piece, sorted(cuts, key=lambda joint: joint.start()))


_FOR_ONE = re.compile(r"(?:\d|[a-z]) ?(?:%|[a-z]+) (?:for|pour|of|des?|du) [^,;]+$")
_EACH_FOR = re.compile(r",?\s+(?:and|et)\s+(?=\d[\d.,]* ?(?:% (?:of|des?|du)|[a-z]+ (?:for|pour)) [a-z])")
"""Figures each of its own thing: "18 months for A and 12 months for B", "50 % of the pits and 100 % of the graves"."""
_SHOWN = re.compile(rf"(?:justifi|dispos|compos)\w+ d[^;]*{NUMBER}")
_COUNTED_OF = re.compile(rf"\s+et\s+(?=d(?:e |')(?:au moins )?{NUMBER}[\d ]* ?[a-z]{{4,}})")


_ADJUNCT = re.compile(
    "|".join((
        r"(?P<free>,\s+(?=(?:followed by|accompanied by|evidenced by|supported by|attestee?s? par|appuyee?s? (?:de|d'|par)|inclusive of|"
        r"suivie?s? (?:de|d'|par)|accompagnee?s? (?:de|d'|par))\s?\w))",
        rf"(?P<figure>,\s+(?=(?:valid (?:for|until)|renewable|of which|each(?! for)|valables?|chacune?|"
        rf"dont(?! une? [a-z]+ant\s))\s[^,;]{{0,60}}?{NUMBER}))",
        rf"(?P<of_it>\s+(?=dont (?:les? |la |l')(?:[\w'-]+ ){{1,3}}?(?:est|sont|ser(?:a|ont)) [^,;]{{0,60}}?{NUMBER}))",
        rf"(?P<at>,\s+(?=(?:at|with|for|avec|sous|pour|a|dans) (?:an?|une?) [a-z]+[^,;]{{0,50}}?{NUMBER}))",
        r"(?P<sub>\s+with\s+(?=sub-\w+\s\w+))",
        r"(?P<neither>,\s+and\s+(?=(?:neither|no|never)\s[^,;]*(?:may|can|shall|must|is|are)\s))",
        r"(?P<until>,?\s+and\s+(?=(?:no|not) later than\s))",
    ))
)  # fmt: skip


def adjuncts(piece: str) -> list[str]:
    """What is said beside the act and can be missed on its own: ", valid for 90 days", ", accompagné des bons signés"."""
    plain = level(piece)
    cuts = []
    start = 0
    for joint in _ADJUNCT.finditer(plain):
        left = plain[start : joint.start()]
        if inside_brackets(plain, joint.start()) or len(left.split()) < 4:
            continue
        if joint.lastgroup == "at" and not re.search(NUMBER, left):
            continue
        if joint.lastgroup == "sub" and (len(left.split()) < 9 or re.search(r"\d\s?%[^)]*$", left)):
            continue
        cuts.append(joint)
        start = joint.end()
    return _cut(piece, cuts)


ACTOR = re.compile(
    r"(?<![a-z])(?:contractor|supplier|vendor|provider|consultant|bidder|tenderer|titulaire|prestataire|attributaire|fournisseur|entrepreneur|"
    r"candidat|soumissionnaire)s? (?:also |then |[a-z]+ly |en |y |lui |leur |se )?(?P<verb>[a-z]{3,}(?:s|e|ent|it|et|nd|nt|ra|ront))(?![a-z])"
)
_SUBJECT = re.compile(
    r"(?:(?:the|each|every|a|an|le|la|les|l'|chaque|un|une|tout|il|elle|it)\s?)?(?:[\w'-]+ ){0,7}?"
    r"(?!(?:is|has|was|its|this|les|des|ses|aux)\b)(?P<verb>[a-z]{3,}(?:s|e|it|et|nd|ent))(?= )"
)
_THIRD = (
    r"(?:provide|maintain|ensure|submit|demonstrate|implement|enable|allow|deliver|generate|retain|conduct|perform|achieve|guarantee|propose|"
    r"enclose|"
    r"complete|indicate|keep|install|remove|protect|meet|prepare|configure|monitor|develop|coordinate|assist|manage|operate|create|confirm|attend|"
    r"resolve|escalate|respond|inspect|inform|train|replace|hold|employ|assign|appoint|observe|erase|host|arrange|collect|send|bring|hand over|"
    r"repair|renew|answer|run|wear)s|carries|notifies|verifies|identifies|establishes|supplies|complies|applies|empties|washes|possesses"
)
"""Acts that no plural noun is taken for."""
_ACTS = re.compile(
    rf"(?:,?\s+(?:and|et)\s+|,\s+)(?={_THEN}(?:[a-z]+ly )?(?!is |has |was |its |this |lorsque |puisque |entre |contre |comme |outre |toute? |meme |"
    r"elle |celle |lorsqu|ainsi |sous |dans |sans |plus |moins |apres |tous |vers |hors |leurs |across |unless |less |towards |"
    r"perhaps )(?P<verb>(?:en |y |lui |leur )?(?:[a-z]{3,}s\s(?=(?:an?|the|its|their|all|any|each|every|no|it|them|at least|only|\d+)\s)|"
    rf"(?:{_THIRD})\s|"
    r"[a-z]{3,}(?:e|ent|it|et|nd)\s(?=(?:les?|la|un|une|son|sa|ses|leurs?|chaque|tout\w*|au moins|celles?|ceux|\d+)\s|l')|"
    r"[a-z]{3,}(?:it|et|nd|ent)\s(?=des\s)|[a-z]{3,}(?:ra|ront)\s)))"
)
_LAST_ACT = re.compile(rf"{_JOIN}(?={_THEN}(?!is |has |was |its |this )[a-z]{{3,}}s\s[a-z])")


def second_count(piece: str) -> list[str]:
    """Two counts of one act, each with a time or limit of its own: "trains 20 users before the start and 300 within a month"."""
    plain = level(piece)
    cuts = [
        joint
        for joint in _COUNTED_TOO.finditer(plain)
        if _COUNTED.search(plain[: joint.start()]) and not inside_brackets(plain, joint.start())
    ]
    return _cut(piece, cuts)


def own_clauses(piece: str) -> list[str]:
    """Two clauses of the plain present, each with its figure: "the room is kept at 20 °C and the humidity does not exceed 60 %"."""
    plain = level(piece)
    cuts = [
        joint
        for joint in _OWN.finditer(plain)
        if re.search(NUMBER, plain[: joint.start()])
        and re.search(NUMBER, plain[joint.end() :])
        and len(plain[: joint.start()].split()) >= 4
        and not inside_brackets(plain, joint.start())
        and not _RELATIVE.search(plain[: joint.start()])
    ]
    if _PASSIVE.search(plain):
        cuts += [
            joint
            for joint in _ELLIPTIC.finditer(piece)
            if re.search(NUMBER, plain[: joint.start()]) and re.search(NUMBER, plain[joint.end() :])
        ]
    none = [m for m in _NONE.finditer(plain) if re.search(NUMBER, plain[: m.start()])]
    return _cut(piece, sorted((*cuts, *none), key=lambda joint: joint.start()))


_TIMES = r"(?:before|after|within|by|per|in|at|every|each|dans|avant|apres|par|sous|chaque|en)"
_COUNTED = re.compile(rf"(?<![a-z])(?:{NUMBER}|\d[\d.,]*) [a-z][^,;]*? {_TIMES}\s[^,;]*$")
_COUNTED_TOO = re.compile(rf"{_JOIN}(?=\d[\d.,]* (?:[a-z][\w'-]* ){{1,4}}?{_TIMES} )")
_ELLIPTIC = re.compile(
    r"\s+(?:and|et)\s+(?=(?:the |an? |les? |la |l['’]|une? )(?:[\w'’-]+ ){1,3}?(?:[a-z]{3,}ed|[a-zà-ÿ]{2,}ée?s?) )"
)
"""A second thing and its participle, the verb left out: "the lawns are mown weekly and the hedges cut twice a year"."""
_NONE = re.compile(
    rf"{_JOIN}(?=(?:none|neither|each|the (?:rest|remainder|others?)|le reste|aucune?) (?:is|are|shall|must|est|sont|ne|n')[\s\w])"
)
_OWN = re.compile(
    rf"{_JOIN}(?=(?:the |all |any |each |every |its |les? |la |l'|chaque |leurs? |son |sa )?(?:[a-z][\w'-]*\s){{1,6}}?"
    r"(?:is|are|has|have|does not|do not|takes?|returns?|lasts?|starts?|est|sont|ont|ne \w+|n'\w+|dure(?:nt)?|commence(?:nt)?)\s)"
)


OPENING = re.compile(
    r"(?:en cas|lors|avant|apres|a (?:la|l'|chaque)|au|aux|dans|des|chaque|pour|pendant|si|s'|lorsqu\w*|in (?:case|the event)|upon|after|before|"
    r"at|on|during|for|when|where|if|every|each)[ '][^,;]{2,70}, (?=(?:the|an?|each|every|all|les?|la|une?|chaque|tou\w+|ils?|elles?|it|they) |l')"
)
"""The case or the time for which a clause asks."""


def acts(piece: str) -> list[str]:
    """Verbs of one subject in the present or the future, in a row: "runs a depot, trains its drivers and keeps a log"."""
    plain = level(piece)
    if MODAL.search(plain):
        return [piece]
    opening = OPENING.match(plain)
    begins = opening.end() if opening else 0
    first = ACTOR.search(plain, begins) or _SUBJECT.match(plain, begins)
    if first is None or _RELATIVE.search(plain[begins : first.end()]):
        return [piece]
    cuts: list[re.Match[str]] = []
    start = first.end()
    for joint in _ACTS.finditer(plain, first.end()):
        between = plain[start : joint.start()]
        if re.match(r"\S+é\s", piece[joint.end() :]):
            continue
        need = 1 if plain[joint.start()] == "," else 2
        if len(between.split()) < need or _RELATIVE.search(between) or inside_brackets(plain, joint.start()):
            continue
        cuts.append(joint)
        start = joint.end() + len(joint["verb"])
    if cuts and plain[cuts[-1].start()] == "," and (last := _LAST_ACT.search(plain, start)):
        cuts.append(last)
    return _cut(piece, cuts)


def _cut(piece: str, joints: list[re.Match[str]]) -> list[str]:
    slices, start = [], 0
    for joint in joints:
        if joint.start() < start:
            continue
        slices.append(piece[start : joint.start()].strip())
        start = joint.end()
    slices.append(piece[start:].strip())
    return [one for one in slices if one]
