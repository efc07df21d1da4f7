"""When instructions act on the memories: hand-built programs with and without the waits that they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nnc.isa.chip.load import load_chip
from nnc.isa.functions import Function
from nnc.isa.instruction import Engine, Instruction, Phase
from nnc.isa.instructions import Copy, Elementwise, Fill, Gemm, Load, LoadRows, Store
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait
from nnc.isa.timing.streams import timing
from nnc.isa.types import DType
from nnc.runtime.effects import Act, issue_order, order_of_effects
from nnc.runtime.machine import Machine
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import Rule, verify

READ, COMPUTE, WRITE = Engine.READ, Engine.COMPUTE, Engine.WRITE
Array = np.ndarray[Any, Any]
COUNT = 256  # elements: a transfer takes 64 cycles after 100 of latency
X = np.random.default_rng(0).standard_normal(COUNT).astype(np.float32)


def sram(slot: int, count: int = COUNT) -> Operand:
    return Operand.dense("sram", 4 * COUNT * slot, DType.F32, (count,))


def dram(slot: int, count: int = COUNT) -> Operand:
    return Operand.dense("dram", 4 * COUNT * slot, DType.F32, (count,))


def program_of(steps: Iterable[tuple[Instruction, Sequence[tuple[Engine, int]]]]) -> Program:
    """A program of core 0 with the input x at slot 0 of DRAM, the output y at slot 1, and 8 slots in all."""
    issued = tuple(
        Issued(0, instruction, tuple(Wait(0, engine, index) for engine, index in waits))
        for instruction, waits in steps
    )
    tensors = (
        Tensor("x", TensorRole.INPUT, dram(0)),
        Tensor("y", TensorRole.OUTPUT, dram(1)),
        Tensor("s", TensorRole.SPILL, dram(2, 6 * COUNT)),
    )
    return Program(load_chip("npu"), tensors, np.zeros(0, np.uint8), issued, 4 * COUNT * 8)


def run(program: Program, *, poison: bool = True, **how: Any) -> Array:
    """The output y for the input X, without verification unless asked for."""
    session = Session(program, **{"verify": False, "poison": poison, **how})
    (y,) = session.run(None, {"x": X})
    return y


def double(dst: int, src: int, waits: Sequence[tuple[Engine, int]]) -> tuple[Instruction, Any]:
    add = Elementwise(dst=sram(dst), srcs=(sram(src), sram(src)), function=Function.ADD)
    return add, waits


def load(slot: int, waits: Sequence[tuple[Engine, int]] = (), src: int = 0) -> tuple[Instruction, Any]:
    return Load(dst=sram(slot), src=dram(src)), waits


def store(slot: int, waits: Sequence[tuple[Engine, int]], dst: int = 1) -> tuple[Instruction, Any]:
    return Store(dst=dram(dst), src=sram(slot)), waits


def test_each_instruction_begins_after_its_issue_and_completes_later() -> None:
    program = program_of([load(0), load(1), double(2, 0, [(READ, 1)]), store(2, [(COMPUTE, 0)])])
    streams, timeline = timing(program)
    assert issue_order(streams, timeline) == [0, 1, 2, 3]
    order = order_of_effects(streams, timeline)
    assert [(act.name, index) for act, index in order] == [
        ("ISSUE", 0),
        ("ISSUE", 1),
        ("BEGIN", 0),
        ("COMPLETE", 0),
        ("BEGIN", 1),
        ("COMPLETE", 1),
        ("ISSUE", 2),
        ("BEGIN", 2),
        ("COMPLETE", 2),
        ("ISSUE", 3),
        ("BEGIN", 3),
        ("COMPLETE", 3),
    ]
    assert len(Act) == 3


def test_what_reads_before_a_transfer_gets_the_old_bytes() -> None:
    sound = program_of([load(0), double(1, 0, [(READ, 0)]), store(1, [(COMPUTE, 0)])])
    np.testing.assert_array_equal(run(sound), 2 * X)
    early = program_of([load(0), double(1, 0, []), store(1, [(COMPUTE, 0)])])
    assert {finding.rule for finding in verify(early)} == {Rule.RACE}
    assert not run(early, poison=False).any(), "memories are zero at first"
    assert np.isnan(run(early)).all()
    session = Session(early, verify=False)
    for x in (X, -X, X):  # every run sees what the run before has left
        before = session.machine.view(sram(0)).copy()
        (y,) = session.run(None, {"x": x})
        np.testing.assert_array_equal(y, 2 * before)


def test_what_reads_during_a_transfer_gets_undefined_bytes() -> None:
    """The first load ends at cycle 164, and the second, which has begun by then, writes the same block."""
    program = program_of([load(0), load(0), double(1, 0, [(READ, 0)]), store(1, [(COMPUTE, 0)])])
    assert np.isnan(run(program, poison=False)).all()


def test_a_store_reads_until_it_is_done() -> None:
    """A computation overwrites its source without a wait: before it begins, during it, after it."""
    seen = []
    for others in range(8):
        steps = [load(0), double(1, 0, [(READ, 0)]), store(1, [(COMPUTE, 0)])]
        steps += [double(2, 0, [])] * others
        sound = program_of([*steps, double(1, 0, [(WRITE, 0)])])
        np.testing.assert_array_equal(run(sound), 2 * X)
        racing = program_of([*steps, (Copy(dst=sram(1), src=sram(0)), [])])
        assert {finding.rule for finding in verify(racing)} == {Rule.RACE}
        y = run(racing, poison=False)
        kinds = {"new": (y == X).all(), "undefined": np.isnan(y).all(), "right": (y == 2 * X).all()}
        seen += [kind for kind, it_is in kinds.items() if it_is]
    assert len(seen) == 8
    assert seen == sorted(seen, key=["new", "undefined", "right"].index)
    assert set(seen) == {"new", "undefined", "right"}


def test_a_computation_reads_until_it_is_done() -> None:
    """A long one: 3 · 2560 elements; the fill of the middle of its source takes few cycles in between."""
    big, out = sram(0, 10 * COUNT), sram(10, 10 * COUNT)
    largest = Elementwise(dst=out, srcs=(big, big, big, big, big, big), function=Function.MAX)
    fill = Fill(dst=sram(5), value=1.0)
    steps: list[tuple[Instruction, Any]] = [
        (Fill(dst=big, value=3.0), []),
        (largest, [(READ, 0)]),
        (fill, [(COMPUTE, 0)]),
        store(15, [(COMPUTE, 0)]),
    ]
    np.testing.assert_array_equal(run(program_of(steps)), np.full(COUNT, 3, np.float32))
    steps[2] = (fill, [(READ, 0)])
    assert np.isnan(run(program_of(steps), poison=False)).all()
    steps[3] = store(16, [(COMPUTE, 0)])
    np.testing.assert_array_equal(run(program_of(steps)), np.full(COUNT, 3, np.float32))


def test_of_two_writers_the_one_that_ends_last_wins() -> None:
    """The computation is to overwrite what was loaded, but does so before it is loaded."""
    fill = (Elementwise(dst=sram(0), srcs=(sram(0),), function=Function.MUL, params=(0.0,)), [(READ, 0)])
    steps = [load(0), fill, store(0, [(READ, 0), (COMPUTE, 0)])]
    assert not run(program_of(steps)).any()
    steps[1] = (Copy(dst=sram(0), src=sram(3)), [])
    np.testing.assert_array_equal(run(program_of(steps)), X)


def test_a_load_of_what_a_store_has_not_delivered() -> None:
    steps = [
        load(0),
        store(0, [(READ, 0)], dst=2),
        load(1, [(WRITE, 0)], src=2),
        store(1, [(READ, 1)]),
    ]
    np.testing.assert_array_equal(run(program_of(steps)), X)
    steps[2] = load(1, [(READ, 0)], src=2)
    assert np.isnan(run(program_of(steps))).all()


def test_an_instruction_may_write_over_what_it_reads() -> None:
    """In place, shifted by overlapping rows, and into its own partial sums."""
    shifted = Copy(dst=sram(0, 4 * COUNT), src=Operand.dense("sram", 64, DType.F32, (4 * COUNT,)))
    a, w = Operand.dense("sram", 0, DType.F32, (16, 16)), Operand.dense("sram", 4096, DType.F32, (16, 16))
    sums, out = (Operand.dense("sram", address, DType.F32, (16, 16)) for address in (8192, 9216))
    steps: list[tuple[Instruction, Any]] = [
        (Fill(dst=sram(0, 16 * COUNT), value=1.0), []),
        load(0),
        double(0, 0, [(READ, 1)]),
        (shifted, []),
        (Gemm(src=a, weight=w, accumulator=sums, phase=Phase.START), []),
        (Gemm(src=a, weight=w, accumulator=sums, phase=Phase.ADD), []),
        (Gemm(src=a, weight=w, accumulator=sums, dst=out, phase=Phase.FINISH), []),
        store(9, [(COMPUTE, 4)]),
    ]
    rows = np.concatenate([2 * X, np.ones(COUNT, np.float32)])[16 : 16 + COUNT].reshape(16, 16)
    expected = np.repeat(3 * rows.sum(axis=1), 16)
    at_once = run(program_of(steps), verify=True)
    np.testing.assert_allclose(at_once, expected, rtol=1e-5)
    for jitter in (None, *range(5)):
        np.testing.assert_array_equal(run(program_of(steps), jitter=jitter), at_once)


def test_row_numbers_are_read_at_issue() -> None:
    """They are there when the row load issues, and overwritten before its rows move."""
    index = Operand.dense("sram", 0, DType.I32, (4,))
    table = Operand("dram", 0, DType.F32, (4, COUNT // 4), (COUNT, 4))
    rows = Operand.dense("sram", 4096, DType.F32, (4, COUNT // 4))
    steps: list[tuple[Instruction, Any]] = [
        (Fill(dst=index, value=2.0), []),
        (LoadRows(dst=rows, src=table, index=index), [(READ, 0)]),
        (Copy(dst=index, src=Operand.dense("sram", 64, DType.I32, (4,))), [(READ, 0)]),
        store(4, [(READ, 1)]),
    ]
    np.testing.assert_array_equal(run(program_of(steps)), np.tile(X.reshape(4, -1)[2], 4))
    steps[1] = (steps[1][0], [])
    np.testing.assert_array_equal(run(program_of(steps)), np.tile(X.reshape(4, -1)[3], 4), "poison is -1")


def test_what_is_verified_gives_the_same_at_once_and_in_time() -> None:
    program = program_of(
        [
            load(0),
            double(1, 0, [(READ, 0)]),
            load(0, [(COMPUTE, 0)]),
            double(2, 1, []),
            store(2, [(COMPUTE, 1)]),
        ]
    )
    assert verify(program) == []
    for how in ({"verify": True}, {}, *({"jitter": seed} for seed in range(20))):
        np.testing.assert_array_equal(run(program, **how), 4 * X)


def test_a_machine_is_in_time_unless_the_program_is_known_to_be_free_of_races() -> None:
    early = program_of([load(0), double(1, 0, []), store(1, [(COMPUTE, 0)])])
    outputs = {}
    for race_free in (False, True):
        machine = Machine(early, poison=True, race_free=race_free)
        machine.view(dram(0))[...] = X
        machine.run()
        outputs[race_free] = machine.view(dram(1)).copy()
    assert np.isnan(outputs[False]).all()
    np.testing.assert_array_equal(outputs[True], 2 * X)


@pytest.mark.parametrize("seed", range(5))
def test_jitter_changes_the_timeline_alone(seed: int) -> None:
    program = program_of([load(0), double(1, 0, [(READ, 0)]), store(1, [(COMPUTE, 0)])])
    plain, jittered = Session(program), Session(program, jitter=seed)
    assert jittered.report.cycles == jittered.timeline.total != plain.timeline.total
    assert jittered.timeline == Session(program, jitter=seed).timeline
    assert jittered.ledger.total == plain.ledger.total
    np.testing.assert_array_equal(run(program, jitter=seed), run(program))


def test_the_second_run_verifies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of([load(0), double(1, 0, [(READ, 0)]), store(1, [(COMPUTE, 0)])])
    verified = []
    monkeypatch.setattr("nnc.runtime.session.check", lambda program, name: verified.append(name))
    session = Session(program, name="p.bin")
    for _ in range(3):
        session.run(None, {"x": X})
    assert verified == ["p.bin"]
    Session(program, verify=False)
    assert verified == ["p.bin"]


def test_constants_are_not_copied_for_readers() -> None:
    """They never change; the bytes of other sources are kept from begin to completion."""
    program = program_of([load(0), store(0, [(READ, 0)])])
    constants = replace(
        program,
        tensors=(Tensor("w", TensorRole.CONSTANT, dram(0)), *program.tensors[1:]),
        constants=X.view(np.uint8),
    )
    assert verify(constants) == []
    (y,) = Session(constants, verify=False, poison=True).run(None, {})
    np.testing.assert_array_equal(y, X)
