"""Rows that views show, against every element one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from region_cases import CASES
from region_model import Case, numbered

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.storage import Storage
from nnc.compiler.passes.rearranged import view_storage
from nnc.compiler.plan.network.buffers import rows_shown

VIEWS = [ir.Reshape, ir.Transpose, ir.Slice, ir.Expand, ir.Unfold]


@settings(max_examples=120, deadline=None, derandomize=True)
@given(data=st.data())
def test_rows_are_those_of_the_first_and_the_last_element(data: st.DataObject) -> None:
    case: Case = data.draw(st.sampled_from(VIEWS).flatmap(CASES.__getitem__))
    shape = case.shapes[0]
    assert shape is not None
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    source = Storage.dense("x", shape, order)
    view = view_storage(source, case.layer)
    if view is None or 0 in view.shape:
        return
    places = numbered(tuple(shape[axis] for axis in order)).transpose(np.argsort(order))
    low, high = (
        zip(*(sorted(data.draw(st.tuples(*[st.integers(0, n)] * 2))) for n in view.shape), strict=True)
        if view.shape
        else ((), ())
    )
    if any(a == b for a, b in zip(low, high, strict=True)):
        return
    stride = data.draw(st.integers(1, 7))
    inside = [
        int(places[element])
        for index in np.ndindex(*(b - a for a, b in zip(low, high, strict=True)))
        for element in case.reads(0, tuple(i + a for i, a in zip(index, low, strict=True)))
    ]
    shown = rows_shown(view, stride, Boxes.of((low, high)))
    assert (shown.low.tolist(), shown.high.tolist()) == ([min(inside) // stride], [max(inside) // stride + 1])
