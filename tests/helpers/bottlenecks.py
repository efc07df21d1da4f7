"""Chains of bottlenecks: pictures that are added to what two narrow layers between make of them.

x -> 1x1 -> 3x3 -> 1x1 -> + -> relu -> 1x1 -> ...        + adds the picture that the first 1x1 has read
"""

from __future__ import annotations

import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def random_bottlenecks(seed: int) -> tuple[onnx.ModelProto, int]:
    """Some bottlenecks with large weights, and the bytes of a picture between two of them."""
    draw = random.Random(seed)
    rows, columns, count = draw.randint(5, 11), draw.randint(5, 9), draw.randint(2, 4)
    narrow = 8 * (rows * columns * draw.randint(10, 16) // 80 + 1)
    kernel = draw.choice((1, 3, 3))
    return bottlenecks(rows, columns, narrow, kernel, count, seed), 16 * narrow * rows * columns


def bottlenecks(
    rows: int, columns: int, narrow: int, kernel: int, count: int, seed: int = 0
) -> onnx.ModelProto:
    """So many bottlenecks over pictures of four times as many channels as their narrow layers have."""
    rng, wide = np.random.default_rng(seed), 4 * narrow
    nodes, weights = [], []

    def conv(x: str, inputs: int, outputs: int, size: int, name: str) -> str:
        weight = rng.standard_normal((outputs, inputs, size, size)) / np.sqrt(inputs * size * size)
        weights.append(numpy_helper.from_array(weight.astype(np.float32), f"{name}_w"))
        pads = {"kernel_shape": [size, size], "pads": [size // 2] * 4}
        nodes.append(helper.make_node("Conv", [x, f"{name}_w"], [name], name=name, **pads))
        return name

    def relu(x: str) -> str:
        nodes.append(helper.make_node("Relu", [x], [f"{x}_relu"], name=f"{x}_relu"))
        return f"{x}_relu"

    x = relu(conv("x", 8, wide, 1, "stem"))
    for number in range(count):
        inner = relu(conv(x, wide, narrow, 1, f"reduce{number}"))
        inner = relu(conv(inner, narrow, narrow, kernel, f"inner{number}"))
        nodes.append(
            helper.make_node("Add", [conv(inner, narrow, wide, 1, f"expand{number}"), x], [f"sum{number}"])
        )
        x = relu(f"sum{number}")
    y = conv(x, wide, 8, 1, "head")
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, rows, columns]) for name in ("x", y)
    ]
    graph = helper.make_graph(nodes, "bottlenecks", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
