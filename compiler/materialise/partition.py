"""partition: replace every group by slice layers, P partial networks and a join (M1; level `partitioned`).

before:  y = conv(x)
after:   x.0 = slice(x); w.0 = slice(W); y.p0 = conv(x.0, w.0); x.1 = slice(x); y.p1 = conv(x.1, w.0); …
         y = join(y.p0, y.p1, …)

The partitioned graph is a complete dataflow: every tile is a tensor, every transfer a node or an edge.  The
join is free: each operand is written straight to its place in the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from nnc.compiler.ir.annotations import Issue, PartOf, TileBox
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Loc, Slice
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import Step, StepKind, Tile
from nnc.compiler.target.dram_map import gathered_tensor


@dataclass
class _Draft:
    """Annotations of nodes and tiles as they come up, and the tiles that are stored so far by tensor."""

    part_of: dict[str, PartOf] = field(default_factory=dict)
    boxes: dict[str, TileBox] = field(default_factory=dict)
    stores: dict[str, list[Tile]] = field(default_factory=dict)


def partition(graph: Graph, plan: Plan) -> Graph:
    """The partitioned graph, with the order in which its nodes are issued."""
    result = Graph(graph.name)
    for name in graph.inputs:
        result.add_input(name, graph.types[name])
    for name, value in graph.constants.items():
        result.add_constant(name, value)
    result.copy_storage(graph)
    draft = _Draft()
    missing = _stored_elements(plan)
    _add_views(graph, result, "")
    for planned in plan.groups:
        for step in planned.steps:
            _add_step(graph, result, step, draft)
            if step.kind is StepKind.STORE and _is_last(step, missing):
                _add_join(graph, result, step, draft)
    for name in graph.outputs:
        result.add_output(name)
    order = tuple(_order(result, plan))
    result.annotate(
        replace(graph.notes, part_of=draft.part_of, boxes=draft.boxes, order=order, level="partitioned")
    )
    return result


def _join_name(tensor: str) -> str:
    return f"{tensor}/join"


def _add_step(graph: Graph, result: Graph, step: Step, draft: _Draft) -> None:
    """The node of a step; a store becomes an operand of the join of its tensor."""
    if step.kind is StepKind.STORE:
        assert step.ins[0] is not None
        draft.stores.setdefault(step.ins[0].tensor, []).append(step.ins[0])
        return
    assert step.out is not None
    tile, node = step.out, step.layer
    inputs = [None if source is None else source.name for source in step.ins]
    if step.kind is StepKind.LOAD:
        node, inputs = _slice(tile, step.layer.loc), [tile.tensor]
    elif step.kind is StepKind.LOAD_ROWS:
        inputs[0] = gathered_tensor(graph, tile.tensor)
    result.add(node, inputs, [tile.name], [tile.type])
    storage = Storage(tile.block.name, tile.offset, tile.type.shape, tile.strides)
    result.set_storage(tile.name, storage)
    draft.boxes[tile.name] = TileBox(tile.tensor, tile.low)
    draft.part_of[node.name] = PartOf(step.group, step.part)


def _stored_elements(plan: Plan) -> Counter[str]:
    """Elements of every tensor that visit DRAM; the last rows of a tensor may stay on chip."""
    elements: Counter[str] = Counter()
    for group in plan.groups:
        for step in group.steps:
            if step.kind is StepKind.STORE and step.ins[0] is not None:
                elements[step.ins[0].tensor] += step.ins[0].type.elements
    return elements


def _is_last(step: Step, missing: Counter[str]) -> bool:
    """Whether a store brings the last of the elements of its tensor that visit DRAM; counts them down."""
    assert step.ins[0] is not None
    tile = step.ins[0]
    missing[tile.tensor] -= tile.type.elements
    return missing[tile.tensor] == 0


def _add_join(graph: Graph, result: Graph, step: Step, draft: _Draft) -> None:
    assert step.ins[0] is not None
    tensor = step.ins[0].tensor
    tiles = draft.stores[tensor]
    join = Join(name=_join_name(tensor), loc=step.layer.loc, origins=tuple(tile.low for tile in tiles))
    result.add(join, [tile.name for tile in tiles], [tensor], [graph.types[tensor]])
    draft.part_of[join.name] = PartOf(step.group, step.part)
    _add_views(graph, result, tensor)


def _add_views(graph: Graph, result: Graph, tensor: str) -> None:
    """The network's views whose operands exist now (of `tensor`; of the inputs if that is empty)."""
    sources = [tensor] if tensor else list(graph.inputs)
    while sources:
        for layer, _ in graph.consumers(sources.pop()):
            operands = graph.inputs_of(layer.name)
            known = all(
                t is None or t in result.inputs or result.producer(t) or t in result.constants
                for t in operands
            )
            if layer.is_view and layer.name not in result and known:
                view = graph.output_of(layer.name)
                result.add(layer, operands, [view], [graph.types[view]])
                sources.append(view)


def _slice(tile: Tile, loc: Loc) -> Slice:
    ones = (1,) * len(tile.low)
    return Slice(name=tile.name, loc=loc, start=tile.low, step=ones, shape=tile.type.shape)


def _order(result: Graph, plan: Plan) -> Iterator[Issue]:
    """The order of issue; stores of one tensor may come in another order than its operands in the join."""
    slots: dict[str, dict[str | None, int]] = {}
    for step in plan.order:
        if step.kind is StepKind.STORE:
            assert step.ins[0] is not None
            join = _join_name(step.ins[0].tensor)
            if join not in slots:
                slots[join] = {tile: slot for slot, tile in enumerate(result.inputs_of(join))}
            yield Issue(join, slots[join][step.ins[0].name])
        elif step.kind is not StepKind.VIEW:
            assert step.out is not None
            name = step.out.name if step.kind is StepKind.LOAD else step.layer.name
            yield Issue(name)
