"""The vector unit: what needs the whole of one axis of a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from nnc.isa.chip.description import Chip
from nnc.isa.functions import Arithmetic
from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.instructions.shape_checks import converting, distinct_axes, equal
from nnc.isa.instructions.shared_costs import one_pass, three_passes, vector_cycles
from nnc.isa.operand import Operand
from nnc.isa.record import record
from nnc.isa.types import DType
from nnc.isa.work import Work

MOST_SUMMED = 2048
"""Elements of a softmax by table: rounded entries move a sum by n / 2^(k + 1) at most, and a result of 255
steps by no more than half a step."""


@record(frozen=True, kw_only=True)
class AlongAxis(Instruction):
    """Fields and rule of shapes of instructions that need the whole of one axis of src."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    axis: int = attribute("the axis at work")

    passes: ClassVar[int] = 1
    """How often it goes through src."""

    @property
    def operations(self) -> int:
        """One for every element of src and pass."""
        return self.passes * self.src.elements

    @property
    def folded_extent(self) -> int | None:
        """Extent of the axis in dst; None: that in src."""
        return None

    def shape_errors(self) -> Iterator[str]:
        rank = len(self.src.shape) or 1
        wrong = list(distinct_axes((self.axis,), rank))
        yield from wrong
        if wrong:
            return
        expected = list(self.src.shape)
        if self.folded_extent is not None:
            expected[self.axis % rank] = self.folded_extent
        yield from equal("dst shape", self.dst.shape, tuple(expected))


@instruction(
    51,
    "softmax",
    Engine.COMPUTE,
    "softmax",
    cost=three_passes,  # maximum, exponential with sum, division
    example="softmax sram+0x1000 f32[1,10] <- sram+0x0 f32[1,10], axis=1",
)
class Softmax(AlongAxis):
    """exp(x − max) / Σ exp(x − max) over one axis, or its logarithm.

    With a src_scale, src and dst are quantised 8-bit integers, and dst is
    saturate(round_half_even(y / dst_scale) + dst_zero) of y by `arithmetic`: f32 computes on the real numbers
    (src − src_zero)·src_scale, f16 likewise and rounds y to f16.  i8 takes e = round(2^k·exp(−d·src_scale))
    of d = max(src) − src from a table of 256 entries, k = 30 − ceil(log2 n) for n elements along the axis,
    and y / dst_scale is f32(e) · f32(1 / (f32(Σ e) · dst_scale)) with the sum in i32.
    """

    passes = 3
    log: bool = attribute("give the logarithm", default=False)
    src_scale: float = attribute("real value of one step of src; 0: src is not quantised", default=0.0)
    src_zero: int = attribute("zero point of src", default=0)
    dst_scale: float = attribute("real value of one step of dst", default=0.0)
    dst_zero: int = attribute("zero point of dst", default=0)
    arithmetic: Arithmetic = attribute("what it computes in on quantised integers", default=Arithmetic.F32)

    @property
    def operation_dtype(self) -> DType:
        return DType(self.arithmetic.value) if self.src_scale else self.src.dtype

    def shape_errors(self) -> Iterator[str]:
        yield from super().shape_errors()
        scales = (self.src_scale, self.src_zero, self.dst_scale, self.dst_zero)
        yield from converting("a softmax", self.src, self.dst, self.arithmetic, scales)
        if self.src_scale and self.log:
            yield "a logarithm has no src_scale"
        is_long = self.dst.elements and max(self.src.shape, default=1) > MOST_SUMMED
        if self.arithmetic is Arithmetic.I8 and is_long and self.src.shape[self.axis] > MOST_SUMMED:
            yield f"sums by table are of {MOST_SUMMED} elements at most, not {self.src.shape[self.axis]}"


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


def _selections(count: int, extent: int) -> int:
    """How often it goes through src: for each position, or as a bitonic sort, whichever is less."""
    doublings = (extent - 1).bit_length()
    return max(1, min(count, doublings * (doublings + 1) // 2))


def _argmax_cost(chip: Chip, i: Any, work: Work) -> int:
    """elements of src · min(count, d·(d + 1) / 2) / element-wise rate, for 2^d elements along the axis."""
    passes = _selections(i.count, work.src.shape[i.axis])
    return vector_cycles(chip, work, passes, work.src, work.dst)


@instruction(
    59,
    "argmax",
    Engine.COMPUTE,
    "reduce",
    cost=_argmax_cost,
    example="argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1",
)
class ArgMax(AlongAxis):
    """Positions of the greatest elements along an axis, which has extent `count` in dst; dst holds integers.

    The greatest comes first, and of equal ones the first.
    """

    least: bool = attribute("the positions of the least elements instead", default=False)
    last: bool = attribute("the last of equal elements, not the first; of one position", default=False)
    count: int = attribute("how many positions", default=1)

    @property
    def folded_extent(self) -> int | None:
        return self.count

    @property
    def operations(self) -> int:
        """One for every element of src and pass."""
        return _selections(self.count, self.src.shape[self.axis]) * self.src.elements

    def shape_errors(self) -> Iterator[str]:
        yield from super().shape_errors()
        if self.count < 1 or (self.last and self.count > 1):
            yield f"count is {self.count}, expected at least 1, and 1 for the last of equal elements"
        elif (
            -len(self.src.shape) <= self.axis < len(self.src.shape) and self.count > self.src.shape[self.axis]
        ):
            yield f"count is {self.count}, src has {self.src.shape[self.axis]} elements along the axis"
