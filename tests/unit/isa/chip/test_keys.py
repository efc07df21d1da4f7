"""The keys of a chip come from its schema; chips that lack some, or have others, are told all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from nnc.isa.chip.description import Chip
from nnc.isa.chip.keys import OPTIONAL, REQUIRED, REQUIRED_TABLE, chip_keys, keys_for, missing_keys
from nnc.isa.chip.load import chip_data, chip_from_data, load_chip, preset_names
from nnc.isa.errors import ChipError, OptionError

ROOT = Path(__file__).parents[4]


def test_every_key_has_words_and_all_presets_use_only_these() -> None:
    keys = {key.key: key for key in chip_keys()}
    assert len(keys) == len(chip_keys()) > 20
    assert all(key.about and key.takes and key.default for key in keys.values())
    assert keys["cores"].default == REQUIRED and keys["cores"].takes == "integer, 1 … 63"
    assert keys["dram.bytes"].default == "4 GiB" and keys["dram.bytes"].takes == "size, 1 … 1 TiB"
    assert keys["compute.map"].takes == "channels or pixels"
    assert keys["operands.FAMILY.ROLE.dtypes"].default == OPTIONAL
    assert keys["compute.arrays.PRODUCT"].default == REQUIRED_TABLE
    for name in preset_names():
        chip = load_chip(name).model_dump(mode="json", exclude_none=True)
        assert set(_dotted(chip)) <= set(keys_for(chip))


def _dotted(table: dict[str, object], prefix: str = "") -> list[str]:
    found = []
    for key, value in table.items():
        found += _dotted(value, f"{prefix}{key}.") if isinstance(value, dict) else [prefix + key]
    return found


def test_defaults_are_those_of_the_description() -> None:
    """A chip with the required keys alone has the defaults that the keys state."""
    data = chip_data("npu")
    for key in chip_keys():
        if not key.default.startswith(REQUIRED) and key.key.split(".")[0] in ("dram", "dma"):
            table, name = key.key.split(".")
            data[table].pop(name, None)
    chip = Chip.model_validate(data)
    stated = {key.key: key.default for key in chip_keys()}
    assert stated["dma.align"] == str(chip.dma.align)
    assert stated["dma.broadcast"] == str(chip.dma.broadcast).lower()
    assert stated["dram.align"] == str(chip.dram.align)
    assert chip.dram.bytes == 4 * 2**30


def test_a_missing_table_is_named_by_its_required_keys() -> None:
    assert missing_keys("dram") == ["dram.bytes_per_cycle", "dram.latency", "dram.burst"]
    assert missing_keys("cores") == ["cores"]
    assert missing_keys("compute") == [
        *("compute.issue", "compute.arrays", "compute.depthwise", "compute.elementwise"),
    ]


def test_all_missing_keys_are_in_the_one_error(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('name = "mine"\n[dram]\nlatency = 1\n[memory.sram]\nword = 16\n[compute]\narrays = {}\n')
    with pytest.raises(ChipError) as caught:
        load_chip(str(path))
    named = caught.value.message.removeprefix("keys are missing: ").split(", ")
    assert named == [
        *("cores", "clock_mhz", "dram.bytes_per_cycle", "dram.burst", "dma.in_flight"),
        *("dma.move_bytes_per_cycle", "memory.sram.bytes", "operands.FAMILY.ROLE.memories"),
        *("compute.issue", "compute.depthwise", "compute.elementwise"),
    ]
    assert "nnc chips keys" in caught.value.remedy


def test_missing_unknown_and_wrong_values_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('extends = "npu"\n[dram]\nbirst = 64\nlatency = -1\n')
    with pytest.raises(ChipError, match=r"there is no key dram\.birst") as caught:
        load_chip(str(path))
    assert "did you mean dram.burst?" in caught.value.remedy
    data = chip_data("npu") | {"cores": 0, "dram": {"bytes_per_cycle": 1, "latency": 1, "birst": 64}}
    with pytest.raises(ChipError, match=r"keys are missing: dram\.burst") as caught:
        chip_from_data(data, "mine")
    assert caught.value.found == "unknown keys: dram.birst; bad values: cores"
    assert "did you mean dram.burst?" in caught.value.remedy


@pytest.mark.parametrize(
    ("override", "near"),
    [
        ("memory.sram.byte=1", "memory.sram.bytes"),
        ("sram.bytes=1", "memory.sram.bytes"),
        ("core=2", "cores"),
        ("compute.maps=pixels", "compute.map"),
    ],
)
def test_overrides_of_unknown_keys_are_answered_with_the_nearest(override: str, near: str) -> None:
    with pytest.raises(OptionError) as caught:
        load_chip("npu", [override])
    assert caught.value.remedy.startswith(f"did you mean {near}")


def test_overrides_may_say_what_a_chip_leaves_out() -> None:
    assert load_chip("npu", ["memory.sram.align=32", "dma.align=16"]).block_align("sram") == 32


def test_a_chip_of_nearly_that_name() -> None:
    with pytest.raises(ChipError) as caught:
        load_chip("vdsp")
    assert caught.value.remedy.startswith("did you mean vdsp12?")
