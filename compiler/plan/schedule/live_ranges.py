"""Live ranges: from the first to the last step that touches each block.

in:   steps in any order
out:  block, first and last place (inclusive), by the name of the block; of a divided block, of its pieces

    step          0 load x.0   1 compute y.0   2 load x.1   3 store y.0   4 compute y.1
    x.0           |------------|
    y.0                        |-----------------------------|
    x.1                                        |-----------------------------|
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nnc.compiler.ir.required import required
from nnc.compiler.plan.step import Block, Load, Step, Store, Tile, View
from nnc.isa.integers import round_up
from nnc.isa.operand import reach
from nnc.isa.record import record

Piece = tuple[int, int, int, int]
"""Bytes of an extent that live from one step to another: first byte, the one behind the last, both steps."""


def since(begin: int, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces whose steps are counted from one."""
    return tuple([(low, high, first - begin, last - begin) for low, high, first, last in pieces])


@record(frozen=True, slots=True)
class Extent:
    """Bytes that are alive from step `first` to step `last` (inclusive), all of them or, if divided, in turn.

    Attributes:
        pieces: of a divided extent, by address; they begin where blocks may, other bytes are not used.
    """

    name: str
    nbytes: int
    first: int
    last: int
    pieces: tuple[Piece, ...] = ()

    @property
    def spans(self) -> tuple[Piece, ...]:
        """Its pieces; all of it if it is not divided."""
        return self.pieces or ((0, self.nbytes, self.first, self.last),)

    def aligned(self, align: int) -> Extent:
        """The same in whole multiples of `align` bytes."""
        pieces = tuple(
            [(a // align * align, round_up(b, align), first, last) for a, b, first, last in self.pieces]
        )
        return Extent(self.name, round_up(self.nbytes, align), self.first, self.last, pieces)


@dataclass(slots=True)
class Life:
    """First and last place of a block in the order of steps.

    Attributes:
        pieces: of a divided block, runs of pieces that live equally long, by address.
    """

    block: Block
    first: int
    last: int
    pieces: tuple[Piece, ...] = ()

    def extent(self, align: int = 1) -> Extent:
        """What the allocator has to place, in whole multiples of `align` bytes."""
        return Extent(self.block.name, self.block.nbytes, self.first, self.last, self.pieces).aligned(align)


def lives(order: Sequence[Step]) -> dict[str, Life]:
    """Live ranges of all blocks over an order of steps."""
    found: dict[str, Life] = {}
    divided: dict[str, dict[int, tuple[int, int]]] = {}
    for place, step in enumerate(order):
        for tile in step.tiles:
            if tile is None:
                continue
            block = tile.block
            life = found.get(block.name)
            if life is None:
                found[block.name] = Life(block, place, place)
                if block.piece:
                    divided[block.name] = {}
            else:
                life.last = place
        if divided:
            for name, number in _pieces(step, divided):
                known = divided[name]
                known[number] = known.get(number, (place, place))[0], place
    for name, pieces in divided.items():
        found[name] = _divided(found[name].block, pieces)
    return found


def touched_bytes(step: Load | Store) -> tuple[int, int]:
    """The first byte that a transfer touches in its block on any core, and the one behind the last."""
    if not step.tile.block.piece:
        return 0, step.tile.block.nbytes
    low, high = zip(*(_bytes_of(required(one.tiles[0])) for one in (step, *step.others)), strict=True)
    return min(low), max(high)


def _bytes_of(tile: Tile) -> tuple[int, int]:
    """The first byte of a tile in its block, and the one behind its last."""
    first, last = reach(tile.type.shape, tile.strides)
    size = tile.type.dtype.itemsize
    return (tile.offset + first) * size, (tile.offset + last + 1) * size


def _pieces(step: Step, divided: dict[str, dict[int, tuple[int, int]]]) -> Iterator[tuple[str, int]]:
    """Pieces of divided blocks that a step touches on any core; a view touches what it shows, no more."""
    slots = step.tiles[:1] if isinstance(step, View) else step.tiles
    for slot, leader in enumerate(slots):
        if leader is None or leader.block.name not in divided:
            continue
        for one in (step, *step.others):
            low, high = _bytes_of(required(one.tiles[slot]))
            for number in range(low // leader.block.piece, (high - 1) // leader.block.piece + 1):
                yield leader.block.name, number


def _divided(block: Block, places: dict[int, tuple[int, int]]) -> Life:
    """The life of a divided block: the pieces side by side that live from one place to another are one."""
    runs: list[Piece] = []
    for number, (first, last) in sorted(places.items()):
        low, high = number * block.piece, min((number + 1) * block.piece, block.nbytes)
        if runs and runs[-1][1:] == (low, first, last):
            low = runs.pop()[0]
        runs.append((low, high, first, last))
    ends = [(first, last) for _, _, first, last in runs]
    return Life(block, min(first for first, _ in ends), max(last for _, last in ends), tuple(runs))
