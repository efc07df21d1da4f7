"""Blocks that begin earlier: what is found once for tiles that lie alike is what each would find alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.place.allocate import allocate
from nnc.compiler.plan.place.live_ranges import Extent, Life
from nnc.compiler.plan.place.moving_blocks import MovingBlocks
from nnc.compiler.plan.step import Block

ALIGN = 16
ALL = (0, 1)
"""The bytes that a load touches: any of a block that is not divided."""
Pattern = list[tuple[int, int, int]]
"""Bytes, first place and length of blocks, which come again after a period."""


class Forgetful(dict[Any, Any]):
    """Knows nothing that was found before."""

    def __contains__(self, key: object) -> bool:
        return False


def blocks_of(pattern: Pattern, period: int, times: int, spare: int) -> tuple[list[Life], MovingBlocks]:
    """Blocks of equal tiles, one after the other, in a memory with some bytes to spare."""
    extents = [
        Extent(f"b{turn}.{number}", nbytes, turn * period + first, turn * period + first + length)
        for turn in range(times)
        for number, (nbytes, first, length) in enumerate(pattern)
    ]
    extents.sort(key=lambda extent: extent.first)
    found = allocate(extents, ALIGN)
    lives = [Life(Block(e.name, "sram", e.nbytes), e.first, e.last) for e in extents]
    return lives, MovingBlocks(lives, found.offsets, found.peak + spare, ALIGN)


patterns = st.lists(
    st.tuples(st.integers(1, 120), st.integers(0, 9), st.integers(0, 12)), min_size=1, max_size=6
)


@given(
    patterns, st.integers(3, 10), st.integers(0, 200), st.lists(st.integers(0, 25), min_size=48, max_size=48)
)
def test_blocks_begin_as_early_as_if_nothing_were_known(
    pattern: Pattern, period: int, spare: int, ahead: list[int]
) -> None:
    lives, shared = blocks_of(pattern, period, 8, spare)
    _, alone = blocks_of(pattern, period, 8, spare)
    alone._earliest = Forgetful()
    for life, steps in zip(lives, ahead, strict=False):
        lowest = max(0, life.first - steps)
        goals = [blocks.begin_earlier(life.block.name, lowest, ALL) for blocks in (shared, alone)]
        assert goals[0] == goals[1]
        assert lowest <= goals[0] <= life.first
    for mine, theirs in ((shared.low, alone.low), (shared.high, alone.high), (shared.first, alone.first)):
        assert mine.tolist() == theirs.tolist()
    spans = list(
        zip(*(of.tolist() for of in (shared.first, shared.last, shared.low, shared.high)), strict=True)
    )
    for at, (first, last, low, high) in enumerate(spans):
        assert low >= 0
        assert high <= shared.capacity
        for other_first, other_last, other_low, other_high in spans[:at]:
            together = first <= other_last and other_first <= last
            assert not together or high <= other_low or other_high <= low
