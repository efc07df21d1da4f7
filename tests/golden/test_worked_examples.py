"""Golden texts of the worked examples of published methods: layer groups with their figures, programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import onnx
import pytest
from golden_networks import convolution_chain, fully_connected_bytes, with_exact_weights

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.dump.formats import to_text
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import load_chip

Golden = Callable[[str, str], None]
EXAMPLES: dict[str, tuple[Callable[[], onnx.ModelProto], str, PlanOptions]] = {
    "m1.chain-of-convs.npu-banked": (
        convolution_chain,
        "npu-banked memory.bank1.bytes=20KiB",
        PlanOptions(objective="traffic", overlap="recompute"),
    ),
    "m2.mlp-784-1152-10.vdsp12": (
        lambda: with_exact_weights(models.build("mlp-784-1152-10")),
        "vdsp12",
        PlanOptions(split="even"),
    ),
    "m3.conv-224x224x64.vdsp12": (
        lambda: with_exact_weights(models.build("conv-224x224x64", image=6, width=0.125)),
        "vdsp12 cores=1 memory.sm.bytes=4KiB",
        PlanOptions(conv_buffers="m3"),
    ),
    "m4.conv-8x8x8.pixel-dsp": (
        lambda: with_exact_weights(models.build("conv-8x8x8", batch=16)),
        "pixel-dsp",
        PlanOptions(stitch="16"),
    ),
    "m5.fc-3x3x8192.nna": (
        lambda: with_exact_weights(models.build("fc-3x3x8192")),
        "nna",
        PlanOptions(fc_oram=11520),
    ),
    "m5.fc-3x3x256-bytes.nna": (lambda: fully_connected_bytes(256), "nna", PlanOptions()),
}
"""Name of the files: network, chip with overrides, options."""
GOLDEN_FILES = [f"{example}.{end}" for example in EXAMPLES for end in ("group.txt", "asm")]


@cache
def compiled(example: str) -> tuple[str, Compilation]:
    """The text of the grouped network, and all that became of it."""
    network, chip, options = EXAMPLES[example]
    graph, texts = import_model(network()), dict[str, str]()
    preset, *overrides = chip.split()
    compilation = run_pipeline(
        graph,
        load_chip(preset, overrides),
        options=options,
        observe=lambda step, found: texts.__setitem__(step, to_text(found)),
    )
    return texts["group"], compilation


@pytest.mark.parametrize("example", EXAMPLES)
def test_groups(golden: Golden, example: str) -> None:
    golden(f"{example}.group.txt", compiled(example)[0])


@pytest.mark.parametrize("example", EXAMPLES)
def test_program(golden: Golden, example: str) -> None:
    golden(f"{example}.asm", disassemble(compiled(example)[1].program, f"{example}.constants"))
