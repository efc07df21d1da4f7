"""Synchronisation from byte-range hazards: which earlier instructions must an instruction wait for?

Instructions are given in program order.  Two accesses to the same byte, one of which writes, must be
ordered; waits that other waits or the in-order engines imply are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import add
from typing import TypeAlias

from nnc.isa.instruction import Engine
from nnc.isa.operand import DRAM, Operand
from nnc.isa.types import DType

_PAGE_BITS = 20
_MANY_RECORDS = 64
"""From so many records of a stream in a page on, those that are no longer needed are sought and forgotten."""


ByteAccess: TypeAlias = tuple[tuple[str, int], Operand, bool, bool]
"""Bytes that an instruction touches in a physical memory: (memory, core or -1), block, writes, at issue.

The last marks bytes that a DMA engine reads when it starts an instruction (an index list), before the data
phases of earlier transfers of the same engine have ended.
"""

Ints: TypeAlias = tuple[int, ...]
_Record: TypeAlias = tuple[int, int, int, bool, Operand]
"""An access that later ones may conflict with: position, low, high (bytes), whether it writes, block."""
_Page: TypeAlias = dict[int, list[_Record]]
"""The records of a memory, or of a page of DRAM, by stream."""
_PageKey: TypeAlias = tuple[str, int]
"""A memory and its core, or DRAM and the number of the page."""
State: TypeAlias = tuple[
    frozenset[tuple[_PageKey, int, tuple[_Record, ...]]],
    tuple[Ints, ...],
    tuple[tuple[int, int, Ints], ...],
]
"""Records by page and stream, what streams know, what was known when instructions had completed."""


class Synchroniser:
    """Finds the waits of instructions that are issued one after the other.

    A wait is (stream, position): instructions 0 … position of that stream have completed.  Records are plain
    tuples and the search is one loop: a program has tens of thousands of accesses.
    """

    def __init__(self, streams: Sequence[tuple[int, Engine]], constant_bytes: int = 0) -> None:
        """Args:
        streams: core and engine of every stream.
        constant_bytes: DRAM below this address is never written and needs no order.
        """
        self._streams = list(streams)
        self._constant_bytes = constant_bytes
        self._pages: defaultdict[_PageKey, _Page] = defaultdict(dict)
        count = len(streams)
        self._started = [[-1] * count for _ in streams]  # known complete when the last of a stream starts
        self._completed: list[list[tuple[int, ...]]] = [[] for _ in streams]
        self._limits: dict[int, int] = {}  # of lists of records (they live as long as this object)

    def issue(self, stream: int, accesses: Iterable[ByteAccess]) -> list[tuple[int, int]]:
        """Enter the next instruction of a stream and return the waits that it needs."""
        position = len(self._completed[stream])
        entries: list[tuple[list[_Page], _Record]] = []
        needed: dict[int, int] = {}
        for memory, block, writes, at_issue in accesses:
            low, high = block.hull
            if memory[0] == DRAM:
                if high <= self._constant_bytes:
                    continue
                pages = self._pages_of(low, high)
            else:
                pages = [self._pages[memory]]
            record = (position, low, high, writes, block)
            entries.append((pages, record))
            for page in pages:
                self._find_conflicts(stream, -1 if at_issue else stream, page, record, needed)
        waits = self._reduce(needed)
        self._advance(stream, position, waits)
        for pages, record in entries:
            for page in pages:
                own = page.get(stream)
                if own is None:
                    own = page[stream] = []
                own.append(record)
                if len(own) >= _MANY_RECORDS and len(own) >= self._limits.get(id(own), 0):
                    self._forget(stream, own)
        return waits

    def state(self) -> State:
        """All that later waits depend on, positions counted from the next ones of their streams.

        What nobody can have to wait for any more is left out: what is known to be complete is as good as the
        oldest record that is not.
        """
        counts, completed = self.counts, self._completed
        records: list[tuple[_PageKey, int, tuple[_Record, ...]]] = []
        oldest, held = [0] * len(counts), set[tuple[int, int]]()
        for key, page in self._pages.items():
            for stream, accesses in page.items():
                self._forget(stream, accesses)
                count = counts[stream]
                held.update([(stream, record[0]) for record in accesses])
                if accesses:
                    oldest[stream] = min(oldest[stream], accesses[0][0] - count)
                    records.append((key, stream, tuple([(r[0] - count, *r[1:]) for r in accesses])))

        def since(positions: Sequence[int]) -> Ints:
            ends = zip(positions, counts, oldest, strict=True)
            return tuple([max(position - count, old - 1) for position, count, old in ends])

        held.update([(stream, count - 1) for stream, count in enumerate(counts) if count])
        done = [
            (stream, position - counts[stream], since(completed[stream][position]))
            for stream, position in sorted(held)
        ]
        return frozenset(records), tuple(map(since, self._started)), tuple(done)

    def skip(self, issued: Sequence[int], state: State) -> None:
        """Go on as if so many instructions of each stream had been issued, which led to a state."""
        for done, more in zip(self._completed, issued, strict=True):
            done += [()] * more  # nobody asks for these
        counts = self.counts
        records, started, completed = state
        self._pages.clear()
        self._limits.clear()
        for key, stream, accesses in records:
            self._pages[key][stream] = [(r[0] + counts[stream], *r[1:]) for r in accesses]
        self._started = [[*map(add, positions, counts)] for positions in started]
        for stream, position, positions in completed:
            self._completed[stream][position + counts[stream]] = tuple(map(add, positions, counts))

    @property
    def counts(self) -> list[int]:
        """How many instructions of each stream have been issued."""
        return [len(done) for done in self._completed]

    def _pages_of(self, low: int, high: int) -> list[_Page]:
        """The pages of a range of DRAM."""
        numbers = range(low >> _PAGE_BITS, ((high - 1) >> _PAGE_BITS) + 1)
        return [self._pages[DRAM, number] for number in numbers]

    def _find_conflicts(
        self,
        stream: int,
        own: int,
        page: _Page,
        record: _Record,
        needed: dict[int, int],
    ) -> None:
        """Latest conflicting position per stream.  Newest records come first, so that most are skipped."""
        positions = self._started[stream]
        _, low, high, writes, block = record
        for peer, records in page.items():
            if peer == own:  # one engine works in order
                continue
            bound = positions[peer]
            if not records or records[-1][0] <= bound:
                continue
            if peer in needed and needed[peer] > bound:
                bound = needed[peer]
            for position, old_low, old_high, wrote, old in reversed(records):
                if position <= bound:
                    break  # so are all older ones
                if old_low >= high or low >= old_high or not (writes or wrote):
                    continue
                # both touch the first byte, or the last, of their hulls
                if old_low == low or old_high == high or _overlap(old, block):
                    needed[peer] = position
                    break

    def _forget(self, stream: int, records: list[_Record]) -> None:
        """Forget records of a stream that can cause no wait any more.

        These are the ones that all streams know to be complete, reads and writes of bytes that a later
        write of the stream covers, and reads of bytes that a later read does.  The list may double before
        it is looked through again.
        """
        bound = min(row[stream] for row in self._started)
        kept: list[_Record] = []
        written: set[tuple[int, int]] = set()
        read: set[tuple[int, int]] = set()
        for record in reversed(records):
            position, low, high, writes, block = record
            if position <= bound:
                break
            if (low, high) in written or (not writes and (low, high) in read):
                continue
            kept.append(record)
            if block.is_one_run:
                (written if writes else read).add((low, high))
        records[:] = reversed(kept)
        self._limits[id(records)] = max(_MANY_RECORDS, 2 * len(records))

    def _reduce(self, needed: dict[int, int]) -> list[tuple[int, int]]:
        """Drop waits that the engine's order or other waits imply."""
        if len(needed) < 2:
            return list(needed.items())
        completions = [(stream, self._completed[stream][position]) for stream, position in needed.items()]
        return [
            (peer, position)
            for peer, position in sorted(needed.items())
            if all(done[peer] < position for stream, done in completions if stream != peer)
        ]

    def _advance(self, stream: int, position: int, waits: list[tuple[int, int]]) -> None:
        positions, completed = self._started[stream], self._completed
        for peer, index in waits:
            positions = list(map(max, positions, completed[peer][index]))
        in_order = self._streams[stream][1] is Engine.COMPUTE
        # in order, what the instruction before knew when it had completed, is known
        out_of_order = position and not in_order
        done = list(map(max, positions, completed[stream][-1])) if out_of_order else positions.copy()
        done[stream] = position
        completed[stream].append(tuple(done))
        self._started[stream] = done if in_order else positions


def _overlap(a: Operand, b: Operand) -> bool:
    """Whether two blocks of one memory share a byte; shapes and distances repeat, so it is remembered."""
    return _overlap_at(a.dtype, a.shape, a.strides, b.dtype, b.shape, b.strides, b.address - a.address)


@lru_cache(maxsize=65536)
def _overlap_at(
    dtype: DType,
    shape: Ints,
    strides: Ints,
    other_dtype: DType,
    other_shape: Ints,
    other_strides: Ints,
    distance: int,
) -> bool:
    here = Operand("", 0, dtype, shape, strides)
    return here.overlaps(Operand("", distance, other_dtype, other_shape, other_strides))
