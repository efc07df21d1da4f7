"""What a layer of the network costs when some of its rows, columns or channels are computed."""

from __future__ import annotations

from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_work import block, block_order
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


def channels_of(network: PlanNetwork, position: int) -> int:
    """Output channels by which the weights of a layer can be cut; 1 if they cannot."""
    layer, shape = network.layers[position], network.graph.types[network.defines[position]].shape
    lane = layer_traits.lane_axis(layer, len(shape))
    constant = lane is not None and network.graph.is_constant(network.graph.operand(layer.name, 1))
    return shape[lane] if lane is not None and constant else 1


def block_bytes(network: PlanNetwork, position: int, channels: int) -> int:
    """Bytes of a block of weights for this many output channels (all constants if it is no MAC layer)."""
    nbytes, total = network.weight_bytes(position), channels_of(network, position)
    return ceil_div(nbytes * min(total, channels), total)


def least_lanes(chip: Chip, dtype: DType) -> int:
    """Lanes of the narrowest shape of the MAC array; 1 if it does not know the type."""
    return min((lanes for lanes, _ in chip.compute.array_shapes.get(rate_class(dtype), ())), default=1)


def part_shape(
    network: PlanNetwork, position: int, rows: int, width: float = 1.0, channels: int = 0
) -> tuple[int, ...]:
    """Extents of some rows, a share of the columns, and some channels of a layer's result (0: all)."""
    tensor, layer = network.defines[position], network.layers[position]
    whole, axis = network.graph.types[tensor].shape, network.view(tensor).axis
    columns = column_axis(network, tensor) if width < 1.0 else None
    shape = list(whole)
    if axis is not None:
        shape[axis] = rows
    if columns is not None:
        shape[columns] = max(1, round(whole[columns] * width))
    lane = layer_traits.lane_axis(layer, len(shape)) if channels else None
    if lane is not None:
        shape[lane] = channels
    return tuple(shape)


def layer_cycles(
    network: PlanNetwork, chip: Chip, position: int, rows: int, width: float = 1.0, channels: int = 0
) -> int:
    """Cycles of a layer for some of its result, issue cost included; arguments as those of `part_shape`."""
    layer, graph = network.layers[position], network.graph
    out = graph.types[network.defines[position]]
    view = network.view(network.defines[position])
    operands = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    shape = part_shape(network, position, rows, width, channels)
    shapes = [None if t is None else t.shape for t in operands]
    if view.axis is not None:
        share = rows / out.shape[view.axis]
        shapes = [None if s is None else _scaled(s, view.axis, out.shape, share) for s in shapes]
    columns = column_axis(network, network.defines[position]) if width < 1.0 else None
    if columns is not None:
        shapes = [None if s is None else _scaled(s, columns, out.shape, width) for s in shapes]
    ins = [
        None if s is None or t is None else block(t.dtype, s, block_order(graph, layer, slot))
        for slot, (s, t) in enumerate(zip(shapes, operands, strict=True))
    ]
    order = graph.storage[network.defines[position]].order
    mine = layer_work.layer_of_tile(layer, out.shape, shape)
    return layer_work.tile_cycles(chip, mine, block(out.dtype, shape, order), ins)


def _scaled(shape: tuple[int, ...], axis: int, out: tuple[int, ...], share: float) -> tuple[int, ...]:
    """Shape of an operand's tile when a share of the rows is computed (only its size matters for cost)."""
    if len(shape) != len(out):
        return shape
    return (*shape[:axis], max(1, round(shape[axis] * share)), *shape[axis + 1 :])
