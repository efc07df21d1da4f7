"""Right answers of the trained decoder to its held-out sums, weights in 8 and 4 bits, on the simulated chip.

python bench/sums_accuracy.py [CHIP]
"""

from __future__ import annotations

import sys
import tempfile
from itertools import takewhile
from pathlib import Path

import nnc
from nnc.generate import Generator
from nnc.models import sums
from nnc.quantize.block_rounding import BlockOptions
from nnc.quantize.weights_only import quantize_weights

BITS = (8, 4)
BLOCK = 32


def quantized(bits: int, *, tokens: int = 1) -> bytes:
    """The decoder for so many new tokens, its weights in blocks of so many bits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sums.onnx"
        path.write_bytes(sums.decoder(tokens=tokens).SerializeToString())
        return quantize_weights(path, BlockOptions(bits, BLOCK), lambda *_: None).data


def answer(generator: Generator, question: str) -> str:
    """What the decoder writes behind a question, up to the end."""
    tokens = generator.tokens(sums.encode(question), sums.LENGTH)
    return sums.decode([*takewhile(lambda token: token != sums.END, tokens)])


def count_right(bits: int, chip: str) -> int:
    """How many of the held-out sums are answered rightly."""
    generator = Generator(nnc.compile(quantized(bits), chip=chip, states="auto"))
    return sum(answer(generator, question) == right for question, right in sums.load_heldout())


def main(chip: str = "npu") -> None:
    """Print the right answers for each kind of weights."""
    total = len(sums.load_heldout())
    for bits in BITS:
        right = count_right(bits, chip)
        print(f"int{bits}  {right} of {total} held-out sums right on {chip}: {100 * right / total:.2f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
