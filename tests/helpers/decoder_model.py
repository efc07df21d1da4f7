"""A small decoder of text as exporters write it for onnxruntime: its own operators, weights of four bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
Array = Any


@dataclass
class Decoder:
    """Layers of grouped attention and a gated perceptron.

    Attributes:
        tokens: new ones of a run; room: of keys and values, and of the mask of attention.
        bits: of the weights of products; 32 for MatMul of real numbers.
    """

    tokens: int
    room: int
    layers: int = 2
    heads: int = 4
    key_heads: int = 2
    channels: int = 16
    words: int = 50
    bits: int = 4
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: dict[str, Array] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Channels of a token."""
        return self.heads * self.channels

    def model(self) -> onnx.ModelProto:
        """The network: words, mask and past in, scores of the next word and present out."""
        self._random = np.random.default_rng(self.bits)
        integer, real = TensorProto.INT64, TensorProto.FLOAT
        inputs = [("input_ids", integer, [1, self.tokens]), ("attention_mask", integer, [1, self.room])]
        outputs = [("logits", real, [1, self.tokens, self.words])]
        for layer in range(self.layers):
            for kind in ("key", "value"):
                state = [1, self.key_heads, self.room, self.channels]
                inputs.append((f"past_key_values.{layer}.{kind}", real, state))
                outputs.append((f"present.{layer}.{kind}", real, state))
        self._lengths()
        stream = self._node("Gather", [self._weight("embedding", self.words, self.width), "input_ids"])
        normal = self._node(
            "SimplifiedLayerNormalization", [stream, self._weight("first", self.width)], epsilon=1e-6
        )
        for layer in range(self.layers):
            attended = self._attention(layer, normal)
            normal, stream = self._skip(f"{layer}.a", attended, stream)
            gate, up = (
                self._product(f"{layer}.{name}", normal, self.width, 2 * self.width)
                for name in ("gate", "up")
            )
            hidden = self._node("Mul", [self._node("Mul", [gate, self._node("Sigmoid", [gate])]), up])
            down = self._product(f"{layer}.down", hidden, 2 * self.width, self.width)
            normal, stream = self._skip(f"{layer}.b", down, stream)
        logits = self._product("head", normal, self.width, self.words)
        self.nodes.append(helper.make_node("Identity", [logits], ["logits"]))
        graph = helper.make_graph(
            self.nodes,
            "decoder",
            [helper.make_tensor_value_info(*info) for info in inputs],
            [helper.make_tensor_value_info(*info) for info in outputs],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _node(self, op: str, operands: list[str], domain: str = "", **attributes: Any) -> str:
        result = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [result], name=result, domain=domain, **attributes))
        return result

    def _constant(self, name: str, value: Array) -> str:
        self.weights[name] = value
        return name

    def _weight(self, name: str, *shape: int) -> str:
        return self._constant(name, self._random.standard_normal(shape).astype(np.float32))

    def _lengths(self) -> None:
        """The last place of the sequence, and how many the mask has, as exporters compute them."""
        total = self._node("ReduceSum", ["attention_mask", self._constant("axis", np.array([1]))], keepdims=0)
        last = self._node("Sub", [total, self._constant("one", np.array([1]))])
        self.lengths = self._node("Cast", [last], to=TensorProto.INT32)
        extent = self._node(
            "Gather", [self._node("Shape", ["attention_mask"]), self._constant("second", np.array(1))]
        )
        self.total = self._node("Cast", [extent], to=TensorProto.INT32)

    def _product(self, name: str, x: str, depth: int, columns: int) -> str:
        if self.bits == 32:
            weights = self._random.standard_normal((depth, columns)).astype(np.float32) / float(
                np.sqrt(depth)
            )
            return self._node("MatMul", [x, self._constant(name, weights)])
        block = 32
        shape = columns, depth // block, block * self.bits // 8
        packed = self._constant(f"{name}.q", self._random.integers(0, 256, shape).astype(np.uint8))
        step = 2 / float(np.sqrt(depth)) / (1 << self.bits)
        scales = (self._random.random(shape[:2]) * step + step).astype(np.float32)
        attributes = {"K": depth, "N": columns, "bits": self.bits, "block_size": block}
        return self._node(
            "MatMulNBits", [x, packed, self._constant(f"{name}.s", scales)], MICROSOFT, **attributes
        )

    def _attention(self, layer: int, x: str) -> str:
        sizes = {"q": self.width, "k": self.key_heads * self.channels, "v": self.key_heads * self.channels}
        parts = [self._product(f"{layer}.{name}", x, self.width, size) for name, size in sizes.items()]
        angles = np.outer(np.arange(self.room), 1 / 100 ** np.linspace(0, 1, self.channels // 2))
        tables = [
            self._constant("cosine", np.cos(angles).astype(np.float32)),
            self._constant("sine", np.sin(angles).astype(np.float32)),
        ]
        past = [f"past_key_values.{layer}.{kind}" for kind in ("key", "value")]
        present = [f"present.{layer}.{kind}" for kind in ("key", "value")]
        result = f"attention.{layer}"
        node = helper.make_node(
            "GroupQueryAttention",
            [*parts, *past, self.lengths, self.total, *tables],
            [result, *present],
            name=result,
            domain=MICROSOFT,
            num_heads=self.heads,
            kv_num_heads=self.key_heads,
            do_rotary=1,
        )
        self.nodes.append(node)
        return self._product(f"{layer}.o", result, self.width, self.width)

    def _skip(self, name: str, x: str, skip: str) -> tuple[str, str]:
        normal, total = f"{name}.normal", f"{name}.sum"
        operands = [x, skip, self._weight(f"{name}.gamma", self.width)]
        op = "SkipSimplifiedLayerNormalization"
        outputs = [normal, "", "", total]
        self.nodes.append(helper.make_node(op, operands, outputs, domain=MICROSOFT, epsilon=1e-6))
        return normal, total
