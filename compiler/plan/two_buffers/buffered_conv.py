"""A convolution as M3 computes it: what can be computed so, and all that follows from its buffers.

in:   a layer on a chip (`why_not`, `buffered_convs`)
out:  how its columns, rows, input channels and output channels are cut (`BufferedConv`), fewest passes first

Features lie in a memory of their own, in two fixed buffers; weights, sums and results in another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import ConvBuffers, Window
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.plan.two_buffers.geometry import Columns, Half, fitting, split_columns
from nnc.compiler.plan.two_buffers.row_blocks import Visit, row_blocks
from nnc.compiler.target import layer_traits, memories
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record

Range = tuple[int, int]
"""The first, and the one behind the last."""


def why_not(graph: Graph, layer: ir.Layer, chip: Chip) -> str:
    """Why M3 cannot compute a layer on a chip; empty if it can."""
    if not isinstance(layer, ir.Conv):
        return "it is no convolution"
    if chip.compute.map != "channels":
        return "the lanes of the chip run along pixels"
    if layer.groups > 1:
        return f"it has {layer.groups} groups of channels"
    if len(layer.kernel) != 2:
        return f"it has {len(layer.kernel)} spatial axes, not two"
    homes = {
        role: layer_traits.memory_for(chip, graph, layer, role)
        for role in ("feature", "weight", "result", "accumulator")
    }
    features = homes.pop("feature")
    if features in homes.values():
        return f"its features lie in {features}, as does what must be apart from them"
    if len(set(homes.values())) > 1:
        return "weights, sums and results lie in several memories"
    vectors = homes["weight"]
    if (memories.landing(chip, features), memories.landing(chip, vectors)) != (features, vectors):
        return f"no DMA reaches {features} or {vectors} at once"
    if memories.departure(chip, vectors) != vectors:
        return f"no DMA stores from {vectors}"
    if chip.transfer_unit > 1:
        return f"the DMA moves whole units of {chip.transfer_unit} B"
    if not graph.is_constant(required(graph.inputs_of(layer.name)[1])):
        return "its weights are computed"
    return _why_not_fitting(LayerShape(graph, layer), chip.memory[features].bytes, chip.block_align(features))


def _why_not_fitting(shape: LayerShape, capacity: int, align: int) -> str:
    """Why the buffers of a layer cannot be: empty if they can."""
    if row_blocks(shape.window(0), shape.rows, shape.rows) is None or any(
        half.last <= half.first for half in shape.columns.halves
    ):
        return "some of its results read nothing but padding"
    item = shape.source.dtype.itemsize
    r, _ = fitting(shape.columns, shape.rows, shape.channels, item, capacity, align)
    if not r:
        return f"a row of one channel needs more than {capacity} B"
    return ""


class LayerShape:
    """A two-dimensional convolution in numbers.

    Attributes:
        source, out: types of the input [N, C, H, W] and of the result.
        columns: of the result and of the picture, in halves.
        column_step: columns of the tensor that the input is a view of, from one of the picture to the next.
    """

    def __init__(self, graph: Graph, layer: ir.Conv) -> None:
        self.layer = layer
        inputs = graph.inputs_of(layer.name)
        self.source: TensorType = graph.types[required(inputs[0])]
        self.out: TensorType = graph.types[graph.output_of(layer.name)]
        self.columns: Columns = split_columns(self.source.shape[3], self.window(1))
        view = graph.producer(required(inputs[0]))
        self.column_step = view.step[3] if isinstance(view, ir.Slice) else 1

    @property
    def channels(self) -> int:
        """Input channels."""
        return self.source.shape[1]

    @property
    def rows(self) -> int:
        """Input rows."""
        return self.source.shape[2]

    def window(self, axis: int) -> Window:
        """The window along rows (0) or columns (1)."""
        layer = self.layer
        sizes = (layer.kernel, layer.stride, layer.dilation, layer.pad_begin, layer.pad_end)
        return Window(*(values[axis] for values in sizes))


@record(frozen=True, slots=True)
class Turn:
    """What is done at a time with what one buffer holds.

    Attributes:
        number: of the load that filled the buffer; step: of the turns with what it brought.
        image, rows, loaded: of the input, the last its channels; half: the columns.
        piece: of the weights; None: all of them.
        channels: that are summed.
        visits: rows of the result, and what happens to their sums.
    """

    number: int
    step: int
    image: int
    rows: Range
    loaded: Range
    half: Half
    piece: int | None
    channels: Range
    visits: list[tuple[Visit, Phase]]


@dataclass(frozen=True)
class BufferedConv:
    """A convolution with its buffers, and how its output channels are shared and cut.

    Attributes:
        shape: of the layer.
        r: input rows in a buffer; channels: in a buffer.
        outputs: output channels whose weights a core has on chip at a time.
        most_rows: rows of the result in an instruction.
        pieces: of input channels in which the weights of a pass are loaded, each as soon as the last block
            of the pass before is done with it; 1: at once.
        cores: that share the output channels.
        lanes: share of a core is a multiple of, but for the last.
    """

    shape: LayerShape = field(compare=False)
    r: int
    channels: int
    outputs: int
    most_rows: int
    pieces: int
    cores: int
    lanes: int

    @property
    def figures(self) -> ConvBuffers:
        """The buffers as the graph and the report show them."""
        columns, item = self.shape.columns, self.shape.source.dtype.itemsize
        return ConvBuffers(
            t=columns.t,
            t1=columns.t1,
            t2=columns.t2,
            w1=columns.w1,
            w2=columns.w2,
            r=self.r,
            blocks=len(self.blocks),
            nbytes=columns.nbytes(self.r, self.channels, item, 1),
            channels=self.channels,
            chunks=len(self.chunks),
            outputs=self.outputs,
            passes=len(self.passes(0)),
            step=self.shape.column_step,
        )

    @cached_property
    def blocks(self) -> list[list[Visit]]:
        """The visits by block of input rows."""
        return required(row_blocks(self.shape.window(0), self.shape.rows, self.r, self.most_rows))

    @property
    def chunks(self) -> list[Range]:
        """Ranges of the input channels."""
        return ranges(0, self.shape.channels, self.channels)

    def turns(self) -> Iterator[Turn]:
        """All that is done in a pass, in order: a block in one buffer, then in the other."""
        halves, number = self.shape.columns.halves, 0
        for image in range(self.shape.out.shape[0]):
            for block, visits in enumerate(self.blocks):
                rows = (block * self.r, min(self.shape.rows, (block + 1) * self.r))
                steps = self.steps(image, block)
                in_pieces = steps != self.chunks
                for step, channels in enumerate(steps):
                    loaded = self.chunks[0] if in_pieces else channels
                    phases = [(visit, visit.phase(step, len(steps))) for visit in visits]
                    piece, again = (step, step) if in_pieces else (None, 0)
                    for at, half in enumerate(halves):
                        place = number + at + (0 if in_pieces else step * len(halves))
                        yield Turn(place, again, image, rows, loaded, half, piece, channels, phases)
                number += len(halves) * (1 if in_pieces else len(steps))

    def steps(self, image: int, block: int) -> list[Range]:
        """Ranges of the input channels that are summed one after the other over a block of a picture.

        In the first block of a pass these are the pieces of the weights, as they come, and in the last one,
        too, so that those of the next pass find room.
        """
        ends = ((0, 0), (self.shape.out.shape[0] - 1, len(self.blocks) - 1))
        return self.weight_pieces if self.pieces > 1 and (image, block) in ends else self.chunks

    @property
    def weight_pieces(self) -> list[Range]:
        """Ranges of the input channels whose weights are loaded together."""
        return ranges(0, self.shape.channels, ceil_div(self.shape.channels, self.pieces))

    def passes(self, core: int) -> list[Range]:
        """Ranges of the output channels that a core computes, each with all of the input."""
        channels = self.shape.out.shape[1]
        share = round_up(ceil_div(channels, self.cores), self.lanes)
        return ranges(min(channels, core * share), min(channels, (core + 1) * share), self.outputs)


def ranges(low: int, high: int, step: int) -> list[Range]:
    """A range cut every `step` elements."""
    return [(at, min(at + step, high)) for at in range(low, high, step)]
