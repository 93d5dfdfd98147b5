"""Which required numbers the chosen passages do not show."""

from __future__ import annotations

from bidproof.records import Requirement
from bidproof.retrieval import unseen_numbers
from bidproof.tables import PASSAGES


def rule(rule_id: str, mandatory: bool) -> Requirement:
    return Requirement(rule_id=rule_id, area="Admin", mandatory=mandatory, text="Bid valid for 120 days.")


def test_unseen_numbers_of_mandatory_rules_are_named_and_unseen_words_are_not() -> None:
    passages = PASSAGES.frame(
        [
            {"rule_id": "R1", "order_no": 1, "missing_terms": ["validity", "120 days"]},
            {"rule_id": "R1", "order_no": 2, "missing_terms": ["validity", "120 days"]},
            {"rule_id": "R2", "order_no": 1, "missing_terms": ["ISO 9001"]},
            {"rule_id": "R3", "order_no": 1, "missing_terms": ["warranty"]},
        ]
    )
    rules = [rule("R1", True), rule("R2", False), rule("R3", True)]
    assert unseen_numbers(rules, passages) == ["R1: 120 days"]
