"""``import nnc``: compile, save, load, run, as onnxruntime does it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

import nnc
from nnc import models
from nnc.compiler.pipeline import STAGES
from nnc.isa.errors import ChipError, OptionError
from nnc.models import digits
from nnc.report.bounds import bounded_by


@pytest.fixture(scope="module")
def program() -> nnc.Program:
    """The compiled digits network."""
    return nnc.compile(digits.MODEL)


def test_compile_save_load_run(program: nnc.Program, tmp_path: Path) -> None:
    nnc.save_program(program, tmp_path / "d.bin")
    session = nnc.Session(nnc.load_program(tmp_path / "d.bin"))
    images, labels = digits.load_heldout()
    assert [(info.name, info.shape, info.type) for info in session.get_inputs()] == [
        ("image", (1, 1, 16, 16), "tensor(float)")
    ]
    for image, label in list(zip(images, labels, strict=True))[:20]:
        (probabilities,) = session.run(None, {"image": digits.to_input(image)})
        (named,) = session.run(["probabilities"], {"image": digits.to_input(image)})
        assert probabilities.shape == (1, 10)
        assert int(probabilities.argmax()) == label
        np.testing.assert_array_equal(probabilities, named)


def test_models_come_as_path_bytes_or_proto(program: nnc.Program) -> None:
    for model in (str(digits.MODEL), digits.MODEL.read_bytes(), onnx.load(digits.MODEL)):
        assert nnc.compile(model).issued == program.issued


def test_chips_come_by_name_file_or_object(tmp_path: Path) -> None:
    overrides = ["memory.sram.bytes=32KiB"]
    chip = nnc.load_chip("npu", overrides)
    by_object = nnc.compile(digits.MODEL, chip)
    by_name = nnc.compile(digits.MODEL, "npu", overrides=overrides)
    assert by_object.issued == by_name.issued
    assert by_object.chip.memory["sram"].bytes == 32 * 1024
    with pytest.raises(OptionError, match="load_chip"):
        nnc.compile(digits.MODEL, chip, overrides=overrides)
    with pytest.raises(OptionError, match="overrides"):
        nnc.compile(digits.MODEL, overrides="cores=2")
    with pytest.raises(ChipError):
        nnc.compile(digits.MODEL, "no such chip")


def test_result_has_report_and_graphs() -> None:
    calls: list[tuple[str, int, int]] = []
    result = nnc.compile_model(digits.MODEL, progress=lambda *call: calls.append(call))
    assert result.report.instructions["total"] == len(result.program.issued)
    assert result.report.groups[0].layers == result.compilation.plan.groups[0].group.layers
    assert list(result.graphs) == ["import", "canonical", "place"]
    assert "importing" in {what for what, _, _ in calls}
    assert "planning" in {what for what, _, _ in calls}
    assert result.compile_seconds > 0


def test_graph_at_every_stage() -> None:
    levels = [nnc.graph_at(digits.MODEL, stage).notes.level for stage in STAGES]
    assert levels == list(STAGES)
    with pytest.raises(OptionError, match="canonical"):
        nnc.graph_at(digits.MODEL, "nonsense")


def test_objectives_are_checked() -> None:
    overrides = ["memory.sram.bytes=36KiB"]
    traffic, fastest = (
        nnc.compile(digits.MODEL, overrides=overrides, options=nnc.PlanOptions(objective))
        for objective in ("traffic", "cycles")
    )
    assert traffic.facts["predicted_dram_bytes"] < fastest.facts["predicted_dram_bytes"]
    with pytest.raises(OptionError, match="balanced"):
        nnc.PlanOptions("speed")


def test_bounds_of_groups() -> None:
    work = {"MAC": 70, "vector": 20, "issue": 30}
    assert bounded_by(work, cores=1, dram_cycles=119.0) == "MAC"
    assert bounded_by(work, cores=1, dram_cycles=120.0) == "DRAM"
    assert bounded_by(work, cores=2, dram_cycles=60.0) == "DRAM"
    assert bounded_by({"MAC": 1, "vector": 0, "issue": 16}, cores=1, dram_cycles=0.0) == "issue"
    assert bounded_by({}, cores=1, dram_cycles=4.0) == "DRAM"


def test_shapes_fix_symbolic_dimensions() -> None:
    model = models.build("lenet5", width=0.2)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    del model.graph.value_info[:]
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    with pytest.raises(nnc.NncError, match="NNC-E013"):
        nnc.compile(model)
    session = nnc.Session(nnc.compile(model, shapes={"input": (1, 1, 32, 32)}))
    assert session.get_outputs()[0].shape == (1, 10)


def test_everything_promised_is_there() -> None:
    for name in nnc.__all__:
        assert getattr(nnc, name) is not None
        assert name in dir(nnc)
    assert issubclass(nnc.errors.InputError, nnc.NncError)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = nnc.nonsense


def test_import_is_free_of_dependencies() -> None:
    script = "import sys, nnc; nnc.__version__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numpy", "onnx", "pydantic", "click"} & set(done.stdout.split())
