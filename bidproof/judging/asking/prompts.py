"""Several rules with their passages as one request to a model.

Belongs here: the words of a prompt and the fences around what others wrote. Does not belong here: which rules share a
request (`scheduling.packing`), HTTP.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidproof.judging.asking.cases import Case
from bidproof.judging.asking.contract import INSTRUCTIONS
from bidproof.judging.passages import Passage
from bidproof.records import Requirement


@dataclass(frozen=True)
class Prompt:
    """What is sent: the standing instructions, and the rules with their passages."""

    system: str
    user: str

    def messages(self) -> list[dict[str, str]]:
        """As the chat API takes it."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


def prompt_of(
    cases: Sequence[Case], refused: Mapping[str, str] | None = None, system: str = INSTRUCTIONS
) -> Prompt:
    """The prompt that asks about `cases`; a passage that several rules are shown stands in it once.

    What the bidder wrote stands between marks that hold a word which none of the texts holds: nobody can close a fence
    from inside it. The word follows from the texts, so the same cases give the same prompt.

    Args:
        cases: the rules, in the order in which they are asked.
        refused: why the last answer on a rule was refused, by rule id.
        system: the standing instructions.
    """
    passages = list({p.chunk_id: p for case in cases for p in case.passages}.values())
    names = {passage.chunk_id: f"P{number}" for number, passage in enumerate(passages, 1)}
    mark = _mark([rule_text(case.requirement) for case in cases] + [_shown(p) for p in passages])
    lines = [_fenced(passage, names[passage.chunk_id], mark) for passage in passages]
    lines.append(f"Rules ({len(cases)}), each to be judged by the passages named with it alone:")
    for case in cases:
        where = ", ".join(names[p.chunk_id] for p in case.passages) or "none"
        lines.append(
            f"<rule {mark} id={json.dumps(case.rule_id, ensure_ascii=False)} passages={where}>\n{rule_text(case.requirement)}\n</rule {mark}>"
        )
        if reason := (refused or {}).get(case.rule_id):
            lines.append(f"Your last answer on {case.rule_id} was refused: {reason}.")
    return Prompt(system, "\n".join(lines))


def rule_text(requirement: Requirement) -> str:
    """The rule as a model reads it: its words, the terms that it uses and the day that counts."""
    lines = [requirement.text, *(f"Defined: {meaning}" for meaning in requirement.definitions)]
    if requirement.submission_date and any(p.valid_on_submission for p in requirement.predicates):
        lines.append(f"Day of submission: {requirement.submission_date}")
    return "\n".join(lines)


def _shown(passage: Passage) -> str:
    heading = passage.heading_path.split(" > ")[-1].strip() if passage.heading_path else ""
    known = heading and not passage.text.strip().startswith(heading)
    return f"[{heading}]\n{passage.text.strip()}" if known else passage.text.strip()


def _fenced(passage: Passage, name: str, mark: str) -> str:
    pages = ",".join(map(str, passage.pages or (passage.page,)))
    return f"<{mark} {name} p.{pages}>\n{_shown(passage)}\n</{mark}>"


def _mark(texts: Iterable[str]) -> str:
    """Four hex digits that stand in none of the texts, or more: a mark is sent twice with each passage."""
    held = "\n".join(texts).lower()
    salt = 0
    while True:
        mark = hashlib.sha256(f"{salt}\n{held}".encode()).hexdigest()[: 4 + salt // 64]
        if mark not in held:
            return mark
        salt += 1
