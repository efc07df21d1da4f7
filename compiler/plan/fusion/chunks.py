"""Hidden runs in a group, chunk by chunk: bytes on chip while a sweep takes in layers, and their cycles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import BufferRows, Bytes
from nnc.compiler.plan.network.hidden_runs import HiddenRun, chunked_operands
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip


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
    tiles, axis = LayerCycles(network, chip, position), network.view(network.defines[position]).axis
    widths = [end - low for low, end in run.ranges]
    cycles = 0
    for extent, count in Counter(end - low for low, end in run.row_ranges(0, rows)).items():
        shape = tiles.whole if axis is None else _with(tiles.whole, axis, extent)
        if run.is_hidden(position):
            chunks = Counter(widths).items()
            cycles += count * sum(n * tiles.of(_with(shape, run.axis, width)) for width, n in chunks)
        else:
            cycles += count * _cycles_of_sums(network, tiles, run, shape, widths)
    return cycles


def _cycles_of_sums(
    network: PlanNetwork, tiles: LayerCycles, run: HiddenRun, shape: tuple[int, ...], widths: list[int]
) -> int:
    """Cycles of the sums over all chunks of some rows: they are added to those of the chunk before."""
    layer, result, whole = tiles.layer, tiles.result(shape), tiles.operands(shape)
    sums = tiles.result(shape, dtype=layer_traits.sums_dtype(network.graph, layer))
    absent = [None] * (len(layer.slots) - 1 - len(whole))
    cycles = 0
    for number, width in enumerate(widths):
        is_last, ins = number + 1 == len(widths), list(whole)
        for slot, axis in chunked_operands(network, run).items():
            ins[slot] = tiles.operand(slot, shape, chunk={axis: width})
        if not is_last:
            ins = [operand if slot < _EPILOGUE else None for slot, operand in enumerate(ins)]
        ins = [*ins, *absent, sums] if number else ins
        cycles += tiles.of_tile(result if is_last else sums, ins)
    return cycles


def _with(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    """The shape with another extent along one axis."""
    return (*shape[:axis], extent, *shape[axis + 1 :])
