"""The plan: one step decides groups, cuts, loop order, storage and addresses together.

Of the sequences of groups that the search looked at closely, those that may be the best are planned, and the
best of them by prediction is taken.  Of small networks, the plan that less effort finds is among them: in a
wider search, more groups are flattered by their estimates.  With most effort, plans for less memory are, too:
these are plans for the chip, and now and then the better ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import islice

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.options import BALANCED, PlanOptions
from nnc.compiler.plan.place.placement import address_dram, group_peaks, memory_use
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.scheduled import PlanBuilder, Progress, Scheduled, SharedPlans
from nnc.compiler.plan.search.group_search import totals
from nnc.compiler.plan.search.tables import SearchTables
from nnc.compiler.target.fully_connected import takes_pixels
from nnc.compiler.target.network_size import check_size
from nnc.compiler.target.type_support import check_types
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.errors import OptionError

DEFAULT_OPTIONS = PlanOptions()


def no_progress(what: str, done: int, total: int) -> None:
    """The progress callback that shows nothing."""


def make_plan(
    graph: Graph,
    chip: Chip,
    progress: Progress = no_progress,
    options: PlanOptions = DEFAULT_OPTIONS,
    shared: SharedPlans | None = None,
) -> Plan:
    """Decide everything about a canonical graph on a chip.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        progress: called as progress(what, done, total) while planning.
        options: what the user asks for.
        shared: what other searches over the graph have found.

    Raises:
        OptionError: an option means nothing on this chip, or for this network; an objective has no figures.
        ElementTypeError: the chip has no unit for the element types of a layer.
        CapacityError: a layer cannot fit the memories, or the tensors the DRAM.
    """
    check_types(graph, chip)
    check_size(graph, chip)
    AskedPrice.of(options.objective, chip)  # before the work
    if options.fc_oram is not None and not takes_pixels(chip):
        raise OptionError(
            "--fc-oram means nothing on this chip",
            where=f"chip {chip.name}",
            found=f"--fc-oram {options.fc_oram}",
            expected="a chip whose features and weights are copied from another memory, such as nna",
            remedy="leave the option out, or --chip nna",
        )
    if not len(graph):
        return _without_layers(graph, chip)
    shared = shared or SharedPlans(SearchTables(graph, chip, options.effort))
    scheduled = _searched(shared, chip, progress, options)
    leaders, offsets = scheduled.leaders.touches, scheduled.leaders.offsets
    return Plan(
        groups=tuple(scheduled.groups),
        order=tuple(scheduled.order),
        offsets=scheduled.addresses.offsets,
        memory_peak=group_peaks(leaders, offsets, len(scheduled.groups)),
        memory_use=memory_use(leaders, offsets, chip),
        pieces=scheduled.addresses.pieces,
        buffers=scheduled.addresses.buffers,
        constant_bytes=scheduled.addresses.constant_bytes,
        dram_bytes=scheduled.dram_bytes,
        predictions=tuple(scheduled.predictions),
        cycles=scheduled.cycles,
    )


def _without_layers(graph: Graph, chip: Chip) -> Plan:
    """The plan of a network that computes nothing: where its inputs lie."""
    addresses, dram_bytes = address_dram(graph, chip, (), {})
    return Plan(
        groups=(),
        order=(),
        offsets=addresses.offsets,
        memory_peak=(),
        memory_use={},
        pieces=addresses.pieces,
        buffers=addresses.buffers,
        constant_bytes=addresses.constant_bytes,
        dram_bytes=dram_bytes,
        predictions=(),
        cycles=0,
    )


def _searched(shared: SharedPlans, chip: Chip, progress: Progress, options: PlanOptions) -> Scheduled:
    """The best plan for an objective, by prediction; of equals, the first of those with fewest groups."""
    asked = AskedPrice.of(options.objective, chip)
    plans = PlanBuilder(shared, chip, options, progress).plans(asked)
    effort = shared.tables.effort
    if effort.below and (effort.less_memory or shared.tables.is_small):
        less = replace(options, effort=effort.below)
        tables = SearchTables(shared.tables.graph, chip, less.effort, like=shared.tables)
        plans.append(_searched(SharedPlans(tables), chip, progress, less))
    if effort.less_memory:
        plans += _for_less_memory(shared, chip, progress, options)
    return min(plans, key=lambda plan: (asked.worth_of(plan), len(plan.groups)))


def _for_less_memory(
    shared: SharedPlans, chip: Chip, progress: Progress, options: PlanOptions
) -> Iterator[Scheduled]:
    """Plans for less memory, which fit the chip, too."""
    asked = AskedPrice.of(options.objective, chip)
    smaller_chips = chips_with_less_memory(chip, shared.tables.graph)
    for smaller in islice(smaller_chips, TUNING.search.max_smaller_memories):
        try:
            yield from PlanBuilder(shared, smaller, options, progress).plans(asked)
        except CapacityError:
            return


def chips_with_less_memory(chip: Chip, graph: Graph) -> Iterator[Chip]:
    """The chip with its largest memory at powers of two and 1.5 times these, the others in proportion.

    Two chips that differ in the size of their memories thus have smaller ones in common.

    Args:
        chip: whose memories are larger.
        graph: the network; memories in which all of it fits are all alike.
    """
    largest = max(memory.bytes for memory in chip.memory.values())
    touched = sum(type_.nbytes for type_ in graph.types.values())
    for size in _sizes_below(min(largest, touched)):
        memory = {}
        for name, kind in chip.memory.items():
            blocks = kind.bytes * size // largest // chip.block_align(name)
            memory[name] = kind.model_copy(update={"bytes": blocks * chip.block_align(name)})
        if not all(kind.bytes for kind in memory.values()):
            return
        yield chip.model_copy(update={"memory": memory})


def _sizes_below(nbytes: int) -> Iterator[int]:
    """Powers of two, and 1.5 times these, that are less, the largest first."""
    power = 1 << (nbytes - 1).bit_length()
    while power >= TUNING.search.min_memory_bytes:
        for size in (power + power // 2, power):
            if size < nbytes:
                yield size
        power //= 2


@dataclass(frozen=True, slots=True)
class CutCost:
    """Costs (`GroupPrice`) of the groups before a place, of those behind it, and of the whole network.

    Attributes:
        moved: bytes that the whole network moves at these costs.
    """

    before: float
    behind: float
    whole: float
    moved: int


def cut_costs(
    shared: SharedPlans,
    chip: Chip,
    options: PlanOptions,
    progress: Progress,
    first: Mapping[str, Set[str]],
) -> dict[str, CutCost]:
    """Costs around sets of layers that come first; of sets with which no order of the layers begins, none.

    Args:
        shared: of the graph; what the search finds is there for others.
        first: names of layers.
    """
    tables, candidates = shared.tables, shared.search(chip, options, progress)
    asked = AskedPrice.of(options.objective, chip)
    objective = BALANCED if options.objective == "balanced" else asked.considered
    moved = min(totals(path) for path in candidates.sequences_for(asked))[0]
    before, behind = candidates.sequences.costs_around(objective)
    prefixes = dict[frozenset[str], int]()
    start = tables.prefixes.by_size[0]
    sizes = {len(layers) for layers in first.values()}
    for network, numbers in zip(tables.networks, tables.prefixes.of, strict=True):
        names = [layer.name for layer in network.layers]
        prefixes |= {frozenset(names[:size]): numbers[size] for size in sizes}
    places = {key: prefixes.get(frozenset(layers)) for key, layers in first.items()}
    return {
        key: CutCost(before[place], behind[place], behind[start], moved)
        for key, place in places.items()
        if place is not None and place in before and place in behind
    }
