"""The verifier: conflicts of cores that share DRAM, of engines, and of broadcasts."""

from __future__ import annotations

from verifier_programs import (
    F32,
    at,
    block,
    program_of,
    rules,
)

from nnc.isa.chip.load import load_chip
from nnc.isa.instructions import (
    Broadcast,
    Copy,
    Fill,
    Load,
    LoadRows,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, TensorRole, Wait
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import Rule, verify


def strided_stores(first: int, second: int, waits: tuple[Wait, ...] = ()) -> Program:
    """Two cores store interleaved columns of one output; the columns start at `first` and `second`."""
    tensors = {"y": (TensorRole.OUTPUT, block("dram", 0, (8, 8)))}

    def column(start: int) -> Operand:
        return Operand("dram", start * 4, F32, (8, 4), (32, 8))

    sram = block("sram", 0, (8, 4))
    items = [Issued(core, Fill(dst=sram, value=0.0)) for core in (0, 1)]
    items += [Issued(0, Store(dst=column(first), src=sram), (at(0, "r", 0),))]
    items += [Issued(1, Store(dst=column(second), src=sram), (at(1, "r", 0), *waits))]
    return program_of(items, tensors, load_chip("npu4"))


def test_interleaved_stores_of_two_cores_do_not_conflict() -> None:
    assert verify(strided_stores(0, 1)) == []


def test_equal_columns_conflict() -> None:
    findings = verify(strided_stores(1, 1))
    assert rules(findings) == [Rule.OUTPUT, Rule.RACE]
    assert rules(verify(strided_stores(1, 1, (at(0, "w", 0),)))) == [Rule.OUTPUT]


def test_one_engine_serves_in_order_but_reads_row_numbers_at_issue() -> None:
    table = block("dram", 0, (32, 4))
    numbers, rows = block("dram", 512, (8,), DType.I32), block("sram", 64, (8, 4))
    index = block("sram", 0, (8,), DType.I32)
    tensors = {
        "table": (TensorRole.CONSTANT, table),
        "numbers": (TensorRole.INPUT, numbers),
        "y": (TensorRole.OUTPUT, block("dram", 576, (8, 4))),
    }

    def program(waits: tuple[Wait, ...]) -> Program:
        items = [
            (Load(dst=index, src=numbers), ()),
            (LoadRows(dst=rows, src=table, index=index), waits),
            (Load(dst=block("sram", 64, (8,), DType.I32), src=numbers), ()),  # same engine: after the rows
            (LoadRows(dst=rows, src=table, index=index), ()),
            (Store(dst=tensors["y"][1], src=rows), (at(0, "r", 3),)),
        ]
        return program_of(items, tensors, constants=512)

    assert verify(program((at(0, "r", 0),))) == []
    findings = verify(program(()))
    assert {(finding.rule, finding.index) for finding in findings} == {(Rule.RACE, 1), (Rule.RACE, 3)}


def broadcast(waits: dict[int, tuple[Wait, ...]], mask: int = 0b1111, chip: str = "npu4") -> Program:
    """Core 0 broadcasts x twice into the same buffer; four cores copy both and store their own part of y."""
    x = block("dram", 0, (2, 16))
    y = block("dram", 128, (8, 16))
    tensors = {"x": (TensorRole.INPUT, x), "y": (TensorRole.OUTPUT, y)}
    row, result = block("sram", 0, (1, 16)), block("sram", 64, (2, 16))
    items = []
    for step in (0, 1):
        source = block("dram", 64 * step, (1, 16))
        items.append(Issued(0, Broadcast(dst=row, src=source, cores=mask), waits.get(step, ())))
        for core in range(4):
            part = block("sram", 64 + 64 * step, (1, 16))
            items.append(Issued(core, Copy(dst=part, src=row), (at(0, "r", step),)))
    for core in range(4):
        store = Store(dst=block("dram", 128 + 128 * core, (2, 16)), src=result)
        items.append(Issued(core, store, (at(core, "c", 1),)))
    return program_of(items, tensors, load_chip(chip))


ALL_COPIED = tuple(at(core, "c", 0) for core in range(4))


def test_broadcast_writes_every_core() -> None:
    assert verify(broadcast({1: ALL_COPIED})) == []
    findings = verify(broadcast({1: ALL_COPIED}, mask=0b1011))
    assert rules(findings) == [Rule.UNWRITTEN]
    assert [finding.place for finding in findings] == ["k2.c0 copy", "k2.c1 copy"]


def test_broadcast_waits_for_every_core() -> None:
    (finding,) = verify(broadcast({1: ALL_COPIED[:3]}))
    assert finding.rule is Rule.RACE and finding.place == "k0.r1 broadcast" and "k3.c0" in finding.message


def test_cores_and_broadcast_exist() -> None:
    assert Rule.CORE in rules(verify(broadcast({1: ALL_COPIED}, mask=0b11111)))
    assert Rule.CORE in rules(verify(broadcast({1: ALL_COPIED}, chip="npu")))
    assert Rule.CORE in rules(verify(broadcast({1: ALL_COPIED}, mask=0)))
