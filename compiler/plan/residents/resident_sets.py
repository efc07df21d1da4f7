"""Which buffers may stay on chip together between two layers: the few sets that the search looks at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set
from itertools import combinations, groupby, islice

from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents
from nnc.compiler.plan.views.row_views import CutAxes

LARGE_SHARE = (1, 2)
"""A buffer that takes more than this share of the memory may stay in part."""
EIGHTHS_THAT_STAY = (1, 3)
LAYERS_TO_A_COPY = 1
"""Behind so many layers at the most comes one that reads a copy, or it does not stay."""
MOST_IN_PAIRS = 3
"""Of so many boundary buffers, any two may stay without the others."""
SMALL_SHARE = 256
"""A buffer that takes no more than one part in so many of the memory is small."""
SMALL_TOGETHER = 16
"""So are the smallest ones that together take no more than one part in so many."""
MOST_SMALL = 256
"""So many small ones stay at the most, the oldest."""
MOST_LARGE = 32
"""Of so many large ones at the most, any may stay: the oldest and the newest."""


def resident_sets(network: PlanNetwork, position: int, memory: int, never: Set[str]) -> list[Residents]:
    """Sets of buffers that may be on chip when the layer at `position` starts: all, none, and few others.

    Small ones stay or go together: in networks that compute their scales, scalars cross every boundary.

    Args:
        memory: what sets may take (bytes).
        never: buffers that cannot stay.
    """
    if position == 0 or position == len(network.layers):
        return [NOTHING]
    sizes = network.residents
    small, large = _small_and_large(network, position, memory, never)
    kept = [[], large, *([mine] for mine in large), *_with_a_copy(network, position, large)]
    if len(large) <= MOST_IN_PAIRS:
        kept += map(list, combinations(large, 2))
    else:  # those that are read next; of a dense block, whose layers read all there is, the oldest
        soon = sorted(large, key=lambda mine: _next_read(network, mine.buffer, position))
        first = [soon[:count] for count in range(1, len(large))]
        kept += [[*mine, *more] for mine in first for more in ((), large[-1:])]
    options = [NOTHING, *(Residents([*mine, *small]) for mine in kept)]
    for mine in large:
        for rows in _rows_that_may_stay(network, mine.buffer, memory):
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


def _next_read(network: PlanNetwork, buffer: str, position: int) -> int:
    """The first layer from a position on that reads a buffer."""
    reads = network.uses.get(buffer, [])
    at = bisect_left(reads, position)
    return reads[at] if at < len(reads) else len(network.layers)


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


def _rows_that_may_stay(network: PlanNetwork, buffer: str, memory: int) -> list[int]:
    """Numbers of last rows of a large boundary buffer that are worth keeping on chip."""
    info, definitions = network.buffers[buffer], network.definitions.get(buffer, [])
    if info.nbytes * LARGE_SHARE[1] <= memory * LARGE_SHARE[0]:
        return []
    ends = network.network_inputs | network.network_outputs
    if len(definitions) != 1 or definitions[0][1] != buffer or buffer in ends:
        return []
    if network.axes is not CutAxes.OUTERMOST:
        return []
    numbers = {memory * eighths // 8 // info.row_bytes for eighths in EIGHTHS_THAT_STAY}
    return sorted(rows for rows in numbers if 0 < rows < info.rows)
