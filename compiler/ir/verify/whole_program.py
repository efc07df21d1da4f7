"""What a program touches, the groups included that are copies of others and have no nodes in the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.annotations import Annotations, GroupCopy
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.verify.columns import Accesses, Numbers, column, first_and_last


@dataclass(frozen=True)
class WholeProgram:
    """The order of issue of the whole program, and what is touched in it.

    Attributes:
        copies: groups that are copies.
        group: of everything in the order of the graph; rank: how many of its group are before it.
        places: of everything in the order of the graph, that in the program; count: places in the program.
        names: of tensors in DRAM, by number.
        read_at, read, reader: reads of these: place in the program, number, place in the order of the graph
            (of the leader's instruction, for a copy).
        stored_at, stored: place and number of stores.
    """

    copies: Sequence[GroupCopy]
    group: Ints
    rank: Ints
    places: Ints
    count: int
    names: Numbers[str]
    read_at: Ints
    read: Ints
    reader: Ints
    stored_at: Ints
    stored: Ints

    @staticmethod
    def of(notes: Annotations, group: Ints, touched: Accesses) -> WholeProgram:
        """The program of a graph with these notes.

        Args:
            group: of everything in the order of the graph.
            touched: what that reads and writes.
        """
        places = column(notes.issued_at) if notes.copies else np.arange(len(group))
        count = len(group) + sum(len(copy.issued_at) for copy in notes.copies)
        names, rank = Numbers[str](), _ranks(group)
        numbers = [names[name] for name in touched.elsewhere]
        reads = [(places[touched.from_dram_at], touched.from_dram, touched.from_dram_at)]
        stores = [(places[touched.to_dram_at], touched.to_dram)]
        leaders = {copy.leader for copy in notes.copies}
        read_of = _rows(group[touched.from_dram_at], leaders)
        stored_of = _rows(group[touched.to_dram_at], leaders)
        for copy in notes.copies:
            when, rows = column(copy.issued_at), read_of[copy.leader]
            place, number = touched.from_dram_at[rows], touched.from_dram[rows]
            reads.append((when[rank[place]], _renamed(copy, touched, number, names), place))
            rows = stored_of[copy.leader]
            number = _renamed(copy, touched, touched.to_dram[rows], names)
            stores.append((when[rank[touched.to_dram_at[rows]]], number))
        assert numbers == [*range(len(numbers))]
        read, stored = (map(np.concatenate, zip(*of, strict=True)) for of in (reads, stores))
        return WholeProgram(notes.copies, group, rank, places, count, names, *read, *stored)

    def last_stores(self) -> dict[str, int]:
        """After which issue every tensor that is stored is complete."""
        last = first_and_last(self.stored_at, self.stored, len(self.names))[1].tolist()
        return {name: place for name, place in zip(self.names, last, strict=True) if place >= 0}

    def lives(self, tiles: Ints, first: Ints, last: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Tiles of the graph, then those of copies: number, copy (0: the graph), first and last issue.

        Args:
            tiles: numbers of tiles.
            first, last: places in the order of the graph that touch them.
        """
        lives = [(tiles, np.zeros_like(tiles), self.places[first], self.places[last])]
        rows_of = _rows(self.group[first], {copy.leader for copy in self.copies})
        for number, copy in enumerate(self.copies, 1):
            when, rows = column(copy.issued_at), rows_of[copy.leader]
            of_copy = np.full(len(rows), number, dtype=np.int64)
            lives.append((tiles[rows], of_copy, when[self.rank[first[rows]]], when[self.rank[last[rows]]]))
        tile, copy_of, begin, end = map(np.concatenate, zip(*lives, strict=True))
        return tile, copy_of, begin, end


def _ranks(group: Ints) -> Ints:
    """Of everything, how many of its group are before it."""
    order = np.argsort(group, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    return ranks


def _rows(group: Ints, wanted: set[int]) -> Mapping[int, Ints]:
    """Where some groups are."""
    return {number: np.flatnonzero(group == number) for number in wanted}


def _renamed(copy: GroupCopy, touched: Accesses, numbers: Ints, names: Numbers[str]) -> Ints:
    """Numbers of the tensors that a copy touches where its leader touches these."""
    each, which = np.unique(numbers, return_inverse=True)
    return column(names[copy.tensors[touched.elsewhere[number]]] for number in each.tolist())[
        which.reshape(-1)
    ]
