"""Importer of Einsum: products of matrices, two operands at a time, between reshapes and transposes.

bct,bcs->bts: rows t, columns s and the sum over c of matrices b: matmul([b, t, c], [b, c, s]).  A label of
both operands that is needed later counts matrices; one that is not is summed over.  A constant becomes the
weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_DOTS = "..."


@dataclass(frozen=True, slots=True)
class _Term:
    """A tensor with a label per axis, each once."""

    tensor: str
    labels: tuple[str, ...]


@importer("Einsum")
def einsum(context: OpContext) -> None:
    """Sums of products over the labels that the result has not."""
    sources, result = _labels(context)
    terms = [_diagonal(context, context.tensor(slot), labels) for slot, labels in enumerate(sources)]
    extents = _extents(context, terms)
    terms = [_Einsum(context, extents).without_repeats(term) for term in terms]
    while len(terms) > 1:
        first, second, *others = terms
        later = {*result, *(label for term in others for label in term.labels)}
        terms = [_Einsum(context, extents).product(first, second, later), *others]
    _Einsum(context, extents).give(terms[0], result)


def _labels(context: OpContext) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The labels of the operands' axes, and of the result's; axes under the dots have numbers.

    Raises:
        ModelInvalidError: the equation is none, or does not fit the operands.
    """
    equation = context.attribute("equation", "").replace(" ", "")
    left, arrow, right = equation.partition("->")
    words = left.split(",")
    bare = "".join((*words, right)).replace(_DOTS, "")
    if len(words) != context.input_count or (bare and not (bare.isalpha() and bare.isascii())):
        raise context.invalid("the equation does not fit the operands", found=equation)
    ranks = [len(context.shape(slot)) for slot in range(len(words))]
    under = [rank - len(word.replace(_DOTS, "")) for rank, word in zip(ranks, words, strict=True)]
    if any(n < 0 or (n > 0 and _DOTS not in word) for n, word in zip(under, words, strict=True)):
        raise context.invalid("the equation does not fit the operands' axes", found=equation)
    dots = max(under)
    sources = [_spelled(word, dots - n, dots) for n, word in zip(under, words, strict=True)]
    if not arrow:
        letters = "".join(words).replace(_DOTS, "")
        right = (_DOTS if dots else "") + "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
    result = _spelled(right, 0, dots)
    operand_labels = {label for labels in sources for label in labels}
    if dots and _DOTS not in right:
        raise context.invalid("the operands have axes under dots, the result has no dots", found=equation)
    if len(set(result)) < len(result) or not operand_labels.issuperset(result):
        raise context.invalid("the result names an axis twice, or one that no operand has", found=equation)
    return sources, result


def _spelled(word: str, first: int, end: int) -> tuple[str, ...]:
    """A word with the dots as numbers of axes."""
    before, dots, behind = word.partition(_DOTS)
    return (*before, *(str(number) for number in range(first, end) if dots), *behind)


def _diagonal(context: OpContext, tensor: str, labels: Sequence[str]) -> _Term:
    """A tensor with each label once: of axes that share one, the diagonal."""
    names = list(labels)
    while repeated := next((label for label in names if names.count(label) > 1), None):
        pair = [axis for axis, label in enumerate(names) if label == repeated][:2]
        others = [axis for axis in range(len(names)) if axis not in pair]
        tensor = transpose_step(context, "pair", tensor, (*others, *pair))
        *outer, extent, same = context.type_of(tensor).shape
        if extent != same:
            raise context.invalid(f"the axes {repeated} differ", found=f"{extent} and {same}")
        flat = reshape_step(context, "flat", tensor, (*outer, extent * extent))
        type_ = TensorType(context.type_of(flat).dtype, (*outer, extent))
        start, step = (0,) * len(type_.shape), (*(1 for _ in outer), extent + 1)
        fields = {"start": start, "step": step, "shape": type_.shape}
        tensor = context.step("diagonal", ir.Slice, [flat], type_, **fields)
        names = [*(names[axis] for axis in others), repeated]
    return _Term(tensor, tuple(names))


def _extents(context: OpContext, terms: Iterable[_Term]) -> dict[str, int]:
    """Elements along each label.

    Raises:
        ModelInvalidError: operands differ along one, and none has extent 1.
    """
    extents: dict[str, int] = {}
    for term in terms:
        for label, extent in zip(term.labels, context.type_of(term.tensor).shape, strict=True):
            common = extents.get(label, 1)
            if extent != common and 1 not in (extent, common):
                raise context.invalid(f"operands differ along {label}", found=f"{common} and {extent}")
            extents[label] = max(common, extent) if extent and common else 0
    return extents


@dataclass(frozen=True, slots=True)
class _Einsum:
    """Products of terms, as helper layers of a node."""

    context: OpContext
    extents: dict[str, int]

    def without_repeats(self, term: _Term) -> _Term:
        """A term without the axes along which its one element stands for all."""
        shape = self.context.type_of(term.tensor).shape
        pairs = zip(term.labels, shape, strict=True)
        labels = tuple(label for label, extent in pairs if extent == self.extents[label])
        return _Term(self._reshaped(term.tensor, self._shape(labels)), labels)

    def product(self, first: _Term, second: _Term, later: set[str]) -> _Term:
        """The product of two terms, summed over the labels that nobody needs later."""
        if self.context.constant_of(first.tensor) is not None:
            first, second = second, first
        first = self._summed(first, {*later, *second.labels})
        second = self._summed(second, {*later, *first.labels})
        shared = [label for label in first.labels if label in second.labels]
        matrices = tuple(label for label in shared if label in later)
        inner = tuple(label for label in shared if label not in later)
        rows = tuple(label for label in first.labels if label not in shared)
        columns = tuple(label for label in second.labels if label not in shared)
        left = self._ordered(first, (*matrices, *rows, *inner))
        right = self._ordered(second, (*matrices, *inner, *columns))
        labels, outer = (*matrices, *rows, *columns), self._shape(matrices)
        if not inner:  # columns have no axes on the left; on the right, rows have axes of one element
            left = self._reshaped(left, (*outer, *self._shape(rows), *(1 for _ in columns)))
            right = self._reshaped(right, (*outer, *(1 for _ in rows), *self._shape(columns)))
            return _Term(self._multiplied(left, right, self._shape(labels)), labels)
        high, deep, wide = (prod(self._shape(axes)) for axes in (rows, inner, columns))
        operands = [self._reshaped(left, (*outer, high, deep)), self._reshaped(right, (*outer, deep, wide))]
        type_ = TensorType(self._dtype(left), (*outer, high, wide))
        made = self.context.step("product", ir.MatMul, operands, type_)
        return _Term(self._reshaped(made, self._shape(labels)), labels)

    def give(self, term: _Term, result: tuple[str, ...]) -> None:
        """Let the node's output be a term, its axes in the order of the result."""
        tensor = self._ordered(self._summed(term, set(result)), result)
        reshape_result(self.context, tensor, self._shape(result))

    def _summed(self, term: _Term, needed: set[str]) -> _Term:
        """A term, summed over the labels that nobody needs."""
        axes = tuple(axis for axis, label in enumerate(term.labels) if label not in needed)
        if not axes:
            return term
        shape = self.context.type_of(term.tensor).shape
        type_ = TensorType(
            self._dtype(term.tensor), tuple(1 if x in axes else n for x, n in enumerate(shape))
        )
        fields = {"axes": axes, "count": prod(shape[axis] for axis in axes)}
        function = ReduceFunction.SUM
        summed = self.context.step("sum", ir.Reduce, [term.tensor], type_, function=function, **fields)
        labels = tuple(label for label in term.labels if label in needed)
        return _Term(self._reshaped(summed, self._shape(labels)), labels)

    def _multiplied(self, left: str, right: str, shape: tuple[int, ...]) -> str:
        type_ = TensorType(self._dtype(left), shape)
        return self.context.step("product", ir.Elementwise, [left, right], type_, function=Function.MUL)

    def _ordered(self, term: _Term, labels: tuple[str, ...]) -> str:
        """The tensor of a term with its axes in another order."""
        perm = tuple(term.labels.index(label) for label in labels)
        return transpose_step(self.context, "ordered", term.tensor, perm)

    def _reshaped(self, tensor: str, shape: tuple[int, ...]) -> str:
        return reshape_step(self.context, "shaped", tensor, shape)

    def _shape(self, labels: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.extents[label] for label in labels)

    def _dtype(self, tensor: str) -> DType:
        return self.context.type_of(tensor).dtype
