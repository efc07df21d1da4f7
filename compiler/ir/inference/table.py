"""The table of the inference rules, and what they share (see ``nnc.compiler.ir.inference.infer``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.isa.errors import InternalError
from nnc.isa.rule_table import RuleTable
from nnc.isa.types import DType

Shape = tuple[int, ...]
Operands = Sequence[TensorType | None]


@dataclass(frozen=True, slots=True)
class Given:
    """What layers leave open: the element type of conversions, the extents of tiles of Resize and Pad."""

    dtype: DType | None = None
    tile: Shape | None = None


Rule = Callable[[Any, Operands, Given], TensorType]
"""(layer, types by operand slot, what the layer leaves open) → type of the result."""

RULES = RuleTable[Layer, Rule]()
"""The rule of every kind."""
rule = RULES.rule


def misfit(layer: Layer, message: str) -> InternalError:
    """The error that a layer and its operands do not fit."""
    return InternalError(f"layer {layer.name} ({layer.kind}): {message}", where=str(layer.loc))


def first_operand(operands: Operands) -> TensorType:
    """Operand 0, which every kind has."""
    return required(operands[0])  # `infer` has seen it


def check_rank(layer: Layer, name: str, values: Sequence[object], rank: int) -> None:
    """Raise InternalError unless there is one value per axis."""
    if len(values) != rank:
        raise misfit(layer, f"{name} has {len(values)} entries for rank {rank}")


def common_shape(layer: Layer, shapes: Sequence[Shape]) -> Shape:
    """The common shape of operands: axes align on the right, extent 1 repeats."""
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for axis, extent in enumerate(shape, rank - len(shape)):
            if extent != 1 and result[axis] not in (1, extent):
                raise misfit(layer, f"the shapes {' and '.join(map(str, shapes))} do not broadcast")
            result[axis] = extent if extent != 1 else result[axis]
    return tuple(result)
