"""The steps of a core as they come, and tiles over what is on chip, with the views that join and cut them.

in:   loads, computations, stores in the order of demand; boxes of buffers that are on chip
out:  steps with their keys (`steps`), tiles with unique names

    rows 0..3 of b lie in one piece, rows 4..5 in the next      box(rows 2..5) -> slice of the first piece,
    [0 1 2 3][4 5]                                              then a join; both are views and cost nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from operator import add, mul

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Box, cropped_box, meets, without
from nnc.compiler.ir.required import required
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Resident
from nnc.compiler.plan.step import Block, Compute, Keyed, Load, Step, Store, Tile, View
from nnc.compiler.plan.steps.shape import stem_in_group

Vector = tuple[int, ...]


Pieces = tuple[tuple[Vector, Tile], ...]


@dataclass
class OnChip:
    """Rows of a buffer on chip.

    `base` is the offset in the block (elements) of the buffer's element 0, which may lie before the block;
    `strides` are those of the buffer's owner, or of a slice of its channels.
    `pieces` are the tiles that have been written, in coordinates of the buffer's owner, by the tensor they
    belong to.
    """

    block: Block
    low: int
    high: int
    base: int
    strides: Vector
    pieces: list[tuple[Vector, Tile]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ResidentRows:
    """Rows of a buffer that one group leaves on chip for the next: an `OnChip` that changes no more."""

    block: Block
    low: int
    high: int
    base: int
    strides: Vector
    pieces: Pieces

    @staticmethod
    def of(state: OnChip) -> ResidentRows:
        """The rows as they are now."""
        return ResidentRows(
            state.block, state.low, state.high, state.base, state.strides, tuple(state.pieces)
        )

    def opened(self) -> OnChip:
        """The rows for a group that reads them, or adds to them."""
        return OnChip(self.block, self.low, self.high, self.base, self.strides, list(self.pieces))


OnChipBetween = frozenset[tuple[Resident, ResidentRows]]
"""What is on chip between two groups, by buffer: a value, so that what depends on it can be found again."""
NOTHING_ON_CHIP: OnChipBetween = frozenset()


class StepWriter:
    """Writes the steps of one core of a group; names what they define.

    Views cost nothing: a join of tiles that lie side by side, a slice of a tile, a reshape.  They make the
    partitioned graph a complete dataflow.
    """

    def __init__(self, network: PlanNetwork, group: str, core: int) -> None:
        """Args:
        group: its last layer.
        core: whose steps these are.
        """
        self.network, self.graph, self.core = network, network.graph, core
        self.part = 0  # of the steps that are written now
        self.stems: dict[str, str] = {}  # by name
        self._group = group
        self._uses: dict[str, int] = {}
        self._plain: dict[str, str] = {}  # names without the core
        self.steps: Keyed = []

    def _emit(self, tile: Tile, step: Step) -> None:
        """Enter a step; its class and the name of its tile, without the core's, tell it from all others."""
        self.steps.append(((type(step), self._plain.get(tile.name, tile.name)), step))

    def load(self, layer: ir.Layer, tile: Tile) -> None:
        """Load a tile from its tensor, for a layer."""
        self._emit(tile, Load(part=self.part, core=self.core, loc=layer.loc, tile=tile))

    def store(self, layer: ir.Layer, tile: Tile) -> None:
        """Store a tile that a layer computed to its tensor."""
        self._emit(tile, Store(part=self.part, core=self.core, loc=layer.loc, tile=tile))

    def compute(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> None:
        """Compute a tile by the layer of the tile."""
        self._emit(out, Compute(part=self.part, core=self.core, layer=layer, out=out, ins=ins))

    def _view(self, layer: ir.Layer, out: Tile, ins: tuple[Tile, ...]) -> None:
        """Enter a view, a step of this core alone: one may need a slice of what another reads whole."""
        step = View(part=self.part, core=self.core, layer=layer, out=out, ins=ins)
        self.steps.append(((View, out.name), step))

    def name(self, stem: str, tail: str, *, is_common: bool = False) -> str:
        """A unique name for a node of this core and the tile it defines.

        Args:
            stem: a layer of the group, or of what several groups may touch, see `stem_of`.
            is_common: it names a block at the same address on all cores, or a constant that all get.
        """
        plain = stem + tail
        number = self._uses[plain] = self._uses.get(plain, -1) + 1
        plain = plain if number == 0 else f"{plain}.{number}"
        name = plain if is_common or self.core == 0 else f"{plain}.k{self.core}"
        self.stems[name], self._plain[name] = stem, plain
        return name

    def stem_of(self, name: str) -> str:
        """What names begin with that are made of a buffer, or of a view."""
        return stem_in_group(self._group, name)

    def name_of(self, buffer: str, what: str, *, is_common: bool = False) -> str:
        """A name of something that holds rows of a buffer, or of a view, in this part."""
        return self.name(self.stem_of(buffer), f"/p{self.part}.{what}", is_common=is_common)

    def shown(self, tensor: str, low: Vector, shape: Vector, source: Tile) -> Tile:
        """A box of a reshape, transpose … of a tensor, in a tile of whole rows of that tensor.

        These lie on chip as in their buffer, so the elements of the view are as far apart here as there; of
        rows of some columns, the axes of the view are as far apart as those that they run along.
        """
        graph, layer = self.graph, required(self.graph.producer(tensor))
        box, whole = graph.storage[tensor].box(low, shape), graph.storage[source.tensor].box(source.low, ())
        offset, strides, split = box.offset - whole.offset, box.strides, self.network.split_view(tensor)
        if split is not None:
            offset, strides = split.offset(low, source.strides), split.strides(source.strides)
        name = self.name_of(layer.name, "view")
        type_ = TensorType(graph.types[tensor].dtype, shape)
        tile = Tile(name, tensor, low, type_, source.block, source.offset + offset, strides)
        view = ir.AsStrided(
            name=name, loc=layer.loc, steps=source.strides, offset=offset, strides=strides, shape=shape
        )
        self._view(view, tile, (source,))
        return tile

    def box(self, buffer: str, state: OnChip, low: Vector, shape: Vector) -> Tile:
        """A box of a buffer, in the coordinates of its owner, from the pieces on chip."""
        inside = [(at, tile) for at, tile in state.pieces if meets(at, tile.type.shape, low, shape)]
        for at, tile in reversed(inside):
            if at == low and tile.type.shape == shape:
                return tile
        if len(inside) == 1:
            at, tile = inside[0]
            start = tuple(a - b for a, b in zip(low, at, strict=True))
            return self.slice(tile, start, shape)
        cropped = [self.crop_piece(at, tile, *box) for at, tile, box in _uncovered(inside, low, shape)]
        name = self.name_of(buffer, "join")
        origins = tuple(tuple(a - b for a, b in zip(at, low, strict=True)) for at, _ in cropped)
        out = self.tile_at(state, name, buffer, low, shape)
        layer = ir.Join(name=name, loc=self.loc_of(buffer), origins=origins)
        self._view(layer, out, tuple(tile for _, tile in cropped))
        return out

    def crop_piece(self, at: Vector, tile: Tile, low: Vector, shape: Vector) -> tuple[Vector, Tile]:
        """What of a piece (its corner, its tile) lies in a box."""
        first = tuple(max(a, b) for a, b in zip(at, low, strict=True))
        ends = zip(at, tile.type.shape, low, shape, strict=True)
        extent = tuple(min(a + n, b + m) - f for (a, n, b, m), f in zip(ends, first, strict=True))
        return first, self.slice(tile, tuple(a - b for a, b in zip(first, at, strict=True)), extent)

    def slice(self, tile: Tile, start: Vector, shape: Vector) -> Tile:
        """A box of a tile, `start` counting from the tile's first element."""
        if tile.type.shape == shape:
            return tile
        stem, plain = self.stems.get(tile.name), self._plain.get(tile.name, "")
        if stem is None:  # it was here before the group
            name = self.name(self.stem_of(tile.name), ".s")
        else:
            name = self.name(stem, f"{plain.removeprefix(stem)}.s")
        offset = tile.offset + sum(map(mul, start, tile.strides))
        low = tuple(map(add, tile.low, start))
        type_ = TensorType(tile.type.dtype, shape)
        out = Tile(name, tile.tensor, low, type_, tile.block, offset, tile.strides)
        layer = ir.Slice(
            name=name, loc=self.loc_of(tile.tensor), start=start, step=(1,) * len(shape), shape=shape
        )
        self._view(layer, out, (tile,))
        return out

    def loc_of(self, tensor: str) -> ir.Loc:
        """Where a tensor comes from in the model."""
        layer = self.graph.producer(tensor)
        return ir.Loc(tensor, "Input") if layer is None else layer.loc

    def tile_at(self, state: OnChip, name: str, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A box of a buffer as it lies in the state's block; `low` in the coordinates of the owner."""
        strides = state.strides
        offset = state.base + sum(map(mul, low, strides))
        type_ = TensorType(self.graph.types[tensor].dtype, shape)
        return Tile(name, tensor, low, type_, state.block, offset, strides)

    def strides_of(self, buffer: str) -> Vector:
        """Strides of a buffer's owner (elements)."""
        return self.graph.storage[buffer].strides

    def write(self, state: OnChip, name: str, tensor: str, low: Vector, shape: Vector) -> Tile:
        """The tile that a step is about to fill, entered as a piece of its buffer."""
        origin = required(self.network.view(tensor).origin)
        at = tuple(map(add, low, origin))
        here = self.tile_at(state, name, tensor, at, shape)
        tile = Tile(name, tensor, low, here.type, here.block, here.offset, here.strides)
        state.pieces.append((at, tile))
        return tile

    def move(self, target: OnChip, buffer: str, at: Vector, tile: Tile) -> None:
        """Copy a piece into another tile of its buffer, unless it lies in the right place already."""
        name = self.name_of(buffer, "move")
        here = self.tile_at(target, name, buffer, at, tile.type.shape)
        if here.block == tile.block and here.offset == tile.offset:
            target.pieces.append((at, tile))
            return
        out = replace(here, tensor=tile.tensor, low=tile.low)
        layer = ir.Copy(name=name, loc=self.loc_of(buffer))
        self.compute(layer, out, (tile,))
        target.pieces.append((at, out))


def _uncovered(
    pieces: Sequence[tuple[Vector, Tile]], low: Vector, shape: Vector
) -> list[tuple[Vector, Tile, Box]]:
    """What of every piece lies in a box and under no later piece: rows may have been computed again."""
    boxes = [cropped_box(at, tile.type.shape, low, shape) for at, tile in pieces]
    if sum(prod(extent) for _, extent in boxes) == prod(shape):
        return [(at, tile, box) for (at, tile), box in zip(pieces, boxes, strict=True)]
    found = []
    for number, (at, tile) in enumerate(pieces):
        left = [boxes[number]]
        for later in boxes[number + 1 :]:
            left = [part for box in left for part in without(box, later)]
        found += [(at, tile, box) for box in left]
    return found
