"""The steps of one layer, or of one group, as those of another that differs in names alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from typing import Any

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import (
    Block,
    Compute,
    Fill,
    Load,
    LoadRows,
    Slots,
    Step,
    Steps,
    Store,
    Tile,
    View,
)
from nnc.isa.record import changer, picker

_MADE_OF: dict[type[Step], tuple[str, ...]] = {
    Load: ("tile", "loc"),
    Store: ("tile", "loc"),
    Fill: ("tile", "layer"),
    LoadRows: ("out", "index", "layer", "table"),
    Compute: ("out", "ins", "layer"),
    View: ("out", "ins", "layer"),
}
"""By kind of step, the fields that names are in."""
_TILES = frozenset({"tile", "out", "index"})

_Parts = dict[str, Sequence[Any]]
"""What the fields of steps are made of: tiles, and the values of other fields by name."""


@dataclass(frozen=True, slots=True)
class _OfKind:
    """The steps of a kind: their places in the order, and what their fields are, as numbers of parts."""

    kind: type[Step]
    places: list[int]
    steps: list[Step]
    fields: dict[str, list[int]]

    def made(self, parts: _Parts, others: Iterable[Steps]) -> Iterator[Step]:
        """The steps of other parts."""
        columns = [
            map(parts["tile" if name in _TILES else name].__getitem__, numbers)
            for name, numbers in self.fields.items()
        ]
        change = changer(self.kind, "others", *self.fields)
        return map(change, self.steps, others, *columns)


class RenamedSteps:
    """Steps taken apart, and put together again with other names: what they share, they share after it.

    All is done by columns: steps of a kind, tiles, blocks and layers each in one go.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        """Args:
        steps: their names are those of tiles, of blocks and of the layers of tiles.
        """
        self._names: dict[str, int] = {}
        self._tensors: dict[str, int] = {}
        self._locs: dict[Loc, int] = {}
        self._blocks: dict[int, tuple[int, Block]] = {}
        self._tiles: dict[int, tuple[int, int, int, Tile]] = {}
        self._layers: list[tuple[int, int, Layer]] = []
        self._slots: list[Callable[[Sequence[Tile | None]], Slots]] = []
        self._numbers: dict[int, int] = {}  # of blocks and tiles, by their identity
        self._given = steps

    @cached_property
    def _apart(self) -> tuple[list[_OfKind], list[_OfKind]]:
        """The steps of other cores, in the order in which they hang on steps, and these."""
        twins = [other for step in self._given for other in step.others]
        return self._by_kind(twins), self._by_kind(self._given)

    @property
    def names(self) -> Sequence[str]:
        """All names, each once."""
        return [*self._names] if self._apart else []

    def _by_kind(self, steps: Sequence[Step]) -> list[_OfKind]:
        found = {
            kind: _OfKind(kind, [], [], {name: [] for name in fields}) for kind, fields in _MADE_OF.items()
        }
        for place, step in enumerate(steps):
            mine = found[type(step)]
            mine.places.append(place)
            mine.steps.append(step)
            for name, numbers in mine.fields.items():
                numbers.append(self._number(name, getattr(step, name)))
        return [*found.values()]

    def _number(self, name: str, value: Any) -> int:
        """The number of the value of a field."""
        match name:
            case "loc":
                return self._locs.setdefault(value, len(self._locs))
            case "table":
                return self._tensor(value)
            case "layer":
                loc = self._locs.setdefault(value.loc, len(self._locs))
                self._layers.append((self._name(value.name), loc, value))
                return len(self._layers) - 1
            case "ins":
                # the last of all tiles is None
                self._slots.append(picker([-1 if tile is None else self._tile(tile) for tile in value]))
                return len(self._slots) - 1
        return self._tile(value)

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _tensor(self, tensor: str) -> int:
        return self._tensors.setdefault(tensor, len(self._tensors))

    def _block(self, block: Block) -> int:
        if id(block) not in self._blocks:
            self._numbers[id(block)] = len(self._blocks)
            self._blocks[id(block)] = self._name(block.name), block
        return self._numbers[id(block)]

    def _tile(self, tile: Tile) -> int:
        if id(tile) not in self._tiles:
            parts = self._name(tile.name), self._tensor(tile.tensor), self._block(tile.block)
            self._numbers[id(tile)] = len(self._tiles)
            self._tiles[id(tile)] = *parts, tile
        return self._numbers[id(tile)]

    def named(
        self, names: Sequence[str], tensors: Mapping[str, str], loc: Callable[[Loc], Loc]
    ) -> tuple[Step, ...]:
        """The steps with other names.

        Args:
            names: new ones, in the order of `names`.
            tensors: the new tensors by those of the network that the steps move and compute.
            loc: where a step comes from in the model now.
        """
        twins, steps = self._apart
        new, locs = [tensors[tensor] for tensor in self._tensors], [loc(one) for one in self._locs]
        blocks = [Block(names[n], b.memory, b.nbytes, b.piece, b.by_piece) for n, b in self._blocks.values()]
        tiles = [
            Tile(names[at], new[tensor], t.low, t.type, blocks[block], t.offset, t.strides)
            for at, tensor, block, t in self._tiles.values()
        ]
        layers = [_layer(layer, names[at], locs[number]) for at, number, layer in self._layers]
        known = (*tiles, None)
        slots = [pick(known) for pick in self._slots]
        parts: _Parts = {"tile": tiles, "loc": locs, "table": new, "layer": layers, "ins": slots}
        made = _in_order(twins, parts, repeat(()))
        ends = accumulate(len(step.others) for step in self._given)
        others = [made[end - len(step.others) : end] for step, end in zip(self._given, ends, strict=True)]
        return _in_order(steps, parts, others if made else repeat(()))


def _layer(layer: Layer, name: str, loc: Loc) -> Layer:
    found: Layer = changer(type(layer), "name", "loc")(layer, name, loc)
    return found


def _in_order(kinds: Sequence[_OfKind], parts: _Parts, others: Sequence[Steps] | repeat[Steps]) -> Steps:
    """The steps of all kinds made of parts, in their order."""
    places, made = list[int](), list[Step]()
    for kind in kinds:
        places += kind.places
        hang = others if isinstance(others, repeat) else map(others.__getitem__, kind.places)
        made += kind.made(parts, hang)
    found = made.copy()
    for place, step in zip(places, made, strict=True):
        found[place] = step
    return tuple(found)


def steps_depend_on(network: PlanNetwork, position: int) -> Hashable:
    """What the steps of a layer in tiles depend on, but for names: layers that agree have the same steps."""
    graph, layer = network.graph, network.layers[position]
    tensors = [*graph.inputs_of(layer.name), network.defines[position]]
    places: list[Hashable] = []
    for tensor in tensors:
        storage = None if tensor is None else graph.storage.get(tensor)
        if storage is not None:
            owner, buffer = graph.storage[storage.buffer], graph.buffers[storage.buffer]
            owned = owner.offset, owner.shape, owner.strides, buffer.elements
            places.append((storage.offset, storage.strides, *owned))
        places.append(tensors.index(tensor))
    # what is equal may differ in signs of zeros: texts do not
    return network.structure(position), repr(layer.signature), tuple(places)


def like(steps: RenamedSteps, layer: Layer, other: Layer, graph: Graph) -> tuple[Step, ...]:
    """The steps of a layer in tiles as those of another layer, which differs in names alone."""
    mine, theirs = ([*graph.inputs_of(one.name), graph.output_of(one.name)] for one in (layer, other))
    pairs = zip(mine, theirs, strict=True)
    return steps.named(
        [other.name + name.removeprefix(layer.name) for name in steps.names],  # which all names begin with
        {a: b for a, b in pairs if a is not None and b is not None},
        lambda _: other.loc,
    )
