"""Functions of one variable: one table for element-wise instructions and for fused activations.

Formulas are those of the ONNX operators of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import partial
from math import pi, sqrt

import numpy as np

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import Function, is_unary
from nnc.runtime.kernels.binding import Binder, Kernel
from nnc.runtime.kernels.erf import erf
from nnc.runtime.memory import Array

Params = tuple[float, ...]
Formula = Callable[[Array, Array, Array, Params], None]
"""formula(x, out, work, params): out may be x; work is scratch, shaped as x, distinct from both."""

_SELU = (1.67326319217681884765625, 1.05070102214813232421875)
_TANH_CUBE = 0.044715
_LARGE = 2**13
"""Elements from which on a slower call pays for a faster loop."""


def _negate(x: Array, out: Array, work: Array, params: Params) -> None:
    """−x by way of a dense array: from some strides to others, numpy 2.4's negative takes wrong elements."""
    np.negative(x, out=work)
    np.copyto(out, work)


def _elu(x: Array, out: Array, work: Array, alpha: float) -> None:
    """x where positive, else alpha·(exp(x) − 1)."""
    np.minimum(x, 0, out=work)
    np.expm1(work, out=work)
    np.multiply(work, alpha, out=work)
    np.maximum(x, 0, out=out)
    np.add(out, work, out=out)


def _selu(x: Array, out: Array, work: Array, params: Params) -> None:
    alpha, gamma = params or _SELU
    _elu(x, out, work, alpha)
    np.multiply(out, gamma, out=out)


def _celu(x: Array, out: Array, work: Array, params: Params) -> None:
    """max(0, x) + min(0, alpha·(exp(x/alpha) − 1)), whatever the sign of alpha."""
    alpha = params[0] if params else 1.0
    np.divide(x, alpha, out=work)
    np.exp(work, out=work)
    np.subtract(work, 1, out=work)
    np.multiply(work, alpha, out=work)
    np.minimum(work, 0, out=work)
    np.maximum(x, 0, out=out)
    np.add(out, work, out=out)


def _leaky_relu(x: Array, out: Array, work: Array, params: Params) -> None:
    np.minimum(x, 0, out=work)
    np.multiply(work, params[0] if params else 0.01, out=work)
    np.maximum(x, 0, out=out)
    np.add(out, work, out=out)


def _sigmoid(x: Array, out: Array, work: Array, params: Params) -> None:
    """1/(1 + exp(−x)): exp may overflow to infinity, which gives the right 0."""
    np.negative(x, out=work)
    np.exp(work, out=work)
    np.add(work, 1, out=work)
    np.reciprocal(work, out=out)


def sigmoid(x: Array) -> Array:
    """The sigmoid as an array of its own."""
    result = np.empty_like(x)
    _sigmoid(x, result, result, ())
    return result


def _hard_sigmoid(x: Array, out: Array, work: Array, params: Params) -> None:
    alpha, beta = params or (0.2, 0.5)
    np.multiply(x, alpha, out=out)
    np.add(out, beta, out=out)
    np.maximum(out, 0, out=out)
    np.minimum(out, 1, out=out)


def _hard_swish(x: Array, out: Array, work: Array, params: Params) -> None:
    _hard_sigmoid(x, work, work, (1 / 6, 0.5))
    np.multiply(x, work, out=out)


def _swish(x: Array, out: Array, work: Array, params: Params) -> None:
    np.multiply(x, params[0] if params else 1.0, out=work)
    _sigmoid(work, work, work, ())
    np.multiply(x, work, out=out)


def _softplus(x: Array, out: Array, work: Array, params: Params) -> None:
    np.logaddexp(x, x.dtype.type(0), out=out)


def _softsign(x: Array, out: Array, work: Array, params: Params) -> None:
    np.abs(x, out=work)
    np.add(work, 1, out=work)
    np.divide(x, work, out=out)


def _mish(x: Array, out: Array, work: Array, params: Params) -> None:
    _softplus(x, work, work, ())
    np.tanh(work, out=work)
    np.multiply(x, work, out=out)


def _gelu(x: Array, out: Array, work: Array, params: Params) -> None:
    np.multiply(x, 1 / sqrt(2), out=work)
    erf(work, work)
    np.add(work, 1, out=work)
    np.multiply(work, 0.5, out=work)
    np.multiply(x, work, out=out)


def _gelu_tanh(x: Array, out: Array, work: Array, params: Params) -> None:
    np.multiply(x, x, out=work)
    np.multiply(work, _TANH_CUBE, out=work)
    np.add(work, 1, out=work)
    np.multiply(work, x, out=work)
    np.multiply(work, sqrt(2 / pi), out=work)
    np.tanh(work, out=work)
    np.add(work, 1, out=work)
    np.multiply(work, 0.5, out=work)
    np.multiply(x, work, out=out)


def _thresholded_relu(x: Array, out: Array, work: Array, params: Params) -> None:
    np.copyto(work, x)
    np.multiply(work, x > (params[0] if params else 1.0), out=out)


def _clip(x: Array, out: Array, work: Array, params: Params) -> None:
    low, high = params
    if x.dtype.kind in "iu":
        info = np.iinfo(x.dtype)
        low, high = (int(min(max(bound, info.min), info.max)) for bound in (low, high))
    x.clip(x.dtype.type(low), x.dtype.type(high), out=out)


def _relu(x: Array, out: Array, work: Array, params: Params) -> None:
    """max(x, 0): on large float blocks numpy's clip is twice as fast as its maximum with a scalar."""
    if x.size < _LARGE or x.dtype.kind != "f":
        np.maximum(x, 0, out=out)
    else:
        x.clip(x.dtype.type(0), x.dtype.type(np.inf), out=out)


def _isinf(x: Array, out: Array, work: Array, params: Params) -> None:
    negative, positive = params or (1, 1)
    np.isinf(x, out)
    if not negative:
        np.logical_and(out, x > 0, out)
    if not positive:
        np.logical_and(out, x < 0, out)


def _erf(x: Array, out: Array, work: Array, params: Params) -> None:
    erf(x, out)


_FORMULAS: dict[Function, Formula] = {
    Function.NEG: _negate,
    Function.ERF: _erf,
    Function.ISINF: _isinf,
    Function.RELU: _relu,
    Function.LEAKY_RELU: _leaky_relu,
    Function.ELU: lambda x, out, work, params: _elu(x, out, work, params[0] if params else 1.0),
    Function.SELU: _selu,
    Function.CELU: _celu,
    Function.SIGMOID: _sigmoid,
    Function.HARD_SIGMOID: _hard_sigmoid,
    Function.HARD_SWISH: _hard_swish,
    Function.SWISH: _swish,
    Function.SOFTPLUS: _softplus,
    Function.SOFTSIGN: _softsign,
    Function.MISH: _mish,
    Function.GELU: _gelu,
    Function.GELU_TANH: _gelu_tanh,
    Function.THRESHOLDED_RELU: _thresholded_relu,
    Function.CLIP: _clip,
}
_COPIES = frozenset({Function.IDENTITY, Function.CAST, Function.BITCAST})
UNARY = frozenset(function for function in Function if is_unary(function))
"""The functions of one variable."""


def check_formulas(functions: Iterable[Function], formulas: Container[Function]) -> None:
    """Raise TypeError if a function neither names numpy's nor has a formula."""
    for function in functions:
        if function.record.ufunc is None and function not in formulas:
            raise TypeError(f"function {function.value} has neither a ufunc nor a formula in the kernels")


check_formulas(UNARY, _FORMULAS.keys() | _COPIES)


def bind_unary(function: Function, params: Params, x: Array, out: Array, binder: Binder) -> Kernel:
    """out = function(x), for arrays of one shape; out may be x, and has its type unless the function casts.

    Raises:
        ProgramInvalidError: the function is not unary.
    """
    if function is Function.BITCAST:
        return partial(np.copyto, out.view(x.dtype), x)
    if function in _COPIES:
        return partial(np.copyto, out, x, casting="unsafe")
    if is_unary(function) and function.record.ufunc is not None:
        return partial(function.record.ufunc, x, out)
    if function not in _FORMULAS:
        raise ProgramInvalidError(
            "not a function of one variable", found=function.value, expected="a unary function"
        )
    return partial(_FORMULAS[function], x, out, binder.scratch(x.shape, x.dtype), params)
