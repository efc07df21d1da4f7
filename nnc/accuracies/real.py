"""Products of integers as what they stand for: DequantizeLinear of the operands, the product, QuantizeLinear.

Then a layer can be given floats, whatever form the quantiser gave it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from nnc.check.definition import by_definition
from nnc.check.model_facts import ModelFacts
from nnc.check.variants import MARK, copy_of, with_nodes

_PRODUCTS = {"QLinearConv": "Conv", "QLinearMatMul": "MatMul", "QGemm": "Gemm"}
_BIAS = {"QLinearConv": 8, "QGemm": 6}
_RESULT = {"QLinearConv": 6, "QLinearMatMul": 6, "QGemm": 7}


def with_real_products(model: ModelProto) -> ModelProto:
    """The model without products of integers whose scales are constants; tensors keep their names."""
    facts = ModelFacts(by_definition(ModelFacts(model), unsigned=False))
    changed = copy_of(facts.proto)
    nodes: list[NodeProto] = []
    for node in facts.proto.graph.node:
        if node.op_type in _PRODUCTS and _has_constant_scales(node, facts):
            nodes += _written_out(node, changed, facts)
        else:
            nodes.append(node)
    return with_nodes(changed, nodes)


def _has_constant_scales(node: NodeProto, facts: ModelFacts) -> bool:
    bias = _BIAS.get(node.op_type, len(node.input))
    names = [node.input[1], node.input[4]]
    if bias < len(node.input) and node.input[bias]:
        names.append(node.input[bias])
    return all(name in facts.constants for name in names)


def _written_out(node: NodeProto, model: ModelProto, facts: ModelFacts) -> Iterator[NodeProto]:
    inputs, stem, kind = list(node.input), f"{node.output[0]}{MARK}", node.op_type
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    scales = [numpy_helper.to_array(facts.constants[inputs[i]]) for i in (1, 4)]
    axis = 0 if kind == "QLinearConv" or attributes.get("transB") else 1
    yield helper.make_node("DequantizeLinear", inputs[0:3], [f"{stem}source"])
    yield helper.make_node("DequantizeLinear", inputs[3:6], [f"{stem}weight"], axis=axis)
    operands = [f"{stem}source", f"{stem}weight"]
    bias = _BIAS.get(kind, len(inputs))
    if bias < len(inputs) and inputs[bias]:
        integers = numpy_helper.to_array(facts.constants[inputs[bias]])
        alpha = np.float32(attributes.get("alpha", 1.0)) if kind == "QGemm" else np.float32(1)
        value = integers.astype(np.float32) * (scales[0] * scales[1] * alpha).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(value.astype(np.float32), f"{stem}bias"))
        operands.append(f"{stem}bias")
    result = inputs[_RESULT[kind] :]
    is_rounded = bool(result and result[0])
    computed = f"{stem}product" if is_rounded else node.output[0]
    yield helper.make_node(_PRODUCTS[kind], operands, [computed], name=node.name, **attributes)
    if is_rounded:
        yield helper.make_node("QuantizeLinear", [computed, *result[:2]], [node.output[0]])
