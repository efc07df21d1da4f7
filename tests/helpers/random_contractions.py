"""Random networks that sum products over tokens or pixels: linear attention, attention across channels."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import onnx
from random_net import RandomNet, Value


def random_contraction(seed: int, *, most_rows: int = 30) -> onnx.ModelProto:
    """One or two blocks with a skip, of tokens or of pictures; sizes are odd more often than not."""
    draw = random.Random(seed)
    net = RandomNet(np.random.default_rng(seed))
    heads, width = draw.choice([1, 1, 2, 3]), draw.choice([3, 4, 8])
    batch, rows, columns = draw.choice([1, 1, 2, 3]), draw.randint(4, most_rows), draw.choice([1, 5, 8, 12])
    channels = heads * width
    if draw.random() < 0.5:
        input_ = Value("x", (batch, rows * columns, channels))
    else:
        input_ = Value("x", (batch, channels, rows, columns + 2))
    value, block = input_, _Block(net, draw, heads)
    for _ in range(draw.choice([1, 1, 2])):
        value = block.run(value)
        net.values.append(value)
    return net.model(input_)


@dataclass
class _Block:
    net: RandomNet
    draw: random.Random
    heads: int

    def run(self, x: Value) -> Value:
        """The block of a tensor of tokens or of pictures."""
        query, key, value = (self._heads_of(self._projected(x)) for _ in range(3))
        kind = self.draw.choice(["linear", "linear", "channels", "channels", "gram"])
        if kind == "linear":
            seen = self._linear(query, key, value)
        else:
            if self.draw.random() < 0.6:
                query, key = self._of_unit_length(query), self._of_unit_length(key)
            scores = self._product(query, self._turned(query if kind == "gram" else key, 0, 1, 3, 2))
            if self.draw.random() < 0.4:
                scores = self._op("Mul", scores, self.net.weight(self.heads, 1, 1))
            if self.draw.random() < 0.3:
                scores = self._op("Add", scores, self.net.weight(*scores.shape[2:]))
            seen = self._product(self._op("Softmax", scores, axis=3), value)
        return self._op("Add", self._projected(self._back(seen, x)), x)

    def _op(self, kind: str, x: Value, *others: Value | str, **more: object) -> Value:
        names = [mine if isinstance(mine, str) else mine.name for mine in others]
        shapes = [mine.shape for mine in others if isinstance(mine, Value)]
        return self.net.append(kind, [x.name, *names], np.broadcast_shapes(x.shape, *shapes), **more)

    def _product(self, x: Value, y: Value) -> Value:
        return self.net.append("MatMul", [x.name, y.name], (*x.shape[:-1], y.shape[-1]))

    def _turned(self, x: Value, *perm: int) -> Value:
        return self.net.append("Transpose", [x.name], [x.shape[axis] for axis in perm], perm=list(perm))

    def _reshaped(self, x: Value, *shape: int) -> Value:
        return self.net.append("Reshape", [x.name, self.net.constant(shape, np.int64)], shape)

    def _projected(self, x: Value) -> Value:
        """A product with weights; of pictures a convolution, or two."""
        if len(x.shape) == 3:
            weight = self.net.weight(x.shape[-1], x.shape[-1], fan_in=x.shape[-1])
            return self._op("MatMul", x, weight)
        channels = x.shape[1]
        y = self._op("Conv", x, self.net.weight(channels, channels, 1, 1, fan_in=channels))
        if self.draw.random() < 0.5:
            return y
        depthwise = self.net.weight(channels, 1, 3, 3, fan_in=9)
        return self._op("Conv", y, depthwise, group=channels, kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def _heads_of(self, x: Value) -> Value:
        """Tokens or pixels of every head, as columns: [batch, heads, width, tokens]."""
        if len(x.shape) == 4:
            batch, channels, rows, columns = x.shape
            return self._reshaped(x, batch, self.heads, channels // self.heads, rows * columns)
        batch, tokens, features = x.shape
        return self._turned(self._reshaped(x, batch, tokens, self.heads, features // self.heads), 0, 2, 3, 1)

    def _back(self, x: Value, like: Value) -> Value:
        rows = self._turned(x, 0, 3, 1, 2) if len(like.shape) == 3 else x
        return self._reshaped(rows, *like.shape)

    def _linear(self, query: Value, key: Value, value: Value) -> Value:
        """Values through a matrix of features by features; shared out over tokens, or divided by a sum."""
        kind = self.draw.choice(["softmax", "sum", "plain"])
        function = {"softmax": "Sigmoid"}.get(kind, self.draw.choice(["Relu", "Softplus"]))
        query = self._op(function, query)
        key = self._op("Softmax", key, axis=3) if kind == "softmax" else self._op(function, key)
        if self.draw.random() < 0.5:
            context = self._product(value, self._turned(key, 0, 1, 3, 2))
            seen = self._product(context, query)
        else:
            context = self._product(key, self._turned(value, 0, 1, 3, 2))
            seen = self._turned(self._product(self._turned(query, 0, 1, 3, 2), context), 0, 1, 3, 2)
        if kind != "sum":
            return seen
        total = self.net.append(
            "ReduceSum", [key.name, self.net.constant([3], np.int64)], (*key.shape[:3], 1), keepdims=1
        )
        weights = self._product(self._turned(total, 0, 1, 3, 2), query)
        return self._op("Div", seen, self._op("Add", weights, self.net.constant(0.5)))

    def _of_unit_length(self, x: Value) -> Value:
        axes = self.net.constant([3], np.int64)
        length = self.net.append("ReduceL2", [x.name, axes], (*x.shape[:3], 1), keepdims=1)
        least = self._op("Max", length, self.net.constant(1e-3))
        return self._op("Div", x, least)
