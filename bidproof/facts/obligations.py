"""Words that oblige: shall, must, grounds for rejection and their French forms."""

from __future__ import annotations

import re

from bidproof.facts.view import View
from bidproof.records import Fact

_OBLIGATION = re.compile(
    r"(?<![a-z])(?:(?P<rejection>grounds? for (?:rejection|disqualification)|(?:shall|will|may|must) (?:be|"
    r"lead to|result in) (?:rejected|rejection|disqualified|disqualification)|"
    r"sous peine de (?:rejet|nullite|forclusion)|motifs? de rejet|sera rejetee?|seront rejetees?|non[- "
    r"]responsive|pass/fail)"
    r"|(?P<shall>(?:shall|must)(?: not)?|doi(?:t|vent)(?: pas)?|devr(?:a|ont)|(?:is|are) (?:required|"
    r"obliged|bound) to|(?:has|have) to|est tenue? de|sont tenue?s de)"
    r"|(?P<required>(?:is|are|be) (?:required|mandatory|compulsory)|required|mandatory|compulsory|"
    r"obligatoires?|obligatoirement|imperativement|exigee?s?|requise?s?))(?![a-z])"
)  # fmt: skip


def find_obligations(view: View) -> list[Fact]:
    """Obligations in order; `code` is `rejection`, `shall`, `shall not` or `required`."""
    facts = []
    for match in _OBLIGATION.finditer(view.low):
        code = match.lastgroup or ""
        if code == "shall" and match.group().endswith((" not", " pas")):
            code = "shall not"
        facts.append(
            Fact(
                kind="obligation",
                start=match.start(),
                end=match.end(),
                text=view.raw[match.start() : match.end()],
                code=code,
            )
        )
    return facts
