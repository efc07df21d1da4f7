"""Pool against onnxruntime and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import channels_last, execute, onnx_node, values

from nnc.isa.functions import (
    PoolFunction,
)
from nnc.isa.instructions import (
    Pool,
)


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
