"""Importers of matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function


@dataclass(frozen=True, slots=True)
class Product:
    """Operands of a matrix product with ranks of 2 or more, the shape of their product and of the result."""

    x: str
    weight: str
    shape: tuple[int, ...]
    result: tuple[int, ...]


def product_of(context: OpContext, x: str, weight: str) -> Product:
    """Two tensors as operands of a matrix product; a vector becomes a row or a column, as in numpy.

    Raises:
        ModelInvalidError: they do not fit.
    """
    left, right = context.type_of(x).shape, context.type_of(weight).shape
    if not left or not right:
        raise context.invalid("a scalar has no matrix product")
    if len(left) == 1:
        x = reshape_step(context, "row", x, (1, *left))
    if len(right) == 1:
        weight = reshape_step(context, "column", weight, (*right, 1))
    a, b = context.type_of(x).shape, context.type_of(weight).shape
    if a[-1] != b[-2]:
        raise context.invalid("matrices do not fit", found=f"{list(a)} times {list(b)}")
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise context.invalid("batch axes do not broadcast", found=f"{list(a)} times {list(b)}") from None
    rows = (a[-2],) if len(left) > 1 else ()
    columns = (b[-1],) if len(right) > 1 else ()
    return Product(x, weight, (*batch, a[-2], b[-1]), (*batch, *rows, *columns))


@importer("MatMul")
def matrix_product(context: OpContext) -> None:
    """Batched matrix product with numpy's broadcasting; vectors as in numpy."""
    product = product_of(context, context.tensor(0), context.tensor(1))
    type_ = TensorType(context.type(0).dtype, product.shape)
    operands = [product.x, product.weight]
    if product.result == product.shape:
        context.result(ir.MatMul, operands, type_)
    else:
        reshape_result(context, context.step("product", ir.MatMul, operands, type_), product.result)


@importer("Gemm")
def gemm(context: OpContext) -> None:
    """alpha · A' · B' + beta · C with optional transpositions; C broadcasts to the result."""
    for slot in (0, 1):
        if len(context.shape(slot)) != 2:
            raise context.invalid(f"operand {slot} is not a matrix", found=str(context.type(slot)))
    a, b = context.tensor(0), context.tensor(1)
    if context.attribute("transA", 0):
        a = transpose_step(context, "a", a, (1, 0))
    if context.attribute("transB", 0):
        b = transpose_step(context, "b", b, (1, 0))
    (rows, inner), (depth, columns) = context.type_of(a).shape, context.type_of(b).shape
    if inner != depth:
        raise context.invalid("matrices do not fit", found=f"[{rows},{inner}] times [{depth},{columns}]")
    alpha, beta = context.attribute("alpha", 1.0), context.attribute("beta", 1.0)
    if context.value_of(a) is not None:
        a = _scaled(context, "scaled_a", a, alpha)
    else:
        b = _scaled(context, "scaled_b", b, alpha)
    type_ = TensorType(context.type(0).dtype, (rows, columns))
    bias = None
    if context.has(2) and beta != 0:
        shape = context.shape(2)
        if not broadcasts_to(shape, type_.shape):
            raise context.invalid(
                "C does not broadcast to the result", found=str(list(shape)), expected=str(type_)
            )
        bias = _scaled(context, "scaled_c", context.tensor(2), beta)
    context.result(ir.MatMul, [a, b, bias], type_)


def _scaled(context: OpContext, suffix: str, tensor: str, factor: float) -> str:
    """`tensor` times a number: at once for a constant, else by a layer."""
    if factor == 1:
        return tensor
    type_ = context.type_of(tensor)
    value = context.value_of(tensor)
    if value is not None:
        wide = np.float64 if type_.dtype.is_float else value.dtype
        return context.new_constant(suffix, (value.astype(wide) * factor).astype(value.dtype))
    return context.step(suffix, ir.Elementwise, [tensor], type_, function=Function.MUL, params=(factor,))


def broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to another, which stays as it is."""
    try:
        return np.broadcast_shapes(shape, target) == target
    except ValueError:
        return False
