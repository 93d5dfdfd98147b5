"""Records of planted errors and the file that they are written in. Plants nothing.

An error is told by the words that it changes in a right pack, so that a reader can see that it is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from bidproof.errors import BadInputError
from bidproof.records import Record

Kind = Literal[
    "wrong number", "wrong unit", "negated", "echoed", "forged quote", "swapped id", "wrong page", "hidden text",
    "blank form", "superseded edition", "contradiction",
]  # fmt: skip
KINDS: tuple[Kind, ...] = Kind.__args__  # type: ignore[attr-defined]
Hiding = Literal["invisible", "white", "tiny", "covered", "off page"]
Route = Literal["judgement", "model"]


class PlantedError(Record):
    """One error in one bidder's pack, and the rule that it breaks.

    Exactly one way of planting is given. `swap` changes words wherever they stand. `say` stands instead of what proves
    the rule, `beside` stands on another page while all that proves it stays. `echo` puts the tender's own words in its
    place. `hide` takes its print from the page and leaves it as text that nobody sees; `blank` takes words from a
    form's print. `later` adds a later version of the file in which words are changed. `quote` is a judge's quote,
    `of` the rule whose evidence a judge cites, `page` by how many pages it is wrong.
    """

    kind: Kind
    bidder: str
    rule: str
    language: Literal["en", "fr"] = "en"
    right: str = Field("", description="a statement that proves the rule, in the place of the pack's own")
    swap: dict[str, str] = Field({}, description="words of the pack, and what stands for them")
    say: str = ""
    beside: str = ""
    echo: Literal["", "rule", "rfp"] = ""
    lead: str = Field("", description="words before an echo")
    hide: Hiding | Literal[""] = ""
    blank: tuple[str, ...] = ()
    later: dict[str, str] = Field({}, description="the same in a later version of the file")
    quote: str = ""
    of: str = ""
    page: int = 0
    route: Route | Literal[""] = Field("", description="how a judge's error comes in")

    @property
    def by_judge(self) -> bool:
        """The error is the judge's, not the pack's."""
        return bool(self.quote or self.of or self.page)

    @property
    def in_print(self) -> bool:
        """The error is planted in the PDF itself."""
        return bool(self.hide or self.blank or self.later)

    @property
    def words(self) -> str:
        """What was planted, in one line."""
        changes = ", ".join(f"“{old}” to “{new}”" for old, new in {**self.swap, **self.later}.items())
        told = (
            self.say, self.beside, changes, self.echo and f"{self.lead} [{self.echo}]".strip(), self.hide,
            ", ".join(self.blank), self.quote, self.of and f"evidence of {self.of}", self.page and f"page {self.page:+d}",
        )  # fmt: skip
        return "; ".join(str(one) for one in told if one)


def read_errors(path: Path) -> list[PlantedError]:
    """The errors of a file: a list, each with its kind, bidder and rule; `language` is English where none is named.

    Raises:
        BadInputError: the file cannot be read, or an error is none.
    """
    try:
        listed = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise BadInputError(str(path), f"cannot be read ({error})", "write a list of errors") from None
    found = []
    for number, one in enumerate(listed or [], start=1):
        try:
            found.append(PlantedError.model_validate(one))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise BadInputError(f"{path}, error {number}", f"{where}: {first['msg']}", "mend it") from None
    return found
