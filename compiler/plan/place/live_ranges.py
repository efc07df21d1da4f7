"""Live ranges: from the first to the last step that touches each block.

in:   steps in any order
out:  block, first and last place (inclusive), by the name of the block; of a divided block, of its pieces

    step          0 load x.0   1 compute y.0   2 load x.1   3 store y.0   4 compute y.1
    x.0           |------------|
    y.0                        |-----------------------------|
    x.1                                        |-----------------------------|
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from copy import copy
from itertools import chain

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.plan.step import Block, Step, Tile, View
from nnc.isa.integers import round_up
from nnc.isa.operand import reach
from nnc.isa.record import record

Piece = tuple[int, int, int, int]
"""Bytes of an extent that live from one step to another: first byte, the one behind the last, both steps."""


@record(frozen=True, slots=True)
class Extent:
    """Bytes that are alive from step `first` to step `last` (inclusive), all of them or, if divided, in turn.

    Attributes:
        pieces: of a divided extent, by address; they begin where blocks may, other bytes are not used.
        by_piece: whether it is placed by its pieces.
    """

    name: str
    nbytes: int
    first: int
    last: int
    pieces: tuple[Piece, ...] = ()
    by_piece: bool = False

    @property
    def spans(self) -> tuple[Piece, ...]:
        """Its pieces; all of it if it is not divided."""
        return self.pieces or ((0, self.nbytes, self.first, self.last),)

    def since(self, begin: int, name: str) -> Extent:
        """The same by another name, its steps counted from one."""
        pieces = tuple([(low, high, first - begin, last - begin) for low, high, first, last in self.pieces])
        return Extent(name, self.nbytes, self.first - begin, self.last - begin, pieces, self.by_piece)

    def aligned(self, align: int) -> Extent:
        """The same in whole multiples of `align` bytes."""
        pieces = tuple([(a // align * align, round_up(b, align), c, d) for a, b, c, d in self.pieces])
        return Extent(self.name, round_up(self.nbytes, align), self.first, self.last, pieces, self.by_piece)


def spans_of(extents: Sequence[Extent], align: int) -> Ints:
    """What is alive, in whole multiples of `align` bytes: a row for each extent, or each of its pieces."""
    if any(extent.pieces for extent in extents):
        return np.array([span for e in extents for span in e.aligned(align).spans], dtype=np.int64)
    spans = np.zeros((len(extents), 4), dtype=np.int64)
    spans[:, 1] = [round_up(extent.nbytes, align) for extent in extents]
    spans[:, 2] = [extent.first for extent in extents]
    spans[:, 3] = [extent.last for extent in extents]
    return spans


def bytes_alive(spans: Sequence[Piece] | Ints, steps: int = 0) -> Ints:
    """Bytes that are alive at each step, from step 0 to one behind the last, and behind `steps` of them."""
    low, high, first, last = np.array(spans, dtype=np.int64).reshape(-1, 4).T
    change = np.zeros(max(steps, int(last.max(initial=-1)) + 1) + 1, dtype=np.int64)
    np.add.at(change, first, high - low)
    np.subtract.at(change, last + 1, high - low)
    return change.cumsum()


class Touches:
    """Which blocks steps touch and when: a row per tile of a step; blocks are numbered as they come up.

    Attributes:
        order: the steps; group: by step, the number of its group; demanded: by step, its place in the order
            of demand.
        blocks: by number.
        block, place: columns: the number of a block, and where the step stands in the order.
    """

    def __init__(
        self, order: Sequence[Step], group: Ints | None = None, demanded: Ints | None = None
    ) -> None:
        """Args:
        group: by step, the number of its group; all steps are of group 0 if it is left out.
        demanded: by step, its place in the order of demand; this is that order if it is left out.
        """
        self.order, self.demanded = order, np.arange(len(order)) if demanded is None else demanded
        self.group = np.zeros(len(order), dtype=np.int64) if group is None else group
        numbers: dict[str, int] = {}
        self.blocks: list[Block] = []
        rows: list[int] = []
        counts: list[int] = []
        pieces: list[tuple[int, int, int]] = []
        divided: set[str] = set()
        for place, step in enumerate(order):
            before = len(rows)
            for tile in step.tiles:
                if tile is not None:
                    block = tile.block
                    number = numbers.get(block.name)
                    if number is None:
                        number = numbers[block.name] = len(self.blocks)
                        self.blocks.append(block)
                        if block.piece:
                            divided.add(block.name)
                    rows.append(number)
            counts.append(len(rows) - before)
            if divided:
                pieces += [(numbers[name], piece, place) for name, piece in _pieces(step, divided)]
        self.block = np.array(rows, dtype=np.int64)
        self.place = np.repeat(np.arange(len(order)), counts)
        self._by_memory: dict[str, list[Extent]] | None = None
        self._pieces = np.array(pieces, dtype=np.int64).reshape(-1, 3)

    @staticmethod
    def of_groups(groups: Sequence[Sequence[Step]]) -> Touches:
        """Of the steps of groups, one group after the other."""
        return Touches([*chain(*groups)], np.repeat(np.arange(len(groups)), [*map(len, groups)]))

    def reordered(self, places_here: Sequence[int]) -> Touches:
        """The same of the steps in another order, given by their places in this one."""
        moved = copy(self)
        moved._by_memory = None
        moved.order, moved.group = [self.order[place] for place in places_here], self.group[places_here]
        moved.demanded = self.demanded[places_here]
        places = np.empty(len(places_here), dtype=np.int64)
        places[places_here] = np.arange(len(places_here))
        moved.place, moved._pieces = places[self.place], self._pieces.copy()
        moved._pieces[:, 2] = places[self._pieces[:, 2]]
        return moved

    def first_blocks(self) -> Ints:
        """By step, the number of the block of its first tile, which it makes or stores."""
        rows: Ints = np.unique(self.place, return_index=True)[1]
        return self.block[rows]

    def places_of(self, names: Container[str]) -> set[int]:
        """Places of the steps that touch some blocks."""
        wanted = np.array([block.name in names for block in self.blocks], dtype=np.bool_)
        return {*self.place[wanted[self.block]].tolist()}

    def by_memory(self) -> dict[str, list[Extent]]:
        """Live ranges of the blocks of each memory, in the order in which they begin."""
        if self._by_memory is None:
            self._by_memory = {}
            for block, extent in zip(self.blocks, self.lives(), strict=True):
                self._by_memory.setdefault(block.memory, []).append(extent)
        return self._by_memory

    def begins(self) -> Ints:
        """The first step that touches each block, by number."""
        first = np.full(len(self.blocks), len(self.place))
        np.minimum.at(first, self.block, self.place)
        return first

    def lives(self) -> list[Extent]:
        """Live ranges of all blocks, by number."""
        first = self.begins()
        last = np.zeros_like(first)
        np.maximum.at(last, self.block, self.place)
        columns = zip(self.blocks, first.tolist(), last.tolist(), strict=True)
        extents = [Extent(block.name, block.nbytes, begin, end) for block, begin, end in columns]
        divided: dict[int, dict[int, tuple[int, int]]] = {}
        for number, piece, place in self._pieces.tolist():
            ends = divided.setdefault(number, {})
            begin, end = ends.get(piece, (place, place))
            ends[piece] = min(begin, place), max(end, place)
        for number, ends in divided.items():
            extents[number] = _divided(self.blocks[number], ends)
        return extents


def bytes_of(tile: Tile) -> tuple[int, int]:
    """The first byte of a tile in its block, and the one behind its last."""
    first, last = reach(tile.type.shape, tile.strides)
    size = tile.type.dtype.itemsize
    return (tile.offset + first) * size, (tile.offset + last + 1) * size


def _pieces(step: Step, divided: Container[str]) -> Iterator[tuple[str, int]]:
    """Pieces of divided blocks that a step touches on any core; a view touches what it shows, no more."""
    slots = step.tiles[:1] if isinstance(step, View) else step.tiles
    for slot, leader in enumerate(slots):
        if leader is None or leader.block.name not in divided:
            continue
        for member in (step, *step.others):
            low, high = bytes_of(required(member.tiles[slot]))
            for number in range(low // leader.block.piece, (high - 1) // leader.block.piece + 1):
                yield leader.block.name, number


def _divided(block: Block, places: dict[int, tuple[int, int]]) -> Extent:
    """The extent of a divided block: the pieces side by side that live from one place to another are one."""
    runs: list[Piece] = []
    for number, (first, last) in sorted(places.items()):
        low, high = number * block.piece, min((number + 1) * block.piece, block.nbytes)
        if runs and runs[-1][1:] == (low, first, last):
            low = runs.pop()[0]
        runs.append((low, high, first, last))
    first, last = min(run[2] for run in runs), max(run[3] for run in runs)
    return Extent(block.name, block.nbytes, first, last, tuple(runs), block.by_piece)
