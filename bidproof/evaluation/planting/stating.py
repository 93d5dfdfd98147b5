"""What is planted: which rules, the facts that meet them, and in what form and language each is written.

Pure: the same count, seed and catalog give the same plants. Where they are put is for `placing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bidproof.evaluation.labelled import StatedFact
from bidproof.evaluation.planting.catalog_plants import SPELT, catalog_plant, plantable
from bidproof.evaluation.planting.plants import FORMS, Form, Language, Plant, Shape
from bidproof.evaluation.planting.wording import capital, fact_words, small, wording
from bidproof.evaluation.set_lines import asked
from bidproof.records import Requirement

_FRENCH: frozenset[Form] = frozenset({"french", "french words"})
_EITHER: frozenset[Form] = frozenset({"table", "page break", "footnote", "bullet"})
# Every third plant of a form that belongs to no language is French.
_THIRD = 3
# Of ten facts in figures: seven amounts, one each of standard, date and form.
_SHAPES = 10
_DECIMALS = 5
_YEARS = (2027, 2028, 2029)
_BODIES = ("ISO", "EN", "IEC", "EN ISO")


def make_plants(
    count: int, seed: int, catalog: Sequence[Requirement] = (), french: bool = False
) -> list[Plant]:
    """`count` plants, the forms in equal numbers; first one for each rule of `catalog` that a fact can answer.

    `french` says that the catalog's rules are French: their plants then are too. The rules of a catalog are written
    for in its own language alone, since nobody but a translator could put them into another.
    """
    chance = Random(f"plants {seed}")
    forms = [FORMS[number % len(FORMS)] for number in range(count)]
    languages = [_language(form, number // len(FORMS)) for number, form in enumerate(forms)]
    own = plantable(catalog)
    chance.shuffle(own)
    maker = _Maker(chance)
    plants = []
    for number, (form, language) in enumerate(zip(forms, languages, strict=True)):
        at = next(
            (place for place, (_, one) in enumerate(own) if _fits(form, language, one.value, french)), None
        )
        if at is None:
            plants.append(maker.plant(number, form, language))
        else:
            rule, tested = own.pop(at)
            plants.append(_over_a_page(catalog_plant(number, rule, tested, form, language, chance)))
    return plants


def _language(form: Form, turn: int) -> Language:
    return "fr" if form in _FRENCH or (form in _EITHER and turn % _THIRD == _THIRD - 1) else "en"


def _fits(form: Form, language: Language, value: float | None, french: bool) -> bool:
    if (language == "fr") is not french:
        return False
    return form not in SPELT or (value is not None and value == int(value) and value < 10**9)


class _Maker:
    """Plants for rules of its own; no measure of a thing is asked twice."""

    def __init__(self, chance: Random) -> None:
        self._chance, self._words = chance, wording()
        self._used: set[tuple[str, str]] = set()
        self._turn = 0

    def plant(self, number: int, form: Form, language: Language) -> Plant:
        """A plant for a rule that has the shape of a tender's."""
        self._turn += form not in SPELT
        special: dict[int, Shape] = {1: "standard", 4: "date", 7: "form"}
        shape = special.get(self._turn % _SHAPES) if form not in SPELT else None
        return self._named(number, form, language, shape) if shape else self._amount(number, form, language)

    def _thing(self, about: str) -> tuple[str, str]:
        """A thing about which nothing of the kind was asked yet; one in use again once all are."""
        things = self._words["things"]
        free = [one for one in things if (about, one[0]) not in self._used] or things
        english, french = self._chance.choice(free)
        self._used.add((about, english))
        return english, french

    def _measure(self) -> dict[str, Any]:
        """A measure with things left to ask it of, each about as often."""
        measures = self._words["measures"]
        least = min(sum(about == one["rule"] for about, _ in self._used) for one in measures)
        rare = [one for one in measures if sum(about == one["rule"] for about, _ in self._used) == least]
        found: dict[str, Any] = self._chance.choice(rare)
        return found

    def _amount(self, number: int, form: Form, language: Language) -> Plant:
        measure = self._measure()
        thing = self._thing(measure["rule"])
        unit, scale = measure["unit"], 1000 if measure["shape"] == "money" else 1
        asked_for = self._chance.randint(measure["from"], measure["to"]) * scale
        value = self._met(measure, asked_for, form)
        own = fact_words(measure["shape"], "en", False, asked_for, unit, "", "")
        bound = self._words["bounds"][measure["bound"]]
        rule = self._words["rules"]["amount"].format(
            measure=measure["rule"], things=thing[0], bound=bound, amount=own
        )
        name = measure["fr"] if language == "fr" else self._chance.choice(measure["bid"])
        said = fact_words(measure["shape"], language, form in SPELT, value, unit, "", "")
        fact = StatedFact(value=value, unit=unit)
        return self._plant(number, form, language, measure["shape"], rule, name, thing, said, fact)

    def _met(self, measure: dict[str, Any], asked_for: int, form: Form) -> float:
        """A value that meets the rule and is another than its own."""
        step = max(1, asked_for // 20)
        more = step * self._chance.randint(1, 4) + self._chance.randint(0, max(0, step - 1))
        if measure["unit"] == "percent":
            more = self._chance.randint(1, 2)
        value = asked_for + more if measure["bound"] == "least" else max(1, asked_for - more)
        tenth = measure["shape"] in ("percent", "quantity") and form not in SPELT
        if tenth and self._chance.randint(1, _DECIMALS) == 1:
            return value + 0.5 if measure["bound"] == "least" else value - 0.5
        return float(value)

    def _named(self, number: int, form: Form, language: Language, shape: Shape) -> Plant:
        """A plant for a standard, a form, or a date."""
        thing = self._thing(shape)
        chance = self._chance
        if shape == "standard":
            code, edition = (
                f"{chance.choice(_BODIES)} {chance.randint(11000, 29999)}",
                str(chance.randint(2008, 2024)),
            )
            fact = StatedFact(code=code, edition=edition)
            asked_for = said = f"{code}:{edition}"
        elif shape == "date":
            year, month = chance.choice(_YEARS), chance.randint(2, 12)
            iso = f"{year}-{month - 1:02}-{chance.randint(1, 28):02}"
            fact = StatedFact(date=iso)
            asked_for = fact_words(
                "date", "en", False, None, "", "", f"{year}-{month:02}-{chance.randint(1, 28):02}"
            )
            said = fact_words("date", language, False, None, "", "", iso)
        else:
            letters = "".join(chance.choice("BCDFGHKLMNPRST") for _ in range(2))
            code = f"{letters}-{chance.randint(2, 49)}"
            fact = StatedFact(code=code)
            asked_for = fact_words("form", "en", False, None, "", code, "")
            said = fact_words("form", language, False, None, "", code, "")
        rule = self._words["rules"][shape].format(things=thing[0], amount=asked_for)
        return self._plant(number, form, language, shape, rule, "", thing, said, fact)

    def _plant(
        self, number: int, form: Form, language: Language, shape: Shape, rule: str, measure: str,
        thing: tuple[str, str], said: str, fact: StatedFact,
    ) -> Plant:  # fmt: skip
        words = self._words
        kind = shape if shape in words["statements"] else "amount"
        given = {
            "measure": measure, "Measure": capital(measure), "things": thing[1 if language == "fr" else 0], "amount": said,
        }  # fmt: skip
        templates = words["statements"][kind][language]
        template = templates[0] if form == "page break" else self._chance.choice(templates)
        return _over_a_page(Plant(
            number=number, form=form, language=language, shape=shape,
            rule=asked(f"planted-{number:04}", rule, mandatory=True), of_catalog=False,
            statement=template.format(**given),
            cells=(words["subjects"][kind][language].format(**given), said), fact=fact,
        ))  # fmt: skip


def _over_a_page(plant: Plant) -> Plant:
    """A statement that is to be split over a page break, made long enough for it."""
    if plant.form != "page break":
        return plant
    round_it = wording()["over_a_page"][plant.language]
    long = f"{round_it['lead']}{small(plant.statement.rstrip('.'))}{round_it['tail']}."
    return plant.model_copy(update={"statement": long})
