"""What a layer of the network costs when some of its rows, columns or channels are computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.plan.network.columns import column_axis
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_work import block, block_order
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType

Shape = tuple[int, ...]


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
    """Extents of some rows, a share of the columns, and some channels of a layer's result (0: all).

    Args:
        rows: of the buffer, of which the result may be some alone.
    """
    tensor, layer = network.defines[position], network.layers[position]
    whole, axis = network.graph.types[tensor].shape, network.view(tensor).axis
    columns = column_axis(network, tensor) if width < 1.0 else None
    shape = list(whole)
    if axis is not None:
        shape[axis] = min(rows, whole[axis])
    if columns is not None:
        shape[columns] = max(1, round(whole[columns] * width))
    lane = layer_traits.lane_axis(layer, len(shape)) if channels else None
    if lane is not None:
        shape[lane] = channels
    return tuple(shape)


class LayerCycles:
    """Cycles of the tiles of a layer, and of all that differ from it in names and values only."""

    def __init__(self, network: PlanNetwork, chip: Chip, position: int) -> None:
        graph, tensor = network.graph, network.defines[position]
        self._chip, self._layer, self._out = chip, network.layers[position], graph.types[tensor]
        self._order, self._shapes = graph.storage[tensor].order, network.shapes[position]
        self._operands = [
            None if name is None else (graph.types[name].dtype, block_order(graph, self._layer, slot))
            for slot, name in enumerate(graph.inputs_of(self._layer.name))
        ]
        self._needed: dict[int, list[npt.NDArray[np.int64] | None]] = {}

    def of(self, shape: tuple[int, ...]) -> int:
        """Cycles of a tile of the result of this shape, issue cost included."""
        shapes = self._shapes
        for axis, (mine, whole) in enumerate(zip(shape, self._out.shape, strict=True)):
            if mine < whole:
                shapes = self._narrowed(shapes, axis, mine)
        ins = [
            None if own is None or shape_there is None else block(own[0], shape_there, own[1])
            for own, shape_there in zip(self._operands, shapes, strict=True)
        ]
        layer = layer_work.layer_of_tile(self._layer, self._out.shape, shape)
        return layer_work.tile_cycles(self._chip, layer, block(self._out.dtype, shape, self._order), ins)

    def _narrowed(self, shapes: Sequence[Shape | None], axis: int, extent: int) -> list[Shape | None]:
        """Shapes of what is needed of boxes of operands where the result has this extent along an axis."""
        if axis not in self._needed:
            self._needed[axis] = [self._extents(slot, axis) for slot in range(len(self._shapes))]
        rows = [None if found is None else found[extent - 1].tolist() for found in self._needed[axis]]
        return [
            None if shape is None or row is None else tuple(map(min, shape, row))
            for shape, row in zip(shapes, rows, strict=True)
        ]

    def _extents(self, slot: int, axis: int) -> npt.NDArray[np.int64] | None:
        """Extents of an operand's boxes (columns) for 1, 2, … elements of the result along an axis (rows).

        The elements in the middle: at the ends, windows reach into padding.
        """
        if self._shapes[slot] is None:
            return None
        extent = self._out.shape[axis]
        counts = np.arange(1, extent + 1)
        boxes = Boxes.whole(self._out.shape, extent)
        boxes.low[:, axis] = (extent - counts) // 2
        boxes.high[:, axis] = boxes.low[:, axis] + counts
        return needed(self._layer, slot, boxes, self._shapes, self._out.shape).boxes.extents
