"""The allocator: what is alive together never overlaps, the peak is the live bound where it must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.place import allocate as allocator
from nnc.compiler.plan.place.allocate import Allocation, allocate, live_bound
from nnc.compiler.plan.place.live_ranges import Extent

ALIGN = 16


@st.composite
def extents(draw: st.DrawFn, *, nbytes: st.SearchStrategy[int] | None = None) -> list[Extent]:
    """Blocks over twenty steps."""
    sizes = st.integers(1, 200) if nbytes is None else nbytes
    found = []
    for number in range(draw(st.integers(1, 12))):
        first = draw(st.integers(0, 19))
        found.append(Extent(f"b{number}", draw(sizes), first, draw(st.integers(first, 19))))
    return found


def aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGN) * ALIGN


def most_alive(blocks: Sequence[Extent]) -> int:
    """The most aligned bytes alive at one step, counted step by step."""
    steps = range(max(block.last for block in blocks) + 1)
    return max(sum(aligned(b.nbytes) for b in blocks if b.first <= step <= b.last) for step in steps)


def faults(blocks: Sequence[Extent], allocation: Allocation, *, optimal: bool = False) -> Iterator[str]:
    """What is wrong with an allocation; `optimal`: no byte more than the bound may be used."""
    for number, block in enumerate(blocks):
        low = allocation.offsets[block.name]
        if low % ALIGN:
            yield f"allocator: {block.name} lies at {low}, not aligned"
        for earlier in blocks[:number]:
            first = allocation.offsets[earlier.name]
            together = block.first <= earlier.last and earlier.first <= block.last
            if together and low < first + earlier.nbytes and first < low + block.nbytes:
                yield f"allocator: {block.name} and {earlier.name} overlap"
    if allocation.bound != most_alive(blocks):
        yield f"allocator: bound {allocation.bound}, but {most_alive(blocks)} bytes are alive at once"
    if allocation.peak != max(allocation.offsets[block.name] + aligned(block.nbytes) for block in blocks):
        yield "allocator: the peak is not the end of the highest block"
    if allocation.peak < allocation.bound:
        yield f"allocator: peak {allocation.peak} is under the live bound {allocation.bound}"
    if optimal and allocation.peak > allocation.bound:
        yield f"allocator: peak {allocation.peak} > live bound {allocation.bound}"


@given(extents())
def test_live_blocks_never_overlap(blocks: list[Extent]) -> None:
    assert list(faults(blocks, allocate(blocks, ALIGN))) == []


@given(extents(nbytes=st.just(48)))
def test_blocks_of_one_size_are_placed_optimally(blocks: list[Extent]) -> None:
    """By the order of their beginnings, equal blocks colour an interval graph: the peak is the bound."""
    assert list(faults(blocks, allocate(blocks, ALIGN), optimal=True)) == []


@given(st.lists(st.integers(1, 200), min_size=1, max_size=12))
def test_blocks_that_are_all_alive_at_once_are_packed_without_gaps(sizes: list[int]) -> None:
    count = len(sizes)
    blocks = [Extent(f"b{at}", nbytes, at, 2 * count - at) for at, nbytes in enumerate(sizes)]
    assert list(faults(blocks, allocate(blocks, ALIGN), optimal=True)) == []


@given(extents())
def test_the_live_bound_counts_step_by_step(blocks: list[Extent]) -> None:
    sized = [Extent(b.name, aligned(b.nbytes), b.first, b.last) for b in blocks]
    assert live_bound(sized) == most_alive(blocks)


def test_nothing_needs_no_bytes() -> None:
    assert allocate([], ALIGN) == Allocation({}, 0, 0)


def append(blocks: Sequence[Extent]) -> dict[str, int]:
    """The sabotage: every block behind the one before, as if nothing were ever freed."""
    offsets, end = {}, 0
    for block in blocks:
        offsets[block.name], end = end, end + block.nbytes
    return offsets


def test_an_allocator_that_always_appends_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three blocks in turn, each alive with the next: two places are enough."""
    blocks = [Extent("a", 64, 0, 1), Extent("b", 64, 1, 2), Extent("c", 64, 2, 3)]
    assert list(faults(blocks, allocate(blocks, ALIGN), optimal=True)) == []
    allocator._placed_best.cache_clear()
    monkeypatch.setattr(allocator, "_HEURISTICS", (append,))
    try:
        found = allocate(blocks, ALIGN)
    finally:
        allocator._placed_best.cache_clear()
    assert list(faults(blocks, found, optimal=True)) == ["allocator: peak 192 > live bound 128"]


def test_what_lies_too_high_is_placed_first() -> None:
    """Where all heuristics leave a gap that is too small, the order is mended until all fits."""
    blocks = [
        Extent("a", 128, 1, 7),
        Extent("b", 128, 7, 9),
        Extent("c", 64, 8, 11),
        Extent("d", 128, 10, 13),
    ]
    assert allocate(blocks, ALIGN).peak == 320
    found = allocate(blocks, ALIGN, enough=256)
    assert found.peak == found.bound == 256
    assert list(faults(blocks, found, optimal=True)) == []
