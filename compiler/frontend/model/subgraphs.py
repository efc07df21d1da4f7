"""Names in sub-graphs: what they define themselves, and what they read of the graphs around them.

A name stands for what the innermost graph defines by it:

    x ─► If { then: a = Relu(x); y = Loop { body: b = Add(a, x) } }     the body captures a and x
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onnx import GraphProto, NodeProto

from nnc.compiler.frontend.domains import graphs_of, inner_graphs


def defined(graph: GraphProto) -> Iterator[str]:
    """Names that a graph defines, those in its sub-graphs not included."""
    yield from (info.name for info in graph.input)
    yield from (tensor.name for tensor in graph.initializer)
    yield from (name for node in graph.node for name in node.output if name)


def all_defined(graph: GraphProto) -> Iterator[str]:
    """Names that a graph and its sub-graphs define, as often as they do."""
    for each in (graph, *inner_graphs(graph.node)):
        yield from defined(each)


def reads(node: NodeProto) -> Iterator[str]:
    """Tensors that a node reads, itself or in its sub-graphs."""
    yield from filter(None, node.input)
    for graph in graphs_of(node):
        yield from _captured(graph)


def _captured(graph: GraphProto) -> Iterator[str]:
    own = {*defined(graph)}
    for node in graph.node:
        yield from (name for name in reads(node) if name not in own)


def rename(node: NodeProto, names: Mapping[str, str]) -> None:
    """Rename what a node reads, in its sub-graphs too, and what it defines (in place)."""
    for side in (node.input, node.output):
        for slot, name in enumerate(side):
            side[slot] = names.get(name, name)
    for graph in graphs_of(node):
        own = {*defined(graph)}
        outer = {name: new for name, new in names.items() if name not in own}
        for inner in graph.node:
            rename(inner, outer)


def live_nodes(graph: GraphProto) -> list[NodeProto]:
    """The nodes that some output of a graph depends on, in order."""
    needed = {info.name for info in graph.output}
    live: list[NodeProto] = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            live.append(node)
            needed.update(reads(node))
    return live[::-1]
