"""The plan: one step decides groups, cuts, loop order, storage and addresses together.

The search proposes groups; they are expanded to steps, put into the order of issue, and placed.  Where the
blocks of a group fragment a memory so that they do not fit, the search goes on without that group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.decision import GroupPlan, Plan
from nnc.compiler.plan.expand import Expansions
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.placement import (
    address_dram,
    allocate_blocks,
    group_peaks,
    memory_use,
    overflowing_groups,
    tile_places,
)
from nnc.compiler.plan.predict import predict
from nnc.compiler.plan.prefetch import Issue, order_of_issue
from nnc.compiler.plan.search import search_groups
from nnc.isa.chip import Chip
from nnc.isa.errors import InternalError

Progress = Callable[[str, int, int], None]

_MOST_ROUNDS = 200
DEFAULT_OPTIONS = PlanOptions()


def no_progress(what: str, done: int, total: int) -> None:
    """The progress callback that shows nothing."""


@dataclass(frozen=True, slots=True)
class _Scheduled:
    groups: list[GroupPlan]
    issue: Issue


def make_plan(
    graph: Graph,
    chip: Chip,
    progress: Progress = no_progress,
    options: PlanOptions = DEFAULT_OPTIONS,
) -> Plan:
    """Decide everything about a canonical graph on a chip.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        progress: called as progress(what, done, total) while planning.
        options: what the user asks for.

    Raises:
        CapacityError: a layer cannot fit the memories, or the tensors the DRAM.
    """
    network = PlanNetwork(graph)
    scheduled = _schedule(network, chip, progress, options)
    order, offsets = scheduled.issue.order, scheduled.issue.offsets
    places = tile_places(order, offsets)
    addresses, dram_bytes = address_dram(graph, chip, scheduled.groups, places)
    predictions, cycles, waits = predict(graph, addresses, chip, order, len(scheduled.groups))
    return Plan(
        groups=tuple(scheduled.groups),
        order=tuple(order),
        places=places,
        memory_peak=group_peaks(order, offsets, len(scheduled.groups)),
        memory_use=memory_use(order, offsets, chip),
        pieces=addresses.pieces,
        buffers=addresses.buffers,
        constant_bytes=addresses.constant_bytes,
        dram_bytes=dram_bytes,
        predictions=tuple(predictions),
        waits=tuple(waits),
        cycles=cycles,
    )


def _schedule(network: PlanNetwork, chip: Chip, progress: Progress, options: PlanOptions) -> _Scheduled:
    """Search, expand and place.

    A group whose blocks cannot be placed is taken out of the search, and the cheapest sequence of the others
    is found again; every round removes at least one of finitely many groups.
    """
    search = search_groups(network, chip, options, progress)
    expansions = Expansions(network, chip)
    for _ in range(_MOST_ROUNDS):
        choices = search.best()
        groups = expansions.expand(choices)
        demand = [step for group in groups for step in group.steps]
        allocations = allocate_blocks(demand, chip)
        failed = overflowing_groups(demand, allocations, chip)
        if not failed:
            offsets = {name: at for found in allocations.values() for name, at in found.offsets.items()}
            return _Scheduled(groups, order_of_issue(network.graph, chip, demand, offsets))
        search.ban([choices[index] for index in failed])
    raise InternalError("the blocks of the plan could not be placed", where=f"chip {chip.name}")
