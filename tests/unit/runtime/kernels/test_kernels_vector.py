"""Pool, reduce, softmax, normalisations, resize, pad and data movement, against onnxruntime and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import channels_first, channels_last, execute, onnx_node

from nnc.isa.errors import NncError, ProgramInvalidError
from nnc.isa.functions import (
    Coordinates,
    Nearest,
    NormaliseFunction,
    PadMode,
    PoolFunction,
    ReduceFunction,
    ResizeMode,
)
from nnc.isa.instruction import Phase
from nnc.isa.instructions import (
    Copy,
    Fill,
    Gather,
    GatherElements,
    LocalResponseNorm,
    Normalise,
    Pad,
    Pool,
    Reduce,
    Resize,
    Softmax,
)
from nnc.runtime.errors import ExecutionError

Array = np.ndarray[Any, Any]


def values(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


# --- pool ---------------------------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_pool_equals_onnxruntime(data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, 3))

    def per_axis(low: int, high: int) -> list[int]:
        return data.draw(st.lists(st.integers(low, high), min_size=rank, max_size=rank))

    function = data.draw(st.sampled_from(list(PoolFunction)))
    kernel, stride, dilation = per_axis(1, 4), per_axis(1, 3), per_axis(1, 2)
    begin = [data.draw(st.integers(0, k - 1)) for k in kernel]
    end = [data.draw(st.integers(0, k - 1)) for k in kernel]
    extents = [
        data.draw(st.integers((k - 1) * d + 1, (k - 1) * d + 6))
        for k, d in zip(kernel, dilation, strict=True)
    ]
    count_pad = data.draw(st.booleans()) and function is PoolFunction.AVERAGE
    src = values(1, 3, *extents)
    op, attributes = "MaxPool", {}
    if function is PoolFunction.AVERAGE:
        op, attributes = "AveragePool", {"count_include_pad": int(count_pad)}
    expected = channels_last(
        onnx_node(
            op,
            [src],
            kernel_shape=kernel,
            strides=stride,
            dilations=dilation,
            pads=[*begin, *end],
            **attributes,
        )
    )
    got = execute(
        lambda ops: Pool(
            **ops, function=function, kernel=tuple(kernel), stride=tuple(stride), dilation=tuple(dilation),
            pad_begin=tuple(begin), pad_end=tuple(end), count_pad=count_pad,
        ),
        {"src": channels_last(src)},
        {"dst": (expected.shape, np.float32)},
        gap=data.draw(st.sampled_from([0, 2])),
    )["dst"]  # fmt: skip
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float16, np.float64])
@pytest.mark.parametrize("function", list(PoolFunction))
def test_pool_of_other_types(function: PoolFunction, dtype: Any) -> None:
    src = np.random.default_rng(0).integers(0, 100, (1, 4, 6, 2)).astype(dtype)
    windows = src.reshape(1, 2, 2, 3, 2, 2).astype(np.float64)
    expected = windows.max(axis=(2, 4)) if function is PoolFunction.MAX else windows.mean(axis=(2, 4))
    if np.dtype(dtype).kind in "iu":
        expected = np.rint(expected)
    got = execute(
        lambda op: Pool(
            **op,
            function=function,
            kernel=(2, 2),
            stride=(2, 2),
            dilation=(1, 1),
            pad_begin=(0, 0),
            pad_end=(0, 0),
        ),
        {"src": src},
        {"dst": ((1, 2, 3, 2), dtype)},
    )["dst"]
    np.testing.assert_array_equal(got, expected.astype(dtype))


def test_max_pool_of_a_middle_tile_sees_no_padding() -> None:
    """A row tile of a padded pool: rows 2 … 4 of the result, cut from rows 3 … 9 of the source."""
    src = values(1, 12, 8, 3) - 5
    fields: dict[str, Any] = {
        "function": PoolFunction.MAX,
        "kernel": (3, 3),
        "stride": (2, 2),
        "dilation": (1, 1),
    }
    whole = execute(
        lambda op: Pool(**op, **fields, pad_begin=(1, 1), pad_end=(0, 0)),
        {"src": src},
        {"dst": ((1, 6, 4, 3), np.float32)},
    )["dst"]
    tile = execute(
        lambda op: Pool(**op, **fields, pad_begin=(0, 1), pad_end=(0, 0)),
        {"src": src[:, 3:10]},
        {"dst": ((1, 3, 4, 3), np.float32)},
    )["dst"]
    np.testing.assert_array_equal(tile, whole[:, 2:5])


# --- reduce, softmax, normalisations -----------------------------------------------------------------------

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


# --- resize and pad ----------------------------------------------------------------------------------------


def resize(src: Array, scales: tuple[float, ...], out: tuple[int, ...], rows: slice, **fields: Any) -> Array:
    """Rows `rows` of axis 1 of the resized tensor, from the whole source."""
    zero = (0,) * src.ndim
    shape = (out[0], rows.stop - rows.start, *out[2:])
    return execute(
        lambda op: Resize(
            **op,
            scales=scales,
            origin=(0, rows.start, *zero[2:]),
            extent=out,
            src_origin=zero,
            src_extent=src.shape,
            **fields,
        ),
        {"src": src},
        {"dst": (shape, src.dtype)},
    )["dst"]


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_resize_equals_onnxruntime(data: st.DataObject) -> None:
    mode = data.draw(st.sampled_from(list(ResizeMode)))
    coordinates = data.draw(st.sampled_from(list(Coordinates)))
    nearest = (
        data.draw(st.sampled_from(list(Nearest)))
        if mode is ResizeMode.NEAREST
        else Nearest.ROUND_PREFER_FLOOR
    )
    src = values(1, 2, data.draw(st.integers(2, 6)), data.draw(st.integers(2, 6)))
    scales = (1.0, 1.0, *(data.draw(st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0, 0.75])) for _ in range(2)))
    expected = channels_last(
        onnx_node(
            "Resize", [src, None, np.array(scales, np.float32)], mode=mode.value, nearest_mode=nearest.value,
            coordinate_transformation_mode=coordinates.value,
        )
    )  # fmt: skip
    last = (scales[0], *scales[2:], 1.0)
    fields: dict[str, Any] = {"mode": mode, "coordinates": coordinates, "nearest": nearest}
    for first in range(0, expected.shape[1], 3):
        rows = slice(first, min(first + 3, expected.shape[1]))
        got = resize(channels_last(src), last, expected.shape, rows, **fields)
        np.testing.assert_allclose(got, expected[:, rows], rtol=1e-5, atol=1e-6)


def test_resize_of_a_tile_and_of_one_too_small() -> None:
    src = values(1, 8, 5, 2)
    fields: dict[str, Any] = {
        "mode": ResizeMode.LINEAR, "coordinates": Coordinates.HALF_PIXEL, "nearest": Nearest.FLOOR,
        "scales": (1.0, 2.0, 2.0, 1.0), "extent": (1, 16, 10, 2), "src_extent": (1, 8, 5, 2),
    }  # fmt: skip
    whole = execute(
        lambda op: Resize(**op, **fields, origin=(0,) * 4, src_origin=(0,) * 4),
        {"src": src},
        {"dst": ((1, 16, 10, 2), np.float32)},
    )["dst"]

    def tile(first: int) -> Array:
        return execute(
            lambda op: Resize(**op, **fields, origin=(0, 6, 0, 0), src_origin=(0, first, 0, 0)),
            {"src": src[:, first:6]},
            {"dst": ((1, 4, 10, 2), np.float32)},
        )["dst"]

    np.testing.assert_allclose(tile(2), whole[:, 6:10], rtol=1e-6)
    with pytest.raises(ExecutionError, match="too small"):
        tile(3)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_pad_equals_onnxruntime(data: st.DataObject) -> None:
    mode = data.draw(st.sampled_from(list(PadMode)))
    src = values(*data.draw(st.lists(st.integers(2, 5), min_size=2, max_size=3)))
    low = -1 if mode is PadMode.CONSTANT else 0
    begin, end = ([data.draw(st.integers(low, n - 1)) for n in src.shape] for _ in range(2))
    if any(n + a + b < 1 for n, a, b in zip(src.shape, begin, end, strict=True)):
        end = [0] * src.ndim
    expected = onnx_node(
        "Pad", [src, np.array([*begin, *end], np.int64), np.array(1.25, np.float32)], mode=mode.value
    )
    first = data.draw(st.integers(0, expected.shape[0] - 1))
    last = data.draw(st.integers(first, expected.shape[0] - 1))
    zero = (0,) * src.ndim
    got = execute(
        lambda op: Pad(
            **op,
            mode=mode,
            value=1.25,
            begin=tuple(begin),
            origin=(first, *zero[1:]),
            src_origin=zero,
            src_extent=src.shape,
        ),
        {"src": src},
        {"dst": ((last - first + 1, *expected.shape[1:]), np.float32)},
    )["dst"]
    np.testing.assert_array_equal(got, expected[first : last + 1])


def test_constant_pad_of_a_tile_of_the_source() -> None:
    src = np.arange(10, dtype=np.int64)
    fields: dict[str, Any] = {"mode": PadMode.CONSTANT, "value": -1.0, "begin": (2,), "src_extent": (10,)}
    got = execute(
        lambda op: Pad(**op, **fields, origin=(8,), src_origin=(6,)),
        {"src": src[6:]},
        {"dst": ((6,), np.int64)},
    )["dst"]
    np.testing.assert_array_equal(got, [6, 7, 8, 9, -1, -1])
    with pytest.raises(ExecutionError, match="too small"):
        execute(
            lambda op: Pad(**op, **fields, origin=(7,), src_origin=(6,)),
            {"src": src[6:]},
            {"dst": ((6,), np.int64)},
        )


# --- movement ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(4,), (2, 3), ()])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_equals_onnxruntime(axis: int, shape: tuple[int, ...], dtype: Any) -> None:
    src = values(5, 6, 7)
    index = np.random.default_rng(0).integers(-5, 5, shape).astype(dtype)
    expected = onnx_node("Gather", [src, index], axis=axis)
    got = execute(
        lambda op: Gather(**op, axis=axis, extent=src.shape[axis]),
        {"src": src, "index": index},
        {"dst": (expected.shape, np.float32)},
        gap=1,
    )["dst"]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("bad", [5, -6, 2**40])
def test_gather_out_of_range_tells_index_and_bound(bad: int) -> None:
    with pytest.raises(ExecutionError, match=rf"k0\.c0 gather.*[\s\S]*index {bad}[\s\S]*0 … 4 or -5 … -1"):
        execute(
            lambda op: Gather(**op, axis=0, extent=5),
            {"src": values(5, 2), "index": np.array([1, bad], np.int64)},
            {"dst": ((2, 2), np.float32)},
        )


def test_gather_from_a_part_of_the_axis() -> None:
    src = values(10, 2)
    got = execute(
        lambda op: Gather(**op, axis=0, extent=10, src_origin=4),
        {"src": src[4:8], "index": np.array([4, -3], np.int64)},
        {"dst": ((2, 2), np.float32)},
    )["dst"]
    np.testing.assert_array_equal(got, src[[4, 7]])
    with pytest.raises(ExecutionError, match="4 … 7"):
        execute(
            lambda op: Gather(**op, axis=0, extent=10, src_origin=4),
            {"src": src[4:8], "index": np.array([3, 4], np.int64)},
            {"dst": ((2, 2), np.float32)},
        )


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("shape", [(5, 6, 7), (2, 4, 3)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_elements_equals_onnxruntime(axis: int, shape: tuple[int, ...], dtype: Any) -> None:
    src = values(5, 6, 7)
    index = np.random.default_rng(0).integers(-src.shape[axis], src.shape[axis], shape).astype(dtype)
    expected = onnx_node("GatherElements", [src, index], axis=axis)
    got = execute(
        lambda op: GatherElements(**op, axis=axis),
        {"src": src, "index": index},
        {"dst": (shape, np.float32)},
        gap=1,
    )["dst"]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("index", "message"),
    [([[1, 5]], "index 5"), ([[-6, 0]], "index -6"), ([[1, 1, 1]], "wrong shape")],
)
def test_gather_elements_checks(index: list[list[int]], message: str) -> None:
    with pytest.raises(NncError, match=message):
        execute(
            lambda op: GatherElements(**op, axis=0),
            {"src": values(5, 2), "index": np.array(index, np.int64)},
            {"dst": (np.shape(index), np.float32)},
        )


def test_copy_fill_and_their_checks() -> None:
    src = values(3, 4)
    got = execute(lambda op: Copy(**op), {"src": src}, {"dst": ((3, 4), np.float32)}, gap=3)["dst"]
    np.testing.assert_array_equal(got, src)
    filled = execute(lambda op: Fill(**op, value=-7.0), {}, {"dst": ((3, 4), np.int8)}, gap=3)["dst"]
    np.testing.assert_array_equal(filled, -7)
    with pytest.raises(ProgramInvalidError, match="differ"):
        execute(lambda op: Copy(**op), {"src": src}, {"dst": ((4, 3), np.float32)})
