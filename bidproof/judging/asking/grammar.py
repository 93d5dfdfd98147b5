"""A grammar in which an answer can only cite what the passages say.

The quote comes first and is one of the sentences shown, then the status: without a quote only Missing can follow. So a
model of any size keeps the contract by construction. Does not belong here: the model, and which sentences are shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bidproof.judging.asking.contract import MAX_RATIONALE_CHARS, RISKS
from bidproof.judging.asking.orders import orders_a_judge
from bidproof.judging.passages import Passage
from bidproof.judging.units import units_of
from bidproof.judging.verdict import quote_of
from bidproof.records import Status

_CITED = tuple(status.value for status in Status if status is not Status.MISSING)
_QUOTE, _STATUS, _RISK, _WHY = "evidence_quote", "status", "risk_level", "rationale"


@dataclass(frozen=True)
class Sentence:
    """A sentence or table row that can be cited: `passage.text[start:end]`."""

    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        """Its words, verbatim."""
        return self.passage.text[self.start : self.end]


def sentences_of(passages: Iterable[Passage]) -> list[Sentence]:
    """What can be cited of the passages, each text once, in order.

    Words that tell a judge what to find are no evidence and cannot be cited. What is longer than a quote may be is cut
    at a clause.
    """
    found: dict[str, Sentence] = {}
    for passage in passages:
        for unit in units_of(passage):
            quote = quote_of(unit)
            start = passage.text.find(quote, unit.start)
            if quote and start >= 0 and not orders_a_judge(quote):
                found.setdefault(quote, Sentence(passage, start, start + len(quote)))
    return list(found.values())


def literal(text: str) -> str:
    """The text as a JSON string inside a terminal of the grammar."""
    return _terminal(json.dumps(text, ensure_ascii=False))


def _terminal(text: str) -> str:
    r"""A quoted terminal. Blanks other than a space are written as \xNN, \uNNNN: a grammar ends rules at line ends."""
    escaped = []
    for char in text:
        if char in '"\\':
            escaped.append("\\" + char)
        elif char == " " or (char.isprintable() and ord(char) < 0x10000):
            escaped.append(char)
        else:
            code = ord(char)
            escaped.append(
                f"\\x{code:02X}" if code < 0x80 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
            )
    return '"' + "".join(escaped) + '"'


def answer_grammar(sentences: Sequence[Sentence]) -> str:
    """The grammar, in GBNF, of an answer that cites one of the sentences or says Missing."""
    status = " | ".join(literal(name) for name in _CITED)
    risk = " | ".join(literal(name) for name in RISKS)
    key = {name: _terminal(f'"{name}": ') for name in (_QUOTE, _STATUS, _RISK, _WHY)}
    cited = f" | quote {_terminal(', ')} {key[_STATUS]} ({status})" if sentences else ""
    lines = [
        f'root ::= "{{" {key[_QUOTE]} ({literal("")} {_terminal(", ")} {key[_STATUS]} {literal("Missing")}{cited}) rest "}}"',
        f'rest ::= {_terminal(", ")} {key[_RISK]} ({risk}) {_terminal(", ")} {key[_WHY]} "\\"" said "\\""',
        f'said ::= [^"\\\\\\x00-\\x1F\\x7F]{{1,{MAX_RATIONALE_CHARS}}}',
    ]
    if sentences:
        lines.append("quote ::= " + " | ".join(literal(sentence.text) for sentence in sentences))
    return "\n".join(lines) + "\n"


def most_tokens(sentences: Sequence[Sentence], rationale_tokens: int) -> int:
    """Tokens that hold every answer up to its rationale, and that of the rationale.

    A token holds at least a byte, however a model cuts the words; so the longest sentence always fits.
    """
    longest = max((len(json.dumps(s.text, ensure_ascii=False).encode()) for s in sentences), default=2)
    frame = len(json.dumps({_QUOTE: "", _STATUS: "Missing", _RISK: "Medium", _WHY: ""}))
    return longest + frame + rationale_tokens


def read_grammatical(text: str, sentences: Sequence[Sentence]) -> dict[str, Any] | None:
    """Fields of an answer made under the grammar, with the page of its quote; None where it broke off before its end.

    Only a rationale may break off, when its room is used up: all that a verdict hangs on stands before it.
    """
    decoder = json.JSONDecoder(strict=False)
    fields: dict[str, Any] = {}
    at = 1
    try:
        for name in (_QUOTE, _STATUS, _RISK):
            at = text.index(f'"{name}": ', at) + len(name) + 4
            fields[name], at = decoder.raw_decode(text, at)
        at = text.index(f'"{_WHY}": "', at) + len(_WHY) + 4
    except ValueError:
        return None
    try:
        fields[_WHY], _ = decoder.raw_decode(text, at)
    except ValueError:
        fields[_WHY] = text[at + 1 :].rpartition(" ")[0] + " …"
    cited = next((sentence for sentence in sentences if sentence.text == fields[_QUOTE]), None)
    if cited is None and fields[_QUOTE]:
        return None
    pages = cited.passage.pages_of(cited.start, cited.end) if cited else ()
    return {**fields, "page_refs": list(pages)}
