"""The nearest name."""

from __future__ import annotations

from nnc.isa.nearest import did_you_mean, nearest

KEYS = ("memory.sram.bytes", "memory.sram.word", "dram.bytes", "dram.bytes_per_cycle", "cores")


def test_nearest_names_come_closest_first() -> None:
    assert nearest("NPU", ["npu4", "npu", "vdsp12"]) == ["npu", "npu4"]
    assert nearest("Trafic", ["traffic", "balanced", "cycles"]) == ["traffic"]
    assert nearest("speed", ["traffic", "balanced", "cycles"]) == []
    assert nearest("", ["traffic"]) == []
    assert nearest("x" * 10_000, ["x" * 10_000]) == []


def test_dotted_names_are_compared_in_their_table_first() -> None:
    assert nearest("memory.sram.byte", KEYS) == ["memory.sram.bytes"]
    assert nearest("sram.word", KEYS) == ["memory.sram.word"]
    assert nearest("dram.bytes_per_cyle", KEYS) == ["dram.bytes_per_cycle"]
    assert nearest("core", KEYS) == ["cores"]
    assert nearest("dram.speed", KEYS) == []


def test_did_you_mean_is_a_question_before_the_rest() -> None:
    assert did_you_mean("npu3", ["npu4", "npu"]) == "did you mean npu, or npu4?"
    assert did_you_mean("npu3", ["npu4"], "see nnc chips") == "did you mean npu4? see nnc chips"
    assert did_you_mean("tpu9000", ["vdsp12"], "see nnc chips") == "see nnc chips"
    assert did_you_mean("tpu9000", ["vdsp12"]) == ""
