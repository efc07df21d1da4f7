"""What of a model can be compiled: every node that some output depends on, and why some cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from onnx import NodeProto, TensorProto, numpy_helper

from nnc.compiler.frontend.model.element_types import onnx_numpy, type_code
from nnc.compiler.frontend.model.subgraphs import reads
from nnc.compiler.frontend.model.weights import Skeleton
from nnc.compiler.frontend.scope import Scope
from nnc.compiler.ir.layers import MacLayer


@dataclass(frozen=True)
class Survey:
    """A model whose nodes were imported one by one, none of them left out.

    Attributes:
        skeleton: the model, its functions expanded and its inputs of static shapes.
        nodes: those that outputs depend on, in order.
        refused: why nodes cannot be compiled, by their numbers in `nodes`.
        behind: numbers of nodes that read what has no known type, since a refused node makes it.
        scope: all tensors, and values of those that are known.
    """

    skeleton: Skeleton
    nodes: Sequence[NodeProto]
    refused: dict[int, str]
    behind: frozenset[int]
    scope: Scope

    @cached_property
    def outputs(self) -> list[str]:
        """The outputs of the network, in order."""
        return [info.name for info in self.skeleton.model.graph.output]

    @cached_property
    def producers(self) -> dict[str, int]:
        """Numbers of the nodes that define tensors, by the tensor."""
        return {name: number for number, node in enumerate(self.nodes) for name in node.output if name}

    @cached_property
    def constant_nodes(self) -> frozenset[int]:
        """Numbers of nodes that compute the same in each run: nothing that they read depends on an input.

        A node that reads nothing may be random; it is one of these only if its value is known.
        """
        numbers = set[int]()
        for number, node in enumerate(self.nodes):
            read = [name for name in reads(node) if not self.is_constant(name)]
            is_known = all(self.is_constant(name) for name in node.output if name)
            if is_known or (any(node.input) and all(self.producers.get(name) in numbers for name in read)):
                numbers.add(number)
        return frozenset(numbers)

    @cached_property
    def multiplying(self) -> frozenset[str]:
        """Names of nodes that became layers with products, be it by the nodes that they stand for."""
        layers = (layer for layer in self.scope.graph.layers() if isinstance(layer, MacLayer))
        parts = (layer.loc.node.split(".") for layer in layers)
        return frozenset(".".join(words[: count + 1]) for words in parts for count in range(len(words)))

    def is_constant(self, tensor: str) -> bool:
        """Whether the value of a tensor is known, in the element type that it has in the model."""
        if tensor in self.skeleton.weights:
            return True
        value = self.scope.constant(self.scope.resolve(tensor))
        if value is None:
            return False
        code = self.scope.element_code(tensor)
        return code == 0 or onnx_numpy(code) == value.dtype

    def constant(self, tensor: str) -> TensorProto:
        """The value of a constant tensor."""
        if (weight := self.skeleton.weights.get(tensor)) is not None:
            values = self.skeleton.values.get(tensor)
            if values is None:
                return weight
            whole = TensorProto(name=tensor, data_type=weight.data_type, dims=weight.dims)
            whole.raw_data = values.tobytes()
            return whole
        value = self.scope.constant(self.scope.resolve(tensor))
        assert value is not None, tensor
        return numpy_helper.from_array(value, tensor)

    def type_of(self, tensor: str) -> tuple[int, tuple[int, ...] | None]:
        """ONNX's number of the element type of a tensor, 0 if it is not known, and its shape if that is."""
        code, name = self.scope.element_code(tensor), self.scope.resolve(tensor)
        if (type_ := self.scope.graph.types.get(name)) is not None:
            return code or type_code(type_.dtype), type_.shape
        inferred = self.scope.inferred_type(tensor)
        return code, None if inferred is None else inferred.shape
