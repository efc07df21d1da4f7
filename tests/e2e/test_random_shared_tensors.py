"""Random networks whose tensors have several readers, are rearranged, or lie in batches that are taken apart:
all are equal to onnxruntime.
"""

from __future__ import annotations

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest
from harness import (
    check_compiled,
    check_model,
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
@random_networks_settings(8)
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


def test_some_columns_of_a_buffer_are_read_before_the_others_are_computed() -> None:
    """Once an internal error: cores took strips of t1, whose buffer goes on with columns of two copies."""
    text = """<ir_version: 9, opset_import: ["": 20]> network (float[1,4,15,11] x) =>
        (float[1,3,15,33] t2, float[1,24,15,11] t4, float[1,12,1,1] t8, float[1,3,8,6] t10) {
            t0 = Conv <pads=[1,1,1,1]> (x, w0, w1)
            t1 = Relu (t0)
            t2 = Concat <axis=3> (t1, t1, t1)
            t3 = Concat <axis=1> (x, x, x)
            t4 = Conv (t3, w2, w3)
            t5 = Conv (t1, w4, w5)
            t6 = Conv (t1, w6, w7)
            t7 = Concat <axis=1> (t5, t6)
            t8 = GlobalAveragePool (t7)
            t9 = Conv <pads=[1,1,1,1], strides=[2,2]> (t1, w8, w9)
            t10 = Relu (t9)
        }"""
    kernels = {"w0": (3, 4, 3, 3), "w2": (24, 12, 1, 1), "w4": (4, 3, 1, 1), "w6": (8, 3, 1, 1)}
    shapes = {**kernels, "w8": (3, 3, 3, 3), "w1": (3,), "w3": (24,), "w5": (4,), "w7": (8,), "w9": (3,)}
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name, shape in shapes.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(rng.standard_normal(shape, "f4"), name))
    chip = load_chip("vdsp12", ["memory.sm.bytes=10KiB", "memory.am.bytes=12KiB"])
    for objective in sorted(OBJECTIVES):
        check_model(model, chip, options=PlanOptions(objective=objective, overlap="recompute"))
