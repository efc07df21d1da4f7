"""A convolution with two fixed buffers of input rows (M3) in time, and what it takes.

in:   a convolution in numbers (`ConvShape`), and how it is cut (`Timetable`, `BufferedConv`)
out:  the rows of the timetable (`Turn`), which `steps` maps to loads, computations and stores; what is
      summed up over them: bytes on chip (`vector_bytes`), traffic and cycles (`priced`)

    load   buffer   input rows   input channels   rows of the result, with rows of the kernel
    0      1        0            0..63            0 with 1..1: start    1 with 0..0: start
    1      2        0            0..63            the same, other columns
    2      1        1            0..63            0 with 2..2: finish   1 with 1..1: add   2 with 0..0: start

Weights, sums and results lie in another memory than the buffers.  The cores share the output channels; those
whose weights do not fit at once are computed in passes, each of which runs through the whole timetable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import ConvBuffers, Window
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone import m3_geometry as geometry
from nnc.compiler.plan.alone.m3_geometry import Half, Range, Visit
from nnc.compiler.target import layer_work
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import Engine, Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.record import changed, record
from nnc.isa.timing.timeline import Task, schedule

Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Of a tensor: the first element, and the extents."""

RESULTS = 3
"""Results, and residuals, at a time: one is computed, others are stored."""


class ConvShape:
    """A two-dimensional convolution in numbers, without names.

    Attributes:
        source, weight, out: types of the input [N, C, H, W], the weights and the result.
        residual: type of what is added to the result, if anything is; epilogue: of bias and scale, by slot.
        halves: of the columns.
        column_step: columns of the tensor that the input is a view of, from one of the picture to the next.
    """

    def __init__(self, graph: Graph, layer: ir.Conv) -> None:
        self.layer, inputs = layer, graph.inputs_of(layer.name)
        types = [None if tensor is None else graph.types[tensor] for tensor in inputs]
        self.source, self.weight = required(types[0]), required(types[1])
        self.out = graph.types[graph.output_of(layer.name)]
        self.epilogue = {slot: type_ for slot, type_ in enumerate(types) if slot > 1 and type_ is not None}
        self.residual = self.epilogue.pop(layer.slots.index("residual"), None)
        self.halves = geometry.split_columns(self.source.shape[3], self.window(1))
        view = graph.producer(required(inputs[0]))
        self.column_step = view.step[3] if isinstance(view, ir.Slice) else 1

    def window(self, axis: int) -> Window:
        """The window along rows (0) or columns (1)."""
        layer = self.layer
        sizes = (layer.kernel, layer.stride, layer.dilation, layer.pad_begin, layer.pad_end)
        return Window(*(values[axis] for values in sizes))


@record(frozen=True, slots=True)
class Turn:
    """A row of the timetable: what is done at a time with what one buffer holds.

    Attributes:
        load: number of the load that filled the buffer; turns in pieces of the weights have one in common.
        source: what it loaded of the input; half: the columns.
        piece: of the weights that is taken; None: all of them.
        channels: of the input that are summed.
        visits: rows of the result, and what happens to their sums.
    """

    load: int
    source: Box
    half: Half
    piece: int | None
    channels: Range
    visits: Sequence[tuple[Visit, Phase]]

    def result(self, visit: Visit, outputs: Range) -> Box:
        """The rows of the result of a visit, of some output channels."""
        low = (self.source[0][0], outputs[0], visit.low, self.half.low)
        return low, (1, outputs[1] - outputs[0], visit.high - visit.low, self.half.high - self.half.low)


@dataclass(frozen=True)
class Timetable:
    """What is done in a pass over the input, whatever the output channels.

    Attributes:
        r: input rows in a buffer; channels: in a buffer.
        pieces: of input channels in which the weights of a pass are loaded, each as soon as the last block
            of the pass before is done with it; 1: at once.
        most_rows: rows of the result in an instruction.
    """

    shape: ConvShape = field(compare=False)
    r: int
    channels: int
    pieces: int
    most_rows: int

    @cached_property
    def blocks(self) -> list[list[Visit]]:
        """The visits by block of input rows."""
        window, rows = self.shape.window(0), self.shape.source.shape[2]
        return required(geometry.row_blocks(window, rows, self.r, self.most_rows))

    @property
    def chunks(self) -> list[Range]:
        """Ranges of the input channels that a buffer holds."""
        return geometry.ranges(0, self.shape.source.shape[1], self.channels)

    @property
    def weight_pieces(self) -> list[Range]:
        """Ranges of the input channels whose weights are loaded together."""
        channels = self.shape.source.shape[1]
        return geometry.ranges(0, channels, ceil_div(channels, self.pieces))

    @cached_property
    def turns(self) -> list[Turn]:
        """The rows, in order: a block in one buffer, then in the other.

        The first block of a pass takes the pieces of the weights as they come, and the last one, too, so that
        those of the next pass find room.
        """
        images, _, rows, _ = self.shape.source.shape
        halves, ends = self.shape.halves, ((0, 0), (images - 1, len(self.blocks) - 1))
        turns: list[Turn] = []
        for place in ((image, block) for image in range(images) for block in range(len(self.blocks))):
            (image, block), first = place, place[1] * self.r
            in_pieces = self.pieces > 1 and place in ends
            steps = self.weight_pieces if in_pieces else self.chunks
            load = turns[-1].load + 1 if turns else 0
            for step, channels in enumerate(steps):
                low, high = self.chunks[0] if in_pieces else channels
                phases = [(visit, visit.phase(step, len(steps))) for visit in self.blocks[block]]
                for number, half in enumerate(halves, load if in_pieces else load + step * len(halves)):
                    extents = (1, high - low, min(rows, first + self.r) - first, half.last - half.first)
                    source = (image, low, first, half.first), extents
                    turns.append(Turn(number, source, half, step if in_pieces else None, channels, phases))
        return turns

    @cached_property
    def loads(self) -> list[list[Turn]]:
        """The rows by load."""
        found: defaultdict[int, list[Turn]] = defaultdict(list)
        for turn in self.turns:
            found[turn.load].append(turn)
        return [*found.values()]

    @cached_property
    def sum_rows(self) -> int:
        """Most rows of sums that are on chip at a time, of one half."""
        alive = most = 0
        for turn in self.turns:
            if turn.half is self.shape.halves[0]:
                alive += sum(visit.high - visit.low for visit, phase in turn.visits if phase is Phase.START)
                most = max(most, alive)
                alive -= sum(visit.high - visit.low for visit, phase in turn.visits if phase is Phase.FINISH)
        return most

    @cached_property
    def tallest(self) -> int:
        """Most rows of the result in an instruction, as they are cut."""
        return max(visit.high - visit.low for visits in self.blocks for visit in visits)

    def vector_bytes(self, outputs: int, align: int, most_rows: int | None = None) -> int:
        """Bytes of weights, sums and results beside each other, for so many output channels per pass.

        Args:
            align: bytes of which blocks are multiples.
            most_rows: rows of the result in an instruction, if they are cut further.
        """
        shape = self.shape
        widths = [half.high - half.low for half in shape.halves]
        sum_bytes = outputs * shape.layer.partial_type(shape.source.dtype).itemsize
        result = min(most_rows or self.tallest, self.tallest) * max(widths) * outputs
        blocks = [(1, outputs * prod(shape.weight.shape[1:]) * shape.weight.dtype.itemsize)]
        blocks += [(1, type_.nbytes) for type_ in shape.epilogue.values()]
        blocks += [(self.sum_rows, width * sum_bytes) for width in widths]
        blocks += [(RESULTS, result * type_.dtype.itemsize) for type_ in (shape.out, shape.residual) if type_]
        return sum(count * round_up(nbytes, align) for count, nbytes in blocks)

    def most_rows_in(self, nbytes: int, outputs: int, align: int) -> int:
        """The most rows of the result in an instruction for which so many bytes do; 0: not even one."""
        rows = range(1, self.most_rows + 1)
        return bisect_right(rows, nbytes, key=partial(self.vector_bytes, outputs, align))

    def cut(self, most_rows: int) -> Timetable:
        """The same with so many rows of the result in an instruction at most."""
        return self if most_rows >= self.tallest else replace(self, most_rows=most_rows)


@dataclass(frozen=True)
class BufferedConv:
    """A convolution with its timetable, and how its output channels are shared and cut.

    Attributes:
        outputs: output channels whose weights a core has on chip at a time.
        share: that a core computes, of which the last one may have less.
    """

    table: Timetable
    outputs: int
    share: int
    cores: int

    def passes(self, core: int) -> list[Range]:
        """Ranges of the output channels that a core computes, each with all of the input."""
        last = min(self.table.shape.out.shape[1], (core + 1) * self.share)
        return geometry.ranges(core * self.share, last, self.outputs)

    def constants(self, core: int, number: int) -> list[tuple[int, Box]]:
        """Slot and box of what a core loads for a pass: weights in pieces, then biases and scales.

        What serves all output channels stays on chip.
        """
        shape, (low, high) = self.table.shape, self.passes(core)[number]
        first = [(low, first, 0, 0) for first, _ in self.table.weight_pieces]
        extents = [(high - low, b - a, *shape.weight.shape[2:]) for a, b in self.table.weight_pieces]
        found: list[tuple[int, Box]] = [(1, box) for box in zip(first, extents, strict=True)]
        for slot, type_ in shape.epilogue.items():
            if len(type_.shape) == 1 and type_.shape[0] != 1:
                found.append((slot, ((low,), (high - low,))))
            elif number == 0:
                found.append((slot, ((0,) * len(type_.shape), type_.shape)))
        return found

    @property
    def figures(self) -> ConvBuffers:
        """The buffers as the graph and the report show them."""
        table, shape = self.table, self.table.shape
        left, right = shape.halves[0], shape.halves[-1]
        return ConvBuffers(
            t=right.high,
            t1=left.high,
            t2=right.high - left.high,
            w1=left.width,
            w2=right.width if len(shape.halves) > 1 else 0,
            r=table.r,
            blocks=len(table.blocks),
            nbytes=geometry.nbytes(shape.halves, table.r, table.channels, shape.source.dtype.itemsize, 1),
            channels=table.channels,
            chunks=len(table.chunks),
            outputs=self.outputs,
            passes=len(self.passes(0)),
            step=shape.column_step,
        )


@dataclass(frozen=True, slots=True)
class BufferedCandidate:
    """A convolution with two buffers, priced.

    Attributes:
        demand: bytes that it holds, by memory.
        dram_bytes: traffic, to the byte; cycles: estimate of work and transfers together.
        tiles: loads of a buffer; ends: DRAM bytes of their first loads, of activations and of constants, and
            of the last store.
    """

    conv: BufferedConv
    demand: Mapping[str, int]
    dram_bytes: int
    cycles: int
    tiles: int
    ends: tuple[int, int, int]


def priced(graph: Graph, chip: Chip, conv: BufferedConv, demand: Mapping[str, int]) -> BufferedCandidate:
    """A convolution with its price: as the simulator's scheduler has it if one core made all transfers.

    Its work is that of core 0, whose share is the largest.
    """
    price = _Price(graph, chip, conv)
    passes = [price.of_pass(number) for number in range(len(conv.passes(0)))]
    dram_bytes = cycles = 0
    for number, (constants, loads) in enumerate(passes):
        dram_bytes += constants + sum(task.dram_bytes for tasks in loads for task in tasks)
        cycles += _pass_cycles(chip, conv, constants // (conv.table.pieces if number else 1), loads)
    least = chip.dram.latency + ceil_div(dram_bytes, chip.transfer_rate(conv.cores))
    (constants, ((first, *_), *_)), (_, last) = passes[0], passes[-1]
    stored = next((store.dram_bytes for *_, store in reversed(last) if store.dram_bytes), 0)
    ends = first.dram_bytes, constants, stored
    tiles = sum(len(loads) for _, loads in passes)
    return BufferedCandidate(conv, demand, dram_bytes, max(cycles, least), tiles, ends)


class _Price:
    """DRAM bytes of boxes and cycles of instructions of a timetable."""

    def __init__(self, graph: Graph, chip: Chip, conv: BufferedConv) -> None:
        self._graph, self._chip, self._conv = graph, chip, conv
        layer, shape = conv.table.shape.layer, conv.table.shape
        self._inputs, self._output = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self._residual = self._inputs[layer.slots.index("residual")] if shape.residual else None
        self._sources = [self._moved_bytes(self._inputs[0], turns[0].source) for turns in conv.table.loads]

    def of_pass(self, number: int) -> tuple[int, list[tuple[Task, Task, Task]]]:
        """DRAM bytes of the constants of a pass; of each load, that, the work on it, and the stores."""
        conv, buffers = self._conv, len(self._conv.table.shape.halves)
        cores = [core for core in range(conv.cores) if number < len(conv.passes(core))]
        shares = [conv.passes(core)[number] for core in cores]
        constants = [found for core in cores for found in conv.constants(core, number)]
        cycles_of, tasks = cache(self._cycles), []
        for load, turns in enumerate(conv.table.loads):
            work, loaded, stored = 0, self._sources[load], 0
            for turn, (visit, phase) in ((row, each) for row in turns for each in row.visits):
                taps = turn.channels[1] - turn.channels[0], visit.last - visit.first
                work += cycles_of(turn.result(visit, shares[0])[1], taps, phase)
                for outputs in shares if phase in (Phase.WHOLE, Phase.FINISH) else ():
                    box = turn.result(visit, outputs)
                    loaded += 0 if self._residual is None else self._moved_bytes(self._residual, box)
                    stored += self._moved_bytes(self._output, box)
            landed = prod(turns[0].source[1]) * conv.table.shape.source.dtype.itemsize
            waits = ((1, load - buffers),) if load >= buffers else ()
            read = Task(move_cycles(self._chip, landed), loaded, waits)
            tasks.append((read, Task(work, waits=((0, load + 1),)), Task(0, stored, ((1, load),))))
        return sum(self._moved_bytes(self._inputs[slot], box) for slot, box in constants), tasks

    def _moved_bytes(self, tensor: str | None, box: Box) -> int:
        """DRAM bytes of the transfer of a box, whole bursts; buffers and packed constants start with one."""
        type_, burst, (low, extents) = self._graph.types[required(tensor)], self._chip.dram.burst, box
        size = type_.dtype.itemsize
        if self._graph.is_constant(tensor):
            return round_up(prod(extents) * size, burst)
        stored = self._graph.storage[required(tensor)].box(low, extents)
        strides = tuple(size * stride for stride in stored.strides)
        return burst_bytes(Operand(DRAM, stored.offset * size, type_.dtype, extents, strides), burst)

    def _cycles(self, tile: tuple[int, ...], taps: tuple[int, int], phase: Phase) -> int:
        """Cycles of an instruction: a tile of the result; input channels x kernel rows."""
        shape, order = self._conv.table.shape, (0, 2, 3, 1)
        layer = changed(shape.layer, kernel=(taps[1], shape.layer.kernel[1]))
        ins: list[Operand | None] = [None] * len(layer.slots)
        ins[0] = layer_work.block(shape.source.dtype, (1, taps[0], *tile[2:]), order)
        ins[1] = layer_work.block(shape.weight.dtype, (tile[1], *taps, layer.kernel[1]), order)
        sums = layer_work.block(layer.partial_type(shape.source.dtype), tile, order)
        out = sums if phase in (Phase.START, Phase.ADD) else layer_work.block(shape.out.dtype, tile, order)
        if phase in (Phase.ADD, Phase.FINISH):
            ins[-1] = sums
        if shape.residual and phase in (Phase.WHOLE, Phase.FINISH):
            ins[layer.slots.index("residual")] = layer_work.block(shape.residual.dtype, tile, order)
        return layer_work.tile_cycles(self._chip, layer, out, ins)


def _pass_cycles(chip: Chip, conv: BufferedConv, constants: int, loads: list[tuple[Task, Task, Task]]) -> int:
    """Cycles of a pass: constants, then loads into buffers that take turns; later ones keep the pace."""
    shown = loads[: TUNING.two_buffers.max_units]
    streams = [
        [Task(move_cycles(chip, constants // conv.cores), constants), *(read for read, _, _ in shown)],
        [work for _, work, _ in shown],
        [store for _, _, store in shown if store.dram_bytes],
    ]
    timeline = schedule(streams, chip, engines=(Engine.READ, Engine.COMPUTE, Engine.WRITE))
    if len(shown) == len(loads):
        return timeline.total
    ends, half = timeline.end[1], len(shown) // 2
    return timeline.total + (ends[-1] - ends[half - 1]) * (len(loads) - len(shown)) // (len(shown) - half)
