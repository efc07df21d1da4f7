"""Decoders of text as exporters write them: a prompt and the tokens after it, as onnxruntime has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from decoder_model import decoder_model
from harness import check_compiled

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.generate import Generator
from nnc.isa.chip.load import load_chip
from nnc.isa.program import Program

LENGTH, STEPS = 24, 3
PROMPT = [7, 3, 41, 19, 30]
QUICK = PlanOptions(effort="O1")
Array = Any


def mask_of(length: int) -> Array:
    """So many ones, then zeros."""
    return (np.arange(LENGTH) < length).astype(np.int64)[None]


class Reference:
    """A decoder in onnxruntime, which keeps the states of its runs."""

    def __init__(self, bits: int) -> None:
        self._bits, self._done = bits, 0
        infos = decoder_model(1, LENGTH, bits).graph.input[2:]
        shapes = {info.name: [d.dim_value for d in info.type.tensor_type.shape.dim] for info in infos}
        self._states: dict[str, Array] = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}

    def run(self, tokens: list[int]) -> tuple[onnx.ModelProto, dict[str, Array], dict[str, Array]]:
        """The model for so many tokens, what it gets, what it gives."""
        model = decoder_model(len(tokens), LENGTH, self._bits)
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        self._done += len(tokens)
        feeds = {"input_ids": np.array([tokens]), "attention_mask": mask_of(self._done), **self._states}
        names = [output.name for output in session.get_outputs()]
        results = dict(zip(names, session.run(names, feeds), strict=True))
        self._states = {name: results[name.replace("past_key_values", "present")] for name in self._states}
        return model, feeds, results


def _with_states(tokens: int, bits: int, chip: str) -> Program:
    imported = import_model(decoder_model(tokens, LENGTH, bits), states="auto")
    return run_pipeline(imported, load_chip(chip), options=QUICK, verify_each=True).program


@pytest.mark.parametrize(("chip", "bits"), [("npu", 4), ("npu4", 4), ("nna", 32), ("vdsp12", 8)])
def test_decoder_goes_on_as_in_onnxruntime(chip: str, bits: int) -> None:
    """One program for the prompt, one for each token after it, into buffers of which some places are free."""
    compilations: dict[int, Compilation] = {}
    reference, tokens, answer = Reference(bits), PROMPT, list[int]()
    for _ in range(STEPS):
        model, feeds, results = reference.run(tokens)
        if len(tokens) not in compilations:
            compilations[len(tokens)] = run_pipeline(
                import_model(model), load_chip(chip), options=QUICK, verify_each=True
            )
        check_compiled(compilations[len(tokens)], feeds, results)
        tokens = [int(results["logits"][0, -1].argmax())]
        answer += tokens
    step, prefill = (_with_states(count, bits, chip) for count in (1, len(PROMPT)))
    assert list(Generator(step).tokens(PROMPT, STEPS)) == answer
    assert list(Generator(step, prefill).tokens(PROMPT, STEPS)) == answer
    assert list(Generator(step, prefill).tokens(PROMPT + answer, 1)) == [
        int(reference.run(tokens)[2]["logits"][0, -1].argmax())
    ]
