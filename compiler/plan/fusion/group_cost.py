"""The cost of a fused group with any residents before and after it: `Interval.weigh` → `GroupCost`.

Activations are counted by `GroupMemory`.  Weights are resident for the group, or as much of them as fits
(the rest is streamed again in every part).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import Bytes
from nnc.compiler.plan.fusion.capacity import Capacity, GroupMemory
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.layer_cycles import block_budget
from nnc.compiler.plan.network.residents import KeyPair, ResidentKey
from nnc.compiler.tuning import TUNING
from nnc.isa.record import record


@record(frozen=True, slots=True)
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


@dataclass(slots=True, eq=False)
class Interval:
    """An interval of layers with one cut.  Buffers go by number (see `Chain`).

    Attributes:
        capacity, cut: of the group; bytes_per_cycle: of transfers.
        memory: what its activations hold.
        reads: bytes that it reads of buffers that were begun before it.
        weights, work: bytes of weights, and cycles of work in all parts, of each step.
        least_blocks: bytes that the weights of each step take if they are streamed in small blocks;
            narrow_blocks: in the smallest ones, which waste lanes.
        staged: bytes that staged operands of each step take where weights lie.
        cycles_of_blocks: bytes of a block of each step → cycles that it takes more with its weights in such.
        slices: bytes of the narrowest slices of results that leave in slices of channels; inner_slices: of
            blocks of channels of others; sliced: the operand of an addition there.
        is_first, is_last: whether there are no layers before it, or behind it, in the network.
    """

    capacity: Capacity
    cut: Cut
    bytes_per_cycle: int
    memory: GroupMemory
    reads: dict[int, int]
    weights: Bytes
    work: Bytes
    least_blocks: Bytes
    narrow_blocks: Bytes
    staged: Bytes
    cycles_of_blocks: Callable[[Bytes], Bytes]
    slices: dict[int, int]
    inner_slices: int
    sliced: int | None
    is_first: bool
    is_last: bool
    _weighed: dict[KeyPair, GroupCost | Infeasible] = field(default_factory=dict)

    def weigh(self, residents: KeyPair) -> GroupCost | Infeasible:
        """What the group costs with residents before and after it, or why it does not fit."""
        cost = self._weighed.get(residents)
        if cost is None:
            cost = self._weighed[residents] = self._weigh(*residents)
        return cost

    def free_for_weights(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes left for weights at each step."""
        return self._free(self.memory.peaks(residents_in, residents_out))

    def slice_bytes(self, residents_in: ResidentKey, residents_out: ResidentKey) -> tuple[int, int]:
        """Bytes of the slices of channels as they are counted: the narrowest slice of every buffer.

        Returns:
            Bytes of what moves in slices: results that leave the group, and an operand that is added; bytes
            of what other layers hand on, a block of channels at a time.
        """
        stored = sum(nbytes for number, nbytes in self.slices.items() if number not in residents_out.whole)
        if self.sliced is not None and self.sliced not in residents_in.whole:
            stored += int(self.memory.inputs[self.sliced].max())
        return stored, self.inner_slices

    def _weigh(self, residents_in: ResidentKey, residents_out: ResidentKey) -> GroupCost | Infeasible:
        if self.cut.recompute and any(number in self.memory.boundary for number, _ in residents_out.stays):
            return Infeasible("a tensor that stays on chip would be computed in part twice")
        if self.memory.not_loaded(residents_in, residents_out):
            return Infeasible("a tensor that stays on chip would be loaded in part, or twice")
        bound = self.capacity.activations
        peaks = self.memory.peaks(residents_in, residents_out)
        peak = int(peaks.max())
        if peak > bound:
            return Infeasible("bytes for activations at the fullest step", peak, bound)
        traffic = self._traffic(residents_in, residents_out)
        room = self.capacity.weights_beside(peak) - int(self.staged.max())
        if (weights := int(self.weights.sum())) <= room:
            work = int(self.work.sum())
            return self._cost(traffic, weights, room, (work, work))
        return self._cost_of_streamed(traffic, room, self._free(peaks))

    def _cost_of_streamed(self, traffic: int, room: int, free: Bytes) -> GroupCost | Infeasible:
        """What the group costs if its weights do not fit.

        Args:
            traffic: bytes of activations; room: bytes for weights at the fullest step; free: at each.
        """
        least = int((free - self.least_blocks).min())
        if least < 0:
            narrow = free - self.narrow_blocks
            step, least = int(narrow.argmin()), int(narrow.min())
            if least < 0:
                demand, bound = int(self.narrow_blocks[step]), int(free[step])
                return Infeasible("bytes for two blocks of a layer's weights", demand, bound)
        passes, weights, all_weights = self.cut.passes, self.weights.cumsum(), int(self.weights.sum())
        spare, pinned = self.capacity.activations // TUNING.weights.spare_share, 0
        if passes > 1:
            pinned = max(0, least - spare)
        more = self.cycles_of_blocks(block_budget(free, pinned, passes))
        if passes > 1:
            more = np.where(weights > pinned, more, 0)
        work = (self.work + more).cumsum()
        streaming = self._cycles_of_streaming(free, pinned, work) if pinned < all_weights else int(work[-1])
        return self._cost(traffic, pinned, room, (int(work[-1]), streaming))

    def _cost(self, traffic: int, pinned: int, room: int, cycles: tuple[int, int]) -> GroupCost:
        """What the group costs.

        Args:
            traffic: bytes of activations; pinned: of weights that stay for all parts; room: that are free for
                weights at the fullest step.
            cycles: of its work, and of this with the weights that stream behind it.
        """
        work, weights = cycles[0], int(self.weights.sum())
        pinned = weights if self.cut.passes == 1 else pinned
        reload = (weights - pinned) * (self.cut.passes - 1)
        moved, slack = traffic + weights + reload, room - min(pinned, weights)
        most = max(cycles[1], moved // self.bytes_per_cycle) + self._exposed(traffic, slack, work)
        most += self.cycles_at_ends(most)
        return GroupCost(pinned, reload, moved, work, most)

    def _cycles_of_streaming(self, free: Bytes, pinned: int, work: Bytes) -> int:
        """Cycles of the work (summed up to each step) and of the weights that stream behind it.

        When a step ends, the weights of later steps that do not fit yet are still to come.  In every part
        but the first, that is what is not pinned (the first steps are pinned first).
        """
        passes, weights = self.cut.passes, self.weights.cumsum()
        later = weights[-1] - np.maximum(weights, pinned) - (free - pinned)
        return passes * int((work // passes + np.maximum(later, 0) // self.bytes_per_cycle).max())

    def cycles_at_ends(self, others: int) -> int:
        """Cycles of transfers beside which there is no work of other groups; 0 if hardly any beside `others`.

        Of the first part, what the first layer of the network reads; of the last, what its last layer writes.
        """
        opened, boundary = self.memory.opened, self.memory.boundary.values()
        nbytes = sum(self.reads[number] for number in opened if not opened[number]) if self.is_first else 0
        if self.is_last:
            nbytes += sum(left.computed for left in boundary if left.steps == 1)
        cycles = 0 if self.cut.cores > 1 else nbytes // self.cut.passes // self.bytes_per_cycle
        return cycles if cycles > others // TUNING.groups.small_ends else 0

    def _exposed(self, traffic: int, slack: int, work: int) -> int:
        """Cycles of transfers of activations that hide behind no work: the next tile does not fit.

        On shared groups DRAM transfers cannot be hidden: a core waits for halo rows that its neighbours store
        at the end of the previous group.

        Args:
            traffic: bytes; slack: bytes that are free at the fullest step; work: cycles.
        """
        each = max(1, traffic // self.cut.passes)
        if self.cut.cores > 1:
            return each // self.bytes_per_cycle
        exposed = min(work, traffic // self.bytes_per_cycle)
        return exposed * (each - min(max(slack, 0), each)) // each

    def _traffic(self, residents_in: ResidentKey, residents_out: ResidentKey) -> int:
        """Bytes of activations that are read and written: all but what is on chip."""
        here, stays = dict(residents_in.stays), dict(residents_out.stays)
        read = sum(max(0, nbytes - here.get(number, 0)) for number, nbytes in self.reads.items())
        return read + sum(
            left.computed if left.is_output else max(0, left.computed - stays.get(number, 0))
            for number, left in self.memory.boundary.items()
        )

    def _free(self, peaks: Bytes) -> Bytes:
        """Bytes for weights at each step, beside activations that use `peaks`."""
        if self.capacity.weights is None:
            return np.asarray(self.capacity.activations - peaks)
        return np.full_like(peaks, self.capacity.weights) - self.staged
