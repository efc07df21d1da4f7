"""A model on a chip, compiled as it was asked for, or with one thing changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from nnc.compilation import Shapes, compile_model
from nnc.compiler.frontend.model.load import ModelSource, load_model
from nnc.compiler.frontend.states import Pairs
from nnc.compiler.plan.options import PlanOptions
from nnc.explanations.channels import ChannelClasses
from nnc.isa.errors import NncError
from nnc.report.schema import Report

CHANNELS = "channels of "
"""How the key begins that is the number of channels that a node makes."""
Value = int | str
"""Of a key of the chip, of an option, or of the channels of a node."""


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

    def channels(self, nodes: Iterable[str]) -> dict[str, int]:
        """How many channels nodes of the model make, of those that can make fewer.

        There are none in a model that compiles, but is too large for protobuf or onnx as a whole.
        """
        try:
            classes = self._channel_classes
        except NncError:
            return {}
        extents = {node: classes.extent(node) for node in nodes}
        return {node: extent for node, extent in extents.items() if extent is not None and extent > 1}

    @cached_property
    def _channel_classes(self) -> ChannelClasses:
        return ChannelClasses(load_model(self.model).proto)

    def changed(self, key: str, value: Value) -> Report:
        """With another value of an option (objective, effort), of a key of the chip, or of channels.

        Raises:
            NncError: it cannot be compiled like that.
        """
        if key.startswith(CHANNELS):
            narrowed = self._channel_classes.narrowed(key.removeprefix(CHANNELS), int(value))
            return replace(self, model=narrowed).report()
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
