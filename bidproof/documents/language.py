"""Guess of a text's language from its script and its commonest short words. Translates nothing."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_WORD = re.compile(r"[^\W\d_]+")
_MIN_WORDS = 12
_MIN_SHARE = 0.06
_MIN_DIFFERENT = 2
_STOP_WORDS = {
    "en": "the of and to in a is for be by on or as with shall this that at from are will not any which it",
    "fr": "le la les de des du et à un une en est pour par dans que qui sur au aux ou ne pas sont ce l d",
    "es": "el la los las de del y en un una que es por para con se al lo su no o como más este esta",
    "pt": "o a os as de do da dos das e em um uma que é por para com se ao no na não ou como mais",
    "it": "il la le gli di del della dei e in un una che è per con si al non o come più lo nel alla",
    "de": "der die das und in den von zu mit ist im für auf des dem ein eine nicht oder als auch sind wird",
    "nl": "de het een en van in is op te dat voor met zijn aan niet of door als bij wordt ook er",
    "vi": "và của các có được cho là không trong một với này theo để nhà thầu gói đã thì về tại",
    "ro": "și de la în cu pe un o este sunt pentru care din nu sau prin al a ale să se",
    "pl": "i w na z do nie się o że jest dla przez lub oraz po od za przy ze są",
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _code, _words in _STOP_WORDS.items():
    for _word in dict.fromkeys(_words.split()):
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_SCRIPTS = {
    "ARABIC": "ar", "HEBREW": "he", "DEVANAGARI": "hi", "GREEK": "el", "CYRILLIC": "ru", "HANGUL": "ko",
    "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "THAI": "th", "BENGALI": "bn", "TAMIL": "ta",
}  # fmt: skip
_SAMPLE_WORDS = 4000


def guess_language(text: str) -> str:
    """ISO 639-1 code of the main language, or an empty string when the text is too short to tell."""
    words = [word.lower() for word in _WORD.findall(text[: _SAMPLE_WORDS * 12])][:_SAMPLE_WORDS]
    foreign = [word for word in words if ord(word[0]) > 0x36F]
    if len(foreign) > 0.5 * len(words) and len(foreign) >= 3:
        scripts = Counter(unicodedata.name(word[0], "?").split()[0] for word in foreign)
        return _SCRIPTS.get(scripts.most_common(1)[0][0], "")
    if len(words) < _MIN_WORDS:
        return ""
    hits = _hits(words)
    best = max(sorted(hits), key=lambda code: hits[code], default="")
    # "com" on each line of a list of web addresses is no Portuguese.
    different = sum(best in _LANGUAGES_OF.get(word, ()) for word in set(words))
    return best if hits[best] >= _MIN_SHARE * len(words) and different >= _MIN_DIFFERENT else ""


def stop_word_hits(text: str) -> Counter[str]:
    """For each language told by its short words, how many words of `text` are among them."""
    return _hits([word.lower() for word in _WORD.findall(text)])


def plain_words(text: str) -> tuple[float, int, int]:
    """How plainly a text is of some language that is told by its short words.

    Of the language with most of them: the share of all letters that stand in such words, and how many different
    ones there are; then the number of all words. Single letters tell nothing: noise is full of them.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    letters = sum(map(len, words))
    held: Counter[str] = Counter()
    kinds: dict[str, set[str]] = {}
    for word in words:
        for code in _LANGUAGES_OF.get(word, ()) if len(word) > 1 else ():
            held[code] += len(word)
            kinds.setdefault(code, set()).add(word)
    best = max(sorted(held), key=lambda code: held[code], default="")
    return (held[best] / letters if letters else 0.0), len(kinds.get(best, ())), len(words)


def is_told_by_script(code: str) -> bool:
    """True for a language that is told by its letters, not by its short words."""
    return code in _SCRIPTS.values()


def _hits(words: list[str]) -> Counter[str]:
    hits: Counter[str] = Counter()
    for word, count in Counter(words).items():
        for code in _LANGUAGES_OF.get(word, ()):
            hits[code] += count
    return hits


def main_language(weighed: list[tuple[str, int]]) -> str:
    """The language with most characters among (language, characters) of pages; unknown ones do not vote."""
    votes: Counter[str] = Counter()
    for code, chars in weighed:
        if code:
            votes[code] += chars
    return max(sorted(votes), key=lambda code: votes[code]) if votes else ""
