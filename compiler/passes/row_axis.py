"""Along which axes of a tensor its rows run, before any storage is decided: those of what a view shows.

x: f32[1,48,9216] = reshape(conv)   conv: f32[1,48,96,96], stored N, H, W, C   axis 2: 96 rows of 96 elements
"""

from __future__ import annotations

from math import gcd, isqrt, prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, Reshape, Slice, Softmax, Transpose
from nnc.compiler.ir.storage import channels_last, identity_order
from nnc.compiler.passes.fold_factors import axes_through
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import made_by, operands_of, shown_by
from nnc.compiler.target.layer_traits import AxisOrder, axis_order


def elements_per_row(graph: Graph, tensor: str, axis: int, *, all_rows: bool = False) -> int | None:
    """How many elements along an axis lie in one row of what a tensor shows; None if rows run elsewhere.

    Rows of a batch are those of its pictures.

    Args:
        all_rows: None, too, if only some rows lie along the axis: others lie along another.
    """
    base, views = _shown(graph, tensor)
    shape = graph.types[base].shape
    axes = None if 0 in shape else axes_through(shape, views)[0]
    if axes is None or not axes[axis]:
        return None
    first, *inside = axes[axis]
    is_row = first.axis in _row_axes(graph.producer(base), shape) and first.step <= 1
    if not is_row or (all_rows and first.extent < shape[first.axis]):
        return None
    return prod(factor.extent for factor in inside)


def pieces_of_rows(extent: int, per_row: int, liked: int, within: tuple[int, int]) -> int | None:
    """Elements per piece of an axis, of whole rows or all in one.

    Args:
        liked: the fewest of so many or more are taken, else the most of fewer.
        within: the least and the most.
    """
    least, most = max(1, within[0]), min(within[1], extent // 2)
    lengths = [n for n in _divisors(extent) if least <= n <= most and gcd(n, per_row) in (n, per_row)]
    return min(lengths, key=lambda n: (n < liked, abs(n - liked)), default=None)


def _divisors(extent: int) -> list[int]:
    """All divisors, in ascending order."""
    small = [n for n in range(1, isqrt(extent) + 1) if extent % n == 0]
    return sorted({*small, *(extent // n for n in small)})


def in_pieces(before: LayersBefore, tensor: str, axis: int, rows: int) -> tuple[str, tuple[int, int]]:
    """A view of a tensor with an axis cut into pieces of rows; which axes these two are.

    The axis of pieces is the outermost, behind that of a batch.
    """
    shape = before.shape(tensor)
    split = before.reshaped(tensor, (*shape[:axis], shape[axis] // rows, rows, *shape[axis + 1 :]))
    others = [other_axis for other_axis in range(len(shape) + 1) if other_axis != axis]
    place = int(len(shape) > 2 and axis > 0)
    return before.transposed(split, (*others[:place], axis, *others[place:])), (place, axis + 1)


def _shown(graph: Graph, tensor: str) -> tuple[str, list[Layer]]:
    """What views show, through functions of elements, and the views, from the first to the last."""
    views: list[Layer] = []
    above: str | None = tensor
    while above is not None:
        tensor, more = shown_by(graph, above, Reshape, Transpose, Slice)
        views = more + views
        layer = made_by(graph, tensor, Elementwise, Softmax)
        above = None if layer is None else _of_shape(graph, layer, graph.types[tensor].shape)
    return tensor, views


def _of_shape(graph: Graph, layer: Layer, shape: tuple[int, ...]) -> str | None:
    """The first operand of a shape that is computed."""
    alike = (tensor for tensor in operands_of(graph, layer) if graph.types[tensor].shape == shape)
    return next((tensor for tensor in alike if not graph.is_constant(tensor)), None)


def _row_axes(layer: Layer | None, shape: tuple[int, ...]) -> list[int]:
    """The outermost axis of what a layer computes, behind that of a batch; the innermost has no rows."""
    is_picture = layer is not None and axis_order(layer) is AxisOrder.CHANNELS_LAST
    order = channels_last(len(shape)) if is_picture else identity_order(len(shape))
    *long, _ = [axis for axis in order if shape[axis] > 1] or [0]
    return long[1:2] if long[:1] == [0] and len(long) > 1 else long[:1]
