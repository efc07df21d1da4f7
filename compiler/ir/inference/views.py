"""Inference rules of the views, and of the joins of partitioned graphs."""

from __future__ import annotations

from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.inference.table import Given, Operands, Shape, check_rank, first_operand, misfit, rule
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import positions


@rule(ir.Reshape)
def _reshape(layer: ir.Reshape, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    if sorted(layer.order) != list(range(len(x.shape))) or prod(layer.shape) != x.elements:
        raise misfit(layer, f"{x} cannot become {layer.shape} in the order {layer.order}")
    return TensorType(x.dtype, layer.shape)


@rule(ir.Transpose)
def _transpose(layer: ir.Transpose, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    if sorted(layer.perm) != list(range(len(x.shape))):
        raise misfit(layer, f"{layer.perm} does not permute the axes of {x}")
    return TensorType(x.dtype, tuple(x.shape[axis] for axis in layer.perm))


@rule(ir.Slice)
def _slice(layer: ir.Slice, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    for name in ("start", "step", "shape"):
        check_rank(layer, name, getattr(layer, name), len(x.shape))
    for start, step, count, extent in zip(layer.start, layer.step, layer.shape, x.shape, strict=True):
        last = start + (count - 1) * step
        if count > 0 and not (0 <= start < extent and 0 <= last < extent):
            raise misfit(layer, f"elements {start} to {last} of an axis of {extent}")
    return TensorType(x.dtype, layer.shape)


@rule(ir.Expand)
def _expand(layer: ir.Expand, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    check_rank(layer, "shape", layer.shape, len(x.shape))
    if any(old not in (1, new) for old, new in zip(x.shape, layer.shape, strict=True)):
        raise misfit(layer, f"{x} cannot be repeated to {layer.shape}")
    return TensorType(x.dtype, layer.shape)


@rule(ir.Unfold)
def _unfold(layer: ir.Unfold, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    axis, last = layer.axis, (layer.count - 1) * layer.step + layer.size
    if not 0 <= axis < len(x.shape) or min(layer.count, layer.size, layer.step) < 1:
        raise misfit(layer, f"{layer.count} slices of {layer.size} along axis {axis} of {x}")
    if last > x.shape[axis]:
        raise misfit(layer, f"slices up to element {last} of an axis of {x.shape[axis]}")
    return TensorType(x.dtype, (*x.shape[:axis], layer.count, layer.size, *x.shape[axis + 1 :]))


@rule(ir.AsStrided)
def _as_strided(layer: ir.AsStrided, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    check_rank(layer, "steps", layer.steps, len(x.shape))
    check_rank(layer, "strides", layer.strides, len(layer.shape))
    if positions(x.shape, layer.steps, layer.offset, layer.strides, layer.shape) is None:
        raise misfit(layer, f"it reads what is no element of {x} with steps {layer.steps}")
    return TensorType(x.dtype, layer.shape)


@rule(ir.Concat)
def _concat(layer: ir.Concat, operands: Operands, given: Given) -> TensorType:
    first = first_operand(operands)
    if not 0 <= layer.axis < len(first.shape):
        raise misfit(layer, f"axis {layer.axis} of {first}")
    total = 0
    for operand in map(required, operands):
        check_rank(layer, "an operand", operand.shape, len(first.shape))
        ends = operand.shape[layer.axis]
        if TensorType(operand.dtype, _with(operand.shape, layer.axis, 1)) != TensorType(
            first.dtype, _with(first.shape, layer.axis, 1)
        ):
            raise misfit(layer, f"{first} and {operand} differ beside axis {layer.axis}")
        total += ends
    return TensorType(first.dtype, _with(first.shape, layer.axis, total))


def _with(shape: Shape, axis: int, extent: int) -> Shape:
    return (*shape[:axis], extent, *shape[axis + 1 :])


@rule(ir.Join)
def _join(layer: ir.Join, operands: Operands, given: Given) -> TensorType:
    """The box from zero that holds all operands at their places."""
    first = first_operand(operands)
    check_rank(layer, "origins", layer.origins, len(operands))
    ends = [0] * len(first.shape)
    for operand, origin in zip(map(required, operands), layer.origins, strict=True):
        check_rank(layer, "an origin", origin, len(operand.shape))
        if operand.dtype != first.dtype:
            raise misfit(layer, f"operands of types {first.dtype.value} and {operand.dtype.value}")
        ends = [max(end, a + n) for end, a, n in zip(ends, origin, operand.shape, strict=True)]
    return TensorType(first.dtype, tuple(ends))
