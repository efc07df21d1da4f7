"""Cost rules that several instructions share (``nnc.isa.work.CostRule``); docstrings are formulas."""

from __future__ import annotations

from collections import Counter
from math import prod
from operator import mul
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import lane_slots, move_cycles, rate_of
from nnc.isa.instruction import Shape
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand
from nnc.isa.record import changed
from nnc.isa.types import DType
from nnc.isa.visits import Runs, aligned, axes_inside_out, merged, word_bytes
from nnc.isa.work import Work


def vector_cycles(
    chip: Chip, work: Work, times: int, lead: Operand, *others: Operand, positions: Runs | None = None
) -> int:
    """Cycles of the vector unit for so many operations per element of the block that it goes through.

    Args:
        times: operations per element.
        lead: the block whose axes it follows.
        others: the other operands as they are visited, with the axes of the lead; extents 1 are folded.
        positions: the elements as runs along the lanes; None: all axes may merge.
    """
    axes, rate = axes_inside_out(lead), rate_of(chip.compute.elementwise, work.dtype, "the vector unit")
    operands = (lead, *others)
    if positions is None:
        strides = [operand.strides for operand in operands if operand.shape == lead.shape]
        positions = merged(lead.shape, strides, axes, len(axes))
    words = max(word_bytes(chip, operand, axes) for operand in operands)
    slots = max(lane_slots(chip, positions, rate), words // work.dtype.itemsize)
    return ceil_div(slots * times, rate)


def moved(chip: Chip, lead: Operand, *others: Operand) -> int:
    """Cycles of a move whose operands are visited along the axes of one of them, the lead."""
    axes = axes_inside_out(lead)
    return move_cycles(chip, max(word_bytes(chip, operand, axes) for operand in (lead, *others)))


def one_pass(chip: Chip, i: Any, work: Work) -> int:
    """elements of src / element-wise rate."""
    return vector_cycles(chip, work, 1, work.src, work.dst)


def three_passes(chip: Chip, i: Any, work: Work) -> int:
    """3 passes · elements of src / element-wise rate, by `arithmetic` with a src_scale."""
    if i.src_scale:
        work = changed(work, dtype=DType(i.arithmetic.value))
    factors = [aligned(operand, work.src.shape) for operand in work.srcs[1:] if operand is not None]
    return vector_cycles(chip, work, 3, work.src, work.dst, *factors)


def window_runs(chip: Chip, i: Any, lead: Operand, windowed: Operand, kernel: Shape) -> Runs:
    """Pixels of a block N, X…, C as lanes see them; `windowed` is read or written at x·stride + k·dilation.

    Rows and pictures follow each other in a run if both blocks step on evenly and no window reaches over an
    edge of `windowed` along the axes that merge.
    """
    rank = len(lead.shape)
    if chip.compute.map != "pixels":
        return Runs(1, prod(lead.shape[:-1]))
    axes = [axis for axis in range(rank - 2, -1, -1) if lead.shape[axis] > 1]
    free = 0
    for axis in axes:
        if axis and _crosses(i, axis - 1, lead.shape[axis], windowed.shape[axis], kernel[axis - 1]):
            break
        free += 1
    steps = (windowed.strides[0], *map(mul, windowed.strides[1:-1], i.stride))
    return merged(lead.shape, (lead.strides, steps), axes, free)


def _crosses(i: Any, axis: int, count: int, extent: int, taps: int) -> bool:
    """Whether some window along a spatial axis reaches outside."""
    begin = i.pad_begin[axis]
    return bool(begin > 0 or (count - 1) * i.stride[axis] + (taps - 1) * i.dilation[axis] - begin >= extent)


def landing_pairs(i: Any, work: Work, axis: int, taps: int) -> int:
    """The most pairs of an element of src and a tap that land inside dst along a spatial axis."""
    stride = i.stride[axis]
    periods, rest = divmod(work.dst.shape[axis + 1], stride)
    phases = Counter(tap * i.dilation[axis] % stride for tap in range(taps)) if rest else Counter[int]()
    inside = periods * taps + sum(count for _, count in phases.most_common(rest))
    pairs: int = min(work.src.shape[axis + 1] * taps, inside)
    return pairs
