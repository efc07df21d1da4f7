"""What all instructions of the MAC array share: operands, accumulation and the epilogue."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.isa.chip.description import Chip
from nnc.isa.functions import OF_BITS, Function, Result, is_unary
from nnc.isa.instruction import Access, Instruction, Overlap, Phase, Role, Shape, attribute, operand
from nnc.isa.instructions.mac_costs import ArrayWork
from nnc.isa.instructions.shape_checks import (
    QUANTISED_TYPES,
    broadcasts,
    equal,
    parameters,
    step,
    zero_point,
)
from nnc.isa.operand import Operand
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, kw_only=True)
class MacInstruction(Instruction):
    """Fields that all MAC-array instructions share: operands, accumulation and the epilogue.

    With s = Σ (src − src_zero)·(weight − weight_zero) of this instruction, `phase` says what happens:
    start: accumulator = s; add: accumulator += s; finish: s += accumulator, then the epilogue;
    whole: the epilogue at once.  The epilogue is
    y = act(s·scale + bias + (residual − residual_zero)·residual_scale)
    and, for an integer dst, y = saturate(round_half_even(y / dst_scale) + dst_zero).
    With a sum_scale, what is added to the residual is what a layer by itself would have written:
    s·scale + bias becomes (saturate(round_half_even(s·scale + bias) + sum_zero) − sum_zero)·sum_scale.
    Partial sums are f32 for f16, i32 for 8-bit integers, else of the type of src (integers wrap).
    An integer bias (i32) is added to s before the scale, exactly.  Of integers, all that follows s and an
    integer bias is computed in f32, one rounding per operation, in the order of the formulas.  dst may be
    the very block of the residual or of the accumulator (both in place); no other operand may overlap it.
    """

    src: Operand = operand(Access.READ, Role.FEATURE, "left operand, the feature data")
    weight: Operand = operand(Access.READ, Role.WEIGHT, "right operand, lanes run along its last axis")
    dst: Operand | None = operand(
        Access.WRITE, Role.RESULT, "result; absent in phases start and add", default=None
    )
    bias: Operand | None = operand(
        Access.READ, Role.WEIGHT, "vector over the last axis of dst, or broadcast to dst", default=None
    )
    residual: Operand | None = operand(
        Access.READ, Role.RESULT, "added before act, shaped as dst", default=None, overlap=Overlap.SAME
    )
    scale: Operand | None = operand(
        Access.READ, Role.WEIGHT, "f32 factors of s, one or one per output channel", default=None
    )
    accumulator: Operand | None = operand(
        Access.READ_WRITE,
        Role.ACCUMULATOR,
        "partial sums, shaped as dst; dst may be the same block",
        default=None,
        overlap=Overlap.SAME,
    )
    phase: Phase = attribute("place in a chain of partial sums", default=Phase.WHOLE)
    act: Function = attribute("activation of the epilogue, a unary function", default=Function.IDENTITY)
    act_params: tuple[float, ...] = attribute("parameters of act", default=())
    src_zero: int = attribute("zero point of src", default=0)
    weight_zero: int = attribute("zero point of weight", default=0)
    dst_scale: float = attribute("real value of one step of an integer dst", default=1.0)
    dst_zero: int = attribute("zero point of dst", default=0)
    residual_scale: float = attribute("real value of one step of residual", default=1.0)
    residual_zero: int = attribute("zero point of residual", default=0)
    sum_scale: float = attribute(
        "real value of one step of the rounded sum; 0: it is not rounded", default=0.0
    )
    sum_zero: int = attribute("zero point of the rounded sum", default=0)

    def on_array(self, chip: Chip) -> ArrayWork:
        """The products as the array does them."""
        raise NotImplementedError(type(self).__name__)

    @property
    def out(self) -> Operand:
        """What it writes: the result, or partial sums."""
        block = self.dst or self.accumulator
        assert block is not None
        return block

    @property
    def operations(self) -> int:
        """For each element of the result, one for each stage of the epilogue that there is.

        These are: adding the accumulator, scale, bias, residual, act, rounding of the sum and of the result.
        """
        stages = int(self.phase in (Phase.ADD, Phase.FINISH))
        if self.dst is not None:
            stages += sum(block is not None for block in (self.scale, self.bias, self.residual))
            stages += (self.act is not Function.IDENTITY) + bool(self.sum_scale)
            stages += not self.src.dtype.is_float and self.dst.dtype in QUANTISED_TYPES
        return stages * self.out.elements

    @property
    def operation_dtype(self) -> DType:
        """The type of partial sums."""
        return self.src.dtype.product_sum

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """Features and weights as often as the array is fed with them, and other operands once."""
        others = super().bytes_read(chip)[2:]
        features, weights = self.on_array(chip).reads(chip, self.src.dtype)
        return [
            (self.src.memory, features * self.src.dtype.itemsize),
            (self.weight.memory, weights * self.weight.dtype.itemsize),
            *others,
        ]

    @property
    def _weights_are_float(self) -> bool:
        """Whether what is multiplied are real numbers."""
        return self.weight.dtype.is_float

    def _epilogue_errors(self, shape: Shape) -> Iterator[str]:
        if self.src.dtype.is_float != self._weights_are_float:
            yield f"src is {self.src.dtype.value} but weight is {self.weight.dtype.value}"
        if self.phase in (Phase.START, Phase.ADD):
            for name in ("bias", "residual", "scale"):
                if getattr(self, name) is not None:
                    yield f"{name} belongs to the epilogue; phase {self.phase.value} has none"
            return
        if not is_unary(self.act) or self.act.record.result is not Result.FIRST or self.act in OF_BITS:
            yield f"act is {self.act.value}, expected a unary function that keeps the type"
        yield from parameters(self.act, self.act_params)
        yield from self._scale_errors()
        yield from broadcasts("bias", self.bias, shape)
        yield from broadcasts("scale", self.scale, shape)
        if self.residual is not None:
            yield from equal("residual shape", self.residual.shape, shape)

    def _scale_errors(self) -> Iterator[str]:
        """Scales and zero points of the epilogue, and of what is multiplied."""
        if self.scale is not None:
            yield from equal("type of scale", self.scale.dtype.value, DType.F32.value)
        yield from step("dst_scale", self.dst_scale)
        yield from step("residual_scale", self.residual_scale)
        for name, block in (("src", self.src), ("weight", self.weight), ("residual", self.residual)):
            yield from zero_point(f"{name}_zero", getattr(self, f"{name}_zero"), block)
        yield from zero_point("dst_zero", self.dst_zero, self.dst)
        if self.sum_scale:
            yield from step("sum_scale", self.sum_scale)
            yield from zero_point("sum_zero", self.sum_zero, self.dst)
            if self.dst is None or self.dst.dtype not in QUANTISED_TYPES:
                yield "sum_scale needs a dst of 8-bit integers"
        elif self.sum_zero:
            yield f"sum_zero is {self.sum_zero} without a sum_scale"
