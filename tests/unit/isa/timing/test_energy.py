"""Counts of instructions against brute force; energy by cause, whole and in parts."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import nnc
from nnc import models
from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data, load_chip
from nnc.isa.codec.scanner import Scanner
from nnc.isa.instruction import INSTRUCTIONS, Engine, Instruction, Role
from nnc.isa.instructions.mac import ConvTranspose
from nnc.isa.instructions.mac_instruction import MacInstruction
from nnc.isa.instructions.recurrent import Recurrence
from nnc.isa.operand import Operand
from nnc.isa.reference.pages import examples
from nnc.isa.timing.cost import cycles
from nnc.isa.timing.energy import Activity, activities, counts, energy, macs_of, total

NPU = load_chip("npu")
MOVES = {"copy", "gather", "gather_elements", "pad", "scatter"}
"""Mnemonics of what the vector unit moves: it takes cycles, and no operation."""
FIGURES: dict[str, Any] = {
    "mac": {"i8": 0.5, "f16": 2, "f32": 4},
    "operation": {"i8": 0.25, "f16": 0.5, "f32": 1},
    "memory": {"sram": {"read": 8, "write": 16}},
    "dram": 128,
    "broadcast": 32,
    "static": 512,
}


def with_energy(chip: str = "npu", **changes: Any) -> Chip:
    data = load_chip(chip).model_dump(mode="json")
    return chip_from_data({**data, "energy": {**FIGURES, **changes}}, "here")


def parsed(text: str) -> Instruction:
    return parse_instruction(Scanner(text, ""))


def narrow(chip: Chip = NPU) -> Chip:
    """One product or operation in a cycle, words of a byte, no bound on results: its cycles are counts."""
    data = chip.model_dump(mode="json")
    ones = dict.fromkeys(("i8", "f16", "f32"), 1)
    data["compute"] |= {"arrays": {cls: ["1x1"] for cls in ones}, "depthwise": {}, "elementwise": ones}
    data["compute"] |= {"issue": 0, "result_bytes_per_cycle": 2**31}
    data["memory"] = {name: {**memory, "word": 1} for name, memory in data["memory"].items()}
    return chip_from_data(data, "narrow")


# --- operations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mnemonic", sorted(INSTRUCTIONS))
def test_operations_of_examples_are_the_cycles_of_a_chip_that_does_one_at_a_time(mnemonic: str) -> None:
    instruction = examples()[INSTRUCTIONS[mnemonic]]
    if isinstance(instruction, MacInstruction):
        assert instruction.macs == cycles(instruction, narrow())
    elif isinstance(instruction, Recurrence):  # its additions are in the epilogue of the array
        array, vector, _ = instruction.by_unit(narrow())
        additions = instruction.src.elements
        assert (instruction.macs, instruction.operations) == (array, vector + additions)
    elif instruction.engine is not Engine.COMPUTE or mnemonic in MOVES:
        assert (instruction.macs, instruction.operations) == (0, 0)
    else:
        assert (instruction.macs, instruction.operations) == (0, cycles(instruction, narrow()))


CONV = (
    "conv sram+0x8000 {t}[1,6,5,12] <- sram+0x0 {t}[1,11,5,{c}], weight=sram+0x4000 {t}[3,1,{k},12]{more}, "
    "stride=2,1 dilation=1,1 pad_begin=1,0 groups={g}{act}"
)


@pytest.mark.parametrize(("channels", "groups"), [(8, 1), (8, 4), (12, 12)])
def test_products_of_a_convolution(channels: int, groups: int) -> None:
    """Of a window that reaches over the edge all are done."""
    text = CONV.format(t="i8", c=channels, k=channels // groups, g=groups, more="", act="")
    pairs = [1 for _ in product(range(6), range(5), range(12), range(3), range(channels // groups))]
    assert counts(parsed(text), NPU).macs == {"i8": len(pairs)} == {"i8": macs_of(parsed(text))}


@pytest.mark.parametrize(("pad", "stride", "dilation"), [*product((-3, 0, 2), (1, 2, 3), (1, 2))])
def test_products_of_a_transposed_convolution_land_inside(pad: int, stride: int, dilation: int) -> None:
    text = (
        f"conv_transpose sram+0x8000 f16[2,7,9,6] <- sram+0x0 f16[2,4,3,8], weight=sram+0x4000 f16[3,2,8,3], "
        f"stride={stride},1 dilation={dilation},1 pad_begin={pad},1 groups=2"
    )
    rows = [1 for x, k in product(range(4), range(3)) if 0 <= x * stride + k * dilation - pad < 7]
    columns = [1 for x, k in product(range(3), range(2)) if 0 <= x + k - 1 < 9]
    found = parsed(text)
    assert isinstance(found, ConvTranspose)
    assert counts(found, NPU).macs.get("f16", 0) == 2 * len(rows) * len(columns) * 8 * 3
    assert found.macs <= found.on_array(NPU).pixels.total * 3 * 2 * 8 * 6 // 2


def test_products_of_matrices() -> None:
    text = "gemm sram+0x8000 f32[4,6,7] <- sram+0x0 f32[4,6,5], weight=sram+0x4000 f32[{}5,7]"
    assert [macs_of(parsed(text.format(batch))) for batch in ("", "4,")] == [4 * 6 * 7 * 5] * 2


@pytest.mark.parametrize(
    ("more", "act", "stages"),
    [
        ("", "", 0),
        (", bias=sram+0x9000 {s}[12]", "", 1),
        (", bias=sram+0x9000 {s}[12]", " act=relu", 2),
        (", bias=sram+0x9000 {s}[12], residual=sram+0xa000 {t}[1,6,5,12]", " act=relu", 3),
        (", scale=sram+0x9400 f32[12]", "", 1),
    ],
)
@pytest.mark.parametrize(("t", "s"), [("f32", "f32"), ("i8", "i32")])
def test_an_epilogue_takes_an_operation_for_each_stage(
    t: str, s: str, more: str, act: str, stages: int
) -> None:
    text = CONV.format(t=t, c=8, k=8, g=1, more=more.format(s=s, t=t), act=act)
    rounding = t == "i8"
    each = 6 * 5 * 12
    assert counts(parsed(text), NPU).operations.get("f32", 0) == (stages + rounding) * each


def test_partial_sums_are_added_by_operations() -> None:
    base = "sram+0x0 f16[8,256], weight=sram+0x4000 f16[256,64], accumulator=sram+0x2000 f32[8,64]"
    start, add = (counts(parsed(f"gemm <- {base}, phase={phase}"), NPU) for phase in ("start", "add"))
    finish = counts(parsed(f"gemm sram+0x9000 f16[8,64] <- {base}, phase=finish act=relu"), NPU)
    assert (start.operations, add.operations, finish.operations) == ({}, {"f32": 512}, {"f32": 1024})
    assert start.macs == add.macs == finish.macs == {"f16": 8 * 256 * 64}
    sums = 8 * 64 * 4
    assert (start.written_bytes, add.written_bytes) == ({"sram": sums}, {"sram": sums})
    assert finish.written_bytes == {"sram": sums // 2}
    read = [one.read_bytes["sram"] for one in (start, add, finish)]
    assert read == [read[0], read[0] + sums, read[0] + sums]


# --- bytes -------------------------------------------------------------------------------------------------


def fed(pixels: int, channels: int, depth: int, units: int, lanes: int) -> tuple[int, int]:
    """Features and weights that an array of one shape takes, counted cycle by cycle."""
    features = weights = 0
    for first, channel in product(range(0, pixels, units), range(0, channels, lanes)):
        features += depth * len(range(first, min(first + units, pixels)))
        weights += depth * len(range(channel, min(channel + lanes, channels)))
    return features, weights


@pytest.mark.parametrize(("rows", "columns", "depth"), [(4, 3, 5), (64, 16, 9), (65, 17, 3), (200, 40, 7)])
@pytest.mark.parametrize("layout", ["channels", "pixels"])
def test_the_array_is_fed_a_feature_per_unit_and_a_weight_per_lane(
    rows: int, columns: int, depth: int, layout: str
) -> None:
    chip = load_chip("npu", [f"compute.map={layout}", 'compute.arrays.i8=["16x64"]'])
    lanes, units = (16, 64) if layout == "channels" else (64, 16)
    text = f"gemm sram+0x8000 i8[{rows},{columns}] <- sram+0x0 i8[{rows},{depth}], weight=sram+0x4000 "
    features, weights = fed(rows, columns, depth, units, lanes)
    found = counts(parsed(text + f"i8[{depth},{columns}]"), chip)
    assert found.read_bytes == {"sram": features + weights}
    assert found.written_bytes == {"sram": rows * columns}


def test_of_the_fastest_shapes_the_array_takes_the_one_that_reads_least() -> None:
    """1,024 products: 16 × 64 and 64 × 16 take 80 bytes a cycle, 32 × 32 takes 64."""
    text = "gemm sram+0x8000 i8[128,128] <- sram+0x0 i8[128,8], weight=sram+0x4000 i8[8,128]"
    assert counts(parsed(text), NPU).read_bytes == {"sram": 16 * 8 * 64}


def test_groups_are_fed_one_after_the_other_or_at_the_depthwise_rate() -> None:
    base = "conv sram+0x8000 i8[1,8,8,{c}] <- sram+0x0 i8[1,8,8,{c}], weight=sram+0x4000 i8[3,3,{k},{c}], "
    rest = "stride=1,1 dilation=1,1 pad_begin=1,1 groups={g}"
    four = counts(parsed((base + rest).format(c=64, k=16, g=4)), NPU)
    features, weights = fed(64, 16, 9 * 16, 64, 16)
    assert four.read_bytes == {"sram": 4 * (features + weights)}
    alone = counts(parsed((base + rest).format(c=64, k=1, g=64)), NPU)
    assert alone.read_bytes == {
        "sram": 64 * 64 * 9 + 64 * 9 * 64 // 4
    }  # 256 products: 4 pixels of all channels


@pytest.mark.parametrize("mnemonic", sorted(INSTRUCTIONS))
def test_operands_of_examples_are_read_and_written_once(mnemonic: str) -> None:
    """But for features and weights of the array, and what a gather takes of its source."""
    instruction = examples()[INSTRUCTIONS[mnemonic]]
    activity, read, written = counts(instruction, load_chip("vdsp12")), 0, 0
    for block, access, role in instruction.accesses():
        nbytes = 0 if role is Role.EXTERNAL else len(distinct(block)) * block.dtype.itemsize
        nbytes *= 4 if mnemonic == "broadcast" else 1
        read += nbytes * access.reads
        written += nbytes * access.writes
    assert sum(activity.written_bytes.values()) == written
    if isinstance(instruction, MacInstruction | Recurrence):
        assert sum(activity.read_bytes.values()) >= read
    elif "gather" not in mnemonic:
        assert sum(activity.read_bytes.values()) == read
    else:
        assert activity.read_bytes == {"sram": instruction.dst.nbytes + instruction.index.nbytes}


def distinct(block: Operand) -> set[int]:
    """Addresses of the elements of a block."""
    steps = [np.arange(n) * stride for n, stride in zip(block.shape, block.strides, strict=True)]
    return {sum(map(int, offsets)) for offsets in product(*steps)}


def test_bytes_of_a_broadcast_arrive_in_every_core() -> None:
    text = "broadcast am+0x0 f32[3,3,64,32] <- dram+0x400 f32[3,3,64,32], cores=15"
    found, nbytes = counts(parsed(text), load_chip("vdsp12")), 9 * 64 * 32 * 4
    assert found == Activity({}, {}, {}, {"am": 4 * nbytes}, nbytes, 4 * nbytes)
    two = counts(parsed(text), load_chip("vdsp12", ["cores=2"]))
    assert (two.broadcast_bytes, two.dram_bytes) == (2 * nbytes, nbytes)


def test_the_dram_moves_whole_bursts_and_what_is_repeated_is_read_once() -> None:
    load = counts(parsed("load sram+0x0 f32[8,3] <- dram+0x0 f32[8,3]{256,4}"), NPU)
    assert load == Activity({}, {}, {}, {"sram": 96}, 8 * 64, 0)
    store = counts(parsed("store dram+0x0 f32[16,8] <- sram+0x0 f32[16,8]{0,4}"), NPU)
    assert store == Activity({}, {}, {"sram": 32}, {}, 512, 0)


def test_instructions_alike_but_for_addresses_are_told_apart_where_bursts_are() -> None:
    """Two loads of 64 bytes at the start of a burst, one of as many across two."""
    text = "load sram+0x{:x} i8[64] <- dram+0x{:x} i8[64]"
    loads = [parsed(text.format(*places)) for places in ((0, 0), (64, 128), (0, 32))]
    assert [one.dram_bytes for one in activities(loads, NPU)] == [64, 64, 128]


# --- energy ------------------------------------------------------------------------------------------------


def test_energy_by_cause() -> None:
    chip = with_energy()
    activity = Activity({"i8": 10, "f32": 1}, {"f16": 6}, {"sram": 3}, {"sram": 5}, 64, 2)
    assert energy(activity, chip, cycles=2) == {
        "mac": 9.0,
        "vector": 3.0,
        "read sram": 24.0,
        "write sram": 80.0,
        "dram": 8192.0,
        "broadcast": 64.0,
        "static": 1024.0,
    }
    assert energy(Activity(), chip) == dict.fromkeys(energy(activity, chip) or {}, 0.0)


def test_every_core_is_on() -> None:
    found = energy(Activity(), with_energy("npu4"), cycles=3)
    assert found is not None and found["static"] == 4 * 3 * 512


def test_without_figures_there_is_no_energy() -> None:
    data = NPU.model_dump(mode="json", exclude={"energy"})
    bare = chip_from_data(data, "bare")
    assert bare.energy_lacks == ["energy"] and energy(Activity(dram_bytes=64), bare) is None
    partly = with_energy(memory={})
    assert partly.energy_lacks == ["energy.memory.sram"] and energy(Activity(), partly) is None


def test_energies_of_parts_add_up_to_the_whole() -> None:
    chip = with_energy("npu4")
    program = nnc.compile(models.build("conv-8x8x8"), chip)
    parts = [counts(item.instruction, chip) for item in program.issued]
    assert activities([item.instruction for item in program.issued], chip) == parts
    whole = total(parts)
    assert whole.macs == {"f32": sum(macs_of(item.instruction) for item in program.issued)}
    assert whole.dram_bytes == program.facts["predicted_dram_bytes"]
    assert parts[0] + parts[1] == total(parts[:2])
    summed: dict[str, float] = {}
    for part in parts:
        for cause, value in (energy(part, chip) or {}).items():
            summed[cause] = summed.get(cause, 0.0) + value
    assert summed == pytest.approx(energy(whole, chip))
    assert all(summed[cause] > 0 for cause in ("mac", "vector", "read sram", "write sram", "dram"))
