"""The cost of a fused group with any residents before and after it: `Interval.weigh` → `GroupCost`.

Activations are counted by `GroupMemory`.  Weights are resident for the group, or as much of them as fits
(the rest is streamed again in every part).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import Bytes
from nnc.compiler.plan.fusion.capacity import Capacity, GroupMemory
from nnc.compiler.plan.fusion.channel_slices import SliceBytes
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


_STREAMED = Infeasible("its weights are weighed later")


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
    _weights_so_far: Bytes = field(init=False)
    _all_work: int = field(init=False)
    _all_weights: int = field(init=False)
    _most_staged: int = field(init=False)
    _read: dict[ResidentKey, int] = field(default_factory=dict)
    _written: dict[ResidentKey, int] = field(default_factory=dict)
    _weighed: dict[tuple[ResidentKey, ResidentKey], GroupCost | Infeasible] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._weights_so_far = np.cumsum(self.weights)
        self._all_work, self._all_weights = int(self.work.sum()), int(self._weights_so_far[-1])
        self._most_staged = int(self.staged.max())

    def overflow(self, residents_in: ResidentKey) -> Infeasible | None:
        """Why the group does not fit beside residents before it, if so; outputs that stay add to this."""
        return self._too_large(int(self.memory.least_peaks(residents_in).max()))

    def _too_large(self, peak: int) -> Infeasible | None:
        bound = self.capacity.activations
        return Infeasible("bytes for activations at the fullest step", peak, bound) if peak > bound else None

    def weigh(self, pairs: Sequence[KeyPair]) -> list[GroupCost | Infeasible]:
        """What the group costs with residents before and after it, or why it does not fit, for some pairs."""
        known = self._weighed
        if new := [pair for pair in pairs if pair not in known]:
            known.update(zip(new, self._weigh(new), strict=True))
        return [known[pair] for pair in pairs]

    def free_for_weights(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes left for weights at each step."""
        return self._free(self.memory.peaks(residents_in, residents_out))

    def slice_bytes(self, residents_in: ResidentKey, residents_out: ResidentKey) -> SliceBytes:
        """Bytes of the slices of channels as they are counted: a narrow slice of every buffer."""
        stored = sum(nbytes for number, nbytes in self.slices.items() if number not in residents_out.whole)
        if self.sliced is not None and self.sliced not in residents_in.whole:
            stored += int(self.memory.inputs[self.sliced].max())
        return SliceBytes(stored, self.inner_slices)

    def _weigh(self, pairs: Sequence[KeyPair]) -> list[GroupCost | Infeasible]:
        peaks = np.array([self.memory.peaks(before, after) for before, after in pairs])
        weights, staged = self._all_weights, self._most_staged
        found: list[GroupCost | Infeasible] = []
        streamed: list[tuple[int, int, int]] = []
        for row, ((before, after), peak) in enumerate(zip(pairs, peaks.max(axis=1).tolist(), strict=True)):
            least = self.capacity.weights_beside(peak) - staged
            refused = self._cannot_stay(before, after) or self._too_large(peak)
            traffic = 0 if refused else self._traffic(before, after)
            if refused is None and weights > least:
                streamed.append((row, traffic, least))
                found.append(_STREAMED)
            else:
                found.append(refused or self._cost_of_resident(traffic, weights, least))
        if streamed:
            rows, traffics, leasts = map(list, zip(*streamed, strict=True))
            costs = self._weigh_streamed(self._free(peaks[rows]), traffics, leasts)
            for row, cost in zip(rows, costs, strict=True):
                found[row] = cost
        return found

    def _cannot_stay(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Infeasible | None:
        if self.cut.recompute and any(number in self.memory.boundary for number, _ in residents_out.stays):
            return Infeasible("a tensor that stays on chip would be computed in part twice")
        if self.memory.not_loaded(residents_in, residents_out):
            return Infeasible("a tensor that stays on chip would be loaded in part, or twice")
        return None

    def _cost_of_resident(self, traffic: int, weights: int, least: int) -> GroupCost:
        """What the group costs if its weights fit in the `least` bytes that are free at its fullest step."""
        work, moved = self._all_work, traffic + weights
        cycles = max(work, moved // self.bytes_per_cycle) + self._exposed(traffic, least - weights, work)
        return GroupCost(weights, 0, moved, work, cycles)

    def _weigh_streamed(
        self, free: Bytes, traffics: Sequence[int], leasts: Sequence[int]
    ) -> Iterator[GroupCost | Infeasible]:
        """What the group costs if its weights do not fit.

        Args:
            free: bytes for weights, per pair of residents and step; leasts: at the fullest step.
        """
        passes, weights, room = self.cut.passes, self._all_weights, free - self.narrow_blocks
        streamed = (free - self.least_blocks).min(axis=1)
        streamed = np.where(streamed < 0, room.min(axis=1), streamed)
        pinned = np.full(len(streamed), weights)
        if passes > 1:
            pinned = np.maximum(0, streamed - self.capacity.activations // TUNING.weights.spare_share)
        work = self._work_in_blocks(free, pinned[:, np.newaxis]).cumsum(axis=1)
        behind = self._cycles_of_streaming(free, pinned[:, np.newaxis], work)
        columns = (streamed, pinned, work[:, -1], behind)
        for row, (fits, stays, all_work, cycles) in enumerate(
            zip(*(c.tolist() for c in columns), strict=True)
        ):
            if fits < 0:
                step = int(room[row].argmin())
                demand, bound = int(self.narrow_blocks[step]), int(free[row, step])
                yield Infeasible("bytes for two blocks of a layer's weights", demand, bound)
                continue
            reload = (weights - stays) * (passes - 1)
            moved = traffics[row] + weights + reload
            slack = max(0, leasts[row] - min(stays, weights))
            cycles = max(cycles, moved // self.bytes_per_cycle)
            cycles += self._exposed(traffics[row], slack, all_work)
            yield GroupCost(stays, reload, moved, all_work, cycles)

    def _work_in_blocks(self, free: Bytes, pinned: Bytes) -> Bytes:
        """Cycles of each step in all parts if its weights come in blocks, but for those that are pinned."""
        more = self.cycles_of_blocks(block_budget(free, pinned, self.cut.passes))
        if self.cut.passes > 1:
            more = np.where(self._weights_so_far > pinned, more, 0)
        return np.asarray(self.work + more)

    def _traffic(self, residents_in: ResidentKey, residents_out: ResidentKey) -> int:
        """Bytes of activations that are read and written: all but what is on chip."""
        if residents_in not in self._read:
            here = dict(residents_in.stays)
            self._read[residents_in] = sum(max(0, n - here.get(at, 0)) for at, n in self.reads.items())
        if residents_out not in self._written:
            stays = dict(residents_out.stays)
            self._written[residents_out] = sum(
                mine.computed if mine.is_output else max(0, mine.computed - stays.get(number, 0))
                for number, mine in self.memory.boundary.items()
            )
        return self._read[residents_in] + self._written[residents_out]

    def _free(self, peaks: Bytes) -> Bytes:
        """Bytes for weights at each step, beside activations that use `peaks`."""
        if self.capacity.weights is None:
            return np.asarray(self.capacity.activations - peaks)
        return np.full_like(peaks, self.capacity.weights) - self.staged

    def _cycles_of_streaming(self, free: Bytes, pinned: Bytes, work: Bytes) -> Bytes:
        """Cycles of the work (summed up to each step) and of the weights that stream behind it, per pair.

        When a step ends, the weights of later steps that do not fit yet are still to come.  In every part
        but the first, that is what is not pinned (the first steps are pinned first).

        Args:
            free: bytes for weights at each step; pinned: of these, bytes that stay on chip.
        """
        parts, pinned = self.cut.passes, pinned if self.cut.passes > 1 else np.zeros_like(pinned)
        total = self._weights_so_far[-1] - pinned
        later = total - np.maximum(self._weights_so_far - pinned, 0) - (free - pinned)
        done = work // parts + np.maximum(later, 0) // self.bytes_per_cycle
        streaming = parts * done.max(axis=1)
        return np.asarray(np.where((parts > 1) & (total[:, 0] <= 0), work[:, -1], streaming))

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
