"""The light models of the onnx wheel with random weights.

onnx ships nine classic networks as exported in 2017 (`onnx/backend/test/data/light`), small because every
weight is one and the same constant.  Such weights hide permuted channels; here they are drawn anew, scaled so
that activations stay finite to the end.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from nnc.models.random_weights import AFTER_LINEAR, AFTER_RELU

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
IR_VERSION = 4  # the first in which an initialiser need not be an input of the graph too


def names() -> list[str]:
    """Names of the light models, such as `resnet50`."""
    return sorted(path.stem.removeprefix("light_") for path in FOLDER.glob("light_*.onnx"))


def path(name: str) -> Path:
    """The file of a light model as onnx ships it."""
    return FOLDER / f"light_{name}.onnx"


def build(name: str, *, seed: int = 0) -> onnx.ModelProto:
    """A light model with random weights, and what its softmax reads as a further output.

    The networks sum up to 16 residual blocks or more, so that their probabilities may be all zeros and ones;
    the values before the softmax tell more.
    """
    model = onnx.load(path(name))
    graph = model.graph
    roles = _roles(graph)
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    rng = np.random.Generator(np.random.SFC64(seed))
    kept = []
    for tensor in graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and tensor.name in roles:
            values = _draw(rng, roles[tensor.name], tuple(tensor.dims))
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        shape = tuple(int(n) for n in shapes[node.input[0]])
        values = _draw(rng, roles[node.output[0]], shape)
        graph.initializer.append(numpy_helper.from_array(values, node.output[0]))
    del graph.node[:]
    graph.node.extend(kept)
    model.ir_version = IR_VERSION
    _add_logits(model)
    return model


def _roles(graph: onnx.GraphProto) -> dict[str, str]:
    """What each constant is for: operator and slot of its reader, seen through Unsqueeze and Reshape."""
    roles: dict[str, str] = {}
    summed = {name for node in graph.node if node.op_type == "Sum" for name in node.input}
    for node in reversed(graph.node):  # readers before what they read
        for slot, name in enumerate(node.input):
            if node.op_type == "Unsqueeze" or (node.op_type == "Reshape" and slot == 0):
                roles[name] = roles.get(node.output[0], "")
            else:
                roles[name] = f"{node.op_type}.{slot}"
                if roles[name] == "BatchNormalization.1" and node.output[0] in summed:
                    roles[name] = "residual"
    return roles


def _draw(rng: np.random.Generator, role: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Weights that keep the variance of the activations; scales and variances near one, small shifts."""
    match role:
        case "Conv.1" | "Gemm.1":
            values = rng.standard_normal(shape, dtype=np.float32)
            fan_in = math.prod(shape[1:])
            gain = AFTER_RELU if role == "Conv.1" else AFTER_LINEAR  # no large logits: exp magnifies errors
            values *= np.float32(math.sqrt(gain / fan_in))
            values -= values.mean(axis=tuple(range(1, len(shape))), keepdims=True)
            return values
        case "BatchNormalization.1" | "BatchNormalization.4" | "Mul.1":
            return rng.uniform(0.8, 1.2, shape).astype(np.float32)
        case "residual":  # small branches: sums stay small, and rounding errors with them
            return rng.uniform(0.2, 0.4, shape).astype(np.float32)
        case "BatchNormalization.2" | "BatchNormalization.3" | "Add.1" | "Conv.2" | "Gemm.2":
            return np.float32(0.05) * rng.standard_normal(shape, dtype=np.float32)
        case _:
            raise ValueError(f"no weights are known for {role}")


def _add_logits(model: onnx.ModelProto) -> None:
    inferred = onnx.shape_inference.infer_shapes(model)
    types = {info.name: info for info in inferred.graph.value_info}
    for node in model.graph.node:
        if node.op_type == "Softmax":
            model.graph.output.append(types[node.input[0]])
