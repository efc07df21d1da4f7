"""Networks quantised by nnc quantize, judged layer by layer; and the digits network that ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from cli_harness import PICTURE, PIXELS, ok
from harness import chip_of, random_inputs
from quantised_models import quantised
from random_attention import random_attention

import nnc
from nnc import models
from nnc.check.layers import approximate_tensors, check_layers
from nnc.check.model_facts import ModelFacts
from nnc.check.outputs import check_outputs
from nnc.check.reference import Reference, Way
from nnc.compiler.plan.options import SOFTMAX_TYPES
from nnc.isa.chip.load import preset_names
from nnc.models import digits
from nnc.runtime.kernels import products

CHIPS = preset_names()
SIGNS = ("s8", "u8")
SMALL = [("lenet5", 32, chip, SIGNS[number % 2]) for number, chip in enumerate(CHIPS)] + [
    ("resnet18", 32, "npu", "s8"),
    ("squeezenet", 48, "npu", "u8"),
]


@pytest.mark.parametrize(("name", "image", "chip", "activations"), SMALL)
def test_each_layer_is_right(
    name: str, image: int, chip: str, activations: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most one element of 10,000, or one, is a step off; the outputs are those of the network alone.

    They come from BLAS; with products of integers they are the same.
    """
    model = quantised(models.build(name, image=image, width=0.25), activations=activations)
    feed = random_inputs(model, seed=7)
    target = chip_of(chip)
    program = nnc.compile(model, target, effort=1)
    (output,) = nnc.Session(program, blas_only=True).run(None, feed)
    monkeypatch.setattr(products, "LEAST_MACS", 0)
    (fast,) = nnc.Session(program, poison=True).run(None, feed)
    assert fast.tobytes() == output.tobytes()
    facts = ModelFacts(model)
    reference = Reference(Path(name), model, ["output"])
    found = check_layers(reference, facts, feed, {"output": output}, Way.LITERAL, target)
    assert len(found.layers) == len(facts.rounded_tensors) > 8
    assert [str(e) for e in (*found.layers, *found.outputs, *found.same) if not e.agrees(1e-4)] == []


ATTENTION = [(0, "npu"), (3, "npu4"), (5, "vdsp12"), (7, "nna"), (9, "pixel-dsp"), (11, "npu")]


@pytest.mark.parametrize("softmax", SOFTMAX_TYPES)
@pytest.mark.parametrize(("seed", "chip"), ATTENTION)
def test_attention_is_a_step_off_at_most(seed: int, chip: str, softmax: str) -> None:
    """From the same integers, whatever softmax and normalisations are computed in."""
    model = quantised(random_attention(seed))
    feed, target = random_inputs(model, seed=7), chip_of(chip)
    result = nnc.compile_model(model, target, softmax=softmax)
    assert (approximate_tensors(result.compilation.canonical) == set()) == (softmax == "f32")
    (output,) = nnc.Session(result.program, blas_only=True).run(None, feed)
    feeds = {model.graph.output[0].name: output}
    facts, reference = ModelFacts(model), Reference(Path("attention"), model, list(feeds))
    checked = check_layers(reference, facts, feed, feeds, Way.LITERAL, target, softmax)
    assert [str(e) for e in (*checked.layers, *checked.outputs, *checked.same) if not e.agrees(1e-4)] == []


def test_the_check_knows_what_a_softmax_is_computed_in(tmp_path: Path) -> None:
    model, path, program = quantised(random_attention(0)), tmp_path / "q.onnx", tmp_path / "q.bin"
    onnx.save(model, path)
    ok("compile", path, "--softmax", "f16", "-o", program)
    assert "by at most 1 step" in ok("run", program, "--seed", "1", "--check", path, "--check-layers")


def test_outputs_of_another_program_are_refused(tmp_path: Path) -> None:
    """All layers are right when the network is compiled anew, but the outputs are not those."""
    model, path = quantised(models.build("lenet5")), tmp_path / "q.onnx"
    onnx.save(model, path)
    feed, chip = random_inputs(model), chip_of("npu")
    (output,) = nnc.Session(nnc.compile(model, chip), blas_only=True).run(None, feed)
    right = check_outputs(path, feed, {"output": output}, chip=chip, by_layers=True)
    assert right.ok and right.layers is not None and len(right.layers.layers) > 8
    step = ModelFacts(model).step("output")
    assert step is not None
    moved = output + np.float32(step) * np.random.default_rng(0).integers(-1, 2, output.shape)
    wrong = check_outputs(path, feed, {"output": moved.astype(np.float32)}, chip=chip)
    assert not wrong.ok and wrong.layers is not None
    assert all(error.agrees(0) for error in wrong.layers.layers)


@pytest.mark.parametrize("chip", CHIPS)
def test_digits_in_8_bits(chip: str) -> None:
    images, labels = digits.load_heldout()
    session = nnc.Session(nnc.compile(digits.INT8_MODEL, chip=chip, effort=1))
    chosen = slice(None) if chip == "npu" else slice(0, 60)
    guesses = [session.run(None, {"image": digits.to_input(i)})[0].argmax() for i in images[chosen]]
    assert np.mean(np.array(guesses) == labels[chosen]) >= 0.98


def test_the_check_counts_steps(tmp_path: Path) -> None:
    program = tmp_path / "d.bin"
    ok("compile", digits.INT8_MODEL, "-o", program)
    text = ok("run", program, "--input", PICTURE, *PIXELS, "--check", digits.INT8_MODEL)
    assert "unoptimised (as written: its fused kernels round elsewhere)" in text
    assert "probabilities: all 10 elements equal; a step is 0.003922" in text
