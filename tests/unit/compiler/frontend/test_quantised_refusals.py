"""Quantised operators that are wrong, or that nnc does not compile: one clear error each."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from quantised_cases import MICROSOFT, Case, model_of
from quantised_nodes import (
    F32,
    I32,
    IMAGE,
    MATRIX,
    REAL,
    U8,
    add,
    contrib,
    conv,
    dequantize,
    error_of,
    matmul,
    pool,
    quantize,
)

from nnc.compiler.frontend.errors import ModelInvalidError, ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.importer import import_model

# --- axes, operands, attributes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        quantize(F32([0.1, 0.2]), axis=3),
        dequantize(F32([0.1, 0.2]), axis=-4),
        contrib("QuantizeLinear", REAL, F32([0.1, 0.2]), U8([1, 2]), axis=3),
        contrib("QLinearConcat", F32(0.1), U8(1), MATRIX, F32(0.1), U8(1), run_time=(2,), axis=2),
        contrib("QLinearSoftmax", MATRIX, F32(0.1), U8(1), F32(0.1), U8(0), opset=13, axis=2),
    ],
)
def test_axis_out_of_range(case: Case) -> None:
    assert error_of(ModelInvalidError, case.model()).message == "axis out of range"


@pytest.mark.parametrize(
    "case",
    [
        quantize(F32(0.1), U8(3), output_dtype=TensorProto.INT8),
        conv(b=np.ones(3, I32)),
        conv(b=np.ones(4, F32)),
        conv(x=np.ones((1, 2, 5, 5), U8)),
        matmul(b=MATRIX),
        add(b=np.ones((2, 4), U8)),
        contrib("QGemm", IMAGE, F32(0.1), U8(0), MATRIX, F32(0.1), U8(0)),
        contrib("QGemm", MATRIX, F32(0.1), U8(0), MATRIX.T.copy(), F32(0.1), U8(0), np.ones(2, I32)),
        contrib("QLinearGlobalAveragePool", MATRIX, F32(0.1), U8(0), F32(0.1), U8(0)),
        pool(U8(0), kernel_shape=[2]),
        contrib(
            "QLinearConcat",
            F32(1),
            U8(1),
            MATRIX,
            F32(1),
            U8(1),
            IMAGE,
            F32(1),
            U8(1),
            run_time=(2, 5),
            axis=0,
        ),
    ],
)
def test_operands_that_do_not_fit(case: Case) -> None:
    error_of(ModelInvalidError, case.model())


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (add(b=None), "operand 3 is missing"),
        (contrib("QLinearAdd", MATRIX, F32(0.1)), "operand 3 is missing"),
        (
            contrib("QLinearConcat", F32(1), U8(1), MATRIX, F32(1), run_time=(2,), axis=0),
            "each operand needs",
        ),
        (contrib("QLinearConcat", F32(1), U8(1), MATRIX, None, U8(1), axis=0), "operand 3 is missing"),
        (contrib("QLinearSigmoid", *[MATRIX, F32(1), U8(0)] * 2), "too many operands"),
        (contrib("QLinearSigmoid", MATRIX, F32(1), U8(0), F32(1), U8(0), alpha=0.1), "does not have"),
        (contrib("QLinearLeakyRelu", MATRIX, F32(1), U8(0), F32(1), U8(0), alpha=1), "has another type"),
        (pool(U8(0), strides=[1, 1]), "attribute kernel_shape is missing"),
        (contrib("QLinearConcat", F32(1), U8(1), MATRIX, F32(1), U8(1)), "attribute axis is missing"),
        (contrib("QLinearAdd", *[np.ones(3, I32), F32(1), I32(0)] * 2, F32(1), I32(0)), "does not take"),
        (add(as_=np.ones((), np.float64)), "does not take"),
    ],
)
def test_signature_of_an_operator_of_onnxruntime(case: Case, text: str) -> None:
    """onnx has no schema of these operators, so nobody else checks; the error names the domain."""
    error = error_of(ModelInvalidError, case.model())
    assert text in error.message
    assert f"({MICROSOFT}.{case.op})" in error.where


def test_unknown_operator_of_onnxruntime() -> None:
    found = error_of(UnsupportedError, contrib("GemmFastGelu", REAL).model()).found
    assert f"({MICROSOFT}.GemmFastGelu)" in found


# --- what is not compiled ----------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["QuantizeLinear", "DequantizeLinear"])
def test_scales_of_blocks(op: str) -> None:
    x = REAL if op == "QuantizeLinear" else np.ones((2, 3, 4), U8)
    operands = [x, np.full((2, 3, 2), 0.1, F32), np.zeros((2, 3, 2), U8)]
    case = Case(op, operands, (0, 1, 2), {"block_size": 2, "axis": 2})
    assert "scale of blocks must be known" in error_of(UnsupportedError, case.model()).found
    case = replace(case, run_time=(0,))
    for size in (2, 3):  # both make two blocks
        import_model(replace(case, attributes={"block_size": size, "axis": 2}).model())
    for size, axis in ((1, 2), (2, 1), (-2, 2)):
        model = replace(case, attributes={"block_size": size, "axis": axis}).model()
        error_of(ModelInvalidError, model)


def test_gemm_with_half_a_target() -> None:
    case = contrib("QGemm", MATRIX, F32(1), U8(0), MATRIX.T.copy(), F32(1), U8(0), None, F32(0.1))
    assert "zero point" in error_of(UnsupportedError, case.model()).found


def test_division_in_float16() -> None:
    case = quantize(np.float16(0.1), U8(0), REAL.astype(np.float16), precision=TensorProto.FLOAT16)
    case = Case(case.op, case.operands, attributes=case.attributes, opset=23)
    assert "precision" in error_of(UnsupportedError, case.model()).found


def test_constant_of_four_bits_with_too_little_data() -> None:
    constants = [helper.make_tensor("c", TensorProto.INT4, [], [3]), numpy_helper.from_array(F32(0.1), "s")]
    constants[0].dims.append(9)
    node = helper.make_node("DequantizeLinear", ["c", "s"], ["y"])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    error_of(ModelInvalidError, model_of(helper.make_graph([node], "four", [], [y], constants)))


# --- size --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["QuantizeLinear", "DequantizeLinear"])
def test_huge_constant_is_not_computed(op: str) -> None:
    """Half a milliard times the same number takes no memory; what it is converted to would."""
    kind = TensorProto.FLOAT if op == "QuantizeLinear" else TensorProto.INT8
    fill = helper.make_node("ConstantOfShape", ["n"], ["c"], value=helper.make_tensor("v", kind, [1], [1]))
    nodes = [fill, helper.make_node(op, ["c", "s"], ["q"]), helper.make_node("ReduceMax", ["q"], ["m"])]
    result = TensorProto.UINT8 if op == "QuantizeLinear" else TensorProto.FLOAT
    m = helper.make_tensor_value_info("m", result, None)
    constants = [numpy_helper.from_array(np.int64([1 << 29, 1]), "n"), numpy_helper.from_array(F32(0.1), "s")]
    model = model_of(helper.make_graph(nodes, "huge", [], [m], constants))
    tracemalloc.start()
    try:
        with suppress(ModelTooLargeError):  # on a small machine
            import_model(model)
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()
