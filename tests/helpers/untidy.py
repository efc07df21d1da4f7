"""Models as people have them: nodes in any order, and shapes left from before the model was edited."""

from __future__ import annotations

import onnx
from onnx import helper


def untidy(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its nodes the last first, and wrong shapes of all tensors but the inputs."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    nodes = [*graph.node][::-1]
    del graph.node[:]
    graph.node.extend(nodes)
    declared = {info.name: info.type.tensor_type.elem_type for info in graph.output}
    stale = {name for node in nodes for name in node.output} - declared.keys()
    for output in graph.output:
        shape = [dim.dim_value + 1 for dim in output.type.tensor_type.shape.dim]
        output.CopyFrom(helper.make_tensor_value_info(output.name, declared[output.name], shape))
    graph.value_info.extend(
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, (7, -1, 0)) for name in sorted(stale)
    )
    return result
