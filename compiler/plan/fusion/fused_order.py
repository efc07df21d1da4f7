"""One topological order of the layers on a chip: all that costs of its fused groups depend on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby, islice

from nnc.compiler.plan.chunks.chunk_cycles import chunk_cycles
from nnc.compiler.plan.chunks.hidden_runs import HiddenRun, by_position, hidden_runs
from nnc.compiler.plan.effort import EFFORTS, Effort
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.channel_slices import block_channels
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.structure_cache import Chain, StructureCache
from nnc.compiler.plan.network.block_work import LEAST_CHANNELS, BlockSizes
from nnc.compiler.plan.network.columns import column_axis
from nnc.compiler.plan.network.in_place import in_place_source
from nnc.compiler.plan.network.layer_cycles import LayerCycles, block_bytes, channels_of, part_shape
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.read_rows import ReadRows, inputs_in_parts
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents
from nnc.compiler.plan.options import GroupPrice
from nnc.compiler.plan.views.row_views import CutAxes
from nnc.isa.chip.description import Chip

LARGE_SHARE = (1, 2)
"""A buffer that takes more than this share of the memory may stay in part."""
EIGHTHS_THAT_STAY = (1, 3)
LAYERS_TO_A_COPY = 1
"""Behind so many layers at the most comes one that reads a copy, or it does not stay."""
MOST_IN_PAIRS = 3
"""Of so many boundary buffers, any two may stay without the others."""
LEAST_BLOCK_CHANNELS = 4
"""Output channels of a small block of streamed weights."""
SMALL_SHARE = 256
"""A buffer that takes no more than one part in so many of the memory is small."""
SMALL_TOGETHER = 16
"""So are the smallest ones that together take no more than one part in so many."""
MOST_SMALL = 256
"""So many small ones stay at the most, the oldest."""
MOST_LARGE = 32
"""Of so many large ones at the most, any may stay: the oldest and the newest."""


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
        self._cycles, self._cycles_of_parts = self.cache.cycles, self.cache.cycles_of_parts
        self._kinds: dict[int, Hashable] = {}
        self._weight_blocks: dict[tuple[int, bool], tuple[int, int, int]] = {}
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
            found = hidden_runs(network, self.chip, capacity.staging, capacity.activations, chunks)
            self._runs[chunks] = by_position(found)
        return self._runs[chunks]

    def runs_within(self, start: int, end: int, cut: Cut) -> dict[int, HiddenRun]:
        """The runs that a group computes chunk by chunk, by position."""
        runs = self.runs(cut.chunks)
        return {at: run for at, run in runs.items() if start <= run.first and run.last <= end}

    def cycles_of_chunks(self, run: HiddenRun, position: int, counts: tuple[tuple[int, int], ...]) -> int:
        """Cycles of a layer of a run in parts: (rows, how many parts have so many)."""
        return sum(n * self._cycles_of_chunks(run, position, rows) for rows, n in counts)

    def _cycles_of_chunks(self, run: HiddenRun, position: int, rows: int) -> int:
        key = (self._kind(position), rows, run.width, run.rows, run.is_hidden(position))
        found = self._cycles.get(key)
        if found is None:
            found = self._cycles[key] = chunk_cycles(self.network, self.chip, run, position, rows)
        return found

    def cycles(self, position: int, rows: int, width: float = 1.0, channels: int = 0) -> int:
        """Cycles of a layer for some rows of its result and a share of the columns, staging copies included.

        Args:
            channels: output channels that are computed at a time; 0: all.
        """
        key = (self._kind(position), rows, width, channels)
        found = self._cycles.get(key)
        if found is None:
            found = self._cycles[key] = self._find_cycles(position, rows, width, channels)
        return found

    def cycles_of_parts(
        self, position: int, counts: tuple[tuple[int, int], ...], widths: tuple[float, ...], channels: int = 0
    ) -> int:
        """Cycles of a layer in parts: (rows, how many parts have so many), for every share of the columns."""
        key = (self._kind(position), counts, widths, channels)
        found = self._cycles_of_parts.get(key)
        if found is None:
            found = self._cycles_of_parts[key] = sum(
                n * self.cycles(position, rows, width, channels) for rows, n in counts for width in widths
            )
        return found

    def worth_of(self, residents: Residents, position: int, price: GroupPrice) -> float:
        """What may be saved at the most since they are on chip before a position: a store, all loads."""
        if not residents:
            return 0.0
        key = residents, position
        if key not in self._worth:
            readers, stays = self.network.readers_from, self.network.residents.stays(residents).items()
            self._worth[key] = sum((readers(b, position) + (b not in residents.copies)) * n for b, n in stays)
        return price.cost(self._worth[key], 0)

    def _kind(self, position: int) -> Hashable:
        """Equal for layers whose rows and columns take the same cycles."""
        kind = self._kinds.get(position)
        if kind is None:
            tensor = self.network.defines[position]
            axes = self.network.view(tensor).axis, column_axis(self.network, tensor)
            kind = self._kinds[position] = (self.cache.structure(self.network, position), *axes)
        return kind

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

    def block_sizes(self, position: int) -> BlockSizes:
        """Sizes of the blocks in which the weights of a layer may come."""
        if position not in self._block_sizes:
            self._block_sizes[position] = BlockSizes.of(self.network, self.chip, position)
        return self._block_sizes[position]

    def weight_blocks(self, position: int, *, is_sliced: bool) -> tuple[int, int, int]:
        """Bytes of two small blocks of a layer's weights, of the two smallest, of its staged operands."""
        key = (position, is_sliced)
        if key not in self._weight_blocks:
            nbytes, staging = self.network.weight_bytes(position), self.capacity.staging
            sizes = (LEAST_BLOCK_CHANNELS, LEAST_BLOCK_CHANNELS)
            if is_sliced:
                sizes = (block_channels(self.network, self.chip, position), LEAST_CHANNELS)
            least, narrow = (min(nbytes, 2 * block_bytes(self.network, position, size)) for size in sizes)
            staged = staging.nbytes(self.network, position, staging.memories.store)
            self._weight_blocks[key] = least, narrow, staged
        return self._weight_blocks[key]

    def in_place_source(self, position: int) -> str | None:
        """The buffer of an operand that a layer's result may overwrite."""
        return self._in_place[position]

    @cached_property
    def _in_place(self) -> list[str | None]:
        return [in_place_source(self.network, position) for position in range(len(self.network.layers))]

    def cycles_of_whole(self, position: int) -> int:
        """Cycles of a layer in one part, of those rows that anybody needs."""
        rows = self.network.view(self.network.defines[position]).rows
        return self.cycles(position, min(rows, self.read_rows.computed[position]))

    def activation_bytes(self, position: int, *, is_sliced: bool) -> int:
        """Bytes of rows that a layer reads and computes; if sliced, of those whose channels it needs all."""
        network, touched = self.network, self.read_rows.touched[position]
        operands = network.operands[position][: 1 if is_sliced else None]
        buffers = {network.buffer_of(tensor) for _, tensor in operands}
        if not is_sliced and self.in_place_source(position) is None:
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
        never = inputs_in_parts(self.network)
        return [resident_options(self.network, position, self.capacity, never) for position in positions]

    def named(self, start: int, end: int) -> str:
        """An interval of layers for people."""
        first, last = self.network.layers[start].name, self.network.layers[end].name
        return first if start == end else f"{first} … {last}"


def resident_options(
    network: PlanNetwork, position: int, capacity: Capacity, never: Set[str]
) -> list[Residents]:
    """Sets of buffers that may be on chip when the layer at `position` starts: all, none, and few others.

    Small ones stay or go together: in networks that compute their scales, scalars cross every boundary.
    Those of `never` cannot stay.
    """
    if position == 0 or position == len(network.layers):
        return [NOTHING]
    memory, sizes = capacity.activations, network.residents
    small, large = _small_and_large(network, position, memory, never)
    kept = [[], large, *([mine] for mine in large), *_with_a_copy(network, position, large)]
    if len(large) <= MOST_IN_PAIRS:
        kept += map(list, combinations(large, 2))
    else:  # the older ones: in a dense block, all that are read by every layer that comes
        first = [large[:count] for count in range(1, len(large))]
        kept += [[*mine, *more] for mine in first for more in ((), large[-1:])]
    options = [NOTHING, *(Residents([*mine, *small]) for mine in kept)]
    for mine in large:
        for rows in _rows_that_may_stay(network, mine.buffer, capacity):
            options.append(Residents({Resident(mine.buffer, rows), *large, *small} - {mine}))
    fitting = {o for o in options if sizes.nbytes_of(o) <= memory}
    by_size = sorted(fitting, key=len)
    ties = [list(mine) for _, mine in groupby(by_size, key=len)]
    return [o for mine in ties for o in (sorted(mine, key=Residents.keys) if len(mine) > 1 else mine)]


def _small_and_large(
    network: PlanNetwork, position: int, memory: int, never: Set[str]
) -> tuple[list[Resident], list[Resident]]:
    """Buffers that take little of the memory, together too, and the others; of very many, not all."""
    crossing = [buffer for buffer in network.crossings[position] if buffer not in never]
    sizes = {buffer: network.buffers[buffer].nbytes for buffer in crossing}
    together, small = 0, set[str]()
    for buffer in sorted(crossing, key=sizes.__getitem__):
        together += sizes[buffer]
        if sizes[buffer] * SMALL_SHARE > memory and together * SMALL_TOGETHER > memory:
            break
        small.add(buffer)
    large = [buffer for buffer in crossing if buffer not in small]
    if len(large) > MOST_LARGE:  # the oldest, and those that were made just now
        large = [*large[: MOST_LARGE // 2], *large[-MOST_LARGE // 2 :]]
    oldest = islice((buffer for buffer in crossing if buffer in small), MOST_SMALL)
    return [*map(Resident, oldest)], [*map(Resident, large)]


def _with_a_copy(network: PlanNetwork, position: int, large: Sequence[Resident]) -> list[list[Resident]]:
    """A copy of what was complete when a layer read it, of which layers to come load most bytes; others."""
    found: list[tuple[int, str]] = []
    for buffer in (mine.buffer for mine in large):
        later, read = (network.readers_from(buffer, at) for at in (position, network.last_def[buffer] + 1))
        if read > later > network.readers_from(buffer, position + LAYERS_TO_A_COPY + 1):
            found.append((later * network.buffers[buffer].nbytes, buffer))
    if not found:
        return []
    copy = Resident(max(found)[1], is_copy=True)
    others = [mine for mine in large if mine != copy.original]
    return [[copy], *([copy, mine] for mine in (others if len(large) <= MOST_IN_PAIRS else others[-1:]))]


def _rows_that_may_stay(network: PlanNetwork, buffer: str, capacity: Capacity) -> list[int]:
    """Numbers of last rows of a large boundary buffer that are worth keeping on chip."""
    info, definitions = network.buffers[buffer], network.definitions.get(buffer, [])
    if info.nbytes * LARGE_SHARE[1] <= capacity.activations * LARGE_SHARE[0]:
        return []
    ends = network.network_inputs | network.network_outputs
    if len(definitions) != 1 or definitions[0][1] != buffer or buffer in ends:
        return []
    if network.axes is not CutAxes.OUTERMOST:
        return []
    numbers = {capacity.activations * eighths // 8 // info.row_bytes for eighths in EIGHTHS_THAT_STAY}
    return sorted(rows for rows in numbers if 0 < rows < info.rows)
