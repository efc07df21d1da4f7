"""A tiling: how one layer that is computed alone is cut, and the layers that compute its tiles.

A convolution with a result of [1, 64, 56, 56], 16 channels of 14 rows at a time, channels outermost:

    Tiling(tile=(1, 16, 14, 56), loops=(1, 0, 2, 3), chunk=None, double_buffer=True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Need
from nnc.compiler.ir.regions.operand_boxes import Boxes
from nnc.compiler.ir.windows import window_reach
from nnc.compiler.plan.alone.core_split import AxisCut, CoreSplit
from nnc.compiler.plan.alone.dram_bytes import ranges
from nnc.compiler.target.pixel_groups import PixelGroups
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div
from nnc.isa.record import changed, record

Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tiling:
    """How one layer is cut.

    Attributes:
        tile: largest extents of an output tile, per output axis.
        loops: output axes in the order of the loops over tiles, outermost first.
        chunk: extent of a chunk of the summed (K) axis; None if it is whole.
        double_buffer: whether the next part is loaded while this one computes.
        split: how cores share the layer; None if core 0 works alone.
        pixels: the groups of pixels that the chunks are (M5), if they are.
        abreast: tiles along the innermost loop that are summed side by side, in the order of `turns`.  What
            they share of a chunk is loaded once for all.
    """

    tile: tuple[int, ...]
    loops: tuple[int, ...]
    chunk: int | None
    double_buffer: bool
    split: CoreSplit | None = None
    pixels: PixelGroups | None = None
    abreast: int = 1

    @property
    def cores(self) -> int:
        """How many compute."""
        return 1 if self.split is None else self.split.cores

    @property
    def heading(self) -> str:
        """How the layer is computed, as the beginning of a sentence."""
        return "tiled alone," if self.pixels is None else f"{self.pixels};"

    def axes(self, names: Sequence[str], shape: Sequence[int]) -> list[str]:
        """The axes of a result of this shape that are cut, in words; ."""
        cut = [names[axis] for axis in self.loops if self.tile[axis] < shape[axis]]
        return cut if self.chunk is None else [*cut, "k"]


def output_boxes(shape: tuple[int, ...], tiling: Tiling, core: int = 0) -> Boxes:
    """The boxes of all output tiles of a core, in the order of the loops.

    Where cores share an axis, some may be empty (see `axis_tiles`).
    """
    axes = [_tiles_of_core(shape, tiling, axis, core) for axis in tiling.loops]
    boxes = Boxes.whole(shape, prod(len(cuts) for cuts in axes))
    for row, cuts in enumerate(product(*axes)):
        boxes.low[row, list(tiling.loops)] = [low for low, _ in cuts]
        boxes.high[row, list(tiling.loops)] = [high for _, high in cuts]
    return boxes


def tiles_abreast(shape: tuple[int, ...], tiling: Tiling, core: int = 0) -> list[range]:
    """Places among these boxes of the tiles that are computed side by side."""
    axes = [len(_tiles_of_core(shape, tiling, axis, core)) for axis in tiling.loops]
    inner = axes[-1] if tiling.abreast > 1 else 1
    return [
        range(start, min(start + tiling.abreast, first + inner))
        for first in range(0, prod(axes), inner)
        for start in range(first, first + inner, tiling.abreast)
    ]


def turns(chunks: int, tiles: int) -> list[tuple[int, int]]:
    """(chunk, tile) of all computations of tiles side by side: a chunk of all of them, then the next one.

    The last two chunks, both of which are on chip, come tile by tile: so a tile has the time of two
    computations to be stored in, and its place is free before the next tiles need it.
    """
    together = chunks if chunks < 3 or tiles == 1 else chunks - 2
    by_chunk = [(chunk, tile) for chunk in range(together) for tile in range(tiles)]
    return by_chunk + [(chunk, tile) for tile in range(tiles) for chunk in range(together, chunks)]


def _tiles_of_core(shape: tuple[int, ...], tiling: Tiling, axis: int, core: int) -> list[tuple[int, int]]:
    cut, share = (None, 0) if tiling.split is None else tiling.split.cut_of(axis, core)
    return axis_tiles(shape[axis], tiling.tile[axis], cut, share)


def axis_tiles(extent: int, tile: int, cut: AxisCut | None, share: int) -> list[tuple[int, int]]:
    """The tiles of a share along an axis of the result: (first element, the one behind the last).

    A share of a split axis is cut into as many tiles on every core, as even as it allows; some may be empty.

    Args:
        cut: how cores share the axis, if they do.
    """
    if cut is None:
        return ranges(0, extent, tile)
    # A core with a small share may have nothing for the last tiles.
    return cut.tiles(share, ceil_div(max(cut.extents), tile))


@record(frozen=True, slots=True)
class _Part:
    """An output tile in the whole output, and what it needs of operand 0."""

    low: Vector
    shape: Vector
    whole: Vector
    source: Vector
    extents: Vector
    before: Vector
    after: Vector


Rule = Callable[[Any, _Part], ir.Layer]
RULES: dict[type[ir.Layer], Rule] = {}
"""The rule of every kind that computes; filled by the decorator."""


def _rule(*kinds: type[ir.Layer]) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        for kind in kinds:
            RULES[kind] = rule
        return rule

    return register


def tile_layer(
    layer: ir.Layer, need: Need | None, part: int, low: Vector, shape: Vector, whole: Vector
) -> ir.Layer:
    """The layer that computes one tile: padding, groups and origins as the tile has them.

    Args:
        need: what the tiles need of operand 0 (None if it has no tile), of which this is number `part`.
        low, shape: the output tile; whole: shape of the whole output.
    """
    rule = RULES[type(layer)]
    if need is None or rule is _same:
        return layer
    boxes = need.boxes
    vectors = (boxes.low, boxes.extents, need.before, need.after)
    return rule(layer, _Part(low, shape, whole, *(vector(v[part]) for v in vectors)))


def phase_of(index: int, count: int) -> Phase:
    """The phase of a computation of one chunk of so many."""
    if count == 1:
        return Phase.WHOLE
    if index == 0:
        return Phase.START
    return Phase.FINISH if index == count - 1 else Phase.ADD


@_rule(ir.Conv)
def _conv(layer: ir.Conv, part: _Part) -> ir.Layer:
    groups = _tile_groups(layer, part.shape, part.whole)
    return changed(layer, pad_begin=part.before[2:], pad_end=part.after[2:], groups=groups)


@_rule(ir.ConvTranspose)
def _conv_transpose(layer: ir.ConvTranspose, part: _Part) -> ir.Layer:
    before = part.before[2:]
    end = transposed_pad_end(layer, part.extents[2:], part.shape[2:], before)
    groups = _tile_groups(layer, part.shape, part.whole)
    return changed(layer, pad_begin=before, pad_end=end, groups=groups)


@_rule(ir.Pool)
def _pool(layer: ir.Pool, part: _Part) -> ir.Layer:
    return changed(layer, pad_begin=part.before[2:], pad_end=part.after[2:])


@_rule(ir.Resize, ir.Pad)
def _placed(layer: ir.Resize | ir.Pad, part: _Part) -> ir.Layer:
    return changed(layer, origin=part.low, src_origin=part.source)


@_rule(ir.MatMul, ir.BlockMatMul, ir.Elementwise, ir.Reduce, ir.Copy, ir.Fill, *ir.WHOLE_AXES)
@_rule(ir.Gather, ir.GatherElements, ir.Scatter, ir.Recurrence)  # the whole of the axis is in the tile
def _same(layer: ir.Layer, part: _Part) -> ir.Layer:
    return layer


def _tile_groups(layer: ir.SpatialMacLayer, shape: Vector, whole: Vector) -> int:
    return max(1, shape[1] * layer.groups // whole[1])


def transposed_pad_end(layer: ir.ConvTranspose, x: Vector, out: Vector, begin: Vector) -> Vector:
    """The padding at the end that makes a tile of a transposed convolution have the extents `out`."""
    axes = zip(x, out, begin, layer.stride, window_reach(layer.kernel, layer.dilation), strict=True)
    return tuple((n - 1) * s + reach - b - o for n, o, b, s, reach in axes)


def vector(values: npt.NDArray[np.int64]) -> Vector:
    """Integers of an array as a tuple."""
    return tuple(values.tolist())
