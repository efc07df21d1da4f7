"""Prices of energy, and of its product with the time, as weights of bytes and cycles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nnc
from nnc import models
from nnc.compiler.plan.options import (
    BY_ENERGY,
    FASTEST,
    LEAST_TRAFFIC,
    OBJECTIVES,
    GroupPrice,
    Objective,
    PlanOptions,
)
from nnc.compiler.plan.prices import AskedPrice
from nnc.isa.chip.load import chip_from_data, load_chip
from nnc.isa.errors import OptionError

PLANS = st.tuples(st.integers(0, 10**8), st.integers(1, 10**8))
CHIPS = st.tuples(st.sampled_from([1, 16]), st.floats(0.1, 1e3), st.floats(0, 1e5))
"""Bytes per cycle of the DRAM, energy of a byte and of a cycle."""


def linear(objective: Objective, plan: tuple[int, int], bytes_per_cycle: int) -> float:
    return objective.byte_weight * plan[0] / bytes_per_cycle + objective.cycle_weight * plan[1]


def is_at_an_end(objective: Objective) -> bool:
    """Whether the other of the two weights breaks ties alone."""
    return objective == FASTEST or objective.cycle_weight == LEAST_TRAFFIC.cycle_weight


@pytest.mark.parametrize(("chip", "weight"), [("npu", 700 / 1600), ("npu4", 2000 / 3200), ("vdsp12", 3.5)])
def test_the_weight_of_a_cycle_is_its_static_energy_over_what_the_dram_takes_in_it(
    chip: str, weight: float
) -> None:
    assert AskedPrice.of("energy", load_chip(chip)).considered == Objective(1.0, weight)
    assert AskedPrice.of("edp", load_chip(chip)).considered == Objective(1.0, 2 * weight + 0.5)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_other_objectives_are_the_same_on_all_chips(objective: str) -> None:
    bare = load_chip("npu").model_copy(update={"energy": None})
    assert AskedPrice.of(objective, bare).considered == OBJECTIVES[objective]


@given(CHIPS, PLANS, PLANS)
def test_weights_of_energy_put_plans_in_its_order(
    chip: tuple[int, float, float], one: tuple[int, int], other: tuple[int, int]
) -> None:
    price = AskedPrice("energy", *chip)
    if is_at_an_end(price.considered):
        return
    costs = [linear(price.considered, plan, price.bytes_per_cycle) for plan in (one, other)]
    found = [price.worth(*plan) for plan in (one, other)]
    if found[0] < found[1] * (1 - 1e-9):
        assert costs[0] < costs[1]


@given(CHIPS, PLANS, PLANS)
def test_what_costs_less_near_a_plan_has_a_lesser_product(
    chip: tuple[int, float, float], one: tuple[int, int], other: tuple[int, int]
) -> None:
    """The product's sets of better plans are on one side of its tangent, so that steps along it go down."""
    price = AskedPrice("edp", *chip)
    near = price.near(*one)
    if is_at_an_end(near):
        return
    costs = [linear(near, plan, price.bytes_per_cycle) for plan in (one, other)]
    if costs[1] < costs[0] * (1 - 1e-9):
        assert price.worth(*other) < price.worth(*one)


def test_weights_at_the_ends() -> None:
    assert {AskedPrice(name, 16, 0, 5).considered for name in BY_ENERGY} == {FASTEST}
    assert AskedPrice("energy", 16, 1e-9, 1e9).considered == FASTEST
    assert AskedPrice("energy", 16, 100, 0).considered == LEAST_TRAFFIC
    assert AskedPrice("edp", 16, 100, 0).near(1600, 200) == Objective(1.0, 0.5)


def test_worth_of_whole_plans() -> None:
    chip = load_chip("npu4")
    assert AskedPrice.of("energy", chip).worth(10, 3) == 10 * 100 + 3 * 4 * 500
    assert AskedPrice.of("edp", chip).worth(10, 3) == 3 * (10 * 100 + 3 * 4 * 500)


@pytest.mark.parametrize("objective", BY_ENERGY)
def test_chips_without_figures_are_refused(objective: str) -> None:
    data = load_chip("npu").model_dump(mode="json")
    bare = chip_from_data({**data, "energy": None}, "here")
    partly = chip_from_data({**data, "energy": {**data["energy"], "memory": {}}}, "here")
    for chip, lacks in ((bare, "energy"), (partly, "energy.memory.sram")):
        with pytest.raises(OptionError, match="does not say what its work takes") as caught:
            nnc.compile(models.build("conv-8x8x8"), chip, options=PlanOptions(objective=objective))
        assert caught.value.found == f"--objective {objective}, and no {lacks}" and caught.value.remedy
    with pytest.raises(OptionError, match="cannot tell one plan from another") as caught:
        AskedPrice.of(objective, load_chip("npu", ["energy.dram=0", "energy.static=0"]))
    assert caught.value.remedy


def test_static_energy_decides_between_bytes_and_cycles() -> None:
    """The dearer a cycle, the faster the plan; the dearer a byte, the leaner."""
    plans = {}
    for static in (0, 1e6):
        chip = load_chip("npu4", ["memory.sram.bytes=16KiB", f"energy.static={static}"])
        model = models.build("vgg_first5", image=32, width=0.25)
        facts = nnc.compile(model, chip, options=PlanOptions(objective="energy")).facts
        plans[static] = facts["predicted_dram_bytes"], facts["predicted_cycles"]
    assert plans[0][0] < plans[1e6][0] and plans[1e6][1] < plans[0][1]
    assert GroupPrice(Objective(1.0, 0.5), 16).cost(1600, 400) == pytest.approx(100 + 200, abs=0.01)
