"""The Pareto front: points that no other one beats in one figure without losing in the other."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.isa.errors import OptionError
from nnc.sweeps.figures import figure_named
from nnc.sweeps.schema import PointReport

DEFAULT_AXES = ("cycles", "dram_bytes")
_MORE_IS_BETTER = ("utilisation",)


def axes_named(text: str | Sequence[str]) -> tuple[str, str]:
    """Two figures, less of which is better.

    Raises:
        OptionError: there are not two, or one is no such figure.
    """
    names = text.split(",") if isinstance(text, str) else [*text]
    axes = [figure_named(name, "--axes") for name in names]
    if len(axes) != 2 or axes[0] == axes[1] or set(axes) & set(_MORE_IS_BETTER):
        raise OptionError(
            "a front has two axes, figures less of which is better",
            where="--axes",
            found=",".join(names),
            remedy="--axes cycles,dram_bytes, or --axes cycles,energy",
        )
    return axes[0], axes[1]


def front_of(points: Sequence[PointReport], axes: tuple[str, str]) -> list[int]:
    """The numbers of the points on the front of each model; the first of equals.

    Points that failed, or whose chips do not say what an axis takes, are on none.
    """
    numbers: list[int] = []
    for model in dict.fromkeys(point.model for point in points):
        costs = []
        for point in points:
            if point.model == model and point.figures is not None:
                first, second = (getattr(point.figures, axis) for axis in axes)
                if first is not None and second is not None:
                    costs.append((first, second, point.point))
        best: float | None = None
        for _, second, number in sorted(costs):
            if best is None or second < best:
                best = second
                numbers.append(number)
    return numbers
