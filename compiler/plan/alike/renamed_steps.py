"""The steps of one layer, or of one group, as those of another that differs in names alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import Block, Compute, Fill, Load, LoadRows, Step, Store, Tile, View
from nnc.isa.record import changed


class RenamedSteps:
    """Steps with other names; tiles and blocks that steps share, they share after it."""

    def __init__(
        self,
        name: Callable[[str], str],
        tensors: Mapping[str, str],
        loc: Callable[[Loc], Loc],
        group: int,
    ) -> None:
        """Args:
        name: a new name for that of a tile, of a block or of the layer of a tile.
        tensors: the new tensors by those of the network that the steps move and compute.
        loc: where a step comes from in the model now.
        group: number of the group.
        """
        self._new_name, self._tensors, self._loc, self._group = name, tensors, loc, group
        self._names: dict[str, str] = {}
        self._tiles: dict[int, Tile] = {}
        self._blocks: dict[int, Block] = {}

    def _name(self, name: str) -> str:
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = self._new_name(name)
        return found

    def are_names_distinct(self) -> bool:
        """Whether what had different names still has."""
        return len({*self._names.values()}) == len(self._names)

    def _tile(self, tile: Tile) -> Tile:
        found = self._tiles.get(id(tile))
        if found is None:
            name, tensor, block = self._name(tile.name), self._tensors[tile.tensor], self._block(tile.block)
            found = Tile(name, tensor, tile.low, tile.type, block, tile.offset, tile.strides)
            self._tiles[id(tile)] = found
        return found

    def _block(self, block: Block) -> Block:
        found = self._blocks.get(id(block))
        if found is None:
            found = Block(self._name(block.name), block.memory, block.nbytes, block.piece)
            self._blocks[id(block)] = found
        return found

    def step(self, step: Step) -> Step:
        """A step with its new names."""
        others = tuple([self.step(other) for other in step.others]) if step.others else ()
        where = {"group": self._group, "others": others}
        match step:
            case Load(tile=tile) | Store(tile=tile):
                return changed(step, **where, loc=self._loc(step.loc), tile=self._tile(tile))
            case Fill(tile=tile):
                return changed(step, **where, layer=self._layer(step.layer), tile=self._tile(tile))
            case LoadRows(table=table, index=index, out=out):
                own = {"table": self._tensors[table], "index": self._tile(index), "out": self._tile(out)}
                return changed(step, **where, layer=self._layer(step.layer), **own)
            case Compute(out=out, ins=ins) | View(out=out, ins=ins):
                sources = tuple([None if tile is None else self._tile(tile) for tile in ins])
                layer = self._layer(step.layer)
                return changed(step, **where, layer=layer, out=self._tile(out), ins=sources)

    def _layer(self, layer: Layer) -> Layer:
        return changed(layer, name=self._name(layer.name), loc=self._loc(layer.loc))


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


def like(steps: Sequence[Step], layer: Layer, other: Layer, graph: Graph, group: int) -> tuple[Step, ...]:
    """The steps of a layer in tiles as those of another layer, in its group, which differs in names alone."""
    mine, theirs = ([*graph.inputs_of(one.name), graph.output_of(one.name)] for one in (layer, other))
    pairs = zip(mine, theirs, strict=True)
    twins = RenamedSteps(
        lambda name: other.name + name.removeprefix(layer.name),  # which all names begin with
        {a: b for a, b in pairs if a is not None and b is not None},
        lambda _: other.loc,
        group,
    )
    return tuple([twins.step(step) for step in steps])
