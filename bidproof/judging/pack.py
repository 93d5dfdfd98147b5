"""Judging a whole pack: one row of `judgements` a rule.

Belongs here: tables in, tables out, and the digest of what the judge was shown. Does not belong here: how a
rule is judged (`predicate_judge`), checks on the verdict (`bidproof.verification`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bidproof.judging.asking.cases import Case, Judged, judged_all
from bidproof.judging.asking.judges import judge_named
from bidproof.judging.counter import shown_passages
from bidproof.judging.echo import RfpShingles
from bidproof.judging.passages import Passage, PassageShelf, candidate_ids, chosen_ids
from bidproof.judging.predicate_judge import Judge, concept_stems
from bidproof.params import Params, VerificationParams
from bidproof.records import Requirement, Status
from bidproof.tables import JUDGEMENTS

_SETTLED = (Status.PASS, Status.FAIL)


def rfp_shingles(rfp_chunks: pl.DataFrame, params: VerificationParams) -> RfpShingles:
    """The RFP's runs of words; a repeated table header counts once with each row."""
    return RfpShingles(rfp_chunks["text"].to_list(), params.echo_shingle, params.echo_share)


def prompt_digest(requirement: Requirement, shown: tuple[Passage, ...], settings: Mapping[str, Any]) -> str:
    """SHA-256 of everything that decides the verdict: rule, passages with their facts, parameters, judge."""
    content = {
        # Where the RFP states the rule is for readers of the catalog; no verdict hangs on it.
        "rule": requirement.model_dump(
            mode="json", exclude={"references", "sources", "source_page", "source_quote"}
        ),
        "passages": [passage.model_dump(mode="json") for passage in shown],
        "settings": dict(settings),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def case_of(
    rule: Requirement,
    shelf: PassageShelf,
    chosen: Mapping[str, Sequence[str]],
    wider: Mapping[str, Sequence[str]],
    params: Params,
    rfp: RfpShingles,
    attempt: int,
) -> Case:
    """A rule with all that it is judged by at the first or second attempt; chunk ids are by rule id, best first."""
    ids, others = chosen.get(rule.rule_id, []), wider.get(rule.rule_id, [])
    shown = shown_passages(rule, shelf, ids, others, params.judging, rfp, attempt=attempt)
    return Case(rule, shown, shelf.weights(concept_stems(rule)))


def _row(
    judged: Judged, keys: Mapping[str, Any], case: Case, judge: Judge, digest: str, attempt: int
) -> dict[str, object]:
    judgement = judged.judgement
    answer = json.dumps(judgement.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return {
        **keys,
        "rule_id": case.rule_id,
        "attempt": attempt,
        "judge": judge.name,
        "model": judge.model,
        "prompt_sha256": digest,
        "raw_answer": judged.raw_answer or answer,
        "status": judgement.status.value,
        "rationale": judgement.rationale,
        "quote": judgement.quote,
        "chunk_id": judgement.chunk_id,
        "pages": list(judgement.pages),
        "risk": judgement.risk,
        "needs_review": judgement.needs_review,
        "review_reason": judgement.review_reason,
        "other_quotes": list(judgement.other_quotes),
        "shown": [{"chunk_id": p.chunk_id, "context": p.context} for p in case.passages],
        "tokens_in": judged.tokens_in,
        "tokens_out": judged.tokens_out,
    }


def judge_pack(
    requirements: Sequence[Requirement],
    passages: pl.DataFrame,
    chunks: pl.DataFrame,
    facts: pl.DataFrame,
    rfp_chunks: pl.DataFrame,
    params: Params,
    judge: Judge | None = None,
    *,
    candidates: pl.DataFrame | None = None,
    catalog_version: str = "",
) -> pl.DataFrame:
    """Judgements on all rules of a catalog, shape `tables.JUDGEMENTS`, one a rule in order of rule id.

    A rule for which no passage was chosen is Missing. One that its passages neither prove nor refute is
    judged again with its best candidates beside them; that second attempt counts when it proves the rule.
    The result depends on nothing but the arguments.

    Args:
        requirements: the catalog's rules.
        passages: the choice of passages for each rule.
        chunks: chunks of the pack.
        facts: their facts.
        rfp_chunks: chunks of the RFP, for the echo guard.
        params: how strict to be (`judging`) and what counts as an echo (`verification`).
        judge: who judges; the judge named by `params.judging` when left out.
        candidates: all candidates of each rule, in which evidence against it is looked for.
        catalog_version: version of the catalog; that of `passages` when left out.
    """
    judge = judge or judge_named(params)
    shelf = PassageShelf(chunks, facts)
    rfp = rfp_shingles(rfp_chunks, params.verification)
    chosen, wider = chosen_ids(passages), candidate_ids(candidates)
    keys = {name: chunks[name][0] if chunks.height else "" for name in ("tender", "bidder", "pack")}
    keys["catalog_version"] = catalog_version or (passages["catalog_version"][0] if passages.height else "")
    rows: dict[str, dict[str, object]] = {}
    prompts, open_rules = Prompts(judge, params, rfp), sorted(requirements, key=lambda rule: rule.rule_id)
    for attempt in (1, 2):
        cases = [case_of(rule, shelf, chosen, wider, params, rfp, attempt) for rule in open_rules]
        judged = judged_all(judge, cases, rfp, keys["pack"])
        for case in cases:
            if attempt == 1 or judged[case.rule_id].judgement.status is Status.PASS:
                digest = prompts.digest(case.requirement, case.passages, case.weights)
                rows[case.rule_id] = _row(judged[case.rule_id], keys, case, judge, digest, attempt)
        open_rules = [
            case.requirement
            for case in cases
            if judged[case.rule_id].judgement.status not in _SETTLED and wider.get(case.rule_id)
        ]
    return JUDGEMENTS.frame([rows[rule_id] for rule_id in sorted(rows)])


class Prompts:
    """Names what a judge is shown by its digest, for one judge, one set of parameters and one RFP."""

    def __init__(self, judge: Judge, params: Params, rfp: RfpShingles) -> None:
        self._settings = {
            "judge": judge.name,
            "model": judge.model,
            "params": params.judging.model_dump(mode="json"),
            "echo": [params.verification.echo_shingle, params.verification.echo_share],
        }
        self._copied = _CopiedWords(rfp)

    def digest(
        self, requirement: Requirement, shown: tuple[Passage, ...], weights: Mapping[str, float]
    ) -> str:
        """SHA-256 of a rule with all that it is judged by: the key of its answer."""
        beside = {"weights": weights, "copied": self._copied.of(shown)}
        return prompt_digest(requirement, shown, {**self._settings, **beside})


class _CopiedWords:
    """Where words that a judge was shown stand in the RFP too: all of the RFP that a verdict can hang on."""

    def __init__(self, rfp: RfpShingles) -> None:
        self._rfp = rfp
        self._known: dict[str, list[tuple[int, int]]] = {}

    def of(self, shown: Sequence[Passage]) -> list[list[tuple[int, int]]]:
        """Offsets of the copied words in each passage."""
        for passage in shown:
            if passage.chunk_id not in self._known:
                self._known[passage.chunk_id] = list(self._rfp.shared(passage.text).places)
        return [self._known[passage.chunk_id] for passage in shown]
