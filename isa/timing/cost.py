"""What things cost: cycles of compute instructions, bytes of transfers.

The geometric functions (``conv_cycles`` …) serve the planner, which knows tiles but no instructions yet;
``cycles`` and ``dram_bytes`` price finished instructions with the same functions.  Integers only.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.functions import ResizeMode
from nnc.isa.instruction import Instruction, Role
from nnc.isa.instructions import (
    Conv,
    ConvTranspose,
    Copy,
    Elementwise,
    Fill,
    Gather,
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
from nnc.isa.operand import Operand, burst_bytes
from nnc.isa.types import DType

SOFTMAX_PASSES = 3
"""Passes of the vector unit over the data of a softmax: maximum, exponential with sum, division."""
NORMALISE_PASSES = 3
"""Passes of a normalisation: statistics, normalisation, scale with bias."""


def ceil_div(a: int, b: int) -> int:
    """The quotient rounded up, for positive b."""
    return -(-a // b)


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


def resize_operations(mode: ResizeMode, scales: tuple[float, ...], elements: int) -> int:
    """Element operations of a resize: one per output element, doubled per interpolated axis."""
    taps = 1
    if mode is ResizeMode.LINEAR:
        taps = 2 ** sum(1 for scale in scales if scale != 1.0)
    return taps * elements


CostRule = Callable[[Chip, Any], int]
RuleT = TypeVar("RuleT", bound=CostRule)
_RULES: dict[type[Instruction], CostRule] = {}


def _rule(*classes: type[Instruction]) -> Callable[[RuleT], RuleT]:
    def register(function: RuleT) -> RuleT:
        for cls in classes:
            _RULES[cls] = function
        return function

    return register


def cost_rule(cls: type[Instruction]) -> CostRule | None:
    """The rule that prices a class of instructions (its docstring is the formula); None for a transfer."""
    return _RULES.get(cls)


def cycles(instruction: Instruction, chip: Chip) -> int:
    """Cycles that a compute instruction occupies its engine, issue cost included; fills likewise.

    Raises:
        KeyError: the instruction is a DRAM transfer, whose time the scheduler finds.
    """
    return chip.compute.issue + _RULES[type(instruction)](chip, instruction)


def is_transfer(instruction: Instruction) -> bool:
    """Whether the instruction moves data to or from DRAM."""
    return type(instruction) not in _RULES


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


def _result(instruction: Conv | Gemm) -> Operand:
    """The operand with the output's shape: dst, or the accumulator in phases start and add."""
    out = instruction.dst if instruction.dst is not None else instruction.accumulator
    assert out is not None
    return out


@_rule(Conv)
def _conv(chip: Chip, i: Conv) -> int:
    """ceil(OC / lanes) · ceil(pixels / units) · kernel taps · IC / groups, on the best array shape.

    Depthwise (one channel per group): MACs / depthwise rate.
    """
    out = _result(i)
    return conv_cycles(
        chip,
        i.src.dtype,
        channels=out.shape[-1],
        pixels=prod(out.shape[:-1]),
        depth=prod(i.weight.shape[:-1]),
        groups=i.groups,
    )


@_rule(ConvTranspose)
def _conv_transpose(chip: Chip, i: ConvTranspose) -> int:
    """As conv, the pixels being those of the source."""
    return conv_cycles(
        chip,
        i.src.dtype,
        channels=i.weight.shape[-1] * i.groups,
        pixels=prod(i.src.shape[:-1]),
        depth=prod(i.weight.shape[:-1]) // i.groups,
        groups=i.groups,
    )


@_rule(Gemm)
def _gemm(chip: Chip, i: Gemm) -> int:
    """batch · ceil(N / lanes) · ceil(M / units) · K, on the best array shape.

    Where one weight matrix serves the whole batch, the batch counts as more rows M.
    """
    *batch, rows, lanes = _result(i).shape
    if prod(i.weight.shape[:-2]) == 1:  # one matrix for the whole batch: the batch is more rows
        return array_cycles(chip, i.src.dtype, lanes, prod(batch) * rows, i.src.shape[-1])
    return prod(batch) * array_cycles(chip, i.src.dtype, lanes, rows, i.src.shape[-1])


@_rule(Pool)
def _pool(chip: Chip, i: Pool) -> int:
    """elements of dst · window size / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, i.dst.elements * prod(i.kernel))


@_rule(Elementwise)
def _elementwise(chip: Chip, i: Elementwise) -> int:
    """elements of dst · max(1, sources − 1) / element-wise rate of the widest operand."""
    widest = max((i.dst, *i.srcs), key=lambda op: op.dtype.itemsize).dtype
    return vector_cycles(chip, widest, i.dst.elements * max(1, len(i.srcs) - 1))


@_rule(Reduce)
def _reduce(chip: Chip, i: Reduce) -> int:
    """elements of src / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, i.src.elements)


@_rule(Softmax)
def _softmax(chip: Chip, i: Softmax) -> int:
    """3 passes · elements of src / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, SOFTMAX_PASSES * i.src.elements)


@_rule(Normalise)
def _normalise(chip: Chip, i: Normalise) -> int:
    """3 passes · elements of src / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, NORMALISE_PASSES * i.src.elements)


@_rule(LocalResponseNorm)
def _local_response_norm(chip: Chip, i: LocalResponseNorm) -> int:
    """(size + 1) · elements of src / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, (i.size + 1) * i.src.elements)


@_rule(Resize)
def _resize(chip: Chip, i: Resize) -> int:
    """elements of dst · 2 per interpolated axis (linear mode) / element-wise rate."""
    return vector_cycles(chip, i.src.dtype, resize_operations(i.mode, i.scales, i.dst.elements))


@_rule(Copy, Pad, Gather, Fill)
def _move(chip: Chip, i: Copy | Pad | Gather | Fill) -> int:
    """bytes of dst / move bandwidth."""
    return move_cycles(chip, i.dst.nbytes)
