"""Which products of a model multiply by a constant matrix, and why others cannot have weights in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, helper, shape_inference

from nnc.compiler.frontend.model.element_types import known_dims, type_name
from nnc.compiler.frontend.model.messages import messages
from nnc.compiler.frontend.model.weights import Skeleton, to_array
from nnc.quantize.block_rounding import BlockOptions, packed_bytes

Array = npt.NDArray[Any]
_OPERATORS = ("MatMul", "Gemm")
_SIZES: dict[int, int] = {TensorProto.FLOAT: 4, TensorProto.FLOAT16: 2}
"""Bytes of an element, by the types that weights may have."""


@dataclass(frozen=True)
class Weight:
    """A constant matrix [K,N], or one [N,K] that is transposed.

    Attributes:
        name: of the constant itself, which other nodes may transpose or rename.
        code: ONNX's element type.
    """

    name: str
    transposed: bool
    depth: int
    channels: int
    code: int

    @property
    def nbytes(self) -> int:
        """Bytes of its elements."""
        return self.depth * self.channels * _SIZES[self.code]


@dataclass(frozen=True)
class Product:
    """A node that multiplies by a constant matrix.

    Attributes:
        bias: the name of what a Gemm adds; "" if it adds nothing.
        vector: whether the bias is known to be a vector [N].
    """

    node: NodeProto
    weight: Weight
    bias: str
    vector: bool


@dataclass(frozen=True)
class Kept:
    """A product that stays as it is, by the name of its node or result, and why."""

    name: str
    reason: str

    def to_json(self) -> dict[str, str]:
        """As plain data."""
        return {"name": self.name, "reason": self.reason}


def name_of(node: NodeProto) -> str:
    """The name of a node; of one without, that of its result."""
    return str(node.name or node.output[0])


def is_of_onnx(node: NodeProto, *op_types: str) -> bool:
    """Whether a node is one of these operators of ONNX itself."""
    return node.op_type in op_types and node.domain in ("", "ai.onnx")


class Products:
    """The products of a model."""

    def __init__(self, model: ModelProto, skeleton: Skeleton) -> None:
        """Take a model.

        Args:
            skeleton: of the model (see `separate`); gives all constants.
        """
        self._model = model
        self._skeleton = skeleton
        self._makers = {name: node for node in model.graph.node for name in node.output}

    def find(self, options: BlockOptions) -> Iterator[Product | Kept]:
        """All products in the order of their nodes, then those inside of branches, loops and functions."""
        for node in self._model.graph.node:
            if is_of_onnx(node, *_OPERATORS):
                found = self._product(node, options)
                yield Kept(name_of(node), found) if isinstance(found, str) else found
        for node in self._inner():
            yield Kept(name_of(node), "it is inside of a branch, a loop or a function")

    def array(self, weight: Weight) -> Array:
        """The matrix, f32 or f16 [K,N].

        Raises:
            ModelInvalidError: it has more or fewer bytes than its shape says.
        """
        tensor, values = self._skeleton.weights[weight.name], self._skeleton.values
        array = to_array(tensor, values.get(weight.name))
        return array.T if weight.transposed else array

    def chain(self, name: str) -> tuple[str, bool]:
        """The tensor that nodes rename or transpose, the outermost one, and whether it is transposed then."""
        transposed = False
        while (node := self._makers.get(name)) is not None:
            if is_of_onnx(node, "Transpose") and _attributes(node).get("perm", [1, 0]) == [1, 0]:
                transposed = not transposed
            elif not is_of_onnx(node, "Identity"):
                break
            name = node.input[0]
        return name, transposed

    def _product(self, node: NodeProto, options: BlockOptions) -> Product | str:
        """The product that a node is, or why it stays."""
        fields = _attributes(node)
        weight = self._weight(node, transposed=bool(fields.get("transB", 0)))
        if isinstance(weight, str):
            return weight
        bias = node.input[2] if len(node.input) > 2 else ""
        for name, usual in (("transA", 0), ("alpha", 1), ("beta", 1 if bias else fields.get("beta", 1))):
            if fields.get(name, usual) != usual:
                return f"{name} is {fields[name]:g}"
        source = self._dims(node.input[0])
        if source is not None and len(source) < 2:
            return "the first operand is a vector"
        if weight.depth < options.block:
            return f"K is {weight.depth}, less than a block of {options.block}"
        if packed_bytes(weight.depth, weight.channels, options, _SIZES[weight.code]) >= weight.nbytes:
            return "its weight would not be smaller in blocks"
        if not np.isfinite(self.array(weight)).all():
            return "its weight has numbers that are not finite"
        return Product(node, weight, bias, self._dims(bias) == (weight.channels,))

    def _weight(self, node: NodeProto, *, transposed: bool) -> Weight | str:
        """The constant matrix of a node, or why it has none."""
        name, is_turned = self.chain(node.input[1])
        tensor = self._skeleton.weights.get(name)
        if tensor is None:
            if self.chain(node.input[0])[0] in self._skeleton.weights:
                return "its weight is the first operand"
            maker = self._makers.get(node.input[1])
            return "its second operand is " + (f"computed, by {maker.op_type}" if maker else "an input")
        if tensor.data_type not in _SIZES:
            return f"its weight is of {type_name(tensor.data_type)}"
        if len(tensor.dims) != 2:
            return (
                f"its weight has {len(tensor.dims)} axes"
                if len(tensor.dims) != 1
                else "its weight is a vector"
            )
        turned = transposed != is_turned
        depth, channels = reversed(tensor.dims) if turned else tensor.dims
        return Weight(name, turned, depth, channels, tensor.data_type)

    def _inner(self) -> Iterator[NodeProto]:
        below = [message for node in self._model.graph.node for message in [*messages(node)][1:]]
        for function in self._model.functions:
            below.extend(message for node in function.node for message in messages(node))
        for message in below:
            if isinstance(message, NodeProto) and is_of_onnx(message, *_OPERATORS):
                yield message

    def _dims(self, name: str) -> tuple[int | None, ...] | None:
        """The shape of a tensor, as far as it is known."""
        tensor = self._skeleton.weights.get(name)
        return self._inferred.get(name) if tensor is None else tuple(tensor.dims)

    @cached_property
    def _inferred(self) -> Mapping[str, tuple[int | None, ...] | None]:
        try:
            graph = shape_inference.infer_shapes(self._skeleton.model).graph
        except (shape_inference.InferenceError, ValueError):
            return {}
        return {info.name: known_dims(info.type) for info in (*graph.input, *graph.value_info, *graph.output)}


def _attributes(node: NodeProto) -> dict[str, Any]:
    return {field.name: helper.get_attribute_value(field) for field in node.attribute}
