"""Tiles, operands and accesses of a partitioned graph as columns: a check asks all of them at once.

tiles      number -> block, offset, bytes of an element, first and last element in the block
operands   of the node that defines each tile, by number
accesses   what every issue reads and writes, tiles by number

    issue   0 load x.0   1 compute y.0   2 store y.0        read_at   1 2     write_at   0 1
    tiles   x.0 = 0, y.0 = 1                                read      0 1     written    0 1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Layer
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.isa.operand import reach
from nnc.isa.types import DType

KeyT = TypeVar("KeyT", bound=Hashable)
Vector = tuple[int, ...]
ABSENT = -1
"""An operand that is not there; −2, −3 … are the tensors 0, 1 … that are not on chip."""
NO_NODE = np.iinfo(np.int64).min


def column(values: Iterable[int]) -> Ints:
    """Numbers as a column."""
    return np.fromiter(values, dtype=np.int64)


def matrix(rows: Sequence[Vector]) -> Ints:
    """Vectors as the rows of a matrix; short ones end in zeros."""
    width = max(map(len, rows), default=0)
    return np.array([(*row, *(0,) * (width - len(row))) for row in rows], dtype=np.int64).reshape(
        len(rows), width
    )


class Numbers(dict[KeyT, int]):
    """Numbers of things, in the order in which they are first asked for."""

    def __missing__(self, key: KeyT) -> int:
        """The next number."""
        self[key] = number = len(self)
        return number


@dataclass(frozen=True)
class Tiles:
    """The tensors on chip by number.

    Attributes:
        names, number: of every tile.
        blocks: names of the blocks, in the order in which tiles name them.
        block: of every tile, by number.
        first_of_block: the first tile of every block.
        kinds, kind: element types and shapes, and of every tile which; shapes: as rows of a matrix.
        forms, form: shapes and strides in a block, and of every tile which.
        offset: of element 0 in the block; low, high: first and last element that the tile touches (elements).
        size: bytes of an element.
    """

    names: list[str]
    number: dict[str, int]
    blocks: list[str]
    block: Ints
    first_of_block: Ints
    kinds: list[tuple[DType, Vector]]
    kind: Ints
    shapes: Ints
    forms: list[tuple[Vector, Vector]]
    form: Ints
    offset: Ints
    low: Ints
    high: Ints
    size: Ints

    @staticmethod
    def of(graph: Graph, tiles: Iterable[str]) -> Tiles:
        """The columns of tiles that have storage."""
        names = list(tiles)
        places, types = [graph.storage[name] for name in names], [graph.types[name] for name in names]
        blocks, kinds, forms = (
            Numbers[str](),
            Numbers[tuple[DType, Vector]](),
            Numbers[tuple[Vector, Vector]](),
        )
        block = column([blocks[place.buffer] for place in places])
        kind = column([kinds[type_.dtype, type_.shape] for type_ in types])
        form = column([forms[place.shape, place.strides] for place in places])
        offset = column([place.offset for place in places])
        hulls = np.array([reach(*of) for of in forms], dtype=np.int64).reshape(-1, 2)[form]
        return Tiles(
            names,
            {name: number for number, name in enumerate(names)},
            list(blocks),
            block,
            np.unique(block, return_index=True)[1],
            list(kinds),
            kind,
            matrix([shape for _, shape in kinds]),
            list(forms),
            form,
            offset,
            offset + hulls[:, 0],
            offset + hulls[:, 1],
            column(dtype.itemsize for dtype, _ in kinds)[kind],
        )

    @cached_property
    def ranks(self) -> Ints:
        """Axes of every tile."""
        return column(len(shape) for _, shape in self.kinds)[self.kind]

    @property
    def leader(self) -> Ints:
        """Of every tile, the first tile of its block."""
        return self.first_of_block[self.block]


@dataclass(frozen=True)
class Operands:
    """What the nodes that define tiles read, slot by slot.

    Attributes:
        begin: of every tile, the place of slot 0 in `tile`; one more at the end.
        tile: numbers of tiles, `ABSENT`, or −2 − the number of a tensor that is not on chip.
        elsewhere: those tensors by number.
    """

    begin: Ints
    tile: Ints
    elsewhere: Numbers[str]

    @staticmethod
    def of(graph: Graph, tiles: Mapping[str, Layer], number: Mapping[str, int]) -> Operands:
        """The columns of tiles, given with the nodes that define them."""
        operands = [graph.inputs_of(layer.name) for layer in tiles.values()]
        elsewhere, flat = Numbers[str](), list[int]()
        for inputs in operands:
            for tensor in inputs:
                if tensor is None:
                    flat.append(ABSENT)
                    continue
                tile = number.get(tensor)
                flat.append(-2 - elsewhere[tensor] if tile is None else tile)
        counts = column(map(len, operands))
        return Operands(np.concatenate([[0], np.cumsum(counts)]), column(flat), elsewhere)

    def slot(self, tiles: Ints, slot: int) -> Ints:
        """What the nodes of some tiles read in a slot."""
        position = self.begin[tiles] + slot
        operands = np.full(len(tiles), ABSENT, dtype=np.int64)
        there = position < self.begin[tiles + 1]
        operands[there] = self.tile[position[there]]
        return operands

    def last(self, tiles: Ints) -> Ints:
        """The last operands of the nodes of some tiles, all of which have some."""
        return self.tile[self.begin[tiles + 1] - 1]

    def all_of(self, tiles: Ints) -> tuple[Ints, Ints]:
        """All operands of the nodes of some tiles: the place of the tile among them, the operand."""
        counts = self.begin[tiles + 1] - self.begin[tiles]
        index = np.repeat(np.arange(len(tiles)), counts)
        place = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
        return index, self.tile[self.begin[tiles][index] + place]


@dataclass(frozen=True)
class Order:
    """What is issued, place by place.

    Attributes:
        node: the tile that the node defines, −1 − the number of a join whose operand is stored, or `NO_NODE`;
        slot: of that operand, else −1.
        tiles, stores: the places of nodes that define tiles, and of stores.
    """

    node: Ints
    slot: Ints
    tiles: Ints
    stores: Ints

    @staticmethod
    def of(graph: Graph, tiles: Mapping[str, Layer], joins: Sequence[Join]) -> Order:
        """The order of issue of a graph with these tiles, and the node of each, and these joins in DRAM."""
        numbers = {layer.name: number for number, layer in enumerate(tiles.values())}
        numbers |= {join.name: -1 - number for number, join in enumerate(joins)}
        node = column([numbers.get(name, NO_NODE) for name, _ in graph.notes.order])
        slot = column([-1 if slot is None else slot for _, slot in graph.notes.order])
        is_store = (node < 0) & (node != NO_NODE) & (slot >= 0)
        return Order(node, slot, np.flatnonzero((node >= 0) & (slot < 0)), np.flatnonzero(is_store))

    @property
    def join(self) -> Ints:
        """The numbers of joins, where operands of them are stored."""
        return -1 - self.node


@dataclass(frozen=True)
class Accesses:
    """What is touched in the order of issue.

    Attributes:
        read_at, read: reads of tiles, those of stores included; written_at, written: writes of tiles.
        elsewhere: names of what is read and stored elsewhere, by number.
        from_dram_at, from_dram: place and number of what is read elsewhere; to_dram_at, …: of what is stored.
    """

    read_at: Ints
    read: Ints
    written_at: Ints
    written: Ints
    elsewhere: list[str]
    from_dram_at: Ints
    from_dram: Ints
    to_dram_at: Ints
    to_dram: Ints

    @staticmethod
    def of(
        graph: Graph, order: Order, joins: Sequence[Join], number: Mapping[str, int], operands: Operands
    ) -> Accesses:
        """The columns of an order of issue that `check_order` holds good, of tiles with these numbers."""
        issued, join, slot = order.node[order.tiles], order.join[order.stores], order.slot[order.stores]
        index, source = operands.all_of(issued)
        on_chip, in_dram = source >= 0, source < ABSENT
        inputs = [graph.inputs_of(layer.name) for layer in joins]
        stored = zip(join.tolist(), slot.tolist(), strict=True)
        tiles = column([number[required(inputs[position][operand])] for position, operand in stored])
        read_at = np.concatenate([order.tiles[index[on_chip]], order.stores])
        in_order = np.argsort(read_at, kind="stable")
        elsewhere = Numbers[str](operands.elsewhere)
        results = column([elsewhere[graph.output_of(layer.name)] for layer in joins])
        return Accesses(
            read_at[in_order],
            np.concatenate([source[on_chip], tiles])[in_order],
            order.tiles,
            issued,
            list(elsewhere),
            order.tiles[index[in_dram]],
            -2 - source[in_dram],
            order.stores,
            results[join],
        )

    def lives(self, tiles: int) -> tuple[Ints, Ints]:
        """First and last place in the order at which each of so many tiles is touched; −1: never."""
        place, tile = (
            np.concatenate([self.read_at, self.written_at]),
            np.concatenate([self.read, self.written]),
        )
        return first_and_last(place, tile, tiles)


def first_and_last(place: Ints, number: Ints, count: int) -> tuple[Ints, Ints]:
    """First and last place at which each of so many numbers stands; −1: never."""
    order = np.argsort(place, kind="stable")
    place, number = place[order], number[order]
    first, last = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    last[number] = place  # of several with one index, numpy keeps the one that comes last
    first[number[::-1]] = place[::-1]
    return first, last
