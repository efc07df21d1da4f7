"""Small networks for golden texts, with weights that are the same bits on every machine."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper, parser

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph

RESIDUAL = """
residual (float[1,8,12,12] x) => (float[1,16,6,6] y) {
    c1 = Conv <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (x, w1)
    n1 = BatchNormalization (c1, s1, b1, m1, v1)
    r1 = Relu (n1)
    c2 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (r1, w2)
    n2 = BatchNormalization (c2, s2, b2, m2, v2)
    c3 = Conv <kernel_shape=[1,1], strides=[2,2]> (x, w3)
    n3 = BatchNormalization (c3, s3, b3, m3, v3)
    sum = Add (n2, n3)
    y = Relu (sum)
}
"""
RESIDUAL_WEIGHTS = {
    "w1": (16, 8, 3, 3),
    "w2": (16, 16, 3, 3),
    "w3": (16, 8, 1, 1),
    **{f"{name}{layer}": (16,) for name in "sbmv" for layer in (1, 2, 3)},
}
MOBILENET = """
mobilenet (float[1,8,10,10] x) => (float[1,10] y) {
    c1 = Conv <kernel_shape=[1,1]> (x, w1, b1)
    r1 = Clip (c1, zero, six)
    c2 = Conv <kernel_shape=[3,3], pads=[1,1,1,1], group=24> (r1, w2, b2)
    r2 = Clip (c2, zero, six)
    c3 = Conv <kernel_shape=[1,1]> (r2, w3, b3)
    sum = Add (c3, x)
    pooled = GlobalAveragePool (sum)
    flat = Flatten (pooled)
    logits = Gemm <transB=1> (flat, w4, b4)
    y = Softmax (logits)
}
"""
MOBILENET_WEIGHTS = {
    "w1": (24, 8, 1, 1),
    "b1": (24,),
    "w2": (24, 1, 3, 3),
    "b2": (24,),
    "w3": (8, 24, 1, 1),
    "b3": (8,),
    "w4": (10, 8),
    "b4": (10,),
}


def exact(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Positive sixteenths that vary along every axis: no arithmetic rounds them anywhere."""
    return (((np.arange(np.prod(shape)) + seed) * 7 % 31 + 1) / 16).astype(np.float32).reshape(shape)


def parsed(text: str, weights: dict[str, tuple[int, ...]], **values: object) -> onnx.ModelProto:
    """A model from ONNX's own text syntax, its weights filled in by shape, other constants by value."""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> {text}')
    for name, node in zip((o for n in model.graph.node for o in n.output), model.graph.node, strict=True):
        node.name = name
    arrays = {name: exact(shape, seed) for seed, (name, shape) in enumerate(weights.items())}
    arrays.update({name: np.asarray(value) for name, value in values.items()})
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in arrays.items())
    return model


def with_exact_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with other weights (drawn ones may differ in the last bit from machine to machine)."""
    for seed, tensor in enumerate(model.graph.initializer):
        if tensor.data_type == onnx.TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(exact(tuple(tensor.dims), seed), tensor.name))
    return model


def network(name: str) -> Graph:
    """One of `NETWORKS`, imported."""
    match name:
        case "lenet5":
            model = with_exact_weights(models.build("lenet5", image=16, width=0.5))
        case "residual":
            model = parsed(RESIDUAL, RESIDUAL_WEIGHTS)
        case _:
            model = parsed(MOBILENET, MOBILENET_WEIGHTS, zero=np.float32(0), six=np.float32(6))
    return import_model(model)


NETWORKS = ("lenet5", "residual", "mobilenet")
