"""Runs of layers whose hidden channels may be computed in chunks, with partial sums on chip.

in:   a network, how many channels a chunk has
out:  runs: products that make hidden channels, layers that work on each of these by itself, a product that
      sums over them

    x -> expand 1x1 -> depthwise 3x3 -> project 1x1 -> y
    x -> gate, x -> up, gate * up -> down -> y

For each chunk of hidden channels, its weights are loaded, its activations are computed, and y gets sums.

So no weights come twice, and of the hidden activations, no more than a chunk is on chip.  Where rows need
nothing of each other (pictures of a batch, tokens), a chunk is worked through a few rows at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.layers import Conv, Elementwise, MatMul, Pool
from nnc.compiler.ir.runs import piece_bytes
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_traits import memory_for
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """Layers from `first`, which makes hidden channels, to `last`, which sums over them.

    Attributes:
        channels: hidden channels; width: those of a chunk; axis: of hidden results, along which they lie.
        rows: of the hidden activations that are worked through at once; None: all of a part.
        weight_bytes: of all its layers; sums_bytes: of the partial sums of a row of the result, if they lie
            elsewhere than it.
    """

    first: int
    last: int
    channels: int
    width: int
    axis: int
    rows: int | None
    weight_bytes: int
    sums_bytes: int

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The chunks: first channel, one past the last."""
        return [(low, min(low + self.width, self.channels)) for low in range(0, self.channels, self.width)]

    @property
    def chunk_bytes(self) -> int:
        """Bytes of the weights of a chunk."""
        return ceil_div(self.weight_bytes * self.width, self.channels)

    def is_hidden(self, position: int) -> bool:
        """Whether the result of a layer of the run is summed over."""
        return position < self.last

    def share(self, rows: int) -> float:
        """Share of the hidden activations of so many rows that is on chip."""
        return self.width / self.channels * min(1.0, (self.rows or rows) / max(1, rows))

    def row_ranges(self, first: int, end: int) -> list[tuple[int, int]]:
        """The rows of a part in pieces that are worked through at once."""
        step = self.rows or max(1, end - first)
        return [(low, min(low + step, end)) for low in range(first, end, step)]


def chunk_width(network: PlanNetwork, chip: Chip, position: int) -> int:
    """Channels of a chunk for which the array is as busy as the port by which partial sums come and go."""
    layer, graph = network.layers[position], network.graph
    source = graph.types[graph.inputs_of(layer.name)[0] or ""].dtype
    both = 2 * layer_traits.sums_dtype(graph, layer).itemsize
    return max(1, layer_work.peak_macs(chip, source) * both // chip.compute.result_bytes_per_cycle)


def hidden_runs(
    network: PlanNetwork, chip: Chip, staging: Staging, capacity: int, finer: int
) -> list[HiddenRun]:
    """The runs of a network, none of which share a layer.

    Args:
        capacity: bytes for activations; what takes little of it needs no chunks.
        finer: into how many chunks what the array likes as one is cut.
    """
    if network.axes is not CutAxes.OUTERMOST or chip.transfer_unit > 1:
        return []
    runs: list[HiddenRun] = []
    for last in range(len(network.layers)):
        first = _first_of_run(network, last)
        if first is None or (runs and first <= runs[-1].last):
            continue
        if any(staging.slots(network, position) for position in range(first, last + 1)):
            continue
        run = _run(network, chip, first, last, capacity, finer)
        if run is not None and memory_for(chip, network.graph, network.layers[last], "accumulator") == (
            staging.memories.home
        ):
            runs.append(run)
    return runs


def _run(
    network: PlanNetwork, chip: Chip, first: int, last: int, capacity: int, finer: int
) -> HiddenRun | None:
    """The layers as a run; None if it would save little memory."""
    graph = network.graph
    tensors = [network.defines[position] for position in range(first, last)]
    nbytes = [network.buffers[network.buffer_of(tensor)].nbytes for tensor in tensors]
    widest = max(a + b for a, b in zip([0, *nbytes], [*nbytes, 0], strict=True))
    result = network.buffers[network.buffer_of(network.defines[last])]
    type_, sums = graph.types[network.defines[last]], layer_traits.sums_dtype(graph, network.layers[last])
    sums_bytes = 0 if sums is type_.dtype else result.row_bytes * sums.itemsize // type_.dtype.itemsize
    shape = graph.types[tensors[0]].shape
    axis = len(shape) - 1 if isinstance(network.layers[last], MatMul) else 1
    channels = shape[axis]
    width = chunk_width(network, chip, last)
    beside = result.nbytes + sums_bytes * result.rows
    if widest <= TUNING.chunks.whole_share.of(capacity) or beside > widest or width >= channels:
        return None
    rows, width = None, max(1, width // finer)
    readers = [position for position in range(first + 1, last) if not _makes(network, position)]
    if all(_rows_are_apart(network, position) for position in [*readers, last]):
        each = max(network.buffers[network.buffer_of(tensor)].row_bytes for tensor in tensors)
        rows = max(1, capacity // TUNING.chunks.row_share // max(1, ceil_div(each * width, channels)))
    weights = sum(network.weight_bytes(position) for position in range(first, last + 1))
    return HiddenRun(first, last, channels, width, axis, rows, weights, sums_bytes)


def _first_of_run(network: PlanNetwork, last: int) -> int | None:
    """The first of the layers that make the channels that a layer sums over, if only these see them."""
    if not _sums(network, last) or not _is_own(network, last):
        return None
    left, position = {network.operands[last][0][1]}, last
    while left and position > 0:
        position -= 1
        if network.defines[position] not in left or not _is_handed_on(network, position, last):
            return None
        left.remove(network.defines[position])
        if _makes(network, position):
            if isinstance(network.layers[position], MatMul) is not isinstance(network.layers[last], MatMul):
                return None
        elif _is_channelwise(network, position, last):
            left |= {tensor for _, tensor in network.operands[position]}
        else:
            return None
    return None if left else position


def _sums(network: PlanNetwork, position: int) -> bool:
    """Whether a layer multiplies activations by constant weights, and its other operands come at the end."""
    layer, graph = network.layers[position], network.graph
    if not isinstance(layer, Conv | MatMul) or getattr(layer, "groups", 1) != 1:
        return False
    are_constant = [graph.is_constant(graph.operand(layer.name, slot)) for slot in (0, 1)]
    if are_constant != [False, True]:
        return False
    return len({tensor for _, tensor in network.operands[position]}) == len(network.operands[position])


def _makes(network: PlanNetwork, position: int) -> bool:
    """Whether a layer makes channels, each of them from its own weights and from nothing else of its kind."""
    slots = [slot for slot, _ in network.operands[position]]
    return _sums(network, position) and slots == [0]


def _is_handed_on(network: PlanNetwork, position: int, last: int) -> bool:
    """Whether nobody but the layers up to the last reads a result, as it lies; the last sums over it."""
    tensor = network.defines[position]
    if not _is_own(network, position) or tensor in network.delivered or network.last_use[tensor] > last:
        return False
    readers = network.touched(tensor, 0, len(network.layers))[1:]
    if any(reader < last and _makes(network, reader) for reader in readers):
        return False  # it reads all channels, not those of a chunk
    return all(position < reader <= last for reader in readers) and all(
        network.buffer_of(operand) != tensor or (operand == tensor and (slot == 0 or reader < last))
        for reader in readers
        for slot, operand in network.operands[reader]
    )


def _is_own(network: PlanNetwork, position: int) -> bool:
    """Whether a layer's result is a buffer of its own."""
    tensor = network.defines[position]
    return network.buffer_of(tensor) == tensor and len(network.definitions[tensor]) == 1


def _is_channelwise(network: PlanNetwork, position: int, last: int) -> bool:
    """Whether each channel that a layer sums over at last needs the same one of operands, and no constants.

    Windows slide along the rows and columns of pictures: between products of tokens, along what is summed.
    """
    graph, layer = network.graph, network.layers[position]
    operands, shape = network.operands[position], graph.types[network.defines[position]].shape
    if any(graph.types[tensor].shape[:2] != shape[:2] for _, tensor in operands):
        return False
    match layer:
        case Pool() | Conv() if isinstance(network.layers[last], MatMul):
            return False
        case Pool():
            return len(operands) == 1
        case Conv():
            constant = graph.is_constant(graph.operand(layer.name, 1))
            return len(operands) == 1 and constant and layer.groups == shape[1]
        case Elementwise():
            alike = all(graph.types[tensor].shape == shape for _, tensor in operands)
            return alike and len(graph.inputs_of(layer.name)) == len(operands)
        case _:
            return False


def _rows_are_apart(network: PlanNetwork, position: int) -> bool:
    """Whether each row of a result needs just the same row of the hidden channels."""
    table = network.row_table(position, 0, network.operands[position][0][1])
    each = np.arange(len(table.low))
    rows = network.buffers[network.buffer_of(network.operands[position][0][1])].rows
    return rows == len(each) and bool((table.low == each).all() and (table.high == each + 1).all())


def chunked_operands(network: PlanNetwork, run: HiddenRun) -> dict[int, int]:
    """Operand slot → axis that is summed over, of the last layer."""
    return layer_traits.chunk_axes(network.layers[run.last], network.shapes[run.last])


def weights_moved(network: PlanNetwork, chip: Chip, run: HiddenRun, position: int) -> int:
    """Bytes that the weights of a layer move, chunk by chunk, in whole bursts."""
    types, moved = network.graph.types, 0
    for slot, constant in network.constant_operands(position):
        type_ = types[constant]
        with_chunks = run.is_hidden(position) or slot in chunked_operands(network, run)
        widths = [end - low for low, end in run.ranges] if with_chunks else [run.channels]
        for width in widths:
            elements = ceil_div(type_.elements * width, run.channels)
            nbytes = piece_bytes(elements, type_.dtype.itemsize, chip.transfer_unit)
            moved += round_up(nbytes, chip.dram.burst)
    return moved


def by_position(runs: list[HiddenRun]) -> dict[int, HiddenRun]:
    """The run of every layer that is in one."""
    return {position: run for run in runs for position in range(run.first, run.last + 1)}
