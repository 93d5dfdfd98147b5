"""An RFP of five clauses, files of an addendum beside it, and the rules that stand in them."""

from __future__ import annotations

import polars as pl

from bidproof.catalog.building import mined_id
from bidproof.catalog.versions.addenda import Amended, apply_addenda
from bidproof.records import Requirement, Source
from bidproof.tables import BLOCKS, DOCUMENTS

Line = tuple[str, str]  # heading path, text; a text that is the last heading is that heading

RFP: list[Line] = [
    ("2 Bids > 2.1 Bid Validity", "The bidder shall keep its bid valid for at least 120 calendar days."),
    ("2 Bids > 2.2 Bid Security", "The bidder shall furnish a bid security of 2% of the total bid price."),
    ("2 Bids > 2.3 Language", "The bidder shall submit all documents in English."),
    ("3 Supply > 3.1 Warranty", "The supplier shall grant a warranty of at least 36 months."),
    ("3 Supply > 3.2 Training", "The supplier shall train ten operators on site."),
]

FRENCH: list[Line] = [
    ("2 Offres > 2.1 Validité", "Le soumissionnaire doit maintenir son offre pendant 90 jours."),
    ("2 Offres > 2.2 Caution", "Le soumissionnaire doit fournir une caution de 2 % du montant."),
]

OLD = [text for _, text in RFP]


def blocks_of(**files: list[Line]) -> pl.DataFrame:
    rows = []
    for name, lines in files.items():
        file_name = name.replace("__", ".")
        for number, (path, text) in enumerate(lines):
            heading = path.endswith(text) and bool(text)
            rows.append({
                "doc_id": name, "file_name": file_name, "page": 1 + number // 10, "block_no": number % 10, "text": text,
                "kind": "heading" if heading else "paragraph", "heading_path": path, "table_no": -1, "row_no": -1,
                "is_header": False, "struck": False, "hidden": False,
            })  # fmt: skip
    return BLOCKS.frame(rows)


def documents_of(blocks: pl.DataFrame, **later: str) -> pl.DataFrame:
    rows = []
    for doc_id, file_name in blocks.select("doc_id", "file_name").unique().sort("file_name").iter_rows():
        rows.append({
            "doc_id": doc_id, "file_name": file_name, "role": "rfp", "sha256": doc_id, "duplicate_of": "",
            "superseded_by": later.get(doc_id, ""),
        })  # fmt: skip
    return DOCUMENTS.frame(rows)


def rules_of(blocks: pl.DataFrame) -> list[Requirement]:
    """One rule a sentence that says shall or doit, as mining would find it."""
    rules: dict[str, Requirement] = {}
    for row in blocks.filter(pl.col("kind") == "paragraph").iter_rows(named=True):
        text = row["text"].rpartition(": ")[2]
        if not any(word in f" {text} " for word in (" shall ", " should ", " doit ")):
            continue
        source = Source(
            file_name=row["file_name"], page=row["page"], heading_path=row["heading_path"], quote=text
        )
        rule = Requirement(
            rule_id=mined_id(text), area="Admin", mandatory=" should " not in text, text=text,
            clause_ref=row["heading_path"], sources=(source,), source_page=source.page, source_quote=text,
        )  # fmt: skip
        if rule.rule_id in rules:
            known = rules[rule.rule_id]
            rule = known.model_copy(update={"sources": (*known.sources, source)})
        rules[rule.rule_id] = rule
    return list(rules.values())


def amended(
    *addendum: str, rfp: list[Line] = RFP, name: str = "addendum_1__pdf", **more: list[Line]
) -> Amended:
    blocks = blocks_of(rfp__pdf=rfp, **{name: [("", text) for text in addendum]}, **more)
    return apply_addenda(rules_of(blocks), blocks, documents_of(blocks), mined_id)


def texts(result: Amended) -> list[str]:
    return [rule.text for rule in result.rules]


def changed(place: int, text: str) -> list[str]:
    return [*OLD[:place], text, *OLD[place + 1 :]]
