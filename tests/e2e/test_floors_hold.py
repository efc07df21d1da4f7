"""Windows on padding, on all presets: equal to onnxruntime, and no program comes out below a floor."""

from __future__ import annotations

import onnx
from floors import floor_ratios
from harness import random_networks_settings
from hypothesis import given
from hypothesis import strategies as st
from random_padding import padded_networks
from test_random_networks import check_network

from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import preset_names


@random_networks_settings(40)
@given(padded_networks(), st.sampled_from(preset_names()), st.booleans())
def test_no_program_is_below_a_floor(model: onnx.ModelProto, chip: str, fused: bool) -> None:
    """`make bench-floors` compiles thousands."""
    ratios = floor_ratios(check_network(model, (chip, {}), PlanOptions(fused=fused)))
    assert {name: ratio for name, ratio in ratios.items() if ratio < 1} == {}
