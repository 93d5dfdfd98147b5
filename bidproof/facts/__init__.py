"""Facts: numbers, quantities, money, dates, standards and forms found in text, and the algebra between them.

Says what a text states, in English and French. It does not rank passages and does not judge bids.
"""

from bidproof.facts.comparison import Comparison, compare, readings_of, same_base
from bidproof.facts.finder import find_facts
from bidproof.facts.frames import TAG_NAMES, fact_of_row, facts_table, tags_table
from bidproof.facts.named import attached_classes, class_label, edition_before, in_series, same_standard
from bidproof.facts.surface import number, surface
from bidproof.facts.terms import fold, stem, terms_of, words_of
from bidproof.facts.units import convert, same_measure

__all__ = [
    "TAG_NAMES",
    "Comparison",
    "attached_classes",
    "class_label",
    "compare",
    "convert",
    "edition_before",
    "fact_of_row",
    "facts_table",
    "find_facts",
    "fold",
    "in_series",
    "number",
    "readings_of",
    "same_base",
    "same_measure",
    "same_standard",
    "stem",
    "surface",
    "tags_table",
    "terms_of",
    "words_of",
]
