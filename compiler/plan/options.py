"""What a user may ask of the planner."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.plan.fusion.lower_bounds import Objective
from nnc.isa.errors import OptionError

LEAST_TRAFFIC = Objective(1.0, 1e-6)
FASTEST = Objective(1e-3, 1.0)
OBJECTIVES = {"traffic": LEAST_TRAFFIC, "balanced": Objective(1.0, 0.1), "cycles": Objective(1.0, 0.5)}
"""What decides which groups are worth considering.  The sequence of them is the one with the least traffic,
with the fewest cycles, or, for `balanced`, with the least traffic within 2 % of the fewest cycles."""
OVERLAPS = ("auto", "keep", "recompute")
SPLITS = ("auto", "even")


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Choices of the user.

    Attributes:
        objective: what the plan minimises, a key of `OBJECTIVES`.
        overlap: rows that two parts of a group need are kept on chip, computed again (M1 as published), or
            whichever is cheaper for a group.
        split: fully connected layers are split over the cores by M2's rule (``even``), or in the way that
            costs least, as all other layers are (``auto``).
        fused: whether layers may be fused into groups; else each layer is cut into tiles alone.

    Raises:
        OptionError: there is no such choice.
    """

    objective: str = "balanced"
    overlap: str = "auto"
    split: str = "auto"
    fused: bool = True

    def __post_init__(self) -> None:
        for what, value, known in (
            ("objective", self.objective, tuple(OBJECTIVES)),
            ("overlap", self.overlap, OVERLAPS),
            ("split", self.split, SPLITS),
        ):
            if value not in known:
                raise OptionError(f"there is no such {what}", found=value, expected=", ".join(known))
