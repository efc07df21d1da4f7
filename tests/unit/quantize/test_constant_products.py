"""Products that stay as they are, each with its reason."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest
from half_models import to_half
from onnx import helper, numpy_helper, parser
from product_models import product_model

from nnc.errors import QuantizationError
from nnc.quantize.block_rounding import BlockOptions
from nnc.quantize.weights_only import quantize_weights

GOOD = "g = MatMul (x, good)"
"""A product that is quantised beside each of those that are not."""
KEPT: dict[str, tuple[str, dict[str, tuple[int, ...]]]] = {
    "its second operand is computed, by Relu": ("r = Relu (w)  y = MatMul (x, r)", {"w": (64, 8)}),
    "its second operand is computed, by Transpose": (
        "t = Transpose <perm = [1, 0]> (x)  y = MatMul (x, t)",
        {},
    ),
    "its second operand is an input": ("r = Relu (x)  y = MatMul (r, z)", {}),
    "its weight is the first operand": ("y = MatMul (w, z)", {"w": (64, 64)}),
    "its weight is a vector": ("y = MatMul (x, w)", {"w": (64,)}),
    "its weight has 3 axes": ("y = MatMul (x, w)", {"w": (1, 64, 8)}),
    "K is 24, less than a block of 32": (
        "s = Slice (x, zero, most, one)  y = MatMul (s, w)",
        {"w": (24, 8)},
    ),
    "transA is 1": ("y = Gemm <transA = 1> (z, w)", {"w": (64, 8)}),
    "alpha is 0.5": ("y = Gemm <alpha = 0.5> (x, w)", {"w": (64, 8)}),
    "beta is 2": ("y = Gemm <beta = 2.0> (x, w, b)", {"w": (64, 8), "b": (8,)}),
    "the first operand is a vector": (
        "f = ReduceSum <keepdims = 0> (x, zero)  y = MatMul (f, w)",
        {"w": (64, 8)},
    ),
    "it is inside of a branch, a loop or a function": (
        """y = If (c) <then_branch = t () => (float[3,8] a) { a = MatMul (x, w) },
                       else_branch = e () => (float[3,8] b) { b = Gemm (x, w) }>""",
        {"w": (64, 8)},
    ),
}


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


@pytest.mark.parametrize("reason", KEPT)
def test_reasons(reason: str, tmp_path: Path) -> None:
    text, shapes = KEPT[reason]
    head = "(float[3,64] x, float[64,3] z, bool c) => (float[3,16] g, y)"
    model = product_model(f"{head} {{ {GOOD} {text} }}", good=(64, 16), **shapes)
    for name, value in (("zero", [0]), ("most", [24]), ("one", [1])):
        model.graph.initializer.append(numpy_helper.from_array(np.array(value, np.int64), name))
    result = quantize_weights(saved(model, tmp_path), BlockOptions(), lambda *_: None)
    assert [product.weight for product in result.products] == ["good"]
    assert {item.reason for item in result.kept} == {reason}
    changed = onnx.load_model_from_string(result.data)
    assert list(changed.graph.node)[1:] == list(model.graph.node)[1:]


def test_reasons_in_the_values(tmp_path: Path) -> None:
    model = product_model(
        "(float[3,64] x) => (float[3,16] g, float[3,16] y) { g = MatMul (x, good)  y = MatMul (x, w) }",
        good=(64, 16),
    )
    for value, reason in (
        (np.full((64, 16), np.inf, np.float32), "its weight has numbers that are not finite"),
        (np.ones((64, 16), np.float64), "its weight is of double"),
    ):  # fmt: skip
        del model.graph.initializer[1:]
        model.graph.initializer.append(numpy_helper.from_array(value, "w"))
        result = quantize_weights(saved(model, tmp_path), BlockOptions(), lambda *_: None)
        assert [item.reason for item in result.kept] == [reason]
        assert [item.name for item in result.kept] == ["y"]


def test_weights_that_would_not_be_smaller(tmp_path: Path) -> None:
    """A block and one weight more, of half precision and 8 bits."""
    model = product_model("(float[3,257] x) => (float[3,16] y) { y = MatMul (x, w) }", w=(257, 16))
    with pytest.raises(QuantizationError, match="would not be smaller in blocks"):
        quantize_weights(saved(to_half(model), tmp_path), BlockOptions(8, 256), lambda *_: None)
    assert quantize_weights(saved(model, tmp_path), BlockOptions(8, 256), lambda *_: None).products


def test_products_inside_of_functions(tmp_path: Path) -> None:
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["": 20, "own": 1]>
        g (float[3,64] x) => (float[3,16] y) { h = MatMul (x, good)  y = own.twice (h) }
        <domain: "own", opset_import: ["": 20]>
        twice (a) => (b) { t = Transpose (a)  u = Transpose (t)  c = MatMul (a, t)  b = MatMul (c, u) }"""
    )
    good = numpy_helper.from_array(np.ones((64, 16), np.float32), "good")
    model.graph.initializer.append(good)
    result = quantize_weights(saved(model, tmp_path), BlockOptions(), lambda *_: None)
    assert [item.name for item in result.kept] == ["c", "b"]
    assert len(result.products) == 1


def test_models_without_anything_to_quantise(tmp_path: Path) -> None:
    small = product_model("(float[3,8] x) => (float[3,4] y) { y = MatMul (x, w) }", w=(8, 4))
    none = product_model("(float[3,8] x) => (float[3,8] y) { y = Relu (x) }")
    old = product_model("(float[3,64] x) => (float[3,4] y) { y = Gemm (x, w, b) }", w=(64, 4), b=(3, 4))
    old.opset_import[0].version = 6
    for model, said in (
        (small, "y: K is 8, less than a block of 32"),
        (none, "neither MatMul nor Gemm"),
        (old, "opset 7 or later"),
    ):
        with pytest.raises(QuantizationError, match=said) as caught:
            quantize_weights(saved(model, tmp_path), BlockOptions(), lambda *_: None)
        assert caught.value.remedy and caught.value.where.endswith("model.onnx")


def test_many_reasons_are_cut(tmp_path: Path) -> None:
    model = product_model("(float[3,8] x) => (float[3,8] y) { y = MatMul (x, w) }", w=(8, 8))
    (node,) = model.graph.node
    names = ["x", *(f"t{i}" for i in range(7)), "y"]
    del model.graph.node[:]
    for source, target in pairwise(names):
        model.graph.node.append(helper.make_node(node.op_type, [source, "w"], [target]))
    with pytest.raises(QuantizationError) as caught:
        quantize_weights(saved(model, tmp_path), BlockOptions(), lambda *_: None)
    assert caught.value.found.endswith("t4: K is 8, less than a block of 32; and 3 others")
