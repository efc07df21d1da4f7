"""M3's formulas: the table of worked figures, and what holds of every geometry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.conv_buffers import Window
from nnc.compiler.plan.alone.two_buffers import buffer_bytes, fitting, split_columns

SM, ALIGN, F32 = 65536, 64, 4
TABLE = [
    # extent, channels, window, (t, t1, t2), (w1, w2), r, bytes, first column of buffer 2
    (224, 3, Window(3, 1, 1, 1, 1), (224, 112, 112), (114, 114), 23, 62928, 112),
    (224, 64, Window(3, 1, 1, 1, 1), (224, 112, 112), (114, 114), 1, 58368, 112),
    (227, 3, Window(11, 4, 1, 0, 0), (55, 28, 27), (119, 115), 23, 64584, 112),
    (224, 3, Window(7, 2, 1, 3, 3), (112, 56, 56), (117, 117), 23, 64584, 112),
    (28, 512, Window(3, 1, 1, 1, 1), (28, 14, 14), (16, 16), 1, 65536, 14),
    (14, 512, Window(3, 1, 1, 1, 1), (14, 7, 7), (9, 9), 1, 36864, 7),
]


@pytest.mark.parametrize(("extent", "channels", "window", "t", "w", "r", "held", "start"), TABLE)
def test_table(
    extent: int,
    channels: int,
    window: Window,
    t: tuple[int, ...],
    w: tuple[int, ...],
    r: int,
    held: int,
    start: int,
) -> None:
    """On vdsp12 in f32; `start` is the first padded column of buffer 2."""
    first, second = halves = split_columns(extent, window)
    assert (second.high, first.high, second.high - second.low) == t
    assert (first.width, second.width) == w
    assert fitting(halves, extent, channels, F32, SM, ALIGN) == (r, channels)
    assert buffer_bytes(halves, r, channels, F32, 1) == held
    assert second.first - second.before + window.begin == first.high * window.stride == start


def test_one_column_has_one_buffer() -> None:
    (only,) = split_columns(3, Window(3, 1, 1, 0, 0))
    assert (only.low, only.high, only.width) == (0, 1, 3)


def test_channels_in_chunks_where_no_row_fits() -> None:
    halves = split_columns(28, Window(3, 1, 1, 1, 1))
    assert fitting(halves, 28, 512, F32, SM // 2, ALIGN) == (1, 256)
    assert fitting(halves, 28, 512, F32, 64, ALIGN) == (0, 0)


@given(
    extent=st.integers(1, 60),
    size=st.integers(1, 7),
    stride=st.integers(1, 4),
    dilation=st.integers(1, 3),
    begin=st.integers(0, 4),
    end=st.integers(0, 4),
)
def test_halves_hold_what_their_results_read(
    extent: int, size: int, stride: int, dilation: int, begin: int, end: int
) -> None:
    window = Window(size, stride, dilation, begin, end)
    if window.outputs(extent) < 1:
        return
    halves = split_columns(extent, window)
    assert [y for half in halves for y in range(half.low, half.high)] == [*range(window.outputs(extent))]
    t1, t2 = (halves[0].high, halves[-1].high - halves[0].high)
    assert 0 <= t1 - t2 <= 1
    for half in halves:
        reads = [y * stride - begin + k * dilation for y in range(half.low, half.high) for k in range(size)]
        assert half.width == max(reads) - min(reads) + 1
        if half.first < half.last:  # else it reads padding only
            assert half.first - half.before == min(reads)
            assert half.last + half.after == max(reads) + 1
            assert half.first >= 0
            assert half.last <= extent
