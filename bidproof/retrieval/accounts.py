"""Statements of annual accounts: how texts name them, how their titles read, and which of them has a measure's figures.

Holds names of general bookkeeping, English and French. Must not hold what a title is worth (`evidence`). A question
after the working capital is answered under "Consolidated Balance Sheets", which shares no word with it.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class Statement(Enum):
    """The statements of which annual accounts consist."""

    BALANCE = "balance sheet"
    INCOME = "income statement"
    CASH = "cash flow statement"
    EQUITY = "statement of changes in equity"


_OF = r"statements? of (?:(?:the|changes|consolidated|combined|net|income|\(?loss\)?|in|and|or) ){0,4}"
_NAMES = {
    Statement.BALANCE: rf"balance sheets?|{_OF}financial (?:position|condition)"
    r"|(?:consolidated|group) financial position|bilans? (?:comptables?|consolidés?)",
    Statement.INCOME: r"(?:income|earnings|operating|profit (?:and|&|or) loss|p ?& ?l) (?:statements?|accounts?)|p ?& ?l"
    rf"|{_OF}(?:income|earnings|operations|profits?|loss(?:es)?)"
    r"(?: \(loss(?:es)?\)| (?:and|or) (?:loss(?:es)?|comprehensive (?:income|loss|earnings)))?"
    r"|consolidated results of operations|comptes? de résultats?(?: consolidés?)?",
    Statement.CASH: rf"cash[- ]?flows? statements?|{_OF}cash[- ]?flows?"
    r"|tableaux? (?:de|des) flux(?: de trésorerie)?(?: consolidés?)?",
    Statement.EQUITY: rf"equity statements?|{_OF}(?:(?:share|stock)(?:holders|owners)'? )?equity"
    r"|(?:tableaux?|états?) (?:de|des) variations? des capitaux propres",
}
_NAMED = {one: re.compile(rf"\b(?:{name})\b", re.IGNORECASE) for one, name in _NAMES.items()}
# A title ends in the name; "bilan" alone is one, while in a sentence it is any summing up.
_ENTITLED = {
    one: re.compile(
        rf"(?<!\w)(?:{name})$" + (r"|^bilans?$" if one is Statement.BALANCE else ""), re.IGNORECASE
    )
    for one, name in _NAMES.items()
}
# What stands after the name in a title: units, dates, "continued".
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_TAIL = re.compile(
    r"\s*(?:\([^()]*\)|[-–—:,;.*|/$]|\b(?:continued|unaudited|audited|suite)"
    rf"|\b(?:as (?:of|at)|at|for the|au|pour l|(?:fiscal )?(?:years?|quarters?) ended|{_MONTH} \d+)\b.*"
    r"|\b(?:(?:dollars|amounts|usd|euros?) )?(?:in|en) (?:thousands|millions|billions|milliers)\b.*)\s*$",
    re.IGNORECASE,
)

# Measures by the statements that hold their figures. Ratios name two where they divide one's figure by the other's.
_SHOWN = (
    (
        (Statement.BALANCE,),
        r"working capital|(?:current|quick|acid[- ]test|liquidity|cash|leverage|gearing|solvency) ratios?|net worth"
        r"|book value|capital structure|total (?:current )?(?:assets|liabilities|equity|debt)|long[- ]term debt"
        r"|(?:current|fixed|non-?current) assets|(?:accounts|trade) (?:payable|receivable)s?|receivables|retained earnings"
        r"|goodwill|inventor(?:y|ies)|pp ?& ?e|property,? plant|fonds de roulement|capitaux propres|créances",
    ),
    (
        (Statement.INCOME,),
        r"gross (?:profit|margin)s?|operating (?:profit|income|margin|expense)s?|net (?:profit|income|earnings|margin|sales|loss)"
        r"|ebit|cost of (?:goods|sales|revenues?)|cogs|revenues?|earnings per share|eps|effective tax rate|income tax(?:es)?"
        r"|sg ?& ?a|interest coverage|chiffres? d'affaires|résultat (?:net|d'exploitation)|marge (?:brute|nette)",
    ),
    ((Statement.INCOME, Statement.CASH), r"ebitda"),
    (
        (Statement.BALANCE, Statement.INCOME),
        r"(?:inventory|payables?|receivables?|(?:fixed )?assets?|working capital) turnover"
        r"|days (?:payables?|sales|(?:of )?inventory)|cash conversion cycle"
        r"|return on (?:assets|equity|capital|invested capital)|roa|roe|roic|capital[- ]intensi(?:ve|ty)",
    ),
    (
        (Statement.CASH,),
        r"capital expenditures?|capex|cash[- ]?flows?|cash dividends?|dividends? paid|share repurchases?"
        r"|(?:operating|operations|investing|financing)(?:,| and)? (?:\w+ )?activities|depreciation and amorti[sz]ation"
        r"|flux de trésorerie|dividendes versés",
    ),
)
_MEASURES = tuple(
    (statements, re.compile(rf"\b(?:{names})\b", re.IGNORECASE)) for statements, names in _SHOWN
)


def statements_named(text: str) -> frozenset[Statement]:
    """Statements that a text names by any of their names."""
    plain = _plain(text)
    return frozenset(one for one, name in _NAMED.items() if name.search(plain))


def statements_measured(text: str) -> frozenset[Statement]:
    """Statements that hold the figures of the measures in a text, whether or not it names a statement."""
    plain = _plain(text)
    return frozenset(one for statements, names in _MEASURES if names.search(plain) for one in statements)


@lru_cache(maxsize=4096)
def statements_entitled(title: str) -> frozenset[Statement]:
    """Statements that stand under a title: it ends in their name, but for units, dates and "continued".

    "Supplemental balance sheet information" is about one, and is none.
    """
    bare = _plain(title)
    while (shorter := _TAIL.sub("", bare)) != bare:
        bare = shorter
    return frozenset(one for one, name in _ENTITLED.items() if name.search(bare))


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").split())
