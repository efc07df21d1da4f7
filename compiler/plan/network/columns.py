"""Which columns of a buffer a tensor shows: of a box all of the axis, of heads those of their features."""

from __future__ import annotations

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis


def columns_read(network: PlanNetwork, tensor: str, boxes: Boxes) -> tuple[Boxes, int] | None:
    """The columns of its buffer in which boxes of a tensor lie.

    Returns:
        Boxes, and the axis of them that runs along the columns; None if the tensor shows all columns.
    """
    view, axis = network.view(tensor), column_axis(network, tensor)
    if view.origin is not None:
        return None if axis is None else (boxes, axis)
    split, axis = network.split_view(tensor), network.buffers[view.buffer].column_axis
    return None if split is None or axis is None else (split.boxes(boxes), axis)


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
