"""Divided extents that are placed as one: what is made lies where what it is made from is used up.

in:   extents, some of them divided into pieces that live in turn
out:  fewer extents; where each of the old ones begins in a new one

    y is made from x, row by row, with a row of y for a row of x that nobody needs any more:

    bytes        | x  x  x  x                steps run downwards; . is free
                 y  .  x  x  x                y begins a row below x: together they take five rows, not eight
                 y  y  .  x  x
                 y  y  y  .  x
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.residents.sliding import pays
from nnc.compiler.plan.schedule.live_ranges import Extent, Piece


def alive(pieces: Sequence[Piece] | Ints) -> tuple[int, Ints]:
    """The first step at which pieces are alive, and their bytes at this and every later one."""
    low, high, first, last = np.array(pieces, dtype=np.int64).T
    begin = int(first.min())
    change = np.zeros(int(last.max()) - begin + 2, dtype=np.int64)
    np.add.at(change, first - begin, high - low)
    np.subtract.at(change, last - begin + 1, high - low)
    return begin, change.cumsum()


def forbidden(placed: Sequence[Piece], pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Ranges, without their ends, in which pieces may not begin beside others that lie where they say."""
    found = {
        (start - high, end - low)
        for start, end, begins, ends in placed
        for low, high, first, last in pieces
        if begins <= last and ends >= first
    }
    return sorted(found)


@dataclass(slots=True)
class Overlay:
    """Extents that are placed as one.

    Attributes:
        starts: where each of them begins, by name; that of the first is 0, others may begin before it.
        pieces: of all of them; low, high: where they begin and end.
        by_piece: whether it is a single one that is placed by its pieces.
    """

    starts: dict[str, int]
    pieces: list[Piece]
    low: int
    high: int
    by_piece: bool = False

    @staticmethod
    def of(extent: Extent) -> Overlay:
        """A single extent."""
        return Overlay({extent.name: 0}, [*extent.spans], 0, extent.nbytes, extent.by_piece)

    @property
    def name(self) -> str:
        """The name of the first."""
        return next(iter(self.starts))

    def best_start(self, extent: Extent) -> tuple[int, int]:
        """By how many bytes they grow at least by one more extent, and where it begins then."""
        taken = forbidden(self.pieces, extent.pieces)
        starts = {self.low, self.high, *(start for span in taken for start in span)}
        free = [start for start in starts if not any(above < start < below for above, below in taken)]
        return min((self._grown(start, extent.nbytes), start) for start in free)

    def _grown(self, start: int, nbytes: int) -> int:
        return max(self.high, start + nbytes) - min(self.low, start) - (self.high - self.low)

    def add(self, extent: Extent, start: int) -> None:
        """Take in one more extent."""
        self.starts[extent.name] = start
        self.pieces += [(start + low, start + high, first, last) for low, high, first, last in extent.spans]
        self.low, self.high = min(self.low, start), max(self.high, start + extent.nbytes)

    def extent(self) -> Extent:
        """All of them as one; a single one as long as any of it is alive, unless placed by its pieces."""
        first, last = min(piece[2] for piece in self.pieces), max(piece[3] for piece in self.pieces)
        pieces = tuple([(low - self.low, high - self.low, a, b) for low, high, a, b in self.pieces])
        together = len(self.starts) > 1 or (self.by_piece and len(self.pieces) > 1)
        return Extent(self.name, self.high - self.low, first, last, pieces if together else ())


def overlaid(extents: Sequence[Extent], enough: int) -> list[Overlay]:
    """Extents in overlays: a divided one with those that are used up while it is made, where that pays.

    Args:
        enough: bytes that are there: only what exceeds them, as long as any byte of it lives, is overlaid.
    """
    begin, taken = alive([(0, e.nbytes, e.first, e.last) for e in extents])
    if taken.max() <= enough or not any(extent.pieces for extent in extents):
        return [Overlay.of(extent) for extent in extents]
    found = [Overlay.of(extent) for extent in extents if extent.by_piece or not extent.pieces]
    ends: list[tuple[int, Overlay]] = []
    for extent in sorted((e for e in extents if e.pieces and not e.by_piece), key=lambda e: e.first):
        open_ = [
            overlay
            for last, overlay in ends
            if last >= extent.first
            and taken[extent.first - begin : min(last, extent.last) + 1 - begin].max() > enough
        ]
        best = min(((*overlay.best_start(extent), at) for at, overlay in enumerate(open_)), default=None)
        if best is not None and pays(best[0], extent.nbytes):
            mine = open_[best[2]]
            mine.add(extent, best[1])
            ends = [(last, overlay) for last, overlay in ends if overlay is not mine]
        else:
            mine = Overlay.of(extent)
            found.append(mine)
        ends.append((extent.last, mine))
    return found
