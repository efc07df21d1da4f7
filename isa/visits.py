"""How an instruction goes through its operands: the words that it touches, the runs that fill its lanes.

A block is visited along the axes of a leading block, its innermost axis first.  Bytes that follow each other
on the way are a run.  Every run takes whole words of its memory: a transposed block of f32 has runs of 4
bytes and takes a word for each element.  An element that repeats along the innermost axes is read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up
from nnc.isa.operand import Operand

JUMP = 2**62
"""The stride of an axis along which an index, or a coordinate, says where the next element lies."""


class Runs(NamedTuple):
    """Positions as so many lines of so many that follow each other."""

    lines: int
    length: int

    @property
    def total(self) -> int:
        """All positions."""
        return self.lines * self.length


def axes_inside_out(lead: Operand) -> list[int]:
    """The axes of a block from the innermost to the outermost, without those of extent 1."""
    long = (axis for axis, extent in enumerate(lead.shape) if extent > 1)
    return sorted(long, key=lambda axis: abs(lead.strides[axis]))


def aligned(operand: Operand, shape: tuple[int, ...]) -> Operand:
    """An operand broadcast to a shape: axes align on the right, those of extent 1 repeat."""
    if operand.shape == shape:
        return operand
    missing = len(shape) - len(operand.shape)
    own = zip(operand.shape, operand.strides, shape[missing:], strict=True)
    strides = (0,) * missing + tuple(0 if length < extent else stride for length, stride, extent in own)
    return replace(operand, shape=shape, strides=strides)


def word_bytes(chip: Chip, operand: Operand, axes: Sequence[int]) -> int:
    """Bytes of the words that an operand takes if it is visited along axes, the first being the innermost."""
    left = [(abs(operand.strides[axis]), operand.shape[axis]) for axis in axes if operand.shape[axis] > 1]
    left.reverse()
    while left and left[-1][0] == 0:
        left.pop()
    run = operand.dtype.itemsize
    while left and left[-1][0] == run:
        run *= left.pop()[1]
    return round_up(run, chip.word(operand.memory)) * prod(extent for _, extent in left)


def merged(shape: tuple[int, ...], strides: Iterable[Sequence[int]], axes: Sequence[int], free: int) -> Runs:
    """Positions along axes of a shape as runs; axes merge where all operands step on evenly.

    Args:
        shape: extents.
        strides: of each operand, per axis of the shape.
        axes: those that count, the innermost first.
        free: how many of them may merge.
    """
    extents = [shape[axis] for axis in axes]
    length = extents[0] if axes else 1
    for axis in axes[1:free]:
        if any(operand_strides[axis] != length * operand_strides[axes[0]] for operand_strides in strides):
            break
        length *= shape[axis]
    return Runs(prod(extents) // length, length)
