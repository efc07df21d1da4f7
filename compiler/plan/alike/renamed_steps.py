"""The steps of one layer, or of one group, as those of another that differs in names alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.ir.required import required
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import Block, Compute, Fill, Load, LoadRows, Step, Store, Tile, View
from nnc.isa.record import changed


class RenamedSteps:
    """Steps taken apart, and put together again with other names: what they share, they share after it."""

    def __init__(self, steps: Sequence[Step]) -> None:
        """Args:
        steps: their names are those of tiles, of blocks and of the layers of tiles.
        """
        self._names: dict[str, int] = {}
        self._tensors: dict[str, int] = {}
        self._locs: dict[Loc, int] = {}
        self._blocks: dict[int, tuple[int, Block]] = {}
        self._tiles: dict[int, tuple[int, int, int, Tile]] = {}
        self._numbers: dict[int, int] = {}  # of blocks and tiles, by their identity
        self._given = steps

    @cached_property
    def _steps(self) -> list[_Apart]:
        return [self._apart(step) for step in self._given]

    @property
    def names(self) -> Sequence[str]:
        """All names, each once."""
        return [*self._names] if self._steps else []

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _tensor(self, tensor: str) -> int:
        return self._tensors.setdefault(tensor, len(self._tensors))

    def _loc(self, loc: Loc) -> int:
        return self._locs.setdefault(loc, len(self._locs))

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

    def _apart(self, step: Step) -> _Apart:
        """A step, the steps that hang on it, its tiles, and what else it names."""
        others = tuple([self._apart(other) for other in step.others])
        tiles = tuple([None if tile is None else self._tile(tile) for tile in step.tiles])
        match step:
            case Load(loc=loc) | Store(loc=loc):
                return step, others, tiles, (self._loc(loc),)
            case LoadRows(layer=layer, table=table):
                named = self._name(layer.name), self._tensor(table), self._loc(layer.loc)
                return step, others, tiles, named
            case Fill(layer=layer) | Compute(layer=layer) | View(layer=layer):
                return step, others, tiles, (self._name(layer.name), self._loc(layer.loc))

    def named(
        self,
        names: Sequence[str],
        tensors: Mapping[str, str],
        loc: Callable[[Loc], Loc],
        group: int,
    ) -> tuple[Step, ...]:
        """The steps with other names.

        Args:
            names: new ones, in the order of `names`.
            tensors: the new tensors by those of the network that the steps move and compute.
            loc: where a step comes from in the model now.
            group: number of the group.
        """
        steps, new = self._steps, [tensors[tensor] for tensor in self._tensors]
        locs = [loc(one) for one in self._locs]
        blocks = [Block(names[n], b.memory, b.nbytes, b.piece, b.by_piece) for n, b in self._blocks.values()]
        tiles = [
            Tile(names[at], new[tensor], t.low, t.type, blocks[block], t.offset, t.strides)
            for at, tensor, block, t in self._tiles.values()
        ]
        return tuple([_together(step, names, new, locs, tiles, group) for step in steps])


_Apart = tuple[Step, tuple["_Apart", ...], tuple[int | None, ...], tuple[int, ...]]
"""A step, those of other cores, the numbers of its tiles, and of what it names: layer, table, loc."""


def _together(
    apart: _Apart,
    names: Sequence[str],
    tensors: Sequence[str],
    locs: Sequence[Loc],
    known: list[Tile],
    group: int,
) -> Step:
    """A step of parts that have new names."""
    step, twins, numbers, which = apart
    part, core = step.part, step.core
    others = tuple([_together(one, names, tensors, locs, known, group) for one in twins]) if twins else ()
    first, *ins = [None if at is None else known[at] for at in numbers]
    tile, loc = required(first), locs[which[-1]]
    match step:
        case Load(receivers=cores):
            return Load(group=group, part=part, core=core, others=others, tile=tile, loc=loc, receivers=cores)
        case Store():
            return Store(group=group, part=part, core=core, others=others, tile=tile, loc=loc)
        case Fill(layer=fill):
            made = changed(fill, name=names[which[0]], loc=loc)
            return Fill(group=group, part=part, core=core, others=others, layer=made, tile=tile)
    slots, layer = tuple(ins), changed(step.layer, name=names[which[0]], loc=loc)
    match step:
        case Compute():
            return Compute(group=group, part=part, core=core, others=others, layer=layer, out=tile, ins=slots)
        case View():
            return View(group=group, part=part, core=core, others=others, layer=layer, out=tile, ins=slots)
        case LoadRows():
            table, index = tensors[which[1]], required(slots[0])
            where = {"group": group, "others": others}
            return changed(step, **where, layer=layer, table=table, index=index, out=tile)


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


def like(steps: RenamedSteps, layer: Layer, other: Layer, graph: Graph, group: int) -> tuple[Step, ...]:
    """The steps of a layer in tiles as those of another layer, in its group, which differs in names alone."""
    mine, theirs = ([*graph.inputs_of(one.name), graph.output_of(one.name)] for one in (layer, other))
    pairs = zip(mine, theirs, strict=True)
    return steps.named(
        [other.name + name.removeprefix(layer.name) for name in steps.names],  # which all names begin with
        {a: b for a, b in pairs if a is not None and b is not None},
        lambda _: other.loc,
        group,
    )
