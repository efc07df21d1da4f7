"""Random layers in branches, loops and scans: all are equal to onnxruntime."""

from __future__ import annotations

import onnx
from harness import (
    check_compiled,
    finite_reference,
    kept_if_wrong,
    random_inputs,
    random_networks_settings,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from random_control import control_networks

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip


@random_networks_settings(8)
@given(model=control_networks(), chip=st.sampled_from(["npu", "npu4", "vdsp12"]))
def test_layers_in_branches_and_loops(model: onnx.ModelProto, chip: str) -> None:
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    with kept_if_wrong(model, f"on {chip}"):
        try:
            compilation = run_pipeline(import_model(model), load_chip(chip))
        except CapacityError:
            assume(False)
        check_compiled(compilation, feeds, expected)
