"""Up to where a batch is worked through picture by picture: where all groups are estimated to cost least.

The search prices the whole network, and one picture alone: a place where nothing is on chip divides both, and
what all pictures cost by themselves up to there, and together behind it, is a sum.  Where that is less than
what they cost together all the way, or in a small network little more, both networks are planned, and the
better plan is taken: small gains are real as often as not.  Large ones are, and there the plan of pictures
together is not made.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES
from nnc.compiler.passes.pictures_apart import (
    PICTURES_APART,
    first_picture,
    last_tensors,
    layers_up_to,
    pictures_of,
    tensor_of_picture,
)
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import CutCost, cut_costs, make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.scheduled import Progress, SharedPlans
from nnc.compiler.plan.search.tables import SearchTables
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)

Canonical = Callable[[str], Graph]
"""The canonical graph with pictures apart up to a tensor ("": none)."""


def cheapest(
    before: Graph, canonical: Canonical, chip: Chip, options: PlanOptions, progress: Progress
) -> tuple[str, Plan]:
    """The tensor up to which pictures are apart in the better plan ("": none), and that plan.

    Args:
        before: the graph as the pass finds it.

    Raises:
        CapacityError: the network cannot fit the chip as it is.
    """
    network = canonical("")
    shared = SharedPlans(SearchTables(network, chip, options.effort))
    tensor, saves = _worth_planning(before, shared, chip, options, progress)
    apart = _plan_apart(canonical(tensor), shared, chip, options, progress) if tensor else None
    if apart is not None and saves > TUNING.batches.clear_saving:
        return tensor, apart
    plan = make_plan(network, chip, progress, options, shared)
    asked = AskedPrice.of(options.objective, chip)
    if apart is None or asked.worth_of(plan) <= asked.worth_of(apart):
        return "", plan
    return tensor, apart


def _plan_apart(
    graph: Graph, together: SharedPlans, chip: Chip, options: PlanOptions, progress: Progress
) -> Plan | None:
    """The plan with pictures apart; None if there is none.

    Args:
        together: what was found of the network with pictures together.
    """
    shared = SharedPlans(SearchTables(graph, chip, options.effort, together.tables))
    try:
        plan = make_plan(graph, chip, progress, options, shared)
    except CapacityError as error:
        _log.info("apart up to %s: %s", graph.notes.apart, error.message)
        return None
    _log.info("apart up to %s: %d B, %d cycles", graph.notes.apart, plan.moved_bytes, plan.cycles)
    return plan


def may_gain(graph: Graph, tensors: list[str], memory_bytes: int) -> bool:
    """Whether what pictures make up to some tensors may not fit on chip, if all of them make it."""
    layers = layers_up_to(graph, tensors[-1]) if tensors else []
    made = [graph.types[graph.output_of(layer.name)].nbytes for layer in layers]
    return TUNING.passes.spill_share * max(made, default=0) > memory_bytes


def _worth_planning(
    before: Graph, shared: SharedPlans, chip: Chip, options: PlanOptions, progress: Progress
) -> tuple[str, float]:
    """The tensor up to which pictures apart are estimated to cost least, and the share of costs that saves.

    "" if nothing is saved.
    """
    if pictures_of(before) > TUNING.batches.max_layers:
        return "", 0.0
    tensors = [
        tensor
        for tensor in last_tensors(before)
        if _layers_apart(before, tensor) <= TUNING.batches.max_layers
    ]
    tables, target = shared.tables, Target.of(chip, options.objective)
    if chip.cores > 1 or not tables.effort.residents or not may_gain(before, tensors, target.memory_bytes):
        return "", 0.0  # of what several cores share, nothing stays on chip between two groups
    if chip.transfer_unit > 1:
        return "", 0.0  # the rows of a picture in a batch's buffer may be no whole units
    network = tables.graph
    costs = cut_costs(shared, chip, options, progress, {t: _computing(network, t) for t in tensors})
    tensors = _tensors_of_little_weight(before, [t for t in tensors if t in costs], costs)
    if not tensors:
        return "", 0.0
    alone = _canonical_picture(before, target, tensors[-1])
    parts = {t: _computing(alone, tensor_of_picture(t, 0)) for t in tensors}
    picture_plans = SharedPlans(SearchTables(alone, chip, options.effort, tables))
    own = cut_costs(picture_plans, chip, options, progress, parts)
    count = before.types[tensors[-1]].shape[0]
    sums = {t: count * own[t].before + costs[t].behind for t in tensors if t in own}
    if not sums:
        return "", 0.0
    best, whole = min(sums, key=lambda tensor: sums[tensor]), costs[tensors[-1]].whole
    _log.info("apart up to %s: %.0f, together %.0f (costs as estimated)", best, sums[best], whole)
    saves = 1 - sums[best] / whole
    least = -TUNING.batches.max_loss if tables.has_few_layers else 0.0
    return (best, saves) if saves > least else ("", 0.0)


def _tensors_of_little_weight(graph: Graph, tensors: list[str], costs: Mapping[str, CutCost]) -> list[str]:
    """Those up to which weights may come once per picture, and less be moved than by pictures together."""
    if not tensors:
        return tensors
    ends = sum(graph.types[name].nbytes for name in (*graph.inputs, *graph.outputs))
    least = ends + _weight_bytes(graph, graph.layers())
    count, moved = graph.types[tensors[-1]].shape[0], costs[tensors[-1]].moved

    def is_little(tensor: str) -> bool:
        return least + (count - 1) * _weight_bytes(graph, layers_up_to(graph, tensor)) < moved

    return [tensor for tensor in tensors if is_little(tensor)]


def _weight_bytes(graph: Graph, layers: Iterable[Layer]) -> int:
    """Bytes of all constants that layers read."""
    read = {tensor for layer in layers for tensor in graph.inputs_of(layer.name) if tensor}
    return sum(graph.types[tensor].nbytes for tensor in read if graph.is_constant(tensor))


def _layers_apart(graph: Graph, tensor: str) -> int:
    """How many layers there are with pictures apart up to a tensor."""
    early = len(layers_up_to(graph, tensor))
    return len(graph) + early * (graph.types[tensor].shape[0] - 1)


def _canonical_picture(graph: Graph, target: Target, tensor: str) -> Graph:
    """The canonical graph of the first picture alone, up to a tensor."""
    alone = first_picture(graph, tensor)
    steps = [step for step, _ in CANONICAL_PASSES]
    for step in steps[steps.index(PICTURES_APART) + 1 :]:
        step.apply(alone, target)
    return alone


def _computing(graph: Graph, tensor: str) -> set[str]:
    """Names of the layers up to a tensor that compute."""
    if tensor not in graph.types:
        return set()
    return {layer.name for layer in layers_up_to(graph, tensor) if not layer.is_view}
