"""Importers of operators about shapes: reshapes, and those whose result is known at compile time."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import OpContext, elements_of
from nnc.compiler.frontend.model.sizes import check_tensor
from nnc.compiler.frontend.operator_reasons import NO_RANDOM_NUMBERS
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.operand import MAX_RANK
from nnc.isa.types import DType

_CONSTANT_SHAPE = ("The shape is known at compile time.",)
_CONSTANT_AXES = ("The axes are known at compile time.",)


@importer("Reshape", constraints=_CONSTANT_SHAPE)
def reshape(context: OpContext) -> None:
    """The same elements in another shape; 0 and −1 as in ONNX, allowzero."""
    x = context.shape()
    wanted = [int(d) for d in context.required_constant(1, "the shape").reshape(-1)]
    if not context.attribute("allowzero", 0):
        if any(d == 0 and axis >= len(x) for axis, d in enumerate(wanted)):
            raise context.invalid(
                "0 in the shape has no axis to copy", found=str(wanted), expected=str(list(x))
            )
        wanted = [x[axis] if d == 0 else d for axis, d in enumerate(wanted)]
    elements = elements_of([d for d in wanted if d != -1])
    if wanted.count(-1) == 1 and elements > 0:
        wanted[wanted.index(-1)] = elements_of(x) // elements
    if min(wanted, default=0) < 0 or elements_of(wanted) != elements_of(x):
        raise context.invalid(
            "the shape does not fit the elements", found=str(wanted), expected=f"as many as {list(x)}"
        )
    reshape_result(context, context.tensor(0), tuple(wanted))


@importer("Flatten")
def flatten(context: OpContext) -> None:
    """A matrix: the axes before `axis` are its rows, the others its columns."""
    x = context.shape()
    axis = context.attribute("axis", 1)
    if not -len(x) <= axis <= len(x):
        raise context.invalid("axis out of range", found=str(axis))
    axis = axis + len(x) if axis < 0 else axis
    reshape_result(context, context.tensor(0), (elements_of(x[:axis]), elements_of(x[axis:])))


@importer("Squeeze", constraints=_CONSTANT_AXES)
def squeeze(context: OpContext) -> None:
    """Drop axes of extent 1: those named, or all."""
    x = context.shape()
    named = context.attribute_or_input("axes", 1)
    axes = tuple(i for i, d in enumerate(x) if d == 1) if named is None else context.axes(named, len(x))
    if any(x[axis] != 1 for axis in axes):
        raise context.invalid("only axes of extent 1 can be dropped", found=f"axes {list(axes)} of {list(x)}")
    reshape_result(context, context.tensor(0), tuple(d for axis, d in enumerate(x) if axis not in axes))


@importer("Unsqueeze", constraints=_CONSTANT_AXES)
def unsqueeze(context: OpContext) -> None:
    """Insert axes of extent 1."""
    named = context.attribute_or_input("axes", 1) or ()
    rank = len(context.shape()) + len(named)
    axes = context.axes(named, rank)
    rest = iter(context.shape())
    reshape_result(
        context, context.tensor(0), tuple(1 if axis in axes else next(rest) for axis in range(rank))
    )


@importer("Identity", lazy=True)
def identity(context: OpContext) -> None:
    """Another name for the tensor: no work."""
    context.rename(context.tensor(0))


@importer("Dropout", constraints=("In training mode the ratio is a constant 0.",))
def dropout(context: OpContext) -> None:
    """Nothing at inference: another name for the tensor, and a mask of ones."""
    if context.has(2) and bool(np.any(context.required_constant(2, "training_mode"))):
        ratio = context.required_constant(1, "the ratio") if context.has(1) else np.full((), 0.5)
        if ratio.any():
            raise context.unsupported(f"training mode drops elements at random: {NO_RANDOM_NUMBERS}")
    if context.uses(1):
        if context.version < 12:
            raise context.unsupported("the mask is not defined before opset 12")
        context.fold(np.broadcast_to(np.ones((), np.bool_), context.shape()), 1)
    context.rename(context.tensor(0))


@importer("Shape")
def shape_of(context: OpContext) -> None:
    """The shape, a constant."""
    x = context.shape()
    start, end = context.attribute("start", 0), context.attribute("end", len(x))
    context.fold(np.array(x[slice(start, end)], np.int64))


@importer("Size")
def size_of(context: OpContext) -> None:
    """The number of elements, a constant."""
    context.fold(np.array(context.type().elements, np.int64))


@importer("Constant", constraints=("Not a string and not sparse.",))
def constant(context: OpContext) -> None:
    """A constant tensor."""
    raise context.unsupported("only dense tensors of numbers are supported as constants")


@importer("ConstantOfShape", constraints=_CONSTANT_SHAPE, lazy=True)
def constant_of_shape(context: OpContext) -> None:
    """A constant with one value everywhere; it takes no memory until it is used."""
    shape = tuple(int(d) for d in context.required_constant(0, "the shape").reshape(-1))
    if min(shape, default=0) < 0:
        raise context.invalid("a dimension is negative", found=str(list(shape)))
    value = context.array("value")
    value = np.zeros(1, np.float32) if value is None else value
    check_tensor(context.name, TensorType(DType.from_numpy(value.dtype), shape))
    context.fold(np.broadcast_to(value.reshape(()), shape))


@importer("Expand", constraints=_CONSTANT_SHAPE, lazy=True)
def expand(context: OpContext) -> None:
    """Broadcast to a shape."""
    x = context.type()
    wanted = tuple(int(d) for d in context.required_constant(1, "the shape").reshape(-1))
    try:
        shape = np.broadcast_shapes(x.shape, wanted)
    except ValueError:
        raise context.invalid(
            "the tensor does not broadcast", found=str(x), expected=str(list(wanted))
        ) from None
    _expand_to(context, context.tensor(0), shape)


def _expand_to(context: OpContext, tensor: str, shape: tuple[int, ...]) -> None:
    type_ = context.type_of(tensor)
    value = context.constant_of(tensor)
    check_tensor(context.name, TensorType(type_.dtype, shape))
    if value is not None:
        context.fold(np.broadcast_to(value, shape))
        return
    padded = (1,) * (len(shape) - len(type_.shape)) + type_.shape
    if padded == shape:
        reshape_result(context, tensor, shape)
        return
    tensor = reshape_step(context, "rank", tensor, padded)
    context.result(ir.Expand, [tensor], TensorType(type_.dtype, shape), shape=shape)


@importer("Tile", constraints=("The repeats are known at compile time.",))
def tile(context: OpContext) -> None:
    """Repeat the tensor along its axes."""
    x = context.type()
    repeats = [int(r) for r in context.required_constant(1, "repeats").reshape(-1)]
    if len(repeats) != len(x.shape) or min(repeats, default=0) < 0:
        raise context.invalid(
            "one repeat per axis is needed", found=str(repeats), expected=f"{len(x.shape)} numbers"
        )
    tensor, done = context.tensor(0), list(x.shape)
    at_once = max(MAX_RANK - len(x.shape), 1)  # every axis that is repeated needs another beside it
    repeated = [axis for axis, count in enumerate(repeats) if count != 1]
    for first in range(0, len(repeated), at_once):
        axes = repeated[first : first + at_once]
        apart: list[int] = []
        spread: list[int] = []
        for axis, extent in enumerate(done):
            apart += [1, extent] if axis in axes else [extent]
            spread += [repeats[axis], extent] if axis in axes else [extent]
        number = "" if first == 0 else f"{first}"
        tensor = reshape_step(context, f"apart{number}", tensor, tuple(apart))
        shape = tuple(spread)
        tensor = context.step(f"copies{number}", ir.Expand, [tensor], TensorType(x.dtype, shape), shape=shape)
        done = [extent * (repeats[axis] if axis in axes else 1) for axis, extent in enumerate(done)]
        if first + at_once < len(repeated):
            tensor = reshape_step(context, f"joined{number}", tensor, tuple(done))
    reshape_result(context, tensor, tuple(done))
