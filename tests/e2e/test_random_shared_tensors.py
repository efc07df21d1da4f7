"""Random networks whose tensors have several readers, are rearranged, or lie in batches that are taken apart:
all are equal to onnxruntime.
"""

from __future__ import annotations

import onnx
import pytest
from harness import (
    check_compiled,
    finite_reference,
    kept_if_wrong,
    random_inputs,
    random_networks_settings,
    with_intermediates,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from random_copies import copies_networks
from random_rearranged import rearranged_networks
from random_shared_tensors import shared_networks

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import OBJECTIVES, OVERLAPS, PlanOptions
from nnc.isa.chip.load import load_chip

MEMORIES = {"npu": ("sram",), "npu-banked": ("bank1", "bank2"), "npu4": ("sram",), "vdsp12": ("sm", "am")}
SIZES_KIB = [6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64, 128]


@pytest.mark.parametrize("chip", sorted(MEMORIES))
@random_networks_settings(12)
@given(
    model=st.one_of(shared_networks(), rearranged_networks(), copies_networks()),
    data=st.data(),
    objective=st.sampled_from(sorted(OBJECTIVES)),
    overlap=st.sampled_from(OVERLAPS),
    every_third=st.booleans(),
)
def test_tensors_with_several_readers(
    chip: str, model: onnx.ModelProto, data: st.DataObject, objective: str, overlap: str, every_third: bool
) -> None:
    """Memories that are too small for a layer say so; every other program must be right."""
    if every_third:
        model = with_intermediates(model, first=data.draw(st.integers(0, 2)), step=3)
    sizes = [f"memory.{memory}.bytes={data.draw(st.sampled_from(SIZES_KIB))}KiB" for memory in MEMORIES[chip]]
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    options = PlanOptions(objective=objective, overlap=overlap)
    with kept_if_wrong(model, f"on {chip} {' '.join(sizes)} with {options}"):
        try:
            compilation = run_pipeline(import_model(model), load_chip(chip, sizes), options=options)
        except CapacityError:
            assume(False)
        check_compiled(compilation, feeds, expected)
