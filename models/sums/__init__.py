"""The trained demo decoder: sums of two numbers of one to three digits, character by character.

    model = sums.decoder(tokens=1)           as exporters write decoders; see `nnc.models.decoder`
    question, answer = sums.load_heldout()[0]         "123+456=", "579"

`train.py` made the weights, and drew the sums that it held out.  A token is a character of `CHARACTERS`, by
its place there; `END` is the one behind an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx

from nnc.models.decoder import Array, Decoder, DecoderShape

__all__ = ["CHARACTERS", "END", "LENGTH", "SHAPE", "TOKENIZER", "decode", "decoder", "encode", "load_heldout"]

_HERE = Path(__file__).parent

CHARACTERS = "0123456789+="
END = len(CHARACTERS)
LENGTH = 16  # tokens that there is room for; 999+999=1998 and its end are 13
SHAPE = DecoderShape(
    layers=2, heads=4, key_heads=4, channels=16, width=64, hidden=96, vocabulary=END + 1, base=100.0
)
TOKENIZER = _HERE / "tokenizer.json"


class _Weights:
    """The weights of the file, float16 there and float32 here."""

    def __init__(self) -> None:
        with np.load(_HERE / "weights.npz") as data:
            self._arrays: dict[str, Array] = {name: data[name].astype(np.float32) for name in data.files}

    def matrix(self, name: str) -> Array:
        return self._arrays[name]

    def vector(self, name: str) -> Array:
        return self._arrays[name]


def decoder(*, tokens: int = 1, length: int = LENGTH) -> onnx.ModelProto:
    """The decoder with float32 weights.

    Args:
        tokens: new ones of a run.
        length: tokens that keys and values have room for.

    Raises:
        ValueError: there is no room for the new tokens.
    """
    return Decoder(SHAPE, _Weights(), tokens=tokens, length=length).model()


def load_heldout() -> list[tuple[str, str]]:
    """All 500 sums that training never saw: question and answer."""
    lines = (_HERE / "heldout.txt").read_text(encoding="ascii").split()
    return [(f"{question}=", answer) for question, _, answer in (line.partition("=") for line in lines)]


def encode(text: str) -> list[int]:
    """The tokens of a text.

    Raises:
        ValueError: it has characters that are no tokens.
    """
    return [CHARACTERS.index(character) for character in text]


def decode(tokens: Sequence[int]) -> str:
    """The text of tokens, none of which is the end."""
    return "".join(CHARACTERS[token] for token in tokens)
