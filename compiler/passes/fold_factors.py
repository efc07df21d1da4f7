"""fold-factors: a layer that multiplies by a number becomes part of the weights above it, behind any views.

before:  t = matmul(x, W);  q, k, v = slices of reshaped t;  s = matmul(q · 0.125, k)
after:   t = matmul(x, W');  q, k, v = slices of reshaped t;  s = matmul(q, k)   with the columns of q · 0.125

The number may stand behind the product of two results, too: then it belongs to the weights of either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer, MatMul, Reshape, Slice, Transpose
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.fold_affine import channel_axis, has_free_sums, scale_and_shift
from nnc.compiler.passes.matching import (
    functions_of,
    made_by,
    made_for_one,
    operands_of,
    result_type,
    shown_by,
    source_of,
    source_type,
    uses_through,
)
from nnc.compiler.passes.merge_views import Axis, places, through, whole_axes
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function

Array = npt.NDArray[Any]
_VIEWS = (Reshape, Transpose, Slice)
_Reader = tuple[str | None, int]
"""A layer and its slot that read a tensor; (None, 0): whoever reads an output of the network."""


def _run(graph: Graph, _target: Target) -> None:
    for layer in functions_of(graph, Function.MUL, Function.DIV):
        tensor, factor = source_of(graph, layer), _factor_of(graph, layer)
        above = made_for_one(graph, tensor, Layer)
        if factor is None or above is None:
            continue
        if factor == 1.0 or _multiplied(graph, tensor, (layer.name, 0), factor):
            graph.take_over_output(above.name, graph.output_of(layer.name))


def _factor_of(graph: Graph, layer: Elementwise) -> float | None:
    """The number by which a layer multiplies floats, if that is all it does."""
    type_ = source_type(graph, layer)
    if type_ != result_type(graph, layer) or not type_.dtype.is_float:
        return None
    match layer:
        case Elementwise(function=Function.MUL, params=(number,)):
            factor = number
        case Elementwise(function=Function.DIV, params=(number,), swap=False) if number:
            factor = 1 / number
        case _:
            return None
    return factor if factor and isfinite(factor) else None


def _multiplied(graph: Graph, tensor: str, reader: _Reader, factor: float, *, again: bool = True) -> bool:
    """Multiply what a layer reads by a number, if the weights above can, and nobody else reads the same.

    Args:
        again: whether a product of two results may pass it on to its operands.
    """
    shown = shown_by(graph, tensor, *_VIEWS).tensor
    mac, shape = made_by(graph, shown, MacLayer), graph.types[shown].shape
    if mac is None or not has_free_sums(graph, mac) or 0 in shape:
        return False
    if graph.is_constant(graph.operand(mac.name, 1)):
        scale = _scale(graph, shown, reader, channel_axis(mac, len(shape)), factor)
        return scale is not None and scale_and_shift(graph, mac, scale, None)
    is_alone = [use[:2] for use in uses_through(graph, shown, *_VIEWS)] == [reader]
    return again and is_alone and _passed_on(graph, mac, factor)


def _passed_on(graph: Graph, product: MacLayer, factor: float) -> bool:
    """Multiply either operand of a product of two results, without a bias."""
    return (isinstance(product, MatMul) and graph.operand(product.name, 2) is None) and any(
        not graph.is_constant(tensor)
        and _multiplied(graph, tensor, (product.name, slot), factor, again=False)
        for slot, tensor in enumerate(operands_of(graph, product)[:2])
    )


def _scale(graph: Graph, shown: str, reader: _Reader, channel: int, factor: float) -> Array | None:
    """Factors by channel, by which one reader of a tensor gets a multiple, all others what they got."""
    shape = graph.types[shown].shape
    scale = np.ones(shape[channel])
    kept = np.zeros(shape[channel], dtype=bool)
    for name, slot, views in uses_through(graph, shown, *_VIEWS):
        channels = _channels(shape, views, channel)
        if (name, slot) != reader:
            kept[slice(None) if channels is None else channels] = True
        elif channels is None:
            return None
        else:
            scale[channels] = factor
    return None if (kept & (scale != 1)).any() else scale


def _channels(shape: Sequence[int], views: Sequence[Layer], channel: int) -> Array | None:
    """Places along an axis of a tensor that its last view shows; None if that is not easily said."""
    axes, starts = axes_through(shape, views)
    if axes is None:
        return None
    factors = tuple(factor for axis in axes for factor in axis if factor.axis == channel)
    return places(factors, starts[channel])


def axes_through(shape: Sequence[int], views: Sequence[Layer]) -> tuple[list[Axis] | None, Counter[int]]:
    """What the axes of the last view are made of, and where it starts along those of the first tensor."""
    axes: list[Axis] | None = whole_axes(shape)
    starts = Counter[int]()
    for view in views:
        if axes is not None and isinstance(view, Slice):
            axes, more = sliced(axes, view)
            starts.update(more)
        elif axes is not None:
            axes = through(axes, view)
    return axes, starts


def sliced(axes: list[Axis], view: Slice) -> tuple[list[Axis] | None, dict[int, int]]:
    """What the axes of a slice are made of, and where it starts along those of the first tensor."""
    shown: list[Axis] = []
    starts: dict[int, int] = {}
    for factors, start, step, extent in zip(axes, view.start, view.step, view.shape, strict=True):
        if (start, step, extent) == (0, 1, prod(part.extent for part in factors)):
            shown.append(factors)
        elif len(factors) == 1:
            (factor,) = factors
            starts[factor.axis] = starts.get(factor.axis, 0) + start * factor.step
            shown.append((factor._replace(step=factor.step * step, extent=extent),) if extent > 1 else ())
        else:
            return None, {}
    return shown, starts


FOLD_FACTORS = Pass("fold-factors", _run)
