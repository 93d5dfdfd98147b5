"""What is derived from the texts of rules, in words, beside the version of the stage that derives it.

    python tests/golden/derived_rules.py        writes derived_rules.json anew

The rules of the example are few kinds of rules; here stand all kinds, in English and in French, so that a derivation that
changes is seen where it changes. The test fails where a text has other predicates and the stage's version is the same: a
warehouse would keep the old ones and call them fresh. After a change that is meant: bump `code` of the stage
`requirements` in `bidproof/stages.py`, run this, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bidproof.catalog import derive
from bidproof.catalog.formats.alternatives import gathered
from bidproof.catalog.formats.predicate_lines import predicate_line
from bidproof.records import Requirement
from bidproof.stages import BY_NAME

HERE = Path(__file__).resolve().parent
FILE = HERE / "derived_rules.json"
TEXTS = HERE / "rule_texts.txt"
SUBMISSION = "2026-09-17"


def derived() -> dict[str, dict[str, list[str]]]:
    """Predicates in words, sentry terms and synonyms of each text."""
    found = {}
    for text in TEXTS.read_text(encoding="utf-8").splitlines():
        bare = Requirement(rule_id="R", area="A", mandatory=True, text=text)
        rule = derive(bare, submission_date=SUBMISSION)
        found[text] = {
            "predicates": [predicate_line(one, text, marked=mark) for one, mark in gathered(rule.predicates)],
            "sentry_terms": list(rule.sentry_terms),
            "synonyms": list(rule.synonyms),
        }
    return found


def made() -> dict[str, Any]:
    """The version of the stage, and what it derives."""
    return {"code": BY_NAME["requirements"].code, "rules": derived()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
