"""Recurrent networks, step by step: all steps read the same few matrices, which are on chip once."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import numpy_helper, parser


def unrolled(steps: int, batch: int, width: int, hidden: int) -> onnx.ModelProto:
    """h = tanh(x[t] Wx + h Wh), all h stacked; x is [batch, steps, width] as exporters unroll it."""
    lines = []
    for t in range(steps):
        lines += [f"x{t} = Gather <axis=1> (x, t{t})", f"a{t} = MatMul (x{t}, wx)"]
        lines += [f"b{t} = MatMul (h{t}, wh)", f"s{t} = Add (a{t}, b{t})", f"h{t + 1} = Tanh (s{t})"]
        lines += [f"u{t} = Unsqueeze (h{t + 1}, one)"]
    stacked = ", ".join(f"u{t}" for t in range(steps))
    types = f"(float[{batch},{steps},{width}] x) => (float[{batch},{steps},{hidden}] y)"
    model = parser.parse_model(
        f"""<ir_version: 9, opset_import: ["" : 20]> g {types} {{
            {chr(10).join(lines)}
            y = Concat <axis=1> ({stacked}) }}"""
    )
    rng = np.random.default_rng(0)
    weights = {"wx": (width, hidden), "wh": (hidden, hidden), "h0": (batch, hidden)}
    arrays = {name: rng.standard_normal(shape).astype(np.float32) / 8 for name, shape in weights.items()}
    arrays |= {f"t{t}": np.array(t) for t in range(steps)} | {"one": np.array([1])}
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in arrays.items())
    return model


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("kib", [8, 24, 64])
def test_steps_are_right(batch: int, chip: str, kib: int) -> None:
    check_model(unrolled(5, batch, 20, 36), chip_of(chip, sram=f"{kib}KiB"))


@pytest.mark.parametrize("chip", ["npu-banked", "vdsp12", "pixel-dsp", "nna"])
def test_steps_are_right_on_other_chips(chip: str) -> None:
    check_model(unrolled(5, 2, 20, 36), chip_of(chip))


@pytest.mark.parametrize("batch", [1, 2])
def test_weights_that_fit_are_loaded_once(batch: int) -> None:
    """24 steps of six layers are several groups; 84 KB of weights in 256 KiB."""
    checked = check_model(unrolled(24, batch, 36, 128), chip_of(sram="256KiB"))
    assert checked.session.ledger.total < 1.3 * checked.compilation.floors.dram_bytes
