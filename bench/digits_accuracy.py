"""Accuracy of the trained digits network on its held-out set, in float32 and int8, on the simulated chip.

python bench/digits_accuracy.py [CHIP]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import nnc
from nnc.models import digits

NETWORKS = {"float32": digits.MODEL, "int8": digits.INT8_MODEL}


def count_right(model: Path, chip: str) -> int:
    """How many of the held-out digits a network reads rightly."""
    session = nnc.Session(nnc.compile(model, chip=chip))
    images, labels = digits.load_heldout()
    guesses = [int(np.argmax(session.run(None, {"image": digits.to_input(image)})[0])) for image in images]
    return int(np.sum(np.array(guesses) == labels))


def main(chip: str = "npu") -> None:
    """Print the accuracy of both networks."""
    total = len(digits.load_heldout()[1])
    for name, model in NETWORKS.items():
        right = count_right(model, chip)
        print(f"{name:<8} {right} of {total} held-out digits right on {chip}: {100 * right / total:.2f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
