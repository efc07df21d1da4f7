"""The steps of one core of a layer alone, in the order of demand.

in:   a layer, how it is cut into tiles and chunks of its sum, the core and its share
out:  loads, computations and stores tile by tile, each with a key that is the same on all cores

    x (2 tiles) * w (whole):     load w, load x.0, compute y.0, load x.1, compute y.1, store y.0, store y.1

Every load stands right before the computation that needs it first; the order of issue moves it ahead later.
`CoreSteps` is what the steps of convolutions with two buffers (`m3_steps`) have in common with these.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import lt, sub
from typing import Any

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.operand_boxes import Need, needed_of_all
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import normal_order
from nnc.compiler.ir.tensors import TensorType
from nnc.compiler.plan.alone.dram_bytes import held_elements
from nnc.compiler.plan.alone.tiling import (
    Tiling,
    Vector,
    output_boxes,
    phase_of,
    tile_layer,
    tiles_abreast,
    turns,
    vector,
)
from nnc.compiler.plan.alone.two_buffers import ranges
from nnc.compiler.plan.step import Block, Compute, Fill, Keyed, Load, LoadRows, Step, Store, Tile
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.record import changed

Chunk = tuple[int, int] | None
"""Range of the summed axis, relative to what a tile needs of it; None if it is whole."""


class CoreSteps:
    """Writes the steps of one core of a layer.

    Names of what is the core's own end with `suffix`, if several share the layer.  Without that, class and
    name (`stem`) are the key of a step, the same on all cores.

    Attributes:
        inputs, output: tensors of the layer; order: of the axes of its result.
        part: number of the part of this core to which the next steps belong.
    """

    def __init__(self, graph: Graph, layer: ir.Layer, chip: Chip, core: int, cores: int) -> None:
        self.graph, self.layer, self.chip, self.core, self.cores = graph, layer, chip, core, cores
        self.inputs, self.output = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self.order = graph.storage[self.output].order
        self.suffix = f".k{core}" if cores > 1 else ""
        self.part = 0
        self.steps: Keyed = []
        self._unstored: list[Store] = []

    @property
    def number(self) -> int:
        """The number of this part among those of all cores."""
        return self.part * self.cores + self.core

    def add(self, step: Step, stem: str = "") -> None:
        """Enter a step (stem: that of its tile, if other cores share the tile)."""
        own = required(step.tiles[0]).name.removesuffix(self.suffix)
        self.steps.append(((type(step), stem or own), step))

    def load(self, tile: Tile, receivers: tuple[int, ...] = (), stem: str = "") -> None:
        """Load a tile, for other cores too if there are receivers."""
        loc = self.layer.loc
        self.add(Load(part=self.number, core=self.core, loc=loc, tile=tile, receivers=receivers), stem)

    def compute(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> None:
        """Compute a tile by the layer of the tile."""
        self.add(Compute(part=self.number, core=self.core, layer=layer, out=out, ins=ins))

    def finish(self, tile: Tile) -> None:
        """A tile of the result that is to be stored: others are computed meanwhile."""
        self._unstored.append(Store(part=self.number, core=self.core, loc=self.layer.loc, tile=tile))

    def store_all_but(self, latest: int) -> None:
        """Store all finished tiles but the latest so many."""
        while len(self._unstored) > latest:
            self.add(self._unstored.pop(0))

    def tile(
        self, name: str, tensor: str, low: Vector, shape: Vector, memory: str, order: Vector, least: int = 0
    ) -> Tile:
        """A tile of a tensor, its axes nested so, in a block of its own of at least so many bytes."""
        type_, storage = TensorType(self.graph.types[tensor].dtype, shape), self.graph.storage.get(tensor)
        unit = unit_of(type_.dtype, self.chip.transfer_unit)
        if storage is None or unit == 1:
            tile = Tile.dense(name, tensor, low, type_, normal_order(shape, order), memory)
        else:
            tile = Tile.in_runs(name, tensor, low, type_, storage.box(low, shape), unit, memory)
        return tile if least <= tile.block.nbytes else changed(tile, block=Block(name, memory, least))

    def sums(self, name: str, low: Vector, shape: Vector) -> Tile:
        """A tile of partial sums of the result, in a block of its own."""
        memory = layer_traits.memory_for(self.chip, self.graph, self.layer, "accumulator")
        type_ = TensorType(layer_traits.sums_dtype(self.graph, self.layer), shape)
        return Tile.dense(name, self.output, low, type_, normal_order(shape, self.order), memory)


@dataclass(frozen=True, slots=True)
class _OperandTiles:
    """What all tiles of an operand have in common, and the latest ones.

    Attributes:
        low, shape: the boxes that the tiles of the result need, by number.
        chunk_axis: the axis of its own that is cut into chunks, if any is.
        least: bytes of a block on chip: those of the largest tile.
        order: of axes on chip; home, landing: where the layer reads them, and where loads arrive.
        receivers: cores that a load is broadcast to.
        latest: tiles that may be used again.
    """

    low: list[Vector]
    shape: list[Vector]
    chunk_axis: int | None
    least: int
    order: Vector
    home: str
    landing: str
    receivers: tuple[int, ...]
    latest: list[Tile] = field(default_factory=list)

    def box(self, part: int, chunk: Chunk) -> tuple[Vector, Vector]:
        """What a tile of the result needs, or a chunk of it: first element, and extents."""
        low, shape, axis = self.low[part], self.shape[part], self.chunk_axis
        if chunk is None or axis is None:
            return low, shape
        first, last = chunk
        low = (*low[:axis], low[axis] + first, *low[axis + 1 :])
        return low, (*shape[:axis], last - first, *shape[axis + 1 :])


class TileSteps(CoreSteps):
    """The steps of one core of a layer in tiles.

    `moves` are the axes of the result along which each operand moves: cores that need the same of it get it
    from the first of them, if the chip has a broadcast.
    """

    def __init__(
        self,
        graph: Graph,
        layer: ir.Layer,
        chip: Chip,
        tiling: Tiling,
        core: int,
        moves: dict[int, frozenset[int]],
    ) -> None:
        super().__init__(graph, layer, chip, core, tiling.cores)
        self._tiling, self._moves, whole = tiling, moves, graph.types[self.output].shape
        shapes = [None if tensor is None else graph.types[tensor].shape for tensor in self.inputs]
        self._boxes = output_boxes(whole, tiling, core)
        needs = needed_of_all(layer, self._boxes, shapes, whole)
        self._source, self._is_gather = needs.get(0), layer_traits.is_row_gather(layer)
        chunk_axes = layer_traits.chunk_axes(layer, shapes) if tiling.chunk else {}
        self._operands = {
            slot: self._operand_tiles(slot, need, chunk_axes.get(slot))
            for slot, need in needs.items()
            if slot or not self._is_gather  # then the table stays where it is
        }
        self._least_out = self._block_bytes(self.output, vector(self._boxes.extents.max(axis=0)))
        # An engine loads in order: constants come first, for they never wait for a layer before this one.
        slots = range(len(self.inputs))
        self._order_of_loads = sorted(slots, key=lambda slot: not graph.is_constant(self.inputs[slot]))
        self._home = memories.result_home(chip, graph, layer)
        self._departure = memories.departure(chip, self._home)
        self._kept = 1

    def all(self) -> Keyed:
        """All steps in the order of demand."""
        sides = [*zip(self._boxes.low.tolist(), self._boxes.high.tolist(), strict=True)]
        whole = self.graph.types[self.output].shape
        for number, run in enumerate(tiles_abreast(whole, self._tiling, self.core)):
            self.part = number
            self._together([(part, *sides[part]) for part in run if all(map(lt, *sides[part]))])
        self.store_all_but(0)
        return self.steps

    def _operand_tiles(self, slot: int, need: Need, chunk_axis: int | None) -> _OperandTiles:
        boxes, tensor = need.boxes, required(self.inputs[slot])
        largest = boxes.extents.max(axis=0).tolist()
        if self._tiling.chunk is not None and chunk_axis is not None:
            largest[chunk_axis] = min(largest[chunk_axis], self._tiling.chunk)
        home = memories.operand_homes(self.chip, self.graph, self.layer, slot)[0]
        low, shape = (list(map(tuple, of.tolist())) for of in (boxes.low, boxes.extents))
        return _OperandTiles(
            low=low,
            shape=shape,
            chunk_axis=chunk_axis,
            least=self._block_bytes(tensor, tuple(largest)),
            order=layer_work.block_order(self.graph, self.layer, slot),
            home=home,
            landing=memories.landing(self.chip, home),
            receivers=self._receivers(slot),
        )

    def _receivers(self, slot: int) -> tuple[int, ...]:
        """The cores that a load is broadcast to; none if only this core needs it."""
        split = self._tiling.split
        if split is None or not self.chip.dma.broadcast:
            return ()
        sharing = split.sharing(self.core, self._moves.get(slot, frozenset()))
        return sharing if len(sharing) > 1 else ()

    def _block_bytes(self, tensor: str, shape: Vector) -> int:
        """Bytes on chip that serve every tile of a tensor of at most this shape: double buffers are equal."""
        dtype, storage = self.graph.types[tensor].dtype, self.graph.storage.get(tensor)
        return held_elements(storage, dtype, shape, self.chip.transfer_unit) * dtype.itemsize

    def _together(self, run: list[tuple[int, list[int], list[int]]]) -> None:
        """Compute tiles (numbers, boxes) side by side: a chunk of all of them, then the next one."""
        results = [(part, self._result(part, tuple(low), tuple(high))) for part, low, high in run]
        sums: dict[int, Tile] = {}
        chunks = self._chunks(run[0][0]) if run else []
        order = turns(len(chunks), len(results))
        self._kept = 2 if order != sorted(order) else 1  # tiles take turns with the last two chunks
        for index, tile in order:
            self._compute(*results[tile], sums, chunks, index)

    def _stem(self, part: int) -> str:
        return f"{self.layer.name}/p{part}"

    def _result(self, part: int, low: Vector, high: Vector) -> Tile:
        name, shape = self._stem(part) + self.suffix, tuple(map(sub, high, low))
        return self.tile(name, self.output, low, shape, self._home, self.order, self._least_out)

    def _chunks(self, part: int) -> list[Chunk]:
        """The chunks of a tile."""
        step, axis = self._tiling.chunk, self._operands[0].chunk_axis if 0 in self._operands else None
        if step is None or axis is None:
            return [None]
        extent = self._operands[0].shape[part][axis]
        return [*ranges(0, extent, step)] if extent > step else [None]

    def _compute(self, part: int, out: Tile, sums: dict[int, Tile], chunks: list[Chunk], index: int) -> None:
        """Compute a chunk of a tile, whose sums change; store it with the last one."""
        phase, stem, previous = phase_of(index, len(chunks)), self._stem(part), sums.get(part)
        loaded = {slot: self._operand(part, slot, chunks[index], phase) for slot in self._order_of_loads}
        ins = [loaded[slot] for slot in range(len(self.inputs))]
        name = f"{stem}{self.suffix}" if len(chunks) == 1 else f"{stem}.c{index}{self.suffix}"
        layer = self._tile_layer(name, part, out, phase)
        target = out
        if phase in (Phase.START, Phase.ADD):
            target = sums[part] = self._partial_sums(f"{stem}.sum{index}{self.suffix}", out, previous)
        if phase in (Phase.ADD, Phase.FINISH):
            absent = [None] * (len(layer.slots) - 1 - len(ins))
            ins = [*ins, *absent, previous]
        self.add(self._work(layer, target, tuple(ins)))
        self.store_all_but(0)  # with two buffers, the tile before was stored meanwhile
        if phase in (Phase.WHOLE, Phase.FINISH):
            is_there = self._departure == self._home
            self.finish(out if is_there else self._copied(stem, out, self._departure))
            if not self._tiling.double_buffer:
                self.store_all_but(0)

    def _tile_layer(self, name: str, part: int, out: Tile, phase: Phase) -> ir.Layer:
        whole = self.graph.types[self.output].shape
        layer = tile_layer(self.layer, self._source, part, out.low, out.type.shape, whole)
        phases: dict[str, Any] = {"phase": phase} if isinstance(layer, ir.MacLayer | ir.Reduce) else {}
        return changed(layer, name=name, **phases)

    def _work(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> Step:
        """The step that makes a tile: its computation, or the load of the rows that an index tile names."""
        part, core = self.number, self.core
        if isinstance(layer, ir.Fill):
            return Fill(part=part, core=core, layer=replace(layer, shape=out.type.shape), tile=out)
        if not self._is_gather:
            return Compute(part=part, core=core, layer=layer, out=out, ins=ins)
        table, index = required(self.inputs[0]), required(ins[1])
        return LoadRows(part=part, core=core, layer=layer, table=table, index=index, out=out)

    def _partial_sums(self, name: str, out: Tile, previous: Tile | None) -> Tile:
        """The accumulator after a chunk.  All chunks of a part update the same bytes, maybe the result's."""
        if previous is not None or memories.sums_in_place(self.chip, self.graph, self.layer):
            return (previous or out).named(name)
        return self.sums(name, out.low, out.type.shape)

    def _operand(self, part: int, slot: int, chunk: Chunk, phase: Phase) -> Tile | None:
        """The tile of an operand: the one on chip if it is the same box, else a new one with its load."""
        mine, is_epilogue = self._operands.get(slot), slot >= 2 and isinstance(self.layer, ir.MacLayer)
        if mine is None or (is_epilogue and phase in (Phase.START, Phase.ADD)):
            return None
        low, shape = mine.box(part, chunk)
        for tile in mine.latest:
            if tile.low == low and tile.type.shape == shape:
                return tile
        stem = f"{self.layer.name}/{slot}.{part}" + ("" if chunk is None else f".{chunk[0]}")
        name = f"{stem}.k{mine.receivers[0]}" if mine.receivers else stem + self.suffix
        tile = self.tile(name, required(self.inputs[slot]), low, shape, mine.landing, mine.order, mine.least)
        self.load(tile, mine.receivers, stem)
        mine.latest.append(tile if mine.home == mine.landing else self._copied(stem, tile, mine.home))
        del mine.latest[: -1 if mine.chunk_axis is None else -self._kept]
        return mine.latest[-1]

    def _copied(self, stem: str, tile: Tile, memory: str) -> Tile:
        """The tile once more, in another memory of the core."""
        name = f"{stem}.{memory}{self.suffix}"
        out = replace(tile, name=name, block=Block(name, memory, tile.block.nbytes))
        self.compute(ir.Copy(name=name, loc=self.layer.loc), out, (tile,))
        return out
