"""Which judge the parameters name, made ready to ask.

Belongs here: the choice, and what must be there before anything is asked. Does not belong here: the judges.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from bidproof.judging.asking.kept import Shelf
from bidproof.judging.predicate_judge import Judge, PredicateJudge
from bidproof.params import Params

MODEL_JUDGES = ("openai", "llama")


def judge_named(
    params: Params, shelf: Shelf | None = None, environment: Mapping[str, str] | None = None
) -> Judge:
    """The judge that `params.judging.judge` names. The environment is read for the key alone.

    Raises:
        BadInputError: a judge that asks a model has no server, model, key or library to ask it with.
    """
    name = params.judging.judge
    if name == "openai":
        from bidproof.judging.asking.openai_judge import OpenAIJudge
        from bidproof.judging.asking.server import Address

        return OpenAIJudge(
            params, Address.of(params.asking, os.environ if environment is None else environment), shelf
        )
    if name == "llama":
        from bidproof.judging.asking.llama_judge import LlamaJudge

        return LlamaJudge(params, shelf)
    return PredicateJudge(params.judging)


def check_judge(params: Params, environment: Mapping[str, str] | None = None) -> None:
    """Refuse a run at once whose judge cannot ask anybody, before a page is read.

    Raises:
        BadInputError: as `judge_named`.
    """
    if params.judging.judge in MODEL_JUDGES:
        judge_named(params, None, environment)
