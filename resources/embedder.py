"""The embedding model that the parameters name, loaded once a process."""

from __future__ import annotations

import dagster as dg
from pydantic import PrivateAttr

from bidproof.params import DenseParams
from bidproof.retrieval.embedding import Embedder, make_embedder


class EmbedderResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Hands the same embedder to every stage of a run, so that its weights are read once."""

    _made: dict[str, Embedder | None] = PrivateAttr(default_factory=dict)

    def make(self, params: DenseParams) -> Embedder | None:
        """Embedder named by `params`; None when the dense leg is off. Loads nothing before the first text."""
        key = params.model_dump_json()
        if key not in self._made:
            self._made[key] = make_embedder(params)
        return self._made[key]
