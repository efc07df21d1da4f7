"""Decoders of text as exporters write them: a prompt and the words after it, as onnxruntime has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
from decoder_model import Decoder
from harness import check_compiled

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.isa.chip.load import load_chip

ROOM, STEPS = 24, 3
PROMPT = np.array([[7, 3, 41, 19, 30]])
Array = Any


@pytest.mark.parametrize(("chip", "bits"), [("npu", 4), ("npu4", 4), ("nna", 32), ("vdsp12", 8)])
def test_decoder_goes_on_as_in_onnxruntime(chip: str, bits: int) -> None:
    """One program for the prompt, one for each word after it, into buffers of which some places are free."""
    compilations: dict[int, Compilation] = {}
    feeds = {"input_ids": PROMPT, "attention_mask": mask_of(PROMPT.shape[1]), **no_past(bits)}
    for step in range(STEPS):
        tokens = feeds["input_ids"].shape[1]
        model = Decoder(tokens, ROOM, bits=bits).model()
        if tokens not in compilations:
            compilations[tokens] = run_pipeline(import_model(model), load_chip(chip), verify_each=True)
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        expected = dict(zip(names, session.run(names, feeds), strict=True))
        check_compiled(compilations[tokens], feeds, expected)
        length = PROMPT.shape[1] + step
        word = expected["logits"][0, -1].argmax()
        states = {name.replace("present", "past_key_values"): state for name, state in expected.items()}
        del states["logits"]
        feeds = {"input_ids": np.array([[word]]), "attention_mask": mask_of(length + 1), **states}


def mask_of(length: int) -> Array:
    """So many ones, then zeros."""
    return (np.arange(ROOM) < length).astype(np.int64)[None]


def no_past(bits: int) -> dict[str, Array]:
    """Buffers of zeros."""
    infos = Decoder(1, ROOM, bits=bits).model().graph.input[2:]
    return {
        info.name: np.zeros([d.dim_value for d in info.type.tensor_type.shape.dim], np.float32)
        for info in infos
    }
