"""Sections: runs of groups that no block of a memory is alive across, and all that placing them depends on.

in:   steps in the order of demand, live ranges of the blocks of a memory
out:  per section, its blocks and steps as columns, places counted from its first step (`Section`)

    group      0     |     1     |     2     |     3
    a        |---|   |           |           |            nothing stays on chip from group 0 to 1, or from
    b                |  |-----|  |           |            1 to 2: the sections are 0, 1, and 2 with 3
    c                |           |   |-----------|

Equal layers, and equal blocks of layers, are equal sections but for names (`Section.key`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.schedule.live_ranges import Life, Piece, Touches, since
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Step, Store
from nnc.isa.record import record

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_COMPUTED, _LOADED = 1, 2
_KINDS: dict[type[Step], int] = {Compute: _COMPUTED, Load: _LOADED, LoadRows: _LOADED, Fill: _LOADED}


@record(frozen=True, slots=True)
class Section:
    """Blocks of a memory in the order in which they begin, and the steps of their groups.

    Attributes:
        names, nbytes, pieces, by_piece: of the blocks; order: their places in the order of names.
        first, last: steps that touch them; stored: the last that stores them, negative if there is none.
        is_loaded: whether the first step loads them, or fills them: no divided block is loaded, or stored.
        earlier, later: by step, the computations before and behind it in its group; itself without one.
    """

    names: Sequence[str]
    nbytes: Ints
    pieces: tuple[tuple[Piece, ...], ...]
    by_piece: tuple[bool, ...]
    order: Ints
    first: Ints
    last: Ints
    stored: Ints
    is_loaded: Bools
    earlier: Ints
    later: Ints

    @property
    def key(self) -> Hashable:
        """Equal for sections that differ in names alone: these decide only which of equal blocks is first."""
        lives = self.first, self.last, self.stored, self.is_loaded
        columns = (self.nbytes, self.order, *lives, self.earlier, self.later)
        return *(of.tobytes() for of in columns), self.pieces, self.by_piece


class Sections:
    """The steps in the order of demand, as columns."""

    def __init__(self, touches: Touches) -> None:
        demand, begins = touches.order, np.flatnonzero(np.diff(touches.group, prepend=-1))
        sizes = np.diff(begins, append=len(demand))
        self._begin, self._end = np.repeat(begins, sizes), np.repeat(begins + sizes, sizes)
        kinds = np.array([_KINDS.get(type(step), 0) for step in demand], dtype=np.int8)
        self._is_loaded = kinds == _LOADED
        self._earlier, self._later = self._computations_beside(kinds == _COMPUTED)
        stores = ((place, step) for place, step in enumerate(demand) if isinstance(step, Store))
        self._stores = {step.tile.block.name: place for place, step in stores}

    def _computations_beside(self, is_computed: Bools) -> tuple[Ints, Ints]:
        count = len(is_computed)
        here = np.arange(count)
        before = np.maximum.accumulate(np.where(is_computed, here, -1))
        behind = np.minimum.accumulate(np.where(is_computed, here, count)[::-1])[::-1]
        before, behind = np.append(-1, before[:-1]), np.append(behind[1:], count)
        earlier = np.where(before >= self._begin, before, here)
        return earlier, np.where(behind < self._end, behind, here)

    def of(self, lives: Sequence[Life]) -> Iterator[Section]:
        """The sections of a memory; `lives` in the order in which they begin."""
        first = np.array([life.first for life in lives], dtype=np.int64)
        last = np.array([life.last for life in lives], dtype=np.int64)
        nbytes = np.array([life.block.nbytes for life in lives], dtype=np.int64)
        stored = np.array([self._stores.get(life.block.name, -1) for life in lives], dtype=np.int64)
        undivided = np.array([not life.pieces for life in lives], dtype=np.bool_)
        stored[~undivided] = -1
        ends = np.append(-1, np.maximum.accumulate(last)[:-1])
        bounds = [*np.flatnonzero(self._begin[first] > ends).tolist(), len(lives)]
        for low, high in pairwise(bounds):
            blocks, begin = slice(low, high), int(self._begin[first[low]])
            steps = slice(begin, int(self._end[last[blocks].max()]))
            names = [life.block.name for life in lives[blocks]]
            order = np.empty(len(names), dtype=np.int64)
            order[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
            yield Section(
                names,
                nbytes[blocks],
                tuple([since(begin, life.pieces) for life in lives[blocks]]),
                tuple([life.block.by_piece for life in lives[blocks]]),
                order,
                first[blocks] - begin,
                last[blocks] - begin,
                np.maximum(stored[blocks] - begin, -1),
                self._is_loaded[first[blocks]] & undivided[blocks],
                self._earlier[steps] - begin,
                self._later[steps] - begin,
            )
