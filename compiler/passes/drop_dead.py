"""drop-dead: remove layers and constants that no output of the network depends on."""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.base import Pass


def _run(graph: Graph) -> None:
    for layer in reversed(graph.layers()):
        outputs = graph.outputs_of(layer.name)
        if not any(graph.consumers(tensor) or tensor in graph.outputs for tensor in outputs):
            graph.remove(layer.name)
    used = set(graph.used_constants())
    for name in [name for name in graph.constants if name not in used]:
        graph.remove_constant(name)


DROP_DEAD = Pass("drop-dead", _run)
