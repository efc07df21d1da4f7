"""What things cost: cycles of compute instructions, bytes of transfers.

Every class of instructions that computes has one rule over shapes.  ``cycles`` prices finished instructions
with it; the planner, which knows tiles but no instructions yet, asks ``work_cycles``.  Integers only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.functions import ResizeMode
from nnc.isa.instruction import INSTRUCTIONS, Access, Instruction, Role, operand_specs, per_class
from nnc.isa.instructions import (
    ArgMax,
    Conv,
    ConvTranspose,
    Copy,
    CumSum,
    Elementwise,
    Fill,
    Gather,
    GatherElements,
    Gemm,
    LoadRows,
    LocalResponseNorm,
    Normalise,
    Pad,
    Pool,
    Reduce,
    Resize,
    Softmax,
)
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand, burst_bytes
from nnc.isa.rule_table import RuleTable
from nnc.isa.types import DType


def array_cycles(chip: Chip, dtype: DType, lanes: int, rows: int, depth: int) -> int:
    """Cycles of the MAC array for `lanes` output channels × `rows` pixels × `depth` MACs each, no issue cost.

    On the best of the array shapes of the element type: ceil(OC/lanes) · ceil(pixels/units) · K·K·IC/groups.
    With the map `pixels` the array's lanes run along the pixels and its units along the channels.
    """
    if chip.compute.map == "pixels":
        lanes, rows = rows, lanes
    shapes = chip.compute.array_shapes[rate_class(dtype)]
    return min(ceil_div(lanes, a) * ceil_div(rows, b) for a, b in shapes) * depth


def conv_cycles(chip: Chip, dtype: DType, *, channels: int, pixels: int, depth: int, groups: int) -> int:
    """Cycles of a convolution tile without the issue cost.

    Args:
        channels: output channels of the tile.
        pixels: output pixels of the tile, over the batch (input pixels for a transposed convolution).
        depth: MACs per output element: kernel taps × input channels / groups.
        groups: channel groups; a depthwise tile (one channel per group) runs at the depthwise rate.
    """
    if groups > 1 and groups == channels:
        return ceil_div(channels * pixels * depth, chip.compute.depthwise[rate_class(dtype)])
    return array_cycles(chip, dtype, channels, pixels, depth)


def vector_cycles(chip: Chip, dtype: DType, operations: int) -> int:
    """Cycles of the vector unit for a number of element operations, without the issue cost."""
    return ceil_div(operations, chip.compute.elementwise[rate_class(dtype)])


def move_cycles(chip: Chip, nbytes: int) -> int:
    """Cycles of an on-core move or fill, without the issue cost."""
    return ceil_div(nbytes, chip.dma.move_bytes_per_cycle)


Shape = tuple[int, ...]
CostRule = Callable[[Chip, Any, DType, Shape, Sequence[Shape | None]], int]
"""(chip, attributes, element type that decides the rate, shape of the result, those of sources) → cycles.

Without the issue cost.  Shapes have the axes of the instruction.  The attributes are the instruction itself,
or a layer, whose attributes have the same names: so one rule prices both.
"""
_RULES = RuleTable[Instruction, CostRule]()
_rule = _RULES.rule


def cost_rule(cls: type[Instruction]) -> CostRule | None:
    """The rule that prices a class of instructions (its docstring is the formula); None for a transfer.

    Raises:
        TypeError: the class neither touches DRAM nor has a rule.
    """
    if _touches_dram(cls):
        return None
    if cls not in _RULES:
        raise TypeError(f"instruction {cls.mnemonic} has no cost rule in {__name__}")
    return _RULES[cls]


@per_class
def _touches_dram(cls: type[Instruction]) -> bool:
    return any(spec.role is Role.EXTERNAL for spec in operand_specs(cls).values())


def is_transfer(instruction: Instruction) -> bool:
    """Whether the instruction moves data to or from DRAM."""
    return _touches_dram(type(instruction))


def rate_dtype(cls: type[Instruction], result: DType, sources: Sequence[DType]) -> DType:
    """The element type that decides the rate: the first source's, the widest for element-wise functions."""
    if cls is Elementwise:
        return max((result, *sources), key=lambda dtype: dtype.itemsize)
    return sources[0] if sources else result


def work_cycles(
    chip: Chip,
    cls: type[Instruction],
    attributes: Any,
    dtype: DType,
    dst: Shape,
    srcs: Sequence[Shape | None],
) -> int:
    """Cycles of an instruction of a class without the issue cost, from what a cost rule sees of it.

    Raises:
        TypeError: the class has no rule, or is a DRAM transfer, whose time the scheduler finds.
    """
    rule = cost_rule(cls)
    if rule is None:
        raise TypeError(f"{cls.mnemonic} is a DRAM transfer")
    return rule(chip, attributes, dtype, dst, srcs)


def cycles(instruction: Instruction, chip: Chip) -> int:
    """Cycles that a compute instruction occupies its engine, issue cost included; fills likewise.

    Raises:
        TypeError: as `work_cycles`.
    """
    cls = type(instruction)
    touched = list(instruction.accesses())
    srcs = [op for op, access, _ in touched if access is Access.READ]
    dst = next(op for op, access, _ in touched if access.writes)
    dtype = rate_dtype(cls, dst.dtype, [op.dtype for op in srcs])
    shapes = [op.shape for op in srcs]
    return chip.compute.issue + work_cycles(chip, cls, instruction, dtype, dst.shape, shapes)


def dram_bytes(instruction: Instruction, chip: Chip) -> int:
    """Bytes that a transfer moves over the DRAM bus: whole bursts for every contiguous run; else 0."""
    if isinstance(instruction, LoadRows):
        row = Operand(
            instruction.src.memory,
            instruction.src.address,
            instruction.src.dtype,
            instruction.src.shape[1:],
            instruction.src.strides[1:],
        )
        return instruction.dst.shape[0] * burst_bytes(row, chip.dram.burst)
    return sum(
        burst_bytes(op, chip.dram.burst) for op, _, role in instruction.accesses() if role is Role.EXTERNAL
    )


@_rule(Conv)
def _conv(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """ceil(OC / lanes) · ceil(pixels / units) · kernel taps · IC / groups, on the best array shape.

    Depthwise (one channel per group): MACs / depthwise rate.
    """
    weight = _present(srcs[1])
    channels, pixels = dst[-1], prod(dst[:-1])
    return conv_cycles(
        chip, dtype, channels=channels, pixels=pixels, depth=prod(weight[:-1]), groups=i.groups
    )


@_rule(ConvTranspose)
def _conv_transpose(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """As conv, the pixels being those of the source."""
    src, weight = _present(srcs[0]), _present(srcs[1])
    depth = prod(weight[:-1]) // i.groups
    return conv_cycles(chip, dtype, channels=dst[-1], pixels=prod(src[:-1]), depth=depth, groups=i.groups)


@_rule(Gemm)
def _gemm(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """batch · ceil(N / lanes) · ceil(M / units) · K, on the best array shape.

    Where one weight matrix serves the whole batch, the batch counts as more rows M.
    """
    src, weight = _present(srcs[0]), _present(srcs[1])
    batch, rows, lanes = prod(dst[:-2]), dst[-2], dst[-1]
    if prod(weight[:-2]) == 1:
        return array_cycles(chip, dtype, lanes, batch * rows, src[-1])
    return batch * array_cycles(chip, dtype, lanes, rows, src[-1])


def _present(shape: Shape | None) -> Shape:
    assert shape is not None
    return shape


@_rule(Pool)
def _pool(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """elements of dst · window size / element-wise rate."""
    return vector_cycles(chip, dtype, prod(dst) * prod(i.kernel))


@_rule(Elementwise)
def _elementwise(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """elements of dst · max(1, sources − 1) / element-wise rate of the widest operand."""
    return vector_cycles(chip, dtype, prod(dst) * max(1, len(srcs) - 1))


def _passes(chip: Chip, count: int, dtype: DType, srcs: Sequence[Shape | None]) -> int:
    return vector_cycles(chip, dtype, count * prod(_present(srcs[0])))


@_rule(Reduce, CumSum, ArgMax)
def _reduce(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """elements of src / element-wise rate."""
    return _passes(chip, 1, dtype, srcs)


@_rule(Softmax)
def _softmax(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """3 passes · elements of src / element-wise rate."""
    return _passes(chip, 3, dtype, srcs)  # maximum, exponential with sum, division


@_rule(Normalise)
def _normalise(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """3 passes · elements of src / element-wise rate."""
    return _passes(chip, 3, dtype, srcs)  # statistics, normalisation, scale with bias


@_rule(LocalResponseNorm)
def _local_response_norm(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """(size + 1) · elements of src / element-wise rate."""
    return _passes(chip, i.size + 1, dtype, srcs)


@_rule(Resize)
def _resize(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """elements of dst · 2 per interpolated axis (linear mode) / element-wise rate."""
    linear = i.mode is ResizeMode.LINEAR
    taps = 2 ** sum(1 for scale in i.scales if scale != 1.0) if linear else 1
    return vector_cycles(chip, dtype, taps * prod(dst))


@_rule(Copy, Pad, Gather, GatherElements, Fill)
def _move(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Sequence[Shape | None]) -> int:
    """bytes of dst / move bandwidth."""
    return move_cycles(chip, prod(dst) * dtype.itemsize)


for _cls in INSTRUCTIONS.values():
    cost_rule(_cls)  # a forgotten rule is an error as soon as this is imported
