"""Functions: the model's own, and ONNX operators that the table lacks but the standard defines by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter

from onnx import ModelProto, NodeProto, TensorProto, defs, helper, inliner

from nnc.compiler.frontend.domains import ONNX, domain_of, label_of, name_of, with_inner
from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.model.attention_operands import check_attention
from nnc.compiler.frontend.model.sizes import check_nodes
from nnc.compiler.frontend.model.subgraphs import defined, reads
from nnc.compiler.frontend.model.weights import Skeleton, hoist_constants
from nnc.compiler.frontend.table import IMPORTERS, importer_of

KEPT = frozenset({"Range", "Bernoulli"})
"""Function operators whose body has a loop or is random: they serve only where the result can be folded."""


def expand_functions(skeleton: Skeleton, opset: int) -> None:
    """Inline model-local functions, then standard function operators without an importer (in place).

    Raises:
        UnsupportedError: a function has the name of an operator.
        ModelInvalidError: operands of an Attention contradict each other, or a function lacks one.
        ModelTooLargeError: functions expand to too many nodes.
    """
    model = skeleton.model
    if model.functions:
        _check_names(model, opset)
        check_nodes(_expanded_nodes(model) - len(model.graph.node))
        _state_function_defaults(model)
        _replace(model, inliner.inline_local_functions(model))
    for _ in range(3):  # bodies may use function operators themselves
        nodes = [node for node in with_inner(model.graph.node) if _expandable(node, opset)]
        if not nodes:
            break
        check_attention(model, nodes, opset)
        for node in nodes:
            _state_defaults(node, opset)
        ids = [("", name) for name in sorted({node.op_type for node in nodes})]
        try:
            expanded = inliner.inline_selected_functions(_typed(model), ids, inline_schema_functions=True)
        except RuntimeError:  # a type is unknown, behind an unsupported node: then these are reported too
            break
        _replace(model, expanded)
    hoist_constants(skeleton)
    _check_operands(skeleton)


def _check_operands(skeleton: Skeleton) -> None:
    """Refuse nodes of functions that read what nothing defines: an operand that a function needs is absent.

    Raises:
        ModelInvalidError: the first of them.
    """
    graph = skeleton.model.graph
    known = {*defined(graph), *skeleton.weights}
    for node in graph.node:
        if missing := {*reads(node)} - known:
            raise ModelInvalidError(
                "a function needs an operand that its node does not have",
                where=f"node {name_of(node)} ({label_of(node)})",
                found=", ".join(sorted(missing)),
            )


def _check_names(model: ModelProto, opset: int) -> None:
    """Refuse functions that are called by the name of an operator.

    onnx.proto leaves it to each runtime which of both is meant; onnxruntime takes the operator.
    """
    bodies = (node for function in model.functions for node in function.node)
    called = {(domain or ONNX, name) for domain, name in _operators((*model.graph.node, *bodies))}
    for function in model.functions:
        key = (function.domain or ONNX, function.name)
        standard = key[0] == ONNX and defs.has(function.name, opset, "")
        if key in called and (standard or key in IMPORTERS):
            raise UnsupportedError(
                "a function of the model has the name of an operator: runtimes differ on which is meant",
                where=f"function {function.name}",
                found=f"domain {key[0]}",
                remedy="rename the function, or give it a domain of its own",
            )


def _expanded_nodes(model: ModelProto) -> int:
    """Nodes of a model when each call of a function is a copy of its body; onnx has found no circle."""
    functions = {(function.domain, function.name): function for function in model.functions}
    calls = {key: {*_operators(of.node)} & functions.keys() for key, of in functions.items()}
    sizes: dict[tuple[str, str], int] = {}
    for key in TopologicalSorter(calls).static_order():
        sizes[key] = sum(sizes.get(called, 1) for called in _operators(functions[key].node))
    return sum(sizes.get(called, 1) for called in _operators(model.graph.node))


def _operators(nodes: Iterable[NodeProto]) -> Iterator[tuple[str, str]]:
    """Domain and name of the operators of nodes, and of those in their sub-graphs."""
    for node in with_inner(nodes):
        yield node.domain, node.op_type


def _typed(model: ModelProto) -> ModelProto:
    """The model with a declaration of every initialiser, which the inliner needs to choose a body."""
    typed = ModelProto()
    typed.CopyFrom(model)
    typed.graph.value_info.extend(
        helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
        for tensor in model.graph.initializer
    )
    absent = helper.make_tensor_value_info(
        "", TensorProto.FLOAT, None
    )  # of operands left out: never looked at
    typed.graph.value_info.append(absent)
    return typed


def _expandable(node: NodeProto, opset: int) -> bool:
    if domain_of(node) != ONNX or importer_of(node) is not None or node.op_type in KEPT:
        return False
    if not defs.has(node.op_type, opset, ""):
        return False
    schema = defs.get_schema(node.op_type, opset, "")
    return bool(schema.has_function or schema.has_context_dependent_function)  # type: ignore[attr-defined]


def _state_defaults(node: NodeProto, opset: int) -> None:
    """Write out default values of attributes, which onnx's inliner would lose."""
    stated = {attribute.name for attribute in node.attribute}
    for name, attribute in sorted(defs.get_schema(node.op_type, opset, "").attributes.items()):
        if name not in stated and attribute.default_value.name:
            node.attribute.append(attribute.default_value)


def _state_function_defaults(model: ModelProto) -> None:
    """The same for the model's own functions, whose bodies may call others."""
    functions = {(function.domain, function.name): function for function in model.functions}
    bodies = (model.graph, *model.functions)
    for node in (node for body in bodies for node in with_inner(body.node)):
        called = functions.get((node.domain, node.op_type))
        if called is not None:
            stated = {attribute.name for attribute in node.attribute}
            node.attribute.extend(a for a in called.attribute_proto if a.name not in stated)


def _replace(model: ModelProto, expanded: ModelProto) -> None:
    del model.graph.node[:]
    model.graph.node.extend(expanded.graph.node)
    del model.functions[:]
    del model.opset_import[:]
    model.opset_import.extend(expanded.opset_import)
