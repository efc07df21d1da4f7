"""Objectives as prices of plans: which of two is worth less, and what that makes of weights near one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.options import BALANCED, BY_ENERGY, OBJECTIVES, GroupPrice
from nnc.compiler.plan.prices import AskedPrice, asked_together
from nnc.isa.chip.load import load_chip

NPU = load_chip("npu")
BYTES, CYCLES = st.integers(1, 10**7), st.integers(10**6, 10**8)


def test_each_objective_ranks_by_what_it_is_named_for() -> None:
    plans = {"lean": (100, 90), "fast": (900, 60), "between": (300, 65)}
    chosen = {
        name: min(plans, key=lambda kind: AskedPrice.of(name, NPU).worth(*plans[kind])) for name in OBJECTIVES
    }
    assert chosen == {"balanced": "lean", "traffic": "lean", "cycles": "fast"}
    assert AskedPrice.of("balanced", NPU).worth(1600, 200) == GroupPrice(BALANCED, 16).cost(1600, 200)


@pytest.mark.parametrize("objective", ["traffic", "cycles"])
def test_equal_plans_are_told_apart_by_the_other_figure(objective: str) -> None:
    asked = AskedPrice.of(objective, NPU)
    assert asked.worth(1600, 1000) < asked.worth(1600, 1001) < asked.worth(1616, 1001)


@given(st.tuples(BYTES, CYCLES), st.tuples(BYTES, CYCLES))
def test_what_is_worth_less_costs_less_near_it(plan: tuple[int, int], other: tuple[int, int]) -> None:
    """A plan with a lesser product need not cost less by the weights near another; the reverse holds."""
    asked = AskedPrice.of("edp", NPU)
    price = GroupPrice(asked.near(*plan), NPU.dram.bytes_per_cycle)
    if price.cost(*other) < price.cost(*plan) * (1 - 1e-9):
        assert asked.worth(*other) < asked.worth(*plan)


def test_objectives_searched_together_are_those_with_figures() -> None:
    names = [asked.name for asked in asked_together(NPU)]
    assert names[0] == "balanced" and sorted(names) == sorted((*OBJECTIVES, *BY_ENERGY))
    bare = asked_together(NPU.model_copy(update={"energy": None}))
    assert {asked.name for asked in bare} == {*OBJECTIVES}
