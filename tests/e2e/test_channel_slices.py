"""Channel slices of 8-bit results: stored in whole bursts, computed in blocks as narrow as weights need."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_compiled, chip_of
from onnx import numpy_helper, parser

import nnc
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.step import Compute, Load, Store

HEADER = '<ir_version: 9, opset_import: ["": 21, "com.microsoft": 1]>'
CONSTANTS = "<float s = {0.05}, float sw = {0.01}, float sy = {0.3}, int8 z = {3}, int8 zw = {0}>"
POOLED = f"""{HEADER} g (int8[1,16,32,32] x) => (int8[1,128,16,16] y) {CONSTANTS} {{
    c = QLinearConv <pads=[1,1,1,1]> (x, s, z, w, sw, zw, sy, z)
    y = MaxPool <kernel_shape=[2,2], strides=[2,2]> (c)
}}"""
ADDED = f"""{HEADER} g (int8[1,16,32,32] x) => (int8[1,128,16,16] y) {CONSTANTS} {{
    r = QLinearConv (x, s, z, v, sw, zw, s, z)
    c = QLinearConv <pads=[1,1,1,1]> (x, s, z, w, sw, zw, sy, z)
    a = com.microsoft.QLinearAdd (c, sy, z, r, s, z, sy, z)
    y = MaxPool <kernel_shape=[2,2], strides=[2,2]> (a)
}}"""

EXPANDED = f"""{HEADER} g (int8[1,16,12,12] x) => (int8[1,128,12,12] y, int8[1,128,1,1] p) {CONSTANTS} {{
    c = QLinearConv (x, s, z, v, sw, zw, sy, z)
    y = QLinearConv <group=128, pads=[1,1,1,1]> (c, sy, z, d, sw, zw, sy, z)
    p = com.microsoft.QLinearGlobalAveragePool <channels_last=0> (y, sy, z, sy, z)
}}"""


def compiled(text: str, sram: str) -> tuple[onnx.ModelProto, Compilation]:
    model = parser.parse_model(text)
    rng = np.random.default_rng(0)
    for name, shape in (("v", (16, 1, 1)), ("w", (16, 3, 3)), ("d", (1, 3, 3))):
        weight = rng.integers(-128, 128, (128, *shape)).astype(np.int8)
        model.graph.initializer.append(numpy_helper.from_array(weight, name))
    options = PlanOptions(objective="traffic")
    chip = chip_of("npu", sram=sram)
    return model, run_pipeline(import_model(model), chip, options=options, verify_each=True)


@pytest.mark.parametrize(
    ("text", "sram"),
    [*((POOLED, kib) for kib in (16, 20, 28)), *((ADDED, kib) for kib in (12, 20, 28))],
    ids=lambda value: value if isinstance(value, int) else "added" if value is ADDED else "pooled",
)
def test_slices_in_blocks_are_the_result(text: str, sram: int) -> None:
    """Bits are those of a memory that holds all; bytes are those predicted."""
    model, found = compiled(text, f"{sram}KiB")
    feeds = {"x": np.random.default_rng(1).integers(-128, 128, (1, 16, 32, 32)).astype(np.int8)}
    (expected,) = nnc.Session(nnc.compile(model, "npu")).run(None, feeds)
    check_compiled(found, feeds, {"y": expected})


@pytest.mark.parametrize("sram", [8, 16])
def test_depthwise_convolutions_run_in_slices(sram: int) -> None:
    """What they compute is stored slice by slice and pooled at once: it is not read again."""
    model, found = compiled(EXPANDED, f"{sram}KiB")
    feeds = {"x": np.random.default_rng(1).integers(-128, 128, (1, 16, 12, 12)).astype(np.int8)}
    expected = nnc.Session(nnc.compile(model, "npu")).run(None, feeds)
    check_compiled(found, feeds, dict(zip(("y", "p"), expected, strict=True)))
    stored = {
        step.tile.type.shape[1] for g in found.plan.groups for step in g.steps if isinstance(step, Store)
    }
    assert stored == {64, 128}


@pytest.mark.parametrize(("sram", "block"), [("16KiB", 8), ("20KiB", 16)])
def test_weights_come_in_narrower_blocks_than_results_leave(sram: str, block: int) -> None:
    """Slices of 64 channels, 9 KiB of weights each: beside the rows of three tensors, they do not fit."""
    _, found = compiled(POOLED, sram)
    (group,) = found.plan.groups
    stored = {step.tile.type.shape[1] for step in group.steps if isinstance(step, Store)}
    loaded = {step.tile.type.shape[0] for step in group.steps if isinstance(step, Load)}
    computed = {step.out.type.shape[1] for step in group.steps if isinstance(step, Compute)}
    assert stored == {64}
    assert block in loaded and block in computed


def test_what_is_added_comes_in_slices_too() -> None:
    _, found = compiled(ADDED, "20KiB")
    steps = found.plan.groups[-1].steps
    loaded = {step.tile.type.shape[1] for step in steps if isinstance(step, Load) and step.tile.tensor == "c"}
    computed = {step.out.type.shape[1] for step in steps if isinstance(step, Compute)}
    assert (loaded, computed) == ({64}, {32})


@pytest.mark.parametrize(("sram", "most"), [("48KiB", 3.75), ("64KiB", 2.95)])
def test_slices_in_strips_of_columns_load_least(sram: str, most: float) -> None:
    """The first layers of VGG in little memory, times the floor; strips alone take 4.09 and 3.38."""
    model = models.build("vgg_first5", width=0.25, image=64)
    result = nnc.compile_model(
        model, overrides=[f"memory.sram.bytes={sram}"], options=PlanOptions(objective="traffic")
    )
    network = result.report.network
    assert network.figures.dram.total_bytes <= most * result.compilation.floors.dram_bytes
