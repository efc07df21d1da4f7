"""Programs with one wrong number, bound or verified: they run, or end in an error of the family."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from field_edits import example_program, program_edits
from verifier_programs import block, change, program_of

from nnc.isa.chip.load import load_chip
from nnc.isa.errors import NncError, ProgramInvalidError
from nnc.isa.instruction import INSTRUCTIONS
from nnc.isa.instructions import Conv, Load
from nnc.isa.operand import Operand
from nnc.isa.program import Program, Tensor, TensorRole
from nnc.isa.types import DType
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels.arena import Arena
from nnc.runtime.memory import strided
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import verify


def run_unverified(program: Program) -> None:
    """Bind a program without the verifier and run it on zeros."""
    session = Session(program, verify=False)
    inputs = {t.name: t.block for t in program.by_role(TensorRole.INPUT)}
    session.run(None, {name: np.zeros(b.shape, b.dtype.numpy) for name, b in inputs.items()})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("mnemonic", sorted(INSTRUCTIONS))
def test_runs_or_names_the_place(mnemonic: str) -> None:
    program = example_program(mnemonic)
    run_unverified(program)
    ends: Counter[str] = Counter()
    for what, edited in program_edits(program):
        try:
            run_unverified(edited)
            ends["ran"] += 1
        except NncError as error:
            assert error.code in ("NNC-E031", "NNC-E070"), what
            assert error.where, what
            ends[error.code] += 1
        except Exception as error:
            raise AssertionError(what) from error
    assert min(ends["ran"], ends["NNC-E031"], ends["NNC-E070"]) > 0


@pytest.mark.parametrize("mnemonic", sorted(INSTRUCTIONS))
def test_verifies_or_has_findings(mnemonic: str) -> None:
    program = example_program(mnemonic)
    findings = verify(program)
    for what, edited in program_edits(program):
        try:
            changed = verify(edited)
        except Exception as error:
            raise AssertionError(what) from error
        assert changed != findings or not findings or edited != program, what


@pytest.mark.parametrize("field", ["stride", "dilation"])
@pytest.mark.parametrize("value", [-1, -(2**40), 0, 2**62])
def test_windows_of_a_convolution_stay_in_its_operand(field: str, value: int) -> None:
    src, dst = block("sram", 0, (1, 8, 8, 4)), block("sram", 4096, (1, 6, 6, 4))
    fields = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (0, 0)}
    conv = Conv(src=src, weight=block("sram", 8192, (3, 3, 4, 4)), dst=dst, **fields)  # type: ignore[arg-type]
    x = block("dram", 0, (1, 8, 8, 4))
    program = program_of([(Load(dst=src, src=x), ()), (conv, ())], {"x": (TensorRole.INPUT, x)})
    run_unverified(program)
    with pytest.raises((ProgramInvalidError, ExecutionError)) as caught:
        run_unverified(change(program, 1, **{field: (1, value)}))
    assert caught.value.where == "k0.c0 conv"


def test_a_view_stays_in_its_array() -> None:
    array = np.arange(24, dtype=np.int32).reshape(4, 6)[1:3, 1:5]
    assert strided(array, (2, 2), (24, 8)).tolist() == [[7, 9], [13, 15]]
    for shape, strides in [((3,), (24,)), ((2,), (-4,)), ((1, 2), (2**63, 4)), ((2**40, 2**40), (4, 4))]:
        with pytest.raises(ExecutionError, match="leaves its operand"):
            strided(array, shape, strides)


def test_scratch_has_a_limit() -> None:
    arena = Arena(4096)
    arena.take((1024,), np.uint8)
    with pytest.raises(ExecutionError, match="5120 bytes of scratch"):
        arena.take((4096,), np.uint8)


def test_elements_are_repeated_less_often_than_a_memory_has_bytes() -> None:
    src = Operand("sram", 0, DType.F32, (1, 2**31), (0, 0))
    example = example_program("reduce")
    program = change(example, 1, src=src, dst=block("sram", 64, (1, 1)), axes=(1,))
    with pytest.raises(ExecutionError, match="repeats its elements"):
        run_unverified(program)
    assert any("names 2147483648 elements" in str(finding) for finding in verify(program))


@pytest.mark.parametrize("role", [TensorRole.INPUT, TensorRole.OUTPUT, TensorRole.SPILL])
@pytest.mark.parametrize("reserved", [0, 128])
def test_only_constants_lie_in_the_image_of_constants(role: TensorRole, reserved: int) -> None:
    """It is read-only."""
    tensor = Tensor("t", role, Operand.dense("dram", 64, DType.F32, (2, 4)), reserved)
    program = Program(load_chip("npu"), (tensor,), np.zeros(128, np.uint8), (), 256)
    with pytest.raises(ExecutionError, match="over its constants"):
        Session(program, verify=False, poison=True)
