"""The pipeline of tasks in small cases that can be counted by hand: 16 bytes per cycle, a latency of 100."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nnc
from nnc.compiler.plan.search.group_run import START, End, run_group
from nnc.compiler.plan.search.group_tasks import GroupTask, GroupTasks
from nnc.isa.instruction import Engine

CHIP, CHIP4 = nnc.load_chip("npu"), nnc.load_chip("npu4")
MEMORY = "sram"
LOAD = 16 * 500  # bytes that take 500 cycles


def task(engine: Engine, *, cycles: int = 0, moved: int = 0, **other: object) -> GroupTask:
    """A task of one core; its place is set by `group`."""
    plain = GroupTask(0, engine, np.array([cycles]), moved, MEMORY, 0, 0, -1, (), of_rows=False)
    return replace(plain, **other)  # type: ignore[arg-type]  # fields by name


def load(moved: int = LOAD, **other: object) -> GroupTask:
    """A load of constants to a block of their size."""
    return task(Engine.READ, moved=moved, **{"room": moved, **other})


def compute(*needs: int, cycles: int = 1000, room: int = 0) -> GroupTask:
    """A computation that needs the loads at some places."""
    return task(Engine.COMPUTE, cycles=cycles, needs=needs, room=room)


def store(moved: int = LOAD, leaves: int = 0, needs: tuple[int, ...] = ()) -> GroupTask:
    """A store of a result: of the last computation, or of that at a place."""
    return task(Engine.WRITE, moved=moved, leaves=leaves, needs=needs)


def group(*tasks: GroupTask, taken: tuple[int, ...] = ()) -> GroupTasks:
    """A group of tasks, each at its own place, and the bytes in use there."""
    placed = tuple(replace(each, place=place) for place, each in enumerate(tasks))
    in_use = np.array(taken or (0,) * len(tasks), dtype=np.int64)
    stored = frozenset(each.memory for each in placed if each.leaves)
    return GroupTasks(placed, {MEMORY: in_use}, stored, 1, sum(each.moved for each in placed))


def cycles(work: GroupTasks, free: int = 10 * LOAD, before: End = START) -> int:
    """Cycles of a group with some bytes of memory, behind another group."""
    return run_group(work, with_memory(free), before)[0]


def with_memory(nbytes: int) -> nnc.Chip:
    """The chip with so many bytes."""
    memory = CHIP.memory[MEMORY].model_copy(update={"bytes": nbytes})
    return CHIP.model_copy(update={"memory": {MEMORY: memory}})


def test_a_computation_waits_for_its_load_and_a_store_for_it() -> None:
    assert cycles(group(load(), compute(0), store())) == 100 + 500 + 1000 + 100 + 500


def test_a_computation_waits_for_its_own_loads_only() -> None:
    assert cycles(group(load(), compute(), load(), compute(2))) == 1000 + 100 + 1000


@pytest.mark.parametrize(("free", "expected"), [(2 * LOAD, 600 + 2000), (2 * LOAD - 1, 2 * (600 + 1000))])
def test_loads_run_ahead_as_far_as_memory_is_free(free: int, expected: int) -> None:
    work = group(load(), compute(0), load(), compute(2), taken=(LOAD,) * 4)
    assert cycles(work, free) == expected


def test_a_load_does_not_pass_what_uses_the_bytes_that_it_overwrites() -> None:
    window = load(room=0, behind=1)
    assert cycles(group(load(), compute(0), window, compute(2))) == 2 * (600 + 1000)


def test_blocks_that_load_longer_than_they_work_are_bound_by_the_dram() -> None:
    blocks = [each for n in range(8) for each in (load(), compute(2 * n, cycles=200))]
    assert cycles(group(*blocks)) == 100 + 8 * 500 + 200


def test_a_load_takes_no_less_than_its_side_on_chip() -> None:
    assert cycles(group(load(cycles=0), compute(0))) == 1600
    assert cycles(group(replace(load(), cycles=np.array([900])), compute(0))) == 2000


@pytest.mark.parametrize(("free", "expected"), [(10 * LOAD, 1000), (LOAD - 1, 600 + 1000)])
def test_weights_of_the_next_group_come_while_this_one_works_if_they_fit(free: int, expected: int) -> None:
    _, end = run_group(group(compute(), compute()), with_memory(free))
    assert cycles(group(load(), compute(0)), free, end) == expected


def test_rows_of_the_next_group_wait_for_the_stores_of_this_one() -> None:
    work = group(load(of_rows=True), compute(0))
    _, stored = run_group(group(compute(), store()), CHIP)
    _, idle = run_group(group(compute()), CHIP)
    assert run_group(work, CHIP, stored)[0] == 600 + 1000
    assert run_group(work, CHIP, idle)[0] == 1000


@pytest.mark.parametrize(("free", "expected"), [(2 * LOAD, 2000 + 600), (2 * LOAD - 1, 2 * (1000 + 600))])
def test_work_waits_for_a_store_if_its_result_has_no_other_place(free: int, expected: int) -> None:
    result = compute(room=LOAD), store(leaves=LOAD)
    assert cycles(group(*result, *result, taken=(LOAD,) * 4), free) == expected


def test_a_result_leaves_while_the_next_one_is_computed() -> None:
    """In the order of demand it is stored behind the next computation, in the other of two places."""
    result = compute(room=LOAD)
    first, second = store(leaves=LOAD, needs=(0,)), store(leaves=LOAD, needs=(1,))
    work = group(result, result, first, result, second, taken=(LOAD, *(2 * LOAD,) * 4))
    assert cycles(work, 2 * LOAD) == 3 * 1000


def test_a_load_waits_for_a_store_rather_than_the_work_in_front_of_it() -> None:
    """Beside the work there is room for one of both; the work has its place before."""
    work = group(compute(room=LOAD), store(leaves=LOAD), compute(cycles=2000), load(), compute(3))
    taken = replace(work, taken={MEMORY: np.array([LOAD, LOAD, 0, LOAD, LOAD])})
    assert cycles(taken, LOAD) == 1000 + 2000 + 1000


def test_a_load_shares_the_dram_with_stores_that_were_there_before() -> None:
    work = group(compute(), store(8 * LOAD), load(behind=1), compute(2))
    assert cycles(work) == 1000 + max(100 + 2 * 500 + 1000, 100 + 9 * 500)


def test_cores_that_are_ahead_store_first() -> None:
    """Four cores that end after 400 to 1,000 cycles begin to store after 700 of them in the mean."""
    ends = np.array([400, 600, 800, 1000])
    work = replace(group(replace(compute(), cycles=ends), store()), cores=4)
    assert run_group(work, CHIP4)[0] == 700 + 100 + LOAD // CHIP4.transfer_rate(4)
