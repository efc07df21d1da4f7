"""Importers of matrix products."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function


@importer("MatMul")
def matrix_product(context: OpContext) -> None:
    """Batched matrix product with numpy's broadcasting; vectors as in numpy."""
    left, right = context.type(0), context.type(1)
    if not left.shape or not right.shape:
        raise context.invalid("a scalar has no matrix product")
    x, weight = context.tensor(0), context.tensor(1)
    if len(left.shape) == 1:
        x = reshape_step(context, "row", x, (1, *left.shape))
    if len(right.shape) == 1:
        weight = reshape_step(context, "column", weight, (*right.shape, 1))
    a, b = context.type_of(x).shape, context.type_of(weight).shape
    if a[-1] != b[-2]:
        raise context.invalid("matrices do not fit", found=f"{list(a)} times {list(b)}")
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise context.invalid("batch axes do not broadcast", found=f"{list(a)} times {list(b)}") from None
    type_ = TensorType(left.dtype, (*batch, a[-2], b[-1]))
    shape = list(type_.shape)
    if len(right.shape) == 1:
        shape.pop()
    if len(left.shape) == 1:
        shape.pop(len(batch))
    if tuple(shape) == type_.shape:
        context.result(ir.MatMul, [x, weight], type_)
    else:
        reshape_result(context, context.step("product", ir.MatMul, [x, weight], type_), tuple(shape))


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
    if context.constant_of(a) is not None:
        a = _scaled(context, "scaled_a", a, alpha)
    else:
        b = _scaled(context, "scaled_b", b, alpha)
    type_ = TensorType(context.type(0).dtype, (rows, columns))
    bias = None
    if context.has(2) and beta != 0:
        shape = context.shape(2)
        if not _broadcasts_to(shape, type_.shape):
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
    value = context.constant_of(tensor)
    if value is not None:
        wide = np.float64 if type_.dtype.is_float else value.dtype
        return context.new_constant(suffix, (value.astype(wide) * factor).astype(value.dtype))
    return context.step(suffix, ir.Elementwise, [tensor], type_, function=Function.MUL, params=(factor,))


def _broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, target) == target
    except ValueError:
        return False
