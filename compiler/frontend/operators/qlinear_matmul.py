"""Importers of matrix products of quantised integers."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import OpContext, elements_of
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.operators.integer_sums import (
    Epilogue,
    Products,
    Shape,
    Zero,
    finish,
    total,
    zero_point,
)
from nnc.compiler.frontend.operators.matmul import broadcasts_to, product_of
from nnc.compiler.frontend.operators.quantisation import (
    CONSTANT_SCALES,
    check_zero_type,
    factor,
    known_scale,
    per_tensor,
    product,
    wrong_shape,
)
from nnc.compiler.frontend.operators.shaping import transpose_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.isa.types import DType


def _matrices(
    context: OpContext, x: str, weight: str, slots: tuple[int, int], dtypes: tuple[DType, DType]
) -> tuple[Products, Zero, Zero]:
    """The products of two matrices and their zero points, from the slots of the zero points."""
    matmul = product_of(context, x, weight)
    for slot, dtype in zip(slots, dtypes, strict=True):
        check_zero_type(context, slot, dtype)
    depth = context.type_of(matmul.x).shape[-1]
    x_zero, weight_zero = (
        zero_point(
            context,
            slot,
            f"{'xw'[right]}_zero",
            _matrix_parameter(context, "zero point", context.shape(slot), matmul.shape, right)
            if context.has(slot)
            else (),
        )
        for right, slot in enumerate(slots)
    )
    products = Products(
        ir.MatMul,
        matmul.x,
        matmul.weight,
        {},
        matmul.shape,
        matmul.result,
        matmul.shape[-1:],
        depth,
        lambda number: total(context, "x_sums", matmul.x, (-1,), number),
        lambda number: total(context, "w_sums", matmul.weight, (-2,), number),
    )
    return products, x_zero, weight_zero


def _matrix_parameter(context: OpContext, name: str, shape: Shape, sums_: Shape, right: int) -> Shape:
    """The shape in which a scale or zero point broadcasts to the sums: of rows, or (right) of columns."""
    extent = sums_[-1 if right else -2]
    if elements_of(shape) == 1:
        return ()
    if shape == (extent,):
        return shape if right else (extent, 1)
    kept, single = (-1, -2) if right else (-2, -1)
    fits = len(shape) >= 2 and shape[single] == 1 and shape[kept] in (1, extent)
    if not fits or not broadcasts_to(shape, sums_):
        where = "columns" if right else "rows"
        raise wrong_shape(context, name, shape, f"one number, or one for each of {extent} {where}")
    return shape


@importer("MatMulInteger")
def integer_product(context: OpContext) -> None:
    """Matrix product of 8-bit integers without their zero points, also those of run time, to i32."""
    dtypes = context.type(0).dtype, context.type(1).dtype
    finish(context, *_matrices(context, context.tensor(0), context.tensor(1), (2, 3), dtypes), Epilogue())


@importer("QLinearMatMul", constraints=CONSTANT_SCALES)
def quantised_product(context: OpContext) -> None:
    """Matrix product of 8-bit integers to 8-bit integers; scales of the whole, of rows or of columns."""
    dtypes = context.type(0).dtype, context.type(3).dtype
    products, x_zero, weight_zero = _matrices(context, context.tensor(0), context.tensor(3), (2, 5), dtypes)
    scales = []
    for right, slot in enumerate((1, 4)):
        scale = known_scale(context, slot)
        target_shape = _matrix_parameter(context, "scale", scale.shape, products.shape, right)
        scales.append(scale.reshape(target_shape))
    target = per_tensor(context, context.type(7).dtype, 6, 7)
    scale = factor(context, product(*scales), target.scale)
    finish(context, products, x_zero, weight_zero, Epilogue(None, scale, target))


@importer("QGemm", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_gemm(context: OpContext) -> None:
    """alpha · A' · B' + C of 8-bit integers and an i32 C, to 8-bit integers or to float32."""
    operands = [context.tensor(0), context.tensor(3)]
    for number, (flag, suffix) in enumerate((("transA", "a"), ("transB", "b"))):
        if len(context.type_of(operands[number]).shape) != 2:
            raise context.invalid("an operand is not a matrix", found=str(context.type_of(operands[number])))
        if context.attribute(flag, 0):
            operands[number] = transpose_step(context, suffix, operands[number], (1, 0))
    dtypes = context.type(0).dtype, context.type(3).dtype
    products, x_zero, weight_zero = _matrices(context, operands[0], operands[1], (2, 5), dtypes)
    if context.has(7) != context.has(8):
        raise context.unsupported("the result has a scale without a zero point, or the other way round")
    target = per_tensor(context, context.type(8).dtype, 7, 8) if context.has(8) else None
    x_scale, weight_scale = known_scale(context, 1), known_scale(context, 4)
    if x_scale.size != 1 or weight_scale.shape not in ((), (1,), products.by_channel):
        expected = f"one number, or for B [{products.by_channel[0]}]"
        raise wrong_shape(
            context, "scale", x_scale.shape if x_scale.size != 1 else weight_scale.shape, expected
        )
    scaled = product(product(np.float32(context.attribute("alpha", 1.0)), x_scale.reshape(-1)), weight_scale)
    scale = factor(context, scaled, np.float32(1) if target is None else target.scale)
    bias = context.optional(6)
    if bias is not None and not broadcasts_to(context.type_of(bias).shape, products.shape):
        raise context.invalid("C does not broadcast to the result", found=str(context.type_of(bias)))
    epilogue = Epilogue(bias, scale if scale.size > 1 else scale.reshape(()), target)
    finish(context, products, x_zero, weight_zero, epilogue)
