"""Layers that share their weights, on pictures of several sizes: each cuts the weights as suits it."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import numpy_helper, parser


def pyramid(channels: int, sizes: tuple[int, ...]) -> onnx.ModelProto:
    """Two convolutions that read every level of a pyramid, as heads of detectors do."""

    def pictures(letter: str) -> list[str]:
        return [f"float[1,{channels},{size},{size}] {letter}{size}" for size in sizes]

    layers = [
        f"h{size} = Conv <pads=[1,1,1,1]> (x{size}, w0)\n y{size} = Conv <pads=[1,1,1,1]> (h{size}, w1)"
        for size in sizes
    ]
    text = f"""<ir_version: 9, opset_import: ["" : 20]>
        pyramid ({", ".join(pictures("x"))}) => ({", ".join(pictures("y"))}) {{ {chr(10).join(layers)} }}"""
    model, rng = parser.parse_model(text), np.random.default_rng(0)
    for name in ("w0", "w1"):
        weight = rng.standard_normal((channels, channels, 3, 3)).astype(np.float32) / (3 * channels**0.5)
        model.graph.initializer.append(numpy_helper.from_array(weight, name))
    return model


@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("kib", [8, 12, 16, 24, 32, 48, 64])
def test_every_piece_of_a_shared_constant_has_a_name_of_its_own(chip: str, kib: int) -> None:
    """Pieces begin at the same place and end at others."""
    check_model(pyramid(24, (4, 9, 20)), chip_of(chip, sram=f"{kib}KiB"))
