"""Channel slicing: the last layers of a group in slices of output channels, so that no whole result is
on chip.

A slice of the last result is stored by itself, in runs of whole bursts.  It is computed in blocks of channels
that may be narrower, as weights come: what the layers before it hand on is on chip block by block.
"""

from __future__ import annotations

from nnc.compiler.ir.layers import Conv, Elementwise, MatrixProduct, Pool, Reduce
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.plan.network.layer_cycles import least_lanes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target.cuts import quanta
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up


def slice_channels(network: PlanNetwork, chip: Chip, position: int) -> int:
    """Output channels of a slice: runs of at least a burst and of whole units in DRAM, whole lanes."""
    dtype = network.graph.types[network.defines[position]].dtype
    lanes = least_lanes(chip, dtype, network.layers[position])
    least = max(TUNING.cuts.min_slice_channels, chip.dram.burst // dtype.itemsize, lanes)
    return round_up(least, unit_of(dtype, chip.transfer_unit))


def block_channels(network: PlanNetwork, chip: Chip, position: int) -> int:
    """Output channels of the blocks in which a narrow slice is computed: whole lanes."""
    dtype = network.graph.types[network.defines[position]].dtype
    least = max(TUNING.weights.min_channels, least_lanes(chip, dtype, network.layers[position]))
    return min(least, slice_channels(network, chip, position))


def slice_share(network: PlanNetwork, chip: Chip, position: int, end: int) -> float:
    """Share of a layer's result that is on chip at least: a slice if it leaves the group, else a block."""
    find = slice_channels if leaves_in_slices(network, position, end) else block_channels
    lane = network.graph.types[network.defines[position]].shape[channel_axis(network, position)]
    return min(1.0, find(network, chip, position) / lane)


def leaves_in_slices(network: PlanNetwork, position: int, end: int) -> bool:
    """Whether the result of a sliced layer is needed after the group: slices are stored, or stay."""
    return position == end or network.last_use[network.buffer_of(network.defines[position])] > end


def sliced_residual(network: PlanNetwork, start: int, end: int, sliced_from: int) -> str | None:
    """The operand of an addition that is read in slices from DRAM: nobody else in the group uses it."""
    if sliced_from > end:
        return None
    tensor = network.graph.operand(network.layers[sliced_from].name, 3)
    if tensor is None or tensor not in network.graph.storage:
        return None
    buffer = network.buffer_of(tensor)
    if not _can_slice(network, tensor, 1):
        return None
    uses = [p for p in network.uses[buffer] if start <= p <= end]
    made = any(start <= p <= end for p, _ in network.definitions.get(buffer, ()))
    return buffer if uses == [sliced_from] and not made and tensor == buffer else None


def _can_slice(network: PlanNetwork, tensor: str, axis: int) -> bool:
    """Whether slices of a tensor's channels, whole units of them, are moved in runs of their own."""
    graph = network.graph
    type_, steps = graph.types[tensor], quanta(graph, tensor)
    unit = unit_of(type_.dtype, graph.notes.transfer_unit)
    return unit == 1 or (unit % steps[axis] == 0 and graph.storage[tensor].strides[axis] == 1)


def channel_axis(network: PlanNetwork, position: int) -> int:
    """The axis of a layer's result along which it is sliced."""
    rank = len(network.graph.types[network.defines[position]].shape)
    return rank - 1 if isinstance(network.layers[position], MatrixProduct) else 1


def slicing_start(network: PlanNetwork, chip: Chip, end: int) -> int:
    """The MAC layer from which on the layers up to `end` can run in slices of channels; end + 1 if none can.

    The layers after it must each read just the result of the one before, channel by channel; after them,
    anybody may read these results.
    """
    position = end
    while position >= 0:
        layer = network.layers[position]
        if isinstance(layer, Conv | MatrixProduct) and getattr(layer, "groups", 1) == 1:
            constant = network.graph.is_constant(network.graph.operand(layer.name, 1))
            wide = constant and slice_share(network, chip, position, position) < 1.0
            axis = channel_axis(network, position)
            for sliced in range(position, end + 1):
                wide = wide and channel_axis(network, sliced) == axis
                wide = wide and _can_slice(network, network.defines[sliced], axis)
            return position if wide and _owns(network, position) else end + 1
        if not _is_channelwise(network, position) or position == 0:
            return end + 1
        source = network.operands[position][0][1]
        before = network.buffer_of(network.defines[position - 1])
        if network.buffer_of(source) != before or network.touched(before, position, end) != [position]:
            return end + 1
        position -= 1
    return end + 1


def keeps_rows_in_slices(network: PlanNetwork, sliced_from: int, end: int) -> bool:
    """Whether sliced layers, in parts, would need rows again of the slices before: depthwise convolutions."""
    return any(isinstance(layer, Conv) for layer in network.layers[sliced_from + 1 : end + 1])


def _owns(network: PlanNetwork, position: int) -> bool:
    """Whether the layer's result is a buffer of its own."""
    tensor = network.defines[position]
    return network.buffer_of(tensor) == tensor


def _is_channelwise(network: PlanNetwork, position: int) -> bool:
    """Whether each channel of the result needs just the same channel of one operand."""
    layer = network.layers[position]
    if len(network.operands[position]) != 1 or not _owns(network, position):
        return False
    source, result = network.operands[position][0][1], network.defines[position]
    types = network.graph.types
    if source != network.buffer_of(source) or types[source].shape[:2] != types[result].shape[:2]:
        return False
    if len(types[result].shape) < 3:
        return False
    match layer:
        case Pool():
            return True
        case Conv():
            constant = network.graph.is_constant(network.graph.operand(layer.name, 1))
            return constant and layer.groups == types[source].shape[1]
        case Elementwise():
            return len(network.graph.inputs_of(layer.name)) == 1
        case Reduce():
            return 1 not in layer.axes
        case _:
            return False
