"""Machine and session on hand-built programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InputError, ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instruction import INSTRUCTIONS, Engine, Instruction
from nnc.isa.instructions import Broadcast, Copy, Elementwise, Gemm, Load, LoadRows, Store
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.types import DType
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels import KERNELS
from nnc.runtime.machine import Machine
from nnc.runtime.session import Session

READ, COMPUTE, WRITE = Engine.READ, Engine.COMPUTE, Engine.WRITE
Array = np.ndarray[Any, Any]


def f32(memory: str, address: int, *shape: int) -> Operand:
    return Operand.dense(memory, address, DType.F32, shape)


def constants(array: Array) -> Array:
    """The array as the image of DRAM from address 0 on."""
    image = np.zeros(-(-array.nbytes // 64) * 64, np.uint8)
    image[: array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
    return image


def linear_program(weights: Array, *, chip: str = "npu", core: int = 0) -> Program:
    """y = relu(x · weights) for x of shape (2, 4), weights (4, 3) at DRAM address 0."""
    x, y = f32("dram", 64, 2, 4), f32("dram", 128, 2, 3)
    issued = (
        Issued(core, Load(dst=f32("sram", 0, 4, 3), src=f32("dram", 0, 4, 3))),
        Issued(core, Load(dst=f32("sram", 64, 2, 4), src=x)),
        Issued(
            core,
            Gemm(
                src=f32("sram", 64, 2, 4),
                weight=f32("sram", 0, 4, 3),
                dst=f32("sram", 128, 2, 3),
                act=Function.RELU,
            ),
            (Wait(core, READ, 1),),
        ),
        Issued(core, Store(dst=y, src=f32("sram", 128, 2, 3)), (Wait(core, COMPUTE, 0),)),
    )
    tensors = (
        Tensor("w", TensorRole.CONSTANT, f32("dram", 0, 4, 3)),
        Tensor("x", TensorRole.INPUT, x),
        Tensor("y", TensorRole.OUTPUT, y),
    )
    return Program(load_chip(chip), tensors, constants(weights), issued, 192)


WEIGHTS = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
X = np.random.default_rng(1).standard_normal((2, 4)).astype(np.float32)


@pytest.mark.parametrize(("chip", "core"), [("npu", 0), ("npu4", 3)])
def test_run_in_the_manner_of_onnxruntime(chip: str, core: int) -> None:
    session = Session(linear_program(WEIGHTS, chip=chip, core=core), poison=True)
    assert [(i.name, i.shape, i.type) for i in session.get_inputs()] == [("x", (2, 4), "tensor(float)")]
    assert [(o.name, o.shape, o.type) for o in session.get_outputs()] == [("y", (2, 3), "tensor(float)")]
    for x in (X, -X):
        for names in (None, ["y"]):
            (y,) = session.run(names, {"x": x})
            np.testing.assert_allclose(y, np.maximum(x @ WEIGHTS, 0), rtol=1e-6)
    assert session.run([], {"x": X}) == []


def test_outputs_are_copies_and_constants_stay() -> None:
    program = linear_program(WEIGHTS)
    session = Session(program)
    (first,) = session.run(None, {"x": X})
    kept = first.copy()
    session.run(None, {"x": 2 * X})
    np.testing.assert_array_equal(first, kept)
    assert not session.machine.view(f32("dram", 0, 4, 3)).flags.writeable
    assert np.shares_memory(session.machine.view(f32("dram", 0, 4, 3)), program.constants)
    assert program.constants.flags.writeable, "the caller's array keeps its own flags"


@pytest.mark.parametrize(
    ("names", "feed", "words"),
    [
        (["z"], {"x": X}, ["unknown output", "z", "expected: y"]),
        (None, {}, ["missing input", "x"]),
        (None, {"x": X, "q": X}, ["unknown input", "q", "expected: x"]),
        (None, {"x": X[:1]}, ["wrong shape", "[1, 4]", "[2, 4]"]),
        (None, {"x": X.astype(np.float64)}, ["wrong element type", "float64", "float32"]),
    ],
)
def test_wrong_inputs_are_told(names: Any, feed: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        Session(linear_program(WEIGHTS)).run(names, feed)
    for word in words:
        assert word in str(caught.value)


def test_input_and_output_layout_is_that_of_the_table() -> None:
    """The table's shape is N, C, Y, X; the bytes lie channels-last, and each row of the output has a gap."""
    x = Operand("dram", 0, DType.F32, (1, 3, 2, 5), (120, 4, 60, 12))
    y = Operand("dram", 128, DType.F32, (2, 15), (64, 4))
    issued = (
        Issued(0, Load(dst=f32("sram", 0, 2, 15), src=f32("dram", 0, 2, 15))),
        Issued(0, Store(dst=y, src=f32("sram", 0, 2, 15)), (Wait(0, READ, 0),)),
    )
    tensors = (Tensor("x", TensorRole.INPUT, x), Tensor("y", TensorRole.OUTPUT, y))
    program = Program(load_chip(), tensors, np.zeros(0, np.uint8), issued, 256)
    image = np.arange(30, dtype=np.float32).reshape(1, 3, 2, 5)
    (got,) = Session(program, poison=True).run(None, {"x": image})
    np.testing.assert_array_equal(got, image.transpose(0, 2, 3, 1).reshape(2, 15))


def test_broadcast_reaches_the_cores_of_its_mask_only() -> None:
    x, y = f32("dram", 0, 4), f32("dram", 64, 3, 4)
    issued = [Issued(1, Broadcast(dst=f32("sram", 0, 4), src=x, cores=0b1011))]
    for row, core in enumerate((0, 1, 3)):
        out = f32("dram", 64 + 16 * row, 4)
        issued.append(Issued(core, Store(dst=out, src=f32("sram", 0, 4)), (Wait(1, READ, 0),)))
    tensors = (Tensor("x", TensorRole.INPUT, x), Tensor("y", TensorRole.OUTPUT, y))
    program = Program(load_chip("npu4"), tensors, np.zeros(0, np.uint8), tuple(issued), 128)
    session = Session(program, poison=True)
    (got,) = session.run(None, {"x": X[0]})
    np.testing.assert_array_equal(got, [X[0]] * 3)
    assert np.isnan(session.machine.view(f32("sram", 0, 4), 2)).all(), "core 2 is not in the mask"
    assert session.ledger.total == 64 + 3 * 64, "DRAM pays a broadcast once"


def embedding_program() -> Program:
    """y[i] = table[ids[i]] with a constant table of 5 rows."""
    table, ids, y = f32("dram", 0, 5, 4), Operand.dense("dram", 128, DType.I64, (3,)), f32("dram", 192, 3, 4)
    on_chip = Operand.dense("sram", 0, DType.I64, (3,))
    issued = (
        Issued(0, Load(dst=on_chip, src=ids)),
        Issued(
            0,
            LoadRows(dst=f32("sram", 64, 3, 4), src=table, index=on_chip),
            (Wait(0, READ, 0),),
            Note(-1, 0, "embed"),
        ),
        Issued(0, Store(dst=y, src=f32("sram", 64, 3, 4)), (Wait(0, READ, 1),)),
    )
    tensors = (
        Tensor("table", TensorRole.CONSTANT, table),
        Tensor("ids", TensorRole.INPUT, ids),
        Tensor("y", TensorRole.OUTPUT, y),
    )
    data = np.arange(20, dtype=np.float32).reshape(5, 4)
    return Program(load_chip(), tensors, constants(data), issued, 256)


def test_load_rows_gathers_from_dram_and_checks_indices() -> None:
    session = Session(embedding_program(), poison=True)
    (got,) = session.run(None, {"ids": np.array([4, -5, 2])})
    np.testing.assert_array_equal(got, np.arange(20, dtype=np.float32).reshape(5, 4)[[4, 0, 2]])
    with pytest.raises(ExecutionError) as caught:
        session.run(None, {"ids": np.array([0, 5, 0])})
    for word in ("k0.r1", "embed", "index 5", "0 … 4", "NNC-E070"):
        assert word in str(caught.value)


def lone(instruction: Instruction, core: int = 0) -> Program:
    x = Tensor("x", TensorRole.INPUT, f32("dram", 64, 16))
    w = Tensor("w", TensorRole.CONSTANT, f32("dram", 0, 16))
    return Program(load_chip(), (x, w), np.zeros(64, np.uint8), (Issued(core, instruction),), 4096)


@pytest.mark.parametrize(
    ("instruction", "error"),
    [
        (Copy(dst=f32("sram", 512 * 1024 - 4, 2), src=f32("sram", 0, 2)), ExecutionError),
        (Copy(dst=f32("sram", 0, 2), src=Operand("sram", 0, DType.F32, (2,), (-4,))), ExecutionError),
        (Copy(dst=f32("sram", 0, 2), src=f32("vram", 0, 2)), ProgramInvalidError),
        (Load(dst=f32("sram", 0, 16), src=f32("dram", 32, 16)), ExecutionError),
        (Load(dst=f32("sram", 0, 16), src=f32("dram", 96, 16)), ExecutionError),
        (Load(dst=f32("sram", 0, 16), src=f32("dram", 4096, 16)), ExecutionError),
        (Load(dst=f32("sram", 0, 8), src=f32("dram", 64, 16)), ProgramInvalidError),
    ],
    ids=[
        "past-the-end",
        "before-the-start",
        "no-such-memory",
        "two-tensors",
        "no-tensor",
        "past-dram",
        "shapes",
    ],
)
def test_a_wrong_access_is_an_error_at_load_time(instruction: Instruction, error: type[Exception]) -> None:
    with pytest.raises(error):
        Machine(lone(instruction))


def test_a_core_that_does_not_exist_and_a_deadlock_are_refused() -> None:
    with pytest.raises(ProgramInvalidError, match="core 1"):
        Machine(lone(Copy(dst=f32("sram", 0, 2), src=f32("sram", 64, 2)), core=1))
    program = lone(Copy(dst=f32("sram", 0, 2), src=f32("sram", 64, 2)))
    stuck = (Issued(0, program.issued[0].instruction, (Wait(0, COMPUTE, 0),)),)
    with pytest.raises(ProgramInvalidError, match="deadlock"):
        Machine(Program(program.chip, program.tensors, program.constants, stuck, 4096))


def test_constants_cannot_be_written() -> None:
    with pytest.raises(ExecutionError, match="constants"):
        Machine(lone(Store(dst=f32("dram", 0, 16), src=f32("sram", 0, 16))))


def test_execution_follows_issue_times_not_the_text() -> None:
    """The text lists core 0 first, but its copy waits for core 1's, whose result it stores after it."""
    x, y = f32("dram", 0, 4), f32("dram", 64, 4)
    double = Elementwise(dst=f32("sram", 0, 4), srcs=(f32("sram", 0, 4),) * 2, function=Function.ADD)
    issued = (
        Issued(0, Load(dst=f32("sram", 0, 4), src=y), (Wait(1, WRITE, 0),)),
        Issued(0, double, (Wait(0, READ, 0),)),
        Issued(0, Store(dst=y, src=f32("sram", 0, 4)), (Wait(0, COMPUTE, 0),)),
        Issued(1, Load(dst=f32("sram", 0, 4), src=x)),
        Issued(1, double, (Wait(1, READ, 0),)),
        Issued(1, Store(dst=y, src=f32("sram", 0, 4)), (Wait(1, COMPUTE, 0),)),
    )
    tensors = (Tensor("x", TensorRole.INPUT, x), Tensor("y", TensorRole.OUTPUT, y))
    program = Program(load_chip("npu4"), tensors, np.zeros(0, np.uint8), issued, 128)
    machine = Machine(program, poison=True)
    assert machine.order == (3, 4, 5, 0, 1, 2)
    (got,) = Session(program, poison=True, verify=False).run(None, {"x": X[0]})
    np.testing.assert_array_equal(got, 4 * X[0])


def test_a_missing_load_shows_as_nan_when_poisoned() -> None:
    program = linear_program(WEIGHTS)
    weights, _, gemm, _ = (item.instruction for item in program.issued)
    issued = (Issued(0, weights), Issued(0, gemm, (Wait(0, READ, 0),)))
    machine = Machine(replace(program, issued=issued), poison=True)
    machine.run()
    assert np.isnan(machine.view(f32("sram", 128, 2, 3))).all()


def test_report_adds_up() -> None:
    session = Session(linear_program(WEIGHTS))
    report = session.report
    assert report.cycles == session.timeline.total > 0
    assert report.microseconds == report.cycles / 1000
    assert [(use.core, use.engine, use.instructions) for use in report.engines] == [
        (0, "read", 2),
        (0, "compute", 1),
        (0, "write", 1),
    ]
    assert all(0 < use.busy <= report.cycles for use in report.engines)
    assert set(report.stalls) == {"dram"}, "the only compute instruction waits for the loads"
    assert report.dram_bytes == sum(report.dram_causes.values()) == 192
    assert report.dram_utilisation == pytest.approx(192 / (16 * report.cycles))
    assert report.to_json()["cycles"] == report.cycles


def test_every_instruction_has_a_kernel() -> None:
    assert set(KERNELS) == set(INSTRUCTIONS.values())
