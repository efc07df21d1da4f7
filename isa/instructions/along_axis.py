"""The vector unit: what needs the whole of one axis of a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.instructions.shape_checks import distinct_axes, equal
from nnc.isa.instructions.shared_costs import one_pass, three_passes
from nnc.isa.operand import Operand
from nnc.isa.record import record


@record(frozen=True, kw_only=True)
class AlongAxis(Instruction):
    """Fields and rule of shapes of instructions that need the whole of one axis of src."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    axis: int = attribute("the axis at work")

    folds: ClassVar[bool] = False
    """Whether the axis has extent 1 in dst."""
    passes: ClassVar[int] = 1
    """How often it goes through src."""

    @property
    def operations(self) -> int:
        """One for every element of src and pass."""
        return self.passes * self.src.elements

    def shape_errors(self) -> Iterator[str]:
        rank = len(self.src.shape) or 1
        wrong = list(distinct_axes((self.axis,), rank))
        yield from wrong
        if wrong:
            return
        folded = (self.axis % rank,) if self.folds else ()
        expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(self.src.shape))
        yield from equal("dst shape", self.dst.shape, expected)


@instruction(
    51,
    "softmax",
    Engine.COMPUTE,
    "softmax",
    cost=three_passes,  # maximum, exponential with sum, division
    example="softmax sram+0x1000 f32[1,10] <- sram+0x0 f32[1,10], axis=1",
)
class Softmax(AlongAxis):
    """exp(x − max) / Σ exp(x − max) over one axis, or its logarithm."""

    passes = 3
    log: bool = attribute("give the logarithm", default=False)


@instruction(
    58,
    "cumsum",
    Engine.COMPUTE,
    "reduce",
    cost=one_pass,
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
    cost=one_pass,
    example="argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1",
)
class ArgMax(AlongAxis):
    """Position of the greatest element along an axis, which has extent 1 in dst; dst holds integers."""

    folds = True
    least: bool = attribute("the position of the least element instead", default=False)
    last: bool = attribute("the last of equal elements, not the first", default=False)
