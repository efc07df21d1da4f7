"""Pictures of a batch that are read one by one: each reader loads its own, whatever the path."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import numpy_helper, parser

from nnc.compiler.plan.options import PlanOptions


def apart(order: list[int], size: int = 24) -> onnx.ModelProto:
    """Some pictures of a batch of four, in some order, each through two convolutions of its own."""
    count, pictures = len(order), ", ".join(f"p{n}" for n in range(4))
    towers = "".join(
        f"a{n} = Conv <pads=[1,1,1,1]> (p{at}, u{n})  b{n} = Relu (a{n})  c{n} = Conv (b{n}, v{n})  "
        for n, at in enumerate(order)
    )
    results = ", ".join(f"c{n}" for n in range(count))
    text = f"""<ir_version: 9, opset_import: ["" : 20]>
        apart (float[4,8,{size},{size}] x) => (float[{count},4,{size},{size}] y) {{
            {pictures} = Split <axis=0, num_outputs=4> (x)
            {towers}
            y = Concat <axis=0> ({results})
        }}"""
    model = parser.parse_model(text)
    rng = np.random.default_rng(0)
    for n in range(count):
        for name, shape in ((f"u{n}", (8, 8, 3, 3)), (f"v{n}", (4, 8, 1, 1))):
            weight = rng.standard_normal(shape).astype(np.float32) / 8
            model.graph.initializer.append(numpy_helper.from_array(weight, name))
    return model


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 2, 0], [2, 1], [1, 1, 3]])
@pytest.mark.parametrize("kib", [12, 24, 64])
def test_each_reader_loads_its_own_picture(order: list[int], kib: int) -> None:
    """A picture is 18 KiB: with lines of it on chip, nothing is loaded or stored twice."""
    checked = check_model(apart(order), chip_of(sram=f"{kib}KiB"), options=PlanOptions())
    reads = len(order) / len(set(order))
    limit = checked.compilation.floors.dram_bytes
    assert checked.session.ledger.total <= limit * (1.02 if reads == 1 else 1.5)


def test_slices_of_early_rows_beside_a_convolution_of_them() -> None:
    """Where the concat is read part by part, slices that nobody reads any more hold up no picture."""
    text = """<ir_version: 9, opset_import: ["" : 20]>
        slices (float[2,24,5,8] x) => (float[2,16,3,4] y) {
            a = Conv (x, w0)
            b, c = Split <axis=1, num_outputs=2> (a)
            d = Conv <pads=[1,1,1,1]> (c, w1)
            e = Concat <axis=1> (b, c, d)
            f = Conv (e, w2)
            g = Conv (f, w3)
            h = Conv (f, w4)
            i = Concat <axis=1> (g, h)
            y = MaxPool <kernel_shape=[3,3], pads=[1,1,1,1], strides=[2,2]> (i)
        }"""
    model = parser.parse_model(text)
    rng = np.random.default_rng(0)
    shapes = [(16, 24, 1, 1), (8, 8, 3, 3), (16, 24, 1, 1), (8, 16, 1, 1), (8, 16, 1, 1)]
    for number, shape in enumerate(shapes):
        weight = rng.standard_normal(shape).astype(np.float32) / 8
        model.graph.initializer.append(numpy_helper.from_array(weight, f"w{number}"))
    for kib in (8, 16):
        check_model(model, chip_of(sram=f"{kib}KiB"))
