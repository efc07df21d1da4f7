"""Sub-graphs as nodes of the network: how the branches of If and the bodies of loops are imported.

    Loop_3 { a = Add(x, w); y = Relu(a) }      ->      Loop_3.0.a, Loop_3.0.y, Loop_3.1.a, Loop_3.1.y …

What an input of the graph stands for is another name of it.  What the graph computes of none of its inputs is
imported once: else a weight that it turns would be held as often while compiling, and all copies compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from onnx import ModelProto, NodeProto, OperatorSetIdProto, TypeProto, ValueInfoProto, helper, numpy_helper

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.model.element_types import type_code
from nnc.compiler.frontend.model.large_values import SMALL
from nnc.compiler.frontend.model.subgraphs import live_nodes, reads
from nnc.compiler.frontend.scope import Scope


class SubGraph:
    """A graph in an attribute of a node under import."""

    def __init__(self, context: OpContext, attribute: str, inputs: int, outputs: int) -> None:
        """Of so many inputs and outputs.

        Raises:
            ModelInvalidError: it has others.
        """
        graph = context.graph(attribute)
        for what, have, count in (("inputs", graph.input, inputs), ("outputs", graph.output, outputs)):
            if len(have) != count:
                raise context.invalid(
                    f"the {what} of {attribute} do not fit the node",
                    found=str(len(have)),
                    expected=str(count),
                )
        self._context = context
        self._inputs = [info.name for info in graph.input]
        self._outputs = [info.name for info in graph.output]
        nodes = live_nodes(graph)
        self._read = frozenset((*(name for node in nodes for name in reads(node)), *self._outputs))
        varying = {*self._inputs}
        self._once: list[NodeProto] = []
        self._nodes: list[NodeProto] = []
        for node in nodes:
            if self._inputs and varying.isdisjoint(reads(node)):
                self._once.append(node)
            else:
                self._nodes.append(node)
                varying.update(node.output)
        self._names: dict[str, str] = {}

    def run(self, operands: Sequence[str], label: str) -> list[str]:
        """Import its nodes, once more.

        Args:
            operands: tensors that its inputs stand for.
            label: of this run, which the names of its layers and tensors have.

        Returns:
            The tensors that its outputs are.
        """
        context = self._context
        context.flush()
        if self._once:
            self._names = context.inline(self._once, {}, "", self._read)
            self._once = []
        names = dict(self._names)
        for name, operand in zip(self._inputs, operands, strict=True):
            names[name] = context.alias(f"{label}.{name}", operand)
        names = context.inline(self._nodes, names, label, self._read)
        return [names.get(name, name) for name in self._outputs]


def model_of(
    nodes: Sequence[NodeProto], scope: Scope, opsets: Sequence[OperatorSetIdProto]
) -> ModelProto | None:
    """Nodes as a model of their own, for inference; None if something that they read is not known."""
    inner = {name for node in nodes for name in node.output}
    names = {name: None for node in nodes for name in reads(node) if name not in inner}
    if any(map(scope.is_unknown, names)):
        return None
    inputs, constants = list[ValueInfoProto](), []
    for name in names:
        tensor = scope.resolve(name)
        value = scope.constant(tensor)
        is_stored = value is not None and scope.stored_code(tensor) != type_code(scope.type_of(tensor).dtype)
        if value is not None and value.size <= SMALL and not is_stored and name not in scope.optionals:
            constants.append(numpy_helper.from_array(value.copy(), name))
        else:
            inputs.append(helper.make_value_info(name, _type_proto(name, scope)))
    graph = helper.make_graph(nodes, "body", inputs, [], constants)
    return helper.make_model(graph, opset_imports=opsets)


def _type_proto(name: str, scope: Scope) -> TypeProto:
    """The type of a tensor, a sequence, or an optional."""
    nothing, sequence, tensor = scope.nothing(name), scope.sequence(name), scope.resolve(name)
    if nothing is not None:
        type_ = nothing
    elif sequence is not None:
        type_ = helper.make_sequence_type_proto(helper.make_tensor_type_proto(sequence.code, None))
    else:
        type_ = helper.make_tensor_type_proto(scope.stored_code(tensor), scope.type_of(tensor).shape)
    is_optional = nothing is not None or name in scope.optionals
    return helper.make_optional_type_proto(type_) if is_optional else type_
