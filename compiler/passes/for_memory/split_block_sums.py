"""split-block-sums: a product with weights in blocks sums over some blocks after the other where few fit.

before:  y = block_matmul(x, w, bias=b) act=relu                x: [1,11008], w: u8 [6880,4096]
after:   s = block_matmul(x', w', bias=b)                       x': [1,5504], w': u8 [3440,4096]
         y = block_matmul(x'', w'', residual=s) act=relu

A tile holds all blocks of its channels: of long sums, a small memory would hold few channels, or none.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import BlockMatMul
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import layers_of, result_type, source_type
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


def _run(graph: Graph, target: Target) -> None:
    if target.memory_bytes == 0:
        return
    for layer in layers_of(graph, BlockMatMul):
        pieces = _pieces(graph, layer, target)
        if pieces > 1 and source_type(graph, layer).dtype is DType.F32:  # halves would be rounded between
            reads = graph.inputs_of(layer.name)
            _split(graph, layer, pieces)
            drop_unread(graph, reads)


def _pieces(graph: Graph, layer: BlockMatMul, target: Target) -> int:
    """How many pieces of blocks there are if a row of x and weights for all lanes, twice, are to fit."""
    depth = source_type(graph, layer).shape[-1]
    lanes = min(target.lanes[2], result_type(graph, layer).shape[-1])
    nbytes = depth * DType.F32.itemsize + 2 * lanes * layer.format.rows(depth)
    return min(ceil_div(depth, layer.block), ceil_div(nbytes, target.memory_bytes))


def _split(graph: Graph, layer: BlockMatMul, pieces: int) -> None:
    x, weight, bias, sums = (*graph.inputs_of(layer.name), None, None)[:4]
    before, data = LayersBefore(graph, layer), graph.constants[required(weight)]
    shape, result = graph.types[required(x)].shape, result_type(graph, layer).shape
    blocks, each = ceil_div(shape[-1], layer.block), layer.format.block_bytes
    borders = [piece * blocks // pieces for piece in range(pieces + 1)]
    for first, last in pairwise(borders):
        begin, end = first * layer.block, min(last * layer.block, shape[-1])
        part = before.sliced(required(x), len(shape) - 1, begin, (*shape[:-1], end - begin))
        own = graph.add_constant(f"{weight}.from{first}", data[first * each : last * each])
        is_last = last == blocks
        step = layer if is_last else replace(layer, act=Function.IDENTITY, act_params=())
        sums, bias = before.add(step, [part, own, bias, sums], result), None
    before.take_over(required(sums))


SPLIT_BLOCK_SUMS = Pass("split-block-sums", _run)
