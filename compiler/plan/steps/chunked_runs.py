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

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Box, Boxes, Need, ranged, shifted
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import normal_order
from nnc.compiler.plan.alone.tiling import phase_of
from nnc.compiler.plan.network.hidden_runs import HiddenRun, chunked_operands
from nnc.compiler.plan.step import Tile
from nnc.compiler.plan.steps.layer_steps import LayerSteps
from nnc.compiler.plan.steps.part_boxes import box_of, box_within
from nnc.compiler.plan.steps.step_writer import OnChip
from nnc.compiler.target import layer_traits
from nnc.isa.instruction import Phase
from nnc.isa.record import changed

_EPILOGUE = ir.MacLayer.slots.index("bias")
"""From this operand slot on, the last chunk alone reads."""
Channels = tuple[int, int]


def compute_run(layers: LayerSteps, run: HiddenRun, box: Box) -> OnChip:
    """Compute the rows of a part of the result of a run; returns where they lie."""
    network, buffers = layers.network, layers.buffers
    target, pieces = buffers.target(run.last), _row_pieces(layers, run, box)
    sums: list[Tile | None] = [None] * len(pieces)
    for number, channels in enumerate(run.ranges):
        layers.begin_chunk()
        phase = phase_of(number, len(run.ranges))
        for row, piece in enumerate(pieces):
            suffix = f".c{number}" if len(pieces) == 1 else f".c{number}.r{row}"
            for position, hidden in _hidden_boxes(layers, run, piece, channels):
                buffer = network.buffer_of(network.defines[position])
                (needs,) = layers.boxes.needs_of(position, [hidden])
                layers.compute(position, hidden, needs, buffers.slice_of(buffer, hidden), suffix)
            sums[row] = _sum(layers, run, piece, channels, sums[row], target, phase, suffix)
    layers.end_chunks()
    for position in range(run.first, run.last):
        buffers.drop(network.buffer_of(network.defines[position]))
    return target


def _row_pieces(layers: LayerSteps, run: HiddenRun, box: Box) -> list[Box]:
    """The rows of a box of the result that are worked through at once."""
    (low, shape), axis = box, layers.network.view(layers.network.defines[run.last]).axis
    if axis is None:
        return [box]
    return [ranged(box, axis, *rows) for rows in run.row_ranges(low[axis], low[axis] + shape[axis])]


def _hidden_boxes(
    layers: LayerSteps, run: HiddenRun, piece: Box, channels: Channels
) -> list[tuple[int, Box]]:
    """Some hidden channels of what a piece of the result needs of each hidden result, in order."""
    network = layers.network
    makers = {network.defines[position]: position for position in range(run.first, run.last)}
    wanted, hidden = {run.last: [piece]}, list[tuple[int, Box]]()
    for position in range(run.last, run.first - 1, -1):
        box = hull(wanted[position])
        if position < run.last:
            box = required(box_within(box, run.axis, channels))
            hidden.append((position, box))
        (needs,) = layers.boxes.needs_of(position, [box])
        for slot, tensor in network.operands[position]:
            if (maker := makers.get(tensor)) is not None:
                wanted.setdefault(maker, []).append(box_of(needs[slot].boxes))
    return hidden[::-1]


def _sum(
    layers: LayerSteps,
    run: HiddenRun,
    piece: Box,
    channels: Channels,
    sums: Tile | None,
    target: OnChip,
    phase: Phase,
    suffix: str,
) -> Tile:
    """Add what some hidden channels contribute to a piece of the result; returns its partial sums."""
    network, position, writer = layers.network, run.last, layers.writer
    (needs,) = layers.boxes.needs_of(position, [piece])
    for slot, axis in chunked_operands(network, run).items():
        needs[slot] = _limited(needs[slot], axis, channels)
    if phase is not Phase.FINISH:
        needs = {slot: need for slot, need in needs.items() if slot < _EPILOGUE}
    ins = layers.activations(position, needs) | layers.constants(position, needs)
    if sums is not None:
        ins[len(ir.MacLayer.slots) - 1] = sums
    name = writer.name(network.layers[position].name, f"/p{writer.part.number}{suffix}")
    if phase is Phase.FINISH:
        out = writer.write(target, name, network.defines[position], piece)
    else:
        out = (sums or _new_sums(layers, run, piece, target, name)).named(name)
    writer.compute_tile(position, needs, ins, out, phase)
    return out


def _new_sums(layers: LayerSteps, run: HiddenRun, piece: Box, target: OnChip, name: str) -> Tile:
    """Where partial sums lie: in the place of the result, or in a block of their own."""
    graph, tensor = layers.network.graph, layers.network.defines[run.last]
    if not run.sums_bytes:
        return layers.writer.tile_at(target, name, tensor, piece)
    low, shape = piece
    type_ = TensorType(layer_traits.sums_dtype(graph, layers.network.layers[run.last]), shape)
    order = normal_order(shape, graph.storage[tensor].order)
    tile = Tile.dense(name, tensor, low, type_, order, layers.buffers.memory)
    block = layers.writer.name_of(tensor, "sums", is_common=True)
    return changed(tile, block=changed(tile.block, name=block))


def hull(boxes: Sequence[Box]) -> Box:
    """The smallest box that has several."""
    low = tuple(map(min, zip(*(low for low, _ in boxes), strict=True)))
    high = tuple(map(max, zip(*(shifted(low, shape) for low, shape in boxes), strict=True)))
    return low, shifted(high, low, -1)


def _limited(need: Need, axis: int, channels: Channels) -> Need:
    """What of a need lies in a range of the summed axis."""
    low, high = need.boxes.low.copy(), need.boxes.high.copy()
    low[:, axis], high[:, axis] = channels
    return Need(Boxes(low, high), need.before, need.after)
