"""The vector unit: normalisations of a tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.functions import Arithmetic, NormaliseFunction
from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.instructions.shape_checks import broadcasts, converting, distinct_axes, equal
from nnc.isa.instructions.shared_costs import three_passes, vector_cycles
from nnc.isa.operand import Operand
from nnc.isa.types import DType
from nnc.isa.work import Work


@instruction(
    52,
    "normalise",
    Engine.COMPUTE,
    "normalise",
    cost=three_passes,  # statistics, normalisation, scale with bias
    example="normalise sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], scale=sram+0x2000 f32[64], "
    "bias=sram+0x2100 f32[64], function=mean_variance axes=1 epsilon=1e-05",
)
class Normalise(Instruction):
    """(x − mean) / sqrt(variance + epsilon) · scale + bias with statistics over `axes` (layer norm …).

    With a src_scale, src and dst are quantised 8-bit integers, and dst is
    saturate(round_half_even(y / dst_scale) + dst_zero) of y by `arithmetic`: f32 computes on the real numbers
    (src − src_zero)·src_scale, f16 likewise and rounds y to f16.  i8 has the exact sums of q = src − src_zero
    and of q² over n elements, thus the mean m (0 for root_mean_square), the variance v and
    r = f32(1 / sqrt(v + epsilon / src_scale²)), and y = (q − f32(m)) · r · scale + bias in f32.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, shaped as dst")
    scale: Operand | None = operand(Access.READ, Role.WEIGHT, "factors, broadcast to dst", default=None)
    bias: Operand | None = operand(Access.READ, Role.WEIGHT, "offsets, broadcast to dst", default=None)
    function: NormaliseFunction = attribute("which statistics are removed")
    axes: tuple[int, ...] = attribute("axes of the statistics")
    epsilon: float = attribute("added to the variance")
    src_scale: float = attribute("real value of one step of src; 0: src is not quantised", default=0.0)
    src_zero: int = attribute("zero point of src", default=0)
    dst_scale: float = attribute("real value of one step of dst", default=0.0)
    dst_zero: int = attribute("zero point of dst", default=0)
    arithmetic: Arithmetic = attribute("what it computes in on quantised integers", default=Arithmetic.F32)

    @property
    def operation_dtype(self) -> DType:
        return DType(self.arithmetic.value) if self.src_scale else self.src.dtype

    @property
    def operations(self) -> int:
        """One for every element and pass."""
        return 3 * self.src.elements

    def shape_errors(self) -> Iterator[str]:
        yield from equal("dst shape", self.dst.shape, self.src.shape)
        yield from distinct_axes(self.axes, len(self.src.shape) or 1)
        yield from broadcasts("scale", self.scale, self.dst.shape)
        yield from broadcasts("bias", self.bias, self.dst.shape)
        scales = (self.src_scale, self.src_zero, self.dst_scale, self.dst_zero)
        yield from converting("a normalisation", self.src, self.dst, self.arithmetic, scales)


def _local_response_norm_cost(chip: Chip, i: Any, work: Work) -> int:
    """(size + 1) · elements of src / element-wise rate."""
    return vector_cycles(chip, work, i.size + 1, work.src, work.dst)


@instruction(
    53,
    "local_response_norm",
    Engine.COMPUTE,
    "normalise",
    cost=_local_response_norm_cost,
    example="local_response_norm sram+0x4000 f32[1,8,8,16] <- sram+0x0 f32[1,8,8,16], size=5 "
    "alpha=0.0001 beta=0.75 k=1.0",
)
class LocalResponseNorm(Instruction):
    """x / (k + alpha/size · Σ x²)^beta, the sum over `size` neighbours along the last axis (ONNX LRN)."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, shaped as dst; channels last")
    size: int = attribute("neighbours in the sum, the element itself included")
    alpha: float = attribute("factor of the sum")
    beta: float = attribute("exponent")
    k: float = attribute("constant term")

    @property
    def operations(self) -> int:
        """One for every neighbour of an element, and one for the element."""
        return (self.size + 1) * self.src.elements

    def shape_errors(self) -> Iterator[str]:
        yield from equal("dst shape", self.dst.shape, self.src.shape)
        if self.size < 1:
            yield f"size is {self.size}, expected 1 or more"
