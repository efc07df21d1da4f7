"""What the docs promise of the objectives, on small networks from all builders."""

from __future__ import annotations

import pytest
from harness import check_compiled, random_inputs, reference
from small_builders import CHIPS, SIZES

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.compiler.plan.options import BALANCED, BY_ENERGY, OBJECTIVES, PERCENT_SLOWER, GroupPrice, PlanOptions
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices.energy_price import worth
from nnc.isa.chip.load import load_chip

MOST_TRAFFIC, MOST_BALANCED, DEAREST = 1.01, 1.10, 1.01
"""How many more bytes than the leanest plan that of `traffic` may move, how much slower than the fastest a
balanced one may be, and how much more than another that is as fast as that its bytes and cycles together may
cost: see docs/design/planner-search.md, objectives."""
MOST_BY_ENERGY = {"energy": 1.01, "edp": 1.02}
"""How much more than any other plan that of `energy` may take, and of `edp` its product with the time."""
CHIP_OF = {
    "mlp-784-1152-10": "vdsp12",
    "lenet5": "npu4",
    "alexnet": "npu-banked",
    "vgg_first5": "npu4",
    "squeezenet": "vdsp12",
    "resnet18": "npu",
    "mobilenet_v1": "npu",
    "mobilenet_v2": "npu",
    "unet": "npu-banked",
}
"""Every builder on one chip, every chip with two builders or more: five plans each take their time."""


@pytest.mark.parametrize("name", SIZES)
def test_objectives_keep_what_the_docs_promise(name: str) -> None:
    chip = CHIP_OF[name]
    target = load_chip(chip, CHIPS[chip])
    graph = canonicalise(import_model(models.build(name, **SIZES[name])), chip=target)
    plans = {
        kind: make_plan(graph, target, options=PlanOptions(objective=kind))
        for kind in (*OBJECTIVES, *BY_ENERGY)
    }
    nbytes = {kind: sum(p.dram_bytes for p in plan.predictions) for kind, plan in plans.items()}
    cycles = {kind: plan.cycles for kind, plan in plans.items()}
    assert nbytes["traffic"] <= MOST_TRAFFIC * min(nbytes.values()), (nbytes, cycles)
    assert cycles["cycles"] == min(cycles[kind] for kind in OBJECTIVES), (nbytes, cycles)
    assert cycles["balanced"] <= MOST_BALANCED * cycles["cycles"], (nbytes, cycles)
    price = GroupPrice(BALANCED, target.dram.bytes_per_cycle)
    cost = {kind: price.cost(nbytes[kind], cycles[kind]) for kind in plans}
    fast = [cost[kind] for kind in plans if cycles[kind] * 100 <= cycles["cycles"] * (100 + PERCENT_SLOWER)]
    assert cost["balanced"] <= DEAREST * min(fast), (nbytes, cycles)
    for kind, most in MOST_BY_ENERGY.items():
        found = {other: worth(kind, target, nbytes[other], cycles[other]) for other in plans}
        assert found[kind] <= most * min(found.values()), (kind, nbytes, cycles)


@pytest.mark.parametrize("objective", BY_ENERGY)
@pytest.mark.parametrize("chip", ["npu4", "pixel-dsp", "vdsp12"])
def test_programs_chosen_by_energy_are_right(chip: str, objective: str) -> None:
    """Of a batch too: pictures side by side, and apart, are chosen by the same measure."""
    model = models.build("lenet5", image=16, width=0.5, batch=4)
    target, feeds = load_chip(chip, CHIPS.get(chip, ["memory.sram.bytes=8KiB"])), random_inputs(model)
    compilation = run_pipeline(
        import_model(model), target, options=PlanOptions(objective=objective), verify_each=True
    )
    check_compiled(compilation, feeds, reference(model, feeds))
