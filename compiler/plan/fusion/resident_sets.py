"""Which buffers may stay on chip together between two layers: the few sets that the search looks at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set
from itertools import combinations, groupby, islice

from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents
from nnc.compiler.tuning import TUNING


def resident_sets(network: PlanNetwork, position: int, memory: int, never: Set[str]) -> list[Residents]:
    """Sets of buffers that may be on chip when the layer at `position` starts: all, none, and few others.

    Inputs and outputs of the network lie in DRAM in any case: of these, only copies stay.  Small buffers stay
    or go together: in networks that compute their scales, scalars cross every boundary.

    Args:
        memory: what sets may take (bytes).
        never: buffers that cannot stay: inputs that are read in parts.
    """
    if position == 0 or position == len(network.layers):
        return [NOTHING]
    small, large = _small_and_large(network, position, memory)
    copy = _copied(network, position, memory, never | {resident.buffer for resident in small})
    kept = [[], large, *([resident] for resident in large), *_with_a_copy(copy, large)]
    if len(large) <= TUNING.residents.max_in_pairs:
        kept += map(list, combinations(large, 2))
    else:  # those that are read next; of a dense block, whose layers read all there is, the oldest
        soon = sorted(large, key=lambda resident: _next_read(network, resident.buffer, position))
        first = [soon[:count] for count in range(1, len(large))]
        kept += [[*residents, *more] for residents in first for more in ((), large[-1:])]
    options = [NOTHING, *(Residents([*residents, *small]) for residents in kept)]
    for resident in large:
        for rows in _rows_that_may_stay(network, resident.buffer, memory):
            options.append(Residents({Resident(resident.buffer, rows), *large, *small} - {resident}))
    fitting = {o for o in options if sum(network.stays(o).values()) <= memory}
    by_size = sorted(fitting, key=len)
    ties = [list(tied) for _, tied in groupby(by_size, key=len)]
    return [o for tied in ties for o in (sorted(tied, key=Residents.keys) if len(tied) > 1 else tied)]


def _small_and_large(
    network: PlanNetwork, position: int, memory: int
) -> tuple[list[Resident], list[Resident]]:
    """Buffers that take little of the memory, together too, and the others; of very many, not all."""
    crossing = [buffer for buffer in network.crossings[position] if buffer not in network.ends]
    sizes = {buffer: network.buffers[buffer].nbytes for buffer in crossing}
    tuning, together, small = TUNING.residents, 0, set[str]()
    for buffer in sorted(crossing, key=sizes.__getitem__):
        together += sizes[buffer]
        is_tiny, most = sizes[buffer] * tuning.small_share <= memory, max(sizes[buffer] * 2, together)
        if not is_tiny and most * tuning.small_together_share > memory:
            break
        small.add(buffer)
    large = [buffer for buffer in crossing if buffer not in small]
    if len(large) > tuning.max_large:  # the oldest, and those that were made just now
        half = tuning.max_large // 2
        large = [*large[:half], *large[-half:]]
    oldest = islice((buffer for buffer in crossing if buffer in small), tuning.max_small)
    return [*map(Resident, oldest)], [*map(Resident, large)]


def _next_read(network: PlanNetwork, buffer: str, position: int) -> int:
    """The first layer from a position on that reads a buffer."""
    reads = network.uses.get(buffer, [])
    index = bisect_left(reads, position)
    return reads[index] if index < len(reads) else len(network.layers)


def _copied(network: PlanNetwork, position: int, memory: int, never: Set[str]) -> Resident | None:
    """A copy of what was complete when a layer read it, of which layers to come load most bytes.

    Args:
        never: buffers of which there are no copies.
    """
    candidates: list[tuple[int, str]] = []
    end = position + TUNING.residents.max_layers_to_copy + 1
    read_soon = {network.buffer_of(tensor) for read in network.operands[position:end] for _, tensor in read}
    for buffer in read_soon - never:
        nbytes = network.buffers[buffer].nbytes
        later, read = (
            network.readers_from(buffer, start) for start in (position, network.last_def[buffer] + 1)
        )
        if read > later and nbytes * TUNING.residents.small_share > memory:
            candidates.append((later * nbytes, buffer))
    return Resident(max(candidates)[1], is_copy=True) if candidates else None


def _with_a_copy(copy: Resident | None, large: Sequence[Resident]) -> list[list[Resident]]:
    """A copy alone, and beside others."""
    if copy is None:
        return []
    others = [resident for resident in large if resident != copy.original]
    beside = others if len(large) <= TUNING.residents.max_in_pairs else others[-1:]
    return [[copy], *([copy, resident] for resident in beside)]


def _rows_that_may_stay(network: PlanNetwork, buffer: str, memory: int) -> list[int]:
    """Numbers of last rows of a large boundary buffer that are worth keeping on chip."""
    info, definitions = network.buffers[buffer], network.definitions.get(buffer, [])
    if info.nbytes <= TUNING.residents.partly_share.of(memory):
        return []
    if len(definitions) != 1 or definitions[0][1] != buffer:
        return []
    if network.axes is not CutAxes.OUTERMOST:
        return []
    numbers = {memory * eighths // 8 // info.row_bytes for eighths in TUNING.residents.partly_eighths}
    return sorted(rows for rows in numbers if 0 < rows < info.rows)
