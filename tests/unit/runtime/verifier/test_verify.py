"""The verifier: sound programs verify clean, every kind of mutation is caught under its own rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from verifier_programs import (
    F32,
    SW,
    TABLE,
    X,
    at,
    block,
    change,
    drop,
    program_of,
    rules,
    two_layers,
)

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Phase
from nnc.isa.instructions import (
    Copy,
    Load,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Tensor, TensorRole, Wait
from nnc.isa.types import DType
from nnc.runtime.errors import VerificationError
from nnc.runtime.verifier.verify import Rule, check, verify


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


def test_only_inputs_and_outputs_may_have_no_elements() -> None:
    for role in TensorRole:
        nothing = TABLE | {"z": (role, block("dram", 1280, (4, 0)))}
        found = verify(program_of(two_layers().issued, nothing, constants=1024))
        assert rules(found) == ([] if role in (TensorRole.INPUT, TensorRole.OUTPUT) else [Rule.TABLE])


def test_padding_is_plausible() -> None:
    """Elements of a constant or a boundary, none twice, not all, of one value, in a place of their own."""
    sound = two_layers()
    program = replace(sound, constants=np.arange(1024, dtype=np.uint32).view(np.uint8)[:1024])
    program.constants[64:192] = 0
    w, x, y = program.tensors
    rows = block("dram", 64, (2, 16))

    def found(index: int, tensor: Tensor) -> str:
        table = [*program.tensors]
        table[index] = tensor
        findings = verify(replace(program, tensors=tuple(table)))
        assert {finding.rule for finding in findings} <= {Rule.TABLE}
        return findings[0].message if findings else ""

    assert found(0, replace(w, padding=(rows,))) == ""
    assert found(0, replace(w, padding=(block("dram", 64, (16,)), block("dram", 128, (16,))))) == ""
    assert "more than one value" in found(0, replace(w, padding=(block("dram", 0, (3, 16)),)))
    assert "more than one value" in found(0, replace(w, padding=(rows, block("dram", 4, (1,)))))
    assert "twice" in found(0, replace(w, padding=(rows, block("dram", 64, (1,)))))
    assert "twice" in found(0, replace(w, padding=(replace(rows, strides=(0, 4)),)))
    assert "no part of" in found(0, replace(w, padding=(block("dram", 1000, (8,)),)))
    assert "no part of" in found(0, replace(w, padding=(block("dram", 64, (2, 16), DType.I32),)))
    assert "do not start at" in found(0, replace(w, padding=(block("dram", 66, (1,)),)))
    assert "strides" in found(0, replace(w, padding=(replace(rows, shape=(2,)),)))
    columns = replace(w, block=Operand("dram", 0, F32, (16, 15), (64, 4)), reserved=1024)
    assert "between its elements" in found(0, replace(columns, padding=(rows,)))
    assert "an input" in found(1, replace(x, padding=(block("dram", 1024, (1,)),)))
    assert "an output" in found(2, replace(y, padding=(block("dram", 1280, (1,)),)))
    twin = replace(program, tensors=(replace(w, padding=(rows,)), x, y, replace(w, name="again")))
    assert "shares its place" in verify(twin)[0].message
    between = replace(program, dram_bytes=1600)
    place = block("dram", 1536, (16,))
    whole = Tensor("z", TensorRole.BOUNDARY, place, padding=(place,))
    assert "nothing but padding" in verify(replace(between, tensors=(w, x, y, whole)))[0].message


def test_check_shows_ten_findings_and_counts_all() -> None:
    program = two_layers()
    many = [Issued(0, Copy(dst=block("sram", 4096), src=block("sram", 8192))) for _ in range(14)]
    with pytest.raises(VerificationError) as caught:
        check(replace(program, issued=(*program.issued, *many)), where="a.bin")
    assert caught.value.where == "a.bin" and "and 4 more" in caught.value.found
    assert caught.value.found.count("unwritten: k0.c") == 10


def test_a_store_over_constants_of_what_nothing_wrote_has_both_findings() -> None:
    program = two_layers()
    store = Issued(0, Store(dst=block("dram", 0), src=block("sram", 8192)))
    found = rules(verify(replace(program, issued=(*program.issued, store))))
    assert {Rule.READ_ONLY, Rule.UNWRITTEN} <= {*found}
