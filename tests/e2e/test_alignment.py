"""Chips whose DMA moves whole aligned units: rows are padded, runs are whole, and nothing is lost by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import (
    check_compiled,
    check_model,
    chip_of,
    compile_with_levers,
    finite_reference,
    random_inputs,
    random_networks_settings,
    reference,
    with_intermediates,
)
from hypothesis import given
from hypothesis import strategies as st
from onnx import parser
from random_networks import networks

from nnc import models
from nnc.compiler.plan.options import PlanOptions

ALIGNED = {"dram": ["dram.align=64"], "both": ["dram.align=64", "dma.align=64"]}
CHIPS: dict[str, tuple[str, dict[str, str]]] = {
    "npu": ("npu", {}),
    "npu-2K": ("npu", {"sram": "2KiB"}),
    "npu-banked-2K": ("npu-banked", {"bank1": "2KiB", "bank2": "2KiB"}),
    "npu4": ("npu4", {}),
    "npu4-4K": ("npu4", {"sram": "4KiB"}),
    "vdsp12": ("vdsp12", {}),
}
SHAPES = {
    "channels side by side": """(float[2,3,9,7] x, float[2,5,9,7] z) => (float[2,8,9,7] y) {
        a = Relu(x) b = Exp(z) c = Concat <axis = 1> (a, b) y = MaxPool <kernel_shape = [1, 1]> (c) }""",
    "an operand is an output": """(float[1,3,9,7] x) => (float[1,8,9,7] y, float[1,5,9,7] b) {
        a = Relu(x) b = Conv <pads = [1, 1, 1, 1]> (x, w) y = Concat <axis = 1> (a, b) }""",
    "concat of concat": """(float[1,3,6,5] x) => (float[1,6,12,5] y) {
        a = Relu(x) b = Exp(x) c = Concat <axis = 1> (a, b) d = Concat <axis = 1> (b, a)
        y = Concat <axis = 2> (c, d) }""",
    "short vectors": """(float[1,3] x, float[1,5] z) => (float[1,8] y) {
        a = Relu(x) b = Exp(z) y = Concat <axis = 1> (a, b) }""",
    "columns side by side": """(float[1,4,6,5] x) => (float[1,4,6,10] y) {
        a = Relu(x) b = Exp(x) y = Concat <axis = 3> (a, b) }""",
    "rows side by side": """(float[1,3,6,5] x) => (float[1,3,12,5] y) {
        a = Relu(x) b = Exp(x) y = Concat <axis = 2> (a, b) }""",
    "transposed": """(float[5,7,3] x) => (float[3,7,5] y) {
        a = Exp(x) b = Transpose <perm = [2, 1, 0]> (a) y = Softmax <axis = 1> (b) }""",
    "flattened": """(float[2,3,5,5] x) => (float[2,4] y) <int64[2] s = {2, 75}> {
        a = Relu(x) b = Reshape(a, s) y = MatMul(b, w) }""",
    "slices": """(float[1,9,8,6] x) => (float[1,4,4,3] y)
        <int64[3] a = {1, 0, 1}, int64[3] b = {9, 8, 6}, int64[3] axes = {1, 2, 3}, int64[3] steps = {2, 2, 2}> {
        h = Tanh(x) i = Slice(h, a, b, axes, steps) y = Exp(i) }""",
    "backwards": """(float[6,5] x) => (float[6,5] y)
        <int64[2] a = {-1, -1}, int64[2] b = {-9, -9}, int64[2] axes = {0, 1}, int64[2] steps = {-1, -1}> {
        h = Tanh(x) i = Slice(h, a, b, axes, steps) y = Exp(i) }""",
    "spread": """(float[3,1,5] x) => (float[3,7,5] y) <int64[3] s = {3, 7, 5}> {
        h = Exp(x) i = Expand(h, s) y = Softmax <axis = 1> (i) }""",
    "split": """(float[4,10] x) => (float[4,3] y, float[4,7] z) <int64[2] s = {3, 7}> {
        h = Exp(x) a, b = Split <axis = 1> (h, s) y = Relu(a) z = Neg(b) }""",
    "split into outputs": """(float[4,10] x) => (float[4,3] y, float[4,7] z) <int64[2] s = {3, 7}> {
        h = Exp(x) y, z = Split <axis = 1> (h, s) }""",
    "bytes": "(int8[3,5,7] x, int8[3,5,7] z) => (int8[3,5,7] y) { y = Max(x, z) }",
    "halves": """(float16[1,3,9,7] x) => (float16[1,6,9,7] y) {
        a = Relu(x) b = Neg(x) y = Concat <axis = 1> (a, b) }""",
    "words of a sentence": """(int64[2,5] i) => (float[2,5,3] y) {
        a = Gather <axis = 0> (table, i) y = Exp(a) }""",
    "words are outputs": "(int64[7] i) => (float[7,4,3] y) { y = Gather (table, i) }",
    "words side by side": """(int64[3] i, int64[2] j) => (float[5,3] y) {
        a = Gather(table, i) b = Gather(table, j) y = Concat <axis = 0> (a, b) }""",
    "rows of a computed table": """(float[9,5] x, int64[4,2] i) => (float[4,2,5] y) {
        a = Exp(x) b = Gather <axis = 0> (a, i) y = Neg(b) }""",
    "rows of a transposed table": """(float[5,9] x, int64[4] i) => (float[4,5] y) {
        a = Exp(x) b = Transpose(a) y = Gather <axis = 0> (b, i) }""",
    "computed words": """(int32[3,2] i, int32[3,2] j) => (float[3,2,6] y) {
        k = Max(i, j) y = Gather (table, k) }""",
    "one word": "(int64 i) => (float[3] y) { y = Gather (table, i) }",
    "a scalar": "(float s, float t) => (float y) { y = Add(s, t) }",
    "wide lines": """(float[1,3,40,50] x) => (float[1,5,40,50] y) {
        y = Conv <pads = [1, 1, 1, 1]> (x, w) }""",
    "many channels": """(float[1,24,9,9] x) => (float[1,40,9,9] y) {
        y = Conv <pads = [1, 1, 1, 1]> (x, w) }""",
    "long rows": "(float[3,1000] x) => (float[3,1000] y) { y = Softmax(x) }",
}  # fmt: skip
WEIGHTS = {
    "an operand is an output": {"w": (5, 3, 3, 3)},
    "flattened": {"w": (75, 4)},
    "words of a sentence": {"table": (11, 3)},
    "words are outputs": {"table": (11, 4, 3)},
    "words side by side": {"table": (11, 3)},
    "computed words": {"table": (11, 6)},
    "one word": {"table": (11, 3)},
    "wide lines": {"w": (5, 3, 3, 3)},
    "many channels": {"w": (40, 24, 3, 3)},
}
MOST_INDEX = 5
Array = npt.NDArray[Any]


def model_of(name: str) -> onnx.ModelProto:
    """The model of a text, with random weights."""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> agraph {SHAPES[name]}')
    rng = np.random.default_rng(1)
    for weight, shape in WEIGHTS.get(name, {}).items():
        value = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(value, weight))
    return model


def feeds_of(model: onnx.ModelProto) -> dict[str, Array]:
    """Values of unit variance, small numbers where elements are whole numbers."""
    rng, feeds = np.random.default_rng(2), {}
    for info in model.graph.input:
        tensor = info.type.tensor_type
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        shape = [dim.dim_value for dim in tensor.shape.dim]
        if np.issubdtype(dtype, np.integer):
            feeds[info.name] = rng.integers(0, MOST_INDEX, shape).astype(dtype)
        else:
            feeds[info.name] = np.asarray(rng.standard_normal(shape)).astype(dtype)
    return feeds


@pytest.mark.parametrize("fused", [True, False], ids=["fused", "tiled"])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("aligned", ALIGNED)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_are_no_whole_units(name: str, aligned: str, chip: str, fused: bool) -> None:
    model = model_of(name)
    feeds = feeds_of(model)
    preset, memories = CHIPS[chip]
    compilation, _ = compile_with_levers(model, preset, PlanOptions(fused=fused), ALIGNED[aligned], **memories)
    check_compiled(compilation, feeds, reference(model, feeds))
