"""Kernels on quantised integers against their formulas in numpy, onnxruntime and onnx's evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import channels_first, channels_last, execute, roomy_chip
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from quantised_cases import by_onnxruntime

from nnc.isa.functions import Function, PoolFunction, ReduceFunction
from nnc.isa.instruction import Phase
from nnc.isa.instructions import Conv, ConvTranspose, Elementwise, Gemm, Load, Pool, Reduce
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.types import DType
from nnc.runtime.kernels import products
from nnc.runtime.machine import Machine

Array = np.ndarray[Any, Any]
F32 = np.float32


def codes(rng: np.random.Generator, dtype: Any, shape: tuple[int, ...]) -> Array:
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def rounded(y: Array, scale: float, zero: int, dtype: Any) -> Array:
    info = np.iinfo(dtype)
    return np.clip(np.rint(y / F32(scale)) + zero, info.min, info.max).astype(dtype)


def node(op: str, inputs: list[Any], domain: str = "", **attributes: Any) -> onnx.ModelProto:
    """A model of one node on constants; it has no inputs."""
    names = [f"i{k}" if value is not None else "" for k, value in enumerate(inputs)]
    tensors = [
        numpy_helper.from_array(np.asarray(value), name)
        for name, value in zip(names, inputs, strict=True)
        if value is not None
    ]
    body = helper.make_node(op, names, ["y"], domain=domain, **attributes)
    graph = helper.make_graph([body], "g", [], [onnx.ValueInfoProto(name="y")], tensors)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


@pytest.mark.parametrize("src_dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("groups", [1, 2, 8])
def test_conv_equals_qlinearconv(src_dtype: Any, groups: int) -> None:
    rng = np.random.default_rng(groups)
    src, weight = codes(rng, src_dtype, (1, 7, 6, 8)), codes(rng, np.int8, (3, 3, 8 // groups, 8))
    bias = rng.integers(-40000, 40000, 8).astype(np.int32)
    x_scale, y_scale, x_zero, y_zero = 0.02, 0.07 / groups, 5, 3
    w_scale = (rng.random(8) * 0.01 + 0.001).astype(F32)
    scale = (F32(x_scale) * w_scale / F32(y_scale)).astype(F32)
    got = execute(
        lambda op: Conv(
            **op, stride=(2, 1), dilation=(1, 1), pad_begin=(1, 1), groups=groups, src_zero=x_zero,
            dst_zero=y_zero,
        ),
        {"src": src, "weight": weight, "scale": scale, "bias": bias},
        {"dst": ((1, 4, 6, 8), src_dtype)},
    )["dst"]  # fmt: skip
    model = node(
        "QLinearConv",
        [
            channels_first(src), F32(x_scale), src_dtype(x_zero),
            np.moveaxis(weight, (-1, -2), (0, 1)).copy(), w_scale, np.zeros(8, np.int8),
            F32(y_scale), src_dtype(y_zero), bias,
        ],
        strides=[2, 1], pads=[1, 1, 1, 1], group=groups,
    )  # fmt: skip
    assert len(set(got.reshape(-1).tolist())) > 50
    np.testing.assert_array_equal(got, channels_last(by_onnxruntime(model, {})[0]))


@pytest.mark.parametrize("bias_bits", [12, 30])
@pytest.mark.parametrize("phase", [Phase.WHOLE, Phase.FINISH])
def test_the_sum_is_rounded_before_the_residual(bias_bits: int, phase: Phase) -> None:
    """Σ + bias is exact beyond 31 bits, each later step rounds to f32."""
    rng = np.random.default_rng(bias_bits)
    src, weight = codes(rng, np.uint8, (5, 40)), codes(rng, np.int8, (40, 6))
    bias = rng.integers(-(2**bias_bits), 2**bias_bits, 6).astype(np.int32)
    residual = codes(rng, np.int8, (5, 6))
    most = 30 if phase is Phase.FINISH else max(bias_bits, 18)
    scale = np.full(1, 2.0 ** (7 - most), F32)
    inputs = {"src": src, "weight": weight, "bias": bias, "residual": residual, "scale": scale}
    sums = (src.astype(np.int64) - 9) @ weight.astype(np.int64)
    if phase is Phase.FINISH:
        inputs["accumulator"] = rng.integers(-(2**30), 2**30, (5, 6)).astype(np.int32)
        sums = sums + inputs["accumulator"]
    got = execute(
        lambda op: Gemm(
            **op, src_zero=9, sum_scale=0.7, sum_zero=-4, residual_scale=0.3, residual_zero=11, dst_scale=0.9,
            dst_zero=6, act=Function.RELU, phase=phase,
        ),
        inputs,
        {"dst": ((5, 6), np.int8)},
    )["dst"]  # fmt: skip
    y = (sums + bias).astype(F32) * scale
    layer = rounded(y, 1.0, -4, np.int8)
    real = (layer.astype(F32) + 4) * F32(0.7) + (residual.astype(F32) - 11) * F32(0.3)
    assert len(set(layer.reshape(-1).tolist())) > 3
    np.testing.assert_array_equal(got, rounded(np.maximum(real, 0), 0.9, 6, np.int8))


def test_integer_products_with_a_float_result() -> None:
    rng = np.random.default_rng(3)
    src, weight = codes(rng, np.int8, (1, 5, 5, 3)), codes(rng, np.uint8, (2, 2, 3, 4))
    scale, bias = rng.random(4).astype(F32), rng.standard_normal(4).astype(F32)
    got = execute(
        lambda op: ConvTranspose(
            **op, stride=(2, 2), dilation=(1, 1), pad_begin=(0, 0), src_zero=-3, weight_zero=130
        ),
        {"src": src, "weight": weight, "scale": scale, "bias": bias},
        {"dst": ((1, 10, 10, 4), F32)},
    )["dst"]
    expected = np.zeros((1, 10, 10, 4), np.int64)
    for ky, kx in np.ndindex(2, 2):
        expected[:, ky::2, kx::2] = (src.astype(np.int64) + 3) @ (weight[ky, kx].astype(np.int64) - 130)
    np.testing.assert_array_equal(got, expected.astype(F32) * scale + bias)


def loaded(weight: Array, src: Array) -> Array:
    """The product of an input with a constant that is loaded, by a machine bound in order."""
    aligned_bytes = -(-weight.nbytes // 64) * 64
    outside = Operand.dense(DRAM, 0, DType.from_numpy(weight.dtype), weight.shape)
    inside, x = (
        Operand.dense("sram", 0, outside.dtype, weight.shape),
        Operand.dense("sram", aligned_bytes, DType.from_numpy(src.dtype), src.shape),
    )
    out = Operand.dense("sram", aligned_bytes + src.nbytes + 64, DType.I32, (len(src), weight.shape[1]))
    constants = np.zeros(aligned_bytes, np.uint8)
    constants[: weight.nbytes] = weight.reshape(-1).view(np.uint8)
    table = (Tensor("w", TensorRole.CONSTANT, outside),)
    issued = (Issued(0, Load(dst=inside, src=outside)), Issued(0, Gemm(src=x, weight=inside, dst=out)))
    program = Program(roomy_chip(), table, constants, issued, aligned_bytes)
    machine = Machine(program, poison=True, race_free=True)
    machine.view(x)[...] = src
    machine.run()
    return machine.view(out).copy()


@pytest.mark.parametrize("case", ["small", "one sign", "both signs", "extreme"])
def test_real_weights_say_how_many_slices_are_needed(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """f32 sums of the slices that the real weights allow are exact for the worst inputs there are."""
    rng = np.random.default_rng(0)
    weight, count = {
        "small": (rng.integers(-9, 10, (2000, 5)), 1),
        "one sign": (np.full((2000, 5), 65), 2),  # 2000 · 65 · 255 is just under 2 · 2²⁴
        "both signs": (np.where(np.arange(2000)[:, None] % 2, 65, -65).repeat(5, 1), 1),
        "extreme": (np.full((2000, 5), -128), 4),
    }[case]
    weight = weight.astype(np.int8)
    src = np.where(rng.random((3, 2000)) < 0.5, 255, rng.integers(0, 256, (3, 2000))).astype(np.uint8)
    src[0], src[1] = 255, np.where(weight[:, 0] > 0, 255, 0)
    counts: list[int] = []
    plain = products.exact_slices

    def counted(*args: Any) -> list[slice]:
        counts.append(len(plain(*args)))
        return plain(*args)

    monkeypatch.setattr("nnc.runtime.kernels.gemm.exact_slices", counted)
    np.testing.assert_array_equal(loaded(weight, src), src.astype(np.int64) @ weight.astype(np.int64))
    assert counts == [count]
    unknown = products.exact_slices(Gemm(src=_block(src), weight=_block(weight)), 2000)
    assert len(unknown) == 4


def _block(array: Array) -> Operand:
    return Operand.dense("sram", 0, DType.from_numpy(array.dtype), array.shape)


def literal(function: str, sources: list[tuple[Array, float, int]], to: tuple[float, int, Any]) -> Array:
    """DequantizeLinear → function → QuantizeLinear by onnx's evaluator."""
    nodes, tensors, names = [], {}, []
    for k, (x, scale, zero) in enumerate(sources):
        tensors |= {f"x{k}": x, f"s{k}": F32(scale), f"z{k}": np.asarray(zero, x.dtype)}
        nodes.append(helper.make_node("DequantizeLinear", [f"x{k}", f"s{k}", f"z{k}"], [f"r{k}"]))
        names.append(f"r{k}")
    scale, zero, dtype = to
    tensors |= {"s": F32(scale), "z": np.asarray(zero, dtype)}
    nodes.append(helper.make_node(function, names, ["y"]))
    nodes.append(helper.make_node("QuantizeLinear", ["y", "s", "z"], ["q"]))
    values = [numpy_helper.from_array(np.asarray(v), name) for name, v in tensors.items()]
    graph = helper.make_graph(nodes, "g", [], [onnx.ValueInfoProto(name="q")], values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return np.asarray(ReferenceEvaluator(model).run(None, {})[0])


@pytest.mark.parametrize("operator", ["Add", "Mul", "Sub", "Max", "Div"])
@given(
    scales=st.tuples(*[st.floats(1e-3, 1.0)] * 3),
    zeros=st.tuples(*[st.integers(0, 127)] * 3),
    seed=st.integers(0, 9),
)
@settings(max_examples=15, deadline=None)
def test_functions_of_two_sources_are_literal(
    operator: str, scales: tuple[float, ...], zeros: tuple[int, ...], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    a, b = codes(rng, np.uint8, (4, 5, 6)), codes(rng, np.int8, (6,))
    if operator == "Div":
        b = np.where(b == zeros[1], b - 1, b).astype(np.int8)
    got = execute(
        lambda op: Elementwise(
            dst=op["dst"], srcs=(op["a"], op["b"]), function=Function(operator.lower()),
            src_scales=scales[:2], src_zeros=zeros[:2], dst_scale=scales[2], dst_zero=zeros[2],
        ),
        {"a": a, "b": b},
        {"dst": ((4, 5, 6), np.int8)},
    )["dst"]  # fmt: skip
    sources = [(a, scales[0], zeros[0]), (b, scales[1], zeros[1])]
    np.testing.assert_array_equal(got, literal(operator, sources, (scales[2], zeros[2], np.int8)))


@pytest.mark.parametrize("operator", ["Identity", "Relu", "Abs", "Neg", "Floor"])
@pytest.mark.parametrize("gap", [0, 2])
def test_functions_of_one_byte_are_tables(operator: str, gap: int) -> None:
    x = np.arange(256, dtype=np.uint8).reshape(32, 8)
    got = execute(
        lambda op: Elementwise(
            dst=op["dst"], srcs=(op["x"],), function=Function(operator.lower()), src_scales=(0.07,),
            src_zeros=(120,), dst_scale=0.05, dst_zero=-10,
        ),
        {"x": x},
        {"dst": ((32, 8), np.int8)},
        gap=gap,
    )["dst"]  # fmt: skip
    np.testing.assert_array_equal(got, literal(operator, [(x, 0.07, 120)], (0.05, -10, np.int8)))


def test_what_is_no_number_is_the_least_integer() -> None:
    """As QuantizeLinear has it: roots of negative numbers, a function of a real source, an added real one."""
    x, real = np.array([[-5, 0, 16]], np.int8), np.array([[np.nan, 0, 16]], F32)
    rounding = {"dst_scale": 0.5, "dst_zero": 3}

    def function(kind: Function, *operands: Array) -> Any:
        names = [f"x{number}" for number in range(len(operands))]
        codes = {"src_scales": (1.0,) * len(names), "src_zeros": (0,) * len(names)}
        return execute(
            lambda op: Elementwise(
                dst=op["dst"], srcs=tuple(op[name] for name in names), function=kind, **codes, **rounding
            ),
            dict(zip(names, operands, strict=True)),
            {"dst": (x.shape, np.int8)},
        )["dst"].tolist()

    assert function(Function.SQRT, x) == [[-128, 3, 11]]
    assert function(Function.ADD, x, real) == [[-128, 3, 67]]
    inputs = {"src": x, "weight": np.eye(3, dtype=np.int8), "residual": real, "scale": np.ones(1, F32)}
    added = execute(
        lambda op: Gemm(**op, act=Function.RELU, **rounding), inputs, {"dst": (x.shape, np.int8)}
    )["dst"]
    assert added.tolist() == [[-128, 3, 67]]


def test_a_float_source_counts_as_it_is() -> None:
    x, y = np.arange(-8, 8, dtype=np.int8), np.linspace(-2, 2, 16, dtype=F32)
    fields: dict[str, Any] = {"src_scales": (0.5, 1.0), "src_zeros": (2, 0)}
    got = execute(
        lambda op: Elementwise(dst=op["dst"], srcs=(op["x"], op["y"]), function=Function.MUL, **fields),
        {"x": x, "y": y},
        {"dst": ((16,), F32)},
    )["dst"]
    np.testing.assert_array_equal(got, (x.astype(F32) - 2) * F32(0.5) * y)
    less = execute(
        lambda op: Elementwise(dst=op["dst"], srcs=(op["x"], op["y"]), function=Function.LESS, **fields),
        {"x": x, "y": y},
        {"dst": ((16,), np.bool_)},
    )["dst"]
    np.testing.assert_array_equal(less, (x.astype(F32) - 2) * F32(0.5) < y)


@pytest.mark.parametrize("count_pad", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float32])
def test_average_pool_rounds_the_exact_sum(count_pad: bool, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    src, zero = codes(rng, np.uint8, (1, 7, 6, 3)), 17
    dst_scale = 0.0 if dtype is np.float32 else 0.3
    got = execute(
        lambda op: Pool(
            **op, function=PoolFunction.AVERAGE, kernel=(3, 2), stride=(2, 1), dilation=(1, 1),
            pad_begin=(1, 1), pad_end=(1, 0), count_pad=count_pad,
            src_scale=0.25, src_zero=zero, dst_scale=dst_scale, dst_zero=4 if dst_scale else 0,
        ),
        {"src": src},
        {"dst": ((1, 4, 6, 3), dtype)},
    )["dst"]  # fmt: skip
    for y, x in np.ndindex(4, 6):
        rows = [r for r in range(2 * y - 1, 2 * y + 2) if 0 <= r < 7]
        columns = [c for c in range(x - 1, x + 1) if 0 <= c < 6]
        window = src[0][np.ix_(rows, columns)].astype(np.int64) - zero
        n = 6 if count_pad else len(rows) * len(columns)
        real = window.sum((0, 1)).astype(F32) * F32(0.25 / ((dst_scale or 1.0) * n))
        expected = real if dtype is np.float32 else rounded(real, 1.0, 4, dtype)
        np.testing.assert_array_equal(got[0, y, x], expected)


def test_a_large_average_is_exact() -> None:
    """300×300 bytes of 255 sum up to more than f32 holds."""
    src = np.full((1, 300, 300, 2), 255, np.uint8)
    src[0, 0, 0] = 254
    fields: dict[str, Any] = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (0, 0), "pad_end": (0, 0)}
    got = execute(
        lambda op: Pool(**op, **fields, function=PoolFunction.AVERAGE, kernel=(300, 300), src_scale=1.0),
        {"src": src},
        {"dst": ((1, 1, 1, 2), F32)},
    )["dst"]
    np.testing.assert_array_equal(got, F32(300 * 300 * 255 - 1) * F32(1 / 90000))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_global_average_equals_onnxruntime(dtype: Any) -> None:
    rng = np.random.default_rng(1)
    src = codes(rng, dtype, (2, 7, 7, 40))
    got = execute(
        lambda op: Reduce(
            **op, function=ReduceFunction.MEAN, axes=(1, 2), count=49, src_scale=0.02, src_zero=3,
            dst_scale=0.0031, dst_zero=100,
        ),
        {"src": src},
        {"dst": ((2, 1, 1, 40), dtype)},
    )["dst"]  # fmt: skip
    inputs = [channels_first(src), F32(0.02), dtype(3), F32(0.0031), dtype(100)]
    model = node("QLinearGlobalAveragePool", inputs, domain="com.microsoft", channels_last=0)
    np.testing.assert_array_equal(got, channels_last(by_onnxruntime(model, {})[0]))


def test_chunks_of_a_quantised_mean_add_up() -> None:
    src = codes(np.random.default_rng(2), np.int8, (3, 10, 4))
    fields: dict[str, Any] = {
        "function": ReduceFunction.MEAN, "axes": (1,), "count": 10, "src_scale": 0.5, "src_zero": -7,
        "dst_scale": 0.1, "dst_zero": 2,
    }  # fmt: skip
    whole = execute(lambda op: Reduce(**op, **fields), {"src": src}, {"dst": ((3, 1, 4), np.int8)})["dst"]
    first = execute(
        lambda op: Reduce(**op, **fields, phase=Phase.START),
        {"src": src[:, :4]},
        {"accumulator": ((3, 1, 4), np.int64)},
    )["accumulator"]
    got = execute(
        lambda op: Reduce(**op, **fields, phase=Phase.FINISH),
        {"src": src[:, 4:], "accumulator": first},
        {"dst": ((3, 1, 4), np.int8)},
    )["dst"]
    sums = (src.astype(np.int64) + 7).sum(1, keepdims=True).astype(F32)
    np.testing.assert_array_equal(whole, rounded(sums * F32(0.5 / (0.1 * 10)), 1.0, 2, np.int8))
    np.testing.assert_array_equal(got, whole)
