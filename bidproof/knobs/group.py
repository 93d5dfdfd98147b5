"""What a group of knobs is: frozen, and closed to unknown names. The groups themselves stand beside it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Group(BaseModel):
    """Frozen group of knobs; an unknown name is refused rather than ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")
