"""Splits of layers over cores: shares cover the result once, and who shares an operand agrees on it."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.tiling.core_split import AxisCut, CoreSplit


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
