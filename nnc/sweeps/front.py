"""The Pareto front: points that no other one beats in one figure without losing in another."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.isa.errors import OptionError
from nnc.sweeps.figures import figure_named
from nnc.sweeps.schema import PointReport

DEFAULT_MINIMISED = ("cycles", "dram_bytes")
_MOST = 4
_MORE_IS_BETTER = ("utilisation",)


def minimised_figures(text: str | Sequence[str]) -> tuple[str, ...]:
    """Figures, less of which is better.

    Raises:
        OptionError: there are not two to four, or one is no such figure.
    """
    names = text.split(",") if isinstance(text, str) else [*text]
    figures = tuple(figure_named(name, "--minimise") for name in names)
    if not 2 <= len(figures) <= _MOST or len({*figures}) < len(figures) or {*figures} & {*_MORE_IS_BETTER}:
        raise OptionError(
            f"a front is of two to {_MOST} figures, less of which is better",
            where="--minimise",
            found=",".join(names),
            remedy="--minimise cycles,dram_bytes, or --minimise cycles,energy,area",
        )
    return figures


def costs_of(point: PointReport, minimised: Sequence[str]) -> tuple[float, ...] | None:
    """Its figures; None if it failed, or its chip does not say what one of them takes."""
    values = [None if point.figures is None else getattr(point.figures, name) for name in minimised]
    return None if None in values else tuple(value for value in values if value is not None)


def front_of(points: Sequence[PointReport], minimised: Sequence[str]) -> list[int]:
    """The numbers of the points on the front of each model, by their figures; the first of equals.

    Points without these figures are on none.
    """
    numbers: list[int] = []
    for model in dict.fromkeys(point.model for point in points):
        priced = [(costs_of(point, minimised), point.point) for point in points if point.model == model]
        front: list[tuple[float, ...]] = []
        # What beats a point comes before it: no figure of it is larger, and one is smaller.
        for costs, number in sorted((costs, number) for costs, number in priced if costs is not None):
            if not any(all(b <= c for b, c in zip(better, costs, strict=True)) for better in front):
                front.append(costs)
                numbers.append(number)
    return numbers
