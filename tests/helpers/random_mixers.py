"""Random layers that mix tokens: products with constants along what is not the last axis, gated maybe."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st
from onnx import helper
from random_net import MOST_ELEMENTS, Draw, RandomNet, Value, ints, layer


def _turned(net: RandomNet, x: Value) -> Value:
    perm = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    return net.append("Transpose", [x.name], [x.shape[axis] for axis in perm], perm=perm)


def _normalised(net: RandomNet, x: Value) -> Value:
    """Of so few features that all may be about alike, a norm would be nothing but rounding errors."""
    if x.shape[-1] < 3:
        return net.append("Tanh", [x.name], x.shape)
    return net.append("LayerNormalization", [x.name, net.weight(x.shape[-1])], x.shape, epsilon=0.01)


def _product(net: RandomNet, x: Value, columns: int) -> Value:
    weight = net.weight(x.shape[-1], columns, fan_in=x.shape[-1])
    return net.append("MatMul", [x.name, weight], (*x.shape[:-1], columns))


def _with_functions(net: RandomNet, draw: Draw, x: Value) -> Value:
    """Biases, scales and functions behind a product: per column, per row, or one for all."""
    rows, columns = x.shape[-2:]
    for _ in range(draw(ints(0, 3))):
        kind = draw(st.sampled_from(["Add", "Mul", "Gelu", "Tanh", "Where"]))
        if kind in ("Gelu", "Tanh"):
            x = net.append(kind, [x.name], x.shape)
            continue
        shapes = [(rows, columns), (1, rows, columns), (columns,), (rows, 1), (1,), ()]
        shape = draw(st.sampled_from(shapes[:2] if kind == "Where" else shapes))  # chosen: not all of a row
        names = draw(st.permutations([x.name, net.weight(*shape[-x.rank :])]))
        if kind == "Where":
            names.insert(0, net.constant(net.rng.random(shape[-x.rank :]) < 0.5, np.bool_))
        x = net.append(kind, names, x.shape)
    return x


@layer
def mixed(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Axes swapped, one or two products, axes swapped again; what is swapped may have another reader."""
    if x.rank < 2 or math.prod(x.shape) * 2 > MOST_ELEMENTS:
        return None
    columns = _turned(net, _normalised(net, x))
    y = _with_functions(net, draw, _product(net, columns, draw(ints(1, 2 * x.shape[-2]))))
    if draw(st.integers(0, 2)) == 0:
        y = _with_functions(net, draw, _product(net, y, x.shape[-2]))
    if draw(st.integers(0, 3)) == 0:
        other = draw(st.sampled_from([columns, y]))
        net.values.append(net.append("Neg", [other.name], other.shape))
    y = _turned(net, y)
    return net.op("Add", [x.name, y.name], x.shape) if y.shape == x.shape else y


@layer
def gated(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Hidden features in halves, of which one gates the other once its tokens are mixed (gMLP)."""
    half = draw(ints(1, 8))
    if x.rank < 2 or math.prod(x.shape[:-1]) * 2 * half > MOST_ELEMENTS:
        return None
    hidden = _with_functions(net, draw, _product(net, x, 2 * half))
    shape = (*x.shape[:-1], half)
    pair = [f"{hidden.name}a", f"{hidden.name}b"]
    net.nodes.append(helper.make_node("Split", [hidden.name], pair, axis=x.rank - 1, num_outputs=2))
    features, gate = (Value(name, shape) for name in draw(st.permutations(pair)))
    if draw(st.booleans()):
        gate = _normalised(net, gate)
    gate = _turned(net, _with_functions(net, draw, _product(net, _turned(net, gate), x.shape[-2])))
    y = net.append("Mul", draw(st.permutations([features.name, gate.name])), shape)
    return _product(net, y, x.shape[-1])
