"""Where a sentence is cut into parts: semicolons, acts with verbs of their own, limits and codes joined by "and".

Knows the cuts and when each is meant. What the slices need to stand alone, and lists of documents, stand in `splitting`.
"""

from __future__ import annotations

import re

from bidproof.catalog.mining.duty_words import PRESENT
from bidproof.catalog.mining.obligations import MODAL, SHOULD

_LIMIT = r"(?:a |an )?(?:min(?:imum|\.)?|max(?:imum|\.)?|at least|at most|not less than|no(?:t)? more than|no|all|100 ?%|\d)"
PERIOD = r"(?:hourly|daily|weekly|fortnightly|monthly|quarterly|half-yearly|bi-?annual|annual|yearly)"
_NOUNS_TOO = (
    r"transport|use|plan|list|name|label|log|sample|staff|display|issue|audit|check|measure|weigh|place|answer|calculate|empty|wash|serve|clear|"
    r"secure|lock|patrol|insure|visit|examine|settle|make|take|put|send|run|draw up|set up|wear|reach|accept|grant|present|fill|describe"
)
"""Verbs that are nouns as often: only before what they are done to."""
VERBS = (
    r"(?:provide|support|include|maintain|ensure|submit|demonstrate|implement|enable|allow|deliver|comply|integrate|expose|generate|process|"
    r"retain|store|report|notify|conduct|perform|achieve|guarantee|offer|propose|attach|enclose|sign|complete|state|indicate|keep|install|"
    r"remove|clear|erect|alter|adapt|dismantle|make good|pay|protect|bear|mark|seal|return|meet|clean|dispose|carry out|"
    r"undertake|prepare|configure|reconcile|hand over|acknowledge|review|establish|investigate|monitor|identify|document|develop|update|"
    r"coordinate|assist|manage|operate|apply|create|record|transfer|verify|confirm|schedule|attend|resolve|escalate|respond|inspect|give|"
    r"commit|obtain|carry|commence|begin|start|test|inform|train|replace|repair|supply|furnish|obtain|hold|possess|"
    r"employ|assign|appoint|cover|interoperate|be \w+ed|observe|adhere|delete|scale|handle|respond|remain|evolve|follow|commit|erase|destroy|host|"
    r"migrate|restore|recover|organi[sz]e|"
    r"arrange|"
    r"allow|remedy|rectify|disclose|declare|deploy|encrypt|dismiss|refrain|abide|cooperate|participate|specify|designate|nominate|collect|"
    rf"(?:{_NOUNS_TOO})(?=\s(?:the|an?|its|their|all|any|each|every|no|at least|them|it|his|not|\d)))"
)
_OWN_CLAUSE = (
    r"(?:(?:no|not more than|any|the|all|each|every|its|their|le|la|les|leurs?|son|sa|ses|toute?s?|aucune?|chaque) (?!(?:that|which|who)\b)|"
    r"l'|(?!(?:that|which|who|it|to|if|when|where|shall|must|is|are|will)\b))(?:(?!(?:that|which|who|qui|que|dont|to|"
    r"and|et|or|ou)\b)[\w'-]+ ){1,7}?"
    r"(?:is|are|shall|must|will|cannot|may not|has to|have to|est|sont|doit|doivent|devra|devront|ne devra|ne peut|ne peuvent|sera|seront)\b"
)
"""A clause of its own: what it speaks of, in few words, and its verb."""
_STATED = re.compile(
    r"(?<![a-z])(?:shall|must|will|should|is|are|cannot|remains?|doi(?:t|vent)|devr(?:a|ont)|est|sont|ser(?:a|ont))(?![a-z])"
)
_RELATIVE = re.compile(
    r"(?<![a-z])(?:that|which|who|whose|where|if|when|unless|qui|que|dont|ou|si|lorsque|lorsqu)(?![a-z])"
)
WILL = re.compile(r"(?<![a-z])will(?![a-z])")
_CONSEQUENCE = re.compile(
    r"[^;]{0,60}(?<![a-z])(?:will|shall|sera|seront|ne sera|ne seront) (?:pas )?(?:not )?(?:be |etre )?(?:considered|"
    r"removed|rejected|read|opened|accepted|"
    r"disregarded|ecartee?s?|rejetee?s?|ouverte?s?|lue?s?|prise?s? en compte|examinee?s?)"
)
"""What becomes of a bid that does not keep to what stands before: no rule beside it."""
_FAIRE = re.compile(r"(?:(?<![a-z])[a-z]{3,}(?:er|ir|re)|(?<=d')[a-z]{3,}(?:er|ir|re)) (?:[a-z']+ ?){1,3}")
_CODE = re.compile(r"(?:nf|en|iso|iec|astm|bs|din|nist|rfc)[\w /:.-]*\d[\w:.-]*$")
_CUTS = re.compile(
    "|".join((
        r"(?P<semicolon>;\s+(?:and |et |or(?= )|ou(?= ))?)",
        r"(?P<modal>,?\s+(?:and|et)\s+(?=(?:must|shall|is to|are to|doit|doivent|devra|devront)\b))",
        r"(?P<splice>,\s+(?=(?:chaque|tout|toute|each|every)\s\w+\s(?:peut|doit|shall|must|may)))",
        rf"(?P<with>,\s+(?:with|avec)\s+|\s+(?:with|avec)\s+(?={_LIMIT}\b|{PERIOD}\b|"
        rf"(?:[\w()-]+\s){{1,8}}?(?:that (?:is|are)|which (?:is|are)|configured|located)\b))",
        r"(?P<case>,\s+(?=in which case\s|auquel cas\s))",
        rf"(?P<verb>,?\s+and\s+(?=(?:[a-z]+ly )?(?:{VERBS})\s))",
        rf"(?P<verbs>,\s+(?=(?:{VERBS})\s(?:the|a|an|its|their|all|any|each|them|his)\s))",
        r"(?P<acts>,?\s+and\s+(?=(?:also |then )?(?!is |has |was )[a-z]{3,}s\s(?:an?|the|its|their|all|any|each|every|no|[a-z]+ly)\s))",
        r"(?P<agit>,?\s+et\s+(?=[a-z]{3,}(?:e|ent|it|et|nd)\s(?:les?|la|l'|un|une|celles?|ceux|son|sa|ses|leurs?|chaque|tout)\b))",
        rf"(?P<clause>,?\s+(?:and|et)\s+(?={_OWN_CLAUSE}))",
        r"(?P<code>,?\s+(?:and|et|as well as|ainsi que)\s+(?:(?:by|to|with|par|avec|a)\s+)?"
        r"(?=(?:nf|en|iso|iec|astm|bs|din|nist|rfc)[ /-][\w /:.-]*\d))",
        r"(?P<often>,?\s+(?:and|et)\s+(?=(?:at least|au moins) (?:once|twice|every|une fois|deux fois)\b))",
        rf"(?P<to>,?\s+and\s+(?=to (?:{VERBS}|substantiate)\s))",
        r"(?P<infinitif>,?\s+et\s+(?=(?!etre\b)[a-z]{3,}(?:er|ir)\s(?:de|d'|en|a|au|aux|la|le|les|l'|un|une|sa|son|ses)))",
        r"(?P<present>,?\s+et\s+(?=(?:sont|est|[a-z]{4,}(?<!m)ent)\s(?:de|d'|en|a|au|aux|la|le|les|l'|un|une|sa|son|leurs?|affilie)))",
        r"(?P<faire>,\s+(?:et\s+)?(?=(?:(?:de |d'|d'en |d'y )[a-z]{3,}re|(?:de |d'|d'en |d'y )?[a-z]{3,}(?:er|ir))\s(?:les?|la|l'|un|une|"
        r"toute?s?|chaque|aux?|leurs?|"
        r"son|sa|ses)\b))",
        r"(?P<refaire>\s+et\s+(?=(?:de |d')(?:les? |la |l'|en |y )?[a-z]{3,}(?:er|ir|re)\b))",
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
_MEASURED = re.compile(rf"\d|{PERIOD}|located")
BARE_VERB = re.compile(rf"(?:{VERBS}|[a-z]+(?:er|ir))\s")
_VERB_NAME = re.compile(rf"(?:{VERBS}|{_NOUNS_TOO}|[a-z]+(?:er|ir))$")
IMPERATIVE = re.compile(rf"(?:{VERBS}|submit|do not \w+)(?= )")
_DOING = re.compile(
    r"^(?:(?:the|le|la|les|l'|each|every|chaque|il|it)\s?)?(?:[\w'-]+ ){0,6}?(?:(?:is|are) responsible for|(?!(?:is|has|was|its|this)\b)[a-z]{3,}s|"
    r"[a-z]{3,}(?:e|ent|it|et|nd))(?= )"
)
"""A clause in the present tense up to its verb."""


def _obliging(plain: str) -> re.Match[str] | None:
    return MODAL.search(plain) or WILL.search(plain) or SHOULD.search(plain) or IMPERATIVE.match(plain)


def sliced(text: str, plain: str) -> list[str]:
    """Slices of a sentence at its cuts; `plain` is the sentence levelled."""
    cuts: list[tuple[int, int]] = []
    start, modal = 0, _obliging(plain)
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
    if kind is None or inside_brackets(plain, match.start()):
        return False
    if kind in ("case", "often", "splice"):
        return len(left.split()) >= {"case": 4, "often": 5, "splice": 3}[kind]
    if kind == "clause":
        return _clause_of_its_own(left, right, match)
    if kind in ("acts", "agit"):
        return _acts_too(left, modal)
    if kind in ("faire", "refaire"):
        return modal is not None and modal.end() < match.start() and bool(_FAIRE.search(left))
    if kind == "code":
        return bool(_CODE.search(left))
    if kind == "semicolon":
        alone = right.strip(" .;") in ("", "and", "or", "et", "ou")
        return bool(left.split()) and not alone and not _CONSEQUENCE.match(right)
    if kind == "modal":
        return modal is not None and len(plain[modal.end() : match.start()].split()) >= 2
    if kind == "with":
        return _with_limit(left, right, match, modal)
    if kind in ("verb", "verbs", "to", "infinitif", "portant", "participle"):
        return _second_verb(kind, left, plain, match, modal)
    if kind == "present":
        return len(left.split()) >= 3 and bool(_PRESENT_BEFORE.match(left))
    if kind == "tail":
        return len(left.split()) >= 5 and _limits(left, right)
    if kind == "period":
        return bool(re.search(PERIOD, left))
    return _limit_too(left, right)


_PRESENT_BEFORE = re.compile(r"(?:[\w'-]+\s){0,6}?(?:sont|est|[a-z]{4,}(?<!m)ent)\b|.*\bqui\b.*,")
"""A subject of few words and its verb."""
_SAME_STEP = re.compile(
    r"(?:compl(?:y|ies|iance|iant)|accordance|conform\w*|together|along|familiar|deal|conjunction)$"
)
_EXPERIENCE = re.compile(
    r"(?:at least |a minimum of )?\w+ (?:years?|ans)'? (?:of |d')?(?:[a-z]+ )?experience"
)


_NONE_MORE = re.compile(rf"(?:no|not|aucune?|{_LIMIT})\s[^,;]{{0,60}}(?:than|\d|de plus de)")
"""A limit behind "with" that is missed by itself."""
_SEVERAL = re.compile(
    rf"(?:all |the |these )?(?:[a-z-]+ ){{0,3}}?[a-z]{{3,}}(?<!s)s (?:are |have |(?={VERBS} )[a-z]+ )"
)
"""Several are or do something, without an ending that tells: "Diluents are supplied in boxes and bear a name"."""


def _clause_of_its_own(left: str, right: str, match: re.Match[str]) -> bool:
    own = _STATED.search(left) or PRESENT.search(left)
    if own is None or _RELATIVE.search(left[: own.start()]) or len(left[own.end() :].split()) < 2:
        return False
    if MODAL.search(right) and not (MODAL.search(left) or WILL.search(left)):
        return False
    return match.group().startswith(",") or not _RELATIVE.search(left[own.end() :])


def _acts_too(left: str, modal: re.Match[str] | None) -> bool:
    if re.search(r"(?<![a-z])(?:avoir|ayant|ont|having)(?![a-z])", left):
        return False
    done = _DOING.search(left)
    return modal is None and done is not None and len(left[done.end() :].split()) >= 2


def _with_limit(left: str, right: str, match: re.Match[str], modal: re.Match[str] | None) -> bool:
    if _SAME_STEP.search(left.rstrip()) or _EXPERIENCE.match(right) or len(right.strip(" .;").split()) < 2:
        return False
    if match.group().startswith(","):
        return len(left.split()) >= 5 and (modal is not None or bool(_NONE_MORE.match(right)))
    return len(left.split()) >= 5 and (modal is not None or bool(re.search(r"\d", left)))


def _second_verb(kind: str, left: str, plain: str, match: re.Match[str], modal: re.Match[str] | None) -> bool:
    if modal is None and kind in ("verb", "verbs"):
        modal = _SEVERAL.match(plain)
    if modal is None or modal.end() > match.start() or plain[modal.end() : modal.end() + 1] == ",":
        return False
    tail = plain[modal.end() : match.start()].split()
    need = 3 if kind == "participle" else 2
    if kind in ("verb", "verbs") and _VERB_NAME.match(left.split()[-1]):
        return False
    need -= kind in ("infinitif", "portant") and tail[:1] == ["etre"]
    return len(tail) > need and not (kind == "verb" and re.search(r"\bto (?:\w+ )?\w+$", left))


def _limit_too(left: str, right: str) -> bool:
    if re.match(r"\d", right):
        return bool(
            re.search(r"\b(?:at least|au moins|minimum|au minimum)\s(?:d')?(?:\w+\s){1,5}$", f"{left} ")
        )
    return bool(re.search(r"\d", left)) and bool(re.search(r"\d", right))


def _limits(left: str, right: str) -> bool:
    """A participle clause with a limit or a place of its own."""
    clause = re.split(r"[,;]", right, maxsplit=1)[0]
    if re.match(r"located", right) and not MODAL.search(left):
        return False
    return bool(_MEASURED.search(clause) or re.match(r"located|co-located", right))


def inside_brackets(plain: str, at: int) -> bool:
    """A bracket or a quotation is open at `at`."""
    return plain.count("(", 0, at) > plain.count(")", 0, at) or plain.count("«", 0, at) > plain.count(
        "»", 0, at
    )
