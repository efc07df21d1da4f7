"""The cost of a fused group with any residents before and after it: `Interval.weigh` → `GroupCost`.

Memory is counted step by step (one step per layer and part): tiles that are in use count in full, others
only what is kept.  Weights are resident for the group, or as much of them as fits (the rest is streamed
again in every part).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.capacity import Bytes, Capacity
from nnc.compiler.plan.fusion.channel_slices import SliceBytes
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.infeasible import Infeasible

SPARE_SHARE = 32
"""One part in so many of the memory stays free where weights would fill it: blocks never fit exactly."""
_BLOCKS_IN_CAPACITY = 3
"""Weights that stream behind the work come in blocks, so many of which fit at once: larger ones hold
the transfers up until a whole block is free, smaller ones cost an issue each."""

NumberT = TypeVar("NumberT", int, npt.NDArray[np.int64])


def block_budget(free: NumberT, pinned: int, parts: int) -> NumberT:
    """Most bytes of a block of streamed weights at a step of a group.

    Args:
        free: bytes for weights there; pinned: of these, bytes that stay on chip; parts: of the group.
    """
    return free // _BLOCKS_IN_CAPACITY if parts == 1 else (free - pinned) // 2


@dataclass(frozen=True, slots=True)
class GroupCost:
    """What a fused group costs.

    Attributes:
        pinned: bytes of weights that stay for all parts; reload: bytes of weights loaded again.
        dram_bytes: traffic; compute_cycles: array and vector unit, moves and issue costs included.
        cycles: estimate of work and transfers together.
        is_close: whether the group was run through part by part, or priced from sums over its parts.
    """

    pinned: int
    reload: int
    dram_bytes: int
    compute_cycles: int
    cycles: int
    is_close: bool = False


@dataclass(frozen=True, eq=False)
class ResidentKey:
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


@dataclass(frozen=True, slots=True)
class BoundaryTensor:
    """A buffer that a group computes, in full or in part, and that is needed after it.

    Attributes:
        computed: bytes that the group computes; nbytes: size of the buffer.
        is_output: whether it is an output of the network.
        first, last: steps of the group that use its tiles; held, after: bytes that they take at least in a
            part, and between parts.
    """

    computed: int
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
        capacity, cut: of the group; bytes_per_cycle: of transfers.
        live: bytes in use per step and part by buffers that are begun in the group.
        reads: bytes that it reads of buffers that were begun before it; sizes: bytes of these buffers.
        inputs: bytes that those take on chip per step and part, if they are not resident.
        boundary: what it leaves behind.
        in_place: operands that a result may overwrite, and the result.
        weights, work: bytes of weights, and cycles of work in all parts, of each step.
        least_blocks: bytes that the weights of each step take if they are streamed in small blocks;
            narrow_blocks: in the smallest ones, which waste lanes.
        staged: bytes that staged operands of each step take where weights lie.
        cycles_of_blocks: bytes of a block of each step → cycles that it takes more with its weights in such.
        slices: bytes of the narrowest slices of results that are cut by channels; sliced_result: the last of
            these; sliced: the operand of an addition there.
    """

    capacity: Capacity
    cut: Cut
    bytes_per_cycle: int
    live: Bytes
    reads: dict[int, int]
    sizes: dict[int, int]
    inputs: dict[int, Bytes]
    boundary: dict[int, BoundaryTensor]
    in_place: dict[int, int]
    weights: Bytes
    work: Bytes
    least_blocks: Bytes
    narrow_blocks: Bytes
    staged: Bytes
    cycles_of_blocks: Callable[[Bytes], Bytes]
    slices: SliceBytes
    sliced_result: int | None
    sliced: int | None
    _weights_so_far: Bytes = field(init=False)
    _peaks: dict[ResidentKey, Bytes | Infeasible] = field(default_factory=dict)
    _weighed: dict[tuple[ResidentKey, ResidentKey], GroupCost | Infeasible] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._weights_so_far = np.cumsum(self.weights)

    def overflow(self, residents_in: ResidentKey) -> Infeasible | None:
        """Why the group does not fit beside residents before it, if so; outputs that stay add to this."""
        found = self._base_peaks(residents_in)
        return found if isinstance(found, Infeasible) else None

    def _base_peaks(self, residents_in: ResidentKey) -> Bytes | Infeasible:
        """Bytes of activations in use at most, per step, if nothing stays on chip after the group."""
        if residents_in not in self._peaks:
            peaks = self._peaks_with(residents_in)
            self._peaks[residents_in] = self._too_large(int(peaks.max())) or peaks
        return self._peaks[residents_in]

    def _too_large(self, peak: int) -> Infeasible | None:
        bound = self.capacity.activations
        return Infeasible("bytes for activations at the fullest step", peak, bound) if peak > bound else None

    def weigh(self, residents_in: ResidentKey, residents_out: ResidentKey) -> GroupCost | Infeasible:
        """What the group costs with residents before and after it, or why it does not fit."""
        key = (residents_in, residents_out)
        if key not in self._weighed:
            self._weighed[key] = self._weigh(residents_in, residents_out)
        return self._weighed[key]

    def free_for_weights(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes left for weights at each step."""
        return self._free(self._add_outputs(self._peaks_with(residents_in), residents_in, residents_out))

    def slice_bytes(self, residents_in: ResidentKey, residents_out: ResidentKey) -> SliceBytes:
        """Bytes of the slices of channels as they are counted: a narrow slice of every buffer."""
        stored = 0 if self.sliced_result in residents_out.whole else self.slices.stored
        if self.sliced is not None and self.sliced not in residents_in.whole:
            stored += int(self.inputs[self.sliced].max())
        return replace(self.slices, stored=stored)

    def taken(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes of activations in use, per step and part; residents count throughout."""
        base = self._peaks_with(residents_in)
        more = self._add_outputs(base, residents_in, residents_out) - base + residents_in.nbytes
        return np.asarray(self._live_with(residents_in) + more[:, np.newaxis])

    def _live_with(self, residents_in: ResidentKey) -> Bytes:
        """Bytes of tiles in use, per step and part."""
        live = self.live
        for number, mine in self.inputs.items():
            live = live if number in residents_in.whole else live + mine
        return live

    def _peaks_with(self, residents_in: ResidentKey) -> Bytes:
        """Bytes of activations in use at most, per step."""
        return np.asarray(self._live_with(residents_in).max(axis=1) + residents_in.nbytes)

    def _weigh(self, residents_in: ResidentKey, residents_out: ResidentKey) -> GroupCost | Infeasible:
        stays, base = dict(residents_out.stays), self._base_peaks(residents_in)
        if isinstance(base, Infeasible):
            return base
        if self.cut.recompute and any(number in stays for number in self.boundary):
            return Infeasible("a tensor that stays on chip would be computed in part twice")
        peaks, traffic = (
            self._add_outputs(base, residents_in, residents_out),
            self._traffic(residents_in, stays),
        )
        peak = int(peaks.max())
        if (overflow := self._too_large(peak)) is not None:
            return overflow
        weights = pinned = int(self._weights_so_far[-1])
        reload, least = 0, self.capacity.weights_beside(peak) - int(self.staged.max())
        if weights > least:
            free = self._free(peaks)
            streamed = int((free - self.least_blocks).min())
            if streamed < 0:
                streamed = int((free - self.narrow_blocks).min())
            if streamed < 0:
                step = int((free - self.narrow_blocks).argmin())
                demand, bound = int(self.narrow_blocks[step]), int(free[step])
                return Infeasible("bytes for two blocks of a layer's weights", demand, bound)
            if self.cut.passes > 1:
                pinned = max(0, streamed - self.capacity.activations // SPARE_SHARE)
                reload = (weights - pinned) * (self.cut.passes - 1)
        slack = max(0, least - min(pinned, weights))
        work = np.cumsum(self.work if weights <= least else self._work_in_blocks(free, pinned))
        behind = self._cycles_of_streaming(peaks, pinned, work)
        cycles = max(behind, (traffic + weights + reload) // self.bytes_per_cycle)
        cycles += self._exposed(traffic, slack, int(work[-1]))
        return GroupCost(pinned, reload, traffic + weights + reload, int(work[-1]), cycles)

    def _work_in_blocks(self, free: Bytes, pinned: int) -> Bytes:
        """Cycles of each step in all parts if its weights come in blocks, but for those that are pinned."""
        more = self.cycles_of_blocks(block_budget(free, pinned, self.cut.passes))
        if self.cut.passes > 1:
            more = np.where(self._weights_so_far > pinned, more, 0)
        return np.asarray(self.work + more)

    def _traffic(self, residents_in: ResidentKey, stays: dict[int, int]) -> int:
        """Bytes of activations that are read and written: all but what is on chip."""
        here = dict(residents_in.stays)
        read = sum(max(0, n - here.get(number, 0)) for number, n in self.reads.items())
        return read + sum(
            mine.computed if mine.is_output else max(0, mine.computed - stays.get(number, 0))
            for number, mine in self.boundary.items()
        )

    def _add_outputs(self, peaks: Bytes, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes in use per step, `peaks`, with outputs that stay on chip in full."""
        full, stays = peaks, dict(residents_out.stays)
        for number, mine in self.boundary.items():
            if number not in residents_out.whole:
                if number in stays:
                    full = full + stays[number]
                continue
            if number in residents_in.whole:
                continue
            full = full + self.resident_extra(number, residents_in)
            if mine.held or mine.after:  # the whole replaces the tiles that were counted
                full[mine.first : mine.last + 1] -= mine.held
                full[mine.last + 1 :] -= mine.after
        return full

    def resident_extra(self, number: int, residents_in: ResidentKey) -> int:
        """Bytes of a resident output: none if it takes over the place of a resident input (addition)."""
        whole = self.boundary[number].nbytes
        for source in residents_in.whole:
            if self.in_place.get(source) == number:
                return max(0, whole - self.sizes[source])
        return whole

    def _free(self, peaks: Bytes) -> Bytes:
        """Bytes for weights at each step, beside activations that use `peaks`."""
        if self.capacity.weights is None:
            return np.asarray(self.capacity.activations - peaks)
        return np.asarray(self.capacity.weights - self.staged)

    def _cycles_of_streaming(self, peaks: Bytes, pinned: int, work: Bytes) -> int:
        """Cycles of the work (summed up to each step) and of the weights that stream behind it.

        When a step ends, the weights of later steps that do not fit yet are still to come.  In every part
        but the first, that is what is not pinned (the first steps are pinned first).
        """
        parts, pinned = self.cut.passes, pinned if self.cut.passes > 1 else 0
        total = int(self._weights_so_far[-1]) - pinned
        if parts > 1 and total <= 0:
            return int(work[-1])
        later = total - np.maximum(self._weights_so_far - pinned, 0) - (self._free(peaks) - pinned)
        done = work // parts + np.maximum(later, 0) // self.bytes_per_cycle
        return parts * int(done.max())

    def _exposed(self, traffic: int, slack: int, work: int) -> int:
        """Cycles of transfers of activations that hide behind no work: the next tile does not fit.

        On shared groups DRAM transfers cannot be hidden: a core waits for halo rows that its neighbours store
        at the end of the previous group.
        """
        each = max(1, traffic // self.cut.passes)
        if self.cut.cores > 1:
            return each // self.bytes_per_cycle
        exposed = min(work, traffic // self.bytes_per_cycle)
        return exposed * (each - min(max(slack, 0), each)) // each
