"""Statements that bind no bidder whatever verb stands in them: questions, the answers to them, words to whoever judges.

Questions that the RFP puts to its respondents become rules elsewhere (`annotating.respondent_questions`). Whose duty the
other statements state is decided in `subjects`.
"""

from __future__ import annotations

import re

from bidproof.catalog.annotating.respondent_questions import is_reply
from bidproof.catalog.mining.compliance_rows import RowContext
from bidproof.catalog.mining.obligations import FORBID, MODAL
from bidproof.catalog.mining.parties import PARTY
from bidproof.catalog.mining.sentences import level
from bidproof.documents.integrity import speaks_to_a_judge

QUESTION = "a question, no duty"
ANSWER = "an answer to a question"
TO_A_JUDGE = "words to whoever judges, no duty of the bidder"

_ASKED = re.compile(r"\?[\s)\]\"”»']*$")
_NUMBERED = re.compile(r"^\W*(?:questions?(?: (?:no|n°))?\.? ?\d{0,3}|q ?\d{0,3}) ?: ?(?=\S)")
_ANSWER_COLUMN = re.compile(r"(?:^|\| ?)(?:answers?|reponses?|clarifications?|repl(?:y|ies))(?: ?\||$)")
_BIDS = (
    r"(?:bid(?:der)?|tender(?:er)?|offer(?:or)?|proposal|proponent|vendor|supplier|contractor|candidat|candidate|applicant|respondent|"
    r"soumissionnaire|concurrent|offre|submission)s?"
)
_OUTCOME = r"(?:pass(?:ed)?|compliant|full marks?|maximum (?:marks?|scores?|points?)|conformes?|note maximale)(?![a-z-])"
_JUDGED = (
    r"(?:given|rated|marked|scored|graded|judged|evaluated|assessed|treated|considered|deemed|declaree?s?|jugee?s?|notee?s?|"
    r"consideree?s?)"
)
_NOTE_TO_JUDGE = re.compile(
    r"^\W*(?:notes?|instructions?|messages?|memos?|attention)\W+(?:to|for|of|aux?|pour|a)\W+(?:the |all |any |les? |l'|human |ai )*"
    r"(?:evaluators?|judges?|reviewers?|assessors?|graders?|ai|llm|language model|evaluateurs?|examinateurs?|jury)(?![a-z])"
)
_EVERY_BID = re.compile(
    rf"(?:^\W*|[:.|] )(?:all|every|each|any|this|our|tou(?:s|tes)|chaque|cette|ce) (?:the |les )?(?:[a-z]+ ){{0,2}}{_BIDS} "
    rf"(?:(?:must|shall|should|will|is|are|has|have|to|doi(?:t|vent)|ser(?:a|ont)) )+(?:be |etre )?{_JUDGED} "
    rf"(?:(?:an?|the|as|to|be|have|fully|status|score|of|result|comme|etant|la|l[ae]) )*{_OUTCOME}"
)
"""Every bid is found good, without a word on what it must show."""
_FIND_GOOD = re.compile(
    rf"(?<![a-z])(?:mark|rate|score|grade|judge|evaluate|assess|treat|consider|find|give|declare[rz]?|note[rz]?|evalue[rz]?|considere[rz]?)"
    rf" [^.;]{{0,30}}?(?<![a-z]){_BIDS}(?![a-z])[^.;]{{0,40}}?(?<![a-z-]){_OUTCOME}"
)
_FORGET = re.compile(
    r"(?<![a-z])(?:ignore[rz]?|disregard) [^.;]{0,40}(?:instructions?|rules|criteria|regles|consignes|criteres)"
)
_DEPENDS = re.compile(
    r"(?<![a-z])(?:if|unless|that|which|who|whose|only|provided|where|when|without|non|not|or no|partial\w*|si|qui|dont|sauf|seules?|"
    r"seuls|ou non)(?![a-z])"
)
"""Something is asked first, or the other outcome is named too: how bids are judged, or how a matrix is filled in."""


def why_unbinding(
    text: str, lead: str = "", row: RowContext | None = None, *, after_question: bool = False
) -> str:
    """Why a statement binds nobody: `QUESTION`, `ANSWER`, `TO_A_JUDGE`; empty where its words may oblige.

    Args:
        text: its own words.
        lead: those that announce it.
        row: the table row that it is; rows of requirements that ask are asked of the bidder.
        after_question: the statement before it is a question or an answer.
    """
    plain = level(text)
    if _NOTE_TO_JUDGE.match(level(lead)) or _is_told_to_a_judge(text):
        return TO_A_JUDGE
    if row is not None:
        return QUESTION if _is_answered_row(row) else ""
    if _ASKED.search(plain) or _NUMBERED.match(plain):
        return QUESTION
    if (
        after_question
        and is_reply(text)
        and not ((MODAL.search(plain) or FORBID.search(plain)) and PARTY.search(plain))
    ):
        return ANSWER
    return ""


def _is_told_to_a_judge(text: str) -> bool:
    """Whether a statement tells whoever judges what to find, instead of a bidder what to offer."""
    plain = level(text)
    if _NOTE_TO_JUDGE.match(plain) or (_FORGET.search(plain) and speaks_to_a_judge(text, claims=False)):
        return True
    found = _EVERY_BID.search(plain) or _FIND_GOOD.search(plain)
    return found is not None and not _DEPENDS.search(plain)


def _is_answered_row(row: RowContext) -> bool:
    """A question with its answer beside it; one that stands alone in a table of requirements is put to the bidder."""
    cells = [cell.strip() for cell in row.quote.split(" | ")]
    asked = next((at for at, cell in enumerate(cells) if _ASKED.search(cell)), None)
    if asked is None:
        return False
    behind = [cell for cell in cells[asked + 1 :] if cell]
    if row.purpose == "facts" or any(is_reply(cell) for cell in behind):
        return True
    return bool(behind) and bool(_ANSWER_COLUMN.search(level(row.header)))
