"""Effort: what a layer leaves of the pairs, layers behind it may have."""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.plan.effort import EFFORTS, PairBudget


def granted(wanted: list[int], layers: int) -> list[int]:
    """The limits of layers that would look at so many pairs each."""
    budget, limits = PairBudget(EFFORTS["O2"].of(layers)), []
    for end, pairs in enumerate(wanted):
        limits.append(budget.of(end))
        budget.spend(end, min(pairs, limits[-1]))
    return limits


def test_many_pairs_at_some_layers_cost_the_others_nothing() -> None:
    wanted = [100, 100, 100, 2900] * 50
    limits = granted(wanted, len(wanted))
    assert all(limit >= pairs for limit, pairs in zip(limits, wanted, strict=True))


def test_many_pairs_at_every_layer_are_shared_out() -> None:
    effort = EFFORTS["O2"].of(500)
    limits = granted([4000] * 500, 500)
    assert limits[0] == EFFORTS["O2"].pairs
    assert min(limits) >= 400
    assert sum(limits) < 1.1 * 500 * effort.average_pairs + 4000


def test_a_layer_that_is_looked_at_again_has_the_limit_that_it_had() -> None:
    budget = PairBudget(replace(EFFORTS["O2"], average_pairs=500))
    first = budget.of(0)
    for end in range(40):
        budget.spend(end, budget.of(end))
    assert budget.of(40) < first
    left = budget.of(41)
    budget.spend(0, first)
    assert budget.of(0) == first
    assert budget.of(41) == left
