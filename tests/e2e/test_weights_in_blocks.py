"""Networks with weights of few bits in blocks compute what onnxruntime computes, on every kind of chip."""

from __future__ import annotations

import numpy as np
import pytest
from block_models import with_blocks
from harness import check_compiled, check_model, chip_of, random_inputs, reference
from onnx import helper, numpy_helper, parser
from random_attention import random_attention

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import preset_names

SIZES = dict(zip(sorted(preset_names()), (24, 32, 64, 24, 16, 48, 24), strict=True))
"""KiB of each memory by chip."""


@pytest.mark.parametrize(
    ("seed", "chip", "kib"), [(3 * (n % 2), chip, kib) for n, (chip, kib) in enumerate(SIZES.items())]
)
def test_random_blocks_of_transformers(seed: int, chip: str, kib: int) -> None:
    memories = dict.fromkeys(chip_of(chip).memory, f"{kib}KiB")
    check_model(with_blocks(random_attention(seed), seed), chip_of(chip, **memories))


@pytest.mark.parametrize("chip", ["npu", "npu4"])
def test_blocks_are_moved_once_and_as_they_are(chip: str) -> None:
    """A step of one token: nearly all that is moved are the bytes of the weights."""
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["": 20]> step (float[1,1,256] x) => (float[1,1,256] y) {
            h = MatMul (x, a)  r = Relu (h)  y = MatMul (r, b) }"""
    )
    weights = {"a": np.zeros((256, 1024), np.float32), "b": np.zeros((1024, 256), np.float32)}
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in weights.items())
    model = with_blocks(model, 3)
    nodes = [node for node in model.graph.node if node.op_type == "MatMulNBits"]
    bits = [
        helper.get_attribute_value(field)
        for node in nodes
        for field in node.attribute
        if field.name == "bits"
    ]
    compilation, feeds = run_pipeline(import_model(model), chip_of(chip, sram="64KiB")), random_inputs(model)
    session = check_compiled(compilation, feeds, reference(model, feeds)).session
    floor = sum(256 * 1024 * width // 8 for width in bits)
    assert floor < compilation.floors.dram_bytes <= session.ledger.total < 1.3 * floor
    assert session.ledger.total <= 1.02 * compilation.floors.dram_bytes
