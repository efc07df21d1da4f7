"""Accuracy of the trained digits network on its held-out set, measured on the simulated chip.

python bench/digits_accuracy.py [CHIP]
"""

from __future__ import annotations

import sys

import numpy as np

import nnc
from nnc.models import digits


def main(chip: str = "npu") -> None:
    session = nnc.Session(nnc.compile(digits.MODEL, chip=chip))
    images, labels = digits.load_heldout()
    guesses = [int(np.argmax(session.run(None, {"image": digits.to_input(image)})[0])) for image in images]
    right = int(np.sum(np.array(guesses) == labels))
    print(f"{right} of {len(labels)} held-out digits right on {chip}: {100 * right / len(labels):.2f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
