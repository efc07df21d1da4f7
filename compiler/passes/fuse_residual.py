"""fuse-residual: an addition after a MAC layer becomes the residual operand of its epilogue.

before:  y = conv(x, W, b);  z = add(y, skip)
after:   z = conv(x, W, b, residual=skip)

Where reshapes and transposes stand between that only change places of whole axes, the skip goes through them
backwards:

before:  y = matmul(x, W, b);  z = add(transpose(y), skip)
after:   z = transpose(matmul(x, W, b, residual=transpose(skip)))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass, depths, sole_consumer
from nnc.compiler.passes.merge_views import factors_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function
from nnc.isa.types import DType

_Found = tuple[MacLayer, list[Layer]]
"""A MAC layer and the views of its result, from the first to the last."""


def _takes_residual(graph: Graph, tensor: str | None, add: Elementwise) -> _Found | None:
    """The MAC layer that computes what `tensor` shows only for this addition and has its epilogue free."""
    if tensor is None or graph.types[tensor] != graph.types[graph.output_of(add.name)]:
        return None
    views: list[Layer] = []
    while True:
        layer = graph.producer(tensor)
        if layer is None or sole_consumer(graph, tensor) is None:
            return None
        if not isinstance(layer, Reshape | Transpose):
            break
        views.insert(0, layer)
        tensor = required(graph.inputs_of(layer.name)[0])
    if not isinstance(layer, MacLayer) or layer.act is not Function.IDENTITY:
        return None
    if graph.operand(layer.name, 3) is not None or not _keeps_axes(graph, tensor, views):
        return None
    return layer, views


def _keeps_axes(graph: Graph, tensor: str, views: Sequence[Layer]) -> bool:
    """Whether each axis of the last view is a whole axis of a tensor, or has one element."""
    shape = graph.types[tensor].shape
    axes = None if 0 in shape else factors_of(shape, views)
    if not views or axes is None:
        return not views
    plain = all(view.order == identity_order(len(view.order)) for view in views if isinstance(view, Reshape))
    return plain and all(len(axis) < 2 and all(f.extent == shape[f.axis] for f in axis) for axis in axes)


def _alike(type_: TensorType) -> tuple[DType, tuple[int, ...]]:
    """What types have in common that differ in leading axes of one element."""
    leading = next((axis for axis, extent in enumerate(type_.shape) if extent != 1), len(type_.shape))
    return type_.dtype, type_.shape[leading:]


def _with_axes(graph: Graph, tensor: str, type_: TensorType) -> str:
    """A tensor in a type that differs in leading axes of one element."""
    if graph.types[tensor] == type_:
        return tensor
    if graph.is_constant(tensor):
        return graph.add_constant(f"{tensor}.skip", graph.constants[tensor].reshape(type_.shape))
    name, order = graph.fresh(f"{tensor}.skip"), identity_order(len(graph.types[tensor].shape))
    above = required(next(iter(graph.consumers(tensor))))[0]
    graph.add(Reshape(name=name, loc=above.loc, shape=type_.shape, order=order), [tensor], [name], [type_])
    return name


def _backwards(graph: Graph, tensor: str, views: Sequence[Layer]) -> str:
    """A tensor through the inverses of views, from the last to the first."""
    for view in reversed(views):
        type_ = graph.types[required(graph.inputs_of(view.name)[0])]
        name = graph.fresh(f"{view.name}.skip")
        if isinstance(view, Transpose):
            perm = tuple(int(axis) for axis in np.argsort(view.perm))
            inverse: Layer = replace(view, name=name, perm=perm)
        else:
            order = identity_order(len(graph.types[tensor].shape))
            inverse = Reshape(name=name, loc=view.loc, shape=type_.shape, order=order)
        graph.add(inverse, [tensor], [name], [type_])
        tensor = name
    return tensor


def _run(graph: Graph, _target: Target) -> None:
    depth = depths(graph)
    for add in graph.layers():
        if not isinstance(add, Elementwise) or add.function is not Function.ADD or add.params:
            continue
        if add.src_scales:
            continue
        operands = graph.inputs_of(add.name)
        if len(operands) != 2 or operands[0] == operands[1]:
            continue
        if len({_alike(graph.types[required(tensor)]) for tensor in operands}) > 1:
            continue
        if not graph.types[required(operands[0])].dtype.is_float:
            continue  # the epilogue computes in f32
        macs = [(_takes_residual(graph, tensor, add), slot) for slot, tensor in enumerate(operands)]
        found = [(depth[mac[0].name], slot, mac) for mac, slot in macs if mac is not None]
        if not found:
            continue
        # The longer branch adds: the other one, a projection of the skip, then runs just before it and dies.
        _, slot, (mac, views) = max(found, key=lambda item: item[0])
        inputs = [*graph.inputs_of(mac.name), None, None]
        shown = _with_axes(graph, required(operands[1 - slot]), graph.types[graph.output_of(add.name)])
        skip = _backwards(graph, shown, views)
        graph.set_inputs(mac.name, [*inputs[:3], skip, *graph.inputs_of(mac.name)[4:]])
        last = views[-1] if views else mac
        graph.take_over_output(last.name, graph.output_of(add.name))


FUSE_RESIDUAL = Pass("fuse-residual", _run)
