"""split-norms: the statistics of large pictures are folds of rows, and their normalisation a function.

before:  y = normalise(x, axes=2,3)
after:   r = reduce.mean(x, axes=3);  s = reduce.mean((x - r)², axes=3)           of every row
         m = reduce.mean(r, axes=2);  v = reduce.mean(s + (r - m)², axes=2)       of all rows
         y = (x - m) / sqrt(v + epsilon)

An instruction that normalises needs all that it takes the statistics of on chip.  Folds of rows belong to the
group that computes x, and the function to the group that reads y: the picture is written once and read once.
The variance of all is that within the rows and that between them, as Chan, Golub and LeVeque add up variances
(1979): no difference of large squares.  Groups of channels that exporters reshape are those of the picture.
A signal, of one axis beside the channels, is a picture whose rows are so many places in turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Normalise, Reshape
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.layers_before import LayersBefore, Shape
from nnc.compiler.passes.matching import keeps_order, layers_of, made_by, operands_of, source_of, source_type
from nnc.compiler.passes.row_axis import elements_per_row, pieces_of_rows
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, NormaliseFunction, ReduceFunction
from nnc.isa.types import DType


@dataclass(frozen=True)
class _Picture:
    """What is normalised: a tensor of pictures, in how many groups of channels; they may be reshaped.

    Attributes:
        row: of a signal, N, C, T, how many places make a row of a picture.
    """

    tensor: str
    shape: Shape
    groups: int
    is_reshaped: bool
    row: int = 0

    def in_rows(self, before: LayersBefore) -> str:
        """A view of a signal as a picture; of a picture, itself."""
        if not self.row:
            return self.tensor
        return before.reshaped(self.tensor, (*self.shape[:2], self.shape[2] // self.row, self.row))


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.memory_bytes == 0:  # rows are whole channels there
        return
    for layer in layers_of(graph, Normalise):
        source = source_type(graph, layer)
        if source.dtype is not DType.F32 or 0 in source.shape:  # halves would be rounded between
            continue
        picture = _picture(graph, layer, target.memory_bytes)
        if picture is not None and source.nbytes * TUNING.passes.whole_operand_share > target.memory_bytes:
            _split_rows(graph, layer, picture)
        elif _needed_at_once(graph, layer) > target.memory_bytes:
            _split_whole(graph, layer)


def _picture(graph: Graph, layer: Normalise, memory_bytes: int) -> _Picture | None:
    """The picture that is normalised per channel, per group of channels, or as a whole."""
    if layer.function is not NormaliseFunction.MEAN_VARIANCE:
        return None
    picture = _shaped(graph, layer)
    return _signal(graph, picture, memory_bytes) if picture and len(picture.shape) == 3 else picture


def _shaped(graph: Graph, layer: Normalise) -> _Picture | None:
    """The picture or signal that is normalised; a signal has one axis beside the channels."""
    tensor, shape = source_of(graph, layer), source_type(graph, layer).shape
    beside, view = tuple(range(2, len(shape))), made_by(graph, source_of(graph, layer), Reshape)
    if len(shape) < 3 or layer.axes not in (beside, (1, *beside)):
        return None
    if layer.axes != beside:
        return _Picture(tensor, shape, 1, False)
    if len(shape) > 3 or view is None or not keeps_order(view):
        return _Picture(tensor, shape, shape[1], False)
    whole = source_type(graph, view).shape
    are_constant = all(_is_of_all_pictures(graph, factor) for factor in operands_of(graph, layer)[1:])
    if len(whole) < 3 or whole[0] != shape[0] or whole[1] % shape[1] or not are_constant:
        return None
    return _Picture(source_of(graph, view), whole, shape[1], True)


def _is_of_all_pictures(graph: Graph, factor: str) -> bool:
    """Whether a factor is a constant, the same for all pictures of a batch."""
    return graph.is_constant(factor) and prod(graph.types[factor].shape[:-2]) == 1


def _signal(graph: Graph, picture: _Picture, memory_bytes: int) -> _Picture | None:
    """A signal, of one axis beside the channels, if that can be seen as rows of places."""
    type_ = graph.types[picture.tensor]
    if elements_per_row(graph, picture.tensor, 2) != 1:  # features of tokens
        return None
    places, most = type_.shape[2], memory_bytes // TUNING.passes.whole_operand_share
    length = pieces_of_rows(places, 1, TUNING.passes.fold_length, (2, most * places // type_.nbytes))
    return None if length is None else replace(picture, row=length)


def _needed_at_once(graph: Graph, layer: Normalise) -> int:
    """Bytes of the smallest tile: operand, result, and factors of its elements."""
    tensor, *factors = graph.inputs_of(layer.name)
    type_ = graph.types[required(tensor)]
    row = prod(type_.shape[axis] for axis in layer.axes) * type_.dtype.itemsize
    sizes = (graph.types[factor].nbytes for factor in factors if factor is not None)
    return 2 * row + sum(min(row, nbytes) for nbytes in sizes)


def _split_whole(graph: Graph, layer: Normalise) -> None:
    """Fold all axes at once, and again for the squares."""
    before = LayersBefore(graph, layer)
    source, *factors = graph.inputs_of(layer.name)
    tensor, mean = required(source), None
    if layer.function is NormaliseFunction.MEAN_VARIANCE:
        mean, variance = _statistics(before, tensor, layer.axes)
    else:
        variance = _mean_square(before, tensor, layer.axes)
    _normalise(graph, before, layer, (tensor, mean, variance), factors)


def _split_rows(graph: Graph, layer: Normalise, picture: _Picture) -> None:
    """Fold every row of every channel by itself, then the rows of groups of channels."""
    before, shape = LayersBefore(graph, layer), picture.shape
    tensor = picture.in_rows(before)
    rows, within = _statistics(before, tensor, tuple(range(3, len(before.shape(tensor)))))
    grouped = (shape[0], picture.groups, prod(before.shape(rows)) // (shape[0] * picture.groups))
    mean, between = _statistics(before, before.reshaped(rows, grouped), (2,))
    within = before.fold(ReduceFunction.MEAN, before.reshaped(within, grouped), (2,))
    variance = before.function(Function.ADD, within, between)
    mean, variance = (_per_channel(before, tensor, shape) for tensor in (mean, variance))
    factors = [_of_picture(graph, tensor, picture) for tensor in graph.inputs_of(layer.name)[1:]]
    _normalise(graph, before, layer, (picture.tensor, mean, variance), factors)


def _statistics(before: LayersBefore, tensor: str, axes: tuple[int, ...]) -> tuple[str, str]:
    """Mean and variance over some axes."""
    mean = before.fold(ReduceFunction.MEAN, tensor, axes)
    return mean, _mean_square(before, before.function(Function.SUB, tensor, mean), axes)


def _mean_square(before: LayersBefore, tensor: str, axes: tuple[int, ...]) -> str:
    count = prod(before.shape(tensor)[axis] for axis in axes)
    squares = before.fold(ReduceFunction.SUM_SQUARE, tensor, axes)
    return before.function(Function.MUL, squares, params=(1 / count,))


def _normalise(
    graph: Graph,
    before: LayersBefore,
    layer: Normalise,
    operands: tuple[str, str | None, str],
    factors: list[str | None],
) -> None:
    """Let a function of a tensor's elements, its mean (None: 0) and its variance take the layer's place."""
    result, mean, variance = operands
    deviation = before.function(
        Function.SQRT, before.function(Function.ADD, variance, params=(layer.epsilon,))
    )
    if mean is not None:
        result = before.function(Function.SUB, result, mean)
    result = before.function(Function.MUL, result, before.function(Function.RECIPROCAL, deviation))
    for function, neutral, factor in zip((Function.MUL, Function.ADD), (1, 0), factors, strict=False):
        if factor is not None and not _is_all(graph, factor, neutral):
            result = before.function(function, result, factor)
    before.take_over(result)


def _is_all(graph: Graph, tensor: str, value: float) -> bool:
    return graph.is_constant(tensor) and bool((graph.constants[tensor] == value).all())


def _per_channel(before: LayersBefore, tensor: str, shape: Shape) -> str:
    """Values of groups of channels, one for each channel of a picture."""
    groups = before.shape(tensor)[1]
    each = (shape[0], groups, shape[1] // groups)
    wide = before.expanded(tensor, each) if each[2] > 1 else tensor
    return before.reshaped(wide, (*shape[:2], *[1] * (len(shape) - 2)))


def _of_picture(graph: Graph, tensor: str | None, picture: _Picture) -> str | None:
    """Scale or bias of groups of channels as those of the picture's channels."""
    if tensor is None or not picture.is_reshaped:
        return tensor
    value, shape = graph.constants[tensor], picture.shape[1:]
    value = value.reshape(value.shape[-2:])
    if prod(value.shape[-1:]) == 1:
        each = np.broadcast_to(value, (picture.groups, 1)).repeat(shape[0] // picture.groups, axis=0)
        return graph.add_constant(f"{tensor}.channels", each.reshape(shape[0], *[1] * (len(shape) - 1)))
    whole = np.broadcast_to(value, (picture.groups, prod(shape) // picture.groups))
    return graph.add_constant(f"{tensor}.elements", np.ascontiguousarray(whole).reshape(shape))


SPLIT_NORMS = Pass("split-norms", _run)
