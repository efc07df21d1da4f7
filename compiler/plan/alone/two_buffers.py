"""A convolution with two fixed buffers of input rows (M3) in time: which rows and columns meet in them when.

in:   a convolution in numbers (`ConvShape`), and how it is cut (`Timetable`, `BufferedConv`)
out:  the rows of the timetable (`Turn`), which `m3_steps` maps to loads, computations and stores, and
      `in_two_buffers` to traffic and cycles

    load   buffer   input rows   input channels   rows of the result, with rows of the kernel
    0      1        0            0..63            0 with 1..1: start    1 with 0..0: start
    1      2        0            0..63            the same, other columns
    2      1        1            0..63            0 with 2..2: finish   1 with 1..1: add   2 with 0..0: start

Columns are split between the two buffers, counted as in the picture with its padding; only columns of the
picture are loaded:

    halves = split_columns(224, Window(size=3, stride=1, dilation=1, begin=1, end=1))
    halves[0].high, halves[0].width            112, 114: M3's t1 and w1
    fitting(halves, rows=224, channels=64, itemsize=4, capacity=65536, align=16)     (1, 64): r, channels

Rows meet block by block; kernel rows that lie in the padding are left out.  Consecutive rows of the result
that meet the same blocks with the same kernel rows are one visit:

    row_blocks(Window(3, 1, 1, 1, 1), rows=4, r=1)       a 3x3 kernel on 4 rows, one row at a time

    block 0:   y 0 with kernel rows 1..1 (first of 2)    y 1 with kernel rows 0..0 (first of 3)
    block 1:   y 0 with 2..2 (last)    y 1 with 1..1     y 2 with 0..0 (first of 3)

Weights, sums and results lie in another memory than the buffers.  The cores share the output channels; those
whose weights do not fit at once are computed in passes, each of which runs through the whole timetable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import ConvBuffers, Window
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.dram_bytes import Range, ranges
from nnc.compiler.plan.alone.tiling import phase_of
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record

Box = tuple[tuple[int, ...], tuple[int, ...]]
"""Of a tensor: the first element, and the extents."""
RESULTS = 3
"""Results, and residuals, at a time: one is computed, others are stored."""


@dataclass(frozen=True, slots=True)
class Half:
    """The columns of one buffer.

    Attributes:
        low, high: columns of the result.
        width: columns of the buffer, padding included.
        first, last: columns of the picture that are loaded, the second exclusive; empty if it reads padding.
        before, after: columns of padding beside these.
    """

    low: int
    high: int
    width: int
    first: int
    last: int
    before: int
    after: int


def split_columns(extent: int, window: Window) -> tuple[Half, ...]:
    """The columns of a picture in two halves; the first has one more of the result if their number is odd.

    A result of one column has one half.
    """
    t = window.outputs(extent)
    t1 = ceil_div(t, 2)
    halves = []
    for low, high in [(0, t1), (t1, t)] if t > 1 else [(0, t)]:
        begin = low * window.stride - window.begin
        end = (high - 1) * window.stride - window.begin + window.reach
        first, last = max(0, begin), min(extent, end)
        halves.append(Half(low, high, end - begin, first, last, first - begin, end - last))
    return tuple(halves)


def buffer_bytes(halves: Sequence[Half], rows: int, channels: int, itemsize: int, align: int) -> int:
    """Bytes of both buffers: channels x rows x columns each."""
    return sum(round_up(channels * rows * half.width * itemsize, align) for half in halves)


def fitting(
    halves: Sequence[Half], rows: int, channels: int, itemsize: int, capacity: int, align: int
) -> tuple[int, int]:
    """The most rows of all channels that fit, or one row of the most channels: (r, channels).

    Args:
        rows, channels: of the picture; no more are asked for.
        itemsize, capacity, align: bytes: of an element, of the memory, of which blocks are multiples.

    Returns:
        (0, 0) if not even one row of one channel fits.
    """
    sizes = [(r, channels) for r in range(rows, 0, -1)] + [(1, some) for some in range(channels - 1, 0, -1)]
    return next((size for size in sizes if buffer_bytes(halves, *size, itemsize, align) <= capacity), (0, 0))


@record(frozen=True, slots=True)
class Visit:
    """Rows of the result while a block is on chip.

    Attributes:
        low, high: the rows; first, last: of the kernel; ends are exclusive.
        number, count: which of how many blocks that these rows meet.
    """

    low: int
    high: int
    first: int
    last: int
    number: int
    count: int

    def phase(self, step: int = 0, steps: int = 1) -> Phase:
        """What the visit does to the sums, with one of several ranges of the input channels."""
        return phase_of(self.number * steps + step, self.count * steps)

    def reads(self, window: Window) -> Range:
        """The rows of the input that it reads."""
        start = self.low * window.stride - window.begin + self.first * window.dilation
        last = (self.high - 1) * window.stride - window.begin + (self.last - 1) * window.dilation
        return start, last + 1


def row_blocks(window: Window, rows: int, r: int, most: int | None = None) -> list[list[Visit]] | None:
    """The visits by block.

    Args:
        window: along the rows.
        rows: of the picture; r: of a block.
        most: rows of the result in a visit.

    Returns:
        None if a row of the result reads only padding.
    """
    blocks: list[list[Visit]] = [[] for _ in range(ceil_div(rows, r))]
    meetings_of = [_meetings(window, y, rows, r) for y in range(window.outputs(rows))]
    if not all(meetings_of):
        return None
    end = 0
    for meetings, same in groupby(meetings_of):
        start, end = end, end + len(list(same))
        for low in range(start, end, most or end - start):
            high = min(low + (most or end), end)
            for number, (block, first, last) in enumerate(meetings):
                blocks[block].append(Visit(low, high, first, last, number, len(meetings)))
    return blocks


def _meetings(window: Window, y: int, rows: int, r: int) -> tuple[tuple[int, int, int], ...]:
    """The blocks that a row of the result meets, with the kernel rows that lie in each: first, exclusive."""
    start = y * window.stride - window.begin
    by_block = groupby(range(*window.inside(y, rows)), key=lambda tap: (start + tap * window.dilation) // r)
    taps_of = [(block, list(taps)) for block, taps in by_block]
    return tuple((block, taps[0], taps[-1] + 1) for block, taps in taps_of)


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
        return required(row_blocks(window, rows, self.r, self.most_rows))

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

    @property
    def loads(self) -> int:
        """How often buffers are filled."""
        return self.turns[-1].load + 1

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
        return ranges(core * self.share, last, self.outputs)

    def constants(self, core: int, number: int) -> list[tuple[int, Box]]:
        """Slot and box of what a core loads for a pass: weights in pieces, then biases and scales.

        What serves all output channels stays on chip.
        """
        shape, (low, high) = self.table.shape, self.passes(core)[number]
        first = [(low, first, 0, 0) for first, _ in self.table.weight_pieces]
        extents = [(high - low, b - a, *shape.weight.shape[2:]) for a, b in self.table.weight_pieces]
        constants: list[tuple[int, Box]] = [(1, box) for box in zip(first, extents, strict=True)]
        for slot, type_ in shape.epilogue.items():
            if len(type_.shape) == 1 and type_.shape[0] != 1:
                constants.append((slot, ((low,), (high - low,))))
            elif number == 0:
                constants.append((slot, ((0,) * len(type_.shape), type_.shape)))
        return constants

    @property
    def heading(self) -> str:
        """How it is computed, as the beginning of a sentence."""
        return f"{self.figures};"

    def axes(self, _names: Sequence[str], _shape: Sequence[int]) -> list[str]:
        """The axes that are cut, in words."""
        return ["rows", "columns"]

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
