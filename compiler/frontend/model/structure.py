"""The structure of a model in the form that onnx's checker and inference want.

Nodes are sorted, and only inputs have declared shapes: what a model says of other tensors may be left from
before its batch was edited, and onnx infers it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from onnx import GraphProto, ModelProto, NodeProto

from nnc.compiler.frontend.domains import inner_graphs
from nnc.compiler.frontend.model.element_types import known_extent
from nnc.compiler.frontend.model.subgraphs import reads


def normalise_structure(model: ModelProto) -> None:
    """Sort nodes, and forget shapes that need not be true (in place).

    Of outputs the element types stay: they must be right.  Negative dimensions of inputs become unknown ones.
    """
    graph = model.graph
    _forget_shapes(graph)
    for info in graph.input:
        for dim in info.type.tensor_type.shape.dim:
            if dim.HasField("dim_value") and known_extent(dim) is None:
                dim.ClearField("dim_value")
    for holder in (graph, *model.functions):
        _sort(holder.node)
        for inner in inner_graphs(holder.node):
            _sort(inner.node)
            _forget_shapes(inner)
    for function in model.functions:
        del function.value_info[:]


def _forget_shapes(graph: GraphProto) -> None:
    del graph.value_info[:]
    for output in graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")


def _sort(nodes: Any) -> None:
    """Put every node of a list behind those that it reads from, else in the order that it has.

    A circle is left for the checker to find.
    """
    order = _sorted([*nodes])
    if order is not None:
        del nodes[:]
        nodes.extend(order)


def _sorted(nodes: Sequence[NodeProto]) -> list[NodeProto] | None:
    """The nodes in a valid order, None if they have one, or there is none."""
    producer = {name: place for place, node in enumerate(nodes) for name in node.output if name}
    sources = [{producer[name] for name in reads(node) if name in producer} for node in nodes]
    if all(source < place for place, before in enumerate(sources) for source in before):
        return None
    readers: list[list[int]] = [[] for _ in nodes]
    for place, before in enumerate(sources):
        for source in before:
            readers[source].append(place)
    missing = [len(before) for before in sources]
    ready = [place for place, count in enumerate(missing) if not count]
    heapify(ready)
    order: list[NodeProto] = []
    while ready:
        place = heappop(ready)
        order.append(nodes[place])
        for reader in readers[place]:
            missing[reader] -= 1
            if not missing[reader]:
                heappush(ready, reader)
    return order if len(order) == len(nodes) else None
