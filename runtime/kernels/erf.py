"""The error function: W. J. Cody, "Rational Chebyshev approximations for the error function", 1969."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nnc.runtime.memory import Array

Doubles = npt.NDArray[np.float64]

# erf(x) = x·P(x²)/Q(x²) for |x| ≤ 0.46875; highest power first.
_SMALL_P = (
    1.85777706184603153e-1,
    3.16112374387056560e0,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3,
)
_SMALL_Q = (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3)
# erfc(x) = exp(−x²)·P(x)/Q(x) for 0.46875 < x ≤ 4.
_MIDDLE_P = (
    2.15311535474403846e-8,
    5.64188496988670089e-1,
    8.88314979438837594e0,
    6.61191906371416295e1,
    2.98635138197400131e2,
    8.81952221241769090e2,
    1.71204761263407058e3,
    2.05107837782607147e3,
    1.23033935479799725e3,
)
_MIDDLE_Q = (
    1.0,
    1.57449261107098347e1,
    1.17693950891312499e2,
    5.37181101862009858e2,
    1.62138957456669019e3,
    3.29079923573345963e3,
    4.36261909014324716e3,
    3.43936767414372164e3,
    1.23033935480374942e3,
)
# erfc(x) = exp(−x²)/x · (1/√π − P(1/x²)/(x²·Q(1/x²))) for x > 4.
_LARGE_P = (
    1.63153871373020978e-2,
    3.05326634961232344e-1,
    3.60344899949804439e-1,
    1.25781726111229246e-1,
    1.60837851487422766e-2,
    6.58749161529837803e-4,
)
_LARGE_Q = (
    1.0,
    2.56852019228982242e0,
    1.87295284992346725e0,
    5.27905102951428412e-1,
    6.05183413124413191e-2,
    2.33520497626869185e-3,
)
_SMALL_LIMIT = 0.46875
_MIDDLE_LIMIT = 4.0
_ONE_FROM = 6.0
"""From here on erf is 1 in double precision."""
_INV_SQRT_PI = 5.6418958354775628695e-1


def _polynomial(coefficients: tuple[float, ...], x: Doubles) -> Doubles:
    result = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result *= x
        result += coefficient
    return result


def _small(x: Doubles) -> Doubles:
    square = x * x
    return x * _polynomial(_SMALL_P, square) / _polynomial(_SMALL_Q, square)


def _middle(x: Doubles) -> Doubles:
    return 1.0 - np.exp(-x * x) * _polynomial(_MIDDLE_P, x) / _polynomial(_MIDDLE_Q, x)


def _large(x: Doubles) -> Doubles:
    inverse = 1.0 / (x * x)
    tail = inverse * _polynomial(_LARGE_P, inverse) / _polynomial(_LARGE_Q, inverse)
    return 1.0 - np.exp(-x * x) / x * (_INV_SQRT_PI - tail)


def erf(x: Array, out: Array) -> None:
    """Write erf(x) to out, which may be x: relative error below 1e-15 in f64, correctly rounded nearly always
    in f32; NaN stays NaN."""
    values = x.astype(np.float64).ravel()
    size = np.abs(values)
    result = np.where(np.isnan(values), values, 1.0)
    for low, high, formula in (
        (-1.0, _SMALL_LIMIT, _small),
        (_SMALL_LIMIT, _MIDDLE_LIMIT, _middle),
        (_MIDDLE_LIMIT, _ONE_FROM, _large),
    ):
        inside = np.flatnonzero((size > low) & (size <= high))
        if len(inside):
            result[inside] = formula(size[inside])
    np.copysign(result, values, out=result)
    out[...] = result.reshape(x.shape)
