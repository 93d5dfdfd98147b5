"""A pack's tables under some parameters: from the warehouse where nothing that made them differs, else worked out.

Holds which stages are touched. What a stage computes stands in `recomputing`, what the warehouse has in `stored`.
"""

from __future__ import annotations

import polars as pl

from bidproof.catalog import requirements_from_table
from bidproof.catalog.building import catalog_version_of
from bidproof.evaluation.replay.answers import CODE_JUDGES, RecordedJudge, asked_a_model
from bidproof.evaluation.replay.recomputing import BY_RULE, WHOLE, Tools
from bidproof.evaluation.replay.stored import StoredPack
from bidproof.judging import judge_pack
from bidproof.params import Params
from bidproof.rows_by_rule import Kept, by_rule_inputs, joined, untouched_rules
from bidproof.stages import BY_NAME, Stage
from bidproof.store import digest
from bidproof.tables import TABLES


class PackAt:
    """Tables of one pack at `params`; written nowhere.

    Args:
        stored: the pack in the warehouse.
        params: parameters.
        tools: what replays share.
        before: the pack that it is compared with: its rows are taken over for rules of which nothing changed.
    """

    def __init__(
        self, stored: StoredPack, params: Params, tools: Tools, before: PackAt | None = None
    ) -> None:
        self.stored, self.params, self._tools, self._before = stored, params, tools, before
        self._known: dict[str, tuple[str, pl.DataFrame | None]] = {}
        self._answers: RecordedJudge | None = None
        self.computed: list[str] = []

    @property
    def tender(self) -> str:
        """The pack's tender."""
        return self.stored.tender

    @property
    def pack(self) -> str:
        """The pack."""
        return self.stored.pack

    @property
    def learned(self) -> pl.DataFrame:
        """What was learned for the tender and is in use."""
        return self.stored.learned

    @property
    def decided(self) -> pl.DataFrame:
        """What people decided on the pack."""
        return self.stored.decided

    def __getitem__(self, name: str) -> pl.DataFrame:
        """Rows of a stage."""
        frame = self._settled(name)[1]
        return self.stored.rows(name) if frame is None else frame

    def token(self, name: str) -> str:
        """Names the content of a stage's rows: the digest in its manifest as long as they are those of the warehouse."""
        return self._settled(name)[0]

    def _settled(self, name: str) -> tuple[str, pl.DataFrame | None]:
        """Token and rows of a stage; no rows where they are those of the warehouse."""
        if name not in self._known:
            stage = BY_NAME[name]
            if self._touched(stage):
                self.computed.append(name)
                key = digest(
                    [
                        stage.code,
                        self.params.groups(stage.params),
                        [self.token(one) for one in self._inputs(stage)],
                    ]
                )
                frame = self._tools.memo.get((self.stored.pack, name), key, lambda: self._compute(stage))
                same = frame.equals(self.stored.rows(name), null_equal=True)
                self._known[name] = (self._content(name), None) if same else (key, frame)
            else:
                self._known[name] = (self._content(name), None)
        return self._known[name]

    def _content(self, name: str) -> str:
        return self.stored.manifests[name].content

    def _inputs(self, stage: Stage) -> list[str]:
        return [name for name in stage.inputs if name in self.stored.manifests]

    def _touched(self, stage: Stage) -> bool:
        if stage.name not in WHOLE and stage.name not in BY_RULE:
            return False
        if stage.name == "requirements" and not self.stored.mined:
            return False
        return (
            stage.name in self.stored.stale
            or self.params.groups(stage.params) != self.stored.base.groups(stage.params)
            or any(self.token(name) != self._content(name) for name in self._inputs(stage))
        )

    def _compute(self, stage: Stage) -> pl.DataFrame:
        table = TABLES[stage.table]
        whole = WHOLE.get(stage.name)
        frame = whole(self, self._tools) if whole else self._by_rule(stage)
        partition = self.stored.partition(stage)
        tender, _, bidder = partition.partition("--")
        keys = {"tender": tender, "bidder": bidder, "pack": partition}
        return table.conform(frame.with_columns(pl.lit(value).alias(name) for name, value in keys.items()))

    def _by_rule(self, stage: Stage) -> pl.DataFrame:
        """Rows of all rules: computed for those that are touched, taken over from `before` for the others."""
        table, requirements = TABLES[stage.table], self["requirements"]
        version, kept = catalog_version_of(requirements), self._kept(stage)
        rules = [one for one in requirements_from_table(requirements) if one.rule_id not in kept.rules]
        fresh = BY_RULE[stage.name](self, self._tools, rules, version) if rules else table.empty()
        return joined(kept, table.conform(fresh), version)

    def _kept(self, stage: Stage) -> Kept:
        table, before = TABLES[stage.table], self._before
        if before is None or self.params.groups(stage.params) != before.params.groups(stage.params):
            return Kept(table.empty())
        own = by_rule_inputs(stage)
        if any(self.token(name) != before.token(name) for name in stage.inputs if name not in own):
            return Kept(table.empty())
        old, new = ({BY_NAME[name].table: at[name] for name in own} for at in (before, self))
        rules = untouched_rules(old, new)
        return Kept(before[stage.name].filter(pl.col("rule_id").is_in(sorted(rules))), rules)

    @property
    def answers(self) -> RecordedJudge | None:
        """What a model has answered in this pack, under these parameters; None where code judges."""
        by_code = self.params.judging.judge in CODE_JUDGES
        if by_code and not asked_a_model(self.stored.rows("judgements")):
            return None
        if self._answers is None:
            if self._before is not None and (known := self._before.answers) is not None:
                self._answers = known.under(self.params)
            else:
                self._answers = self._recorded()
        return self._answers

    def _recorded(self) -> RecordedJudge:
        versions = [*self.stored.versions("judgements"), *self.stored.versions("escalations")]
        judge = RecordedJudge(versions, self.stored.base)
        requirements = self["requirements"]
        judge.learning = True
        judge_pack(
            requirements_from_table(requirements), self["passages"], self["chunks"], self["facts"], self["rfp_chunks"],
            self.stored.base, judge, candidates=self["candidates"], catalog_version=catalog_version_of(requirements),
        )  # fmt: skip
        judge.learning = False
        return judge.under(self.stored.base)
