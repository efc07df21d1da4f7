"""Recurrent networks: all steps read the same few matrices, which are on chip once."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import helper, numpy_helper, parser

from nnc.compiler.plan.options import PlanOptions


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
    model, chip = unrolled(24, batch, 36, 128), chip_of(sram="256KiB")
    checked = check_model(model, chip, options=PlanOptions())
    assert checked.session.ledger.total < 1.3 * checked.compilation.floors.dram_bytes


def layers(op: str, steps: int, batch: int, hidden: int, direction: str) -> onnx.ModelProto:
    """Two layers of 12 features, and all results of the second."""
    rng, gates = np.random.default_rng(0), {"LSTM": 4, "GRU": 3}[op]
    count = 2 if direction == "bidirectional" else 1
    nodes, values, features, x = [], dict[str, np.ndarray](), 12, "x"
    for number in range(2):
        shapes = {"w": features, "r": hidden}
        names = [f"{name}{number}" for name in shapes]
        for name, extent in zip(names, shapes.values(), strict=True):
            values[name] = rng.uniform(-0.3, 0.3, (count, gates * hidden, extent)).astype(np.float32)
        results = ["y", "h", "c"][: gates - 1] if number else [f"y{number}"]
        nodes.append(helper.make_node(op, [x, *names], results, hidden_size=hidden, direction=direction))
        if not number:
            nodes.append(helper.make_node("Transpose", ["y0"], ["t"], perm=[0, 2, 1, 3]))
            nodes.append(helper.make_node("Reshape", ["t", "shape"], ["next"]))
            features, x = count * hidden, "next"
    values["shape"] = np.array([steps, batch, count * hidden])
    inputs = [helper.make_tensor_value_info("x", 1, [steps, batch, 12])]
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in ("y", "h", "c")[: gates - 1]]
    constants = [numpy_helper.from_array(value, name) for name, value in values.items()]
    graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


@pytest.mark.parametrize("op", ["LSTM", "GRU"])
@pytest.mark.parametrize("chip", ["npu", "npu4", "vdsp12", "nna", "pixel-dsp"])
def test_layers_are_right(op: str, chip: str) -> None:
    check_model(layers(op, 7, 3, 16, "bidirectional"), chip_of(chip))


@pytest.mark.parametrize("op", ["LSTM", "GRU"])
@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("kib", [12, 8])
def test_chunks_are_right(op: str, chip: str, kib: int) -> None:
    """8 KiB hold no weights, which have 4 or 3 KiB, beside a chunk of steps."""
    check_model(layers(op, 12, 4, 16, "forward"), chip_of(chip, sram=f"{kib}KiB"))


def test_an_instruction_runs_all_steps() -> None:
    checked = check_model(layers("LSTM", 30, 2, 16, "bidirectional"), chip_of())
    names = [item.instruction.mnemonic for item in checked.compilation.program.issued]
    assert names.count("recurrence") == 4
    assert checked.session.ledger.total < 1.02 * checked.compilation.floors.dram_bytes
