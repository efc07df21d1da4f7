"""The handwritten digits that the demo network was trained on. Needs scikit-learn and pillow.

Data: the 1797 digits of 8×8 pixels that come with scikit-learn (UCI "Optical recognition of handwritten
digits"), scaled up to 16×16. One fifth, drawn by class, is held out: the network never sees it, and no choice
was made by it.

    python models/digits/dataset.py FOLDER

writes the other four fifths, 1437 pictures, into a folder: calibration data for `nnc quantize`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

Images = NDArray[np.uint8]
Labels = NDArray[np.int64]
SIZE = 16  # pixels, height and width
SEED = 0


def load_images() -> tuple[Images, Labels]:
    """All digits as 8-bit grey images (N, 16, 16), ink bright on black, and their labels (N,)."""
    data: Any = load_digits()
    small = np.clip(data.images * 16, 0, 255).astype(np.uint8)
    large = [
        np.asarray(Image.fromarray(image).resize((SIZE, SIZE), Image.Resampling.BICUBIC)) for image in small
    ]
    return np.stack(large), data.target.astype(np.int64)


def split_digits() -> tuple[tuple[Images, Labels], tuple[Images, Labels]]:
    """Images and labels for training, and those that are held out."""
    images, labels = load_images()
    parts: list[Any] = train_test_split(images, labels, test_size=0.2, stratify=labels, random_state=SEED)
    train_images, heldout_images, train_labels, heldout_labels = parts
    return (train_images, train_labels), (heldout_images, heldout_labels)


def main(folder: str) -> None:
    """Write the training digits as PNGs."""
    (images, _), _ = split_digits()
    Path(folder).mkdir(parents=True, exist_ok=True)
    for index, image in enumerate(images):
        Image.fromarray(image).save(Path(folder) / f"{index:04}.png")
    print(f"{len(images)} training digits written to {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
