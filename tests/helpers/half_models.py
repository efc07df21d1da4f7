"""Models in half precision, as converters write them."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, helper, numpy_helper


def to_half(model: onnx.ModelProto, *, keep_io: bool = False) -> onnx.ModelProto:
    """The model with every float32 tensor in half precision.

    Args:
        keep_io: inputs and outputs stay float32, with casts behind and before them, which is what
            onnxconverter_common does with ``keep_io_types=True``.
    """
    half = onnx.ModelProto()
    half.CopyFrom(model)
    graph = half.graph
    sizes = {name for node in graph.node if node.op_type == "Resize" for name in node.input[1:]}
    for tensor in graph.initializer:
        if tensor.name not in sizes:
            _halve(tensor)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.TENSOR:
                _halve(attribute.t)
    for info in (*graph.input, *graph.output, *graph.value_info):
        if info.type.tensor_type.elem_type == TensorProto.FLOAT:
            info.type.tensor_type.elem_type = TensorProto.FLOAT16
    if keep_io:
        _wrap(graph)
    return half


def _halve(tensor: TensorProto) -> None:
    if tensor.data_type == TensorProto.FLOAT:
        values = numpy_helper.to_array(tensor).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))


def _wrap(graph: onnx.GraphProto) -> None:
    """Casts behind the inputs and before the outputs, which are float32 again."""
    nodes: list[NodeProto] = []
    renamed = {}
    for info in graph.input:
        renamed[info.name] = f"{info.name}_half"
        nodes.append(helper.make_node("Cast", [info.name], [renamed[info.name]], to=TensorProto.FLOAT16))
    for info in graph.output:
        renamed[info.name] = f"{info.name}_half"
    nodes += graph.node
    for info in graph.output:
        nodes.append(helper.make_node("Cast", [renamed[info.name]], [info.name], to=TensorProto.FLOAT))
    for node in graph.node:
        for names in (node.input, node.output):
            for index, name in enumerate(names):
                names[index] = renamed.get(name, name)
    for info in (*graph.input, *graph.output):
        info.type.tensor_type.elem_type = TensorProto.FLOAT
    copies = []
    for node in nodes:
        copy = NodeProto()
        copy.CopyFrom(node)
        copies.append(copy)
    del graph.node[:]
    graph.node.extend(copies)
