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

from nnc.compiler.ir.regions.boxes import Box, ranged, shifted
from nnc.compiler.ir.required import required
from nnc.compiler.plan.fusion.channel_slices import leaves_in_slices, sliced_residual
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Keyed
from nnc.compiler.plan.steps.chunked_runs import compute_run
from nnc.compiler.plan.steps.layer_steps import LayerSteps
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.part_boxes import Needs
from nnc.compiler.plan.steps.step_writer import OnChip, OnChipBetween, Part, StepWriter
from nnc.compiler.plan.steps.weight_blocks import WeightPlan
from nnc.isa.record import changed


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
        self.network, self.choice, self.weights = network, choice, weights
        self.writer = StepWriter(network, choice, core)
        self.buffers = LineBuffers(self.writer, staging, weights.runs, residents_in)
        self.boxes = self.buffers.boxes
        self.layers = LayerSteps(self.writer, weights, staging, self.buffers)
        self._stored: dict[tuple[int, Box], int] = {}

    def steps(self) -> Keyed:
        """All steps of the core in the order of demand, with keys that are the same on all cores."""
        for _ in self.part_by_part():
            pass
        return self.writer.steps

    def part_by_part(self) -> Iterator[Keyed]:
        """The steps so far, after each part: one list, which grows."""
        choice, cut, writer = self.choice, self.choice.cut, self.writer
        for number in range(choice.parts):
            strip, place = divmod(number, cut.parts)
            writer.part = Part(number, strip + writer.core % cut.column_shards, place)
            if place == 0:
                self.buffers.begin_strip()
            self.layers.begin_part()
            if number == 0 and cut.recompute:
                self._pinned_weights()
            for position in writer.unsliced:
                self._layer(position)
            self._channel_slices()
            for position in writer.sliced:
                self.buffers.finish(position)
            yield writer.steps

    def residents_out(self) -> OnChipBetween:
        """What the steps leave on chip for the next group."""
        return self.buffers.residents_out()

    def _pinned_weights(self) -> None:
        """Load the weights that stay before the parts begin, as M1 does (else when a layer needs them)."""
        for position in self.writer.unsliced:
            if (new := self.boxes.new(position)) is None or position in self.weights.runs:
                continue
            pinned = self.weights.blocks(position)[: self.weights.pinned[position]]
            blocks = [block for each in pinned if (block := self.boxes.channels(position, new[0], each))]
            for needs in self.boxes.needs_of(position, blocks):
                self.layers.constants(position, needs)

    # --- a layer of a part ----------------------------------------------------------------------------------

    def _layer(self, position: int) -> None:
        """The new rows of a layer, or of a run of layers that ends with it, and what they leave."""
        run = self.weights.runs.get(position)
        if run is not None and run.is_hidden(position):
            return  # chunk by chunk, with the last layer of the run
        if (new := self.boxes.new(position)) is not None:
            target = self._whole(position, *new) if run is None else compute_run(self.layers, run, new[0])
            self._store(position, target, new[0])
        for done in range(position if run is None else run.first, position + 1):
            self.buffers.finish(done)

    def _whole(self, position: int, box: Box, needs: Needs) -> OnChip:
        """The new rows of a layer, all channels at once or one block of weights after the other."""
        ins, target = self.layers.activations(position, needs), self.buffers.target(position)
        blocks = self.weights.blocks(position)
        if len(blocks) == 1:
            self.layers.compute(position, box, needs, target, activations=ins)
            return target
        cut = {f".b{n}": self.boxes.channels(position, box, block) for n, block in enumerate(blocks)}
        pieces = {suffix: piece for suffix, piece in cut.items() if piece is not None}
        needs_of_pieces = self.boxes.needs_of(position, [*pieces.values()])
        for (suffix, piece), its_needs in zip(pieces.items(), needs_of_pieces, strict=True):
            its_ins = self.layers.parts_of(ins, its_needs, needs)
            self.layers.compute(position, piece, its_needs, target, suffix, its_ins)
        return target

    # --- the last layers, in slices of channels -------------------------------------------------------------

    def _channel_slices(self) -> None:
        """The last layers of a part, slice by slice of their output channels, each in blocks of channels."""
        first, buffers, boxes = self.choice.sliced_from, self.buffers, self.boxes
        whole = {position: new[0] for position in self.writer.sliced if (new := boxes.new(position))}
        for channels in self.weights.slices:
            sliced = {p: box for p in whole if (box := boxes.channels(p, whole[p], channels))}
            if first in sliced:
                self._fetch_residual(sliced[first])
            leaving = {
                position: self._slice_target(position, box)
                for position, box in sliced.items()
                if leaves_in_slices(self.network, position, self.choice.end)
            }
            for number, block in enumerate(self.weights.blocks(first)):
                for position in sliced:
                    if (box := boxes.channels(position, sliced[position], block)) is not None:
                        target = leaving.get(position) or self._slice_target(position, box)
                        (needs,) = boxes.needs_of(position, [box])
                        self.layers.compute(position, box, needs, target, f".b{number}")
            for position, target in leaving.items():
                self._store(position, target, sliced[position])
            for position in self.writer.sliced:
                buffers.drop(self.network.buffer_of(self.network.defines[position]))

    def _fetch_residual(self, box: Box) -> None:
        """Load a slice of the operand that the first of the sliced layers adds, unless it is on chip."""
        choice = self.choice
        residual = sliced_residual(self.network, choice.start, choice.end, choice.sliced_from)
        if residual is not None and not self.buffers.is_resident(residual):
            state = self.buffers.slice_of(residual, box)
            self.buffers.fetch(state, residual, box, self.network.layers[choice.sliced_from])

    def _slice_target(self, position: int, box: Box) -> OnChip:
        """Where a slice goes: into the whole buffer if it stays on chip, else to a tile of its own."""
        buffer = self.network.buffer_of(self.network.defines[position])
        if self.buffers.is_resident(buffer) or self.buffers.stays(buffer):
            return self.buffers.target(position)
        return self.buffers.slice_of(buffer, box)

    # --- results --------------------------------------------------------------------------------------------

    def _store(self, position: int, state: OnChip, box: Box) -> None:
        """Write new rows of a layer's result to DRAM if they are needed there."""
        network, tensor = self.network, self.network.defines[position]
        buffer = network.buffer_of(tensor)
        read_there = network.last_read[buffer] > self.choice.end and not self.buffers.stays(buffer)
        if not read_there and tensor not in network.delivered:
            return
        box = self._own_rows(tensor, self._not_yet_stored(position, box))
        if min(box[1], default=1) <= 0:
            return
        last_rows = self.buffers.last_rows
        away, here = last_rows.split(tensor, box, self.choice.residents_out)
        if away is not None:
            corner = shifted(away[0], required(network.view(tensor).origin))
            tile = self.writer.box(buffer, state, (corner, away[1]))
            self.writer.store(network.layers[position], changed(tile, tensor=tensor, low=away[0]))
        if here is not None and not last_rows.move_by_rows:  # else when nobody reads the tile
            last_rows.keep(tensor, here[0], self.writer.box(buffer, state, here))

    def _own_rows(self, tensor: str, box: Box) -> Box:
        """The rows of a box that belong to this core: those beside them, other cores store."""
        view = self.network.view(tensor)
        if self.choice.cut.row_shards == 1 or view.axis is None:
            return box
        own = self.boxes.walk.own_rows(self.network.buffers[view.buffer].rows)
        first, end = (row - view.first for row in own)
        low = box[0][view.axis]
        return ranged(box, view.axis, max(low, first), min(low + box[1][view.axis], end))

    def _not_yet_stored(self, position: int, box: Box) -> Box:
        """The rows of a box that are stored for the first time: parts and strips may compute rows again."""
        cut, axis = self.choice.cut, self.network.view(self.network.defines[position]).axis
        if not cut.recompute and cut.strips == 1:
            return box
        key = position, box if axis is None else ranged(box, axis, 0, 0)
        stored = self._stored.get(key, 0)
        if axis is None:
            self._stored[key] = 1
            return (box[0], (0,) * len(box[0])) if stored else box
        first, end = box[0][axis], box[0][axis] + box[1][axis]
        self._stored[key] = max(end, stored)
        return ranged(box, axis, max(first, stored), end)
