"""What truly cannot fit: the error says how much is missing, and following its remedy helps."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import onnx
import pytest
from harness import (
    check_compiled,
    chip_of,
    compile_with_levers,
    random_inputs,
    reference,
)

from nnc import models
from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.models.builder import NetBuilder


def long_sum() -> onnx.ModelProto:
    """A running sum of 3000 values: the axis is not cut."""
    net = NetBuilder("sum", (1, 3000), width=1, seed=0)
    axis = net.constant("axis", np.array(1, np.int64))
    return net.finish(net.op("CumSum", [net.input.name, axis], net.input.shape))


def wide_softmax() -> onnx.ModelProto:
    """A softmax over 3000 values: the axis is cut only if it fits no memory."""
    net = NetBuilder("softmax", (1, 3000), width=1, seed=0)
    return net.finish(net.softmax(net.input))


def deep_lrn() -> onnx.ModelProto:
    """Local response normalisation over 600 channels: one pixel needs them all."""
    net = NetBuilder("lrn", (1, 600, 3, 3), width=1, seed=0)
    return net.finish(net.lrn(net.input))


def large_kernel() -> onnx.ModelProto:
    """One output of a 21×21 convolution needs 441 pixels and weights, even of one channel."""
    net = NetBuilder("kernel", (1, 2, 24, 24), width=1, seed=0)
    return net.finish(net.conv(net.input, 3, 21))


CASES: list[tuple[Callable[[], onnx.ModelProto], str, dict[str, str], str]] = [
    (long_sum, "npu", {"sram": "4KiB"}, "sram"),
    (wide_softmax, "vdsp12", {"am": "4KiB"}, "am"),
    (deep_lrn, "npu", {"sram": "1KiB"}, "sram"),
    (large_kernel, "npu", {"sram": "2KiB"}, "sram"),
    (large_kernel, "npu-banked", {"bank1": "1KiB", "bank2": "1KiB"}, "bank"),
    (large_kernel, "vdsp12", {"sm": "512", "am": "512"}, ""),
]


@pytest.mark.parametrize(
    ("build", "chip", "memories", "memory"), CASES, ids=lambda v: getattr(v, "__name__", None)
)
def test_the_error_tells_demand_bound_gap_and_lever(
    build: Callable[[], onnx.ModelProto], chip: str, memories: dict[str, str], memory: str
) -> None:
    with pytest.raises(CapacityError) as caught:
        run_pipeline(import_model(build()), chip_of(chip, **memories))
    error = caught.value
    facts = re.match(r"(\w+) (\d+) B < (\d+) B needed by (\S+)", error.message)
    assert facts, error.message
    name, bound, demand = facts[1], int(facts[2]), int(facts[3])
    assert name.startswith(memory) and bound == chip_of(chip, **memories).memory[name].bytes
    assert f"{demand - bound} B too few" in error.found
    assert f"memory.{name}.bytes={demand}" in error.remedy


@pytest.mark.parametrize(
    ("build", "chip", "memories", "memory"), CASES, ids=lambda v: getattr(v, "__name__", None)
)
def test_following_the_lever_makes_it_compile(
    build: Callable[[], onnx.ModelProto], chip: str, memories: dict[str, str], memory: str
) -> None:
    model = build()
    feeds = random_inputs(model)
    compilation, levers = compile_with_levers(model, chip, **memories)
    assert levers > 0
    check_compiled(compilation, feeds, reference(model, feeds))


def test_too_little_dram() -> None:
    """The figure in the remedy is enough, one byte less is not."""
    graph = import_model(models.build("lenet5"))
    with pytest.raises(CapacityError, match="of DRAM") as caught:
        run_pipeline(graph, load_chip("npu", ["dram.bytes=64KiB"]))
    lever = re.search(r"--set dram\.bytes=(\d+)", caught.value.remedy)
    assert lever
    run_pipeline(graph, load_chip("npu", [f"dram.bytes={lever[1]}"]))
    with pytest.raises(CapacityError):
        run_pipeline(graph, load_chip("npu", [f"dram.bytes={int(lever[1]) - 1}"]))
