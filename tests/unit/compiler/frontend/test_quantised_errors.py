"""Scales and zero points that are wrong: one clear error each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from quantised_cases import MICROSOFT, Case
from quantised_nodes import (
    F32,
    I8,
    I32,
    IMAGE,
    MATRIX,
    U8,
    WEIGHT,
    add,
    contrib,
    conv,
    dequantize,
    error_of,
    matmul,
    pool,
    quantize,
)

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

# --- scales ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, -0.5, np.nan, np.inf])
@pytest.mark.parametrize(
    "case",
    [
        lambda s: quantize(s),
        lambda s: dequantize(s),
        lambda s: quantize(F32([0.1, s, 0.1])),
        lambda s: conv(xs=s),
        lambda s: conv(ws=F32([0.1, 0.1, s, 0.1])),
        lambda s: conv(ys=s),
        lambda s: matmul(bs=s),
        lambda s: add(ys=s),
        lambda s: contrib("QLinearConcat", F32(0.1), U8(1), MATRIX, s, U8(1), run_time=(2,), axis=0),
        lambda s: contrib("QLinearSoftmax", MATRIX, s, U8(1), F32(0.1), U8(0), opset=13),
    ],
)
def test_scale_that_is_no_positive_finite_number(case: Any, value: float) -> None:
    error = error_of(ModelInvalidError, case(F32(value)).model())
    assert "positive finite" in error.message
    assert "node node" in error.where


@pytest.mark.parametrize(
    "case",
    [
        conv(xs=F32(1e-30), ws=F32(1e-30)),
        conv(xs=F32(1e30), ws=F32(1e30)),
        matmul(as_=F32(1e-30), bs=F32(1e-30)),
        add(as_=F32(1e-30), ys=F32(1e30)),
        add(as_=F32(1e30), ys=F32(1e-30)),
        pool(U8(3), kernel_shape=[2, 2]).__class__(
            "QLinearGlobalAveragePool", [IMAGE, F32(1e30), U8(0), F32(1e-30), U8(0)], domain=MICROSOFT
        ),
    ],
)
def test_scales_too_far_apart(case: Case) -> None:
    assert "ratio" in error_of(ModelInvalidError, case.model()).message


@pytest.mark.parametrize(
    "case",
    [
        quantize(F32([0.1, 0.2])),
        quantize(np.full((1, 3), 0.1, F32)),
        quantize(np.full((1, 1), 0.1, F32)),
        dequantize(np.full(4, 0.1, F32)),
        conv(xs=F32([0.1, 0.2])),
        conv(ws=F32([0.1, 0.2])),
        conv(ys=F32([0.1, 0.2])),
        matmul(bs=F32([0.1, 0.2])),
        matmul(as_=np.full((3, 3), 0.1, F32)),
        add(as_=F32([0.1, 0.2])),
        contrib("QGemm", MATRIX, F32(0.1), U8(0), MATRIX.T.copy(), F32([0.1, 0.2]), U8(0)),
        contrib("QGemm", MATRIX, F32([0.1, 0.1]), U8(0), MATRIX.T.copy(), F32(0.1), U8(0)),
    ],
)
def test_scale_of_a_wrong_shape(case: Case) -> None:
    error = error_of(ModelInvalidError, case.model())
    assert error.message == "the shape of a scale does not fit"
    assert error.expected


def test_scales_of_products_are_known_at_compile_time() -> None:
    case = conv()
    model = Case(case.op, case.operands, run_time=(0, 1)).model()
    assert "compile time" in error_of(UnsupportedError, model).found


# --- zero points -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        dequantize(F32(0.1), I8(3)),
        conv(xz=I8(3)),
        conv(wz=U8(3)),
        matmul(az=I8(3)),
        Case("ConvInteger", [IMAGE, WEIGHT, I8(0)]),
        Case("MatMulInteger", [MATRIX, MATRIX.T.copy(), U8(0), I8(0)]),
        add(az=I8(3)),
        add(yz=I8(3)),
        contrib("QLinearConcat", F32(0.1), U8(1), MATRIX, F32(0.1), I8(1), run_time=(2,), axis=0),
        contrib("QLinearConcat", F32(0.1), I8(1), MATRIX, F32(0.1), I8(1), run_time=(2,), axis=0),
        contrib("DequantizeLinear", MATRIX, F32(0.1), I8(3)),
    ],
)
def test_zero_point_of_another_type(case: Case) -> None:
    error_of(ModelInvalidError, case.model())


@pytest.mark.parametrize(
    "case",
    [
        quantize(F32(0.1), U8([1, 2, 3])),
        quantize(F32([0.1, 0.2, 0.3]), U8(1)),
        quantize(F32([0.1, 0.2, 0.3]), U8([[1, 2, 3]])),
        conv(xz=U8([1, 2])),
        conv(wz=I8([1, 2])),
        conv(yz=U8([1, 2])),
        matmul(az=U8([1, 2])),
        matmul(bz=U8([[1], [2]])),
        Case("ConvInteger", [IMAGE, WEIGHT, U8([1, 2, 3])]),
        Case("ConvInteger", [IMAGE, WEIGHT, U8(1), I8([1, 2, 3])]),
        Case("MatMulInteger", [MATRIX, MATRIX.T.copy(), U8([1, 2])]),
        add(az=U8([1, 2])),
    ],
)
def test_zero_point_of_a_wrong_shape(case: Case) -> None:
    assert error_of(ModelInvalidError, case.model()).message == "the shape of a zero point does not fit"


def test_zero_point_of_32_bits() -> None:
    case = Case("DequantizeLinear", [np.ones(3, I32), F32(0.1), I32(7)])
    assert "no zero point" in error_of(ModelInvalidError, case.model()).message
