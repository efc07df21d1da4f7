"""What all parts of a chip description have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A table of a chip description: other keys than its own are refused, and it does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
