"""A chosen group with the steps of all its cores, and why it is as it is, in words.

in:   a choice of the search: a fused group, or a layer alone, in tiles or with two fixed buffers (M3)
out:  its group by itself: no steps if the cores cannot work in step, or its blocks do not fit
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from nnc.compiler.ir.annotations import Group, GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.m3_choices import BufferedChoice
from nnc.compiler.plan.alone.m3_steps import steps_of_core
from nnc.compiler.plan.alone.tile_steps import Expander
from nnc.compiler.plan.alone.tiled_choices import TiledChoice
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.group_kind import kind_of
from nnc.compiler.plan.network.layout import column_axis
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


def tiled_group(network: PlanNetwork, chip: Chip, choice: TiledChoice) -> GroupPlan:
    """A single layer by tiles; the best candidate whose blocks fit alone.

    Returns:
        No steps if several cores cannot work in step in any of the best candidates.

    Raises:
        CapacityError: one core has no place for the blocks of any candidate.
    """
    layer = network.layers[choice.position]
    for candidate in choice.candidates[: None if choice.split is None else TUNING.tiles.max_split_candidates]:
        steps = _tiled_steps(network.graph, layer, chip, candidate.tiling)
        if steps is not None and _is_possible(network.graph, chip, steps):
            shape = network.graph.types[network.defines[choice.position]].shape
            cut = [axis for axis in candidate.tiling.loops if candidate.tiling.tile[axis] < shape[axis]]
            names = layer_traits.axis_names(layer, len(shape))
            axes = [names[axis] for axis in cut] + (["k"] if candidate.tiling.chunk is not None else [])
            pixels = candidate.tiling.pixels
            reason = f"about {candidate.dram_bytes} B and {candidate.cycles} cycles"
            reason = f"tiled alone, {reason}" if pixels is None else f"{pixels}; {reason}"
            planned = _planned(steps, axes, choice.cores, reason, choice.core_reason, chip)
            return replace(planned, pixels=pixels)
    if choice.split is not None:
        return IMPOSSIBLE
    raise placeless(required(steps), chip, layer)


def buffered_group(network: PlanNetwork, chip: Chip, choice: BufferedChoice) -> GroupPlan:
    """A convolution with two fixed buffers; no steps if its blocks do not fit."""
    conv, layer = choice.best.conv, network.layers[choice.position]
    steps = merged([steps_of_core(network.graph, layer, chip, conv, core) for core in range(conv.cores)])
    if steps is None or not _is_possible(network.graph, chip, steps):
        return IMPOSSIBLE
    said = f"{conv.figures}; about {choice.dram_bytes} B and {choice.cycles} cycles"
    planned = _planned(steps, ["rows", "columns"], conv.cores, said, choice.core_reason, chip)
    return replace(planned, group=replace(planned.group, buffers=conv.figures))


def _is_possible(graph: Graph, chip: Chip, steps: Sequence[Step]) -> bool:
    """Whether the blocks of a layer in tiles fit, and its transfers are what the DMA can move."""
    if unaligned_step(graph, of_all_cores(steps), shared_blocks=False) is not None:
        return False
    return fits(allocate_blocks(Touches(steps), chip), chip)


def _planned(
    steps: tuple[Step, ...], axes: Sequence[str], cores: int, reason: str, core_reason: str, chip: Chip
) -> GroupPlan:
    """A group of these steps, cut along these axes; the reason for the cores is told if there are several."""
    group = replace(
        IMPOSSIBLE.group,
        parts=1 + max(step.part for step in of_all_cores(steps)),
        axis=" x ".join(axes) or "none",
        cores=tuple(range(cores)),
        reason=reason if chip.cores == 1 else f"{reason}; {core_reason}",
    )
    return GroupPlan(group, core_reason, steps)


def _tiled_steps(graph: Graph, layer: Layer, chip: Chip, tiling: Tiling) -> tuple[Step, ...] | None:
    """The steps of all cores, merged; None if the cores cannot work in step in these tiles."""
    split = tiling.split
    if split is None:
        return merged([Expander(graph, layer, chip, tiling).steps()])
    operands = TiledLayer(graph, layer, chip).operands
    moves = {slot: mine.axes for slot, mine in enumerate(operands) if mine is not None}
    cores = [Expander(graph, layer, chip, tiling, core, moves) for core in range(split.cores)]
    return merged([core.steps() for core in cores])


def fused_group(
    order: FusedOrder, choice: FusedChoice, on_chip: OnChipBetween
) -> tuple[GroupPlan, dict[str, str], OnChipBetween]:
    """A fused group, the stems of all names in its steps, and what it leaves on chip.

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
    reasons = _reason_of(network, choice), _cores_of(choice)
    planned = _planned(steps, _cut_axes(network, choice), cut.cores, *reasons, order.chip)
    kind = kind_of(network, choice.start, choice.end)
    stems = {name: stem for core in cores for name, stem in core.writer.stems.items()}
    return replace(planned, group=replace(planned.group, kind=kind)), stems, left


def _all_cores(expanded: Sequence[Keyed], constants: Container[str]) -> tuple[Step, ...]:
    """The steps of all cores; none if the cores cannot share the group as it was chosen."""
    parts = {(step.part, step.core) for steps in expanded for _, step in steps}
    number = {part: at for at, part in enumerate(sorted(parts))}  # some have no work
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
    columns = column_axis(network, buffer) if cut.columns > 1 else None
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
