"""Recognising a page in its own language, whichever way up it was scanned.

Settles language and turn; the engine is in `ocr`. What could not be had (the data of a language) is said, with
the package to install: English data stands in, which reads figures right and loses accents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bidproof.documents.language import guess_language, is_told_by_script, plain_words
from bidproof.documents.page import Rect
from bidproof.documents.scans.ocr import CODES, NAMES, OcrError, bearing, recognise, text_of
from bidproof.documents.sheets import condition
from bidproof.params import DocumentParams
from bidproof.recognition_data import find_data, package

# Share of a text's letters that stand in commonest short words: real pages reach .2 to .4, a page read upside
# down or in another script .06 at most, lists of figures and names anything.
_LEGIBLE = 0.08
_PLAIN = 0.12
_KINDS = 4
_MIN_WORDS = 12
_MANY_WORDS = 60
_MANY_SCANS = 4
# A token says something with so many different letters, with a figure, or as an answer; of a page so large a share must.
_MIN_TOKENS, _TELLING_LETTERS, _SOUND = 8, 4, 0.25
# Figures, and codes with a figure in them: `9`, `M8`, `1/2"`, `5(60)`. Noise holds digits among letters in any order.
_FIGURED = re.compile(r"[^\w\s]*[A-Za-z]{0,3}[-./]?\d[\d.,/:()-]*[A-Za-z]{0,3}[^\w\s]*")
# Columns of short answers are all that some forms hold.
_ANSWERS = frozenset({
    "yes", "no", "n/a", "nil", "none", "oui", "non", "sí", "ja", "nein", "sim", "não", "tak", "nie", "có", "không",
    "da", "nu", "pass", "fail", "pcs", "nos", "set", "each",
})  # fmt: skip
# Scripts whose letters hang on a bar or run into one another.
_JOINED = frozenset({"ar", "hi", "bn"})
_TURNS = (180, 90, 270)


@dataclass(slots=True)
class Recognition:
    """Recognised text of a page as MuPDF's raw dictionary, how it was had, and which data was lacking.

    `turn` is in degrees clockwise; `lacking` holds tesseract codes; `notes` are lines for the page's row. Boxes of
    `text` and `struck` (what is crossed out) are in MuPDF's page space laid straight by `skew` degrees.
    """

    text: dict[str, Any]
    turn: int = 0
    lacking: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    skew: float = 0.0
    struck: tuple[Rect, ...] = ()


def recognise_page(page: Any, params: DocumentParams, hint: str) -> Recognition:
    """The text of a page that has none.

    Args:
        page: the open page.
        params: resolution, languages (none named: each page in its own) and folders of data.
        hint: ISO 639-1 of the file's other pages; empty when unknown.

    Raises:
        OcrError: no recognition data at all, or the engine failed.
    """
    if params.ocr_languages:
        return _as_told(page, params)
    return _Page(page, params).read(hint)


def language_of_scans(document: Any, scans: list[int], params: DocumentParams) -> str:
    """ISO 639-1 of a file of scans, read off one or two of them; empty where it cannot be told or is not asked.

    One look saves each page of a file in another language the pass with English data.
    """
    if not params.ocr or params.ocr_languages or len(scans) < _MANY_SCANS:
        return ""
    # A cover says little; the pages in the middle are the file's own.
    for number in (scans[len(scans) // 2], scans[-1]):
        try:
            text = text_of(_Page(document[number - 1], params).read_in("en"))
        except OcrError:
            return ""
        except Exception:
            # The page's own row will say that it cannot be read.
            continue
        if is_legible(text) and (told := guess_language(text)):
            return told
    return ""


def recognise_part(page: Any, params: DocumentParams, hint: str, clip: Rect) -> dict[str, Any]:
    """MuPDF's raw dictionary of the text in a part of a page, read in the language of what stands around it.

    Raises:
        OcrError: no recognition data at all, or the engine failed.
    """
    wanted = params.ocr_languages or (CODES.get(hint, "eng"),)
    folder, present, missing = find_data(wanted, params.ocr_data)
    if not present:
        folder, present, _ = find_data(("eng",), params.ocr_data)
    if not present or (params.ocr_languages and missing == params.ocr_languages):
        raise OcrError(f"no recognition data for {', '.join(missing)}; {_install(missing)}")
    return recognise(page, "+".join(present), folder, params.ocr_dpi, 0, clip, hint in _JOINED)


def _as_told(page: Any, params: DocumentParams) -> Recognition:
    folder, present, missing = find_data(params.ocr_languages, params.ocr_data)
    if not present:
        raise OcrError(f"no recognition data for {', '.join(missing)}; {_install(missing)}")
    text = recognise(page, "+".join(present), folder, params.ocr_dpi)
    notes = (
        [f"read without the recognition data of {', '.join(missing)}; {_install(missing)}"] if missing else []
    )
    turn = 0
    if not is_legible(text_of(text)):
        turn, again = _Page(page, params).upright("+".join(present), folder)
        text = again or text
    if text["strikes"] and guess_language(text_of(text)) in _JOINED:
        text = recognise(page, "+".join(present), folder, params.ocr_dpi, turn, joined=True)
    return _recognition(text, turn, missing, notes)


class _Page:
    def __init__(self, page: Any, params: DocumentParams) -> None:
        self.page, self.params = page, params

    def read(self, hint: str) -> Recognition:
        language = hint if self._has(hint) else "en"
        lacking = "" if language == hint or not hint else hint
        text, turn = self.read_in(language), 0
        if not is_legible(text_of(text)):
            seen = bearing(self.page, self.params.ocr_data)
            if seen is None:
                turn, again = self.upright(*self._data(language))
                text = again or text
            elif seen.turn or seen.language:
                turn = seen.turn
                lacking = "" if self._has(seen.language or language) else seen.language
                language = language if lacking else seen.language or language
                text = self.read_in(language, turn)
        plain = is_legible(text_of(text))
        told = guess_language(text_of(text)) if plain else ""
        if told == language:
            lacking = ""
        elif told and self._has(told):
            again = self.read_in(told, turn)
            if guess_language(text_of(again)) == told:
                text, lacking = again, ""
        elif told in CODES:
            lacking = told
        if {language, lacking, told} & _JOINED and text["strikes"]:
            text = self.read_in(language, turn, joined=True)
        codes = (CODES[lacking],) if lacking else ()
        unknown = not plain and not lacking and len(text_of(text).split()) > _MANY_WORDS
        return _recognition(text, turn, codes, self._notes(lacking, unknown))

    def _notes(self, lacking: str, unknown: bool) -> list[str]:
        if unknown:
            return ["its language cannot be told; if it is not English, name it in documents.ocr_languages"]
        if not lacking:
            return []
        name, code = NAMES[lacking], CODES[lacking]
        what = f"is in {name}, read with English data: figures are right, words lose accents and letters"
        return [f"{what}; {_install((code,))}"]

    def _has(self, language: str) -> bool:
        return language in CODES and bool(find_data((CODES[language],), self.params.ocr_data)[1])

    def _data(self, language: str) -> tuple[str, str]:
        code = CODES[language]
        folder, present, missing = find_data((code,), self.params.ocr_data)
        if not present:
            raise OcrError(f"no recognition data for {code}; {_install(missing)}")
        return code, folder

    def read_in(self, language: str, turn: int = 0, joined: bool = False) -> dict[str, Any]:
        """The page read with the data of one language."""
        return recognise(self.page, *self._data(language), self.params.ocr_dpi, turn, joined=joined)

    def upright(self, code: str, folder: str) -> tuple[int, dict[str, Any] | None]:
        """Turn under which the page reads as words, and its text then; 0 where it does under none."""
        for turn in _TURNS:
            text = recognise(self.page, code, folder, self.params.ocr_dpi, turn)
            share, kinds, words = plain_words(text_of(text))
            if words >= _MIN_WORDS and share >= _PLAIN and kinds >= _KINDS:
                return turn, text
        return 0, None


def is_legible(text: str) -> bool:
    """False for recognised text that reads like none: too few short words of any language, or noise."""
    share, kinds, words = plain_words(text)
    if words < _MIN_WORDS:
        return len(text.split()) >= 3 and not condition.is_garbled(text, 0, 0)
    return (share >= _LEGIBLE and kinds >= _KINDS) or is_told_by_script(guess_language(text))


def is_rubbish(text: str) -> bool:
    """True for recognised text that reads like nothing: hardly a short word of any language, a longer one or a figure.

    Noise and scans too coarse to read come out as `ee oe an`: such a page is not read, and must not count as if it were.
    """
    tokens = text.split()
    if len(tokens) < _MIN_TOKENS or is_legible(text):
        return False
    return sum(map(_says_something, tokens)) < _SOUND * len(tokens)


def _says_something(token: str) -> bool:
    letters = {letter for letter in token.casefold() if letter.isalpha()}
    return (
        len(letters) >= _TELLING_LETTERS
        or _FIGURED.fullmatch(token) is not None
        or token.casefold().strip(".,;:()[]") in _ANSWERS
    )


def _recognition(text: dict[str, Any], turn: int, lacking: tuple[str, ...], notes: list[str]) -> Recognition:
    skew, struck = text["skew"], tuple(text["strikes"])
    notes = notes + _turned(turn)
    if skew:
        notes.append(f"the scan lies askew by {abs(skew):.1f} degrees and was laid straight")
    if struck:
        places = "1 place is" if len(struck) == 1 else f"{len(struck)} places are"
        notes.append(f"{places} crossed out on the scan; look at the page")
    if text["hatched"]:
        notes.append("strokes run all over it, so that nothing crossed out could be told; look at the page")
    return Recognition(text, turn, lacking, tuple(notes), skew, struck)


def _turned(turn: int) -> list[str]:
    return [f"the scan lies {(360 - turn) % 360} degrees off and was turned"] if turn else []


def _install(codes: tuple[str, ...]) -> str:
    return f"apt-get install {' '.join(map(package, codes))} and run again"
