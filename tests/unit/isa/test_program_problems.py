"""What no program may say of its states and of its host's tensors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nnc.isa.chip.load import load_chip
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program, State, Tensor, TensorRole
from nnc.isa.program_problems import problem_of
from nnc.isa.types import DType

F32, I64 = DType.F32, DType.I64
OLD = Operand.dense(DRAM, 0, F32, (4, 8))
ROWS = Operand(DRAM, 256, F32, (1, 8), OLD.strides)
TENSORS = (
    Tensor("old", TensorRole.INPUT, OLD),
    Tensor("rows", TensorRole.OUTPUT, ROWS),
    Tensor("two", TensorRole.OUTPUT, Operand(DRAM, 320, F32, (2, 8), OLD.strides)),
    Tensor("wide", TensorRole.OUTPUT, Operand(DRAM, 320, F32, (2, 8), (64, 4))),
    Tensor("half", TensorRole.OUTPUT, Operand.dense(DRAM, 320, DType.F16, (1, 8))),
    Tensor("next", TensorRole.OUTPUT, Operand.dense(DRAM, 448, F32, (4, 8))),
    Tensor("other", TensorRole.INPUT, Operand.dense(DRAM, 576, F32, (4, 8))),
    Tensor("position", TensorRole.OUTPUT, Operand.dense(DRAM, 704, I64, (1,))),
    Tensor("count", TensorRole.INPUT, Operand.dense(DRAM, 768, I64, (1,))),
)


def problem(*states: State) -> str:
    """What is wrong with a program of these states."""
    program = Program(load_chip("npu"), TENSORS, np.zeros(0, np.uint8), (), 1024)
    return problem_of(replace(program, states=states))


@pytest.mark.parametrize(
    "states",
    [
        (State("old", "next"),),
        (State("old", "rows", 0, "position"),),
        (State("old", "two", 0, "count"),),
        (State("old", "rows", 0, "count"), State("other", "next")),
    ],
    ids=str,
)
def test_states_that_can_be(states: tuple[State, ...]) -> None:
    assert problem(*states) == ""


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ((State("none", "next"),), "no input 'none'"),
        ((State("old", "none"),), "no output 'none'"),
        ((State("rows", "old"),), "no input 'rows'"),
        ((State("old", "rows"),), "is not rows of"),
        ((State("old", "wide", 0, "count"),), "is not rows of"),
        ((State("old", "half", 0, "count"),), "is not rows of"),
        ((State("old", "rows", 1, "count"),), "is not rows of"),
        ((State("old", "next", 2, "count"),), "is not rows of"),
        ((State("old", "rows", 0, ""),), "its position is ''"),
        ((State("old", "rows", 0, "next"),), "expected an input or an output of i32 or i64"),
        ((State("old", "next"), State("old", "rows", 0, "count")), "is another state's"),
        ((State("old", "next"), State("other", "next")), "is another state's"),
        ((State("old", "rows", 0, "count"), State("other", "two", 0, "count")), "different numbers of rows"),
    ],
    ids=str,
)
def test_states_that_cannot_be(states: tuple[State, ...], message: str) -> None:
    assert message in problem(*states)


@pytest.mark.parametrize(
    ("hosted", "is_sound"),
    [((), True), (("old", "next"), True), (("none",), False), (("old", "old"), False)],
)
def test_tensors_of_a_host_are_ports(hosted: tuple[str, ...], is_sound: bool) -> None:
    program = Program(load_chip("npu"), TENSORS, np.zeros(0, np.uint8), (), 1024, host_tensors=hosted)
    assert ("are not inputs and outputs" in problem_of(program)) is not is_sound
