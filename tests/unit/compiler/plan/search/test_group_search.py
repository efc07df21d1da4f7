"""The search against all partitions of small networks into groups, and lower bounds against true costs."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from math import ceil, inf

import pytest
from fusion_networks import fused_order, network_of, random_graph
from pass_harness import graph_of

import nnc
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.fusion.channel_slices import slicing_start
from nnc.compiler.plan.fusion.cut import cuts_worth_trying, strips_worth_trying
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import GroupCost
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.fusion.lower_bounds import OpenPairs, Starts
from nnc.compiler.plan.fusion.sliding import least_parts_beside
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.frontier import Frontier, Prefixes
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.options import OBJECTIVES, GroupPrice, PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search import group_search as search
from nnc.compiler.plan.search.group_search import Candidates, find_candidates
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

SEEDS = range(12)
SIZES = (4, 8, 16)
"""KiB of SRAM: where little fits, where some does, and where much does."""


def small_chip(kib: int) -> Chip:
    return nnc.load_chip("npu", [f"memory.sram.bytes={kib}KiB"])


def groups_of(order: FusedOrder, start: int, end: int) -> list[tuple[Residents, Residents, FusedChoice]]:
    """All fused groups of an interval that fit: every cut, residents before and residents after."""
    network, groups = order.network, []
    plain = cuts_worth_trying(network, end, TUNING.cuts.parts)
    cuts = [*plain, *(cut for strips in strips_worth_trying(network, end, plain[1:]) for cut in strips)]
    chain = order.chain(end)
    passing = frozenset(network.crossings[start]) & frozenset(network.crossings[end + 1])
    for sliced_from in {end + 1, slicing_start(network, order.chip, end)}:
        for cut in cuts if start <= sliced_from else ():
            interval = Intervals(order, chain, cut, sliced_from).at(start)
            if isinstance(interval, Infeasible):
                continue
            loaded = {b for b, number in chain.numbers.items() if number in interval.memory.loadable}
            for before in order.resident_options[start]:
                for after in order.resident_options[end + 1]:
                    if _among(before, passing) != _among(after, passing):
                        continue
                    if passing & before.last_rows.keys():
                        continue
                    if (parts := least_parts_beside(before, after)) is None or parts > 1 < cut.passes:
                        continue
                    if not after.copies <= before.copies | loaded:
                        continue
                    cost = interval.weigh(
                        (chain.resident_key(start, before), chain.resident_key(start, after))
                    )
                    if isinstance(cost, GroupCost):
                        choice = FusedChoice(0, start, end, cut, before, after, sliced_from, cost, interval)
                        groups.append((before, after, choice))
    return groups


def _among(residents: Residents, buffers: frozenset[str]) -> Residents:
    """Those of some buffers that DRAM does not have."""
    return Residents(mine for mine in residents if mine.buffer in buffers and not mine.is_copy)


def cheapest_partition(graph: Graph, chip: Chip, price: GroupPrice) -> float:
    """The least cost of any sequence of fused groups, without pruning; infinite if there is none."""
    order = fused_order(network_of(graph), chip)
    count = len(order.network.layers)
    groups = {(a, b): groups_of(order, a, b) for b in range(count) for a in range(b + 1)}

    @cache
    def rest(start: int, on_chip: Residents) -> float:
        if start == count:
            return 0.0 if on_chip == NOTHING else inf
        return min(
            (
                price.cost(choice.dram_bytes, choice.cycles) + rest(end + 1, after)
                for end in range(start, count)
                for before, after, choice in groups[start, end]
                if before == on_chip
            ),
            default=inf,
        )

    return rest(0, NOTHING)


class RoughEstimates:
    """What groups are expected to cost before any is looked at closely."""

    def __init__(self, runs: object) -> None: ...

    def expected(self, rough: tuple[int, int], kinds: object) -> tuple[int, int]:
        return rough

    def along(self, choices: list[Choice]) -> list[Choice]:
        return choices


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kib", SIZES)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_partition_into_groups_is_cheaper(
    seed: int, kib: int, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the search compares them first: the dynamic programme and its lower bounds lose nothing."""
    monkeypatch.setattr(search, "Estimates", RoughEstimates)
    graph, chip = random_graph(seed, 6, 16), small_chip(kib)
    price = GroupPrice(OBJECTIVES[objective], chip.dram.bytes_per_cycle)
    candidates = find_candidates(graph, chip, PlanOptions(objective=objective), no_progress)
    found = candidates.looked_along(OBJECTIVES[objective])[-1]
    assert [p for choice in found for p in range(choice.start, choice.end + 1)] == list(
        range(found[-1].end + 1)
    )
    cost = sum(price.cost(choice.dram_bytes, choice.cycles) for choice in found)
    assert cost <= cheapest_partition(graph, chip, price) * (1 + TUNING.groups.min_gain)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kib", SIZES)
def test_what_is_left_on_chip_is_found_by_the_next_group(seed: int, kib: int) -> None:
    candidates = find_candidates(random_graph(seed, 6, 16), small_chip(kib), PlanOptions(), no_progress)
    for sequence in candidates.sequences_for(AskedPrice.of("balanced", small_chip(kib))):
        before = NOTHING
        for choice in sequence:
            assert choice.residents_in == before
            before = choice.residents_out
        assert before == NOTHING


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kib", SIZES)
def test_lower_bounds_are_no_higher_than_true_costs(seed: int, kib: int) -> None:
    """A group that would lower the best known cost by what is worth a look is never dropped."""
    order = fused_order(network_of(random_graph(seed, 6, 16)), small_chip(kib))
    network = order.network
    prefixes = Prefixes([[layer.name for layer in network.layers]])
    price, seen = GroupPrice(OBJECTIVES["balanced"], order.chip.dram.bytes_per_cycle), 0
    for end in range(len(network.layers)):
        for before, after, choice in groups_of(order, 0, end):
            frontier = Frontier(prefixes, price)
            more = 1 + TUNING.groups.min_gain
            nbytes, cycles = (ceil(more * n) + 1 for n in (choice.dram_bytes, choice.cycles))
            frontier.offer(replace(choice, cost=GroupCost(0, 0, nbytes, 0, cycles)))
            sliced_from, residents = slicing_start(network, order.chip, end), order.resident_options[end + 1]
            pairs = OpenPairs(order, end, frontier, None, residents, sliced_from=sliced_from)
            pairs.extend_to_longest(range(end + 1))
            assert 0 in pairs.open(choice.parts)
            assert (before, after) in pairs.fitting(0, choice.parts)
            seen += 1
    assert seen


def test_pairs_of_residents_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many tensors are alive at every layer, groups get no longer as soon as they are many."""
    side, most, seen = 7, 60, []
    lines = []
    for number in range(side * side):
        row, column = divmod(number, side)
        before = [f"t{number - side}"] * (row > 0) + [f"t{number - 1}"] * (column > 0) or ["x"]
        lines.append(f"t{number} = Max({', '.join(before)})")
    kind = "float[1,4,8,8]"
    graph = canonicalise(graph_of(f"({kind} x) => ({kind} t{side * side - 1}) {{ {' '.join(lines)} }}", {}))
    extend = OpenPairs.extend_to_longest

    def counted(self: OpenPairs, starts: Starts, most: float) -> int:
        longest = extend(self, starts, most)
        seen.append([len(pairs) for pairs in self._pairs.values()])
        return longest

    monkeypatch.setattr(OpenPairs, "extend_to_longest", counted)
    monkeypatch.setitem(EFFORTS, "O2", replace(EFFORTS["O2"], pairs=most))
    find_candidates(graph, small_chip(16), PlanOptions(), no_progress)
    assert max(map(sum, seen)) >= most, "the limit is reached"
    assert all(sum(pairs[:-1]) < most for pairs in seen)


def test_the_frontier_keeps_the_least_cost_of_a_state() -> None:
    price = GroupPrice(OBJECTIVES["traffic"], 1)
    order = fused_order(network_of(random_graph(0, 2, 16)), small_chip(64))
    *_, choice = groups_of(order, 0, 1)[0]
    frontier = Frontier(Prefixes([["a", "b"], ["b", "a"]]), price)
    dear, cheap = (replace(choice, cost=GroupCost(0, 0, nbytes, 0, 0)) for nbytes in (100, 60))
    assert frontier.best(0, 2, NOTHING) == inf
    for choice in (dear, cheap, dear):
        frontier.offer(choice)
    assert frontier.best(1, 2, NOTHING) == price.cost(60, 0), "both orders have computed the same layers"
    frontier.forget(frontier.prefixes.of[0][2])
    assert frontier.best(0, 2, NOTHING) == inf


def test_banned_groups_are_not_chosen_again() -> None:
    candidates: Candidates = find_candidates(
        random_graph(1, 6, 16), small_chip(8), PlanOptions(), no_progress
    )
    asked = AskedPrice.of("traffic", small_chip(8))
    first = candidates.sequences_for(asked)[0]
    fused = [choice for choice in first if isinstance(choice, FusedChoice)]
    assert fused
    candidates.ban(fused)
    assert not set(fused) & {
        choice for choice in candidates.sequences_for(asked)[0] if isinstance(choice, FusedChoice)
    }


def test_loggers_say_what_was_considered_and_why_it_was_dropped(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="nnc.compiler.plan"):
        find_candidates(random_graph(1, 6, 16), small_chip(4), PlanOptions(), no_progress)
    said = [record.getMessage() for record in caplog.records]
    assert any("candidate groups end here" in line for line in said)
    assert any("dropped, bytes for" in line and "4096 available" in line for line in said)
