"""Memory allocation by live ranges: offsets for blocks that are alive over intervals of steps.

in:   bytes, first and last step of every block (`Extent`), the alignment
out:  an offset per block, the peak, and the live bound (most bytes alive at one step), under which no peak is

    offset 128 |      [  c   ]            steps run to the right; what is alive together is stacked;
            64 |   [    b    ][ d ]       a and e share bytes, for a is free when e begins: peak = bound = 192
             0 | [ a ]    [   e    ]

Several heuristics are tried and the lowest peak is kept; where the peak equals the bound, it is optimal.

Divided extents may be placed as one, an *overlay*: what is made lies where what it is made from is used up.

    y is made from x, row by row, with a row of y for a row of x that nobody needs any more:

    bytes        | x  x  x  x                steps run downwards; . is free
                 y  .  x  x  x                y begins a row below x: together they take five rows, not eight
                 y  y  .  x  x
                 y  y  y  .  x
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from nnc.compiler.plan.fusion.sliding import pays
from nnc.compiler.plan.place.live_ranges import Extent, Piece, bytes_alive
from nnc.compiler.tuning import TUNING


@dataclass(frozen=True, slots=True)
class Allocation:
    """Offsets by name, the peak, and the bound: most bytes alive at one step (all aligned)."""

    offsets: dict[str, int]
    peak: int
    bound: int


def allocate(extents: Sequence[Extent], align: int, enough: int = 0) -> Allocation:
    """Offsets such that extents that are alive together do not overlap; `align` in bytes.

    Args:
        enough: a peak that is low enough; the first that is found is taken.

    Stretches of time that no extent bridges are independent: each gets the heuristic that serves it best.
    """
    sized = [extent.aligned(align) for extent in extents]
    return joined([_allocate_stretch(stretch, enough) for stretch in stretches(sized)])


def joined(allocations: Sequence[Allocation]) -> Allocation:
    """The allocation of extents that were placed stretch by stretch."""
    return Allocation(
        {name: offset for part in allocations for name, offset in part.offsets.items()},
        max((part.peak for part in allocations), default=0),
        max((part.bound for part in allocations), default=0),
    )


def stretches(extents: Sequence[Extent]) -> list[list[Extent]]:
    """The extents by stretches of time without a step at which one lives that began before it."""
    stretches: list[list[Extent]] = []
    end = -1
    for extent in sorted(extents, key=lambda e: (e.first, e.last, e.name)):
        if extent.first > end or not stretches:
            stretches.append([])
        stretches[-1].append(extent)
        end = max(end, extent.last)
    return stretches


def _allocate_stretch(extents: Sequence[Extent], enough: int) -> Allocation:
    begin = extents[0].first
    shape = tuple([extent.since(begin, str(number)) for number, extent in enumerate(extents)])
    placed = _placed_best(shape, enough)
    offsets = {extent.name: placed.offsets[alike.name] for extent, alike in zip(extents, shape, strict=True)}
    return Allocation(offsets, placed.peak, placed.bound)


@lru_cache(maxsize=256)
def _placed_best(extents: tuple[Extent, ...], enough: int) -> Allocation:
    """Extents by the heuristic that serves them best; those that come again are placed once."""
    overlays = overlaid(extents, enough)
    whole = [overlay.extent() for overlay in overlays]
    bound, best = live_bound(whole), _HEURISTICS[0](whole)
    for heuristic in _HEURISTICS[1:]:
        if _peak(whole, best) <= max(bound, enough):
            break
        best = min(best, heuristic(whole), key=lambda offsets: _peak(whole, offsets))
    if bound <= enough < _peak(whole, best):
        best = _repaired(whole, enough) or best
    offsets = {name: best[o.name] - o.low + start for o in overlays for name, start in o.starts.items()}
    return Allocation(offsets, _peak(whole, best), live_bound(extents))


def _peak(extents: Sequence[Extent], offsets: dict[str, int]) -> int:
    return max(offsets[extent.name] + extent.nbytes for extent in extents)


def _repaired(extents: Sequence[Extent], enough: int) -> dict[str, int] | None:
    """Offsets with a peak of at most `enough`: what lies beyond it is placed first, again and again.

    None if that does not help often enough.  The method is that of hill climbing over orders of placement.
    """
    order = sorted(range(len(extents)), key=lambda n: (-extents[n].nbytes, extents[n].first))
    for _ in range(TUNING.place.max_repairs):
        offsets = _placed([extents[n] for n in order])
        ends = [offsets[e.name] + e.nbytes for e in extents]
        if max(ends) <= enough:
            return offsets
        largest = max(e.nbytes for e, end in zip(extents, ends, strict=True) if end > enough)
        order.sort(key=lambda n: ends[n] <= enough or extents[n].nbytes < largest)  # stable
    return None


def live_bound(extents: Sequence[Extent]) -> int:
    """The most bytes that are alive at one step."""
    return int(bytes_alive([span for extent in extents for span in extent.spans]).max())


def _by_size(key: Callable[[Extent], tuple[int, ...]]) -> _Heuristic:
    """A heuristic that places extents in an order of importance."""
    return lambda extents: _placed(sorted(extents, key=key))


def _placed(extents: Sequence[Extent]) -> dict[str, int]:
    """Offsets of extents, each in the lowest gap that those before it leave in its lifetime.

    Most live briefly: those that are placed are kept by periods of time, in each by address.
    """
    offsets: dict[str, int] = {}
    lifetimes = sum(e.last - e.first + 1 for e in extents)
    period = 1 + TUNING.place.lifetimes_per_period * lifetimes // len(extents)
    placed: defaultdict[int, list[Piece]] = defaultdict(list)
    for extent in extents:
        periods = range(extent.first // period, extent.last // period + 1)
        beside = placed[periods[0]] if len(periods) == 1 else sorted(chain(*map(placed.__getitem__, periods)))
        gap = _lowest_gap_for_pieces if extent.pieces else _lowest_gap
        offset = offsets[extent.name] = gap(beside, extent)
        for low, high, first, last in extent.spans:
            for number in range(first // period, last // period + 1):
                insort(placed[number], (offset + low, offset + high, first, last))
    return offsets


def _lowest_gap_for_pieces(placed: Sequence[Piece], extent: Extent) -> int:
    """The same of a divided extent: each of its pieces fits beside what is alive with it."""
    free = 0
    for above, below in forbidden(placed, extent.pieces):
        if free <= above:
            break
        free = max(free, below)
    return free


def _lowest_gap(placed: Sequence[Piece], extent: Extent) -> int:
    """The lowest offset where an extent fits beside those that are placed, by address, and alive with it."""
    first, last, nbytes, free = extent.first, extent.last, extent.nbytes, 0
    for start, end, begins, ends in placed:
        if begins <= last and ends >= first:
            if start - free >= nbytes:
                break
            if end > free:
                free = end
    return free


def forbidden(placed: Sequence[Piece], pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """Ranges, without their ends, in which pieces may not begin beside others that lie where they say."""
    ranges = {
        (start - high, end - low)
        for start, end, begins, ends in placed
        for low, high, first, last in pieces
        if begins <= last and ends >= first
    }
    return sorted(ranges)


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
    taken = bytes_alive([(0, e.nbytes, e.first, e.last) for e in extents])
    if taken.max() <= enough or not any(extent.pieces for extent in extents):
        return [Overlay.of(extent) for extent in extents]
    overlays = [Overlay.of(extent) for extent in extents if extent.by_piece or not extent.pieces]
    ends: list[tuple[int, Overlay]] = []
    for extent in sorted((e for e in extents if e.pieces and not e.by_piece), key=lambda e: e.first):
        open_ = [
            overlay
            for last, overlay in ends
            if last >= extent.first and taken[extent.first : min(last, extent.last) + 1].max() > enough
        ]
        best = min(
            ((*overlay.best_start(extent), index) for index, overlay in enumerate(open_)), default=None
        )
        if best is not None and pays(best[0], extent.nbytes):
            chosen = open_[best[2]]
            chosen.add(extent, best[1])
            ends = [(last, overlay) for last, overlay in ends if overlay is not chosen]
        else:
            chosen = Overlay.of(extent)
            overlays.append(chosen)
        ends.append((extent.last, chosen))
    return overlays


_Heuristic = Callable[[Sequence[Extent]], dict[str, int]]
_HEURISTICS: tuple[_Heuristic, ...] = (
    _by_size(lambda e: (-e.nbytes, e.first)),
    _by_size(lambda e: (-(e.last - e.first + 1) * e.nbytes, e.first)),
    _by_size(lambda e: (-(e.last - e.first + 1), -e.nbytes, e.first)),
)
