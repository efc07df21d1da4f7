"""A quantised model by what its operators are defined as, where onnxruntime's own kernels compute otherwise.

QLinearAdd, QLinearAveragePool … of onnxruntime's domain are defined as DequantizeLinear, the operator on real
numbers, QuantizeLinear, which rounds a tie to the even integer and then adds the zero point.  Some kernels
add an odd zero point first, so that every tie falls to the other side.

Products of u8 × s8 saturate on processors without VNNI: their kernels add two of them in 16 bits.  With
weights w + 128, and zero points that are larger by as much, the same products are u8 × u8, which are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from nnc.check.model_facts import INTEGER_PRODUCTS, ModelFacts
from nnc.check.variants import MARK, copy_of, with_nodes
from nnc.isa.limits import MODEL_FILE

_PLAIN = {
    "QLinearAdd": "Add",
    "QLinearMul": "Mul",
    "QLinearLeakyRelu": "LeakyRelu",
    "QLinearSigmoid": "Sigmoid",
    "QLinearConcat": "Concat",
    "QLinearAveragePool": "AveragePool",
    "QLinearGlobalAveragePool": "GlobalAveragePool",
}
"""Operators of onnxruntime's domain, and those on real numbers that they stand for."""
_FIRST_OPSET = 10
"""QuantizeLinear and DequantizeLinear exist since."""
_OFFSET = 128
"""What signed weights are more as unsigned ones."""


def by_definition(facts: ModelFacts, *, unsigned: bool = True) -> Any:
    """The model with such operators written out, and weights of u8 × s8 unsigned; tensors keep their names.

    What the file leaves open (element types, how many axes there are) stays as it is, and so does a file of
    2 GiB, which no message can hold.

    Args:
        unsigned: whether weights of u8 × s8 become unsigned.
    """
    if not _may_change(facts):
        return facts.proto
    model = copy_of(facts.proto)
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        if node.op_type in _PLAIN and node.domain == "com.microsoft":
            nodes += _written_out(node, facts)
        else:
            nodes += _exact(node, model, facts) if unsigned else [node]
    return with_nodes(model, nodes)


def with_exact_products(facts: ModelFacts) -> Any:
    """The model with weights of u8 × s8 unsigned and nothing else changed; tensors keep their names."""
    if not _may_change(facts):
        return facts.proto
    model = copy_of(facts.proto)
    return with_nodes(model, [new for node in model.graph.node for new in _exact(node, model, facts)])


def _may_change(facts: ModelFacts) -> bool:
    opsets = {entry.domain: entry.version for entry in facts.proto.opset_import}
    small: bool = facts.proto.ByteSize() <= MODEL_FILE.most
    return small and opsets.get("", 0) >= _FIRST_OPSET


def _exact(node: NodeProto, model: ModelProto, facts: ModelFacts) -> Iterator[NodeProto]:
    """A node whose products of integers, if it has any, cannot saturate."""
    mixed = (TensorProto.UINT8, TensorProto.INT8)
    if node.op_type in INTEGER_PRODUCTS and facts.product_types(node) == mixed:
        yield from _of_unsigned_weights(node, model, facts)
    else:
        yield node


def _written_out(node: NodeProto, facts: ModelFacts) -> Iterator[NodeProto]:
    """DequantizeLinear of each operand, the operator, QuantizeLinear."""
    inputs, stem = list(node.input), f"{node.output[0]}{MARK}"
    if node.op_type == "QLinearConcat":
        target, operands = inputs[:2], inputs[2:]
    else:
        count = 6 if node.op_type in ("QLinearAdd", "QLinearMul") else 3
        target, operands = inputs[count:], inputs[:count]
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    last = bool(attributes.pop("channels_last", 0))
    rank = facts.rank(inputs[0])
    zero = target[1] if len(target) > 1 else ""
    if (last and rank is None) or not zero:
        yield node
        return
    reals = []
    for index in range(0, len(operands), 3):
        reals.append(f"{stem}real{index}")
        yield helper.make_node("DequantizeLinear", operands[index : index + 3], reals[-1:])
    result, computed = f"{stem}result", f"{stem}computed"
    if last and rank is not None:
        first = [0, rank - 1, *range(1, rank - 1)]
        yield helper.make_node("Transpose", reals, [f"{stem}channels"], perm=first)
        yield helper.make_node(_PLAIN[node.op_type], [f"{stem}channels"], [computed], **attributes)
        yield helper.make_node("Transpose", [computed], [result], perm=[0, *range(2, rank), 1])
    else:
        yield helper.make_node(_PLAIN[node.op_type], reals, [result], **attributes)
    yield helper.make_node("QuantizeLinear", [result, *target], [node.output[0]])


def _of_unsigned_weights(node: NodeProto, model: ModelProto, facts: ModelFacts) -> Iterator[NodeProto]:
    """A product of u8 × s8 as one of u8 × u8."""
    _, _, weight, zero = INTEGER_PRODUCTS[node.op_type]
    changed = NodeProto()
    changed.CopyFrom(node)
    changed.input.extend([""] * (zero + 1 - len(node.input)))
    for slot in (weight, zero):
        source, name = changed.input[slot], f"{node.output[0]}{MARK}unsigned{slot}"
        changed.input[slot] = name
        if source and source not in facts.constants:
            yield from _unsigned(source, name, model)
            continue
        value = numpy_helper.to_array(facts.constants[source]) if source else np.zeros((), np.int8)
        raised = (value.astype(np.int16) + _OFFSET).astype(np.uint8)
        model.graph.initializer.append(numpy_helper.from_array(raised, name))
    yield changed


def _unsigned(source: str, name: str, model: ModelProto) -> Iterator[NodeProto]:
    """Signed integers that are computed, as unsigned ones: by two conversions whose scale is 1."""
    scale, offset = f"{name}.scale", f"{name}.offset"
    for constant, value in ((scale, np.float32(1)), (offset, np.uint8(_OFFSET))):
        model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), constant))
    yield helper.make_node("DequantizeLinear", [source, scale], [f"{name}.real"])
    yield helper.make_node("QuantizeLinear", [f"{name}.real", scale, offset], [name])
