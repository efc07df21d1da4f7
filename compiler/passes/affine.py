"""Affine layers: element-wise layers that compute x · scale + shift with constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer
from nnc.compiler.passes.matching import operands_of, result_type
from nnc.compiler.passes.merge_views import Axis
from nnc.isa.functions import Function

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Affine:
    """What an affine layer does to the operand in `slot`; scale and shift broadcast to its shape.

    Either is None where the layer has none.
    """

    layer: Elementwise
    slot: int
    scale: Array | None
    shift: Array | None

    def after(self, first: Affine) -> tuple[Array | None, Array | None] | None:
        """Scale and shift of this layer after another; None if their type cannot hold them."""
        scales = [value for value in (first.scale, self.scale) if value is not None]
        scale = scaled(scales[0], scales[1]) if len(scales) == 2 else next(iter(scales), None)
        shift = self.shift if first.shift is None else shifted(first.shift, self.scale, self.shift)
        is_lost = (scale is None and scales) or (shift is None and first.shift is not None)
        return None if is_lost else (scale, shift)


def scaled(a: Array, b: Array, summed: tuple[int, ...] = ()) -> Array | None:
    """a · b in their type; None if some product overflows, or loses digits by being small.

    Args:
        summed: axes along which products are weights of one sum: the largest must keep its digits.
    """
    with np.errstate(all="ignore"):
        result = np.asarray(np.multiply(a, b))
        highest = result.max(axis=summed, keepdims=True, initial=0)
        largest = np.maximum(highest, -result.min(axis=summed, keepdims=True, initial=0))
        if not np.all(np.isfinite(largest)):
            return None
        normal = np.finfo(result.dtype).tiny
        lost = largest < normal
        if lost.any():
            lost = lost & (np.abs(a) >= normal) & (np.abs(b) >= normal)
    return None if lost.any() else result


def shifted(first: Array, scale: Array | None, second: Array | None) -> Array | None:
    """first · scale + second, computed in double and rounded to the type of first; None if some overflow.

    What vanishes in a sum would have vanished in the tensor as well.
    """
    with np.errstate(all="ignore"):
        total = first.astype(np.float64)
        total = total if scale is None else total * scale
        total = total if second is None else total + second
        result = np.asarray(total, first.dtype)
    return result if bool(np.all(np.isfinite(result))) else None


def channel_vector(value: Array | None, result: tuple[int, ...], channel: int) -> Array | None:
    """The constant as a vector over the channels, or None if it varies over another axis."""
    if value is None:
        return None
    shape = (1,) * (len(result) - value.ndim) + value.shape
    if any(extent != 1 for axis, extent in enumerate(shape) if axis != channel):
        return None
    return np.broadcast_to(value.reshape(-1), (result[channel],))


def behind_views(value: Array | None, axes: Sequence[Axis], channel: int, channels: int) -> Array | None:
    """A constant that meets a tensor in views, as a vector over the channels of the tensor itself.

    Args:
        axes: what the axes of the last view are made of (see `merge_views`).

    Returns: None if it varies over another axis of the tensor.
    """
    if value is None:
        return None
    shape, place = (1,) * (len(axes) - value.ndim) + value.shape, np.arange(channels)
    index = []
    for extent, factors in zip(shape, axes, strict=True):
        position = np.zeros_like(place)
        for factor in factors if extent > 1 else ():
            if factor.axis != channel:
                return None
            position = position * factor.extent + place // factor.step % factor.extent
        index.append(position)
    return np.asarray(value.reshape(shape)[tuple(index)])


def affine_of(graph: Graph, layer: Layer) -> Affine | None:
    """The layer as an affine one, or None: its constants are floats that leave the shape as it is."""
    if not isinstance(layer, Elementwise) or layer.params or layer.src_scales:
        return None
    reads = operands_of(graph, layer)
    varying = [slot for slot, tensor in enumerate(reads) if not graph.is_constant(tensor)]
    values = [graph.constants[tensor] for tensor in reads if graph.is_constant(tensor)]
    if len(varying) != 1 or not values or not _keeps_reals(graph, layer, reads[varying[0]]):
        return None
    return _of_constants(layer, varying[0], values)


def _of_constants(layer: Elementwise, slot: int, values: list[Array]) -> Affine | None:
    """What a layer does to the operand in a slot, by the values of the others."""
    match layer.function, slot, values:
        case Function.SCALE_SHIFT, 0, [scale, shift]:
            return Affine(layer, 0, scale, shift)
        case Function.MUL, _, [scale]:
            return Affine(layer, slot, scale, None)
        case Function.ADD, _, [shift]:
            return Affine(layer, slot, None, shift)
        case Function.SUB, 0, [shift]:
            return Affine(layer, 0, None, np.negative(shift))
        case _:
            return None


def _keeps_reals(graph: Graph, layer: Layer, tensor: str) -> bool:
    """Whether a layer makes floats of the type of a tensor, which are of the same shape."""
    type_ = graph.types[tensor]
    return result_type(graph, layer) == type_ and type_.dtype.is_float
