"""Golden texts of one small network on every preset chip: its layer groups with their reasons, its program.

They are to be read.  That the texts of all stages are the same each time is held by
tests/e2e/test_determinism.py, their form by tests/unit/compiler/ir/dump/test_ir_dump.py;
bench/program_digests.py shows which programs a change of the compiler changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from golden_networks import lenet5

from nnc.compiler.ir.dump.formats import to_text
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import load_chip, preset_names
from nnc.isa.program_file.binary import encode

Golden = Callable[[str, str], None]
SMALL = {
    "llm-edge": ("sram=3KiB",),
    "npu": ("sram=6KiB",),
    "npu-banked": ("bank1=8KiB", "bank2=6KiB"),
    "npu4": ("sram=3KiB",),
    "nna": ("oram=8KiB", "fram=2KiB", "wram=4KiB"),
    "pixel-dsp": ("sram=6KiB",),
    "vdsp12": ("sm=2KiB", "am=8KiB"),
}
"""Memories so small that layers must be cut."""
GOLDEN_FILES = [f"lenet5.{chip}.{end}" for chip in SMALL for end in ("group.txt", "asm")]


@cache
def compiled(chip: str) -> tuple[str, Compilation]:
    """The text of the grouped network, and all that became of it."""
    sizes = (item.split("=") for item in SMALL[chip])
    target = load_chip(chip, [f"memory.{memory}.bytes={size}" for memory, size in sizes])
    texts: dict[str, str] = {}
    compilation = run_pipeline(
        lenet5(), target, observe=lambda step, graph: texts.__setitem__(step, to_text(graph))
    )
    return texts["group"], compilation


def test_every_preset_is_shown() -> None:
    assert set(SMALL) == set(preset_names())


@pytest.mark.parametrize("chip", SMALL)
def test_groups(golden: Golden, chip: str) -> None:
    golden(f"lenet5.{chip}.group.txt", compiled(chip)[0])


@pytest.mark.parametrize("chip", SMALL)
def test_program(golden: Golden, chip: str) -> None:
    """The text is read back as the very same program."""
    program, name = compiled(chip)[1].program, f"lenet5.{chip}.constants"
    text = disassemble(program, name)
    golden(f"lenet5.{chip}.asm", text)
    again = assemble(text, constants=lambda file: program.constants.tobytes() if file == name else b"")
    assert encode(again) == encode(program)
