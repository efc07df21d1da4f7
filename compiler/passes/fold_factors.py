"""fold-factors: a layer that multiplies by a number becomes part of the weights above it, behind any views.

before:  t = matmul(x, W);  q, k, v = slices of reshaped t;  s = matmul(q · 0.125, k)
after:   t = matmul(x, W');  q, k, v = slices of reshaped t;  s = matmul(q, k)   with the columns of q · 0.125

The number may stand behind the product of two results, too: then it belongs to the weights of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer, MatMul, Reshape, Slice, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.passes.fold_affine import channel_axis, has_free_sums, scale_and_shift
from nnc.compiler.passes.merge_views import Axis, through, whole_axes
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function

Array = npt.NDArray[Any]
_Reader = tuple[str | None, int]
"""A layer and its slot that read a tensor; (None, 0): whoever reads an output of the network."""


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        factor = _factor_of(graph, layer)
        if factor is None:
            continue
        tensor = required(graph.inputs_of(layer.name)[0])
        above = graph.producer(tensor)
        if above is None or sole_consumer(graph, tensor) is None:
            continue
        if factor == 1.0 or _multiplied(graph, tensor, (layer.name, 0), factor):
            graph.take_over_output(above.name, graph.output_of(layer.name))


def _factor_of(graph: Graph, layer: Layer) -> float | None:
    """The number by which a layer multiplies floats, if that is all it does."""
    if not isinstance(layer, Elementwise) or layer.src_scales or len(layer.params) != 1:
        return None
    (tensor,), (number,) = map(required, graph.inputs_of(layer.name)), layer.params
    if (
        graph.types[tensor] != graph.types[graph.output_of(layer.name)]
        or not graph.types[tensor].dtype.is_float
    ):
        return None
    if layer.function is Function.DIV and not layer.swap and number:
        number = 1 / number
    elif layer.function is not Function.MUL:
        return None
    return number if number and isfinite(number) else None


def _multiplied(graph: Graph, tensor: str, reader: _Reader, factor: float, *, again: bool = True) -> bool:
    """Multiply what a layer reads by a number, if the weights above can, and nobody else reads the same.

    Args:
        again: whether a product of two results may pass it on to its operands.
    """
    source, mac = tensor, graph.producer(tensor)
    while isinstance(mac, Reshape | Transpose | Slice):
        source = required(graph.inputs_of(mac.name)[0])
        mac = graph.producer(source)
    if not isinstance(mac, MacLayer) or not has_free_sums(graph, mac) or 0 in graph.types[source].shape:
        return False
    channel = channel_axis(mac, len(graph.types[source].shape))
    weight = required(graph.operand(mac.name, 1))
    if graph.is_constant(weight):
        scale = _scale(graph, source, reader, channel, factor)
        return scale is not None and scale_and_shift(graph, mac, scale, None)
    if not again or not isinstance(mac, MatMul) or graph.operand(mac.name, 2) is not None:
        return False
    if [found for found, _ in _readers(graph, source)] != [reader]:
        return False
    operands = [required(mine) for mine in graph.inputs_of(mac.name)[:2]]
    return any(
        not graph.is_constant(mine) and _multiplied(graph, mine, (mac.name, slot), factor, again=False)
        for slot, mine in enumerate(operands)
    )


def _scale(graph: Graph, source: str, reader: _Reader, channel: int, factor: float) -> Array | None:
    """Factors by channel, by which one reader of a tensor gets a multiple, all others what they got."""
    shape = graph.types[source].shape
    scale = np.ones(shape[channel])
    others = np.zeros(shape[channel], dtype=bool)
    for mine, views in _readers(graph, source):
        channels = _channels(shape, views, channel)
        if mine != reader:
            others[slice(None) if channels is None else channels] = True
        elif channels is None:
            return None
        else:
            scale[channels] = factor
    return None if (others & (scale != 1)).any() else scale


def _channels(shape: Sequence[int], views: Sequence[Layer], channel: int) -> Array | None:
    """Places along an axis of a tensor that its last view shows; None if that is not easily said."""
    axes: list[Axis] | None = whole_axes(shape)
    first = 0
    for view in views:
        if axes is not None and isinstance(view, Slice):
            axes, starts = sliced(axes, view)
            first += starts.get(channel, 0)
        elif axes is not None:
            axes = through(axes, view)
    if axes is None:
        return None
    places = np.array([first])
    for factor in (factor for axis in axes for factor in axis if factor.axis == channel):
        places = np.add.outer(places, factor.step * np.arange(factor.extent)).ravel()
    return places


def sliced(axes: list[Axis], view: Slice) -> tuple[list[Axis] | None, dict[int, int]]:
    """What the axes of a slice are made of, and where it starts along those of the first tensor."""
    found: list[Axis] = []
    starts: dict[int, int] = {}
    for factors, start, step, extent in zip(axes, view.start, view.step, view.shape, strict=True):
        if (start, step, extent) == (0, 1, prod(factor.extent for factor in factors)):
            found.append(factors)
        elif len(factors) == 1:
            (mine,) = factors
            starts[mine.axis] = starts.get(mine.axis, 0) + start * mine.step
            found.append((mine._replace(step=mine.step * step, extent=extent),) if extent > 1 else ())
        else:
            return None, {}
    return found, starts


def _readers(graph: Graph, source: str) -> Iterator[tuple[_Reader, list[Layer]]]:
    """Who reads a tensor, directly or in views, and these views."""
    left: list[tuple[str, list[Layer]]] = [(source, [])]
    while left:
        tensor, views = left.pop()
        if tensor in graph.outputs:
            yield (None, 0), views
        for layer, slot in graph.consumers(tensor):
            if isinstance(layer, Reshape | Transpose | Slice):
                left.append((graph.output_of(layer.name), [*views, layer]))
            else:
                yield (layer.name, slot), views


FOLD_FACTORS = Pass("fold-factors", _run)
