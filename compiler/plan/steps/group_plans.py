"""A chosen group with the steps of all its cores, and why it is as it is, in words.

in:   a choice of the search: a fused group, or a layer alone, in tiles or with two fixed buffers (M3)
out:  its group by itself: no steps if the cores cannot work in step, or its blocks do not fit
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from nnc.compiler.ir.annotations import Group, GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.layer_alone import LayerAlone, steps_of_cores
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.group_kind import kind_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.lockstep import in_step, merged, of_all_cores, of_one_size, united
from nnc.compiler.plan.place.placement import allocate_blocks, fits, placeless
from nnc.compiler.plan.place.transfers import unaligned_step
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.step import Keyed, Step
from nnc.compiler.plan.steps.fused_group import FusedGroup
from nnc.compiler.plan.steps.step_writer import NOTHING_ON_CHIP, OnChipBetween
from nnc.compiler.plan.steps.weight_blocks import plan_weights
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

IMPOSSIBLE = GroupPlan(Group(0, GroupKind.SINGLE, (), (), 0, "none", (), ""), "", ())
"""Stands for a group that cannot be expanded."""


def group_alone(network: PlanNetwork, chip: Chip, choice: LayerAlone) -> GroupPlan:
    """A single layer in the best way whose blocks fit alone.

    Returns:
        No steps if none of the best ways fits, with its cores in step, and others are left.

    Raises:
        CapacityError: one core has no place for the blocks of any candidate.
    """
    graph, layer = network.graph, network.layers[choice.start]
    for candidate in choice.candidates[: TUNING.tiles.max_split_candidates if choice.is_optional else None]:
        cut = candidate.cut
        steps = merged(steps_of_cores(graph, layer, chip, cut))
        if steps is not None and _is_possible(graph, chip, steps):
            shape = graph.types[network.defines[choice.start]].shape
            axes = cut.axes(layer_traits.axis_names(layer, len(shape)), shape)
            reason = f"{cut.heading} about {candidate.dram_bytes} B and {candidate.cycles} cycles"
            planned = _because(_planned(steps, axes, cut.cores, choice.core_reason), chip, reason)
            if isinstance(cut, Tiling):
                return replace(planned, pixels=cut.pixels)
            return replace(planned, group=replace(planned.group, buffers=cut.figures))
    if choice.is_optional:
        return IMPOSSIBLE
    raise placeless(required(steps), chip, layer)


def _is_possible(graph: Graph, chip: Chip, steps: Sequence[Step]) -> bool:
    """Whether the blocks of a layer alone fit, and its transfers are what the DMA can move."""
    if unaligned_step(graph, of_all_cores(steps), shared_blocks=False) is not None:
        return False
    return fits(allocate_blocks(Touches(steps), chip), chip)


def _planned(steps: tuple[Step, ...], axes: Sequence[str], cores: int, core_reason: str) -> GroupPlan:
    """A group of these steps, cut along these axes; it does not say yet why."""
    group = replace(
        IMPOSSIBLE.group,
        parts=1 + max(step.part for step in of_all_cores(steps)),
        axis=" x ".join(axes) or "none",
        cores=tuple(range(cores)),
    )
    return GroupPlan(group, core_reason, steps)


def _because(planned: GroupPlan, chip: Chip, reason: str) -> GroupPlan:
    """A group with its reason, and that for its cores if there are several."""
    said = reason if chip.cores == 1 else f"{reason}; {planned.core_reason}"
    return replace(planned, group=replace(planned.group, reason=said))


def with_reason(planned: GroupPlan, chip: Chip, network: PlanNetwork, choice: FusedChoice) -> GroupPlan:
    """A fused group that says why it is as it is, by what the search knew last when it chose it."""
    return _because(planned, chip, _reason_of(network, choice)) if planned.steps else planned


def fused_group(
    order: FusedOrder, choice: FusedChoice, on_chip: OnChipBetween
) -> tuple[GroupPlan, dict[str, str], OnChipBetween]:
    """A fused group (see `with_reason`), the stems of all names in its steps, and what it leaves on chip.

    Args:
        order: of the layers.
        on_chip: what the group before leaves there.
    """
    network, cut = order.network, choice.cut
    args = network, order.capacity.staging, choice, plan_weights(order, choice), on_chip
    cores = [FusedGroup(*args, core) for core in range(cut.cores)]
    of_shards = cores[:: cut.column_shards]
    if not in_step([core.part_by_part() for core in of_shards]):
        return IMPOSSIBLE, {}, NOTHING_ON_CHIP
    expanded = [core.writer.steps if core in of_shards else core.steps() for core in cores]
    steps, left = _all_cores(expanded, network.graph.constants), cores[0].residents_out()
    if not steps or unaligned_step(network.graph, of_all_cores(steps), shared_blocks=True) is not None:
        return IMPOSSIBLE, {}, left
    planned = _planned(steps, _cut_axes(network, choice), cut.cores, _cores_of(choice))
    kind = kind_of(network, choice.start, choice.end)
    stems = {name: stem for core in cores for name, stem in core.writer.stems.items()}
    return replace(planned, group=replace(planned.group, kind=kind)), stems, left


def _all_cores(expanded: Sequence[Keyed], constants: Container[str]) -> tuple[Step, ...]:
    """The steps of all cores; none if the cores cannot share the group as it was chosen."""
    parts = {(step.part, step.core) for steps in expanded for _, step in steps}
    number = {part: index for index, part in enumerate(sorted(parts))}  # some have no work
    renumbered = [[(k, step.at(number[step.part, step.core])) for k, step in steps] for steps in expanded]
    if len(expanded) == 1:
        return of_one_size([step for _, step in renumbered[0]])
    return united(renumbered, constants) or ()


def _cores_of(choice: FusedChoice) -> str:
    """Which cores work on a group, and why, in words."""
    cut = choice.cut
    if cut.cores == 1:
        return "one core: a fused group is not shared"
    what = [(cut.row_shards, "rows"), (cut.column_shards, "columns")]
    numbers = " x ".join(str(number) for number, _ in what if number > 1)
    axes = " x ".join(axis for number, axis in what if number > 1)
    return f"{numbers} cores by {axes}: weights go to all, what two cores need both compute"


def _cut_axes(network: PlanNetwork, choice: FusedChoice) -> list[str]:
    """The axes that a group is cut along, of the buffer that it ends with."""
    buffer = network.buffer_of(network.defines[choice.end])
    names = layer_traits.axis_names(network.layers[choice.end], len(network.graph.types[buffer].shape))
    cut = choice.cut
    rows = network.view(buffer).axis if cut.parts * cut.row_shards > 1 else None
    columns = network.column_axis(buffer) if cut.columns > 1 else None
    return [names[axis] for axis in (columns, rows) if axis is not None]


def _reason_of(network: PlanNetwork, choice: FusedChoice) -> str:
    """Why a group is as it is, in words."""
    weights = sum(map(network.weight_bytes, range(choice.start, choice.end + 1)))
    said = [f"{choice.dram_bytes} B of DRAM traffic for {choice.cost.compute_cycles} cycles of work"]
    pinned = choice.cost.pinned
    if choice.parts > 1:
        said.append("weights resident" if pinned >= weights else f"{pinned} B of weights resident")
    else:
        said.append("activations stay, weights stream once")
    if choice.cut.chunks:
        said.append("hidden channels in chunks, with partial sums on chip")
    if choice.residents_in:
        said.append(f"finds {choice.residents_in} on chip")
    if choice.residents_out:
        said.append(f"leaves {choice.residents_out} on chip")
    return "; ".join(said)
