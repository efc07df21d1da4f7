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
from operator import mul

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Box, Need, cropped_box, meets, shifted, without
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.tiling import tile_layer
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.plan_network import PlanNetwork, Vector
from nnc.compiler.plan.network.residents import Resident
from nnc.compiler.plan.step import Block, Compute, Keyed, Load, Step, Store, Tile, View
from nnc.compiler.plan.steps.shape import stem_in_group
from nnc.isa.instruction import Phase
from nnc.isa.record import changed, record

Piece = tuple[Vector, Tile]
"""A tile of a buffer, and its corner in the coordinates of the buffer's owner."""


@dataclass(eq=False, slots=True)
class OnChip:
    """Rows of a buffer on chip.

    `base` is the offset in the block (elements) of the buffer's element 0, which may lie before the block;
    `strides` are those of the buffer's owner, or of a slice of its channels.
    `pieces` are the tiles that have been written, by the tensor they belong to.
    """

    block: Block
    base: int
    strides: Vector
    pieces: list[Piece] = field(default_factory=list)

    def in_place(self) -> OnChip:
        """Other rows, none of which is there yet, in the same place."""
        return replace(self, pieces=[])


OnChipBetween = frozenset[tuple[Resident, OnChip]]
"""What one group leaves on chip for the next, by buffer: it changes no more."""
NOTHING_ON_CHIP: OnChipBetween = frozenset()


@record(frozen=True, slots=True)
class Part:
    """A part of a group: its number on a core, the strip of columns it belongs to, its place in the strip."""

    number: int
    strip: int
    place: int


class StepWriter:
    """Writes the steps of one core of a group; names what they define.

    Views cost nothing: a join of tiles that lie side by side, a slice of a tile, a reshape.  They make the
    partitioned graph a complete dataflow.

    Attributes:
        part: of the steps that are written now; steps: all so far; stems: by name, what it begins with.
        unsliced, sliced: positions of layers that are computed whole, and in slices of channels.
    """

    def __init__(self, network: PlanNetwork, choice: FusedChoice, core: int) -> None:
        """Args:
        choice: the group; core: whose steps these are.
        """
        self.network, self.graph, self.choice, self.core = network, network.graph, choice, core
        self.part = Part(0, 0, 0)
        sliced_from = min(choice.sliced_from, choice.end + 1)
        self.unsliced, self.sliced = range(choice.start, sliced_from), range(sliced_from, choice.end + 1)
        self.steps: Keyed = []
        self.stems: dict[str, str] = {}
        self._plain: dict[str, str] = {}  # names without the core
        self._uses: dict[str, int] = {}

    # --- names ----------------------------------------------------------------------------------------------

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
        return stem_in_group(self.network.layers[self.choice.end].name, name)

    def name_of(self, buffer: str, what: str, *, is_common: bool = False) -> str:
        """A name of something that holds rows of a buffer, or of a view, in this part."""
        return self.name(self.stem_of(buffer), f"/p{self.part.number}.{what}", is_common=is_common)

    # --- steps ----------------------------------------------------------------------------------------------

    def _emit(self, tile: Tile, step: Step) -> None:
        """Enter a step; its class and the name of its tile, without the core's, tell it from all others."""
        self.steps.append(((type(step), self._plain.get(tile.name, tile.name)), step))

    def load(self, layer: ir.Layer, tile: Tile) -> None:
        """Load a tile from its tensor, for a layer."""
        self._emit(tile, Load(part=self.part.number, core=self.core, loc=layer.loc, tile=tile))

    def store(self, layer: ir.Layer, tile: Tile) -> None:
        """Store a tile that a layer computed to its tensor."""
        self._emit(tile, Store(part=self.part.number, core=self.core, loc=layer.loc, tile=tile))

    def compute(self, layer: ir.Layer, out: Tile, ins: tuple[Tile | None, ...]) -> None:
        """Compute a tile by the layer of the tile."""
        self._emit(out, Compute(part=self.part.number, core=self.core, layer=layer, out=out, ins=ins))

    def compute_tile(
        self,
        position: int,
        needs: dict[int, Need],
        ins: dict[int, Tile],
        out: Tile,
        phase: Phase = Phase.WHOLE,
    ) -> None:
        """Compute a tile of a layer's result, or partial sums of it, from its operands by slot."""
        layer, whole = self.network.layers[position], self.graph.types[self.network.defines[position]].shape
        slots = len(self.graph.inputs_of(layer.name))
        tiled = tile_layer(layer, needs.get(0), 0, out.low, out.type.shape, whole)
        if phase is not Phase.WHOLE:
            assert isinstance(tiled, ir.MacLayer)
            tiled = changed(tiled, phase=phase)
            slots = slots if phase is Phase.START else len(tiled.slots)
        self.compute(changed(tiled, name=out.name), out, tuple([ins.get(slot) for slot in range(slots)]))

    def _view(self, layer: ir.Layer, out: Tile, ins: tuple[Tile, ...]) -> Tile:
        """Enter a view, a step of this core alone: one may need a slice of what another reads whole."""
        step = View(part=self.part.number, core=self.core, layer=layer, out=out, ins=ins)
        self.steps.append(((View, out.name), step))
        return out

    # --- tiles ----------------------------------------------------------------------------------------------

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
        return self._view(view, tile, (source,))

    def box(self, buffer: str, state: OnChip, box: Box) -> Tile:
        """A box of a buffer, in the coordinates of its owner, from the pieces on chip."""
        for corner, tile in reversed(state.pieces):
            if (corner, tile.type.shape) == box:
                return tile
        inside = shared(state.pieces, box)
        if len(inside) == 1:
            return self.cropped(*inside[0])[1]
        cropped = [self.cropped(*part) for part in (inside if _fill(inside, box) else _uncovered(inside))]
        name = self.name_of(buffer, "join")
        origins = tuple([shifted(corner, box[0], -1) for corner, _ in cropped])
        layer = ir.Join(name=name, loc=self.loc_of(buffer), origins=origins)
        return self._view(layer, self.tile_at(state, name, buffer, box), tuple([tile for _, tile in cropped]))

    def pieces(self, buffer: str, state: OnChip, box: Box) -> list[Piece]:
        """The pieces of a buffer in a box, joined where one box holds them all."""
        inside = shared(state.pieces, box)
        if _fill(inside, box):
            return [(box[0], self.box(buffer, state, box))]
        return [self.cropped(*part) for part in inside]

    def cropped(self, piece: Piece, box: Box) -> Piece:
        """What of a piece lies in a box inside of it."""
        (corner, tile), (first, extent) = piece, box
        return first, self.slice(tile, shifted(first, corner, -1), extent)

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
        type_ = TensorType(tile.type.dtype, shape)
        out = Tile(name, tile.tensor, shifted(tile.low, start), type_, tile.block, offset, tile.strides)
        layer = ir.Slice(
            name=name, loc=self.loc_of(tile.tensor), start=start, step=(1,) * len(shape), shape=shape
        )
        return self._view(layer, out, (tile,))

    def loc_of(self, tensor: str) -> ir.Loc:
        """Where a tensor comes from in the model."""
        layer = self.graph.producer(tensor)
        return ir.Loc(tensor, "Input") if layer is None else layer.loc

    def tile_at(self, state: OnChip, name: str, tensor: str, box: Box) -> Tile:
        """A box of a buffer, in the coordinates of its owner, as it lies in the state's block."""
        low, shape = box
        offset = state.base + sum(map(mul, low, state.strides))
        type_ = TensorType(self.graph.types[tensor].dtype, shape)
        return Tile(name, tensor, low, type_, state.block, offset, state.strides)

    def write(self, state: OnChip, name: str, tensor: str, box: Box) -> Tile:
        """The tile that a step is about to fill, entered as a piece of its buffer."""
        corner = shifted(box[0], required(self.network.view(tensor).origin))
        tile = changed(self.tile_at(state, name, tensor, (corner, box[1])), low=box[0])
        state.pieces.append((corner, tile))
        return tile

    def move(self, target: OnChip, buffer: str, corner: Vector, tile: Tile) -> None:
        """Copy a piece into another tile of its buffer, unless it lies in the right place already."""
        name = self.name_of(buffer, "move")
        here = self.tile_at(target, name, buffer, (corner, tile.type.shape))
        if here.block != tile.block or here.offset != tile.offset:
            here = changed(here, tensor=tile.tensor, low=tile.low)
            self.compute(ir.Copy(name=name, loc=self.loc_of(buffer)), here, (tile,))
            tile = here
        target.pieces.append((corner, tile))


def shared(pieces: Sequence[Piece], box: Box) -> list[tuple[Piece, Box]]:
    """The pieces that share elements with a box, and the boxes of these."""
    inside = [(corner, tile) for corner, tile in pieces if meets(corner, tile.type.shape, *box)]
    return [((corner, tile), cropped_box(corner, tile.type.shape, *box)) for corner, tile in inside]


def _fill(parts: list[tuple[Piece, Box]], box: Box) -> bool:
    """Whether parts of pieces, none of which overlap, are all of a box."""
    return sum(prod(extent) for _, (_, extent) in parts) == prod(box[1])


def _uncovered(parts: list[tuple[Piece, Box]]) -> list[tuple[Piece, Box]]:
    """What of every part lies under no part of a later piece: rows may have been computed again."""
    uncovered = []
    for number, (piece, box) in enumerate(parts):
        left = [box]
        for _, later in parts[number + 1 :]:
            left = [rest for part in left for rest in without(part, later)]
        uncovered += [(piece, part) for part in left]
    return uncovered
