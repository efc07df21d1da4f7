"""Hidden runs in a group, chunk by chunk: bytes on chip while a sweep takes in layers, and their cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.plan.fusion.buffer_rows import BufferRows, Bytes
from nnc.compiler.plan.network.hidden_runs import HiddenRun, chunked_operands
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_work import block, block_order
from nnc.isa.chip.description import Chip
from nnc.isa.operand import Operand


class ChunkBytes:
    """What the layers of runs hold: a chunk of hidden channels, beside it partial sums."""

    def __init__(self, runs: Mapping[int, HiddenRun], parts: int) -> None:
        """Args:
        runs: of the layers that are in one, by position; parts: of the group.
        """
        self.runs = runs
        self._sums: Bytes = np.zeros(parts, dtype=np.int64)  # of the latest run that was begun

    def share(self, position: int, rows: BufferRows) -> float:
        """Share of a result that is on chip at a time, of these rows."""
        run = self._hidden(position)
        return 1.0 if run is None else run.share(int(rows.held(1).max()))

    def sums_beside(self, position: int) -> Bytes | int:
        """Bytes of partial sums while a layer makes hidden channels, by part."""
        return 0 if self._hidden(position) is None else self._sums

    def sums_at(self, position: int, rows: BufferRows, result: Bytes) -> Bytes | int:
        """Bytes of partial sums beside the result of the last layer of a run, by part.

        Args:
            rows, result: of the result of a layer that is taken in, and their bytes by part.
        """
        run = self.runs.get(position)
        if run is None or run.is_hidden(position):
            return 0
        apart = rows.held(run.sums_bytes)
        self._sums = apart if run.sums_bytes else result
        return apart

    def released(self, last: int, begun: int) -> int:
        """When a buffer is no longer needed that a layer is the last to use: every chunk reads it again.

        Args:
            begun: position of the layer that makes it; less than any if that is before the group.
        """
        run = self.runs.get(last)
        return last if run is None or begun >= run.first else run.last

    def begun(self, position: int, first: int) -> int:
        """When the result of a layer takes its place, which is first written at `first`."""
        run = self.runs.get(position)
        return first if run is None or run.is_hidden(position) or run.sums_bytes else run.first

    def weights(self, position: int) -> int | None:
        """Bytes of weights that are on chip while a layer of a run works: two chunks of all of its layers."""
        run = self.runs.get(position)
        return None if run is None else min(run.weight_bytes, 2 * run.chunk_bytes)

    def _hidden(self, position: int) -> HiddenRun | None:
        run = self.runs.get(position)
        return run if run is not None and run.is_hidden(position) else None


_EPILOGUE = 2
"""The first operand slot that the last chunk alone reads."""


def chunk_cycles(network: PlanNetwork, chip: Chip, run: HiddenRun, position: int, rows: int) -> int:
    """Cycles of a layer of a run for some rows of its result, all chunks, issue costs included."""
    pieces = Counter(end - low for low, end in run.row_ranges(0, rows))
    widths = [end - low for low, end in run.ranges]
    if run.is_hidden(position):
        return sum(
            count * times * _hidden_cycles(network, chip, position, extent, {run.axis: width})
            for extent, count in pieces.items()
            for width, times in Counter(widths).items()
        )
    return sum(
        count * _cycles_of_sums(network, chip, run, extent, widths) for extent, count in pieces.items()
    )


def _hidden_cycles(
    network: PlanNetwork, chip: Chip, position: int, rows: int, extents: dict[int, int]
) -> int:
    """Cycles of some hidden channels of some rows; extents: how many, by their axis."""
    shape, ins = _tile(network, position, rows, extents)
    return _tile_cycles(network, chip, position, shape, ins)


def _cycles_of_sums(network: PlanNetwork, chip: Chip, run: HiddenRun, rows: int, widths: list[int]) -> int:
    """Cycles of the sums over all chunks of some rows."""
    graph, layer = network.graph, network.layers[run.last]
    shape, whole = _tile(network, run.last, rows, {})
    dtype = layer_traits.sums_dtype(graph, layer)
    sums = block(dtype, shape, graph.storage[network.defines[run.last]].order)
    absent = [None] * (len(layer.slots) - 1 - len(whole))
    cycles = 0
    for number, width in enumerate(widths):
        ins = list(whole)
        for slot, axis in chunked_operands(network, run).items():
            ins[slot] = _narrowed(network, run.last, slot, whole[slot], axis, width)
        if number + 1 < len(widths):
            ins = [operand if slot < _EPILOGUE else None for slot, operand in enumerate(ins)]
        ins = ins if number == 0 else [*ins, *absent, sums]
        out = shape if number + 1 == len(widths) else sums
        cycles += _tile_cycles(network, chip, run.last, out, ins)
    return cycles


def _tile_cycles(
    network: PlanNetwork,
    chip: Chip,
    position: int,
    out: Operand | tuple[int, ...],
    ins: list[Operand | None],
) -> int:
    graph, tensor = network.graph, network.defines[position]
    if not isinstance(out, Operand):
        out = block(graph.types[tensor].dtype, out, graph.storage[tensor].order)
    layer = layer_work.layer_of_tile(network.layers[position], graph.types[tensor].shape, out.shape)
    return layer_work.tile_cycles(chip, layer, out, ins)


def _tile(
    network: PlanNetwork, position: int, rows: int, extents: dict[int, int]
) -> tuple[tuple[int, ...], list[Operand | None]]:
    """Some rows of a result, of these extents along other axes, and the operands that they need, dense."""
    graph, layer, tensor = network.graph, network.layers[position], network.defines[position]
    whole, axis = graph.types[tensor].shape, network.view(tensor).axis
    shape = [extents.get(at, extent) for at, extent in enumerate(whole)]
    if axis is not None:
        shape[axis] = rows
    boxes = Boxes.of(((0,) * len(shape), tuple(shape)))
    shapes = network.shapes[position]
    found: list[Operand | None] = []
    for slot, name in enumerate(graph.inputs_of(layer.name)):
        if name is None:
            found.append(None)
            continue
        need = needed(layer, slot, boxes, shapes, whole)
        extent = tuple(int(n) for n in need.boxes.extents[0])
        found.append(block(graph.types[name].dtype, extent, block_order(graph, layer, slot)))
    return tuple(shape), found


def _narrowed(
    network: PlanNetwork, position: int, slot: int, operand: Operand | None, axis: int, extent: int
) -> Operand | None:
    """A dense operand of another extent along one axis."""
    if operand is None:
        return None
    shape = (*operand.shape[:axis], extent, *operand.shape[axis + 1 :])
    order = block_order(network.graph, network.layers[position], slot)
    return block(operand.dtype, shape, order, operand.memory)
