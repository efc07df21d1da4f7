"""A fused group as cells: what each layer does in each part, in the order of demand.

in:   a chosen group, the bytes that it has on chip by layer and part (`Interval`)
out:  a `Cell` per part and layer: rows fetched, kept rows moved, weights streamed, work, rows stored

    x -> conv a -> conv y in 2 parts        cells: (a, part 0) (y, part 0) (a, part 1) (y, part 1)

Cores that share a group work side by side: the cells are those of the busiest one, with the transfers of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from nnc.compiler.ir.layers import MacLayer
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.estimate.cells import Cell, Fetch, GroupWork
from nnc.compiler.plan.estimate.moves import cycles_of_moves
from nnc.compiler.plan.estimate.results import activations_on_chip, results_on_chip
from nnc.compiler.plan.estimate.row_bursts import Limits, RowBursts
from nnc.compiler.plan.fusion.buffer_rows import is_sliding_window
from nnc.compiler.plan.fusion.channel_slices import (
    block_channels,
    channel_axis,
    slice_channels,
    sliced_residual,
)
from nnc.compiler.plan.fusion.cut import busiest_row_shard
from nnc.compiler.plan.fusion.fused_choice import FusedChoice, resident_keys, weight_capacity
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.network.layout import column_axis, in_place_source
from nnc.compiler.plan.steps.weight_blocks import WeightPlan, plan_weights


def group_work(order: FusedOrder, choice: FusedChoice, bursts: RowBursts) -> GroupWork:
    """The cells of a group."""
    return _Builder(order, choice, bursts).build()


class _Builder:
    """Collects per layer (rows of arrays) and part (columns) what makes the cells."""

    def __init__(self, order: FusedOrder, choice: FusedChoice, bursts: RowBursts) -> None:
        self.order, self.choice, self.bursts = order, choice, bursts
        self.network, self.chip, self.cut = order.network, order.chip, choice.cut
        self.steps = range(choice.start, choice.end + 1)
        self.shape = (len(self.steps), self.cut.parts)
        self.walks = [self._walk(shard) for shard in range(self.cut.row_shards)]
        self.walk = self.walks[busiest_row_shard(self.network, choice.end, self.cut)]
        _, self.slices = weight_capacity(order, choice)
        self.weights: WeightPlan = plan_weights(order, choice)
        self.moves = np.zeros((2, *self.shape), dtype=np.int64)  # before the work, behind it
        self.moving = np.zeros((2, *self.shape), dtype=np.int64)
        self.read = 0

    def _walk(self, shard: int) -> RowRanges:
        walk = RowRanges(self.network, self.choice.end, self.cut, shard)
        for position in reversed(self.steps):
            walk.extend(position)
        return walk

    def build(self) -> GroupWork:
        """All cells, and the bytes of all strips."""
        choice = self.choice
        fetches, stored = self._fetches(), self._stored()
        shards = [self._work(walk) for walk in self.walks]
        sums = [int(found.sum()) for found in shards]
        work = shards[sums.index(max(sums))]
        taken = self._taken()
        results, others = results_on_chip(self.order, choice, self.walk, self._slice_bytes())
        counts = [len(self._blocks(position)) for position in self.steps]
        pinned = [min(self.weights.pinned[p], n) for p, n in zip(self.steps, counts, strict=True)]
        each = [self.weights.moved_bytes(self.chip, p, n) for p, n in zip(self.steps, counts, strict=True)]
        busy = work > 0
        first = np.where(busy.any(axis=1), busy.argmax(axis=1), self.cut.parts)
        last = self.cut.parts - 1 - busy[:, ::-1].argmax(axis=1)
        stays = np.zeros(self.shape, dtype=np.int64)
        for row, (number, nbytes) in enumerate(zip(pinned, each, strict=True)):
            if number and first[row] < self.cut.parts:  # from its layer in the first part to that in the last
                alive = np.zeros(self.shape, dtype=bool)
                alive[:, first[row] : last[row] + 1] = True
                alive[:row, first[row]] = alive[row + 1 :, last[row]] = False
                stays += alive * (number * nbytes)
        stays += self.choice.interval.staged[:, np.newaxis]
        cells: list[Cell] = []
        loaded = 0
        for part in range(self.cut.parts):
            for row in range(len(self.steps)):
                cell = Cell(
                    fetches=tuple(fetches.get((row, part), ())),
                    stored=int(stored[row, part]),
                    moves=(int(self.moves[0, row, part]), int(self.moves[1, row, part])),
                    compute=int(work[row, part]),
                    blocks=counts[row],
                    streamed=counts[row] - pinned[row] if busy[row, part] else 0,
                    block_bytes=each[row],
                    pinned_bytes=pinned[row] * each[row] if first[row] == part else 0,
                    taken=int(taken[row, part]),
                    pinned=int(stays[row, part]),
                    moving=(int(self.moving[0, row, part]), int(self.moving[1, row, part])),
                    others=int(others[row, part]),
                    result=int(results[row, part]) if stored[row, part] else 0,
                    sliced=self.choice.start + row >= self.choice.sliced_from,
                )
                cells.append(cell)
                loaded += cell.streamed * each[row] * self.cut.strips + cell.pinned_bytes
        written = int(stored.sum()) * self.cut.strips
        lead = 1 - sum(sums) * self._mean_width() / (len(sums) * max(1, *sums))
        return GroupWork(cells, self.cut.strips, self.read + written + loaded, lead, self.cut.cores)

    # --- rows that are read ----------------------------------------------------------------------------

    @cached_property
    def _in_place(self) -> dict[str, str]:
        """By operand, the buffer that takes its place."""
        return {
            source: self.network.buffer_of(self.network.defines[p])
            for p in range(self.choice.start, min(self.choice.sliced_from, self.choice.end + 1))
            if p not in self.weights.runs and (source := in_place_source(self.network, p)) is not None
        }

    def _fetches(self) -> dict[tuple[int, int], list[Fetch]]:
        """Rows read from DRAM, by layer and part; kept rows of all buffers are counted as moves."""
        found: dict[tuple[int, int], list[Fetch]] = {}
        choice, walk = self.choice, self.walk
        sliced = sliced_residual(self.network, choice.start, choice.end, choice.sliced_from)
        stay, place = choice.residents_in.whole | choice.residents_out.whole, self._in_place
        landed = choice.copied | walk.landings(place, stay).keys()
        for buffer in dict.fromkeys((*walk.pending, *walk.rows)):
            if buffer in stay - choice.copied:
                continue
            rows, each = walk.of(buffer), walk.columns.row_bytes(buffer)
            touched = self.network.touched(buffer, choice.start, choice.end)
            opened, closed = touched[0] - choice.start, touched[-1] - choice.start
            kept, held = rows.kept(each), rows.held(each)
            if buffer in landed:  # it moves nowhere, and takes no place of its own
                kept, held = 0 * kept, 0 * held
            slides = buffer not in place and buffer not in place.values() and is_sliding_window(kept, held)
            moved = self._move(rows.moved_in_window(each) if slides else kept, opened, closed, slides=slides)
            nbytes = self._read_bytes(buffer)
            if buffer in choice.copied:  # its first rows find place for all
                held[(nbytes > 0).argmax()] = self.network.buffers[buffer].nbytes
            for part in np.flatnonzero(nbytes).tolist():
                after = int(moved[part - 1]) if (window := slides and part > 0) else 0
                fetch = Fetch(int(nbytes[part]), int(held[part]), window, buffer == sliced, after)
                found.setdefault((opened, part), []).append(fetch)
        return found

    def _move(self, kept: Ints, opened: int, closed: int, *, slides: bool) -> Ints:
        """Kept rows move to the head of a window, or to a tile of their own and then to the next one.

        Returns cycles of a move, for each part but the first.
        """
        nbytes = kept[:-1]
        each = cycles_of_moves(nbytes, self.chip)
        self.moves[0, opened, 1:] += each
        if not slides:
            self.moves[1, closed, :-1] += each
            into, out = np.append(0, nbytes), np.append(nbytes, 0)
            if opened == closed == self.choice.sliced_from - self.choice.start:  # beside no slices
                self.moving[0, opened] += np.maximum(np.maximum(into, out) - self.slices.total, 0)
            else:
                self.moving[0, opened] += into
                self.moving[1, closed] += out
        return each

    def _read_bytes(self, buffer: str) -> Ints:
        """DRAM bytes of a buffer that all cores read per part, in the mean of the strips."""
        network, start = self.network, self.choice.start
        total = np.zeros(self.cut.parts, dtype=np.int64)
        definitions = network.definitions.get(buffer, [])
        before = [tensor for position, tensor in definitions if position < start]
        if buffer not in self.walk.pending or (definitions and not before):
            return total
        tensors = before if len(before) < len(definitions) else [buffer]
        stays = self.choice.residents_in.last_rows.get(buffer, 0)
        limits = self._strips(buffer)
        for walk in self.walks:
            rows = walk.of(buffer)
            high = np.minimum(rows.high, network.buffers[buffer].rows - stays)
            for tensor in tensors:
                for limit in limits:
                    total += self.bursts.of(tensor, rows.new.low, high, limit)
        if limits == [()]:  # every core and strip reads all columns
            total *= self.cut.columns
        self.read += int(total.sum())
        return np.asarray(total // self.cut.strips)

    def _strips(self, buffer: str) -> list[Limits]:
        """What each strip takes of a buffer's columns."""
        columns = self.walk.columns.of(buffer)
        axis = None if columns is None else column_axis(self.network, buffer)
        if columns is None or axis is None:
            return [()]
        pairs = zip(columns.low.tolist(), columns.high.tolist(), strict=True)
        return [((axis, low, high),) for low, high in pairs if low < high]

    # --- rows that are computed and stored -------------------------------------------------------------

    def _work(self, walk: RowRanges) -> Ints:
        """Cycles of a block of channels, by layer and part, on the cores of a row shard."""
        work = np.zeros(self.shape, dtype=np.int64)
        for row, position in enumerate(self.steps):
            tensor, new = self.network.defines[position], walk.new[position]
            view = self.network.view(tensor)
            count = np.minimum(new.high, view.first + view.rows) - np.maximum(new.low, view.first)
            columns = walk.columns.of(view.buffer)
            widths = (1.0,) if columns is None else columns.shares
            widths = (max(widths),) if self.cut.column_shards > 1 else widths
            for part, rows in enumerate(count.tolist()):
                if rows > 0:
                    cycles = [self._block_cycles(position, rows, width) for width in widths]
                    work[row, part] = sum(cycles) // len(cycles)
        return work

    def _mean_width(self) -> float:
        """Columns of a core in the mean, as a share of those of the core that has most."""
        columns = self.walk.columns.of(self.network.buffer_of(self.network.defines[self.choice.end]))
        if columns is None or self.cut.column_shards == 1:
            return 1.0
        widths = columns.high - columns.low
        return float(widths.mean() / widths.max())

    def _block_cycles(self, position: int, rows: int, width: float) -> int:
        """Cycles of one of the blocks of channels that a layer is computed in, in the mean."""
        blocks, run = self._blocks(position), self.weights.runs.get(position)
        if run is not None:
            return self.order.cycles_of_chunks(run, position, ((rows, 1),)) // len(blocks)
        if len(blocks) == 1:
            return self.order.cycles(position, rows, width)
        if isinstance(self.network.layers[position], MacLayer):
            return self.order.cycles(position, rows, width, blocks[0][1] - blocks[0][0]) // len(blocks)
        issue = self.chip.compute.issue
        return issue + (self.order.cycles(position, rows, width) - issue) // len(blocks)

    def _blocks(self, position: int) -> list[tuple[int, int]]:
        """Ranges of channels that a layer is computed in."""
        return self.weights.blocks(min(position, self.choice.sliced_from))

    def _stored(self) -> Ints:
        """DRAM bytes that all cores write, by layer and part, in the mean of the strips."""
        network, choice = self.network, self.choice
        stored = np.zeros(self.shape, dtype=np.int64)
        for row, position in enumerate(self.steps):
            tensor = network.defines[position]
            view = network.view(tensor)
            is_read = (
                network.last_read[view.buffer] > choice.end and view.buffer not in choice.residents_out.whole
            )
            if not is_read and tensor not in network.delivered:
                continue
            stay = choice.residents_out.last_rows.get(tensor, 0)
            for walk in self.walks:
                new, low = walk.new[position], walk.new[position].low
                if self.cut.recompute:
                    low = np.maximum(low, np.concatenate([[0], np.maximum.accumulate(new.high)[:-1]]))
                first, end = walk.own_rows(network.buffers[view.buffer].rows)
                high = np.minimum(new.high, network.buffers[view.buffer].rows - stay)
                if self.cut.row_shards > 1:
                    low, high = np.maximum(low, first), np.minimum(high, end)
                for limit in self._stored_boxes(position, tensor):
                    stored[row] += self.bursts.of(tensor, low, high, limit)
        return stored // self.cut.strips

    def _stored_boxes(self, position: int, tensor: str) -> Iterator[Limits]:
        """The boxes of columns and channels in which the rows of a result are stored."""
        slices: list[Limits] = [()]
        if position >= self.choice.sliced_from:
            axis = channel_axis(self.network, position)
            slices = [((axis, first, end),) for first, end in self.weights.slices]
        for strip in self._strips(self.network.buffer_of(tensor)):
            for mine in slices:
                yield (*strip, *mine)

    # --- memory ----------------------------------------------------------------------------------------

    def _taken(self) -> Ints:
        """Bytes of activations on chip, by layer and part."""
        choice = self.choice
        taken = activations_on_chip(choice.interval, *resident_keys(self.order, choice))
        taken[choice.sliced_from - choice.start :] += self._slice_bytes() - self.slices.total
        return taken

    def _slice_bytes(self) -> int:
        """Bytes of the slices of channels, which may be wider than the narrowest."""
        choice, slices = self.choice, self.slices
        if choice.sliced_from > choice.end:
            return slices.total
        (first, end), (low, high) = self.weights.slices[0], self._blocks(choice.sliced_from)[0]
        least = slice_channels(self.network, self.chip, choice.sliced_from)
        lanes = block_channels(self.network, self.chip, choice.sliced_from)
        return slices.stored * (end - first) // least + slices.inner * (high - low) // lanes
