"""The plan: one step decides groups, cuts, loop order, storage and addresses together.

The search proposes groups; they are expanded to steps, put into the order of issue, and placed.  Where the
blocks of a group fragment a memory so that they do not fit, the search goes on without that group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.plan import geometry
from nnc.compiler.plan.decision import GroupPlan, Plan
from nnc.compiler.plan.fused_steps import FusedExpander
from nnc.compiler.plan.group_kind import kind_of
from nnc.compiler.plan.intervals import FusedChoice, Intervals, Room, layer_cycles
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.on_chip import OnChip
from nnc.compiler.plan.placement import (
    address_dram,
    allocate_blocks,
    fits,
    group_peaks,
    overflowing_groups,
    tile_places,
)
from nnc.compiler.plan.predict import predict
from nnc.compiler.plan.prefetch import Issue, order_of_issue
from nnc.compiler.plan.search import Choice, Objective, TiledChoice, search_groups
from nnc.compiler.plan.steps import Expander
from nnc.compiler.plan.weights import plan_weights
from nnc.isa.chip import Chip
from nnc.isa.errors import InternalError

Progress = Callable[[str, int, int], None]

_MOST_ROUNDS = 200

OBJECTIVES = {
    "traffic": Objective("traffic", 1.0, 1e-6),
    "balanced": Objective("balanced", 1.0, 0.1),
    "cycles": Objective("cycles", 1.0, 0.5),
}


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
    objective: str = "balanced",
    *,
    fused: bool = True,
) -> Plan:
    """Decide everything about a canonical graph on a chip.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        progress: called as progress(what, done, total) while planning.
        objective: a key of `OBJECTIVES`.
        fused: whether layers may be fused into groups; else each layer is cut into tiles alone.

    Raises:
        CapacityError: a layer cannot fit the memories, or the tensors the DRAM.
    """
    network = PlanNetwork(graph)
    scheduled = _schedule(network, chip, progress, OBJECTIVES[objective], fused=fused)
    order, offsets = scheduled.issue.order, scheduled.issue.offsets
    places = tile_places(order, offsets)
    addresses, dram_bytes = address_dram(graph, chip, scheduled.groups, places)
    predictions, cycles = predict(graph, addresses, chip, order, len(scheduled.groups))
    return Plan(
        groups=tuple(scheduled.groups),
        order=tuple(order),
        places=places,
        memory_peak=group_peaks(order, offsets, len(scheduled.groups)),
        pieces=addresses.pieces,
        buffers=addresses.buffers,
        constant_bytes=addresses.constant_bytes,
        dram_bytes=dram_bytes,
        predictions=tuple(predictions),
        cycles=cycles,
    )


def _schedule(
    network: PlanNetwork, chip: Chip, progress: Progress, objective: Objective, *, fused: bool
) -> _Scheduled:
    """Search, expand and place.

    A group whose blocks cannot be placed is taken out of the search, and the cheapest sequence of the others
    is found again; every round removes at least one of finitely many groups.
    """
    search = search_groups(network, chip, progress, fused=fused)
    for _ in range(_MOST_ROUNDS):
        choices = search.best(objective)
        groups = _expand(network, chip, choices)
        demand = [step for group in groups for step in group.steps]
        allocations = allocate_blocks(demand, chip)
        failed = overflowing_groups(demand, allocations, chip)
        if not failed:
            offsets = {name: at for found in allocations.values() for name, at in found.offsets.items()}
            return _Scheduled(groups, order_of_issue(network.graph, chip, demand, offsets))
        search.ban(choices[index] for index in failed)
    raise InternalError("the blocks of the plan could not be placed", where=f"chip {chip.name}")


def _expand(network: PlanNetwork, chip: Chip, choices: Sequence[Choice]) -> list[GroupPlan]:
    """The groups with their steps."""
    views = _views_after(network.graph)
    residents: dict[str, OnChip] = {}
    names: dict[str, int] = {}
    groups = []
    for index, choice in enumerate(choices):
        layers = tuple(network.layers[p].name for p in range(choice.start, choice.end + 1))
        mine = tuple(name for layer in layers for name in views.get(layer, ()))
        if isinstance(choice, TiledChoice):
            group = _tiled_group(network, chip, choice, index)
        else:
            group = _fused_group(network, chip, choice, index, residents, names)
        groups.append(replace(group, layers=layers, views=mine))
    return groups


def _views_after(graph: Graph) -> dict[str, list[str]]:
    """Views belong to the group of the layer that computes their operand (the last one, for a concat)."""
    owner: dict[str, str] = {}
    views: dict[str, list[str]] = {}
    position = {layer.name: number for number, layer in enumerate(graph.layers())}
    for layer in graph.layers():
        if not layer.is_view:
            owner[layer.name] = layer.name
            continue
        above = [owner[name] for name in graph.predecessors(layer.name) if name in owner]
        if above:
            owner[layer.name] = max(above, key=lambda name: position[name])
            views.setdefault(owner[layer.name], []).append(layer.name)
    return views


def _tiled_group(network: PlanNetwork, chip: Chip, choice: TiledChoice, index: int) -> GroupPlan:
    """A single layer by tiles; the best candidate whose blocks fit alone."""
    layer = network.layers[choice.position]
    for candidate in choice.candidates:
        steps = Expander(network.graph, layer, chip, candidate.tiling, index).steps()
        if fits(allocate_blocks(steps, chip), chip):
            shape = network.graph.types[network.defines[choice.position]].shape
            cut = [axis for axis in candidate.tiling.loops if candidate.tiling.tile[axis] < shape[axis]]
            names = axis_names(layer, len(shape))
            axes = [names[axis] for axis in cut] + (["k"] if candidate.tiling.chunk is not None else [])
            return GroupPlan(
                index=index,
                kind=GroupKind.SINGLE,
                layers=(),
                views=(),
                parts=1 + max(step.part for step in steps),
                axis=" x ".join(axes) or "none",
                cores=(0,),
                core_reason="one core",
                reason=f"tiled alone, about {candidate.dram_bytes} B and {candidate.cycles} cycles",
                steps=steps,
            )
    raise InternalError("no candidate could be placed", where=f"{layer.loc} on chip {chip.name}")


def _fused_group(
    network: PlanNetwork,
    chip: Chip,
    choice: FusedChoice,
    index: int,
    residents: dict[str, OnChip],
    names: dict[str, int],
) -> GroupPlan:
    room = Room.of(chip, network)
    assert room is not None
    intervals = _intervals_of(network, chip, choice, room)
    free, tail = intervals.free_for_weights(choice), intervals.tail_bytes(choice)
    weights = plan_weights(network, chip, choice, free, tail)
    steps = FusedExpander(network, chip, choice, index, weights, residents, names).steps()
    number = {part: at for at, part in enumerate(sorted({step.part for step in steps}))}  # some have no work
    steps = tuple(replace(step, part=number[step.part]) for step in steps)
    layers = range(choice.start, choice.end + 1)
    buffer = network.buffer_of(network.defines[choice.end])
    return GroupPlan(
        index=index,
        kind=kind_of(network, choice.start, choice.end),
        layers=(),
        views=(),
        parts=len(number),
        axis=_cut_axis(network, buffer, choice.end) if choice.parts > 1 else "none",
        cores=(0,),
        core_reason="one core",
        reason=_reason(network, choice, sum(network.weight_bytes(p) for p in layers)),
        steps=steps,
    )


def _intervals_of(network: PlanNetwork, chip: Chip, choice: FusedChoice, room: Room) -> Intervals:
    """The sweep that found a group, standing at its start."""

    def cycles_of(position: int, rows: int) -> int:
        return layer_cycles(network, chip, position, rows)

    intervals = Intervals(network, chip, room, choice.end, choice.cut, choice.tail, cycles_of)
    for start in intervals.sweep():
        if start == choice.start:
            break
    return intervals


def _cut_axis(network: PlanNetwork, buffer: str, position: int) -> str:
    axis = network.view(buffer).axis
    names = axis_names(network.layers[position], len(network.graph.types[buffer].shape))
    return "none" if axis is None else names[axis]


def _reason(network: PlanNetwork, choice: FusedChoice, weights: int) -> str:
    """Why the group is as it is, in words."""
    said = [f"{choice.dram_bytes} B of DRAM traffic for {choice.compute_cycles} cycles of work"]
    if choice.parts > 1:
        said.append(
            "weights resident" if choice.pinned >= weights else f"{choice.pinned} B of weights resident"
        )
    else:
        said.append("activations stay, weights stream once")
    if choice.inside:
        said.append(f"finds {', '.join(sorted(choice.inside))} on chip")
    if choice.outside:
        said.append(f"leaves {', '.join(sorted(choice.outside))} on chip")
    return "; ".join(said)


def axis_names(layer: Layer, rank: int) -> list[str]:
    """Names of the output axes for people: batch, channels, rows, columns for pictures; else numbers."""
    lane = geometry.lane_axis(layer, rank)
    if rank == 4 and lane != rank - 1:
        return ["batch", "channels", "rows", "columns"]
    names = [f"axis{axis}" for axis in range(rank)]
    if lane is not None:
        names[lane] = "channels"
    return names
