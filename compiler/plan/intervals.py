"""What a fused group costs: bytes on chip, DRAM traffic and cycles of every interval, cut into P parts.

Inside a group every buffer has, per part, a tile of rows; what the next part needs again is kept on chip.
Memory is counted step by step (one step per layer and part): tiles that are in use count in full, others
only what is kept.  Weights are resident for the group, or as much of them as fits (the rest is streamed
again in every part).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.plan import geometry
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.walk import BufferRows, Walk
from nnc.isa.chip import Chip
from nnc.isa.cost import ceil_div
from nnc.isa.functions import Function

Bytes = npt.NDArray[np.int64]
Residents = frozenset[str]

LONGEST_GROUP = 64
PARTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 19, 23, 28, 32, 38, 45, 56, 75, 112, 150, 224)
LEAST_BLOCK_CHANNELS = 8


@dataclass(frozen=True, slots=True)
class FusedChoice:
    """A fused group and what it costs.

    Attributes:
        start, end: positions of its first and last layer.
        parts: number of parts P.
        inside, outside: buffers that are on chip, whole, when it starts and when it ends.
        pinned: bytes of weights that stay for all parts.
        dram_bytes: traffic; compute_cycles: array and vector unit, moves and issue costs included.
        peak: bytes of activations in use at most.
    """

    start: int
    end: int
    parts: int
    inside: Residents
    outside: Residents
    pinned: int
    dram_bytes: int
    compute_cycles: int
    peak: int


@dataclass(frozen=True, slots=True)
class Room:
    """Memories of a chip for fused groups: bytes for activations and for weights, or one for both."""

    activations: int
    weights: int | None

    @staticmethod
    def of(chip: Chip, network: PlanNetwork, fraction: float) -> Room | None:
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
        activations = int(chip.memory[home].bytes * fraction)
        return Room(activations, None if home == store else int(chip.memory[store].bytes * fraction))


class Intervals:
    """Costs of all groups that end at one layer with one number of parts; the start moves upstream."""

    def __init__(self, network: PlanNetwork, chip: Chip, room: Room, end: int, parts: int) -> None:
        self.network, self.chip, self.room = network, chip, room
        self.end, self.parts = end, parts
        self.walk = Walk(network, end, parts)
        window = min(end + 1, LONGEST_GROUP)
        self.base = end + 1 - window
        self.live: Bytes = np.zeros((window, parts), dtype=np.int64)
        self.carry: Bytes = np.zeros(parts, dtype=np.int64)
        self.weights = 0
        self.least_blocks: dict[int, int] = {}
        self.compute = 0
        self.owned: dict[str, BufferRows] = {}
        self.in_place: dict[str, int] = {}

    def sweep(self) -> Iterator[int]:
        """Move the start upstream, one layer at a time, until the interior alone does not fit."""
        for start in range(self.end, self.base - 1, -1):
            if not self.network.can_fuse(start):
                return
            self._extend(start)
            if self.live[start - self.base :].max() > self.room.activations:
                return
            yield start

    def _extend(self, start: int) -> None:
        network, row = self.network, start - self.base
        self.walk.extend(start)
        self.live[row] = self.carry
        buffer = network.buffer_of(network.defines[start])
        if network.first_def[buffer] == start:
            rows = self.walk.rows[buffer]
            self.owned[buffer] = rows
            last = min(network.last_use[buffer], self.end)
            self._occupy(self.live, buffer, rows, start, last)
            self.carry = self.carry + self._before(buffer, rows)
        source = in_place_source(network, start)
        if source is not None:
            self.in_place[source] = start
        self._weigh(start)
        self.compute += self._cycles(start)

    def _after(self, buffer: str, rows: BufferRows) -> Bytes:
        """Bytes that stay when a part has used its tile: what is kept, or the next tile if that is near."""
        row_bytes = self.network.buffers[buffer].row_bytes
        kept, held = rows.kept(row_bytes), rows.held(row_bytes)
        following = np.concatenate([held[1:], [0]])
        return np.where(moves_ahead(kept, following), following, kept)

    def _before(self, buffer: str, rows: BufferRows) -> Bytes:
        after = self._after(buffer, rows)
        return np.concatenate([[0], after[:-1]])

    def _occupy(self, live: Bytes, buffer: str, rows: BufferRows, first: int, last: int) -> None:
        """Add a buffer to the bytes in use: full from `first` to `last`, kept outside."""
        row_bytes = self.network.buffers[buffer].row_bytes
        held = rows.held(row_bytes)
        a, b = max(0, first - self.base), last - self.base
        live[a : b + 1] += held
        live[b + 1 :] += self._after(buffer, rows)
        position = self.in_place.get(buffer)
        if position is not None and position == last and self._covers(buffer, rows, position):
            target = self.network.buffer_of(self.network.defines[position])
            size = self.walk.rows[target].held(self.network.buffers[target].row_bytes)
            live[position - self.base] -= np.minimum(size, held)

    def _covers(self, buffer: str, rows: BufferRows, position: int) -> bool:
        """Whether the result of an addition fits over the tile of its operand, in every part."""
        target = self.walk.rows[self.network.buffer_of(self.network.defines[position])]
        return bool((rows.low <= target.low).all() and (target.high <= rows.high).all())

    def _weigh(self, start: int) -> None:
        nbytes = self.network.weight_bytes(start)
        self.weights += nbytes
        self.least_blocks[start] = min(nbytes, 2 * block_bytes(self.network, start, LEAST_BLOCK_CHANNELS))

    def _cycles(self, start: int) -> int:
        """Cycles of a layer over all parts, with its kept rows moved out and in."""
        new, network = self.walk.new[start], self.network
        counts = np.maximum(new.high - new.low, 0)
        cycles = 0
        for rows, times in zip(*np.unique(counts, return_counts=True), strict=True):
            if rows > 0:
                cycles += int(times) * layer_cycles(network, self.chip, start, int(rows))
        buffer = network.buffer_of(network.defines[start])
        if self.parts > 1 and buffer in self.owned:
            kept = self.owned[buffer].kept(network.buffers[buffer].row_bytes)[:-1]
            moves = int((kept > 0).sum())
            cycles += moves * self.chip.compute.issue + int(kept.sum()) // self.chip.dma.move_bytes_per_cycle
        return cycles

    # --- choices -------------------------------------------------------------------------------------------

    def choices(
        self, start: int, insides: list[Residents], outsides: list[Residents]
    ) -> Iterator[FusedChoice]:
        """All ways to run the group [start … end], by what is resident when it starts and ends."""
        network = self.network
        inputs = self._inputs(start)
        crossing_in, crossing_out = network.crossings[start], network.crossings[self.end + 1]
        passing = {b for b in crossing_in if b in crossing_out}
        for inside in insides:
            live = self.live[start - self.base :].copy()
            read = self._add_inputs(live, start, inputs, inside)
            for outside in outsides:
                if {b for b in inside if b in passing} != {b for b in outside if b in passing}:
                    continue
                peaks, write = self._add_outputs(live, start, inside, outside)
                choice = self._weigh_in(start, inside, outside, peaks, read + write)
                if choice is not None:
                    yield choice

    def _inputs(self, start: int) -> dict[str, BufferRows]:
        found = {}
        for buffer in self.walk.pending:
            if buffer not in self.owned:
                found[buffer] = self.walk.rows.get(buffer) or self.walk.input_rows(buffer)
        for buffer, rows in self.walk.rows.items():
            if buffer not in self.owned:
                found[buffer] = rows
        return found

    def _add_inputs(self, live: Bytes, start: int, inputs: dict[str, BufferRows], inside: Residents) -> int:
        """Count the tiles of inputs that come from DRAM; returns the bytes that are read."""
        network, read = self.network, 0
        offset = start - self.base
        for buffer, rows in inputs.items():
            if buffer in inside:
                continue
            info = network.buffers[buffer]
            full = np.zeros((self.end + 1 - self.base, self.parts), dtype=np.int64)
            last = max(p for p in (*network.uses.get(buffer, ()), start) if p <= self.end)
            first = min((*(p for p in network.uses.get(buffer, ()) if p >= start), last))
            self._occupy(full, buffer, rows, first, last)
            full[: max(0, first - self.base)] = self._before(buffer, rows)
            live += full[offset:]
            span = int(rows.high.max() - rows.low.min()) * info.row_bytes
            read += int(span * self._share_outside(buffer, start))
        return read

    def _share_outside(self, buffer: str, start: int) -> float:
        """Share of a buffer that was computed before the group (a concat may be half inside)."""
        definitions = self.network.definitions.get(buffer)
        if not definitions:
            return 1.0
        types = self.network.graph.types
        sizes = [(position, types[tensor].nbytes) for position, tensor in definitions]
        return sum(n for position, n in sizes if position < start) / sum(n for _, n in sizes)

    def _add_outputs(
        self, live: Bytes, start: int, inside: Residents, outside: Residents
    ) -> tuple[Bytes, int]:
        """Bytes in use per step with residents in full, and the bytes that are written to DRAM."""
        network = self.network
        peaks = live.max(axis=1)
        constant = sum(network.buffers[b].nbytes for b in inside)
        write = 0
        for buffer in network.crossings[self.end + 1]:
            made = [t for p, t in network.definitions.get(buffer, []) if start <= p <= self.end]
            if not made:
                continue
            if buffer not in outside or buffer in network.network_outputs:
                write += sum(network.graph.types[t].nbytes for t in made)
            if buffer in outside and buffer not in inside:
                constant += self._resident_extra(buffer, start, inside)
                if buffer in self.owned:
                    counted = np.zeros_like(self.live)
                    last = min(network.last_use[buffer], self.end)
                    self._occupy(counted, buffer, self.owned[buffer], network.first_def[buffer], last)
                    peaks = peaks - counted[start - self.base :].min(axis=1)
        return peaks + constant, write

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

    def _weigh_in(
        self, start: int, inside: Residents, outside: Residents, peaks: Bytes, traffic: int
    ) -> FusedChoice | None:
        """Decide how much of the weights stays; None if the group does not fit."""
        if peaks.max() > self.room.activations:
            return None
        steps = range(start, self.end + 1)
        blocks = np.array([self.least_blocks[s] for s in steps], dtype=np.int64)
        if self.room.weights is None:
            free = self.room.activations - peaks
        else:
            free = np.full(len(peaks), self.room.weights, dtype=np.int64)
        weights = sum(self.network.weight_bytes(s) for s in steps)
        if self.parts > 1 and weights > free.min():
            pinned = int((free - blocks).min())
            reload = (weights - max(0, pinned)) * (self.parts - 1)
        else:
            pinned, reload = weights, 0
            if self.parts == 1 and (free < blocks).any():
                return None
        if pinned < 0:
            return None
        return FusedChoice(
            start,
            self.end,
            self.parts,
            inside,
            outside,
            pinned,
            traffic + weights + reload,
            self.compute,
            int(peaks.max()),
        )


def moves_ahead(kept: Bytes, following: Bytes) -> npt.NDArray[np.bool_]:
    """Whether kept rows move straight to the next tile (one move), or to a tile of their own (two).

    The next tile takes more room for longer; it is worth that when most of it is kept rows anyway.
    """
    return 2 * kept >= following


def in_place_source(network: PlanNetwork, position: int) -> str | None:
    """The buffer of an addition's operand that its result may overwrite: same size, last used here."""
    layer = network.layers[position]
    slot = None
    if isinstance(layer, MacLayer):
        slot = 3
    elif isinstance(layer, Elementwise) and layer.function is Function.ADD and not layer.params:
        slot = 0
    tensor = None if slot is None else network.graph.operand(layer.name, slot)
    if tensor is None or tensor not in network.graph.storage:
        return None
    graph, target = network.graph, network.defines[position]
    source = network.buffer_of(tensor)
    same = graph.storage[tensor].strides == graph.storage[target].strides
    alone = tensor == source and target == network.buffer_of(target)
    dead = network.last_use[source] == position and source not in network.network_inputs
    return source if same and alone and dead and graph.types[tensor] == graph.types[target] else None


def block_bytes(network: PlanNetwork, position: int, channels: int) -> int:
    """Bytes of a block of weights for this many output channels (all constants if it is no MAC layer)."""
    nbytes = network.weight_bytes(position)
    layer = network.layers[position]
    lane = geometry.lane_axis(layer, len(network.graph.types[network.defines[position]].shape))
    if lane is None or not network.graph.is_constant(network.graph.operand(layer.name, 1)):
        return nbytes
    total = network.graph.types[network.defines[position]].shape[lane]
    return ceil_div(nbytes * min(total, channels), total)


def layer_cycles(network: PlanNetwork, chip: Chip, position: int, rows: int) -> int:
    """Cycles of a layer for a number of rows of its result, issue cost included."""
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
    sizes = {b: network.buffers[b].nbytes for b in crossing}
    options = [frozenset(), frozenset(crossing), *(frozenset({b}) for b in crossing)]
    if len(crossing) <= 3:
        options += [frozenset(pair) for pair in combinations(crossing, 2)]
    fitting = {o for o in options if sum(sizes[b] for b in o) <= room.activations}
    return sorted(fitting, key=lambda o: (len(o), sorted(o)))


def parts_worth_trying(network: PlanNetwork, end: int) -> list[int]:
    """Numbers of parts for groups that end here: 1 if its rows cannot be cut."""
    rows = network.buffers[network.buffer_of(network.defines[end])].rows
    return [parts for parts in PARTS if parts <= rows]
