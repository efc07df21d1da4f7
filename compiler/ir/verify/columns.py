"""Tiles and accesses of a partitioned graph as columns: a check asks all of them at once.

tiles      number -> block, offset, bytes of an element, first and last element in the block
accesses   what every issue reads and writes, tiles by number

    issue   0 load x.0   1 compute y.0   2 store y.0        read_at   1 2     write_at   0 1
    tiles   x.0 = 0, y.0 = 1                                read      0 1     written    0 1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.isa.operand import reach


def column(values: Iterable[int]) -> Ints:
    """Numbers as a column."""
    return np.fromiter(values, dtype=np.int64)


@dataclass(frozen=True)
class Tiles:
    """The tensors on chip by number.

    Attributes:
        names, number: of every tile.
        blocks: names of the blocks, in the order in which tiles name them.
        block: of every tile, by number.
        first_of_block: the first tile of every block.
        offset: of element 0 in the block; low, high: first and last element that the tile touches (elements).
        size: bytes of an element.
    """

    names: list[str]
    number: dict[str, int]
    blocks: list[str]
    block: Ints
    first_of_block: Ints
    offset: Ints
    low: Ints
    high: Ints
    size: Ints

    @staticmethod
    def of(graph: Graph, tiles: Iterable[str]) -> Tiles:
        """The columns of tiles that have storage."""
        names = list(tiles)
        storage, types = graph.storage, graph.types
        places = [storage[name] for name in names]
        blocks: dict[str, int] = {}
        block = column(blocks.setdefault(place.buffer, len(blocks)) for place in places)
        hulls = np.array([reach(place.shape, place.strides) for place in places], dtype=np.int64)
        offset, hulls = column(place.offset for place in places), hulls.reshape(-1, 2)
        return Tiles(
            names,
            {name: number for number, name in enumerate(names)},
            list(blocks),
            block,
            np.unique(block, return_index=True)[1],
            offset,
            offset + hulls[:, 0],
            offset + hulls[:, 1],
            column(types[name].dtype.itemsize for name in names),
        )

    @property
    def leader(self) -> Ints:
        """Of every tile, the first tile of its block."""
        return self.first_of_block[self.block]


@dataclass(frozen=True)
class Accesses:
    """What is touched in the order of issue.

    Attributes:
        read_at, read: reads of tiles, those of stores included; written_at, written: writes of tiles.
        from_dram: (place in the order, tensor) of what is read elsewhere; to_dram: of what is stored.
    """

    read_at: Ints
    read: Ints
    written_at: Ints
    written: Ints
    from_dram: list[tuple[int, str]]
    to_dram: list[tuple[int, str]]

    @staticmethod
    def of(graph: Graph, number: dict[str, int]) -> Accesses:
        """The columns of the order of issue of a graph, whose tiles have these numbers."""
        reads, writes = list[tuple[int, int]](), list[tuple[int, int]]()
        from_dram, to_dram = list[tuple[int, str]](), list[tuple[int, str]]()
        inputs_of, output_of = graph.inputs_of, graph.output_of
        for at, issue in enumerate(graph.notes.order):
            operands = inputs_of(issue.node)
            if issue.slot is not None:
                reads.append((at, number[required(operands[issue.slot])]))
                to_dram.append((at, output_of(issue.node)))
                continue
            for tensor in operands:
                if tensor is None:
                    continue
                if (tile := number.get(tensor)) is None:
                    from_dram.append((at, tensor))
                else:
                    reads.append((at, tile))
            writes.append((at, number[output_of(issue.node)]))
        read, written = (np.array(of, dtype=np.int64).reshape(-1, 2) for of in (reads, writes))
        return Accesses(read[:, 0], read[:, 1], written[:, 0], written[:, 1], from_dram, to_dram)

    def lives(self, tiles: int) -> tuple[Ints, Ints]:
        """First and last place in the order at which each of so many tiles is touched; −1: never."""
        at, tile = np.concatenate([self.read_at, self.written_at]), np.concatenate([self.read, self.written])
        order = np.argsort(at, kind="stable")
        at, tile = at[order], tile[order]
        first, last = np.full(tiles, -1, dtype=np.int64), np.full(tiles, -1, dtype=np.int64)
        last[tile] = at  # of several with one index, numpy keeps the one that comes last
        first[tile[::-1]] = at[::-1]
        return first, last
