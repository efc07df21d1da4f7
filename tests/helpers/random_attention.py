"""Random blocks of transformers: how exporters write queries, keys, values, their scales, masks and skips."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import onnx
from random_net import RandomNet, Value

WRITTEN = ("apart", "grouped", "in a row", "woven", "first axis")


def random_attention(seed: int, *, most_tokens: int = 40, written: str = "") -> onnx.ModelProto:
    """One or two blocks of attention and a perceptron, with skips; sizes are odd more often than not.

    Args:
        written: how queries, keys and values come about; one of `WRITTEN` at random if it is not given.
    """
    draw = random.Random(seed)
    net = RandomNet(np.random.default_rng(seed))
    heads, width = draw.choice([1, 2, 3, 4, 6, 12]), draw.choice([3, 4, 8, 16])
    shape = draw.choice([1, 1, 2, 3]), draw.choice([2, 7, 13, 24, 31, most_tokens]), heads * width
    value = input_ = Value("x", shape)
    sides = _sides(random.Random(f"sides {seed}"), shape[1])
    for _ in range(draw.choice([1, 1, 2])):
        value = _Block(net, draw, heads, written or draw.choice(WRITTEN), sides).run(value)
        net.values.append(value)
    return net.model(input_)


def _sides(draw: random.Random, tokens: int) -> tuple[int, int] | None:
    """Rows and columns, if tokens are those of a picture: products keep both, scores get a bias of each."""
    found = [n for n in range(2, tokens) if tokens % n == 0]
    rows = draw.choice(found) if found else 0
    return (rows, tokens // rows) if rows and draw.random() < 0.6 else None


@dataclass
class _Block:
    net: RandomNet
    draw: random.Random
    heads: int
    written: str
    sides: tuple[int, int] | None
    columns: str = field(init=False)

    def __post_init__(self) -> None:
        self.columns = self.draw.choice(["nowhere", "nowhere", "behind", "before"])

    def run(self, x: Value) -> Value:
        """The block of a tensor of tokens."""
        normal = self._normalised(x) if self.draw.random() < 0.7 else x
        seen = self._across_channels(normal) if self.draw.random() < 0.2 else self._attention(normal)
        x = self._sum(self._scaled_columns(self._product(seen, x.shape[-1])), x)
        if self.draw.random() < 0.6:
            hidden = self._op("Gelu", [self._product(x, 2 * x.shape[-1])])
            x = self._sum(self._product(hidden, x.shape[-1]), x)
        return x

    def _op(
        self, kind: str, operands: list[Value | str], shape: tuple[int, ...] = (), **more: object
    ) -> Value:
        first = operands[0]
        names = [mine if isinstance(mine, str) else mine.name for mine in operands]
        return self.net.append(
            kind, names, shape or (first.shape if isinstance(first, Value) else ()), **more
        )

    def _reshaped(self, x: Value, *shape: int) -> Value:
        return self._op("Reshape", [x, self.net.constant(shape, np.int64)], shape)

    def _turned(self, x: Value, *perm: int) -> Value:
        return self._op("Transpose", [x], tuple(x.shape[axis] for axis in perm), perm=list(perm))

    def _normalised(self, x: Value) -> Value:
        return self._op("LayerNormalization", [x, self.net.weight(x.shape[-1]), self.net.weight(x.shape[-1])])

    def _product(self, x: Value, columns: int, *, bias: float = 0.7) -> Value:
        if self.sides is not None and len(x.shape) == 3:
            batch, tokens, features = x.shape
            picture = self._product(self._reshaped(x, batch, *self.sides, features), columns, bias=bias)
            return self._reshaped(picture, batch, tokens, columns)
        depth = x.shape[-1]
        y = self._op("MatMul", [x, self.net.weight(depth, columns, fan_in=depth)], (*x.shape[:-1], columns))
        return self._op("Add", [y, self.net.weight(columns)]) if self.draw.random() < bias else y

    def _scaled_columns(self, x: Value) -> Value:
        """A scale per column, behind a transpose, maybe."""
        match self.draw.randint(0, 3):
            case 0:
                return self._op("Mul", [x, self.net.weight(x.shape[-1])])
            case 1:
                turned = self._turned(x, 0, 2, 1)
                return self._turned(self._op("Mul", [turned, self.net.weight(x.shape[-1], 1)]), 0, 2, 1)
            case _:
                return x

    def _sum(self, x: Value, skip: Value) -> Value:
        """A skip, added behind a reshape, maybe."""
        if self.draw.random() < 0.4:
            flat = self._reshaped(x, x.shape[0] * x.shape[1], x.shape[2])
            x = self._reshaped(flat, *x.shape)
        return self._op("Add", [x, skip] if self.draw.random() < 0.5 else [skip, x], x.shape)

    def _projected(self, x: Value) -> list[Value]:
        """Queries, keys and values [batch, heads, tokens, width]."""
        batch, tokens, features = x.shape
        heads, width = self.heads, features // self.heads
        if self.written == "apart":
            rows = [self._reshaped(self._product(x, features), batch, tokens, heads, width) for _ in range(3)]
            return [self._turned(tensor, 0, 2, 1, 3) for tensor in rows]
        if self.written == "grouped":
            few = self.draw.choice([n for n in range(1, heads + 1) if heads % n == 0])
            rows = [
                self._reshaped(self._product(x, count * width), batch, tokens, count, width)
                for count in (heads, few, few)
            ]
            query, key, value = (self._turned(tensor, 0, 2, 1, 3) for tensor in rows)
            return [query, self._repeated(key), self._repeated(value)]
        every = self._product(x, 3 * features)
        if self.written == "woven":
            rows = [self._reshaped(every, batch, tokens, heads, 3 * width)]
            turned = self._turned(rows[0], 0, 2, 1, 3)
            return self._split(turned, 3, (batch, heads, tokens, width))
        if self.written == "in a row":
            parts = self._split(every, 2, (batch, tokens, features))
            rows = [self._reshaped(part, batch, tokens, heads, width) for part in parts]
            return [self._turned(tensor, 0, 2, 1, 3) for tensor in rows]
        five = self._turned(self._reshaped(every, batch, tokens, 3, heads, width), 2, 0, 3, 1, 4)
        index = [self.net.constant(number, np.int64) for number in range(3)]
        return [self._op("Gather", [five, constant], five.shape[1:], axis=0) for constant in index]

    def _repeated(self, x: Value) -> Value:
        """As many heads as queries have: each repeated so often, or all of them."""
        batch, few, *matrix = x.shape
        many = self.heads // few
        once, often = self.draw.choice([((few, 1), (few, many)), ((1, few), (many, few))])
        shape = (batch, *often, *matrix)
        ones = self._reshaped(x, batch, *once, *matrix)
        expanded = self._op("Expand", [ones, self.net.constant(shape, np.int64)], shape)
        return self._reshaped(expanded, batch, self.heads, *matrix)

    def _split(self, x: Value, axis: int, shape: tuple[int, ...]) -> list[Value]:
        names = [f"{x.name}.{part}" for part in "qkv"]
        sizes = self.net.constant([shape[axis]] * 3, np.int64)
        self.net.nodes.append(
            onnx.helper.make_node("Split", [x.name, sizes], names, name=names[0], axis=axis)
        )
        return [Value(name, shape) for name in names]

    def _attention(self, x: Value) -> Value:
        query, key, value = self._projected(x)
        if self.draw.random() < 0.25:
            query, key = self._normalised(query), self._op("Relu", [key])
        number = self.net.constant(self.draw.choice([0.5, 0.3, 1.0]), np.float32)
        where = self.draw.choice(["query", "both", "scores", "divided", "nowhere"])
        if where in ("query", "both"):
            query = self._op("Mul", [query, number])
        if self.columns == "before":
            return self._reshaped(self._of_columns(query, key, value, where, number), *x.shape)
        turned = self._turned(key, 0, 1, 3, 2)
        if where == "both":
            turned = self._op("Mul", [number, turned], turned.shape)
        scores = self._op("MatMul", [query, turned], (*query.shape[:3], key.shape[2]))
        scores = self._scaled(scores, where, number)
        if self.draw.random() < 0.4:
            scores = self._op("Add", [scores, self.net.weight(self.heads, *scores.shape[2:])])
        if self.sides is not None and self.sides[0] * self.sides[1] == key.shape[2]:
            scores = self._with_positions(scores, query, *self.sides)
        weights = self._op("Softmax", [scores], axis=3)
        if self.columns == "behind":
            rows = self._turned(weights, 0, 1, 3, 2)
            if self.draw.random() < 0.3:
                rows = self._op("Mul", [rows, number])
            seen = self._op("MatMul", [self._turned(value, 0, 1, 3, 2), rows], self._columns_of(value))
            return self._reshaped(self._turned(seen, 0, 3, 1, 2), *x.shape)
        seen = self._turned(self._op("MatMul", [weights, value], query.shape), 0, 2, 1, 3)
        return self._reshaped(seen, *x.shape)

    def _with_positions(self, scores: Value, query: Value, rows: int, columns: int) -> Value:
        """A bias for the row of a key, and one for its column, which depend on the query."""
        count, width = query.shape[0] * query.shape[1], query.shape[3]
        picture = self._reshaped(query, count, rows, columns, width)
        by_row = self.net.weight(rows, width, rows, fan_in=width)
        of_rows = self._op("MatMul", [picture, by_row], (count, rows, columns, rows))
        by_column = self.net.weight(columns, width, columns, fan_in=width)
        turned = self._turned(picture, 0, 2, 1, 3)
        of_columns = self._op("MatMul", [turned, by_column], (count, columns, rows, columns))
        of_columns = self._turned(of_columns, 0, 2, 1, 3)
        five = self._reshaped(scores, count, rows, columns, rows, columns)
        five = self._op("Add", [five, self._reshaped(of_rows, count, rows, columns, rows, 1)], five.shape)
        biased = self._op(
            "Add", [five, self._reshaped(of_columns, count, rows, columns, 1, columns)], five.shape
        )
        return self._reshaped(biased, *scores.shape)

    def _scaled(self, scores: Value, where: str, number: Value | str) -> Value:
        if where not in ("scores", "divided"):
            return scores
        return self._op("Mul" if where == "scores" else "Div", [scores, number])

    def _of_columns(self, query: Value, key: Value, value: Value, where: str, number: Value | str) -> Value:
        """Scores with a column per query, as pictures [channels, pixels] have them: softmax along rows."""
        turned = self._turned(query, 0, 1, 3, 2)
        scores = self._op("MatMul", [key, turned], (*key.shape[:3], query.shape[2]))
        weights = self._op("Softmax", [self._scaled(scores, where, number)], axis=2)
        seen = self._op("MatMul", [self._turned(value, 0, 1, 3, 2), weights], self._columns_of(value))
        return self._turned(seen, 0, 3, 1, 2)

    @staticmethod
    def _columns_of(value: Value) -> tuple[int, ...]:
        return (*value.shape[:2], value.shape[3], value.shape[2])

    def _across_channels(self, x: Value) -> Value:
        """Attention of a head's channels to each other; queries and keys have unit length over tokens."""
        query, key, value = (self._turned(mine, 0, 1, 3, 2) for mine in self._projected(x))
        query, key = self._of_unit_length(query), self._of_unit_length(key)
        turned = self._turned(key, 0, 1, 3, 2)
        scores = self._op("MatMul", [query, turned], (*query.shape[:3], key.shape[2]))
        weights = self._op("Softmax", [scores], axis=3)
        seen = self._turned(self._op("MatMul", [weights, value], value.shape), 0, 3, 1, 2)
        return self._reshaped(seen, *x.shape)

    def _of_unit_length(self, x: Value) -> Value:
        axes = self.net.constant([3], np.int64)
        length = self._op("ReduceL2", [x, axes], (*x.shape[:3], 1), keepdims=1)
        least = self.net.constant(np.float32(1e-3), np.float32)
        return self._op("Div", [x, self._op("Max", [length, least], length.shape)], x.shape)
