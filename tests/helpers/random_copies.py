"""Random networks that take a batch apart and do the same to its pictures: siamese networks, batches that are
split and joined by hand, pictures that are read by themselves, twice, or in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper
from random_net import Draw, RandomNet, Value, ints

CHANNELS = [3, 4, 8, 12, 16]
Step = Callable[[Value], Value]
"""A layer with weights of its own, which may be done to several tensors."""


@dataclass
class CopiesNet(RandomNet):
    """A network of batches [N, C, H, W] or [N, tokens, features] under construction, with several inputs."""

    inputs: list[Value] = field(default_factory=list)

    def more(self, *shape: int) -> Value:
        """A further input."""
        self.inputs.append(Value(f"x{len(self.inputs)}", shape))
        return self.inputs[-1]

    def finished(self) -> onnx.ModelProto:
        """The model with all of its inputs."""
        self.values = list(dict.fromkeys(self.values))
        model = self.model(self.inputs[0])
        others = [helper.make_tensor_value_info(v.name, TensorProto.FLOAT, v.shape) for v in self.inputs[1:]]
        model.graph.input.extend(others)
        return model

    def part(self, x: Value, first: int, count: int) -> Value:
        """Some pictures of a batch."""
        ends = [self.constant([n], np.int64) for n in (first, first + count, 0)]
        return self.append("Slice", [x.name, *ends], (count, *x.shape[1:]))

    def one(self, x: Value, place: int) -> Value:
        """One picture of a batch, by its number."""
        row = self.append("Gather", [x.name, self.constant(place, np.int64)], x.shape[1:], axis=0)
        return self.append("Unsqueeze", [row.name, self.constant([0], np.int64)], (1, *x.shape[1:]))


StepOf = Callable[[CopiesNet, Draw, int], Step]
"""What draws a layer for so many channels."""


@st.composite
def copies_networks(draw: Draw) -> onnx.ModelProto:
    """A tower of one to five layers on parts of a batch, or on inputs; what it gives is joined, or is not."""
    net = CopiesNet(np.random.default_rng(draw(ints(0, 999))))
    if draw(ints(0, 3)):
        shape, steps = (draw(st.sampled_from(CHANNELS)), draw(ints(4, 14)), draw(ints(4, 14))), PICTURES
    else:
        shape, steps = (draw(ints(2, 12)), draw(st.sampled_from(CHANNELS))), TOKENS
    parts = _parts(net, draw, shape, draw(st.sampled_from(steps)) if draw(st.booleans()) else None)
    features = 1 if steps is PICTURES else 2
    for _ in range(draw(ints(1, 5))):
        channels = parts[0].shape[features]
        step = draw(st.sampled_from(steps))(net, draw, channels)
        results = [step(part) for part in parts]
        if draw(ints(0, 4)) == 0:  # a copy with weights of its own
            results[0] = draw(st.sampled_from(steps))(net, draw, channels)(parts[0])
        if results[0].shape != results[-1].shape:  # nothing joins them
            net.values += results
            return net.finished()
        if draw(ints(0, 4)) == 0:
            net.values.append(results[-1])
        parts = results
    net.values += _joined(net, draw, parts)
    return net.finished()


def _parts(net: CopiesNet, draw: Draw, shape: tuple[int, ...], stem: StepOf | None) -> list[Value]:
    """Parts of a batch, of which some may be the same, in any order; or inputs apart."""
    kind = draw(st.sampled_from(["split", "parts", "ones", "inputs"]))
    count = draw(ints(2, 4))
    if kind == "inputs":
        return [net.more(1, *shape) for _ in range(count)]
    each = draw(ints(1, 2))
    batch = net.more(count * each, *shape)
    if stem is not None:
        batch = stem(net, draw, shape[0] if len(shape) == 3 else shape[1])(batch)
    if kind == "split":
        return [net.part(batch, n * each, each) for n in range(count)]
    if kind == "ones":
        places = draw(st.lists(ints(0, count * each - 1), min_size=1, max_size=3))
        return [net.one(batch, place) for place in places]
    firsts = draw(st.lists(ints(0, (count - 1) * each), min_size=1, max_size=3))
    return [net.part(batch, first, each) for first in firsts]


def _joined(net: CopiesNet, draw: Draw, parts: list[Value]) -> list[Value]:
    """What is made of the copies' results: batches in some order, sums, sides, nothing."""
    kind = draw(st.sampled_from(["batch", "batch", "reversed", "sides", "sum", "apart"]))
    count, first = len(parts), parts[0]
    if kind == "apart" or count == 1:
        return parts
    if kind == "sum":
        return [net.append("Sub", [parts[0].name, parts[1].name], first.shape), *parts[2:]]
    axis = 1 if kind == "sides" else 0
    names = [part.name for part in (parts[::-1] if kind == "reversed" else parts)]
    shape = [*first.shape]
    shape[axis] *= count
    whole = net.append("Concat", names, shape, axis=axis)
    found = [net.append("Relu", [whole.name], whole.shape)] if draw(st.booleans()) else [whole]
    return [*found, parts[-1]] if draw(ints(0, 2)) == 0 else found


# --- layers on pictures, or tokens, with weights that copies share -----------------------------------------


def _conv(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """A convolution, maybe with a batch norm, maybe with an activation."""
    size, depthwise = draw(st.sampled_from([1, 3])), draw(ints(0, 3)) == 0
    outputs = channels if depthwise else draw(st.sampled_from(CHANNELS))
    inside = 1 if depthwise else channels
    weight = net.weight(outputs, inside, size, size, fan_in=inside * size * size)
    norm = [net.weight(outputs) for _ in range(3)] + [net.constant(np.full(outputs, 1.5))]
    has_norm, has_relu, stride = draw(st.booleans()), draw(st.booleans()), draw(st.sampled_from([1, 1, 2]))

    def step(x: Value) -> Value:
        rows = [(n - 1) // stride + 1 for n in x.shape[2:]]
        y = net.append(
            "Conv",
            [x.name, weight],
            (x.shape[0], outputs, *rows),
            pads=[size // 2] * 4,
            strides=[stride] * 2,
            group=channels if depthwise else 1,
        )
        if has_norm:
            y = net.append("BatchNormalization", [y.name, *norm], y.shape)
        return net.append("Relu", [y.name], y.shape) if has_relu else y

    return step


def _residual(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """A convolution whose operand is added to its result, or lies beside it."""
    weight = net.weight(channels, channels, 3, 3, fan_in=9 * channels)
    beside = draw(st.booleans())

    def step(x: Value) -> Value:
        y = net.append("Conv", [x.name, weight], x.shape, pads=[1] * 4)
        if beside:
            shape = (x.shape[0], 2 * channels, *x.shape[2:])
            return net.append("Concat", [x.name, y.name], shape, axis=1)
        return net.append("Add", [y.name, x.name], x.shape)

    return step


def _pool(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """A pool, or a picture that is enlarged."""
    enlarges, scales = draw(st.booleans()), net.constant([1, 1, 2, 2])

    def step(x: Value) -> Value:
        outer, size = x.shape[:2], x.shape[2:]
        if enlarges and np.prod(x.shape) < 2000:
            larger = (*outer, *(2 * n for n in size))
            return net.append("Resize", [x.name, "", scales], larger, mode="nearest")
        smaller = (*outer, *((n - 1) // 2 + 1 for n in size))
        window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
        return net.append("MaxPool", [x.name], smaller, **window)

    return step


def _product(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """A product of features, maybe with a residual, a softmax or other tokens in between."""
    outputs = draw(st.sampled_from([channels, *CHANNELS]))
    weight, bias = net.weight(channels, outputs, fan_in=channels), net.weight(outputs)
    behind = draw(st.sampled_from(["", "Softmax", "Tanh", "self"]))

    def step(x: Value) -> Value:
        y = net.append("MatMul", [x.name, weight], (*x.shape[:-1], outputs))
        y = net.append("Add", [y.name, bias], y.shape)
        if behind == "self":  # attention without more
            turned = net.append("Transpose", [y.name], (y.shape[0], outputs, y.shape[1]), perm=[0, 2, 1])
            scores = net.append("MatMul", [y.name, turned.name], (*y.shape[:2], y.shape[1]))
            soft = net.append("Softmax", [scores.name], scores.shape, axis=-1)
            return net.append("MatMul", [soft.name, y.name], y.shape)
        return net.append(behind, [y.name], y.shape) if behind else y

    return step


def _over_batch(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """Something along the batch: pictures of a part are no longer by themselves."""
    axis = draw(st.sampled_from([0, 1]))
    return lambda x: net.append("Softmax", [x.name], x.shape, axis=axis)


PICTURES: list[StepOf] = [_conv, _conv, _conv, _residual, _pool, _over_batch]
TOKENS: list[StepOf] = [_product, _product, _over_batch]


# --- batches whose pictures are all done alike -------------------------------------------------------------


@st.composite
def batches_networks(draw: Draw) -> onnx.ModelProto:
    """Two to seven layers on a batch: pictures by themselves, halves of channels, sums over the batch."""
    net = CopiesNet(np.random.default_rng(draw(ints(0, 999))))
    if draw(ints(0, 3)):
        shape, steps = (draw(st.sampled_from(CHANNELS)), draw(ints(4, 14)), draw(ints(4, 14))), PICTURES
    else:
        shape, steps = (draw(ints(2, 12)), draw(st.sampled_from(CHANNELS))), TOKENS
    x = net.more(draw(ints(2, 4)), *shape)
    features = 1 if steps is PICTURES else 2
    for _ in range(draw(ints(2, 7))):
        step = draw(st.sampled_from([*steps[:-1], *steps, _halves, _per_picture]))
        x = step(net, draw, x.shape[features])(x)
        if draw(ints(0, 5)) == 0:
            net.values.append(x)
    if draw(st.booleans()):
        x = net.append("Flatten", [x.name], (x.shape[0], int(np.prod(x.shape[1:]))))
        x = net.append("MatMul", [x.name, net.weight(x.shape[1], 6, fan_in=x.shape[1])], (x.shape[0], 6))
    net.values.append(x)
    return net.finished()


def _halves(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """Two halves along the second axis change places, one of them through a function."""
    behind = draw(st.sampled_from(["Relu", "Tanh"]))

    def step(x: Value) -> Value:
        if x.shape[1] % 2:
            return net.append(behind, [x.name], x.shape)
        half = (x.shape[0], x.shape[1] // 2, *x.shape[2:])
        parts = []
        for first in (half[1], 0):
            ends = [net.constant([n], np.int64) for n in (first, first + half[1], 1)]
            parts.append(net.append("Slice", [x.name, *ends], half))
        parts[0] = net.append(behind, [parts[0].name], half)
        return net.append("Concat", [part.name for part in parts], x.shape, axis=1)

    return step


def _per_picture(net: CopiesNet, draw: Draw, channels: int) -> Step:
    """A factor that every picture has of its own, or an average over all of a picture."""
    averages = draw(st.booleans())

    def step(x: Value) -> Value:
        ones = (1,) * (len(x.shape) - 1)
        if not averages:
            return net.append("Mul", [x.name, net.weight(x.shape[0], *ones)], x.shape)
        axes = net.constant(list(range(2, len(x.shape))), np.int64)
        mean = net.append("ReduceMean", [x.name, axes], (*x.shape[:2], *ones[1:]), keepdims=1)
        return net.append("Sub", [x.name, mean.name], x.shape)

    return step
