"""Small networks for golden texts, with weights that are the same bits on every machine."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper, parser

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph


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


def lenet5() -> Graph:
    """LeNet-5 at half its width on pictures of 16 × 16, imported."""
    return import_model(with_exact_weights(models.build("lenet5", image=16, width=0.5)))


def convolution_chain() -> onnx.ModelProto:
    """Three 3 × 3 convolutions in a chain, on a picture of 24 × 24."""
    weights = {"w1": (16, 8, 3, 3), "w2": (16, 16, 3, 3), "w3": (8, 16, 3, 3)}
    return parsed(
        """g (float[1,8,24,24] x) => (float[1,8,24,24] y) {
            a = Conv <pads = [1, 1, 1, 1]> (x, w1)
            c = Conv <pads = [1, 1, 1, 1]> (a, w2)
            y = Conv <pads = [1, 1, 1, 1]> (c, w3)
        }""",
        weights,
    )


def fully_connected_bytes(channels: int, outputs: int = 10) -> onnx.ModelProto:
    """A picture of 3 × 3 in unsigned bytes, flattened, times signed bytes; the result is rounded to bytes."""
    rows = channels * 9
    return parsed(
        f"""g (float[1,{channels},3,3] x) => (uint8[1,{outputs}] y) {{
            q = QuantizeLinear (x, s, z)
            d = DequantizeLinear (q, s, z)
            f = Flatten (d)
            e = DequantizeLinear (w, t)
            m = MatMul (f, e)
            y = QuantizeLinear (m, u, z)
        }}""",
        {},
        s=np.float32(1 / 16),
        t=np.float32(1 / 64),
        u=np.float32(1 / 2),
        z=np.uint8(128),
        w=(np.arange(rows * outputs) * 37 % 255 - 127).astype(np.int8).reshape(rows, outputs),
    )
