"""Which judge the parameters name, made ready to ask.

Belongs here: the choice, and what must be there before anything is asked. Does not belong here: the judges.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bidproof.judging.asking.kept import Shelf
from bidproof.judging.predicate_judge import Judge, PredicateJudge
from bidproof.params import Params

if TYPE_CHECKING:
    from bidproof.judging.scheduling import Schedulers


def judge_named(
    params: Params,
    shelf: Shelf | None = None,
    environment: Mapping[str, str] | None = None,
    schedulers: Schedulers | None = None,
) -> Judge:
    """The judge that `params.judging.judge` names.

    Args:
        params: which judge, and how it asks.
        shelf: where a model's answers are kept; for this judge's life alone when left out.
        environment: is read for the key alone; that of the process when left out.
        schedulers: of all judges that ask the same servers; one of its own when left out.

    Raises:
        BadInputError: a judge that asks a model has no server, model, key or library to ask it with.
    """
    name = params.judging.judge
    if name == "openai":
        from bidproof.judging.asking.openai_judge import OpenAIJudge
        from bidproof.judging.asking.server import Address

        address = Address.of(params.asking, os.environ if environment is None else environment)
        scheduler = schedulers.of(address.account, params.scheduling) if schedulers else None
        return OpenAIJudge(params, address, shelf, scheduler)
    if name == "llama":
        from bidproof.judging.asking.llama_judge import LlamaJudge

        return LlamaJudge(params, shelf)
    return PredicateJudge(params.judging)


def check_judge(params: Params, environment: Mapping[str, str] | None = None) -> None:
    """Refuse a run at once whose judge cannot ask anybody, before a page is read.

    Raises:
        BadInputError: as `judge_named`.
    """
    if params.judging.judge != PredicateJudge.name:
        judge_named(params, None, environment)
