"""Random layers that a function of themselves, or of what is pooled of them, multiplies."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st
from random_net import Draw, RandomNet, Value, ints, layer


@layer
def composed(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Swish, hard swish or GELU as exporters write them; or nearly so: of another tensor, or read twice."""
    source = x if draw(st.integers(0, 3)) else draw(st.sampled_from(net.values))
    if source.shape != x.shape:
        return None
    kind = draw(st.sampled_from(["swish", "hard swish", "gelu"]))
    if kind == "swish":
        gate = net.append("Sigmoid", [source.name], x.shape)
    elif kind == "hard swish":
        ramp = net.append("Add", [source.name, net.constant(3.0)], x.shape)
        clipped = net.append("Clip", [ramp.name, net.constant(0.0), net.constant(6.0)], x.shape)
        gate = net.append("Div", [clipped.name, net.constant(6.0)], x.shape)
    else:
        error = net.append("Div", [source.name, net.constant(math.sqrt(2))], x.shape)
        error = net.append("Erf", [error.name], x.shape)
        gate = net.append("Add", [error.name, net.constant(1.0)], x.shape)
    product = net.append("Mul", draw(st.permutations([x.name, gate.name])), x.shape)
    if draw(st.integers(0, 3)) == 0:
        return net.op("Add", [product.name, gate.name], x.shape)
    return net.op("Mul", [product.name, net.constant(0.5)], x.shape) if kind == "gelu" else product


@layer
def squeezed(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Squeeze and excite: the average or the maximum of all pixels becomes a factor per channel.

    Both may be pooled, and others may read what is pooled.
    """
    if x.rank < 3:
        return None
    shape = (*x.shape[:2], *[1] * (x.rank - 2))
    pools = draw(st.sampled_from([["GlobalAveragePool"], ["GlobalMaxPool"], ["ReduceMean", "GlobalMaxPool"]]))
    spatial = net.constant(range(2, x.rank), np.int64)
    pooled = [
        net.append(kind, [x.name, spatial] if kind == "ReduceMean" else [x.name], shape) for kind in pools
    ]
    inner = draw(ints(1, 9))
    gate = pooled[0] if len(pooled) == 1 else net.append("Add", [p.name for p in pooled], shape)
    for channels, function in (
        (inner, "Relu"),
        (x.shape[1], draw(st.sampled_from(["Sigmoid", "HardSigmoid"]))),
    ):
        weight = net.weight(channels, gate.shape[1], *shape[2:], fan_in=gate.shape[1])
        gate = net.append("Conv", [gate.name, weight], (x.shape[0], channels, *shape[2:]))
        gate = net.append(function, [gate.name], gate.shape)
    if draw(st.integers(0, 2)) == 0:
        net.values.append(net.append("Neg", [pooled[-1].name], shape))
    return net.op("Mul", draw(st.permutations([x.name, gate.name])), x.shape)


@layer
def detected(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """The head of a detector: pixels of several scales side by side, then a function, or bins of softmax."""
    if x.rank != 4:
        return None
    bins, each = draw(ints(2, 4)), draw(ints(1, 5))  # a softmax of one bin is constant
    channels, scales = bins * each, []
    for _ in range(draw(ints(1, 3))):
        stride = draw(ints(1, 2))
        pixels = tuple(-(-n // stride) for n in x.shape[2:])
        weight = net.weight(channels, x.shape[1], 1, 1, fan_in=x.shape[1])
        scale = net.append("Conv", [x.name, weight], (x.shape[0], channels, *pixels), strides=[stride] * 2)
        flat = net.constant([x.shape[0], channels, math.prod(pixels)], np.int64)
        scales.append(net.append("Reshape", [scale.name, flat], (x.shape[0], channels, math.prod(pixels))))
    shape = (x.shape[0], channels, sum(scale.shape[2] for scale in scales))
    joined = net.op("Concat", [scale.name for scale in scales], shape, axis=2)
    if joined is None or draw(st.booleans()):
        return joined and net.op("Sigmoid", [joined.name], shape)
    split = net.constant([x.shape[0], each, bins, shape[2]], np.int64)
    boxes = net.append("Reshape", [joined.name, split], (x.shape[0], each, bins, shape[2]))
    turned = (x.shape[0], bins, each, shape[2])
    boxes = net.append("Transpose", [boxes.name], turned, perm=[0, 2, 1, 3])
    boxes = net.append("Softmax", [boxes.name], turned, axis=1)
    weight = net.weight(1, bins, 1, 1, fan_in=bins)
    return net.op("Conv", [boxes.name, weight], (x.shape[0], 1, each, shape[2]))


@layer
def hidden_channels(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Many channels that one convolution makes and another sums over, maybe with a depthwise one between."""
    if x.rank != 4:
        return None
    hidden = (x.shape[0], draw(st.sampled_from([40, 64, 72, 100])), *x.shape[2:])
    expand = net.weight(hidden[1], x.shape[1], 1, 1, fan_in=x.shape[1])
    wide = net.op("Conv", [x.name, expand], hidden)
    if wide is None:
        return None
    if draw(st.booleans()):
        wide = net.append(draw(st.sampled_from(["Relu", "HardSwish"])), [wide.name], hidden)
    if draw(st.booleans()):
        weight = net.weight(hidden[1], 1, 3, 3, fan_in=9)
        wide = net.append("Conv", [wide.name, weight], hidden, group=hidden[1], pads=[1] * 4)
    channels = draw(st.sampled_from([x.shape[1], 7]))
    project = net.weight(channels, hidden[1], 1, 1, fan_in=hidden[1])
    y = net.append("Conv", [wide.name, project], (x.shape[0], channels, *x.shape[2:]))
    if y.shape != x.shape or draw(st.booleans()):
        return y
    return net.op("Add", draw(st.permutations([x.name, y.name])), y.shape)


@layer
def weighed(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Branches stacked or dealt out, weighed against each other, and summed: selective kernels, pyramids."""
    if x.rank != 4:
        return None
    count, axis = draw(ints(2, 4)), draw(st.sampled_from([1, 1, 4]))
    channels = draw(ints(1, 6))
    kernel = draw(st.sampled_from([1, 3]))
    wide = (x.shape[0], count * channels, *x.shape[2:])
    weight = net.weight(wide[1], x.shape[1], kernel, kernel, fan_in=x.shape[1] * kernel**2)
    source = net.op("Conv", [x.name, weight], wide, pads=[kernel // 2] * 4)
    if source is None:
        return None
    source = net.append("Relu", [source.name], wide)
    each = (x.shape[0], channels, *x.shape[2:])
    shape = (*each[:axis], count, *each[axis:])
    if axis == 1 and draw(st.booleans()):
        stack = net.append("Reshape", [source.name, net.constant(shape, np.int64)], shape)
    else:
        parts, place = [], net.constant([axis], np.int64)
        for number in range(count):
            bounds = [net.constant([n * channels], np.int64) for n in (number, number + 1)]
            part = net.append("Slice", [source.name, *bounds, net.constant([1], np.int64)], each)
            unsqueezed = (*each[:axis], 1, *each[axis:])
            parts.append(net.append("Unsqueeze", [part.name, place], unsqueezed).name)
        stack = net.append("Concat", parts, shape, axis=axis)
    summed = net.constant([axis], np.int64)
    if draw(st.booleans()):
        total = net.append("ReduceSum", [stack.name, summed], each, keepdims=0)
        pooled = net.append("GlobalAveragePool", [total.name], (*each[:2], 1, 1))
        square = net.weight(channels * count, channels, 1, 1, fan_in=channels)
        gate = net.append("Conv", [pooled.name, square], (each[0], wide[1], 1, 1))
        gates = (each[0], count, channels, 1, 1) if axis == 1 else (each[0], channels, 1, 1, count)
        gate = net.append("Reshape", [gate.name, net.constant(gates, np.int64)], gates)
        gate = net.append("Softmax", [gate.name], gates, axis=axis)
    else:
        gates = [count if position == axis else 1 for position in range(5)]
        gate = Value(net.constant(net.rng.uniform(0.2, 1, gates)), tuple(gates))
    stack = net.append("Mul", draw(st.permutations([stack.name, gate.name])), shape)
    kind = draw(st.sampled_from(["ReduceSum", "ReduceMean", "ReduceMax"]))
    return net.append(kind, [stack.name, summed], each, keepdims=0)
