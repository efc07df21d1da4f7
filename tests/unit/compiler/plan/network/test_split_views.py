"""Views whose axes run along those of their buffer, against every element one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from region_cases import CASES
from region_model import Case

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.storage import Storage, ordered_strides
from nnc.compiler.passes.rearranged import view_storage
from nnc.compiler.plan.network.split_views import SplitView

HEADS = Storage("x", 192, (3, 5, 8), (8, 64, 1))
"""Three heads of 8 features, of 5 tokens whose keys begin behind 24 of 64 features and three tokens."""


def test_heads_run_along_the_features_of_their_tokens() -> None:
    owner = Storage.dense("x", (10, 64), (0, 1))
    view = SplitView.of(HEADS, owner)
    assert view == SplitView(((1, 8), (0, 1), (1, 1)), (3, 0))
    assert view.axis_along(1) == 0
    box = view.boxes(Boxes.of(((1, 2, 0), (3, 4, 8))))
    assert (box.low.tolist(), box.high.tolist()) == ([[5, 8]], [[7, 24]])
    assert view.strides((16, 1)) == (8, 16, 1)


def test_axes_that_a_view_merges_run_along_none() -> None:
    assert SplitView.of(Storage("x", 0, (40,), (1,)), Storage.dense("x", (5, 8), (0, 1))) is None


def test_axes_that_are_not_cut_may_be_one_axis_of_a_view() -> None:
    owner, scores = Storage.dense("x", (3, 4, 5, 8), (0, 1, 2, 3)), Storage.dense("x", (3, 4, 40), (0, 1, 2))
    view = SplitView.of(scores, owner, cut=(0, 1))
    assert view == SplitView(((0, 1), (1, 1), (3, 1)), (0, 0, 0, 0), ((3, 8), (2, 5)))
    box = view.boxes(Boxes.of(((1, 2, 9), (2, 4, 20))))
    assert (box.low.tolist(), box.high.tolist()) == ([[1, 2, 0, 0]], [[2, 4, 5, 8]])
    assert view.offset((1, 2, 9), owner.strides) == 9
    assert SplitView.of(scores, owner, cut=(0, 2)) is None


def test_every_other_row_of_two_pictures_is_no_row_of_one() -> None:
    owner = Storage.dense("x", (2, 3, 5, 8), (0, 1, 2, 3))
    every_other = Storage("x", 0, (15, 8), (16, 1))
    assert SplitView.of(every_other, owner, cut=()) is None


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_elements_of_a_box_lie_in_the_box_of_the_owner(data: st.DataObject) -> None:
    kinds = [ir.Reshape, ir.Transpose, ir.Slice, ir.Expand]
    case: Case = data.draw(st.sampled_from(kinds).flatmap(CASES.__getitem__))
    shape = case.shapes[0]
    assert shape is not None
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    owner = Storage.dense("x", shape, order)
    storage = view_storage(owner, case.layer)
    axes = range(len(shape))
    cut = data.draw(st.none() | (st.sets(st.sampled_from(axes)) if shape else st.just(set[int]())))
    view = None if storage is None or 0 in storage.shape else SplitView.of(storage, owner, cut)
    if storage is None or view is None:
        return
    bounds = [sorted(data.draw(st.sets(st.integers(0, n), min_size=2, max_size=2))) for n in storage.shape]
    low, high = tuple(a for a, _ in bounds), tuple(b for _, b in bounds)
    box = view.boxes(Boxes.of((low, high)))
    merged = dict(view.merged)
    extents = [n if axis in merged else n + 1 for axis, n in enumerate(shape)]
    apart = ordered_strides(tuple(extents), order)  # as the rows of fewer or more elements lie
    strides = view.strides(apart)
    for index in np.ndindex(*(b - a for a, b in bounds)):
        element = np.array([i + a for i, a in zip(index, low, strict=True)], dtype=np.int64)
        here = np.array(*case.reads(0, tuple(element.tolist())), dtype=np.int64)
        assert (box.low[0] <= here).all() and (here < box.high[0]).all()
        place = view.offset(low, apart) + (element - np.array(low)) @ np.array(strides)
        assert int((here - box.low[0]) @ np.array(apart)) == int(place)
