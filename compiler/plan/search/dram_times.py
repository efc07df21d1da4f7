"""The DRAM as estimates see it: loads in order, stores in order, and what of both goes at a time.

    dram.load(nbytes, ready)        when rows or weights are there that may move from `ready` on
    dram.store(nbytes, ready, result)

A transfer may use a time in which the DRAM was idle, but does not overtake one of its own kind.
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_LOADS_AND_STORES = 2
_NEVER = -(10**9)


@dataclass(frozen=True, slots=True)
class DramEnd:
    """How the transfers of a group end; times in cycles before the end of the group (not positive).

    Attributes:
        free: when the last transfer ended; loaded, stored: when the last load and the last store did.
        pauses: begin and end of times in which nothing moved.
        leaving: end of stores, bytes on chip that they free.
    """

    free: int = 0
    loaded: int = _NEVER
    stored: int = _NEVER
    pauses: tuple[tuple[int, int], ...] = ()
    leaving: tuple[tuple[int, int], ...] = ()


class DramTimes:
    """When transfers end."""

    def __init__(self, chip: Chip, cores: int, before: DramEnd) -> None:
        self.bytes_per_cycle, self.latency = chip.transfer_rate(cores), chip.dram.latency
        self._sharers = chip.cores + 1
        self._free, self._loaded, self._stored = (
            float(before.free),
            float(before.loaded),
            float(before.stored),
        )
        self._pauses = [(float(low), float(high)) for low, high in before.pauses]
        self._leaving = [(float(end), nbytes) for end, nbytes in before.leaving]

    @property
    def last(self) -> float:
        """When the last transfer ends."""
        return max(self._free, self._stored)

    def load(self, nbytes: int, ready: float, least: int = 0) -> float:
        """Move bytes that may start at `ready`, in so many cycles at the least; returns the end."""
        begin = max(ready + self.latency, self._loaded)
        shared = begin + _LOADS_AND_STORES * nbytes / self.bytes_per_cycle
        self._loaded = max(min(self._move(nbytes, begin), shared), begin + least)
        return self._loaded

    def store(self, nbytes: int, ready: float, result: int) -> None:
        """Move bytes out, from `result` bytes on chip that are free then."""
        if not nbytes:
            return
        begin = max(ready + self.latency, self._stored)
        shared = begin + self._sharers * nbytes / self.bytes_per_cycle
        self._stored = min(self._move(nbytes, begin), shared)
        if result:
            self._leaving.append((self._stored, result))

    def stored_but(self, nbytes: int) -> float:
        """When no more than so many bytes on chip are left of results that are being stored."""
        left = sum(size for _, size in self._leaving)
        end = float(_NEVER)
        while self._leaving and left > nbytes:
            end, size = self._leaving.pop(0)
            left -= size
        return end

    def end(self, now: int) -> DramEnd:
        """How transfers end, from `now` on."""
        never = 100 * _NEVER
        return DramEnd(
            round(self._free) - now,
            round(max(self._loaded, never)) - now,
            round(max(self._stored, never)) - now,
            tuple((round(low) - now, round(high) - now) for low, high in self._pauses),
            tuple((round(end) - now, nbytes) for end, nbytes in self._leaving if end > now - self.latency),
        )

    def _move(self, nbytes: int, begin: float) -> float:
        """Move bytes from `begin` on, in pauses if there are some; returns the end."""
        rest = nbytes / self.bytes_per_cycle
        if begin < self._free:
            for number, (low, high) in enumerate(self._pauses):
                start = max(low, begin)
                if start >= high:
                    continue
                used = min(rest, high - start)
                rest -= used
                self._pauses[number] = (start + used, high)
                if rest <= 0:
                    return start + used
        if begin > self._free:
            self._pauses = [*self._pauses[1 - TUNING.estimates.max_pauses :], (self._free, begin)]
        self._free = max(begin, self._free) + rest
        return self._free
