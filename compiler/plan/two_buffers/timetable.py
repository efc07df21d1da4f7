"""A convolution with two fixed buffers of input rows (M3) in time, and what it takes.

in:   a convolution in numbers (`ConvShape`), how it is cut (`Timetable`, `BufferedConv`)
out:  the rows of the timetable (`Turn`); reductions over them: bytes on chip (`vector_bytes`), traffic and
      cycles (`priced`).  `steps` maps the same rows to loads, computations and stores.

    load   buffer   input rows   input channels   rows of the result, with rows of the kernel
    0      1        0            0..63            0 with 1..1: start    1 with 0..0: start
    1      2        0            0..63            the same, other columns
    2      1        1            0..63            0 with 2..2: finish   1 with 1..1: add   2 with 0..0: start
    ...

Features lie in a memory of their own, in the two buffers; weights, sums and results in another.  The cores
share the output channels; those whose weights do not fit at once are computed in passes, each of which runs
through the whole timetable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import ConvBuffers, Window
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.plan.two_buffers.geometry import (
    Half,
    Range,
    Visit,
    buffer_bytes,
    row_blocks,
    split_columns,
)
from nnc.compiler.target import layer_work
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import ENGINES, Engine, Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.record import changed, record
from nnc.isa.timing.timeline import Task, schedule

Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Of a tensor: the first element, and the extents."""

_READ, _COMPUTE, _WRITE = (ENGINES.index(engine) for engine in (Engine.READ, Engine.COMPUTE, Engine.WRITE))
RESULTS = 3
"""Results, and residuals, at a time: one is computed, others are stored."""


class ConvShape:
    """A two-dimensional convolution in numbers, without names.

    Attributes:
        source, weight, out: types of the input [N, C, H, W], the weights and the result.
        residual: type of what is added to the result, if anything is.
        epilogue: types of bias and scale, by slot.
        halves: of the columns.
        column_step: columns of the tensor that the input is a view of, from one of the picture to the next.
    """

    def __init__(self, graph: Graph, layer: ir.Conv) -> None:
        self.layer = layer
        inputs = graph.inputs_of(layer.name)
        types = [None if tensor is None else graph.types[tensor] for tensor in inputs]
        self.source: TensorType = required(types[0])
        self.weight: TensorType = required(types[1])
        self.out: TensorType = graph.types[graph.output_of(layer.name)]
        self.epilogue = {slot: type_ for slot, type_ in enumerate(types) if slot > 1 and type_ is not None}
        self.residual = self.epilogue.pop(layer.slots.index("residual"), None)
        self.halves = split_columns(self.source.shape[3], self.window(1))
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
        source: what it loaded of the input.
        half: the columns.
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
        shape: of the layer.
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
        shape = self.shape
        return required(row_blocks(shape.window(0), shape.source.shape[2], self.r, self.most_rows))

    @property
    def chunks(self) -> list[Range]:
        """Ranges of the input channels that a buffer holds."""
        return ranges(0, self.shape.source.shape[1], self.channels)

    @property
    def weight_pieces(self) -> list[Range]:
        """Ranges of the input channels whose weights are loaded together."""
        channels = self.shape.source.shape[1]
        return ranges(0, channels, ceil_div(channels, self.pieces))

    @cached_property
    def turns(self) -> list[Turn]:
        """The rows, in order: a block in one buffer, then in the other.

        The first block of a pass takes the pieces of the weights as they come, and the last one, too, so that
        those of the next pass find room.
        """
        images, _, rows, _ = self.shape.source.shape
        halves, ends = self.shape.halves, ((0, 0), (images - 1, len(self.blocks) - 1))
        turns: list[Turn] = []
        for image in range(images):
            for block, visits in enumerate(self.blocks):
                first, last = block * self.r, min(rows, (block + 1) * self.r)
                in_pieces = self.pieces > 1 and (image, block) in ends
                steps = self.weight_pieces if in_pieces else self.chunks
                load = turns[-1].load + 1 if turns else 0
                for step, channels in enumerate(steps):
                    low, high = self.chunks[0] if in_pieces else channels
                    phases = [(visit, visit.phase(step, len(steps))) for visit in visits]
                    piece = step if in_pieces else None
                    for number, half in enumerate(halves):
                        extents = (1, high - low, last - first, half.last - half.first)
                        source = (image, low, first, half.first), extents
                        turns.append(Turn(load + number, source, half, piece, channels, phases))
                    load += 0 if in_pieces else len(halves)
        return turns

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
        constants = [outputs * prod(shape.weight.shape[1:]) * shape.weight.dtype.itemsize]
        constants += [type_.nbytes for type_ in shape.epilogue.values()]
        widths = [half.high - half.low for half in shape.halves]
        sum_bytes = outputs * shape.layer.partial_type(shape.source.dtype).itemsize
        result = min(most_rows or self.tallest, self.tallest) * max(widths) * outputs
        results = [result * type_.dtype.itemsize for type_ in (shape.out, shape.residual) if type_]
        return (
            sum(round_up(nbytes, align) for nbytes in constants)
            + self.sum_rows * sum(round_up(width * sum_bytes, align) for width in widths)
            + RESULTS * sum(round_up(nbytes, align) for nbytes in results)
        )

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
        cores: that share the output channels.
        lanes: share of a core is a multiple of, but for the last.
    """

    table: Timetable
    outputs: int
    cores: int
    lanes: int

    def passes(self, core: int) -> list[Range]:
        """Ranges of the output channels that a core computes, each with all of the input."""
        channels = self.table.shape.out.shape[1]
        share = round_up(ceil_div(channels, self.cores), self.lanes)
        return ranges(min(channels, core * share), min(channels, (core + 1) * share), self.outputs)

    def weight_boxes(self, outputs: Range) -> list[Box]:
        """The weights of some output channels in the pieces in which they are loaded."""
        (low, high), taps = outputs, self.table.shape.weight.shape[2:]
        return [((low, a, 0, 0), (high - low, b - a, *taps)) for a, b in self.table.weight_pieces]

    def epilogue_boxes(self, core: int, number: int) -> Iterator[tuple[int, Box]]:
        """Slot and box of biases and scales that a core loads for a pass; what serves all stays on chip."""
        low, high = self.passes(core)[number]
        for slot, type_ in self.table.shape.epilogue.items():
            if len(type_.shape) == 1 and type_.shape[0] != 1:
                yield slot, ((low,), (high - low,))
            elif number == 0:
                yield slot, ((0,) * len(type_.shape), type_.shape)

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
            nbytes=buffer_bytes(shape.halves, table.r, table.channels, shape.source.dtype.itemsize, 1),
            channels=table.channels,
            chunks=len(table.chunks),
            outputs=self.outputs,
            passes=len(self.passes(0)),
            step=shape.column_step,
        )


def ranges(low: int, high: int, step: int) -> list[Range]:
    """A range cut every `step` elements."""
    return [(start, min(start + step, high)) for start in range(low, high, step)]


@dataclass(slots=True)
class _Load:
    """The turns with one load in a pass, on all cores.

    Attributes:
        landed: bytes that each core gets; loaded, stored: DRAM bytes, residuals included.
        work: cycles of the largest share.
    """

    landed: int
    loaded: int
    work: int = 0
    stored: int = 0


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
    """A convolution with its price; transfers of all cores are taken as those of one core."""
    columns = _Columns(graph, chip, conv)
    passes = [columns.of_pass(number) for number in range(len(conv.passes(0)))]
    cycles = sum(
        _pass_cycles(chip, conv, constants // (1 if number == 0 else conv.table.pieces), loads)
        for number, (constants, loads) in enumerate(passes)
    )
    every = [load for _, loads in passes for load in loads]
    dram_bytes = sum(nbytes for nbytes, _ in passes) + sum(load.loaded + load.stored for load in every)
    least = chip.dram.latency + ceil_div(dram_bytes, chip.transfer_rate(conv.cores))
    last = next((load.stored for load in reversed(passes[-1][1]) if load.stored), 0)
    ends = every[0].loaded, passes[0][0], last
    return BufferedCandidate(conv, demand, dram_bytes, max(cycles, least), len(every), ends)


class _Columns:
    """The columns of a timetable: bytes and cycles of its turns."""

    def __init__(self, graph: Graph, chip: Chip, conv: BufferedConv) -> None:
        self._graph, self._chip, self._conv = graph, chip, conv
        layer = conv.table.shape.layer
        self._inputs, self._output = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self._residual = self._inputs[layer.slots.index("residual")] if conv.table.shape.residual else None
        source = required(self._inputs[0])
        self._sources = {
            turn.load: (
                prod(turn.source[1]) * graph.types[source].dtype.itemsize,
                self._moved_bytes(source, turn.source),
            )
            for turn in conv.table.turns
        }

    def of_pass(self, number: int) -> tuple[int, list[_Load]]:
        """DRAM bytes of the constants of a pass, and its loads in order."""
        conv = self._conv
        passes = enumerate(map(conv.passes, range(conv.cores)))
        shares = [(core, ranges_[number]) for core, ranges_ in passes if number < len(ranges_)]
        loads = [_Load(*nbytes) for nbytes in self._sources.values()]
        cycles_of = cache(partial(self._cycles, shares[0][1]))
        for turn in conv.table.turns:
            load = loads[turn.load]
            for visit, phase in turn.visits:
                size = (visit.high - visit.low, turn.half.high - turn.half.low)
                taps = turn.channels[1] - turn.channels[0], visit.last - visit.first
                load.work += cycles_of(size, taps, phase)
                for _, outputs in shares if phase in (Phase.WHOLE, Phase.FINISH) else ():
                    box = turn.result(visit, outputs)
                    load.stored += self._moved_bytes(self._output, box)
                    load.loaded += self._moved_bytes(self._residual, box) if self._residual else 0
        constants = [(1, box) for _, outputs in shares for box in conv.weight_boxes(outputs)]
        constants += [box for core, _ in shares for box in conv.epilogue_boxes(core, number)]
        return sum(self._moved_bytes(required(self._inputs[slot]), box) for slot, box in constants), loads

    def _moved_bytes(self, tensor: str, box: Box) -> int:
        """DRAM bytes of the transfer of a box, whole bursts; buffers and packed constants start with one."""
        type_, burst = self._graph.types[tensor], self._chip.dram.burst
        size, (low, extents) = type_.dtype.itemsize, box
        if self._graph.is_constant(tensor):
            return round_up(prod(extents) * size, burst)
        stored = self._graph.storage[tensor].box(low, extents)
        strides = tuple(size * stride for stride in stored.strides)
        return burst_bytes(Operand(DRAM, stored.offset * size, type_.dtype, extents, strides), burst)

    def _cycles(self, outputs: Range, size: tuple[int, int], taps: tuple[int, int], phase: Phase) -> int:
        """Cycles of an instruction: rows x columns of the result; input channels x kernel rows."""
        shape, tile, order = self._conv.table.shape, (1, outputs[1] - outputs[0], *size), (0, 2, 3, 1)
        layer = changed(shape.layer, kernel=(taps[1], shape.layer.kernel[1]))
        ins: list[Operand | None] = [None] * len(layer.slots)
        ins[0] = layer_work.block(shape.source.dtype, (1, taps[0], *size), order)
        ins[1] = layer_work.block(shape.weight.dtype, (tile[1], *taps, layer.kernel[1]), order)
        sums = layer_work.block(layer.partial_type(shape.source.dtype), tile, order)
        if phase in (Phase.ADD, Phase.FINISH):
            ins[-1] = sums
        if phase in (Phase.START, Phase.ADD):
            return layer_work.tile_cycles(self._chip, layer, sums, ins)
        if shape.residual:
            ins[layer.slots.index("residual")] = layer_work.block(shape.residual.dtype, tile, order)
        out = layer_work.block(shape.out.dtype, tile, order)
        return layer_work.tile_cycles(self._chip, layer, out, ins)


def _pass_cycles(chip: Chip, conv: BufferedConv, constants: int, loads: Sequence[_Load]) -> int:
    """Cycles of a pass by the simulator's scheduler: constants, then loads into buffers that take turns.

    Of many loads, the first are scheduled; the others keep their pace.
    """
    streams: list[list[Task]] = [[] for _ in ENGINES]
    if constants:
        streams[_READ].append(Task(move_cycles(chip, constants // conv.cores), constants))
    shown, buffers = loads[: TUNING.two_buffers.max_units], len(conv.table.shape.halves)
    for number, load in enumerate(shown):
        waits = ((_COMPUTE, number - buffers),) if number >= buffers else ()
        streams[_COMPUTE].append(Task(load.work, waits=((_READ, len(streams[_READ])),)))
        streams[_READ].append(Task(move_cycles(chip, load.landed), load.loaded, waits))
        if load.stored:
            streams[_WRITE].append(Task(0, load.stored, ((_COMPUTE, number),)))
    timeline = schedule(streams, chip, engines=ENGINES)
    if len(shown) == len(loads):
        return timeline.total
    ends, half = timeline.end[_COMPUTE], len(shown) // 2
    return timeline.total + (ends[-1] - ends[half - 1]) * (len(loads) - len(shown)) // (len(shown) - half)
