"""Closed forms of whole bursts against the transfers of single boxes."""

from __future__ import annotations

import numpy as np
import pytest
from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.estimate.row_bursts import RowBursts
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.operand import DRAM, Operand, burst_bytes

ROWS, CHANNELS, WIDTH = 9, 5, 7


def network() -> PlanNetwork:
    """A picture with rows of 140 bytes, which no burst divides."""
    ends = f"float[1,{CHANNELS},{ROWS},{WIDTH}]"
    text = f"({ends} x) => ({ends} y) {{ y = Conv<kernel_shape=[1,1]>(x, w) }}"
    return network_of(canonicalise(graph_of(text, {"w": (CHANNELS, CHANNELS, 1, 1)})))


def batch() -> PlanNetwork:
    """Three such pictures, whose rows are cut."""
    ends = f"float[3,{CHANNELS},{ROWS},{WIDTH}]"
    text = f"({ends} x) => ({ends} y) {{ y = Conv<kernel_shape=[1,1]>(x, w) }}"
    graph = canonicalise(graph_of(text, {"w": (CHANNELS, CHANNELS, 1, 1)}))
    return PlanNetwork(graph, orders_of(graph)[0], CutAxes.PICTURES)


def of_box(found: PlanNetwork, low: tuple[int, ...], shape: tuple[int, ...], burst: int) -> int:
    """Bytes of the transfer of a box of x."""
    box = found.graph.storage["x"].box(low, shape)
    dtype = found.graph.types["x"].dtype
    strides = tuple(dtype.itemsize * stride for stride in box.strides)
    return burst_bytes(Operand(DRAM, box.offset * dtype.itemsize, dtype, shape, strides), burst)


@pytest.mark.parametrize("burst", [1, 4, 32, 64, 256])
def test_ranges_of_whole_rows_are_exact(burst: int) -> None:
    found = network()
    ranges = [(low, high) for low in range(ROWS) for high in range(low, ROWS + 1)]
    low, high = (np.array(column) for column in zip(*ranges, strict=True))
    expected = [
        of_box(found, (0, 0, a, 0), (1, CHANNELS, b - a, WIDTH), burst) if b > a else 0 for a, b in ranges
    ]
    assert RowBursts(found, burst).of("x", low, high).tolist() == expected


@pytest.mark.parametrize("burst", [1, 4, 32, 64, 256])
@pytest.mark.parametrize("limits", [((3, 0, 4),), ((3, 2, 7),), ((1, 1, 3),), ((3, 1, 6), (1, 0, 2))])
def test_boxes_of_all_rows_are_exact(limits: tuple[tuple[int, int, int], ...], burst: int) -> None:
    """Strips of columns and slices of channels: each run is rounded, over all rows to the byte."""
    found = network()
    low, shape = [0, 0, 0, 0], [1, CHANNELS, ROWS, WIDTH]
    for axis, first, end in limits:
        low[axis], shape[axis] = first, end - first
    (nbytes,) = RowBursts(found, burst).of("x", np.array([0]), np.array([ROWS]), limits).tolist()
    assert nbytes == of_box(found, tuple(low), tuple(shape), burst)


@pytest.mark.parametrize("burst", [1, 4, 32, 64, 256])
@pytest.mark.parametrize(("first", "end"), [(0, 1), (1, 2), (1, 3), (0, 3)])
def test_rows_of_some_pictures_are_exact(first: int, end: int, burst: int) -> None:
    """A run for every picture, but where all rows of several are one."""
    found = batch()
    ranges = [(low, high) for low in range(ROWS) for high in range(low + 1, ROWS + 1) if high - low < ROWS]
    low, high = (np.array(column) for column in zip(*ranges, strict=True))
    expected = [
        of_box(found, (first, 0, a, 0), (end - first, CHANNELS, b - a, WIDTH), burst) for a, b in ranges
    ]
    assert RowBursts(found, burst).of("x", low, high, ((0, first, end),)).tolist() == expected
