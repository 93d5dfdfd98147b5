"""How alike two rules are: whether they state the same duty, whatever figures they give it.

Compares words; pairs nothing up and decides nothing (`pairing`, `addenda`).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from bidproof.catalog.lexicon import language_of
from bidproof.facts import find_facts, fold, stem
from bidproof.facts.terms import STOP_WORDS, word_set
from bidproof.facts.units import CALENDAR, TIME_WORDS, WORKING
from bidproof.records import Requirement

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*")
# Figures that name a thing rather than measure it: a warranty of lot 2 is not another figure for that of lot 1.
_NAMING = word_set(
    "lot lots item phase stage zone site area part class grade level form annex annexe appendix schedule type "
    "iso iec en nf ieee article clause section chapter envelope tranche niveau classe poste categorie category "
    "no n group groupe module unit site year annee option variant variante"
)
_NUMBER_WORDS = word_set(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty forty-five fifty "
    "sixty seventy eighty ninety hundred thousand un deux trois quatre cinq six sept huit neuf dix onze douze quinze "
    "vingt trente quarante cinquante soixante cent mille"
)
# `zone A`, `Lot II`: a capital letter behind such a noun names as a figure does.
_LETTERED = re.compile(
    rf"\b(?P<noun>(?i:{'|'.join(sorted(_NAMING, key=len, reverse=True))}))\s+(?P<name>[A-Z]|[IVX]+)\b"
)
# Words that bind a duty to a case or turn it round; each is too common to tell two duties apart by likeness alone.
_CONDITIONS = word_set(
    "if when where whether unless except only not no nor never neither without before after until during above below "
    "other si quand lorsque sauf sinon sans ne ni pas aucun aucune seulement uniquement hors avant apres pendant entre"
)
# What may stand beside a figure, or with an addendum, and leaves the duty the same.
_OF_FIGURE = word_set(
    "minimum maximum minimal maximal minimale maximale min max least calendar moins plus jusqu now hereby henceforth "
    "instead desormais dorenavant percent"
) | {fold(word) for word in (*TIME_WORDS, *CALENDAR, *WORKING)}
_DUTY_WORDS = word_set("shall must doit doivent devra devront should will required require requis tenu")
_NUMBERING = re.compile(
    r"^\W*(?:(?:sub-?)?(?:article|section|clause|chapter|chapitre|part|partie|paragraph|paragraphe|para|art|point|itb)"
    r"[ .]{1,2})?(?P<number>[a-z]?\d+(?:[.]\d+)*|[ivx]+(?=[ .)-]))\b",
)


@lru_cache(maxsize=8192)
def masked_words(text: str) -> tuple[str, ...]:
    """Stems of a rule's telling words; a figure that measures is `#`, one that names goes with its noun."""
    words = _WORD.findall(fold(text))
    found: list[str] = []
    for place, word in enumerate(words):
        if word[0].isdigit():
            before = words[place - 1] if place else ""
            found.append(f"{before} {word.rstrip('.,')}" if before in _NAMING else "#")
        elif word in _NUMBER_WORDS:
            found.append("#")
        elif word not in STOP_WORDS and word not in _DUTY_WORDS:
            found.append(stem(word))
    found += (f"{fold(one['noun'])} {fold(one['name'])}" for one in _LETTERED.finditer(text))
    return tuple(found)


@lru_cache(maxsize=8192)
def _bag(text: str) -> tuple[frozenset[tuple[str, int]], frozenset[str]]:
    """Words with their number among equal ones, so that sets count as bags, and the figures that name a thing."""
    words = masked_words(text)
    # Words and digits of one figure, `ten (10)`, count once.
    told = [word for place, word in enumerate(words) if word != "#" or words[place - 1 : place] != ("#",)]
    seen: Counter[str] = Counter()
    bag = []
    for word in told:
        seen[word] += 1
        bag.append((word, seen[word]))
    return frozenset(bag), frozenset(word for word in told if " " in word)


def figures(text: str) -> tuple[str, ...]:
    """The figures of a text in order of value, as written but for spaces and thousands marks."""
    return tuple(
        sorted(word.rstrip(".,").replace(",", "") for word in _WORD.findall(fold(text)) if word[0].isdigit())
    )


def likeness(one: str, other: str) -> float:
    """Share of telling words that two texts have in common (Dice), figures counting as alike; 0 to 1.

    0 where a figure that names a thing differs: lot 1 and lot 2, ISO 9001 and ISO 14001.
    """
    (left, named), (right, others) = _bag(one), _bag(other)
    if not left or not right or (named and others and named != others):
        return 0.0
    return 2 * len(left & right) / (len(left) + len(right))


def same_subject(one: str, other: str) -> bool:
    """Whether two rules bind the same thing in the same case and direction, whatever figures they give it.

    Not where one has a word that the other has not (a lot, a zone, a part, a condition, a denial), asks a question, or
    bounds from the other side.
    """
    if "?" in one + other or _case(one) != _case(other):
        return False
    sides = _sides(one) | _sides(other)
    return not (sides >= {"<", ">"} and _sides(one) != _sides(other))


@lru_cache(maxsize=8192)
def _case(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The telling words of a rule and those that bind it to a case."""
    plain = {stem(word) for word in _OF_FIGURE}
    conditions = frozenset(word for word in _WORD.findall(fold(text)) if word in _CONDITIONS)
    return frozenset(masked_words(text)) - plain - {"#"}, conditions


def _sides(text: str) -> frozenset[str]:
    """The sides from which a text bounds its figures."""
    return frozenset(
        f.comparator[:1]
        for f in find_facts(text, language=language_of(text))
        if f.comparator[:1] in ("<", ">")
    )


def clause_numbers(path: str) -> frozenset[str]:
    """Numbers of the headings of a path: `2 Bids > 2.1 Validity` gives 2 and 2.1."""
    found = (_NUMBERING.match(fold(part)) for part in path.split(" > "))
    return frozenset(one["number"] for one in found if one)


def innermost(path: str) -> str:
    """Number of the innermost numbered heading of a path; empty without one."""
    for part in reversed(path.split(" > ")):
        if found := _NUMBERING.match(fold(part)):
            return found["number"]
    return ""


def same_clause(one: Requirement, other: Requirement) -> bool:
    """Whether two rules stand under the same clause: by its words where it has any, else by its number."""
    left, right = (_title(rule.clause_ref) for rule in (one, other))
    if left and right:
        return left == right
    return bool(one.clause_ref) and innermost(one.clause_ref) == innermost(other.clause_ref) != ""


@lru_cache(maxsize=8192)
def _title(path: str) -> str:
    last = fold(path.split(" > ")[-1])
    return " ".join(re.findall(r"[^\W\d_]{2,}", _NUMBERING.sub("", last)))
