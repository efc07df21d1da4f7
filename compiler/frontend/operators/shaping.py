"""Helper layers that several importers add: reshapes and transposes that vanish where nothing changes."""

from __future__ import annotations

from collections.abc import Callable

from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.storage import identity_order


def reshape_step(context: OpContext, suffix: str, tensor: str, shape: tuple[int, ...]) -> str:
    """`tensor` in another shape; a constant is reshaped at once."""
    type_ = context.type_of(tensor)
    if type_.shape == shape:
        return tensor
    constant = _moved(context, suffix, tensor, lambda array: array.reshape(shape))
    if constant is not None:
        return constant
    order = identity_order(len(type_.shape))
    return context.step(
        suffix, ir.Reshape, [tensor], TensorType(type_.dtype, shape), shape=shape, order=order
    )


def transpose_step(context: OpContext, suffix: str, tensor: str, perm: tuple[int, ...]) -> str:
    """`tensor` with its axes permuted; a constant becomes a permuted view at once."""
    type_ = context.type_of(tensor)
    if perm == identity_order(len(type_.shape)):
        return tensor
    constant = _moved(context, suffix, tensor, lambda array: array.transpose(perm))
    if constant is not None:
        return constant
    shape = tuple(type_.shape[axis] for axis in perm)
    return context.step(suffix, ir.Transpose, [tensor], TensorType(type_.dtype, shape), perm=perm)


def _moved(context: OpContext, suffix: str, tensor: str, move: Callable[[Array], Array]) -> str | None:
    """A constant with its elements moved, stored as it was; None if the tensor is no constant."""
    value, stored = context.constant_of(tensor), context.dequantised_of(tensor)
    if value is not None:
        return context.new_constant(suffix, move(value))
    return None if stored is None else context.dequantise(stored.moved(move), suffix=suffix)


def reshape_result(context: OpContext, tensor: str, shape: tuple[int, ...], slot: int = 0) -> None:
    """Let output `slot` be `tensor` in another shape."""
    type_ = context.type_of(tensor)
    if type_.shape == shape:
        context.rename(tensor, slot)
        return
    value = context.constant_of(tensor)
    if value is not None:
        context.fold(value.reshape(shape), slot)
        return
    order = identity_order(len(type_.shape))
    context.result(ir.Reshape, [tensor], TensorType(type_.dtype, shape), slot=slot, shape=shape, order=order)
