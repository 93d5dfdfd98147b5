"""Duties that no word tells, but the section in which they stand.

Tenders of trades that no word list knows oblige by where a sentence stands: among duties, in the plain present or without a
verb. Looks at whole sections, after each statement was judged by itself in `subjects`; what describes, narrates, allows or
binds others is left as it was found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from bidproof.catalog.mining.clause_parties import BARE, Context, Verdict, first_party
from bidproof.catalog.mining.duty_words import CONTACT, DESCRIBES, LEGAL, MEANS, NEUTRAL_HEADINGS, SELF
from bidproof.catalog.mining.obligations import MAY
from bidproof.catalog.mining.parties import PARTY
from bidproof.catalog.mining.sentences import is_lead, level
from bidproof.catalog.mining.service_clauses import FUTURE, by_others, hanging, in_service
from bidproof.catalog.mining.statements import Statement

PRESUMED = "stands among duties"
"""Reason of a statement that only its place tells."""

_LEAST_WORDS = 4
_MOST_WORDS = 60
_NEAR_START = 45
_MOST_OTHERS = 0.5
"""Other parties' statements to one of the bidder's in the section around, above which nothing is presumed of a mixed one."""

_TOLD = re.compile(
    r"(?<![a-z'])(?:was|were|has been|have been|had|(?:has|have) (?:fallen|risen|grown|declined|increased|doubled)|attention is drawn|made good with|"
    r"currently|at present|presently|existing|at the time of writing|actuellement|a ce jour|"
    r"etai(?:t|ent)|(?:a|ont) (?:deja |toujours )?ete|roughly|approximately|around \d|about \d|some \d|nearly|environ|pres de \d|"
    r"often|usually|generally|typically|sometimes|tend to|souvent|generalement|habituellement|parfois|en moyenne|on average|"
    r"^\W*(?:that |que )?(?:i|we|je|j'|nous)(?= )|there (?:is|are)|il (?:y a (?!moins|plus)|existe)|il sera possible|"
    r"n'entre(?:nt)? pas dans|for information|(?:a titre|pour) (?:d')?(?:indicatif|information)|expected to be|estimated?|"
    r"estimee?s?|prevision\w*|previously|historiquement|last year|l'an dernier|in (?:19|20)\d\d|en (?:19|20)\d\d|since|depuis|"
    r"fait (?:partie|l'objet d'une? (?:consultation|marche))|font partie|hors (?:marche|perimetre)|outside (?:the scope|this))(?![a-z])"
)
"""What is, was or is reckoned with."""
_STATIC = re.compile(
    r"(?<![a-z'])(?:represente(?:nt)?|(?:re)?compte(?:nt)?(?! rendu)|totalise(?:nt)?|dessert|desservent|accueille(?:nt)? (?!que|au plus)|"
    r"occupe(?:nt)?|"
    r"emploie(?:nt)?|gere(?:nt)?|se (?:situe|trouve|compose|repartit|divise)(?:nt)?|regroupe(?:nt)?|ser(?:t|vent) (?:de|a)|s'etend(?:ent)?|"
    r"appartien(?:t|nent)|"
    r"consists? of|serves?|employs?|owns|operates|houses|amounts? to|totals|occup(?:y|ies)|belongs? to|varies|vary|depends?|depend(?:ent)?|"
    r"(?:is|are|est|sont|n'est|ne sont) (?:an?|une?|des|the|le|la|les|located|situated|based|situee?s?|implantee?s?|composee?s?|"
    r"constituee?s?|divise\w*|"
    r"known|called|owned|occupied|used (?:by|for)|due to|likely|available (?:from|at|on)|attached|annexee?s?|"
    r"set out|described|decrite?s?|defini\w*|enumer\w*|possible|liste\w*|listed|shown|given|detailed|split|grouped|reparti\w*|estime\w*|jointe?s?)|"
    r"starts? from|is one (?:of|where)|(?:is|are|remains?) bound by|(?:has|have) (?:an? |the )?(?:[a-z]+ )?(?:\d|two|three|four|five|six|"
    r"seven|eight|nine|ten|several|many|no))(?![a-z])"
)
"""Verbs that say what something is like, how large it is and where."""
_RIGHT = re.compile(
    r"(?<![a-z])(?:reserves? the right|se reserve|entitled|is free to|either party|l'une (?:ou l'autre )?des parties|chacune des parties|"
    r"the parties|les parties|shall not be liable|deduct\w*|taken off|withheld|deduite?s?|retenue?s? sur|remuner\w*|fait application|"
    r"supplier in default|defaillante?|ajuste\w* selon|facture\w*|invoic\w*|"
    r"regle\w* dans)"
    r"(?![a-z])"
)
_HANGING = re.compile(
    r"(?:[\w'-]+ ){3,}(?:of|for|from|with|to|at|in|by|on|within|than|de|du|des|au|aux|avec|pour|dans|sous) ?(?:the |an? |la |le |les )?$"
)
"""A party that is named behind a preposition, well after the subject."""
_TO_FILL_IN = re.compile(
    r"(?i:siret|cedex|(?<!\w)t[eé]l(?!\w)|(?<!\w)fax(?!\w)|(?:document )?version ?:)| \| |\.{4,}|_{3,}|…{2,}|\[[^\]]{3,}\]|n° ?\d|"
    r"^\W*(?:\w+ )?(?:No|N°)\b"
)
_ON_WHAT_WAS_SAID = re.compile(
    r"\W*(?:this|these|those|such|the above|thus|therefore|ces?|dans ce cas|cet|cette|ceux-ci|celles-ci|celle-ci|celui-ci)(?![a-z])"
)
"""A remark on the statement before it."""
_FINITE = re.compile(
    r"(?<![a-z'])(?:(?:is|are|est|sont|ser(?:a|ont)|n'est|n'a|remains?|has|have)(?![a-z])|"
    r"(?!ses|les|des|ces|mes|nos|vos|leurs|trois|sans|dans|sous|vers|hors|plus|moins|jours|mois|temps|fois|"
    r"this|its|his|was|across|process|access|less|unless|address|always|besides)[a-z]{3,}(?:s|es|e|ent|it|et|nd|rt|ut|ct)(?= ))"
)


_TELLING = re.compile(
    r"(?<![a-z])(?:specifications?|requirements?|statement of work|scope of (?:work|services?|supply)|exigences|prescriptions|"
    r"caracteristiques|obligations|description des prestations|execution des prestations)(?![a-z])"
)
"""Headings, below the title, that say that duties follow."""


def presumed(statements: Sequence[Statement], verdicts: Sequence[Verdict], around: Context) -> list[Verdict]:
    """The verdicts, with what stands among duties and asks by its place as the bidder's.

    A section is asked about where most of what was told in it is the bidder's; one under the same heading that tells nothing
    goes by the section around it.
    """
    own: dict[str, Counter[str]] = {}
    for statement, verdict in zip(statements, verdicts, strict=True):
        parts = statement.heading_path.split(" > ")
        for depth in (len(parts), len(parts) - 1):
            if depth > 0:
                own.setdefault(" > ".join(parts[:depth]), Counter())[verdict.subject] += 1
    found = []
    for statement, verdict in zip(statements, verdicts, strict=True):
        place = statement.heading_path
        counts = own[place]
        wider = own.get(place.rpartition(" > ")[0], counts)
        if not counts["bidder"] and not _others(counts):
            counts = wider
        told = (
            _TELLING.search(level(place.partition(" > ")[2]))
            and _others(counts) <= counts["none"] + counts["bidder"]
        )
        asks = (
            told
            or 0 < counts["bidder"] >= _others(counts)
            or (counts["bidder"] > 0 and _others(wider) <= _MOST_OTHERS * wider["bidder"])
        )
        if (
            verdict.subject == "none"
            and verdict.reason == "nothing is asked"
            and asks
            and _asks(statement, around)
        ):
            verb = _FINITE.search(level(statement.text))
            verdict = Verdict("bidder", PRESUMED if verb else BARE)
        found.append(verdict)
    return found


def _others(counts: Counter[str]) -> int:
    return counts["buyer"] + counts["contract"] + counts["third_party"]


def _asks(statement: Statement, around: Context) -> bool:
    """The words of a statement among duties, which by themselves told nothing, can be read as a duty."""
    if statement.row is not None or statement.announces or is_lead(statement.text):
        return False
    plain, headings = level(around.defined.spoken(statement.text)), level(statement.heading_path)
    innermost, below = headings.rsplit(" > ", 1)[-1], headings.partition(" > ")[2] or headings
    words = len(plain.split())
    if not _LEAST_WORDS <= words <= _MOST_WORDS or statement.text.isupper() or plain.endswith(":"):
        return False
    if not in_service(Context(statement.heading_path), headings, innermost) or NEUTRAL_HEADINGS.search(below):
        return False
    if _TO_FILL_IN.search(statement.text):
        return False
    if not statement.text[:1].isupper() and statement.kind == "sentence":
        return False
    if any(p.search(plain) for p in (_TOLD, _STATIC, _RIGHT, MEANS, SELF, LEGAL, MAY)):
        return False
    party = PARTY.search(plain[:90])
    named = first_party(plain[:90], around)
    if named in ("buyer", "contract", "third_party") and not (
        party and (_HANGING.search(plain[: party.start()]) or hanging(plain))
    ):
        return False
    if by_others(plain, None) or _ON_WHAT_WAS_SAID.match(plain):
        return False
    if DESCRIBES.search(plain[:_NEAR_START]):
        return False
    if _FINITE.search(plain) or FUTURE.search(plain):
        return True
    if CONTACT.search(plain):
        return False
    return statement.text.rstrip().endswith((".", ";")) or bool(re.search(r"\d", plain))
