"""split-folds: a fold of large pictures, as in a global pool, is two: each row by itself, then over rows.

before:  y = reduce.mean(x, axes=2,3)
after:   r = reduce.mean(x, axes=3);  y = reduce.mean(r, axes=2)

What comes out of the first is made row by row, so it joins the group of layers that compute x in any number
of parts; the second folds little.  Sums of quantised integers are exact floats, and rounded once at the end.
Where the rows are tokens, or pixels in one axis, some of them are folded, then these:

before:  y = reduce.l2(x, axes=2)                                               x: [1,48,9216]
after:   r = reduce.sum_square(x', axes=3);  y = sqrt(reduce.sum(r, axes=1))    x': [1,96,48,96]
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Reduce
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import is_product_of_results, result_type, source_of, source_type
from nnc.compiler.passes.row_axis import elements_per_row, in_pieces, pieces_of_rows
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_MOST_EXACT = 2**24
"""Up to here, an f32 holds every integer."""
_MOST_OF_A_BYTE = 255
_SUMS = {
    ReduceFunction.SUM: ReduceFunction.SUM,
    ReduceFunction.MEAN: ReduceFunction.MEAN,
    ReduceFunction.SUM_SQUARE: ReduceFunction.SUM,
    ReduceFunction.L2: ReduceFunction.SUM,
}
"""How folds of rows are folded."""
_ORDERED = (ReduceFunction.MAX, ReduceFunction.MIN)


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels":  # rows are whole channels there
        return
    for layer in graph.layers():
        if isinstance(layer, Reduce) and _is_two(graph, layer):
            tensor = source_of(graph, layer)
            source, memory = graph.types[tensor], target.memory_bytes
            if 0 < memory < source.nbytes * TUNING.passes.whole_operand_share:
                in_two = layer if len(layer.axes) > 1 else _in_pieces(graph, layer, source, memory)
                if in_two is not None:
                    _split(graph, in_two)
                    drop_unread(graph, [tensor])  # a view that pieces are seen without


def _is_two(graph: Graph, layer: Reduce) -> bool:
    """Whether a fold of folds gives the same."""
    source, result = source_type(graph, layer), graph.output_of(layer.name)
    if layer.src_scale:
        return layer.count * _MOST_OF_A_BYTE < _MOST_EXACT and graph.types[result].dtype is not DType.F16
    is_wide = source.dtype in (DType.F32, DType.F64)  # halves would be rounded once more
    return (is_wide and layer.function in _SUMS) or layer.function in _ORDERED


def _in_pieces(graph: Graph, layer: Reduce, source: TensorType, memory: int) -> Reduce | None:
    """A fold of rows with an axis for pieces and one for the rows of each.

    None if it folds other axes, or what products of pieces are summed to already.
    """
    (axis,), tensor = layer.axes, source_of(graph, layer)
    per_row, extent = elements_per_row(graph, tensor, axis, all_rows=True), source.shape[axis]
    if per_row is None or is_product_of_results(graph, graph.producer(tensor)):
        return None
    most = memory // TUNING.passes.whole_operand_share * extent // source.nbytes
    rows = pieces_of_rows(extent, per_row, TUNING.passes.fold_length, (2, most))
    if rows is None:
        return None
    before = LayersBefore(graph, layer)
    view, axes = in_pieces(before, tensor, axis, rows)
    shape = tuple(1 if number in axes else n for number, n in enumerate(before.shape(view)))
    dtype = result_type(graph, layer).dtype
    in_two = required(graph.producer(before.add(replace(layer, axes=axes), [view], shape, dtype)))
    before.take_over(graph.output_of(in_two.name))
    assert isinstance(in_two, Reduce)
    return in_two


def _split(graph: Graph, layer: Reduce) -> None:
    """Fold all axes but the outermost first."""
    if layer.src_scale:
        _split_quantised(graph, layer)
        return
    source = source_type(graph, layer)
    over, *inside = sorted(layer.axes)
    rows = replace(layer, axes=tuple(inside), count=layer.count // source.shape[over])
    if layer.function is ReduceFunction.L2:
        rows = replace(rows, function=ReduceFunction.SUM_SQUARE)
    graph.set_inputs(layer.name, [_before(graph, layer, rows, "rows", source.dtype)])
    last = replace(layer, axes=(over,), count=source.shape[over])
    last = replace(last, function=_SUMS.get(layer.function, layer.function))
    if layer.function is ReduceFunction.L2:
        graph.set_inputs(layer.name, [_before(graph, layer, last, "sums", source.dtype)])
        graph.replace(Elementwise(name=layer.name, loc=layer.loc, function=Function.SQRT))
    else:
        graph.replace(last)


def _split_quantised(graph: Graph, layer: Reduce) -> None:
    """Exact sums of rows, their sum, and the multiplication and rounding that end the fold."""
    result = result_type(graph, layer).dtype
    over, *inside = sorted(layer.axes)
    plain = Reduce(name="", loc=layer.loc, function=ReduceFunction.SUM, axes=(over,), count=1)
    exact = replace(plain, axes=tuple(inside), src_scale=1.0, src_zero=layer.src_zero)
    for inner, word in ((exact, "rows"), (plain, "sums")):
        graph.set_inputs(layer.name, [_before(graph, layer, inner, word, DType.F32)])
    count = layer.count if layer.function is ReduceFunction.MEAN else 1
    factor = layer.src_scale / ((layer.dst_scale or 1.0) * count)
    last = Elementwise(name=layer.name, loc=layer.loc, function=Function.MUL, params=(factor,))
    if not result.is_float:
        last = replace(last, src_scales=(1.0,), src_zeros=(0,), dst_scale=1.0, dst_zero=layer.dst_zero)
    graph.replace(last)


def _before(graph: Graph, layer: Reduce, inner: Reduce, word: str, dtype: DType) -> str:
    """Add a fold of a layer's operand right before it; returns what it computes."""
    (tensor,) = graph.inputs_of(layer.name)[:1]
    source = graph.types[required(tensor)].shape
    shape = tuple(1 if axis in inner.axes else extent for axis, extent in enumerate(source))
    name = graph.fresh(f"{layer.name}.{word}")
    graph.add(replace(inner, name=name), [tensor], [name], [TensorType(dtype, shape)], before=layer.name)
    return name


SPLIT_FOLDS = Pass("split-folds", _run)
