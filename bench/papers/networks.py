"""The networks of other people's papers as ONNX models, with random weights; the same of one name each time.

>>> network("gpt2-prefill", "i8", 4)
PosixPath('build/bench/papers/gpt2-prefill-4.i8.onnx')
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper
from onnxruntime.transformers.float16 import convert_float_to_float16

from nnc import models
from nnc.models.builder import NetBuilder, Tensor

FOLDER = Path("build/bench/papers")
_HEADS, _FEATURES = 12, 64
_WIDTH = _HEADS * _FEATURES
_TOKENS = 512


def resnet50(batch: int) -> onnx.ModelProto:
    """ResNet-50 as `nnc models build` makes it (v1.5)."""
    return models.build("resnet50", batch=batch)


def googlenet(batch: int) -> onnx.ModelProto:
    """GoogLeNet without local response normalisation and softmax, which Cocco does not count."""
    model = models.build("googlenet", batch=batch)
    renamed: dict[str, str] = {}
    kept: list[onnx.NodeProto] = []
    for node in model.graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
        if node.op_type in ("LRN", "Softmax"):
            renamed[node.output[0]] = node.input[0]
        else:
            kept.append(node)
    kept[-1].output[0] = model.graph.output[0].name
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return model


class _Block(NetBuilder):
    """A transformer's block over (batch, tokens, width), without biases and mask, as in SoMa."""

    def __init__(self, name: str, batch: int, tokens: int) -> None:
        super().__init__(name, (batch, tokens, _WIDTH), width=1, seed=0)
        self._values = np.random.default_rng(0)

    def drawn(self, *shape: int, scale: float = 1.0) -> NDArray[np.float32]:
        return (scale * self._values.standard_normal(shape)).astype(np.float32)

    def product(self, x: Tensor, name: str, columns: int) -> Tensor:
        """x times a matrix of weights."""
        weights = self.constant(name, self.drawn(x.shape[-1], columns, scale=x.shape[-1] ** -0.5))
        return self.op("MatMul", [x.name, weights], (*x.shape[:-1], columns))

    def normalised(self, x: Tensor, name: str) -> Tensor:
        ones = self.constant(name, np.ones(x.shape[-1], np.float32))
        return self.op("LayerNormalization", [x.name, ones], x.shape, axis=-1)

    def by_head(self, x: Tensor, *, turned: bool = False) -> Tensor:
        """(batch, heads, tokens, features) of (batch, tokens, width); turned: features before tokens."""
        batch, tokens, _ = x.shape
        apart = self.constant(f"{x.name}.heads", np.array((batch, tokens, _HEADS, _FEATURES)))
        seen = self.op("Reshape", [x.name, apart], (batch, tokens, _HEADS, _FEATURES))
        axes = [0, 2, 3, 1] if turned else [0, 2, 1, 3]
        return self.op("Transpose", [seen.name], [seen.shape[axis] for axis in axes], perm=axes)

    def attended(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """softmax(query · key / 8) · value; the key is (batch, heads, features, tokens)."""
        square = (*query.shape[:-1], key.shape[-1])
        scale = self.constant("scale", np.array(_FEATURES**-0.5, np.float32))
        scores = self.op("MatMul", [query.name, key.name], square)
        shares = self.unary("Softmax", self.op("Mul", [scores.name, scale], square), axis=-1)
        return self.op("MatMul", [shares.name, value.name], query.shape)

    def rest(self, context: Tensor) -> onnx.ModelProto:
        """What follows attention: a product, and four times as wide a pair of them, both with skips."""
        batch, _, tokens, _ = context.shape
        turned = self.op("Transpose", [context.name], (batch, tokens, _HEADS, _FEATURES), perm=[0, 2, 1, 3])
        joined = self.constant("joined", np.array((batch, tokens, _WIDTH)))
        x = self.op("Reshape", [turned.name, joined], (batch, tokens, _WIDTH))
        x = self.add(self.product(x, "project", _WIDTH), self.input)
        wide = self.unary("Gelu", self.product(self.normalised(x, "norm2"), "widen", 4 * _WIDTH))
        return self.finish(self.add(self.product(wide, "narrow", _WIDTH), x))


def gpt2_prefill(batch: int) -> onnx.ModelProto:
    """A block of GPT-2 small over 512 tokens."""
    net = _Block("gpt2-prefill", batch, _TOKENS)
    x = net.normalised(net.input, "norm1")
    query, key, value = (net.product(x, name, _WIDTH) for name in ("query", "key", "value"))
    return net.rest(net.attended(net.by_head(query), net.by_head(key, turned=True), net.by_head(value)))


def gpt2_decode(batch: int) -> onnx.ModelProto:
    """The same block for one token, behind 511 whose keys and values are inputs."""
    net = _Block("gpt2-decode", batch, 1)
    x = net.normalised(net.input, "norm1")
    query, key, value = (net.by_head(net.product(x, name, _WIDTH)) for name in ("query", "key", "value"))
    before, shape = (batch, _HEADS, _TOKENS - 1, _FEATURES), (batch, _HEADS, _TOKENS, _FEATURES)
    keys = net.op("Concat", ["past_key", key.name], shape, axis=2)
    values = net.op("Concat", ["past_value", value.name], shape, axis=2)
    turned = net.op("Transpose", [keys.name], (*shape[:2], _FEATURES, _TOKENS), perm=[0, 1, 3, 2])
    model = net.rest(net.attended(query, turned, values))
    for name in ("past_key", "past_value"):
        model.graph.input.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, before))
    return model


def two_convolutions(batch: int) -> onnx.ModelProto:
    """Stream's: 8, 16 and 32 channels of 32 × 32 pixels, 3 × 3 taps."""
    net = NetBuilder("two-convolutions", (batch, 8, 32, 32), width=1, seed=0)
    x = net.conv(net.input, 16, 3, pad=1, bias=False)
    return net.finish(net.conv(x, 32, 3, pad=1, bias=False))


def swiglu(batch: int) -> onnx.ModelProto:
    """Stream's gated layer: 256 tokens of 2,048 features, 8,192 between."""
    net, draw = NetBuilder("swiglu", (batch * 256, 2048), width=1, seed=0), np.random.default_rng(0)
    hidden = (batch * 256, 8192)

    def product(x: Tensor, name: str, columns: int) -> Tensor:
        values = draw.standard_normal((x.shape[1], columns)) * x.shape[1] ** -0.5
        weights = net.constant(name, values.astype(np.float32))
        return net.op("MatMul", [x.name, weights], (x.shape[0], columns))

    gate, up = product(net.input, "gate", 8192), product(net.input, "up", 8192)
    swish = net.op("Mul", [gate.name, net.unary("Sigmoid", gate).name], hidden)
    return net.finish(product(net.op("Mul", [swish.name, up.name], hidden), "down", 2048))


_NETWORKS: dict[str, Callable[[int], onnx.ModelProto]] = {
    "resnet50": resnet50,
    "googlenet": googlenet,
    "gpt2-prefill": gpt2_prefill,
    "gpt2-decode": gpt2_decode,
    "two-convolutions": two_convolutions,
    "swiglu": swiglu,
}


def network(name: str, numbers: str, batch: int = 1) -> Path:
    """A network's file in build/bench/papers, made unless it is there.

    Args:
        numbers: its elements: i8 (quantised on random data, inputs and outputs too), f16 or f32.

    Raises:
        subprocess.CalledProcessError: it cannot be quantised.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}-{batch}.{numbers}.onnx"
    if path.exists():
        return path
    model = _NETWORKS[name](batch)
    if numbers == "f16":
        model = convert_float_to_float16(model)
    with TemporaryDirectory(dir=FOLDER) as folder:  # another process may make the same network meanwhile
        made, quantised = Path(folder) / "made.onnx", Path(folder) / "quantised.onnx"
        onnx.save(model, made)
        if numbers == "i8":
            command = ["quantize", made, "-o", quantised, "--random", "1", "--integer-io"]
            subprocess.run([sys.executable, "-m", "nnc", *map(str, command)], check=True, capture_output=True)
        (quantised if numbers == "i8" else made).rename(path)
    return path
