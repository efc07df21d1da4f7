"""Blocks that begin earlier: what is found once for tiles that lie alike is what each would find alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.place.allocate import allocate
from nnc.compiler.plan.place.live_ranges import Extent
from nnc.compiler.plan.place.moving_blocks import MovingBlocks

ALIGN = 16
Pattern = list[tuple[int, int, int]]
"""Bytes, first place and length of blocks, which come again after a period."""


class Forgetful(dict[Any, Any]):
    """Knows nothing that was found before."""

    def get(self, key: object, default: object = None) -> None:
        """Nothing."""


def blocks_of(pattern: Pattern, period: int, times: int, spare: int) -> tuple[list[Extent], MovingBlocks]:
    """Blocks of equal tiles, one after the other, in a memory with some bytes to spare."""
    extents = [
        Extent(f"b{turn}.{number}", nbytes, turn * period + first, turn * period + first + length)
        for turn in range(times)
        for number, (nbytes, first, length) in enumerate(pattern)
    ]
    extents.sort(key=lambda extent: extent.first)
    found = allocate(extents, ALIGN)
    return extents, MovingBlocks(extents, found.offsets, found.peak + spare, ALIGN)


patterns = st.lists(
    st.tuples(st.integers(1, 120), st.integers(0, 9), st.integers(0, 12)), min_size=1, max_size=6
)


@given(
    patterns, st.integers(3, 10), st.integers(0, 200), st.lists(st.integers(0, 25), min_size=48, max_size=48)
)
def test_blocks_begin_as_early_as_if_nothing_were_known(
    pattern: Pattern, period: int, spare: int, ahead: list[int]
) -> None:
    extents, shared = blocks_of(pattern, period, 8, spare)
    _, alone = blocks_of(pattern, period, 8, spare)
    alone._known = Forgetful()
    for extent, steps in zip(extents, ahead, strict=False):
        lowest = max(0, extent.first - steps)
        goals = [blocks.begin_earlier(extent.name, lowest) for blocks in (shared, alone)]
        assert goals[0] == goals[1]
        assert lowest <= goals[0] <= extent.first
    columns = shared.first, shared.last, shared.low, shared.high
    for column, afresh in zip(columns, (alone.first, alone.last, alone.low, alone.high), strict=True):
        assert column.tolist() == afresh.tolist()
    spans = list(zip(*(column.tolist() for column in columns), strict=True))
    for number, (first, last, low, high) in enumerate(spans):
        assert low >= 0
        assert high <= shared.capacity
        for other_first, other_last, other_low, other_high in spans[:number]:
            together = first <= other_last and other_first <= last
            assert not together or high <= other_low or other_high <= low


def test_a_block_moves_to_where_it_may_begin_earlier() -> None:
    """b begins when a ends, in its place; beside a there are as many bytes."""
    extents = [Extent("a", 64, 0, 5), Extent("b", 64, 6, 9)]
    narrow, wide = (MovingBlocks(extents, {"a": 0, "b": 0}, nbytes, ALIGN) for nbytes in (64, 128))
    assert narrow.begin_earlier("b", 2) == 6
    assert wide.begin_earlier("b", 2) == 2
    assert dict(wide.offsets()) == {"a": 0, "b": 64}
