"""Importers of reductions and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnc.compiler.frontend.context import OpContext, elements_of, scalar_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import type_code
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_REDUCTIONS = {
    "ReduceL1": ReduceFunction.L1,
    "ReduceL2": ReduceFunction.L2,
    "ReduceLogSum": ReduceFunction.LOG_SUM,
    "ReduceLogSumExp": ReduceFunction.LOG_SUM_EXP,
    "ReduceMax": ReduceFunction.MAX,
    "ReduceMean": ReduceFunction.MEAN,
    "ReduceMin": ReduceFunction.MIN,
    "ReduceProd": ReduceFunction.PROD,
    "ReduceSum": ReduceFunction.SUM,
    "ReduceSumSquare": ReduceFunction.SUM_SQUARE,
}
_ZERO_OF_NOTHING = (*(ReduceFunction.L1, ReduceFunction.L2, ReduceFunction.SUM, ReduceFunction.SUM_SQUARE),)
_OF_ONE = {
    ReduceFunction.L1: Function.ABS,
    ReduceFunction.L2: Function.ABS,
    ReduceFunction.LOG_SUM: Function.LOG,
    ReduceFunction.SUM_SQUARE: Function.MUL,
}
"""What reductions make of a single element; the others leave it as it is."""


@importer(*_REDUCTIONS, constraints=("The axes are known at compile time.",))
def reduction(context: OpContext) -> None:
    """The reduction of that name over some axes, or all."""
    x, tensor = context.type(), context.tensor(0)
    rank = len(x.shape)
    named = context.attribute_or_input("axes", 1)
    if not named and context.attribute("noop_with_empty_axes", 0):
        _each_alone(context, x)
        return
    axes = context.axes(named, rank) if named else tuple(range(rank))
    if not axes:  # a scalar: the function of one element, as of a vector of one
        x, axes = TensorType(x.dtype, (1,)), (0,)
        tensor = reshape_step(context, "vector", tensor, x.shape)
    if not x.elements and not any(extent == 0 for axis, extent in enumerate(x.shape) if axis not in axes):
        _reduce_nothing(context, x, axes)
        return
    kept = tuple(1 if axis in axes else extent for axis, extent in enumerate(x.shape))
    fields: dict[str, Any] = {
        "function": _REDUCTIONS[context.op],
        "axes": axes,
        "count": elements_of([x.shape[a] for a in axes]),
    }
    if context.attribute("keepdims", 1) and rank:
        context.result(ir.Reduce, [tensor], TensorType(x.dtype, kept), **fields)
        return
    folded = context.step("folded", ir.Reduce, [tensor], TensorType(x.dtype, kept), **fields)
    reshape_result(context, folded, tuple(extent for axis, extent in enumerate(x.shape) if axis not in axes))


def _each_alone(context: OpContext, x: TensorType) -> None:
    """Let the result be the function of every single element: there is no axis to go over."""
    function, tensor = _OF_ONE.get(_REDUCTIONS[context.op]), context.tensor(0)
    if function is None:
        context.rename(tensor)
    elif function is Function.LOG and not x.dtype.is_float:
        raise context.unsupported("the logarithm of integers is not supported")
    else:
        operands = [tensor, tensor] if function is Function.MUL else [tensor]
        context.result(ir.Elementwise, operands, x, function=function)


def _reduce_nothing(context: OpContext, x: TensorType, axes: tuple[int, ...]) -> None:
    """Let the result be what a function gives of no elements.

    Raises:
        UnsupportedError: that is not defined.
    """
    function = _REDUCTIONS[context.op]
    low, high = (-np.inf, np.inf) if x.dtype.is_float else _limits(x.dtype)
    of_nothing: dict[ReduceFunction, float] = {
        **dict.fromkeys(_ZERO_OF_NOTHING, 0),
        ReduceFunction.MEAN: 0,  # ONNX leaves it open; so onnxruntime has it
        ReduceFunction.PROD: 1,
        ReduceFunction.MAX: low,
        ReduceFunction.MIN: high,
    }
    if x.dtype.is_float:
        of_nothing |= {ReduceFunction.LOG_SUM: -np.inf, ReduceFunction.LOG_SUM_EXP: -np.inf}
    if function not in of_nothing:
        raise context.unsupported(f"it is not defined for a tensor without elements, {x}")
    keeps = context.attribute("keepdims", 1)
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keeps or a not in axes)
    context.fold(np.full(shape, of_nothing[function], x.dtype.numpy))


def _limits(dtype: DType) -> tuple[int, int]:
    """The least and the greatest value of a type that is no float."""
    if dtype is DType.BOOL:
        return 0, 1
    info = np.iinfo(str(dtype.numpy))
    return int(info.min), int(info.max)


def softmax_rows(context: OpContext, tensor: str, axis: int, *, flat: bool) -> tuple[str, int]:
    """The operand of a softmax in a shape with one axis to go over, and that axis.

    Args:
        context, tensor: the node and its operand.
        axis: of the operand, counted from the end if negative.
        flat: whether the softmax goes over all axes from `axis` on, as before opset 13.
    """
    shape = context.type_of(tensor).shape
    axis = context.axis(axis, max(len(shape), 1))
    if not shape:
        raise context.unsupported("softmax of a scalar is not supported")
    if not flat or elements_of(shape[axis + 1 :]) == 1:
        return tensor, axis
    return reshape_step(context, "flat", tensor, (elements_of(shape[:axis]), elements_of(shape[axis:]))), 1


@importer("Softmax", "LogSoftmax")
def softmax(context: OpContext) -> None:
    """Softmax or its logarithm over one axis; before opset 13 over all axes from `axis` on."""
    x, log, flat = context.type(), context.op == "LogSoftmax", context.version < 13
    axis = context.attribute("axis", 1 if flat else -1)
    tensor, axis = softmax_rows(context, context.tensor(0), axis, flat=flat)
    type_ = context.type_of(tensor)
    if type_ == x:
        context.result(ir.Softmax, [tensor], x, axis=axis, log=log)
    else:
        rows = context.step("rows", ir.Softmax, [tensor], type_, axis=axis, log=log)
        reshape_result(context, rows, x.shape)


@importer("Hardmax")
def hardmax(context: OpContext) -> None:
    """1 at the first of the largest elements of an axis, else 0; before opset 13 as Softmax."""
    make, flat = Expansion(context), context.version < 13
    axis = context.attribute("axis", 1 if flat else -1)
    rows, axis = softmax_rows(context, context.tensor(0), axis, flat=flat)
    shape = context.type_of(rows).shape
    places = np.arange(shape[axis]).reshape(-1, *(1 for _ in shape[axis + 1 :]))
    largest = make("Equal", make("ArgMax", rows, axis=axis), make.constant(places))
    make.define(0, make.reshape(make("Cast", largest, to=type_code(context.type().dtype)), *context.shape()))


def _axis_operand(context: OpContext) -> int:
    """The axis that operand 1 names."""
    axis = int(scalar_of(context.required_constant(1, "the axis")))
    return context.axis(axis, len(context.shape()))


@importer("CumProd", constraints=("The axis is known at compile time.",))
def cumulative_product(context: OpContext) -> None:
    """Running products along an axis, as CumSum: each step doubles how many elements they are of."""
    make, axis, shape = Expansion(context), _axis_operand(context), context.shape()

    def moved(tensor: str, places: int) -> str:
        """The elements so many places further along the axis, behind ones."""
        pads = np.zeros((2, len(shape)), np.int64)
        pads[:, axis] = (-places, places) if context.flag("reverse") else (places, -places)
        return make("Pad", tensor, make.constant(pads.reshape(-1)), make.constant(1, like=0))

    product, places = context.tensor(0), 1
    if context.flag("exclusive"):
        product = moved(product, 1)
    while places < shape[axis]:
        product = make("Mul", product, moved(product, places))
        places *= 2
    make.define(0, product)


@importer("CumSum", constraints=("The axis is known at compile time.",))
def cumulative_sum(context: OpContext) -> None:
    """Running sums along an axis, with or without the element itself, from either end."""
    axis = _axis_operand(context)
    flags = {name: bool(context.attribute(name, 0)) for name in ("exclusive", "reverse")}
    context.result(ir.CumSum, [context.tensor(0)], context.type(), axis=axis, **flags)


@importer("ArgMax", "ArgMin")
def position_of_extreme(context: OpContext) -> None:
    """Position of the extreme element along an axis, the first or the last of equal ones (int64)."""
    shape = context.shape()
    if not shape:
        raise context.unsupported("the position in a scalar is not supported")
    axis = context.axis(context.attribute("axis", 0), len(shape))
    last = bool(context.attribute("select_last_index", 0))
    fields: dict[str, Any] = {"axis": axis, "least": context.op == "ArgMin", "last": last}
    type_ = TensorType(DType.I64, (*shape[:axis], 1, *shape[axis + 1 :]))
    if context.attribute("keepdims", 1):
        context.result(ir.ArgMax, [context.tensor(0)], type_, **fields)
        return
    folded = context.step("folded", ir.ArgMax, [context.tensor(0)], type_, **fields)
    reshape_result(context, folded, (*shape[:axis], *shape[axis + 1 :]))


@importer("TopK", constraints=("K is known at compile time.",))
def greatest_elements(context: OpContext) -> None:
    """The greatest or least elements along an axis and their positions, in order, of equal ones the first."""
    x = context.type()
    if not x.shape:
        raise context.invalid("a scalar has no axis", found=str(x))
    axis = context.axis(context.attribute("axis", -1), len(x.shape))
    counts = context.attribute_or_input("k", 1) if context.version >= 10 else (context.attribute("k", 0),)
    if counts is None or len(counts) != 1 or not 0 <= counts[0] <= x.shape[axis]:
        raise context.invalid("K does not fit the axis", found=str(counts), expected=f"0 … {x.shape[axis]}")
    shape = (*x.shape[:axis], counts[0], *x.shape[axis + 1 :])
    fields: dict[str, Any] = {"axis": axis, "least": not context.flag("largest", 1), "count": counts[0]}
    operands = [context.tensor(0)]
    positions = context.result(ir.ArgMax, operands, TensorType(DType.I64, shape), slot=1, **fields)
    context.result(ir.GatherElements, [*operands, positions], TensorType(x.dtype, shape), axis=axis)
