"""Bytes on chip: the capacity of a chip's memories for fused groups, and what line buffers take of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import Bytes, each_part_once
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.sliding import BoundaryTensor, Slides, follow, moves_by_rows
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import ResidentKey
from nnc.compiler.plan.network.staging import GroupMemories, Staging
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip


@dataclass(frozen=True, slots=True)
class Capacity:
    """Memories of a chip for fused groups.

    Attributes:
        activations, weights: bytes for activations and for weights; weights is None if one serves both.
        alone: positions of layers that cannot be fused: row gathers are the DMA engine's own work, and an
            operand may not get where its layer reads it, or not fit there.
        staging: copies of operands to other memories.
    """

    activations: int
    weights: int | None
    alone: frozenset[int]
    staging: Staging

    @property
    def align(self) -> int:
        """What blocks of activations are multiples of (bytes)."""
        return self.staging.chip.block_align(self.staging.memories.home)

    def weights_beside(self, nbytes: int) -> int:
        """Bytes left for weights when `nbytes` of activations are on chip."""
        return self.activations - nbytes if self.weights is None else self.weights

    def without(self, positions: Iterable[int]) -> Capacity:
        """The same memories, with more layers that cannot be fused."""
        return replace(self, alone=self.alone | set(positions))

    @staticmethod
    def of(chip: Chip, network: PlanNetwork, like: Capacity | None = None) -> Capacity | Infeasible:
        """The memories of a chip; infeasible if results lie in several, or in one that no DMA reaches.

        Args:
            like: that of the same layers in another order.
        """
        memories = GroupMemories.of(chip, network) if like is None else like.staging.memories
        if isinstance(memories, Infeasible):
            return memories
        staging = Staging(chip, memories) if like is None else like.staging
        alone = {
            position
            for position, layer in enumerate(network.layers)
            if layer_traits.is_read_engine(layer) or not staging.is_possible(network, position)
        }
        weights = None if memories.home == memories.store else chip.memory[memories.store].bytes
        return Capacity(chip.memory[memories.home].bytes, weights, frozenset(alone), staging)


@dataclass(slots=True, eq=False)
class GroupMemory:
    """Bytes of the activations of a group, with any residents.  Buffers go by number (see `Chain`).

    They are counted step by step (one step per layer and part): tiles that are in use count in full, others
    only what is kept.  Parts that are like the one before them are kept once, where these are most.

    Attributes:
        live: bytes in use per step and part if nothing is resident; inputs: of these, by buffer begun before.
        sizes: bytes of the buffers begun before; opened: their first steps; loadable: those loaded in full.
        boundary: what the group leaves behind.
        in_place: operands that a result may overwrite, and the result, where no later part or strip needs
            what is overwritten: an operand is loaded or computed in the place of a result that stays whole.
        slides: results that follow a resident operand as it is used up: by result and operand, bytes that
            both take together.
        idle: of residents that the group uses up, or makes, bytes in which nothing lies per step and part.
        in_tiles: other results that take an operand's place, with the operand and bytes of a tile of theirs.
        cut: of the group; in one part, residents go and come between two of its layers.
        sliced_step: from which step on its layers run in slices of channels: nothing goes or comes between.
    """

    live: Bytes
    inputs: dict[int, Bytes]
    sizes: dict[int, int]
    opened: dict[int, int]
    loadable: frozenset[int]
    boundary: dict[int, BoundaryTensor]
    in_place: dict[int, int]
    slides: Slides
    idle: dict[int, Bytes]
    in_tiles: dict[int, tuple[int, int]]
    cut: Cut
    sliced_step: int
    _in_one: bool = field(init=False)
    _by_rows: bool = field(init=False)  # last rows move out of tiles, and into them: no bytes are taken twice
    _read_only: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._in_one, sliced = self.cut.passes == 1, self.sliced_step < len(self.live)
        self._by_rows = moves_by_rows(self.cut.passes, self.cut.chunks, is_sliced=sliced)
        self._read_only = frozenset(self.inputs) - self.boundary.keys()
        self.live, (self.inputs, self.idle) = each_part_once(self.live, self.inputs, self.idle)

    def peaks(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes:
        """Bytes in use at most, per step."""
        landed = self._landed(residents_in, residents_out)
        more = self._of_outputs(residents_in, residents_out)
        if (idle := self._idle(residents_in.whole ^ residents_out.whole)) is not None:
            live = self._live_with(residents_in, landed) - idle
            return np.asarray(live.max(axis=1) + residents_in.nbytes + more)
        peaks = self._live_with(residents_in, landed).max(axis=1) + residents_in.nbytes
        for number, nbytes in self._freed(residents_in, residents_out) if self._in_one else ():
            peaks[self._end_of(number, residents_in) :] -= nbytes
        return np.asarray(peaks + more)

    def _idle(self, residents: frozenset[int]) -> Bytes | None:
        """Bytes of residents in which nothing lies, per step and part; None if they stay all the time."""
        idle = [self.idle[number] for number in sorted(residents & self.idle.keys())]
        return np.sum(idle, axis=0) if idle else None

    def not_loaded(self, residents_in: ResidentKey, residents_out: ResidentKey) -> frozenset[int]:
        """Operands that are to stay, but are not loaded in full."""
        return self._loaded(residents_in, residents_out) - self.loadable

    def _freed(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Iterator[tuple[int, int]]:
        """Residents that a group in one part uses for the last time, with their bytes: no result takes their
        place.
        """
        stays = dict(residents_out.stays)
        for number, nbytes in residents_in.stays:
            is_replaced = number in residents_in.whole and number in self.in_place
            if number in self.inputs and number not in stays and not is_replaced:
                yield number, nbytes

    def _end_of(self, number: int, residents_in: ResidentKey) -> int:
        """The first step at which a resident is gone: whole ones are read in place, others are copied."""
        is_whole = number in residents_in.whole
        if self._by_rows and not is_whole:
            return self.opened[number]
        used = np.flatnonzero(self.inputs[number][:, -1])
        last = int(used[-1 if is_whole else 0]) if used.size else len(self.live)
        return last + 1 if last < self.sliced_step else len(self.live)

    def _loaded(self, residents_in: ResidentKey, residents_out: ResidentKey) -> frozenset[int]:
        """Operands that stay on chip since the group loads them: their rows lie where all of them will be."""
        return residents_out.whole & self._read_only - residents_in.whole

    def _landed(self, residents_in: ResidentKey, residents_out: ResidentKey) -> frozenset[int]:
        """Operands whose tiles lie in what stays: in themselves, or in the result that takes their place."""
        loaded = self._loaded(residents_in, residents_out)
        if not self.in_place or not residents_out.whole:
            return loaded
        return loaded.union(
            source
            for source, target in self.in_place.items()
            if target in residents_out.whole and source in self.inputs and source not in residents_in.whole
        )

    def _live_with(self, residents_in: ResidentKey, landed: frozenset[int]) -> Bytes:
        """Bytes of tiles in use, per step and part."""
        live = self.live
        for number in residents_in.whole.union(landed) & self.inputs.keys():
            live = live - self.inputs[number]
        return live

    def _of_outputs(self, residents_in: ResidentKey, residents_out: ResidentKey) -> Bytes | int:
        """Bytes per step that outputs, and what is loaded, take more if they stay on chip."""
        more: Bytes | int = 0
        for number in self._loaded(residents_in, residents_out):
            first = min(self._first_read(number), self.sliced_step) if self._in_one else 0
            more = more + self.sizes[number] * (np.arange(len(self.live)) >= first)
        extra = self._resident_extra(residents_in, residents_out)
        for number, nbytes in residents_out.stays:
            if number in self.boundary and number not in residents_out.whole:
                more = more + (0 if self._by_rows else nbytes)
            elif number in self.boundary and number not in residents_in.whole:
                more = more + self._extra_of(number, extra[number])
                source, held = self.in_tiles.get(number, (-1, 0))
                if held and source not in residents_in.whole:  # which is no place for all of the result
                    more = more + held * (np.arange(len(self.live)) == self._first_step(number))
        return more

    def _extra_of(self, number: int, nbytes: int) -> Bytes:
        """Bytes per step that an output takes more if it stays whole, in so many bytes."""
        more = np.full(len(self.live), nbytes, dtype=np.int64)
        more[self._first_step(number) :] -= self.boundary[number].held  # for which the whole stands
        if self._in_one:
            more[: self._begins(number)] = 0
        return more

    def _first_step(self, number: int) -> int:
        """The step that begins a boundary tensor; 0 if it was begun before the group."""
        return max(0, len(self.live) - self.boundary[number].steps)

    def _begins(self, number: int) -> int:
        """The step from which on an output that stays is on chip, be it as an operand in its place."""
        first = min(self._first_step(number), self.sliced_step)
        for source, target in self.in_place.items():
            if target == number:
                first = min(first, self._first_read(source)) if source in self.inputs else 0
        return first

    def _first_read(self, number: int) -> int:
        """The step that reads a buffer begun before, in the first part; 0 if none does."""
        return int((self.inputs[number][:, 0] > 0).argmax())

    def _resident_extra(self, residents_in: ResidentKey, residents_out: ResidentKey) -> dict[int, int]:
        """Bytes that outputs that stay take beside resident operands in whose place they are, by number."""
        outputs = sorted(residents_out.whole & self.boundary.keys() - residents_in.whole)
        extra = {number: self.boundary[number].nbytes for number in outputs}
        for source in residents_in.whole & self.in_place.keys():
            if (target := self.in_place[source]) in extra:
                extra[target] = max(0, self.boundary[target].nbytes - self.sizes[source])
        if residents_in.whole and self.slides:
            free = {n for n in residents_in.whole if self.in_place.get(n) not in extra}
            follow(extra, self.slides, self.sizes, free)
        return extra
