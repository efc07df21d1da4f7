"""Which tensors have elements that are outputs of the network."""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph


def delivered_tensors(graph: Graph) -> set[str]:
    """All tensors that outputs of the network show."""
    found: set[str] = set()
    todo = list(graph.outputs)
    while todo:
        tensor = todo.pop()
        if tensor in found:
            continue
        found.add(tensor)
        layer = graph.producer(tensor)
        if layer is not None and layer.is_view:
            todo += [t for t in graph.inputs_of(layer.name) if t is not None]
    return found
