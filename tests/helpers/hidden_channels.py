"""Small random networks of blocks with many hidden channels: inverted residuals, bottlenecks, MLPs."""

from __future__ import annotations

import random

import numpy as np
import onnx
from random_net import RandomNet, Value


def hidden_blocks(
    seed: int, *, kind: str = "", batch: int = 0, hidden: int = 0, gated: bool = False
) -> onnx.ModelProto:
    """One to three blocks that expand their channels and project them again; some add what they read.

    Args:
        kind: "pictures", "tokens", or "both" (the pixels of one block are the tokens of the next); "": one of
            the first two.
        batch: pictures, or sequences; 0: 1 to 5.
        hidden: channels; 0: of each block 40 to 200.
        gated: whether products of the same tensor are multiplied with each other, or added.
    """
    draw = random.Random(seed)
    kind, batch = kind or draw.choice(["pictures", "pictures", "tokens"]), batch or draw.randint(1, 5)
    net = RandomNet(np.random.default_rng(seed))
    extent, channels = draw.randint(4, 10), draw.choice([8, 12, 16, 24])
    pictures = kind != "tokens"
    shape = (batch, channels, extent, extent) if pictures else (batch, extent * extent, channels)
    value = input_ = Value("x", shape)
    for _ in range(draw.randint(1, 3)):
        wide = hidden or draw.randint(40, 200)
        block = _picture_block if pictures else _token_block
        value = block(net, draw, value, wide, gated)
        net.values.append(value)
        if kind == "both" and pictures:
            value, pictures = _tokens(net, value), False
    return net.model(input_)


def _tokens(net: RandomNet, x: Value) -> Value:
    """The pixels of pictures as tokens of their channels."""
    batch, channels, rows, columns = x.shape
    turned = net.append("Transpose", [x.name], (batch, rows, columns, channels), perm=[0, 2, 3, 1])
    shape = (batch, rows * columns, channels)
    return net.append("Reshape", [turned.name, net.constant(shape, np.int64)], shape)


def _picture_block(net: RandomNet, draw: random.Random, x: Value, hidden: int, gated: bool) -> Value:
    """1x1, depthwise or pool or nothing, then a 1x1 or 3x3 that projects; functions after any of them."""
    h, stride = _function(net, draw, _conv(net, x, hidden, 1, bias=draw.random() < 0.7)), 1
    if gated:
        gate = _function(net, draw, _conv(net, x, hidden, draw.choice([1, 1, 3]), bias=draw.random() < 0.7))
        h = net.append("Mul", draw.sample([h.name, gate.name], 2), h.shape)
    if draw.random() < 0.8:
        kernel, stride = draw.choice([3, 3, 5]), draw.choice([1, 1, 2])
        if draw.random() < 0.2:
            shape = _pooled(h.shape, stride)
            h = net.append(
                "MaxPool", [h.name], shape, kernel_shape=[3, 3], strides=[stride] * 2, pads=[1] * 4
            )
        else:
            h = _conv(net, h, hidden, kernel, stride=stride, groups=hidden, bias=draw.random() < 0.7)
        h = _function(net, draw, h)
    channels = x.shape[1] if draw.random() < 0.7 else draw.choice([8, 12, 20])
    y = _conv(net, h, channels, draw.choice([1, 1, 1, 3]), bias=draw.random() < 0.7)
    if y.shape == x.shape and draw.random() < 0.8:
        y = net.append("Add", draw.sample([x.name, y.name], 2), y.shape)
    return _function(net, draw, y) if draw.random() < 0.4 else y


def _token_block(net: RandomNet, draw: random.Random, x: Value, hidden: int, gated: bool) -> Value:
    """Products with a function or a gate between them; the sum with what they read, or a part of it."""
    h = _made(net, x, hidden)
    functions = ["Gelu", "Relu", "Sigmoid"]
    match draw.choice(["gate", "own gate", "three"]) if gated else "function":
        case "function":
            h = net.append(draw.choice(functions), [h.name], h.shape)
        case "gate":
            gate = net.append(draw.choice(functions), [_made(net, x, hidden).name], h.shape)
            h = net.append(draw.choice(["Mul", "Add"]), draw.sample([h.name, gate.name], 2), h.shape)
        case "own gate":
            gate = net.append("HardSwish", [h.name], h.shape)
            h = net.append("Max", [gate.name, h.name], h.shape)
        case "three":
            both = net.append("Mul", [h.name, _made(net, x, hidden).name], h.shape)
            h = net.append("Add", draw.sample([both.name, _made(net, x, hidden).name], 2), h.shape)
    y = net.append("MatMul", [h.name, net.weight(hidden, x.shape[-1], fan_in=hidden)], x.shape)
    if draw.random() < 0.7:
        y = net.append("Add", [y.name, net.weight(x.shape[-1])], y.shape)
    return net.append("Add", draw.sample([x.name, y.name], 2), y.shape) if draw.random() < 0.7 else y


def _made(net: RandomNet, x: Value, hidden: int) -> Value:
    """Hidden features of tokens."""
    shape = (*x.shape[:-1], hidden)
    h = net.append("MatMul", [x.name, net.weight(x.shape[-1], hidden, fan_in=x.shape[-1])], shape)
    return net.append("Add", [h.name, net.weight(hidden)], shape)


def _conv(
    net: RandomNet,
    x: Value,
    channels: int,
    kernel: int,
    *,
    stride: int = 1,
    groups: int = 1,
    bias: bool = True,
) -> Value:
    shape = (x.shape[0], channels, *_pooled(x.shape, stride)[2:])
    depth = x.shape[1] // groups
    operands = [x.name, net.weight(channels, depth, kernel, kernel, fan_in=depth * kernel * kernel)]
    operands += [net.weight(channels)] if bias else []
    pads = [kernel // 2] * 4
    return net.append("Conv", operands, shape, strides=[stride] * 2, pads=pads, group=groups)


def _pooled(shape: tuple[int, ...], stride: int) -> tuple[int, ...]:
    return (*shape[:2], *(-(-extent // stride) for extent in shape[2:]))


def _function(net: RandomNet, draw: random.Random, x: Value) -> Value:
    kind = draw.choice(["Relu", "Clip", "HardSwish", "Sigmoid", ""])
    if kind == "Clip":
        return net.append(kind, [x.name, net.constant(0.0), net.constant(6.0)], x.shape)
    return net.append(kind, [x.name], x.shape) if kind else x


def residual_blocks(seed: int, batch: int = 0) -> onnx.ModelProto:
    """Two to four blocks whose result is as large as what they read, and is added to it or multiplied by it.

    Narrow or wide inside, with strides and projected skips between them, as in residual networks.

    Args:
        batch: pictures; 0: 1 to 3.
    """
    draw = random.Random(seed)
    net = RandomNet(np.random.default_rng(seed))
    extent, channels = draw.randint(6, 24), draw.choice([12, 16, 24, 40])
    value = input_ = Value("x", (batch or draw.choice([1, 1, 2, 3]), channels, extent, extent))
    for _ in range(draw.randint(2, 4)):
        value = _residual_block(net, draw, value)
        net.values.append(value)
    return net.model(input_)


def _residual_block(net: RandomNet, draw: random.Random, x: Value) -> Value:
    """Up to three convolutions, the middle one with a window, and the sum with what they read."""
    stride = draw.choice([1, 1, 2]) if x.shape[2] >= 8 else 1
    wide = 2 * x.shape[1] if stride > 1 else draw.choice([x.shape[1], x.shape[1], x.shape[1], 48])
    inner, h, skip = draw.choice([8, 16, wide // 4, wide]), x, x
    if stride > 1 or wide != x.shape[1]:
        skip = _conv(net, x, wide, draw.choice([1, 3]), stride=stride)
    elif draw.random() < 0.2:
        skip = _function(net, draw, x)
    if draw.random() < 0.7:
        h = _function(net, draw, _conv(net, h, inner, 1))
    h = _function(net, draw, _conv(net, h, inner, draw.choice([1, 3, 3, 5]), stride=stride))
    h = _conv(net, h, wide, draw.choice([1, 1, 3]))
    y = net.append(draw.choice(["Add", "Add", "Add", "Mul"]), draw.sample([skip.name, h.name], 2), h.shape)
    return _function(net, draw, y) if draw.random() < 0.6 else y
