"""An operator written as nodes of ONNX's own: how importers define what other operators already compute.

An importer builds the nodes in order, of tensors of its node and of results of earlier ones:

    make = Expansion(context)
    total = make("Add", context.tensor(0), context.tensor(1))
    make.define(0, make("LayerNormalization", total, context.tensor(2), axis=-1))

They are imported right after it as if the model had them: folded, refused, and grouped alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import helper

from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.ir.storage import identity_order
from nnc.isa.types import DType

OPSET = 23
"""The opset of the nodes; that of the model may lack their operators, or mean others by their names."""


class Expansion:
    """Nodes that an importer's node stands for; each is named after it and its own operator."""

    def __init__(self, context: OpContext) -> None:
        self._context = context

    def __call__(self, op: str, *operands: str | None, **attributes: Any) -> str:
        """Add a node.

        Args:
            op: an operator of ONNX that has an importer.
            operands: names of tensors; None: absent.
            attributes: of the node, in the opset `OPSET`, and its `domain`, if it is not ONNX's.

        Returns:
            The name of its only result.
        """
        return self.results(1, op, *operands, **attributes)[0]

    def results(self, count: int, op: str, *operands: str | None, **attributes: Any) -> list[str]:
        """Add a node with so many results, and return their names."""
        suffix = op.lower()
        results = [self._context.fresh_tensor(suffix) for _ in range(count)]
        inputs = [operand or "" for operand in operands]
        node = helper.make_node(op, inputs, results, name=f"{self._context.name}.{suffix}", **attributes)
        self._context.nodes.append(node)
        return results

    def define(self, slot: int, tensor: str) -> None:
        """Let output `slot` of the importer's node be a tensor."""
        name = self._context.output(slot)
        if name:
            label = f"{self._context.name}.{slot}"
            self._context.nodes.append(helper.make_node("Identity", [tensor], [name], name=label))

    def constant(self, value: Array | np.generic | float, like: int | None = None) -> str:
        """A constant; a number is of the element type of input `like`."""
        array = np.asarray(value) if like is None else np.asarray(value, self._context.type(like).dtype.numpy)
        return self._context.new_constant("constant", array)

    def product(self, left: str, right: str, factor: float) -> str:
        """left · right · factor, of the element type of input 0; halves get the factor before the sum."""
        if factor == 1:
            return self("MatMul", left, right)
        scale = self.constant(factor, like=0)
        if self._context.type().dtype is DType.F16:
            return self("MatMul", self("Mul", left, scale), right)
        return self("Mul", self("MatMul", left, right), scale)

    def reshape(self, tensor: str, *shape: int) -> str:
        """The tensor in another shape."""
        return self("Reshape", tensor, self.constant(np.array(shape, np.int64)))

    def transpose(self, tensor: str, *perm: int) -> str:
        """The tensor with its axes permuted."""
        return tensor if perm == identity_order(len(perm)) else self("Transpose", tensor, perm=perm)

    def slice(self, tensor: str, axis: int, start: int, stop: int, step: int = 1) -> str:
        """The elements start, start + step … below stop of an axis."""
        bounds = [self.constant(np.array([bound], np.int64)) for bound in (start, stop, axis, step)]
        return self("Slice", tensor, *bounds)

    def concat(self, tensors: Sequence[str], axis: int) -> str:
        """The tensors one after the other along an axis."""
        return tensors[0] if len(tensors) == 1 else self("Concat", *tensors, axis=axis)
