"""How rules are worded: what a number measures, which way it bounds, what is mere phrasing.

Small word lists with their reasons. The assembly of predicates from them stands in `derivation`.
"""

from __future__ import annotations

import re

from bidproof.catalog.predicates.bounds import ASIDE
from bidproof.facts import fold, same_measure, words_of
from bidproof.facts.terms import ROUND_THE_CLOCK, word_set
from bidproof.records import Comparator, Fact

# Words that say that something is to be shown, not what. Evidence need not repeat them.
BOILERPLATE = word_set(
    "provide provided provides include included includes including enclose enclosed submit submitted give "
    "given show shown shows state "
    "stated states describe described describes document documented present list listed accept accepted "
    "comply complies compliance "
    "compliant conform conforms conformity meet meets met fulfil fulfilled require required requires "
    "requirement requirements mandatory "
    "clearly fully complete completed fill filled available evidence evidenced prove proves proof "
    "demonstrate demonstrated demonstrates "
    "verify verified specify specified specifies detail detailing detailed bidder bidders tenderer "
    "tenderers supplier vendor contractor "
    "proponent offeror its following least minimum maximum within capped cap amount amounts remain remains "
    "stay stays valid current "
    "force date submission necessary applicable relevant according accordance aligned align set sets out "
    "equal equivalent form forms "
    "cover covers covering use used using period series whatever soumissionnaire candidat fournir fourni "
    "fournie fournis joint jointe "
    "less than later exceed exceeds exceeding exceeded over last past previous between min max tard depasser depasse "
    "depassant exceder excede excedant sous avant cours derniere dernieres derniers dernier jusqu ans annees equivalente "
    "equivalents equivalentes pouvant "
    "rempli remplie remplis remplies complete completee renseigne renseignee "
    "moins plus plafonne plafonnee plafonnees maximum maximal maximale reste restent presenter presente "
    "presentee conforme conformes obligatoire devra offre minimal minimale minimum joindre remettre remis "
    # duty and comparison: they say whether and how much, not what
    "fewer longer shorter submits encloses attach attached attaches furnish furnished furnishes desirable desired preferable "
    "preferably permitted allowed forbidden prohibited devront devrait peut peuvent pourra pourront saurait sauraient souhaite "
    "souhaitee souhaitable autorise autorisee autorises autorisees interdit interdite interdits interdites fournira fourniront "
    "presentera presenteront remettra remettront joindra joindront produira produiront indiquera indiqueront precisera "
    "preciseront decrira decriront soumettra soumettront transmettra transmettront proposera proposeront"
)

# Beside a number of so many of these, exactly so many are asked for: "in two copies", "trois enveloppes".
_EXACT_COUNTS = word_set("copy copie exemplaire original envelope enveloppe pli lot")
# Measures that are promised for at least so long, so much or so many; the reverse list bounds from above.
_AT_LEAST = re.compile(
    r"\b(?:valid\w*|valab\w*|warrant\w*|garanti\w*|guarantee period|experience|in business|retention|"
    r"retain\w*|kept|"
    r"keep\w*|conserv\w*|archiv\w*|history|service life|lifetime|remain\w*|stays?|in force|insurance|"
    r"assurance|firm\w*|fermes?|engages?|engagees?|bound|maintain\w*|mainten\w*|hypercare|"
    r"liability|indemnity|coverage|turnover|revenue|chiffres? (?:d')?affaires|capital|net worth|liquid|liquidity|assets|"
    r"line of credit|fonds propres|tresorerie|mtbf|availab\w*|uptime|"
    r"disponib\w*|accuracy|throughput|capacity|success|profile|autonomy|support period|active|founded|"
    r"years in|"
    r"parallel run|hypercare|staff\w*|fte)\b"
)
_AT_MOST = re.compile(
    r"\b(?:within|deliver\w*|livraison|replac\w*|remplac\w*|respon[sd]\w*|repair\w*|resol\w*|restor\w*|"
    r"notif\w*|"
    r"lead time|rto|rpo|latency|recover\w*|escalation|downtime|budget|ceiling|error rate|loss|losses|maximum|"
    r"turnaround|gti|gtr|mttr|mtta|remed\w*|mitigat\w*|outage|interruption|indisponib\w*|fulfil\w*|provision\w*|completed in|screen load|delai)\b"
)
# Weaker words: what a contract or a service lasts, where nothing else tells.
_LASTS = re.compile(r"\b(?:contracts?|contrats?|marche|term|duration|duree|period|periode|engagement)\b")
# Weak as well: a class of incident is followed by the time of its answer, an interval by its length.
_ANSWERED = re.compile(
    r"\b(?:p[0-5]|s[1-5]|sev(?:erity)?|severite|priorit\w*|gravite|critical|critique|urgent\w*|urgence|intervals?|intervalles?|updates?|"
    r"cadence|exceeding)\b"
)
_LASTING = re.compile(
    r"(?:\bfor|\bduring|\bthroughout|\bpendant|\bdurant|\bsur)\s+(?:(?:a|an|the|une?|la|le|at least|further|additional|another)\s+)*"
    r"(?:(?:minimum|total|period|term|duration|further|delai|duree|periode)\s+)*(?:(?:of|de|d')\s*)?$"
)
_SHARE_REACHED = re.compile(
    r"\b(?:availab\w*|uptime|disponib\w*|accuracy|success|scal\w*|capable|efficien\w*|rendement|taux de (?:disponibilite|reussite|service)|"
    r"conformity rate|coverage|couverture)\b"
)
_THROUGHPUT = frozenset({"tps", "rps", "qps", "eps", "iops", "tpd"})
_WINDOW_WORD = re.compile(
    r"(?:last|past|previous|preceding|each of the|(?:au )?cours des|derni[eè]re?s?)\s+$", re.IGNORECASE
)
_WINDOW_INSIDE = re.compile(r"\b(?:last|past|previous|preceding|derni[eè]re?s)\b", re.IGNORECASE)
_TYPE = re.compile(
    r"\b(?:font|police|corps|arial|calibri|times|typeface|character|caractere|size|taille|\d+ ?pt)"
)
_SCALE = 1e4


# A place in an order, and the whole that a share is of: "the top 5 suppliers", "one in three".
_RANKED = re.compile(
    r"(?:^|\W)(?:top|(?:one|un|une|1|two|deux|2|nine|neuf|9) (?:in|out of|sur)(?: every)?) $"
)
_AGE = re.compile(r"(?:^|\W)(?:at|a|after|apres) $")


def _technical_before(fact: Fact, text: str, facts: list[Fact]) -> bool:
    ahead = [f for f in facts if f.end <= fact.start and f.kind == "quantity" and not f.unit.islower()]
    return bool(ahead) and len(text[ahead[-1].end : fact.start]) < 12


def _bracketed(fact: Fact, text: str) -> bool:
    return text[: fact.start].rstrip().endswith("(") and text[fact.end :].lstrip().startswith(")")


_LOAD = re.compile(r"(?:under|at|with|during)\s+(?:a\s+)?(?:peak\s+)?(?:load\s+of\s+)?$", re.IGNORECASE)


def default_comparator(fact: Fact, measure: str, before: str = "") -> Comparator:
    """Comparator of a bare number in a rule, where the rule itself gives none.

    - Percentages fix a rate (`=`: "Bid security: 2% of total price"); availability and the like bound from
      below.
    - Durations: validity, warranty, retention and experience bound from below; delivery, replacement,
      response and recovery from above; anything else is exact.
    - Money: insurance, turnover and the like are lower bounds; anything else is exact.
    - Counted things ("3 references") and throughput are lower bounds, but copies and envelopes are exact, as are
      other technical values.

    Args:
        fact: the amount.
        measure: the words around it and those that it measures.
        before: the words just before it.
    """
    said = fold(measure)
    if fact.comparator:
        return fact.comparator
    if fact.value_max is not None or fact.kind == "class":
        return ""
    lower, upper = _last(_AT_LEAST, said), _last(_AT_MOST, said)
    if fact.kind == "percent":
        return ">=" if _SHARE_REACHED.search(said) and fact.value != 100 else "="
    if fact.kind in ("days", "duration"):
        if _LASTING.search(fold(before) + " "):
            return ">="
        if lower < 0 and upper < 0:
            return "<=" if _ANSWERED.search(said) else ">=" if _LASTS.search(said) else "="
        return ">=" if lower >= upper else "<="
    if fact.kind == "money":
        return ">=" if lower >= 0 and not ASIDE.search(said) else "="
    if fact.unit in _EXACT_COUNTS:
        return "="
    counted = fact.unit.islower() and len(fact.unit) > 2
    return ">=" if counted or fact.unit in _THROUGHPUT else "="


def _last(pattern: re.Pattern[str], text: str) -> int:
    position = -1
    for match in pattern.finditer(text):
        position = match.start()
    return position


def is_condition(fact: Fact, text: str, facts: list[Fact]) -> bool:
    """Whether an amount only says under which circumstances another holds, and so is no test of its own.

    "in the last 3 years" is a window; "under 1.5M TPS peak" a load; in "10M accounts in under 6 hours" the
    count
    is the task and the time the test; "24 hours a day" is written 24x7 as often as not and left to the words.
    """
    before = text[max(0, fact.start - 30) : fact.start]
    if fact.unit == "point" and not _TYPE.search(fold(text[max(0, fact.start - 60) : fact.end + 20])):
        return True  # points of the award are no test of the bid
    if (
        fact.kind == "quantity"
        and not fact.comparator
        and (fact.value or 0) >= _SCALE
        and _bracketed(fact, text)
    ):
        return True  # "(20M subs)" says how large the task is
    if fact.kind == "quantity" and not fact.comparator and _RANKED.search(fold(before) + " "):
        return True
    if any(m.start() < fact.end and fact.start < m.end() for m in ROUND_THE_CLOCK.finditer(text)):
        return True
    if (
        fact.kind in ("days", "duration")
        and _AGE.search(fold(before) + " ")
        and _technical_before(fact, text, facts)
    ):
        return True  # "25 MPa at 28 days"
    if _WINDOW_WORD.search(before) or _WINDOW_INSIDE.search(fact.text):
        return True
    if fact.unit in _THROUGHPUT and _LOAD.search(before):
        return True
    if (fact.unit, fact.value, fact.per) in (
        ("hour", 24.0, "day"),
        ("day", 7.0, "week"),
        ("day", 365.0, "year"),
    ):
        return True
    if fact.kind == "quantity" and not fact.comparator and fact.value_max is None:
        behind = next((f for f in facts if f.start >= fact.end and f.kind in ("days", "duration")), None)
        between = text[fact.end : behind.start] if behind else ""
        return behind is not None and behind.comparator in ("<", "<=") and not re.search(r"[.;,]", between)
    return False


_RATE = re.compile(
    r"(?:/[ ]?1[0 ,.']*|\b(?:per|par)\s+[0-9][0-9 ,.']*|\b(?:aux|pour|for every|every)\s+1[0 ,.']*)(?<=[0 ])[^\W\d_]+[23²³]?|"
    r"/\s?(?:k?m[23²³]?|kg|[klt]|[kMG]?Wh?)(?!\w)|"
    r"\b(?:per|par)\s+\w+|(?:/\s?|\b(?:an?|each|every)\s+)(?:day|week|month|year|hour|jour|mois|an|semaine|annum)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;.:](?=\s|$)|,(?=\s)|\b(?:and|et)\s")


def measure_of(fact: Fact, text: str, facts: list[Fact]) -> tuple[str, ...]:
    """What the amount measures: the words of its own clause, then the subject of the rule where it differs.

    "Bid security: 2% of total price; validity >= 90 days" gives `("bid security",)` for 2% and
    `("validity", "bid security")` for 90 days. Words are folded, not stemmed.
    """
    starts = [0, *(m.end() for m in _CLAUSE.finditer(text))]
    start = max(s for s in starts if s <= fact.start)
    following = [m.start() for m in _CLAUSE.finditer(text) if m.start() >= fact.end]
    end = following[0] if following else len(text)
    own = _content(text, start, fact.start, facts)
    if not own and start and text[:start].rstrip().endswith(":"):  # "response: 2 h; resolution: 1 day"
        own = _content(text, max([0, *(s for s in starts if s < start)]), fact.start, facts)
    subject_end = min([f.start for f in facts if f.kind != "obligation"], default=len(text))
    subject = _content(text, 0, subject_end, facts)
    if not own and not subject:  # "120 days of bid validity"
        own = _content(text, fact.end, end, facts)
        own = own[:4]
    if told := _apart(fact, text, facts):  # "16 GB of RAM and a 512 GB SSD"
        own = [*own, *(w for w in told if w not in own)]
    phrases = [" ".join(own[-4:]), " ".join(subject[:4])]
    return tuple(dict.fromkeys(p for p in phrases if p))


_NAMED_BEHIND = re.compile(
    r"[\s-]*(?:(?:of|de)\s+|d['’]\s*)?(?P<words>(?:(?!(?:after|from|of|to|for|in|on|at|by|before|with|and|or|"
    r"upon|following|when|if|per|within|apres|après|à|a|au|"
    r"de|du|des|pour|dans|et|ou|par|sur|avec|dès)\b)[^\W\d_][\w/'’-]*[ ]?){1,4})"
)


def named_behind(fact: Fact, text: str) -> str:
    """The noun that the amount stands before: `CDR history` in "24-month CDR history", nothing in "30 days from"."""
    match = _NAMED_BEHIND.match(text, fact.end)
    return match["words"].strip() if match else ""


def _apart(fact: Fact, text: str, facts: list[Fact]) -> list[str]:
    """Words behind the amount that tell it from another one of its kind in the rule."""
    alike = [f for f in facts if f is not fact and f.kind == fact.kind and same_measure(f.unit, fact.unit)]
    if not alike or fact.kind not in ("quantity", "days", "duration"):
        return []
    behind = named_behind(fact, text)
    return [w for w in words_of(behind) if w not in _MEASURE_NOISE][:2]


_MEASURE_NOISE = BOILERPLATE - {"valid", "cover", "covers"}


def without_rates(text: str) -> str:
    """`text` without rates ("per day", "a week") and comparisons ("higher than"), which belong to an amount."""
    return _COMPARED.sub(" ", _RATE.sub(" ", text))


_COMPARED = re.compile(
    r"\b(?:greater|higher|larger|smaller|lower|older|newer|earlier|sooner|above|below)\s+than\b(?:\s+or\s+equal\s+to\b)?|"
    r"\b(?:sup[eé]rieure?s?|inf[eé]rieure?s?)(?:\s+ou\s+[eé]gale?s?)?\s+(?:[àa]|aux?)\b|\ben\s+aucun\s+cas\b|"
    r"\b(?:ant[eé]rieure?s?|post[eé]rieure?s?)\s+(?:[àa]|aux?)(?!\w)|\bnothing\s+(?:less|lower|more|short)\s+(?:than|of)\b|"
    r"\b(?:service|solution|services)\s+providers?\b|\bprestataires?\s+de\s+services?\b|"
    r",?\s*\bwhichever\s+(?:\w+\s+){1,2}(?:first|earlier|later|higher|lower|sooner|greater)\b|"
    r",?\s*\b(?:selon\s+la\s+premi[eè]re\s+[eé]ch[eé]ance|au\s+premier\s+(?:des\s+deux\s+)?(?:termes?\s+)?(?:[eé]chus?|atteints?))\b|"
    r"\b(?:has|have)\s+to\b",
    re.IGNORECASE,
)


def _content(text: str, start: int, end: int, facts: list[Fact]) -> list[str]:
    kept, position = [], start
    for fact in facts:
        if fact.end <= start or fact.start >= end:
            continue
        kept.append(text[position : max(position, fact.start)])
        position = max(position, fact.end)
    kept.append(text[position:end])
    return [w for part in kept for w in words_of(without_rates(part)) if w not in _MEASURE_NOISE]
