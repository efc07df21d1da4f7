"""Importer of Pad."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.frontend.operators.elementwise import exact_scalar
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, PadMode

Counts = tuple[int, ...]


@importer("Pad", constraints=("Pads, axes and the value are known at compile time.",))
def pad(context: OpContext) -> None:
    """Padding or cropping: modes constant, edge, reflect and wrap."""
    x, tensor = context.type(), context.tensor(0)
    begin, end = _pads(context)
    name = context.attribute("mode", "constant")
    if name not in (m.value for m in PadMode):
        raise context.invalid("unknown mode", found=name)
    mode = PadMode(name)
    if not any(begin) and not any(end):
        context.rename(tensor)
        return
    shape = tuple(b + d + e for b, d, e in zip(begin, x.shape, end, strict=True))
    if min(shape) < 0:
        raise _too_much(context, begin, end)
    if not x.elements and mode is PadMode.CONSTANT:
        context.fold(np.broadcast_to(_value(context).astype(x.dtype.numpy), shape))
        return
    both = any(min(b, e) < 0 < max(b, e) for b, e in zip(begin, end, strict=True))
    if both and mode in (PadMode.REFLECT, PadMode.WRAP):
        tensor = _cropped(context, begin, end)
        begin, end = (tuple(max(0, count) for count in counts) for counts in (begin, end))
    extents = context.type_of(tensor).shape
    _check_reach(context, mode, begin, end, extents)
    fields: dict[str, Any] = {"mode": mode, "begin": begin, "end": end, "src_extent": extents}
    fields |= dict.fromkeys(("origin", "src_origin"), (0,) * len(shape))
    _emit(context, tensor, TensorType(x.dtype, shape), fields)


def _pads(context: OpContext) -> tuple[Counts, Counts]:
    """Elements before and after, for every axis."""
    rank = len(context.shape())
    pads = context.attribute_or_input("pads", 1)
    if pads is None:
        raise context.invalid("pads are needed")
    named = context.attribute_or_input("axes", 3)
    axes = tuple(range(rank)) if named is None else tuple(context.axis(axis, rank) for axis in named)
    if len(pads) != 2 * len(axes):
        raise context.invalid(
            "pads has the wrong length", found=str(list(pads)), expected=f"{2 * len(axes)} numbers"
        )
    begin, end = [0] * rank, [0] * rank
    for position, axis in enumerate(axes):
        begin[axis], end[axis] = pads[position], pads[position + len(axes)]
    return tuple(begin), tuple(end)


def _emit(context: OpContext, tensor: str, type_: TensorType, fields: dict[str, Any]) -> None:
    """The layer, with the constant that it writes; one that no float holds is added to zeros afterwards."""
    value = _value(context)
    number = exact_scalar(value)
    if number is not None or fields["mode"] is not PadMode.CONSTANT:
        context.result(ir.Pad, [tensor], type_, value=number or 0.0, **fields)
        return
    constant, x = context.new_constant("value", value), context.type()
    less = context.step("less", ir.Elementwise, [tensor, constant], x, function=Function.SUB)
    padded = context.step("padded", ir.Pad, [less], type_, value=0.0, **fields)
    context.result(ir.Elementwise, [padded, constant], type_, function=Function.ADD)


def _value(context: OpContext) -> Array:
    """What stands beside the elements in mode constant: a scalar."""
    if context.has(2):
        return context.required_constant(2, "the value").reshape(())
    return np.array(context.attribute("value", 0.0))


def _cropped(context: OpContext, begin: Counts, end: Counts) -> str:
    """What negative pads leave of the operand: the other side reflects or repeats the rest."""
    x = context.type()
    start = tuple(max(0, -count) for count in begin)
    rest = tuple(n - a - max(0, -e) for n, a, e in zip(x.shape, start, end, strict=True))
    if min(rest) < 1:
        raise _too_much(context, begin, end)
    fields: dict[str, Any] = {"start": start, "step": (1,) * len(rest), "shape": rest}
    return context.step("crop", ir.Slice, [context.tensor(0)], TensorType(x.dtype, rest), **fields)


def _too_much(context: OpContext, begin: Counts, end: Counts) -> Exception:
    return context.invalid(
        "more is cropped than there is", found=str([*begin, *end]), expected=str(context.type())
    )


def _check_reach(context: OpContext, mode: PadMode, begin: Counts, end: Counts, shape: Counts) -> None:
    """Reflection can reach no further than the other end."""
    if mode is not PadMode.REFLECT:
        return
    for low, high, extent in zip(begin, end, shape, strict=True):
        if max(low, high) > max(extent - 1, 0):
            raise context.unsupported(f"reflection of {max(low, high)} elements needs more than {extent}")
