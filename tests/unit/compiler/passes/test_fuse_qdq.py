"""What fuse-qdq makes of networks with conversions, and what it leaves as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conversion_net import ConversionNet
from frontend_evaluator import evaluate
from pass_harness import feeds_of, kinds

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes.fuse_qdq import FUSE_QDQ
from nnc.compiler.precision import precision
from nnc.compiler.target.target import ANY_CHIP
from nnc.isa.functions import Function
from nnc.isa.types import DType

F32 = np.float32


def fused(net: ConversionNet, *outputs: str) -> Graph:
    """The graph after the pass: it computes what it computed, one step of a rounding aside."""
    before = net.graph(*outputs)
    graph = before.copy()
    FUSE_QDQ.apply(graph, ANY_CHIP)
    verify_graph(graph)
    feeds = feeds_of(before)
    expected = evaluate(before, feeds)
    for name, value in evaluate(graph, feeds).items():
        steps = np.abs(value - expected[name]) / max(np.abs(expected[name]).max(), 1e-9)
        assert (steps > 1e-5).mean() <= 0.02, f"{name}: {(steps > 1e-5).sum()} of {steps.size}"
    return graph


def body(graph: Graph) -> list[str]:
    """Kinds, and functions, of the layers between the conversions of inputs and outputs."""
    found = []
    for layer in graph.layers():
        function = getattr(layer, "function", None)
        if function not in (Function.QUANTIZE, Function.DEQUANTIZE):
            found.append(layer.kind if function is None else f"{layer.kind}.{function.value}")
    return found


def only(graph: Graph, kind: type[Any]) -> Any:
    (layer,) = [layer for layer in graph.layers() if isinstance(layer, kind)]
    return layer


@pytest.mark.parametrize("act", [None, "Relu", "LeakyRelu", "Clip", "Sigmoid", "HardSwish"])
@pytest.mark.parametrize("rounded", [True, False])
def test_a_convolution_takes_function_and_rounding(act: str | None, rounded: bool) -> None:
    net = ConversionNet()
    y = net.conv(net.convert(net.input(1, 3, 6, 6)), 4, 3, 3, 3, pads=[1, 1, 1, 1])
    if act is not None:
        bounds = [net.constant(F32(v)) for v in (0.0, 1.5)] if act == "Clip" else []
        y = net.op(act, y, *bounds)
    graph = fused(net, net.convert(y, 0.02, 7) if rounded else y)
    layer = only(graph, ir.Conv)
    assert layer.src_zero == 10
    if not rounded:
        assert graph.types[graph.output_of(layer.name)].dtype is DType.F32
        return
    assert body(graph) == ["conv"]
    assert (layer.act is Function.IDENTITY) == (act is None)
    assert layer.dst_zero == 7
    is_scaled = act in ("Sigmoid", "HardSwish")  # else the scale of the products holds the division
    assert layer.dst_scale == (F32(0.02) if is_scaled else 1.0)
    assert graph.types[graph.operand(layer.name, 2) or ""].dtype is DType.I32


MOVES: dict[str, Callable[[ConversionNet, str], str]] = {
    "Reshape": lambda net, x: net.op("Reshape", x, net.constant(np.array([4, 36]))),
    "Transpose": lambda net, x: net.op("Transpose", x, perm=[0, 2, 3, 1]),
    "Slice": lambda net, x: net.op("Slice", x, *(net.constant(np.array([v])) for v in (1, 3, 1))),
    "Expand": lambda net, x: net.op("Expand", x, net.constant(np.array([2, 4, 6, 6]))),
    "Pad": lambda net, x: net.op("Pad", x, net.constant(np.array([0, 0, 1, 0, 0, 0, 0, 2]))),
    "PadOffGrid": lambda net, x: net.op(
        "Pad", x, net.constant(np.array([0, 0, 1, 0, 0, 0, 0, 2])), net.constant(F32(0.033))
    ),
    "MaxPool": lambda net, x: net.op("MaxPool", x, kernel_shape=[2, 2], pads=[1, 0, 0, 1]),
    "ReduceMax": lambda net, x: net.op("ReduceMax", x, net.constant(np.array([2, 3])), keepdims=1),
    "Resize": lambda net, x: net.op(
        "Resize", x, "", net.constant(np.array([1, 1, 2, 2], F32)), mode="nearest", nearest_mode="floor",
        coordinate_transformation_mode="asymmetric",
    ),
    "Gather": lambda net, x: net.op("Gather", x, net.constant(np.array([2, 0])), axis=1),
    "Concat": lambda net, x: net.op("Concat", x, x, axis=1),
}  # fmt: skip


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("codes", ["same", "other", "none", "behind a conv"])
def test_moves_move_integers(move: str, codes: str) -> None:
    net = ConversionNet()
    x = net.convert(net.input(1, 4, 6, 6))
    if codes == "behind a conv":
        if move in ("Concat", "Slice", "Gather"):
            return  # the operand has several readers, or is larger than what is rounded
        y = MOVES[move](net, net.op("Relu", net.conv(x, 4, 4, 1, 1)))
        graph = fused(net, net.convert(y, 0.03, 4))
        conv = only(graph, ir.Conv)
        assert conv.act is Function.RELU and graph.types[graph.output_of(conv.name)].dtype is DType.U8
        return
    y = MOVES[move](net, x)
    y = y if codes == "none" else net.convert(y, *{"same": (0.05, 10), "other": (0.02, 3)}[codes])
    graph = fused(net, y)
    layers = [layer for layer in graph.layers() if body(graph) and layer.kind not in ("elementwise", "copy")]
    is_exact = move != "PadOffGrid" or codes != "none"
    assert all((graph.types[graph.output_of(layer.name)].dtype is DType.U8) == is_exact for layer in layers)
    rescaled = [layer for layer in graph.layers() if getattr(layer, "src_scales", ())]
    assert len(rescaled) == (codes == "other")


def test_a_maximum_of_padding_alone_is_real() -> None:
    """No integer stands for it."""
    net = ConversionNet()
    x = net.convert(net.input(1, 2, 3, 1))
    graph = fused(net, net.op("MaxPool", x, kernel_shape=[1, 2], dilations=[1, 2], pads=[0, 1, 0, 1]))
    assert graph.types[graph.output_of(only(graph, ir.Pool).name)].dtype.is_float


def test_a_concat_of_other_scales_rescales_what_differs() -> None:
    net = ConversionNet()
    a, b = net.convert(net.input(1, 2, 5)), net.convert(net.input(1, 3, 5), 0.02, 99)
    graph = fused(net, net.convert(net.op("Concat", a, b, axis=1)))
    assert body(graph) == ["elementwise.identity", "concat"]
    layer = next(layer for layer in graph.layers() if getattr(layer, "src_scales", ()))
    assert (layer.src_scales, layer.src_zeros) == ((F32(0.02),), (99,))


def residual(net: ConversionNet, **how: Any) -> Graph:
    """conv, rounded or not, plus another tensor, relu, rounded."""
    x = net.convert(net.input(1, 3, 5, 5))
    real = net.conv(x, 3, 3, 3, 3, pads=[1, 1, 1, 1])
    summand = net.convert(real, 0.03, 120) if how.get("rounded", True) else real
    other = net.convert(net.conv(x, 3, 3, 1, 1), 0.04, 8) if how.get("two") else x
    y = net.op("Add", *((other, summand) if how.get("turned") else (summand, other)))
    y = net.convert(net.op("Relu", y), 0.06, 0, how.get("dtype", np.uint8))
    outputs = [y, net.op("Neg", summand)] if how.get("read_twice") else [y]
    return fused(net, *outputs)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("rounded", [False, True])
def test_an_addition_belongs_to_the_convolution(turned: bool, rounded: bool) -> None:
    graph = residual(ConversionNet(), turned=turned, rounded=rounded)
    assert body(graph) == ["conv"]
    layer = only(graph, ir.Conv)
    assert (layer.sum_scale, layer.sum_zero) == ((F32(0.03), 120) if rounded else (0.0, 0))
    assert (layer.residual_scale, layer.residual_zero) == (F32(0.05), 10)
    assert (layer.dst_scale, layer.dst_zero, layer.act) == (F32(0.06), 0, Function.RELU)


def test_what_is_rounded_with_a_computed_bias_does_not_add() -> None:
    """Its steps are not those of its scale, by which the sum before the addition would be rounded."""
    net = ConversionNet()
    x = net.convert(net.input(1, 3, 5, 5))
    y = net.op("Conv", x, net.real(net.weight(3, 3, 1, 1), 0.01), net.input(3))
    y = net.op("Add", net.convert(y, 0.03, 120), x)
    assert body(fused(net, net.convert(y, 0.06, 100))) == ["conv", "elementwise.add"]


def test_of_two_convolutions_the_later_one_adds() -> None:
    graph = residual(ConversionNet(), two=True)
    assert body(graph) == ["conv", "conv"]
    adds = [layer.name for layer in graph.layers() if graph.operand(layer.name, 3) is not None]
    assert len(adds) == 1


@pytest.mark.parametrize("how", [{"read_twice": True}, {"dtype": np.int8}])
def test_an_addition_of_what_others_read_is_one_of_integers(how: dict[str, Any]) -> None:
    """Also one whose result has another type than what is added: the sum could not be rounded to it."""
    graph = residual(ConversionNet(), **how)
    assert "elementwise.add" in body(graph) and only(graph, ir.Conv).sum_scale == 0.0


def test_activations_are_multiplied() -> None:
    net = ConversionNet()
    a, b = net.convert(net.input(2, 3, 4)), net.convert(net.input(2, 4, 5), 0.04, -3, np.int8)
    graph = fused(net, net.convert(net.op("MatMul", a, b), 0.1, 100))
    assert body(graph) == ["matmul"]
    layer = only(graph, ir.MatMul)
    assert (layer.src_zero, layer.weight_zero, layer.dst_zero) == (10, -3, 100)


@pytest.mark.parametrize("how", ["constant", "quantised", "scalar", "conv", "twice"])
@pytest.mark.parametrize("rounded", [True, False])
def test_a_constant_that_is_added_is_a_bias(how: str, rounded: bool) -> None:
    net = ConversionNet()
    if how == "conv":
        y = net.conv(net.convert(net.input(1, 3, 5, 5)), 4, 3, 3, 3, bias=False)
        y = net.op("Add", net.constant(np.linspace(-1, 1, 4, dtype=F32).reshape(4, 1, 1)), y)
    else:
        y = net.op("MatMul", net.convert(net.input(2, 4)), net.real(net.weight(4, 3)))
        values = {"scalar": net.constant(F32(0.5)), "quantised": net.real(np.array([9, -9, 99], np.int8))}
        y = net.op("Add", y, values.get(how) or net.constant(np.array([0.5, -0.5, 0.25], F32)))
    if how == "twice":  # the second constant finds the place taken
        y = net.op("Add", y, net.constant(np.array([0.5, -0.5, 0.25], F32)))
    graph = fused(net, net.convert(y, 0.1, 100) if rounded else y)
    kind = "conv" if how == "conv" else "matmul"
    assert body(graph) == ([kind, "elementwise.add"] if how == "twice" else [kind])


def test_transposed_weights_keep_their_scales() -> None:
    net = ConversionNet()
    x, scale = net.convert(net.input(2, 4)), np.array([0.01, 0.02, 0.03], F32)
    weight = net.real(net.weight(3, 4), scale, axis=0)
    graph = fused(net, net.convert(net.op("Gemm", x, weight, transB=1), 0.1, 100))
    assert body(graph) == ["matmul"]
    layer = only(graph, ir.MatMul)
    assert graph.is_constant(graph.operand(layer.name, 1))
    np.testing.assert_array_equal(
        graph.constants[graph.operand(layer.name, 4) or ""], F32(0.05) * scale / F32(0.1)
    )


def test_scales_of_transposed_convolutions_repeat_by_group() -> None:
    net = ConversionNet()
    x, scale = net.convert(net.input(1, 4, 5, 5)), np.array([0.01, 0.03, 0.02], F32)
    weight = net.real(net.weight(4, 3, 2, 2), scale, axis=1)
    y = net.op("ConvTranspose", x, weight, group=2, kernel_shape=[2, 2], strides=[2, 2])
    graph = fused(net, net.convert(y, 0.1, 100))
    assert body(graph) == ["conv_transpose"]


@pytest.mark.parametrize("off", [1.0, 1.5])
def test_a_bias_of_another_scale_is_real(off: float) -> None:
    net = ConversionNet()
    x, data = net.convert(net.input(2, 4)), np.array([100, -200, 300], np.int32)
    weight = net.real(net.weight(4, 3), 0.01)
    bias = net.real(data, np.full(3, F32(0.05) * F32(0.01) * F32(off)), axis=0)
    graph = fused(net, net.convert(net.op("Gemm", x, weight, bias), 0.1, 100))
    kept = graph.types[graph.operand(only(graph, ir.MatMul).name, 2) or ""].dtype
    assert kept is (DType.I32 if off == 1.0 else DType.F32)


@pytest.mark.parametrize("kind", ["Conv", "AveragePool"])
def test_nothing_stays_nothing_in_steps_far_below_those_of_the_operands(kind: str) -> None:
    """Where the ratio of the scales is beyond f32: 0 times it would be no number."""
    net = ConversionNet()
    x = net.convert(net.input(1, 2, 2, 2), 1e9)
    if kind == "Conv":
        y = net.op("Conv", x, net.real(np.ones((1, 2, 2, 2), np.int8), 1e9))
    else:
        y = net.op("AveragePool", x, kernel_shape=[2, 2])
    graph = fused(net, net.convert(y, 1e-34, 7))
    (found,) = evaluate(graph, {"x0": np.zeros((1, 2, 2, 2), F32)}).values()
    assert not found.any()


def test_averages_and_functions_of_integers() -> None:
    net = ConversionNet()
    x = net.convert(net.input(1, 4, 6, 6))
    x = net.convert(net.op("AveragePool", x, kernel_shape=[2, 2], pads=[1, 1, 0, 0]), 0.04, 20)
    x = net.convert(net.op("Mul", x, net.convert(net.op("Sigmoid", x), 1 / 256, 0)), 0.03, 5)
    x = net.convert(net.op("Mul", x, net.constant(F32(1.7))), 0.06, 9)
    x = net.convert(net.op("GlobalAveragePool", x), 0.02, 1)
    graph = fused(net, x)
    assert body(graph) == [
        "pool.average", "elementwise.sigmoid", "elementwise.mul", "elementwise.mul", "reduce.mean",
    ]  # fmt: skip
    found = precision(graph)
    assert found is not None and not found.of_reals and len(found.conversions) == 2


def _wide(net: ConversionNet, x: str) -> str:
    return net.op("MatMul", x, net.real(net.weight(4, 3).astype(np.int16), 0.01))


REASONS: dict[str, Callable[[ConversionNet, str], str]] = {
    "its weights are not quantised": lambda net, x: net.op("MatMul", x, net.constant(np.ones((4, 3), F32))),
    "zero points of its weights differ": lambda net, x: net.op(
        "MatMul", x, _dequantised(net, net.weight(4, 3), np.array([0, 1, 2], np.int8), axis=1)
    ),
    "scales of its weights vary along another axis than the output channels": lambda net, x: net.op(
        "MatMul", x, _dequantised(net, net.weight(4, 3), np.zeros(4, np.int8), axis=0)
    ),
    "only its weights are quantised": lambda net, x: net.op(
        "MatMul", net.op("Abs", x), net.real(net.weight(4, 3))
    ),
    "the logarithm of softmax has no form on integers": lambda net, x: net.op("LogSoftmax", x, axis=1),
    "no rounding behind it": lambda net, x: net.op("Softmax", net.op("Exp", x), axis=1),
}


def _dequantised(net: ConversionNet, data: Any, zeros: Any, axis: int) -> str:
    codes = [net.constant(np.linspace(0.01, 0.03, len(zeros)).astype(F32)), net.constant(zeros)]
    return net.op("DequantizeLinear", net.constant(data), *codes, axis=axis)


@pytest.mark.parametrize("reason", REASONS)
def test_what_stays_real_has_a_reason(reason: str) -> None:
    net = ConversionNet()
    graph = fused(net, net.convert(REASONS[reason](net, net.convert(net.input(2, 4))), 0.1, 100))
    found = precision(graph)
    assert found is not None and reason in found.of_reals.values()
    constants = [graph.constants[name] for name in graph.constants if graph.constants[name].ndim > 1]
    assert all(value.dtype == F32 for value in constants)  # weights of a real product are real


def test_equal_roundings_are_one_and_a_rounded_output_stays() -> None:
    net = ConversionNet()
    x = net.conv(net.convert(net.input(1, 3, 5, 5)), 3, 3, 1, 1)
    y = net.op("Concat", net.convert(x, 0.03, 9), net.convert(x, 0.03, 9), axis=1)
    graph = fused(net, net.convert(y, 0.03, 9))
    assert body(graph) == ["conv", "concat"]
    net = ConversionNet()
    x = net.op("QuantizeLinear", net.input(4), net.constant(F32(0.1)), net.constant(np.uint8(3)))
    y = net.op("DequantizeLinear", x, net.constant(F32(0.1)), net.constant(np.uint8(3)))
    z = net.op("QuantizeLinear", y, net.constant(F32(0.1)), net.constant(np.uint8(3)))
    assert kinds(fused(net, z)) == ["elementwise", "copy"]


def test_a_network_without_conversions_is_left_alone() -> None:
    net = ConversionNet()
    graph = net.graph(net.op("Relu", net.input(2, 3)))
    after = graph.copy()
    FUSE_QDQ.apply(after, ANY_CHIP)
    assert kinds(after) == kinds(graph) and precision(graph) is None
