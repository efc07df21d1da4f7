"""Layers that need one operand of a concat read it, and what else the concat held is computed no more."""

from __future__ import annotations

import pytest
from harness import check_model, chip_of
from onnx import parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import Concat, MatMul
from nnc.compiler.ir.required import required
from nnc.compiler.passes.read_operands import read_operands
from nnc.compiler.plan.options import PlanOptions

READERS = {
    "a slice of the first": ("Slice (c, one, six, two)", "1,4,5,5"),
    "a slice of the last": ("Slice (c, six, eight, two)", "1,4,2,5"),
    "a slice of both": ("Slice (c, one, eight, two)", "1,4,7,5"),
    "windows in the first": ("MaxPool <kernel_shape = [3, 3], strides = [3, 3]> (c)", "1,4,2,1"),
    "windows to the end": (
        "AveragePool <kernel_shape = [3, 3], strides = [3, 3], pads = [0, 0, 1, 0]> (c)",
        "1,4,3,1",
    ),
    "products in the first": ("Conv <strides = [3, 3]> (c, w)", "1,2,2,1"),
    "elements of the first": ("GatherElements <axis = 3> (c, i)", "1,4,6,2"),
    "elements of both": ("GatherElements <axis = 2> (c, i)", "1,4,6,2"),
}
"""Layers that read a concat of two operands, of 6 and 2 rows, each with the shape of its result."""
BOTH = {"a slice of both", "windows to the end", "elements of both"}


@pytest.mark.parametrize("reader", READERS)
def test_what_is_read_is_the_same(reader: str) -> None:
    layer, shape = READERS[reader]
    indices = ", ".join(str(n % 5) for n in range(48))
    weights = ", ".join(str(n % 7 - 3) for n in range(72))
    model = parser.parse_model(
        f"""<ir_version: 10, opset_import: ["" : 21]>
        g (float[1,4,6,5] x, float[1,4,2,5] z) => (float[{shape}] y)
        <int64[1] one = {{1}}, int64[1] two = {{2}}, int64[1] six = {{6}}, int64[1] eight = {{8}},
         int64[1,4,6,2] i = {{{indices}}}, float[2,4,3,3] w = {{{weights}}}> {{
            a = Sigmoid (x)
            b1 = Softmax <axis = 2> (z)
            b2 = Tanh (b1)
            b = Softmax <axis = 1> (b2)
            c = Concat <axis = 2> (a, b)
            d = {layer}
            y = Exp (d)
        }}"""
    )
    graph = import_model(model)
    (concat,) = (layer for layer in graph.layers() if isinstance(layer, Concat))
    read_operands(graph)
    assert bool(graph.consumers(graph.output_of(concat.name))) is (reader in BOTH)
    for chip in ("npu", "nna", "npu4"):
        check_model(model, chip_of(chip))


def test_an_operand_may_be_a_concat_itself() -> None:
    model = parser.parse_model(
        """<ir_version: 10, opset_import: ["" : 21]>
        g (float[1,2,4,4] x) => (float[1,2,4,4] y)
        <int64[1] first = {2}, int64[1] end = {4}, int64[1] axis = {1}> {
            a = Sin (x)
            b = Cos (x)
            c = Concat <axis = 1> (a, b)
            d = Tanh (x)
            e = Concat <axis = 1> (c, d)
            y = Slice (e, first, end, axis)
        }"""
    )
    graph = import_model(model)
    read_operands(graph)
    assert graph.inputs_of(required(graph.producer("y")).name) == ("b",)
    check_model(model, chip_of("npu"))


def test_a_direction_that_nobody_reads_is_not_computed() -> None:
    """Its last layers need no rows in a group with others; those before them wrote what nobody read."""

    def values(count: int, of: int) -> str:
        return ", ".join(str((n % of - of // 2) / 4) for n in range(count))

    indices = ", ".join(str(n % 8) for n in range(35))
    model = parser.parse_model(
        f"""<ir_version: 10, opset_import: ["" : 21]>
        g (float[1,5,1] x) => (float[1,3,n,m] y)
        <float[2,24,1] w = {{{values(48, 5)}}}, float[2,24,8] r = {{{values(384, 7)}}},
         int64[1,1,5,7] i = {{{indices}}}, float[1,3,7,1] k = {{{values(21, 11)}}}> {{
            h = GRU <direction = "bidirectional", hidden_size = 8> (x, w, r)
            e = GatherElements <axis = 3> (h, i)
            y = ConvTranspose <dilations = [5, 5], pads = [15, 0, 15, 0]> (e, k)
        }}"""
    )
    compilation = check_model(model, chip_of("nna"), options=PlanOptions()).compilation
    products = [
        sum(isinstance(layer, MatMul) for layer in graph.layers())
        for graph in (compilation.imported, compilation.canonical)
    ]
    assert products == [4, 2]
