"""Aligned runs: what a DMA transfer moves where it moves whole units only.

A box of a buffer is moved as equal *runs* of consecutive elements, each beginning and ending at a multiple
of the unit.  Axes of the box whose step is no multiple of the unit lie inside a run, gaps included; so do
elements that stand beside the box in its first and last unit.

    [4, 5] pixels of 3 channels, rows at multiples of 16, unit 16     4 runs of 16 elements, 15 wanted
    the same, rows at multiples of 15                                 1 run of 64 elements
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import gcd, lcm, prod

from nnc.compiler.ir.storage import Storage
from nnc.isa.integers import round_up
from nnc.isa.types import DType

Axes = tuple[int, ...]


def unit_of(dtype: DType, nbytes: int) -> int:
    """Elements of the least number of whole units of so many bytes that are whole elements."""
    return lcm(nbytes, dtype.itemsize) // dtype.itemsize


def piece_bytes(elements: int, itemsize: int, nbytes: int) -> int:
    """Bytes of packed elements with what fills the last of their whole units of so many bytes."""
    return round_up(elements * itemsize, lcm(nbytes, itemsize))


@dataclass(frozen=True, slots=True)
class Runs:
    """The aligned runs of a box.

    Attributes:
        inside: axes inside a run; outside: the others, outermost first.  Neither has axes of extent 1 or
            stride 0.
        lead: elements of the first run before the lowest element of the box.
        length: elements of a run.
        count: how many runs there are.
        wanted: elements of the box in a run.
        unit: elements; runs begin and end at multiples of it.
    """

    inside: Axes
    outside: Axes
    lead: int
    length: int
    count: int
    wanted: int
    unit: int

    @property
    def elements(self) -> int:
        """Elements of all runs."""
        return self.length * self.count

    @property
    def is_box(self) -> bool:
        """Whether the runs hold the box and nothing else."""
        return self.length == self.wanted

    def strides(self, shape: Axes, strides: Axes) -> Axes:
        """Strides of the box in a block that holds its runs one after the other."""
        block_strides = [0] * len(shape)
        for axis in self.inside:
            block_strides[axis] = strides[axis]
        step = self.length
        for axis in reversed(self.outside):
            block_strides[axis] = step
            step *= shape[axis]
        for axis, extent in enumerate(shape):
            if extent == 1:
                block_strides[axis] = step
        return tuple(block_strides)

    def offset(self, shape: Axes, strides: Axes) -> int:
        """Where the first element of the box is in such a block."""
        return self.lead + sum((1 - shape[axis]) * strides[axis] for axis in self.inside if strides[axis] < 0)


@lru_cache(maxsize=65536)
def _runs(shape: Axes, strides: Axes, phase: int, unit: int) -> Runs:
    axes = sorted((a for a, n in enumerate(shape) if n > 1 and strides[a]), key=lambda a: abs(strides[a]))
    span, inner = 1, 0
    for count, axis in enumerate(axes, 1):
        step = abs(strides[axis])
        if step % unit or step < round_up(phase + span, unit):
            inner = count
        span += step * (shape[axis] - 1)
    inside = axes[:inner]
    span = 1 + sum(abs(strides[axis]) * (shape[axis] - 1) for axis in inside)
    outside = axes[inner:]
    return Runs(
        tuple(inside),
        tuple(reversed(outside)),
        phase,
        round_up(phase + span, unit),
        prod(shape[axis] for axis in outside),
        prod(shape[axis] for axis in inside),
        unit,
    )


def aligned_runs(box: Storage, unit: int) -> Runs:
    """The runs of a box of a buffer.

    Args:
        unit: elements; the buffer begins at a multiple of it.
    """
    low = box.offset + sum((n - 1) * s for n, s in zip(box.shape, box.strides, strict=True) if s < 0)
    return _runs(box.shape, box.strides, low % unit, unit)


def most_elements(tensor: Storage, shape: Axes, unit: int) -> int:
    """Elements of the runs of a box of a tensor, wherever the box lies, at most."""
    steps = (s for n, s in zip(tensor.shape, tensor.strides, strict=True) if n > 1)
    phase = unit - gcd(unit, tensor.offset, *steps)
    return _runs(shape, tensor.strides, phase, unit).elements


def elements_before(owner: Storage, position: int) -> int:
    """Elements of a tensor, axes nested in its order, that lie before a place in its buffer."""
    count, inner = 0, prod(owner.shape)
    for axis in owner.order:
        extent = owner.shape[axis]
        if extent == 1:
            continue
        inner //= extent
        index, position = divmod(position, owner.strides[axis])
        if index >= extent:
            return count + extent * inner
        count += index * inner
    return count + (position > 0)


def is_exclusive(owner: Storage, box: Storage, unit: int) -> bool:
    """Whether the runs of a box of a buffer hold no other elements of the buffer's owner."""
    runs = aligned_runs(box, unit)
    first = box.offset + sum((n - 1) * s for n, s in zip(box.shape, box.strides, strict=True) if s < 0)
    first -= runs.lead
    held = elements_before(owner, first + runs.length) - elements_before(owner, first)
    return held == runs.wanted


def padded_strides(shape: Axes, order: Axes, unit: int, padded: int | None) -> Axes:
    """Element strides of axes nested in `order`; that of axis `padded`, and so of those outside, in units."""
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        if axis == padded:
            step = round_up(step, unit)
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


def cut_to_single(box: Storage, axes: Collection[int]) -> Storage:
    """The first step of a box along some axes."""
    shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(box.shape))
    return Storage(box.buffer, box.offset, shape, box.strides)
