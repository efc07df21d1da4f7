"""From a fused group to its steps, in the order of demand.

in:   a chosen group (layers, cut, slices of channels), the blocks of its weights, what is on chip before it
out:  steps of one core, part by part and layer by layer, each with a key that is the same on all cores

Two 3x3 convolutions x -> a -> y, cut into parts of 2 rows of y, as rows that are on chip (new ones in []):

              x               a             y
    part 0    [0 1 2 3]       [0 1 2]       [0 1]      load 4 rows, compute 3 and 2, store 2
    part 1    2 3 [4 5]       1 2 [3 4]     [2 3]      load 2 rows, compute 2 and 2, store 2
    part 2    4 5 [6 7]       3 4 [5 6]     [4 5]

`a` never visits DRAM; weights stay for all parts or come again in blocks (`weight_blocks`); a layer whose
weights come in blocks is computed block by block of its output channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nnc.compiler.ir.regions.operand_boxes import Need
from nnc.compiler.ir.required import required
from nnc.compiler.plan.fusion.channel_slices import leaves_in_slices, sliced_residual
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Keyed, Tile
from nnc.compiler.plan.steps.chunked_runs import ChunkedRuns, compute_tile
from nnc.compiler.plan.steps.group_operands import GroupOperands, StagedOperands, parts_of
from nnc.compiler.plan.steps.layer_boxes import Box, LayerBoxes
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.step_writer import OnChip, OnChipBetween, StepWriter, Vector
from nnc.compiler.plan.steps.strip_geometry import Part
from nnc.compiler.plan.steps.weight_blocks import WeightPlan


class FusedGroup:
    """One fused group on one core: what each part loads, computes and stores."""

    def __init__(
        self,
        network: PlanNetwork,
        staging: Staging,
        choice: FusedChoice,
        weights: WeightPlan,
        residents_in: OnChipBetween,
        core: int = 0,
    ) -> None:
        self.network, self.graph = network, network.graph
        self.choice, self.weights = choice, weights
        self.writer = StepWriter(network, network.layers[choice.end].name, core)
        home, align = staging.memories.home, staging.chip.block_align(staging.memories.home)
        self.buffers = LineBuffers(network, home, align, choice, weights.runs, residents_in, self.writer)
        self.boxes = LayerBoxes(network, self.buffers)
        self.staging, self.staged = staging, StagedOperands(network, staging, self.writer)
        self.operands = GroupOperands(network, weights, staging.memories.store, self.buffers, self.writer)
        self.chunks = ChunkedRuns(self.buffers, self.boxes, self.operands)
        self._stored: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}

    def steps(self) -> Keyed:
        """All steps of the core in the order of demand, with keys that are the same on all cores."""
        for _ in self.part_by_part():
            pass
        return self.writer.steps

    def part_by_part(self) -> Iterator[Keyed]:
        """The steps so far, after each part: one list, which grows."""
        choice, cut = self.choice, self.choice.cut
        whole = range(choice.start, min(choice.sliced_from, choice.end + 1))
        sliced = range(choice.sliced_from, choice.end + 1)
        _, side = divmod(self.writer.core, cut.column_shards)
        for number in range(choice.parts):
            strip, at = divmod(number, cut.parts)
            part = Part(number, strip + side, at)
            self.writer.part = number
            if at == 0:
                self.buffers.begin_strip()
            self.operands.begin_part()
            if number == 0 and cut.recompute:
                self._pinned_weights(part)
            for position in whole:
                self._layer(position, part)
            self._channel_slices(part)
            for position in sliced:
                self.buffers.finish(position, part)
            yield self.writer.steps

    def residents_out(self) -> OnChipBetween:
        """What the steps leave on chip for the next group."""
        return self.buffers.residents_out()

    def _pinned_weights(self, part: Part) -> None:
        """Load the weights that stay before the parts begin, as M1 does (else when a layer needs them)."""
        for position in range(self.choice.start, min(self.choice.sliced_from, self.choice.end + 1)):
            if (box := self.boxes.new(position, part)) is None or position in self.weights.runs:
                continue
            for channels in self.weights.blocks(position)[: self.weights.pinned[position]]:
                if (block := self.boxes.channels(position, box, channels)) is not None:
                    self.operands.constants(position, self.boxes.needs_of_box(position, block), part)

    # --- a layer of a part ----------------------------------------------------------------------------------

    def _layer(self, position: int, part: Part) -> None:
        """The new rows of a layer, or of a run of layers that ends with it, and what they leave."""
        run = self.weights.runs.get(position)
        if run is not None and run.is_hidden(position):
            return  # chunk by chunk, with the last layer of the run
        if (box := self.boxes.new(position, part)) is not None:
            if run is None:
                target = self._whole_layer(position, box, part)
            else:
                target = self.chunks.compute(run, box, part)
            self._store(position, target, box, part)
        for done in range(position if run is None else run.first, position + 1):
            self.buffers.finish(done, part)

    def _whole_layer(self, position: int, box: Box, part: Part) -> OnChip:
        """The new rows of a layer, all channels at once or one block of weights after the other."""
        tensor = self.network.defines[position]
        needs = self.boxes.needs(position, part)
        operands = self.operands.tiles_read(position, needs, part)
        target = self.buffers.target(position, tensor, part)
        blocks = self.weights.blocks(position)
        if len(blocks) == 1:
            self._compute(position, box, needs, operands, target, part)
        else:
            self._by_blocks(position, box, needs, operands, target, part)
        return target

    def _by_blocks(
        self,
        position: int,
        box: Box,
        whole_needs: dict[int, Need],
        operands: dict[int, Tile],
        target: OnChip,
        part: Part,
    ) -> None:
        """A layer in slices of output channels, one per block of weights."""
        blocks = enumerate(self.weights.blocks(position))
        cut = [(n, piece) for n, block in blocks if (piece := self.boxes.channels(position, box, block))]
        needs_of_all = self.boxes.needs_of_boxes(position, [sliced for _, sliced in cut])
        for (number, sliced), needs in zip(cut, needs_of_all, strict=True):
            mine = parts_of(self.writer, operands, needs, whole_needs)
            self._compute(position, sliced, needs, mine, target, part, f".b{number}")

    def _channel_slices(self, part: Part) -> None:
        """The last layers of a part, slice by slice of their output channels, each in blocks of channels."""
        choice, buffers, boxes = self.choice, self.buffers, self.boxes
        positions = range(choice.sliced_from, choice.end + 1)
        whole = {position: box for position in positions if (box := boxes.new(position, part)) is not None}
        for channels in self.weights.slices:
            mine = {p: box for p in whole if (box := boxes.channels(p, whole[p], channels)) is not None}
            if choice.sliced_from in mine:
                self._fetch_residual(mine[choice.sliced_from], part)
            leaving = {
                p: self._slice_target(p, mine[p], part)
                for p in mine
                if leaves_in_slices(self.network, p, choice.end)
            }
            for number, block in enumerate(self.weights.blocks(choice.sliced_from)):
                for position in mine:
                    box = boxes.channels(position, mine[position], block)
                    if box is not None:
                        target = leaving.get(position) or self._slice_target(position, box, part)
                        needs = boxes.needs_of_box(position, box)
                        operands = self.operands.tiles_read(position, needs, part)
                        self._compute(position, box, needs, operands, target, part, f".b{number}")
            for position, target in leaving.items():
                self._store(position, target, mine[position], part)
            for position in positions:
                buffers.drop(self.network.buffer_of(self.network.defines[position]))

    def _fetch_residual(self, box: Box, part: Part) -> None:
        """Load a slice of the operand that the first of the sliced layers adds, unless it is on chip."""
        choice = self.choice
        residual = sliced_residual(self.network, choice.start, choice.end, choice.sliced_from)
        if residual is not None and not self.buffers.is_resident(residual):
            state = self.buffers.slice_of(residual, *box, part)
            self.buffers.fetch(state, residual, *box, self.network.layers[choice.sliced_from])

    def _slice_target(self, position: int, box: Box, part: Part) -> OnChip:
        """Where a slice goes: into the whole buffer if it stays on chip, else to a tile of its own."""
        tensor = self.network.defines[position]
        buffer = self.network.buffer_of(tensor)
        if self.buffers.is_resident(buffer) or self.buffers.stays(buffer):
            return self.buffers.target(position, tensor, part)
        return self.buffers.slice_of(buffer, *box, part)

    def _compute(
        self,
        position: int,
        box: Box,
        needs: dict[int, Need],
        operands: dict[int, Tile],
        target: OnChip,
        part: Part,
        suffix: str = "",
    ) -> None:
        """One box of a layer into its place in the target, in tiles whose staged operands fit."""
        network, stem = self.network, self.network.layers[position].name
        constants = self.operands.constants(position, needs, part)
        tiles = list(self.staging.boxes(network, position, box))
        of_tiles = [needs] if tiles == [box] else self.boxes.needs_of_boxes(position, tiles)
        for number, (tile, mine) in enumerate(zip(tiles, of_tiles, strict=True)):
            ins = operands | constants
            if tile != box:
                ins = parts_of(self.writer, ins, mine, needs)
            tail = f"/p{part.number}{suffix}" if number == 0 else f"/p{part.number}{suffix}.t{number}"
            ins = self.staged.bring(position, part.number, ins, tail)
            name = self.writer.name(stem, tail)
            out = self.writer.write(target, name, network.defines[position], *tile)
            compute_tile(self.writer, position, mine, ins, out)

    # --- results --------------------------------------------------------------------------------------------

    def _store(self, position: int, state: OnChip, box: Box, part: Part) -> None:
        """Write new rows of a layer's result to DRAM if they are needed there."""
        network, choice = self.network, self.choice
        tensor = network.defines[position]
        buffer = network.buffer_of(tensor)
        read_there = network.last_read[buffer] > choice.end and not self.buffers.stays(buffer)
        if not read_there and tensor not in network.delivered:
            return
        low, shape = self._own_rows(tensor, *self._not_yet_stored(position, *box))
        if min(shape, default=1) <= 0:
            return
        away, here = self.buffers.last_rows.split(tensor, low, shape, choice.residents_out)
        if away is not None:
            origin = required(network.view(tensor).origin)
            at = tuple(a + b for a, b in zip(away[0], origin, strict=True))
            tile = replace(self.writer.box(buffer, state, at, away[1]), tensor=tensor, low=away[0])
            self.writer.store(network.layers[position], tile)
        if here is not None and not self.buffers.last_rows.move_by_rows:  # else when nobody reads the tile
            self.buffers.last_rows.keep(tensor, here[0], self.writer.box(buffer, state, *here))

    def _own_rows(self, tensor: str, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
        """The rows of a box that belong to this core: those beside them, other cores store."""
        view = self.network.view(tensor)
        if self.choice.cut.row_shards == 1 or view.axis is None:
            return low, shape
        first, end = self.buffers.walk.own_rows(self.network.buffers[view.buffer].rows)
        axis, at = view.axis, low[view.axis] + view.first
        start, stop = max(at, first), min(at + shape[axis], end)
        low = (*low[:axis], start - view.first, *low[axis + 1 :])
        return low, (*shape[:axis], stop - start, *shape[axis + 1 :])

    def _not_yet_stored(self, position: int, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
        """The rows of a box that are stored for the first time: parts and strips may compute rows again."""
        cut, axis = self.choice.cut, self.network.view(self.network.defines[position]).axis
        if not cut.recompute and cut.strips == 1:
            return low, shape
        others = tuple(pair for at, pair in enumerate(zip(low, shape, strict=True)) if at != axis)
        stored = self._stored.get((position, others), 0)
        if axis is None:
            self._stored[position, others] = 1
            return low, (0,) * len(shape) if stored else shape
        first, end = max(low[axis], stored), low[axis] + shape[axis]
        self._stored[position, others] = max(end, stored)
        return (*low[:axis], first, *low[axis + 1 :]), (*shape[:axis], end - first, *shape[axis + 1 :])
