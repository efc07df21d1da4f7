"""Random networks on several cores that share groups: equal to onnxruntime, clean, and as predicted."""

from __future__ import annotations

import numpy as np
import onnx
from harness import check_compiled, random_inputs, reference
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_networks import networks

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import OBJECTIVES, OVERLAPS, PlanOptions
from nnc.isa.chip_file import load_chip
from nnc.isa.errors import CapacityError

SIZES = ["2KiB", "8KiB", "64KiB", "1MiB"]
HUGE = 1e30


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    model=networks(),
    cores=st.sampled_from([2, 3, 4, 6]),
    size=st.sampled_from(SIZES),
    rate=st.sampled_from([4, 32, 1024]),
    objective=st.sampled_from(sorted(OBJECTIVES)),
    overlap=st.sampled_from(OVERLAPS),
)
def test_random_network_on_several_cores(
    model: onnx.ModelProto, cores: int, size: str, rate: int, objective: str, overlap: str
) -> None:
    """Time is worth much where the DRAM is fast: there the cores share most."""
    settings_ = [f"cores={cores}", f"memory.sram.bytes={size}", f"dram.bytes_per_cycle={rate}"]
    chip = load_chip("npu4", [*settings_, "compute.issue=1", "dram.latency=1"])
    feeds = random_inputs(model)
    expected = reference(model, feeds)
    assume(all(np.abs(value).max() < HUGE for value in expected.values()))  # windows of pads alone
    try:
        options = PlanOptions(objective=objective, overlap=overlap)
        compilation = run_pipeline(import_model(model), chip, options=options)
    except CapacityError:
        assume(False)
    check_compiled(compilation, feeds, expected)
