"""fold-shuffles: a permutation of channels goes into the weights of convolutions above or below it.

before:  h = conv(x, W, b);  t = reshape(transpose(reshape(h)))           t[:, c] = h[:, p[c]]
after:   t = conv(x, W[p], b[p])
or:      y = conv(t, W)   becomes   y = conv(h, W with its input channels in the order of h)

Depthwise convolutions, pools and functions of one operand are passed on the way, with their constants.
Above, every element stays what it was to the last bit; below, the same products are summed in another order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, Elementwise, Layer, Pool, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.target.target import Target

Order = npt.NDArray[np.int64]
_Edits = dict[tuple[str, int], npt.NDArray[Any]]
"""New constants by layer and slot."""


def _run(graph: Graph, _target: Target) -> None:
    for last in graph.layers():
        chain = _chain(graph, last)
        order = None if chain is None else _permutation(graph, chain)
        if chain is None or order is None:
            continue
        shuffled, source = graph.output_of(last.name), required(graph.inputs_of(chain[0].name)[0])
        edits: _Edits = {}
        if not _above(graph, source, order, edits):
            edits.clear()
            if not _below(graph, shuffled, order, edits):
                continue
        for (name, slot), value in edits.items():
            inputs = list(graph.inputs_of(name))
            inputs[slot] = graph.add_constant(f"{inputs[slot]}.shuffled", value)
            graph.set_inputs(name, inputs)
        graph.rewire(shuffled, source)
        for layer in reversed(chain):
            graph.remove(layer.name)


def _chain(graph: Graph, last: Layer) -> list[Layer] | None:
    """Reshape, transpose, reshape that ends with a layer; nobody else reads what is between them."""
    chain = [last]
    if not isinstance(last, Reshape) or graph.output_of(last.name) in graph.outputs:
        return None
    for kind in (Transpose, Reshape):
        tensor = required(graph.inputs_of(chain[0].name)[0])
        above = graph.producer(tensor)
        if not isinstance(above, kind) or sole_consumer(graph, tensor) is None:
            return None
        chain.insert(0, above)
    return chain


def _permutation(graph: Graph, chain: list[Layer]) -> Order | None:
    """The order p of channels with result[:, c] == source[:, p[c]]; None if more than channels move."""
    split, turned, last = chain
    assert isinstance(split, Reshape) and isinstance(turned, Transpose) and isinstance(last, Reshape)
    source = required(graph.inputs_of(split.name)[0])
    shape, middle = graph.types[source].shape, graph.types[graph.output_of(turned.name)].shape
    plain = all(layer.order == identity_order(len(layer.order)) for layer in (split, last))
    if len(shape) < 3 or last.shape != shape or 0 in shape or not plain:
        return None
    before, behind = [n for n in shape[:1] if n > 1], [n for n in shape[2:] if n > 1]
    apart = [axis for axis, n in enumerate(split.shape) if n > 1]
    inner = apart[len(before) : len(apart) - len(behind)]
    perm = [axis for axis, n in zip(turned.perm, middle, strict=True) if n > 1]
    around = (apart[: len(before)], apart[len(apart) - len(behind) :])
    fixed = (perm[: len(before)], perm[len(perm) - len(behind) :])
    factors = tuple(split.shape[axis] for axis in inner)
    if around != fixed or [split.shape[axis] for side in around for axis in side] != before + behind:
        return None
    channels: Order = np.arange(shape[1], dtype=np.int64).reshape(factors)
    moved = perm[len(before) : len(perm) - len(behind)]
    return np.asarray(channels.transpose([inner.index(axis) for axis in moved]).reshape(-1))


def _above(graph: Graph, tensor: str, order: Order, edits: _Edits) -> bool:
    """Whether what computes a tensor, which nobody else reads, can give its channels in an order."""
    layer = graph.producer(tensor)
    if layer is None or sole_consumer(graph, tensor) is None:
        return False
    source = required(graph.inputs_of(layer.name)[0])
    if not isinstance(layer, Conv):
        return _passes(graph, layer) and _above(graph, source, order, edits)
    if not _reorders_results(graph, layer, order, edits):
        return False
    if layer.groups == 1:
        return True
    return layer.groups == len(order) == graph.types[source].shape[1] and _above(graph, source, order, edits)


def _below(graph: Graph, tensor: str, order: Order, edits: _Edits) -> bool:
    """Whether all that read a shuffled tensor can take its channels as they were before, and hand them on."""
    if tensor in graph.outputs or not graph.consumers(tensor):
        return False
    back = np.argsort(order)
    for layer, slot in graph.consumers(tensor):
        result = graph.output_of(layer.name)
        if isinstance(layer, Conv) and slot == 0 and layer.groups == 1:
            weight = graph.operand(layer.name, 1)
            if weight is None or not graph.is_constant(weight) or (layer.name, 1) in edits:
                return False
            edits[layer.name, 1] = np.ascontiguousarray(graph.constants[weight][:, back])
        elif isinstance(layer, Conv) and slot == 0 and layer.groups == len(order):
            if graph.types[result].shape[1] != len(order) or not _reorders_results(graph, layer, back, edits):
                return False
            if not _below(graph, result, order, edits):
                return False
        elif not _passes(graph, layer) or not _below(graph, result, order, edits):
            return False
    return True


def _passes(graph: Graph, layer: Layer) -> bool:
    """Whether a layer does the same to every channel, each by itself."""
    if isinstance(layer, Pool):
        return True
    return isinstance(layer, Elementwise) and len(graph.inputs_of(layer.name)) == 1


def _reorders_results(graph: Graph, layer: Conv, order: Order, edits: _Edits) -> bool:
    """Enter the constants of a convolution with its output channels in an order; False if they are none."""
    for slot, tensor in enumerate(graph.inputs_of(layer.name)):
        if slot == 0 or tensor is None:
            continue
        if not graph.is_constant(tensor) or layer.slots[slot] in ("residual", "accumulator"):
            return False
        value = graph.constants[tensor]
        if value.size == 1 and slot > 1:
            continue
        if (slot > 1 and value.ndim != 1) or (layer.name, slot) in edits:
            return False
        edits[layer.name, slot] = np.ascontiguousarray(value[order])
    return True


FOLD_SHUFFLES = Pass("fold-shuffles", _run)
