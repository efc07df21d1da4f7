"""When the cells of groups would run: three engines, one DRAM, and memory that bounds how loads run ahead.

in:   the cells of a group in the order of demand, how the group before it ended, the chip
out:  cycles from the end of that group to the end of this one, and how this one ends (`End`)

    read      load a.0   load a.1   load a.2      a load starts when cells before it leave memory free,
    compute              a.0        a.1           a cell when its loads are there, the one before is done
    write                           store a.0     and stores have left room for its result; a store when
                                                  its cell is done

What a group hands to the next: since when memory has been free, when the DRAM was idle, what is still stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nnc.compiler.plan.estimate.cells import Cell, GroupWork
from nnc.compiler.plan.estimate.transfers import Dram, DramEnd
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.tuning import TUNING
from nnc.compiler.tuning.share import Share
from nnc.isa.chip.description import Chip
from nnc.isa.record import record


@record(frozen=True, slots=True)
class End:
    """How a group leaves the chip; times in cycles, 0 is when its last transfer or computation ends.

    Attributes:
        computed: end of its last computation; dram: of its transfers.
        cells: of its last cells: begin, bytes that are free for activations and for weights from then on.
    """

    computed: int = 0
    dram: DramEnd = DramEnd()
    cells: tuple[tuple[int, int, int], ...] = ()


START = End()
"""Nothing was before."""


def run_group(work: GroupWork, chip: Chip, capacity: Capacity, before: End = START) -> tuple[int, End]:
    """Cycles of a group behind another one, and how it ends; strips are gone through one after the other."""
    first, end = _Pipeline(work, chip, capacity, before).run()
    if work.passes == 1:
        return first, end
    stays = replace(work, cells=[replace(cell, pinned_bytes=0) for cell in work.cells])
    again, end = _Pipeline(stays, chip, capacity, end, same=True).run()
    return first + (work.passes - 1) * again, end


@record(frozen=True, slots=True)
class _Load:
    """Bytes that `cell` waits for; they may move `later` cycles after the end of the cell before `first`.

    Attributes:
        rows: of a buffer, which must have been stored; else constants.
    """

    nbytes: int
    cell: int
    first: int
    later: int = 0
    rows: bool = False


class _Pipeline:
    """Runs through the cells; lists are by cell, those of the group before that count here come first."""

    def __init__(
        self, work: GroupWork, chip: Chip, capacity: Capacity, before: End, *, same: bool = False
    ) -> None:
        """Args:
        same: the cells before are of the same group, whose rows do not wait for its stores.
        """
        cells, self._lead = work.cells, work.lead
        self._cores = chip.cores if work.lead else 1
        self._before, self._past = before, len(before.cells)
        self._now = self._together = float(before.computed)  # the latter: when all cores last waited
        self._cells = cells
        self._dram = Dram(chip, work.cores, before.dram)
        self._rows_from = float("-inf") if same else before.dram.stored
        self._shared = shared = capacity.weights is None
        self._free = [free for _, free, _ in before.cells]
        self._free += [capacity.activations - cell.taken - shared * cell.pinned for cell in cells]
        if capacity.weights is None:
            self._free_for_weights = self._free
        else:
            self._free_for_weights = [free for _, _, free in before.cells]
            self._free_for_weights += [capacity.weights - cell.pinned for cell in cells]
        self._leaving = self._bytes_leaving()
        self._beside_blocks = list(self._free_for_weights)
        for number, cell in enumerate(cells, self._past):
            if cell.streamed > 1:  # loads that run ahead leave its blocks their two places
                self._beside_blocks[number] += shared * sum(cell.moving)
                self._free_for_weights[number] -= 2 * cell.block_bytes
        self._usable_for_weights = TUNING.estimates.usable_share if shared else Share(1, 1)
        self._oldest = 0
        self._late: dict[int, int] = {}  # bytes of loads that come when results before a cell are stored
        self._loads = [
            load for number, cell in enumerate(cells, self._past) for load in self._loads_of(number, cell)
        ]

    def run(self) -> tuple[int, End]:
        """Cycles until all is done, and how it ends."""
        loads, issued, past = self._loads, 0, self._past
        streams = [number for number, cell in enumerate(self._cells, past) if cell.streamed > 1]
        last = past + len(self._cells)
        ends = [float(begin) for begin, _, _ in self._before.cells]  # of cell n − 1
        ends += [self._now] * (last + 1 - past)
        there = [0.0] * last
        for number, cell in enumerate(self._cells, past):
            while streams and streams[0] < number:
                del streams[0]
            barrier = streams[0] if streams else last  # what it streams comes before loads of cells behind
            while issued < len(loads) and loads[issued].first <= number and loads[issued].cell <= barrier:
                load = loads[issued]
                ready = ends[load.first] + load.later
                if load.rows:
                    ready = max(ready, self._rows_from)
                there[load.cell] = self._dram.load(load.nbytes, ready)
                issued += 1
            self._go_through(number, cell, there[number])
            ends[number + 1] = self._now
        return self._end(ends)

    def _go_through(self, number: int, cell: Cell, there: float) -> None:
        """Move, compute and store what a cell does, when its loads are there and stores have left room."""
        dram, free, (before, behind) = self._dram, self._free[number] + cell.others, cell.moving
        if before:
            self._wait(dram.stored_but(free + behind))
        self._now += cell.moves[0]
        if cell.compute:
            self._wait(max(there, dram.stored_but(free + before + behind)))
            self._now = self._compute(number, cell, self._now)
            if cell.streamed > 1:
                self._together = self._now - cell.compute
        if cell.stored:
            nbytes = cell.stored // (cell.blocks if cell.sliced else 1)
            mine = nbytes // self._cores
            dram.store(nbytes - mine, self._now - self._lead * (self._now - self._together), 0)
            dram.store(mine, self._now, cell.result)
        if behind:
            self._wait(dram.stored_but(free + before))
        self._now += cell.moves[1]

    def _wait(self, until: float) -> None:
        """Wait for transfers; the cores go on together."""
        if until > self._now:
            self._now = self._together = until

    def _end(self, ends: list[float]) -> tuple[int, End]:
        done = round(max(self._now, self._dram.last))
        first = max(self._past, len(self._free) - TUNING.estimates.end_cells)
        cells = tuple(
            (round(ends[n]) - done, self._free[n], self._free_for_weights[n])
            for n in range(first, len(self._free))
        )
        return done, End(round(self._now) - done, self._dram.end(done), cells)

    def _loads_of(self, number: int, cell: Cell) -> list[_Load]:
        """What a cell needs: rows, weights that stay, the first block of those that stream.

        Weights of a layer in tiles come first: they never wait for a layer before this one.
        """
        rows, weights = self._rows(number, cell), self._weights(number, cell)
        return [*weights, *rows] if cell.tiles else [*rows, *weights]

    def _rows(self, number: int, cell: Cell) -> Iterator[_Load]:
        for fetch in cell.fetches:
            if fetch.sliced:
                yield _Load(fetch.dram_bytes // cell.blocks, number, number, rows=True)
            elif fetch.slides:
                self._oldest = number
                yield _Load(fetch.dram_bytes, number, number, fetch.moved, rows=True)
            else:
                room, later = self._room(number, fetch.nbytes, self._free, TUNING.estimates.usable_share)
                yield _Load(fetch.dram_bytes, number, room, later, rows=True)

    def _weights(self, number: int, cell: Cell) -> Iterator[_Load]:
        for nbytes in (cell.pinned_bytes, cell.block_bytes if cell.streamed else 0):
            if nbytes and cell.compute:
                room, later = self._room(number, nbytes, self._free_for_weights, self._usable_for_weights)
                yield _Load(nbytes, number, room, later)

    def _bytes_leaving(self) -> list[int]:
        """Bytes of results by cell that may still be being stored: loads do not take their place."""
        found = [0] * len(self._free)
        for number, cell in enumerate(self._cells, self._past + 1):
            for later in range(number, min(number + TUNING.estimates.store_cells, len(found))):
                found[later] += cell.result
        return found

    def _room(self, number: int, nbytes: int, free: list[int], usable: Share) -> tuple[int, int]:
        """The first cell from which on so many bytes are free until a cell needs them, which are taken.

        And how many cycles later they are: when what is still being stored there has left.
        """
        first, later = number, 0
        lowest = max(self._oldest, number - TUNING.estimates.max_cells_ahead)
        leaving = self._leaving if free is self._free else None
        parts, whole = usable
        while first > lowest and not later:
            left = free[first - 1] - (leaving[first - 1] if leaving else 0)
            if nbytes * whole > left * parts:
                later = self._until_stored(first - 1, nbytes, usable) if leaving else 0
                if not later:
                    break
            first -= 1
            if later:  # what the cell computes has its place before
                self._late[first] = self._late.get(first, 0) + nbytes
            else:
                free[first] -= nbytes
        self._oldest = first
        return first, later

    def _until_stored(self, number: int, nbytes: int, usable: Share) -> int:
        """Cycles from the begin of a cell until so many bytes are free, as the results before it are stored.

        0 if they do not become free, or not early enough to be loaded while the cell computes.
        """
        if number < self._past:
            return 0
        cell = self._cells[number - self._past]
        before, _ = cell.moving
        free = self._free[number] + before - self._late.get(number, 0)
        if nbytes > usable.of(free):
            return 0
        stored = self._dram.latency + round(self._leaving[number] / self._dram.bytes_per_cycle)
        later = cell.moves[0] + stored
        loaded = self._dram.latency + round(nbytes / self._dram.bytes_per_cycle)
        return later if later + loaded <= cell.moves[0] + cell.blocks * cell.compute else 0

    def _compute(self, number: int, cell: Cell, start: float) -> float:
        """Compute the blocks of a cell, the weights of which stream, results of which leave; the end.

        What is added to slices comes with them; with places for one slice only, all takes turns.
        """
        dram, each = self._dram, cell.compute
        streamed = max(0, cell.streamed - 1)
        load = cell.block_bytes / dram.bytes_per_cycle if streamed else 0.0
        store = cell.stored / cell.blocks / dram.bytes_per_cycle if cell.sliced else 0.0
        beside_slices = sum(fetch.dram_bytes for fetch in cell.fetches if fetch.sliced)
        added = beside_slices / cell.blocks / dram.bytes_per_cycle
        two_weights = not streamed or 2 * cell.block_bytes <= self._beside_blocks[number]
        beside = (
            self._free[number] + sum(cell.moving) - (self._shared * 2 * cell.block_bytes if streamed else 0)
        )
        two_results = not store + added or cell.result <= beside
        end = start + cell.blocks * each
        for count, mine in ((streamed, load), (cell.blocks - 1 - streamed, 0.0)):
            wait = 0.0
            if not two_results:
                wait = dram.latency + store + added + min(store, mine) + (dram.latency if added else 0)
            if mine and not two_weights:
                wait = dram.latency + mine + (min(store, mine) if two_results else store)
            end += count * max(wait, mine + store + added - each)
        if cell.tiles:
            dram.streamed(end - each / cell.tiles)
        if streamed:
            dram.streamed(end - each - (max(0.0, each - load) if two_weights else 0.0))
        return end
