"""Chips on which operands lie in several memories: fused groups with copies between them, right and lean."""

from __future__ import annotations

import onnx
import pytest
from harness import Checked, check_compiled, chip_file, random_inputs, reference
from pass_harness import model_of

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import load_chip
from nnc.isa.instructions import Copy, Load

FUSED = ["vdsp12", "far-sm", "three-memories", "nna"]
SMALL = {
    "vdsp12": ["cores=1", "memory.sm.bytes=4KiB", "memory.am.bytes=96KiB"],
    "far-sm": ["cores=1", "memory.sm.bytes=4KiB", "memory.am.bytes=96KiB"],
    "three-memories": ["memory.fram.bytes=4KiB", "memory.wram.bytes=16KiB", "memory.sram.bytes=96KiB"],
    "nna": ["memory.fram.bytes=4KiB", "memory.wram.bytes=16KiB", "memory.oram.bytes=96KiB"],
    "far-results": [],
}
NETWORKS = ("lenet5", "squeezenet", "resnet18", "mobilenet_v2", "unet", "mlp-784-1152-10")


def checked(model: onnx.ModelProto, chip: str, overrides: list[str], options: PlanOptions) -> Checked:
    feeds = random_inputs(model)
    target = load_chip(chip_file(chip), overrides)
    compilation = run_pipeline(import_model(model), target, options=options, verify_each=True)
    return check_compiled(compilation, feeds, reference(model, feeds))


SLOW = [("unet", "nna"), ("unet", "three-memories"), ("unet", "vdsp12")]
"""Of many thousand instructions, as features pass through 4 KiB."""


@pytest.mark.parametrize(
    ("name", "chip"), [(name, chip) for name in NETWORKS for chip in SMALL if (name, chip) not in SLOW]
)
def test_networks_on_several_memories(name: str, chip: str) -> None:
    """Equal to onnxruntime; layers share groups wherever results stay in a memory that DMA reaches."""
    model = models.build(name, image=32, width=0.25)
    found = checked(model, chip, SMALL[chip], PlanOptions(objective="traffic", effort="O1"))
    longest = max(len(planned.group.layers) for planned in found.compilation.plan.groups)
    alone = (name, chip) == ("mlp-784-1152-10", "nna")  # fully connected layers in groups of pixels
    assert (longest > 1) == (chip in FUSED and not alone)


@pytest.mark.parametrize(("name", "cores"), [("squeezenet", 2), ("resnet18", 1)])
def test_groups_save_traffic_on_vdsp12(name: str, cores: int) -> None:
    """A group moves its inputs, outputs and weights, and copies the rest from AM to SM."""
    overrides = [f"cores={cores}", "memory.sm.bytes=8KiB", "memory.am.bytes=128KiB"]
    model = models.build(name, image=48, width=0.25)
    fused, alone = (
        checked(model, "vdsp12", overrides, PlanOptions(objective="traffic", fused=fused))
        for fused in (True, False)
    )
    between = [found.session.ledger.whole["spill"] for found in (fused, alone)]
    assert 3 * between[0] < between[1]
    issued = [item.instruction for item in fused.compilation.program.issued]
    copies = [i for i in issued if isinstance(i, Copy) and (i.src.memory, i.dst.memory) == ("am", "sm")]
    assert len(copies) > 10


@pytest.mark.parametrize("chip", ["vdsp12", "far-sm", "three-memories"])
@pytest.mark.parametrize("axis", [1, 2, 3])
def test_results_that_are_some_rows_of_a_buffer(chip: str, axis: int) -> None:
    """Whichever axis its rows are: a layer makes its own rows alone, and operands are copied for these."""
    model = model_of(
        f"(float[1,8,32,32] x) => (y, e) {{ a = Conv (x, w) b = Conv (a, v) c = Concat <axis={axis}> (x, b)"
        f" d = Concat <axis={axis}> (b, a, x) e = Relu (d) y = Conv (c, u) }}",
        {"w": (8, 8, 1, 1), "v": (8, 8, 1, 1), "u": (8, 16 if axis == 1 else 8, 1, 1)},
    )
    for overrides in (SMALL[chip], ["cores=1"]):
        checked(model, chip, overrides, PlanOptions())


def test_loads_land_where_the_dma_engines_reach() -> None:
    found = checked(models.build("lenet5"), "far-sm", [], PlanOptions(fused=False))
    issued = [item.instruction for item in found.compilation.program.issued]
    assert {i.dst.memory for i in issued if isinstance(i, Load)} == {"am"}
    assert {i.dst.memory for i in issued if isinstance(i, Copy)} == {"sm"}


def test_results_are_copied_before_they_are_stored() -> None:
    found = checked(models.build("lenet5"), "far-results", [], PlanOptions())
    copies = [i.instruction for i in found.compilation.program.issued if isinstance(i.instruction, Copy)]
    assert {(copy.src.memory, copy.dst.memory) for copy in copies} == {("acc", "sram")}
