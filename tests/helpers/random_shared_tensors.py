"""Random networks of pictures whose tensors have several readers: concats, additions, slices, later layers.

Blocks are those of residual, dense and cross-stage networks, of U-Nets and of squeeze-and-excite gates; which
tensor a block reads is drawn from all that there are, so that a tensor that was joined, added and stored is
read once more by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import onnx
from hypothesis import assume
from hypothesis import strategies as st
from random_net import MOST_ELEMENTS, Draw, RandomNet, Value, ints

from nnc.compiler.ir.required import required

CHANNELS = [3, 4, 8, 12, 16, 24]
MOST_CHANNELS = 64
Block = Callable[["SharedNet", Draw], Value | None]


class SharedNet(RandomNet):
    """A network of pictures [N, C, H, W] under construction."""

    def any(self, draw: Draw, fits: Callable[[Value], bool] = lambda value: True) -> Value | None:
        """One of the tensors that fit, as likely an old one as a new one; None if there is none."""
        found = [value for value in self.values if fits(value)]
        return draw(st.sampled_from(found)) if found else None

    def conv(self, x: Value, channels: int, kernel: int, stride: int = 1, group: int = 1) -> Value | None:
        """A convolution that keeps the size of the picture, or divides it by the stride."""
        fan_in = x.shape[1] // group * kernel * kernel
        weight = self.weight(channels, x.shape[1] // group, kernel, kernel, fan_in=fan_in)
        before = (kernel - 1) // 2
        size = [(n + 2 * before - kernel) // stride + 1 for n in x.shape[2:]]
        return self.op(
            "Conv",
            [x.name, weight, self.weight(channels)],
            (x.shape[0], channels, *size),
            pads=[before] * 4,
            strides=[stride] * 2,
            group=group,
        )

    def relu(self, x: Value) -> Value | None:
        return self.op("Relu", [x.name], x.shape)


@st.composite
def shared_networks(draw: Draw) -> onnx.ModelProto:
    """Two to nine blocks on a picture; tensors that nobody reads, and some others, are outputs."""
    shape = (draw(st.sampled_from([1, 1, 1, 2])), draw(st.sampled_from(CHANNELS)), draw(ints(5, 20)))
    input_ = Value("x", (*shape, draw(ints(5, 20))))
    net = SharedNet(np.random.default_rng(draw(ints(0, 999))), values=[input_])
    for _ in range(draw(ints(2, 9))):
        result = draw(st.sampled_from(BLOCKS))(net, draw)
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        last = net.relu(input_)
        assume(last is not None)  # it may be too large
        net.values.append(required(last))
    return net.model(input_)


def _convolution(net: SharedNet, draw: Draw) -> Value | None:
    """Convolution, mostly with an activation; the result before the activation can be read too."""
    x = net.any(draw)
    assert x is not None
    kind = draw(st.sampled_from(["3x3", "3x3", "1x1", "depthwise", "down"]))
    channels = x.shape[1] if kind == "depthwise" else draw(st.sampled_from([x.shape[1], *CHANNELS]))
    group = channels if kind == "depthwise" else 1
    result = net.conv(x, channels, 1 if kind == "1x1" else 3, 2 if kind == "down" else 1, group)
    if result is None or draw(ints(0, 3)) == 0:
        return result
    if draw(st.booleans()):
        net.values.append(result)
    return net.relu(result)


def _residual(net: SharedNet, draw: Draw) -> Value | None:
    """A sum of two tensors of one shape, as they are or after a convolution of the second."""
    x = net.any(draw)
    assert x is not None
    y = net.any(draw, lambda value: value.shape[0] == x.shape[0] and value.shape[2:] == x.shape[2:])
    assert y is not None
    if y.shape != x.shape or draw(st.booleans()):
        y = net.conv(y, x.shape[1], draw(st.sampled_from([1, 3])))
        if y is None:
            return None
    total = net.op(draw(st.sampled_from(["Add", "Add", "Mul", "Max"])), [y.name, x.name], x.shape)
    return total if total is None or draw(st.booleans()) else net.relu(total)


def _concat(net: SharedNet, draw: Draw) -> Value | None:
    """A join of two to four tensors, the same one twice too, along channels, rarely rows or columns."""
    x = net.any(draw)
    assert x is not None
    axis = draw(st.sampled_from([1, 1, 1, 1, 2, 3]))
    rest = [a for a in range(4) if a != axis]
    fits = [v for v in net.values if all(v.shape[a] == x.shape[a] for a in rest)]
    parts = [x, *(draw(st.sampled_from(fits)) for _ in range(draw(ints(1, 3))))]
    if draw(st.booleans()):
        parts.reverse()
    extent = sum(part.shape[axis] for part in parts)
    if extent > MOST_CHANNELS:
        return None
    shape = [*x.shape[:axis], extent, *x.shape[axis + 1 :]]
    joined = net.op("Concat", [part.name for part in parts], shape, axis=axis)
    if joined is None or draw(st.booleans()):
        return joined
    return net.conv(joined, draw(st.sampled_from(CHANNELS)), draw(st.sampled_from([1, 3])))


def _dense(net: SharedNet, draw: Draw) -> Value | None:
    """concat(x, conv(x)): what came in goes on beside what was made of it."""
    x = net.any(draw)
    assert x is not None
    grown = net.conv(x, draw(st.sampled_from([4, 8])), 3)
    grown = None if grown is None else net.relu(grown)
    if grown is None or x.shape[1] + grown.shape[1] > MOST_CHANNELS:
        return None
    net.values.append(grown)
    pair = [x.name, grown.name] if draw(st.booleans()) else [grown.name, x.name]
    return net.op("Concat", pair, (x.shape[0], x.shape[1] + grown.shape[1], *x.shape[2:]), axis=1)


def _dense_block(net: SharedNet, draw: Draw) -> Value | None:
    """Layers that each read the concat of all before them, mostly through a batch norm and an activation.

    The order in which a concat has its operands is the same in all of them, but now and then another; pieces
    can be read by themselves later.
    """
    x = net.any(draw)
    assert x is not None
    pieces, joined, growth = [x], x, draw(st.sampled_from([3, 4, 8]))
    for _ in range(draw(ints(2, 4))):
        shape = (x.shape[0], joined.shape[1] + growth, *x.shape[2:])
        if shape[1] > MOST_CHANNELS or math.prod(shape) > MOST_ELEMENTS:
            break
        ready = joined if draw(ints(0, 3)) == 0 else _normalised(net, draw, joined)
        grown = required(net.conv(ready, growth, draw(st.sampled_from([1, 3]))))
        if draw(ints(0, 3)) == 0:
            net.values.append(grown)
        pieces = [grown, *pieces] if draw(ints(0, 7)) == 0 else [*pieces, grown]
        joined = required(net.op("Concat", [piece.name for piece in pieces], shape, axis=1))
    if joined is x:
        return None
    return joined if draw(st.booleans()) else _normalised(net, draw, joined)


def _normalised(net: SharedNet, draw: Draw, x: Value) -> Value:
    """A batch norm, mostly with an activation."""
    channels = x.shape[1]
    scale, shift, mean = (net.weight(channels) for _ in range(3))
    variance = net.constant(net.rng.uniform(0.5, 2.0, channels), np.float32)
    result = net.append("BatchNormalization", [x.name, scale, shift, mean, variance], x.shape)
    return result if draw(ints(0, 3)) == 0 else required(net.relu(result))


def _split(net: SharedNet, draw: Draw) -> Value | None:
    """Two slices of a tensor along channels or rows: one is worked on, both can be read."""
    x = net.any(draw)
    assert x is not None
    axis = draw(st.sampled_from([1, 1, 1, 2]))
    if x.shape[axis] < 2:
        return None
    at = draw(ints(1, x.shape[axis] - 1))
    for first, end in ((0, at), (at, x.shape[axis])):
        bounds = [net.constant([n], np.int64) for n in (first, end, axis)]
        shape = [*x.shape[:axis], end - first, *x.shape[axis + 1 :]]
        piece = net.op("Slice", [x.name, *bounds], shape)
        if piece is not None:
            net.values.append(piece)
    return net.relu(net.values[-1])


def _cross_stage(net: SharedNet, draw: Draw) -> Value | None:
    """A convolution whose halves go on as they are, beside what is made of one of them."""
    x = net.any(draw)
    assert x is not None
    half = draw(st.sampled_from([4, 8]))
    first = net.conv(x, 2 * half, 1)
    if first is None:
        return None
    halves = []
    for start in (0, half):
        bounds = [net.constant([n], np.int64) for n in (start, start + half, 1)]
        halves.append(net.append("Slice", [first.name, *bounds], (x.shape[0], half, *x.shape[2:])))
    made = required(net.conv(halves[1], half, 3))
    parts = draw(st.sampled_from([[*halves, made], [made, *halves], [*halves[::-1], made]]))
    shape = (x.shape[0], 3 * half, *x.shape[2:])
    joined = net.op("Concat", [part.name for part in parts], shape, axis=1)
    return None if joined is None else net.conv(joined, draw(st.sampled_from(CHANNELS)), 1)


def _pool(net: SharedNet, draw: Draw) -> Value | None:
    x = net.any(draw)
    assert x is not None
    kind, same = draw(st.sampled_from(["MaxPool", "AveragePool"])), draw(st.booleans())
    if same:
        return net.op(kind, [x.name], x.shape, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    size = [n // 2 for n in x.shape[2:]]
    return net.op(kind, [x.name], (*x.shape[:2], *size), kernel_shape=[2, 2], strides=[2, 2])


def _inception(net: SharedNet, draw: Draw) -> Value | None:
    """Branches side by side, then a pool, a function or a global mean of all of them."""
    x = net.any(draw)
    assert x is not None
    branches = [net.conv(x, draw(st.sampled_from([4, 8])), draw(st.sampled_from([1, 3]))) for _ in "ab"]
    if draw(st.booleans()):
        branches.append(net.op("MaxPool", [x.name], x.shape, kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
    parts = [branch for branch in branches if branch is not None]
    shape = (x.shape[0], sum(part.shape[1] for part in parts), *x.shape[2:])
    if shape[1] > MOST_CHANNELS or len(parts) < 2:
        return None
    joined = net.op("Concat", [part.name for part in parts], shape, axis=1)
    if joined is None:
        return None
    if draw(ints(0, 3)) == 0:
        net.values.append(joined)
    mean = ("GlobalAveragePool", (1, 1), {})
    smaller = tuple((n - 1) // 2 + 1 for n in shape[2:])
    pool = ("MaxPool", smaller, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]})
    kind, size, attributes = draw(st.sampled_from([mean, pool, pool]))
    return net.op(kind, [joined.name], (*shape[:2], *size), **attributes)


def _branches(net: SharedNet, draw: Draw) -> Value | None:
    """Three to six branches of one tensor, one or two layers each, side by side; or up to ten, added up."""
    x = net.any(draw)
    assert x is not None
    ends, channels, adds = [], draw(st.sampled_from([4, 8])), draw(st.booleans())
    for _ in range(draw(ints(3, 10 if adds else 6))):
        end = net.conv(x, channels, draw(st.sampled_from([1, 3, 5])))
        if end is not None and draw(st.booleans()):
            end = net.conv(end, channels, draw(st.sampled_from([1, 3])))
        if end is None or (not adds and channels * (len(ends) + 1) > MOST_CHANNELS):
            return None
        ends.append(end)
    if adds:
        return net.op("Sum", [end.name for end in ends], ends[0].shape)
    shape = (x.shape[0], channels * len(ends), *x.shape[2:])
    return net.op("Concat", [end.name for end in ends], shape, axis=1)


def _upsample(net: SharedNet, draw: Draw) -> Value | None:
    """A small picture in the size of a larger one, as in a U-Net."""
    x, like = net.any(draw), net.any(draw)
    assert x is not None and like is not None
    shape = (*x.shape[:2], *like.shape[2:])
    size = net.constant(shape, np.int64)
    modes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return net.op("Resize", [x.name, "", "", size], shape, **modes)


def _gate(net: SharedNet, draw: Draw) -> Value | None:
    """Squeeze and excite: the picture times what its mean says about every channel."""
    x = net.any(draw)
    assert x is not None
    mean = net.op("GlobalAveragePool", [x.name], (*x.shape[:2], 1, 1))
    gate = None if mean is None else net.conv(mean, x.shape[1], 1)
    gate = None if gate is None else net.op("Sigmoid", [gate.name], gate.shape)
    return None if gate is None else net.op("Mul", [x.name, gate.name], x.shape)


BLOCKS: Sequence[Block] = [
    _convolution,
    _convolution,
    _residual,
    _residual,
    _concat,
    _concat,
    _dense,
    _dense_block,
    _split,
    _cross_stage,
    _pool,
    _inception,
    _branches,
    _branches,
    _upsample,
    _gate,
]
