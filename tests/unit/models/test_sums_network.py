"""The trained decoder of sums: what is held out, and answers on the chip, right and as onnxruntime's."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from sums_accuracy import answer, quantized

import nnc
from nnc.generate import Generator
from nnc.models import sums

SAMPLE = 12


class Reference:
    """Greedy answers by onnxruntime."""

    def __init__(self, model: bytes) -> None:
        self._session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        self._names = [output.name for output in self._session.get_outputs()]

    def answer(self, question: str) -> str:
        """What it writes behind a question, up to the end."""
        shape = (1, sums.SHAPE.key_heads, sums.LENGTH, sums.SHAPE.channels)
        states = {
            info.name: np.zeros(shape, np.float32)
            for info in self._session.get_inputs()
            if info.name.startswith("past_key_values.")
        }
        tokens, given = sums.encode(question), len(question)
        for place in range(sums.LENGTH):
            mask = (np.arange(sums.LENGTH) <= place).astype(np.int64)[None]
            feeds = {"input_ids": np.array([[tokens[place]]]), "attention_mask": mask, **states}
            results = dict(zip(self._names, self._session.run(None, feeds), strict=True))
            states = {name: results[name.replace("past_key_values", "present")] for name in states}
            token = int(results["logits"][0, -1].argmax())
            if place >= given - 1:
                if token == sums.END:
                    break
                tokens.append(token)
        return sums.decode(tokens[given:])


def test_held_out_sums_are_sums() -> None:
    pairs = sums.load_heldout()
    assert len(pairs) == len({question for question, _ in pairs}) == 500
    for question, right in pairs:
        a, b = map(int, question.removesuffix("=").split("+"))
        assert a + b == int(right) and max(a, b) < 1000
        assert len(question) + len(right) < sums.LENGTH


def test_the_decoder_is_small() -> None:
    assert sums.decoder().ByteSize() <= 300_000
    with pytest.raises(ValueError, match="do not fit"):
        sums.decoder(tokens=4, length=3)


def test_characters_are_tokens() -> None:
    assert sums.decode(sums.encode("905+7=")) == "905+7="
    with pytest.raises(ValueError, match="not found"):
        sums.encode("1 + 2")


@pytest.mark.parametrize("bits", [8, 4])
def test_answers_are_right_and_those_of_onnxruntime(bits: int) -> None:
    """Of all held-out sums by onnxruntime, of some on the chip."""
    reference = Reference(quantized(bits))
    answers = {question: reference.answer(question) for question, _ in sums.load_heldout()}
    right = [question for question, total in sums.load_heldout() if answers[question] == total]
    assert len(right) >= 0.99 * len(answers)
    options = nnc.PlanOptions(effort="O0")
    step, prefill = (
        nnc.compile(quantized(bits, tokens=tokens), states="auto", options=options) for tokens in (1, 4)
    )
    for generator in (Generator(step), Generator(step, prefill)):
        for question in list(answers)[:SAMPLE]:
            assert answer(generator, question) == answers[question]
