"""Half precision: two bytes in memory and in DRAM, sums of 32 bits, on every chip that has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from half_models import to_half
from harness import chip_of
from onnx import TensorProto, helper, numpy_helper

import nnc
from nnc import models
from nnc.check.outputs import check_outputs
from nnc.compiler.errors import ElementTypeError
from nnc.isa.chip.load import preset_names
from nnc.isa.instructions import MacInstruction
from nnc.isa.types import DType

CHIPS = [name for name in preset_names() if "f16" in chip_of(name).compute.arrays]
OTHERS = [name for name in preset_names() if name not in CHIPS]


@pytest.mark.parametrize("chip", OTHERS)
def test_chips_whose_array_has_no_half_precision_say_so(chip: str) -> None:
    with pytest.raises(ElementTypeError, match="f16"):
        nnc.compile(to_half(models.build("lenet5", width=0.2)), chip)


@pytest.mark.parametrize("keep_io", [False, True])
@pytest.mark.parametrize("chip", CHIPS)
def test_a_residual_network_is_right_within_half_precision(chip: str, keep_io: bool, tmp_path: Path) -> None:
    """As exported, or with float32 inputs and outputs around it; what is wrong is seen all the same."""
    model = to_half(models.build("resnet18", image=32, width=0.125), keep_io=keep_io)
    path = tmp_path / "half.onnx"
    onnx.save(model, path)
    session = nnc.Session(nnc.compile(model, chip))
    feed = np.random.default_rng(3).standard_normal((1, 3, 32, 32)).astype("f4" if keep_io else "f2")
    (output,) = session.run(None, {"input": feed})
    verdict = check_outputs(path, {"input": feed}, {"output": output})
    verdict.insist(str(path))
    assert verdict.outputs[0].max_rel > 1e-4, "a tolerance for float32 would do"
    off = np.roll(output, 1)
    off[0, :-1] = output[0, 1:]  # one element elsewhere, all others in another place
    assert not check_outputs(path, {"input": feed}, {"output": off}).ok
    slightly = (output.astype(np.float64) * 1.03).astype(output.dtype)
    assert not check_outputs(path, {"input": feed}, {"output": slightly}).ok


def test_weights_and_activations_take_two_bytes() -> None:
    wide, half = (
        nnc.compile_model(model) for model in (models.build("lenet5"), to_half(models.build("lenet5")))
    )
    assert half.compilation.floors.dram_bytes * 2 == wide.compilation.floors.dram_bytes
    assert {t.block.dtype for t in half.program.tensors if t.role.value != "scratch"} == {DType.F16}


@pytest.mark.parametrize("sram", ["512KiB", "3KiB"])
@pytest.mark.parametrize("chip", CHIPS)
def test_sums_are_of_32_bits(chip: str, sram: str) -> None:
    """Half precision cannot count beyond 2,048 by ones; partial sums are kept in 32 bits, too."""
    weight = np.ones((2, 300, 3, 3), np.float16)
    weight[1] = 0.5
    node = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[3, 3])
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT16, shape)
        for name, shape in (("x", (1, 300, 5, 5)), ("y", (1, 2, 3, 3)))
    )
    graph = helper.make_graph([node], "sums", [x], [y], [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    memories = dict.fromkeys(chip_of(chip).memory, sram) if sram != "512KiB" else {}
    program = nnc.compile(model, chip_of(chip, **memories))
    (found,) = nnc.Session(program).run(None, {"x": np.ones((1, 300, 5, 5), np.float16)})
    np.testing.assert_array_equal(found[0, 0], np.full((3, 3), 2700, np.float16))
    np.testing.assert_array_equal(found[0, 1], np.full((3, 3), 1350, np.float16))
    macs = [i.instruction for i in program.issued if isinstance(i.instruction, MacInstruction)]
    partial = [mac.accumulator.dtype for mac in macs if mac.accumulator is not None]
    assert set(partial) <= {DType.F32}
    assert partial or sram == "512KiB"
