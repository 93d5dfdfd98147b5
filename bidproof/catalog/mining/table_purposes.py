"""What a table of an RFP is for: requirements, submission, weights, points, prices, calendar, contract terms, a form.

Decided by the headings above it, its header and its cells together. How its rows are read stands in `compliance_rows`.
"""

from __future__ import annotations

import re
from typing import Literal

Purpose = Literal[
    "requirements",
    "submission",
    "weights",
    "points",
    "prices",
    "calendar",
    "contract",
    "contents",
    "form",
    "facts",
]

ANSWERS = re.compile(
    r"complian(?:t|ce)(?! requirement)|y ?/ ?n|response|bidder'?s?|vendor|conforme|conformite|reponse|answers?|offered|remarks?|comments?|"
    r"observations?|fill in|a remplir|a completer|to be (?:filled|completed)|yes ?(?:or|"
    r"/) ?no|oui ?/ ?non|if yes|certificate (?:number|reference)|"
    r"(?:proposed|committed|indicative|offered) value|page (?:no|ref)|complied"
)
REQUIREMENT = re.compile(
    r"requirements?|specifications?|criteri(?:on|a)|exigences?|caracteristiques?|minimum|must[- ]have|mandatory|standard|"
    r"norme|valeur exigee|prescriptions?|obligation|threshold|seuil|commitment|objectifs?|engagements?|valeurs? (?:attendue|demandee|minimale|"
    r"cible)s?|niveau (?:attendu|exige|de service)|"
    r"document(?:s)? (?:required|to)|pieces? (?:a fournir|exigee?s?|demandee?s?)|sla\b|target"
)
_WEIGHT = re.compile(r"weight|ponderation|coefficient|% of (?:total|score)")
_POINTS = re.compile(
    r"points?\b|marks?\b|max(?:imum)? (?:score|points|marks)|scor(?:e|ing)|bareme|notation|\bnote\b"
)
_EVALUATION = re.compile(
    r"evaluation|award criteri|scoring|criteres? (?:d'attribution|de jugement|de selection|d'evaluation)|jugement des offres"
)
_CALENDAR = re.compile(
    r"schedule|timeline|calendar|key dates|milestones?|calendrier|planning|echeancier|timetable"
)
_CALENDAR_HEAD = re.compile(
    r"^(?:event|activity|date|milestone|etape|evenement|echeance|stage|step|deadline)s?\b"
)
_PROCESS = re.compile(
    r"rfp (?:release|issue)|issue of|pre-?bid|pre-?tender|release|publication|contract award|award of|notification|evaluation|opening|"
    r"clarification|questions|submission|visite|ouverture|attribution|remise|demonstration|kick-?off|proposal|tender"
)
_DATE = re.compile(
    r"\b(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2}|(?:jan|feb|fev|mar|apr|avr|may|mai|jun|juin|jul|juil|aug|"
    r"aout|sep|oct|nov|dec)[a-z]*\.? "
    r"\d{1,2}(?:[–-]\d{1,2})?,? ?\d{0,4}|\d{1,2}(?:er)? (?:jan|feb|fev|mar|apr|avr|may|mai|jun|juin|jul|juil|aug|aout|sep|oct|nov|dec)[a-z]* \d{4})"
)
_CONTRACT = re.compile(
    r"terms (?:&|and) conditions|(?:general|special|particular) conditions|conditions of (?:the )?contract|contract data|service credits?|"
    r"penalt|penalites|liquidated|pay(?:ment|ments)\b|paiement|legal terms|clauses? contractuelles|reglement des prix"
)
_PRICES = re.compile(
    r"unit (?:price|rate|cost)|prix unitaire|\bp\.?u\.?\b|montant|amount\b|total price|prix total|\brate\b|prix (?:ht|"
    r"ttc|en)|quantit(?:y|e)|\bqty\b|qte"
)
_CONTENTS = re.compile(r"^(?:appendix|annexe?|attachment|exhibit|volume|part(?:ie)?|chapter|chapitre)s?\b")
_CONTENTS_PATH = re.compile(
    r"appendi(?:x|ces)|^(?:\d+\.? )?annexe?s?$|attachments|list of (?:documents|annex)|table of contents|sommaire|liste des annexes"
)
_FACTS = re.compile(
    r"current (?:landscape|state|environment|system)|existing|background|as-is|glossary|abbreviation|acronym|definition|contacts?\b|"
    r"about|introduction|situation actuelle|contexte|etat des lieux|out[- ]of[- ]scope|hors perimetre|document control|revision history|version"
)
_FACT_HEAD = re.compile(
    r"^(?:term|abbreviation|acronym|sigle|terme|definition|meaning|signification|version|contact)s?\b"
)
_SUBMISSION = re.compile(
    r"submission|proposal structure|bid structure|tender structure|documents? (?:to|required|comprising)|required (?:documents|forms)|"
    r"format (?:requirements|of)|presentation des offres|pieces (?:a fournir|justificatives|constitutives)|"
    r"contenu (?:de l'offre|du dossier de candidature)|"
    r"content of (?:the )?(?:bid|tender|proposal)|dossier (?:administratif|technique)"
)
_ASKING = re.compile(
    r"requirements?|specifications?|scope of (?:work|services?|supply)|qualifications?|eligib|criteria|certifications?|deliverables|"
    r"service levels?|\bslas?\b|compliance|pricing|technical|functional|security|performance|non-functional|phases?|scope|exigences?|"
    r"prestations?|niveaux? de (?:service|qualite|performance)|delais?|frequen|taches?|tasks?|cleaning|nettoyage|reports?|rapports?|deliverables?|"
    r"livrables?|"
    r"capacit|moyens|personnel|equipe|materiel|equipement|caracteristiques|horaires|effectifs|assurance|insurance|support|"
    r"training|staff|experience|conditions requises"
)


def purpose_of(headings: str, header: list[str], rows: list[list[str]]) -> Purpose:
    """What a table is for.

    Args:
        headings: levelled headings above, joined by ` > `.
        header: levelled header cells; empty where the table has none.
        rows: levelled cells of its rows.
    """
    path = headings.split(" > ")
    innermost, near = path[-1], " > ".join(path[-2:])
    names = " | ".join(header)
    asked = [n for n in header if n and not ANSWERS.search(n)]
    if rows and sum(_graded(cells) for cells in rows) >= 0.3 * len(rows):
        return "points"
    if _is_form(header, rows):
        return "form"
    values = [cells[-1] if len(cells) < 3 else " ".join(cells[1:]) for cells in rows if len(cells) > 1]
    if _WEIGHT.search(names) or (
        _EVALUATION.search(near) and _share(values, r"^\W*\d{1,3}(?:[.,]\d+)? ?%") >= 0.6
    ):
        return "points" if _grades(rows) else "weights"
    if (
        _POINTS.search(names)
        and not REQUIREMENT.search(re.sub(_POINTS, "", names).replace("criter", ""))
        and (_EVALUATION.search(headings) or re.search(r"bareme|points|marks|score", names))
    ):
        return "points"
    if _is_calendar(near, header, rows):
        return "calendar"
    if (header and _FACT_HEAD.search(header[0])) or _FACTS.search(innermost):
        return "facts"
    if _SUBMISSION.search(innermost) or (_SUBMISSION.search(near) and not _ASKING.search(innermost)):
        return "submission"
    if (header and _CONTENTS.search(header[0])) or _CONTENTS_PATH.search(innermost):
        return "contents"
    if any(REQUIREMENT.search(name) for name in asked):
        return "requirements"
    if _CONTRACT.search(innermost) or (_CONTRACT.search(near) and not _ASKING.search(innermost)):
        return "contract"
    if len(_PRICES.findall(names)) >= 2 or re.search(
        r"bordereau|bill of quantities|price schedule|detail estimatif", innermost
    ):
        return "prices"
    if _ASKING.search(near) or _ASKING.search(names):
        return "requirements"
    asked_above = _ASKING.search(headings) and not _FACTS.search(names)
    told = asking_rows(rows) or (asked_above and _measured_rows(rows))
    return "requirements" if told and not _EVALUATION.search(near) and not _FACTS.search(near) else "facts"


def _is_form(header: list[str], rows: list[list[str]]) -> bool:
    """A table that bidders fill in: little but labels and empty cells, or blanks in its words."""
    if not rows:
        return False
    if re.search(r"fill in|a remplir|a completer|to be completed by", " ".join(header)):
        return True
    answers = [
        i for i, name in enumerate(header) if i and ANSWERS.search(name) and not REQUIREMENT.search(name)
    ]
    if (
        answers
        and not any(REQUIREMENT.search(name) for name in header)
        and not any(len(cells) > i and cells[i] for cells in rows for i in answers)
        and not _asks_beside(header, rows, answers)
    ):
        return True
    blank = sum(bool(re.search(r"\[_+\]|_{4,}|\.{6,}|…{2,}", " ".join(cells))) for cells in rows)
    if blank >= 0.4 * len(rows):
        return True
    wide = [cells for cells in rows if len(cells) > 1]
    if not wide:
        return False
    full = sum(len([c for c in cells if c]) > 1 for cells in wide)
    long = sum(len(max(cells, key=len).split()) > 9 for cells in wide)
    return full <= 0.2 * len(wide) and long <= 0.3 * len(wide) and len(wide) > 1


_COMPLIANCE = re.compile(r"compl(?:y|ian)|conform|y ?/ ?n|(?:yes|oui) ?(?:/|or|ou) ?(?:no|non)")
_MEASURED = re.compile(
    r"[<>≤≥=]|\d ?(?:%|[a-z]{1,3}(?![a-z]))|\d|(?:at least|at most|minimum|maximum|not (?:less|more) than|no (?:less|more|later) than|within|below|"
    r"au moins|au plus|superieure? a|inferieure? a|shall|must|doi(?:t|vent))(?![a-z])"
)
_ASKED_COLUMN = re.compile(
    r"^(?:descriptions?|designations?|libelles?|features?|functions?|functionalit|fonctionnalites?|caracteristiques?|besoins?|needs?|items?|"
    r"articles?)"
)


def _asks_beside(header: list[str], rows: list[list[str]], answers: list[int]) -> bool:
    """Beside the empty column stands what is asked: a specification to comply with, no label of a form's field."""
    asked = [[cell for i, cell in enumerate(cells) if i not in answers] for cells in rows]
    named = any(_ASKED_COLUMN.search(name) for name in header)
    if named and any(_COMPLIANCE.search(header[i]) for i in answers):
        return True
    told = sum(any(_MEASURED.search(c) and len(c.split()) >= 2 for c in cells[-2:]) for cells in asked)
    return told >= 0.5 * len(rows)


def asking_rows(rows: list[list[str]]) -> bool:
    """Most rows hold a limit, an order or a verb that obliges, beside what they are about."""
    wide = [cells for cells in rows if len([c for c in cells if c]) > 1]
    told = sum(any(_LIMITED.search(cell) for cell in cells[1:]) for cells in wide)
    return bool(wide) and told >= 0.5 * len(rows)


def _measured_rows(rows: list[list[str]]) -> bool:
    """Most rows hold a figure with its unit beside what they are about."""
    wide = [cells for cells in rows if len([c for c in cells if c]) > 1]
    told = sum(any(_WITH_UNIT.search(cell) for cell in cells[1:]) for cells in wide)
    return bool(wide) and told >= 0.5 * len(rows)


_WITH_UNIT = re.compile(
    r"\d ?(?:%|°|(?:[a-z]{1,3}|days?|weeks?|months?|years?|hours?|minutes?|jours?|semaines?|mois|ans|heures?)(?![a-z]))"
)
_LIMITED = re.compile(
    r"[<>≤≥]|(?<![a-z])(?:at least|at most|minimum|maximum|min\.?|max\.?|not (?:less|more) than|no (?:less|more|later) than|within \d|"
    r"au moins|au plus|sous \d|dans (?:les|un delai)|superieure? (?:ou egale? )?a|inferieure? (?:ou egale? )?a|up to \d|jusqu'a \d|shall|must|"
    r"doi(?:t|vent)|to be (?:provided|submitted|supplied)|required|obligatoires?|exigee?s?)(?![a-z])"
)


def _share(values: list[str], pattern: str) -> float:
    return sum(bool(re.search(pattern, value)) for value in values) / len(values) if values else 0.0


def _graded(cells: list[str]) -> bool:
    """The row says what earns how many points."""
    return len(re.findall(r"\d+ ?(?:points?|pts|marks)\b", " ".join(cells))) >= 2


def _grades(rows: list[list[str]]) -> bool:
    return any(_graded(cells) for cells in rows)


def _is_calendar(near: str, header: list[str], rows: list[list[str]]) -> bool:
    dated = sum(bool(_DATE.search(" ".join(cells[1:]))) for cells in rows if len(cells) > 1)
    if dated < 0.5 * len(rows) or not rows:
        return False
    process = sum(bool(_PROCESS.search(cells[0])) for cells in rows)
    named = bool(_CALENDAR.search(near)) or any(_CALENDAR_HEAD.search(name) for name in header)
    return named and process >= 2
