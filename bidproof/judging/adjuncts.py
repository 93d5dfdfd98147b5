"""Stretches of a statement that take nothing away from it: references, days, own people, further things.

Belongs here: the shapes of such stretches and the word lists of `residue.yaml`. Does not belong here: accounting for
the words that are left (`residue`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from bidproof.data_files import read_data
from bidproof.facts import fold, stem
from bidproof.facts.terms import ROUND_THE_CLOCK
from bidproof.judging.plainness import lists_of
from bidproof.judging.words import GENERIC, same, word_list, words_of

_I = re.IGNORECASE
TOKEN = re.compile(
    r"[^\W\d_]+[-/]?\d(?:[\w./-]*\w)?|[^\W\d_]+(?:-[^\W\d_]+)*|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d[\w.,:/’'-]*\w|\d|%|[^\W_]+"
)
# Stretches that account for themselves, whatever stands in them.
_REFERENCE = re.compile(
    r"\b(?:certificate|certificat|policy|police|licen[cs]e|permit|agreement|contract|annex(?:e|es)?|appendix|section|chapter|chapitre|form|folder|pages?|clause|regulation|directive|r[èe]glement"
    r"|articles?|volume|tab|file|exhibit|pi[èe]ce|table|tableau|edition|[ée]dition|revision|r[ée]vision|schedule|attachment|lot|number|num[ée]ro|no|nos|n[°o]|ref|r[ée]f[ée]rence|item)\b\.?\s*(?:(?:no|nos|number|n°|nr|ref)\b\.?\s*|n°\s*)?[:#(]?\s*(?:\([A-Z]{2}\)\s*)?"
    r"(?:[\w-]*\d[\w./-]*(?:\s\d{3,})*|[A-Z]\b(?:\.\d+)?|[IVX]+\b|[A-Z][\w]*-\w+)",
    _I,
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|janv|f[ée]v|mars|avr|mai|juin|juil|ao[ûu]t|d[ée]c)[a-zé]*\.?"
_DATE = re.compile(
    rf"\b(?:(?:until|till|to|jusqu['’]au|jusqu['’]en|in|on|since|depuis|en|le|the|of|dated|for|and|et|through)\s+)*(?:\d{{1,2}}(?:er|st|nd|rd|th)?\s+{_MONTH}\s+|{_MONTH}\s+(?:\d{{1,2}},?\s+)?|\d{{1,2}}[/.]\d{{1,2}}[/.])?(?:19|20)\d\d\b(?:-\d\d-\d\d)?",
    _I,
)
_CONTACT = re.compile(r"\S+@\S+|https?://\S+|\bwww\.\S+|\+\d[\d ().-]{6,}")
_BY = re.compile(r"\b(?:by|par|through|via)\s+(?:our|nos|notre)\b", _I)
_MEANS = re.compile(r"\b(?:on|sur|by|par|via|through|in|en|sous|with|avec)\b", _I)
_YOURS = re.compile(r"\b(?:to|at|on|in|for|of|sur|dans|[àa]|pour|de)\s+(?:all\s+)?(?:your|vos|votre)\b", _I)
_FROM = re.compile(
    r"\b(?:from|of|after|upon|on|starting|following|d[èe]s|[àa]\s+(?:compter|partir)|apr[èe]s|suivant)\b", _I
)
_FIELD = re.compile(
    r"\b(?:experience|degree|background|diploma|exp[ée]rience|dipl[ôo]me|master|licence)\s+(?:in|of|en|dans|de)\b",
    _I,
)
_PLACE = re.compile(r",\s+(?:at|in|from|on|dans|[àa]|depuis|sur)\s+(?:our|nos|notre)\b", _I)
_BESIDE = re.compile(
    r"\b(?:and|et|as\s+well\s+as|ainsi\s+que|in\s+addition\s+to|including|accompanied\s+by|accompagn[ée]e?s?\s+d[e'’u]\w*)(?!\w)"
    r"|,\s+(?:which|who|whose|dont|qui|with|avec|complete\s+with)\b",
    _I,
)
_LISTED = re.compile(r",(?=(?:\s+[^\W\d]+['’]?){1,5}?,?\s+(?:and|et)\b)", _I)
_ENDS_BESIDE = re.compile(
    r"[.;:|()]|\b(?:for|on|at|during|if|except|excluding|without|per|from|until|when|where|while|subject|after|before|over|under|against|between|sur|dans|pour|pendant|par|avant|apr[èe]s|d[èe]s"
    r"|sous|sauf|hors|si|as|or|ou|but|mais|will|not|no|only|by|across|is|are|est|sont)\b|\d",
    _I,
)
_VERB = re.compile(r"^\s*(?:is|are|has|have|est|sont|a|ont)\s", _I)
_NO = re.compile(
    r"\b(?:without|sans|at\s+no|(?:is|are|and|sont|est)\s+(?:not|ni)\s+subject\s+to|no|aucune?s?)\s+(?:any\s+|extra\s+|additional\s+|aucune?\s+|further\s+)*(?P<kept>[^\W\d_]+)",
    _I,
)
_AT_TIME = re.compile(
    r"\b(?:at|[àa])\s+\d{1,2}(?::\d\d|\s*[ap]\.?m\b\.?|\s?h(?:eures)?(?:\d\d)?\b)(?!\s*(?:to\b|-|–|[àa]\b))",
    _I,
)
_FREE = re.compile(r"\bfree\s+of\s+(?:any\s+)?charge\b|\bfree\s+charge\b|\b[àa]\s+titre\s+gratuit\b", _I)
_SIZE = re.compile(
    r"(?:\b(?:of|at|with|de|[àa]|avec)\s+)?\b\d[\d.,]*\s?(?:m²|m2|m³|m3|k?V|k?VA|MVA|k?W|°C|mm|cm|kg|Hz|[GMT]B|[GMT]o|mAh|lux|dpi|bars?|people|persons|staff|employees|technicians|engineers|salari[ée]s|personnes|agents|collaborateurs|techniciens|postes)(?!\w)"
)
_ISSUED = re.compile(
    r"\b(?:issued|granted|signed|stamped|approved|audited|awarded|d[ée]livr[ée]e?s?|[ée]mise?s?|sign[ée]e?s?|[ée]tablie?s?|souscrite?s?)\s+(?:by|par|aupr[èe]s\s+d\w*)\s+(?:[^\W\d_]+['’]?\s?){1,4}",
    _I,
)
_IN_ALL = re.compile(
    r"\b(?:in|for|on|at|to|of|with|avec|dans|pour|sur|[àa])\s+(?:all|each|every|any|toutes?|tous|chaque)\s+(?:les\s+|the\s+|our\s+|your\s+|nos\s+|vos\s+)?[^\W\d_]+",
    _I,
)
_WITH_SOME = re.compile(
    r"\b(?:with|avec)\s+(?:two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre|cinq|six|\d+)\s+(?P<what>[^\W\d_]+)",
    _I,
)
_TO_BUYER = re.compile(r"\b(?:to|aux?|[àa])(?:\s+(?:the|la|le|l['’]))?(?=\s|\w)", _I)
_KEPT = re.compile(
    r"\b(?:stor\w+|host\w*|kept|keep\w*|stock\w*|back\w*|sauvegard\w*|h[ée]berg\w*|conserv\w*|produc\w*|manufactur\w*|fabri\w*|test\w*|train\w*)\b",
    _I,
)
_OUR_PLACE = re.compile(r"\b(?:in|at|from|dans|[àa]|sur)\s+(?:our|nos|notre)\b", _I)
_ALL_HOURS = re.compile(
    r"\ba?round\s+the\s+clock\b|\bday\s+and\s+night\b|\b(?:jour\s+et\s+nuit|nuit\s+et\s+jour)\b", _I
)
_AND = re.compile(r",|\b(?:and|et)\b", _I)
_IN_BOTH = re.compile(r"\b[^\W\d_]+(?:-[^\W\d_]+)*\s*\(\d+\)")  # "thirty-six (36)"
_SEE = re.compile(r"\((?:see|cf\.?|voir)\b[^()]*\)", _I)
_AS_SHOWN = re.compile(
    r",\s+(?:as|comme)\s+(?:l['’])?(?:is\s+|are\s+)?(?:shown|confirmed|attested|evidenced|described|documented|certified|set\s+out|stated|required|requested|attest\w+|indiqu\w+|montr\w+|d[ée]crit\w*|pr[ée]cis\w+|demand\w+)\b[^.;]*",
    _I,
)
_COUNTED_FROM = re.compile(
    r"\b[àa]\s+compter\s+d(?:e\s+la|u|es|e)?\s*(?:l?['’])?(?!deux|trois|quatr|premi|second)[^\W\d_]+", _I
)
_FILES = ("residue", "plainness")
_PARTS = re.compile(
    r"\b(?:parts?|parties?|series|s[ée]rie)\s+\d[\d-]*(?:,?\s+(?:and\s+|et\s+)?\d[\d-]*)*", _I
)
_BOUND = re.compile(
    r"\b(?:at\s+(?:most|least)|up\s+to|(?:au|le)\s+(?:plus|moins)|not?\s+(?:more|less|later)\s+than)\b", _I
)
_BY_SOME = re.compile(
    r"\b(?:by|par)\s+(?:a|an|une?|\d+|two|three|four|five|six|seven|eight|nine|ten|deux|trois|quatre)\b", _I
)
_WHOLE = re.compile(
    r"\b(?:throughout|during|for|over|pendant|durant|sur)\s+(?:all\s+|the\s+|la\s+|le\s+|l['’])?(?:whole|entire|full|duration|term|toute|totalit[ée]|ensemble|dur[ée]e)\b[^.;,]{0,30}|\bat\s+any\s+time(?:\s+of\s+(?:the\s+)?(?:day|year))?|\bthroughout\s+the\s+\w+",
    _I,
)
# Another one is to act, or may: "the vendor helps you to migrate the data".
_HELPED = re.compile(
    r"\b(?:you|your|it|they|vous|vos|votre|il|elle|qu['’]\w+)\b|\b(?:to|[àa]|de|d['’])\s*$", _I
)
_OWN_SUBJECT = re.compile(r"(?:[^,.;:|]{0,60},\s+)?\W*(?:our|nos|notre|le|la|les|the)\s", _I)
PREPOSITIONS = frozenset(
    re.findall(
        r"\w+",
        "for in on at during if except without per from until when where while after before over under against between "
        "sur dans pour pendant par avant apres des sous sauf hors si",
    )
)


@lru_cache(maxsize=1)
def written() -> frozenset[str]:
    """Words of the lists as they are written, folded: of "insured" no insurer follows."""
    lists = [words for name in _FILES for words in read_data(f"judging/{name}.yaml").values()]
    return frozenset(fold(str(word)) for words in lists for word in words)


@lru_cache(maxsize=1)
def turns() -> re.Pattern[str]:
    """Turns of speech that narrow or put off."""
    return re.compile("|".join(read_data("judging/residue.yaml")["turns"]), _I)


@lru_cache(maxsize=1)
def word_lists() -> dict[str, frozenset[str]]:
    """The lists of `residue.yaml`, stemmed; neutral words include the plain ones of a bidder."""
    data: dict[str, list[str]] = read_data("judging/residue.yaml")
    del data["turns"]
    found = {name: frozenset(stem(fold(str(word))) for word in words) for name, words in data.items()}
    plain = lists_of()
    generic = frozenset(stem(word) for word in GENERIC | word_list("weak"))
    found["neutral"] |= plain["states"] | plain["acts"] | plain["subjects"] | plain["modifiers"] | generic
    found["neutral"] = (found["neutral"] | found["function"]) - found["narrowing"]
    return found


@lru_cache(maxsize=512)
def stems_of_text(text: str) -> frozenset[str]:
    """Stems of the words and codes of a text."""
    return frozenset(word.stem for word in words_of(text)) | frozenset(
        stem(fold(token)) for token in TOKEN.findall(text)
    )


def stems_in(text: str) -> list[str]:
    """Stems of the words of a text in their order, all of them."""
    return [stem(fold(token)) for token in TOKEN.findall(text)]


@lru_cache(maxsize=1 << 14)
def _base(word: str) -> str:
    """The word without the ending of a verb or a participle: `design` of "désigne" and "désignées"."""
    return re.sub(r"(?:ees|ee|es|e|er|ent|ons|ez|s)$", "", word) if len(word) > 5 else word


def is_named(word: str, asked: Iterable[str]) -> bool:
    """One of the words asked is the same, in whatever form or language."""
    return any(same(word, own) or _base(word) == _base(own) for own in asked)


def _run(
    text: str, start: int, easy: Callable[[str], bool], most: int = 12, *, listed: bool = False
) -> tuple[int, list[str]]:
    """End of the run of words from `start` on that are all `easy`, and their stems; a sign of a clause ends it."""
    end = start
    told: list[str] = []
    for token in list(TOKEN.finditer(text, start))[:most]:
        word = stem(fold(token[0]))
        if re.search(r"[;:.()|]" if listed else r"[,;:.()|]", text[end : token.start()]) or not easy(word):
            break
        end, told = token.end(), [*told, word]
    return end, told


def _people(text: str, asked: frozenset[str]) -> Iterator[tuple[int, int]]:
    """By the bidder's own people, at its own or the buyer's places, in a field of knowledge."""
    lists = word_lists()
    breaks = PREPOSITIONS | {"and", "et", "who", "qui", "which", "that"}
    yours = () if any(is_named(word, asked) for word in lists["keeping"]) else ((_YOURS, "costs"),)
    for pattern, barred in (
        (_BY, "other_firms"),
        *yours,
        (_PLACE, "other_firms"),
        (_FIELD, "narrowing"),
    ):
        for found in pattern.finditer(text):
            end, told = _run(text, found.end(), lambda w: w not in breaks, 4)
            if not set(told) & (lists[barred] | lists["narrowing"]):
                yield found.start(), end


def _described(text: str, rule: str) -> Iterator[tuple[int, int]]:
    """Sizes, numbers and places of what is there, where the rule itself counts and places nothing."""
    lists = word_lists()
    barred = lists["other_firms"] | lists["narrowing"]
    if not re.search(r"\d", rule):
        yield from (m.span() for m in _SIZE.finditer(text))
        for m in _WITH_SOME.finditer(text):
            if stem(fold(m["what"])) not in barred:
                yield m.span()
    for m in _IN_ALL.finditer(text):
        if not set(stems_in(m.group())) & lists["narrowing"]:
            yield m.span()
    for found in _OUR_PLACE.finditer(text) if _KEPT.search(rule) else ():
        end, told = _run(text, found.end(), lambda w: w not in PREPOSITIONS and w not in ("and", "et"), 4)
        if not set(told) & barred:
            yield found.start(), end
    for found in _TO_BUYER.finditer(text):
        end, told = _run(text, found.end(), lambda w: w in lists["recipients"], 4)
        if told:
            yield found.start(), end


def _of_itself(text: str, asked: frozenset[str]) -> list[tuple[int, int]]:
    """Stretches that narrow nothing: references, days, the bidder's own people, the buyer's places, ways of sending."""
    lists = word_lists()
    spans = [
        m.span()
        for pattern in (
            _REFERENCE,
            _DATE,
            _CONTACT,
            _WHOLE,
            _AT_TIME,
            _BOUND,
            _IN_BOTH,
            _PARTS,
            _AS_SHOWN,
            _COUNTED_FROM,
            _SEE,
            _ISSUED,
            ROUND_THE_CLOCK,
            _ALL_HOURS,
        )
        for m in pattern.finditer(text)
    ]
    spans += _people(text, asked)
    spans += [m.span() for m in _NO.finditer(text) if stem(fold(m["kept"])) in lists["no_harm"]]
    for found in _BY_SOME.finditer(text):
        end, told = _run(text, found.end(), lambda w: w in lists["neutral"] and w not in PREPOSITIONS, 4)
        spans += [(found.start(), end)] if told and not set(told) & lists["other_firms"] else []
    for found in _MEANS.finditer(text):
        easy = lists["means"] | lists["function"] | {"or", "ou"}
        end, told = _run(text, found.end(), easy.__contains__, listed=True)
        if set(told) & lists["means"]:
            spans.append((found.start(), end))
    if not asked & (lists["events"] - lists["bid_itself"]):
        for found in _FROM.finditer(text):
            end, told = _run(text, found.end(), lambda w: w in lists["events"] | lists["function"])
            if set(told) & lists["events"]:
                spans.append((found.start(), end))
    return spans


def _added(text: str, asked: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Further things beside what is asked: "in English and French" where English is asked for."""
    for found in (*_BESIDE.finditer(text), *_LISTED.finditer(text)):
        verb = _VERB.match(text[found.end() :])
        start = found.end() + (verb.end() if verb else 0)
        stop = _ENDS_BESIDE.search(text, start)
        end = stop.start() if stop else len(text)
        if "," in text[start:end]:
            end = text.index(",", start)
        words = set(stems_in(text[start:end]))
        before = stems_in(text[: found.start()])
        joined = found.group().lower() in ("and", "et", ",")
        counting = word_lists()["counts"] if joined and counts(text[: found.start()]) else frozenset()
        if not (word_lists()["narrowing"] | counting) & words and any(
            is_named(w, asked) for w in before if len(w) > 2
        ):
            yield from _further(text, start, end, asked, before)


def _further(
    text: str, start: int, end: int, asked: frozenset[str], before: list[str]
) -> Iterator[tuple[int, int]]:
    """Items of `text[start:end]` of which the rule names nothing anew: "and the windows to the street" is what it asks."""
    quiet = word_lists()["function"] | word_lists()["limits"]
    edges = [start, *(place for m in _AND.finditer(text, start, end) for place in m.span()), end]
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        told = (w for w in stems_in(text[a:b]) if w not in quiet and len(w) > 2)
        if not any(is_named(w, asked) and not is_named(w, before) for w in told):
            yield a, b


def counts(text: str) -> bool:
    """The text has a number, in digits or in words."""
    return bool(re.search(r"(?<![\w.-])\d", text)) or bool(set(stems_in(text)) & word_lists()["counts"])


def _own_subject(text: str, rule: str, asked: frozenset[str]) -> list[tuple[int, int]]:
    """The bidder's own people or place that does what the rule asks the bidder to do: "our kitchen serves"."""
    found = _OWN_SUBJECT.match(text)
    duty = re.search(r"\b(?:shall|must|will|doit|doivent)\s+(?P<act>[\w-]+)", rule)
    if (
        not found
        or not duty
        or duty["act"].lower() in ("be", "have", "hold", "être", "avoir", "détenir", "not")
    ):
        return []
    act = stem(fold(duty["act"]))
    for token in list(TOKEN.finditer(text, found.end()))[:7]:
        if is_named(stem(fold(token[0])), [act]):
            between = text[found.end() : token.start()]
            barred = word_lists()["other_firms"] | word_lists()["narrowing"]
            helped = _HELPED.search(between) or set(stems_in(between)) & barred
            return [] if helped else [(0, token.start())]
    return []


def harmless(text: str, rule: str) -> list[tuple[int, int]]:
    """Stretches of `text` that narrow nothing of what `rule` asks, in no order."""
    asked = stems_of_text(rule)
    found = [*_of_itself(text, asked), *_described(text, rule), *_added(text, asked)]
    free = [m.span() for m in _FREE.finditer(text)]
    return [*found, *free, *_own_subject(text, rule, asked)]
