"""Incremental cost of fused groups: for a fixed last layer and cut, prepend one layer at a time and update
memory, traffic and cycles.

Inside a group every buffer has, per part, a tile of rows; what the next part needs again is kept on chip.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import BufferBytes, BufferRows, Bytes
from nnc.compiler.plan.fusion.capacity import GroupMemory
from nnc.compiler.plan.fusion.channel_slices import leaves_in_slices, slice_share, sliced_residual
from nnc.compiler.plan.fusion.chunks import ChunkBytes
from nnc.compiler.plan.fusion.cut import Cut, busiest_row_shard
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import Interval
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.fusion.sliding import BoundaryTensor, InTurn, OutsideBuffer, in_turn
from nnc.compiler.plan.fusion.structure_cache import Chain
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.layer_cycles import BlockSizes, BlockWork


class Intervals:
    """The intervals of a chain with one cut; those of blocks that look alike are swept over once."""

    def __init__(
        self, order: FusedOrder, chain: Chain, cut: Cut, sliced_from: int, first: int | None = None
    ) -> None:
        """Args:
        sliced_from: position from which on layers run in slices of output channels; chain.end + 1 if none do.
        first: where the longest interval starts that is asked for; None: as far upstream as groups may reach.
        """
        self._order, self._chain, self._cut, self._sliced_from = order, chain, cut, sliced_from
        self._first = max(0, chain.end + 1 - order.effort.longest_group) if first is None else first
        self._sweep: _IntervalSweep | None = None

    def at(self, start: int) -> Interval | Infeasible:
        """The interval from `start` on, or the reason why neither it nor any longer one can be cut so."""
        return self._chain.interval(start, self._cut, self._sliced_from, lambda: self._advance(start))

    def _advance(self, start: int) -> Interval | Infeasible:
        if self._sweep is None:
            self._sweep = _IntervalSweep(self._order, self._chain, self._cut, self._sliced_from, self._first)
        return self._sweep.advance(start)


class _IntervalSweep:
    """Rows, memory and work of an interval while it grows upstream."""

    def __init__(self, order: FusedOrder, chain: Chain, cut: Cut, sliced_from: int, first: int) -> None:
        self.order, self.chain, self.network, self.chip = order, chain, order.network, order.chip
        self.end, self.sliced_from, self.cut = chain.end, sliced_from, cut
        self.chunks = ChunkBytes(order.runs_within(0, self.end, cut), cut.parts)
        self.rows = RowRanges(self.network, self.end, cut, busiest_row_shard(self.network, self.end, cut))
        shards = cut.row_shards, cut.column_shards
        self.rows.walked = chain.walk(("rows", cut.parts, cut.recompute, shards))
        self.rows.columns.walked = chain.walk(("columns", cut.columns, cut.column_shards))
        self.base, self.start, window = first, self.end + 1, self.end + 1 - first
        self.live: Bytes = np.zeros((window, cut.parts), dtype=np.int64)
        self.carry: Bytes = np.zeros(cut.parts, dtype=np.int64)
        self.least_blocks, self.narrow_blocks, self.staged = np.zeros((3, window), dtype=np.int64)
        self.weights, self.work = np.zeros((2, window), dtype=np.int64)
        self.owned: dict[str, BufferBytes] = {}
        self.in_place: dict[str, int] = {}
        self.blocks = BlockWork(window)
        self.slices: Bytes = np.zeros(cut.parts, dtype=np.int64)
        self._outside: dict[str, OutsideBuffer] = {}
        self._outside_live: Bytes = np.zeros(self.live.shape, dtype=np.int64)  # of all of them
        self._changed: set[str] = set()  # buffers that layers touch that were taken in since these were found
        self._boundary: dict[int, BoundaryTensor] = {}
        self._blocked: Infeasible | None = None

    def advance(self, start: int) -> Interval | Infeasible:
        """Move the start upstream; infeasible if the group cannot be cut so, or its interior does not fit."""
        while self._blocked is None and self.start > start:
            self._blocked = self._extend(self.start - 1)
            self.start -= 1
            if self._blocked is None and not self.sliced_from < self.start <= self.end:
                self._blocked = self._overflow()
        return self._blocked or self._interval()

    def _overflow(self) -> Infeasible | None:
        """Why the tensors that are begun in the interval do not fit, whatever is on chip before and after."""
        live, bound = int(self.live[self.start - self.base :].max()), self.order.capacity.activations
        return Infeasible("bytes for tensors inside the group", live, bound) if live > bound else None

    def _extend(self, start: int) -> Infeasible | None:
        """Take in one more layer; returns why the group cannot be cut like this with it, if so."""
        network, row, buffer = self.network, start - self.base, self._made(start)
        if (reason := self.rows.extend(start)) is not None:
            return reason
        self.live[row] = self.carry + self.chunks.sums_beside(start)
        if network.first_def[buffer] == start:
            rows, row_bytes = self.rows.rows[buffer], self.rows.columns.row_bytes(buffer)
            alone = buffer not in self.in_place and self._in_place_source(start) is None
            share = self.chunks.share(start, rows)
            if start >= self.sliced_from:
                share = slice_share(network, self.chip, start, self.end)
            buffer_bytes = BufferBytes.of(rows, row_bytes, may_slide=alone, share=share)
            if share < 1.0 and buffer_bytes.after.any():
                return Infeasible("rows needed again cannot be kept for every slice of channels")
            self.owned[buffer] = buffer_bytes
            last = self.chunks.released(min(network.last_use[buffer], self.end), start)
            self._occupy(self.live, buffer, buffer_bytes, start, last)
            self.carry = self.carry + buffer_bytes.before
            self.live[row] += self.chunks.sums_at(start, rows, buffer_bytes.held)
        if start == self.sliced_from:  # what leaves in slices is there from the first block of a slice on
            self.slices = np.sum(list(self._sliced().values()), axis=0)
            for step, held in self._sliced(leaving=True).items():
                self.live[row : step - self.base] += held
        source = self._in_place_source(start)
        if source is not None and start < self.sliced_from:
            self.in_place[source] = start
        products = self._products(start)
        self._weigh(start, products)
        self.work[row] = self._cycles(start, products)
        self._changed.add(buffer)
        self._changed.update(network.buffer_of(tensor) for _, tensor in network.operands[start])
        self._leave(buffer, start)
        return None

    def _in_place_source(self, start: int) -> str | None:
        """The buffer of an operand that a result may overwrite; partial sums overwrite nothing."""
        return None if start in self.chunks.runs else self.network.in_place_source(start)

    def _sliced(self, *, leaving: bool | None = None) -> dict[int, Bytes]:
        """Bytes of results in slices of channels, by position and part: all, those that leave, or others."""
        steps = range(self.sliced_from, self.end + 1)
        positions = (
            step for step in steps if leaving in (None, leaves_in_slices(self.network, step, self.end))
        )
        return {step: self.owned[self._made(step)].held for step in positions}

    def _made(self, position: int) -> str:
        """The buffer that a layer computes."""
        return self.network.buffer_of(self.network.defines[position])

    def _occupy(self, live: Bytes, buffer: str, buffer_bytes: BufferBytes, first: int, last: int) -> None:
        """Add a buffer to the bytes in use: full from `first` to `last`, kept afterwards.

        Row r of `live` is the step of position base + r.  No slices of channels are there while rows move.
        """
        a, b = max(0, first - self.base), last - self.base
        live[a : b + 1] += buffer_bytes.held
        if buffer_bytes.moves:
            # all that is there before a part moves into its tile
            out, into = buffer_bytes.moving, buffer_bytes.before
            if a == b == self.sliced_from - self.base:  # before the slices, and behind them
                live[a] += np.maximum(np.maximum(into, out) - self.slices, 0)
            else:
                live[b] += out
                live[a] += into
        if b + 1 < len(live):
            live[b + 1 :] += buffer_bytes.after
        position = self.in_place.get(buffer)
        if position is not None and position == last and self._covers(buffer, buffer_bytes.rows, position):
            target = self._made(position)
            size = self.rows.rows[target].held(self.rows.columns.row_bytes(target))
            live[position - self.base] -= np.minimum(size, buffer_bytes.held)

    def _covers(self, source: str, rows: BufferRows, position: int) -> bool:
        """Whether the result of an addition fits over the tile of its operand, in every part."""
        target = self.rows.rows[self._made(position)]
        fits = (rows.low <= target.low).all() and (target.high <= rows.high).all()
        return bool(fits) and self.rows.columns.covers(source, self._made(position))

    def _weigh(self, start: int, products: Callable[[int], int]) -> None:
        row, order = start - self.base, self.order
        self.weights[row] = self.network.weight_bytes(start)
        # in slices, every block is a computation of all layers there
        blocks = order.weight_blocks(start, is_sliced=start == self.sliced_from)
        self.least_blocks[row], self.narrow_blocks[row], self.staged[row] = blocks
        sizes, in_chunks = order.block_sizes(start), self.chunks.weights(start)
        if in_chunks is not None:
            self.least_blocks[row] = self.narrow_blocks[row] = in_chunks
            sizes = BlockSizes(sizes.channels[:1], sizes.nbytes[:1])  # its work is that in chunks
        self.blocks.enter(row, sizes, products)

    def _cycles(self, start: int, products: Callable[[int], int]) -> int:
        """Cycles of a layer over all parts, with its kept rows moved out and in."""
        buffer, cycles = self._made(start), products(0)
        if buffer in self.owned:
            row_bytes = self.rows.columns.row_bytes(buffer)
            cycles += self.cut.moving_cycles(self.chip, self.owned[buffer].rows.moves, row_bytes)
        return cycles

    def _products(self, start: int) -> Callable[[int], int]:
        """So many output channels at a time (0: all) → cycles of the layer itself over all parts.

        Intervals keep it: it holds the order and what is asked of it, not the sweep.
        """
        order, counts = self.order, self.rows.counts[start]
        if (run := self.chunks.runs.get(start)) is not None:
            cycles = sum(n * order.cycles_of_chunks(run, start, rows) for rows, n in counts)
            return lambda _: cycles
        columns = self.rows.columns.of(self._made(start))
        widths = (1.0,) if columns is None else columns.shares
        if self.cut.column_shards > 1:
            widths = (max(widths),)  # cores work side by side
        return lambda channels: sum(
            n * order.cycles(start, rows, width, channels) for rows, n in counts for width in widths
        )

    def _interval(self) -> Interval:
        network, start, number = self.network, self.start, self.chain.numbers
        rows, slices = slice(start - self.base, self.end + 1 - self.base), self._sliced(leaving=True)
        sliced = sliced_residual(network, start, self.end, self.sliced_from)
        for buffer in self._changed:
            self._find_outside(buffer, is_sliced=buffer == sliced)
        self._changed.clear()
        outside = self._outside.items()
        loaded = [buffer for buffer in self._outside if buffer != sliced and self.rows.loads_all(buffer)]
        pairs = [(source, self._made(position)) for source, position in self.in_place.items()]
        stay = {pair: self.rows.may_take_over(*pair) for pair in pairs}
        slides, idle = self._in_turn()
        return Interval(
            capacity=self.order.capacity,
            cut=self.cut,
            bytes_per_cycle=self.chip.transfer_rate(self.cut.cores),
            memory=GroupMemory(
                live=self.live[rows] + self._outside_live[rows],
                inputs={number[buffer]: outside_buffer.live[rows] for buffer, outside_buffer in outside},
                sizes={number[buffer]: network.buffers[buffer].nbytes for buffer in self._outside},
                opened={
                    number[buffer]: max(0, outside_buffer.first - start) for buffer, outside_buffer in outside
                },
                loadable=frozenset(number[buffer] for buffer in loaded),
                boundary=dict(self._boundary),
                in_place={number[a]: number[b] for a, b in pairs if stay[a, b]},
                slides=slides,
                idle=idle,
                in_tiles={
                    number[b]: (number[a], self.rows.tile_bytes(b)) for a, b in pairs if not stay[a, b]
                },
                cut=self.cut,
                sliced_step=max(0, self.sliced_from - start),
            ),
            reads={number[buffer]: outside_buffer.read for buffer, outside_buffer in outside},
            weights=self.weights[rows],
            work=self.work[rows],
            least_blocks=self.least_blocks[rows],
            narrow_blocks=self.narrow_blocks[rows],
            staged=self.staged[rows],
            cycles_of_blocks=partial(self.blocks.cycles, rows.start),
            inner_slices=sum(int(held.max()) for held in self._sliced(leaving=False).values()),
            slices={number[self._made(step)]: int(held.max()) for step, held in slices.items()},
            sliced=None if sliced is None else number[sliced],
            is_first=start == 0,
            is_last=self.end == len(network.layers) - 1,
        )

    def _in_turn(self) -> InTurn:
        """What may follow a resident operand as it is used up; of pictures, idle bytes."""
        if not self.cut.is_downwards or self.network.axes is not CutAxes.OUTERMOST:
            return {}, {}
        network, start, chunks = self.network, self.start, self.chunks
        ends = [b for b in self._outside if network.last_use[b] <= self.end and b not in self.in_place]
        last = {b: chunks.released(network.touched(b, start, self.end)[-1], -1) - start for b in ends}
        leaves = [(b, network.first_def[b]) for b in self.owned if self.chain.numbers[b] in self._boundary]
        first = {b: (chunks.begun(position, position) - start, self.owned[b].rows) for b, position in leaves}
        used, steps = {b: (last[b], self.rows.of(b)) for b in ends}, self.end + 1 - start
        kept, align = {self._made(position) for position in self.in_place.values()}, self.order.capacity.align
        return in_turn(network.buffers, steps, self.chain.numbers, align, (used, first, kept))

    def _leave(self, buffer: str, start: int) -> None:
        """Enter what the layer that was taken in adds to what the interval leaves behind."""
        network, buffer_bytes = self.network, self.owned.get(buffer)
        if network.last_use[buffer] <= self.end:
            return
        number, nbytes = self.chain.numbers[buffer], network.moved_bytes(network.defines[start])
        if buffer in network.network_outputs and self.cut.columns > 1:
            nbytes = self.rows.columns.in_bursts(buffer, nbytes)
        entry = self._boundary.get(number)
        self._boundary[number] = BoundaryTensor(
            computed=nbytes + (0 if entry is None else entry.computed),
            nbytes=network.buffers[buffer].nbytes,
            is_output=buffer in network.network_outputs,
            steps=self.end + 1 - self.chunks.begun(start, network.first_def[buffer]),
            held=0 if buffer_bytes is None else int(buffer_bytes.held.min()),
        )

    def _find_outside(self, buffer: str, *, is_sliced: bool) -> None:
        """Find anew what the interval reads of a buffer, and what that takes on chip."""
        if (outside_buffer := self._outside.pop(buffer, None)) is not None:
            self._outside_live -= outside_buffer.live
        if buffer in self.owned:
            return
        live, rows = np.zeros(self.live.shape, dtype=np.int64), self.rows.of(buffer)
        share = slice_share(self.network, self.chip, *2 * (self.sliced_from,)) if is_sliced else 1.0
        row_bytes, alone = self.rows.columns.row_bytes(buffer), buffer not in self.in_place
        buffer_bytes = BufferBytes.of(rows, row_bytes, may_slide=alone, share=share)
        touched = self.network.touched(buffer, self.start, self.end)
        live[: touched[0] - self.base] = buffer_bytes.before
        self._occupy(live, buffer, buffer_bytes, touched[0], self.chunks.released(touched[-1], -1))
        self._outside_live += live
        read = self.rows.bytes_read(buffer, self.network.bytes_before(buffer, self.start))
        self._outside[buffer] = OutsideBuffer(read, live, touched[0])
