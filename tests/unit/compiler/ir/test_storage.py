"""Storage against numpy: the same offsets and strides as numpy's own views."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from nnc.compiler.ir.storage import (
    Buffer,
    Storage,
    channels_last,
    ordered_strides,
    permute,
    reshape_strides,
    storage_order,
)
from nnc.isa.types import DType

Shape = tuple[int, ...]
Draw = Callable[[st.SearchStrategy[Any]], Any]
quick = settings(max_examples=120, deadline=None, derandomize=True)


def read(storage: Storage, elements: np.ndarray) -> np.ndarray:
    """The elements of a storage, one by one by its definition."""
    result = np.empty(storage.shape, dtype=elements.dtype)
    for index in np.ndindex(storage.shape):
        place = storage.offset + sum(i * s for i, s in zip(index, storage.strides, strict=True))
        assert 0 <= place < len(elements)
        result[index] = elements[place]
    return result


def factors_of(total: int) -> st.SearchStrategy[Shape]:
    """Shapes of one number of elements, axes of extent 1 anywhere."""

    @st.composite
    def shapes(draw: Draw) -> Shape:
        left, shape = total, []
        while left > 1:
            extent = draw(st.sampled_from([f for f in range(2, left + 1) if left % f == 0]))
            shape.append(extent)
            left //= extent
        for _ in range(draw(st.integers(0, 2))):
            shape.insert(draw(st.integers(0, len(shape))), 1)
        return tuple(shape)

    return shapes()


@st.composite
def stored(draw: Draw) -> tuple[Storage, np.ndarray, np.ndarray]:
    """A dense tensor in some order, then perhaps viewed: (storage, the buffer, numpy's view of it)."""
    shape = draw(factors_of(draw(st.sampled_from([1, 2, 6, 8, 12, 24, 36]))))
    order = tuple(draw(st.permutations(range(len(shape)))))
    elements = np.arange(prod(shape))
    storage = Storage.dense("b", shape, order)
    view = elements.reshape(permute(shape, order)).transpose(np.argsort(np.array(order, dtype=int)))
    for step in draw(st.lists(st.sampled_from(["transpose", "slice", "expand", "box"]), max_size=3)):
        storage, view = viewed(draw, step, storage, view)
    return storage, elements, view


def viewed(draw: Draw, step: str, storage: Storage, view: np.ndarray) -> tuple[Storage, np.ndarray]:
    """One more view, by Storage and by numpy."""
    shape = storage.shape
    if step == "transpose":
        perm = tuple(draw(st.permutations(range(len(shape)))))
        return storage.transpose(perm), view.transpose(perm)
    if step == "expand":
        wide = tuple(draw(st.integers(1, 3)) if extent == 1 else extent for extent in shape)
        return storage.expand(wide), np.broadcast_to(view, wide)
    start = tuple(draw(st.integers(0, extent - 1)) for extent in shape)
    if step == "box":
        size = tuple(draw(st.integers(1, n - a)) for a, n in zip(start, shape, strict=True))
        cut = tuple(slice(a, a + n) for a, n in zip(start, size, strict=True))
        return storage.box(start, size), view[cut]
    steps = tuple(draw(st.sampled_from([-2, -1, 1, 2])) for _ in shape)
    counts = tuple(
        draw(st.integers(1, (extent - 1 - a if step > 0 else a) // abs(step) + 1))
        for a, step, extent in zip(start, steps, shape, strict=True)
    )
    takes = [
        slice(a, stop if (stop := a + n * step) >= 0 else None, step)
        for a, n, step in zip(start, counts, steps, strict=True)
    ]
    return storage.slice(start, steps, counts), view[tuple(takes)]


@quick
@given(stored())
def test_views_hold_the_same_elements_as_numpy(case: tuple[Storage, np.ndarray, np.ndarray]) -> None:
    storage, elements, view = case
    assert storage.shape == view.shape
    assert np.array_equal(read(storage, elements), view)


@quick
@given(stored(), st.data())
def test_reshape_succeeds_exactly_where_numpy_needs_no_copy(
    case: tuple[Storage, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    storage, elements, view = case
    shape = data.draw(factors_of(prod(storage.shape)))
    expected = view.reshape(shape)
    free = np.shares_memory(expected, elements)
    event(f"free: {free}")
    found = storage.reshape(shape)
    assert (found is not None) == free
    if found is not None:
        assert found.buffer == storage.buffer and found.shape == shape
        assert np.array_equal(read(found, elements), expected)


@pytest.mark.parametrize(
    ("shape", "strides", "new_shape", "expected"),
    [
        ((2, 3, 4), (12, 4, 1), (6, 4), (4, 1)),
        ((2, 3, 4), (12, 1, 3), (6, 4), None),  # channels last: rows are no even sequence
        ((2, 3, 4), (12, 1, 3), (2, 3, 2, 2), (12, 1, 6, 3)),
        ((2, 3, 4), (24, 8, 2), (24,), (2,)),
        ((4, 3), (-3, -1), (12,), (-1,)),
        ((4, 3), (0, 0), (12,), (0,)),
        ((4, 3), (0, 1), (12,), None),
        ((6,), (5,), (1, 2, 1, 3, 1), (0, 15, 15, 5, 0)),
        ((1, 1), (7, 9), (), ()),
        ((), (), (1, 1), (0, 0)),
        ((2, 3), (3, 1), (7,), None),
        ((0, 3), (3, 1), (3, 0), (0, 0)),
    ],
)
def test_strides_of_a_reshape(shape: Shape, strides: Shape, new_shape: Shape, expected: Shape | None) -> None:
    assert reshape_strides(shape, strides, new_shape) == expected


@quick
@given(st.lists(st.integers(2, 4), max_size=4).map(tuple), st.data())
def test_order_of_a_dense_storage_is_the_order_it_was_made_with(shape: Shape, data: st.DataObject) -> None:
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    assert Storage.dense("b", shape, order).order == order


@quick
@given(stored())
def test_order_nests_strides(case: tuple[Storage, np.ndarray, np.ndarray]) -> None:
    """A permutation: axes of extent 1 first, then falling strides, equal ones in the order of the axes."""
    storage = case[0]
    order = storage.order
    assert sorted(order) == list(range(len(storage.shape)))
    ones = [axis for axis in order if storage.shape[axis] == 1]
    assert list(order[: len(ones)]) == sorted(ones)
    rest = [(-abs(storage.strides[axis]), axis) for axis in order[len(ones) :]]
    assert rest == sorted(rest)


def test_order_of_repeated_and_single_axes() -> None:
    assert storage_order((4, 1, 3, 2), (0, 99, 2, -6)) == (1, 3, 2, 0)


@quick
@given(st.lists(st.integers(1, 4), max_size=4).map(tuple), st.data())
def test_ordered_strides_equal_those_of_a_transposed_array(shape: Shape, data: st.DataObject) -> None:
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    array = np.empty(permute(shape, order), dtype=np.int8)
    expected = permute(array.strides, tuple(order.index(axis) for axis in range(len(shape))))
    found = ordered_strides(shape, order)
    assert all(a == b for a, b, n in zip(found, expected, shape, strict=True) if n != 1)


def test_channels_last_of_every_rank() -> None:
    assert [channels_last(rank) for rank in range(6)] == [
        (),
        (0,),
        (0, 1),
        (0, 2, 1),
        (0, 2, 3, 1),
        (0, 2, 3, 4, 1),
    ]


def test_buffer_counts_bytes() -> None:
    assert Buffer("b", DType.F16, 10).nbytes == 20
