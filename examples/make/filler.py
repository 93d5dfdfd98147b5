"""Generated prose and tables: sentence banks by topic, varied by a seeded random source.

The banks hold nothing that decides a rule of the catalog; what decides is written by hand in the
documents. The same seed gives the same text.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from make.markup import Table

CONTENT = Path(__file__).parent / "content"


class Filler:
    """Draws paragraphs, bullets and tables; keeps count so that sentences repeat as late as possible."""

    def __init__(self, seed: str, leads: bool = False) -> None:
        """`leads` puts an opening such as "As the planner put it," before sentences without places to fill."""
        self.leads = leads
        self.rng = random.Random(seed)
        self.words: dict[str, list[str]] = _load("words.yaml")
        self.topics: dict[str, dict[str, list[str]]] = {}
        for path in sorted(CONTENT.glob("prose_*.yaml")):
            for topic, parts in _load(path.name).items():
                bank = self.topics.setdefault(topic, {})
                for part, sentences in parts.items():
                    bank.setdefault(part, []).extend(sentences)
        self.tables: dict[str, dict[str, Any]] = _load("tables.yaml")
        self.fields: list[list[str]] = _load("fields.yaml")
        self._decks: dict[tuple[str, str], list[str]] = {}
        self._used: dict[tuple[str, str], list[str]] = {}
        self._serial = 0

    def expand(self, template: str) -> str:
        """Fill `{list}`, `{low-high}`, `{#low-high}` (no comma) and `[one|other]` places of a template."""
        text = re.sub(r"\[([^\[\]]*\|[^\[\]]*)\]", lambda m: self.rng.choice(m.group(1).split("|")), template)
        text = re.sub(r"\{([^{}]+)\}", lambda m: self._slot(m.group(1)), text)
        return text[:1].upper() + text[1:] if template.startswith("{") and template.endswith(".") else text

    def _slot(self, name: str) -> str:
        """Value of one `{...}` place."""
        if re.fullmatch(r"\d+-\d+", name):
            low, high = (int(part) for part in name.split("-"))
            return f"{self.rng.randint(low, high):,}"
        if name.startswith("#"):
            return self._slot(name[1:]).replace(",", "")
        return self._draw("words", name, self.words[name])

    def _draw(self, group: str, name: str, pool: Sequence[str]) -> str:
        """Next card of a shuffled deck: nothing comes again before half of the others have come."""
        deck = self._decks.setdefault((group, name), [])
        used = self._used.setdefault((group, name), [])
        if not deck:
            early, late = (used[: len(used) // 2], used[len(used) // 2 :]) if used else (list(pool), [])
            self.rng.shuffle(early)
            self.rng.shuffle(late)
            deck.extend(late + early)
            used.clear()
        used.append(deck.pop())
        return used[-1]

    def paragraph(self, topic: str) -> str:
        """Opening sentence, some middle ones and sometimes a closing one."""
        bank = self.topics[topic]
        parts = [self._draw(topic, "open", bank["open"])]
        parts += [self._draw(topic, "middle", bank["middle"]) for _ in range(self.rng.randint(3, 5))]
        if self.rng.random() < 0.6:
            parts.append(self._draw(topic, "close", bank["close"]))
        return " ".join(self.expand(self._lead(part)) for part in parts)

    def _lead(self, sentence: str) -> str:
        """The sentence, with an opening when it would read the same each time."""
        if not self.leads or "{" in sentence or self.rng.random() < 0.2:
            return sentence
        lead = self._draw("words", "lead", self.words["lead"])
        return f"{lead}, {sentence[0].lower()}{sentence[1:]}"

    def bullets(self, topic: str, count: int) -> tuple[str, ...]:
        """Distinct short items of a topic."""
        bank = self.topics[topic]["bullet"]
        picked = self.rng.sample(bank, min(count, len(bank)))
        return tuple(self.expand(item) for item in picked)

    def table(self, name: str, count: int) -> Table:
        """A ruled table of `count` rows of the kind `name` in tables.yaml."""
        spec = self.tables[name]
        columns = spec["columns"]
        rows = [tuple(str(column["head"]) for column in columns)]
        rows.extend(tuple(self._cell(column) for column in columns) for _ in range(count))
        return Table(tuple(rows), tuple(float(column["width"]) for column in columns))

    def form(self, count: int) -> tuple[tuple[str, str], ...]:
        """Label and value of `count` fields of a filled-in record sheet, in the order of fields.yaml."""
        picked = sorted(self.rng.sample(range(len(self.fields)), min(count, len(self.fields))))
        return tuple((self.fields[i][0], self.expand(self.fields[i][1])) for i in picked)

    def pick_topic(self) -> str:
        """Next topic of the bidder's banks."""
        return self._draw("pick", "topic", [name for name in self.topics if not name.startswith("rfp_")])

    def pick_table(self) -> str:
        """Next kind of table."""
        return self._draw("pick", "table", list(self.tables))

    def title(self, topic: str) -> str:
        """A heading for a page on `topic`."""
        return self.expand(self._draw("title", topic, self.words[f"title_{topic}"]))

    def caption(self, name: str) -> str:
        """A caption for a table of the kind `name`."""
        return self.expand(self.tables[name]["caption"])

    def _cell(self, column: Mapping[str, Any]) -> str:
        """One cell from the column's recipe: serial, date or template."""
        if "serial" in column:
            self._serial += 1
            return str(column["serial"]).format(self._serial)
        if "date" in column:
            day = dt.date.fromisoformat(str(column["date"])) + dt.timedelta(days=self.rng.randint(0, 420))
            return f"{day.day} {day:%b %Y}"
        return self.expand(str(column["text"]))


def _load(name: str) -> Any:
    """A YAML file of the content folder."""
    return yaml.safe_load((CONTENT / name).read_text(encoding="utf-8"))
