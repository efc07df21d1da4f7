"""Which rows of a result meet which blocks of input rows: every tap once, sums in the right phase."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.conv_buffers import Window
from nnc.compiler.plan.alone.two_buffers import Visit, row_blocks
from nnc.isa.instruction import Phase


def test_one_row_at_a_time() -> None:
    """3 x 3 with padding: the first and the last row of the result lack a row of the kernel."""
    blocks = row_blocks(Window(3, 1, 1, 1, 1), rows=4, r=1)
    assert blocks is not None
    assert blocks[0] == [Visit(0, 1, 1, 2, 0, 2), Visit(1, 2, 0, 1, 0, 3)]
    assert blocks[1] == [Visit(0, 1, 2, 3, 1, 2), Visit(1, 2, 1, 2, 1, 3), Visit(2, 3, 0, 1, 0, 3)]
    assert sum(map(len, blocks)) == 3 * 4 - 2


def test_rows_that_lie_in_a_block_are_one_visit() -> None:
    blocks = row_blocks(Window(3, 1, 1, 1, 1), rows=6, r=6)
    assert blocks == [[Visit(0, 1, 1, 3, 0, 1), Visit(1, 5, 0, 3, 0, 1), Visit(5, 6, 0, 2, 0, 1)]]
    assert blocks[0][1].phase() is Phase.WHOLE
    assert [blocks[0][1].phase(step, 3) for step in range(3)] == [Phase.START, Phase.ADD, Phase.FINISH]
    assert row_blocks(Window(3, 1, 1, 1, 1), rows=6, r=6, most=2) is not None


def test_results_of_padding_alone_have_no_blocks() -> None:
    assert row_blocks(Window(1, 1, 1, 1, 0), rows=3, r=1) is None
    assert row_blocks(Window(2, 1, 2, 1, 1), rows=1, r=1) is None  # one row between two taps


@given(
    window=st.builds(
        Window, st.integers(1, 5), st.integers(1, 4), st.integers(1, 3), st.integers(0, 3), st.integers(0, 3)
    ),
    rows=st.integers(1, 20),
    r=st.integers(1, 8),
    most=st.none() | st.integers(1, 3),
)
def test_every_tap_inside_is_visited_once(window: Window, rows: int, r: int, most: int | None) -> None:
    reads = {
        y: {
            k
            for k in range(window.size)
            if 0 <= y * window.stride - window.begin + k * window.dilation < rows
        }
        for y in range(window.outputs(rows))
    }
    if not reads:
        return
    blocks = row_blocks(window, rows, r, most)
    if blocks is None:
        assert any(not taps for taps in reads.values())
        return
    visited: Counter[tuple[int, int]] = Counter()
    phases: dict[int, list[Phase]] = {}
    for block, visits in enumerate(blocks):
        for visit in visits:
            assert most is None or visit.high - visit.low <= most
            for y in range(visit.low, visit.high):
                phases.setdefault(y, []).append(visit.phase())
                for k in range(visit.first, visit.last):
                    row = y * window.stride - window.begin + k * window.dilation
                    assert block * r <= row < min(rows, (block + 1) * r)
                    assert visit.reads(window)[0] <= row < visit.reads(window)[1]
                    visited[y, k] += 1
    assert visited == Counter({(y, k): 1 for y, taps in reads.items() for k in taps})
    for row_phases in phases.values():
        whole = [Phase.START, *[Phase.ADD] * (len(row_phases) - 2), Phase.FINISH]
        assert row_phases == (whole if len(row_phases) > 1 else [Phase.WHOLE])
