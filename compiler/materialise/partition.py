"""partition: replace every group by slice layers, P partial networks and a join (M1).

before:  y = conv(x)
after:   x.0 = slice(x); w.0 = slice(W); y.p0 = conv(x.0, w.0); x.1 = slice(x); y.p1 = conv(x.1, w.0); …
         y = join(y.p0, y.p1, …)

The partitioned graph is a complete dataflow: every tile is a tensor, every transfer a node or an edge.  The
join is free: each operand is written straight to its place in the whole.  Layers of groups without steps stay
whole (see `copies`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nnc.compiler.ir.annotations import Issue, PartOf, TileBox
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Layer, Loc, Slice
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Step, Store, Tile, View


@dataclass
class _Draft:
    """Annotations of nodes and tiles as they come up, and the tiles that are stored so far by tensor.

    Attributes:
        missing: of the network's views, how many operands that layers compute do not exist yet.
        parts: by group and part: the nodes of a part share what says where they belong.
    """

    missing: dict[str, int]
    part_of: dict[str, PartOf] = field(default_factory=dict)
    parts: dict[tuple[int, int], PartOf] = field(default_factory=dict)
    boxes: dict[str, TileBox] = field(default_factory=dict)
    stores: dict[str, list[Tile]] = field(default_factory=dict)

    def part(self, group: int, number: int) -> PartOf:
        """What the nodes of a part share."""
        if (group, number) not in self.parts:
            self.parts[group, number] = PartOf(group, number)
        return self.parts[group, number]


def partition(graph: Graph, plan: Plan) -> Graph:
    """The partitioned graph, with the order in which its nodes are issued."""
    result = Graph(graph.name)
    for name in graph.inputs:
        result.add_input(name, graph.types[name])
    for name, value in graph.constants.items():
        result.add_constant(name, value)
    result.copy_storage(graph)
    draft = _Draft(_computed_operands_of_views(graph))
    missing = _stored_elements(plan)
    _add_views(graph, result, graph.inputs, draft)
    for planned in plan.groups:
        for step in planned.steps:
            part = draft.part(planned.group.index, step.part)
            _add_step(result, step, part, draft)
            if isinstance(step, Store) and _is_last(step, missing):
                _add_join(graph, result, step, part, draft)
        if not planned.steps:
            _add_whole(graph, result, planned.group.layers, draft)
    result.copy_ports(graph)
    order = tuple(_order(result, plan))
    result.annotate(replace(graph.notes, part_of=draft.part_of, boxes=draft.boxes, order=order))
    return result


def _join_name(tensor: str) -> str:
    return f"{tensor}/join"


def _add_step(result: Graph, step: Step, part: PartOf, draft: _Draft) -> None:
    """The node of a step; a store becomes an operand of the join of its tensor."""
    node: Layer
    inputs: list[str | None]
    match step:
        case Store(tile=tile):
            draft.stores.setdefault(tile.tensor, []).append(tile)
            return
        case Load(tile=tile):
            node, inputs = _slice(tile, step.loc), [tile.tensor]
        case Fill(tile=tile):
            node, inputs = step.layer, []
        case LoadRows(out=tile):
            node, inputs = step.layer, [step.table, step.index.name]
        case Compute(out=tile) | View(out=tile):
            node, inputs = step.layer, [None if source is None else source.name for source in step.ins]
    result.add(node, inputs, [tile.name], [tile.type])
    storage = Storage(tile.block.name, tile.offset, tile.type.shape, tile.strides)
    result.set_storage(tile.name, storage)
    draft.boxes[tile.name] = TileBox(tile.tensor, tile.low)
    draft.part_of[node.name] = part


def _stored_elements(plan: Plan) -> Counter[str]:
    """Elements of every tensor that visit DRAM; the last rows of a tensor may stay on chip."""
    elements: Counter[str] = Counter()
    for group in plan.groups:
        for step in group.steps:
            if isinstance(step, Store):
                elements[step.tile.tensor] += step.tile.type.elements
    return elements


def _is_last(step: Store, missing: Counter[str]) -> bool:
    """Whether a store brings the last of the elements of its tensor that visit DRAM; counts them down."""
    tile = step.tile
    missing[tile.tensor] -= tile.type.elements
    return missing[tile.tensor] == 0


def _add_join(graph: Graph, result: Graph, step: Store, part: PartOf, draft: _Draft) -> None:
    tensor = step.tile.tensor
    tiles = draft.stores[tensor]
    join = Join(name=_join_name(tensor), loc=step.loc, origins=tuple(tile.low for tile in tiles))
    result.add(join, [tile.name for tile in tiles], [tensor], [graph.types[tensor]])
    draft.part_of[join.name] = part
    _add_views(graph, result, [tensor], draft)


def _add_whole(graph: Graph, result: Graph, layers: Sequence[str], draft: _Draft) -> None:
    for name in layers:
        tensor = graph.output_of(name)
        result.add(graph.layer(name), graph.inputs_of(name), [tensor], [graph.types[tensor]])
        _add_views(graph, result, [tensor], draft)


def _computed_operands_of_views(graph: Graph) -> dict[str, int]:
    views = (layer.name for layer in graph.layers() if layer.is_view)
    return {
        name: sum(t is not None and graph.producer(t) is not None for t in graph.inputs_of(name))
        for name in views
    }


def _add_views(graph: Graph, result: Graph, new: Sequence[str], draft: _Draft) -> None:
    """The network's views whose operands exist now that the tensors `new` do."""
    sources = list(new)
    while sources:
        source = sources.pop()
        is_computed = graph.producer(source) is not None
        for layer, _ in graph.consumers(source):
            if not layer.is_view:
                continue
            draft.missing[layer.name] -= is_computed
            if draft.missing[layer.name] == 0 and layer.name not in result:
                view = graph.output_of(layer.name)
                result.add(layer, graph.inputs_of(layer.name), [view], [graph.types[view]])
                sources.append(view)


def _slice(tile: Tile, loc: Loc) -> Slice:
    ones = (1,) * len(tile.low)
    return Slice(name=tile.name, loc=loc, start=tile.low, step=ones, shape=tile.type.shape)


def _order(result: Graph, plan: Plan) -> Iterator[Issue]:
    """The order of issue; stores of one tensor may come in another order than its operands in the join."""
    slots: dict[str, dict[str | None, int]] = {}
    for issued in plan.order:
        match step := issued.step:
            case Store():
                join = _join_name(step.tile.tensor)
                if join not in slots:
                    slots[join] = {tile: slot for slot, tile in enumerate(result.inputs_of(join))}
                yield Issue(join, slots[join][step.tile.name])
            case Load():
                yield Issue(step.tile.name)
            case LoadRows() | Compute() | Fill():
                yield Issue(step.layer.name)
            case View():
                pass  # no instruction
