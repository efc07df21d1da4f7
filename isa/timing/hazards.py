"""Synchronisation from byte-range hazards: which earlier instructions must an instruction wait for?

Instructions are given in program order.  Two accesses to the same byte, one of which writes, must be
ordered; waits that other waits or the in-order engines imply are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nnc.isa.instruction import Engine
from nnc.isa.operand import DRAM, Operand

_PAGE_BITS = 16


@dataclass(frozen=True, slots=True)
class ByteAccess:
    """Bytes that an instruction touches in a physical memory.

    `at_issue` marks bytes that a DMA engine reads when it starts an instruction (an index list), before the
    data phases of earlier transfers of the same engine have ended.
    """

    memory: tuple[str, int]
    block: Operand
    writes: bool
    at_issue: bool = False


@dataclass(frozen=True, slots=True)
class _Record:
    """An access that later ones may conflict with."""

    block: Operand
    low: int
    high: int
    writes: bool
    stream: int
    position: int


class Synchroniser:
    """Finds the waits of instructions that are issued one after the other.

    A wait is (stream, position): instructions 0 … position of that stream have completed.
    """

    def __init__(self, streams: Sequence[tuple[int, Engine]], constant_bytes: int = 0) -> None:
        """Args:
        streams: core and engine of every stream.
        constant_bytes: DRAM below this address is never written and needs no order.
        """
        self._streams = list(streams)
        self._constant_bytes = constant_bytes
        self._pages: dict[tuple[tuple[str, int], int], dict[int, list[_Record]]] = {}
        count = len(streams)
        self._started = [[-1] * count for _ in streams]  # known complete when the last of a stream starts
        self._completed: list[list[tuple[int, ...]]] = [[] for _ in streams]

    def issue(self, stream: int, accesses: Iterable[ByteAccess]) -> list[tuple[int, int]]:
        """Enter the next instruction of a stream and return the waits that it needs."""
        placed = [(access, *access.block.hull) for access in accesses]
        placed = [mine for mine in placed if not self._is_constant(mine[0], mine[2])]
        needed: dict[int, int] = {}
        for access, low, high in placed:
            self._find_conflicts(stream, access, low, high, needed)
        position = len(self._completed[stream])
        waits = self._reduce(stream, needed)
        self._advance(stream, position, waits)
        for access, low, high in placed:
            self._record(access, low, high, stream, position)
        return waits

    def _is_constant(self, access: ByteAccess, end: int) -> bool:
        return access.block.memory == DRAM and end <= self._constant_bytes

    def _pages_of(self, memory: tuple[str, int], low: int, high: int) -> list[tuple[tuple[str, int], int]]:
        if memory[0] != DRAM:
            return [(memory, 0)]
        return [(memory, page) for page in range(low >> _PAGE_BITS, ((high - 1) >> _PAGE_BITS) + 1)]

    def _find_conflicts(
        self, stream: int, access: ByteAccess, low: int, high: int, needed: dict[int, int]
    ) -> None:
        """Latest conflicting position per stream.  Newest records come first, so that most are skipped."""
        known = self._started[stream]
        writes, own = access.writes, (-1 if access.at_issue else stream)
        for page in self._pages_of(access.memory, low, high):
            for other, records in self._pages.get(page, {}).items():
                if other == own:  # one engine works in order
                    continue
                bound = max(known[other], needed.get(other, -1))
                for record in reversed(records):
                    if record.position <= bound:
                        break  # so are all older ones
                    if record.high <= low or high <= record.low or not (writes or record.writes):
                        continue
                    if record.block.overlaps(access.block):
                        needed[other] = record.position
                        break

    def _reduce(self, stream: int, needed: dict[int, int]) -> list[tuple[int, int]]:
        """Drop waits that the engine's order or other waits imply."""
        known = self._started[stream]
        open_ = {s: p for s, p in needed.items() if p > known[s]}
        waits = []
        for other, position in sorted(open_.items()):
            implied = any(self._completed[s][p][other] >= position for s, p in open_.items() if s != other)
            if not implied:
                waits.append((other, position))
        return waits

    def _advance(self, stream: int, position: int, waits: list[tuple[int, int]]) -> None:
        known = self._started[stream]
        for other, index in waits:
            known = [max(a, b) for a, b in zip(known, self._completed[other][index], strict=True)]
        done = list(known)
        if position:
            done = [max(a, b) for a, b in zip(done, self._completed[stream][-1], strict=True)]
        done[stream] = position
        self._completed[stream].append(tuple(done))
        in_order = self._streams[stream][1] is Engine.COMPUTE
        self._started[stream] = done if in_order else list(known)

    def _record(self, access: ByteAccess, low: int, high: int, stream: int, position: int) -> None:
        """Enter an access; records whose bytes it covers and orders before itself are forgotten."""
        writes = access.writes
        record = _Record(access.block, low, high, writes, stream, position)
        dense = len(access.block.runs()[0]) == 1
        for page in self._pages_of(access.memory, low, high):
            by_stream = self._pages.setdefault(page, {})
            own = by_stream.setdefault(stream, [])
            if dense:
                for records in by_stream.values() if writes else (own,):
                    records[:] = [
                        old
                        for old in records
                        if old.low < low or high < old.high or (old.writes and not writes)
                    ]
            own.append(record)
