"""Small models of products with constant matrices, in the forms that exporters write."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper, parser

HEAD = '<ir_version: 9, opset_import: ["": 20]> g '


def product_model(text: str, seed: int = 0, **shapes: tuple[int, ...]) -> onnx.ModelProto:
    """A model of a text such as ``(float[2,48] x) => (float[2,6] y) { y = MatMul (x, w) }``.

    Args:
        shapes: of random float32 initialisers by name; results are about as large as what goes in.
    """
    model = parser.parse_model(HEAD + text)
    rng = np.random.default_rng(seed)
    for name, shape in shapes.items():
        value = (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    return model


FORMS: dict[str, onnx.ModelProto] = {
    "product": product_model("(float[2,3,64] x) => (float[2,3,24] y) { y = MatMul (x, w) }", w=(64, 24)),
    "part of a block": product_model("(float[5,75] x) => (float[5,20] y) { y = MatMul (x, w) }", w=(75, 20)),
    "gemm": product_model("(float[4,64] x) => (float[4,10] y) { y = Gemm (x, w) }", w=(64, 10)),
    "gemm with bias": product_model(
        "(float[4,96] x) => (float[4,10] y) { y = Gemm <transB = 1> (x, w, b) }", w=(10, 96), b=(10,)
    ),
    "gemm with a row": product_model(
        "(float[4,64] x) => (float[4,10] y) { h = Gemm (x, w, b)  y = Relu (h) }", w=(64, 10), b=(1, 10)
    ),
    "gemm with a computed bias": product_model(
        "(float[4,64] x, float[10] c) => (float[4,10] y) { b = Relu (c)  y = Gemm (x, w, b) }", w=(64, 10)
    ),
    "renamed and transposed": product_model(
        "(float[3,48] x) => (float[3,16] y) { v = Identity (w)  t = Transpose (v)  y = MatMul (x, t) }",
        w=(16, 48),
    ),
    "one weight twice": product_model(
        "(float[3,64] x) => (float[3,64] y) { h = MatMul (x, w)  r = Relu (h)  y = MatMul (r, w) }",
        w=(64, 64),
    ),
}
"""Models whose products can all have weights in blocks of 32, by what is special about them."""
