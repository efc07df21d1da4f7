"""hold-weights: weights that many products of few rows share come on chip once, as a tensor that all read.

before:  h1 = matmul(x1, W);  h2 = matmul(h1, W);  h3 = matmul(h2, W)
after:   V = copy(W);  h1 = matmul(x1, V);  h2 = matmul(h1, V);  h3 = matmul(h2, V)

A group loads weights for each layer that reads them, and again in the next group.  A tensor stays on chip as
long as the planner likes: all steps of a recurrent network use the same few matrices, which are most of what
it moves.  So does a bias that all of them have.
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Copy, MatMul, Recurrence
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    readers_of,
    replace_operand,
    result_type,
    sole_reader,
    source_type,
)
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.pixel_channels:  # weights have an order of their own there
        return
    room = TUNING.passes.held_share.of(target.memory_bytes)
    for weight in [*graph.used_constants()]:
        if _is_of_chunks(graph, weight):
            _hold(graph, weight, {reader.name for reader, _ in graph.consumers(weight)})
            continue
        products, nbytes = _light_products(graph, weight), graph.types[weight].nbytes
        if len(products) >= TUNING.passes.min_held_readers and nbytes <= room:
            room -= nbytes
            biases = {graph.operand(product.name, 2) for product in products}
            _hold(graph, weight, {product.name for product in products})
            if len(biases) == 1 and graph.is_constant(bias := biases.pop()):
                _hold(graph, required(bias), {product.name for product in products})


def _is_of_chunks(graph: Graph, weight: str) -> bool:
    """Whether a constant is what all chunks of a recurrence, or of the product before it, read.

    `split-recurrences` has left room for it.
    """
    readers = [reader for reader, _ in graph.consumers(weight)]
    return len(readers) > 1 and all(
        isinstance(reader, Recurrence)
        or (
            isinstance(reader, MatMul)
            and sole_reader(graph, graph.output_of(reader.name), Recurrence, slot=0)
        )
        for reader in readers
    )


def _light_products(graph: Graph, weight: str) -> list[MatMul]:
    """The products that read a constant as their weights, if all of them are light, and nobody else does."""
    products = readers_of(graph, weight, MatMul, slot=1)
    return products if all(_is_light(graph, product, weight) for product in products) else []


def _is_light(graph: Graph, product: MatMul, weight: str) -> bool:
    """Whether a product moves more weights, which are a matrix, than anything else."""
    moved = source_type(graph, product).nbytes + result_type(graph, product).nbytes
    return moved < graph.types[weight].nbytes and len(graph.types[weight].shape) == 2


def _hold(graph: Graph, weight: str, names: set[str]) -> None:
    """Let products read a copy of their weights, or of their bias."""
    first = next(layer for layer in graph.layers() if layer.name in names)
    copy = Copy(name=graph.fresh(f"{weight}.held"), loc=first.loc)
    graph.add(copy, [weight], [copy.name], [graph.types[weight]], before=first.name)
    for product, slot in graph.consumers(weight):
        if product.name in names:
            replace_operand(graph, product.name, slot, copy.name)


HOLD_WEIGHTS = Pass("hold-weights", _run)
