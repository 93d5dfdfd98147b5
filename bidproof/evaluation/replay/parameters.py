"""Which parameters made a pack's tables, and what they become under other settings.

Holds the comparison of knobs and which of them can be replayed at all. Must not hold stages or rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bidproof.errors import BadInputError
from bidproof.knobs.group import Group
from bidproof.params import Params, resolve
from bidproof.store import Manifest

Layer = Mapping[str, Mapping[str, Any]]
Changes = dict[str, tuple[Any, Any]]
"""Knobs by their path, e.g. `selection.k`, each with its value before and after."""

_NO_READING = ("min_coverage", "workers")
"""Knobs of the reading group that change nothing of what is read."""


def base_of(manifests: Iterable[Manifest]) -> Params:
    """Parameters that made some tables, in graph order; where two tables differ, those of the earlier stage.

    Knobs that there are no more are left out, those that are new have their defaults.

    Raises:
        BadInputError: a value is no longer allowed.
    """
    layer: dict[str, dict[str, Any]] = {}
    for manifest in manifests:
        for group, knobs in manifest.params.items():
            if group in Params.model_fields and group not in layer:
                known = type(getattr(Params(), group)).model_fields
                layer[group] = {name: value for name, value in knobs.items() if name in known}
    return resolve([("parameters in the warehouse", layer)])


def overlaid(base: Params, layer: Layer, where: str = "--set") -> Params:
    """`base` with other values, checked together; numbers that a profile gives follow that profile.

    Raises:
        BadInputError: a knob is unknown, or a value does not go with the others.
    """
    known = {name: _given(getattr(base, name)) for name in Params.model_fields}
    return resolve([("parameters in the warehouse", known), (where, layer)])


def _given(group: Group) -> dict[str, Any]:
    """Values of a group that are not its defaults under its own profile."""
    values = group.model_dump(mode="json")
    named = {name: values[name] for name in ("profile",) if name in values}
    usual = type(group).model_validate(named).model_dump(mode="json")
    return {name: value for name, value in values.items() if value != usual[name] or name in named}


def changed_knobs(old: Params, new: Params) -> Changes:
    """Knobs in which two sets of parameters differ."""
    before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
    return {
        f"{group}.{knob}": (before[group][knob], value)
        for group, knobs in after.items()
        for knob, value in knobs.items()
        if before[group][knob] != value
    }


def refuse_reading(changes: Changes) -> None:
    """Refuse knobs that only show once files are read anew, and the one that says who judges.

    Raises:
        BadInputError: there is one.
    """
    mend = "run with it into another warehouse (--warehouse DIR) and compare"
    for path in changes:
        group, _, knob = path.partition(".")
        if group == "documents" and knob not in _NO_READING:
            raise BadInputError(path, "changes how files are read, and replay reads none", mend)
        if path == "judging.judge":
            raise BadInputError(path, "changes who judges, and replay asks nobody", mend)
