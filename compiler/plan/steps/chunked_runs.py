"""Runs of layers with hidden channels in chunks, as steps: partial sums stay on chip.

in:   a run of a fused group, the rows of its result in a part
out:  chunk by chunk: weights loaded, hidden activations computed, sums added to the result

    x -> expand -> depthwise -> project -> y, 64 hidden channels in two chunks:

    chunk 0   load weights of channels  0..31,  h = expand(x)[0..31],  d = depthwise(h), sums = project(d)
    chunk 1   load weights of channels 32..63,  h = expand(x)[32..63], d = depthwise(h), y = sums + project(d)

Bias, function and residual come with the last chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Boxes, Need
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import normal_order
from nnc.compiler.plan.alone.tiling import tile_layer, vector
from nnc.compiler.plan.network.hidden_runs import HiddenRun, chunked_operands
from nnc.compiler.plan.step import Tile
from nnc.compiler.plan.steps.group_operands import GroupOperands
from nnc.compiler.plan.steps.layer_boxes import Box, LayerBoxes, box_within
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.step_writer import OnChip, StepWriter
from nnc.compiler.plan.steps.strip_geometry import Part
from nnc.compiler.target import layer_traits
from nnc.isa.instruction import Phase
from nnc.isa.record import changed

_EPILOGUE = ir.MacLayer.slots.index("bias")
"""From this operand slot on, the last chunk alone reads."""


def compute_tile(
    writer: StepWriter,
    position: int,
    needs: dict[int, Need],
    ins: dict[int, Tile],
    out: Tile,
    phase: Phase = Phase.WHOLE,
) -> None:
    """Compute the tile `out` of a layer, or partial sums of it, from its operands by slot."""
    network = writer.network
    layer, whole = network.layers[position], network.graph.types[network.defines[position]].shape
    if 0 in needs:
        layer = tile_layer(layer, needs[0], 0, out.low, out.type.shape, whole)
    layer = changed(layer, name=out.name)
    slots = len(network.graph.inputs_of(network.layers[position].name))
    if phase is not Phase.WHOLE:
        assert isinstance(layer, ir.MacLayer)
        layer = changed(layer, phase=phase)
        slots = slots if phase is Phase.START else len(layer.slots)
    writer.compute(layer, out, tuple(ins.get(slot) for slot in range(slots)))


class ChunkedRuns:
    """Computes the runs of a fused group on one core."""

    def __init__(self, buffers: LineBuffers, boxes: LayerBoxes, operands: GroupOperands) -> None:
        self._network, self._writer = buffers.network, buffers.writer
        self._buffers, self._boxes, self._operands = buffers, boxes, operands

    def compute(self, run: HiddenRun, box: Box, part: Part) -> OnChip:
        """Compute the rows of a part of the result of a run; returns where they lie."""
        target = self._buffers.target(run.last, self._network.defines[run.last], part)
        pieces = self._row_pieces(run, box)
        sums: list[Tile | None] = [None] * len(pieces)
        count = len(run.ranges)
        for number, channels in enumerate(run.ranges):
            self._operands.begin_chunk()
            phase = Phase.START if number == 0 else Phase.FINISH if number == count - 1 else Phase.ADD
            for at, piece in enumerate(pieces):
                suffix = f".c{number}" if len(pieces) == 1 else f".c{number}.r{at}"
                self._hidden(run, piece, channels, part, suffix)
                sums[at] = self._sum(run, piece, channels, sums[at], target, part, phase, suffix)
        self._operands.end_chunks()
        for position in range(run.first, run.last):
            self._buffers.drop(self._network.buffer_of(self._network.defines[position]))
        return target

    def _row_pieces(self, run: HiddenRun, box: Box) -> list[Box]:
        """The rows of a box of the result that are worked through at once."""
        (low, shape), axis = box, self._network.view(self._network.defines[run.last]).axis
        if axis is None:
            return [box]
        ranges = run.row_ranges(low[axis], low[axis] + shape[axis])
        return [
            ((*low[:axis], first, *low[axis + 1 :]), (*shape[:axis], end - first, *shape[axis + 1 :]))
            for first, end in ranges
        ]

    def _hidden(self, run: HiddenRun, piece: Box, channels: tuple[int, int], part: Part, suffix: str) -> None:
        """Some hidden channels of the rows that a piece of the result needs."""
        network, boxes = self._network, self._hidden_boxes(run, piece, channels)
        for position in range(run.first, run.last):
            needs = self._boxes.needs_of_box(position, boxes[position])
            ins = self._operands.tiles_read(position, needs, part)
            ins |= self._operands.constants(position, needs, part)
            state = self._buffers.slice_of(
                network.buffer_of(network.defines[position]), *boxes[position], part
            )
            name = self._writer.name(network.layers[position].name, f"/p{part.number}{suffix}")
            out = self._writer.write(state, name, network.defines[position], *boxes[position])
            compute_tile(self._writer, position, needs, ins, out)

    def _hidden_boxes(self, run: HiddenRun, piece: Box, channels: tuple[int, int]) -> dict[int, Box]:
        """Some hidden channels of what a piece of the result needs of each hidden result, by position."""
        makers = {self._network.defines[position]: position for position in range(run.first, run.last)}
        wanted, hidden = {run.last: [piece]}, dict[int, Box]()
        for position in range(run.last, run.first - 1, -1):
            box = _hull(wanted[position])
            if position < run.last:
                box = hidden[position] = required(box_within(box, run.axis, channels))
            needs = self._boxes.needs_of_box(position, box)
            for slot, tensor in self._network.operands[position]:
                if (maker := makers.get(tensor)) is not None:
                    need = needs[slot].boxes
                    mine = vector(need.low[0]), vector(need.extents[0])
                    wanted.setdefault(maker, []).append(mine)
        return hidden

    def _sum(
        self,
        run: HiddenRun,
        piece: Box,
        channels: tuple[int, int],
        sums: Tile | None,
        target: OnChip,
        part: Part,
        phase: Phase,
        suffix: str,
    ) -> Tile:
        """Add what some hidden channels contribute to a piece of the result; returns its partial sums."""
        network, position = self._network, run.last
        needs = self._boxes.needs_of_box(position, piece)
        for slot, axis in chunked_operands(network, run).items():
            needs[slot] = _limited(needs[slot], axis, channels)
        if phase is not Phase.FINISH:
            needs = {slot: need for slot, need in needs.items() if slot < _EPILOGUE}
        ins = self._operands.tiles_read(position, needs, part)
        ins |= self._operands.constants(position, needs, part)
        if sums is not None:
            ins[len(ir.MacLayer.slots) - 1] = sums
        name = self._writer.name(network.layers[position].name, f"/p{part.number}{suffix}")
        if phase is Phase.FINISH:
            out = self._writer.write(target, name, network.defines[position], *piece)
        else:
            out = (sums or self._new_sums(run, piece, target, name)).named(name)
        compute_tile(self._writer, position, needs, ins, out, phase)
        return out

    def _new_sums(self, run: HiddenRun, piece: Box, target: OnChip, name: str) -> Tile:
        """Where partial sums lie: in the place of the result, or in a block of their own."""
        network, (low, shape) = self._network, piece
        tensor = network.defines[run.last]
        if not run.sums_bytes:
            return self._writer.tile_at(target, name, tensor, low, shape)
        type_ = TensorType(layer_traits.sums_dtype(network.graph, network.layers[run.last]), shape)
        order = normal_order(shape, network.graph.storage[tensor].order)
        return Tile.dense(name, tensor, low, type_, order, self._buffers.memory)


def _hull(boxes: Sequence[Box]) -> Box:
    """The smallest box that has several."""
    low = tuple(map(min, zip(*(low for low, _ in boxes), strict=True)))
    high = tuple(map(max, zip(*(map(add, low, shape) for low, shape in boxes), strict=True)))
    return low, tuple(map(sub, high, low))


def _limited(need: Need, axis: int, channels: tuple[int, int]) -> Need:
    """What of a need lies in a range of the summed axis."""
    low, high = need.boxes.low.copy(), need.boxes.high.copy()
    low[:, axis], high[:, axis] = channels
    return Need(Boxes(low, high), need.before, need.after)
