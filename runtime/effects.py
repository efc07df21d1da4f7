"""The order in which instructions act on the memories, and instructions whose actions take time.

A program lists waits so that what an instruction touches stays put while it works.  To show where one is
missing, an instruction works on the memories from the begin of its service to its completion:

* When it begins, it reads its sources, and the bytes of its results are undefined from then on.
* When it completes, its results are there.  Bytes of a source that have changed since it began (another
  instruction wrote them, or has begun to) were undefined for it.
* The index list of a row load is read when it issues.

Undefined bytes are 0xFF.  In between others see what was there before: old bytes, or bytes nobody wrote.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from nnc.isa.instruction import ENGINES
from nnc.isa.program import Program
from nnc.isa.timing.accesses import touched
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.kernels import Kernel
from nnc.runtime.memory import Array, Memories


class Act(IntEnum):
    """What happens to an instruction at a cycle; in a cycle, completions come first: waits end with them."""

    COMPLETE = 0
    ISSUE = 1
    BEGIN = 2


def issue_order(streams: Streams, timeline: Timeline) -> list[int]:
    """Indices into ``Program.issued`` by issue time; ties by core, engine, position.

    That is one of the orders that the waits allow: whoever waits issues after the other has completed.
    """
    ranks = _ranks(streams)
    return sorted(range(len(ranks)), key=lambda index: (_cycle(timeline.start, streams, index), ranks[index]))


def order_of_effects(streams: Streams, timeline: Timeline) -> list[tuple[Act, int]]:
    """All that happens, in order: (act, index into ``Program.issued``); ties as in `issue_order`."""
    times = {Act.ISSUE: timeline.start, Act.BEGIN: timeline.begin, Act.COMPLETE: timeline.end}
    events = [
        (_cycle(cycles, streams, index), act, rank, index)
        for index, rank in enumerate(_ranks(streams))
        for act, cycles in times.items()
    ]
    return [(act, index) for _, act, _, index in sorted(events)]


def _cycle(cycles: list[list[int]], streams: Streams, index: int) -> int:
    stream, position = streams.places[index]
    return cycles[stream][position]


def _ranks(streams: Streams) -> list[tuple[int, int, int]]:
    """Core, engine and position of every instruction."""
    ranks = []
    for stream, position in streams.places:
        core, engine = streams.keys[stream]
        ranks.append((core, ENGINES.index(engine), position))
    return ranks


class Timed:
    """An instruction that works from its begin to its completion; its kernel works at once."""

    def __init__(self, program: Program, index: int, memories: Memories, kernel: Kernel) -> None:
        """Find the bytes that instruction `index` reads and writes; constants never change: no need."""
        self._kernel = kernel
        self._listed: list[_Source] = []
        self._sources: list[_Source] = []
        self._results: list[Array] = []
        for _, core, block, access, at_issue in touched(program, index):
            view = _bits(memories.view(block, core))
            if access.reads and view.flags.writeable:
                (self._listed if at_issue else self._sources).append(_Source(view))
            if access.writes:
                self._results.append(view)
        self._overwritten = [
            source
            for source in self._sources
            if any(np.may_share_memory(source.view, result) for result in self._results)
        ]

    @property
    def reads_at_issue(self) -> bool:
        """Whether something happens at the issue."""
        return bool(self._listed)

    def issue(self) -> None:
        """Read what is read at the issue."""
        for source in self._listed:
            source.read()

    def begin(self) -> None:
        """Read the sources; the results are undefined from now on."""
        for source in self._sources:
            source.read()
        for result in self._results:
            result.fill(_undefined(result))
        for source in self._overwritten:
            source.note_own_results()

    def complete(self) -> None:
        """Compute on what was read, and write the results."""
        has_moved = False
        for source in self._sources:
            has_moved |= source.find_torn()
        for source in self._listed:
            has_moved |= source.has_moved()
        if has_moved:
            self._compute_on_what_was_read()
        else:
            self._kernel()

    def _compute_on_what_was_read(self) -> None:
        """Lend the kernel the bytes that were read, where the memory holds others by now."""
        sources = self._listed + self._sources
        now = [source.view.copy() for source in sources]
        for source in sources:
            source.view[...] = source.value
        self._kernel()
        made = [result.copy() for result in self._results]
        for source, current in zip(sources, now, strict=True):
            source.view[...] = current
        for result, value in zip(self._results, made, strict=True):
            result[...] = value


class _Source:
    """Bytes that an instruction reads: where they are, and what they were when they were read."""

    def __init__(self, view: Array) -> None:
        self.view = view
        self.value = self._expected = view

    def read(self) -> None:
        """Take the value."""
        self.value = self._expected = self.view.copy()

    def note_own_results(self) -> None:
        """The instruction itself may write over what it has read: so the bytes are to stay."""
        self._expected = self.view.copy()

    def has_moved(self) -> bool:
        """Whether the memory holds something else than what was read."""
        return not np.array_equal(self.view, self.value)

    def find_torn(self) -> bool:
        """Bytes that have changed since they were read were undefined; true as `has_moved`."""
        changed = self.view != self._expected
        is_torn = bool(np.any(changed))
        if is_torn:
            np.copyto(self.value, _undefined(self.value), where=changed)
        return is_torn or self._expected is not self.value


def _bits(array: Array) -> Array:
    """The same elements as unsigned integers, so that they are compared and copied bit by bit."""
    return array.view(np.dtype(f"u{array.dtype.itemsize}"))


def _undefined(bits: Array) -> Any:
    return np.iinfo(bits.dtype).max
