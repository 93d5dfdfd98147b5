"""Effective parameters: all groups of knobs, read in layers. Each knob with its default and reason stands in `knobs`.

Layers, later wins: the defaults here, `params.yaml` in the project root, `params.yaml` in the tender's
folder, the command line. A stage's fingerprint covers only the groups that the stage names, so a changed
knob re-runs what depends on it and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from bidproof.errors import BadInputError
from bidproof.knobs.asking import AskingParams
from bidproof.knobs.group import Group
from bidproof.knobs.judging import (
    EscalationParams,
    EvaluationParams,
    JudgingParams,
    ScoringParams,
    VerificationParams,
)
from bidproof.knobs.learning import LearningParams
from bidproof.knobs.reading import CatalogParams, ChunkingParams, DocumentParams, FactParams
from bidproof.knobs.retrieval import DenseParams, RetrievalParams, SelectionParams
from bidproof.knobs.scheduling import SchedulingParams

__all__ = [
    "AskingParams",
    "CatalogParams",
    "ChunkingParams",
    "DenseParams",
    "DocumentParams",
    "EscalationParams",
    "EvaluationParams",
    "FactParams",
    "JudgingParams",
    "LearningParams",
    "Params",
    "RetrievalParams",
    "SchedulingParams",
    "ScoringParams",
    "SelectionParams",
    "VerificationParams",
    "load_params",
    "read_overrides",
    "resolve",
]


class Params(Group):
    """All groups. Field names are the paths used in YAML and on the command line, e.g. `selection.k`."""

    documents: DocumentParams = DocumentParams()
    chunking: ChunkingParams = ChunkingParams()
    facts: FactParams = FactParams()
    catalog: CatalogParams = CatalogParams()
    retrieval: RetrievalParams = RetrievalParams()
    dense: DenseParams = DenseParams()
    selection: SelectionParams = SelectionParams()
    judging: JudgingParams = JudgingParams()
    verification: VerificationParams = VerificationParams()
    escalation: EscalationParams = EscalationParams()
    scoring: ScoringParams = ScoringParams()
    evaluation: EvaluationParams = EvaluationParams()
    learning: LearningParams = LearningParams()
    asking: AskingParams = AskingParams()
    scheduling: SchedulingParams = SchedulingParams()

    def groups(self, names: Iterable[str]) -> dict[str, Any]:
        """The named groups as plain data, for a fingerprint or a manifest.

        What changes how long something takes, never what comes of it, is left out; so are the groups of judges that ask
        a model where none is asked.
        """
        picked = {name: getattr(self, name).model_dump(mode="json") for name in names}
        picked.get("documents", {}).pop("workers", None)
        for name, heeded in {"asking": AskingParams.HEEDED, "scheduling": SchedulingParams.HEEDED}.items():
            if name in picked:
                picked[name] = {knob: picked[name][knob] for knob in heeded}
                if self.judging.judge == "predicate":
                    del picked[name]
        return picked


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in over.items():
        both = isinstance(merged.get(name), dict) and isinstance(value, Mapping)
        merged[name] = _merge(merged[name], value) if both else value
    return merged


def read_overrides(path: Path) -> dict[str, Any]:
    """Overrides of one YAML file, nested by group.

    Raises:
        BadInputError: the file is missing, is no YAML, or is no mapping.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInputError(str(path), "no such parameter file", "name an existing YAML file") from None
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise BadInputError(str(path), reason, "name a YAML file that can be read") from None
    except RecursionError:
        raise BadInputError(
            str(path), "is nested without end", "write `group:` and `name: value` lines"
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise BadInputError(
            str(path), f"not a YAML parameter file ({reason})", "write `group:` and `name: value` lines"
        ) from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise BadInputError(str(path), "holds no parameter groups", "write `group:` and `name: value` lines")
    return data


def resolve(layers: Iterable[tuple[str, Mapping[str, Any]]]) -> Params:
    """Effective parameters of named layers of overrides, later layers winning.

    Raises:
        BadInputError: a name is unknown or a value is out of its range; the layer is named.
    """
    merged: dict[str, Any] = {}
    params = Params()
    for where, layer in layers:
        merged = _merge(merged, layer)
        try:
            params = Params.model_validate(merged)
        except ValidationError as error:
            first = error.errors()[0]
            knob = ".".join(str(part) for part in first["loc"])
            raise BadInputError(
                where,
                f"parameter {knob}: {first['msg'].lower()}",
                "see docs/parameters.md for names and ranges",
            ) from None
    return params


def load_params(
    project_root: Path, tender_dir: Path | None = None, overrides: Mapping[str, Any] | None = None
) -> Params:
    """Effective parameters of a project, a tender and the command line.

    Raises:
        BadInputError: a layer names an unknown knob or an impossible value.
    """
    layers: list[tuple[str, Mapping[str, Any]]] = []
    for path in [project_root / "params.yaml", *([tender_dir / "params.yaml"] if tender_dir else [])]:
        if path.exists():
            layers.append((str(path), read_overrides(path)))
    if overrides:
        layers.append(("command line", overrides))
    return resolve(layers)
