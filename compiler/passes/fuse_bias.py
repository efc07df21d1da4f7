"""fuse-bias: an added constant vector over the output channels becomes the bias of the MAC layer.

before:  y = matmul(x, W);  z = add(y, b)        with b of shape [N]
after:   z = matmul(x, W, b)
"""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, MacLayer, MatMul
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.isa.functions import Function


def _fuse(graph: Graph, layer: MacLayer) -> bool:
    inputs = graph.inputs_of(layer.name)
    if layer.act is not Function.IDENTITY or any(tensor is not None for tensor in inputs[2:]):
        return False
    tensor = graph.output_of(layer.name)
    user = sole_consumer(graph, tensor)
    if user is None or not isinstance(user[0], Elementwise) or user[0].function is not Function.ADD:
        return False
    add, slot = user
    operands = graph.inputs_of(add.name)
    if len(operands) != 2 or not graph.is_constant(operands[1 - slot]):
        return False
    value = graph.constants[str(operands[1 - slot])]
    shape = graph.types[tensor].shape
    if graph.types[graph.output_of(add.name)].shape != shape:
        return False
    channel = len(shape) - 1 if isinstance(layer, MatMul) else 1
    padded = (1,) * (len(shape) - value.ndim) + value.shape
    if any(extent != 1 for axis, extent in enumerate(padded) if axis != channel):
        return False
    vector = np.ascontiguousarray(np.broadcast_to(value.reshape(-1), (shape[channel],)))
    bias = graph.add_constant(f"{layer.name}.bias", vector)
    graph.set_inputs(layer.name, [*inputs[:2], bias])
    graph.take_over_output(layer.name, graph.output_of(add.name))
    return True


def _run(graph: Graph) -> None:
    for layer in graph.layers():
        if isinstance(layer, MacLayer):
            _fuse(graph, layer)


FUSE_BIAS = Pass("fuse-bias", _run)
