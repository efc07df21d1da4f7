"""The steps of a convolution with two fixed buffers (M3): a map over its timetable.

in:   a layer, its timetable, how its output channels are cut, the core
out:  loads, computations and stores in the order of demand, each with a key that is the same on all cores

    load w, load x.0 -> buffer 1, convs on it, load x.0 -> buffer 2, convs on it, load x.1 -> buffer 1, …

A buffer is one block of memory for all its loads, channels x rows x columns: so the next load waits for the
work on that buffer, and for nothing else.  Weights lie as one matrix of taps x outputs per input channel.
Rows of the result that meet several blocks of input rows, or several chunks of channels, collect sums.
"""

from __future__ import annotations

from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import normal_order, ordered_strides
from nnc.compiler.plan.alone.two_buffers import RESULTS, Box, BufferedConv, Range, Turn, Visit
from nnc.compiler.plan.step import Block, Compute, Keyed, Load, Step, Store, Tile, View
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.record import changed
from nnc.isa.types import DType

_PER_CHANNEL = (1, 2, 3, 0)
"""Axes of weights as they nest: per input channel a matrix of taps x outputs."""


def steps_of_core(graph: Graph, layer: ir.Layer, chip: Chip, conv: BufferedConv, core: int) -> Keyed:
    """All steps of a core.

    Args:
        layer: a convolution, maybe another one than that of the timetable, of the same structure.
    """
    assert isinstance(layer, ir.Conv)
    return _CoreSteps(graph, layer, chip, conv, core).all()


class _CoreSteps:
    """The steps of a core, and what it has on chip.

    Names of what is a core's own end with the core, if several share the layer; without that, class and name
    of the first tile are the key of a step.
    """

    def __init__(self, graph: Graph, layer: ir.Conv, chip: Chip, conv: BufferedConv, core: int) -> None:
        self._graph, self._layer, self._conv, self._core = graph, layer, conv, core
        self._inputs, self._output = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self._suffix = f".k{core}" if conv.cores > 1 else ""
        self._memory = {
            role: layer_traits.memory_for(chip, graph, layer, role)
            for role in ("feature", "weight", "result", "accumulator")
        }
        self._steps: Keyed = []
        self._part = self._pass = 0
        self._views: dict[str, Tile] = {}
        self._constants: dict[int, Tile] = {}  # of the epilogue, by slot
        self._pieces: list[Box] = []  # of the weights of this pass
        self._weights: list[Tile] = []  # those that are there
        self._buffers: dict[int, Tile] = {}  # by load: what the buffers hold
        self._sums: dict[tuple[int, int], Tile] = {}  # by first column and row
        self._unstored: list[Store] = []

    def all(self) -> Keyed:
        """All steps in the order of demand."""
        conv, loads = self._conv, 0
        for number, outputs in enumerate(conv.passes(self._core)):
            self._pass, self._weights = number, []
            self._begin_part(loads)
            constants = conv.constants(self._core, number)
            self._pieces = [box for slot, box in constants if slot == 1]
            if conv.table.pieces == 1:
                self._load_weights()
            for slot, box in constants[len(self._pieces) :]:
                name = f"{self._layer.name}/{slot}.{number}{self._suffix}"
                tensor, order = required(self._inputs[slot]), tuple(range(len(box[0])))
                type_ = TensorType(self._graph.types[tensor].dtype, box[1])
                tile = Tile.dense(name, tensor, box[0], type_, order, self._memory["weight"])
                self._constants[slot] = tile
                self._load(tile)
            for turn in conv.table.turns:
                self._turn(loads + turn.load, turn, outputs)
            loads += 1 + conv.table.turns[-1].load
        for store in self._unstored:
            self._add(store)
        return self._steps

    def _turn(self, load: int, turn: Turn, outputs: Range) -> None:
        """A row of the timetable."""
        self._begin_part(load)
        if turn.piece == len(self._weights):
            self._load_weights()
        if load not in self._buffers:
            self._buffers.pop(load - len(self._conv.table.shape.halves), None)
            self._buffers[load] = self._load_rows(load, turn)
        for visit, phase in turn.visits:
            self._visit(load, turn, outputs, visit, phase)

    def _begin_part(self, load: int) -> None:
        self._part = load * self._conv.cores + self._core

    def _add(self, step: Step) -> None:
        name = required(step.tiles[0]).name.removesuffix(self._suffix)
        self._steps.append(((type(step), name), step))

    def _load(self, tile: Tile, receivers: tuple[int, ...] = ()) -> None:
        self._add(Load(part=self._part, core=self._core, loc=self._layer.loc, tile=tile, receivers=receivers))

    # --- operands ------------------------------------------------------------------------------------------

    def _load_weights(self) -> None:
        """The next piece of the weights of a pass; one block holds all pieces of all passes."""
        pieces, type_ = self._conv.table.pieces, self._graph.types[required(self._inputs[1])]
        low, shape = self._pieces[len(self._weights)]
        stem = f"{self._layer.name}/1.{self._pass}"
        name, block, held = stem, stem, shape[0]
        if pieces > 1:
            name, block, held = f"{stem}.c{low[1]}", f"{self._layer.name}/weights", self._conv.outputs
        nbytes = held * prod(type_.shape[1:]) * type_.dtype.itemsize
        tile = Tile(
            name=name + self._suffix,
            tensor=required(self._inputs[1]),
            low=low,
            type=TensorType(type_.dtype, shape),
            block=Block(block + self._suffix, self._memory["weight"], nbytes),
            offset=low[1] * shape[0] * prod(shape[2:]),
            strides=ordered_strides(shape, _PER_CHANNEL),
        )
        self._weights.append(tile)
        self._load(tile)

    def _load_rows(self, load: int, turn: Turn) -> Tile:
        """Columns of a block of rows, for all cores, into the buffer of that half."""
        table, width, (low, shape) = self._conv.table, turn.half.width, turn.source
        dtype, (number, buffer) = table.shape.source.dtype, divmod(load, len(table.shape.halves))
        strides = (table.channels * table.r * width, table.r * width, width, 1)
        name, nbytes = f"{self._layer.name}/buffer{buffer + 1}", strides[0] * dtype.itemsize
        tile = Tile(
            name=f"{self._layer.name}/b{buffer + 1}.{number}",
            tensor=required(self._inputs[0]),
            low=low,
            type=TensorType(dtype, shape),
            block=Block(name, self._memory["feature"], nbytes),
            offset=turn.half.before,
            strides=strides,
        )
        self._load(tile, tuple(range(self._conv.cores)) if self._conv.cores > 1 else ())
        return tile

    def _source(self, load: int, turn: Turn, visit: Visit) -> Tile:
        """The rows and channels of a buffer that a visit reads."""
        tile, (first, last) = self._buffers[load], turn.channels
        start, end = visit.reads(self._conv.table.shape.window(0))
        low = (tile.low[0], first, start, tile.low[3])
        return self._slice(tile, low, (1, last - first, end - start, tile.type.shape[3]))

    def _weight(self, turn: Turn, visit: Visit) -> Tile:
        """The weights of some rows of the kernel and a range of the input channels."""
        tile = self._whole_weights() if turn.piece is None else self._weights[turn.piece]
        (first, last), (outputs, *_, columns) = turn.channels, tile.type.shape
        low = (tile.low[0], first, visit.first, 0)
        return self._slice(tile, low, (outputs, last - first, visit.last - visit.first, columns))

    def _whole_weights(self) -> Tile:
        """The weights of a pass as one tile: a view, if they came in pieces."""
        first = self._weights[0]
        if len(self._weights) == 1:
            return first
        name = f"{self._layer.name}/1.{self._pass}{self._suffix}"
        if name not in self._views:
            outputs, _, *taps = first.type.shape
            shape = (outputs, self._conv.table.shape.source.shape[1], *taps)
            origins = tuple((0, tile.low[1] - first.low[1], 0, 0) for tile in self._weights)
            layer = ir.Join(name=name, loc=self._layer.loc, origins=origins)
            out = changed(first, name=name, type=TensorType(first.type.dtype, shape))
            self._view(layer, out, tuple(self._weights))
        return self._views[name]

    def _slice(self, tile: Tile, low: tuple[int, ...], shape: tuple[int, ...]) -> Tile:
        """A box of a tile: a view, unless it is all of it.

        Args:
            low: its first element in the tensor.
        """
        if shape == tile.type.shape:
            return tile
        box = zip("nchw", low, shape, tile.type.shape, strict=True)
        ranges = "".join(f".{axis}{a}-{a + n - 1}" for axis, a, n, whole in box if n != whole)
        name = tile.name.removesuffix(self._suffix) + ranges + self._suffix
        if name not in self._views:
            start = tuple(a - b for a, b in zip(low, tile.low, strict=True))
            offset = tile.offset + sum(a * b for a, b in zip(start, tile.strides, strict=True))
            out = changed(tile, name=name, low=low, type=TensorType(tile.type.dtype, shape), offset=offset)
            layer = ir.Slice(name=name, loc=self._layer.loc, start=start, step=(1, 1, 1, 1), shape=shape)
            self._view(layer, out, (tile,))
        return self._views[name]

    def _view(self, layer: ir.Layer, out: Tile, ins: tuple[Tile, ...]) -> None:
        self._add(View(part=self._part, core=self._core, layer=layer, out=out, ins=ins))
        self._views[out.name] = out

    # --- work ----------------------------------------------------------------------------------------------

    def _visit(self, load: int, turn: Turn, outputs: Range, visit: Visit, phase: Phase) -> None:
        """One instruction: rows of the result with the kernel rows that lie in the block."""
        half, box, residual = turn.half, turn.result(visit, outputs), self._layer.slots.index("residual")
        label = f"{load}.{visit.low}" if turn.piece is None else f"{load}.{turn.piece}.{visit.low}"
        name = f"{self._layer.name}/p{label}{self._suffix}"
        before = self._sums.pop((half.low, visit.low), None)
        ins: list[Tile | None] = [None] * len(self._layer.slots)
        ins[0], ins[1], ins[-1] = self._source(load, turn, visit), self._weight(turn, visit), before
        is_last = phase in (Phase.WHOLE, Phase.FINISH)
        if is_last:
            out = self._dense(name, self._output, box, "result")
            for slot, tile in self._constants.items():
                ins[slot] = tile
            if residual < len(self._inputs) and (tensor := self._inputs[residual]) is not None:
                added = f"{self._layer.name}/{residual}.{label}{self._suffix}"
                ins[residual] = self._dense(added, tensor, box, "result")
                self._load(required(ins[residual]))
        else:
            sums = layer_traits.sums_dtype(self._graph, self._layer)
            out = before.named(name) if before else self._dense(name, self._output, box, "accumulator", sums)
            self._sums[half.low, visit.low] = out
        layer = changed(
            self._layer,
            name=name,
            kernel=(visit.last - visit.first, self._layer.kernel[1]),
            pad_begin=(0, half.before),
            pad_end=(0, half.after),
            phase=phase,
        )
        operands = tuple(ins if before is not None else ins[: len(self._inputs)])
        self._add(Compute(part=self._part, core=self._core, layer=layer, out=out, ins=operands))
        if is_last:
            if len(self._unstored) == RESULTS - 1:
                self._add(self._unstored.pop(0))
            store = Store(part=self._part, core=self._core, loc=self._layer.loc, tile=out)
            self._unstored.append(store)

    def _dense(self, name: str, tensor: str, box: Box, role: str, dtype: DType | None = None) -> Tile:
        """A dense tile of the result, or of what is shaped like it, its axes as those of the result."""
        low, shape = box
        order = normal_order(shape, self._graph.storage[self._output].order)
        type_ = TensorType(dtype or self._graph.types[tensor].dtype, shape)
        return Tile.dense(name, tensor, low, type_, order, self._memory[role])
