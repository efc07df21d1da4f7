"""Cycles of the units of a chip, in figures."""

from __future__ import annotations

from nnc.isa.chip.load import load_chip
from nnc.isa.chip.rates import array_cycles, conv_cycles, lane_slots, move_cycles, port_cycles
from nnc.isa.types import DType
from nnc.isa.visits import Runs


def test_rates_in_figures() -> None:
    npu, dsp = load_chip("npu"), load_chip("vdsp12")
    hundred = Runs(1, 100)
    assert conv_cycles(npu, DType.F32, channels=64, pixels=hundred, depth=576, groups=1) == 25 * 576
    assert conv_cycles(npu, DType.F32, channels=8, pixels=Runs(1, 33), depth=27, groups=1) == 2 * 27
    assert conv_cycles(npu, DType.F32, channels=64, pixels=hundred, depth=9, groups=64) == 900
    assert conv_cycles(npu, DType.I8, channels=64, pixels=hundred, depth=9, groups=64) == 225
    assert conv_cycles(dsp, DType.F32, channels=33, pixels=Runs(2, 2), depth=10, groups=1) == 4 * 10
    assert array_cycles(dsp, DType.F16, 65, Runs(1, 3), 7) == 14
    assert move_cycles(npu, 65) == 2
    assert port_cycles(npu, 65) == 2


def test_groups_run_one_after_the_other() -> None:
    """16 channels of a group fill an array of 16 × 16, 4 do not; 64 at once would be too cheap."""
    npu = load_chip("npu")
    whole = conv_cycles(npu, DType.F32, channels=64, pixels=Runs(1, 256), depth=144, groups=1)
    grouped = conv_cycles(npu, DType.F32, channels=64, pixels=Runs(1, 256), depth=144, groups=4)
    assert whole == grouped == 4 * 16 * 144
    narrow = conv_cycles(npu, DType.F32, channels=64, pixels=Runs(1, 256), depth=36, groups=16)
    assert (
        narrow
        == 16 * 8 * 36
        > conv_cycles(npu, DType.F32, channels=64, pixels=Runs(1, 256), depth=36, groups=1)
    )  # 4 of 8 lanes work
    two = conv_cycles(npu, DType.F32, channels=64, pixels=Runs(1, 256), depth=18, groups=32)
    assert two == 64 * 256 * 18 // 64 < 32 * 8 * 18 * 2  # the depthwise rate is the better one


def test_lanes_along_pixels() -> None:
    chip = load_chip("npu", ["compute.map=pixels"])
    assert array_cycles(chip, DType.F32, 64, Runs(1, 4), 1) == 2
    assert array_cycles(chip, DType.F32, 4, Runs(1, 64), 1) == 1
    assert array_cycles(load_chip("npu"), DType.F32, 4, Runs(1, 64), 1) == 2
    assert array_cycles(chip, DType.F32, 4, Runs(16, 4), 1) == 16
    assert lane_slots(chip, Runs(3, 33), 32) == 3 * 64
    assert lane_slots(load_chip("npu"), Runs(3, 33), 32) == 99
