"""Small random networks of products whose operands are all large beside the memory: tokens, pixels, heads."""

from __future__ import annotations

import random

import numpy as np
import onnx
from random_net import RandomNet, Value


def wide_products(seed: int, *, kind: str = "", batch: int = 0) -> onnx.ModelProto:
    """One to three products of a few rows and many columns, with biases, functions and sums between them.

    Args:
        kind: "tokens" or "pixels"; "": any.
        batch: sequences or pictures; 0: 1 to 3.
    """
    draw = random.Random(seed)
    kind, batch = kind or draw.choice(["tokens", "tokens", "pixels"]), batch or draw.randint(1, 3)
    net = RandomNet(np.random.default_rng(seed))
    rows, depth = draw.randint(3, 9), draw.randint(24, 160)
    shape = (
        (batch, depth, rows, rows) if kind == "pixels" else (batch, rows * rows - draw.randint(0, 3), depth)
    )
    value = input_ = Value("x", shape)
    for _ in range(draw.randint(1, 3)):
        before = value
        value = _convolution(net, draw, value) if kind == "pixels" else _product(net, draw, value)
        if draw.random() < 0.4:
            value = net.append(
                draw.choice(["Relu", "Sigmoid", "Gelu", "HardSwish"]), [value.name], value.shape
            )
        if value.shape == before.shape and draw.random() < 0.7:
            value = net.append("Add", draw.sample([value.name, before.name], 2), value.shape)
        net.values.append(value)
    return net.model(input_)


def _product(net: RandomNet, draw: random.Random, x: Value) -> Value:
    """Tokens times constants, or times a product of their own: queries and keys."""
    columns = draw.choice([x.shape[-1], draw.randint(40, 260)])
    weight = net.weight(x.shape[-1], columns, fan_in=x.shape[-1])
    y = net.append("MatMul", [x.name, weight], (*x.shape[:-1], columns))
    if draw.random() < 0.7:
        y = net.append("Add", [y.name, net.weight(columns)], y.shape)
    if columns == x.shape[-1] and draw.random() < 0.3:
        turned = (x.shape[0], x.shape[2], x.shape[1])
        keys = net.append("Transpose", [x.name], turned, perm=[0, 2, 1])
        return net.append("MatMul", [y.name, keys.name], (*x.shape[:2], x.shape[1]))
    return y


def _convolution(net: RandomNet, draw: random.Random, x: Value) -> Value:
    """Few pixels of many channels."""
    kernel, channels = draw.choice([1, 1, 3]), draw.choice([x.shape[1], draw.randint(40, 200)])
    groups = 2 if x.shape[1] % 2 == 0 and channels % 2 == 0 and draw.random() < 0.2 else 1
    depth = x.shape[1] // groups
    operands = [x.name, net.weight(channels, depth, kernel, kernel, fan_in=depth * kernel * kernel)]
    operands += [net.weight(channels)] if draw.random() < 0.7 else []
    shape = (x.shape[0], channels, *x.shape[2:])
    return net.append("Conv", operands, shape, pads=[kernel // 2] * 4, group=groups)


def two_products(rows: int, depth: int, columns: int) -> onnx.ModelProto:
    """Rows of a few hundred elements, a product with a function behind it, and one back."""
    net = RandomNet(np.random.default_rng(rows))
    x = Value("x", (rows, depth))
    y = net.append("MatMul", [x.name, net.weight(depth, columns, fan_in=depth)], (rows, columns))
    y = net.append("Relu", [y.name], y.shape)
    y = net.append("MatMul", [y.name, net.weight(columns, depth, fan_in=columns)], x.shape)
    net.values.append(net.append("Add", [x.name, y.name], x.shape))
    return net.model(x)
