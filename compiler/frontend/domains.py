"""Domains of operators, and how messages name an operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from onnx import GraphProto, ModelProto, NodeProto, defs

ONNX = "ai.onnx"
"""The domain of ONNX's own operators; models leave it empty."""
MICROSOFT = "com.microsoft"
"""The domain of onnxruntime's own operators."""


def domain_of(node: NodeProto) -> str:
    """The domain of a node's operator."""
    return node.domain or ONNX


def label_of(node: NodeProto) -> str:
    """The operator of a node as messages name it: with its domain, unless that is ONNX's own."""
    return node.op_type if domain_of(node) == ONNX else f"{node.domain}.{node.op_type}"


def name_of(node: NodeProto) -> str:
    """Name of a node: its own or one made from operator and output, printable and without blanks."""
    stem = node.name or f"{node.op_type}_{next(o for o in node.output if o)}"
    if stem.isprintable() and " " not in stem:
        return stem
    return "".join(c if c.isprintable() and not c.isspace() else "_" for c in stem)


def with_inner(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Nodes, each followed by those of its sub-graphs."""
    for node in nodes:
        yield node
        for graph in graphs_of(node):
            yield from with_inner(graph.node)


def graphs_of(node: NodeProto) -> Iterator[GraphProto]:
    """The sub-graphs of a node."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def inner_graphs(nodes: Iterable[NodeProto]) -> Iterator[GraphProto]:
    """The sub-graphs of nodes, each before those of its own nodes."""
    for node in with_inner(nodes):
        yield from graphs_of(node)


def adopt_own_operators(model: ModelProto, opset: int) -> None:
    """Give operators of onnxruntime the domain of its own, which it has in that of ONNX (in place).

    Its optimizer writes these into models of opsets that have none of the name.
    """
    bodies = [model.graph.node, *(function.node for function in model.functions)]
    for node in (node for body in bodies for node in with_inner(body)):
        if (
            domain_of(node) == ONNX
            and node.op_type in _IN_DOMAIN_OF_ONNX
            and not defs.has(node.op_type, opset)
        ):
            node.domain = MICROSOFT
            if not any(entry.domain == MICROSOFT for entry in model.opset_import):
                model.opset_import.add(domain=MICROSOFT, version=1)


_IN_DOMAIN_OF_ONNX = frozenset({"LayerNormalization", "SimplifiedLayerNormalization"})
