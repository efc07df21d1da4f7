"""Convolutions and matrix products of quantised integers: the bits of onnxruntime and of onnx's evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from quantised_cases import MICROSOFT, Case, by_nnc, by_onnx, by_onnxruntime, model_of, steps_apart

from nnc.compiler.frontend.importer import import_model

RNG = np.random.default_rng(11)
U8, I8, I32, F16, F32 = np.uint8, np.int8, np.int32, np.float16, np.float32
Array = Any


def eights(*shape: int, dtype: Any = U8) -> Array:
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max + 1, shape, dtype)


def scales(*shape: int) -> Array:
    return (RNG.random(shape) * 0.03 + 0.002).astype(F32)


def bias(*shape: int) -> Array:
    return RNG.integers(-9000, 9000, shape).astype(I32)


def check(case: Case, *, onnxruntime: bool = True, reference: bool = True) -> Array:
    """Insist on the same bits as the oracles; the result."""
    model, feeds = case.model(), case.feeds
    (found,) = by_nnc(model, feeds)
    for oracle in [by_onnxruntime] * onnxruntime + [by_onnx] * reference:
        assert steps_apart(found, oracle(model, feeds)[0]) == (0, 0)
    return found


def kinds(case: Case) -> list[str]:
    return [layer.kind for layer in import_model(case.model()).layers()]


# --- convolutions ------------------------------------------------------------------------------------------


def conv(
    x: tuple[int, ...],
    w: tuple[int, ...],
    types: str,
    *,
    per_channel: bool = False,
    with_bias: bool = True,
    zero: int = 0,
    **attributes: Any,
) -> Case:
    """A QLinearConv; `types` of x, weight and result; one scale or one per channel."""
    tx, tw, ty = ({"u": U8, "s": I8}[letter] for letter in types)
    depth = int(np.prod(w[1:]))
    shape = (w[0],) if per_channel else ()
    operands = [eights(*x, dtype=tx), F32(0.021), tx(117 if tx is U8 else -9)]
    operands += [eights(*w, dtype=tw), scales(*shape), np.full(shape, zero, tw)]
    operands += [F32(0.021 * 0.02 * 70 * depth**0.5), ty(3), *([bias(w[0])] if with_bias else [])]
    return Case("QLinearConv", operands, attributes=attributes)


CONVOLUTIONS = {
    "u8 u8": conv((1, 3, 6, 5), (4, 3, 3, 3), "uuu", zero=128),
    "u8 s8 per channel": conv((2, 3, 6, 5), (4, 3, 3, 3), "usu", per_channel=True, pads=[1, 1, 1, 1]),
    "s8 s8": conv((1, 4, 5, 5), (6, 4, 1, 1), "sss", zero=-3),
    "s8 to u8 in strides": conv((1, 2, 9, 7), (3, 2, 3, 2), "ssu", strides=[2, 3], pads=[1, 0, 2, 1]),
    "dilated": conv((1, 2, 9, 9), (3, 2, 3, 3), "usu", dilations=[2, 1], with_bias=False),
    "groups": conv((1, 4, 5, 5), (6, 2, 3, 3), "usu", per_channel=True, group=2, auto_pad="SAME_UPPER"),
    "depthwise": conv((1, 5, 6, 6), (5, 1, 3, 3), "usu", per_channel=True, group=5, pads=[1, 1, 1, 1]),
    "one axis": conv((1, 3, 9), (4, 3, 3), "usu", pads=[2, 1]),
    "three axes": conv((1, 2, 4, 3, 4), (3, 2, 2, 2, 2), "uuu", zero=99),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str) -> None:
    case = CONVOLUTIONS[name]
    check(case, onnxruntime=name != "s8 to u8 in strides")  # of which it has no kernel
    assert kinds(case) == ["conv"]


def test_convolution_with_weights_of_run_time() -> None:
    case = conv((1, 3, 6, 5), (4, 3, 3, 3), "uuu", zero=128)
    case = Case(case.op, case.operands, run_time=(0, 3, 8))
    check(case)


def test_convolution_with_zero_points_by_channel() -> None:
    """Weights of several zero points: sums without them in layers of their own, the same bits."""
    case = conv((1, 4, 5, 5), (6, 2, 3, 3), "uuu", per_channel=True, group=2, pads=[1, 0, 1, 2])
    operands = [*case.operands]
    operands[5] = eights(6)
    check(Case(case.op, operands, attributes=case.attributes), onnxruntime=False)


def dynamic_conv(x: Array, w: Array, x_zero: Array, w_zero: Array, *slots: int, **attributes: Any) -> Case:
    return Case("ConvInteger", [x, w, x_zero, w_zero], (0, *slots), attributes, opset=10)


SUMS = {
    "no zero points": Case("ConvInteger", [eights(1, 2, 5, 5), eights(3, 2, 3, 3)]),
    "constants": dynamic_conv(eights(1, 2, 5, 5), eights(3, 2, 3, 3), U8(9), U8(130), pads=[1, 1, 1, 1]),
    "x zero of run time": dynamic_conv(eights(1, 2, 5, 5), eights(3, 2, 3, 3, dtype=I8), U8(9), I8(0), 2),
    "x zero of run time, padded": dynamic_conv(
        eights(2, 2, 5, 4), eights(4, 1, 3, 3), U8(200), U8(7), 2, pads=[1, 2, 0, 1], group=2, strides=[1, 2]
    ),
    "both of run time": dynamic_conv(
        eights(1, 2, 5, 4), eights(3, 2, 2, 2), U8(200), U8(90), 1, 2, 3, pads=[1, 0, 0, 1]
    ),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_a_convolution(name: str) -> None:
    check(SUMS[name])


def test_sums_of_a_convolution_with_zero_points_by_channel() -> None:
    """onnxruntime has no kernel for them."""
    for slots in ((), (1, 2, 3)):
        case = dynamic_conv(eights(1, 4, 4, 4), eights(6, 2, 2, 2), U8(200), eights(6), *slots, group=2)
        check(case, onnxruntime=False)


# --- matrix products ---------------------------------------------------------------------------------------


def product(a: Array, b: Array, a_zero: Array, b_zero: Array, *scales_: Array, **fields: Any) -> Case:
    """A QLinearMatMul whose result is quantised so that few elements saturate."""
    a_scale, b_scale = scales_ or (F32(0.021), F32(0.013))
    y = F32(np.max(a_scale) * np.max(b_scale) * 5500 * a.shape[-1] ** 0.5 / 64)
    operands = [a, a_scale, a_zero, b, b_scale, b_zero, y, U8(120)]
    return Case("QLinearMatMul", operands, **fields)


PRODUCTS = {
    "u8 u8": product(eights(5, 7), eights(7, 6), U8(120), U8(130)),
    "u8 s8": product(eights(5, 7), eights(7, 6, dtype=I8), U8(120), I8(3)),
    "batch": product(eights(2, 3, 4, 5), eights(3, 5, 6), U8(120), U8(130), opset=10),
    "of activations": product(eights(2, 4, 5), eights(2, 5, 6), U8(120), U8(130), run_time=(0, 3)),
    "columns": product(eights(5, 7), eights(7, 6, dtype=I8), U8(9), I8(np.zeros(6)), F32(0.02), scales(6)),
    "zero points of columns": product(eights(5, 7), eights(7, 6), U8(120), eights(6), F32(0.02), scales(6)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_product(name: str) -> None:
    check(PRODUCTS[name])


ROWS = {
    "rows": product(eights(2, 4, 7), eights(7, 6), eights(4, 1), U8(130), scales(4, 1), F32(0.02)),
    "rows and columns": product(eights(4, 7), eights(7, 6), eights(4, 1), eights(6), scales(4, 1), scales(6)),
    "matrices": product(
        eights(2, 4, 5), eights(2, 5, 3), eights(2, 4, 1), eights(2, 1, 3), scales(2, 4, 1), scales(2, 1, 3)
    ),
    "vector of columns": product(eights(5), eights(5, 3), U8(9), eights(3), F32(0.02), scales(3)),
    "two vectors": product(eights(9), eights(9), U8(9), U8(4)),
}


@pytest.mark.parametrize("name", ROWS)
def test_product_with_zero_points_of_rows(name: str) -> None:
    """onnxruntime has no kernel for them."""
    check(ROWS[name], onnxruntime=False)


def test_scales_of_a_vector_are_those_of_rows() -> None:
    """A vector with one number per row; onnx's evaluator would take it for one per column of K."""
    a, b, zeros, steps = eights(4, 4), eights(4, 3), eights(4), scales(4)
    flat = product(a, b, zeros, U8(5), steps, F32(0.02))
    full = product(a, b, zeros.reshape(4, 1), U8(5), steps.reshape(4, 1), F32(0.02))
    np.testing.assert_array_equal(by_nnc(flat.model(), flat.feeds)[0], check(full, onnxruntime=False))


def test_scales_in_float16() -> None:
    """They are exact in float32, in which the factor is computed."""
    case = product(eights(5, 7), eights(7, 6), U8(120), U8(130))
    half = [F16(value) if slot in (1, 4, 6) else value for slot, value in enumerate(case.operands)]
    full = [F32(value) if isinstance(value, F16) else value for value in half]
    found = by_nnc(Case(case.op, half).model(), case.feeds)[0]
    np.testing.assert_array_equal(found, check(Case(case.op, full)))


INTEGER_PRODUCTS = {
    "no zero points": Case("MatMulInteger", [eights(3, 5), eights(5, 4, dtype=I8)]),
    "constants": Case("MatMulInteger", [eights(2, 3, 5), eights(5, 4), U8(90), U8(20)]),
    "zero of run time": Case("MatMulInteger", [eights(3, 5), eights(5, 4), U8(90), U8(20)], (0, 2)),
    "columns": Case("MatMulInteger", [eights(3, 5), eights(5, 4), U8(90), eights(4)], (0, 2)),
    "all of run time": Case("MatMulInteger", [eights(2, 3, 5), eights(2, 5, 4), U8(90), U8(7)], (0, 1, 2, 3)),
}


@pytest.mark.parametrize("name", INTEGER_PRODUCTS)
def test_sums_of_a_product(name: str) -> None:
    check(INTEGER_PRODUCTS[name])


@pytest.mark.parametrize("slots", [(0,), (0, 1, 2, 3)])
def test_sums_of_a_product_with_zero_points_of_rows(slots: tuple[int, ...]) -> None:
    case = Case("MatMulInteger", [eights(3, 5), eights(5, 4), eights(3, 1), eights(4)], slots)
    check(case, onnxruntime=False)


GEMMS = {
    "bias": ([eights(3, 5), eights(5, 4)], bias(4), {}),
    "transposed": ([eights(5, 3), eights(4, 5)], bias(3, 4), {"transA": 1, "transB": 1, "alpha": 0.7}),
    "no bias": ([eights(3, 5), eights(5, 4)], None, {}),
    "one number": ([eights(3, 5), eights(5, 4)], bias(1), {"alpha": 1.3}),
}


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("name", GEMMS)
def test_gemm(name: str, real: bool) -> None:
    (a, b), c, attributes = GEMMS[name]
    operands = [a, F32(0.021), U8(120), b, F32(0.013), U8(130), c, *([] if real else [F32(0.05), U8(99)])]
    case = Case("QGemm", operands, attributes=attributes, domain=MICROSOFT)
    model, feeds = case.model(), case.feeds
    found, expected = by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0]
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_gemm_with_scales_of_columns() -> None:
    operands = [eights(3, 5), F32(0.021), U8(120), eights(5, 4, dtype=I8), scales(4), np.zeros(4, I8)]
    operands += [bias(4), F32(0.05), U8(99)]
    check(Case("QGemm", operands, domain=MICROSOFT), reference=False)


# --- a whole dynamic layer ---------------------------------------------------------------------------------


def test_dynamically_quantised_convolution() -> None:
    """As onnxruntime's quantize_dynamic writes it: scale and zero point of the input at run time."""
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        helper.make_node("ConvInteger", ["q", "w", "z", "wz"], ["sums"], pads=[1, 1, 1, 1]),
        helper.make_node("Cast", ["sums"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["s", "ws"], ["factor"]),
        helper.make_node("Mul", ["real", "factor"], ["scaled"]),
        helper.make_node("Add", ["scaled", "b"], ["y"]),
    ]
    values = {"w": eights(4, 3, 3, 3), "wz": U8(120), "ws": F32(0.01), "b": scales(1, 4, 1, 1)}
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in values.items()]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 6, 6])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    model = model_of(helper.make_graph(nodes, "dynamic", [x], [y], constants))
    feeds = {"x": RNG.standard_normal((1, 3, 6, 6)).astype(F32)}
    np.testing.assert_array_equal(by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0])
