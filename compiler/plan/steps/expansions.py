"""From the choices of the search to groups with their steps, most of which are asked for more than once."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import replace

from nnc.compiler.ir.annotations import Group, GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.m3_choices import BufferedChoice
from nnc.compiler.plan.alone.m3_steps import steps_of_core
from nnc.compiler.plan.alone.m3_timetable import BufferedConv
from nnc.compiler.plan.alone.tile_steps import Expander
from nnc.compiler.plan.alone.tiled_choices import TiledChoice
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.structure_cache import StructureCache
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.group_kind import kind_of, views_after
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.lockstep import in_step, merged, of_all_cores, of_one_size, united
from nnc.compiler.plan.place.placement import allocate_blocks, fits, placeless
from nnc.compiler.plan.place.transfers import unaligned_step
from nnc.compiler.plan.plan import Estimate, GroupPlan
from nnc.compiler.plan.step import Keyed, Step
from nnc.compiler.plan.steps.fused_group import FusedGroup, cores_of, cut_axes, reason_of
from nnc.compiler.plan.steps.shape import shape_of_group, shape_of_layer
from nnc.compiler.plan.steps.step_writer import NOTHING_ON_CHIP, OnChipBetween
from nnc.compiler.plan.steps.template import Template
from nnc.compiler.plan.steps.weight_blocks import plan_weights
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError

Expanded = tuple[GroupPlan, OnChipBetween]
"""A group with its steps, and what it leaves on chip."""


class Expansions:
    """Expands sequences of groups; what was expanded before in the same surroundings is used again."""

    def __init__(self, networks: Sequence[PlanNetwork], chip: Chip, refusals: Mapping[str, str]) -> None:
        """Args:
        networks: the network with its layers in the orders that choices refer to.
        refusals: by layer, why it is not computed as the user asks.
        """
        self.networks, self.chip, self._refusals = networks, chip, refusals
        self._tiled: dict[tuple[str, Tiling], GroupPlan | None] = {}
        self._buffered: dict[tuple[str, BufferedConv], GroupPlan] = {}
        self._fused: dict[tuple[FusedChoice, OnChipBetween], Expanded] = {}
        self._alike: dict[Hashable, GroupPlan | None] = {}
        self._templates: dict[Hashable, Template] = {}
        self._orders: dict[int, FusedOrder] = {}

    def expand(self, choices: Sequence[Choice]) -> list[GroupPlan]:
        """The groups with their steps; no steps where cores cannot share a layer as it was chosen."""
        residents = NOTHING_ON_CHIP
        groups = []
        members = [self._layers(choice) for choice in choices]
        views_of = views_after(self.networks[0].graph, [name for layers in members for name in layers])
        for index, (choice, layers) in enumerate(zip(choices, members, strict=True)):
            views = tuple(name for layer in layers for name in views_of.get(layer, ()))
            if isinstance(choice, TiledChoice):
                planned = self._tiled_group(choice) or _impossible()
            elif isinstance(choice, BufferedChoice):
                planned = self._buffered_group(choice)
            else:
                planned, residents = self._fused_group(choice, residents)
            refused = (f"; {name}: {self._refusals[name]}" for name in layers if name in self._refusals)
            reason = planned.group.reason + "".join(refused)
            group = replace(planned.group, index=index, layers=layers, views=views, reason=reason)
            estimate = Estimate(choice.dram_bytes, choice.cycles)
            groups.append(replace(planned, group=group, estimate=estimate))
        return groups

    def _layers(self, choice: Choice) -> tuple[str, ...]:
        layers = self.networks[choice.order].layers
        return tuple(layer.name for layer in layers[choice.start : choice.end + 1])

    def _tiled_group(self, choice: TiledChoice) -> GroupPlan | None:
        """The steps of a layer in tiles."""
        (name,) = self._layers(choice)
        network, key = self.networks[choice.order], (name, choice.candidates[0].tiling)
        if key not in self._tiled:
            self._tiled[key] = self._tiled_alike(network, choice)
        return self._tiled[key]

    def _tiled_alike(self, network: PlanNetwork, choice: TiledChoice) -> GroupPlan | None:
        """The same, bound to the names of the layer if one like it is known."""
        shape, binding = shape_of_layer(network, choice.position)
        key = shape, choice.best.tiling
        if key in self._alike:
            if (known := self._alike[key]) is None:
                return None
            if (steps := required(known.template).bound(binding)) is not None:
                return replace(known, core_reason=choice.core_reason, steps=steps, binding=binding)
        found = _tiled_group(network, self.chip, choice)
        if found is not None:
            found = replace(found, template=Template(found.steps, binding), binding=binding)
        self._alike[key] = found
        return found

    def _buffered_group(self, choice: BufferedChoice) -> GroupPlan:
        (name,) = self._layers(choice)
        key = name, choice.best.conv
        if key not in self._buffered:
            self._buffered[key] = _buffered_group(self.networks[choice.order], self.chip, choice)
        return self._buffered[key]

    def _fused_group(self, choice: FusedChoice, residents_in: OnChipBetween) -> Expanded:
        key = (choice, residents_in)
        if key not in self._fused:
            order = self._order(choice.order)
            if residents_in or choice.residents_in or choice.residents_out:
                steps, after = _steps_of_cores(order, choice, residents_in)
                self._fused[key] = _with_steps(order, choice, steps), after
            else:
                self._fused[key] = self._fused_alike(order, choice), NOTHING_ON_CHIP
        return self._fused[key]

    def _fused_alike(self, order: FusedOrder, choice: FusedChoice) -> GroupPlan:
        """A group with an empty chip before and after, bound to its names if one like it is known."""
        shape, binding = shape_of_group(order.network, choice.start, choice.end)
        cut = choice.cut, choice.sliced_from - choice.start, choice.cost, id(choice.interval)
        key = choice.order, cut, shape
        template = self._templates.get(key)
        steps = None if template is None else template.bound(binding)
        if steps is None:
            steps, _ = _steps_of_cores(order, choice, NOTHING_ON_CHIP)
            template = self._templates[key] = Template(steps, binding)
        return replace(_with_steps(order, choice, steps), template=template, binding=binding)

    def _order(self, number: int) -> FusedOrder:
        """An order of the layers as the search knows it."""
        if number not in self._orders:
            network = self.networks[number]
            capacity = Capacity.of(self.chip, network)
            if isinstance(capacity, Infeasible):
                raise InternalError("a fused group on a chip that cannot fuse", found=str(capacity))
            self._orders[number] = FusedOrder(number, network, self.chip, capacity, StructureCache())
        return self._orders[number]


def _tiled_group(network: PlanNetwork, chip: Chip, choice: TiledChoice) -> GroupPlan | None:
    """A single layer by tiles; the best candidate whose blocks fit alone.

    Returns:
        None if several cores cannot work in step in any of the best candidates.

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
            group = Group(
                index=0,
                kind=GroupKind.SINGLE,
                layers=(),
                views=(),
                parts=1 + max(step.part for step in of_all_cores(steps)),
                axis=" x ".join(axes) or "none",
                cores=tuple(range(1 if choice.split is None else choice.split.cores)),
                reason=_with_cores(reason, choice.core_reason, chip),
            )
            return GroupPlan(group, choice.core_reason, steps, pixels=pixels)
    if choice.split is not None:
        return None
    raise placeless(required(steps), chip, layer)


def _buffered_group(network: PlanNetwork, chip: Chip, choice: BufferedChoice) -> GroupPlan:
    """A convolution with two fixed buffers; no steps if its blocks do not fit."""
    conv, layer = choice.best.conv, network.layers[choice.position]
    steps = merged([steps_of_core(network.graph, layer, chip, conv, core) for core in range(conv.cores)])
    if steps is None or not _is_possible(network.graph, chip, steps):
        return _impossible()
    said = f"{conv.figures}; about {choice.dram_bytes} B and {choice.cycles} cycles"
    group = Group(
        index=0,
        kind=GroupKind.SINGLE,
        layers=(),
        views=(),
        parts=1 + max(step.part for step in of_all_cores(steps)),
        axis="rows x columns",
        cores=tuple(range(conv.cores)),
        reason=_with_cores(said, choice.core_reason, chip),
        buffers=conv.figures,
    )
    return GroupPlan(group, choice.core_reason, steps)


def _is_possible(graph: Graph, chip: Chip, steps: Sequence[Step]) -> bool:
    """Whether the blocks of a layer in tiles fit, and its transfers are what the DMA can move."""
    if unaligned_step(graph, of_all_cores(steps), shared_blocks=False) is not None:
        return False
    return fits(allocate_blocks(Touches(steps), chip), chip)


def _with_cores(reason: str, core_reason: str, chip: Chip) -> str:
    """A reason with that for the cores, where there is a choice of cores."""
    return reason if chip.cores == 1 else f"{reason}; {core_reason}"


def _impossible() -> GroupPlan:
    """Stands for a group that cannot be expanded."""
    return GroupPlan(Group(0, GroupKind.SINGLE, (), (), 0, "none", (), ""), "", ())


def _tiled_steps(graph: Graph, layer: Layer, chip: Chip, tiling: Tiling) -> tuple[Step, ...] | None:
    """The steps of all cores, merged; None if the cores cannot work in step in these tiles."""
    split = tiling.split
    if split is None:
        return merged([Expander(graph, layer, chip, tiling).steps()])
    operands = TiledLayer(graph, layer, chip).operands
    moves = {slot: mine.axes for slot, mine in enumerate(operands) if mine is not None}
    cores = [Expander(graph, layer, chip, tiling, core, moves) for core in range(split.cores)]
    return merged([core.steps() for core in cores])


def _steps_of_cores(
    order: FusedOrder, choice: FusedChoice, residents_in: OnChipBetween
) -> tuple[tuple[Step, ...], OnChipBetween]:
    """The steps of a fused group, of all cores, none if these cannot share it; what is on chip afterwards."""
    network, weights, cut = order.network, plan_weights(order, choice), choice.cut
    args = network, order.capacity.staging, choice, weights, residents_in
    cores = [FusedGroup(*args, core) for core in range(cut.cores)]
    of_shards = cores[:: cut.column_shards]
    if not in_step([core.part_by_part() for core in of_shards]):
        return (), NOTHING_ON_CHIP
    expanded = [core.writer.steps if core in of_shards else core.steps() for core in cores]
    steps = _all_cores(expanded, network.graph.constants)
    is_aligned = unaligned_step(network.graph, of_all_cores(steps), shared_blocks=True) is None
    return steps if is_aligned else (), cores[0].residents_out()


def _with_steps(order: FusedOrder, choice: FusedChoice, steps: tuple[Step, ...]) -> GroupPlan:
    """A fused group of these steps."""
    if not steps:
        return _impossible()
    network, chip, reason = order.network, order.chip, cores_of(choice)
    layers = range(choice.start, choice.end + 1)
    buffer = network.buffer_of(network.defines[choice.end])
    group = Group(
        index=0,
        kind=kind_of(network, choice.start, choice.end),
        layers=(),
        views=(),
        parts=1 + max(step.part for step in of_all_cores(steps)),
        axis=cut_axes(network, buffer, choice),
        cores=tuple(range(choice.cut.cores)),
        reason=_with_cores(reason_of(choice, sum(network.weight_bytes(p) for p in layers)), reason, chip),
    )
    return GroupPlan(group, reason, steps)


def _all_cores(expanded: Sequence[Keyed], constants: Container[str]) -> tuple[Step, ...]:
    """The steps of all cores; none if the cores cannot share the group as it was chosen."""
    parts = {(step.part, step.core) for steps in expanded for _, step in steps}
    number = {part: at for at, part in enumerate(sorted(parts))}  # some have no work
    renumbered = [[(k, step.at(number[step.part, step.core])) for k, step in steps] for steps in expanded]
    if len(expanded) == 1:
        return of_one_size([step for _, step in renumbered[0]])
    return united(renumbered, constants) or ()
