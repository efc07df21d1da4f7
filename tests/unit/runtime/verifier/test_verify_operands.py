"""The verifier on operands that overlap, on what groups hand to themselves, on where DMA reaches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data, load_chip
from nnc.isa.codec.scanner import Scanner
from nnc.isa.functions import Function
from nnc.isa.instruction import ENGINES, Instruction
from nnc.isa.instructions import Copy, Elementwise, Load, Store
from nnc.isa.operand import Operand
from nnc.isa.program import GroupInfo, Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.reference.pages import examples
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import Finding, Rule, verify

READ, COMPUTE, WRITE = ENGINES


def block(memory: str, address: int, shape: tuple[int, ...] = (4, 16)) -> Operand:
    return Operand.dense(memory, address, DType.F32, shape)


def overlaps(text: str) -> list[str]:
    """The fields over which an instruction writes."""
    found = parse_instruction(Scanner(text)).overlap_errors()
    return [error.split(" over its ")[1].split()[0] for error in found]


# --- operands of one instruction ---------------------------------------------------------------------------

CONV = "conv sram+{d} f32[1,4,4,8] <- sram+0x0 f32[1,4,4,8], weight=sram+0x1000 f32[1,1,8,8]"
REST = "stride=1,1 dilation=1,1 pad_begin=0,0"


def test_a_convolution_over_its_source_weights_or_bias() -> None:
    assert overlaps(f"{CONV.format(d=0x2000)}, {REST}") == []
    assert overlaps(f"{CONV.format(d=0)}, {REST}") == ["src"]
    assert overlaps(f"{CONV.format(d=0x1000)}, {REST}") == ["weight"]
    assert overlaps(f"{CONV.format(d=0x2000)}, bias=sram+0x2010 f32[8], {REST}") == ["bias"]


def test_an_addition_in_place_takes_the_very_block_of_the_residual() -> None:
    text = f"{CONV.format(d=0x2000)}, residual=sram+{{r}} f32[1,4,4,8], {REST}"
    assert overlaps(text.format(r=0x2000)) == []
    assert overlaps(text.format(r=0x2020)) == ["residual"]


def test_partial_sums_lie_over_nothing_but_their_result() -> None:
    sums = "weight=sram+0x1000 f32[8,8], accumulator=sram+{a} f32[4,8]"
    for phase in ("start", "add"):
        assert overlaps(f"gemm <- sram+0x0 f32[4,8], {sums.format(a=0x2000)}, phase={phase}") == []
        assert overlaps(f"gemm <- sram+0x0 f32[4,8], {sums.format(a=0x10)}, phase={phase}") == ["src"]
    finish = "gemm sram+{d} f32[4,8] <- sram+0x0 f32[4,8], weight=sram+0x1000 f32[8,8], "
    finish += "accumulator=sram+0x2000 f32[4,8], phase=finish"
    assert overlaps(finish.format(d=0x3000)) == []
    assert overlaps(finish.format(d=0x2000)) == []
    assert overlaps(finish.format(d=0x2020)) == ["accumulator"]


def test_a_pool_in_place() -> None:
    text = "pool sram+{d} f32[1,4,4,8] <- sram+0x0 f32[1,4,4,8], function=max kernel=1,1 stride=1,1 "
    text += "dilation=1,1 pad_begin=0,0 pad_end=0,0"
    assert overlaps(text.format(d=0)) == ["src"]
    assert overlaps(text.format(d=0x200)) == []


def test_element_wise_functions_may_write_the_very_block_of_a_source() -> None:
    text = "elementwise sram+0x100 f32[4,8] <- sram+{a} f32[4,8], sram+{b} f32{s}, function=add"
    assert overlaps(text.format(a=0x100, b=0x100, s="[4,8]")) == []
    assert overlaps(text.format(a=0x0, b=0x100, s="[4,8]")) == []
    assert overlaps(text.format(a=0x0, b=0x100, s="[8]")) == ["srcs"]  # read again after it was written
    assert overlaps(text.format(a=0x120, b=0x100, s="[4,8]")) == ["srcs"]
    assert overlaps(text.format(a=0x0, b=0x100, s="[4,8]{4,16}")) == ["srcs"]


def test_a_copy_may_overlap_as_it_likes() -> None:
    assert overlaps("copy sram+0x20 f32[4,8] <- sram+0x0 f32[4,8]") == []


@pytest.mark.parametrize("example", examples().values(), ids=lambda example: example.mnemonic)
def test_only_copies_and_functions_of_elements_run_in_place(example: Instruction) -> None:
    """Every other class with a source and a result of the same block is refused."""
    sources = [name for name in ("src", "srcs", "index") if hasattr(example, name)]
    if not sources or getattr(example, "dst", None) is None or example.engine is not COMPUTE:
        return
    name = sources[0]
    same = replace(example, **{name: (example.dst,) if name == "srcs" else example.dst})
    assert bool(list(same.overlap_errors())) != isinstance(example, Copy | Elementwise)


def two_groups(*, spilled: TensorRole = TensorRole.BOUNDARY, second: int = 1, dst: int = 512) -> Program:
    """y = relu(relu(x)), each in a group; what is between visits DRAM."""
    x, y, z = block("dram", 0), block("dram", 256), block("dram", 512)
    a, b = block("sram", 0), block("sram", dst)
    c, d = block("sram", 1024), block("sram", 1536)
    items: list[tuple[Instruction, int, tuple[Wait, ...]]] = [
        (Load(dst=a, src=x), 0, ()),
        (Elementwise(dst=b, srcs=(a,), function=Function.RELU), 0, (Wait(0, READ, 0),)),
        (Store(dst=z, src=b), 0, (Wait(0, COMPUTE, 0),)),
        (Load(dst=c, src=z), second, (Wait(0, WRITE, 0),)),
        (Elementwise(dst=d, srcs=(c,), function=Function.RELU), second, (Wait(0, READ, 1),)),
        (Store(dst=y, src=d), second, (Wait(0, COMPUTE, 1),)),
    ]
    return Program(
        chip=load_chip("npu"),
        tensors=(
            Tensor("x", TensorRole.INPUT, x),
            Tensor("y", TensorRole.OUTPUT, y),
            Tensor("z", spilled, z),
        ),
        constants=np.zeros(0, np.uint8),
        issued=tuple(Issued(0, item, waits, Note(group, 0, "")) for item, group, waits in items),
        dram_bytes=768,
        groups=tuple(GroupInfo("serial", ("r",), 1, "") for _ in range(2)),
    )


def broken(program: Program) -> list[tuple[Rule, str]]:
    return [(finding.rule, finding.message) for finding in verify(program)]


def test_operands_that_overlap_are_found_in_programs() -> None:
    ((rule, message),) = broken(two_groups(dst=16))
    assert rule is Rule.OVERLAP
    assert message == "writes sram+0x10 f32[4,16] over its srcs sram+0x0 f32[4,16]"


# --- interior tensors --------------------------------------------------------------------------------------


def test_a_tensor_between_two_groups_may_visit_dram() -> None:
    assert broken(two_groups()) == []


def test_an_interior_tensor_of_a_group_visits_dram_as_spill_only() -> None:
    """The compiler alone found it: the roles of the tensor table let the program's verifier do it."""
    text = "dram+0x200 f32[4,16]: reads 256 bytes that its own group 0 wrote to DRAM"
    assert broken(two_groups(second=0)) == [(Rule.INTERIOR, text)]
    assert broken(two_groups(second=0, spilled=TensorRole.SPILL)) == []
    assert broken(two_groups(second=0, spilled=TensorRole.SCRATCH)) == []


def test_instructions_of_no_group_say_nothing_of_groups() -> None:
    program = two_groups()
    issued = tuple(replace(item, note=Note()) for item in program.issued)
    assert broken(replace(program, issued=issued)) == []


def test_a_boundary_that_nobody_reads_need_not_visit_dram() -> None:
    program = two_groups()
    items = list(program.issued)
    items[3] = replace(items[3], instruction=Load(dst=block("sram", 1024), src=block("dram", 0)))
    (finding,) = verify(replace(program, issued=tuple(items)))
    assert (finding.rule, finding.place) == (Rule.INTERIOR, "tensor z")
    assert finding.message == "is written to DRAM and never read there"


def test_a_boundary_of_which_an_output_is_a_part_is_read_by_the_user() -> None:
    program = two_groups()
    whole = Tensor("z", TensorRole.BOUNDARY, block("dram", 0, (4, 32)))
    tensors = (program.tensors[0], program.tensors[1], whole)
    issued = tuple(replace(item, note=Note()) for item in program.issued[:3])
    items = (
        *issued[:2],
        replace(issued[2], instruction=Store(dst=block("dram", 256), src=block("sram", 512))),
    )
    assert broken(replace(program, tensors=tensors, issued=items)) == []


# --- where DMA reaches -------------------------------------------------------------------------------------


def reach(**roles: list[str]) -> Chip:
    data = load_chip("npu").model_dump(mode="json")
    data["memory"]["far"] = data["memory"]["sram"]
    data["operands"]["dma"] = roles
    both = ["sram", "far"]
    data["operands"]["copy"] = {"feature": both, "result": both}
    return chip_from_data(data, "here")


def found_on(chip: Chip) -> list[Finding]:
    return verify(replace(two_groups(), chip=chip))


def test_transfers_keep_to_the_memories_that_the_chip_names() -> None:
    assert found_on(reach(feature=["sram"], result=["sram"])) == []
    loads = found_on(reach(feature=["far"]))
    assert [finding.place for finding in loads] == ["k0.r0 load", "k0.r1 load"]
    assert loads[0].message == "sram+0x0 f32[4,16]: a feature of dma lies in far"
    stores = found_on(reach(result=["far"]))
    assert [(finding.rule, finding.place) for finding in stores] == [
        (Rule.PLACEMENT, "k0.w0 store"),
        (Rule.PLACEMENT, "k0.w1 store"),
    ]


# --- depthwise ---------------------------------------------------------------------------------------------


def misplaced(memory: str, channels: int, groups: int) -> bool:
    text = (
        f"conv am+0x8000 f32[1,4,4,{channels}] <- {memory}+0x0 f32[1,4,4,{channels}], "
        f"weight=am+0x4000 f32[1,1,{channels // groups},{channels}], {REST} groups={groups}"
    )
    x = Operand.dense("dram", 0, DType.F32, (1,))
    program = Program(
        chip=load_chip("vdsp12"),
        tensors=(Tensor("x", TensorRole.INPUT, x),),
        constants=np.zeros(0, np.uint8),
        issued=(Issued(0, parse_instruction(Scanner(text))),),
        dram_bytes=4,
    )
    return any(finding.rule is Rule.PLACEMENT for finding in verify(program))


def test_depthwise_convolutions_of_vdsp12_read_their_features_from_am() -> None:
    assert not misplaced("am", 8, 8) and misplaced("sm", 8, 8)
    assert not misplaced("sm", 8, 1) and misplaced("am", 8, 1)
    assert not misplaced("sm", 8, 4) and misplaced("am", 8, 4)  # two channels per group
    assert not misplaced("sm", 1, 1) and not misplaced("am", 1, 1)  # a tile of either
