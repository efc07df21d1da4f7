"""What a fused group costs: bytes on chip, DRAM traffic and cycles of every interval, cut into P parts.

Inside a group every buffer has, per part, a tile of rows; what the next part needs again is kept on chip.
Memory is counted step by step (one step per layer and part): tiles that are in use count in full, others
only what is kept.  Weights are resident for the group, or as much of them as fits (the rest is streamed
again in every part).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

import numpy as np

from nnc.compiler.plan import geometry
from nnc.compiler.plan.bounds import Pair, bytes_made, bytes_outside, bytes_read, bytes_written
from nnc.compiler.plan.columns import column_axis
from nnc.compiler.plan.in_place import in_place_source
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.occupancy import Bytes, Occupancy
from nnc.compiler.plan.residents import Residents, last_rows
from nnc.compiler.plan.tail import slice_channels, slice_share, sliced_residual
from nnc.compiler.plan.walk import BufferRows, Cut, Walk
from nnc.isa.chip import Chip
from nnc.isa.cost import ceil_div

PARTS = (1, 2, 3, 4, 5, 7, 10, 14, 19, 28, 38, 56, 75, 112, 224)
LEAST_BLOCK_CHANNELS = 4
SPARE_SHARE = 32
"""One part in so many of the memory stays free where weights would fill it: blocks never fit exactly."""
WARM_UP = 6
LEAST_PARTS_TO_WARM_UP = 28
LARGE_SHARE = (3, 5)
"""A buffer that takes more than this share of the memory may stay in part."""
EIGHTHS_THAT_STAY = (1, 3)
STRIPS = (2, 3, 4, 6, 8)
LEAST_PARTS_OF_STRIPS = 14


@dataclass(frozen=True, slots=True)
class FusedChoice:
    """A fused group and what it costs.

    Attributes:
        start, end: positions of its first and last layer.
        cut: how it is cut into parts.
        tail: position from which on the layers run in slices of output channels; end + 1 if none do.
        inside, outside: buffers that are on chip, whole, when it starts and when it ends.
        pinned: bytes of weights that stay for all parts; reload: bytes of weights loaded again.
        dram_bytes: traffic; compute_cycles: array and vector unit, moves and issue costs included.
        bound_cycles: the larger of work and transfers; cycles: estimate of both together.
        peak: bytes of activations in use at most; slack: bytes that are free at every step.
    """

    start: int
    end: int
    cut: Cut
    inside: Residents
    outside: Residents
    tail: int
    pinned: int
    reload: int
    dram_bytes: int
    compute_cycles: int
    bound_cycles: int
    cycles: int
    peak: int
    slack: int

    @property
    def parts(self) -> int:
        """Number of parts, those that warm up included, in all strips."""
        return self.cut.passes

    @property
    def is_overlapped(self) -> bool:
        """Whether all its transfers hide behind work, or all work behind transfers."""
        return self.cycles <= self.bound_cycles


@dataclass(frozen=True, slots=True)
class Room:
    """Memories of a chip for fused groups.

    Attributes:
        activations, weights: bytes for activations and for weights; weights is None if one serves both.
        alone: positions of layers that cannot be fused: row gathers are the DMA engine's own work, and an
            activation that is the weight of a product may have to lie in another memory than results.
    """

    activations: int
    weights: int | None
    alone: frozenset[int]

    @staticmethod
    def of(chip: Chip, network: PlanNetwork) -> Room | None:
        """The room of a chip; None if features and results of its layers lie in different memories."""
        homes = {
            geometry.memory_for(chip, layer, role)
            for layer in network.layers
            for role in ("feature", "result")
        }
        stores = {geometry.memory_for(chip, layer, "weight") for layer in network.layers}
        if len(homes) != 1 or len(stores) != 1:
            return None
        home, store = homes.pop(), stores.pop()
        alone = {
            position
            for position, layer in enumerate(network.layers)
            if geometry.is_row_gather(layer)
            or any(
                geometry.memory_for(chip, layer, geometry.slot_role(layer, slot)) != home
                for slot, _ in network.operands[position]
            )
        }
        weights = None if home == store else chip.memory[store].bytes
        return Room(chip.memory[home].bytes, weights, frozenset(alone))


class Intervals:
    """Costs of all groups that end at one layer with one number of parts; the start moves upstream."""

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        room: Room,
        end: int,
        cut: Cut,
        tail: int,
        farthest: int,
        cycles_of: Callable[[int, int, float], int],
    ) -> None:
        """Args:
        cut: number of parts that the outputs are cut into, and of parts before them to warm up.
        tail: see `FusedChoice`.
        farthest: the first start that is of interest.
        cycles_of: cycles of a layer at a position for some rows and a share of the columns.
        """
        self.cycles_of = cycles_of
        self.network, self.chip, self.room = network, chip, room
        self.end, self.tail = end, tail
        self.cut, self.parts = cut, cut.total
        self.walk = Walk(network, end, cut)
        self.base = farthest
        window = end + 1 - farthest
        self.live: Bytes = np.zeros((window, self.parts), dtype=np.int64)
        self.carry: Bytes = np.zeros(self.parts, dtype=np.int64)
        self.weights = 0
        self.least_blocks: Bytes = np.zeros(window, dtype=np.int64)
        self.compute = 0
        self.owned: dict[str, Occupancy] = {}
        self.in_place: dict[str, int] = {}

    def sweep(self) -> Iterator[int]:
        """Move the start upstream, one layer at a time, while the interior alone fits."""
        for start in range(self.end, self.base - 1, -1):
            if not self._extend(start):
                return
            if self.tail < start <= self.end:
                continue  # a tail is only a group together with the layer that begins it
            if self.live[start - self.base :].max() > self.room.activations:
                return
            yield start

    def _extend(self, start: int) -> bool:
        """Take in one more layer; False if it cannot be part of the tail."""
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
        self.compute += self._cycles(start)
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
        self.weights += nbytes
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
        cycles = sum(
            n * self.cycles_of(start, rows, width)
            for rows, n in counts.items()
            for width in widths
            if rows > 0
        )
        if self.parts > 1 and buffer in self.owned:
            kept = self.owned[buffer].rows.kept(self._row_bytes(buffer))[:-1]
            moves = int((kept > 0).sum()) * self.cut.strips
            nbytes = int(kept.sum()) * self.cut.strips
            cycles += moves * self.chip.compute.issue + nbytes // self.chip.dma.move_bytes_per_cycle
        return cycles

    # --- choices -------------------------------------------------------------------------------------------

    def choices(self, start: int, pairs: Sequence[Pair]) -> Iterator[FusedChoice]:
        """The group [start … end] for every pair of residents before and after it that fits."""
        reads = self._reads(start)
        made = bytes_made(self.network, start, self.end)
        inputs = {buffer: self._input_live(buffer, start) for buffer in reads}
        for inside, same in groupby(pairs, key=lambda pair: pair[0]):
            live = self.live[start - self.base :]
            for buffer, mine in inputs.items():
                live = live if buffer in inside else live + mine
            peaks = live.max(axis=1) + self.network.nbytes_of(inside)
            if int(peaks.max()) > self.room.activations:
                continue  # an output that stays whole only adds to this
            read = bytes_read(self.network, reads, inside)
            for _, outside in same:
                if self.cut.recompute and any(self.network.stays(buffer, outside) for buffer in made):
                    continue  # what stays whole is computed once
                full = self._add_outputs(peaks, start, inside, outside, made)
                traffic = read + bytes_written(self.network, made, outside)
                choice = self._weigh_in(start, inside, outside, full, traffic)
                if choice is not None:
                    yield choice

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
            times, of = (self.cut.strips, 1) if columns is None else (columns.summed, columns.total)
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
        live = np.zeros((self.end + 1 - start, self.parts), dtype=np.int64)
        live[: touched[0] - start] = mine.before
        self._occupy(live, start, buffer, mine, touched[0], touched[-1])
        return live

    def _add_outputs(
        self, peaks: Bytes, start: int, inside: Residents, outside: Residents, made: dict[str, int]
    ) -> Bytes:
        """Bytes in use per step, `peaks`, with outputs that stay on chip in full."""
        network, full = self.network, peaks
        for buffer in made:
            if buffer not in outside:
                full = full + network.stays(buffer, outside)
            if buffer not in outside or buffer in inside:
                continue
            full = full + self._resident_extra(buffer, start, inside)
            mine = self.owned.get(buffer)
            if mine is not None:  # the whole replaces the tiles that were counted
                first = network.first_def[buffer] - start
                last = min(network.last_use[buffer], self.end) - start
                full[first : last + 1] -= int(mine.held.min())
                full[last + 1 :] -= int(mine.after.min())
        return full

    def _resident_extra(self, buffer: str, start: int, inside: Residents) -> int:
        """Bytes of a resident output: none if it takes over the place of a resident input (addition)."""
        whole = self.network.buffers[buffer].nbytes
        for source in inside:
            position = self.in_place.get(source)
            if (
                position is not None
                and position >= start
                and self.network.buffer_of(self.network.defines[position]) == buffer
                and self.network.last_use[source] == position
            ):
                return max(0, whole - self.network.buffers[source].nbytes)
        return whole

    def _free(self, peaks: Bytes) -> Bytes:
        """Bytes for weights at each step, beside activations that use `peaks`."""
        if self.room.weights is None:
            return np.asarray(self.room.activations - peaks)
        return np.full(len(peaks), self.room.weights, dtype=np.int64)

    def free_for_weights(self, choice: FusedChoice) -> Bytes:
        """Bytes left for weights at each step of a choice; the sweep must stand at its start."""
        live = self.live[choice.start - self.base :]
        for buffer in self._reads(choice.start):
            live = live if buffer in choice.inside else live + self._input_live(buffer, choice.start)
        peaks = live.max(axis=1) + self.network.nbytes_of(choice.inside)
        made = bytes_made(self.network, choice.start, self.end)
        return self._free(self._add_outputs(peaks, choice.start, choice.inside, choice.outside, made))

    def tail_bytes(self, choice: FusedChoice) -> int:
        """Bytes of the slices of a tail as they were counted (a narrow slice of every buffer)."""
        mine = sum(
            int(self.owned[buffer].held.max())
            for buffer in {
                self.network.buffer_of(self.network.defines[p]) for p in range(choice.tail, choice.end + 1)
            }
            if buffer in self.owned and buffer not in choice.outside
        )
        sliced = sliced_residual(self.network, choice.start, choice.end, choice.tail)
        return mine if sliced is None or sliced in choice.inside else 2 * mine

    def _weigh_in(
        self, start: int, inside: Residents, outside: Residents, peaks: Bytes, traffic: int
    ) -> FusedChoice | None:
        """Decide how much of the weights stays; None if the group does not fit."""
        peak = int(peaks.max())
        if peak > self.room.activations:
            return None
        weights, pinned, reload = self.weights, self.weights, 0
        least = self.room.weights if self.room.weights is not None else self.room.activations - peak
        if weights > least:
            spare = self._free(peaks) - self.least_blocks[start - self.base : self.end + 1 - self.base]
            streamed = int(spare.min())
            if streamed < 0:
                return None
            if self.cut.passes > 1:
                pinned = max(0, streamed - self.room.activations // SPARE_SHARE)
                reload = (weights - pinned) * (self.cut.passes - 1)
        slack = max(0, least - min(pinned, weights))
        return FusedChoice(
            start,
            self.end,
            self.cut,
            inside,
            outside,
            self.tail,
            pinned,
            reload,
            traffic + weights + reload,
            self.compute,
            max(self.compute, (traffic + weights + reload) // self.chip.dram.bytes_per_cycle),
            self._cycles_with_transfers(traffic, weights + reload, slack),
            peak,
            slack if self.cut.passes > 1 else 0,
        )

    def _cycles_with_transfers(self, traffic: int, weights: int, slack: int) -> int:
        """Estimated cycles: transfers of activations hide behind work as far as a next tile has room."""
        rate, each = self.chip.dram.bytes_per_cycle, max(1, traffic // self.cut.passes)
        hidden = min(max(slack, 0), each)
        exposed = min(self.compute, traffic // rate) * (each - hidden) // each
        return max(self.compute, (traffic + weights) // rate) + exposed


def block_bytes(network: PlanNetwork, position: int, channels: int) -> int:
    """Bytes of a block of weights for this many output channels (all constants if it is no MAC layer)."""
    nbytes = network.weight_bytes(position)
    layer = network.layers[position]
    lane = geometry.lane_axis(layer, len(network.graph.types[network.defines[position]].shape))
    if lane is None or not network.graph.is_constant(network.graph.operand(layer.name, 1)):
        return nbytes
    total = network.graph.types[network.defines[position]].shape[lane]
    return ceil_div(nbytes * min(total, channels), total)


def layer_cycles(network: PlanNetwork, chip: Chip, position: int, rows: int, width: float = 1.0) -> int:
    """Cycles of a layer for some rows and a share of the columns of its result, issue cost included."""
    layer, graph = network.layers[position], network.graph
    out = graph.types[network.defines[position]]
    view = network.view(network.defines[position])
    operands = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    dtype = geometry.rate_dtype(layer, out, operands)
    shape = out.shape
    shapes = [None if t is None else t.shape for t in operands]
    if view.axis is not None:
        share = rows / shape[view.axis]
        shape = (*shape[: view.axis], rows, *shape[view.axis + 1 :])
        shapes = [None if s is None else _scaled(s, view.axis, out.shape, share) for s in shapes]
        columns = column_axis(network, network.defines[position]) if width < 1.0 else None
        if columns is not None:
            shapes = [None if s is None else _scaled(s, columns, out.shape, width) for s in shapes]
            shape = _scaled(shape, columns, out.shape, width)
    return geometry.tile_cycles(chip, layer, shape, shapes, dtype)


def _scaled(shape: tuple[int, ...], axis: int, out: tuple[int, ...], share: float) -> tuple[int, ...]:
    """Shape of an operand's tile when a share of the rows is computed (only its size matters for cost)."""
    if len(shape) != len(out):
        return shape
    return (*shape[:axis], max(1, round(shape[axis] * share)), *shape[axis + 1 :])


def resident_options(network: PlanNetwork, position: int, room: Room) -> list[Residents]:
    """Sets of buffers that may be on chip when the layer at `position` starts: all, none, and few others."""
    crossing = network.crossings[position]
    if position == 0 or position == len(network.layers):
        return [frozenset()]
    options = [frozenset(), frozenset(crossing), *(frozenset({b}) for b in crossing)]
    if len(crossing) <= 3:
        options += [frozenset(pair) for pair in combinations(crossing, 2)]
    for buffer in crossing:
        others = frozenset(crossing) - {buffer}
        for rows in _rows_that_may_stay(network, buffer, room):
            mine = frozenset({last_rows(buffer, rows)})
            options.append(mine | others)
    fitting = {o for o in options if network.nbytes_of(o) <= room.activations}
    return sorted(fitting, key=lambda o: (len(o), sorted(o)))


def _rows_that_may_stay(network: PlanNetwork, buffer: str, room: Room) -> list[int]:
    """Numbers of last rows of a large boundary buffer that are worth keeping on chip."""
    info, definitions = network.buffers[buffer], network.definitions.get(buffer, [])
    ends = network.network_inputs | network.network_outputs
    if len(definitions) != 1 or definitions[0][1] != buffer or buffer in ends:
        return []
    if info.nbytes * LARGE_SHARE[1] <= room.activations * LARGE_SHARE[0]:
        return []
    numbers = {room.activations * eighths // 8 // info.row_bytes for eighths in EIGHTHS_THAT_STAY}
    return sorted(rows for rows in numbers if 0 < rows < info.rows)


def cuts_worth_trying(network: PlanNetwork, end: int) -> list[Cut]:
    """Cuts into rows for groups that end here; just one part if its rows cannot be cut."""
    buffer = network.buffers[network.buffer_of(network.defines[end])]
    plain = [Cut(parts) for parts in PARTS if parts <= buffer.rows]
    return plain + [Cut(cut.parts, WARM_UP) for cut in plain if cut.parts >= LEAST_PARTS_TO_WARM_UP]


def strips_worth_trying(cuts: Sequence[Cut]) -> list[list[Cut]]:
    """The cuts into many rows, in strips of columns too: a list for every number of strips."""
    fine = [cut for cut in cuts if cut.parts >= LEAST_PARTS_OF_STRIPS]
    return [[replace(cut, strips=strips) for cut in fine] for strips in STRIPS]
