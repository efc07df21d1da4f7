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
from operator import mul, sub

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.plan.alone.dram_bytes import Range
from nnc.compiler.plan.alone.steps import CoreSteps
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.two_buffers import RESULTS, Box, BufferedConv, Turn, Visit
from nnc.compiler.plan.step import Block, Keyed, Tile, View
from nnc.isa.instruction import Phase
from nnc.isa.record import changed

_PER_CHANNEL = (1, 2, 3, 0)
"""Axes of weights as they nest: per input channel a matrix of taps x outputs."""


class BufferedSteps(CoreSteps):
    """The steps of a core, and what it has on chip.

    Args:
        layer: a convolution, maybe another one than that of the timetable, of the same structure.
    """

    def __init__(self, layer: TiledLayer, conv: BufferedConv, core: int) -> None:
        super().__init__(layer, core, conv.cores)
        assert isinstance(layer.layer, ir.Conv)
        self._conv_layer, self._conv, self._pass = layer.layer, conv, 0
        self._residual = layer.layer.slots.index("residual")
        self._features, self._vectors = required(layer.operands[0]).homes[0], layer.result.homes[0]
        self._views: dict[str, Tile] = {}
        self._constants: dict[int, Tile] = {}  # of the epilogue, by slot
        self._pieces: list[Box] = []  # of the weights of this pass
        self._weights: list[Tile] = []  # those that are there
        self._buffers: dict[int, Tile] = {}  # by load: what the buffers hold
        self._sums: dict[tuple[int, int], Tile] = {}  # by first column and row

    def all(self) -> Keyed:
        """All steps in the order of demand."""
        conv, loads = self._conv, 0
        for number, outputs in enumerate(conv.passes(self.core)):
            self._pass, self._weights, self.part = number, [], loads
            constants = conv.constants(self.core, number)
            self._pieces = [box for slot, box in constants if slot == 1]
            if conv.table.pieces == 1:
                self._load_weights()
            for slot, (low, shape) in constants[len(self._pieces) :]:
                name, tensor = f"{self.layer.name}/{slot}.{number}{self.suffix}", required(self.inputs[slot])
                order = tuple(range(len(low)))
                self._constants[slot] = self.tile(name, tensor, low, shape, self._vectors, order)
                self.load(self._constants[slot])
            for turn in conv.table.turns:
                self._turn(loads + turn.load, turn, outputs)
            loads += conv.table.loads
        self.store_all_but(0)
        return self.steps

    def _turn(self, load: int, turn: Turn, outputs: Range) -> None:
        """A row of the timetable."""
        self.part = load
        if turn.piece == len(self._weights):
            self._load_weights()
        if load not in self._buffers:
            self._buffers.pop(load - len(self._conv.table.shape.halves), None)
            self._buffers[load] = self._load_rows(load, turn)
        for visit, phase in turn.visits:
            self._visit(load, turn, outputs, visit, phase)

    def _load_weights(self) -> None:
        """The next piece of the weights of a pass; one block holds all pieces of all passes."""
        tensor = required(self.inputs[1])
        pieces, type_ = self._conv.table.pieces, self.graph.types[tensor]
        low, shape = self._pieces[len(self._weights)]
        name = block = f"{self.layer.name}/1.{self._pass}"
        held = shape[0]
        if pieces > 1:
            name, block, held = f"{name}.c{low[1]}", f"{self.layer.name}/weights", self._conv.outputs
        nbytes = held * prod(type_.shape[1:]) * type_.dtype.itemsize
        tile = Tile(
            name=name + self.suffix,
            tensor=tensor,
            low=low,
            type=TensorType(type_.dtype, shape),
            block=Block(block + self.suffix, self._vectors, nbytes),
            offset=low[1] * shape[0] * prod(shape[2:]),
            strides=ordered_strides(shape, _PER_CHANNEL),
        )
        self._weights.append(tile)
        self.load(tile)

    def _load_rows(self, load: int, turn: Turn) -> Tile:
        """Columns of a block of rows, for all cores, into the buffer of that half."""
        table, width, (low, shape) = self._conv.table, turn.half.width, turn.source
        dtype, (number, buffer) = table.shape.source.dtype, divmod(load, len(table.shape.halves))
        strides = (table.channels * table.r * width, table.r * width, width, 1)
        name, nbytes = f"{self.layer.name}/buffer{buffer + 1}", strides[0] * dtype.itemsize
        tile = Tile(
            name=f"{self.layer.name}/b{buffer + 1}.{number}",
            tensor=required(self.inputs[0]),
            low=low,
            type=TensorType(dtype, shape),
            block=Block(name, self._features, nbytes),
            offset=turn.half.before,
            strides=strides,
        )
        self.load(tile, tuple(range(self.cores)) if self.cores > 1 else ())
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
        name = f"{self.layer.name}/1.{self._pass}{self.suffix}"
        outputs, _, *taps = first.type.shape
        shape = (outputs, self._conv.table.shape.source.shape[1], *taps)
        origins = tuple((0, tile.low[1] - first.low[1], 0, 0) for tile in self._weights)
        layer = ir.Join(name=name, loc=self.layer.loc, origins=origins)
        out = changed(first, name=name, type=TensorType(first.type.dtype, shape))
        return self._view(layer, out, tuple(self._weights))

    def _slice(self, tile: Tile, low: tuple[int, ...], shape: tuple[int, ...]) -> Tile:
        """A box of a tile: a view, unless it is all of it.

        Args:
            low: its first element in the tensor.
        """
        if shape == tile.type.shape:
            return tile
        box = zip("nchw", low, shape, tile.type.shape, strict=True)
        ranges = "".join(f".{axis}{a}-{a + n - 1}" for axis, a, n, whole in box if n != whole)
        name = tile.name.removesuffix(self.suffix) + ranges + self.suffix
        start = tuple(map(sub, low, tile.low))
        offset = tile.offset + sum(map(mul, start, tile.strides))
        out = changed(tile, name=name, low=low, type=TensorType(tile.type.dtype, shape), offset=offset)
        layer = ir.Slice(name=name, loc=self.layer.loc, start=start, step=(1, 1, 1, 1), shape=shape)
        return self._view(layer, out, (tile,))

    def _view(self, layer: ir.Layer, out: Tile, ins: tuple[Tile, ...]) -> Tile:
        """The tile by this name, whose view is entered once."""
        if out.name not in self._views:
            self.add(View(part=self.number, core=self.core, layer=layer, out=out, ins=ins))
        return self._views.setdefault(out.name, out)

    def _visit(self, load: int, turn: Turn, outputs: Range, visit: Visit, phase: Phase) -> None:
        """One instruction: rows of the result with the kernel rows that lie in the block."""
        half, (low, shape), stem = turn.half, turn.result(visit, outputs), self.layer.name
        label = f"{load}.{visit.low}" if turn.piece is None else f"{load}.{turn.piece}.{visit.low}"
        name, place, residual = f"{stem}/p{label}{self.suffix}", (half.low, visit.low), self._residual
        before, memory = self._sums.pop(place, None), self._vectors
        ins: list[Tile | None] = [None] * len(self._conv_layer.slots)
        ins[0], ins[1], ins[-1] = self._source(load, turn, visit), self._weight(turn, visit), before
        is_last = phase in (Phase.WHOLE, Phase.FINISH)
        if is_last:
            out = self.tile(name, self.output, low, shape, memory, self.tiled.result.order)
            for slot, tile in self._constants.items():
                ins[slot] = tile
            if residual < len(self.inputs) and (tensor := self.inputs[residual]) is not None:
                added = f"{stem}/{residual}.{label}{self.suffix}"
                ins[residual] = tile = self.tile(added, tensor, low, shape, memory, self.tiled.result.order)
                self.load(tile)
        else:
            out = self._sums[place] = self.sums(name, low, shape, before)
        layer = changed(
            self._conv_layer,
            name=name,
            kernel=(visit.last - visit.first, self._conv_layer.kernel[1]),
            pad_begin=(0, half.before),
            pad_end=(0, half.after),
            phase=phase,
        )
        self.compute(layer, out, tuple(ins if before is not None else ins[: len(self.inputs)]))
        if is_last:
            self.finish(out)
            self.store_all_but(RESULTS - 1)
