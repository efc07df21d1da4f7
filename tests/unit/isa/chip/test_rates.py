"""Cycles of the units of a chip, in figures."""

from __future__ import annotations

from nnc.isa.chip.load import load_chip
from nnc.isa.chip.rates import array_cycles, conv_cycles, move_cycles, vector_cycles
from nnc.isa.types import DType


def test_rates_in_figures() -> None:
    npu, dsp = load_chip("npu"), load_chip("vdsp12")
    assert conv_cycles(npu, DType.F32, channels=64, pixels=100, depth=576, groups=1) == 25 * 576
    assert conv_cycles(npu, DType.F32, channels=8, pixels=33, depth=27, groups=1) == 2 * 27
    assert conv_cycles(npu, DType.F32, channels=64, pixels=100, depth=9, groups=64) == 900
    assert conv_cycles(npu, DType.I8, channels=64, pixels=100, depth=9, groups=64) == 225
    assert conv_cycles(dsp, DType.F32, channels=33, pixels=4, depth=10, groups=1) == 4 * 10
    assert array_cycles(dsp, DType.F16, 65, 3, 7) == 14
    assert vector_cycles(npu, DType.F32, 33) == 2
    assert move_cycles(npu, 65) == 2


def test_lanes_along_pixels() -> None:
    chip = load_chip("npu", ["compute.map=pixels"])
    assert array_cycles(chip, DType.F32, 4, 64, 1) == 1
    assert array_cycles(load_chip("npu"), DType.F32, 4, 64, 1) == 2
