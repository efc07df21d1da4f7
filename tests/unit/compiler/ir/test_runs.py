"""Aligned runs against brute force: which elements they hold, where, and whether others are among them."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.runs import (
    aligned_runs,
    elements_before,
    is_exclusive,
    most_elements,
    padded_strides,
    unit_of,
)
from nnc.compiler.ir.storage import Storage
from nnc.compiler.passes.layouts import Written, choose_layout
from nnc.isa.integers import round_up
from nnc.isa.types import DType

UNITS = st.sampled_from([2, 3, 4, 8, 16])


@st.composite
def owners(draw: st.DrawFn) -> tuple[Storage, int]:
    """The owner of a buffer, with padding before some axis or none, and the unit."""
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=4)))
    order, unit = tuple(draw(st.permutations(range(len(shape))))), draw(UNITS)
    padded = draw(st.none() | st.sampled_from(order))
    return Storage("b", 0, shape, padded_strides(shape, order, unit, padded)), unit


@st.composite
def boxes(draw: st.DrawFn) -> tuple[Storage, Storage, int]:
    """An owner, a box of it, maybe with steps or backwards, and the unit."""
    owner, unit = draw(owners())
    low = tuple(draw(st.integers(0, n - 1)) for n in owner.shape)
    shape = tuple(draw(st.integers(1, n - a)) for n, a in zip(owner.shape, low, strict=True))
    box = owner.box(low, shape)
    if draw(st.booleans()):
        ends = tuple(draw(st.sampled_from([(0, 1), (n - 1, -1)])) for n in shape)
        box = box.slice(tuple(a for a, _ in ends), tuple(s for _, s in ends), shape)
    return owner, box, unit


def places(storage: Storage) -> list[int]:
    """Where every element of a tensor lies in its buffer."""
    return [
        storage.offset + sum(i * s for i, s in zip(at, storage.strides, strict=True))
        for at in product(*map(range, storage.shape))
    ]


@given(boxes())
def test_runs_are_whole_units_that_hold_the_box(case: tuple[Storage, Storage, int]) -> None:
    owner, box, unit = case
    runs = aligned_runs(box, unit)
    first = min(places(box)) - runs.lead
    starts = np.zeros(1, dtype=np.int64) + first
    for axis in runs.outside:
        starts = np.add.outer(starts, np.arange(box.shape[axis]) * abs(box.strides[axis])).ravel()
    held = np.add.outer(np.sort(starts), np.arange(runs.length)).ravel()
    assert not (starts % unit).any() and runs.length % unit == 0 and len(starts) == runs.count
    assert len(set(held.tolist())) == len(held) == runs.elements
    assert set(places(box)) <= set(held.tolist())
    assert runs.wanted * runs.count == prod(box.shape)
    others = (set(places(owner)) - set(places(box))) & set(held.tolist())
    assert is_exclusive(owner, box, unit) == (not others) or runs.count > 1
    assert not (is_exclusive(owner, box, unit) and others)


@given(boxes())
def test_a_block_of_runs_mirrors_the_buffer(
    case: tuple[Storage, Storage, int],
) -> None:
    _, box, unit = case
    runs = aligned_runs(box, unit)
    tile = Storage("t", runs.offset(box.shape, box.strides), box.shape, runs.strides(box.shape, box.strides))
    there, here = places(box), places(tile)
    assert len(set(here)) == len(here) and min(here) >= 0 and max(here) < runs.elements
    for one, other in zip(there, here, strict=True):
        assert (one - other) % unit == 0, "a run begins with a unit on both sides"


@given(boxes())
def test_a_bound_wherever_the_box_lies(case: tuple[Storage, Storage, int]) -> None:
    owner, box, unit = case
    assert aligned_runs(box, unit).elements <= most_elements(owner, box.shape, unit)


@given(owners(), st.integers(0, 400))
def test_elements_before_a_place(case: tuple[Storage, int], place: int) -> None:
    owner, _ = case
    assert elements_before(owner, place) == sum(at < place for at in places(owner))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data(), UNITS)
def test_operands_of_a_concat_get_runs_of_their_own(shape: list[int], data: st.DataObject, unit: int) -> None:
    axis = data.draw(st.integers(0, len(shape) - 1))
    parts = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    whole = (*shape[:axis], sum(parts), *shape[axis + 1 :])
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    written, start = [], 0
    for part in parts:
        low = tuple(start if place == axis else 0 for place in range(len(shape)))
        written.append(Written(low, (*shape[:axis], part, *shape[axis + 1 :])))
        start += part
    layout = choose_layout(whole, order, unit, written)
    owner = Storage("b", 0, whole, layout.strides)
    assert layout.elements % unit == 0 and max(places(owner)) < layout.elements
    assert len(set(places(owner))) == prod(whole)
    for box in written:
        assert is_exclusive(owner, owner.box(box.low, box.shape), unit)


def test_examples() -> None:
    picture, three = (1, 3, 5, 5), Written((0, 0, 0, 0), (1, 3, 5, 5))
    assert choose_layout(picture, (0, 2, 3, 1), 16, [three]).strides == (80, 1, 16, 3)
    beside = [Written((0, 0, 0, 0), (1, 3, 9, 14)), Written((0, 3, 0, 0), (1, 5, 9, 14))]
    assert choose_layout((1, 8, 9, 14), (0, 2, 3, 1), 16, beside).strides == (1152, 16, 128, 1)
    assert choose_layout((1, 1000), (0, 1), 16, [Written((0, 0), (1, 1000))]).elements == round_up(1000, 16)
    assert [unit_of(dtype, 64) for dtype in (DType.F32, DType.I8, DType.F64)] == [16, 64, 8]
