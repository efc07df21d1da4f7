"""Reduce, softmax and normalisations against onnxruntime and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_harness import Array, channels_first, channels_last, execute, onnx_node, values

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import (
    NormaliseFunction,
    ReduceFunction,
)
from nnc.isa.instruction import Phase
from nnc.isa.instructions import (
    LocalResponseNorm,
    Normalise,
    Reduce,
    Softmax,
)

REDUCE_OPS = {
    ReduceFunction.SUM: "ReduceSum",
    ReduceFunction.MEAN: "ReduceMean",
    ReduceFunction.MAX: "ReduceMax",
    ReduceFunction.MIN: "ReduceMin",
    ReduceFunction.PROD: "ReduceProd",
    ReduceFunction.SUM_SQUARE: "ReduceSumSquare",
    ReduceFunction.L1: "ReduceL1",
    ReduceFunction.L2: "ReduceL2",
    ReduceFunction.LOG_SUM: "ReduceLogSum",
    ReduceFunction.LOG_SUM_EXP: "ReduceLogSumExp",
}


def reduced(function: ReduceFunction, axes: tuple[int, ...], src: Array, out: Any, count: int) -> Array:
    return execute(
        lambda op: Reduce(**op, function=function, axes=axes, count=count), {"src": src}, {"dst": out}
    )["dst"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("axes", [(1,), (0, 2), (0, 1, 2), (-1,)])
@pytest.mark.parametrize("function", list(ReduceFunction))
def test_reduce_equals_onnxruntime(function: ReduceFunction, axes: tuple[int, ...], dtype: Any) -> None:
    src = np.random.default_rng(0).integers(1, 5, (3, 4, 5)).astype(dtype)
    if np.dtype(dtype).kind == "i":
        if function is ReduceFunction.LOG_SUM_EXP:
            src[...] = 0  # onnxruntime truncates every exponential of integers; zeros have exact ones
        if function is ReduceFunction.PROD and len(axes) > 1:
            src = np.minimum(src, 1)  # more would overflow
    else:
        src = src / 3
    expected = onnx_node(REDUCE_OPS[function], [src, np.array(axes, np.int64)])
    count = src.size // expected.size
    got = reduced(function, axes, src, (expected.shape, dtype), count)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [f for f in ReduceFunction if f not in (ReduceFunction.LOG_SUM_EXP,)])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_reduce_in_chunks(function: ReduceFunction, dtype: Any) -> None:
    src = np.random.default_rng(1).integers(1, 4, (2, 9, 3)).astype(dtype)
    whole = reduced(function, (1,), src, ((2, 1, 3), dtype), 9)
    sums = np.int64 if dtype == np.int32 else dtype
    accumulator = np.zeros((2, 1, 3), sums)
    for phase, rows in ((Phase.START, slice(0, 3)), (Phase.ADD, slice(3, 6))):
        inputs = {"src": src[:, rows]}
        if phase is Phase.ADD:
            inputs["accumulator"] = accumulator
        accumulator = execute(
            lambda op, phase=phase: Reduce(**op, function=function, axes=(1,), count=9, phase=phase),  # type: ignore[misc]
            inputs,
            {"accumulator": ((2, 1, 3), sums)},
        )["accumulator"]
    got = execute(
        lambda op: Reduce(**op, function=function, axes=(1,), count=9, phase=Phase.FINISH),
        {"src": src[:, 6:], "accumulator": accumulator},
        {"dst": ((2, 1, 3), dtype)},
    )["dst"]
    np.testing.assert_allclose(got, whole, rtol=1e-5)


def test_log_sum_exp_has_no_chunks() -> None:
    with pytest.raises(ProgramInvalidError, match="no chunks"):
        execute(
            lambda op: Reduce(
                **op, function=ReduceFunction.LOG_SUM_EXP, axes=(0,), count=4, phase=Phase.START
            ),
            {"src": values(4)},
            {"accumulator": ((1,), np.float32)},
        )


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_equals_onnxruntime(axis: int, log: bool) -> None:
    src = values(3, 4, 5) * 50
    expected = onnx_node("LogSoftmax" if log else "Softmax", [src], axis=axis)
    got = execute(
        lambda op: Softmax(**op, axis=axis, log=log), {"src": src}, {"dst": (src.shape, np.float32)}
    )["dst"]
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_softmax_in_place_and_in_f16() -> None:
    src = values(3, 5)
    expected = onnx_node("Softmax", [src], axis=1)
    got = execute(
        lambda op: Softmax(src=op["x"], dst=op["x"], axis=1), {"x": src}, {"x": (src.shape, np.float32)}
    )["x"]
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    half = execute(
        lambda op: Softmax(**op, axis=1), {"src": src.astype(np.float16)}, {"dst": (src.shape, np.float16)}
    )
    np.testing.assert_allclose(half["dst"], expected, rtol=2e-3)


def test_layer_norm_equals_onnxruntime() -> None:
    src, scale, bias = values(2, 3, 8) + 100, values(8, seed=1), values(8, seed=2)
    got = execute(
        lambda op: Normalise(**op, function=NormaliseFunction.MEAN_VARIANCE, axes=(2,), epsilon=1e-5),
        {"src": src, "scale": scale, "bias": bias},
        {"dst": (src.shape, np.float32)},
    )["dst"]
    exact = src.astype(np.float64)
    exact = (exact - exact.mean(2, keepdims=True)) / np.sqrt(
        exact.var(2, keepdims=True) + 1e-5
    ) * scale + bias
    np.testing.assert_allclose(got, exact, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(
        got, onnx_node("LayerNormalization", [src, scale, bias], axis=-1), rtol=1e-4, atol=1e-3
    )


def test_instance_norm_and_rms_norm() -> None:
    src, scale, bias = values(2, 3, 4, 5), values(3, seed=1), values(3, seed=2)
    expected = onnx_node("InstanceNormalization", [src, scale, bias], epsilon=1e-5)
    got = execute(
        lambda op: Normalise(**op, function=NormaliseFunction.MEAN_VARIANCE, axes=(1, 2), epsilon=1e-5),
        {"src": channels_last(src), "scale": scale, "bias": bias},
        {"dst": ((2, 4, 5, 3), np.float32)},
    )["dst"]
    np.testing.assert_allclose(got, channels_last(expected), rtol=1e-5, atol=1e-6)
    rms = execute(
        lambda op: Normalise(**op, function=NormaliseFunction.ROOT_MEAN_SQUARE, axes=(-1,), epsilon=1e-6),
        {"src": src.astype(np.float16)},
        {"dst": (src.shape, np.float16)},
    )["dst"]
    exact = src / np.sqrt((src.astype(np.float64) ** 2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(rms, exact, rtol=5e-3, atol=1e-3)


@pytest.mark.parametrize("size", [1, 2, 4, 5, 11])
def test_local_response_norm_equals_onnxruntime(size: int) -> None:
    src = values(2, 7, 3, 4)
    attributes: dict[str, Any] = {"alpha": 0.2, "beta": 0.75, "size": size}
    expected = onnx_node("LRN", [src], bias=1.5, **attributes) if size % 2 else None
    got = execute(
        lambda op: LocalResponseNorm(**op, **attributes, k=1.5),
        {"src": channels_last(src)},
        {"dst": ((2, 3, 4, 7), np.float32)},
    )["dst"]
    naive = np.empty(src.shape)
    for c in range(7):
        near = src[:, max(0, c - (size - 1) // 2) : min(6, c + -(-(size - 1) // 2)) + 1].astype(np.float64)
        naive[:, c] = src[:, c] / (1.5 + 0.2 / size * (near**2).sum(axis=1)) ** 0.75
    np.testing.assert_allclose(channels_first(got), naive, rtol=1e-5)
    if expected is not None:
        np.testing.assert_allclose(channels_first(got), expected, rtol=1e-5)
