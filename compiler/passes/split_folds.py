"""split-folds: a fold of large pictures, as in a global pool, is two: each row by itself, then over rows.

before:  y = reduce.mean(x, axes=2,3)
after:   r = reduce.mean(x, axes=3);  y = reduce.mean(r, axes=2)

What comes out of the first is made row by row, so it joins the group of layers that compute x in any number
of parts; the second folds little.  Sums of quantised integers are exact floats, and rounded once at the end.
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Reduce
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_LARGE_SHARE = 4
"""Pictures of one part in so many of a memory, or less, are not split: they are there as a whole."""
_MOST_EXACT = 2**24
"""Up to here, an f32 holds every integer."""
_MOST_OF_A_BYTE = 255
_ORDERED = (ReduceFunction.MAX, ReduceFunction.MIN)


def _run(graph: Graph) -> None:
    if graph.notes.map == "pixels":  # rows are whole channels there
        return
    for layer in graph.layers():
        if isinstance(layer, Reduce) and len(layer.axes) > 1:
            source = graph.types[required(graph.inputs_of(layer.name)[0])]
            if 0 < graph.notes.memory_bytes < source.nbytes * _LARGE_SHARE:
                _split(graph, layer, source)


def _split(graph: Graph, layer: Reduce, source: TensorType) -> None:
    """Fold all axes but the outermost first, if that gives the same."""
    if layer.src_scale:
        _split_quantised(graph, layer, source)
        return
    is_wide = source.dtype in (DType.F32, DType.F64)  # halves would be rounded once more
    is_sum = layer.function in (ReduceFunction.MEAN, ReduceFunction.SUM) and is_wide
    if is_sum or layer.function in _ORDERED:
        over, *inside = sorted(layer.axes)
        each = layer.count // source.shape[over]
        rows = replace(layer, axes=tuple(inside), count=each)
        graph.set_inputs(layer.name, [_before(graph, layer, rows, "rows", source.dtype)])
        graph.replace(replace(layer, axes=(over,), count=source.shape[over]))


def _split_quantised(graph: Graph, layer: Reduce, source: TensorType) -> None:
    """Exact sums of rows, their sum, and the multiplication and rounding that end the fold."""
    result = graph.types[graph.output_of(layer.name)].dtype
    if layer.count * _MOST_OF_A_BYTE >= _MOST_EXACT or result is DType.F16:
        return
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
