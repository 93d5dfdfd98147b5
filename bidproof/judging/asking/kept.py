"""Answers that were paid for, kept by all that made them.

Belongs here: the key and the stored form. An answer that is read back is checked like a new one. Does not belong here:
where the bytes lie (`bidproof.store`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from bidproof.judging.asking.answers import Item, read_items
from bidproof.judging.asking.cases import Case
from bidproof.judging.asking.checking import Sound, check_item
from bidproof.judging.asking.prompts import prompt_of
from bidproof.store import digest

KIND = "verdicts"


class Shelf(Protocol):
    """Bytes by key."""

    def get(self, key: str) -> bytes | None:
        """Bytes under `key`, or None."""
        ...

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`."""
        ...


class Memory:
    """A shelf for one run, where no warehouse is at hand."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """As `Shelf.get`."""
        return self._kept.get(key)

    def put(self, key: str, content: bytes) -> None:
        """As `Shelf.put`."""
        self._kept[key] = content


class KeptAnswers:
    """Sound answers by model, contract, settings, rule and passages.

    With which other rules a rule shared its request is no part of the key: the answer is on that rule alone, and a
    changed neighbour must not cost a call.
    """

    def __init__(self, shelf: Shelf, settings: Mapping[str, Any]) -> None:
        """Answers made under `settings`: model, server, contract, schema, lengths, sampling, passes."""
        self._shelf, self._settings = shelf, digest(dict(settings))

    def key(self, case: Case) -> str:
        """Digest of all that an answer on this case hangs on: settings, and the prompt with nothing else in it."""
        alone = prompt_of([case])
        kinds = [[p.chunk_id, p.kind] for p in case.passages]
        return digest([self._settings, alone.system, alone.user, kinds])

    def get(self, case: Case) -> Sound | None:
        """The kept answer; None where there is none that keeps the contract as it is checked now."""
        content = self._shelf.get(self.key(case))
        if content is None:
            return None
        items = read_items(content.decode("utf-8", "replace"))
        found = check_item(items[0], case) if len(items) == 1 else ""
        return found if isinstance(found, Sound) else None

    def put(self, case: Case, answer: Sound) -> None:
        """Keep a sound answer."""
        self._shelf.put(self.key(case), answer.text.encode("utf-8"))


def item_of(fields: dict[str, Any]) -> Item:
    """An item that was made here and not by a model's own text."""
    return Item(fields, json.dumps(fields, ensure_ascii=False, sort_keys=True))
