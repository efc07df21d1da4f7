"""A model on a chip, compiled as it was asked for, or with one thing changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from nnc.compilation import Shapes, compile_model
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.frontend.states import Pairs
from nnc.compiler.plan.options import PlanOptions
from nnc.report.schema import Report

Value = int | str
"""Of a key of the chip, or of an option."""


@dataclass(frozen=True)
class Recompilation:
    """What is compiled; attributes are those of `nnc.compile_model`."""

    model: ModelSource
    chip: str
    overrides: Collection[str] = ()
    options: PlanOptions = PlanOptions()
    shapes: Shapes | None = None
    dims: Mapping[str, int] | None = None
    states: Pairs | str | None = None

    def report(self) -> Report:
        """As it was asked for.

        Raises:
            NncError: it cannot be compiled.
        """
        return compile_model(
            self.model,
            self.chip,
            overrides=self.overrides,
            options=self.options,
            shapes=self.shapes,
            dims=self.dims,
            states=self.states,
        ).report

    def changed(self, key: str, value: Value) -> Report:
        """With an option of the planner (objective, effort), or a key of the chip, of another value.

        Raises:
            NncError: it cannot be compiled like that.
        """
        if key == "objective":
            return replace(self, options=replace(self.options, objective=str(value))).report()
        if key == "effort":
            return replace(self, options=replace(self.options, effort=f"O{value}")).report()
        return replace(self, overrides=(*self.overrides, f"{key}={value}")).report()


def halved(low: int, high: int, grain: int, is_high: Callable[[int], bool], most: int) -> tuple[int, int]:
    """Two numbers nearer to each other, of which the second is still high, and the first is not.

    Args:
        low, high: numbers to begin with.
        grain: what is tried are so many steps from `low`.
        is_high: whether a number between them is high.
        most: numbers that are tried.
    """
    for _ in range(most):
        middle = low + (high - low) // 2 // grain * grain
        if middle in (low, high):
            break
        low, high = (low, middle) if is_high(middle) else (middle, high)
    return low, high
