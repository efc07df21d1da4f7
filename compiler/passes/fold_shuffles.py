"""fold-shuffles: a permutation of channels goes into the weights of convolutions above or below it.

before:  h = conv(x, W, b);  t = reshape(transpose(reshape(h)))           t[:, c] = h[:, p[c]]
after:   t = conv(x, W[p], b[p])
or:      y = conv(t, W)   becomes   y = conv(h, W with its input channels in the order of h)

Depthwise convolutions, pools and functions of one operand are passed on the way, with their constants.
Above, every element stays what it was to the last bit; below, the same products are summed in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, Elementwise, Layer, Pool, Reshape, Transpose
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    chain_above,
    constant_value,
    layers_of,
    made_for_one,
    operands_of,
    readers_of,
    replace_operand,
    result_type,
    source_of,
    source_type,
)
from nnc.compiler.passes.merge_views import factors_of, places, whole_axes
from nnc.compiler.target.target import Target

Order = npt.NDArray[np.int64]
_Edits = dict[tuple[str, int], npt.NDArray[Any]]
"""New constants by layer and slot."""


def _run(graph: Graph, _target: Target) -> None:
    for last in layers_of(graph, Reshape):
        chain = chain_above(graph, last, Transpose, Reshape)
        order = None if chain is None else _permutation(graph, chain)
        if chain is None or order is None:
            continue
        shuffled, tensor = graph.output_of(last.name), source_of(graph, chain[0])
        edits = _above(graph, tensor, order)
        edits = _below(graph, shuffled, np.argsort(order)) if edits is None else edits
        if edits is not None:
            _edit(graph, edits)
            graph.rewire(shuffled, tensor)
            for view in reversed(chain):
                graph.remove(view.name)


def _permutation(graph: Graph, chain: Sequence[Layer]) -> Order | None:
    """The order p of channels with result[:, c] == source[:, p[c]]; None if more than channels move."""
    shape, result = source_type(graph, chain[0]).shape, graph.output_of(chain[-1].name)
    if len(shape) < 3 or graph.types[result].shape != shape or 0 in shape or result in graph.outputs:
        return None
    axes = factors_of(shape, chain) or []
    batch, _, *pixels = whole_axes(shape)
    return places(axes[1]) if axes == [batch, *axes[1:2], *pixels] else None


def _edit(graph: Graph, edits: _Edits) -> None:
    for (name, slot), value in edits.items():
        new = graph.add_constant(f"{graph.operand(name, slot)}.shuffled", np.ascontiguousarray(value))
        replace_operand(graph, name, slot, new)


def _above(graph: Graph, tensor: str, order: Order) -> _Edits | None:
    """Constants with which what computes a tensor, for one reader, gives its channels in an order."""
    layer = made_for_one(graph, tensor, Conv, Pool, Elementwise)
    if layer is None:
        return None
    if isinstance(layer, Conv) and layer.groups == 1:
        return _reordered(graph, layer, order)
    edits = _handed_on(graph, layer, order)
    above = None if edits is None else _above(graph, source_of(graph, layer), order)
    return None if edits is None or above is None else edits | above


def _below(graph: Graph, tensor: str, order: Order) -> _Edits | None:
    """Constants with which all readers of a tensor take its channels in an order, and hand them on."""
    edits: _Edits = {}
    readers = readers_of(graph, tensor, Conv, Pool, Elementwise)
    for layer in readers:
        more = _taken(graph, layer, order)
        if more is None:
            return None
        edits |= more
    return edits if readers else None


def _taken(graph: Graph, layer: Layer, order: Order) -> _Edits | None:
    """Constants with which a layer takes channels in an order, and all behind it if it hands them on."""
    if isinstance(layer, Conv) and layer.groups == 1:
        weight = constant_value(graph, graph.operand(layer.name, 1))
        return None if weight is None else {(layer.name, 1): weight[:, order]}
    edits = _handed_on(graph, layer, order)
    below = None if edits is None else _below(graph, graph.output_of(layer.name), order)
    return None if edits is None or below is None else edits | below


def _handed_on(graph: Graph, layer: Layer, order: Order) -> _Edits | None:
    """Constants with which a layer that works channel by channel hands these on in an order."""
    match layer:
        case Pool():
            return {}
        case Elementwise() if len(operands_of(graph, layer)) == 1:
            return {}
        case Conv(groups=groups):
            channels = {groups, source_type(graph, layer).shape[1], result_type(graph, layer).shape[1]}
            return _reordered(graph, layer, order) if channels == {len(order)} else None
        case _:
            return None


def _reordered(graph: Graph, layer: Layer, order: Order) -> _Edits | None:
    """The constants of a convolution with its output channels in an order; None if they are none."""
    edits: _Edits = {}
    _, weight, *others = graph.inputs_of(layer.name)
    for slot, tensor in [(1, weight), *((slot, t) for slot, t in enumerate(others, 2) if t is not None)]:
        value = constant_value(graph, tensor)
        if value is None or (slot > 1 and value.size > 1 and value.ndim != 1):
            return None
        if slot == 1 or value.size > 1:
            edits[layer.name, slot] = value[order]
    return edits


FOLD_SHUFFLES = Pass("fold-shuffles", _run)
