"""Programs of a few instructions that ask for much memory are refused before it is allocated."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest
from verifier_programs import F32, block, two_layers

from nnc.isa.chip.load import load_chip
from nnc.isa.errors import ChipError, NncError
from nnc.isa.instructions import Fill, Load
from nnc.isa.limits import OPERAND, PROGRAM_MEMORY
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.program_file.binary import decode, encode
from nnc.isa.timing.streams import places_of
from nnc.runtime import demand
from nnc.runtime.demand import shadow_bytes, simulation_bytes
from nnc.runtime.errors import ExecutionError, ProgramTooLargeError
from nnc.runtime.session import Session
from nnc.runtime.verifier.data import granules_of
from nnc.runtime.verifier.verify import Rule, verify

MANY = 4 * 10**9


def repeated(memory: str, address: int, *shape: int) -> Operand:
    return Operand(memory, address, F32, shape, (0,) * len(shape))


def with_operand(elements: int = 2 * OPERAND.most) -> Program:
    """Four bytes that are read again and again."""
    program = two_layers(load_chip("npu", ["memory.sram.bytes=1GiB", "dram.bytes=1GiB"]))
    many = Load(dst=repeated("sram", 0, elements), src=repeated(DRAM, 1024, elements))
    return replace(program, issued=(*program.issued, Issued(0, many)))


def with_tensor() -> Program:
    program = two_layers()
    tensor = Tensor("many", TensorRole.INPUT, repeated(DRAM, 1024, MANY, 16))
    return replace(program, tensors=(*program.tensors, tensor))


def with_dram() -> Program:
    return replace(two_layers(load_chip("npu", ["dram.bytes=1024GiB"])), dram_bytes=2**40)


def with_far_tensor() -> Program:
    program = with_dram()
    tensor = Tensor("far", TensorRole.SPILL, Operand.dense(DRAM, 2**39, F32, (4,)))
    return replace(program, tensors=(*program.tensors, tensor))


@pytest.mark.parametrize("program", [with_operand, with_tensor, with_far_tensor])
@pytest.mark.parametrize("use", [verify, Session, lambda p: Session(p, verify=False, poison=True)])
def test_programs_that_ask_for_too_much_are_refused(
    program: Callable[[], Program], use: Callable[[Program], object]
) -> None:
    made = decode(encode(program()))
    tracemalloc.start()
    with pytest.raises(ProgramTooLargeError) as caught:
        use(made)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.found and caught.value.remedy
    assert caught.value.expected.startswith("at most")
    assert peak < 10 * 2**20


def test_more_elements_than_bytes_are_a_finding() -> None:
    program = with_operand(MANY)
    assert verify(program)[0].rule is Rule.OPERAND
    with pytest.raises(ExecutionError, match="repeats its elements"):
        Session(program, verify=False)


@pytest.mark.parametrize("exponent", range(31, 41))
def test_memories_of_gigabytes_are_refused_with_the_chip(exponent: int) -> None:
    with pytest.raises(ChipError) as caught:
        load_chip("npu", [f"memory.sram.bytes={2**exponent}"])
    assert caught.value.found == str(2**exponent) and caught.value.remedy
    with pytest.raises(ChipError, match="20GiB"):
        load_chip("npu", ["memory.sram.bytes=20GiB"])


def test_dram_behind_the_last_tensor_is_not_allocated() -> None:
    tracemalloc.start()
    Session(with_dram(), poison=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


def test_only_what_a_program_uses_of_a_memory_is_allocated() -> None:
    program = two_layers(load_chip("npu", ["memory.sram.bytes=1GiB"]))
    assert program.reach == {"sram": 1536}
    tracemalloc.start()
    Session(program, poison=True)
    assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    tracemalloc.stop()


def test_an_address_far_up_takes_what_lies_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Just as much as is counted is accepted, a byte less is not."""
    program = two_layers(load_chip("npu", ["memory.sram.bytes=1GiB"]))
    fill = Fill(dst=block("sram", 2**28, (1,)), value=1.0)
    program = replace(program, issued=(*program.issued, Issued(0, fill)))
    assert program.reach == {"sram": 2**28 + 4}
    whole = simulation_bytes(program)
    assert whole > 2**28
    usable = [True] * len(program.issued)
    shadows = shadow_bytes(program, places_of(program), usable, granules_of(program, usable))
    assert shadows > 2**28 // 64 * 9
    monkeypatch.setattr(demand, "machine_memory", lambda: whole + shadows)
    assert verify(program) == []
    monkeypatch.setattr(demand, "machine_memory", lambda: whole + shadows - 1)
    with pytest.raises(ProgramTooLargeError, match="this machine") as caught:
        verify(program)
    assert str(whole) in caught.value.found and caught.value.remedy
    Session(program, verify=False)
    monkeypatch.setattr(demand, "machine_memory", lambda: whole - 1)
    with pytest.raises(ProgramTooLargeError, match="this machine"):
        Session(program, verify=False)


def test_limits_leave_room() -> None:
    """Operands as large as a memory of floats can be are accepted."""
    assert OPERAND.most * 4 <= 2**30 < PROGRAM_MEMORY.most
    with pytest.raises(NncError, match="x\n") as caught:
        OPERAND.check(OPERAND.most + 1, ProgramTooLargeError, "x", remedy="y")
    assert caught.value.found == f"{OPERAND.most + 1} elements"
    assert caught.value.expected == f"at most {OPERAND.most} elements"
    OPERAND.check(OPERAND.most, ProgramTooLargeError, "x", remedy="y")
