"""Importers of matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.frontend.block_matrix import BlockMatrix
from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function
from nnc.isa.types import DType


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


def block_product(context: OpContext, x: str, matrix: BlockMatrix, bias: str | None) -> None:
    """Let the result be x times a matrix of few bits, as it is, and an optional bias.

    Args:
        x: f16 or f32 [..., M, K], or [K]; bias: [N].
    """
    format_, zero, data = matrix.packed()
    vector = len(context.type_of(x).shape) == 1
    rows = reshape_step(context, "row", x, (1, matrix.integers.shape[0])) if vector else x
    type_, fields = context.type_of(rows), {**format_._asdict(), "weight_zero": zero}
    result = TensorType(type_.dtype, (*type_.shape[:-1], matrix.integers.shape[1]))
    operands = [rows, context.new_constant("blocks", data), bias]
    if vector:
        product = context.step("product", ir.BlockMatMul, operands, result, **fields)
        reshape_result(context, product, result.shape[1:])
    else:
        context.result(ir.BlockMatMul, operands, result, **fields)


def _block_matrix(context: OpContext, *, is_turned: bool = False) -> BlockMatrix | None:
    """The matrix of few bits that operand 1 is, or its transpose; None if a product cannot take it so."""
    matrix, x = context.block_matrix(1), context.type(0)
    if matrix is None or matrix.is_turned != is_turned or x.dtype not in (DType.F16, DType.F32):
        return None
    return matrix if x.shape[-1:] == matrix.integers.shape[:1] else None


@importer("MatMul")
def matrix_product(context: OpContext) -> None:
    """Batched matrix product with numpy's broadcasting; vectors as in numpy."""
    if (matrix := _block_matrix(context)) is not None:
        block_product(context, context.tensor(0), matrix, None)
        return
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
    if (matrix := _matrix_of_gemm(context)) is not None:
        block_product(context, a, matrix, context.optional(2))
        return
    if context.attribute("transA", 0):
        a = transpose_step(context, "a", a, (1, 0))
    if context.attribute("transB", 0):
        b = transpose_step(context, "b", b, (1, 0))
    (rows, inner), (depth, columns) = context.type_of(a).shape, context.type_of(b).shape
    if inner != depth:
        raise context.invalid("matrices do not fit", found=f"[{rows},{inner}] times [{depth},{columns}]")
    alpha, beta = context.attribute("alpha", 1.0), context.attribute("beta", 1.0)
    type_ = TensorType(context.type(0).dtype, (rows, columns))
    bias = None
    if context.has(2) and beta != 0:
        shape = context.shape(2)
        if not broadcasts_to(shape, type_.shape):
            raise context.invalid(
                "C does not broadcast to the result", found=str(list(shape)), expected=str(type_)
            )
        bias = context.tensor(2)
        if beta != 1:
            bias = _times(context, "scaled_c", bias, beta)
    if alpha == 1:
        context.result(ir.MatMul, [a, b, bias], type_)
    elif (left := _constant_times(context, "scaled_a", a, alpha)) is not None:
        context.result(ir.MatMul, [left, b, bias], type_)
    elif (right := _constant_times(context, "scaled_b", b, alpha)) is not None:
        context.result(ir.MatMul, [a, right, bias], type_)
    else:
        product = context.step("product", ir.MatMul, [a, b], type_)
        scaled = _times(context, "scaled", product, alpha)
        if bias is None:
            context.rename(scaled)
        else:
            context.result(ir.Elementwise, [scaled, bias], type_, function=Function.ADD)


def _matrix_of_gemm(context: OpContext) -> BlockMatrix | None:
    """The matrix of few bits of a Gemm that does nothing but multiply by it and add a bias."""
    factors = [context.attribute(name, 1.0) for name in ("alpha", "beta")]
    matrix = _block_matrix(context, is_turned=bool(context.attribute("transB", 0)))
    if matrix is None or context.attribute("transA", 0) or factors != [1.0, 1.0]:
        return None
    is_vector = not context.has(2) or context.shape(2) == (matrix.integers.shape[1],)
    return matrix if is_vector else None


def _times(context: OpContext, suffix: str, tensor: str, factor: float) -> str:
    """`tensor` times a number other than 1: at once for a constant, else by a layer."""
    product = _constant_times(context, suffix, tensor, factor)
    if product is not None:
        return product
    type_ = context.type_of(tensor)
    if type_.dtype.is_float:
        context.rounded(suffix, np.array(factor), type_.dtype)
    return context.step(suffix, ir.Elementwise, [tensor], type_, function=Function.MUL, params=(factor,))


def _constant_times(context: OpContext, suffix: str, tensor: str, factor: float) -> str | None:
    """A constant times a number as another one; None if it is none, or its type cannot hold the products."""
    value = context.value_of(tensor)
    if value is None:
        return None
    if value.dtype.kind != "f":
        return context.new_constant(suffix, (value * factor).astype(value.dtype))
    product = (value.astype(np.float64) * factor).astype(value.dtype)
    normal = np.finfo(value.dtype).tiny
    lost = (np.abs(product) < normal) & (np.abs(value) >= normal) & (factor != 0)
    if lost.any() or not (np.isfinite(product) | ~np.isfinite(value)).all():
        return None
    return context.new_constant(suffix, product)


def broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to another, which stays as it is."""
    try:
        return np.broadcast_shapes(shape, target) == target
    except ValueError:
        return False
