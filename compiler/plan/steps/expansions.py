"""From the choices of the search to groups with their steps, most of which are asked for more than once.

in:   a sequence of choices: fused groups, layers in tiles, convolutions with two buffers
out:  a `GroupPlan` for each; groups that differ in names alone share a `Template`

    choices     a b c      d        e f g       d and h, and also a b c and e f g, have one shape and are
    shapes      S          T        S     T     cut alike: steps are made for the first of them
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from nnc.compiler.plan.alone.layer_alone import LayerAlone
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.group_kind import views_after
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.plan import Estimate, GroupPlan
from nnc.compiler.plan.steps.group_plans import fused_group, group_alone, with_reason
from nnc.compiler.plan.steps.shape import shape_of_group, shape_of_layer
from nnc.compiler.plan.steps.step_writer import NOTHING_ON_CHIP, OnChipBetween
from nnc.compiler.plan.steps.template import Template
from nnc.isa.chip.description import Chip

Expanded = tuple[GroupPlan, OnChipBetween]
"""A group with its steps, and what it leaves on chip."""


class Expansions:
    """Expands sequences of groups; what was expanded before in the same surroundings is used again."""

    def __init__(
        self,
        networks: Sequence[PlanNetwork],
        orders: Sequence[FusedOrder],
        chip: Chip,
        refusals: Mapping[str, str],
    ) -> None:
        """Args:
        networks: the network with its layers in the orders that choices refer to; orders: the same for fused
            groups, none if the chip fuses no layers.
        refusals: by layer, why it is not computed as the user asks.
        """
        self.networks, self.orders, self.chip, self._refusals = networks, orders, chip, refusals
        self._expanded: dict[Hashable, Expanded] = {}
        self._alike: dict[Hashable, GroupPlan] = {}

    def expand(self, choices: Sequence[Choice]) -> list[GroupPlan]:
        """The groups with their steps; no steps where cores cannot share a layer as it was chosen."""
        on_chip, groups = NOTHING_ON_CHIP, []
        members = [self._layers(choice) for choice in choices]
        views_of = views_after(self.networks[0].graph, [name for layers in members for name in layers])
        for index, (choice, layers) in enumerate(zip(choices, members, strict=True)):
            views = tuple(name for layer in layers for name in views_of.get(layer, ()))
            planned, on_chip = self.steps_of(choice, on_chip)
            if isinstance(choice, FusedChoice):
                planned = with_reason(planned, self.chip, self.networks[choice.order], choice)
            refused = (f"; {name}: {self._refusals[name]}" for name in layers if name in self._refusals)
            reason = planned.group.reason + "".join(refused)
            group = replace(
                planned.group,
                index=index,
                layers=layers,
                views=views,
                reason=reason,
                finds=tuple(map(str, choice.residents_in.ordered)),
                leaves=tuple(map(str, choice.residents_out.ordered)),
            )
            groups.append(replace(planned, group=group, estimate=Estimate(choice.dram_bytes, choice.cycles)))
        return groups

    def _layers(self, choice: Choice) -> tuple[str, ...]:
        layers = self.networks[choice.order].layers
        return tuple(layer.name for layer in layers[choice.start : choice.end + 1])

    def steps_of(self, choice: Choice, on_chip: OnChipBetween = NOTHING_ON_CHIP) -> Expanded:
        """A group by itself, with its steps, and what is on chip after it; nothing has a place yet.

        Args:
            on_chip: what the group before leaves there.
        """
        key = self._layers(choice), choice if isinstance(choice, FusedChoice) else _cut_of(choice), on_chip
        if key not in self._expanded:
            if on_chip or choice.residents_in or choice.residents_out:
                assert isinstance(choice, FusedChoice)
                planned, _, left = fused_group(self.orders[choice.order], choice, on_chip)
                self._expanded[key] = planned, left
            else:
                self._expanded[key] = self._like_others(choice), NOTHING_ON_CHIP
        return self._expanded[key]

    def _like_others(self, choice: Choice) -> GroupPlan:
        """A group with an empty chip before and after, bound to its names if one like it is known."""
        network, is_fused = self.networks[choice.order], isinstance(choice, FusedChoice)
        interval = network, choice.start, choice.end
        shape, binding = shape_of_group(*interval) if is_fused else shape_of_layer(network, choice.start)
        key = shape, _cut_of(choice)
        alike = self._alike.get(key)
        if alike is not None and alike.template and (steps := alike.template.bound(binding)) is not None:
            return replace(alike, steps=steps, binding=binding)
        stems: Mapping[str, str] | None = None
        match choice:
            case LayerAlone():
                planned = group_alone(network, self.chip, choice)
            case FusedChoice():
                planned, stems, _ = fused_group(self.orders[choice.order], choice, NOTHING_ON_CHIP)
        planned = replace(planned, template=Template(planned.steps, binding, stems), binding=binding)
        self._alike[key] = planned
        return planned


def _cut_of(choice: Choice) -> Hashable:
    """How a choice cuts its layers, whichever they are."""
    match choice:
        case LayerAlone():
            return choice.best.cut, choice.core_reason
        case FusedChoice():
            return choice.order, choice.cut, choice.sliced_from - choice.start, choice.cost.pinned
