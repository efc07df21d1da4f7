"""drop-dead: remove layers and constants that no output of the network depends on."""

from __future__ import annotations

from collections.abc import Iterable

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target


def drop_unread(graph: Graph, tensors: Iterable[str | None]) -> None:
    """Remove the layers that made some tensors, and what only these read, unless something depends on it."""
    left = list(tensors)
    while left:
        tensor = left.pop()
        layer = graph.producer(tensor) if tensor is not None else None
        if layer is not None and is_dead(graph, layer):
            left += graph.inputs_of(layer.name)
            graph.remove(layer.name)


def is_dead(graph: Graph, layer: Layer) -> bool:
    """Whether nobody reads what a layer makes."""
    outputs = graph.outputs_of(layer.name)
    return not any(graph.consumers(tensor) or tensor in graph.outputs for tensor in outputs)


def drop_dead(graph: Graph) -> None:
    """Remove all layers and constants that no output depends on."""
    for layer in reversed(graph.layers()):
        if is_dead(graph, layer):
            graph.remove(layer.name)
    used = set(graph.used_constants())
    for name in [name for name in graph.constants if name not in used]:
        graph.remove_constant(name)


def _run(graph: Graph, _target: Target) -> None:
    drop_dead(graph)


DROP_DEAD = Pass("drop-dead", _run)
