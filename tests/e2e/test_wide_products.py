"""Products whose operands are all large beside the memory: tiles side by side share what they load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import onnx
import pytest
from half_models import to_half
from harness import check_compiled, chip_of, random_inputs, reference
from quantised_models import quantised
from tiling_cases import tiling_of
from wide_products import two_products, wide_products

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MacLayer
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.alone import in_tiles, tile_search
from nnc.compiler.plan.alone.layer_alone import Candidate
from nnc.compiler.plan.options import BALANCED, GroupPrice, PlanOptions
from nnc.compiler.plan.step import Compute
from nnc.compiler.tuning import TUNING
from nnc.isa.instruction import Phase


def compiled(model: onnx.ModelProto, sram: int, chip: str = "npu") -> Compilation:
    """The model layer by layer."""
    options, target = PlanOptions(objective="traffic", fused=False), chip_of(chip, sram=f"{sram}KiB")
    return run_pipeline(import_model(model), target, options=options, verify_each=True)


def runs_side_by_side(found: Compilation) -> bool:
    """Whether sums of a second tile begin before those of the first are done."""
    steps = [step for g in found.plan.groups for step in g.steps if isinstance(step, Compute)]
    products = [step.layer for step in steps if isinstance(step.layer, MacLayer) and step.core == 0]
    begins = [layer.phase is Phase.START for layer in products]
    return any(a and b for a, b in pairwise(begins))


@pytest.fixture
def _side_by_side_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tilings with tiles side by side come first, whether they save anything or not."""

    def ranked(found: Sequence[Candidate], *_: float) -> list[Candidate]:
        return sorted(found, key=lambda mine: (tiling_of(mine).abreast == 1, mine.cycles))

    monkeypatch.setattr(TUNING, "tiles", replace(TUNING.tiles, much_more_traffic=0.0))
    monkeypatch.setattr(tile_search, "by_cycles", ranked)
    monkeypatch.setattr(in_tiles, "by_traffic", ranked)


@pytest.mark.usefixtures("_side_by_side_first")
@pytest.mark.parametrize(
    ("seed", "sram", "chip"),
    [(2, 12, "npu"), (5, 32, "npu"), (7, 12, "npu"), (0, 12, "npu4"), (16, 24, "pixel-dsp")],
)
def test_random_products_are_right(seed: int, sram: int, chip: str) -> None:
    """Tokens and pixels, batches, groups, sums, products of two results; odd numbers of tiles."""
    model = wide_products(seed)
    found, feeds = compiled(model, sram, chip), random_inputs(model, seed)
    assert runs_side_by_side(found)
    check_compiled(found, feeds, reference(model, feeds))


@pytest.mark.usefixtures("_side_by_side_first")
@pytest.mark.parametrize("kind", ["bytes", "halves"])
def test_other_types_have_the_values_of_a_memory_that_holds_all(kind: str) -> None:
    """Bytes to the last bit: their sums of 32 bits lie apart from the result; halves nearly."""
    model = two_products(40, 256, 512)
    feeds = random_inputs(model)
    if kind == "halves":
        feeds = {name: value.astype(np.float16) for name, value in feeds.items()}
    model = quantised(model) if kind == "bytes" else to_half(model)
    found = compiled(model, 64)
    assert runs_side_by_side(found)
    names = [output.name for output in model.graph.output]
    expected = nnc.Session(nnc.compile(model, "npu")).run(names, feeds)
    for one, other in zip(nnc.Session(found.program).run(names, feeds), expected, strict=True):
        if kind == "bytes":
            assert one.tobytes() == other.tobytes()
        np.testing.assert_allclose(one.astype("f4"), other.astype("f4"), atol=4e-3 * abs(other).max())


def test_rows_come_less_often_than_columns_of_weights() -> None:
    """In half of what all operands take, they move less than twice; the estimate is what is predicted."""
    found = compiled(two_products(100, 384, 768), 128)
    assert runs_side_by_side(found)
    moved = sum(mine.dram_bytes for mine in found.plan.predictions)
    estimates = [group.estimate for group in found.plan.groups]
    assert moved < 1.75 * found.floors.dram_bytes
    assert sum(mine.dram_bytes for mine in estimates) == moved
    assert sum(mine.cycles for mine in estimates) == pytest.approx(found.plan.cycles, rel=0.10)


def test_a_balanced_plan_knows_tiles_of_what_no_group_holds() -> None:
    """Once 1.43 times the cycles of the fastest plan: hidden channels in chunks, and no tiles beside them."""
    model, target = two_products(128, 256, 1024), chip_of("npu", sram="384KiB")
    price, costs = GroupPrice(BALANCED, target.dram.bytes_per_cycle), {}
    for objective in ("balanced", "cycles"):
        plan = run_pipeline(import_model(model), target, options=PlanOptions(objective=objective)).plan
        costs[objective] = price.cost(sum(mine.dram_bytes for mine in plan.predictions), plan.cycles)
    assert costs["balanced"] <= 1.02 * costs["cycles"]
