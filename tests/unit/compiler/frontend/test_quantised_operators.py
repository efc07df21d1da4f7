"""Quantised operators give, bit for bit, what onnxruntime and onnx's reference evaluator compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from quantised_cases import Case, by_nnc, by_onnx, by_onnxruntime, model_of

from nnc.compiler.frontend.importer import import_model

RNG = np.random.default_rng(5)
U8, I8, I32, F16, F32 = np.uint8, np.int8, np.int32, np.float16, np.float32


def eights(*shape: int, dtype: Any = U8) -> Any:
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max + 1, shape, dtype)


def real(*shape: int, spread: float = 40, dtype: Any = F32) -> Any:
    return (RNG.standard_normal(shape) * spread).astype(dtype)


def scales(*shape: int, dtype: Any = F32) -> Any:
    return (RNG.random(shape) * 0.3 + 0.02).astype(dtype)


def sums(*shape: int) -> Any:
    return RNG.integers(-3000, 3000, shape).astype(I32)


def check(case: Case, *, onnxruntime: bool = True, reference: bool = True) -> None:
    """Insist on the same bits."""
    model, feeds = case.model(), case.feeds
    oracles = [by_onnxruntime] * onnxruntime + [by_onnx] * reference
    found = by_nnc(model, feeds)
    for oracle in oracles:
        for have, want in zip(found, oracle(model, feeds), strict=True):
            assert have.dtype == want.dtype
            np.testing.assert_array_equal(have, want)


# --- conversions -------------------------------------------------------------------------------------------

HALVES = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 1e9, -1e9, np.inf, -np.inf, 0.0], F32)
BLOCKS = {"axis": 1, "block_size": 3}
CONVERSIONS = {
    "u8": Case("QuantizeLinear", [real(3, 5), F32(0.3), U8(100)], opset=10),
    "s8": Case("QuantizeLinear", [real(3, 5), F32(0.3), I8(-7)], opset=13),
    "no zero point": Case("QuantizeLinear", [real(3, 5), F32(0.3)], opset=13),
    "output_dtype": Case(
        "QuantizeLinear", [real(3, 5), F32(0.3)], attributes={"output_dtype": TensorProto.INT8}
    ),
    "halves": Case("QuantizeLinear", [HALVES, F32(1), I8(3)], opset=19),
    "channels": Case("QuantizeLinear", [real(2, 3, 2, 2), scales(3), eights(3)], opset=13),
    "axis": Case("QuantizeLinear", [real(2, 3, 4), scales(4), eights(4, dtype=I8)], attributes={"axis": -1}),
    "vector of one": Case("QuantizeLinear", [real(7), scales(1), eights(1)], opset=23),
    "scalar": Case("QuantizeLinear", [F32(3.7), F32(0.3), U8(1)]),
    "integers": Case("QuantizeLinear", [sums(3, 4), F32(17), U8(100)], opset=10),
    "s16": Case("QuantizeLinear", [real(30, spread=9000), F32(0.7), np.int16(5)]),
    "u16": Case("QuantizeLinear", [real(30, spread=9000), F32(0.7), np.uint16(30000)]),
    "scale of run time": Case("QuantizeLinear", [real(3, 5), F32(0.3), U8(9)], run_time=(0, 1, 2)),
    "scales of run time": Case("QuantizeLinear", [real(3, 5), scales(3), eights(3)], (0, 1, 2), {"axis": 0}),
    "from u8": Case("DequantizeLinear", [eights(3, 5), F32(0.3), U8(100)], opset=10),
    "from s8": Case("DequantizeLinear", [eights(3, 5, dtype=I8), F32(0.3), I8(-9)], opset=13),
    "from sums": Case("DequantizeLinear", [sums(3, 5), F32(0.3)], opset=13),
    "from large sums": Case("DequantizeLinear", [sums(99) * 100003, F32(0.0037)], opset=19),
    "from channels": Case("DequantizeLinear", [eights(2, 3, 2), scales(3), eights(3)], opset=13),
    "from s16": Case("DequantizeLinear", [eights(30, dtype=np.int16), F32(0.3), np.int16(-70)]),
    "from u16": Case("DequantizeLinear", [eights(30, dtype=np.uint16), F32(0.3), np.uint16(70)]),
    "to f16": Case("DequantizeLinear", [eights(30), F16(0.3), U8(70)], opset=19),
    "from run time": Case("DequantizeLinear", [eights(3, 5), F32(0.3), U8(9)], run_time=(0, 1, 2)),
    "blocks": Case("QuantizeLinear", [real(2, 7, 3), scales(2, 3, 3), eights(2, 3, 3)], (0,), BLOCKS),
    "blocks of halves": Case(
        "QuantizeLinear", [real(5, dtype=F16), scales(2, dtype=F16)], (0,), BLOCKS | {"axis": 0}
    ),
    "from blocks": Case(
        "DequantizeLinear", [eights(2, 7, 3), scales(2, 3, 3), eights(2, 3, 3)], (0,), BLOCKS
    ),
    "from one block": Case("DequantizeLinear", [sums(2, 2), scales(2, 1)], (0,), BLOCKS),
    "constant blocks": Case("QuantizeLinear", [real(4, 6), scales(4, 2), eights(4, 2)], (), BLOCKS),
    "from constant blocks": Case("DequantizeLinear", [eights(4, 6), scales(4, 2), eights(4, 2)], (), BLOCKS),
    "dynamic": Case("DynamicQuantizeLinear", [real(3, 5) + 9], opset=11, outputs=3),
    "dynamic, positive": Case("DynamicQuantizeLinear", [np.abs(real(7))], opset=11, outputs=3),
    "dynamic, negative": Case("DynamicQuantizeLinear", [-np.abs(real(2, 2))], opset=21, outputs=3),
}


UNLIKE_ONNX = {"halves", "blocks of halves", "from large sums"}
"""onnx's evaluator divides in float16, and float32 is no float64."""


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversion(name: str) -> None:
    case = CONVERSIONS[name]
    old = case.op == "DequantizeLinear" and case.opset < 19  # onnx has no evaluator of the old forms
    runs = name != "integers"  # onnxruntime has no kernel
    check(case, onnxruntime=runs, reference=not old and name not in UNLIKE_ONNX)


@pytest.mark.parametrize("dtype", [U8, I8])
def test_halves_and_the_infinite(dtype: Any) -> None:
    """Where float32 is no float64, or NaN an integer, onnxruntime rules."""
    x = np.concatenate([HALVES, np.array([np.nan], F32)])
    check(Case("QuantizeLinear", [x, F32(1), dtype(3)]), reference=False)


def test_float16_is_divided_in_float32() -> None:
    """As onnxruntime does it; onnx's evaluator divides in float16."""
    check(Case("QuantizeLinear", [real(900, dtype=F16), F16(0.37), U8(120)], opset=19), reference=False)


def test_range_of_zeros() -> None:
    """onnxruntime's scale is 1 then, that of onnx's evaluator 1/255."""
    check(Case("DynamicQuantizeLinear", [np.zeros(5, F32)], outputs=3), reference=False)


@pytest.mark.parametrize("op", ["QuantizeLinear", "DequantizeLinear"])
@pytest.mark.parametrize("dtype", [U8, np.int16])
def test_conversion_of_onnxruntime(op: str, dtype: Any) -> None:
    x = real(3, 4, 2) if op == "QuantizeLinear" else eights(3, 4, 2, dtype=dtype)
    operands = [x, scales(2), eights(2, dtype=dtype)]
    check(Case(op, operands, attributes={"axis": 2}, domain="com.microsoft"), reference=False)


# --- constants ---------------------------------------------------------------------------------------------


def beside_an_input(nodes: list[onnx.NodeProto], constants: list[onnx.TensorProto], result: int) -> Any:
    """A network of nodes on constants that end in y, and an input that goes to an output of its own."""
    x, z = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xz")
    y = helper.make_tensor_value_info("y", result, None)
    nodes = [*nodes, helper.make_node("Neg", ["x"], ["z"])]
    return model_of(helper.make_graph(nodes, "constants", [x], [y, z], constants))


def node(op: str, *names: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(op, list(names[:-1]), [names[-1]], **attributes)


def constant(name: str, value: Any) -> onnx.TensorProto:
    return numpy_helper.from_array(np.asarray(value), name)


def four_bits(name: str, signed: bool, *values: int) -> onnx.TensorProto:
    kind = TensorProto.INT4 if signed else TensorProto.UINT4
    return helper.make_tensor(name, kind, [len(values)], values)


def same_as_onnxruntime(model: onnx.ModelProto) -> None:
    feeds = {"x": np.ones(1, F32)}
    np.testing.assert_array_equal(by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0])


@pytest.mark.parametrize("dtype", [U8, I8, np.int16])
def test_quantised_constant_is_folded(dtype: Any) -> None:
    constants = [constant("w", real(40, 3)), constant("s", scales(3)), constant("o", eights(3, dtype=dtype))]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    model = beside_an_input([node("QuantizeLinear", "w", "s", "o", "y")], constants, kind)
    same_as_onnxruntime(model)
    assert [layer.kind for layer in import_model(model).layers()] == ["elementwise", "copy"]


@pytest.mark.parametrize("signed", [True, False])
def test_constant_of_four_bits(signed: bool) -> None:
    values = range(-8, 8) if signed else range(16)
    constants = [four_bits("w", signed, *values), four_bits("o", signed, 3), constant("s", scales(1))]
    nodes = [node("DequantizeLinear", "w", "s", "o", "y")]
    same_as_onnxruntime(beside_an_input(nodes, constants, TensorProto.FLOAT))


@pytest.mark.parametrize("signed", [True, False])
def test_constant_is_quantised_to_four_bits(signed: bool) -> None:
    constants = [constant("w", real(60, spread=4)), four_bits("o", signed, 2), constant("s", scales(1))]
    nodes = [node("QuantizeLinear", "w", "s", "o", "q"), node("DequantizeLinear", "q", "s", "o", "y")]
    same_as_onnxruntime(beside_an_input(nodes, constants, TensorProto.FLOAT))


def test_quantised_again_with_another_scale() -> None:
    constants = [constant("w", eights(50)), constant("s", F32(0.31)), constant("t", F32(0.77))]
    constants += [constant("o", U8(7)), constant("p", I8(-7))]
    nodes = [node("DequantizeLinear", "w", "s", "o", "d"), node("QuantizeLinear", "d", "t", "p", "y")]
    model = beside_an_input(nodes, constants, TensorProto.INT8)
    same_as_onnxruntime(model)
    assert {layer.kind for layer in import_model(model).layers()} == {"copy", "elementwise"}


@pytest.mark.parametrize("op", ["Transpose", "Reshape", "Slice", "Gather", "Flatten", "Unsqueeze", "Split"])
def test_moved_constant_stays_integers(op: str) -> None:
    """Integers move, with the scales of their channels; a conversion follows as a layer."""
    data = {"Reshape": [12, -1], "Slice": [1], "Gather": [2, 0], "Unsqueeze": [1]}
    constants = [constant("w", eights(4, 3, 5)), constant("s", scales(3)), constant("o", eights(3))]
    constants += [constant("a", np.int64(data[op]))] if op in data else []
    constants += [constant("b", np.int64([3])), constant("c", np.int64([2]))] if op == "Slice" else []
    extra = {"Slice": ["a", "b", "c"], **{name: ["a"] for name in ("Reshape", "Gather", "Unsqueeze")}}
    attributes = {
        "Transpose": {"perm": [1, 2, 0]},
        "Gather": {"axis": 1},
        "Split": {"num_outputs": 2, "axis": 1},
    }
    mover = helper.make_node(
        op, ["d", *extra.get(op, [])], ["y", "rest"][: 1 + (op == "Split")], **attributes.get(op, {})
    )
    model = beside_an_input(
        [node("DequantizeLinear", "w", "s", "o", "d"), mover], constants, TensorProto.FLOAT
    )
    same_as_onnxruntime(model)
    graph = import_model(model)
    assert [layer.kind for layer in graph.layers()] == ["elementwise", "elementwise"]
    assert {value.dtype for value in graph.constants.values() if value.size > 20} == {np.dtype(U8)}


def test_function_of_a_dequantised_constant_is_folded() -> None:
    constants = [constant("w", eights(6)), constant("s", F32(0.5)), constant("o", U8(128))]
    nodes = [node("DequantizeLinear", "w", "s", "o", "d"), node("Relu", "d", "y")]
    model = beside_an_input(nodes, constants, TensorProto.FLOAT)
    same_as_onnxruntime(model)
    assert [layer.kind for layer in import_model(model).layers()] == ["elementwise", "copy"]


def test_dequantised_bounds_and_factors_are_numbers() -> None:
    """What importers want to know at compile time may be stored as integers."""
    nodes = [
        node("DequantizeLinear", "low", "s", "least"),
        node("DequantizeLinear", "high", "s", "most"),
        node("Clip", "x", "least", "most", "c"),
        node("Mul", "c", "most", "y"),
    ]
    constants = [constant("low", I8(-4)), constant("high", I8(6)), constant("s", F32(0.1))]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [9])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    model = model_of(helper.make_graph(nodes, "bounds", [x], [y], constants))
    feeds = {"x": real(9, spread=1)}
    np.testing.assert_array_equal(by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0])
    assert [layer.kind for layer in import_model(model).layers()] == ["elementwise", "elementwise"]


def test_weights_of_gemm_stay_integers() -> None:
    """Transposed, they are integers with a conversion behind them."""
    nodes = [node("DequantizeLinear", "w", "s", "o", "d", axis=0), node("Gemm", "x", "d", "y", transB=1)]
    constants = [constant("w", eights(4, 6, dtype=I8)), constant("s", scales(4))]
    constants.append(constant("o", np.zeros(4, I8)))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 6])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = import_model(model_of(helper.make_graph(nodes, "gemm", [x], [y], constants)))
    assert [layer.kind for layer in graph.layers()] == ["elementwise", "matmul"]
    assert {value.shape for value in graph.constants.values() if value.dtype == I8} == {(6, 4), ()}
