"""Attention of many tokens as a network, for benches: `attention-2048` is a layer of it over 2,048 tokens.

for each of 8 heads with 64 features:   softmax(q · kᵀ / 8) · v        of x: [1, tokens, 512]
result                                  x + joined heads · weights
"""

from __future__ import annotations

import numpy as np
import onnx

from nnc.models.builder import NetBuilder, Tensor

HEADS, FEATURES = 8, 64
WIDTH = HEADS * FEATURES


def attention(tokens: int) -> onnx.ModelProto:
    """A layer of attention with its skip, of random weights, over so many tokens."""
    net, draw = NetBuilder("attention", (1, tokens, WIDTH), width=1, seed=0), np.random.default_rng(0)
    heads = (1, tokens, HEADS, FEATURES)
    apart, joined = net.constant("apart", np.array(heads)), net.constant("joined", np.array((1, -1, WIDTH)))

    def product(x: Tensor, name: str) -> Tensor:
        values = draw.standard_normal((WIDTH, WIDTH)).astype(np.float32) / np.float32(WIDTH**0.5)
        return net.op("MatMul", [x.name, net.constant(name, values)], (1, tokens, WIDTH))

    def head_by_head(name: str, perm: list[int]) -> Tensor:
        seen = net.op("Reshape", [product(net.input, name).name, apart], heads)
        return net.op("Transpose", [seen.name], [heads[axis] for axis in perm], perm=perm)

    queries, values = head_by_head("query", [0, 2, 1, 3]), head_by_head("value", [0, 2, 1, 3])
    keys, square = head_by_head("key", [0, 2, 3, 1]), (1, HEADS, tokens, tokens)
    scores = net.op("MatMul", [queries.name, keys.name], square)
    scale = net.constant("scale", np.array(FEATURES**-0.5, np.float32))
    shares = net.op("Softmax", [net.op("Mul", [scores.name, scale], square).name], square, axis=-1)
    seen = net.op("MatMul", [shares.name, values.name], (1, HEADS, tokens, FEATURES))
    turned = net.op("Transpose", [seen.name], heads, perm=[0, 2, 1, 3])
    context = net.op("Reshape", [turned.name, joined], (1, tokens, WIDTH))
    return net.finish(net.add(product(context, "result"), net.input))
