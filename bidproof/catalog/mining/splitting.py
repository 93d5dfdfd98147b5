"""Atomic parts: what of a sentence or a table cell can be given or missed on its own.

Parts are slices of the text, each with the words it needs to stand alone. A thing with its qualifiers is one part, a pair
under one verb is one, either/or is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidproof.catalog.mining.obligations import MAY, MODAL
from bidproof.catalog.mining.sentences import level, one_line


@dataclass(frozen=True)
class Part:
    """A slice of the source, and the same with subject and label so that it stands alone."""

    text: str
    slice: str


_LIMIT = r"(?:a |an )?(?:min(?:imum|\.)?|max(?:imum|\.)?|at least|at most|not less than|no(?:t)? more than|no|all|100 ?%|\d)"
PERIOD = r"(?:hourly|daily|weekly|fortnightly|monthly|quarterly|half-yearly|bi-?annual|annual|yearly)"
_VERBS = (
    r"(?:provide|support|include|maintain|ensure|submit|demonstrate|implement|enable|allow|deliver|comply|integrate|expose|generate|process|"
    r"retain|store|report|notify|conduct|perform|achieve|guarantee|offer|propose|attach|enclose|sign|complete|state|indicate|keep|install|"
    r"remove|clear|erect|alter|adapt|dismantle|make good|pay|protect|bear|mark|seal|return|meet|clean|dispose|transport|carry out|"
    r"undertake|prepare|configure|train|replace|repair|supply|furnish|obtain|hold|possess|employ|assign|appoint|cover|interoperate|be \w+ed)"
)
_CUTS = re.compile(
    "|".join((
        r"(?P<semicolon>;\s+(?:and |et |or(?= )|ou(?= ))?)",
        r"(?P<modal>,?\s+(?:and|et)\s+(?=(?:must|shall|is to|are to|doit|doivent|devra|devront)\b))",
        r"(?P<splice>,\s+(?=(?:chaque|tout|toute|each|every)\s\w+\s(?:peut|doit|shall|must|may)))",
        rf"(?P<with>,\s+(?:with|avec)\s+|\s+(?:with|avec)\s+(?={_LIMIT}\b|{PERIOD}\b|"
        rf"(?:[\w()-]+\s){{1,8}}?(?:that (?:is|are)|which (?:is|are)|configured|located)\b))",
        rf"(?P<verb>,?\s+and\s+(?=(?:{_VERBS})\s))",
        r"(?P<infinitif>,?\s+et\s+(?=(?!etre\b)[a-z]{3,}(?:er|ir)\s(?:de|d'|en|a|au|aux|la|le|les|l'|un|une|sa|son|ses)))",
        r"(?P<present>,?\s+et\s+(?=(?:sont|est|[a-z]{4,}(?<!m)ent)\s(?:de|d'|en|a|au|aux|la|le|les|l'|un|une|sa|son|leurs?|affilie)))",
        r"(?P<portant>\s+et\s+(?=portant\b))",
        r"(?P<participle>(?<=\w)\s+and\s+(?=[a-z]{4,}ed\s(?:via|using|in|by|with|through|at|on)\s))",
        r"(?P<tail>,\s+(?=(?!capable|covering|including|measured|such|as |based|defined|eliminating|where|"
        r"which)(?:validated|co-located|located|updated|"
        r"executed|available|enabling|conducting|providing|achieving|delivering|ensuring|conducted|delivered|"
        r"resolved)\b)|\s+(?=available within\b)|"
        r"\s+(?=located (?:entirely|exclusively|solely|within)\b)|\s+(?=to (?:meet|achieve) (?:the |a )?\d))",
        rf"(?P<period>\s+and\s+(?={PERIOD}\s))",
        r"(?P<limit>,?\s+(?:and|et)\s+(?=(?:[A-Za-z-]+ ){1,3}[<>≤≥=] ?\d|(?:a |an |un |une )?(?:min(?:imum|\.)?|"
        r"max(?:imum|\.)?|at least|au moins)\s|\d+ [a-z]{3}))",
    ))
)  # fmt: skip
_EITHER = re.compile(r"(?<![a-z])(?:either|soit|au choix|one of the following|l'un des)(?![a-z])")
_MEASURED = re.compile(rf"\d|{PERIOD}|located")
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
    slices = _sliced(text, plain)
    slices = [one for piece in slices for one in _documents(piece)]
    slices = [one for piece in slices for one in _measured_list(piece)]
    slices = [one for piece in slices for one in _dated(piece)]
    slices = [piece for piece in slices if _content(piece)]
    if len(slices) < 2:
        return [Part(text, text)]
    subject, modal = _subject(slices[0])
    if not subject and any(_needs_subject(piece) for piece in slices[1:]):
        return [Part(text, text)]
    giving = _giving(slices[0])
    return [
        Part(piece if n == 0 else _standing(piece, subject, modal, giving), piece)
        for n, piece in enumerate(slices)
    ]


def _sliced(text: str, plain: str) -> list[str]:
    cuts: list[tuple[int, int]] = []
    start, modal = 0, MODAL.search(plain)
    for match in _CUTS.finditer(plain):
        kind = match.lastgroup
        left, right = plain[start : match.start()], plain[match.end() :]
        if not _allowed(kind, left, right, plain, match, modal):
            continue
        cuts.append((match.start(), match.end()))
        start = match.end()
    pieces, start = [], 0
    for begin, end in cuts:
        pieces.append(text[start:begin].strip())
        start = end
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def _allowed(
    kind: str | None, left: str, right: str, plain: str, match: re.Match[str], modal: re.Match[str] | None
) -> bool:
    if _inside_brackets(plain, match.start()):
        return False
    words = left.split()
    if kind == "semicolon":
        return bool(words) and right.strip(" .;") not in ("", "and", "or", "et", "ou")
    if kind == "modal":
        return modal is not None and len(plain[modal.end() : match.start()].split()) >= 2
    if kind == "splice":
        return len(words) >= 3
    if kind == "with" and re.search(
        r"(?:compl(?:y|ies|iance|iant)|accordance|conform\w*|together|along|familiar|deal|"
        r"conjunction)$",
        left.rstrip(),
    ):
        return False
    if kind == "with":
        if match.group().startswith(","):
            return len(words) >= 5 and modal is not None
        return len(words) >= 5 and (modal is not None or bool(re.search(r"\d", left)))
    if kind in ("verb", "infinitif", "portant", "participle"):
        if modal is None or modal.end() > match.start():
            return False
        tail = plain[modal.end() : match.start()].split()
        need = 3 if kind == "participle" else 2
        if kind == "verb" and _BARE_VERB.match(f"{words[-1]} "):
            return False
        need -= kind in ("infinitif", "portant") and tail[:1] == ["etre"]
        return len(tail) > need and not (kind == "verb" and re.search(r"\bto (?:\w+ )?\w+$", left))
    if kind == "present":
        return len(words) >= 3 and bool(
            re.match(r"(?:\w+\s+)?(?:sont|est|[a-z]{4,}(?<!m)ent)\b|.*\bqui\b.*,", left)
        )
    if kind == "tail":
        return len(words) >= 5 and _limits(left, right)
    if kind == "period":
        return bool(re.search(PERIOD, left))
    if kind == "limit" and re.match(r"\d", right):
        return bool(
            re.search(r"\b(?:at least|au moins|minimum|au minimum)\s(?:d')?(?:\w+\s){1,5}$", f"{left} ")
        )
    return kind == "limit" and bool(re.search(r"\d", left)) and bool(re.search(r"\d", right))


def _limits(left: str, right: str) -> bool:
    """A participle clause with a limit or a place of its own."""
    clause = re.split(r"[,;]", right, maxsplit=1)[0]
    if re.match(r"located", right) and not MODAL.search(left):
        return False
    return bool(_MEASURED.search(clause) or re.match(r"located|co-located", right))


def _inside_brackets(plain: str, at: int) -> bool:
    return plain.count("(", 0, at) > plain.count(")", 0, at) or plain.count("«", 0, at) > plain.count(
        "»", 0, at
    )


def _content(piece: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2}|\d", piece))


_CLAUSE = re.compile(
    r"(?<![a-z])(?:shall|must|may|will|is|are|doi(?:t|vent)|peu(?:t|vent)|est|sont|ser(?:a|ont))(?![a-z])"
)
"""A verb of its own: what follows is a clause, not one more document."""


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
        if _inside_brackets(plain, joint.start()) or (joint.group().strip() == "," and not verb):
            continue
        head = plain[joint.end() : joint.end() + 60]
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
    if until is None or not _WAY.search(plain[: until.start()]) or not _SENT.search(plain[: until.start()]):
        return [piece]
    return [piece[: until.start()], piece[until.start() :].strip()]


def _subject(first: str) -> tuple[str, str]:
    """Words before the verb that obliges, if they are few and hold no figure, and that verb."""
    plain = level(first)
    match = MODAL.search(plain) or MAY.search(plain)
    if match is None:
        imperative = re.match(r"(?:submit|send|deliver|upload|lodge|deposer|transmettre|envoyer)\b", plain)
        return (first[: imperative.end()], "") if imperative else ("", "")
    before = first[: match.start()].strip()
    before = re.split(r"[,:;]\s", before)[-1]
    if not before or len(before.split()) > 12 or re.search(r"\d", before):
        return "", ""
    return before, first[match.start() : match.end()]


def _needs_subject(piece: str) -> bool:
    """The part begins with its verb and says nothing without what it is said of."""
    plain = level(piece)
    own = MODAL.match(plain)
    return own is not None or bool(_BARE_VERB.match(plain))


_BARE_VERB = re.compile(rf"(?:{_VERBS}|[a-z]+(?:er|ir))\s")


def _giving(first: str) -> str:
    """The words up to a verb of giving, which each document of its list needs; empty where they are many or hold figures."""
    verb = _GIVE.search(level(first))
    before = first[: verb.end()].strip() if verb else ""
    return before if before and len(before.split()) <= 10 and not re.search(r"\d", before) else ""


def _standing(piece: str, subject: str, modal: str, giving: str = "") -> str:
    plain = level(piece)
    if (
        giving
        and not MODAL.search(plain)
        and re.match(r"(?:an?|the|its|their|une?|l[ea]s?|l'|des|sa|son|ses|leurs?)(?:\s|(?<=')\w)", plain)
        and _HEAD.match(plain)
    ):
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
    if _BARE_VERB.match(plain):
        return f"{subject} {modal} {piece}"
    return f"{subject}: {piece}"
