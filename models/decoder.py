"""Decoders of text as exporters write them for onnxruntime: its own operators, weights of few bits.

    model = Decoder(shape, weights, tokens=1, length=256).model()

`tokens` go in, scores of the token behind each come out; keys and values of those before are inputs and
outputs, buffers of a length.  The ones of the mask say how many tokens there are with the new ones: the model
computes from it where it puts their keys.

    input_ids        i64 [1, tokens]
    attention_mask   i64 [1, length]
    past_key_values.0.key, .value …   f32 [1, key heads, length, channels]  ->  present.0.key, .value …
    logits           f32 [1, tokens, vocabulary]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
Array = NDArray[Any]


@dataclass(frozen=True)
class DecoderShape:
    """The sizes of a decoder with norms by root mean square, rotated positions and gated perceptrons.

    Attributes:
        layers: blocks of attention and perceptron.
        heads, key_heads: of queries; of keys and values, each of which serves several of queries.
        channels: of a head; width: of a token; hidden: of a perceptron; vocabulary: tokens that there are.
        epsilon: of the norms; base: of the angles, channel pair i turns by base^(-2i / channels) a token.
        neighbours: whether the weights have neighbouring channels as a pair, not one of each half.  The model
            has halves, whose rows of queries and keys are in that order: then results lie side by side.
    """

    layers: int
    heads: int
    key_heads: int
    channels: int
    width: int
    hidden: int
    vocabulary: int
    epsilon: float = 1e-5
    base: float = 10_000.0
    neighbours: bool = False


@dataclass(frozen=True)
class Blocks:
    """A matrix of few bits: (integers - zero) · scale, with a scale and a zero for each block of a row.

    Attributes:
        integers: u8 [rows, columns]; scales: f32 [rows, blocks].
        zeros: f32 [rows, blocks]; None: 2^(bits - 1).
    """

    integers: Array
    scales: Array
    zeros: Array | None
    bits: int

    @property
    def size(self) -> int:
        """Columns of a block."""
        return int(self.integers.shape[1] // self.scales.shape[1])

    def __getitem__(self, rows: Array) -> Blocks:
        """Some of the rows."""
        zeros = None if self.zeros is None else self.zeros[rows]
        return Blocks(self.integers[rows], self.scales[rows], zeros, self.bits)

    def packed(self) -> Array:
        """The integers as bytes [rows, bytes], the lowest bits first."""
        each = 8 // self.bits
        parts = self.integers.reshape(len(self.integers), -1, each)
        shifts = np.arange(0, 8, self.bits, dtype=np.uint8)
        packed: Array = np.bitwise_or.reduce(parts << shifts, axis=-1)
        return packed


class Weights(Protocol):
    """The weights of a decoder by the names that GGUF files have for them."""

    def matrix(self, name: str) -> Blocks | Array:
        """A matrix [results, operands]."""
        ...

    def vector(self, name: str) -> Array:
        """The factors of a norm, f32."""
        ...


class Decoder:
    """Writes one decoder as a model."""

    def __init__(self, shape: DecoderShape, weights: Weights, *, tokens: int = 1, length: int = 256) -> None:
        """Args:
        tokens: new ones of a run.
        length: tokens that keys and values have room for, with the new ones.
        """
        if not 1 <= tokens <= length:
            raise ValueError(f"{tokens} new tokens do not fit a length of {length}")
        self._shape, self._weights, self._tokens, self._length = shape, weights, tokens, length
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, Array] = {}

    def model(self) -> onnx.ModelProto:
        """The model, of the opset 21 and onnxruntime's domain."""
        shape, length, tokens = self._shape, self._length, self._tokens
        integer, real = TensorProto.INT64, TensorProto.FLOAT
        inputs = [("input_ids", integer, [1, tokens]), ("attention_mask", integer, [1, length])]
        outputs = [("logits", real, [1, tokens, shape.vocabulary])]
        for past, present in self._state_names():
            state = [1, shape.key_heads, length, shape.channels]
            inputs.append((past, real, state))
            outputs.append((present, real, state))
        self._write_layers()
        graph = helper.make_graph(
            self._nodes,
            "decoder",
            [helper.make_tensor_value_info(*info) for info in inputs],
            [helper.make_tensor_value_info(*info) for info in outputs],
            [numpy_helper.from_array(value, name) for name, value in self._constants.items()],
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _state_names(self) -> list[tuple[str, str]]:
        kinds = [(layer, kind) for layer in range(self._shape.layers) for kind in ("key", "value")]
        return [(f"past_key_values.{layer}.{kind}", f"present.{layer}.{kind}") for layer, kind in kinds]

    def _write_layers(self) -> None:
        length, total = self._lengths()
        stream = self._embedded()
        factors = self._constant("first_norm", self._weights.vector("blk.0.attn_norm"))
        normal = self._node(
            "SimplifiedLayerNormalization", [stream, factors], epsilon=self._shape.epsilon, axis=-1
        )
        for layer in range(self._shape.layers):
            block, last = f"blk.{layer}", layer == self._shape.layers - 1
            attended = self._attention(layer, normal, length, total)
            normal, stream = self._skip(f"{block}.ffn_norm", attended, stream)
            gate, up = (self._product(f"{block}.ffn_{name}", normal) for name in ("gate", "up"))
            gated = self._node("Mul", [gate, self._node("Sigmoid", [gate])])
            down = self._product(f"{block}.ffn_down", self._node("Mul", [gated, up]))
            normal, stream = self._skip("output_norm" if last else f"blk.{layer + 1}.attn_norm", down, stream)
        self._nodes.append(helper.make_node("Identity", [self._product("output", normal)], ["logits"]))

    def _node(self, op: str, operands: list[str], domain: str = "", **attributes: Any) -> str:
        result = f"{op}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(op, operands, [result], name=result, domain=domain, **attributes))
        return result

    def _constant(self, name: str, value: Array) -> str:
        self._constants[name] = np.ascontiguousarray(value)
        return name

    def _lengths(self) -> tuple[str, str]:
        """The position of the last token, and the length of the mask, as exporters compute them."""
        one = self._constant("one", np.array([1]))
        count = self._node("ReduceSum", ["attention_mask", one], keepdims=0)
        last = self._node("Cast", [self._node("Sub", [count, one])], to=TensorProto.INT32)
        columns = self._constant("columns", np.array(1))
        extent = self._node("Gather", [self._node("Shape", ["attention_mask"]), columns])
        return last, self._node("Cast", [extent], to=TensorProto.INT32)

    def _embedded(self) -> str:
        """A row of the table for each token; of few bits, if its blocks have no zeros of their own."""
        table = self._weights.matrix("token_embd")
        if isinstance(table, Blocks) and table.zeros is None:
            rows = self._constant("token_embd.integers", table.packed())
            scales = self._constant("token_embd.scales", table.scales)
            attributes = {"bits": table.bits, "block_size": table.size, "quantize_axis": 1, "gather_axis": 0}
            return self._node("GatherBlockQuantized", [rows, "input_ids", scales], MICROSOFT, **attributes)
        return self._node("Gather", [self._constant("token_embd", real_numbers(table)), "input_ids"])

    def _product(self, name: str, x: str, heads: int = 0) -> str:
        """x times a matrix.

        Args:
            heads: in each of so many, of the results the even ones come first: neighbours that are rotated
                together are halves then.
        """
        matrix = self._weights.matrix(name)
        if heads:
            count = len(matrix.integers if isinstance(matrix, Blocks) else matrix)
            matrix = matrix[np.arange(count).reshape(heads, -1, 2).transpose(0, 2, 1).ravel()]
        if not isinstance(matrix, Blocks):
            return self._node("MatMul", [x, self._constant(name, matrix.T)])
        rows, columns = matrix.integers.shape
        packed = matrix.packed().reshape(rows, matrix.scales.shape[1], -1)
        operands = [
            self._constant(f"{name}.integers", packed),
            self._constant(f"{name}.scales", matrix.scales),
        ]
        if matrix.zeros is not None:
            operands.append(self._constant(f"{name}.zeros", matrix.zeros))
        attributes = {"K": columns, "N": rows, "bits": matrix.bits, "block_size": matrix.size}
        return self._node("MatMulNBits", [x, *operands], MICROSOFT, **attributes)

    def _attention(self, layer: int, x: str, length: str, total: str) -> str:
        shape, result = self._shape, f"blk.{layer}.attn"
        angles = np.outer(
            np.arange(self._length), shape.base ** (-np.arange(0, shape.channels, 2) / shape.channels)
        )
        tables = [
            self._constant(name, function(angles).astype(np.float32))
            for name, function in (("cosine", np.cos), ("sine", np.sin))
        ]
        (past_key, key), (past_value, value) = self._state_names()[2 * layer : 2 * layer + 2]
        turned = (shape.heads, shape.key_heads) if shape.neighbours else (0, 0)
        heads = zip("qkv", (*turned, 0), strict=True)
        parts = [self._product(f"{result}_{name}", x, count) for name, count in heads]
        operands = [*parts, past_key, past_value, length, total, *tables]
        node = helper.make_node(
            "GroupQueryAttention",
            operands,
            [result, key, value],
            name=result,
            domain=MICROSOFT,
            num_heads=shape.heads,
            kv_num_heads=shape.key_heads,
            do_rotary=1,
            rotary_interleaved=0,
        )
        self._nodes.append(node)
        return self._product(f"{result}_output", result)

    def _skip(self, name: str, x: str, skip: str) -> tuple[str, str]:
        """The norm of a sum, and the sum."""
        normal, total = f"{name}.normal", f"{name}.sum"
        node = helper.make_node(
            "SkipSimplifiedLayerNormalization",
            [x, skip, self._constant(name, self._weights.vector(name))],
            [normal, "", "", total],
            name=normal,
            domain=MICROSOFT,
            epsilon=self._shape.epsilon,
        )
        self._nodes.append(node)
        return normal, total


def real_numbers(matrix: Blocks | Array) -> Array:
    """A matrix as f32."""
    if not isinstance(matrix, Blocks):
        return matrix
    zeros = np.float32(1 << (matrix.bits - 1)) if matrix.zeros is None else matrix.zeros[..., None]
    parts = matrix.integers.reshape(*matrix.scales.shape, -1).astype(np.float32)
    product: Array = ((parts - zeros) * matrix.scales[..., None]).reshape(matrix.integers.shape)
    return product
