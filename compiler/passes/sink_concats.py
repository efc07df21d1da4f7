"""sink-concats: what is done to each operand of a concat by itself is done before it, if it leaves less.

before:  y = pool.max(concat(a, b, c, d))
after:   y = concat(pool.max(a), pool.max(b), pool.max(c), pool.max(d))

The whole is as large as all of its operands, and has to be there as such, on chip or in DRAM, for a pool that
leaves a quarter of it.  A pool of each operand belongs to the group that computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Concat, Conv, Elementwise, Layer, Pool, Reduce, Reshape, Softmax, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import operands_of, result_type, sole_reader
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING

_Step = tuple[Layer, int]
"""A layer behind a concat, and along which axis the operands lie in its result."""


def _run(graph: Graph, _target: Target) -> None:
    for concat in reversed(graph.layers()):  # a concat inside another one comes after that, which sank
        if not isinstance(concat, Concat):
            continue
        operands = operands_of(graph, concat)
        if not 1 < len(operands) <= TUNING.passes.max_sunk_operands or any(map(graph.is_constant, operands)):
            continue
        if steps := _steps_that_leave_less(graph, concat, len(operands) - 1):
            _sink(graph, concat, operands, steps)


def _steps_that_leave_less(graph: Graph, concat: Concat, more: int) -> list[_Step]:
    """The layers behind a concat up to the one that leaves the least, if that is less than the concat.

    Args:
        more: how many times more the constants of these layers would be read.
    """
    tensor, axis, steps = graph.output_of(concat.name), concat.axis, list[_Step]()
    least, count, constants = graph.types[tensor].nbytes, 0, 0
    while (user := sole_reader(graph, tensor, Layer, slot=0)) is not None:
        behind = _axis_behind(graph, user, tensor, axis)
        if behind is None:
            break
        tensor, axis = graph.output_of(user.name), behind
        steps.append((user, axis))
        others = [t for t in graph.inputs_of(user.name)[1:] if t is not None]
        constants += more * sum(graph.types[constant].nbytes for constant in others)
        if graph.types[tensor].nbytes + constants < least:
            least, count = graph.types[tensor].nbytes + constants, len(steps)
    return steps[:count]


def _axis_behind(graph: Graph, layer: Layer, tensor: str, axis: int) -> int | None:
    """Where an axis of a layer's operand is in its result, if each element along it is treated by itself."""
    others = [t for t in graph.inputs_of(layer.name)[1:] if t is not None]
    if layer.kind not in _BEHIND or not all(map(graph.is_constant, others)):
        return None
    return _BEHIND[layer.kind](graph, layer, graph.types[tensor].shape, axis)


def _of_pool(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    return axis if axis < 2 else None


def _of_fold(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    assert isinstance(layer, Reduce)
    return None if axis in layer.axes else axis


def _of_softmax(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    assert isinstance(layer, Softmax)
    return None if axis == layer.axis else axis


def _of_function(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    """A function of elements has one constant for all elements along the axis."""
    if result_type(graph, layer).shape != tuple(shape):
        return None
    constants = [graph.types[required(tensor)].shape for tensor in graph.inputs_of(layer.name)[1:]]
    behind = axis - len(shape)  # axes of constants count from the last one
    return axis if all(len(extents) < -behind or extents[behind] == 1 for extents in constants) else None


def _of_conv(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    """Channels are summed; along other axes, a window of one element sees no other."""
    assert isinstance(layer, Conv)
    if axis == 1 or graph.operand(layer.name, layer.slots.index("residual")) is not None:
        return None
    if axis == 0:
        return axis
    place = axis - 2
    window = (layer.kernel[place], layer.stride[place], layer.pad_begin[place], layer.pad_end[place])
    return axis if window == (1, 1, 0, 0) else None


def _of_reshape(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    """The axis that stays as it is, with as many elements before it."""
    assert isinstance(layer, Reshape)
    if layer.order != identity_order(len(shape)):
        return None
    places = (place for place, extent in enumerate(layer.shape) if extent == shape[axis] > 1)
    return next((place for place in places if prod(layer.shape[:place]) == prod(shape[:axis])), None)


def _of_transpose(graph: Graph, layer: Layer, shape: Sequence[int], axis: int) -> int | None:
    assert isinstance(layer, Transpose)
    return layer.perm.index(axis)


_BEHIND: dict[str, Callable[[Graph, Layer, Sequence[int], int], int | None]] = {
    Pool.kind: _of_pool,
    Reduce.kind: _of_fold,
    Softmax.kind: _of_softmax,
    Elementwise.kind: _of_function,
    Conv.kind: _of_conv,
    Reshape.kind: _of_reshape,
    Transpose.kind: _of_transpose,
}
"""By kind of layer: where an axis of its operand is in its result; None if its elements are not apart."""


def _sink(graph: Graph, concat: Concat, operands: Sequence[str], steps: Sequence[_Step]) -> None:
    """Put the concat behind some layers."""
    last, axis = steps[-1]
    results = [_apart(graph, tensor, graph.types[tensor].shape[concat.axis], steps) for tensor in operands]
    result = graph.output_of(last.name)
    whole = graph.fresh(f"{concat.name}.sunk")
    graph.add(replace(concat, name=whole, axis=axis), results, [whole], [graph.types[result]])
    graph.take_over_output(whole, result)
    for name in (*(layer.name for layer, _ in reversed(steps[:-1])), concat.name):
        graph.remove(name)


def _apart(graph: Graph, tensor: str, extent: int, steps: Sequence[_Step]) -> str:
    """What the layers make of one operand, which has so many elements along the axis, behind its layer."""
    above = graph.producer(tensor)
    after = None if above is None else above.name
    for layer, axis in steps:
        type_ = result_type(graph, layer)
        shape = (*type_.shape[:axis], extent, *type_.shape[axis + 1 :])
        name = graph.fresh(f"{layer.name}.of.{tensor}")
        part = replace(layer, name=name)
        if isinstance(part, Reshape):
            part = replace(part, shape=shape)
        inputs = [tensor, *graph.inputs_of(layer.name)[1:]]
        graph.add(part, inputs, [name], [TensorType(type_.dtype, shape)], after=after)
        tensor = name
    return tensor


SINK_CONCATS = Pass("sink-concats", _run)
