"""What a pass is, and small helpers that several passes share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Copy, Loc
from nnc.compiler.ir.required import required
from nnc.compiler.passes.matching import has_one_reader, source_of
from nnc.compiler.target.target import Target


@dataclass(frozen=True, slots=True)
class Pass:
    """A named rewrite of a graph in place, for a target; dumping and verifying are the runner's work.

    `reaches` is the level whose promises hold after it; None means that of the graph before.
    """

    name: str
    run: Callable[[Graph, Target], None]
    reaches: Level | None = None

    def apply(self, graph: Graph, target: Target) -> None:
        """Run it, and note the level that the graph has reached."""
        self.run(graph, target)
        if self.reaches is not None:
            graph.annotate(replace(graph.notes, level=self.reaches))


def depths(graph: Graph) -> dict[str, int]:
    """Layers on the longest path from an input to each layer."""
    depth: dict[str, int] = {}
    for layer in graph.layers():
        depth[layer.name] = 1 + max((depth[name] for name in graph.predecessors(layer.name)), default=0)
    return depth


def insert_copy(graph: Graph, tensor: str, user: str, slot: int) -> str:
    """Put a copy of `tensor` before one operand of one layer; returns the copy's tensor.

    If nobody else reads what it shows, the copy comes early, beside the layer that computes it; else right
    before the one that reads it.
    """
    name = graph.fresh(f"{user}.copy{slot}")
    loc = graph.layer(user).loc
    copy, above = Copy(name=name, loc=Loc(loc.node, loc.op)), graph.producer(tensor)
    if above is not None and _is_read_once(graph, tensor):
        graph.add(copy, [tensor], [name], [graph.types[tensor]], after=above.name)
    else:
        graph.add(copy, [tensor], [name], [graph.types[tensor]], before=user)
    inputs = list(graph.inputs_of(user))
    inputs[slot] = name
    graph.set_inputs(user, inputs)
    return name


def _is_read_once(graph: Graph, tensor: str) -> bool:
    """Whether one layer reads a tensor, and nobody else what that is a view of."""
    while has_one_reader(graph, tensor):
        layer = graph.producer(tensor)
        if layer is None or not layer.is_view:
            return True
        tensor = source_of(graph, layer)
    return False


def insert_output_copy(graph: Graph, tensor: str) -> str:
    """Make network output `tensor` the copy of what its layer computes; returns the copy layer's name."""
    producer = required(graph.producer(tensor))
    inner = graph.fresh(f"{tensor}.view")
    graph.rename_output(producer.name, inner)
    name = graph.fresh(f"{producer.name}.copy")
    graph.add(Copy(name=name, loc=producer.loc), [inner], [tensor], [graph.types[inner]])
    return name
