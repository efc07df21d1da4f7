"""free-views: decide which tensors share which bytes, so that views cost nothing; copy where they cannot.

before:  y = transpose(x);  z = concat(a, b)         tensors without storage
after:   y is x with other strides; a and b are written straight to their places in z

Every tensor gets a ``Storage`` (offset and strides over a buffer).  A copy layer appears only where strides
cannot express a view: a reshape of permuted data, a concat operand that already lives elsewhere, a network
output that would be the same bytes as an input.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.axis_orders import preferred_orders
from nnc.compiler.passes.base import Pass, insert_copy, insert_output_copy
from nnc.compiler.passes.buffers import Buffers, Homes
from nnc.compiler.passes.matching import layers_of, operands_of, shown_by, source_of
from nnc.compiler.passes.rearranged import order_before, view_storage
from nnc.compiler.target.layer_traits import is_row_gather
from nnc.compiler.target.target import Target

_STRIDED = (ir.Reshape, ir.Transpose, ir.Slice, ir.Expand, ir.Unfold)
"""Views that own no bytes; concats do."""


def _run(graph: Graph, target: Target) -> None:
    _fold_views_of_constants(graph)
    for tensor in graph.outputs:
        shown, views = shown_by(graph, tensor, *_STRIDED)
        if views and shown in graph.inputs:
            insert_output_copy(graph, tensor)
    homes = _concat_homes(graph, target.transfer_unit, preferred_orders(graph, target))
    orders = preferred_orders(graph, target)
    graph.clear_storage()
    graph.annotate(replace(graph.notes, transfer_unit=target.transfer_unit))
    buffers = Buffers(graph, target, homes, orders)
    for tensor in graph.inputs:
        buffers.place(tensor)
    for layer in graph.layers():
        if is_row_gather(layer):
            buffers.copy_unaligned(layer)
        for tensor in graph.outputs_of(layer.name):
            if not layer.is_view or isinstance(layer, ir.Concat):
                buffers.place(tensor)
            elif not _store_view(graph, layer, tensor):
                assert isinstance(layer, ir.Reshape)  # all other views are strides of anything
                copy = insert_copy(graph, source_of(graph, layer), layer.name, 0)
                buffers.add_dense(copy, order_before(graph.types[copy].shape, layer, orders[tensor]))
                _store_view(graph, layer, tensor)
    buffers.copy_states()


def _fold_views_of_constants(graph: Graph) -> None:
    """Compute views of constants now; their values are packed at compile time anyway."""
    for layer in graph.layers():
        sources = graph.inputs_of(layer.name)
        if not layer.is_view or not all(graph.is_constant(t) for t in sources):
            continue
        arrays = [graph.constants[required(t)] for t in sources]
        tensor = graph.output_of(layer.name)
        if tensor in graph.outputs:
            insert_output_copy(graph, tensor)
            tensor = graph.output_of(layer.name)
        value = graph.add_constant(f"{tensor}.value", np.ascontiguousarray(view_array(layer, arrays)))
        graph.rewire(tensor, value)
        graph.remove(layer.name)


def view_array(layer: ir.Layer, arrays: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """What a view layer gives on numpy arrays."""
    match layer:
        case ir.Reshape():
            return arrays[0].transpose(layer.order).reshape(layer.shape)
        case ir.Transpose():
            return arrays[0].transpose(layer.perm)
        case ir.Slice():
            index = [
                np.arange(extent) * step + start
                for start, step, extent in zip(layer.start, layer.step, layer.shape, strict=True)
            ]
            return arrays[0][np.ix_(*index)]
        case ir.Expand():
            return np.broadcast_to(arrays[0], layer.shape)
        case ir.Unfold():
            positions = np.add.outer(np.arange(layer.count) * layer.step, np.arange(layer.size))
            return np.take(arrays[0], positions, axis=layer.axis)
        case ir.Concat():
            return np.concatenate(arrays, axis=layer.axis)
        case _:
            raise TypeError(layer.kind)


def _concat_homes(graph: Graph, transfer_unit: int, orders: dict[str, tuple[int, ...]]) -> Homes:
    """For every operand of a concat: (the concat's tensor, axis, start); copies are inserted as needed."""
    homes: Homes = {}
    for concat in layers_of(graph, ir.Concat):
        result, start = graph.output_of(concat.name), 0
        has_units = transfer_unit == 1 and orders[result] == identity_order(len(graph.types[result].shape))
        for slot, tensor in enumerate(operands_of(graph, concat)):
            if tensor in homes or not _has_bytes(graph, tensor, has_units):
                tensor = insert_copy(graph, tensor, concat.name, slot)
            homes[tensor] = (result, concat.axis, start)
            start += graph.types[tensor].shape[concat.axis]
    return homes


def _has_bytes(graph: Graph, tensor: str, has_units: bool) -> bool:
    """Whether a tensor is computed, and no view; rows that are gathered come in order, and in whole units."""
    layer = graph.producer(tensor)
    if layer is None or is_row_gather(layer):
        return layer is not None and has_units
    return not layer.is_view or isinstance(layer, ir.Concat)


def _store_view(graph: Graph, layer: ir.Layer, tensor: str) -> bool:
    """Storage of a view over its operand's storage; False if strides cannot express it."""
    view = view_storage(graph.storage[source_of(graph, layer)], layer)
    if view is None:
        return False
    graph.set_storage(tensor, view)
    return True


FREE_VIEWS = Pass("free-views", _run, Level.CANONICAL)
