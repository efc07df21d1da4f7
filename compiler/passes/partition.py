"""partition: replace every group by slice layers, P partial networks and a join (M1; level `partitioned`).

before:  y = conv(x)
after:   x.0 = slice(x); w.0 = slice(W); y.p0 = conv(x.0, w.0); x.1 = slice(x); y.p1 = conv(x.1, w.0); …
         y = join(y.p0, y.p1, …)

The partitioned graph is a complete dataflow: every tile is a tensor, every transfer a node or an edge.  The
join is free: each operand is written straight to its place in the whole.
"""

from __future__ import annotations

from nnc.compiler.ir.annotations import Issue, PartOf
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Layer, Loc, Slice
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.decision import GroupPlan, Plan, Step, StepKind, Tile


def partition(graph: Graph, plan: Plan) -> Graph:
    """The partitioned graph, with the order in which its nodes are issued."""
    result = Graph(graph.name)
    result.types.update({t: graph.types[t] for t in graph.inputs})
    result.inputs, result.outputs = list(graph.inputs), list(graph.outputs)
    for name in graph.constants:
        result.constants[name], result.types[name] = graph.constants[name], graph.types[name]
    result.buffers, result.storage = dict(graph.buffers), dict(graph.storage)
    result.notes.groups = graph.notes.groups
    owner = {name: planned for planned in plan.groups for name in planned.layers}
    for layer in graph.layers():
        if layer.name in owner:
            _add_group(graph, result, layer, owner[layer.name])
        else:
            tensor = graph.output_of(layer.name)
            result.add(layer, graph.inputs_of(layer.name), [tensor], [graph.types[tensor]])
    _order(result, plan)
    result.notes.level = "partitioned"
    return result


def _join_name(layer: Layer) -> str:
    return f"{layer.name}/join"


def _add_group(graph: Graph, result: Graph, layer: Layer, planned: GroupPlan) -> None:
    """All nodes of one group: slices, tile layers and the join of its result."""
    stores: list[Tile] = []
    for step in planned.steps:
        if step.kind is StepKind.STORE:
            assert step.ins[0] is not None
            stores.append(step.ins[0])
            continue
        assert step.out is not None
        tile = step.out
        inputs = [None if source is None else source.name for source in step.ins]
        node = step.layer
        if step.kind is StepKind.LOAD:
            node, inputs = _slice(tile, layer.loc), [tile.tensor]
        elif step.kind is StepKind.LOAD_ROWS:
            inputs[0] = graph.inputs_of(layer.name)[0]
        result.add(node, inputs, [tile.name], [tile.type])
        result.storage[tile.name] = Storage.dense(tile.name, tile.type.shape, tile.order)
        result.notes.part_of[node.name] = PartOf(step.group, step.part)
    tensor = graph.output_of(layer.name)
    join = Join(name=_join_name(layer), loc=layer.loc, origins=tuple(tile.low for tile in stores))
    result.add(join, [tile.name for tile in stores], [tensor], [graph.types[tensor]])
    result.notes.part_of[join.name] = PartOf(planned.index, 0)


def _slice(tile: Tile, loc: Loc) -> Slice:
    ones = (1,) * len(tile.low)
    return Slice(name=tile.name, loc=loc, start=tile.low, step=ones, shape=tile.type.shape)


def _order(result: Graph, plan: Plan) -> None:
    for planned in plan.groups:
        stored = 0
        for step in planned.steps:
            if step.kind is StepKind.STORE:
                result.notes.order.append(Issue(_join_name(step.layer), stored))
                stored += 1
            else:
                result.notes.order.append(Issue(_node_name(step)))


def _node_name(step: Step) -> str:
    assert step.out is not None
    return step.out.name if step.kind is StepKind.LOAD else step.layer.name
