"""Rows kept from the version before are those that a run from nothing gives, whatever is edited in the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bidproof.catalog import catalog_version, requirements_table
from bidproof.catalog.formats.files import load_catalog
from bidproof.catalog.predicates.derivation import derive
from bidproof.judging import RfpShingles, judge_pack
from bidproof.judging.asking.judges import judge_named
from bidproof.params import Params, VerificationParams
from bidproof.records import Requirement
from bidproof.retrieval import (
    DenseIndex,
    LexicalIndex,
    build_dense_index,
    find_candidates,
    select_passages,
)
from bidproof.retrieval.embedding import Role, Vectors
from bidproof.rows_by_rule import Kept, joined, untouched_rules
from bidproof.stages import STAGES
from bidproof.store import Warehouse, parquet_bytes
from bidproof.tables import TABLES
from bidproof.verification import escalate, find_objections, objections, verify_findings
from pipelines.execute import run_inbox

OFF = {"dense": {"enabled": False}}
DEMO = Path(__file__).resolve().parents[2] / "examples/make/content/catalog.yaml"
BY_RULE = ("candidates", "passages", "judgements", "escalations", "objections", "findings")
GOOD = "water-meters--good"


@pytest.fixture(autouse=True)
def _few_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objections are sought in the small pack as in a large one."""
    monkeypatch.setattr(objections, "FEWEST_CHUNKS", 2)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, small_tender: Callable[[Path], Path]) -> Path:
    """A folder in which one bidder of the small tender was run."""
    folder = tmp_path_factory.mktemp("reuse")
    inbox = small_tender(folder)
    report = run_inbox(inbox, str(folder / "warehouse"), bidder="good", overrides=OFF, project_root=folder)
    assert report.failed == {}
    return folder


def test_by_rule_stages_read_the_rules_and_write_rows_of_one_rule_each() -> None:
    assert tuple(stage.name for stage in STAGES if stage.by_rule) == BY_RULE
    for stage in STAGES:
        if stage.by_rule:
            assert "requirements" in stage.inputs
            assert "rule_id" in TABLES[stage.table].key


class Letters:
    """An encoder of how often each letter stands in a text."""

    name, fingerprint, dimensions, max_tokens = "letters", "letters:1", 26, 10_000
    languages: frozenset[str] = frozenset()

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        counts = np.array(
            [[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32
        )
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class Pack:
    """The by-rule stages over one pack, computed for given rules."""

    def __init__(self, folder: Path) -> None:
        store = Warehouse(folder / "warehouse")
        names = ("documents", "pages", "blocks", "chunks", "facts", "tags", "lexical_index")
        self.frames = {name: store.read(name, GOOD) for name in names}
        self.rfp = store.read("chunks", "water-meters")
        letters = Letters()
        self.dense = DenseIndex.from_table(build_dense_index(self.frames["chunks"], letters, Params().dense))
        self.kept = self.dense.kept_vectors(letters, None)

    def compute(
        self, table: str, rules: Sequence[Requirement], at: dict[str, pl.DataFrame], version: str
    ) -> pl.DataFrame:
        own, params = self.frames, Params()
        if table == "candidates":
            lexical = LexicalIndex.from_table(own["lexical_index"])
            return find_candidates(
                rules,
                own["chunks"],
                own["facts"],
                own["tags"],
                lexical,
                None,
                None,
                self.rfp,
                params.retrieval,
                version,
            )
        if table == "passages":
            return select_passages(
                rules, at["candidates"], own["chunks"], own["facts"], params.selection, version
            )
        if table == "judgements":
            return judge_pack(
                rules, at["passages"], own["chunks"], own["facts"], self.rfp, params,
                candidates=at["candidates"], catalog_version=version,
            )  # fmt: skip
        if table == "escalations":
            return escalate(
                rules, self.rfp, own["documents"], own["pages"], own["blocks"], own["chunks"], own["facts"],
                at["candidates"], at["passages"], at["judgements"], params, lambda: judge_named(params), catalog_version=version,
            )  # fmt: skip
        if table == "objections":
            return find_objections(
                rules, RfpShingles((), 6, 0.6), own["chunks"], own["facts"], at["candidates"], at["judgements"],
                at["escalations"], self.dense, self.kept, VerificationParams(objection_likeness=0.01), version,
            )  # fmt: skip
        return verify_findings(
            rules, self.rfp, own["documents"], own["pages"], own["blocks"], own["chunks"], own["facts"],
            at["candidates"], at["passages"], at["judgements"], params.verification, catalog_version=version,
            escalations=at["escalations"], objections=at["objections"],
        )  # fmt: skip

    def all(
        self, rules: list[Requirement], before: dict[str, pl.DataFrame] | None = None
    ) -> dict[str, pl.DataFrame]:
        """All tables of a catalog: from scratch, or from those of another catalog."""
        version = catalog_version(rules)
        at = {"requirements": requirements_table(rules, tender="water-meters", version=version, draft=False)}
        for table in BY_RULE:
            read = [name for name in ("requirements", *BY_RULE) if name in at]
            same = (
                untouched_rules({n: before[n] for n in read}, {n: at[n] for n in read})
                if before
                else frozenset()
            )
            old = before[table] if before else TABLES[table].empty()
            kept = Kept(old.filter(pl.col("rule_id").is_in(sorted(same))), same)
            touched = [rule for rule in rules if rule.rule_id not in same]
            fresh = self.compute(table, touched, at, version) if touched else TABLES[table].empty()
            at[table] = joined(kept, TABLES[table].conform(fresh), version)
        return at


def edited(rules: list[Requirement], chance: random.Random) -> list[Requirement]:
    """The catalog after a few edits such as people make, in any order."""
    found = list(rules)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(found))
        rule, kind = (
            found[place],
            chance.choice(("figure", "drop", "add", "id", "must", "page", "order", "synonym")),
        )
        bare = rule.model_copy(update={"predicates": (), "sentry_terms": ()})
        if kind == "figure":
            found[place] = derive(bare.model_copy(update={"text": rule.text.replace("0", "5", 1)}))
        elif kind == "drop" and len(found) > 1:
            found.pop(place)
        elif kind == "add":
            new = {
                "rule_id": f"N{chance.randrange(10**6)}",
                "text": "The warranty runs for at least 30 months.",
            }
            found.append(derive(bare.model_copy(update=new)))
        elif kind == "id":
            found[place] = rule.model_copy(update={"rule_id": f"X{chance.randrange(10**6)}"})
        elif kind == "must":
            found[place] = rule.model_copy(update={"mandatory": not rule.mandatory})
        elif kind == "page":
            found[place] = rule.model_copy(
                update={"source_page": chance.randrange(1, 99), "source_quote": "elsewhere"}
            )
        elif kind == "synonym":
            found[place] = rule.model_copy(update={"synonyms": (*rule.synonyms, "guarantee")})
        else:
            chance.shuffle(found)
    return found


def test_whatever_is_edited_in_the_demo_catalog_the_rows_are_those_of_a_run_from_nothing(done: Path) -> None:
    pack, file = Pack(done), load_catalog(DEMO)
    rules = [derive(rule, submission_date=file.submission_date) for rule in file.rules]
    assert len(rules) == 32
    chance = random.Random(4)
    kept = pack.all(rules)
    for _ in range(12):
        rules = edited(rules, chance)
        scratch, kept = pack.all(rules), pack.all(rules, kept)
        for table in BY_RULE:
            assert parquet_bytes(TABLES[table], kept[table]) == parquet_bytes(TABLES[table], scratch[table])
