"""Words of plants as they stand in `wording.yaml`, and amounts written in figures or words. Chooses nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

from bidproof.data_files import read_data
from bidproof.evaluation.planting.number_words import in_words
from bidproof.evaluation.planting.plants import Language, Shape


@cache
def wording() -> dict[str, Any]:
    """The whole file."""
    found: dict[str, Any] = read_data("evaluation/planting/wording.yaml")
    return found


def capital(text: str) -> str:
    """`text` with its first letter large."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """`text` with its first letter small."""
    return text[:1].lower() + text[1:]


def amount(value: float, unit: str, language: Language, spelt: bool) -> str:
    """`value` in `unit` as people of `language` write it, in words where `spelt`."""
    names = wording()["units"][unit]
    if spelt:
        return f"{in_words(int(value), language)} {names.get(f'{language}_words', names[language])}"
    figure = _figure(value, language)
    if unit == "percent" and language == "en":
        return f"{figure}%"
    return f"EUR {figure}" if unit == "EUR" and language == "en" else f"{figure} {names[language]}"


def _figure(value: float, language: Language) -> str:
    whole = f"{int(value):,}" if value == int(value) else f"{value:,}"
    # French groups by a space and writes a decimal comma.
    return whole.translate({ord(","): " ", ord("."): ","}) if language == "fr" else whole


def date(iso: str, language: Language) -> str:
    """An ISO date with the name of its month."""
    year, month, day = (int(part) for part in iso.split("-"))
    return f"{day} {wording()['months'][language][month - 1]} {year}"


def fact_words(
    shape: Shape, language: Language, spelt: bool, value: float | None, unit: str, code: str, iso: str
) -> str:
    """What stands for `{amount}` in a statement or rule."""
    if shape == "date":
        return date(iso, language)
    if shape == "form":
        return f"{wording()['form_word'][language]} {code}"
    if shape == "standard" or value is None:
        return code
    return amount(value, unit, language, spelt)
