"""Preset figures are frozen; impossible chips and wrong overrides give errors that name the key."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

import nnc
from nnc import models
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.chip.load import chip_from_data, chip_text, load_chip, preset_names
from nnc.isa.errors import ChipError, OptionError
from nnc.isa.types import DType

KIB = 1024
ROLES = ("feature", "weight", "result", "accumulator")
NPU_ARRAYS = {
    "i8": ("16x64", "32x32", "64x16", "128x8"),
    "f16": ("16x32", "32x16", "64x8"),
    "f32": ("8x32", "16x16", "32x8", "64x4"),
}
NPU_DEPTHWISE = {"i8": 256, "f16": 128, "f32": 64}
ELEMENTWISE = {"i8": 128, "f16": 64, "f32": 32}
UNIFIED = dict.fromkeys(ROLES, ("sram",))

ARRAY_OPERANDS = {"feature": ("fram",), "weight": ("wram",)}

# name: cores, memories, operand table, arrays, depthwise, issue, DRAM bytes/cycle, broadcast
PRESETS: dict[str, tuple[Any, ...]] = {
    "nna": (
        1,
        {"oram": 640 * KIB, "fram": 64 * KIB, "wram": 256 * KIB},
        {
            "default": dict.fromkeys(ROLES, ("oram",)),
            "dma": {"feature": ("oram",), "result": ("oram",)},
            "copy": {"feature": ("oram",), "result": ("oram", "fram", "wram")},
            "conv": ARRAY_OPERANDS,
            "gemm": ARRAY_OPERANDS,
        },
        {"i8": ("32x32",), "f32": ("16x1",)},
        {"i8": 256, "f32": 16},
        32,
        16,
        False,
    ),
    "llm-edge": (
        4,
        {"sram": 2048 * KIB},
        {"default": UNIFIED},
        {"i4": NPU_ARRAYS["i8"], **NPU_ARRAYS},
        NPU_DEPTHWISE,
        32,
        64,
        True,
    ),
    "npu": (1, {"sram": 512 * KIB}, {"default": UNIFIED}, NPU_ARRAYS, NPU_DEPTHWISE, 32, 16, False),
    "npu-banked": (
        1,
        {"bank1": 256 * KIB, "bank2": 256 * KIB},
        {
            "default": {
                "feature": ("bank1",),
                "weight": ("bank2",),
                "result": ("bank1",),
                "accumulator": ("bank1",),
            },
            "copy": {"feature": ("bank1",), "result": ("bank1", "bank2")},
        },
        NPU_ARRAYS,
        NPU_DEPTHWISE,
        32,
        16,
        False,
    ),
    "npu4": (4, {"sram": 256 * KIB}, {"default": UNIFIED}, NPU_ARRAYS, NPU_DEPTHWISE, 32, 32, True),
    "pixel-dsp": (
        1,
        {"sram": 256 * KIB},
        {"default": UNIFIED},
        {"i8": ("64x1",), "f16": ("32x1",), "f32": ("16x1",)},
        {"i8": 64, "f16": 32, "f32": 16},
        16,
        16,
        False,
    ),
    "vdsp12": (
        12,
        {"sm": 64 * KIB, "am": 768 * KIB},
        {
            "default": dict.fromkeys(ROLES, ("am",)),
            "conv": {"feature": ("sm",)},
            "depthwise": {"feature": ("am",)},
            "gemm": {"feature": ("sm",)},
            "copy": {"feature": ("am", "sm"), "result": ("am", "sm")},
        },
        {"i8": ("128x3",), "f16": ("64x3",), "f32": ("32x3",)},
        {"i8": 384, "f16": 192, "f32": 96},
        16,
        24,
        True,
    ),
}


ELEMENTWISE_OF = {name: {"i8": 64, "f16": 32, "f32": 16} for name in ("nna", "pixel-dsp")}
ALIGN_OF = {"nna": 64}
MAC_ENERGY = {"i8": 0.3, "f16": 2.0, "f32": 4.6}
OPERATION_ENERGY = {"i8": 0.03, "f16": 0.4, "f32": 0.9}
BYTE_ENERGY = {
    64 * KIB: 3.5,
    256 * KIB: 6.5,
    512 * KIB: 9.0,
    640 * KIB: 10.0,
    768 * KIB: 11.0,
    2048 * KIB: 17.0,
}
"""pJ by size of a memory."""
STATIC_ENERGY = {
    "llm-edge": 2000.0,
    "nna": 1000.0,
    "npu": 700.0,
    "npu-banked": 700.0,
    "npu4": 500.0,
    "pixel-dsp": 200.0,
    "vdsp12": 700.0,
}


def test_all_presets_are_frozen_here() -> None:
    assert preset_names() == sorted(PRESETS)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_preset_figures(name: str) -> None:
    cores, memories, table, arrays, depthwise, issue, bandwidth, broadcast = PRESETS[name]
    chip = load_chip(name)
    assert chip.name == name and chip.description
    assert chip.cores == cores and chip.clock_mhz == 1000
    assert {key: memory.bytes for key, memory in chip.memory.items()} == memories
    assert all((memory.align, memory.word) == (64, 16) for memory in chip.memory.values())
    operand_memories = {
        family: {role: placement.memories for role, placement in roles.items()}
        for family, roles in chip.operands.items()
    }
    assert operand_memories == table
    assert chip.split_bytes == (8192 if name == "vdsp12" else 0)
    assert chip.compute.map == ("pixels" if name == "pixel-dsp" else "channels")
    assert chip.compute.arrays == arrays
    assert chip.compute.depthwise == depthwise
    assert chip.compute.elementwise == ELEMENTWISE_OF.get(name, ELEMENTWISE)
    assert (chip.compute.issue, chip.compute.result_bytes_per_cycle) == (issue, 64)
    dram = chip.dram
    assert (dram.bytes_per_cycle, dram.latency, dram.burst) == (bandwidth, 100, 64)
    assert dram.align == chip.dma.align == ALIGN_OF.get(name, 1)
    assert dram.bytes == 4 * KIB**3
    assert chip.dma.broadcast is broadcast
    assert (chip.dma.in_flight, chip.dma.move_bytes_per_cycle) == (4, 64)
    assert list(chip.memory_ids().values()) == list(range(len(memories) + 1))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_preset_figures_of_energy(name: str) -> None:
    """In pJ; the guide says where they are from."""
    chip = load_chip(name)
    each = {memory: BYTE_ENERGY[one.bytes] for memory, one in chip.memory.items()}
    assert chip.energy is not None and not chip.energy_lacks
    assert chip.energy.model_dump() == {
        "mac": MAC_ENERGY,
        "operation": OPERATION_ENERGY,
        "memory": {memory: {"read": value, "write": value} for memory, value in each.items()},
        "dram": 100.0,
        "broadcast": 5.0,
        "static": STATIC_ENERGY[name],
    }


def test_figures_of_energy_are_those_that_the_guide_derives() -> None:
    """Memories by the power law through 32 KiB and 1 MiB; static by products and KiB, to one digit."""
    for size, value in BYTE_ENERGY.items():
        law = 2.5 * (size / (32 * KIB)) ** (math.log(5) / math.log(32))
        assert value == pytest.approx(law, rel=0.03)
    for name, value in STATIC_ENERGY.items():
        chip = load_chip(name)
        macs = max(a * b for a, b in chip.compute.array_shapes["i8"])
        kib = sum(memory.bytes for memory in chip.memory.values()) / KIB
        assert value == float(f"{20_000 * (macs / 65_536 + kib / 28_672):.0e}")


def test_the_array_of_nna_takes_unsigned_bytes_and_floats() -> None:
    chip = load_chip("nna")
    for family in ("conv", "gemm", "depthwise"):
        for role in ("feature", "weight"):
            assert chip.placement(family, role).dtypes == ("u8", "f32")
    assert chip.placement("elementwise", "feature").dtypes is None


def test_macs_per_cycle_of_the_npu() -> None:
    chip = load_chip("npu")
    peak = {cls: {a * b for a, b in shapes} for cls, shapes in chip.compute.array_shapes.items()}
    assert peak == {"i8": {1024}, "f16": {512}, "f32": {256}}


def test_products_with_weights_of_few_bits_have_shapes_of_their_own() -> None:
    with_i4, without = load_chip("npu", ['compute.arrays.i4=["512x4"]']).compute, load_chip("npu").compute
    for bits, shapes in ((0, "f16"), (2, "i4"), (4, "i4"), (8, "f16")):
        assert with_i4.shapes_for(DType.F16, bits) == with_i4.array_shapes[shapes]
        assert without.shapes_for(DType.F16, bits) == without.array_shapes["f16"]


def test_rate_classes() -> None:
    classes = {dtype.value: rate_class(dtype) for dtype in DType}
    assert classes["bool"] == classes["u8"] == classes["i8"] == "i8"
    assert classes["f16"] == classes["i16"] == "f16"
    assert classes["f32"] == classes["i64"] == classes["f64"] == "f32"


def test_placements() -> None:
    chip = load_chip("vdsp12")
    assert chip.placement("conv", "feature").memories == ("sm",)
    assert chip.placement("conv", "weight").memories == ("am",)
    assert chip.placement("pool", "feature").memories == ("am",)
    assert chip.placement("depthwise", "feature").memories == ("am",)
    assert (
        chip.placement("dma", "feature").memories == chip.placement("dma", "result").memories == ("sm", "am")
    )


def test_depthwise_follows_conv_where_the_chip_does_not_name_it() -> None:
    data = load_chip("vdsp12").model_dump(mode="json")
    del data["operands"]["depthwise"]
    chip = chip_from_data(data, "here")
    assert chip.placement("depthwise", "feature").memories == ("sm",)
    assert chip.placement("depthwise", "weight").memories == ("am",)


def test_a_chip_without_the_newer_keys_has_those_of_the_presets() -> None:
    data = load_chip("npu").model_dump(mode="json")
    del data["memory"]["sram"]["word"], data["compute"]["result_bytes_per_cycle"]
    assert chip_from_data(data, "here") == load_chip("npu")


def test_words_of_memories() -> None:
    chip = load_chip("vdsp12", ["memory.sm.word=4", "memory.am.word=32"])
    assert (chip.word("sm"), chip.word("am"), chip.word("unknown yet")) == (4, 32, 4)


def test_ways_between_memories() -> None:
    """A load lands in the home of its operand, or where a copy takes it from; a result leaves likewise."""
    near = load_chip("vdsp12")
    assert near.copies("am", "sm")
    assert (near.landing("sm"), near.departure("am")) == ("sm", "am")
    chips = Path(__file__).parents[3] / "helpers" / "chips"
    far = load_chip(str(chips / "far-sm.toml"))
    assert (far.landing("sm"), far.landing("am"), far.departure("am")) == ("am", "am", "am")
    results = load_chip(str(chips / "far-results.toml"))
    assert (results.departure("acc"), results.landing("acc")) == ("sram", "sram")
    banked = load_chip("npu-banked")
    assert banked.copies("bank1", "bank2") and not banked.copies("bank2", "bank1")


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ('dma.feature = ["am"]', "operands.conv.feature names sm first, but no data gets from DRAM there"),
        (
            'dma.result = ["sm"]',
            "default.result names am first, but no data gets from there to DRAM",
        ),
    ],
)
def test_memories_without_a_way_are_refused(tmp_path: Path, table: str, key: str) -> None:
    closed = '[operands]\ncopy.feature = ["am"]\ncopy.result = ["am"]\n'
    path = write(tmp_path / "closed.toml", f'extends = "vdsp12"\n{closed}{table}\n')
    with pytest.raises(ChipError, match=re.escape(key)):
        load_chip(str(path))


def test_a_chip_survives_json() -> None:
    for name in preset_names():
        chip = load_chip(name)
        assert chip_from_data(chip.model_dump(mode="json"), "json") == chip


def test_overrides() -> None:
    chip = load_chip(
        "npu",
        [
            "cores=4",
            "dram.bytes_per_cycle=32",
            "memory.sram.bytes=256KiB",
            "memory.sram.align=32",
            'compute.arrays.f32=["4x4"]',
            "dma.broadcast=true",
            "description=mine",
        ],
    )
    assert (chip.cores, chip.dram.bytes_per_cycle, chip.memory["sram"].bytes) == (4, 32, 256 * KIB)
    assert chip.memory["sram"].align == 32 and chip.dma.broadcast and chip.description == "mine"
    assert chip.compute.array_shapes["f32"] == ((4, 4),)
    assert load_chip("npu").cores == 1


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("cores", "an override is KEY=VALUE"),
        ("=4", "an override is KEY=VALUE"),
        ("core=4", "no key core"),
        ("memory.bank.bytes=1KiB", "no key memory.bank"),
        ("dram.bytes_per_cycle.x=1", "no key dram.bytes_per_cycle"),
        ("cores.x=1", "no key cores.x"),
    ],
)
def test_wrong_overrides(override: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        load_chip("npu", [override])
    assert caught.value.where == f"--set {override}" and (caught.value.expected or caught.value.remedy)


@pytest.mark.parametrize(
    ("override", "key", "expected"),
    [
        ("cores=0", "cores", "greater than 0"),
        ("cores=64", "cores", "less than or equal to 63"),
        ("cores=two", "cores", "valid integer"),
        ("clock_mhz=-1", "clock_mhz", "greater than 0"),
        ("memory.sram.bytes=12 parsecs", "memory.sram.bytes", "a size is"),
        ("memory.sram.bytes=0", "memory.sram.bytes", "greater than 0"),
        ("memory.sram.bytes=9999999GiB", "memory.sram.bytes", "less than or equal"),
        ("dram.burst=0", "dram.burst", "greater than 0"),
        ("compute.map=rows", "compute.map", "'channels' or 'pixels'"),
        ('compute.arrays.f32=["8by8"]', "compute.arrays", "not LANESxUNITS"),
        ("compute.arrays.f32=[]", "compute.arrays", "at least one array shape"),
        ('operands.default.weight=["bank2"]', "the whole description", "names memory 'bank2'"),
        ("operands.default.weight=[]", "operands.default.weight", "at least 1 item"),
        ("cores=" + "1" * 5000, "cores", "maximum size"),
        ("cores=0x" + "f" * 5000, "cores", "less than or equal to 63"),
        ("cores=1e999", "cores", "finite number"),
        ("cores=" + "[" * 20_000, "cores", "valid integer"),
        ("cores=" + "[" * 200 + "]" * 200, "cores", "valid integer"),
        ("memory.sram.bytes=" + "1" * 5000 + "KiB", "memory.sram.bytes", "digits"),
        *(
            (f"{part}.align={2**31}", "the whole description", str(2**31))
            for part in ("dma", "dram", "memory.sram")
        ),
        ("dma.align=4093", "the whole description", f"at most 4 KiB; for sram it is {4093 * 64}"),
    ],
)
def test_impossible_chips(override: str, key: str, expected: str) -> None:
    with pytest.raises(ChipError) as caught:
        load_chip("npu", [override])
    error = caught.value
    assert error.where == "npu" and f"bad value of {key}" in error.message
    assert expected in error.expected and error.found and error.remedy
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "npu"', "name = ", "not valid TOML"),
        ('name = "npu"', 'name = "no good name"', "bad value of name"),
        ("cores = 1", "", "keys are missing: cores"),
        ("cores = 1", "cores = 1\nthreads = 8", "there is no key threads"),
        ("[memory.sram]", "[memory.dram]", "bad value of memory"),
        ("[memory.sram]", "[memory.SRAM]", "bad value of memory"),
        ('weight = ["sram"]', "", "operands.default lacks weight"),
        ('weight = ["sram"]', 'weight = {memories = ["sram"], dtypes = ["f31"]}', "operands.default.weight"),
    ],
)
def test_broken_chip_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = chip_text("npu")
    assert old in text
    path = tmp_path / "my.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(ChipError, match=message) as caught:
        load_chip(str(path))
    assert caught.value.where == str(path)


def test_unreadable_chip_files(tmp_path: Path) -> None:
    with pytest.raises(ChipError, match="no such chip"):
        load_chip("npu99")
    with pytest.raises(ChipError, match="no such chip"):
        load_chip(str(tmp_path))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ChipError, match="cannot be read"):
        load_chip(str(tmp_path / "binary.toml"))
    (tmp_path / "large.toml").write_text("#" * (2**20 + 1))
    with pytest.raises(ChipError, match="too large"):
        load_chip(str(tmp_path / "large.toml"))


@pytest.mark.parametrize(
    "text",
    [
        "name = " + "[" * 100_000,
        "name = " + "[" * 100 + "]" * 100,
        ".".join("a" * 100_000) + " = 1",
        "[" + " . ".join('"a"' for _ in range(100)) + "]",
        "cores = " + "1" * 5000,
    ],
)
@pytest.mark.parametrize("extends", [False, True])
def test_chip_files_that_no_reader_bears(text: str, extends: bool, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(text)
    (tmp_path / "next.toml").write_text('extends = "my.toml"')
    with pytest.raises(ChipError, match="not valid TOML") as caught:
        load_chip(str(tmp_path / ("next.toml" if extends else "my.toml")))
    assert len(caught.value.found) < 200


def test_a_name_that_no_file_can_have() -> None:
    for name in ("a" * 300, "a" * 5000, "a\0.toml"):
        with pytest.raises(ChipError):
            load_chip(name)


def test_chips_are_frozen() -> None:
    chip = load_chip("npu")
    with pytest.raises(ValueError, match="frozen"):
        chip.cores = 2  # type: ignore[misc]
    assert isinstance(chip, Chip)


# --- extends -----------------------------------------------------------------------------------------------


def write(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_extends_a_preset(tmp_path: Path) -> None:
    """Tables are merged key by key, at any depth; arrays are replaced whole."""
    text = """
        extends = "npu"
        name = "mine"
        [dram]
        bytes_per_cycle = 8
        [compute.arrays]
        f32 = ["64x4"]
        [memory.tile]
        bytes = "16KiB"
        [operands.softmax]
        result = ["tile"]
    """
    extended, base = load_chip(write(tmp_path / "mine.toml", text)), load_chip("npu")
    assert extended.name == "mine" and extended.dram.bytes_per_cycle == 8
    assert extended.compute.arrays == {**base.compute.arrays, "f32": ("64x4",)}
    assert list(extended.memory) == ["sram", "tile"]
    assert extended.placement("softmax", "result").memories == ("tile",)
    changed = {"name", "dram", "compute", "memory", "operands"}
    assert extended.model_dump(exclude=changed) == base.model_dump(exclude=changed)
    assert extended.dram == base.dram.model_copy(update={"bytes_per_cycle": 8})


def test_extends_files_beside_it(tmp_path: Path) -> None:
    """Paths count from the folder of the file that names them; --set comes last."""
    write(tmp_path / "base.toml", 'extends = "vdsp12"\ncores = 4\nclock_mhz = 500\n')
    write(tmp_path / "sub" / "middle.toml", 'extends = "../base.toml"\nclock_mhz = 700\n')
    top = write(tmp_path / "top.toml", 'extends = "sub/middle.toml"\nname = "top"\n')
    chip = load_chip(top, ["cores=3"])
    assert (chip.name, chip.cores, chip.clock_mhz) == ("top", 3, 700)
    assert chip.memory == load_chip("vdsp12").memory


@pytest.mark.parametrize(
    ("base", "message", "chain"),
    [
        ('"npu99"', "cannot be used: no such chip", "a.toml extends .*npu99"),
        ('"b.toml"', "cannot be used: not valid TOML|not valid TOML", "a.toml extends .*b.toml"),
        ('"a.toml"', "in a circle", "a.toml extends .*a.toml"),
        ('"c.toml"', "in a circle", "a.toml extends .*c.toml extends .*a.toml"),
        ("7", "extends names no chip", "7"),
        ('"a\\u0000b"', "extends names no chip", "x00"),
    ],
)
def test_bases_that_cannot_be_used(tmp_path: Path, base: str, message: str, chain: str) -> None:
    write(tmp_path / "b.toml", "name =")
    write(tmp_path / "c.toml", 'extends = "./a.toml"')
    with pytest.raises(ChipError, match=message) as caught:
        load_chip(write(tmp_path / "a.toml", f"extends = {base}"))
    assert re.search(chain, f"{caught.value.where} {caught.value.found}")


def test_bad_values_of_an_extending_chip_are_told_as_ever(tmp_path: Path) -> None:
    with pytest.raises(ChipError, match="bad value of cores") as caught:
        load_chip(write(tmp_path / "a.toml", 'extends = "npu"\ncores = 0\n'))
    assert caught.value.where.endswith("a.toml")


def test_programs_hold_the_whole_chip(tmp_path: Path) -> None:
    chip = load_chip(write(tmp_path / "a.toml", 'extends = "npu"\nname = "mine"\n[dram]\nlatency = 50\n'))
    program = nnc.compile(models.build("lenet5", image=16, width=0.25), chip)
    nnc.save_program(program, tmp_path / "p.bin")
    (tmp_path / "a.toml").unlink()
    assert nnc.load_program(tmp_path / "p.bin").chip == chip
