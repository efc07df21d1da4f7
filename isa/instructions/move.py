"""The vector unit: elements that go to other places, or between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from nnc.isa.chip.description import Chip
from nnc.isa.functions import Coordinates, Function, Nearest, PadMode, ResizeMode
from nnc.isa.instruction import (
    Access,
    Engine,
    Instruction,
    Overlap,
    Role,
    attribute,
    instruction,
    operand,
)
from nnc.isa.instructions.shape_checks import (
    broadcasts,
    equal,
    inside,
    integers,
    per_axis,
    same_block,
    step,
)
from nnc.isa.instructions.shared_costs import moved, vector_cycles
from nnc.isa.operand import Operand
from nnc.isa.resample import Indices, pad_indices, resize_taps
from nnc.isa.visits import JUMP, aligned
from nnc.isa.work import Work


def _holds(axis: int, needed: Indices, i: Resize | Pad) -> Iterator[str]:
    """Does the tile of the source hold the positions of the whole source that the result needs?"""
    low, high = i.src_origin[axis], i.src_origin[axis] + i.src.shape[axis]
    if len(needed) and (needed.min() < low or needed.max() >= high):
        yield f"axis {axis} needs elements {needed.min()} … {needed.max()}, src has {low} … {high - 1}"


def _taps(i: Any) -> int:
    """Elements of the source that make one of the result."""
    return 2 ** sum(1 for scale in i.scales if scale != 1.0) if i.mode is ResizeMode.LINEAR else 1


def _resize_cost(chip: Chip, i: Any, work: Work) -> int:
    """elements of dst · 2 per interpolated axis (linear mode) / element-wise rate."""
    own = zip(work.src.strides, i.scales, strict=True)
    strides = tuple(stride if scale == 1.0 else JUMP for stride, scale in own)
    return vector_cycles(
        chip, work, _taps(i), work.dst, replace(work.src, shape=work.dst.shape, strides=strides)
    )


def _move_cost(chip: Chip, i: Any, work: Work) -> int:
    """bytes of dst / move bandwidth, in whole words of dst and of src."""
    return moved(chip, work.dst, work.src)


def _gather_cost(chip: Chip, i: Any, work: Work) -> int:
    """bytes of dst / move bandwidth, in whole words; along the axis an element of src follows no other."""
    dst, src = work.dst, work.src
    axis, count = i.axis % len(src.shape), len(work.source(1).shape)
    strides = (*src.strides[:axis], *[JUMP] * count, *src.strides[axis + 1 :])
    return moved(chip, dst, replace(src, shape=dst.shape, strides=strides))


def _gather_elements_cost(chip: Chip, i: Any, work: Work) -> int:
    """bytes of dst / move bandwidth, in whole words: one of src for every element."""
    dst = work.dst
    return moved(
        chip, dst, work.source(1), replace(work.src, shape=dst.shape, strides=(JUMP,) * len(dst.shape))
    )


def _scatter_cost(chip: Chip, i: Any, work: Work) -> int:
    """(bytes of dst + bytes of updates) / move bandwidth; along the axis a place of dst follows no other."""
    index, updates = work.source(1), work.source(2)
    places = list(work.dst.strides)
    places[i.axis % len(places)] = JUMP
    placed = replace(work.dst, shape=updates.shape, strides=tuple(places))
    return moved(chip, work.dst, work.src) + moved(chip, updates, placed, aligned(index, updates.shape))


@instruction(
    54,
    "resize",
    Engine.COMPUTE,
    "resize",
    cost=_resize_cost,
    example="resize sram+0x4000 f32[1,8,16,8] <- sram+0x0 f32[1,5,8,8], mode=linear "
    "coordinates=half_pixel nearest=floor scales=1.0,2.0,2.0,1.0 origin=0,0,0,0 extent=1,16,16,8 "
    "src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Resize(Instruction):
    """Interpolate a tile of a larger picture: all axes of dst, positions counted in the whole tensors.

    `origin` and `src_origin` are the positions of the two tiles, `extent` and `src_extent` the whole sizes.
    Source positions are those of onnxruntime: in f32, for `half_pixel_symmetric` a sum in f64 rounded to f32.
    onnx's reference computes in f64: where a position is a whole number or a half, it may read a neighbour.
    Integers are interpolated in f32 and lose their fraction.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: ResizeMode = attribute("interpolation")
    coordinates: Coordinates = attribute("mapping of coordinates")
    nearest: Nearest = attribute("rounding in nearest mode")
    scales: tuple[float, ...] = attribute("output size over input size, per axis")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    extent: tuple[int, ...] = attribute("shape of the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")

    def shape_errors(self) -> Iterator[str]:
        rank = len(self.src.shape)
        wrong = list(equal("rank of dst", len(self.dst.shape), rank))
        wrong += per_axis(rank, 1, extent=self.extent, src_extent=self.src_extent)
        wrong += per_axis(rank, 0, origin=self.origin, src_origin=self.src_origin)
        if len(self.scales) != rank:
            wrong.append(f"scales are {self.scales}, expected {rank} values")
        wrong += [
            error for axis, scale in enumerate(self.scales) for error in step(f"scale of axis {axis}", scale)
        ]
        yield from wrong
        if wrong:
            return
        yield from inside("dst", self.dst.shape, self.origin, self.extent)
        yield from inside("src", self.src.shape, self.src_origin, self.src_extent)
        for axis in range(rank):
            yield from _holds(axis, self._needed(axis), self)

    @property
    def operations(self) -> int:
        """As many for an element as sources it is made of."""
        return _taps(self) * self.dst.elements

    def _needed(self, axis: int) -> Indices:
        """The positions of the whole source that the result needs along an axis."""
        first = self.origin[axis]
        positions = np.arange(first, first + self.dst.shape[axis], dtype=np.int64)
        return np.concatenate(resize_taps(self, axis, positions))


@instruction(
    55,
    "pad",
    Engine.COMPUTE,
    "copy",
    cost=_move_cost,
    example="pad sram+0x4000 f32[1,10,10,8] <- sram+0x0 f32[1,8,8,8], mode=constant value=0.0 "
    "begin=0,1,1,0 origin=0,0,0,0 src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Pad(Instruction):
    """Copy a tile and pad it; positions are counted in the whole tensors as in `resize`.

    Element p of the result is element p − begin of the source where that exists, else `value` (constant
    mode) or the source element that the mode names.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: PadMode = attribute("what stands outside the source")
    value: float = attribute("the constant of constant mode")
    begin: tuple[int, ...] = attribute("elements added before the source, per axis; may be negative")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")

    def shape_errors(self) -> Iterator[str]:
        rank = len(self.src.shape)
        wrong = list(equal("rank of dst", len(self.dst.shape), rank))
        wrong += per_axis(rank, None, begin=self.begin)
        wrong += per_axis(rank, 0, origin=self.origin, src_origin=self.src_origin)
        wrong += per_axis(rank, 1, src_extent=self.src_extent)
        yield from wrong
        if wrong:
            return
        yield from inside("src", self.src.shape, self.src_origin, self.src_extent)
        for axis in range(rank):
            yield from _holds(axis, self._needed(axis), self)

    def _needed(self, axis: int) -> Indices:
        """The positions of the whole source that the result needs along an axis."""
        extent = self.src_extent[axis]
        position = np.arange(self.dst.shape[axis], dtype=np.int64) + (self.origin[axis] - self.begin[axis])
        if self.mode is PadMode.CONSTANT:
            return position[(position >= 0) & (position < extent)]
        return pad_indices(self.mode, extent, position)


@instruction(
    56,
    "copy",
    Engine.COMPUTE,
    "copy",
    cost=_move_cost,
    example="copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}",
)
class Copy(Instruction):
    """Copy a block between the memories of this core (move, transpose, layout change by strides).

    The blocks may overlap; dst then gets what src held before.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(
        Access.READ, Role.FEATURE, "source, same shape and type as dst", overlap=Overlap.ANY
    )

    def shape_errors(self) -> Iterator[str]:
        yield from same_block(self.dst, self.src)


@instruction(
    57,
    "gather",
    Engine.COMPUTE,
    "gather",
    cost=_gather_cost,
    example="gather sram+0x4000 f32[4,64] <- sram+0x0 f32[16,64], index=sram+0x2000 i64[4], axis=0 extent=16",
)
class Gather(Instruction):
    """dst[…, i…, …] = src[…, index[i…], …] along one axis; negative indices count from the end.

    Indices count in the whole source of `extent` elements, of which src is the part from `src_origin` on.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices of any shape")
    axis: int = attribute("the axis of src that the indices replace")
    extent: int = attribute("extent of the whole source along the axis")
    src_origin: int = attribute("position of src along the axis", default=0)

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """As many bytes of src as are written, and the index."""
        return [(self.src.memory, self.dst.nbytes), (self.index.memory, self.index.distinct_bytes)]

    def shape_errors(self) -> Iterator[str]:
        src = self.src.shape
        if not -len(src) <= self.axis < len(src):
            yield f"axis {self.axis} is none of src {src}"
            return
        axis = self.axis % len(src)
        yield from equal("dst shape", self.dst.shape, src[:axis] + self.index.shape + src[axis + 1 :])
        yield from equal("dst type", self.dst.dtype, self.src.dtype)
        yield from integers("index", self.index)
        yield from inside("src", (src[axis],), (self.src_origin,), (self.extent,))


@instruction(
    60,
    "gather_elements",
    Engine.COMPUTE,
    "gather",
    cost=_gather_elements_cost,
    example="gather_elements sram+0x4000 f32[4,9] <- sram+0x0 f32[16,9], index=sram+0x2000 i64[4,9], axis=0",
)
class GatherElements(Instruction):
    """dst[…, i, …] = src[…, index[…, i, …], …] along one axis; negative indices count from the end.

    The whole axis is in src; its other extents are those of dst or greater.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, of the same rank as dst")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices, shaped as dst")
    axis: int = attribute("the axis of src that the indices count along")

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """As many bytes of src as are written, and the index."""
        return [(self.src.memory, self.dst.nbytes), (self.index.memory, self.index.distinct_bytes)]

    def shape_errors(self) -> Iterator[str]:
        src, dst = self.src.shape, self.dst.shape
        rank = len(src)
        if not -rank <= self.axis < rank:
            yield f"axis {self.axis} is none of src {src}"
            return
        yield from equal("index shape", self.index.shape, dst)
        yield from equal("dst type", self.dst.dtype, self.src.dtype)
        yield from integers("index", self.index)
        pairs = enumerate(zip(dst, src, strict=False))
        if len(dst) != rank or any(m > n for axis, (m, n) in pairs if axis != self.axis % rank):
            yield f"dst {dst} reaches beyond src {src}"


SCATTERED = (Function.IDENTITY, Function.ADD, Function.MUL, Function.MAX, Function.MIN)
"""What a scatter makes of an element and its update: the update, or a function of both."""


@instruction(
    61,
    "scatter",
    Engine.COMPUTE,
    "gather",
    cost=_scatter_cost,
    example="scatter sram+0x4000 f32[16,64] <- sram+0x0 f32[16,64], index=sram+0x2000 i64[4,1] "
    "updates=sram+0x3000 f32[4,64], axis=0",
)
class Scatter(Instruction):
    """dst is src, but dst[…, index[…, i, …], …] = function(dst[…, index[…, i, …], …], updates[…, i, …]).

    Updates come one after the other along the axis, so that of equal indices the last one counts, or all by
    the function: identity (the update itself), add, mul, max or min. Negative indices count from the end.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, shaped as dst")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices, which broadcast to updates")
    updates: Operand = operand(Access.READ, Role.FEATURE, "updates: beside the axis the extents of dst")
    axis: int = attribute("the axis of dst that the indices count along")
    function: Function = attribute("what an element and its update make", default=Function.IDENTITY)

    @property
    def operations(self) -> int:
        """One for every update, unless it only takes a place."""
        return 0 if self.function is Function.IDENTITY else self.updates.elements

    def shape_errors(self) -> Iterator[str]:
        src, updates = self.src.shape, self.updates.shape
        rank = len(src)
        if not -rank <= self.axis < rank:
            yield f"axis {self.axis} is none of src {src}"
            return
        axis = self.axis % rank
        yield from same_block(self.dst, self.src)
        yield from equal("type of updates", self.updates.dtype, self.src.dtype)
        yield from equal("rank of index", len(self.index.shape), rank)
        yield from integers("index", self.index)
        yield from broadcasts("index", self.index, updates)
        if self.function not in SCATTERED:
            yield f"function is {self.function.value}, expected {', '.join(f.value for f in SCATTERED)}"
        if len(updates) != rank:
            yield f"rank of updates is {len(updates)}, expected {rank}"
            return
        expected = (*src[:axis], updates[axis], *src[axis + 1 :])
        yield from equal("shape of updates", updates, expected)
        if self.index.shape[axis : axis + 1] != updates[axis : axis + 1]:
            yield f"index {self.index.shape} has not the extent of updates {updates} along axis {axis}"
