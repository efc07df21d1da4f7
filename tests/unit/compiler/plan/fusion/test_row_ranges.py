"""Rows of every buffer in every part of a fused group, against rows that are marked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from fusion_networks import network_of, random_graph, rows, taps
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.cut import Cut, busiest_row_shard
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.load import load_chip

SEEDS = range(30)
CUTS = [Cut(1), Cut(2), Cut(3), Cut(5), Cut(4)]
ROWS = 2
"""The axis of rows."""


def ranges_of(network: PlanNetwork, start: int, end: int, cut: Cut, row_shard: int = 0) -> RowRanges:
    """The row ranges of an interval that can be cut so."""
    found = RowRanges(network, end, cut, row_shard)
    for position in range(end, start - 1, -1):
        assert found.extend(position) is None
    return found


def intervals(seed: int) -> Iterator[tuple[PlanNetwork, int, int]]:
    """The whole of a random network, and an interval in its middle (after forks, with several outputs)."""
    network = network_of(random_graph(seed, 6))
    last = len(network.layers) - 1
    yield network, 0, last
    yield network, min(1, last), max(1, last - 1)


def needs(network: PlanNetwork, found: RowRanges, start: int, buffer: str, part: int) -> set[int]:
    """Rows of a buffer that the layers from `start` on read for the rows that they compute in a part."""
    marked: set[int] = set()
    for position in range(start, found.end + 1):
        new = found.new[position]
        for slot, tensor in network.operands[position]:
            if network.buffer_of(tensor) == buffer:
                marked |= taps(network, position, slot, ROWS, rows(new.low, new.high, part))
    return marked


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("recompute", [False, True], ids=["keep", "recompute"])
def test_a_part_holds_the_hull_of_the_rows_that_it_and_later_parts_need(seed: int, recompute: bool) -> None:
    """Kept rows reach up to what was needed so far, and down to what is needed later; computed again, a part
    holds just the hull of what it needs itself."""
    for network, start, end in intervals(seed):
        for cut in (replace(cut, recompute=recompute) for cut in CUTS):
            ranges = ranges_of(network, start, end, cut)
            inner = {b: r for b, r in ranges.rows.items() if network.last_use[b] <= end}
            inner |= {b: ranges.input_rows(b) for b in ranges.pending if b not in ranges.rows}
            for buffer, buffer_rows in inner.items():
                each = [needs(network, ranges, start, buffer, part) for part in range(cut.parts)]
                for part, need in enumerate(each):
                    held = rows(buffer_rows.low, buffer_rows.high, part)
                    so_far = need if recompute else set().union(*each[: part + 1])
                    still = need if recompute else set().union(*each[part:])
                    assert need <= held
                    if so_far:
                        assert int(buffer_rows.high[part]) == max(so_far) + 1
                        assert int(buffer_rows.low[part]) == min([*still, max(so_far) + 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_are_computed_once_and_held_until_their_last_use(seed: int) -> None:
    for network, start, end in intervals(seed):
        for cut in CUTS:
            found = ranges_of(network, start, end, cut)
            for mine in found.rows.values():
                before: set[int] = set()
                computed: set[int] = set()
                for part in range(cut.parts):
                    held, new = rows(mine.low, mine.high, part), rows(mine.new.low, mine.high, part)
                    assert not new & computed
                    assert held - new <= before, "what is not new was kept"
                    computed |= new
                    before = held


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_outputs_are_computed_in_full(seed: int, cut: Cut) -> None:
    """Also those that are read inside the group, too."""
    for network, start, end in intervals(seed):
        found = ranges_of(network, start, end, cut)
        outputs = [buffer for buffer in found.rows if network.last_use[buffer] > end]
        assert outputs
        for buffer in outputs:
            mine = found.rows[buffer]
            new = [rows(mine.new.low, mine.high, part) for part in range(cut.parts)]
            assert set().union(*new) == set(range(network.buffers[buffer].rows))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("row_shards", [2, 4])
def test_row_shards_own_all_rows_and_hold_the_halo(seed: int, row_shards: int) -> None:
    network = network_of(random_graph(seed, 6))
    last = len(network.layers) - 1
    cut = Cut(1, row_shards=row_shards)
    own: list[int] = []
    for shard in range(row_shards):
        found = ranges_of(network, 0, last, cut, shard)
        own += range(*found.own_rows(network.buffers[network.defines[last]].rows))
        for buffer in found.pending:
            mine = found.rows.get(buffer) or found.input_rows(buffer)
            assert needs(network, found, 0, buffer, 0) <= rows(mine.low, mine.high, 0)
    assert own == list(range(network.buffers[network.defines[last]].rows))


def test_more_row_shards_than_rows_are_infeasible() -> None:
    network = network_of(random_graph(0, 3))
    rows_of_last = network.buffers[network.defines[-1]].rows
    found = RowRanges(network, len(network.layers) - 1, Cut(1, row_shards=rows_of_last + 1))
    reason = found.extend(len(network.layers) - 1)
    assert str(reason) == f"rows for every core: {rows_of_last + 1} needed, {rows_of_last} available"


@pytest.mark.parametrize(
    ("parts", "shards", "fits"),
    [(2, 1, True), (3, 1, True), (4, 1, True), (6, 1, True), (12, 1, True), (7, 1, False), (1, 4, False)],
)
def test_parts_of_channels_keep_groups(parts: int, shards: int, fits: bool) -> None:
    """Where rows are channels, a part has whole groups of them, here of four, or lies inside one."""
    text = "(float[1,6,7,6] x) => (float[1,24,3,2] y) { y = Conv<group=6, strides=[3,2]>(x, w) }"
    imported = graph_of(text, weights={"w": (24, 1, 1, 3)})
    graph = canonicalise(imported, chip=load_chip("pixel-dsp"))
    found = RowRanges(network_of(graph), 0, Cut(parts, row_shards=shards), 1 if shards > 1 else 0)
    assert (found.extend(0) is None) == fits


@pytest.mark.parametrize(
    ("shift", "shards", "fits"), [(3, 1, True), (3, 4, False), (5, 2, False), (29, 4, False)]
)
def test_no_core_takes_part_where_one_needs_rows_from_both_ends(shift: int, shards: int, fits: bool) -> None:
    """Rows shifted around: what one core reads is all of them, and the cores' memories are alike."""
    text = """(float[1,4,32,6] x) => (float[1,4,32,6] y) {
        a = Conv(x, w)  low = Slice(a, zero, shift, two)  high = Slice(a, shift, end, two)
        b = Concat<axis=2>(high, low)  y = Sigmoid(b) }"""
    axes = {
        name: np.array([value]) for name, value in {"zero": 0, "shift": shift, "end": 32, "two": 2}.items()
    }
    network = network_of(canonicalise(graph_of(text, {"w": (4, 4, 1, 1)}, **axes), chip=load_chip("npu")))
    end, cut = len(network.layers) - 1, Cut(2, row_shards=shards)
    found = RowRanges(network, end, cut, busiest_row_shard(network, end, cut))
    assert all(found.extend(position) is None for position in range(end, -1, -1)) == fits
