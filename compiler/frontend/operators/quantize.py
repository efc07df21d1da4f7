"""Importers of conversions between real numbers and quantised integers."""

from __future__ import annotations

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function
from nnc.isa.types import DType


def _along_axis(context: OpContext, slot: int, name: str) -> str:
    """Scale or zero point as it broadcasts to the operand: a scalar, or a vector along the axis."""
    shape, rank = context.shape(slot), len(context.shape())
    if len(shape) > 1:
        raise context.unsupported("scales in blocks are not supported")
    if shape in ((), (1,)):
        return reshape_step(context, name, context.tensor(slot), ())
    axis = context.axis(context.attribute("axis", 1), rank)
    if shape != (context.shape()[axis],):
        raise context.invalid(f"{name} does not fit axis {axis} of the input", found=str(list(shape)))
    return reshape_step(context, name, context.tensor(slot), (*shape, *[1] * (rank - 1 - axis)))


def _operands(context: OpContext) -> list[str]:
    names = ("x", "scale", "zero")
    return [context.tensor(0)] + [
        _along_axis(context, slot, names[slot]) for slot in (1, 2) if context.has(slot)
    ]


@importer("QuantizeLinear", constraints=("One scale, or one per index of an axis.",))
def quantize(context: OpContext) -> None:
    """x / scale rounded half to even, plus zero point, saturated to 8-bit integers."""
    dtype = context.type(2).dtype if context.has(2) else DType.U8
    type_ = TensorType(dtype, context.shape())
    context.result(ir.Elementwise, _operands(context), type_, function=Function.QUANTIZE)


@importer("DequantizeLinear", constraints=("One scale, or one per index of an axis.",))
def dequantize(context: OpContext) -> None:
    """(x − zero point) · scale: integers as real numbers."""
    type_ = TensorType(context.type(1).dtype, context.shape())
    context.result(ir.Elementwise, _operands(context), type_, function=Function.DEQUANTIZE)
