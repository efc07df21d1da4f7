"""Resize and pad against onnxruntime and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import Array, channels_last, execute, onnx_node, values

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import (
    Coordinates,
    Nearest,
    PadMode,
    ResizeMode,
)
from nnc.isa.instructions import (
    Pad,
    Resize,
)


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
    with pytest.raises(ProgramInvalidError, match="axis 1 needs elements 2 … 5, src has 3 … 5"):
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
    with pytest.raises(ProgramInvalidError, match="axis 0 needs elements"):
        execute(
            lambda op: Pad(**op, **fields, origin=(7,), src_origin=(6,)),
            {"src": src[6:]},
            {"dst": ((6,), np.int64)},
        )
