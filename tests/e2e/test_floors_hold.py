"""Windows on padding, on all presets: equal to onnxruntime, and no program comes out below a floor."""

from __future__ import annotations

import onnx
from floors import compiled, floor_ratios
from harness import check_compiled, finite_reference, random_inputs, random_networks_settings
from hypothesis import given
from hypothesis import strategies as st
from random_padding import padded_networks

from nnc.isa.chip.load import preset_names


@random_networks_settings(25)
@given(padded_networks(), st.sampled_from(preset_names()), st.integers(0, 7))
def test_no_program_is_below_a_floor(model: onnx.ModelProto, chip: str, number: int) -> None:
    """`make bench-floors` compiles thousands; the number decides the options, and whether chips are bare."""
    compilation = compiled(model, chip, number)
    feeds = random_inputs(model)
    check_compiled(compilation, feeds, finite_reference(model, feeds))
    assert {name: ratio for name, ratio in floor_ratios(compilation).items() if ratio < 1} == {}
