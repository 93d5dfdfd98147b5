"""What is derived from a rule's text does not change unless the version of the stage does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import derived_rules as golden

from bidproof.catalog.formats.predicate_lines import parse_line


def test_predicates_that_change_have_a_new_version() -> None:
    now, kept = golden.made(), json.loads(golden.FILE.read_text(encoding="utf-8"))
    other = {
        text: (kept["rules"].get(text), said)
        for text, said in now["rules"].items()
        if said != kept["rules"].get(text)
    }
    assert not other or now["code"] != kept["code"], (
        f"bump `code` of `requirements` in bidproof/stages.py, then run tests/golden/derived_rules.py: {other}"
    )
    assert now == kept, (
        f"look whether it is meant, then run tests/golden/derived_rules.py: {other or now['code']}"
    )


def test_the_texts_are_of_each_kind_in_both_languages() -> None:
    kept = json.loads(golden.FILE.read_text(encoding="utf-8"))["rules"]
    assert list(kept) == golden.TEXTS.read_text(encoding="utf-8").splitlines()
    french = list(kept).index("La caution de soumission est d'au moins 2 % du montant de l'offre.")
    for texts in (list(kept)[:french], list(kept)[french:]):
        kinds = {parse_line(line, text).kind for text in texts for line in kept[text]["predicates"]}
        assert kinds == {"quantity", "standard", "form", "date", "presence"}
