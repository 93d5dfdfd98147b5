"""Atomic parts: what of a sentence or a table cell can be given or missed on its own.

Parts are slices of the text, each with the words it needs to stand alone. A thing with its qualifiers is one part, a pair
under one verb is one, either/or is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidproof.catalog.mining.appended import counted_list, fitted_with, with_limit
from bidproof.catalog.mining.attached import (
    PLURAL_ACTS,
    absolute,
    further_thing,
    plural_acts,
    steps,
    subject_list,
    thing_done,
    who_does,
)
from bidproof.catalog.mining.coordination import BARE_VERB, IMPERATIVE, WILL, inside_brackets, sliced
from bidproof.catalog.mining.duty_words import NUMBERING
from bidproof.catalog.mining.enumerations import features, handed_in, qualities
from bidproof.catalog.mining.obligations import MAY, MODAL, SHOULD
from bidproof.catalog.mining.parallels import (
    ACTOR,
    OPENING,
    acts,
    adjuncts,
    again,
    done_too,
    gapped,
    own_clauses,
    promised_too,
    second_count,
)
from bidproof.catalog.mining.sentences import level, one_line


@dataclass(frozen=True)
class Part:
    """A slice of the source, and the same with subject and label so that it stands alone."""

    text: str
    slice: str


_EITHER = re.compile(r"(?<![a-z])(?:either|soit|au choix|one of the following|l'un des)(?![a-z])")
_GIVE = re.compile(
    r"(?<![a-z])(?:submit|provide|furnish|enclose|attach|include|contain|comprise|present|supply|deliver|consist of|accompanied by|"
    r"presenter|fournir|produire|joindre|remettre|comprend(?:re|ra)?|comprennent|contien(?:t|nent)|contenir|"
    r"comporte(?:r|ra|nt)?|accompagnee?s? d[e'])\s"
)
_JOINT = re.compile(
    r",\s+(?:and\s+|et\s+)?|\s+and\s+|\s+et\s+|\s+ainsi que\s+|\s+as well as\s+|\s+accompagnee?s? (?:de |d'|par )"
)
_HEAD = re.compile(
    r"(?:an?|the|its|their|his|two|three|one|une?|l[ea]s?|l'|des|sa|son|ses|leurs?|deux|trois|copies? of|duly|signed|"
    r"completed|audited|valid|original|"
    r"certified|notari[sz]ed|detailed)?\s*(?:[\w-]+['\s]){0,3}?"
    r"(?:certificat\w*|forms?|schedules?|securit(?:y|ies)|power of attorney|letter|declaration|statement|accounts|licen[cs]e|registration|"
    r"guarantee|bond|affidavit|proof|evidence|plan|list|resume|cvs?|curricul\w+|brochure|manual|reference|profile|copies|copy|bid|tender|proposal|"
    r"attestation|acte|bordereau|detail|dossiers?|pieces?|note|memoire|planning|extrait|statuts|procuration|caution\w*|recepisse|copies?|"
    r"liste|convention|cahier|offre|diplome|report|samples?|matrix|diagram|catalogue|warranty|insurance|policy|policies)\b"
)
_LIST_AFTER = re.compile(
    r"(?<![a-z])(?:including|such as|covering|e\.g|i\.e|notamment|tels? que|y compris|dont|mentionnant|indiquant|concernant)\s[^,]*$"
)
_COMPLEMENTED = re.compile(
    r"(?<![a-z])(?:including|such as|covering|for|of|via|across|through|between|by|under|\w{4,}ing|notamment|pour|de|par|y compris)\s[^,]*$"
)


def sentence_parts(text: str) -> list[Part]:
    """Atomic parts of a sentence or list item, in order; one part with the whole text where nothing parts it."""
    plain = level(text)
    if _EITHER.search(plain):
        return [Part(text, text)]
    slices = [one for piece in subject_list(text) for one in sliced(piece, level(piece))]
    for cut in _CUTS:
        slices = [one for piece in slices for one in cut(piece)]
    slices = [piece for piece in slices if _content(piece)]
    if len(slices) < 2:
        return [Part(text, text)]
    subject, modal = _subject(slices[0])
    if not subject and not IMPERATIVE.match(plain) and any(_needs_subject(piece) for piece in slices[1:]):
        return [Part(text, text)]
    if ensured := _ENSURED.search(level(slices[0])):
        head = slices[0][: ensured.start()].rstrip()
        slices = [
            piece if n == 0 or not _ENSURED.match(level(piece)) else f"{head} {piece}"
            for n, piece in enumerate(slices)
        ]
    giving = _giving(slices[0])
    act = _TO_DO.search(level(slices[0]))
    bound = slices[0][: act.start()].strip() if act else ""
    return [
        Part(piece if n == 0 else _standing(piece, subject, modal, giving, bound), piece)
        for n, piece in enumerate(slices)
    ]


def _content(piece: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2}|\d", piece))


_CLAUSE = re.compile(
    r"(?<![a-z])(?:shall|must|may|will|is|are|doi(?:t|vent)|peu(?:t|vent)|est|sont|ser(?:a|ont))(?![a-z])"
)
"""A verb of its own: what follows is a clause, not one more document."""


_ORIGINAL = re.compile(r"(?<![a-z])(?:original|originaux)(?: [a-z]+)?$")
_COPIES = re.compile(r"(?:\w+ )?(?:\(\d+\) )?(?:copy|copies|copie)(?![a-z])")
"""An original and its copies are one thing to hand in."""


def _documents(piece: str) -> list[str]:
    """A list of documents after a verb of giving, one by one; else the piece alone."""
    plain = level(piece)
    verb = _GIVE.search(plain)
    start = verb.end() if verb else 0
    if not verb and not re.match(
        r"\W*(?:(?:en cas|pour|lorsque|if|for|where)\s[^,]{2,80},\s*)?(?:une?|les?|la|l'|the|an?|copy|copie)\s",
        plain,
    ):
        return [piece]
    if not verb:
        opening = re.match(r"\W*(?:(?:en cas|pour|lorsque|if|for|where)\s[^,]{2,80},\s*)", plain)
        start = opening.end() if opening else 0
    begins = [start]
    ends: list[int] = []
    for joint in _JOINT.finditer(plain, start):
        if inside_brackets(plain, joint.start()) or (joint.group().strip() == "," and not verb):
            continue
        head = plain[joint.end() : joint.end() + 60]
        if _COPIES.match(head) and _ORIGINAL.search(plain[begins[-1] : joint.start()]):
            continue
        determined = re.match(
            r"(?:an?|the|its|their|une?|l[ea]s?|l'|des|sa|son|ses|leurs?|two|deux|trois|three|copies|copy)\s?",
            head,
        )
        if (
            determined
            and _HEAD.match(head)
            and _HEAD.match(plain[begins[-1] : begins[-1] + 80])
            and not _LIST_AFTER.search(plain[begins[-1] : joint.start()])
        ):
            ends.append(joint.start())
            begins.append(joint.end())
    ends.append(len(piece))
    if len(begins) < 2:
        return [piece]
    slices = [piece[b:e].strip() for b, e in zip(begins, ends, strict=True)]
    if any(_CLAUSE.search(level(one)) for one in slices[1:]):
        return [piece]
    return [f"{piece[:start]}{slices[0]}".strip(), *slices[1:]]


QUANTITY = re.compile(
    r"(?<![\w.])[<>≤≥~]?\d[\d.,]*(?![A-Z]{1,3}\b(?<!K)(?<!M)(?<!B)|GPP)\s?(?:%|[a-zA-Z+-]|\s)"
)
_YEAR = re.compile(r", (?:19|20)\d\d\b")


def top_level(text: str, mark: str) -> list[str]:
    """`text` at each `mark` outside brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and text.startswith(mark, at) and not _YEAR.match(text, at):
            parts.append(text[start:at].strip())
            start = at + len(mark)
    parts.append(text[start:].strip())
    return [one_line(part).rstrip(".") for part in parts if part]


_HAVING = re.compile(
    r"(?<![a-z])(?:implement|provide|include|support|offer|deliver|comprendre|inclure|prevoir|fournir|disposer de)\s"
)


def _measured_list(piece: str) -> list[str]:
    """A list of three and more of which a later one has a limit of its own, one by one; else the piece alone."""
    plain = level(piece)
    verb = _HAVING.search(plain)
    if verb is None or MODAL.search(plain) is None:
        return [piece]
    parts = top_level(piece[verb.end() :], ", ")
    if (
        len(parts) < 3
        or not any(QUANTITY.search(f"{part} ") for part in parts[1:])
        or not re.match(r"(?:and|et)\s", parts[-1])
    ):
        return [piece]
    if _COMPLEMENTED.search(level(parts[0])) or any(_LIST_AFTER.search(level(part)) for part in parts[:-1]):
        return [piece]
    parts = [re.sub(r"^(?:and|et)\s+", "", part) for part in parts]
    return [f"{piece[: verb.end()]}{parts[0]}", *parts[1:]]


_COUNTING = re.compile(
    r"(?<![a-z])(?:hold|possess|have|has|include|comprise|employ|consists? of|comprend(?:re|ra)?|comprennent|comporte(?:ra|nt)?|composee?s? d['e]|"
    r"affecte(?:ra)?|dispose(?:r|ra|nt)? d['e]|possede(?:r|ra|nt)?)\s?(?:a minima |au moins |au minimum |at least |a minimum of )?"
)
_COUNT = re.compile(
    r"(?:and |et )?(?:d'|de )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d+)\s"
)


def _counted(piece: str) -> list[str]:
    """Three and more people or papers, each with its number or article, one by one; else the piece alone."""
    plain = level(piece)
    verb = _COUNTING.search(plain)
    if verb is None:
        return [piece]
    parts = [
        one
        for part in top_level(piece[verb.end() :], ", ")
        for one in re.split(r"\s(?:and|et)\s(?=\w+\s)", part)
    ]
    if len(parts) < 3 or not all(_COUNT.match(level(part)) for part in parts):
        return [piece]
    if _COMPLEMENTED.search(level(parts[0])) and not re.search(
        r"(?<![a-z])(?:de|pour)(?![a-z])", level(parts[0])
    ):
        return [piece]
    parts = [re.sub(r"^(?:and|et)\s+", "", part) for part in parts]
    return [f"{piece[: verb.end()]}{parts[0]}", *parts[1:]]


_DATED = re.compile(
    r"\s(?:by|before|no later than|not later than|on or before|au plus tard(?: le)?|avant le)\s(?=[^,;]{0,40}\d)[^;]*$"
)
_WAY = re.compile(
    r"(?<![a-z])(?:via|through|portal|online|electronically|at the (?:address|office)|e-?mail|par voie|plateforme|"
    r"profil d'acheteur|a l'adresse|au bureau|aux bureaux)(?![a-z])"
)
_SENT = re.compile(
    r"(?<![a-z])(?:submit|submitted|sent|delivered|lodged|deposited|received|addressed|uploaded|deposes?|remis|"
    r"transmis|adressees?|envoyes?)(?![a-z])"
)


def _dated(piece: str) -> list[str]:
    """Where something is handed in and until when are two things."""
    plain = level(piece)
    until = _DATED.search(plain)
    if (
        until is None
        or _CLAUSE.search(until.group().lower())
        or not _WAY.search(plain[: until.start()])
        or not _SENT.search(plain[: until.start()])
    ):
        return [piece]
    return [piece[: until.start()], piece[until.start() :].strip()]


_ADVERBIAL = re.compile(
    r"(?:for|in|of|with|at|by|from|during|within|under|on|if|when|where|as|to|pour|dans|de|du|avec|a|au|aux|par|en|sous|pendant|selon)\s"
)
_STATE = re.compile(r"(?<![a-z'])(?:is|are|est|sont|ser(?:a|ont))(?![a-z])")
_AUXILIARY = re.compile(
    r"(?:also |then |never |always )?(?:is|are|has|have|remains?|est|sont|sera|seront|n'est|ne sont|se|s'|font|fait)(?![a-z])"
)


_ACT = re.compile(
    r"(?:also |then |thereafter |ensuite )?(?:en |y |lui |leur )?(?!under |within |over |after |before |per |in |at )[a-z]{3,}(?:s|e|ent|it|et|nd|"
    r"ra|ront)\s"
    r"(?:an?|the|its|their|all|any|each|every|no|it|them|at least|\d+|les?|la|l'|une?|son|sa|ses|leurs?|chaque|tou\w+|au moins|[a-z]+)"
)
_DONE = (
    r"(?:then |thereafter |ensuite )?(?:[a-z]+ly )?(?:[a-z]{3,}ed|kept|sent|given|held|set|put|worn|taken|[a-zà-ÿ]{2,}ée?s?|(?:re)?mise?s?|"
    r"(?:main)?tenue?s?|résolue?s?|rendue?s?|fournie?s?|établie?s?|transmise?s?|soumise?s?|inscrite?s?|détruite?s?)(?:\s+|(?=[.,;:)])|$)"
)
_PARTICIPLE = re.compile(rf"{_DONE}(?:(?:and|or|et|ou)\s+{_DONE})*")
_AFTER_PARTICIPLE = re.compile(
    r"$|\W|[\w-]+(?:ly|ment)(?!\w)|\d+ (?:times|minutes?|hours?|days?|weeks?|months?|years?|fois|heures?|jours?|semaines?|mois|ans)\b|"
    r"(?:by|to|in|with|within|without|at|on|of|off|for|from|as|under|over|per|before|after|into|onto|through|throughout|via|until|upon|"
    r"against|between|among|during|up|out|down|back|across|along|prior|not|no|once|twice|and|or|when|where|if|unless|whenever|so|"
    r"because|together|only|also|again|the|an?|its|their|all|any|each|every|online|"
    r"par|à|au|aux|en|dans|avec|sous|sur|de|du|des|pour|avant|après|dès|depuis|selon|entre|chez|sans|lors|pendant|chaque|tous|toutes|"
    r"les?|la|une?|et|ou|si|non|ainsi|afin|contre|vers|hors|auprès|via|comme)(?![\w-])|(?:d|l|qu|jusqu|lorsqu)['’]",
    re.IGNORECASE,
)
"""What follows a participle that is a verb; before a noun it is an adjective: "audited accounts"."""
_REMAINS = re.compile(r"(?:kept|put|held|(?:main)?tenue?s?|rendue?s?)\s+$")
"""Participles that take an adjective: "kept confidential"."""


def _acting(plain: str) -> tuple[int, int] | None:
    """Where the verb of a clause in the present stands, and where its subject begins."""
    if found := ACTOR.search(plain):
        begins = max(plain.rfind(", ", 0, found.start()) + 2, 0) if ", " in plain[: found.start()] else 0
        return found.start("verb"), begins
    if found := PLURAL_ACTS.match(plain):
        return found.start("verb"), 0
    opening = OPENING.match(plain)
    begins = opening.end() if opening else 0
    found = re.compile(
        r"(?:(?:each|every|the|an?|le|la|les|un|une|chaque|tout|toute|tous les|toutes les)\s|l')(?:[\w'-]+ ){1,5}?(?P<verb>(?!(?:des|les|ses|aux|"
        r"de|une|le)\b)"
        r"[a-z]{3,}(?:s|e|it|et|nd|ent)) (?:(?:an?|the|its|their|all|any|each|every|no|at least|\d+|les?|la|une?|son|sa|ses|leurs?|chaque|a|"
        r"au)(?![a-z])|[dl]')"
    ).match(plain, begins)
    return (found.start("verb"), begins) if found else None


def _subject(first: str) -> tuple[str, str]:
    """Words before the verb that obliges, if they are few and hold no figure, and that verb."""
    numbered = NUMBERING.match(first)
    first = first[numbered.end() :] if numbered else first
    plain = level(first)
    match = MODAL.search(plain) or WILL.search(plain) or SHOULD.search(plain) or MAY.search(plain)
    if match is None:
        state, act = _STATE.search(plain), _acting(plain)
        if state and not (act and act[0] < state.start()):
            before = re.split(r"[,:;]\s", first[: state.start()].strip())[-1]
            if before and len(before.split()) <= 9 and not re.search(r"\d", before):
                return before, first[state.start() : state.end()]
        if act and not re.search(r"\d", first[act[1] : act[0]]):
            return first[act[1] : act[0]].strip(), ""
        if doing := re.match(
            r"(?:(?:the|le|la|les)\s|l')(?:[\w'-]+\s){1,2}?(?=(?:is responsible|are responsible|"
            r"[a-z]{4,}s|[a-z]{3,}(?:e|it|ent)) )",
            plain,
        ):
            return first[: doing.end()].strip(), ""
        imperative = re.match(r"(?:submit|send|deliver|upload|lodge|deposer|transmettre|envoyer)\b", plain)
        return (first[: imperative.end()], "") if imperative else ("", "")
    before = first[: match.start()].strip()
    segments = re.split(r"[,:;]\s", before)
    before = segments[0] if _ADVERBIAL.match(level(segments[-1])) else segments[-1]
    if not before or len(before.split()) > 16 or re.search(r"\d", before):
        return "", ""
    return before, first[match.start() : match.end()]


def _needs_subject(piece: str) -> bool:
    """The part begins with its verb and says nothing without what it is said of."""
    plain = level(piece)
    own = MODAL.match(plain)
    return own is not None or bool(BARE_VERB.match(plain))


def _giving(first: str) -> str:
    """The words up to a verb of giving, which each document of its list needs; empty where they are many or hold figures."""
    verb = _GIVE.search(level(first))
    before = first[: verb.end()].strip() if verb else ""
    return before if before and len(before.split()) <= 10 and not re.search(r"\d", before) else ""


_ENSURED = re.compile(r"(?<![a-z])(?:that|que|qu')(?![a-z])")
_TO_DO = re.compile(
    r"(?<![a-z])(?:de |d'|a (?=[a-z]{3,}(?:er|ir|re) ))(?:les? |la |l')?[a-z]{3,}(?:er|ir|re)(?![a-z])"
)
"""What somebody is bound to do: "de surveiller"."""


def _standing(piece: str, subject: str, modal: str, giving: str = "", bound: str = "") -> str:
    plain = level(piece)
    if bound and len(bound.split()) <= 12 and _TO_DO.match(plain):
        return f"{bound} {piece}"
    done = _PARTICIPLE.match(piece)
    verb = done is not None and (_AFTER_PARTICIPLE.match(piece, done.end()) or _REMAINS.search(done.group()))
    if (
        giving
        and not MODAL.search(plain)
        and re.match(r"(?:an?|the|its|their|une?|l[ea]s?|l'|des|sa|son|ses|leurs?)(?:\s|(?<=')\w)", plain)
        and _HEAD.match(plain)
    ) or (giving and done and not verb and not _CLAUSE.search(plain)):
        return f"{giving} {piece}"
    if not subject or re.match(r"(?:cette|this|it|they|elle|il|ils|these|chaque|each|tout)\b", plain):
        return piece
    own = MODAL.search(plain)
    if own and own.start() == 0:
        return f"{subject} {piece}"
    if own:
        return piece
    if re.match(r"(?:[\w'-]+\s){1,5}(?:is|are|est|sont|has|have|will)\s", plain):
        return piece
    if _AUXILIARY.match(plain) or (not modal and _ACT.match(plain)):
        return f"{subject} {piece}"
    if modal and done and verb and not BARE_VERB.match(plain) and not done.group().startswith("need"):
        be = "" if _STATE.fullmatch(level(modal)) else " être" if re.match(r"d[oe]", level(modal)) else " be"
        return f"{subject} {modal}{be} {piece}"
    if BARE_VERB.match(plain):
        return " ".join(part for part in (subject, modal, piece) if part)
    return f"{subject}: {piece}"


_CUTS = (
    promised_too, again, done_too, own_clauses, gapped, second_count, acts, adjuncts, _documents, _measured_list, _counted, handed_in,
    features, qualities, _dated, fitted_with, with_limit, counted_list, thing_done, absolute, who_does, plural_acts, further_thing,
    steps,
)  # fmt: skip
