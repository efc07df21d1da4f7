"""From a convolution with two fixed buffers to the steps of its group, in the order of demand (M3).

in:   a layer, how its rows, columns and channels are cut, the core
out:  loads, computations and stores, each with a key that is the same on all cores

    load w, load x.0 -> buffer 1, convs on it, load x.0 -> buffer 2, convs on it, load x.1 -> buffer 1, …

A buffer is one block of memory for all its loads, channels x rows x columns: so the next load waits for the
work on that buffer, and for nothing else.  Weights lie as one matrix of taps x outputs per input channel.
Rows of the result that meet several blocks of input rows, or several chunks of channels, collect sums.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import normal_order, ordered_strides
from nnc.compiler.plan.step import Block, Compute, Keyed, Store, Tile
from nnc.compiler.plan.two_buffers.buffered_conv import BufferedConv, Range, Turn
from nnc.compiler.plan.two_buffers.row_blocks import Visit
from nnc.compiler.plan.two_buffers.step_list import StepList, Vector
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.record import record

_UNSTORED = 2
"""Finished rows that are stored while others are computed, in other blocks."""
_PER_CHANNEL = (1, 2, 3, 0)
"""Axes of weights as they nest: per input channel a matrix of taps x outputs."""


@record(frozen=True, slots=True)
class _Unit:
    """A turn with what a buffer holds, as part of all that a core does.

    Attributes:
        number: of the load among all of the core.
        outputs: channels of the result.
        turn: what is done.
        source: the channels of the input that are summed.
    """

    number: int
    outputs: Range
    turn: Turn
    source: Tile

    @property
    def label(self) -> str:
        """Tells it from all other turns of a core."""
        return f"{self.number}" + (f".{self.turn.step}" if self.turn.piece is not None else "")


class BufferedGroup:
    """Expands one convolution into the steps of its group that one core does."""

    def __init__(self, graph: Graph, layer: ir.Layer, chip: Chip, conv: BufferedConv, core: int) -> None:
        """Args:
        layer: a convolution, maybe another one than that of `conv`, of the same structure.
        """
        assert isinstance(layer, ir.Conv)
        self._graph, self._conv, self._core, self._layer = graph, conv, core, layer
        self._inputs = graph.inputs_of(self._layer.name)
        self._output = graph.output_of(self._layer.name)
        self._suffix = f".k{core}" if conv.cores > 1 else ""
        self._receivers = tuple(range(conv.cores)) if conv.cores > 1 else ()
        self._memory = {
            role: layer_traits.memory_for(chip, graph, self._layer, role)
            for role in ("feature", "weight", "result", "accumulator")
        }
        self._out = StepList(layer, core, self._suffix)
        self._pass = 0
        self._constants: dict[int, Tile] = {}
        self._unstored: list[tuple[tuple[object, ...], Store]] = []
        self._rows: dict[int, Tile] = {}
        self._pieces: dict[int, Tile] = {}
        self._sums: dict[tuple[int, int], Tile] = {}

    def steps(self) -> Keyed:
        """All steps in the order of demand."""
        conv, before = self._conv, 0
        for at, outputs in enumerate(conv.passes(self._core)):
            self._pass, number = at, before
            self._begin_part(number)
            self._load_constants(outputs)
            for turn in conv.turns():
                number = before + turn.number
                self._begin_part(number)
                if turn.piece is not None:
                    self._load_weights(outputs, turn.piece)
                source = self._source_of(number, turn)
                unit = _Unit(number, outputs, turn, source)
                for visit, phase in turn.visits:
                    self._visit(unit, visit, phase)
            before = number + 1
        self._store_latest()
        return self._out.steps

    def _begin_part(self, number: int) -> None:
        self._out.part = number * self._conv.cores + self._core

    # --- operands ------------------------------------------------------------------------------------------

    def _load_constants(self, outputs: Range) -> None:
        """Bias and scales of a pass, and weights that come at once; what serves all passes stays on chip."""
        self._pieces.clear()
        if self._conv.pieces == 1:
            self._load_weights(outputs, 0)
        for slot, tensor in enumerate(self._inputs):
            if slot < 2 or tensor is None or self._layer.slots[slot] == "residual":
                continue
            low, shape = self._box_of_outputs(slot, outputs)
            known = self._constants.get(slot)
            if known is not None and (known.low, known.type.shape) == (low, shape):
                continue
            name = f"{self._layer.name}/{slot}.{outputs[0]}{self._suffix}"
            type_ = TensorType(self._graph.types[tensor].dtype, shape)
            tile = Tile.dense(name, tensor, low, type_, tuple(range(len(shape))), self._memory["weight"])
            self._constants[slot] = tile
            self._out.load((slot, self._pass), tile)

    def _load_weights(self, outputs: Range, piece: int) -> None:
        """A piece of the weights of a pass, unless it is there: one block holds all pieces of all passes."""
        if piece in self._pieces:
            return
        conv, tensor = self._conv, required(self._inputs[1])
        channels = conv.weight_pieces[piece]
        type_ = self._graph.types[tensor]
        mine = (outputs[1] - outputs[0], channels[1] - channels[0], *type_.shape[2:])
        per_channel = mine[0] * mine[2] * mine[3]
        name = f"{self._layer.name}/1.{outputs[0]}"
        block_name, held = f"{name}{self._suffix}", mine
        if conv.pieces > 1:
            name, block_name = f"{name}.c{channels[0]}", f"{self._layer.name}/weights{self._suffix}"
            held = (conv.outputs, *type_.shape[1:])
        nbytes = prod(held) * type_.dtype.itemsize
        tile = Tile(
            name=name + self._suffix,
            tensor=tensor,
            low=(outputs[0], channels[0], 0, 0),
            type=TensorType(type_.dtype, mine),
            block=Block(block_name, self._memory["weight"], nbytes),
            offset=channels[0] * per_channel,
            strides=ordered_strides(mine, _PER_CHANNEL),
        )
        self._pieces[piece] = tile
        self._out.load((1, self._pass, piece), tile)

    def _all_weights(self, outputs: Range) -> Tile:
        """The weights of a pass as one tile: a view, if they came in pieces."""
        if len(self._pieces) == 1:
            return self._pieces[0]
        name = f"{self._layer.name}/1.{outputs[0]}{self._suffix}"
        pieces = tuple(self._pieces.values())
        mine = pieces[0].type.shape
        return self._out.join(
            name, pieces, (mine[0], self._conv.shape.channels, *mine[2:]), ("weights", self._pass)
        )

    def _box_of_outputs(self, slot: int, outputs: Range) -> tuple[Vector, Vector]:
        """What some output channels need of a constant operand: corner and shape."""
        shape = self._conv.shape.out.shape
        box = Boxes.of(((0, outputs[0], 0, 0), (shape[0], outputs[1], *shape[2:])))
        return self._needed(slot, box)

    def _needed(self, slot: int, box: Boxes) -> tuple[Vector, Vector]:
        shapes = [None if tensor is None else self._graph.types[tensor].shape for tensor in self._inputs]
        need = needed(self._layer, slot, box, shapes, self._conv.shape.out.shape).boxes
        return tuple(need.low[0].tolist()), tuple(need.extents[0].tolist())

    def _source_of(self, number: int, turn: Turn) -> Tile:
        """The channels of the input that are summed in a turn; what the buffer holds is loaded first."""
        if number not in self._rows:
            self._rows = {at: tile for at, tile in self._rows.items() if at >= number - 1}
            self._rows[number] = self._load_rows(number, turn)
        tile, (first, last) = self._rows[number], turn.channels
        return self._out.slice(tile, (tile.low[0], first, *tile.low[2:]), 1, last - first, ("x", number))

    def _load_rows(self, number: int, turn: Turn) -> Tile:
        """Columns of a block of rows, for all cores, into the buffer of that half."""
        conv, halves = self._conv, self._conv.shape.columns.halves
        image, channels, rows, half = turn.image, turn.loaded, turn.rows, turn.half
        which = halves.index(half) + 1
        type_ = TensorType(
            conv.shape.source.dtype,
            (1, channels[1] - channels[0], rows[1] - rows[0], half.last - half.first),
        )
        strides = (conv.channels * conv.r * half.width, conv.r * half.width, half.width, 1)
        block = Block(
            f"{self._layer.name}/buffer{which}", self._memory["feature"], strides[0] * type_.dtype.itemsize
        )
        tile = Tile(
            name=f"{self._layer.name}/b{which}.{number // len(halves)}",
            tensor=required(self._inputs[0]),
            low=(image, channels[0], rows[0], half.first),
            type=type_,
            block=block,
            offset=half.before,
            strides=strides,
        )
        self._out.load((0, number), tile, self._receivers)
        return tile

    def _source(self, unit: _Unit, visit: Visit) -> Tile:
        """The rows of a block that a visit reads."""
        window = self._conv.shape.window(0)
        start = visit.low * window.stride - window.begin + visit.first * window.dilation
        end = (visit.high - 1) * window.stride - window.begin + (visit.last - 1) * window.dilation + 1
        low = (*unit.source.low[:2], start, unit.source.low[3])
        return self._out.slice(unit.source, low, 2, end - start, ("x", unit.label))

    def _weight(self, unit: _Unit, visit: Visit) -> Tile:
        """The weights of some rows of the kernel and a chunk of the input channels."""
        piece, (first, last) = unit.turn.piece, unit.turn.channels
        whole = self._all_weights(unit.outputs) if piece is None else self._pieces[piece]
        low, key = (whole.low[0], first, 0, 0), (self._pass, first, last)
        chunk = self._out.slice(whole, low, 1, last - first, ("channels", *key))
        return self._out.slice(chunk, (*low[:2], visit.first, 0), 2, visit.last - visit.first, ("taps", *key))

    # --- work ----------------------------------------------------------------------------------------------

    def _visit(self, unit: _Unit, visit: Visit, phase: Phase) -> None:
        """One instruction: rows of the result with the kernel rows that lie in the block."""
        half, key = unit.turn.half, (unit.turn.half.low, visit.low)
        low = (unit.turn.image, unit.outputs[0], visit.low, half.low)
        shape = (1, unit.outputs[1] - unit.outputs[0], visit.high - visit.low, half.high - half.low)
        name = f"{self._layer.name}/p{unit.label}.{visit.low}{self._suffix}"
        before = self._sums.pop(key, None)
        ins: list[Tile | None] = [None] * len(self._layer.slots)
        ins[0], ins[1] = self._source(unit, visit), self._weight(unit, visit)
        ins[-1] = before
        if phase in (Phase.START, Phase.ADD):
            out = self._sums[key] = self._partial_sums(name, low, shape, before)
        else:
            out = self._tile(name, self._output, low, shape, "result")
            for slot, tensor in enumerate(self._inputs[2:], 2):
                if tensor is not None:
                    ins[slot] = self._constants.get(slot) or self._residual(unit, visit, slot, low, shape)
        layer = replace(
            self._layer,
            name=name,
            kernel=(visit.last - visit.first, self._layer.kernel[1]),
            pad_begin=(0, half.before),
            pad_end=(0, half.after),
            phase=phase,
        )
        operands = tuple(ins if before is not None else ins[: len(self._inputs)])
        work = Compute(part=self._out.part, core=self._core, layer=layer, out=out, ins=operands)
        self._out.add((unit.label, visit.low), work)
        if phase in (Phase.WHOLE, Phase.FINISH):
            if len(self._unstored) == _UNSTORED:
                self._out.add(*self._unstored.pop(0))
            store = Store(part=self._out.part, core=self._core, loc=self._layer.loc, tile=out)
            self._unstored.append(((unit.label, visit.low), store))

    def _store_latest(self) -> None:
        """Store the rows that are not stored yet."""
        for store in self._unstored:
            self._out.add(*store)
        self._unstored.clear()

    def _residual(self, unit: _Unit, visit: Visit, slot: int, low: Vector, shape: Vector) -> Tile:
        """The rows of the residual that are added to finished sums."""
        name = f"{self._layer.name}/{slot}.{unit.label}.{visit.low}{self._suffix}"
        tile = self._tile(name, required(self._inputs[slot]), low, shape, "result")
        self._out.load((slot, unit.label, visit.low), tile)
        return tile

    def _tile(self, name: str, tensor: str, low: Vector, shape: Vector, role: str) -> Tile:
        """A dense tile of the result, or of what is shaped like it, its axes as those of the result."""
        type_ = TensorType(self._graph.types[tensor].dtype, shape)
        order = normal_order(shape, self._graph.storage[self._output].order)
        return Tile.dense(name, tensor, low, type_, order, self._memory[role])

    def _partial_sums(self, name: str, low: Vector, shape: Vector, before: Tile | None) -> Tile:
        """The sums after a visit; all visits of the same rows update the same bytes."""
        if before is not None:
            return replace(before, name=name)
        type_ = TensorType(layer_traits.sums_dtype(self._graph, self._layer), shape)
        order = normal_order(shape, self._graph.storage[self._output].order)
        return Tile.dense(name, self._output, low, type_, order, self._memory["accumulator"])
