"""split-contractions: a product that sums over many rows sums over pieces of rows, and then over these.

before:  y = matmul(transpose(k), v)                            k: [1,4096,64], v: [1,4096,64]
after:   p = matmul(transpose(k'), v')                          k': [1,16,256,64], v': [1,16,256,64]
         y = reshape(reduce.sum(p, axes=1))                     p: [1,16,64,64]

A row of p comes of some rows of k and v, so it joins the group of layers that compute these, in any number of
parts (linear attention, attention across channels, Gram matrices); y would want all of k and v on chip.
Factors that are the same for all that is summed, such as those that make vectors one long, come behind the
sum, and what multiplies it with rows gives rows.
"""

from __future__ import annotations

from math import lcm, prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import MatMul
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.common_factors import factored
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import is_product_of_results, layers_of, operands_of, result_type
from nnc.compiler.passes.row_axis import elements_per_row, in_pieces, pieces_of_rows
from nnc.compiler.passes.turn_products import turn_products_of
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.memory_bytes == 0:  # rows are whole channels there
        return
    for layer in layers_of(graph, MatMul):
        rows = _rows_of_pieces(graph, layer, target.memory_bytes) if _is_plain(graph, layer) else None
        if rows is not None:
            result, reads = graph.output_of(layer.name), graph.inputs_of(layer.name)
            _split(graph, layer, rows)
            turn_products_of(graph, result)
            drop_unread(graph, reads)


def _is_plain(graph: Graph, layer: MatMul) -> bool:
    """Whether a layer multiplies matrices of two results, and does nothing else to their sums."""
    types = [graph.types[tensor] for tensor in operands_of(graph, layer)]
    if len(types) > 2 or not is_product_of_results(graph, layer) or layer.act is not Function.IDENTITY:
        return False
    is_wide = {type_.dtype for type_ in types} == {DType.F32}  # halves would be rounded between
    are_alike = types[0].shape[:-2] == types[1].shape[:-2] and min(len(type_.shape) for type_ in types) > 1
    return is_wide and are_alike


def _rows_of_pieces(graph: Graph, layer: MatMul, memory: int) -> int | None:
    """How many of what a product sums over are in a piece; None if these are no rows, or all in one piece."""
    x, weight = operands_of(graph, layer)
    (*batch, m, k), n = graph.types[x].shape, graph.types[weight].shape[-1]
    sizes = [graph.types[tensor].nbytes for tensor in (x, weight)]
    if 0 in (*batch, m, n, k) or min(sizes) * TUNING.passes.whole_operand_share <= memory:
        return None
    of_x = elements_per_row(graph, x, len(batch) + 1)
    of_weight = elements_per_row(graph, weight, len(batch))
    if of_x is None or of_weight is None:
        return None
    bytes_of_one = sum(sizes) // k // prod(batch[:1])
    most, side = memory // TUNING.passes.piece_share // bytes_of_one, max(m, n)
    return pieces_of_rows(k, lcm(of_x, of_weight), TUNING.passes.contraction_rows * side, (side, most))


def _split(graph: Graph, layer: MatMul, rows: int) -> None:
    before = LayersBefore(graph, layer)
    x, weight = (required(tensor) for tensor in graph.inputs_of(layer.name)[:2])
    whole, last = result_type(graph, layer).shape, len(before.shape(x)) - 1
    of_x, of_weight = factored(graph, before, x, last), factored(graph, before, weight, last - 1)
    left, (piece_axis, _) = in_pieces(before, of_x.tensor, last, rows)
    right, _ = in_pieces(before, of_weight.tensor, last - 1, rows)
    product = before.add(layer, [left, right], (*before.shape(left)[:-1], whole[-1]))
    result = before.reshaped(before.fold(ReduceFunction.SUM, product, (piece_axis,)), whole)
    for function, factor in (*of_x.factors, *of_weight.factors):
        result = before.function(function, result, factor)
    before.take_over(result)


SPLIT_CONTRACTIONS = Pass("split-contractions", _run)
