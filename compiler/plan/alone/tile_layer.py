"""The layer that computes one tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.operand_boxes import Need
from nnc.compiler.ir.windows import window_reach
from nnc.isa.instruction import Phase
from nnc.isa.record import changed, record

Vector = tuple[int, ...]


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


@_rule(ir.MatMul, ir.Elementwise, ir.Reduce, ir.Copy, ir.Fill, *ir.WHOLE_AXES)
@_rule(ir.Gather, ir.GatherElements)  # the whole of the axis is in the tile
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
