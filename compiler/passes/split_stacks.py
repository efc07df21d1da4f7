"""split-stacks: a sum over a few tensors that are stacked is an addition of these.

before:  s = stack(a, b);  y = reduce.sum(mul(s, g), axis of the stack)
after:   y = add(mul(a, g[0]), mul(b, g[1]))

Branches are weighed against each other in this way: selective kernels, split attention, feature pyramids.
A stack is a buffer of its own, and copies into it; without it, branches belong to the group that computes
them.  Channels that a reshape deals out to a new axis are a stack as well: the slices of them are views.
"""

from __future__ import annotations

from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Elementwise, Layer, Reduce, Reshape
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import has_one_reader, keeps_order, source_of, source_type
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_FUNCTIONS = {
    ReduceFunction.SUM: Function.ADD,
    ReduceFunction.MEAN: Function.ADD,
    ReduceFunction.MAX: Function.MAX,
    ReduceFunction.MIN: Function.MIN,
}


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        if isinstance(layer, Reduce) and _is_low(graph, layer):
            (tensor,) = graph.inputs_of(layer.name)
            if _is_stack(graph, required(tensor), layer.axes[0]):
                _Split(graph, layer).run()


def _is_low(graph: Graph, layer: Reduce) -> bool:
    """Whether a fold is that of a few reals, which are rounded as those of additions are."""
    source = source_type(graph, layer)
    if layer.function not in _FUNCTIONS or len(layer.axes) != 1 or len(graph.inputs_of(layer.name)) != 1:
        return False
    return (
        source.dtype is DType.F32
        and layer.src_scale == 0
        and 1 < source.shape[layer.axes[0]] <= TUNING.passes.max_stack
    )


def _is_stack(graph: Graph, tensor: str, axis: int) -> bool:
    """Whether a tensor is stacked along an axis, or made element by element of such a one."""
    layer = graph.producer(tensor)
    if _is_function(graph, layer, tensor):
        rank = len(graph.types[tensor].shape)
        return any(
            _extent(graph, source, axis - rank) > 1
            and _is_stack(graph, source, axis - rank + len(graph.types[source].shape))
            for source in map(required, graph.inputs_of(required(layer).name))
        )
    if isinstance(layer, Concat):
        return layer.axis == axis and len(graph.inputs_of(layer.name)) == graph.types[tensor].shape[axis]
    return _deals_out(graph, layer, axis)


def _is_function(graph: Graph, layer: Layer | None, tensor: str) -> bool:
    """Whether a tensor is a function of the elements of others, and one layer reads it."""
    if not isinstance(layer, Elementwise) or layer.src_scales:
        return False
    return has_one_reader(graph, tensor)


def _deals_out(graph: Graph, layer: Layer | None, axis: int) -> bool:
    """Whether a reshape makes two axes of one, the first of them this axis."""
    if not isinstance(layer, Reshape) or not keeps_order(layer) or axis + 1 == len(layer.shape):
        return False
    before, two, behind = layer.shape[:axis], layer.shape[axis : axis + 2], layer.shape[axis + 2 :]
    return source_type(graph, layer).shape == (*before, prod(two), *behind)


def _extent(graph: Graph, tensor: str, axis: int) -> int:
    """Elements along an axis, counted from the last one; 1 along those that the tensor has not."""
    shape = graph.types[tensor].shape
    return shape[axis] if -axis <= len(shape) else 1


class _Split:
    """One fold that becomes additions; layers are added before it."""

    def __init__(self, graph: Graph, layer: Reduce) -> None:
        self._graph, self._layer, self._before = graph, layer, LayersBefore(graph, layer)
        self._made: dict[tuple[str, int, int], str] = {}

    def run(self) -> None:
        """Replace the fold."""
        graph, layer = self._graph, self._layer
        tensor = source_of(graph, layer)
        extent, before = graph.types[tensor].shape[layer.axes[0]], self._before
        behind = layer.axes[0] - len(graph.types[tensor].shape)
        whole = self._piece(tensor, behind, 0)
        for index in range(1, extent):
            whole = before.function(_FUNCTIONS[layer.function], whole, self._piece(tensor, behind, index))
        if layer.function is ReduceFunction.MEAN:
            whole = before.function(Function.MUL, whole, params=(1 / layer.count,))
        before.take_over(whole)

    def _piece(self, tensor: str, axis: int, index: int) -> str:
        """The tensor without an axis (counted from the last one), at one place along it."""
        if -axis > len(self._graph.types[tensor].shape):
            return tensor
        key = (tensor, axis, index if _extent(self._graph, tensor, axis) > 1 else 0)
        if key not in self._made:
            self._made[key] = self._cut(*key)
        return self._made[key]

    def _cut(self, tensor: str, axis: int, index: int) -> str:
        graph = self._graph
        whole = graph.types[tensor].shape
        place = axis + len(whole)
        shape = (*whole[:place], *whole[place + 1 :])
        if graph.is_constant(tensor):
            taken = np.ascontiguousarray(graph.constants[tensor].take(index, axis=place))
            return graph.add_constant(f"{tensor}.{index}", taken)
        if whole[place] == 1:
            return self._before.reshaped(tensor, shape)
        if not _is_stack(graph, tensor, place):
            alone = self._before.sliced(tensor, place, index, (*shape[:place], 1, *shape[place:]))
            return self._before.reshaped(alone, shape)
        layer = required(graph.producer(tensor))
        sources = list(map(required, graph.inputs_of(layer.name)))
        if isinstance(layer, Concat):
            return self._before.reshaped(sources[index], shape)
        if isinstance(layer, Reshape):
            return self._before.sliced(sources[0], place, index * shape[place], shape)
        pieces = [self._piece(source, axis, index) for source in sources]
        return self._before.add(layer, pieces, shape, graph.types[tensor].dtype)


SPLIT_STACKS = Pass("split-stacks", _run)
