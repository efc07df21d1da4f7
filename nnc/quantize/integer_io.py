"""Inputs and outputs of a quantised model as integers: no conversion from and to float at its ends."""

from __future__ import annotations

from typing import Any

from onnx import ModelProto


def with_integer_io(model: ModelProto) -> list[str]:
    """Take QuantizeLinear behind inputs and DequantizeLinear before outputs away, in place.

    Inputs and outputs keep their names and get the type of the integers.  An input that is read in any other
    way, or in two scales, stays as it is, and so does an output that is computed as a float.

    Returns:
        The names of those that are integers now.
    """
    graph = model.graph
    types = {tensor.name: tensor.data_type for tensor in graph.initializer}
    changed = []
    for info in graph.input:
        readers = [node for node in graph.node if info.name in node.input]
        parameters = {tuple(node.input[1:]) for node in readers}
        if all(_is(node, "QuantizeLinear", info.name) for node in readers) and len(parameters) == 1:
            for node in readers:
                _rename(graph, node.output[0], info.name)
                graph.node.remove(node)
            info.type.tensor_type.elem_type = types[readers[0].input[2]]
            changed.append(info.name)
    for info in graph.output:
        maker = next((node for node in graph.node if info.name in node.output), None)
        if maker is None or any(info.name in node.input for node in graph.node):
            continue
        source = maker.input[0]
        if _is(maker, "DequantizeLinear", source) and source not in [i.name for i in graph.input]:
            graph.node.remove(maker)
            _rename(graph, source, info.name)
            info.type.tensor_type.elem_type = types[maker.input[2]]
            changed.append(info.name)
    del graph.value_info[:]  # of tensors that have other names now
    return changed


def _is(node: Any, op_type: str, source: str) -> bool:
    """Whether a node converts this tensor, with a zero point that says the type."""
    return node.op_type == op_type and node.input[0] == source and len(node.input) == 3


def _rename(graph: Any, old: str, new: str) -> None:
    for node in graph.node:
        for names in (node.input, node.output):
            for index, name in enumerate(names):
                if name == old:
                    names[index] = new
