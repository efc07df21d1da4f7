"""The steps of a core as they come, and tiles over what is on chip, with the views that join and cut them.

in:   loads, computations, stores in the order of demand; boxes of buffers that are on chip
out:  steps with their keys (`steps`), tiles with unique names

    rows 0..3 of b lie in one piece, rows 4..5 in the next      box(rows 2..5) -> slice of the first piece,
    [0 1 2 3][4 5]                                              then a join; both are views and cost nothing
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.plan.expand.lockstep import Keyed
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import Block, Compute, Load, Step, Store, Tile, View

Vector = tuple[int, ...]


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

    def copy(self) -> OnChip:
        """A state of its own; tiles never change."""
        return replace(self, pieces=list(self.pieces))


class Names(dict[str, int]):
    """How often every name was used in a plan, so that names of nodes and tiles are unique."""

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[str, int] = {}

    def take(self, stem: str) -> str:
        """A name that is not in use."""
        number = self.get(stem, 0)
        self._before.setdefault(stem, number)
        self[stem] = number + 1
        return stem if number == 0 else f"{stem}.{number}"

    def fork(self) -> Names:
        """Names with the same uses, for another core."""
        other = Names()
        other.update(self)
        return other

    def join(self, other: Names) -> None:
        """Count the names that were used here or there."""
        for stem, number in other.items():
            if number > self.get(stem, 0):
                self._before.setdefault(stem, self.get(stem, 0))
                self[stem] = number

    def record(self) -> None:
        """Begin to note which names are taken."""
        self._before = {}

    def recorded(self) -> tuple[dict[str, int], dict[str, int]]:
        """Uses of the names that were taken since, before and after."""
        return self._before, {stem: self[stem] for stem in self._before}

    def are(self, uses: dict[str, int]) -> bool:
        """Whether names were used just so often."""
        return all(self.get(stem, 0) == number for stem, number in uses.items())


class StepWriter:
    """Writes the steps of one core of a group; names what they define.

    Views cost nothing: a join of tiles that lie side by side, a slice of a tile, a reshape.  They make the
    partitioned graph a complete dataflow.
    """

    def __init__(self, network: PlanNetwork, names: Names, core: int) -> None:
        """Args:
        names: shared by all groups of a plan; every core begins with the same.
        core: whose steps these are.
        """
        self.network, self.graph, self.core = network, network.graph, core
        self.part = 0  # of the steps that are written now
        self._names = names
        self._stems: dict[str, str] = {}
        self.steps: Keyed = []

    def _emit(self, tile: Tile, step: Step) -> None:
        """Enter a step; its class and the name of its tile, without the core's, tell it from all others."""
        self.steps.append(((type(step), self._stem(tile.name)), step))

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
        self._emit(out, View(part=self.part, core=self.core, layer=layer, out=out, ins=ins))

    def name(self, stem: str) -> str:
        """A unique name for a node of this core and the tile it defines."""
        taken = self._names.take(stem)
        name = taken if self.core == 0 else f"{taken}.k{self.core}"
        self._stems[name] = taken
        return name

    def common_name(self, stem: str) -> str:
        """A name that all cores give to a block at the same address, or to a constant that all get."""
        return self._names.take(stem)

    def _stem(self, name: str) -> str:
        """The name without what tells the cores apart."""
        return self._stems.get(name, name)

    def through_views(self, tensor: str, state: OnChip) -> Tile:
        """A whole tensor that is a reshape, transpose … of its buffer: the network's own views, on chip."""
        view = self.network.view(tensor)
        whole = self.graph.types[tensor]
        if view.origin is not None:
            return self.box(view.buffer, state, view.origin, whole.shape)
        layer = required(self.graph.producer(tensor))
        source = self.through_views(required(self.graph.inputs_of(layer.name)[0]), state)
        storage = self.graph.storage[tensor]
        name = self.name(f"{layer.name}/p{self.part}")
        zero = (0,) * len(whole.shape)
        tile = Tile(name, tensor, zero, whole, state.block, state.base + storage.offset, storage.strides)
        self._view(replace(layer, name=name), tile, (source,))
        return tile

    def box(self, buffer: str, state: OnChip, low: Vector, shape: Vector) -> Tile:
        """A box of a buffer, in the coordinates of its owner, from the pieces on chip."""
        inside = [(at, tile) for at, tile in state.pieces if meets(at, tile.type.shape, low, shape)]
        for at, tile in inside:
            if at == low and tile.type.shape == shape:
                return tile
        if len(inside) == 1:
            at, tile = inside[0]
            start = tuple(a - b for a, b in zip(low, at, strict=True))
            return self.slice(tile, start, shape)
        cropped = [self.crop_piece(at, tile, low, shape) for at, tile in inside]
        name = self.name(f"{buffer}/p{self.part}.join")
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
        name = self.name(f"{self._stem(tile.name)}.s")
        offset = tile.offset + sum(a * b for a, b in zip(start, tile.strides, strict=True))
        low = tuple(a + b for a, b in zip(tile.low, start, strict=True))
        out = replace(tile, name=name, low=low, type=TensorType(tile.type.dtype, shape), offset=offset)
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
        offset = state.base + sum(a * b for a, b in zip(low, strides, strict=True))
        type_ = TensorType(self.graph.types[tensor].dtype, shape)
        return Tile(name, tensor, low, type_, state.block, offset, strides)

    def strides_of(self, buffer: str) -> Vector:
        """Strides of a buffer's owner (elements)."""
        return self.graph.storage[buffer].strides

    def write(self, state: OnChip, name: str, tensor: str, low: Vector, shape: Vector) -> Tile:
        """The tile that a step is about to fill, entered as a piece of its buffer."""
        origin = required(self.network.view(tensor).origin)
        at = tuple(a + b for a, b in zip(low, origin, strict=True))
        tile = replace(self.tile_at(state, name, tensor, at, shape), low=low)
        state.pieces.append((at, tile))
        return tile


def meets(at: Vector, extent: Vector, low: Vector, shape: Vector) -> bool:
    """Whether two boxes, each with its corner and shape, share elements."""
    boxes = zip(at, extent, low, shape, strict=True)
    return all(a < b + m and b < a + n for a, n, b, m in boxes)


def cropped_box(at: Vector, extent: Vector, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
    """Corner and shape of what two boxes share."""
    first = tuple(max(a, b) for a, b in zip(at, low, strict=True))
    ends = zip(at, extent, low, shape, strict=True)
    return first, tuple(min(a + n, b + m) - f for (a, n, b, m), f in zip(ends, first, strict=True))
