"""Every element-wise function against onnxruntime or its definition; erf against the C library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from kernel_harness import execute, onnx_node

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import OF_BITS, Function, Result
from nnc.isa.instructions import Conv, Elementwise
from nnc.runtime.kernels.binding import Binder
from nnc.runtime.kernels.erf import erf
from nnc.runtime.kernels.unary import UNARY, bind_unary

Array = np.ndarray[Any, Any]
F = Function
WIDE = np.concatenate(
    [np.linspace(-20, 20, 401), [0.0, -0.0, 1e-6, -1e-6, 0.5, 1.5, 2.5, -0.5, -1.5, 88.0, -104.0]]
).astype(np.float32)
SPECIAL = np.array([0, 1, -2, np.inf, -np.inf, np.nan, 3e38], np.float32)
UNIT = np.linspace(-0.999, 0.999, 401).astype(np.float32)
POSITIVE = np.geomspace(1e-6, 1e6, 200).astype(np.float32)

# function, params, ONNX operator, its attributes, the domain
UNARY_OPS: list[tuple[Function, tuple[float, ...], str, dict[str, Any], Array]] = [
    (F.IDENTITY, (), "Identity", {}, WIDE),
    (F.NEG, (), "Neg", {}, WIDE),
    (F.ABS, (), "Abs", {}, WIDE),
    (F.SQRT, (), "Sqrt", {}, POSITIVE),
    (F.RECIPROCAL, (), "Reciprocal", {}, POSITIVE),
    (F.EXP, (), "Exp", {}, WIDE),
    (F.LOG, (), "Log", {}, POSITIVE),
    (F.ERF, (), "Erf", {}, WIDE),
    (F.FLOOR, (), "Floor", {}, WIDE),
    (F.CEIL, (), "Ceil", {}, WIDE),
    (F.ROUND, (), "Round", {}, WIDE),
    (F.SIGN, (), "Sign", {}, WIDE),
    (F.ISNAN, (), "IsNaN", {}, SPECIAL),
    *[
        (F.ISINF, (n, p), "IsInf", {"detect_negative": n, "detect_positive": p}, SPECIAL)
        for n in (0, 1)
        for p in (0, 1)
    ],
    (F.ISINF, (), "IsInf", {}, SPECIAL),
    (F.SIN, (), "Sin", {}, WIDE),
    (F.COS, (), "Cos", {}, WIDE),
    (F.TAN, (), "Tan", {}, WIDE),
    (F.ASIN, (), "Asin", {}, UNIT),
    (F.ACOS, (), "Acos", {}, UNIT),
    (F.ATAN, (), "Atan", {}, WIDE),
    (F.SINH, (), "Sinh", {}, WIDE),
    (F.COSH, (), "Cosh", {}, WIDE),
    (F.ASINH, (), "Asinh", {}, WIDE),
    (F.ACOSH, (), "Acosh", {}, POSITIVE),
    (F.ATANH, (), "Atanh", {}, UNIT),
    (F.RELU, (), "Relu", {}, WIDE),
    (F.LEAKY_RELU, (0.2,), "LeakyRelu", {"alpha": 0.2}, WIDE),
    (F.ELU, (0.7,), "Elu", {"alpha": 0.7}, WIDE),
    (F.SELU, (), "Selu", {}, WIDE),
    (F.SELU, (1.5, 1.1), "Selu", {"alpha": 1.5, "gamma": 1.1}, WIDE),
    (F.CELU, (2.0,), "Celu", {"alpha": 2.0}, WIDE),
    (F.SIGMOID, (), "Sigmoid", {}, WIDE),
    (F.HARD_SIGMOID, (), "HardSigmoid", {}, WIDE),
    (F.HARD_SIGMOID, (0.3, 0.4), "HardSigmoid", {"alpha": 0.3, "beta": 0.4}, WIDE),
    (F.HARD_SWISH, (), "HardSwish", {}, WIDE),
    (F.TANH, (), "Tanh", {}, WIDE),
    (F.SOFTPLUS, (), "Softplus", {}, WIDE),
    (F.SOFTSIGN, (), "Softsign", {}, WIDE),
    (F.MISH, (), "Mish", {}, WIDE),
    (F.GELU, (), "Gelu", {}, WIDE),
    (F.GELU_TANH, (), "Gelu", {"approximate": "tanh"}, WIDE),
    (F.THRESHOLDED_RELU, (0.8,), "ThresholdedRelu", {"alpha": 0.8}, WIDE),
]
BINARY_OPS: list[tuple[Function, str, dict[str, Any], str]] = [
    (F.ADD, "Add", {}, "fi"),
    (F.SUB, "Sub", {}, "fi"),
    (F.MUL, "Mul", {}, "fi"),
    (F.DIV, "Div", {}, "fi"),
    (F.MOD, "Mod", {}, "i"),
    (F.FMOD, "Mod", {"fmod": 1}, "fi"),
    (F.PRELU, "PRelu", {}, "f"),
    (F.MAX, "Max", {}, "fi"),
    (F.MIN, "Min", {}, "fi"),
    (F.MEAN, "Mean", {}, "f"),
    (F.AND, "And", {}, "b"),
    (F.OR, "Or", {}, "b"),
    (F.XOR, "Xor", {}, "b"),
    (F.BITWISE_AND, "BitwiseAnd", {}, "i"),
    (F.BITWISE_OR, "BitwiseOr", {}, "i"),
    (F.BITWISE_XOR, "BitwiseXor", {}, "i"),
    (F.EQUAL, "Equal", {}, "fi"),
    (F.LESS, "Less", {}, "fi"),
    (F.LESS_EQUAL, "LessOrEqual", {}, "fi"),
    (F.GREATER, "Greater", {}, "fi"),
    (F.GREATER_EQUAL, "GreaterOrEqual", {}, "fi"),
]
CELLS = {F.GATED_TANH, F.LSTM_STATE, F.GRU_STATE}
TESTED_ALONE = {
    *(F.BITCAST, F.CAST, F.NOT, F.BITWISE_NOT, F.SHIFT_LEFT, F.SHIFT_RIGHT, F.SWISH, F.CLIP, F.POW),
    *(F.WHERE, F.SCALE_SHIFT, F.QUANTIZE, F.DEQUANTIZE, *CELLS),
}


def apply(
    function: Function, srcs: list[Array], out: Any, params: tuple[float, ...] = (), **fields: Any
) -> Array:
    """Run an element-wise instruction; out is (shape, dtype)."""
    names = [f"s{k}" for k in range(len(srcs))]
    return execute(
        lambda op: Elementwise(
            dst=op["dst"], srcs=tuple(op[name] for name in names), function=function, params=params, **fields
        ),
        dict(zip(names, srcs, strict=True)),
        {"dst": out},
    )["dst"]


def test_every_function_is_tested() -> None:
    assert {f for f, *_ in UNARY_OPS} | {f for f, *_ in BINARY_OPS} | TESTED_ALONE == set(Function)


@pytest.mark.parametrize("case", UNARY_OPS, ids=lambda c: f"{c[0].value}{list(c[1])}")
def test_unary_equals_onnxruntime(case: Any) -> None:
    function, params, op, attributes, x = case
    opset = 22 if op == "Mish" else 21
    expected = onnx_node(op, [x], opset=opset, **attributes)
    np.testing.assert_allclose(
        apply(function, [x], (x.shape, expected.dtype), params),
        expected,
        rtol=2e-6,
        atol=5e-7,
        equal_nan=True,
    )


KEEP_TYPE = [f for f in Function if f in UNARY - OF_BITS and f.record.result is Result.FIRST]


@pytest.mark.parametrize("function", KEEP_TYPE)
def test_unary_in_place_and_as_activation(function: Function) -> None:
    """The same function in place (dst is src), in f16, and as the epilogue of a convolution."""
    params = {F.CLIP: (-1.0, 2.0)}.get(function, ())
    x = np.linspace(0.1, 4, 24).astype(np.float32).reshape(1, 6, 4)
    plain = apply(function, [x], (x.shape, np.float32), params)
    in_place = execute(
        lambda op: Elementwise(dst=op["x"], srcs=(op["x"],), function=function, params=params),
        {"x": x},
        {"x": (x.shape, np.float32)},
    )["x"]
    np.testing.assert_array_equal(in_place, plain)
    fused = execute(
        lambda op: Conv(**op, stride=(1,), dilation=(1,), pad_begin=(0,), act=function, act_params=params),
        {"src": x, "weight": np.eye(4, dtype=np.float32)[np.newaxis]},
        {"dst": (x.shape, np.float32)},
    )["dst"]
    np.testing.assert_array_equal(fused, plain)
    half = x.astype(np.float16)
    rounded = apply(function, [half], (x.shape, np.float16), params)
    exact = apply(function, [half.astype(np.float32)], (x.shape, np.float32), params)
    np.testing.assert_array_equal(rounded, exact.astype(np.float16))


def operands(kind: str) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    if kind == "b":
        return rng.random((3, 4, 5)) < 0.5, rng.random((4, 1)) < 0.5
    if kind == "i":
        b = rng.integers(1, 5, (4, 1)).astype(np.int32)
        b[::2] *= -1
        return rng.integers(-20, 20, (3, 4, 5)).astype(np.int32), b
    return rng.standard_normal((3, 4, 5)).astype(np.float32), rng.standard_normal((4, 1)).astype(np.float32)


@pytest.mark.parametrize(
    ("function", "op", "attributes", "kind"),
    [(f, op, attributes, kind) for f, op, attributes, kinds in BINARY_OPS for kind in kinds],
)
def test_binary_equals_onnxruntime(
    function: Function, op: str, attributes: dict[str, Any], kind: str
) -> None:
    a, b = operands(kind)
    expected = onnx_node(op, [a, b], **attributes)
    got = apply(function, [a, b], (expected.shape, expected.dtype))
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_bits(dtype: Any) -> None:
    """As Python's integers have them."""
    bits = 8 * np.dtype(dtype).itemsize
    x = np.array([3, 100, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype)
    places = [0, 1, bits - 1, bits, 100]
    operands = [x, np.array(places, dtype)[:, None]]
    left = np.array([[(int(value) << place) % 2**bits for value in x] for place in places], f"u{bits // 8}")
    np.testing.assert_array_equal(apply(F.SHIFT_LEFT, operands, ((5, 4), dtype)), left.view(dtype))
    right = [[int(value) >> place for value in x] for place in places]
    np.testing.assert_array_equal(apply(F.SHIFT_RIGHT, operands, ((5, 4), dtype)), right)
    ones = np.array(-1, f"i{bits // 8}").view(dtype)
    np.testing.assert_array_equal(apply(F.BITWISE_NOT, [x], (x.shape, dtype)), ones - x)


def test_bits_as_another_type() -> None:
    x = np.array([[1.0, -2.0], [np.nan, 3e-45]], np.float32)
    np.testing.assert_array_equal(apply(F.BITCAST, [x], (x.shape, np.int32)), x.view(np.int32))
    with pytest.raises(ProgramInvalidError, match="contradicts itself"):
        apply(F.BITCAST, [x], (x.shape, np.int16))
    with pytest.raises(ProgramInvalidError, match="contradicts itself"):
        apply(F.BITWISE_AND, [x, x], (x.shape, np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
def test_integer_division_rounds_toward_zero(dtype: Any) -> None:
    low = np.iinfo(dtype).min
    a = np.array([7, 8, 9, low, 100], dtype)
    b = np.array([2, 3, 4, 3, 7], dtype)
    np.testing.assert_array_equal(apply(F.DIV, [a, b], (a.shape, dtype)), [3, 2, 2, -(-int(low) // 3), 14])


@pytest.mark.parametrize("swap", [False, True])
def test_a_scalar_operand_comes_from_params(swap: bool) -> None:
    x = np.array([1.0, 2.0, 4.0], np.float32)
    got = apply(F.SUB, [x], (x.shape, np.float32), (3.0,), swap=swap)
    np.testing.assert_array_equal(got, 3 - x if swap else x - 3)


def test_folds_take_many_sources_even_in_place() -> None:
    rng = np.random.default_rng(1)
    arrays = {f"s{k}": rng.standard_normal((2, 3)).astype(np.float32) for k in range(4)}
    for function, expected in (
        (F.ADD, sum(arrays.values())),
        (F.MAX, np.max(list(arrays.values()), axis=0)),
        (F.MEAN, np.mean(list(arrays.values()), axis=0)),
    ):
        got = execute(
            lambda op, function=function: Elementwise(  # type: ignore[misc]
                dst=op["s3"], srcs=tuple(op[f"s{k}"] for k in range(4)), function=function
            ),
            arrays,
            {"s3": ((2, 3), np.float32)},
        )["s3"]
        np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize(
    "source", [np.float16, np.float32, np.float64, np.int8, np.uint8, np.int32, np.int64, np.bool_]
)
@pytest.mark.parametrize(
    "target", [np.float16, np.float32, np.float64, np.int8, np.int32, np.int64, np.bool_]
)
def test_cast_equals_onnxruntime(source: Any, target: Any) -> None:
    from onnx import helper

    x = np.array([0, 1, 2.7, 100.5]).astype(source)
    if np.dtype(source).kind in "fi":
        x = np.concatenate([x, -x])
    expected = onnx_node("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))
    np.testing.assert_array_equal(apply(F.CAST, [x], (x.shape, target)), expected)


def test_not() -> None:
    x = np.array([True, False])
    np.testing.assert_array_equal(apply(F.NOT, [x], (x.shape, np.bool_)), ~x)


def test_swish_is_x_times_sigmoid() -> None:
    expected = WIDE / (1 + np.exp(-1.7 * WIDE.astype(np.float64)))
    np.testing.assert_allclose(
        apply(F.SWISH, [WIDE], (WIDE.shape, np.float32), (1.7,)), expected, rtol=2e-6, atol=1e-12
    )


@pytest.mark.parametrize(
    ("dtype", "bounds"), [(np.float32, (-1.5, 6.0)), (np.int8, (-3.0, 1e9)), (np.float32, (0.0, math.inf))]
)
def test_clip(dtype: Any, bounds: tuple[float, float]) -> None:
    x = np.arange(-100, 100).astype(dtype)
    np.testing.assert_array_equal(
        apply(F.CLIP, [x], (x.shape, dtype), bounds), np.clip(x.astype(np.float64), *bounds)
    )


@pytest.mark.parametrize(
    ("base", "exponent"),
    [(np.float32, np.float32), (np.float32, np.int64), (np.int32, np.int32), (np.int64, np.float32)],
)
def test_pow_equals_onnxruntime(base: Any, exponent: Any) -> None:
    a, b = np.array([1, 2, 3, 7, 10]).astype(base), np.array([3, 0, 2, -1, 2]).astype(exponent)
    np.testing.assert_allclose(apply(F.POW, [a, b], (a.shape, base)), onnx_node("Pow", [a, b]), rtol=1e-6)


def test_where_and_scale_shift_survive_aliasing() -> None:
    """dst may be any of the sources."""
    rng = np.random.default_rng(2)
    c = rng.random((3, 4)) < 0.5
    a, b, d = (rng.standard_normal((3, 4)).astype(np.float32) for _ in range(3))
    for alias in ("a", "b"):
        got = execute(
            lambda op, alias=alias: Elementwise(
                dst=op[alias], srcs=(op["c"], op["a"], op["b"]), function=F.WHERE
            ),  # type: ignore[misc]
            {"c": c, "a": a, "b": b},
            {alias: ((3, 4), np.float32)},
        )[alias]
        np.testing.assert_array_equal(got, np.where(c, a, b))
    for alias in ("a", "b", "d"):
        got = execute(
            lambda op, alias=alias: Elementwise(  # type: ignore[misc]
                dst=op[alias], srcs=(op["a"], op["b"], op["d"]), function=F.SCALE_SHIFT
            ),
            {"a": a, "b": b, "d": d},
            {alias: ((3, 4), np.float32)},
        )[alias]
        np.testing.assert_array_equal(got, a * b + d)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_scale_and_shift_may_have_bounds(dtype: Any) -> None:
    x, scale, shift = (np.linspace(-3, 3, 13).astype(dtype) * n for n in (1, 2, -1))
    got = apply(F.SCALE_SHIFT, [x, scale, shift], (x.shape, dtype), params=(0.0, 6.0))
    expected = np.clip(x.astype(np.float32) * scale + shift, 0, 6).astype(dtype)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_quantize_and_dequantize_equal_onnxruntime(dtype: Any) -> None:
    x = np.linspace(-300, 300, 1201).astype(np.float32)
    scale, zero = np.array([0.5], np.float32), np.array([7], dtype)
    expected = onnx_node("QuantizeLinear", [x, scale.reshape(()), zero.reshape(())])
    got = apply(F.QUANTIZE, [x, scale, zero], (x.shape, dtype))
    np.testing.assert_array_equal(got, expected)
    back = apply(F.DEQUANTIZE, [got, scale, zero], (x.shape, np.float32))
    np.testing.assert_array_equal(
        back, onnx_node("DequantizeLinear", [got, scale.reshape(()), zero.reshape(())])
    )
    np.testing.assert_array_equal(
        apply(F.DEQUANTIZE, [got, scale], (x.shape, np.float32)), got.astype(np.float32) * scale
    )


def test_wrong_number_of_sources_is_refused() -> None:
    x = np.zeros(3, np.float32)
    for function, srcs in ((F.WHERE, [x, x]), (F.RELU, [x, x]), (F.ADD, [x])):
        with pytest.raises(ProgramInvalidError):
            apply(function, srcs, (x.shape, np.float32))


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(np.float64, 50, elements=st.floats(-7, 7)))
def test_erf_equals_the_c_library(x: Array) -> None:
    out = np.empty_like(x)
    erf(x, out)
    np.testing.assert_allclose(out, [math.erf(v) for v in x], rtol=2e-15, atol=0)


def test_erf_of_special_values() -> None:
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 5.9, 0.46875, 4.0])
    out = np.empty_like(x)
    erf(x, out)
    np.testing.assert_allclose(out, [math.erf(v) for v in x], rtol=2e-15)
    assert np.signbit(out[4])


class _Scratch(Binder):
    """Gives scratch, and nothing else."""

    def __init__(self) -> None:
        """No memories."""

    def scratch(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        return np.full(shape, 7, dtype)


@pytest.mark.parametrize("number", range(len(UNARY_OPS)), ids=[row[0].value for row in UNARY_OPS])
def test_any_strides_give_what_dense_arrays_do(number: int) -> None:
    """From some strides to others, numpy's own negative takes wrong elements (2.4)."""
    function, params, _, _, domain = UNARY_OPS[number]
    x = domain[:: max(1, len(domain) // 9)][:9]
    dtype = np.bool_ if function.record.result is Result.BOOL else x.dtype
    dense = np.zeros(len(x), dtype)
    bind_unary(function, params, x, dense, _Scratch())()
    for source, target in product(range(1, 10), repeat=2):
        spread, found = np.zeros(len(x) * source, x.dtype)[::source], np.zeros(len(x) * target, dtype)
        spread[:] = x
        bind_unary(function, params, spread, found[::target], _Scratch())()
        np.testing.assert_allclose(found[::target], dense, rtol=1e-6, err_msg=f"{source} to {target}")


def by_nodes(function: Function, sources: list[Array]) -> Array:
    """What a cell computes, by onnxruntime's sigmoid and tanh in single precision."""

    def gate(x: Array) -> Array:
        return onnx_node("Sigmoid", [x])

    def tanh(x: Array) -> Array:
        return onnx_node("Tanh", [x])

    x = [source.astype(np.float32) for source in sources]
    match function:
        case F.GATED_TANH:
            return gate(x[0]) * tanh(x[1])
        case F.LSTM_STATE:
            return gate(x[1]) * x[0] + gate(x[2]) * tanh(x[3])
        case _:
            new = tanh(x[4] + gate(x[2]) * x[3])
            return (1 - gate(x[1])) * new + gate(x[1]) * x[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("function", sorted(CELLS, key=lambda f: f.value))
def test_cells_equal_onnxruntime(function: Function, dtype: Any) -> None:
    random, (count, _) = np.random.default_rng(0), function.record.sources
    sources = [(4 * random.standard_normal((3, 7))).astype(dtype) for _ in range(count)]
    sources[-1] = sources[-1][:1]  # broadcast
    tolerance = 1e-6 if dtype == np.float32 else 4e-3
    got = apply(function, sources, ((3, 7), dtype))
    np.testing.assert_allclose(got, by_nodes(function, sources), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("function", sorted(CELLS, key=lambda f: f.value))
def test_cells_may_be_written_over_any_source(function: Function) -> None:
    random, (count, _) = np.random.default_rng(1), function.record.sources
    sources = {f"s{n}": random.standard_normal((3, 4)).astype(np.float32) for n in range(count)}
    expected = apply(function, [*sources.values()], ((3, 4), np.float32))
    for alias in sources:
        got = execute(
            lambda op, alias=alias: Elementwise(  # type: ignore[misc]
                dst=op[alias], srcs=tuple(op[name] for name in sources), function=function
            ),
            sources,
            {alias: ((3, 4), np.float32)},
        )[alias]
        np.testing.assert_array_equal(got, expected)
