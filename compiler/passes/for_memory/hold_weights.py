"""hold-weights: weights that many products of few rows share come on chip once, as a tensor that all read.

before:  h1 = matmul(x1, W);  h2 = matmul(h1, W);  h3 = matmul(h2, W)
after:   V = copy(W);  h1 = matmul(x1, V);  h2 = matmul(h1, V);  h3 = matmul(h2, V)

A group loads weights for each layer that reads them, and again in the next group.  A tensor stays on chip as
long as the planner likes: all steps of a recurrent network use the same few matrices, which are most of what
it moves.
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Copy, Layer, MatMul
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.pixel_channels:  # weights have an order of their own there
        return
    room = TUNING.passes.held_share.of(target.memory_bytes)
    for constant in [*graph.used_constants()]:
        readers = graph.consumers(constant)
        nbytes = graph.types[constant].nbytes
        if (
            len(readers) < TUNING.passes.min_held_readers
            or nbytes > room
            or not all(_is_light(graph, *r) for r in readers)
        ):
            continue
        room -= nbytes
        names = {layer.name for layer, _ in readers}
        first = next(layer for layer in graph.layers() if layer.name in names)
        name = graph.fresh(f"{constant}.held")
        copy = Copy(name=name, loc=first.loc)
        graph.add(copy, [constant], [name], [graph.types[constant]], before=first.name)
        for layer, _ in readers:
            graph.set_inputs(layer.name, [name if t == constant else t for t in graph.inputs_of(layer.name)])


def _is_light(graph: Graph, layer: Layer, slot: int) -> bool:
    """Whether a layer is a product that moves more weights than anything else."""
    if not isinstance(layer, MatMul) or slot != 1:
        return False
    x, weight = required(graph.inputs_of(layer.name)[0]), required(graph.inputs_of(layer.name)[1])
    moved = graph.types[x].nbytes + graph.types[graph.output_of(layer.name)].nbytes
    return moved < graph.types[weight].nbytes and len(graph.types[weight].shape) == 2


HOLD_WEIGHTS = Pass("hold-weights", _run)
