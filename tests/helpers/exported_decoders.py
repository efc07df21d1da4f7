"""Small decoders of text as exporters of PyTorch write them: concats of the past, all lengths symbolic.

    input_ids i64 [1, tokens]    attention_mask i64 [1, past + tokens]    position_ids i64 [1, tokens]
    past_key_values.0.key, .value … f32 [1, key heads, past, channels]  ->  present.0.key, .value …
    logits f32 [1, tokens, vocabulary]

The mask of [1, 1, tokens, past + tokens] is made as they make it: of the sizes of the inputs and of the mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = Any
VOCABULARY, WIDTH, HEADS, CHANNELS, MOST_TOKENS = 40, 32, 4, 8, 64
LOWEST = float(np.finfo(np.float32).min)


@dataclass(frozen=True)
class Kind:
    """In what families of decoders differ.

    Attributes:
        rotary: share of the channels that turn by position; 0: positions have embeddings.
        key_heads: of keys and values.
        norm: "rms", "rms1" (factors of 1 + w) or "layer".
        gate: the function of a gated perceptron; "": one without a gate.
        has_bias: of queries, keys and values; is_parallel: the perceptron reads what attention reads.
        window: tokens that a query sees; 0: all.
        softcap: of scores; scale: of embeddings.
    """

    rotary: float = 1.0
    key_heads: int = 2
    norm: str = "rms"
    gate: str = "silu"
    has_bias: bool = False
    is_parallel: bool = False
    window: int = 0
    softcap: float = 0.0
    scale: float = 1.0


KINDS = {
    "llama": Kind(),
    "gpt2": Kind(rotary=0, key_heads=HEADS, norm="layer", gate="", has_bias=True),
    "gemma": Kind(norm="rms1", gate="gelu", key_heads=1, softcap=5.0, scale=WIDTH**0.5),
    "qwen2": Kind(has_bias=True),
    "phi": Kind(rotary=0.5, key_heads=HEADS, norm="layer", gate="", has_bias=True, is_parallel=True),
    "mistral": Kind(window=64),
}


class ExportedDecoder:
    """Builds the model node by node."""

    def __init__(self, kind: Kind, layers: int = 2, *, positions_of_past: bool = False) -> None:
        """Args:
        positions_of_past: compute positions of the length of the past, in place of an input.
        """
        self._kind, self._random = kind, np.random.default_rng(7)
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._past: list[str] = []
        self._layers, self._positions_of_past = layers, positions_of_past

    def model(self) -> onnx.ModelProto:
        """The model."""
        state = [1, self._kind.key_heads, "past", CHANNELS]
        names = [f"{n}.{part}" for n in range(self._layers) for part in ("key", "value")]
        self._past = [f"past_key_values.{name}" for name in names]
        inputs = [("input_ids", [1, "tokens"]), ("attention_mask", [1, "total"])]
        inputs += [] if self._positions_of_past else [("position_ids", [1, "tokens"])]
        value = helper.make_tensor_value_info
        infos = [value(name, TensorProto.INT64, shape) for name, shape in inputs]
        infos += [value(name, TensorProto.FLOAT, state) for name in self._past]
        self._network()
        outputs = [value("logits", TensorProto.FLOAT, [1, "tokens", VOCABULARY])]
        grown = [1, self._kind.key_heads, "total", CHANNELS]
        outputs += [value(f"present.{name}", TensorProto.FLOAT, grown) for name in names]
        graph = helper.make_graph(self._nodes, "decoder", infos, outputs, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        onnx.checker.check_model(model, full_check=True)
        return model

    def _add(self, op: str, *operands: str, result: str = "", **attributes: Any) -> str:
        name = result or f"{op.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(op, operands, [name], name=name, **attributes))
        return name

    def _constant(self, value: Array, dtype: type = np.float32) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def _integers(self, *values: int) -> str:
        return self._constant(values, np.int64)

    def _weight(self, *shape: int) -> str:
        return self._constant(self._random.standard_normal(shape) / np.sqrt(shape[0]))

    def _size(self, tensor: str, axis: int) -> str:
        return self._add("Gather", self._add("Shape", tensor), self._integers(axis), axis=0)

    def _network(self) -> None:
        kind = self._kind
        x = self._add("Gather", self._weight(VOCABULARY, WIDTH), "input_ids", axis=0)
        x = self._add("Mul", x, self._constant(kind.scale * WIDTH**0.5))
        past, tokens = self._size(self._past[0], 2), self._size("input_ids", 1)
        total = self._add("Add", past, tokens)
        one, zero = self._constant(1, np.int64), self._constant(0, np.int64)
        ends = [self._add("Squeeze", size) for size in (past, total)]
        rows = self._add("Range", ends[0], ends[1], one)
        columns = self._add("Range", zero, ends[1], one)
        positions = "position_ids"
        if self._positions_of_past:
            positions = self._add("Unsqueeze", rows, self._integers(0))
        bias = self._mask(rows, columns)
        if not kind.rotary:
            x = self._add("Add", x, self._add("Gather", self._weight(MOST_TOKENS, WIDTH), positions, axis=0))
        turns = self._turns(positions) if kind.rotary else ("", "")
        for number in range(self._layers):
            x = self._block(x, number, bias, turns)
        x = self._norm(x)
        self._add("MatMul", x, self._weight(WIDTH, VOCABULARY), result="logits")

    def _mask(self, rows: str, columns: str) -> str:
        """What is added to scores: the lowest number where a key lies behind a query or is masked."""
        column = self._add("Unsqueeze", rows, self._integers(1))
        seen = self._add("LessOrEqual", columns, column)
        if self._kind.window:
            first = self._add("Sub", column, self._constant(self._kind.window, np.int64))
            seen = self._add("And", seen, self._add("Greater", columns, first))
        given = self._add("Cast", "attention_mask", to=TensorProto.BOOL)
        given = self._add("Unsqueeze", given, self._integers(1, 2))
        both = self._add("And", self._add("Unsqueeze", seen, self._integers(0, 1)), given)
        return self._add("Where", both, self._constant(0.0), self._constant(LOWEST))

    def _turns(self, positions: str) -> tuple[str, str]:
        """Cosines and sines [1, 1, tokens, turned channels]."""
        turned = int(CHANNELS * self._kind.rotary)
        frequencies = self._constant(100.0 ** -(np.arange(0, turned, 2) / turned))
        column = self._add("Unsqueeze", positions, self._integers(2))
        angles = self._add("Mul", self._add("Cast", column, to=TensorProto.FLOAT), frequencies)
        both = self._add("Unsqueeze", self._add("Concat", angles, angles, axis=-1), self._integers(1))
        return self._add("Cos", both), self._add("Sin", both)

    def _norm(self, x: str) -> str:
        factors = 1 + self._random.standard_normal(WIDTH) / 10
        if self._kind.norm == "layer":
            bias = self._weight(WIDTH)
            return self._add("LayerNormalization", x, self._constant(factors), bias, epsilon=1e-5)
        squares = self._add("ReduceMean", self._add("Pow", x, self._constant(2.0)), self._integers(-1))
        root = self._add("Sqrt", self._add("Add", squares, self._constant(1e-6)))
        normal = self._add("Mul", x, self._add("Reciprocal", root))
        scale = self._constant(factors - (self._kind.norm == "rms1"))
        if self._kind.norm == "rms1":
            scale = self._add("Add", scale, self._constant(1.0))
        return self._add("Mul", scale, normal)

    def _product(self, x: str, rows: int, columns: int) -> str:
        product = self._add("MatMul", x, self._weight(rows, columns))
        return self._add("Add", product, self._weight(columns)) if self._kind.has_bias else product

    def _heads(self, x: str, count: int) -> str:
        apart = self._add("Reshape", x, self._integers(1, -1, count, CHANNELS))
        return self._add("Transpose", apart, perm=[0, 2, 1, 3])

    def _turned(self, x: str, turns: tuple[str, str]) -> str:
        """Heads turned by position: x · cos + rotated(x) · sin, of the first channels."""
        turned = int(CHANNELS * self._kind.rotary)
        if not turned:
            return x
        first = self._part(x, 0, turned)
        halves = self._part(first, 0, turned // 2), self._part(first, turned // 2, turned)
        rotated = self._add("Concat", self._add("Neg", halves[1]), halves[0], axis=-1)
        terms = [self._add("Mul", part, turn) for part, turn in zip((first, rotated), turns, strict=True)]
        total = self._add("Add", *terms)
        return (
            total
            if turned == CHANNELS
            else self._add("Concat", total, self._part(x, turned, CHANNELS), axis=-1)
        )

    def _part(self, x: str, start: int, stop: int) -> str:
        bounds = [self._integers(bound) for bound in (start, stop, 3)]
        return self._add("Slice", x, *bounds)

    def _repeated(self, x: str, total: str) -> str:
        """Heads of keys as often as queries read them."""
        count = HEADS // self._kind.key_heads
        if count == 1:
            return x
        apart = self._add("Unsqueeze", x, self._integers(2))
        sizes = [self._integers(n) for n in (1, self._kind.key_heads, count)]
        shape = self._add("Concat", *sizes, total, self._integers(CHANNELS), axis=0)
        return self._add("Reshape", self._add("Expand", apart, shape), self._integers(1, HEADS, -1, CHANNELS))

    def _block(self, x: str, number: int, bias: str, turns: tuple[str, str]) -> str:
        kind, normal = self._kind, self._norm(x)
        query = self._turned(self._heads(self._product(normal, WIDTH, HEADS * CHANNELS), HEADS), turns)
        sizes = (WIDTH, kind.key_heads * CHANNELS)
        key = self._turned(self._heads(self._product(normal, *sizes), kind.key_heads), turns)
        value = self._heads(self._product(normal, *sizes), kind.key_heads)
        keys, values = (
            self._add("Concat", f"past_key_values.{number}.{name}", part, axis=-2,
                      result=f"present.{number}.{name}")
            for name, part in (("key", key), ("value", value))
        )  # fmt: skip
        total = self._size(keys, 2)
        turned = self._add("Transpose", self._repeated(keys, total), perm=[0, 1, 3, 2])
        scores = self._add("Div", self._add("MatMul", query, turned), self._constant(CHANNELS**0.5))
        if kind.softcap:
            cap = self._constant(kind.softcap)
            scores = self._add("Mul", self._add("Tanh", self._add("Div", scores, cap)), cap)
        weights = self._add("Softmax", self._add("Add", scores, bias), axis=-1)
        seen = self._add("MatMul", weights, self._repeated(values, total))
        joined = self._add("Transpose", seen, perm=[0, 2, 1, 3])
        joined = self._add("Reshape", joined, self._integers(1, -1, HEADS * CHANNELS))
        attended = self._add("MatMul", joined, self._weight(HEADS * CHANNELS, WIDTH))
        if kind.is_parallel:
            return self._add("Add", self._add("Add", x, attended), self._perceptron(normal))
        x = self._add("Add", x, attended)
        return self._add("Add", x, self._perceptron(self._norm(x)))

    def _perceptron(self, x: str) -> str:
        hidden = self._add("MatMul", x, self._weight(WIDTH, 2 * WIDTH))
        active = self._add("Mul", hidden, self._add("Sigmoid", hidden))
        if self._kind.gate == "gelu" or not self._kind.gate:
            root = self._add("Mul", hidden, self._constant(2**-0.5))
            half = self._add("Add", self._add("Erf", root), self._constant(1.0))
            active = self._add("Mul", self._add("Mul", hidden, half), self._constant(0.5))
        if self._kind.gate:
            active = self._add("Mul", active, self._add("MatMul", x, self._weight(WIDTH, 2 * WIDTH)))
        return self._add("MatMul", active, self._weight(2 * WIDTH, WIDTH))
