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
from nnc.compiler.passes.base import Pass, depths
from nnc.compiler.passes.matching import (
    MOVES,
    Shown,
    either_way,
    functions_of,
    keeps_order,
    made_for_one,
    operands_of,
    result_type,
    shown_by,
    source_type,
)
from nnc.compiler.passes.merge_views import Axis, factors_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function
from nnc.isa.types import DType

_RESIDUAL = MacLayer.slots.index("residual")
_Addend = Shown[Layer]
"""What a MAC layer makes and the views of it, by which an addition adds it."""


def _run(graph: Graph, _target: Target) -> None:
    depth = depths(graph)
    for add in functions_of(graph, Function.ADD):
        pairs = either_way(graph, add) if _adds_two(graph, add) else []
        addends = [(_addend(graph, tensor, add), skip) for tensor, skip in pairs]
        fitting = [(mac, addend, skip) for (mac, addend), skip in addends if mac is not None]
        if fitting:
            # The longer branch adds: the other one, a projection of the skip, runs just before it and dies
            _fuse(graph, add, *max(fitting, key=lambda item: depth[item[0].name]))


def _adds_two(graph: Graph, add: Elementwise) -> bool:
    """Whether a layer adds two tensors of floats, alike but for leading axes of one element."""
    types = [graph.types[tensor] for tensor in operands_of(graph, add)]
    is_two = len({*graph.inputs_of(add.name)}) == 2 == len(types)
    return is_two and not add.params and types[0].dtype.is_float and len({*map(_alike, types)}) == 1


def _addend(graph: Graph, tensor: str, add: Elementwise) -> tuple[MacLayer | None, _Addend]:
    """The MAC layer that computes what a tensor shows for an addition alone, if its epilogue is free."""
    addend: _Addend = shown_by(graph, tensor, *MOVES, for_one=True)
    match made_for_one(graph, addend.tensor, MacLayer):
        case MacLayer(act=Function.IDENTITY) as mac if graph.operand(mac.name, _RESIDUAL) is None:
            is_same = graph.types[tensor] == result_type(graph, add)
            return mac if is_same and _keeps_axes(graph, addend) else None, addend
        case _:
            return None, addend


def _fuse(graph: Graph, add: Elementwise, mac: MacLayer, addend: _Addend, skip: str) -> None:
    inputs = [*graph.inputs_of(mac.name), None, None]
    shown = _with_axes(graph, skip, result_type(graph, add))
    residual = _backwards(graph, shown, addend.views)
    graph.set_inputs(mac.name, [*inputs[:3], residual, *graph.inputs_of(mac.name)[4:]])
    last = addend.views[-1] if addend.views else mac
    graph.take_over_output(last.name, graph.output_of(add.name))


def _keeps_axes(graph: Graph, addend: _Addend) -> bool:
    """Whether each axis of the last view, if any, is a whole axis of a tensor, or has one element."""
    shape, views = graph.types[addend.tensor].shape, addend.views
    axes = None if 0 in shape else factors_of(shape, views)
    if not views or axes is None:
        return not views
    is_plain = all(keeps_order(view) for view in views if isinstance(view, Reshape))
    return is_plain and all(_is_whole(axis, shape) for axis in axes)


def _is_whole(axis: Axis, shape: tuple[int, ...]) -> bool:
    """Whether an axis of a view is a whole axis of a tensor of a shape, or has one element."""
    return len(axis) < 2 and all(factor.extent == shape[factor.axis] for factor in axis)


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
        type_ = source_type(graph, view)
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


FUSE_RESIDUAL = Pass("fuse-residual", _run)
