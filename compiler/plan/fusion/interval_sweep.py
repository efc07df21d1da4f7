"""Intervals of layers with one end and one cut: the start moves upstream, and memory and work are counted.

Inside a group every buffer has, per part, a tile of rows; what the next part needs again is kept on chip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np

from nnc.compiler.plan.fusion.buffer_bytes import Bytes, Occupancy
from nnc.compiler.plan.fusion.capacity import Room
from nnc.compiler.plan.fusion.channel_slices import slice_channels, slice_share, sliced_residual
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.group_cost import Interval, Made
from nnc.compiler.plan.fusion.lower_bounds import bytes_made, bytes_outside
from nnc.compiler.plan.fusion.row_ranges import BufferRows, Walk
from nnc.compiler.plan.fusion.structure_cache import Chain
from nnc.compiler.plan.network.in_place import in_place_source
from nnc.compiler.plan.network.layer_cycles import block_bytes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.description import Chip

LEAST_BLOCK_CHANNELS = 4
LONGEST_GROUP = 40
"""Most layers of a group."""

CyclesOf = Callable[[int, int, float], int]
"""Cycles of the layer at a position, for some rows and a share of the columns."""


class Intervals:
    """The intervals of a chain with one cut and one tail; those of blocks that look alike are found once."""

    def __init__(
        self, chain: Chain, chip: Chip, room: Room, cut: Cut, tail: int, cycles_of: CyclesOf
    ) -> None:
        self._chain, self._key = chain, (cut, tail - chain.end)
        self._make = partial(_Sweep, chain, chip, room, cut, tail, cycles_of)
        self._sweep: _Sweep | None = None

    def at(self, start: int) -> Interval | None:
        """The interval from `start` on; None if it cannot be cut so, and neither can any longer one."""
        known = self._chain.node(start).intervals
        if self._key not in known:
            self._sweep = self._sweep or self._make()
            known[self._key] = self._sweep.advance(start)
        return known[self._key]


def _busiest_band(network: PlanNetwork, end: int, cut: Cut) -> int:
    """The band with most rows of the last layer's result, of several one with neighbours on both sides."""
    rows = network.buffers[network.buffer_of(network.defines[end])].rows
    extents = [(band + 1) * rows // cut.bands - band * rows // cut.bands for band in range(cut.bands)]
    inner = range(1, cut.bands - 1)
    return max(range(cut.bands), key=lambda band: (extents[band], band in inner, -band))


class _Sweep:
    """Rows, memory and work of an interval while it grows upstream."""

    def __init__(
        self, chain: Chain, chip: Chip, room: Room, cut: Cut, tail: int, cycles_of: CyclesOf
    ) -> None:
        self.chain, self.network, self.chip, self.room = chain, chain.network, chip, room
        self.end, self.tail, self.cut, self.cycles_of = chain.end, tail, cut, cycles_of
        self.walk = Walk(self.network, self.end, cut, _busiest_band(self.network, self.end, cut))
        self.base = max(0, self.end + 1 - LONGEST_GROUP)
        self.start = self.end + 1
        window = self.start - self.base
        self.live: Bytes = np.zeros((window, cut.total), dtype=np.int64)
        self.carry: Bytes = np.zeros(cut.total, dtype=np.int64)
        self.least_blocks: Bytes = np.zeros(window, dtype=np.int64)
        self.weights: Bytes = np.zeros(window, dtype=np.int64)
        self.work: Bytes = np.zeros(window, dtype=np.int64)
        self.owned: dict[str, Occupancy] = {}
        self.in_place: dict[str, int] = {}
        self._can_grow = True

    def advance(self, start: int) -> Interval | None:
        """Move the start upstream; None if the group cannot be cut so, or its interior does not fit."""
        while self._can_grow and self.start > start:
            self._can_grow = self._extend(self.start - 1)
            self.start -= 1
            if self._can_grow and not self.tail < self.start <= self.end:
                self._can_grow = bool(self.live[self.start - self.base :].max() <= self.room.activations)
        return self._interval() if self._can_grow else None

    def _extend(self, start: int) -> bool:
        """Take in one more layer; False if the group cannot be cut like this with it."""
        network, row = self.network, start - self.base
        if not self.walk.extend(start):
            return False
        self.live[row] = self.carry
        buffer = network.buffer_of(network.defines[start])
        if network.first_def[buffer] == start:
            rows, row_bytes = self.walk.rows[buffer], self._row_bytes(buffer)
            share = 1.0 if start < self.tail else slice_share(network, self.chip, start)
            alone = buffer not in self.in_place and in_place_source(network, start) is None
            mine = Occupancy.of(rows, row_bytes, may_slide=alone, share=share)
            if share < 1.0 and mine.after.any():
                return False  # rows that are kept would have to be kept for every slice
            self.owned[buffer] = mine
            last = min(network.last_use[buffer], self.end)
            self._occupy(self.live, self.base, buffer, mine, start, last)
            self.carry = self.carry + mine.before
        source = in_place_source(network, start)
        if source is not None and start < self.tail:
            self.in_place[source] = start
        self._weigh(start)
        self.work[row] = self._cycles(start)
        return True

    def _occupy(self, live: Bytes, origin: int, buffer: str, mine: Occupancy, first: int, last: int) -> None:
        """Add a buffer to the bytes in use: full from `first` to `last`, kept afterwards.

        Row r of `live` is the step of position origin + r.
        """
        a, b = max(0, first - origin), last - origin
        live[a : b + 1] += mine.held
        live[b] += mine.moving
        if first >= origin:
            live[a, 1:] += mine.moving[:-1]
        if b + 1 < len(live):
            live[b + 1 :] += mine.after
        position = self.in_place.get(buffer)
        if position is not None and position == last and self._covers(mine.rows, position):
            target = self.network.buffer_of(self.network.defines[position])
            size = self.walk.rows[target].held(self._row_bytes(target))
            live[position - origin] -= np.minimum(size, mine.held)

    def _covers(self, rows: BufferRows, position: int) -> bool:
        """Whether the result of an addition fits over the tile of its operand, in every part."""
        target = self.walk.rows[self.network.buffer_of(self.network.defines[position])]
        return bool((rows.low <= target.low).all() and (target.high <= rows.high).all())

    def _weigh(self, start: int) -> None:
        nbytes = self.network.weight_bytes(start)
        self.weights[start - self.base] = nbytes
        least = 2 * block_bytes(self.network, start, LEAST_BLOCK_CHANNELS)
        if start == self.tail:
            least = max(
                least, block_bytes(self.network, start, slice_channels(self.network, self.chip, start))
            )
        self.least_blocks[start - self.base] = min(nbytes, least)

    def _row_bytes(self, buffer: str) -> int:
        """Bytes of a row of a buffer, or of the part of it that lies in the widest strip."""
        columns, nbytes = self.walk.columns.of(buffer), self.network.buffers[buffer].row_bytes
        return nbytes if columns is None else columns.scaled(nbytes)

    def _cycles(self, start: int) -> int:
        """Cycles of a layer over all parts, with its kept rows moved out and in."""
        new, network = self.walk.new[start], self.network
        counts = Counter(np.maximum(new.high - new.low, 0).tolist())
        buffer = network.buffer_of(network.defines[start])
        columns = self.walk.columns.of(buffer)
        widths = [1.0] if columns is None else ((columns.high - columns.low) / columns.total).tolist()
        if self.cut.sides > 1:
            widths = [max(widths)]  # cores work side by side
        cycles = sum(
            n * self.cycles_of(start, rows, width)
            for rows, n in counts.items()
            for width in widths
            if rows > 0
        )
        if self.cut.total > 1 and buffer in self.owned:
            kept = self.owned[buffer].rows.kept(self._row_bytes(buffer))[:-1]
            moves = int((kept > 0).sum()) * self.cut.strips
            nbytes = int(kept.sum()) * self.cut.strips
            cycles += moves * self.chip.compute.issue + nbytes // self.chip.dma.move_bytes_per_cycle
        return cycles

    # --- the interval from here on -------------------------------------------------------------------------

    def _interval(self) -> Interval:
        network, start, number = self.network, self.start, self.chain.numbers
        rows, reads = slice(start - self.base, self.end + 1 - self.base), self._reads(start)
        sliced = sliced_residual(network, start, self.end, self.tail)
        tail = {network.buffer_of(network.defines[p]) for p in range(self.tail, self.end + 1)}
        return Interval(
            room=self.room,
            cut=self.cut,
            bytes_per_cycle=self.chip.dram.bytes_per_cycle,
            live=self.live[rows].copy(),
            reads={number[buffer]: nbytes for buffer, nbytes in reads.items()},
            sizes={number[buffer]: network.buffers[buffer].nbytes for buffer in reads},
            inputs={number[buffer]: self._input_live(buffer, start) for buffer in reads},
            made={
                number[buffer]: self._made(buffer, nbytes)
                for buffer, nbytes in bytes_made(network, start, self.end).items()
            },
            in_place={
                number[source]: number[network.buffer_of(network.defines[position])]
                for source, position in self.in_place.items()
            },
            weights=self.weights[rows].copy(),
            work=self.work[rows].copy(),
            least_blocks=self.least_blocks[rows].copy(),
            tail={number[b]: int(self.owned[b].held.max()) for b in tail if b in self.owned},
            sliced=None if sliced is None else number[sliced],
        )

    def _made(self, buffer: str, nbytes: int) -> Made:
        """What the interval leaves behind of a buffer."""
        network, mine = self.network, self.owned.get(buffer)
        first, last = network.first_def[buffer], min(network.last_use[buffer], self.end)
        return Made(
            made=nbytes,
            nbytes=network.buffers[buffer].nbytes,
            is_output=buffer in network.network_outputs,
            first=first - self.start,
            last=last - self.start,
            held=0 if mine is None else int(mine.held.min()),
            after=0 if mine is None else int(mine.after.min()),
        )

    def _reads(self, start: int) -> dict[str, int]:
        """Buffers that were begun before the group and that it touches, with the bytes it reads of them."""
        found = {}
        for buffer in dict.fromkeys((*self.walk.pending, *self.walk.rows)):
            if buffer in self.owned:
                continue
            if buffer not in self.walk.pending:
                found[buffer] = 0  # written only
                continue
            rows = self.walk.rows.get(buffer) or self.walk.input_rows(buffer)
            outside = bytes_outside(self.network, buffer, start)
            columns = self.walk.columns.of(buffer)
            times, of = (self.cut.columns, 1) if columns is None else (columns.summed, columns.total)
            times *= self.cut.bands
            found[buffer] = rows.read_once * outside * times // (self.network.buffers[buffer].rows * of)
        return found

    def _input_live(self, buffer: str, start: int) -> Bytes:
        """Bytes in use, per step of the group and part, of a buffer that was begun before it."""
        network, sliced = self.network, sliced_residual(self.network, start, self.end, self.tail)
        rows = self.walk.rows.get(buffer) or self.walk.input_rows(buffer)
        share = slice_share(network, self.chip, self.tail) if buffer == sliced else 1.0
        row_bytes, alone = self._row_bytes(buffer), buffer not in self.in_place
        mine = Occupancy.of(rows, row_bytes, may_slide=alone, share=share)
        touched = network.touched(buffer, start, self.end)
        live = np.zeros((self.end + 1 - start, self.cut.total), dtype=np.int64)
        live[: touched[0] - start] = mine.before
        self._occupy(live, start, buffer, mine, touched[0], touched[-1])
        return live
