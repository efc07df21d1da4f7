"""Golden texts of small networks: the graph after every stage, and the program, on several chips."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from golden_networks import NETWORKS, network

from nnc.compiler.ir.dump.formats import FORMATS, to_text
from nnc.compiler.pipeline import STAGES, run_pipeline, stage_graph
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip

Golden = Callable[[str, str], None]
CHIPS = ("npu", "npu-banked", "vdsp12")
SMALL = {"npu": ("sram=6KiB",), "npu-banked": ("bank1=8KiB", "bank2=6KiB"), "vdsp12": ("sm=2KiB", "am=8KiB")}
"""Memories so small that layers must be cut."""
CASES = [
    *(
        (net, "npu", stage)
        for net in NETWORKS
        for stage in ("import", "canonical", "group", "partition", "map")
    ),
    *((net, chip, "place") for net in NETWORKS for chip in CHIPS),
]
FORMAT_CASES = [("json", "canonical"), ("json", "place"), ("dot", "import"), ("dot", "partition")]


@cache
def small_chip(name: str) -> Chip:
    sizes = (item.split("=") for item in SMALL[name])
    return load_chip(name, [f"memory.{memory}.bytes={size}" for memory, size in sizes])


def stage_file(net: str, chip: str, stage: str) -> str:
    return f"{net}.{stage}.txt" if stage in STAGES[:2] else f"{net}.{chip}.{stage}.txt"


GOLDEN_FILES = [
    *(stage_file(*case) for case in CASES),
    *(f"{net}.{chip}.asm" for net in NETWORKS for chip in CHIPS),
    *(f"residual.{stage}.{form}" for form, stage in FORMAT_CASES),
]


@pytest.mark.parametrize(("net", "chip", "stage"), CASES)
def test_stage(golden: Golden, net: str, chip: str, stage: str) -> None:
    golden(stage_file(net, chip, stage), to_text(stage_graph(network(net), small_chip(chip), stage)))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("net", NETWORKS)
def test_program(golden: Golden, net: str, chip: str) -> None:
    program = run_pipeline(network(net), small_chip(chip)).program
    golden(f"{net}.{chip}.asm", disassemble(program, f"{net}.{chip}.constants"))


@pytest.mark.parametrize(("form", "stage"), FORMAT_CASES)
def test_format(golden: Golden, form: str, stage: str) -> None:
    graph = stage_graph(network("residual"), small_chip("npu"), stage)
    golden(f"residual.{stage}.{form}", FORMATS[form](graph))
