"""share-layers: layers that do the same to the same operands become one.

before:  a = where(m, x, 0);  b = where(m, x, 0);  y = f(a);  z = g(b)
after:   a = where(m, x, 0);  y = f(a);  z = g(a)

Exporters write what all layers of a decoder need, masks, lengths, sines of positions, once for each of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


def _run(graph: Graph, _target: Target) -> None:
    names, firsts = dict[str, Hashable](), dict[Hashable, Layer]()
    for layer in graph.layers():
        first = firsts.setdefault(_key(graph, layer, names), layer)
        results = graph.outputs_of(layer.name)
        if first is not layer and not any(result in graph.outputs for result in results):
            for result, same in zip(results, graph.outputs_of(first.name), strict=True):
                graph.rewire(result, same)
            graph.remove(layer.name)


def _key(graph: Graph, layer: Layer, names: dict[str, Hashable]) -> Hashable:
    """Equal for layers that give the same results; 0.0 and -0.0, which are equal numbers, do not."""
    operands = graph.inputs_of(layer.name)
    for operand in operands:
        if operand is not None and operand not in names:
            names[operand] = _identity(graph, operand)
    types = [graph.types[result] for result in graph.outputs_of(layer.name)]
    return repr(layer.signature), *(operand and names[operand] for operand in operands), *types


def _identity(graph: Graph, tensor: str) -> Hashable:
    """Equal for tensors that are the same: of small constants by their bytes, of all others by name."""
    value = graph.constants.get(tensor)
    if value is None or value.nbytes > TUNING.passes.compared_bytes:
        return tensor
    digest = blake2b(np.ascontiguousarray(value).tobytes()).digest()
    return graph.types[tensor], digest, graph.notes.padding.get(tensor)


SHARE_LAYERS = Pass("share-layers", _run)
