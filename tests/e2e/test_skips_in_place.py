"""What a residual block reads is loaded where its result stays, and blocks of odd shapes come out right."""

from __future__ import annotations

import onnx
import pytest
from harness import check_compiled, chip_of, random_inputs, reference
from hidden_channels import residual_blocks
from quantised_models import quantised

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.step import Load


def compiled(model: onnx.ModelProto, sram: int) -> Compilation:
    options, chip = PlanOptions(objective="traffic"), chip_of("npu", sram=f"{sram}KiB")
    return run_pipeline(import_model(model), chip, options=options, verify_each=True)


def landed(found: Compilation) -> int:
    """Loads of rows into the place of a whole buffer that a layer computes."""
    steps = [step for group in found.plan.groups for step in group.steps if isinstance(step, Load)]
    return sum(step.tile.block.name.endswith(".whole") for step in steps)


@pytest.mark.parametrize(("seed", "sram"), [(1, 48), (53, 48), (15, 16), (23, 96), (25, 16), (36, 24)])
def test_random_blocks_are_right(seed: int, sram: int) -> None:
    model = residual_blocks(seed)
    found, feeds = compiled(model, sram), random_inputs(model, seed)
    assert landed(found)
    check_compiled(found, feeds, reference(model, feeds))


@pytest.mark.parametrize(("seed", "sram"), [(0, 12)])
def test_bytes_are_those_of_a_memory_that_holds_all(seed: int, sram: int) -> None:
    model = quantised(residual_blocks(seed))
    found, feeds = compiled(model, sram), random_inputs(model, seed)
    names = [output.name for output in model.graph.output]
    expected = nnc.Session(nnc.compile(model, "npu")).run(names, feeds)
    assert landed(found)
    check_compiled(found, feeds, dict(zip(names, expected, strict=True)))
