"""From a tiling of one layer to the steps of its group, in the order of demand.

in:   a layer, how it is cut into tiles and chunks of its sum, the core and its share
out:  loads, computations and stores tile by tile, each with a key that is the same on all cores

    x (2 tiles) * w (whole):     load w, load x.0, compute y.0, load x.1, compute y.1, store y.0, store y.1

Every load stands right before the computation that needs it first; the order of issue moves it ahead later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import lt, sub
from typing import Any

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.regions.operand_boxes import Need, needed_of_all
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import normal_order
from nnc.compiler.plan.alone.dram_bytes import held_elements
from nnc.compiler.plan.alone.layer_alone import LayerCut
from nnc.compiler.plan.alone.m3_steps import steps_of_core
from nnc.compiler.plan.alone.tile_layer import Vector, phase_of, tile_layer, vector
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling, output_boxes, tiles_abreast, turns
from nnc.compiler.plan.alone.two_buffers import BufferedConv
from nnc.compiler.plan.step import Block, Compute, Fill, Keyed, Load, LoadRows, Step, Store, Tile
from nnc.compiler.target import layer_traits, memories
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div
from nnc.isa.record import changed

_Chunks = list[tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class _Way:
    """What all tiles of an operand have in common.

    Attributes:
        low, shape: the boxes that the tiles of the result need, by number.
        least: bytes of a block on chip: those of the largest tile.
        order: of axes on chip; home, landing: where the layer reads them, and where loads arrive.
        receivers: cores that a load is broadcast to.
    """

    low: list[Vector]
    shape: list[Vector]
    least: int
    order: Vector
    home: str
    landing: str
    receivers: tuple[int, ...]


def steps_of_cores(graph: Graph, layer: ir.Layer, chip: Chip, cut: LayerCut) -> list[Keyed]:
    """The steps of a layer alone, by core."""
    if isinstance(cut, BufferedConv):
        return [steps_of_core(graph, layer, chip, cut, core) for core in range(cut.cores)]
    if cut.split is None:
        return [Expander(graph, layer, chip, cut).steps()]
    operands = TiledLayer(graph, layer, chip).operands
    moves = {slot: mine.axes for slot, mine in enumerate(operands) if mine is not None}
    return [Expander(graph, layer, chip, cut, core, moves).steps() for core in range(cut.cores)]


class Expander:
    """Expands one layer, cut by a tiling, into the steps of its group that one core does.

    `moves` are the axes of the result along which each operand moves: cores that need the same of it get it
    from the first of them, if the chip has a broadcast.  `group` is the number of the group.
    """

    def __init__(
        self,
        graph: Graph,
        layer: ir.Layer,
        chip: Chip,
        tiling: Tiling,
        core: int = 0,
        moves: dict[int, frozenset[int]] | None = None,
    ) -> None:
        self.graph, self.layer, self.chip, self.tiling = graph, layer, chip, tiling
        self.core, self.moves = core, moves or {}
        self._cores = 1 if tiling.split is None else tiling.split.cores
        self.output = graph.output_of(layer.name)
        self.out_type = graph.types[self.output]
        self.inputs = graph.inputs_of(layer.name)
        self.shapes = [None if t is None else graph.types[t].shape for t in self.inputs]
        self.chunk_axes = layer_traits.chunk_axes(layer, self.shapes) if tiling.chunk else {}
        self._ways: dict[int, _Way] = {}
        self._latest: dict[int, list[Tile]] = {}
        self._count: dict[int, int] = {}
        # An engine loads in order: constants come first, for they never wait for a layer before this one.
        slots = range(len(self.inputs))
        self._order_of_loads = sorted(slots, key=lambda slot: not graph.is_constant(self.inputs[slot]))
        self._home = memories.result_home(chip, graph, layer)
        self._departure = memories.departure(chip, self._home)
        self._steps: Keyed = []
        self._run, self._kept = 0, 1
        self._unstored: tuple[int, Store] | None = None

    def steps(self) -> Keyed:
        """All steps in the order of demand; the keys say which step of which tile."""
        boxes = output_boxes(self.out_type.shape, self.tiling, self.core)
        needs = needed_of_all(self.layer, boxes, self.shapes, self.out_type.shape)
        gathers = layer_traits.is_row_gather(self.layer)  # then the table stays where it is
        self._ways = {slot: self._way(slot, need) for slot, need in needs.items() if slot or not gathers}
        self._source = needs.get(0)
        self._least_out = self._block_bytes(self.output, vector(boxes.extents.max(axis=0)))
        sides = [*zip(boxes.low.tolist(), boxes.high.tolist(), strict=True)]
        for number, run in enumerate(tiles_abreast(self.out_type.shape, self.tiling, self.core)):
            self._run = number
            self._together([(part, *sides[part]) for part in run if all(map(lt, *sides[part]))])
        self._store_latest()
        return self._steps

    def _add(self, part: int, key: tuple[object, ...], step: Step) -> None:
        """Enter a step; the key tells it from others of its class and tile."""
        self._steps.append(((type(step), part, *key), step))

    def _number(self, part: int) -> int:
        """The number of a tile of this core, or of some that are side by side, among those of all cores."""
        return part * self._cores + self.core

    def _suffix(self, part: int) -> str:
        return f"/p{self._number(part)}"

    def _together(self, run: list[tuple[int, list[int], list[int]]]) -> None:
        """Compute tiles (numbers, boxes) side by side: a chunk of all of them, then the next one."""
        results = [(part, self._result(part, low, high)) for part, low, high in run]
        sums: dict[int, Tile] = {}
        chunks = self._chunks(run[0][0]) if run else []
        order = turns(len(chunks), len(results))
        self._kept = 2 if order != sorted(order) else 1  # tiles take turns with the last two chunks
        for index, tile in order:
            self._part(*results[tile], sums, chunks, index)

    def _result(self, part: int, low: list[int], high: list[int]) -> Tile:
        name, shape = self.layer.name + self._suffix(part), tuple(map(sub, high, low))
        return self._tile(
            name, self.output, tuple(low), shape, self._home, self._out_order(), self._least_out
        )

    def _part(self, part: int, out: Tile, sums: dict[int, Tile], chunks: _Chunks, index: int) -> None:
        """Compute a chunk of a tile, whose sums change; store it with the last one."""
        count, previous = len(chunks), sums.get(part)
        phase = phase_of(index, count)
        loaded = {slot: self._operand(part, slot, chunks[index], phase) for slot in self._order_of_loads}
        ins = [loaded[slot] for slot in range(len(self.inputs))]
        layer = self._tile_layer(part, out.low, out.type.shape, phase, index, count)
        target = out
        if phase in (Phase.START, Phase.ADD):
            target = sums[part] = self._partial_sums(part, index, out, previous)
        if phase in (Phase.ADD, Phase.FINISH):
            absent = [None] * (len(layer.slots) - 1 - len(ins))
            ins = [*ins, *absent, previous]
        self._add(part, (index,), self._work(layer, target, tuple(ins)))
        self._store_latest()
        if phase in (Phase.WHOLE, Phase.FINISH):
            tile, number = self._departing(part, out), self._number(self._run)
            loc = self.layer.loc
            self._unstored = part, Store(part=number, core=self.core, loc=loc, tile=tile)
            if not self.tiling.double_buffer:
                self._store_latest()

    def _work(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> Step:
        """The step that makes a tile: its computation, or the load of the rows that an index tile names."""
        part, core = self._number(self._run), self.core
        if isinstance(layer, ir.Fill):
            layer = replace(layer, shape=out.type.shape)
            return Fill(part=part, core=core, layer=layer, tile=out)
        if not layer_traits.is_row_gather(self.layer):
            return Compute(part=part, core=core, layer=layer, out=out, ins=ins)
        table, index = required(self.inputs[0]), required(ins[1])
        return LoadRows(part=part, core=core, layer=layer, table=table, index=index, out=out)

    def _store_latest(self) -> None:
        """Store the tile that was finished before: with two buffers, the next one is computed meanwhile."""
        if self._unstored is not None:
            part, step = self._unstored
            self._add(part, (), step)
            self._unstored = None

    def _out_order(self) -> Vector:
        return self.graph.storage[self.output].order

    def _tile(
        self, name: str, tensor: str, low: Vector, shape: Vector, memory: str, order: Vector, least: int
    ) -> Tile:
        """A tile in a block of at least so many bytes, those of the largest: double buffers are equal."""
        type_ = TensorType(self.graph.types[tensor].dtype, shape)
        storage = self.graph.storage.get(tensor)
        unit = unit_of(type_.dtype, self.chip.transfer_unit)
        if storage is None or unit == 1:
            tile = Tile.dense(name, tensor, low, type_, normal_order(shape, order), memory)
        else:
            tile = Tile.in_runs(name, tensor, low, type_, storage.box(low, shape), unit, memory)
        return tile if least <= tile.block.nbytes else changed(tile, block=Block(name, memory, least))

    def _block_bytes(self, tensor: str, shape: Vector) -> int:
        """Bytes on chip that serve every tile of a tensor of at most this shape."""
        dtype, storage = self.graph.types[tensor].dtype, self.graph.storage.get(tensor)
        return held_elements(storage, dtype, shape, self.chip.transfer_unit) * dtype.itemsize

    def _partial_sums(self, part: int, index: int, out: Tile, previous: Tile | None) -> Tile:
        """The accumulator after a chunk.  All chunks of a part update the same bytes, maybe the result's."""
        name = f"{self.layer.name}{self._suffix(part)}.sum{index}"
        if previous is not None or memories.sums_in_place(self.chip, self.graph, self.layer):
            return (previous or out).named(name)
        memory = layer_traits.memory_for(self.chip, self.graph, self.layer, "accumulator")
        type_ = TensorType(layer_traits.sums_dtype(self.graph, self.layer), out.type.shape)
        order = normal_order(type_.shape, self._out_order())
        return Tile.dense(name, self.output, out.low, type_, order, memory)

    def _chunks(self, part: int) -> _Chunks:
        """Ranges of the summed axis, relative to what the part needs of it; [None] if it is whole."""
        if not self.chunk_axes or self.tiling.chunk is None:
            return [None]
        extent = self._ways[0].shape[part][self.chunk_axes[0]]
        count = ceil_div(extent, self.tiling.chunk)
        if count == 1:
            return [None]
        step = self.tiling.chunk
        return [(start, min(start + step, extent)) for start in range(0, extent, step)]

    def _way(self, slot: int, need: Need) -> _Way:
        """What all tiles of an operand have in common."""
        boxes, tensor = need.boxes, required(self.inputs[slot])
        if self.graph.is_constant(tensor):
            order = layer_traits.natural_order(self.layer, slot, boxes.low.shape[1])
        else:
            order = self.graph.storage[tensor].order
        largest = boxes.extents.max(axis=0).tolist()
        if self.tiling.chunk is not None and slot in self.chunk_axes:
            axis = self.chunk_axes[slot]
            largest[axis] = min(largest[axis], self.tiling.chunk)
        home = memories.operand_homes(self.chip, self.graph, self.layer, slot)[0]
        landing, receivers = memories.landing(self.chip, home), self._receivers(slot)
        low, shape = (list(map(tuple, of.tolist())) for of in (boxes.low, boxes.extents))
        least = self._block_bytes(tensor, tuple(largest))
        return _Way(low, shape, least, order, home, landing, receivers)

    def _operand(self, part: int, slot: int, chunk: tuple[int, int] | None, phase: Phase) -> Tile | None:
        """The tile of an operand: the one on chip if it is the same box, else a new one with its load."""
        way, is_epilogue = self._ways.get(slot), slot >= 2 and isinstance(self.layer, ir.MacLayer)
        if way is None or (is_epilogue and phase in (Phase.START, Phase.ADD)):
            return None
        start, shape = way.low[part], way.shape[part]
        if chunk is not None and slot in self.chunk_axes:
            axis, (first, last) = self.chunk_axes[slot], chunk
            start = (*start[:axis], start[axis] + first, *start[axis + 1 :])
            shape = (*shape[:axis], last - first, *shape[axis + 1 :])
        latest = self._latest.setdefault(slot, [])
        for tile in latest:
            if tile.low == start and tile.type.shape == shape:
                return tile
        name = self._operand_name(part, slot, chunk, way.receivers)
        tensor = required(self.inputs[slot])
        tile = self._tile(name, tensor, start, shape, way.landing, way.order, way.least)
        key = (slot, 0 if chunk is None else chunk[0])
        number, loc = self._number(self._run), self.layer.loc
        load = Load(part=number, core=self.core, loc=loc, tile=tile, receivers=way.receivers)
        self._add(part, key, load)
        latest.append(tile if way.home == way.landing else self._copied(part, key, tile, way.home))
        del latest[: -self._kept if slot in self.chunk_axes else -1]
        return latest[-1]

    def _copied(self, part: int, key: tuple[object, ...], tile: Tile, memory: str) -> Tile:
        """The tile once more, in another memory of the core."""
        name = f"{tile.name}.{memory}.k{self.core}" if self._cores > 1 else f"{tile.name}.{memory}"
        out = replace(tile, name=name, block=Block(name, memory, tile.block.nbytes))
        layer, number = ir.Copy(name=name, loc=self.layer.loc), self._number(self._run)
        step = Compute(part=number, core=self.core, layer=layer, out=out, ins=(tile,))
        self._add(part, (*key, memory), step)
        return out

    def _departing(self, part: int, tile: Tile) -> Tile:
        """The result where the write engine reaches it."""
        is_there = self._departure == self._home
        return tile if is_there else self._copied(part, ("result",), tile, self._departure)

    def _receivers(self, slot: int) -> tuple[int, ...]:
        """The cores that a load is broadcast to; none if only this core needs it."""
        split = self.tiling.split
        if split is None or not self.chip.dma.broadcast:
            return ()
        sharing = split.sharing(self.core, self.moves.get(slot, frozenset()))
        return sharing if len(sharing) > 1 else ()

    def _operand_name(
        self, part: int, slot: int, chunk: tuple[int, int] | None, receivers: tuple[int, ...]
    ) -> str:
        """A number per operand; where cores share a layer, what they get together has one name for all."""
        if self._cores == 1:
            number = self._count.get(slot, 0)
            self._count[slot] = number + 1
            return f"{self.layer.name}/{slot}.{number}"
        at = f"{slot}.{part}" if chunk is None else f"{slot}.{part}.{chunk[0]}"
        return f"{self.layer.name}/{at}.k{receivers[0] if receivers else self.core}"

    def _tile_layer(
        self, part: int, low: Vector, shape: Vector, phase: Phase, index: int, count: int
    ) -> ir.Layer:
        suffix = self._suffix(part) + ("" if count == 1 else f".k{index}")
        layer = tile_layer(self.layer, self._source, part, low, shape, self.out_type.shape)
        phases: dict[str, Any] = {"phase": phase} if isinstance(layer, ir.MacLayer | ir.Reduce) else {}
        return changed(layer, name=self.layer.name + suffix, **phases)
