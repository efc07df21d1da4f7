"""The vector unit: what needs the whole of one axis of a tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.operand import Operand


@dataclass(frozen=True, kw_only=True)
class AlongAxis(Instruction):
    """Fields of instructions that need the whole of one axis of src."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    axis: int = attribute("the axis at work")

    folds: ClassVar[bool] = False
    """Whether the axis has extent 1 in dst."""


@instruction(
    51,
    "softmax",
    Engine.COMPUTE,
    "softmax",
    example="softmax sram+0x1000 f32[1,10] <- sram+0x0 f32[1,10], axis=1",
)
class Softmax(AlongAxis):
    """exp(x − max) / Σ exp(x − max) over one axis, or its logarithm."""

    log: bool = attribute("give the logarithm", default=False)


@instruction(
    58,
    "cumsum",
    Engine.COMPUTE,
    "reduce",
    example="cumsum sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], axis=1 exclusive=true",
)
class CumSum(AlongAxis):
    """Running sums along an axis: dst[i] = src[0] + … + src[i]."""

    exclusive: bool = attribute("the sum ends before the element itself", default=False)
    reverse: bool = attribute("the sum begins at the other end", default=False)


@instruction(
    59,
    "argmax",
    Engine.COMPUTE,
    "reduce",
    example="argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1",
)
class ArgMax(AlongAxis):
    """Position of the greatest element along an axis, which has extent 1 in dst; dst holds integers."""

    folds = True
    least: bool = attribute("the position of the least element instead", default=False)
    last: bool = attribute("the last of equal elements, not the first", default=False)


ALONG_AXIS = tuple(AlongAxis.__subclasses__())
"""Instructions that rules for the base serve."""
