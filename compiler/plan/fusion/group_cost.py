"""What a fused group costs with any residents before and after it.

Memory is counted step by step (one step per layer and part): tiles that are in use count in full, others
only what is kept.  Weights are resident for the group, or as much of them as fits (the rest is streamed
again in every part).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from nnc.compiler.ir.required import required
from nnc.compiler.plan.fusion.buffer_bytes import Bytes
from nnc.compiler.plan.fusion.capacity import Room
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_choice import Weighed


@dataclass(frozen=True, eq=False)
class Held:
    """Residents in the terms of a chain; there is one object only for all that are equal.

    Attributes:
        stays: (number of a buffer, bytes of it that stay on chip) of those that the chain touches.
        whole: the numbers of those that stay whole.
        others: bytes of all other residents.
    """

    stays: tuple[tuple[int, int], ...]
    whole: frozenset[int]
    others: int

    @cached_property
    def nbytes(self) -> int:
        """Bytes of all residents."""
        return self.others + sum(nbytes for _, nbytes in self.stays)


SPARE_SHARE = 32
"""One part in so many of the memory stays free where weights would fill it: blocks never fit exactly."""


@dataclass(frozen=True, slots=True)
class Made:
    """A buffer that a group computes, in full or in part, and that is needed after it.

    Attributes:
        made: bytes that the group computes; nbytes: size of the buffer.
        is_output: whether it is an output of the network.
        first, last: steps of the group that use its tiles; held, after: bytes that they take at least in a
            part, and between parts.
    """

    made: int
    nbytes: int
    is_output: bool
    first: int
    last: int
    held: int
    after: int


@dataclass(slots=True, eq=False)
class Interval:
    """An interval of layers with one cut.  Buffers go by number (see `Chain`).

    Attributes:
        room, cut: of the group; bytes_per_cycle: of the DRAM.
        live: bytes in use per step and part by buffers that are begun in the group.
        reads: bytes that it reads of buffers that were begun before it; sizes: bytes of these buffers.
        inputs: bytes that those take on chip per step and part, if they are not resident.
        made: what it leaves behind.
        in_place: operands that a result may overwrite, and the result.
        weights, work: bytes of weights, and cycles of work in all parts, of each step.
        least_blocks: bytes that the weights of each step take at least if they are streamed in blocks.
        tail: bytes of the narrowest slices of the tail's buffers; sliced: the operand of an addition there.
    """

    room: Room
    cut: Cut
    bytes_per_cycle: int
    live: Bytes
    reads: dict[int, int]
    sizes: dict[int, int]
    inputs: dict[int, Bytes]
    made: dict[int, Made]
    in_place: dict[int, int]
    weights: Bytes
    work: Bytes
    least_blocks: Bytes
    tail: dict[int, int]
    sliced: int | None
    _work_so_far: Bytes = field(init=False)
    _weights_so_far: Bytes = field(init=False)
    _peaks: dict[Held, Bytes | None] = field(default_factory=dict)
    _read: dict[Held, int] = field(default_factory=dict)
    _weighed: dict[tuple[Held, Held], Weighed | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._work_so_far, self._weights_so_far = np.cumsum(self.work), np.cumsum(self.weights)

    def fits(self, inside: Held) -> bool:
        """Whether the group fits beside residents before it; an output that stays only adds to this."""
        if inside not in self._peaks:
            peaks = self._peaks_with(inside)
            self._peaks[inside] = peaks if int(peaks.max()) <= self.room.activations else None
            here = dict(inside.stays)
            self._read[inside] = sum(max(0, n - here.get(number, 0)) for number, n in self.reads.items())
        return self._peaks[inside] is not None

    def weigh(self, inside: Held, outside: Held) -> Weighed | None:
        """What the group costs with residents before and after it; None if it does not fit."""
        if not self.fits(inside):
            return None
        key = (inside, outside)
        if key not in self._weighed:
            self._weighed[key] = self._weigh(inside, outside)
        return self._weighed[key]

    def free_for_weights(self, inside: Held, outside: Held) -> Bytes:
        """Bytes left for weights at each step."""
        return self._free(self._add_outputs(self._peaks_with(inside), inside, outside))

    def tail_bytes(self, inside: Held, outside: Held) -> int:
        """Bytes of the slices of the tail as they are counted (a narrow slice of every buffer)."""
        mine = sum(nbytes for number, nbytes in self.tail.items() if number not in outside.whole)
        return mine if self.sliced is None or self.sliced in inside.whole else 2 * mine

    def _peaks_with(self, inside: Held) -> Bytes:
        """Bytes of activations in use at most, per step."""
        live = self.live
        for number, mine in self.inputs.items():
            live = live if number in inside.whole else live + mine
        return np.asarray(live.max(axis=1) + inside.nbytes)

    def _weigh(self, inside: Held, outside: Held) -> Weighed | None:
        stays = dict(outside.stays)
        if self.cut.recompute and any(number in stays for number in self.made):
            return None  # what stays whole is computed once
        base = required(self._peaks[inside])
        peaks, traffic = self._add_outputs(base, inside, outside), self._traffic(inside, stays)
        peak = int(peaks.max())
        if peak > self.room.activations:
            return None
        weights = pinned = int(self._weights_so_far[-1])
        reload = 0
        least = self.room.weights if self.room.weights is not None else self.room.activations - peak
        if weights > least:
            streamed = int((self._free(peaks) - self.least_blocks).min())
            if streamed < 0:
                return None
            if self.cut.passes > 1:
                pinned = max(0, streamed - self.room.activations // SPARE_SHARE)
                reload = (weights - pinned) * (self.cut.passes - 1)
        slack = max(0, least - min(pinned, weights))
        behind = self._cycles_of_streaming(peaks, pinned)
        cycles = max(behind, (traffic + weights + reload) // self.bytes_per_cycle)
        cycles += self._exposed(traffic, slack)
        return Weighed(pinned, reload, traffic + weights + reload, int(self._work_so_far[-1]), cycles)

    def _traffic(self, inside: Held, stays: dict[int, int]) -> int:
        """Bytes of activations that are read and written: all but what is on chip."""
        return self._read[inside] + sum(
            mine.made if mine.is_output else max(0, mine.made - stays.get(number, 0))
            for number, mine in self.made.items()
        )

    def _add_outputs(self, peaks: Bytes, inside: Held, outside: Held) -> Bytes:
        """Bytes in use per step, `peaks`, with outputs that stay on chip in full."""
        full, stays = peaks, dict(outside.stays)
        for number, mine in self.made.items():
            if number not in outside.whole:
                if number in stays:
                    full = full + stays[number]
                continue
            if number in inside.whole:
                continue
            full = full + self._resident_extra(number, inside)
            if mine.held or mine.after:  # the whole replaces the tiles that were counted
                full[mine.first : mine.last + 1] -= mine.held
                full[mine.last + 1 :] -= mine.after
        return full

    def _resident_extra(self, number: int, inside: Held) -> int:
        """Bytes of a resident output: none if it takes over the place of a resident input (addition)."""
        whole = self.made[number].nbytes
        for source in inside.whole:
            if self.in_place.get(source) == number:
                return max(0, whole - self.sizes[source])
        return whole

    def _free(self, peaks: Bytes) -> Bytes:
        """Bytes for weights at each step, beside activations that use `peaks`."""
        if self.room.weights is None:
            return np.asarray(self.room.activations - peaks)
        return np.full(len(peaks), self.room.weights, dtype=np.int64)

    def _cycles_of_streaming(self, peaks: Bytes, pinned: int) -> int:
        """Cycles of the work and of the weights that stream behind it.

        When a step ends, the weights of later steps that find no room yet are still to come.  In every part
        but the first, that is what is not pinned (the first steps are pinned first).
        """
        parts, pinned = self.cut.passes, pinned if self.cut.passes > 1 else 0
        total = int(self._weights_so_far[-1]) - pinned
        if parts > 1 and total <= 0:
            return int(self._work_so_far[-1])
        later = total - np.maximum(self._weights_so_far - pinned, 0) - (self._free(peaks) - pinned)
        done = self._work_so_far // parts + np.maximum(later, 0) // self.bytes_per_cycle
        return parts * int(done.max())

    def _exposed(self, traffic: int, slack: int) -> int:
        """Cycles of transfers of activations that hide behind no work: a next tile finds no room.

        Cores that share a group wait for their neighbours' rows of the group before, and those for theirs.
        """
        each = max(1, traffic // self.cut.passes)
        if self.cut.cores > 1:
            return each // self.bytes_per_cycle
        exposed = min(int(self._work_so_far[-1]), traffic // self.bytes_per_cycle)
        return exposed * (each - min(max(slack, 0), each)) // each
