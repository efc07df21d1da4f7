"""How tensors lie in their buffers: which columns they show (a box all of the axis, heads those of their
features), and which results may take over the bytes of an operand.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import lcm

from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.plan.network.plan_network import PlanNetwork


def columns_read(network: PlanNetwork, tensor: str, boxes: Boxes) -> tuple[Boxes, int] | None:
    """The columns of its buffer in which boxes of a tensor lie.

    Returns:
        Boxes, and the axis of them that runs along the columns; None if these cannot be told.
    """
    view = network.view(tensor)
    axis = network.buffers[view.buffer].column_axis
    return None if view.split is None or axis is None else (view.split.boxes(boxes), axis)


def share_of_columns(network: PlanNetwork, tensor: str) -> float:
    """The share of its buffer's columns that a tensor shows."""
    buffer, whole = network.buffer_of(tensor), Boxes.whole(network.graph.types[tensor].shape)
    read, axis = columns_read(network, tensor, whole), network.buffers[buffer].column_axis
    if read is None or axis is None:
        return 1.0
    return float(read[0].extents[0, read[1]] / network.graph.types[buffer].shape[axis])


def has_constants_along(network: PlanNetwork, position: int, rows: bool, columns: bool) -> bool:
    """Whether other rows, or other columns, of a function's result need other elements of a constant."""
    if not isinstance(network.layers[position], Elementwise):
        return False
    tensor = network.defines[position]
    rank = len(network.graph.types[tensor].shape)
    axes = [network.view(tensor).axis] * rows + [column_axis(network, tensor)] * columns
    shapes = [network.graph.types[constant].shape for _, constant in network.constant_operands(position)]
    return any(
        axis is not None and axis >= rank - len(shape) and shape[axis - rank] > 1
        for axis in axes
        for shape in shapes
    )


def column_axis(network: PlanNetwork, tensor: str) -> int | None:
    """The axis of a tensor that runs along the columns of its buffer; None if it cannot be cut there."""
    view, types = network.view(tensor), network.graph.types
    axis = network.buffers[view.buffer].column_axis
    if view.origin is None or axis is None:
        return None
    return axis if types[tensor].shape[axis] == types[view.buffer].shape[axis] else None


def lies(network: PlanNetwork, tensor: str) -> Hashable:
    """How a tensor lies in its buffer."""
    view, storage = network.view(tensor), network.graph.storage[tensor]
    return view.axis, view.first, view.rows, view.origin, storage.strides, storage.offset


def lies_behind(network: PlanNetwork, tensor: str, other: str) -> Hashable:
    """How a tensor lies in its buffer, seen from another one there: equal for all that cost the same.

    Where bursts begin matters, and whether there are rows before it.
    """
    view, storage = network.view(tensor), network.graph.storage[tensor]
    base, unit = network.view(other), lcm(network.burst, network.graph.notes.transfer_unit)
    if view.origin is None or base.origin is None:
        return lies(network, tensor)
    start = storage.offset * network.graph.types[tensor].dtype.itemsize
    apart = tuple(a - b for a, b in zip(view.origin, base.origin, strict=True))
    shape = view.axis, view.rows, storage.strides
    return shape, view.first > 0, start % unit, view.first - base.first, apart


_RESIDUAL = MacLayer.slots.index("residual")


def in_place_source(network: PlanNetwork, position: int) -> str | None:
    """The buffer of an operand that a layer's result may overwrite: same size, last used here.

    Each element of the result needs just the element in its place: of what a product adds, or of any operand
    of a function of elements.
    """
    layer, slots = network.layers[position], list[int]()
    if isinstance(layer, MacLayer):
        slots = [_RESIDUAL]
    elif isinstance(layer, Elementwise):
        slots = [slot for slot, _ in network.operands[position]]
    found = (_overwritten(network, position, slot) for slot in slots)
    return next((source for source in found if source is not None), None)


def _overwritten(network: PlanNetwork, position: int, slot: int) -> str | None:
    """The buffer of an operand, if the result may overwrite it."""
    tensor = network.graph.operand(network.layers[position].name, slot)
    if tensor is None or tensor not in network.graph.storage:
        return None
    graph, target = network.graph, network.defines[position]
    source = network.buffer_of(tensor)
    same = graph.storage[tensor].strides == graph.storage[target].strides
    alone = tensor == source and target == network.buffer_of(target)
    dead = network.last_use[source] == position and source not in network.network_inputs
    fits = same and alone and dead and graph.types[tensor] == graph.types[target]
    return source if fits and not _read_otherwise(network, position, slot, tensor) else None


def _read_otherwise(network: PlanNetwork, position: int, slot: int, tensor: str) -> bool:
    """Whether the layer reads the operand's buffer in another way too, not just element by element."""
    others = [t for other, t in network.operands[position] if other != slot]
    if isinstance(network.layers[position], Elementwise):
        others = [t for t in others if t != tensor]
    return network.buffer_of(tensor) in {network.buffer_of(t) for t in others}
