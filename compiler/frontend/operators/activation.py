"""Importers of functions of one variable: activations, exponentials, rounding."""

from __future__ import annotations

from math import inf

from nnc.compiler.frontend.context import OpContext, scalar_of
from nnc.compiler.frontend.operators.elementwise import binary, broadcast_shape
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function

_PLAIN = {
    "Abs": Function.ABS,
    "Ceil": Function.CEIL,
    "Cos": Function.COS,
    "Erf": Function.ERF,
    "Exp": Function.EXP,
    "Floor": Function.FLOOR,
    "HardSwish": Function.HARD_SWISH,
    "Log": Function.LOG,
    "Mish": Function.MISH,
    "Neg": Function.NEG,
    "Not": Function.NOT,
    "Reciprocal": Function.RECIPROCAL,
    "Relu": Function.RELU,
    "Round": Function.ROUND,
    "Sigmoid": Function.SIGMOID,
    "Sign": Function.SIGN,
    "Sin": Function.SIN,
    "Softplus": Function.SOFTPLUS,
    "Softsign": Function.SOFTSIGN,
    "Sqrt": Function.SQRT,
    "Tanh": Function.TANH,
}

_PARAMETRIC: dict[str, tuple[Function, tuple[tuple[str, float], ...]]] = {
    "Celu": (Function.CELU, (("alpha", 1.0),)),
    "Elu": (Function.ELU, (("alpha", 1.0),)),
    "HardSigmoid": (Function.HARD_SIGMOID, (("alpha", 0.2), ("beta", 0.5))),
    "LeakyRelu": (Function.LEAKY_RELU, (("alpha", 0.01),)),
    "Selu": (Function.SELU, (("alpha", 1.67326319217681884765625), ("gamma", 1.05070102214813232421875))),
    "Swish": (Function.SWISH, (("alpha", 1.0),)),
    "ThresholdedRelu": (Function.THRESHOLDED_RELU, (("alpha", 1.0),)),
}
"""Function and its parameters with ONNX's defaults, in the order of `Elementwise.params`."""


def _unary(context: OpContext, function: Function, params: tuple[float, ...] = ()) -> None:
    context.result(ir.Elementwise, [context.tensor(0)], context.type(), function=function, params=params)


@importer(*_PLAIN)
def plain_function(context: OpContext) -> None:
    """The function of that name, element by element."""
    _unary(context, _PLAIN[context.op])


@importer(*_PARAMETRIC)
def parametric_function(context: OpContext) -> None:
    """The activation of that name with its parameters (alpha …), element by element."""
    function, parameters = _PARAMETRIC[context.op]
    _unary(context, function, tuple(float(context.attribute(name, default)) for name, default in parameters))


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
    slope = context.constant(1)
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
    low, high = context.constant(1), context.constant(2)
    if (context.has(1) and low is None) or (context.has(2) and high is None):
        _clip_by_tensors(context)
        return
    bounds = (-inf if low is None else float(scalar_of(low)), inf if high is None else float(scalar_of(high)))
    if bounds == (-inf, inf):
        context.rename(context.tensor(0))
    else:
        _unary(context, Function.CLIP, bounds)


def _clip_by_tensors(context: OpContext) -> None:
    """Bounds that are known at run time only: a maximum, then a minimum."""
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
