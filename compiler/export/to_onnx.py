"""Graph → ONNX: a graph of any level as a model that computes what the network computes.

A partitioned graph becomes M1's network: slice layers, P copies of every layer, one concat layer per output.
"""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, ValueInfoProto, helper, numpy_helper

from nnc.compiler.errors import ExportError
from nnc.compiler.export.nodes import NodeWriter, element_code
from nnc.compiler.export.registry import EMITTERS
from nnc.compiler.ir.graph import Graph, TensorType, constant_bytes
from nnc.compiler.ir.layer_cost import NO_COSTS, Costs

OPSET = 20
IR_VERSION = 10
"""The first version in which nodes have properties."""
LARGEST = 2**31 - 2**24
"""Bytes of constants that a file can hold, beside its nodes."""

__all__ = ["EMITTERS", "to_bytes", "to_onnx"]


def to_onnx(graph: Graph, costs: Costs = NO_COSTS) -> ModelProto:
    """A graph at any level as an ONNX model of opset 20.

    Inputs and outputs keep their names, types and order.  Values are named as the tensors of the graph and
    have their shapes in `value_info`; a layer that takes several nodes ends with the one that defines its
    tensor, and the others are named as the layer plus a suffix ("/residual", "/act" …).  The properties of
    every node are layer, kind and origin, and those of group, group_kind, part and core that are known; so
    are group_cycles and group_dram_bytes, predicted for the whole group, and for the whole network those of
    the model, predicted_cycles and predicted_dram_bytes.  Addresses, storage and the order of issue have no
    place in ONNX.

    Args:
        costs: of layers; their nodes have them as layer_core_cycles and layer_dram_bytes.

    Raises:
        ExportError: a layer cannot be expressed, or the constants exceed what a file can hold.
    """
    used = list(graph.used_constants())
    _check_size(constant_bytes(graph, used))
    writer = NodeWriter(graph, costs)
    for layer in graph.layers():
        writer.write(layer)
    empty = [port for port in graph.output_ports if port.tensor is None]
    constants = [(name, graph.constants[name]) for name in used]
    constants += [(port.name, np.empty(port.type.shape, port.type.dtype.numpy)) for port in empty]
    outputs = set(graph.outputs)
    inner = [t for layer in graph.layers() for t in graph.outputs_of(layer.name) if t not in outputs]
    body = helper.make_graph(
        writer.nodes,
        graph.name or "graph",
        [_info(port.name, port.type) for port in graph.input_ports],
        [_info(port.name, port.type) for port in graph.output_ports],
        [*(numpy_helper.from_array(array, name) for name, array in constants), *writer.initialisers],
        value_info=[_info(tensor, graph.types[tensor]) for tensor in inner],
    )
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(body, opset_imports=[opset], ir_version=IR_VERSION, producer_name="nnc")
    for key, value in {"level": graph.notes.level, **_predicted(graph)}.items():
        model.metadata_props.add(key=key, value=value)
    return model


def to_bytes(graph: Graph, costs: Costs = NO_COSTS) -> bytes:
    """The contents of the file; the same graph always gives the same bytes.  Raises as `to_onnx`."""
    data: bytes = to_onnx(graph, costs).SerializeToString(deterministic=True)
    return data


def _predicted(graph: Graph) -> dict[str, str]:
    """Cycles and DRAM bytes of all groups together; nothing before there are groups."""
    groups = graph.notes.groups
    if not groups:
        return {}
    cycles, dram_bytes = (
        sum(figures) for figures in zip(*((g.cycles, g.dram_bytes) for g in groups), strict=True)
    )
    return {"predicted_cycles": str(cycles), "predicted_dram_bytes": str(dram_bytes)}


def _check_size(nbytes: int) -> None:
    if nbytes > LARGEST:
        raise ExportError(
            "the constants are too large for one ONNX file",
            found=f"{nbytes} B",
            expected=f"at most {LARGEST} B",
            remedy="the formats text, json and dot can show this graph",
        )


def _info(name: str, type_: TensorType) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element_code(type_.dtype), type_.shape)
