"""Runs of steps that come again: where their loads stand is found once (`issue_order`).

in:   steps in the order of demand, their groups; stores, and loads of the steps before, have their places
out:  the places of the loads of a run; those of one that is known, if all is known that they depend on

    group       0     1     2     3     4     5         2 and 4 have the steps of group 0 but for names, and
    steps       A     B     A'    C     A"    B'        if what lies on chip when they begin is the same, too,
    run         A     B     A'    C     A"    B'        their loads stand where those of A stand

A load moves over so many steps at the most, so that what lived and ended before these does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import is_
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.place.moving_blocks import MovingBlocks
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.step import Step
from nnc.compiler.plan.steps.template import Template
from nnc.compiler.tuning import TUNING

Ints = npt.NDArray[np.int64]


class Loads(Protocol):
    """Places loads run by run, and what is known of the runs before (see `issue_order`)."""

    stands: list[int]
    written: dict[str, int]
    floors: dict[bool, int]

    def place(self, begin: int, end: int) -> None:
        """Place the loads of some steps."""


def runs(demand: Sequence[Step], groups: Sequence[GroupPlan]) -> Iterator[tuple[int, int, Template | None]]:
    """Runs of steps: where each begins and ends, and the template of a group that is like others.

    Args:
        groups: that the steps are of; where they come in another order, none is known.
    """
    count, known = len(demand), chain.from_iterable(group.steps for group in groups)
    if sum(len(group.steps) for group in groups) != count or not all(map(is_, demand, known)):
        groups = ()
    counts = Counter(group.template for group in groups if group.template)
    begin = done = 0
    for group in groups:
        end = begin + len(group.steps)
        if group.template and counts[group.template] > 1 and end - begin >= TUNING.place.min_run_steps:
            if done < begin:
                yield done, begin, None
            yield begin, end, group.template
            done = end
        begin = end
    if done < count:
        yield done, count, None


@dataclass(frozen=True, slots=True)
class _Placed:
    """What a run leaves behind, places counted from its begin.

    Attributes:
        stands: of its steps.
        floors: of constants and of activations.
        written: of buffers in the order in which the run touches them; None: it does not store to them.
        rows: the blocks of the run by memory.
    """

    stands: list[int]
    floors: tuple[int, int]
    written: list[int | None]
    rows: list[Ints]


class KnownRuns:
    """Runs that were placed before, by all that they depend on."""

    def __init__(
        self,
        buffers: Sequence[str | None],
        memories: Mapping[str, MovingBlocks],
        loads: Loads,
        farthest: int,
    ) -> None:
        """Args:
        buffers: by step, the one that it loads from or stores to.
        loads: knows where stores stand.
        farthest: over so many steps a load moves at the most.
        """
        self._memories, self._loads, self._farthest = [*memories.values()], loads, farthest
        self._known: dict[Hashable, _Placed] = {}
        self._buffers = buffers

    def place(self, begin: int, end: int, template: Template) -> None:
        """Place the loads of a run that uses no blocks of others.

        Args:
            template: of its steps.
        """
        loads = self._loads
        numbers: dict[str, int] = {}
        touched = [
            -1 if name is None else numbers.setdefault(name, len(numbers))
            for name in self._buffers[begin:end]
        ]
        oldest = begin - self._farthest
        written = tuple([max(loads.written.get(name, -1), oldest - 2) - begin for name in numbers])
        floors = tuple([max(loads.floors[which], oldest) - begin for which in (True, False)])
        stands = np.array(loads.stands[begin:end], dtype=np.int64) - begin
        beside = [memory.beside(begin, end, oldest) for memory in self._memories]
        key = (template, tuple(touched), written, floors, stands.tobytes(), *beside)
        if (known := self._known.get(key)) is None:
            before = dict(loads.written)
            loads.place(begin, end)
            self._known[key] = self._left(begin, end, [*numbers], before)
            return
        loads.stands[begin:end] = [begin + at for at in known.stands]
        loads.floors.update(zip((True, False), (begin + at for at in known.floors), strict=True))
        for name, at in zip(numbers, known.written, strict=True):
            if at is not None:
                loads.written[name] = max(loads.written.get(name, 0), begin + at)
        for memory, rows in zip(self._memories, known.rows, strict=True):
            memory.put(begin, end, rows)

    def _left(self, begin: int, end: int, buffers: list[str], before: dict[str, int]) -> _Placed:
        """What a run leaves that was just placed."""
        loads = self._loads
        now = loads.written
        return _Placed(
            [at - begin for at in loads.stands[begin:end]],
            (loads.floors[True] - begin, loads.floors[False] - begin),
            [None if now.get(b) == before.get(b) else now[b] - begin for b in buffers],
            [memory.rows_of(begin, end) for memory in self._memories],
        )
