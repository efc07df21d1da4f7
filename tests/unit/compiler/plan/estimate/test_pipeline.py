"""The pipeline of cells in small cases that can be counted by hand: 16 bytes per cycle, a latency of 100."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fusion_networks import network_of, random_graph

import nnc
from nnc.compiler.plan.estimate.cells import Cell, Fetch, GroupWork
from nnc.compiler.plan.estimate.pipeline import START, End, run_group
from nnc.compiler.plan.fusion.capacity import Capacity

CHIP, CHIP4 = nnc.load_chip("npu"), nnc.load_chip("npu4")
IDLE = Cell((), 0, (0, 0), 1000, 1, 0, 0, 0, 0, 0)
LOAD = 16 * 500  # bytes that take 500 cycles


def cycles(*cells: Cell, free: int, passes: int = 1, before: End = START) -> int:
    """Cycles of cells, with some bytes of memory, behind another group."""
    capacity = Capacity.of(CHIP, network_of(random_graph(0, 2, 16)))
    assert isinstance(capacity, Capacity)
    return run_group(GroupWork(list(cells), passes, 0), CHIP, replace(capacity, activations=free), before)[0]


def test_a_cell_waits_for_its_rows_and_a_store_ends_behind_it() -> None:
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=False),), stored=LOAD)
    assert cycles(read, free=10 * LOAD) == 100 + 500 + 1000 + 100 + 500


@pytest.mark.parametrize(("free", "expected"), [(10 * LOAD, 600 + 2000), (LOAD, 600 + 1000 + 600 + 1000)])
def test_loads_run_ahead_as_far_as_memory_is_free(free: int, expected: int) -> None:
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=False),))
    assert cycles(read, read, free=free) == expected


@pytest.mark.parametrize(
    ("compute", "expected"), [(2000, 600 + 6000 + 600), (1000, 600 + 2000 + 1100 + 1000 + 600)]
)
def test_loads_take_the_place_of_results_that_are_stored_early_enough(compute: int, expected: int) -> None:
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=False),), compute=compute)
    stores = replace(read, stored=LOAD, result=LOAD, taken=2 * LOAD)
    assert cycles(stores, stores, stores, free=2 * LOAD + LOAD * 3 // 2) == expected


def test_a_window_is_filled_when_its_rows_have_moved() -> None:
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=False),))
    next_ = replace(read, fetches=(Fetch(LOAD, LOAD, slides=True, moved=50),), moves=(70, 0))  # 20 of others
    assert cycles(read, next_, free=10 * LOAD) == 600 + 1000 + 50 + 600 + 1000


@pytest.mark.parametrize(
    ("free", "expected"),
    [(10 * LOAD, 600 + 8 * 1000), (LOAD * 3 // 2, 600 + 8 * 1000 + 7 * 600)],
)
def test_blocks_of_weights_stream_behind_the_work_if_two_fit(free: int, expected: int) -> None:
    blocks = replace(IDLE, blocks=8, streamed=8, block_bytes=LOAD)
    assert cycles(blocks, free=free) == expected


def test_blocks_that_load_longer_than_they_work_are_bound_by_the_dram() -> None:
    blocks = replace(IDLE, compute=200, blocks=8, streamed=8, block_bytes=LOAD)
    assert cycles(blocks, free=10 * LOAD) == 100 + 8 * 500 + 200


def test_weights_that_stay_are_loaded_for_the_first_strip_only() -> None:
    stays = replace(IDLE, pinned_bytes=LOAD, pinned=LOAD)
    assert cycles(stays, free=10 * LOAD, passes=3) == 600 + 3 * 1000


def test_weights_that_stay_are_loaded_once_and_those_that_do_not_in_every_part() -> None:
    first = replace(IDLE, pinned_bytes=LOAD, pinned=LOAD)
    later = replace(first, pinned_bytes=0)
    assert cycles(first, later, later, free=10 * LOAD) == 600 + 3000
    again = replace(IDLE, compute=100, streamed=1, block_bytes=LOAD)
    assert cycles(again, again, again, free=10 * LOAD) == 100 + 3 * 500 + 100


def test_strips_are_gone_through_one_after_the_other() -> None:
    assert cycles(IDLE, free=LOAD, passes=3) == 3 * cycles(IDLE, free=LOAD)


def ended(*cells: Cell, free: int) -> End:
    """How a group of cells ends."""
    capacity = Capacity.of(CHIP, network_of(random_graph(0, 2, 16)))
    assert isinstance(capacity, Capacity)
    return run_group(GroupWork(list(cells), 1, 0), CHIP, replace(capacity, activations=free))[1]


@pytest.mark.parametrize(("free", "expected"), [(10 * LOAD, 1000), (LOAD // 2, 600 + 1000)])
def test_weights_of_the_next_group_come_while_this_one_works_if_they_fit(free: int, expected: int) -> None:
    weights = replace(IDLE, streamed=1, block_bytes=LOAD)
    assert cycles(weights, free=free, before=ended(IDLE, IDLE, free=free)) == expected


def test_rows_of_the_next_group_wait_for_the_stores_of_this_one() -> None:
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=False),))
    stores = ended(replace(IDLE, stored=LOAD), free=10 * LOAD)
    assert cycles(read, free=10 * LOAD, before=stores) == 600 + 1000
    assert cycles(read, free=10 * LOAD, before=ended(IDLE, free=10 * LOAD)) == 1000


@pytest.mark.parametrize(("free", "expected"), [(2 * LOAD, 2000 + 600), (LOAD - 1, 2 * (1000 + 600))])
def test_work_waits_for_a_store_if_its_result_has_no_other_place(free: int, expected: int) -> None:
    stores = replace(IDLE, stored=LOAD, result=LOAD)
    assert cycles(stores, stores, free=free) == expected


@pytest.mark.parametrize(("free", "moved"), [(LOAD, 1000), (LOAD - 1, 1000 + 600)])
def test_rows_move_when_there_is_a_place_for_them(free: int, moved: int) -> None:
    stores = replace(IDLE, stored=LOAD, result=LOAD)
    assert cycles(stores, replace(IDLE, moves=(50, 0), moving=(1, 0)), free=free) == moved + 50 + 1000
    behind = replace(stores, moves=(0, 50), moving=(0, 1))
    assert cycles(behind, IDLE, free=free) == moved + 50 + 1000


def test_a_joined_result_waits_for_the_stores_of_its_own_share_alone() -> None:
    first = replace(IDLE, stored=LOAD, result=LOAD // 2, others=LOAD // 2)
    second = replace(first, compute=10)  # while the first is stored
    stored = 1000 + 600
    assert cycles(first, second, first, free=0) == stored + 1000 + 600
    assert cycles(first, second, replace(first, others=0), free=0) == stored + 500 + 1000 + 600


def test_the_cores_go_on_together_when_they_have_waited_for_stores() -> None:
    cell = replace(IDLE, stored=8 * LOAD, result=LOAD)
    work = GroupWork([cell, replace(cell, moves=(50, 0), moving=(1, 0))], 1, 0, lead=0.5, cores=4)
    capacity = Capacity.of(CHIP4, network_of(random_graph(0, 2, 16)))
    assert isinstance(capacity, Capacity)
    waited = 500 + 100 + 2000  # at 32 bytes per cycle, from the middle of the work of the first on
    begins = waited + 50 + 1000 - (50 + 1000) // 2
    assert run_group(work, CHIP4, replace(capacity, activations=0), START)[0] == begins + 100 + 2000


def test_a_load_shares_the_dram_with_stores_that_were_there_before() -> None:
    stores = replace(IDLE, stored=8 * LOAD)
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD, slides=True),))
    assert cycles(stores, read, free=10 * LOAD) == 1000 + max(100 + 2 * 500 + 1000, 100 + 9 * 500)


@pytest.mark.parametrize(("free", "expected"), [(2 * LOAD, 3000), (2 * LOAD - 1, 2000 + 600 + 1000)])
def test_loads_do_not_take_the_place_of_a_result_that_leaves(free: int, expected: int) -> None:
    stores = replace(IDLE, stored=LOAD, result=LOAD)
    read = replace(IDLE, fetches=(Fetch(LOAD, LOAD * 4 // 5, slides=False),))
    assert cycles(stores, IDLE, read, free=free) == expected


@pytest.mark.parametrize(("free", "expected"), [(LOAD, 4 * 1000 + 600), (LOAD - 1, 4 * (1000 + 600))])
def test_slices_of_channels_leave_behind_the_work_if_two_fit(free: int, expected: int) -> None:
    slices = replace(IDLE, stored=4 * LOAD, result=LOAD, blocks=4, sliced=True)
    assert cycles(slices, free=free) == expected


def test_stores_of_cores_that_are_ahead_go_first() -> None:
    stores = replace(IDLE, stored=LOAD)
    work = GroupWork([stores], 1, 0, lead=0.9)
    capacity = Capacity.of(CHIP, network_of(random_graph(0, 2, 16)))
    assert isinstance(capacity, Capacity)
    four = nnc.load_chip("npu4")
    assert run_group(replace(work, lead=0.0), four, capacity)[0] == 1000 + 100 + 250
    assert run_group(work, four, capacity)[0] == 1000 + 100 + 62
