"""Operators without an importer that onnx defines by others, and whether nnc supports all of those.

Definitions come from onnx's schemas.  Where one depends on the node, two nodes are asked for theirs: one with
the required operands alone, and one with all operands and results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from onnx import AttributeProto, FunctionProto, NodeProto, TensorProto, TypeProto, defs, helper

from nnc.compiler.frontend.domains import ONNX
from nnc.compiler.frontend.expand_functions import KEPT
from nnc.compiler.frontend.fold_list import FOLDED
from nnc.compiler.frontend.table import IMPORTERS, FunctionDoc, OperatorDoc

_SAMPLE_TYPES = {
    "tensor(float)": TensorProto.FLOAT,
    "tensor(int64)": TensorProto.INT64,
    "tensor(int32)": TensorProto.INT32,
    "tensor(bool)": TensorProto.BOOL,
    "tensor(uint8)": TensorProto.UINT8,
}
_SAMPLE_RANKS = (4, 3, 2, 1)
"""Ranks of a node's operands; the first counts for which there is a definition."""
_SAMPLE_EXTENT = 2
_SAMPLE_ATTRIBUTES: dict[int, Any] = {
    AttributeProto.INT: 1,
    AttributeProto.INTS: [1],
    AttributeProto.FLOAT: 1.0,
    AttributeProto.STRING: "",
}


def function_operators() -> list[OperatorDoc]:
    """All operators of ONNX that are compiled as functions, and those that would be but for some operator."""
    schemas: dict[str, list[Any]] = {}
    history: Sequence[Any] = defs.get_all_schemas_with_history()
    for schema in history:
        is_function = schema.has_function or schema.has_context_dependent_function
        if schema.domain == "" and is_function and (ONNX, schema.name) not in IMPORTERS:
            schemas.setdefault(schema.name, []).append(schema)
    return [_documented(name, schemas[name], {*schemas}) for name in sorted(schemas) if name not in KEPT]


def _documented(name: str, schemas: list[Any], functions: set[str]) -> OperatorDoc:
    operators = {node.op_type for schema in schemas for body in _bodies(schema) for node in body.node}
    opsets = sorted(max(of.since_version, min(of.all_function_opset_versions)) for of in schemas)
    lacking = {o for o in operators if (ONNX, o) not in IMPORTERS and o not in functions - KEPT}
    constant = sorted(lacking & FOLDED)
    missing = sorted(lacking - FOLDED)
    doc = FunctionDoc(opsets, sorted(operators), missing, constant)
    constraints = []
    if missing:
        constraints.append(f"Not supported, since it needs {', '.join(missing)}.")
    if constant:
        constraints.append(f"Where it needs {', '.join(constant)}, that is known at compile time.")
    summary = f"A function of {len(operators)} operators, since opset {opsets[0]}."
    return OperatorDoc(name, ONNX, summary, constraints, doc)


def _bodies(schema: Any) -> Iterator[FunctionProto]:
    """Definitions of an operator, each a function."""
    if schema.has_function:
        yield schema.function_body
    if schema.has_context_dependent_function:
        yield _body(schema, with_all=False)
        yield _body(schema, with_all=True)


def _body(schema: Any, *, with_all: bool) -> FunctionProto:
    """The definition for a node with its required operands alone, or with all operands and results."""
    function = FunctionProto()
    for rank in _SAMPLE_RANKS:
        node, types = _sample(schema, rank, with_all=with_all)
        text = schema.get_context_dependent_function(node.SerializeToString(), types)
        function.ParseFromString(text)
        if function.node:
            break
    return function


def _sample(schema: Any, rank: int, *, with_all: bool) -> tuple[NodeProto, list[bytes]]:
    """A node of an operator, and the types of its operands."""
    names, types = list[str](), list[bytes]()
    for parameter in schema.inputs:
        is_optional = parameter.option == defs.OpSchema.FormalParameterOption.Optional
        type_ = TypeProto()
        if with_all or not is_optional:
            code = next((code for name, code in _SAMPLE_TYPES.items() if name in parameter.types), 0)
            type_ = helper.make_tensor_type_proto(code, [_SAMPLE_EXTENT] * rank)
        names.append(parameter.name if with_all or not is_optional else "")
        types.append(type_.SerializeToString())
    results = [parameter.name for parameter in schema.outputs]
    node = helper.make_node(schema.name, names, results if with_all else results[:1])
    for name, attribute in sorted(schema.attributes.items()):
        if attribute.required:
            node.attribute.append(helper.make_attribute(name, _SAMPLE_ATTRIBUTES[attribute.type.value]))
    return node, types
