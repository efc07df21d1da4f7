"""bfloat16, floats of 4 and 8 bits, integers of 2 and 4: stored so, computed in wider types as onnx says."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from bad_models import error_of
from onnx import TensorProto, helper, numpy_helper
from quantised_cases import Case, by_nnc, by_onnx, model_of

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.isa.types import DType

F16, F32, I8, I32 = np.float16, np.float32, np.int8, np.int32
FLOATS: dict[int, Any] = {
    TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
}
INTEGERS: dict[int, Any] = {
    TensorProto.INT4: ml_dtypes.int4,
    TensorProto.UINT4: ml_dtypes.uint4,
    TensorProto.INT2: ml_dtypes.int2,
    TensorProto.UINT2: ml_dtypes.uint2,
}
TYPES = FLOATS | INTEGERS
OPSET = 25
"""The first that has all of these types."""
REAL = np.random.default_rng(3).standard_normal((4, 6)).astype(F32)
EXTREMES = np.array([0, -0.0, 1e-9, 447, 449, 463.9, 464, 465, 480, 57344, 61440, 7e4, 1e6, -1e6], F32)
NOT_FINITE = np.array([np.nan, np.inf, -np.inf], F32)


def check(model: onnx.ModelProto, feeds: dict[str, Any]) -> None:
    """Insist on the same types and numbers, zeros of the same sign."""
    with np.errstate(all="ignore"):
        wanted = by_onnx(model, feeds)
    for have, want in zip(by_nnc(model, feeds), wanted, strict=True):
        assert have.dtype == want.dtype and have.shape == want.shape
        np.testing.assert_array_equal(have.astype(np.float64), want.astype(np.float64))
        np.testing.assert_array_equal(np.signbit(have.astype(F32)), np.signbit(want.astype(F32)))


def numbers(dtype: Any) -> Any:
    """All numbers of a type of storage of 2 to 8 bits, many of another."""
    if dtype in INTEGERS.values():
        return np.arange(ml_dtypes.iinfo(dtype).min, ml_dtypes.iinfo(dtype).max + 1).astype(dtype)
    if dtype is ml_dtypes.float4_e2m1fn:
        return np.arange(16).astype(np.uint8).view(dtype)
    if dtype is ml_dtypes.bfloat16:
        return (REAL * 100).astype(dtype)
    return np.arange(256).astype(np.uint8).view(dtype)


# --- conversions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run_time", [(0,), ()], ids=["run time", "constant"])
@pytest.mark.parametrize("saturate", [None, 0, 1])
@pytest.mark.parametrize("source", [F32, F16])
@pytest.mark.parametrize("code", FLOATS)
def test_rounding_to(code: int, source: Any, saturate: int | None, run_time: tuple[int, ...]) -> None:
    with np.errstate(over="ignore"):
        x = np.concatenate([REAL.reshape(-1) * 300, EXTREMES, NOT_FINITE]).astype(source)
    stated = {} if saturate is None or code == TensorProto.BFLOAT16 else {"saturate": saturate}
    case = Case("Cast", [x], run_time, {"to": code} | stated, opset=OPSET)
    check(case.model(), case.feeds)
    like = Case("CastLike", [x, np.zeros(2, FLOATS[code])], run_time, stated, opset=OPSET)
    check(like.model(), like.feeds)


@pytest.mark.parametrize("run_time", [(0,), ()], ids=["run time", "constant"])
@pytest.mark.parametrize("source", [F32, F16, I8, I32])
@pytest.mark.parametrize("code", INTEGERS)
def test_truncating_to(code: int, source: Any, run_time: tuple[int, ...]) -> None:
    x = np.arange(-9, 17).astype(source)
    case = Case("Cast", [x], run_time, {"to": code}, opset=OPSET)
    check(case.model(), case.feeds)


@pytest.mark.parametrize("run_time", [(0,), ()], ids=["run time", "constant"])
@pytest.mark.parametrize("target", [TensorProto.FLOAT, TensorProto.FLOAT16])
@pytest.mark.parametrize("code", TYPES)
def test_numbers_of(code: int, target: int, run_time: tuple[int, ...]) -> None:
    case = Case("Cast", [numbers(TYPES[code])], run_time, {"to": target}, opset=OPSET)
    check(case.model(), case.feeds)


@pytest.mark.parametrize("mode", [None, "up", "down", "nearest"])
@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("source", [F32, F16])
def test_powers_of_two(source: Any, saturate: int, mode: str | None) -> None:
    with np.errstate(over="ignore"):
        odd = [0, -0.0, 1, 2**-126, 1.5, 3, 2.0**127, 3e38, 1e-30, *NOT_FINITE]
        x = np.concatenate([REAL.reshape(-1) * 300, odd]).astype(source)
    attributes = {"to": TensorProto.FLOAT8E8M0, "saturate": saturate} | ({"round_mode": mode} if mode else {})
    case = Case("Cast", [x], attributes=attributes, opset=OPSET)
    check(case.model(), case.feeds)
    back = Case(
        "Cast", [numbers(ml_dtypes.float8_e8m0fnu)], attributes={"to": TensorProto.FLOAT}, opset=OPSET
    )
    check(back.model(), back.feeds)


@pytest.mark.parametrize("code", TYPES)
def test_through_the_network(code: int) -> None:
    """An input that is an output as it is, and moved."""
    x = numbers(TYPES[code]).reshape(4, -1)
    info = helper.make_tensor_value_info("x", code, x.shape)
    nodes = [helper.make_node("Identity", ["x"], ["y"]), helper.make_node("Transpose", ["x"], ["z"])]
    outputs = [onnx.ValueInfoProto(name=name) for name in ("y", "z")]
    model = model_of(helper.make_graph(nodes, "through", [info], outputs), OPSET)
    check(model, {"x": x})


def test_inputs_and_outputs_lie_in_the_types_of_the_model() -> None:
    case = Case("Neg", [REAL.astype(ml_dtypes.bfloat16)], opset=13)
    graph = import_model(case.model())
    assert [port.type.dtype for port in (*graph.input_ports, *graph.output_ports)] == [DType.BF16] * 2
    check(case.model(), case.feeds)


def test_weights_of_bfloat16() -> None:
    """They are exact in float32, in which sums are closer than in the evaluator."""
    x, weight = REAL.astype(ml_dtypes.bfloat16), REAL.T.astype(ml_dtypes.bfloat16)
    case = Case("MatMul", [x, weight], opset=13)
    exact = x.astype(np.float64) @ weight.astype(np.float64)
    (y,) = by_nnc(case.model(), case.feeds)
    assert y.dtype == ml_dtypes.bfloat16
    np.testing.assert_allclose(y.astype(np.float64), exact, rtol=2**-8, atol=1e-6)


def test_large_weights_of_bfloat16(tmp_path: Any) -> None:
    """The bytes of such a file are read apart from its structure; those of external data, too."""
    weight = np.random.default_rng(0).standard_normal((260, 260)).astype(ml_dtypes.bfloat16)
    case = Case("Add", [REAL[:1, :1].astype(ml_dtypes.bfloat16), weight], opset=13)
    onnx.save_model(case.model(), tmp_path / "in.onnx")
    onnx.save_model(case.model(), tmp_path / "out.onnx", save_as_external_data=True, size_threshold=0)
    for file in ("in.onnx", "out.onnx"):
        graph = import_model(tmp_path / file)
        np.testing.assert_array_equal(graph.constants["c1"], weight.astype(F32))


# --- quantised ---------------------------------------------------------------------------------------------


def scales(*shape: int) -> Any:
    return (np.random.default_rng(1).random(shape) * 0.3 + 0.05).astype(F32)


@pytest.mark.parametrize("run_time", [(0,), (0, 1, 2), ()], ids=["x", "all", "constant"])
@pytest.mark.parametrize("code", INTEGERS)
def test_integers_of_few_bits(code: int, run_time: tuple[int, ...]) -> None:
    dtype = INTEGERS[code]
    zeros = np.resize(numbers(dtype), 6)
    zero, integers = np.array(1).astype(dtype), np.resize(numbers(dtype), (4, 6))
    cases = [
        Case("QuantizeLinear", [REAL * 2, F32(0.3), zero], run_time, opset=OPSET),
        Case("QuantizeLinear", [REAL * 2, scales(6), zeros], run_time, opset=OPSET),
        Case("DequantizeLinear", [integers, F32(0.3), zero], run_time, opset=OPSET),
        Case("DequantizeLinear", [integers, scales(6), zeros], run_time, opset=OPSET),
    ]
    for case in cases:
        check(case.model(), case.feeds)
    blocks = [scales(2, 6), np.resize(zeros, (2, 6))]
    for op, x in (("QuantizeLinear", REAL * 2), ("DequantizeLinear", integers)):
        case = Case(op, [x, *blocks], run_time[:1], {"axis": 0, "block_size": 2}, opset=OPSET)
        check(case.model(), case.feeds)


@pytest.mark.parametrize("run_time", [(0,), (0, 1), ()], ids=["x", "all", "constant"])
@pytest.mark.parametrize("code", [code for code in FLOATS if code != TensorProto.BFLOAT16])
def test_floats_of_few_bits(code: int, run_time: tuple[int, ...]) -> None:
    dtype = FLOATS[code]
    floats = np.resize(numbers(dtype), (43, 6))
    for scale, axis in ((F32(0.125), {}), (np.exp2(np.arange(6) - 3).astype(F32), {"axis": 1})):
        cases = [
            Case("QuantizeLinear", [REAL * 300, scale], run_time, {"output_dtype": code} | axis, opset=OPSET),
            Case(
                "QuantizeLinear",
                [REAL * 300, scale, np.zeros_like(scale).astype(dtype)],
                run_time,
                axis,
                opset=OPSET,
            ),
            Case("DequantizeLinear", [floats, scale], run_time, axis, opset=OPSET),
        ]
        for case in cases:
            check(case.model(), case.feeds)
    halves = Case("DequantizeLinear", [floats, F16(0.25)], run_time, opset=OPSET)
    check(halves.model(), halves.feeds)


def test_a_zero_point_of_floats_is_zero() -> None:
    dtype = ml_dtypes.float8_e4m3fn
    for op, x in (("QuantizeLinear", REAL), ("DequantizeLinear", REAL.astype(dtype))):
        case = Case(op, [x, F32(1), dtype(2)])
        assert "zero point" in error_of(UnsupportedError, case.model()).found


def test_a_type_that_is_not_the_zero_points() -> None:
    case = Case("QuantizeLinear", [REAL, F32(1), I8(0)], attributes={"output_dtype": TensorProto.INT4})
    error_of(ModelInvalidError, case.model())


def test_constants_of_a_wrong_size() -> None:
    tensor = numpy_helper.from_array(REAL.astype(ml_dtypes.bfloat16), "c")
    tensor.raw_data = tensor.raw_data[:-1]
    x = helper.make_tensor_value_info("x", TensorProto.BFLOAT16, [6])
    node = helper.make_node("Add", ["x", "c"], ["y"])
    graph = helper.make_graph([node], "short", [x], [onnx.ValueInfoProto(name="y")], [tensor])
    error_of(ModelInvalidError, model_of(graph))


def test_a_cache_of_bfloat16_is_no_state() -> None:
    case = Case("Identity", [REAL.astype(ml_dtypes.bfloat16)], opset=13)
    error = error_of(UnsupportedError, case.model(), states={"x0": "y0"})
    assert "type of storage" in error.message
    assert error.found == "bf16"
