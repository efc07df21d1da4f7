"""When the cells of a group would run: three engines, one DRAM, and memory that bounds how loads run ahead.

in:   the cells of a group in the order of demand, the chip
out:  cycles from its first load to its last store

    read      load a.0   load a.1   load a.2      a load starts when cells before it leave memory free,
    compute              a.0        a.1           a cell when its loads are there and the one before is done,
    write                           store a.0     a store when its cell is done; one transfer at a time
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nnc.compiler.plan.estimate.cells import Cell, GroupWork
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.isa.chip.description import Chip

MOST_CELLS_AHEAD = 64
"""Cells over which a load may run ahead."""
USABLE = (4, 5)
"""Share of the free bytes that a block can use beside activations: what is free lies in several gaps.  In a
memory of their own, blocks of weights take turns in two places."""


def group_cycles(work: GroupWork, chip: Chip, capacity: Capacity) -> int:
    """Cycles of a group by itself: nothing of it is loaded before the group before it has ended."""
    return round(_Pipeline(work.cells, chip, capacity).run() * work.passes)


@dataclass(slots=True)
class _Transfers:
    """The DRAM: when it is free, and when the last store will be done."""

    bytes_per_cycle: int
    latency: int
    free: float = 0.0

    def move(self, nbytes: int, ready: float) -> float:
        """Move bytes that may start at `ready`; returns the end."""
        self.free = max(ready + self.latency, self.free) + nbytes / self.bytes_per_cycle
        return self.free


@dataclass(frozen=True, slots=True)
class _Load:
    """Bytes that `cell` waits for; they may move `later` cycles after the end of the cell before `first`."""

    nbytes: int
    cell: int
    first: int
    later: int = 0


class _Pipeline:
    """Runs through the cells; lists are by cell."""

    def __init__(self, cells: Sequence[Cell], chip: Chip, capacity: Capacity) -> None:
        self._cells = cells
        self._dram = _Transfers(chip.dram.bytes_per_cycle, chip.dram.latency)
        shared = capacity.weights is None
        self._free = [capacity.activations - cell.taken - shared * cell.pinned for cell in cells]
        self._free_for_weights = (
            self._free if capacity.weights is None else [capacity.weights - cell.pinned for cell in cells]
        )
        self._beside_blocks = list(self._free_for_weights)
        for number, cell in enumerate(cells):
            if cell.streamed > 1:  # loads that run ahead leave its blocks their two places
                self._free_for_weights[number] -= 2 * cell.block_bytes
        self._usable_for_weights = USABLE if shared else (1, 1)
        self._oldest = 0
        self._loads = [load for number, cell in enumerate(cells) for load in self._loads_of(number, cell)]

    def run(self) -> float:
        """The cycle in which all is done."""
        now, loads, issued = 0.0, self._loads, 0
        streams = [number for number, cell in enumerate(self._cells) if cell.streamed > 1]
        last = len(self._cells)
        ends = [0.0] * (len(self._cells) + 1)  # of cell n − 1
        there = [0.0] * len(self._cells)
        for number, cell in enumerate(self._cells):
            while streams and streams[0] < number:
                del streams[0]
            barrier = streams[0] if streams else last  # what it streams comes before loads of cells behind
            while issued < len(loads) and loads[issued].first <= number and loads[issued].cell <= barrier:
                load = loads[issued]
                there[load.cell] = self._dram.move(load.nbytes, ends[load.first] + load.later)
                issued += 1
            now += cell.moves
            if cell.compute:
                now = self._compute(number, cell, max(now, there[number]))
            ends[number + 1] = now
            if cell.stored:
                self._dram.move(cell.stored // cell.blocks, now)
        return max(now, self._dram.free)

    def _loads_of(self, number: int, cell: Cell) -> Iterator[_Load]:
        """What a cell needs: rows, weights that stay, the first block of those that stream."""
        for fetch in cell.fetches:
            if fetch.slides:
                self._oldest = number
                yield _Load(fetch.dram_bytes, number, number, cell.moves)
            else:
                yield _Load(fetch.dram_bytes, number, self._room(number, fetch.nbytes, self._free, USABLE))
        for nbytes in (cell.pinned_bytes, cell.block_bytes if cell.streamed else 0):
            if nbytes and cell.compute:
                room = self._room(number, nbytes, self._free_for_weights, self._usable_for_weights)
                yield _Load(nbytes, number, room)

    def _room(self, number: int, nbytes: int, free: list[int], usable: tuple[int, int]) -> int:
        """The first cell from which on so many bytes are free until a cell needs them; they are taken."""
        first = number
        lowest = max(self._oldest, number - MOST_CELLS_AHEAD)
        while first > lowest and nbytes * usable[1] <= free[first - 1] * usable[0]:
            first -= 1
            free[first] -= nbytes
        self._oldest = first
        return first

    def _compute(self, number: int, cell: Cell, start: float) -> float:
        """Compute the blocks of a cell, the weights of which stream; returns the end."""
        dram, each = self._dram, cell.compute
        rest = cell.streamed - 1
        end = start + cell.blocks * each
        if rest <= 0:
            return end
        load, store = (
            cell.block_bytes / dram.bytes_per_cycle,
            cell.stored / cell.blocks / dram.bytes_per_cycle,
        )
        free = self._beside_blocks[number] - cell.block_bytes
        share, of = self._usable_for_weights
        if cell.block_bytes * of <= free * share:
            end += rest * max(0.0, load + store - each)
            dram.free = max(dram.free, end - each - max(0.0, each - load))
        else:
            end += rest * (load + dram.latency + min(store, load))
            dram.free = max(dram.free, end - each)
        return end
