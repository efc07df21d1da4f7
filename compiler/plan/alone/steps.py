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
from nnc.compiler.ir.regions.operand_boxes import Need, needed_of_all
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import normal_order
from nnc.compiler.ir.tensors import TensorType
from nnc.compiler.plan.alone.dram_bytes import ranges
from nnc.compiler.plan.alone.tiled_layer import TiledLayer, TiledOperand
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
from nnc.compiler.plan.step import Block, Compute, Fill, Keyed, Load, LoadRows, Step, Store, Tile
from nnc.compiler.target import layer_traits
from nnc.isa.instruction import Phase
from nnc.isa.record import changed

Chunk = tuple[int, int] | None
"""Range of the summed axis, relative to what a tile needs of it; None if it is whole."""


class CoreSteps:
    """Writes the steps of one core of a layer.

    Names of what is the core's own end with `suffix`, if several share the layer.  Without that, class and
    name (`stem`) are the key of a step, the same on all cores.

    Attributes:
        inputs, output: tensors of the layer.
        part: number of the part of this core to which the next steps belong.
    """

    def __init__(self, layer: TiledLayer, core: int, cores: int) -> None:
        self.tiled, self.graph, self.layer, self.chip = layer, layer.graph, layer.layer, layer.chip
        self.core, self.cores = core, cores
        name = self.layer.name
        self.inputs, self.output = self.graph.inputs_of(name), self.graph.output_of(name)
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

    def sums(self, name: str, low: Vector, shape: Vector, held: Tile | None) -> Tile:
        """Partial sums of a box of the result, in the bytes of another tile (`held`) or in new ones."""
        if held is not None:
            return held.named(name)
        type_, order = TensorType(self.tiled.sums_dtype, shape), normal_order(shape, self.tiled.result.order)
        return Tile.dense(name, self.output, low, type_, order, self.tiled.sums_home)


@dataclass(frozen=True, slots=True)
class _OperandTiles:
    """What all tiles of an operand have in common, and the latest ones.

    Attributes:
        low, shape: the boxes that the tiles of the result need, by number.
        chunk_axis: the axis of its own that is cut into chunks, if any is.
        least: bytes of a block on chip: those of the largest tile, so that double buffers are equal.
        receivers: cores that a load is broadcast to.
        latest: tiles that may be used again.
    """

    operand: TiledOperand
    low: list[Vector]
    shape: list[Vector]
    chunk_axis: int | None
    least: int
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

    Cores that need the same of an operand get it from the first of them, if the chip has a broadcast.
    """

    def __init__(self, layer: TiledLayer, tiling: Tiling, core: int) -> None:
        super().__init__(layer, core, tiling.cores)
        self._tiling, whole = tiling, layer.out.shape
        self._boxes = output_boxes(whole, tiling, core)
        needs = needed_of_all(self.layer, self._boxes, layer.shapes, whole)
        self._source = needs.get(0)
        self._operands = {
            slot: self._operand_tiles(operand, needs[slot])
            for slot, operand in enumerate(layer.operands)
            if operand is not None and not operand.is_table  # which stays where it is
        }
        self._least_out = layer.held_bytes(layer.result, vector(self._boxes.extents.max(axis=0)))
        # An engine loads in order: constants come first, for they never wait for a layer before this one.
        slots = range(len(self.inputs))
        self._order_of_loads = sorted(slots, key=lambda slot: not self.graph.is_constant(self.inputs[slot]))
        self._kept = 1

    def all(self) -> Keyed:
        """All steps in the order of demand."""
        sides = [*zip(self._boxes.low.tolist(), self._boxes.high.tolist(), strict=True)]
        for number, run in enumerate(tiles_abreast(self.tiled.out.shape, self._tiling, self.core)):
            self.part = number
            self._together([(part, *sides[part]) for part in run if all(map(lt, *sides[part]))])
        self.store_all_but(0)
        return self.steps

    def _operand_tiles(self, operand: TiledOperand, need: Need) -> _OperandTiles:
        largest, chunk = need.boxes.extents.max(axis=0).tolist(), self._tiling.chunk
        axis = None if chunk is None else operand.chunk_axis
        if chunk is not None and axis is not None:
            largest[axis] = min(largest[axis], chunk)
        low, shape = (list(map(tuple, of.tolist())) for of in (need.boxes.low, need.boxes.extents))
        least = self.tiled.held_bytes(operand, tuple(largest))
        return _OperandTiles(operand, low, shape, axis, least, self._receivers(operand))

    def _receivers(self, operand: TiledOperand) -> tuple[int, ...]:
        """The cores that a load is broadcast to; none if only this core needs it."""
        split = self._tiling.split
        if split is None or not self.chip.dma.broadcast:
            return ()
        sharing = split.sharing(self.core, operand.axes)
        return sharing if len(sharing) > 1 else ()

    def _together(self, run: list[tuple[int, list[int], list[int]]]) -> None:
        """Compute tiles (numbers, boxes) side by side: a chunk of all of them, then the next one."""
        results, result = list[tuple[int, Tile]](), self.tiled.result
        for part, low, high in run:
            name, box = f"{self._stem(part)}{self.suffix}", (tuple(low), tuple(map(sub, high, low)))
            tile = self.tile(name, self.output, *box, result.homes[0], result.order, self._least_out)
            results.append((part, tile))
        sums: dict[int, Tile] = {}
        chunks = self._chunks(run[0][0]) if run else []
        order = turns(len(chunks), len(results))
        self._kept = 2 if order != sorted(order) else 1  # tiles take turns with the last two chunks
        for index, place in order:
            self._compute(*results[place], sums, chunks, index)

    def _stem(self, part: int) -> str:
        return f"{self.layer.name}/p{part}"

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
            held = out if previous is None and self.tiled.sums_in_place else previous
            target = sums[part] = self.sums(f"{stem}.sum{index}{self.suffix}", out.low, out.type.shape, held)
        if phase in (Phase.ADD, Phase.FINISH):
            absent = [None] * (len(layer.slots) - 1 - len(ins))
            ins = [*ins, *absent, previous]
        self.add(self._work(layer, target, tuple(ins)))
        self.store_all_but(0)  # with two buffers, the tile before was stored meanwhile
        if phase in (Phase.WHOLE, Phase.FINISH):
            _, *departures = self.tiled.result.homes
            self.finish(self._copied(stem, out, departures[0]) if departures else out)
            if not self._tiling.double_buffer:
                self.store_all_but(0)

    def _tile_layer(self, name: str, part: int, out: Tile, phase: Phase) -> ir.Layer:
        layer = tile_layer(self.layer, self._source, part, out.low, out.type.shape, self.tiled.out.shape)
        phases: dict[str, Any] = {"phase": phase} if isinstance(layer, ir.MacLayer | ir.Reduce) else {}
        return changed(layer, name=name, **phases)

    def _work(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> Step:
        """The step that makes a tile: its computation, or the load of the rows that an index tile names."""
        part, core = self.number, self.core
        if isinstance(layer, ir.Fill):
            return Fill(part=part, core=core, layer=replace(layer, shape=out.type.shape), tile=out)
        if not layer_traits.is_row_gather(self.layer):
            return Compute(part=part, core=core, layer=layer, out=out, ins=ins)
        table, index = required(self.inputs[0]), required(ins[1])
        return LoadRows(part=part, core=core, layer=layer, table=table, index=index, out=out)

    def _operand(self, part: int, slot: int, chunk: Chunk, phase: Phase) -> Tile | None:
        """The tile of an operand: the one on chip if it is the same box, else a new one with its load."""
        tiles, is_epilogue = self._operands.get(slot), slot >= 2 and isinstance(self.layer, ir.MacLayer)
        if tiles is None or (is_epilogue and phase in (Phase.START, Phase.ADD)):
            return None
        low, shape = tiles.box(part, chunk)
        for tile in tiles.latest:
            if tile.low == low and tile.type.shape == shape:
                return tile
        stem = f"{self.layer.name}/{slot}.{part}" + ("" if chunk is None else f".{chunk[0]}")
        name = f"{stem}.k{tiles.receivers[0]}" if tiles.receivers else stem + self.suffix
        tensor, (home, *landings) = required(self.inputs[slot]), tiles.operand.homes
        landing = landings[0] if landings else home
        tile = self.tile(name, tensor, low, shape, landing, tiles.operand.order, tiles.least)
        self.load(tile, tiles.receivers, stem)
        tiles.latest.append(self._copied(stem, tile, home) if landings else tile)
        del tiles.latest[: -1 if tiles.chunk_axis is None else -self._kept]
        return tiles.latest[-1]

    def _copied(self, stem: str, tile: Tile, memory: str) -> Tile:
        """The tile once more, in another memory of the core."""
        name = f"{stem}.{memory}{self.suffix}"
        out = replace(tile, name=name, block=Block(name, memory, tile.block.nbytes))
        self.compute(ir.Copy(name=name, loc=self.layer.loc), out, (tile,))
        return out
