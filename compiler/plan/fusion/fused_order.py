"""One topological order of the layers on a chip: all that costs of its fused groups depend on."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from nnc.compiler.plan.effort import EFFORTS, Effort
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.channel_slices import block_channels
from nnc.compiler.plan.fusion.chunks import chunk_cycles
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.resident_sets import resident_sets
from nnc.compiler.plan.fusion.structure_cache import Chain, StructureCache
from nnc.compiler.plan.network.hidden_runs import HiddenRun, by_position, hidden_runs
from nnc.compiler.plan.network.layer_cycles import (
    BlockSizes,
    LayerCycles,
    block_bytes,
    channels_of,
    part_shape,
)
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.read_rows import ReadRows, inputs_in_parts
from nnc.compiler.plan.network.residents import NOTHING, KeyPair, Residents
from nnc.compiler.plan.options import GroupPrice
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip


@dataclass(eq=False)
class FusedOrder:
    """An order of the layers, with what is known of it.

    Attributes:
        number: of the order among all orders of the network.
        capacity: of the chip for fused groups.
        cache: costs of layers and intervals; may be shared by orders of one network on one chip.
        effort: how much of it is searched.
    """

    number: int
    network: PlanNetwork
    chip: Chip
    capacity: Capacity
    cache: StructureCache
    effort: Effort = EFFORTS["O2"]

    def __post_init__(self) -> None:
        self._block_sizes: dict[int, BlockSizes] = {}
        self._runs: dict[int, dict[int, HiddenRun]] = {0: {}}
        self._worth: dict[tuple[Residents, int], int] = {}  # bytes

    def chain(self, end: int) -> Chain:
        """The intervals that end at a position."""
        return Chain(self.network, end, self.cache, self.runs(1))

    def runs(self, chunks: int) -> dict[int, HiddenRun]:
        """The run of hidden channels that a layer belongs to, by position, with chunks as a cut has them."""
        if chunks not in self._runs:
            network, capacity = self.network, self.capacity
            runs = hidden_runs(network, self.chip, capacity.staging, capacity.activations, chunks)
            self._runs[chunks] = by_position(runs)
        return self._runs[chunks]

    def runs_within(self, start: int, end: int, cut: Cut) -> dict[int, HiddenRun]:
        """The runs that a group computes chunk by chunk, by position."""
        runs = self.runs(cut.chunks)
        return {position: run for position, run in runs.items() if start <= run.first and run.last <= end}

    def cycles_of_chunks(self, run: HiddenRun, position: int, rows: int) -> int:
        """Cycles of a layer of a run for some rows of its result."""
        key = (self._kind(position), rows, run.width, run.rows, run.is_hidden(position))
        cycles = self.cache.cycles.get(key)
        if cycles is None:
            cycles = self.cache.cycles[key] = chunk_cycles(self.network, self.chip, run, position, rows)
        return cycles

    def cycles(self, position: int, rows: int, width: float = 1.0, channels: int = 0) -> int:
        """Cycles of a layer for some rows of its result and a share of the columns, staging copies included.

        Args:
            channels: output channels that are computed at a time; 0: all.
        """
        key = (self._kind(position), rows, width, channels)
        cycles = self.cache.cycles.get(key)
        if cycles is None:
            cycles = self.cache.cycles[key] = self._find_cycles(position, rows, width, channels)
        return cycles

    def worth_of(self, residents: Residents, position: int, price: GroupPrice) -> float:
        """What may be saved at the most since they are on chip before a position: a store, all loads."""
        if not residents:
            return 0.0
        key = residents, position
        if key not in self._worth:
            readers, stays = self.network.readers_from, self.network.stays(residents).items()
            self._worth[key] = sum((readers(b, position) + (b not in residents.copies)) * n for b, n in stays)
        return price.cost(self._worth[key], 0)

    def _kind(self, position: int) -> Hashable:
        """Equal for layers whose rows and columns take the same cycles."""
        network, tensor = self.network, self.network.defines[position]
        return network.structure(position), network.view(tensor).axis, network.column_axis(tensor)

    def _find_cycles(self, position: int, rows: int, width: float, channels: int) -> int:
        if not channels:
            return self._cycles_of_block(position, rows, width, 0)
        count, last = divmod(channels_of(self.network, position), channels)
        cycles = count * self._cycles_of_block(position, rows, width, channels)
        if last:
            cycles += self._cycles_of_block(position, rows, width, last)
        shape = part_shape(self.network, position, rows, width, channels)
        lie_there = self.capacity.staging.cycles_of_features(self.network, position, shape)
        return cycles - (count + bool(last) - 1) * lie_there

    def _cycles_of_block(self, position: int, rows: int, width: float, channels: int) -> int:
        staging = self.capacity.staging
        shape = part_shape(self.network, position, rows, width, channels)
        if staging.slots(self.network, position):
            return staging.cycles(self.network, position, shape)
        kind = self._kind(position)
        if kind not in self.cache.layers:
            self.cache.layers[kind] = LayerCycles(self.network, self.chip, position)
        return self.cache.layers[kind].of(shape)

    def weight_blocks(self, position: int, *, is_sliced: bool) -> tuple[int, int, int]:
        """Bytes of two small blocks of a layer's weights, of the two smallest, of its staged operands."""
        nbytes, staging = self.network.weight_bytes(position), self.capacity.staging
        sizes = (TUNING.weights.min_fitting_channels, TUNING.weights.min_fitting_channels)
        if is_sliced:
            sizes = (block_channels(self.network, self.chip, position), TUNING.weights.min_channels)
        least, narrow = (min(nbytes, 2 * block_bytes(self.network, position, size)) for size in sizes)
        return least, narrow, staging.nbytes(self.network, position, staging.memories.store)

    def block_sizes(self, position: int) -> BlockSizes:
        """Sizes of the blocks in which the weights of a layer may come."""
        if position not in self._block_sizes:
            self._block_sizes[position] = BlockSizes.of(self.network, self.chip, position)
        return self._block_sizes[position]

    def cycles_of_whole(self, position: int) -> int:
        """Cycles of a layer in one part, of those rows that anybody needs."""
        rows = self.network.view(self.network.defines[position]).rows
        return self.cycles(position, min(rows, self.read_rows.computed[position]))

    def activation_bytes(self, position: int, *, is_sliced: bool) -> int:
        """Bytes of rows that a layer reads and computes; if sliced, of those whose channels it needs all."""
        network, touched = self.network, self.read_rows.touched[position]
        operands = network.operands[position][: 1 if is_sliced else None]
        buffers = {network.buffer_of(tensor) for _, tensor in operands}
        if not is_sliced and network.in_place_source(position) is None:
            buffers.add(network.buffer_of(network.defines[position]))
        return sum(touched[name] for name in buffers)

    @cached_property
    def read_rows(self) -> ReadRows:
        """Which rows of buffers are needed at all."""
        return ReadRows.of(self.network)

    @cached_property
    def resident_options(self) -> list[list[Residents]]:
        """Per position from 0 to the end: what may be on chip when the layer there starts."""
        positions = range(len(self.network.layers) + 1)
        if not self.effort.residents:
            return [[NOTHING] for _ in positions]
        never, memory = inputs_in_parts(self.network), self.capacity.activations
        return [resident_sets(self.network, position, memory, never) for position in positions]

    def resident_keys(self, choice: FusedChoice) -> KeyPair:
        """What is on chip before and after a group, in the terms of its interval."""
        chain, residents = self.chain(choice.end), (choice.residents_in, choice.residents_out)
        before, after = (chain.resident_key(choice.start, resident_set) for resident_set in residents)
        return before, after

    def named(self, start: int, end: int) -> str:
        """An interval of layers for people."""
        first, last = self.network.layers[start].name, self.network.layers[end].name
        return first if start == end else f"{first} … {last}"
