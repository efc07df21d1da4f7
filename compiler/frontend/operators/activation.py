"""Importers of functions of one variable: activations, exponentials, rounding."""

from __future__ import annotations

from math import inf

import numpy as np

from nnc.compiler.frontend.context import OpContext, scalar_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import type_code
from nnc.compiler.frontend.operators.elementwise import binary, broadcast_shape, exact_scalar
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, Result, is_unary
from nnc.isa.types import DType

_BY_OPERATOR = {function.record.operator: function for function in Function if is_unary(function)}
_PLAIN = {
    name: f for name, f in _BY_OPERATOR.items() if name not in (None, "Identity") and not f.record.params
}
_PARAMETRIC = {name: f for name, f in _BY_OPERATOR.items() if name is not None and f.record.params}


def _unary(context: OpContext, function: Function, params: tuple[float, ...] = ()) -> None:
    truth = function.record.result is Result.BOOL
    type_ = TensorType(DType.BOOL, context.shape()) if truth else context.type()
    context.result(ir.Elementwise, [context.tensor(0)], type_, function=function, params=params)


@importer(*_PLAIN)
def plain_function(context: OpContext) -> None:
    """The function of that name, element by element."""
    _unary(context, _PLAIN[context.op])


@importer(*_PARAMETRIC)
def parametric_function(context: OpContext) -> None:
    """The activation of that name with its parameters (alpha …), element by element."""
    function = _PARAMETRIC[context.op]
    params = (context.attribute(name, default) for name, default in function.record.params)
    _unary(context, function, tuple(map(float, params)))


@importer("Gelu")
def gelu(context: OpContext) -> None:
    """Gaussian error linear unit, exact or with approximate=tanh."""
    approximate = context.attribute("approximate", "none")
    if approximate not in ("none", "tanh"):
        raise context.invalid("unknown approximation", found=approximate, expected="none or tanh")
    _unary(context, Function.GELU if approximate == "none" else Function.GELU_TANH)


@importer("PRelu")
def parametric_relu(context: OpContext) -> None:
    """x where positive, else slope · x; the slope broadcasts to x."""
    if broadcast_shape(context, [context.tensor(0), context.tensor(1)]) != context.shape(0):
        raise context.invalid("the slope does not broadcast to the input", found=str(context.type(1)))
    slope = context.value(1)
    if slope is not None and slope.size == 1 and context.type().dtype.is_float:
        _unary(context, Function.LEAKY_RELU, (float(scalar_of(slope)),))
    else:
        binary(context, Function.PRELU)


@importer("Clip")
def clip(context: OpContext) -> None:
    """x limited to an interval whose bounds are attributes, constants, or computed scalars."""
    if context.has_attribute("min") or context.has_attribute("max") or context.version < 11:
        _unary(context, Function.CLIP, (context.attribute("min", -inf), context.attribute("max", inf)))
        return
    low, high = context.value(1), context.value(2)
    if (context.has(1) and low is None) or (context.has(2) and high is None):
        _clip_by_tensors(context)
        return
    least, most = (None if bound is None else exact_scalar(bound) for bound in (low, high))
    if (least is None and low is not None) or (most is None and high is not None):
        _clip_by_tensors(context)
    elif low is None and high is None:
        context.rename(context.tensor(0))
    else:
        _unary(context, Function.CLIP, (-inf if least is None else least, inf if most is None else most))


def _clip_by_tensors(context: OpContext) -> None:
    """Bounds that are known at run time only, or that no float holds: a maximum, then a minimum."""
    x, type_ = context.tensor(0), context.type()
    if context.has(1) and context.has(2):
        x = context.step("low", ir.Elementwise, [x, context.tensor(1)], type_, function=Function.MAX)
    slot, function = (2, Function.MIN) if context.has(2) else (1, Function.MAX)
    for bound in (1, 2):
        if context.has(bound) and context.type(bound).elements != 1:
            raise context.invalid("a bound is not a scalar", found=str(context.type(bound)))
    context.result(
        ir.Elementwise, [x, context.tensor(slot)], TensorType(type_.dtype, type_.shape), function=function
    )


@importer("Shrink")
def shrink(context: OpContext) -> None:
    """x + bias below −lambd, x − bias above lambd, else 0; integers lose the fraction of the result."""
    make, dtype = Expansion(context), context.type().dtype
    real = DType.F32 if not dtype.is_float else dtype
    lambd, bias = context.attribute("lambd", 0.5), context.attribute("bias", 0.0)
    x = make("Cast", context.tensor(0), to=type_code(real))
    least, shift, zero = (make.constant(np.asarray(value, real.numpy)) for value in (-lambd, bias, 0))
    most = make.constant(np.asarray(lambd, real.numpy))
    above = make("Where", make("Greater", x, most), make("Sub", x, shift), zero)
    result = make("Where", make("Less", x, least), make("Add", x, shift), above)
    make.define(0, make("Cast", result, to=type_code(dtype)))
