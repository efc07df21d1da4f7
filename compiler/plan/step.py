"""The steps of a plan: what is loaded, computed and stored, tile by tile, and where tiles lie in blocks.

A step is one of six frozen classes; the union of them is `Step`:

    Load      DRAM -> tile            a box of an activation or of a constant
    LoadRows  DRAM -> tile            the rows of a table that an index tile names
    Fill      value -> tile           the same value everywhere; the read engine's, but no DRAM traffic
    Compute   tiles -> tile           one tile of a layer
    Store     tile -> DRAM
    View      tiles -> tile           the same bytes by another name (join, slice, reshape …): costs nothing

All but views become one instruction each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Self

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Fill as FillLayer
from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.ir.runs import aligned_runs
from nnc.compiler.ir.storage import Storage, ordered_strides, storage_order
from nnc.isa.instruction import Engine
from nnc.isa.program import Wait
from nnc.isa.record import changed, record


@record(frozen=True, slots=True)
class Block:
    """Bytes of a memory that are allocated together; tiles are boxes inside blocks.

    They are freed together, too, unless the block is divided: then each `piece` of so many bytes lives from
    the first to the last step that touches it (0: it is not divided).  If it is placed `by_piece`, others lie
    wherever pieces leave room; else its bytes are its own, or those of one block that follows it.
    """

    name: str
    memory: str
    nbytes: int
    piece: int = 0
    by_piece: bool = False


@record(frozen=True, slots=True)
class Tile:
    """A block on chip: a box of a network tensor, or partial sums.

    Attributes:
        name: unique; names the tensor in the partitioned graph.
        tensor: the network tensor (or constant) it is a box of; partial sums name the result.
        low: first element of the box, per axis of the tensor.
        type: element type and shape of the box.
        block: the bytes that hold it; `offset` and `strides` (elements) say where in them.
    """

    name: str
    tensor: str
    low: tuple[int, ...]
    type: TensorType
    block: Block
    offset: int
    strides: tuple[int, ...]

    @staticmethod
    def dense(
        name: str, tensor: str, low: tuple[int, ...], type_: TensorType, order: tuple[int, ...], memory: str
    ) -> Tile:
        """A tile that fills a block of its own, axes nested in `order` (outermost first)."""
        block = Block(name, memory, type_.nbytes)
        return Tile(name, tensor, low, type_, block, 0, ordered_strides(type_.shape, order))

    @staticmethod
    def in_runs(
        name: str, tensor: str, low: tuple[int, ...], type_: TensorType, box: Storage, unit: int, memory: str
    ) -> Tile:
        """A tile in a block that holds the aligned runs of its box in DRAM (`unit` in elements)."""
        runs = aligned_runs(box, unit)
        block = Block(name, memory, runs.elements * type_.dtype.itemsize)
        offset = runs.offset(box.shape, box.strides)
        return Tile(name, tensor, low, type_, block, offset, runs.strides(box.shape, box.strides))

    def named(self, name: str) -> Tile:
        """The same bytes by another name."""
        return Tile(name, self.tensor, self.low, self.type, self.block, self.offset, self.strides)

    @property
    def order(self) -> tuple[int, ...]:
        """Axes from outermost to innermost as they nest in memory."""
        return storage_order(self.type.shape, self.strides)


Slots = tuple[Tile | None, ...]
Change = Callable[[Tile], Tile]


@record(frozen=True, slots=True, kw_only=True)
class _Step:
    """What all steps have.

    Attributes:
        part, core: where the step belongs in its group.
        others: the same step on other cores (see `lockstep`), until the plan is complete.
    """

    part: int
    core: int
    others: tuple[Step, ...] = ()

    def at(self, part: int) -> Self:
        """The same step of a core in another part."""
        return self if self.part == part and not self.others else changed(self, part=part, others=())


@record(frozen=True, slots=True, kw_only=True)
class _OfTile(_Step):
    """A step that makes or moves one tile."""

    tile: Tile

    @property
    def tiles(self) -> Slots:
        """The tiles by slot; the same step of another core has the same slots."""
        return (self.tile,)

    def with_tiles(self, change: Change) -> Self:
        """The step with every tile changed."""
        return changed(self, tile=change(self.tile))


@record(frozen=True, slots=True, kw_only=True)
class Load(_OfTile):
    """Bring a tile from its tensor in DRAM.

    Attributes:
        loc: of the layer it is loaded for.
        receivers: cores that it is broadcast to; none for a load to its own core.
    """

    loc: Loc
    receivers: tuple[int, ...] = ()


@record(frozen=True, slots=True, kw_only=True)
class LoadRows(_Step):
    """Bring the rows of the tensor `table` that the tile `index` names, from DRAM into the tile `out`."""

    layer: Layer
    table: str
    index: Tile
    out: Tile

    @property
    def tiles(self) -> Slots:
        """The tiles by slot; the same step of another core has the same slots."""
        return (self.out, self.index)

    def with_tiles(self, change: Change) -> Self:
        """The step with every tile changed."""
        return changed(self, out=change(self.out), index=change(self.index))


@record(frozen=True, slots=True, kw_only=True)
class Fill(_OfTile):
    """Fill a tile with the value of `layer`, the layer of the tile."""

    layer: FillLayer


@record(frozen=True, slots=True, kw_only=True)
class _OverTiles(_Step):
    """A layer over tiles: `ins` by operand slot, None where an optional operand is absent."""

    layer: Layer
    out: Tile
    ins: Slots

    @property
    def tiles(self) -> Slots:
        """The result, then the operands; the same step of another core has the same slots."""
        return (self.out, *self.ins)

    def with_tiles(self, change: Change) -> Self:
        """The step with every tile changed."""
        ins = tuple([None if tile is None else change(tile) for tile in self.ins])
        return changed(self, out=change(self.out), ins=ins)


@record(frozen=True, slots=True, kw_only=True)
class Compute(_OverTiles):
    """Compute the tile `out` by `layer`, the layer of the tile, from the tiles `ins`."""


@record(frozen=True, slots=True, kw_only=True)
class View(_OverTiles):
    """Name bytes on chip again: `out` is a join of tiles that lie side by side, a slice, a reshape …"""


@record(frozen=True, slots=True, kw_only=True)
class Store(_OfTile):
    """Write a tile to its tensor in DRAM.

    Attributes:
        loc: of the layer that computed it.
    """

    loc: Loc


Step = Load | LoadRows | Fill | Compute | Store | View
Steps = tuple[Step, ...]

Keyed = list[tuple[Hashable, Step]]
"""Steps of a core, each with a key that says what it does: the same on all cores."""

ENGINE_OF: dict[type[Step], Engine] = {
    Load: Engine.READ,
    LoadRows: Engine.READ,
    Fill: Engine.READ,
    Compute: Engine.COMPUTE,
    Store: Engine.WRITE,
}
"""The engine that does a step; views need none."""


@record(frozen=True, slots=True)
class IssuedStep:
    """A step of a group at its place in the order of issue, and what must have completed before it starts."""

    group: int
    step: Step
    waits: tuple[Wait, ...]


def tiles_of(step: Step) -> list[Tile]:
    """All tiles that a step touches."""
    return [tile for tile in step.tiles if tile is not None]


def written(step: Step) -> Tile | None:
    """The tile whose bytes a step changes; None for stores and views."""
    match step:
        case Load() | Fill():
            return step.tile
        case LoadRows() | Compute():
            return step.out
        case Store() | View():
            return None
