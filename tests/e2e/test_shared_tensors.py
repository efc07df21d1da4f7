"""A tensor that is read by itself and as an operand of a concat, in groups that cut weights and rows."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_compiled, check_model, chip_of, random_inputs, reference
from onnx import numpy_helper, parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import PlanOptions


def shared_in_concat(channels: int, size: int) -> onnx.ModelProto:
    """r1 is read by a convolution, by an addition and, beside r2, by the last convolution and the host."""
    picture, joined = f"float[1,{channels},{size},{size}]", f"float[1,{2 * channels},{size},{size}]"
    model = parser.parse_model(
        f"""<ir_version: 9, opset_import: ["" : 20]>
        shared ({picture} x) => ({picture} y, {joined} joined) {{
            c1 = Conv <pads=[1,1,1,1]> (x, w0)
            r1 = Relu (c1)
            c2 = Conv <pads=[1,1,1,1]> (r1, w1)
            s = Add (c2, r1)
            r2 = Relu (s)
            joined = Concat <axis=1> (r2, r1)
            y = Conv (joined, w2)
        }}"""
    )
    rng = np.random.default_rng(0)
    square = (channels, channels, 3, 3)
    for number, shape in enumerate([square, square, (channels, 2 * channels, 1, 1)]):
        weight = rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        model.graph.initializer.append(numpy_helper.from_array(weight.astype(np.float32), f"w{number}"))
    return model


SMALL, LARGE = (16, 16), (24, 12)  # channels, rows and columns
CASES = [*((SMALL, kib) for kib in range(14, 24)), *((LARGE, kib) for kib in range(16, 36, 2))]


@pytest.mark.parametrize(("size", "kib"), CASES)
def test_weights_in_blocks_read_the_channels_of_their_operand(size: tuple[int, int], kib: int) -> None:
    """The tile of r1 is the second half of the concat's: its box counts from its own first channel."""
    compilation = check_model(shared_in_concat(*size), chip_of(sram=f"{kib}KiB")).compilation
    assert compilation.plan.groups


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_group_does_read_a_tensor_by_itself_and_in_a_concat(size: tuple[int, int]) -> None:
    """Otherwise the test above would prove nothing."""
    kib = {SMALL: 22, LARGE: 30}[size]
    placed = check_model(shared_in_concat(*size), chip_of(sram=f"{kib}KiB")).compilation.placed
    assert any(len(group.layers) == 2 and group.parts > 1 for group in placed.notes.groups)


def test_rows_of_a_resident_tensor_that_are_computed_again_are_joined_once() -> None:
    """A concat stays on chip whole while a group computes some of its rows in two parts."""
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["" : 20]>
        again (float[1,8,10,5] x) => (float[1,8,10,5] a, float[1,8,10,5] b, float[1,40,10,5] y) {
            c1 = Conv <pads=[1,1,1,1]> (x, w0)
            r1 = Relu (c1)
            c2 = Conv <pads=[1,1,1,1]> (r1, w1)
            r2 = Relu (c2)
            c3 = Conv <pads=[1,1,1,1]> (r2, w2)
            a = Relu (c3)
            joined = Concat <axis=1> (c3, x, c1, r1)
            y = Conv (joined, w3)
            b = AveragePool <kernel_shape=[3,3], pads=[1,1,1,1]> (r2)
        }"""
    )
    rng = np.random.default_rng(0)
    for number, shape in enumerate([(8, 8, 3, 3), (8, 8, 3, 3), (8, 8, 3, 3), (40, 32, 1, 1)]):
        weight = rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        model.graph.initializer.append(numpy_helper.from_array(weight.astype(np.float32), f"w{number}"))
    feeds = random_inputs(model)
    expected = reference(model, feeds)
    options = PlanOptions(overlap="recompute")
    for features, weights in ((16, 12), (24, 12), (34, 12), (40, 16)):
        chip = chip_of("npu-banked", bank1=f"{features}KiB", bank2=f"{weights}KiB")
        compilation = run_pipeline(import_model(model), chip, options=options, verify_each=True)
        check_compiled(compilation, feeds, expected)
