"""The section `area` of a chip: what its parts take of silicon, and the sum."""

from __future__ import annotations

import pytest

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data, load_chip, preset_names
from nnc.isa.errors import ChipError


def sum_of(chip: Chip, macs: int, elements: int, unit: float) -> float:
    """mm² by the words of the guide."""
    assert chip.area is not None
    kib = sum(memory.bytes for memory in chip.memory.values()) / 1024
    core = chip.area.core + (macs + elements) * unit + kib * chip.area.kib
    return chip.area.shared + chip.cores * core


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_the_figures_that_the_guide_derives(name: str) -> None:
    """Horowitz, ISSCC 2014, in µm²: multiply, and add to a sum of 32 bits; to one digit, f32 to two."""
    area = load_chip(name).area
    assert area is not None
    for unit, derived in zip(
        (area.unit.i8, area.unit.f16, area.unit.f32), (282 + 137, 1_640 + 4_184, 7_700 + 4_184), strict=True
    ):
        assert unit == pytest.approx(derived / 1e6, rel=0.05)
    assert area.kib == pytest.approx(8_192 * 0.346e-6 / 0.6, rel=0.06)
    assert (area.core, area.shared) == (0.5, 2.0)


def test_the_class_that_takes_most_counts() -> None:
    """256 products and 32 elements of f32 are more than 1,024 and 128 of bytes."""
    chip = load_chip("npu")
    assert chip.square_millimetres == pytest.approx(sum_of(chip, 256, 32, 0.012))
    bytes_alone = load_chip("npu", ["area.unit.f16=0", "area.unit.f32=0"])
    assert bytes_alone.square_millimetres == pytest.approx(sum_of(bytes_alone, 1024, 128, 0.0004))


def test_cores_and_memories_count() -> None:
    small, large = load_chip("npu4"), load_chip("npu4", ["cores=8", "memory.sram.bytes=1MiB"])
    assert small.square_millimetres == pytest.approx(sum_of(small, 256, 32, 0.012))
    assert large.square_millimetres == pytest.approx(sum_of(large, 256, 32, 0.012))


def test_a_chip_may_say_nothing() -> None:
    bare = chip_from_data(load_chip("npu").model_dump(mode="json", exclude={"area"}), "bare")
    assert bare.square_millimetres is None


@pytest.mark.parametrize("override", ["area.kib=-1", "area.core=nan", "area.shared=1e9", "area.unit.i8=true"])
def test_wrong_figures_are_refused(override: str) -> None:
    with pytest.raises(ChipError):
        load_chip("npu", [override])
