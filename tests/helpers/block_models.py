"""Models whose products with constant matrices become MatMulNBits: other weights, of few bits in blocks."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper


def with_blocks(model: onnx.ModelProto, seed: int = 0) -> onnx.ModelProto:
    """A copy with random weights of 2, 4 or 8 bits, blocks and zero points in the place of f32 matrices."""
    rng = np.random.default_rng(seed)
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    graph = changed.graph
    shapes = {
        t.name: tuple(t.dims)
        for t in graph.initializer
        if len(t.dims) == 2 and t.data_type == TensorProto.FLOAT
    }
    nodes = list[NodeProto]()
    for number, node in enumerate(graph.node):
        is_product = node.op_type == "MatMul" and not node.domain and node.input[1] in shapes
        nodes.append(_in_blocks(graph, node, shapes[node.input[1]], number, rng) if is_product else node)
    del graph.node[:]
    graph.node.extend(nodes)
    changed.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return changed


def _in_blocks(
    graph: onnx.GraphProto, node: NodeProto, shape: tuple[int, int], number: int, rng: np.random.Generator
) -> NodeProto:
    """The node that multiplies by random blocks; its results are about as large as before.

    onnxruntime refuses real zero points of 8 bits.
    """
    (depth, channels), bits, block = shape, int(rng.choice([2, 4, 8])), int(rng.choice([16, 32, 64]))
    blocks = -(-depth // block)
    scales = (rng.random((channels, blocks)) + 0.5) / (1 << bits) / np.sqrt(depth)
    zeros = {
        "none": None,
        "packed": rng.integers(0, 256, (channels, -(-blocks * bits // 8))).astype(np.uint8),
        "real": (rng.random((channels, blocks)) * (1 << bits)).astype(np.float32),
    }[str(rng.choice(["none", "packed"] if bits == 8 else ["none", "packed", "real"]))]
    data = {
        "weights": rng.integers(0, 256, (channels, blocks, block * bits // 8)).astype(np.uint8),
        "scales": scales.astype(np.float16 if rng.random() < 0.5 else np.float32).astype(np.float32),
    } | ({} if zeros is None else {"zeros": zeros})
    names = [f"blocks.{number}.{name}" for name in data]
    graph.initializer.extend(map(numpy_helper.from_array, data.values(), names))
    fields = {"K": depth, "N": channels, "bits": bits, "block_size": block}
    inputs = [node.input[0], *names]
    return helper.make_node("MatMulNBits", inputs, node.output, node.name, domain="com.microsoft", **fields)
