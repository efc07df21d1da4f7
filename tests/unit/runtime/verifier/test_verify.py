"""The verifier: sound programs verify clean, every kind of mutation is caught under its own rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.functions import Function
from nnc.isa.instruction import ENGINES, Instruction, Phase
from nnc.isa.instructions import (
    Broadcast,
    Copy,
    Elementwise,
    Fill,
    Gemm,
    Load,
    LoadRows,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait
from nnc.isa.timing.accesses import touched
from nnc.isa.types import DType
from nnc.runtime.errors import VerificationError
from nnc.runtime.verifier.verify import Finding, Rule, check, verify

READ, COMPUTE, WRITE = ENGINES
F32 = DType.F32


def block(memory: str, address: int, shape: tuple[int, ...] = (4, 16), dtype: DType = F32) -> Operand:
    return Operand.dense(memory, address, dtype, shape)


def rules(findings: Iterable[Finding]) -> list[Rule]:
    return sorted({finding.rule for finding in findings}, key=lambda rule: rule.value)


def at(core: int, engine: str, index: int) -> Wait:
    return Wait(core, {"r": READ, "c": COMPUTE, "w": WRITE}[engine], index)


def program_of(
    issued: Iterable[tuple[Instruction, tuple[Wait, ...]] | Issued],
    tensors: dict[str, tuple[TensorRole, Operand]],
    chip: Chip | None = None,
    constants: int = 0,
) -> Program:
    items = tuple(item if isinstance(item, Issued) else Issued(0, *item) for item in issued)
    table = tuple(Tensor(name, role, where) for name, (role, where) in tensors.items())
    end = max(tensor.block.hull[1] for tensor in table)
    return Program(chip or load_chip("npu"), table, np.zeros(constants, np.uint8), items, end)


W, X, Y = block("dram", 0, (16, 16)), block("dram", 1024), block("dram", 1280)
SX, SW, SY = block("sram", 0), block("sram", 256, (16, 16)), block("sram", 1280)
TABLE = {"w": (TensorRole.CONSTANT, W), "x": (TensorRole.INPUT, X), "y": (TensorRole.OUTPUT, Y)}


def two_layers(chip: Chip | None = None) -> Program:
    """y = relu(x · w): two loads, gemm, element-wise in place, store."""
    return program_of(
        [
            (Load(dst=SX, src=X), ()),
            (Load(dst=SW, src=W), ()),
            (Gemm(src=SX, weight=SW, dst=SY), (at(0, "r", 1),)),
            (Elementwise(dst=SY, srcs=(SY,), function=Function.RELU), ()),
            (Store(dst=Y, src=SY), (at(0, "c", 1),)),
        ],
        TABLE,
        chip,
        constants=1024,
    )


def change(program: Program, index: int, waits: tuple[Wait, ...] | None = None, **fields: object) -> Program:
    """The program with other fields or waits of one instruction."""
    items = list(program.issued)
    item = items[index]
    changed = replace(item.instruction, **fields)  # type: ignore[arg-type]
    items[index] = replace(item, instruction=changed, waits=item.waits if waits is None else waits)
    return replace(program, issued=tuple(items))


def drop(program: Program, index: int) -> Program:
    items = program.issued[:index] + program.issued[index + 1 :]
    return replace(program, issued=items)


def test_a_sound_program_is_clean() -> None:
    assert verify(two_layers()) == []
    check(two_layers())


@pytest.mark.parametrize(("index", "place"), [(2, "k0.c0 gemm"), (4, "k0.w0 store")])
def test_a_missing_wait_is_a_race(index: int, place: str) -> None:
    findings = verify(change(two_layers(), index, waits=()))
    assert Rule.RACE in rules(findings)
    assert {finding.place for finding in findings if finding.rule is Rule.RACE} == {place}


def test_a_wait_that_is_too_early_is_a_race() -> None:
    (finding,) = verify(change(two_layers(), 2, waits=(at(0, "r", 0),)))
    assert finding.rule is Rule.RACE and finding.index == 2 and "k0.r1" in finding.message


def test_a_shifted_source_reads_unwritten_bytes() -> None:
    (finding,) = verify(change(two_layers(), 4, src=block("sram", 1284)))
    assert finding.rule is Rule.UNWRITTEN and "reads 4 bytes" in finding.message


def test_a_shifted_destination_leaves_the_output_incomplete() -> None:
    table = TABLE | {"z": (TensorRole.SCRATCH, block("dram", 1280, (8, 16)))}
    shifted = change(program_of(two_layers().issued, table, constants=1024), 4, dst=block("dram", 1284))
    (finding,) = verify(shifted)
    assert finding.rule is Rule.OUTPUT and finding.message == "4 bytes are never written"
    assert finding.place == "tensor y" and finding.index is None


def test_a_dropped_store_leaves_the_output_unwritten() -> None:
    (finding,) = verify(drop(two_layers(), 4))
    assert finding.rule is Rule.OUTPUT and finding.message == "256 bytes are never written"


def test_a_dropped_load_is_an_unwritten_read() -> None:
    program = change(drop(two_layers(), 1), 1, waits=(at(0, "r", 0),))
    (finding,) = verify(program)
    assert finding.rule is Rule.UNWRITTEN and finding.place == "k0.c0 gemm"


def test_a_wait_for_nothing() -> None:
    findings = verify(change(two_layers(), 4, waits=(at(0, "c", 1), at(0, "c", 2), at(1, "r", 0))))
    assert [finding.rule for finding in findings] == [Rule.WAIT, Rule.WAIT]
    assert "@k0.c2" in findings[0].message and "@k1.r0" in findings[1].message


@pytest.mark.parametrize("waits", [(at(0, "c", 1),), (at(0, "r", 0),), (at(0, "w", 0),)])
def test_cyclic_waits_deadlock(waits: tuple[Wait, ...]) -> None:
    findings = verify(change(two_layers(), 0, waits=waits))
    assert rules(findings) == [Rule.DEADLOCK]
    assert findings[0].index == 0 and len(findings) == 3


def test_an_output_written_twice() -> None:
    program = two_layers()
    again = Issued(0, Store(dst=block("dram", 1280, (1, 16)), src=block("sram", 1280, (1, 16))))
    (finding,) = verify(replace(program, issued=(*program.issued, again)))
    assert finding.rule is Rule.OUTPUT and finding.index == 5 and "64 bytes" in finding.message


@pytest.mark.parametrize(
    ("index", "fields", "rule"),
    [
        (2, {"src": block("dram", 1024)}, Rule.MEMORY),
        (0, {"src": block("sram", 0)}, Rule.MEMORY),
        (0, {"dst": block("dram", 1024)}, Rule.MEMORY),
        (4, {"src": block("bank7", 0)}, Rule.MEMORY),
        (0, {"dst": block("sram", 512 * 1024 - 128)}, Rule.BOUNDS),
        (0, {"dst": Operand("sram", 0, F32, (4, 16), (-64, 4))}, Rule.BOUNDS),
        (0, {"src": block("dram", 1344)}, Rule.BOUNDS),
        (4, {"dst": block("dram", 10**6)}, Rule.BOUNDS),
        (2, {"dst": block("sram", 1282)}, Rule.ALIGNMENT),
        (2, {"dst": Operand("sram", 1280, F32, (4, 16), (66, 4))}, Rule.ALIGNMENT),
        (0, {"dst": Operand("sram", 0, F32, (4, 16), (0, 4))}, Rule.OPERAND),
        (0, {"dst": Operand("sram", 0, F32, (4, 16), (32, 4))}, Rule.OPERAND),
        (0, {"dst": Operand("sram", 0, F32, (4, 16), (4,))}, Rule.OPERAND),
        (0, {"dst": block("sram", 0, (4, 0))}, Rule.OPERAND),
        (0, {"dst": block("sram", 0, (16, 4))}, Rule.SHAPE),
        (0, {"dst": block("sram", 0, dtype=DType.I32)}, Rule.SHAPE),
        (2, {"weight": block("sram", 256, (8, 32))}, Rule.SHAPE),
        (2, {"bias": block("sram", 256, (8,))}, Rule.SHAPE),
        (2, {"phase": Phase.START}, Rule.SHAPE),
        (4, {"dst": block("dram", 0)}, Rule.READ_ONLY),
        (4, {"dst": X}, Rule.READ_ONLY),
    ],
)
def test_bad_operands(index: int, fields: dict[str, object], rule: Rule) -> None:
    findings = verify(change(two_layers(), index, **fields))
    assert rule in {finding.rule for finding in findings if finding.index == index}


def test_placement_follows_the_chip() -> None:
    program = two_layers()
    banked = load_chip("npu-banked")

    def move(operand: Operand) -> Operand:
        return replace(operand, memory={"sram": "bank1"}.get(operand.memory, operand.memory))

    items = []
    for item in program.issued:
        fields = {
            name: tuple(map(move, value)) if isinstance(value, tuple) else move(value)
            for name, value in vars(item.instruction).items()
            if isinstance(value, Operand) or (isinstance(value, tuple) and value)
        }
        items.append(replace(item, instruction=replace(item.instruction, **fields)))
    wrong = replace(program, chip=banked, issued=tuple(items))
    (finding,) = verify(wrong)
    assert finding.rule is Rule.PLACEMENT and "weight of gemm lies in bank2" in finding.message
    in_bank2 = replace(SW, memory="bank2", address=0)
    assert verify(change(change(wrong, 1, dst=in_bank2), 2, weight=in_bank2)) == []


def test_element_types_follow_the_chip() -> None:
    data = load_chip("npu").model_dump()
    data["operands"]["gemm"] = {"feature": {"memories": ["sram"], "dtypes": ["i8"]}}
    (finding,) = verify(two_layers(Chip.model_validate(data)))
    assert finding.rule is Rule.PLACEMENT and "is i8" in finding.message


def test_dma_alignment_follows_the_chip() -> None:
    chip = load_chip("npu", ["dram.align=64"])
    assert verify(two_layers(chip)) == []
    narrow = Load(dst=block("sram", 0, (4, 8)), src=Operand("dram", 1024, F32, (4, 8), (64, 4)))
    program = two_layers(chip)
    findings = verify(replace(program, issued=(*program.issued, Issued(0, narrow, (at(0, "c", 1),)))))
    assert rules(findings) == [Rule.ALIGNMENT]


def test_tensor_table() -> None:
    inside = TABLE | {"z": (TensorRole.BOUNDARY, block("dram", 512))}
    findings = verify(program_of(two_layers().issued, inside, constants=1024))
    assert rules(findings) == [Rule.TABLE] and findings[0].place == "tensor z"
    assert rules(verify(replace(two_layers(), dram_bytes=1500))) == [Rule.TABLE]
    assert rules(verify(two_layers(load_chip("npu", ["dram.bytes=1KiB"])))) == [Rule.TABLE]


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


def test_check_shows_ten_findings_and_counts_all() -> None:
    program = two_layers()
    many = [Issued(0, Copy(dst=block("sram", 4096), src=block("sram", 8192))) for _ in range(14)]
    with pytest.raises(VerificationError) as caught:
        check(replace(program, issued=(*program.issued, *many)), where="a.bin")
    assert caught.value.where == "a.bin" and "and 4 more" in caught.value.found
    assert caught.value.found.count("unwritten: k0.c") == 10


# --- against brute force -----------------------------------------------------------------------------------


@st.composite
def tangles(draw: st.DrawFn) -> Program:
    """Two cores that load, copy, gather rows, broadcast and store small strided blocks, with random waits."""
    chip = load_chip("npu4", ["cores=2"])
    tensors = {
        "table": (TensorRole.CONSTANT, block("dram", 0, (16,))),
        "x": (TensorRole.INPUT, block("dram", 64, (16,))),
        "y": (TensorRole.OUTPUT, block("dram", 128, (12,))),
        "s": (TensorRole.SPILL, block("dram", 64, (40,))),  # may alias: bytes count, not tensors
    }

    def some(memory: str, low: int, high: int) -> Operand:
        step = draw(st.sampled_from([-2, -1, 1, 2, 3]))
        first = draw(st.integers(low + max(0, -step), high - 1 - max(0, step)))
        return Operand(memory, 4 * first, F32, (2,), (4 * step,))

    items: list[Issued] = []
    counts: dict[tuple[int, object], int] = {}
    serial = draw(st.integers(0, 2)) > 0  # mostly each waits for all before, with a few exceptions
    for _ in range(draw(st.integers(2, 12))):
        core = draw(st.integers(0, 1))
        kind = draw(st.sampled_from(["load", "copy", "store", "rows", "broadcast"]))
        chosen: Instruction
        if kind == "load":
            source = some("dram", 0, 16) if draw(st.booleans()) else some("dram", 16, 56)
            chosen = Load(dst=some("sram", 0, 8), src=source)
        elif kind == "broadcast":
            chosen = Broadcast(
                dst=some("sram", 0, 8), src=some("dram", 16, 56), cores=draw(st.integers(1, 3))
            )
        elif kind == "rows":
            index = replace(some("sram", 0, 8), dtype=DType.I32)
            chosen = LoadRows(dst=some("sram", 0, 8), src=block("dram", 64, (16,)), index=index)
        elif kind == "copy":
            chosen = Copy(dst=some("sram", 0, 8), src=some("sram", 0, 8))
        else:
            chosen = Store(dst=some("dram", 32, 56), src=some("sram", 0, 8))
        reached = sorted(counts, key=str)
        names = draw(st.lists(st.sampled_from(reached), max_size=2)) if reached else []
        waits = tuple(Wait(*name, draw(st.integers(0, counts[name] - 1))) for name in names)  # type: ignore[arg-type]
        if serial and draw(st.integers(0, 9)) > 0:
            waits = tuple(Wait(*name, counts[name] - 1) for name in reached)  # type: ignore[arg-type]
        items.append(Issued(core, chosen, waits))
        key = (core, chosen.engine)
        counts[key] = counts.get(key, 0) + 1
    return program_of(items, tensors, chip, constants=64)


def happens_before(program: Program) -> nx.DiGraph:
    """All orderings between issue, service and completion of the instructions, as a transitive closure."""
    graph = nx.DiGraph()
    streams: dict[tuple[int, object], list[int]] = {}
    for i, item in enumerate(program.issued):
        streams.setdefault((item.core, item.instruction.engine), []).append(i)
        graph.add_edges_from([(("issue", i), ("serve", i)), (("serve", i), ("done", i))])
    for members in streams.values():
        for a, b in pairwise(members):
            graph.add_edges_from([(("issue", a), ("issue", b)), (("done", a), ("serve", b))])
    for i, item in enumerate(program.issued):
        for wait in item.waits:
            graph.add_edge(("done", streams[wait.core, wait.engine][wait.index]), ("issue", i))
    return nx.transitive_closure_dag(graph)


def cells(operand: Operand) -> set[int]:
    offsets = np.add.outer(
        np.arange(operand.shape[0]) * operand.strides[0], np.arange(operand.dtype.itemsize)
    )
    return {int(value) for value in (offsets + operand.address).ravel()}


@settings(max_examples=400, deadline=None)
@given(tangles())
def test_equals_brute_force_over_single_bytes(program: Program) -> None:
    graph = happens_before(program)
    accesses: list[tuple[int, str, set[tuple[str, int, int]], bool, bool]] = []
    for i in range(len(program.issued)):
        for memory, core, where, access, at_issue in touched(program, i):
            bytes_ = {(memory, core, b) for b in cells(where)}
            accesses.append((i, "issue" if at_issue else "serve", bytes_, access.reads, access.writes))

    def before(a: int, b: int, event: str) -> bool:
        return bool(graph.has_edge(("done", a), (event, b)))

    racing = set()
    for (i, event_i, bytes_i, _, writes_i), (j, event_j, bytes_j, _, writes_j) in combinations(accesses, 2):
        ordered = i == j or before(i, j, event_j) or before(j, i, event_i)
        if not ordered and (writes_i or writes_j) and bytes_i & bytes_j:
            racing |= {i, j}
    findings = verify(program)
    raced = {finding.index for finding in findings if finding.rule is Rule.RACE}
    assert raced <= racing and bool(raced) == bool(racing)
    if racing:
        return
    unwritten = set()
    for i, event, bytes_, reads, _ in accesses:
        given_ = {("dram", -1, b) for b in range(128)}
        for j, _, other, _, writes in accesses:
            if writes and i != j and before(j, i, event):
                given_ |= other
        if reads and not bytes_ <= given_:
            unwritten.add(i)
    assert {f.index for f in findings if f.rule is Rule.UNWRITTEN} == unwritten
    stores = [bytes_ for _, _, bytes_, _, writes in accesses if writes and next(iter(bytes_))[0] == "dram"]
    times = [sum(("dram", -1, b) in bytes_ for bytes_ in stores) for b in range(128, 176)]
    assert (Rule.OUTPUT in rules(findings)) == any(count != 1 for count in times)
