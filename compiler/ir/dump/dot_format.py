"""Graph -> DOT, the language of graphviz: layers as boxes, tensors as edges, groups as clusters."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.ir.dump.text_format import operation, predicted, shown_attributes
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layer_cost import NO_COSTS, Costs
from nnc.compiler.ir.layers import Layer

SMALL = 'fontname="Helvetica" fontsize=10'


def to_dot(graph: Graph, costs: Costs = NO_COSTS) -> str:
    """A graph at any level as text for `dot`; constants stand in the box of the layer that reads them.

    Args:
        costs: of layers, which are shown in their boxes.
    """
    lines = [f"digraph {_quoted(graph.name)} {{", f"  node [shape=box {SMALL}]", f"  edge [{SMALL}]"]
    lines.extend(f"  {_port('in', t)} [shape=ellipse label={_tensor(graph, t)}]" for t in graph.inputs)
    members: dict[int | None, list[Layer]] = {}
    group_of = _group_of(graph)
    for layer in graph.layers():
        members.setdefault(group_of.get(layer.name), []).append(layer)
    lines.extend(f"  {_box(graph, layer, costs)}" for layer in members.get(None, []))
    for group in graph.notes.groups:
        lines.append(f"  subgraph cluster_{group.index} {{")
        title = f"group {group.index} {group.kind.value}"
        lines.append(f"    label={_label(title, predicted(group), group.reason)}")
        lines.extend(f"    {_box(graph, layer, costs)}" for layer in members.get(group.index, []))
        lines.append("  }")
    lines.extend(f"  {_port('out', t)} [shape=ellipse label={_tensor(graph, t)}]" for t in graph.outputs)
    return "\n".join([*lines, *_edges(graph), "}"]) + "\n"


def _group_of(graph: Graph) -> dict[str, int]:
    """The group of every node that belongs to one."""
    groups = {name: group.index for group in graph.notes.groups for name in (*group.layers, *group.views)}
    return groups | {name: where.group for name, where in graph.notes.part_of.items()}


def _box(graph: Graph, layer: Layer, costs: Costs) -> str:
    lines = [f"{operation(layer)}  {layer.name}"]
    where = graph.notes.part_of.get(layer.name)
    if where is not None:
        lines.append(f"part {where.part}" + ("" if where.core is None else f" core {where.core}"))
    if layer.name in costs:
        lines.append(str(costs[layer.name]))
    lines.extend(f"{name}={text}" for name, text in shown_attributes(layer))
    constants = (t for t in graph.inputs_of(layer.name) if t is not None and graph.is_constant(t))
    lines.extend(f"{tensor}: {graph.types[tensor]}" for tensor in constants)
    return f"{_port('layer', layer.name)} [label={_label(*lines)}]"


def _edges(graph: Graph) -> Iterator[str]:
    for layer in graph.layers():
        for tensor in graph.inputs_of(layer.name):
            if tensor is not None and not graph.is_constant(tensor):
                ends = f"{_source(graph, tensor)} -> {_port('layer', layer.name)}"
                yield f"  {ends} [label={_tensor(graph, tensor)}]"
    for tensor in graph.outputs:
        if not graph.is_constant(tensor):
            yield f"  {_source(graph, tensor)} -> {_port('out', tensor)}"


def _source(graph: Graph, tensor: str) -> str:
    producer = graph.producer(tensor)
    return _port("in", tensor) if producer is None else _port("layer", producer.name)


def _port(kind: str, name: str) -> str:
    return _quoted(f"{kind} {name}")


def _tensor(graph: Graph, tensor: str) -> str:
    place = graph.notes.places.get(tensor)
    where = () if place is None else (f"{place.memory}+{place.address:#x}",)
    return _label(f"{tensor}: {graph.types[tensor]}", *where)


def _label(*lines: str) -> str:
    """Left-aligned lines as a quoted string."""
    return '"' + "".join(_escaped(line) + "\\l" for line in lines) + '"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Text inside quotes; `&` would begin an entity, and control characters are shown by their codes."""
    printable = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return printable.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
