"""The section `energy` of a chip: it is optional, judged like all others, and goes where the chip goes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import nnc
from nnc import models
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data, load_chip
from nnc.isa.errors import ChipError, OptionError
from nnc.isa.program_file.binary import decode, encode

SECTION = """
[energy]
dram = 100
broadcast = 5.5
static = 7e2

[energy.mac]
i8 = 0.3
f16 = 2
f32 = 4.6

[energy.operation]
i8 = 0.03
f16 = 0.4
f32 = 0.9

[energy.memory.sram]
read = 9.0
write = 9.5
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A chip whose figures are those of SECTION."""
    (tmp_path / "mine.toml").write_text(f'extends = "npu"\nname = "mine"\n{SECTION}')
    return str(tmp_path / "mine.toml")


def without_energy() -> Chip:
    return chip_from_data(load_chip("npu").model_dump(mode="json", exclude={"energy"}), "bare")


def test_figures_are_read(path: str) -> None:
    found = load_chip(path).energy
    assert found is not None
    assert (found.dram, found.broadcast, found.static) == (100, 5.5, 700)
    assert (found.mac.i8, found.operation.f16, found.memory["sram"].write) == (0.3, 0.4, 9.5)
    assert not load_chip(path).energy_lacks


def test_figures_are_overridden(path: str) -> None:
    chip = load_chip(path, ["energy.dram=25", "energy.memory.sram.read=1.5", "energy.mac.i8=0"])
    assert chip.energy is not None
    assert (chip.energy.dram, chip.energy.memory["sram"].read, chip.energy.mac.i8) == (25, 1.5, 0)
    with pytest.raises(OptionError, match=r"no key energy\.ram"):
        load_chip(path, ["energy.ram=1"])


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("energy.dram=-1", "greater than or equal to 0"),
        ("energy.dram=1e10", "less than or equal to 1000000000"),
        ("energy.dram=inf", "finite number"),
        ("energy.dram=nan", "finite number"),
        ("energy.dram=true", "valid number"),
        ("energy.dram=100pJ", "valid number"),
        ("energy.mac.f32={}", "valid number"),
        ("energy.memory.sram=9", "Access"),
        ("energy.memory={bank={read=1, write=1}}", "names 'bank'; the chip has sram"),
    ],
)
def test_impossible_figures(path: str, override: str, expected: str) -> None:
    with pytest.raises(ChipError) as caught:
        load_chip(path, [override])
    assert "energy" in caught.value.message + caught.value.expected
    assert expected in caught.value.expected and caught.value.remedy


def test_a_figure_must_be_there(path: str) -> None:
    text = Path(path).read_text().replace('extends = "npu"', "").replace("static = 7e2", "")
    data = load_chip("npu").model_dump(mode="json", exclude={"energy"})
    with pytest.raises(ChipError, match=r"keys are missing: energy\.static"):
        chip_from_data({**data, "energy": {"dram": 1, "broadcast": 1, **_tables(text)}}, "here")


def _tables(text: str) -> dict[str, object]:
    energy: dict[str, object] = tomllib.loads(text)["energy"]
    return {name: energy[name] for name in ("mac", "operation", "memory")}


def test_memories_of_an_extending_chip_may_be_without_figures(path: str, tmp_path: Path) -> None:
    """Then no energy is known; a figure of theirs makes it known."""
    more = f'extends = "{path}"\n[memory.tile]\nbytes = "4KiB"\n'
    (tmp_path / "more.toml").write_text(more)
    assert load_chip(str(tmp_path / "more.toml")).energy_lacks == ["energy.memory.tile"]
    (tmp_path / "all.toml").write_text(f"{more}[energy.memory.tile]\nread = 1\nwrite = 1\n")
    assert load_chip(str(tmp_path / "all.toml")).energy_lacks == []


@pytest.mark.parametrize("has_energy", [True, False])
def test_programs_carry_the_section(path: str, has_energy: bool) -> None:
    """As files and as text; without a section the bytes are those of before there were any."""
    chip = load_chip(path) if has_energy else without_energy()
    program = nnc.compile(models.build("conv-8x8x8"), chip)
    data = encode(program)
    assert (b'"energy":' in data) == has_energy
    assert decode(data).chip == chip == assemble(disassemble(program)).chip
    assert encode(decode(data)) == data
