"""Splits of layers over cores: shares cover the result once, and who shares an operand agrees on it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiling_cases import LARGER, case, small_chip

from nnc.compiler.plan.alone.core_split import (
    AxisCut,
    CoreSplit,
    core_splits,
    even_mapping,
    is_fully_connected,
)
from nnc.compiler.plan.alone.tiling import Tiling, output_boxes
from nnc.compiler.plan.infeasible import Infeasible


@st.composite
def splits(draw: st.DrawFn) -> tuple[tuple[int, int], CoreSplit]:
    """A result of two axes, and a split of one or both."""
    shape = draw(st.tuples(st.integers(1, 20), st.integers(1, 70)))
    cuts = []
    for axis in draw(st.permutations([0, 1])):
        quantum, shares = draw(st.integers(1, 16)), draw(st.integers(1, 5))
        cut = AxisCut.even(axis, shape[axis], quantum, shares)
        if isinstance(cut, AxisCut):
            cuts.append(cut)
    split = CoreSplit(tuple(cuts), 0)
    return shape, CoreSplit(split.cuts, split.cores)


@given(splits())
def test_every_element_is_computed_by_one_core(case: tuple[tuple[int, int], CoreSplit]) -> None:
    shape, split = case
    count = dict.fromkeys(product(range(shape[0]), range(shape[1])), 0)
    for core in range(split.cores):
        share = split.share(core)
        rows, columns = (share.get(axis, (0, shape[axis])) for axis in (0, 1))
        for element in product(range(*rows), range(*columns)):
            count[element] += 1
    assert set(count.values()) == {1}


@given(splits(), st.sets(st.integers(0, 1)))
def test_cores_that_share_an_operand_agree_where_it_moves(
    case: tuple[tuple[int, int], CoreSplit], moves: set[int]
) -> None:
    _, split = case
    for core in range(split.cores):
        sharing = split.sharing(core, frozenset(moves))
        assert core in sharing
        for other in range(split.cores):
            same = all(
                split.share(core)[a] == split.share(other)[a] for a in moves & split.share(core).keys()
            )
            assert (other in sharing) == (same or other == core)


@given(st.integers(1, 500), st.integers(1, 64), st.integers(1, 16))
def test_shares_are_as_even_as_whole_multiples_allow(extent: int, quantum: int, shares: int) -> None:
    cut = AxisCut.even(0, extent, quantum, shares)
    assert isinstance(cut, Infeasible) == (-(-extent // quantum) < shares)
    if isinstance(cut, AxisCut):
        pieces = [-(-n // quantum) for n in cut.extents]
        assert sum(cut.extents) == extent
        assert pieces == sorted(pieces, reverse=True)
        assert max(pieces) - min(pieces) <= 1


@pytest.mark.parametrize("cores", [2, 3, 4, 6])
@pytest.mark.parametrize("name", LARGER)
def test_tiles_of_all_cores_cover_the_result_once(name: str, cores: int) -> None:
    """Every split of a layer, its shares whole and in small tiles."""
    graph, layer = case(name, LARGER)
    chip = small_chip(2**20, f"cores={cores}")
    splits = core_splits(graph, layer, chip)
    assert splits and all(1 < split.cores <= cores for split in splits)
    shape = graph.types["y"].shape
    loops = tuple(range(len(shape)))
    for split in splits:
        for tile in (shape, tuple(min(extent, 2) for extent in shape), tuple(1 for _ in shape)):
            count = np.zeros(shape, dtype=int)
            for core in range(split.cores):
                boxes = output_boxes(shape, Tiling(tile, loops, None, False, split), core)
                for low, high in zip(boxes.low, boxes.high, strict=True):
                    count[tuple(map(slice, low, high))] += 1
            assert (count == 1).all(), (split, tile)


@pytest.mark.parametrize(("columns", "cores", "busy"), [(12, 4, 4), (12, 3, 3), (10, 4, 1)])
def test_even_mapping_gives_equal_columns_or_one_core_all(columns: int, cores: int, busy: int) -> None:
    cases = {"product": ("(float[2,6] x) => (y) { y = MatMul (x, w) }", {"w": (6, columns)})}
    graph, layer = case("product", cases)
    chip = small_chip(2**20, f"cores={cores}", "split_bytes=1")
    assert is_fully_connected(graph, layer)
    mapping = even_mapping(graph, layer, chip)
    assert mapping.split is not None and mapping.split.cores == busy and mapping.reason
    assert mapping.split.listeners == cores
    shares = [mapping.split.share(core)[1] for core in range(busy)]
    assert shares == [(columns // busy * core, columns // busy * (core + 1)) for core in range(busy)]


def test_weights_below_the_threshold_stay_on_one_core() -> None:
    graph, layer = case("matrix product", LARGER)
    mapping = even_mapping(graph, layer, small_chip(2**20, "cores=4", "split_bytes=1000"))
    assert mapping.split is not None and mapping.split.cores == 1
    assert mapping.reason == "768 B of weights are fewer than split_bytes = 1000"


def test_example_of_the_manual() -> None:
    split = CoreSplit((AxisCut(2, (0, 28, 56)), AxisCut(1, (0, 32, 64))), listeners=4)
    assert split.share(1) == {2: (0, 28), 1: (32, 64)}
    assert split.sharing(1, frozenset({2})) == (0, 1) and split.sharing(1, frozenset({1})) == (1, 3)


def test_what_cannot_be_shared_says_why() -> None:
    found = AxisCut.even(1, 40, 16, 4)
    assert isinstance(found, Infeasible) and (found.demand, found.bound) == (4, 3)
    assert str(found) == "shares of axis 1 by whole multiples of 16: 4 needed, 3 available"
