"""Whose duty a table row states, by what its table is for and what its cells say."""

from __future__ import annotations

import re

from bidproof.catalog.mining.clause_parties import BLANK, Context, Verdict
from bidproof.catalog.mining.compliance_rows import RowContext
from bidproof.catalog.mining.obligations import MODAL
from bidproof.catalog.mining.sentences import level
from bidproof.catalog.mining.subjects import classify, is_legal

_DEADLINE = re.compile(
    r"deadline|registration|last date|closing|due date|date limite|remise des|depot des|receipt of (?:bids|tenders|proposals)|written questions|"
    r"submission of (?:bids|tenders|proposals|questions|clarification)|requests? for clarification|visite obligatoire|mandatory site visit"
)
_DELIVERY = re.compile(
    r"data protection|protection des donnees|security|securite|confidential|escrow|insurance|assurance|warrant|garantie technique|complian|"
    r"support|training|formation|staff|personnel|report|service level|availability|maintenance|breach notification|"
    r"language|subcontract|hours|horaires"
)
_HANDED_IN = re.compile(
    r"required|to be (?:submitted|completed|signed|filled)|mandatory|a (?:fournir|remettre|joindre|completer|signer)|obligatoire"
)


def row_verdict(row: RowContext, context: Context) -> Verdict:
    """Whose duty the row states; rows of tables that ask are the bidder's unless their words name somebody else."""
    words = level(row.text)
    if row.purpose == "form":
        return Verdict("bidder", BLANK)
    if row.purpose == "weights":
        return Verdict("buyer", "a weight of the evaluation")
    if row.purpose == "contents":
        return (
            Verdict("bidder", "forms asked for")
            if _HANDED_IN.search(words)
            else Verdict("none", "a list of contents")
        )
    if row.purpose == "calendar":
        if _DEADLINE.search(level(row.label or row.text)):
            return Verdict("bidder", "a deadline for bidders")
        return Verdict("none", "a date of the buyer's calendar")
    if row.empty:
        return Verdict("none", "a title or a total")
    if row.purpose == "points":
        return Verdict("bidder", "a criterion with points")
    if row.purpose == "prices":
        return Verdict("none", "a line of a price schedule")
    said = classify(
        " ".join(cell.text for cell in row.values),
        Context(context.heading_path, "", "row", "none", context.buyer_names, context.defined),
    )
    obliged = bool(MODAL.search(words))
    if row.purpose == "contract":
        if said.subject in ("buyer", "third_party") and obliged:
            return said
        if _DELIVERY.search(level(row.label)) or (obliged and said.subject == "bidder"):
            return Verdict("bidder", "how the service is delivered")
        return Verdict("contract", "a term of the contract")
    if row.purpose == "facts" and _DEADLINE.search(words[:90]) and re.search(r"\d", words):
        return Verdict("bidder", "a deadline for bidders")
    if row.purpose == "facts":
        return said if obliged else Verdict("none", "a table that asks nothing")
    if obliged and said.subject != "bidder":
        return said if said.subject != "none" else Verdict("bidder", "a row of requirements")
    if is_legal(level(row.label)):
        return Verdict("contract", "a term of the contract")
    return Verdict("bidder", f"a row of {row.purpose}")
