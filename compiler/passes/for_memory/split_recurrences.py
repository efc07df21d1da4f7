"""split-recurrences: steps of a recurrent network that no memory holds come in chunks, one behind the other.

before:  p = matmul(x, W, b);  y = recurrence(p, R)                      p: [1000,1,256]
after:   p1 = matmul(x[:500], W, b);  y1 = recurrence(p1, R)             p1, p2: [500,1,256]
         p2 = matmul(x[500:], W, b);  y2 = recurrence(p2, R, y1[499])    y1, y2: [500,1,64]
         y = concat(y1, y2)

Chunks hand on the states behind their last step.  The product before is cut by the same rows, so that a chunk
is a group that reads x and writes y; where its weights do not fit beside R, it stays whole.  `hold-weights`
keeps R and W on chip from chunk to chunk.  If R is larger than the memory, every step is a product by itself
(`unrolled_recurrence`), whose weights are cut.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, MatMul, Recurrence
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.for_memory.unrolled_recurrence import unroll
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import layers_of, made_for_one, result_type, source_of
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div
from nnc.isa.limits import RECURRENT_STEPS


class _Chunks(NamedTuple):
    """Steps of a chunk, and the product that is cut with them; None: it is not."""

    steps: int
    product: MatMul | None


def _run(graph: Graph, target: Target) -> None:
    if target.memory_bytes == 0:
        return
    for layer in [*layers_of(graph, Recurrence)]:
        steps, reads = graph.types[source_of(graph, layer)].shape[0], graph.inputs_of(layer.name)
        chunks = _chunks(graph, layer, target)
        if chunks is None and steps <= RECURRENT_STEPS.most:
            unroll(graph, layer)
        elif chunks is not None and chunks.steps < steps:
            _split(graph, layer, chunks)
        drop_unread(graph, reads)


def _chunks(graph: Graph, layer: Recurrence, target: Target) -> _Chunks | None:
    """How to cut a recurrence; all steps are a chunk if they fit, and None if not even one does."""
    addends = graph.types[source_of(graph, layer)]
    steps, batch, columns = addends.shape
    weight, hidden = graph.types[required(graph.operand(layer.name, 1))], columns // layer.cell.gates
    sequences = min(ceil_div(batch, min(batch, target.sharing_cores)), TUNING.passes.recurrent_sequences)
    row, state = (sequences * extent * addends.dtype.itemsize for extent in (columns, hidden))
    states = 4 * state  # before and behind a chunk
    room = target.memory_bytes - weight.nbytes - states
    if weight.nbytes > target.weight_bytes or room < row + state:
        return None
    if steps * (row + state * layer.sequence) <= TUNING.passes.whole_recurrence_share.of(room):
        return _Chunks(steps, None)
    made = (2 if layer.sequence else 1) * state  # and its copy to its place, if a cell state lies behind it
    product = made_for_one(graph, source_of(graph, layer), MatMul)
    if product is not None and graph.is_constant(graph.operand(product.name, 1)):
        features = graph.types[source_of(graph, product)].shape[-1] * sequences * addends.dtype.itemsize
        shared = room - graph.types[required(graph.operand(product.name, 1))].nbytes
        fitting = TUNING.passes.recurrent_share.of(shared) // (features + row + made)
        if fitting >= min(steps, TUNING.passes.min_chunk_steps):
            return _Chunks(fitting, product)
    return _Chunks(max(1, TUNING.passes.recurrent_share.of(room) // (2 * row + made)), None)


def _split(graph: Graph, layer: Recurrence, chunks: _Chunks) -> None:
    before, source = LayersBefore(graph, layer), source_of(graph, layer)
    weight, bias, hidden, cell = (*graph.inputs_of(layer.name)[1:], None, None, None)[:4]
    steps = graph.types[source].shape[0]
    states = result_type(graph, layer).shape[1:]
    count = ceil_div(steps, chunks.steps)
    borders = [number * steps // count for number in range(count + 1)]
    spans = list(pairwise(borders))
    made, result, rows = dict[int, str](), "", 0
    for number, (first, last) in enumerate(reversed(spans) if layer.backwards else spans):
        is_last = number == count - 1
        has_cell = layer.cell_state if is_last else layer.cell.has_cell_state
        chunk = replace(layer, cell_state=has_cell)
        rows = chunk.rows(last - first)
        addends = _addends(graph, before, chunks.product, source, first, last)
        result = before.add(chunk, [addends, weight, bias, hidden, cell], (rows, *states))
        if not is_last:
            behind = 0 if layer.backwards or not layer.sequence else last - first - 1
            hidden = before.reshaped(before.sliced(result, 0, behind, (1, *states)), states)
        if has_cell and not is_last:
            cell = before.reshaped(before.sliced(result, 0, rows - 1, (1, *states)), states)
        if layer.sequence:
            made[first] = before.sliced(result, 0, 0, (last - first, *states)) if has_cell else result
    if not layer.sequence:
        before.take_over(result)
        return
    parts = [made[first] for first in sorted(made)]
    if layer.cell_state:
        parts.append(before.sliced(result, 0, rows - 1, (1, *states)))
    whole = Concat(name="", loc=layer.loc, axis=0)
    before.take_over(before.add(whole, parts, result_type(graph, layer).shape))


def _addends(
    graph: Graph, before: LayersBefore, product: MatMul | None, source: str, first: int, last: int
) -> str:
    """The rows of some steps: of the whole, or of a product of its own."""
    rows = (last - first, *graph.types[source].shape[1:])
    if product is None:
        return before.sliced(source, 0, first, rows)
    x, *others = graph.inputs_of(product.name)
    read = graph.types[required(x)].shape
    return before.add(
        product, [before.sliced(required(x), 0, first, (last - first, *read[1:])), *others], rows
    )


SPLIT_RECURRENCES = Pass("split-recurrences", _run)
