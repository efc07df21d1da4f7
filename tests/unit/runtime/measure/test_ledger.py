"""The DRAM ledger on hand-built transfers: every byte has the cause that its history gives it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Broadcast, Copy, Load, LoadRows, Store
from nnc.isa.operand import Operand, dense_strides
from nnc.isa.program import Issued, Note, Program, Tensor, TensorRole
from nnc.isa.timing.cost import dram_bytes
from nnc.isa.types import DType
from nnc.runtime.errors import ExecutionError
from nnc.runtime.measure.ledger import CAUSES, Ledger, make_ledger

# DRAM: constants 0–255, then input, output, boundary, spill of 256 bytes each (rows of 16 f32 = one burst).
BASE = {role: 256 * n for n, role in enumerate(("constant", "input", "output", "boundary", "spill"))}


def rows(role: str, first: int, count: int, columns: slice = slice(0, 16)) -> Operand:
    """Rows of the 4×16 f32 tensor of a role, or some columns of them."""
    address = BASE[role] + 64 * first + 4 * columns.start
    return Operand("dram", address, DType.F32, (count, columns.stop - columns.start), (64, 4))


def local(block: Operand) -> Operand:
    return Operand("sram", 0, block.dtype, block.shape, dense_strides(block.shape, 4))


def load(*args: Any) -> Load:
    return Load(dst=local(rows(*args)), src=rows(*args))


def store(*args: Any) -> Store:
    return Store(dst=rows(*args), src=local(rows(*args)))


def program(*instructions: Instruction, groups: tuple[int, ...] = ()) -> Program:
    tensors = tuple(Tensor(role, TensorRole(role), rows(role, 0, 4)) for role in BASE)
    notes = groups or (0,) * len(instructions)
    issued = tuple(Issued(0, i, note=Note(group=g)) for i, g in zip(instructions, notes, strict=True))
    return Program(load_chip("npu4"), tensors, np.zeros(256, np.uint8), issued, 1280)


def in_order(made: Program) -> Ledger:
    """The ledger of a program whose instructions are executed one after the other."""
    return make_ledger(made, range(len(made.issued)))


def causes(*instructions: Instruction) -> dict[str, int]:
    """The causes that are not zero; checks the sum on the way."""
    made = program(*instructions)
    ledger = in_order(made)
    assert ledger.total == sum(dram_bytes(i, made.chip) for i in instructions)
    assert tuple(ledger.whole) == CAUSES
    return {cause: count for cause, count in ledger.whole.items() if count}


@pytest.mark.parametrize(
    ("instructions", "expected"),
    [
        ([load("input", 0, 4)], {"input": 256}),
        ([load("input", 0, 3), load("input", 1, 3)], {"input": 256, "overlap": 128}),
        ([load("constant", 0, 4), load("constant", 0, 2)], {"weight": 256, "reload": 128}),
        ([store("output", 0, 2), store("output", 2, 2)], {"output": 256}),
        ([store("output", 0, 4), load("output", 0, 2)], {"output": 256, "spill": 128}),
        ([store("output", 0, 4), store("output", 0, 1)], {"output": 256, "spill": 64}),
        ([store("boundary", 0, 4), load("boundary", 0, 3), load("boundary", 2, 2)],
         {"spill": 512, "overlap": 64}),
        ([store("spill", 0, 1), load("spill", 0, 1), store("spill", 0, 1), load("spill", 0, 1)],
         {"spill": 256}),
        ([load("input", 0, 2, slice(4, 8))], {"input": 32, "align": 96}),
        ([load("input", 0, 2, slice(0, 8)), load("input", 0, 2, slice(4, 16))],
         {"input": 128, "overlap": 32, "align": 96}),
        ([Broadcast(dst=local(rows("constant", 0, 4)), src=rows("constant", 0, 4), cores=0b1111)],
         {"weight": 256}),
        ([Copy(dst=local(rows("input", 0, 4)), src=local(rows("input", 0, 4)))], {}),
    ],
)  # fmt: skip
def test_causes(instructions: list[Instruction], expected: dict[str, int]) -> None:
    assert causes(*instructions) == expected


def test_load_rows_counts_the_rows_it_fetches() -> None:
    index = Operand.dense("sram", 512, DType.I32, (3,))
    block = Operand.dense("sram", 0, DType.F32, (3, 16))
    assert causes(LoadRows(dst=block, src=rows("constant", 0, 4), index=index)) == {"weight": 192}


def test_groups_and_order() -> None:
    """The first reader in the order of execution has the first touch."""
    made = program(load("input", 0, 4), load("input", 0, 2), groups=(0, 1))
    assert in_order(made).groups[1]["overlap"] == 128
    late = make_ledger(made, order=(1, 0))
    assert (late.groups[0]["input"], late.groups[0]["overlap"], late.groups[1]["input"]) == (128, 128, 128)
    assert late.to_json()["total"] == late.total == 384


def test_tiles_of_a_constant_that_share_a_name_have_elements_of_their_own() -> None:
    """Two groups cut a constant into tiles of other sizes, from the same corner on."""
    sizes = {0: 16, 128: 24}
    blocks = [Operand.dense("dram", at, DType.F32, (count,)) for at, count in sizes.items()]
    tensors = tuple(Tensor("w[0]", TensorRole.CONSTANT, block, reserved=128) for block in blocks)
    moved = [Operand.dense("dram", at, DType.F32, (32,)) for at in sizes]
    issued = tuple(Issued(0, Load(dst=local(mine), src=mine), note=Note(group=0)) for mine in moved)
    made = Program(load_chip("npu4"), tensors, np.zeros(256, np.uint8), issued, 256)
    assert in_order(made).whole["weight"] == 4 * sum(sizes.values())


def test_a_transfer_outside_the_tensor_table_is_an_error() -> None:
    with pytest.raises(ExecutionError, match="tensor table"):
        causes(load("spill", 3, 2))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(BASE)), st.booleans(), st.integers(0, 3), st.integers(1, 4),
                          st.integers(0, 15), st.integers(1, 16)), min_size=1, max_size=12))  # fmt: skip
def test_equals_a_byte_by_byte_account(moves: list[tuple[str, bool, int, int, int, int]]) -> None:
    instructions: list[Instruction] = []
    for role, writes, first, count, left, width in moves:
        block = (role, first, min(count, 4 - first), slice(left, min(16, left + width)))
        can_write = role not in ("constant", "input")
        instructions.append(store(*block) if writes and can_write else load(*block))
    expected = dict.fromkeys(CAUSES, 0)
    seen: set[int] = set()
    written: set[int] = set()
    first_read = {"input": "input", "constant": "weight"}
    for i in instructions:
        block = i.dst if isinstance(i, Store) else i.src  # type: ignore[attr-defined]
        role = sorted(BASE, key=BASE.__getitem__)[block.address // 256]
        bytes_of = {s + b for s in block.runs()[0].tolist() for b in range(block.runs()[1])}
        expected["align"] += dram_bytes(i, load_chip("npu4")) - len(bytes_of)
        for byte in bytes_of:
            if isinstance(i, Store):
                cause = "output" if role == "output" and byte not in written else "spill"
                written.add(byte)
                seen.discard(byte)
            elif byte in seen:
                cause = "reload" if role == "constant" else "overlap"
            else:
                cause = first_read.get(role, "spill")
                seen.add(byte)
            expected[cause] += 1
    assert causes(*instructions) == {cause: count for cause, count in expected.items() if count}
