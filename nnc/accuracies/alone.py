"""The quantised network cut apart: every layer reads what the float network has, and none what another made.

before:  x -> Conv -> t -> QuantizeLinear -> q -> DequantizeLinear -> MatMul -> ...
after:   x -> Conv -> t -> QuantizeLinear -> q              t' -> MatMul -> ...

Here t' is an input of its own, which gets the float network's `t`, so a layer's error has nothing of those of
the layers before it.  Operators on integers, which cannot read floats, read t' rounded as the network would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy.typing as npt
from onnx import ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

from nnc.accuracies.common import Common
from nnc.check.variants import MARK, copy_of, with_nodes

Array = npt.NDArray[Any]


def alone_input(tensor: Common) -> str:
    """The input of the cut network that gets the float network's elements of a tensor."""
    return f"{tensor.tensor}{MARK}float"


def cut_apart(
    model: ModelProto, tensors: Iterable[Common], shapes: Mapping[str, tuple[int, ...]]
) -> ModelProto:
    """The network with an input for each of the tensors, which are its outputs, too.

    Args:
        model: the quantised network, without products of integers (see `with_real_products`).
        tensors: where it is cut; an input of the network itself is one, too.
        shapes: of these, by their names in the float network.
    """
    cut = copy_of(model)
    by_kept = {tensor.kept: tensor for tensor in tensors}
    own_inputs = {info.name for info in cut.graph.input}
    nodes: list[NodeProto] = []
    rounded: set[str] = set()
    read_as: dict[str, str] = {}
    for node in cut.graph.node:
        tensor = by_kept.get(node.input[0]) if node.input else None
        if node.op_type == "DequantizeLinear" and tensor is not None and tensor.rounding is not None:
            read_as[node.output[0]] = alone_input(tensor)
    for node in cut.graph.node:
        is_rounding = node.op_type == "QuantizeLinear" and node.output[0] in by_kept
        for index, name in enumerate(node.input):
            tensor = by_kept.get(name)
            if name in read_as:
                node.input[index] = read_as[name]
            elif tensor is not None and tensor.rounding is None:
                node.input[index] = alone_input(tensor)
            elif tensor is not None and not is_rounding and node.output[0] not in read_as:
                node.input[index] = _rounded_input(tensor, nodes, rounded, cut)
        nodes.append(node)
    for tensor in by_kept.values():
        shape = shapes[tensor.tensor]
        cut.graph.input.append(helper.make_tensor_value_info(alone_input(tensor), 1, shape))
    del cut.graph.output[:]
    names = [name for name in by_kept if name not in own_inputs]
    cut.graph.output.extend(ValueInfoProto(name=name) for name in names)
    return with_nodes(cut, nodes)


def _rounded_input(tensor: Common, nodes: list[Any], rounded: set[str], model: ModelProto) -> str:
    """The float network's elements, rounded; the node that does it is added before its first reader."""
    name, rounding = f"{tensor.kept}{MARK}rounded", tensor.rounding
    assert rounding is not None
    if name in rounded:
        return name
    rounded.add(name)
    zero_name = rounding.zero_name
    if not zero_name:
        zero_name = f"{name}.zero"
        model.graph.initializer.append(numpy_helper.from_array(rounding.zero.reshape(()), zero_name))
    inputs = [alone_input(tensor), rounding.scale_name, zero_name]
    attributes: dict[str, Any] = {"axis": rounding.axis} if rounding.scale.size > 1 else {}
    nodes.append(helper.make_node("QuantizeLinear", inputs, [name], **attributes))
    return name
