"""What an import computes of constants alone: bytes and operations, counted and judged before it is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, helper

from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.frontend.model.weights import Skeleton
from nnc.isa.limits import FOLDED_TENSORS, FOLDING_WORK

Array = NDArray[Any]

_REMEDY = "give smaller shapes, or make what it is computed from an input of the model"
_PRODUCTS = frozenset({"Einsum", "Gemm", "MatMul"})
_ONE_BY_ONE = frozenset({"GatherND", "ScatterElements", "ScatterND"})
"""Operators that onnx's evaluator computes in a loop over the elements of the indices."""
_INTEGER_COST, _LOOP_COST = 10, 1000
"""Operations that count for a product of integers, which no BLAS computes, and for a round of such a loop."""


class FoldAccount:
    """The sums of one import: each addition is judged first.

    Raises (all methods):
        ModelTooLargeError: the sum would exceed its limit.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self._own, self._values = tuple(skeleton.weights.values()), skeleton.values
        self._nbytes = 0
        self._work = 0

    def add_bytes(self, nbytes: int) -> None:
        """Count bytes that constants take, computed ones and those of repeated elements that are laid out."""
        self._nbytes += nbytes
        self.check_bytes(self._nbytes)

    def check_bytes(self, nbytes: int) -> None:
        """Judge the bytes of all computed constants: more than the limit, and than four times the weights."""
        if nbytes > FOLDED_TENSORS.most:  # to count the model's own bytes, all are encoded
            own = [tensor.ByteSize() for tensor in self._own] + [of.nbytes for of in self._values.values()]
            replace(FOLDED_TENSORS, most=max(FOLDED_TENSORS.most, 4 * sum(own))).check(
                nbytes,
                ModelTooLargeError,
                "what the model computes of constants alone is too large",
                remedy=_REMEDY,
            )

    def add_work(self, node: NodeProto, arrays: Mapping[str, Array]) -> None:
        """Count the operations of a node that is about to be evaluated on these arrays."""
        self._work += work_of(node, [arrays[name] for name in node.input if name])
        FOLDING_WORK.check(
            self._work,
            ModelTooLargeError,
            "what the model computes of constants alone takes too long",
            remedy=_REMEDY,
        )

    def add_results(self, results: Iterable[Array], operands: Iterable[Array]) -> None:
        """Count the bytes of results that are no views of the operands."""
        inputs = list(operands)
        fresh = [r for r in results if not any(np.may_share_memory(r, operand) for operand in inputs)]
        self.add_bytes(sum(result.nbytes for result in fresh))


def work_of(node: NodeProto, operands: Sequence[Array]) -> int:
    """Operations that evaluating a node takes: multiply-adds of products, and elements that are read."""
    visited = sum(int(operand.size) for operand in operands)
    if node.op_type in _ONE_BY_ONE:
        return visited + _LOOP_COST * int(operands[1].size)
    if node.op_type not in _PRODUCTS:
        return visited
    factor = 1 if operands[0].dtype.kind == "f" else _INTEGER_COST
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if node.op_type == "Einsum":
        return visited + factor * _combinations(attributes["equation"].decode(), operands)
    rows, columns = operands[0].shape, operands[1].shape
    if node.op_type == "Gemm":
        rows = rows[::-1] if attributes.get("transA") else rows
        columns = columns[::-1] if attributes.get("transB") else columns
    batch = zip_longest(reversed(rows[:-2]), reversed(columns[:-2]), fillvalue=1)
    outer = columns[-1] if len(columns) > 1 else 1
    return visited + factor * prod(max(pair) for pair in batch) * prod(rows[-2:]) * outer


def _combinations(equation: str, operands: Sequence[Array]) -> int:
    """Combinations of the indices of an equation of Einsum; axes of dots count backwards from the last."""
    terms = equation.replace(" ", "").split("->")[0].split(",")
    extents: dict[str | int, int] = {}
    for term, operand in zip(terms, operands, strict=False):
        before, dots, after = term.partition("...")
        hidden = range(len(before) + len(after) - operand.ndim, 0) if dots else ()
        for label, extent in zip((*before, *hidden, *after), operand.shape, strict=False):
            extents[label] = max(extents.get(label, 1), extent)
    return prod(extents.values())
