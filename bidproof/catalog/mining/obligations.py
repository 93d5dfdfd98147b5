"""Words that oblige: what makes a sentence or a row mandatory, scored or optional, in English and French.

Says how strongly; whose duty it is stands in `subjects`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidproof.catalog.mining.duty_words import WANTS
from bidproof.catalog.mining.sentences import level, one_line

MODAL = re.compile(
    r"(?<![a-z])(?:shall|must|(?:is|are|be) (?:required|obliged|obligated|expected|requested|bound)(?:, [^,;.]{2,60},)? to|"
    r"(?:has|have|had) to|needs? to(?= be)|(?:bidders|tenderers|offerors|vendors|suppliers|contractors|proposers|respondents|"
    r"proponents) are (?:not )?to [a-z]+|(?:is|are) (?:not )?to (?:be|contain|include|comprise|state|show|carry|"
    r"remain|provide|submit|have|bear|follow|cover|indicate|reach|produce|furnish|supply|deliver|attach|enclose|quote|complete|sign|"
    r"keep|maintain|ensure|meet|comply|conform|hold|use|carry|return|make|take|give|attend|report|notify|describe|demonstrate|propose|offer)|"
    r"to be(?= (?:\w+ly )?\w+ed\b)|(?:is|are|being) (?:mandatory|compulsory|required)|"
    r"doi(?:t|vent)|devr(?:a|ont)|(?:est|sont|sera|seront) (?:strictement )?(?:tenue?s?|obligee?s?) (?:de|d'|a(?! jour))|"
    r"s'engage(?:nt|ra|ront)? a|s'oblige(?:nt)? a|il (?:lui |leur )?(?:appartien(?:t|dra)|incombe(?:ra)?|convien(?:t|dra)|revien(?:t|dra))|"
    r"ont l'obligation|it is (?:the |each )(?:bidder|tenderer|seller|supplier|contractor|vendor|provider|lessor|carrier)s? (?:that|who)|"
    r"(?:est|sont|sera|seront) (?:[a-z]+ment |par ailleurs |egalement |aussi )?"
    r"(?:obligatoires?|exigee?s?|requise?s?|demandee?s?|imposee?s?|interdite?s?|prohibee?s?|proscrite?s?|bannie?s?)|"
    r"il importe|(?:est|sont|ser(?:a|ont)) a (?!titre|caractere|votre|notre|leur|cadre|terre|autre|entre)[a-z]{3,}(?:er|ir|re)|"
    r"it is [a-z' ]{2,40}'s? (?:sole |own |full )?(?:responsibility|duty|obligation) to|s'interdi(?:t|sent|ra|ront)|"
    r"a la charge (?:du|de l')|(?:a|ont) pour (?:obligation|mission)|"
    r"(?:is|are|remains?|shall be|will be) the (?:sole |full |entire )?(?:responsibility|duty|obligation) of|"
    r"(?:is|are|remains?) (?:incumbent (?:up)?on|up to)(?= (?:the |each |every )?[a-z]+ to)|(?:onus|burden) (?:is|lies|rests) (?:up)?on|"
    r"(?:est|sont|releve(?:nt)?|rest(?:e|ent)|ser(?:a|ont)) (?:de|sous) la (?:seule )?responsabilite (?:du|des|de))(?:(?<=')|(?![a-z]))"
)
"""Verbs that oblige."""
BORNE = re.compile(
    r"il (?:appartien(?:t|dra)|incombe(?:ra)?|revien(?:t|dra)) (?=au?x? |a l)|(?:responsibility|duty|obligation) of|incumbent (?:up)?on|is up to|"
    r"(?:lies|rests|is) (?:up)?on|la (?:seule )?responsabilite (?:du|des|de)|a la charge (?:du|de l')"
)
"""Those among them behind which the party stands that bears the duty."""
FORBID = re.compile(
    r"(?<![a-z])(?:may not|no (?:\w+ ){1,3}(?:may|can)|"
    r"(?:is|are|be|remains?) (?:strictly |expressly |absolutely |hereby |also )?(?:forbidden|prohibited|banned|disallowed|unacceptable|"
    r"inadmissible|ruled out)|"
    r"no (?:[\w-]+ ){1,4}(?:is|are|(?:will|shall) be) (?:accepted|acceptable|allowed|permitted|admissible|admitted|tolerated|"
    r"entertained)|"
    r"aucune? (?:[\w'-]+ ){1,4}(?:n'est|ne sera) (?:acceptee?|acceptable|admise?|admissible|autorisee?|permise?|toleree?|recevable)|"
    r"(?:is|are) (?:not |only )*eligible|shall be eligible|"
    r"il est (?:[a-z]+ment |par ailleurs |egalement )?(?:interdit|defendu)|interdiction|aucune? (?:\w+ ){1,4}n(?:e |"
    r"')(?:ser(?:a|ont)|peut|pourra|doit|devra)|cannot|can not|(?:is|"
    r"are) not (?:accepted|allowed|permitted|admissible|acceptable)|"
    r"not (?:accepted|allowed|permitted)|will not be (?:accepted|considered|allowed|permitted|entertained|opened)|"
    r"ne (?:peu(?:t|vent)|pourr(?:a|ont)|saurai(?:t|ent))|n'(?:est|sont) pas (?:autorisee?s?|admise?s?|acceptee?s?|recevables?)|"
    r"ne (?:sont|seront|sera|est) pas (?:admise?s?|acceptee?s?|recevables?|autorisee?s?|prise?s? en compte|retenue?s?|"
    r"examinee?s?|ouverte?s?|traitee?s?))(?![a-z])"
)
"""Words that forbid or refuse."""
WEIGHTY = re.compile(
    r"(?<![a-z])(?:responsib\w+|forbid\w*|prohibit\w*|banned|invalid\w*|null|void|unaccept\w+|inadmiss\w+|ineligible|reject\w*|"
    r"disqualif\w+|obligat\w+|mandat(?:ory|ed)|compulsory|penali[sz]\w+|responsabilites?|interdi\w+|nulle?s?|irrecevab\w+|rejets?|rejetee?s?|"
    r"inaccept\w+|elimin\w+|oblig\w+)(?![a-z])"
)
"""Words that no statement holds idly: what becomes no rule is listed for a person."""
SHOULD = re.compile(
    r"(?<![a-z])(?:should|ought to|devrai(?:t|ent)|(?:is|are) (?:encouraged|advised|recommended|invited|urged)(?:, [^,;.]{2,60},)? to|"
    r"(?:is|are) (?:encouraged|advised|recommended|invited|welcome)(?=\W*$)|(?:looked (?:up)?on|viewed|considered) favourabl[ey]|"
    r"be given preference|(?:prise?s?|appreciee?s?) (?:en compte )?favorablement|on (?:appreciera|souhaite)|preferabl[ey]|preferred|"
    r"desirable|nice to have|preference (?:is|will be) given|would (?:welcome|be (?:welcome|"
    r"appreciated|an advantage|an asset|a plus|desirable|valued))|(?:is|are) (?:an asset|a plus|welcomed?)|"
    r"serai(?:t|ent) (?:[a-z]+ment )?(?:appreciee?s?|valorisee?s?|bienvenue?s?|un plus|un atout|un avantage)|(?:est|constitue(?:ra)?|"
    r"sera) un (?:plus|atout)|"
    r"souhaitables?|souhaite(?:e|es|s)?|de preference|(?:est|sont) (?:invitee?s? a|conseillee?s?|recommandee?s?))(?![a-z])"
)
"""Words that wish."""
MAY = re.compile(
    r"(?<![a-z])(?:(?<!\d )(?<!\dth )(?<!\dst )(?<!\dnd )(?<!in )may(?! \d)|can|could|optional(?:ly)?|peu(?:t|vent)|"
    r"pourr(?:a|ont)|aur(?:a|ont) la possibilite|"
    r"a la (?:possibilite|faculte)|facultati\w+|est libre de)(?![a-z])"
)
"""Words that allow."""
REJECTION = re.compile(
    r"(?<![a-z])(?:grounds? for (?:rejection|disqualification|exclusion)|"
    r"(?:is|are) (?:therefore |thus |hereby |automatically |considered |deemed |treated as )?(?:invalid|null|void|ineligible|non-?responsive|"
    r"rejected|disqualified|excluded|barred|debarred)|(?:makes?|renders?) (?:the|a|any|its|his|their) (?:[a-z]+ )?(?:bid|tender|offer|proposal|"
    r"submission)s? "
    r"(?:invalid|null|void|ineligible|non-?responsive|inadmissible)|"
    r"(?:(?:shall|will|may|to) )?(?:be|being|results? in|leads? to|entails?|causes?|means)(?: (?:its|the|their|his|immediate|automatic|summary|"
    r"automatically|summarily|immediately|deemed|considered|treated as))* (?:(?:liable to )?reject(?:ed|ion)|disqualif\w+|"
    r"exclu(?:ded|sion)|eliminat\w+|ineligible|non-?responsive|invalid|not (?:be )?(?:accepted|considered|eligible))|"
    r"(?:pass ?/ ?fail|mandatory pass|knock-?out)|"
    r"(?:sous|a) peine (?:de |d')\w+(?: \w+){0,2}|motifs? (?:de rejet|d'exclusion|d'elimination)|"
    r"(?:entrain(?:e|ent|era|eront)|vaut|vaudra|vaudront|emport(?:e|ent|era|eront)) (?:le |la |l'|son |leur )?(?:rejet|exclusion|elimination|"
    r"nullite|"
    r"irrecevabilite|disqualification)|(?:est|sont|sera|seront) (?:reputee?s? |consideree?s? comme )?(?:nulle?s?|inacceptables?|inadmissibles?)|"
    r"(?:sera|seront|est|sont|etre)(?: (?:automatiquement|systematiquement|immediatement|declaree?s?|considere[es]*|comme))* "
    r"(?:ecartee?s?|rejetee?s?|eliminee?s?|exclue?s?|irrecevables?|irregulieres?|elimine)|eliminatoires?|irrecevabilite|"
    r"ne (?:seront|sera|sont|est) pas (?:admise?s?|recevables?|acceptee?s?|examinee?s?|prise?s? en compte)|"
    r"n(?:e sont|'est|e seront) pas admise?s?|(?:will|shall|to) (?:be )?(?:disregarded|ignored|returned unopened|not be (?:read|evaluated|scored|"
    r"assessed)(?! out))|"
    r"ne (?:seront|sera|sont) pas (?:lue?s?|notee?s?|evaluee?s?)|(?:seront|sera) (?:ignoree?s?|renvoyee?s?|retournee?s?|ecartee?s?)|"
    r"not (?:be )?(?:accepted|considered|entertained|eligible))(?![a-z])"
)
"""Words of rejection or elimination."""
POINTS = re.compile(
    r"(?<![a-z])(?:[0-9]+(?:[.,][0-9]+)? ?(?:points|(?<=(?<!\d)1 )point|pts|marks?)(?![a-z])|scored? (?:out of|on)|notee? sur|bareme)"
)
"""Points given for something."""
_CALLED = re.compile(
    r"(?<![a-z])(?:mandatory|compulsory|obligatoires?|essential|eliminatoires?|pass ?/ ?fail|minimum(?: standards?| requirements?)?|"
    r"required|exigee?s?|requise?s?)(?![a-z])"
)
_CALLED_SOFT = re.compile(
    r"(?<![a-z])(?:optional|desirable|nice[- ]to[- ]have|preferred|facultati\w+|souhait\w+)(?![a-z])"
)


_INVERTED = re.compile(r"^\W*should(?= (?:the|an?|any|it|this|there|[a-z]+s) [^,;.]{2,120}, )")
_AS_LONG = "where "
"""A condition ("Should a guard fall ill, ...") wishes nothing; another word, so long that places stay."""


@dataclass(frozen=True)
class Strength:
    """How strongly a rule is asked, and the RFP's words that say so."""

    mandatory: bool
    scored: bool
    words: str


def strength_of(
    text: str, lead: str = "", around: str = "", stated: bool | None = None, scored: bool = False
) -> Strength:
    """Strength of a rule.

    Args:
        text: the sentence, item or row itself.
        lead: the lead-in of a list, whose verb counts where the item has none.
        around: headings and header cells above.
        stated: what the row's own cell says of it (`M`, `Optional`).
        scored: the row stands in a table that gives points.

    A rule without any such word, a bare specification in a table or the present tense of regulations, is mandatory.
    """
    own, before, above = _INVERTED.sub(_AS_LONG, level(text)), level(lead), level(around)
    if not scored:
        for plain, source in ((own, text), (before, lead)):
            if match := REJECTION.search(plain):
                return Strength(True, False, _cut(source, match))
    points = POINTS.search(own)
    if scored or points:
        above_points = POINTS.search(above)
        words = _cut(text, points) if points else above_points.group() if above_points else "points"
        return Strength(False, True, words)
    if stated is not None:
        return Strength(stated, False, "mandatory" if stated else "optional")
    hard = WANTS.search(own) or MODAL.search(own) or FORBID.search(own)
    soft = SHOULD.search(own)
    if hard and not (soft and soft.start() < hard.start()):
        called = _CALLED.search(own)
        return Strength(
            True,
            False,
            _cut(text, called if called and not re.match(r"minimum|requ|exig", called.group()) else hard),
        )
    if soft:
        return Strength(False, False, _cut(text, soft))
    if points := POINTS.search(above):
        return Strength(False, True, points.group())
    if (may := MAY.search(own)) and not _only_inside(own, may):
        return Strength(False, False, _cut(text, may))
    if said := _of_lead(before, lead):
        return said
    if soft := _CALLED_SOFT.search(above):
        return Strength(False, False, soft.group())
    called = _CALLED.search(own) or _CALLED.search(above)
    return Strength(True, False, called.group() if called else "")


def _of_lead(plain: str, lead: str) -> Strength | None:
    hard = MODAL.search(plain) or FORBID.search(plain)
    soft = SHOULD.search(plain) or MAY.search(plain)
    if (
        soft
        and not hard
        and not re.search(r"participer|participate|(?:pourr(?:a|ont)|may) (?:etre|be)\W*$", plain)
    ):
        return Strength(False, False, _cut(lead, soft))
    return Strength(True, False, _cut(lead, hard)) if hard else None


def _only_inside(own: str, may: re.Match[str]) -> bool:
    """The word that allows stands in a relative clause or a condition, not in the main clause."""
    return bool(
        re.search(
            r"(?:\bwhich|\bthat|\bqui|\bas|\bif|\bwhere|\bsi|\bpouvant|\bdont)\s+(?:\w+\s+){0,3}$",
            own[: may.start()],
        )
    )


def _cut(text: str, match: re.Match[str]) -> str:
    return one_line(text[match.start() : match.end()])
